/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slices.c - calls in the view of time: names in a row, and lines below it */
#include <stdlib.h>

#include <ktrail/span.h>

#include "timeline.h"

#define COLS_MAX   1024

/* ---- the task of a row, column by column ---- */

#define NOBODY (-1)

/* For a CPU, the task that had it then; for a task, the task itself */
static void find_pids(const struct view *v, const struct kt_timeline_row *r, int pids[], int cols)
{
	uint64_t ts = ((const struct timeline_state *)v->state)->window.from;
	int i;

	for (i = 0; i < cols; i++, ts += timeline_column_ns(v)) {
		const struct kt_timeline_cell *c = timeline_cell_at(v, r, ts);

		if (!r->is_cpu)
			pids[i] = r->pid;
		else if (!c)
			pids[i] = NOBODY;
		else
			pids[i] = c->state == KT_TIMELINE_IDLE ? 0 : c->pid;
	}
}

static bool has_pid(const int pids[], int cols, int pid)
{
	while (cols-- > 0)
		if (pids[cols] == pid)
			return true;
	return false;
}

/* Are the calls of @from shown in @r? Those of idle tasks are shown in the row of the CPU. */
static bool is_source(const struct kt_timeline_row *r, const struct kt_timeline_row *from,
		      const int pids[], int cols)
{
	if (!from->nr_slices || from->file != r->file)
		return false;
	if (from->is_cpu || !r->is_cpu)
		return from->is_cpu == r->is_cpu && from->cpu == r->cpu && from->pid == r->pid;
	return has_pid(pids, cols, from->pid);
}

static int columns(const struct view *v)
{
	int cols = timeline_cols(v);

	return cols < COLS_MAX ? cols : COLS_MAX;
}

/* ---- bars ---- */

struct bar {
	const struct kt_timeline_slice *slice;
	int from, until;		/* columns, cut by the screen */
	bool begins, ends;		/* it begins or ends on the screen */
};

static bool make_bar(const struct view *v, const struct kt_timeline_slice *s, int cols,
		     struct bar *b)
{
	const struct timeline_state *st = v->state;
	uint64_t last = st->window.from + (uint64_t)cols * timeline_column_ns(v);
	struct kt_window w;
	uint64_t width;

	if (s->until < st->window.from || s->from >= last)
		return false;
	kt_timeline_columns(st->timeline, &w, &width);
	*b = (struct bar){
		.slice = s,
		.begins = s->from > w.from && s->from >= st->window.from,
		.ends = s->until <= w.until && s->until < last,
	};
	b->from = s->from > st->window.from ? timeline_column(v, s->from) : 0;
	b->until = s->until < last ? timeline_column(v, s->until - (s->until > s->from)) + 1 : cols;
	return true;
}

/* The next part of a bar from column *@until on where the row shows that task */
static bool next_stretch(const struct bar *b, const int pids[], int pid, int *from, int *until)
{
	for (*from = *until; *from < b->until && pids[*from] != pid; ++*from)
		;
	for (*until = *from; *until < b->until && pids[*until] == pid; ++*until)
		;
	return *from < *until;
}

static bool is_seen(const struct bar *b, const int pids[], int pid, int least_cols)
{
	int from, until = b->from;

	while (next_stretch(b, pids, pid, &from, &until))
		if (until - from >= least_cols)
			return true;
	return false;
}

static int pid_of(const struct kt_timeline_row *r)
{
	return r->is_cpu ? 0 : r->pid;
}

int timeline_levels(const struct view *v, const struct kt_timeline_row *r, int least_cols)
{
	const struct timeline_state *st = v->state;
	int pids[COLS_MAX], cols = columns(v), levels = 0;
	struct kt_timeline_row from;
	size_t i, k;
	struct bar b;

	find_pids(v, r, pids, cols);
	for (i = 0; kt_timeline_row(st->timeline, i, &from); i++) {
		if (!is_source(r, &from, pids, cols))
			continue;
		for (k = 0; k < from.nr_slices; k++)
			if (from.slices[k].level >= levels && from.slices[k].nr == 1 &&
			    make_bar(v, &from.slices[k], cols, &b) &&
			    is_seen(&b, pids, pid_of(&from), least_cols))
				levels = from.slices[k].level + 1;
	}
	return levels;
}

