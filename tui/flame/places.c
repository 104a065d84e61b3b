/* SPDX-License-Identifier: GPL-2.0-or-later */
/* places.c - below the flame graph: who calls the selected function, and what it calls */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "flame.h"

#define ROWS_LEAST 4			/* the line, its two heads, and two functions */
#define NUMBER_COLS 16			/* "  83.5 ms  44%  " */

void flame_forget_places(struct flame_places *p)
{
	free(p->from.at);
	free(p->to.at);
	*p = (struct flame_places){ 0 };
}

static void add(struct flame_shares *s, const char *name, uint64_t weight)
{
	struct flame_share *grown;

	if (!weight)
		return;
	if (s->nr == s->room) {
		s->room = s->room ? 2 * s->room : 64;
		grown = reallocarray(s->at, s->room, sizeof(*grown));
		if (!grown) {
			s->room = s->nr;
			return;
		}
		s->at = grown;
	}
	s->at[s->nr++] = (struct flame_share){ name, weight };
}

/* Compare pointers: each name is stored once. */
static int by_name(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)((const struct flame_share *)a)->name;
	uintptr_t y = (uintptr_t)((const struct flame_share *)b)->name;

	return x < y ? -1 : x > y;
}

static int by_weight(const void *a, const void *b)
{
	uint64_t x = ((const struct flame_share *)a)->weight;
	uint64_t y = ((const struct flame_share *)b)->weight;

	return x < y ? 1 : -(x > y);
}

static void sum_up(struct flame_shares *s)
{
	size_t i, nr = 0;

	if (!s->nr)
		return;
	qsort(s->at, s->nr, sizeof(*s->at), by_name);
	for (i = 1; i < s->nr; i++)
		if (s->at[i].name == s->at[nr].name)
			s->at[nr].weight += s->at[i].weight;
		else
			s->at[++nr] = s->at[i];
	s->nr = nr + 1;
	qsort(s->at, s->nr, sizeof(*s->at), by_weight);
}

static uint64_t own_weight(const struct flame_state *st, const struct kt_flame_frame *f)
{
	return flame_is_by_count(st) ? f->own_count : f->own_time;
}

/* A task has no caller, so the own time of its functions is shown instead. */
static bool has_callers(const struct kt_flame_frame *f)
{
	return f->type != KT_FLAME_ALL && f->type != KT_FLAME_TASK;
}

static void add_place(const struct flame_state *st, struct flame_places *p, uint32_t place)
{
	struct kt_flame_frame f = flame_frame(st, place), below;
	uint32_t i;

	p->nr++;
	p->weight += flame_weight(st, &f);
	if (has_callers(&f))
		add(&p->from, flame_frame(st, f.parent).name, flame_weight(st, &f));
	else
		for (i = place; i != KT_FLAME_NONE; i = flame_next(st, i, place, true)) {
			below = flame_frame(st, i);
			add(&p->from, below.name, own_weight(st, &below));
		}
	for (i = f.first; i != KT_FLAME_NONE; i = below.next) {
		below = flame_frame(st, i);
		add(&p->to, below.name, flame_weight(st, &below));
	}
	add(&p->to, "(itself)", own_weight(st, &f));
}

void flame_find_places(struct flame_state *st)
{
	struct flame_places *p = &st->places;
	const char *name = flame_frame(st, st->selected).name;
	uint32_t i;

	if (p->nr && p->of == st->selected)
		return;
	flame_forget_places(p);
	p->of = st->selected;
	/* Calls inside of a recursive call are already counted. */
	for (i = 0; i != KT_FLAME_NONE; i = flame_next(st, i, 0, flame_frame(st, i).name != name))
		if (flame_frame(st, i).name == name)
			add_place(st, p, i);
	sum_up(&p->from);
	sum_up(&p->to);
}

/* A list of functions, each with its part of @p */
static void draw_shares(const struct flame_state *st, struct area a, const char *head,
			const struct flame_places *p, const struct flame_shares *s)
{
	char text[32];
	int row;

	area_put(a, 0, 1, STYLE_HEAD, head, -1);
	for (row = 1; row < a.rows && (size_t)row <= s->nr; row++) {
		const struct flame_share *x = &s->at[row - 1];

		if (row + 1 == a.rows && (size_t)row < s->nr) {
			area_putf(a, row, NUMBER_COLS, STYLE_DIM, "%zu more",
				  s->nr - (size_t)row + 1);
			return;
		}
		flame_format(st, x->weight, text);
		area_put_right(a, row, 9, STYLE_NUMBER, text);
		area_putf(a, row, 10, STYLE_DIM, "%3.0f%%",
			  100.0 * (double)x->weight / (double)p->weight);
		area_put(a, row, NUMBER_COLS, STYLE_NORMAL, x->name, -1);
	}
}

void flame_draw_places(const struct view *v, struct area a)
{
	const struct flame_state *st = v->state;
	const struct flame_places *p = &st->places;
	struct kt_flame_frame f = flame_frame(st, p->of);
	int half = a.cols / 2, col;
	char text[32];

	if (a.rows < ROWS_LEAST || !p->weight)
		return;
	area_fill(a, 0, 0, STYLE_DIM, 0x2500, a.cols);
	col = area_putf(a, 0, 2, STYLE_STRONG, " %s ", f.name);
	if (p->nr > 1)
		area_putf(a, 0, col, STYLE_HEAD, "in %zu places: %s ", p->nr,
			  flame_format(st, p->weight, text));
	draw_shares(st, area_part(a, 1, 0, a.rows - 1, half - 1),
		    has_callers(&f) ? "CALLED FROM" : "SELF", p, &p->from);
	draw_shares(st, area_part(a, 1, half, a.rows - 1, a.cols - half),
		    f.type == KT_FLAME_ALL ? "TASKS" : "CALLS", p, &p->to);
}
