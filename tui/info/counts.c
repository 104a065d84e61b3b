/* SPDX-License-Identifier: GPL-2.0-or-later */
/* counts.c - which events a trace has, and how many of each */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/event.h>

#include "base/array.h"
#include "info.h"

#define BAR       12			/* columns of the longest bar, as for CPUs */
#define KINDS_MAX 50			/* kinds of events that are listed */

/* Events of the same name in several files are counted together. */
static size_t find(const struct info_counts *c, const char *name)
{
	size_t i;

	for (i = 0; i < c->nr && strcmp(c->at[i].name, name) != 0; i++)
		;
	return i;
}

int info_count(struct info_counts *c, const struct kt_event *ev)
{
	uint32_t i = ev == c->last ? c->last_number : keymap_get(&c->number, (uintptr_t)ev);

	if (i == KEYMAP_NONE) {
		i = (uint32_t)find(c, ev->name);
		if ((i == c->nr && !array_reserve(c->at, c->nr)) ||
		    keymap_put(&c->number, (uintptr_t)ev, i) < 0)
			return -ENOMEM;
		if (i == c->nr)
			c->at[c->nr++] = (struct info_event){ .name = ev->name };
	}
	c->at[i].nr++;
	c->last = ev;
	c->last_number = i;
	return 0;
}

static int by_number(const void *x, const void *y)
{
	const struct info_event *a = x, *b = y;

	return a->nr != b->nr ? (a->nr < b->nr ? 1 : -1) : strcmp(a->name, b->name);
}

void info_counts_print(const struct info_counts *c, uint64_t all, struct str *out)
{
	struct info_event *sorted = c->nr ? calloc(c->nr, sizeof(*sorted)) : NULL;
	size_t i;
	int bar;

	if (!sorted)
		return;
	memcpy(sorted, c->at, c->nr * sizeof(*sorted));
	qsort(sorted, c->nr, sizeof(*sorted), by_number);
	str_addf(out, " \n=%-26s %13s\n", "Events", "count");
	for (i = 0; i < c->nr && i < KINDS_MAX; i++) {
		const struct info_event *e = &sorted[i];

		str_addf(out, "   %-24s %13" PRIu64 " %6.2f%%  ", e->name, e->nr,
			 100.0 * (double)e->nr / (double)all);
		for (bar = (int)((double)e->nr / (double)sorted->nr * BAR); bar > 0; bar--)
			str_add(out, "\xe2\x96\x88");
		str_addc(out, '\n');
	}
	if (c->nr > KINDS_MAX)
		str_addf(out, "   %zu more\n", c->nr - KINDS_MAX);
	free(sorted);
}

void info_counts_fini(struct info_counts *c)
{
	keymap_fini(&c->number);
	free(c->at);
}