static enum style style_of(const struct view *v, const struct kt_timeline_slice *s)
{
	const struct timeline_state *st = v->state;

	if (s->kind == KT_CALL_IRQ || s->kind == KT_CALL_SOFTIRQ)
		return STYLE_IRQ;
	return style_of_name(kt_timeline_slice_name(st->timeline, s));
}

/* "├vfs_read───┤"; '░': several that are too short to distinguish */
static void draw_bar(const struct view *v, struct area a, const struct bar *b, const int pids[],
		     int pid)
{
	const struct timeline_state *st = v->state;
	enum style style = style_of(v, b->slice);
	int row = b->slice->level, from, until = b->from;

	while (next_stretch(b, pids, pid, &from, &until)) {
		if (b->slice->nr > 1) {
			area_fill(a, row, from, STYLE_DIM, 0x2591, until - from);
			continue;
		}
		area_fill(a, row, from, style, until - from == 1 ? 0x2502 : 0x2500, until - from);
		if (until - from < 2)
			continue;
		if (b->begins && from == b->from)
			area_char(a, row, from, style, 0x251c);
		if (b->ends && until == b->until)
			area_char(a, row, until - 1, style, 0x2524);
		if (until - from >= 5)
			area_put(a, row, from + 1, style,
				 kt_timeline_slice_name(st->timeline, b->slice), until - from - 2);
	}
}

void timeline_draw_slices(const struct view *v, struct area a, const struct kt_timeline_row *r,
			  int levels)
{
	const struct timeline_state *st = v->state;
	struct kt_timeline_row from;
	int pids[COLS_MAX], cols = columns(v);
	size_t i, k;
	struct bar b;

	cols = cols < a.cols ? cols : a.cols;
	find_pids(v, r, pids, cols);
	for (i = 0; kt_timeline_row(st->timeline, i, &from); i++) {
		if (!is_source(r, &from, pids, cols))
			continue;
		for (k = 0; k < from.nr_slices; k++)
			if (from.slices[k].level < levels &&
			    make_bar(v, &from.slices[k], cols, &b))
				draw_bar(v, a, &b, pids, pid_of(&from));
	}
}

/* ---- names in the row of a task ---- */

/* Does the column show only running? */
static bool is_free(const struct view *v, const struct kt_timeline_row *r, const bool taken[],
		    int from, int until)
{
	const struct timeline_state *st = v->state;

	for (; from < until; from++) {
		const struct kt_timeline_cell *c = timeline_cell_at(
			v, r, st->window.from + (uint64_t)from * timeline_column_ns(v));

		if (taken[from] || !c || c->lost ||
		    (c->state != KT_TIMELINE_RUN && c->state != KT_TIMELINE_UNKNOWN))
			return false;
	}
	return true;
}

void timeline_draw_names(const struct view *v, struct area line, const struct kt_timeline_row *r)
{
	const struct timeline_state *st = v->state;
	bool taken[COLS_MAX] = { false };
	const char *name;
	int cols = columns(v), width, i;
	size_t k = r->nr_slices;
	struct bar b;

	/* The innermost calls come last. */
	while (k-- > 0) {
		if (r->slices[k].nr != 1 || !make_bar(v, &r->slices[k], cols, &b) ||
		    b.until - b.from < 5)
			continue;
		name = kt_timeline_slice_name(st->timeline, &r->slices[k]);
		width = text_width(name) + 2;
		if (width + 1 > b.until - b.from ||
		    !is_free(v, r, taken, b.from, b.from + width + 1))
			continue;
		area_char(line, 0, b.from, STYLE_RUN, 0x258c);
		area_put(line, 0, b.from + 1, STYLE_STRONG, name, width - 2);
		for (i = b.from; i < b.until; i++)
			taken[i] = true;
	}
}
