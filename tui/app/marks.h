/* SPDX-License-Identifier: GPL-2.0-or-later */
/* marks.h - the range from A to B */
#ifndef TUI_MARKS_H
#define TUI_MARKS_H

#include <ktrail/model.h>

#include "tui/terminal/surface.h"

struct app;

struct marks_between {
	struct kt_between *counts;	/* NULL: A or B is not set */
	struct kt_spot a, b;
	unsigned int generation;	/* of the filters that were used for the count */
};

/* A slice of counting. True: there is more to do. */
bool marks_work(struct app *app, unsigned int budget_ms);
void marks_fini(struct marks_between *k);
/* Draw A, B and the counts into the status line; returns the column after it */
int  marks_put(const struct app *app, struct area a, int row, int col);

#endif
