/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* timeline_slices.c - the calls of a window: visible ones, and marks for the others */
#include "view/timeline.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

#define SLICES_MAX 200000		/* 56 bytes each */

/* Merge calls that are too short to be visible in one column into one slice. */
static bool merge(struct kt_timeline *t, struct timeline_row *r, const struct kt_timeline_slice *s)
{
	uint32_t i = r->last[s->level];
	struct kt_timeline_slice *last = i ? &t->slices[i - 1] : NULL;
	size_t column = timeline_column_of(t, s->from);

	if (!last || timeline_column_of(t, s->until) != column ||
	    timeline_column_of(t, last->from) != column)
		return false;
	if (s->until > last->until)
		last->until = s->until;
	if (s->from < last->from)
		last->from = s->from;
	last->nr += s->nr;
	return true;
}

static int add(struct kt_timeline *t, struct timeline_row *r, const struct kt_timeline_slice *s)
{
	if (merge(t, r, s) || t->nr_slices == SLICES_MAX)
		return 0;
	if (!array_fit(t->slices, t->nr_slices, t->slices_room))
		return -ENOMEM;
	t->slices[t->nr_slices++] = *s;
	r->last[s->level] = (uint32_t)t->nr_slices;
	return 0;
}

int timeline_take_call(void *data, const struct kt_call *c, struct kt_err *err)
{
	struct kt_timeline *t = data;
	struct kt_stream *stream = kt_trace_stream(kt_model_trace(t->model));
	struct kt_timeline_slice s = {
		.from = c->begin.ts, .until = c->end.ts, .func = c->func, .name = c->name,
		.source = c->begin.source, .nr = 1, .level = (uint8_t)c->depth, .kind = c->kind,
		.flags = c->flags,
	};
	struct timeline_row *r;
	bool goes_on = t->ending && c->flags & KT_CALL_UNFINISHED;

	(void)err;
	if (c->flags & KT_CALL_UNTIMED || c->depth >= TIMELINE_LEVELS ||
	    s.source >= kt_stream_nr_sources(stream))
		return 0;
	if (goes_on || s.until > t->part.until)
		s.until = t->part.until + 1;
	if (s.until < t->window.from || s.from > t->window.until)
		return 0;
	if (s.from < t->window.from)
		s.from = t->window.from;
	r = timeline_row_of(t, c->file, !c->pid,
			    c->pid ? c->pid : kt_stream_source(stream, s.source)->cpu);
	if (!r)
		return t->failed ? -ENOMEM : 0;
	s.row = (uint32_t)(r - t->rows);
	return add(t, r, &s);
}

static int by_place(const void *x, const void *y)
{
	const struct kt_timeline_slice *a = x, *b = y;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->level != b->level)
		return a->level - b->level;
	return a->from < b->from ? -1 : a->from > b->from;
}

/* Removes levels without known calls. */
static void close_up(struct kt_timeline_slice *s, size_t nr)
{
	uint8_t was = s[0].level, level = 0;
	size_t i;

	for (i = 0; i < nr; i++) {
		level = (uint8_t)(level + (s[i].level != was));
		was = s[i].level;
		s[i].level = level;
	}
}

void timeline_order_slices(struct kt_timeline *t)
{
	size_t from, until;

	if (t->nr_slices)
		qsort(t->slices, t->nr_slices, sizeof(*t->slices), by_place);
	for (from = 0; from < t->nr_slices; from = until) {
		struct kt_timeline_row *r = &t->rows[t->slices[from].row].pub;

		for (until = from; until < t->nr_slices &&
				   t->slices[until].row == t->slices[from].row; until++)
			;
		close_up(&t->slices[from], until - from);
		r->slices = &t->slices[from];
		r->nr_slices = until - from;
		r->nr_levels = t->slices[until - 1].level + 1u;
	}
}

const char *kt_timeline_slice_name(const struct kt_timeline *t, const struct kt_timeline_slice *s)
{
	const struct kt_call call = { .func = s->func, .name = s->name,
				      .begin = { .source = s->source } };

	return kt_call_name(kt_model_trace(t->model), &call);
}
