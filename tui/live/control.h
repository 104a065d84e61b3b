/* SPDX-License-Identifier: GPL-2.0-or-later */
/* control.h - shared by the files of the view of settings */
#ifndef TUI_CONTROL_H
#define TUI_CONTROL_H

#include <ktrail/settings.h>

#include "tui/app/app.h"

struct control_state {
	struct kt_control *control;	/* borrowed */
	struct kt_control_row *rows;	/* those on the screen, from @top on */
	size_t nr, room, top, selected;
	bool   typing, found;		/* a search is being typed; the rows are its results */
	struct str query;
	size_t nr_found, before;	/* @before: id of the row selected before the search */
	char  *about;			/* a line about the selected row, owned */
	size_t about_id;
	bool   whole_log;
	uint64_t read_ms;		/* time of the last read from the kernel */
};

/* The number of rows for settings, for the line about one, and for writes */
struct control_rows {
	int tree, about, log;
};
struct control_rows control_rows(const struct view *v);
void control_draw(const struct view *v, struct area a);

#endif
