/* SPDX-License-Identifier: GPL-2.0-or-later */
/* find.c - find the frames that match, and the time spent in them */
#include <stdlib.h>
#include <string.h>

#include "flame.h"

/* The frame after @i of all below @root, in the order of the screen; KT_FLAME_NONE: none */
uint32_t flame_next(const struct flame_state *st, uint32_t i, uint32_t root, bool inside)
{
	struct kt_flame_frame f = flame_frame(st, i);

	if (inside && f.first != KT_FLAME_NONE)
		return f.first;
	while (i != root) {
		if (f.next != KT_FLAME_NONE)
			return f.next;
		i = f.parent;
		if (i == KT_FLAME_NONE)
			break;
		f = flame_frame(st, i);
	}
	return KT_FLAME_NONE;
}

static bool is_match(const struct flame_state *st, uint32_t i)
{
	return st->matches && i < st->nr_matches && st->matches[i];
}

/* Time inside of several matching frames counts once. */
static uint64_t sum_matches(const struct flame_state *st, uint32_t root)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = root; i != KT_FLAME_NONE; i = flame_next(st, i, root, !is_match(st, i))) {
		struct kt_flame_frame f = flame_frame(st, i);

		sum += is_match(st, i) ? flame_weight(st, &f) : 0;
	}
	return sum;
}

void flame_forget_search(struct flame_state *st)
{
	free(st->matches);
	free(st->sought);
	st->matches = NULL;
	st->sought = NULL;
}

static void mark_matches(struct flame_state *st, const regex_t *re, const char *text)
{
	struct kt_flame_frame f;
	size_t i;

	flame_forget_search(st);
	st->nr_matches = kt_flame_nr(st->flame);
	st->matches = calloc(st->nr_matches + 1, sizeof(*st->matches));
	st->sought = strdup(text);
	if (!st->matches || !st->sought) {
		flame_forget_search(st);
		return;
	}
	for (i = 1; i < st->nr_matches; i++)
		if (kt_flame_frame(st->flame, (uint32_t)i, &f))
			st->matches[i] = regexec(re, f.name, 0, NULL, 0) == 0;
}

void flame_follow_search(struct view *v)
{
	struct flame_state *st = v->state;
	const char *text = v->app->search.text;

	if (!text)
		flame_forget_search(st);
	else if (!st->sought || strcmp(text, st->sought) != 0 ||
		 st->nr_matches != kt_flame_nr(st->flame))
		mark_matches(st, &v->app->search.re, text);
	st->matched = st->matches ? sum_matches(st, st->zoom) : 0;
}

static bool is_inside(const struct flame_state *st, uint32_t i, uint32_t outer)
{
	int left = 4096;

	while (i != outer && i != KT_FLAME_NONE && left-- > 0)
		i = flame_frame(st, i).parent;
	return i == outer;
}

int flame_find(struct view *v, const regex_t *re, int direction, bool first,
	       unsigned int budget_ms)
{
	struct flame_state *st = v->state;
	uint32_t i, before = KT_FLAME_NONE, found = KT_FLAME_NONE;

	(void)re, (void)first, (void)budget_ms;
	flame_follow_search(v);
	for (i = 0; i != KT_FLAME_NONE; i = flame_next(st, i, 0, true)) {
		if (i == st->selected) {
			if (direction < 0)
				found = before;
			before = KT_FLAME_NONE;
			if (direction < 0)
				break;
			found = KT_FLAME_NONE - 1;	/* the next one */
		} else if (is_match(st, i)) {
			if (found == KT_FLAME_NONE - 1)
				break;
			before = i;
		}
	}
	if (direction > 0)
		found = i;
	if (found == KT_FLAME_NONE)
		return 0;
	if (!is_inside(st, found, st->zoom))
		st->zoom = 0;
	flame_select(v, found);
	/* A frame that is too narrow is shown by zooming into its caller. */
	if (!flame_box_of(st, found))
		st->zoom = flame_frame(st, found).parent;
	flame_select(v, found);
	return 1;
}
