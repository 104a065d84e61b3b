/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sort.c - sort the rows, and compute the room that they need */
#include "latency.h"

#include <stdlib.h>
#include <string.h>

static uint64_t value_of(const struct kt_latency_row *r, enum latency_sort sort)
{
	switch (sort) {
	case SORT_COUNT: return r->count;
	case SORT_MIN:   return r->min;
	case SORT_AVG:   return r->count ? r->sum / r->count : 0;
	case SORT_P50:   return r->p50;
	case SORT_P90:   return r->p90;
	case SORT_P99:   return r->p99;
	case SORT_P999:  return r->p999;
	case SORT_WORST: return UINT64_MAX - r->worst.from;
	case SORT_CUT:   return r->cut;
	default:         return r->max;
	}
}

static int compare(const void *x, const void *y, void *data)
{
	const struct latency_line *a = x, *b = y;
	const struct latency_state *st = data;
	uint64_t va = value_of(&a->row, st->sort), vb = value_of(&b->row, st->sort);
	int order;

	if (st->sort == SORT_NAME)
		order = strcmp(a->row.name, b->row.name);
	else
		order = (va < vb) - (va > vb);
	if (order == 0)
		return a->id < b->id ? -1 : a->id > b->id;
	return st->reverse ? -order : order;
}

void latency_scroll(struct view *v)
{
	struct latency_state *st = v->state;
	int rows = latency_table_rows(v);

	if (st->selected < st->top)
		st->top = st->selected;
	if (st->selected >= st->top + rows)
		st->top = st->selected - rows + 1;
}

/* The room that the lines need */
static void measure(struct latency_state *st)
{
	size_t i;
	int level, width;

	st->low = KT_LATENCY_LEVELS;
	st->high = -1;
	st->name_cols = 0;
	for (i = 0; i < st->nr; i++) {
		const struct kt_latency_row *r = &st->lines[i].row;

		for (level = 0; level < KT_LATENCY_LEVELS; level++) {
			if (!r->levels[level])
				continue;
			st->low = level < st->low ? level : st->low;
			st->high = level > st->high ? level : st->high;
		}
		width = text_width(r->name);
		st->name_cols = width > st->name_cols ? width : st->name_cols;
	}
}

void latency_sort_lines(struct view *v)
{
	struct latency_state *st = v->state;
	size_t nr = kt_latencies_nr(st->l), i;
	struct latency_line *grown = reallocarray(st->lines, nr ? nr : 1, sizeof(*grown));

	if (!grown)
		return;
	st->lines = grown;
	st->nr = nr;
	for (i = 0; i < nr; i++) {
		grown[i].id = i;
		kt_latencies_row(st->l, i, &grown[i].row);
	}
	measure(st);
	if (nr)
		qsort_r(grown, nr, sizeof(*grown), compare, st);
	if (!st->picked)
		st->selected = 0;
	for (i = 0; st->picked && i < nr; i++)
		if (grown[i].id == st->picked_id)
			st->selected = (int)i;
	latency_scroll(v);
}
