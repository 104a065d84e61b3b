/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.h - what the files of the view of events share */
#ifndef TUI_EVENTS_H
#define TUI_EVENTS_H

#include "app.h"
#include "inspect.h"

/* A row of the screen */
struct event_line {
	struct kt_record rec;		/* its data is valid while the reader stays: not used */
	struct kt_spot before;		/* a reader that stands here reads it next */
	struct kt_cells cells;
	char    *text;			/* owned; NULL: a row that tells of lost events */
};

enum time_form { TIME_ABSOLUTE, TIME_RELATIVE };

struct events_state {
	struct kt_reader *reader, *finder;
	struct kt_out *out;
	struct event_line *lines;
	int nr, room;			/* lines that are filled, and that fit */
	int selected;			/* among them */
	struct kt_spot top, bottom;	/* before the first, after the last */
	long pending;			/* rows still to be scrolled by */
	unsigned int generation;	/* of the model's choice that the lines have */
	bool fresh;			/* lines are those of @top */
	bool at_end;			/* there is nothing after the last line */
	bool nanoseconds, plain;
	enum time_form form;
	int scrolled;			/* columns to the left of the screen */
	struct inspector inspector;
	int task_width, event_width;
	uint64_t deadline;		/* ms, for stop() */
};

/* How many rows there are for events */
int  events_rows(const struct view *v);
void events_draw(const struct view *v, struct area a);

#endif
