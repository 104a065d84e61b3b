/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.h - a list over the views: marks, filters, files */
#ifndef TUI_LIST_H
#define TUI_LIST_H

#include "base/str.h"
#include "surface.h"

struct app;

struct list_ops {
	const char *title;
	const char *keys;		/* what they do, for the last line */
	const char *empty;		/* said when there is nothing to list */
	size_t (*count)(const struct app *app);
	/* One line, of any origin: it is escaped */
	void (*line)(const struct app *app, size_t i, struct str *out);
	/* Another key than those that move. True: the list stays. */
	bool (*key)(struct app *app, size_t i, int key);
};

struct list {
	const struct list_ops *ops;	/* NULL: no list is shown */
	int selected, top;
};

void list_open(struct app *app, const struct list_ops *ops);
void list_key(struct app *app, int key);
void list_draw(const struct app *app, struct area a);

#endif
