/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* explain.c - which differences follow from others: from those of parts, or of callers */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "diff/diff.h"

#define MOST 0.5			/* share of a difference that explains it */

#define COUNTS (KT_DIFF_ADDED | KT_DIFF_REMOVED | KT_DIFF_MORE | KT_DIFF_LESS)

bool diff_is_leftover(const struct diff_entry *e)
{
	return e->kind == KT_LATENCY_BLOCKED ||
	       (e->kind == KT_LATENCY_SLEEP && !str_ends(e->name, "uninterruptible"));
}

#define TAILS  (KT_DIFF_LONGER | KT_DIFF_SHORTER)

/* If only the longest times differ, the sums show nothing. */
static bool has_same_tail(const struct diff_entry *part, const struct diff_entry *e)
{
	return !(e->flags & ~TAILS) && part->flags & e->flags;
}

/* The parts of an entry: those of one kind, and interrupts */
static bool is_inside(const struct diff_entry *part, const struct diff_entry *e, unsigned int kind)
{
	(void)e;
	return part->kind == kind || part->kind == KT_LATENCY_IRQ ||
	       part->kind == KT_LATENCY_SOFTIRQ;
}

/* The functions of a system call: their paths begin with its name. */
static bool is_called(const struct diff_entry *part, const struct diff_entry *e, unsigned int kind)
{
	size_t len = strlen(e->name);

	return part->kind == kind && strncmp(part->name, e->name, len) == 0 &&
	       part->name[len] == ';';
}

/* Do its parts account for most of the difference? */
static bool is_sum(const struct kt_diff *d, const struct diff_entry *e, unsigned int kind,
		   bool (*is_part)(const struct diff_entry *part, const struct diff_entry *e,
				   unsigned int kind))
{
	double sum = 0;
	size_t i;

	for (i = 0; i < d->nr; i++) {
		const struct diff_entry *part = d->entries[i];

		if (!is_part(part, e, kind))
			continue;
		if (has_same_tail(part, e))
			return true;
		if (part->flags && part->change_ns * e->change_ns > 0)
			sum += fabs(part->change_ns);
	}
	return sum >= MOST * fabs(e->change_ns);
}

/* Is its caller more frequent, or new, as well? */
static bool follows_caller(const struct kt_diff *d, const struct diff_entry *e)
{
	const char *last = strrchr(e->name, ';');
	char *caller = last ? strndup(e->name, (size_t)(last - e->name)) : NULL;
	const struct diff_entry *up = caller ? diff_entry_find(d, KT_LATENCY_CALL, caller) : NULL;

	if (caller && !up)
		up = diff_entry_find(d, KT_LATENCY_SYSCALL, caller);
	free(caller);
	return up && up->flags & e->flags & COUNTS;
}

static bool is_explained(const struct kt_diff *d, const struct diff_entry *e)
{
	bool by_count = e->flags & COUNTS;

	switch (e->kind) {
	case KT_LATENCY_RUN: case KT_LATENCY_PREEMPTED:
		return !by_count && (is_sum(d, e, KT_LATENCY_CALL, is_inside) ||
				     is_sum(d, e, KT_LATENCY_SYSCALL, is_inside));
	case KT_LATENCY_SYSCALL:
		return !by_count && is_sum(d, e, KT_LATENCY_CALL, is_called);
	case KT_LATENCY_CALL:
		return by_count && follows_caller(d, e);
	default:
		return false;
	}
}

void diff_explain(struct kt_diff *d)
{
	size_t i;

	for (i = 0; i < d->nr; i++)
		d->entries[i]->explained = d->entries[i]->flags && is_explained(d, d->entries[i]);
}
