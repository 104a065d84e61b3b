/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* look.c - when to look at the things that fill up: the ring, and the kernel's tables */
#include "capture/capture.h"

#define FIRST_NS   100000000ull
#define SELDOM	   160			/* longest interval while nothing changes, in FIRST_NS */
#define OF_TABLES  40			/* longest with tables: many tasks may start at once */

void look_begin(struct look *l, uint64_t now)
{
	*l = (struct look){ .ns = FIRST_NS, .last = now, .at = now + FIRST_NS };
}

/* Half of the time until they are full, at the rate since the last look */
static uint64_t half_left(const struct look *l, uint64_t now, unsigned int entries)
{
	if (entries <= l->entries || entries >= KERNEL_FULL)
		return UINT64_MAX;
	return (now - l->last) / (entries - l->entries) * (KERNEL_FULL - entries) / 2;
}

void look_again(struct look *l, uint64_t now, bool has_grown, unsigned int entries)
{
	uint64_t left = half_left(l, now, entries);

	if (has_grown)
		l->ns = FIRST_NS;
	else if (l->ns < (entries ? OF_TABLES : SELDOM) * FIRST_NS)
		l->ns *= 2;
	if (left < FIRST_NS)
		left = FIRST_NS;
	l->at = now + (l->ns < left ? l->ns : left);
	l->last = now;
	l->entries = entries;
}
