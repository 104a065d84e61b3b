/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mouse.c - the view of time by mouse: drag over a stretch, wheel at a place */
#include "timeline.h"

#include "base/clamp.h"

#define DRAG_LEAST 2			/* columns; less is a click */

static uint64_t time_at(const struct view *v, int col)
{
	const struct timeline_state *st = v->state;

	return st->window.from + (uint64_t)(col > 0 ? col : 0) * timeline_column_ns(v);
}

static void click(struct view *v, int row, int col)
{
	struct timeline_state *st = v->state;
	int level, to = timeline_row_at(v, row - 1, &level);

	st->drag_from = st->drag_to = col >= 0 ? col : -1;
	if (col >= 0)
		timeline_set_cursor(v, time_at(v, col), false);
	if (row >= 1 && to >= 0)
		timeline_select(v, to);
}

/* The dragged range becomes the window. */
static void release(struct view *v)
{
	struct timeline_state *st = v->state;
	int from = st->drag_from < st->drag_to ? st->drag_from : st->drag_to;
	int until = st->drag_from < st->drag_to ? st->drag_to : st->drag_from;

	st->drag_from = st->drag_to = -1;
	if (until - from < DRAG_LEAST)
		return;
	timeline_set_window(v, time_at(v, from), time_at(v, until + 1) - time_at(v, from));
}

void timeline_mouse(struct view *v, int key, int row, int col)
{
	struct timeline_state *st = v->state;
	bool wheel = key == TK_WHEEL_UP || key == TK_WHEEL_DOWN;

	col -= timeline_label(v);
	if (wheel && col >= 0)
		timeline_zoom(v, key == TK_WHEEL_UP ? 0.5 : 2, time_at(v, col));
	else if (wheel)
		timeline_select(v, st->selected + (key == TK_WHEEL_UP ? -1 : 1));
	else if (key == TK_CLICK)
		click(v, row, col);
	if ((key == TK_DRAG || key == TK_RELEASE) && st->drag_from >= 0)
		st->drag_to = clamp(col, 0, timeline_cols(v) - 1);
	if (key == TK_RELEASE && st->drag_from >= 0)
		release(v);
}

void timeline_centre(struct view *v, uint64_t ts)
{
	const struct timeline_state *st = v->state;
	uint64_t length = timeline_span(&st->window);

	timeline_set_window(v, ts > length / 2 ? ts - length / 2 : 0, length);
	timeline_set_cursor(v, ts, false);
}
