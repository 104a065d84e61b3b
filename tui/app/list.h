/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.h - a list over the views: marks, filters, files */
#ifndef TUI_LIST_H
#define TUI_LIST_H

#include "base/str.h"
#include "tui/terminal/surface.h"

struct app;

struct list_ops {
	const char *title;
	const char *keys;		/* help for the keys, in the last line */
	const char *empty;		/* note for an empty list */
	size_t (*count)(const struct app *app);
	/* One line of untrusted text: the list escapes it */
	void (*line)(const struct app *app, size_t i, struct str *out);
	/* Handle a key that does not move the cursor. True: the list stays open. */
	bool (*key)(struct app *app, size_t i, int key);
};

struct list {
	const struct list_ops *ops;	/* NULL: no list is shown */
	int selected, top;
};

/* With the line @selected selected */
void list_open(struct app *app, const struct list_ops *ops, size_t selected);
void list_key(struct app *app, int key);
void list_draw(const struct app *app, struct area a);

#endif
