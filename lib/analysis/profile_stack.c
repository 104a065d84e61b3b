/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* profile_stack.c - stacks, and the times spent with them */
#include <errno.h>
#include <stdlib.h>

#include "analysis/profile.h"

void time_add(struct kt_profile_time *t, uint64_t ns, uint64_t ts)
{
	if (!t->count || ns > t->max) {
		t->max = ns;
		t->max_ts = ts;
	}
	if (!t->count || ns < t->min) {
		t->min = ns;
		t->min_ts = ts;
	}
	t->count++;
	t->total += ns;
}

int stacks_add(const struct kt_profile_frame **list, struct kt_symbols *syms,
	       const uint64_t *frames, size_t nr, uint64_t ns, uint64_t ts)
{
	struct kt_profile_frame *f;
	struct kt_symbol sym;
	size_t i;

	for (i = 0; i < nr; i++, list = &f->callers) {
		while (*list && (*list)->address != frames[i])
			list = &((struct kt_profile_frame *)*list)->next;
		f = (struct kt_profile_frame *)*list;
		if (!f) {
			f = calloc(1, sizeof(*f));
			if (!f)
				return -ENOMEM;
			f->address = frames[i];
			if (kt_symbols_find(syms, frames[i], &sym) > 0)
				f->function = sym.name;
			*list = f;
		}
		time_add(&f->time, ns, ts);
	}
	return 0;
}

static bool is_heavier(const struct kt_profile_frame *a, const struct kt_profile_frame *b)
{
	return a->time.total != b->time.total ? a->time.total > b->time.total
					      : a->time.count > b->time.count;
}

void stacks_sort(const struct kt_profile_frame **list)
{
	const struct kt_profile_frame *sorted = NULL, *f, *next, **at;

	for (f = *list; f; f = next) {
		next = f->next;
		stacks_sort(&((struct kt_profile_frame *)f)->callers);
		for (at = &sorted; *at && !is_heavier(f, *at); )
			at = &((struct kt_profile_frame *)*at)->next;
		((struct kt_profile_frame *)f)->next = *at;
		*at = f;
	}
	*list = sorted;
}

void stacks_free(const struct kt_profile_frame *f)
{
	const struct kt_profile_frame *next;

	for (; f; f = next) {
		next = f->next;
		stacks_free(f->callers);
		free((void *)f);
	}
}
