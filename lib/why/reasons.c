/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* reasons.c - the chain of reasons, built from the states of tasks and CPUs in a window */
#include <stdlib.h>

#include "why/why.h"

#define WAKERS_MAX 6		/* length of a chain of wakers */
#define PIECES_MAX 12		/* listed for the interval; … */
#define BELOW_MAX  4		/* … and for a waker */
/* Shares in percent: below them, reasons and wakers are not examined */
#define PIECE_SHARE 1
#define WAKER_SHARE 5

static void explain_task(struct kt_why *w, int pid, uint64_t from, uint64_t until,
			 unsigned int depth, unsigned int wakers);

static uint64_t share(const struct kt_why *w, unsigned int percent)
{
	return (w->opts.until - w->opts.from) / 100 * percent;
}

/* The longest @most are listed. */
static void choose_listed(struct pieces *list, size_t most)
{
	struct piece *best;
	size_t i, k;

	for (k = 0; k < most && k < list->nr; k++) {
		best = NULL;
		for (i = 0; i < list->nr; i++)
			if (!list->at[i].listed && (!best || list->at[i].until - list->at[i].from >
							     best->until - best->from))
				best = &list->at[i];
		if (!best)
			return;
		best->listed = true;
	}
}

static enum kt_why_kind kind_of(const struct piece *p)
{
	if (!p->of)
		return p->parent >= 0 ? KT_WHY_ABSENT : KT_WHY_UNKNOWN;
	switch (p->of->kind) {
	case KT_SPAN_RUN:       return KT_WHY_RAN;
	case KT_SPAN_PREEMPTED: return KT_WHY_PREEMPTED;
	case KT_SPAN_WAIT:      return KT_WHY_WAITED;
	default:                return KT_WHY_BLOCKED;
	}
}

/* Either of the two CPUs may have kept it waiting. */
static void explain_uncertain(struct kt_why *w, const struct piece *p, unsigned int depth)
{
	why_miss(w, MISSING_MOVE);
	why_add_line(w, &(struct kt_why_line){
		.kind = KT_WHY_MOVED, .depth = depth, .pid = p->of->pid, .cpu = p->cpu,
		.from_cpu = p->from_cpu, .key = KT_WHY_NO_KEY });
}

static void explain_blocked(struct kt_why *w, const struct piece *p, unsigned int depth,
			    unsigned int wakers)
{
	int waker = ended_explain(w, p->of, p->from, p->until, depth);

	if (waker > 0 && wakers < WAKERS_MAX && p->until - p->from >= share(w, WAKER_SHARE))
		explain_task(w, waker, p->from, p->until, depth + 1, wakers + 1);
}

/* The state began before the first record that was read. */
static void say_how_far(struct kt_why *w, struct kt_why_line *line)
{
	w->is_older |= line->ns >= share(w, PIECE_SHARE);
	line->delay = line->from - kt_why_window(w).from;
	line->flags = KT_WHY_OLDER | (why_reads_all_before(w) ? KT_WHY_AT_START : 0) |
		      (w->lost_before ? KT_WHY_AFTER_LOSS : 0);
}

/* The parent had not yet started the task: explain what the parent did. */
static void explain_absent(struct kt_why *w, const struct piece *p, unsigned int depth,
			   unsigned int wakers)
{
	if (p->parent > 0 && wakers < WAKERS_MAX && p->until - p->from >= share(w, WAKER_SHARE))
		explain_task(w, p->parent, p->from, p->until, depth, wakers + 1);
}

static void explain_piece(struct kt_why *w, int pid, const struct piece *p, unsigned int depth,
			  unsigned int wakers)
{
	struct kt_why_line line = {
		.kind = kind_of(p), .depth = depth, .ns = p->until - p->from, .count = 1,
		.from = p->from, .until = p->until, .pid = pid, .key = KT_WHY_NO_KEY,
		.cpu = p->uncertain ? -1 : p->cpu, .from_cpu = p->uncertain ? -1 : p->from_cpu,
	};

	if (line.kind == KT_WHY_BLOCKED) {
		line.key = p->of->key;
		line.function = p->of->value;
		line.name = p->of->detail ? why_detail(w, p->of)->call.name : NULL;
	}
	if (line.kind == KT_WHY_ABSENT)
		line.key = (uint64_t)p->parent;
	if (p->then)
		line.flags = KT_WHY_THEN;
	if (p->is_older)
		say_how_far(w, &line);
	why_add_line(w, &line);
	if (line.ns < share(w, PIECE_SHARE))
		return;
	if (p->uncertain)
		explain_uncertain(w, p, depth + 1);
	else if (line.kind == KT_WHY_PREEMPTED || line.kind == KT_WHY_WAITED)
		cpu_explain(w, p->cpu, p->from, p->until, depth + 1, CPU_ALL);
	else if (line.kind == KT_WHY_RAN)
		cpu_explain(w, p->cpu, p->from, p->until, depth + 1, CPU_WITHIN);
	else if (line.kind == KT_WHY_BLOCKED)
		explain_blocked(w, p, depth + 1, wakers);
	else if (line.kind == KT_WHY_ABSENT)
		explain_absent(w, p, depth + 1, wakers);
}

/* The sum of the items that are not listed */
static void add_rest(struct kt_why *w, int pid, const struct pieces *list, unsigned int depth)
{
	struct kt_why_line sums[KT_WHY_UNKNOWN + 1] = { 0 };
	unsigned int kind;
	size_t i;

	for (i = 0; i < list->nr; i++) {
		kind = kind_of(&list->at[i]);
		if (list->at[i].listed)
			continue;
		sums[kind].ns += list->at[i].until - list->at[i].from;
		sums[kind].count++;
	}
	for (kind = 0; kind <= KT_WHY_UNKNOWN; kind++) {
		sums[kind].kind = kind;
		sums[kind].depth = depth;
		sums[kind].pid = pid;
		sums[kind].cpu = sums[kind].from_cpu = -1;
		sums[kind].key = KT_WHY_NO_KEY;
		if (sums[kind].count)
			why_add_line(w, &sums[kind]);
	}
}

static void explain_task(struct kt_why *w, int pid, uint64_t from, uint64_t until,
			 unsigned int depth, unsigned int wakers)
{
	struct pieces list = { .nr = 0 };
	size_t i;

	w->failed |= pieces_find(w, pid, from, until, &list) < 0;
	if (list.nr && kind_of(&list.at[0]) == KT_WHY_UNKNOWN)
		list.at[0].is_older = true;
	choose_listed(&list, wakers ? BELOW_MAX : PIECES_MAX);
	for (i = 0; i < list.nr && !w->failed; i++)
		if (list.at[i].listed)
			explain_piece(w, pid, &list.at[i], depth, wakers);
	add_rest(w, pid, &list, depth);
	free(list.at);
}

void why_explain_task(struct kt_why *w, unsigned int depth)
{
	explain_task(w, w->opts.pid, w->opts.from, w->opts.until, depth, 0);
}

void why_explain(struct kt_why *w)
{
	if (w->opts.by_cpu)
		cpu_explain(w, w->opts.cpu, w->opts.from, w->opts.until, 0, CPU_ALL);
	else if (w->opts.of_request)
		request_explain(w);
	else
		why_explain_task(w, 0);
}
