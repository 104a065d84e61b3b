/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* why_reasons.c - the chain of reasons, from what tasks and CPUs did in a window */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "latency/why.h"

#define WAKERS_MAX  6		/* one behind the other */
#define PIECES_MAX  12		/* that are listed of the interval; … */
#define BELOW_MAX   4		/* … and of what a waker did */
#define HOLDERS_MAX 5
#define LINES_MAX   2000
/* Shares in percent: what is less is not worth a line, a look at its reasons, at its waker */
#define KEEPER_SHARE 2
#define PIECE_SHARE  1
#define WAKER_SHARE  5
/* Source: Linux, include/linux/trace_events.h, enum trace_flag_type */
#define FLAG_HARDIRQ 0x08
#define FLAG_SOFTIRQ 0x10

/* A stretch as far as it lies in an interval; @of NULL: nothing is known */
struct piece {
	const struct stretch *of;
	uint64_t from, until;
	bool listed;
};

struct pieces {
	struct piece *at;
	size_t nr, room;
};

/* What kept a CPU: a task, or an interrupt */
struct keeper {
	enum kt_why_kind kind;
	uint64_t ns, count, key;
	int pid;
};

struct keepers {
	struct keeper at[64];
	size_t nr;
	uint64_t more;			/* ns of what found no room */
};

static uint64_t common(uint64_t from, uint64_t until, uint64_t from2, uint64_t until2)
{
	uint64_t lo = from > from2 ? from : from2, hi = until < until2 ? until : until2;

	return hi > lo ? hi - lo : 0;
}

static void add_line(struct kt_why *w, const struct kt_why_line *line)
{
	struct kt_why_line *grown;

	if (w->nr_lines == LINES_MAX)
		return;
	if (w->nr_lines == w->room_lines) {
		grown = reallocarray(w->lines, w->room_lines ? 2 * w->room_lines : 32,
				     sizeof(*grown));
		if (!grown) {
			w->failed = true;
			return;
		}
		w->lines = grown;
		w->room_lines = w->room_lines ? 2 * w->room_lines : 32;
	}
	w->lines[w->nr_lines++] = *line;
}

/* ---- who had a CPU ---- */

static bool is_interrupt(const struct stretch *s)
{
	return s->kind == KT_SPAN_IRQ || s->kind == KT_SPAN_SOFTIRQ;
}

static void keep(struct keepers *k, enum kt_why_kind kind, int pid, uint64_t key, uint64_t ns)
{
	size_t i;

	if (!ns)
		return;
	for (i = 0; i < k->nr; i++)
		if (k->at[i].kind == kind && k->at[i].pid == pid && k->at[i].key == key)
			break;
	if (i == sizeof(k->at) / sizeof(*k->at)) {
		k->more += ns;
		return;
	}
	if (i == k->nr)
		k->at[k->nr++] = (struct keeper){ .kind = kind, .pid = pid, .key = key };
	k->at[i].ns += ns;
	k->at[i].count++;
}

/* Time in interrupts on a CPU: a softirq does not have that of interrupts inside of it. */
static uint64_t in_interrupts(const struct kt_why *w, int cpu, uint64_t from, uint64_t until,
			      struct keepers *k)
{
	uint64_t sum = 0;
	size_t i, j;

	for (i = 0; i < w->nr && w->at[i].from < until; i++) {
		const struct stretch *s = &w->at[i];
		uint64_t ns = common(from, until, s->from, s->until);

		if (s->cpu != cpu || !is_interrupt(s) || !ns)
			continue;
		for (j = i + 1; s->kind == KT_SPAN_SOFTIRQ && j < w->nr &&
		     w->at[j].from < s->until; j++)
			if (w->at[j].kind == KT_SPAN_IRQ && w->at[j].cpu == cpu)
				ns -= common(from, until, w->at[j].from, w->at[j].until);
		keep(k, s->kind == KT_SPAN_IRQ ? KT_WHY_IRQ : KT_WHY_SOFTIRQ, -1, s->key, ns);
		sum += ns;
	}
	return sum;
}

static int most_first(const void *x, const void *y)
{
	const struct keeper *a = x, *b = y;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return (int)a->kind - (int)b->kind;
}

/* Of @all ns: what is short is added up. */
static void add_keepers(struct kt_why *w, struct keepers *k, uint64_t all, int cpu,
			unsigned int depth)
{
	uint64_t more = k->more;
	size_t i;

	qsort(k->at, k->nr, sizeof(*k->at), most_first);
	for (i = 0; i < k->nr; i++) {
		const struct keeper *one = &k->at[i];

		if (i >= HOLDERS_MAX || one->ns < all * KEEPER_SHARE / 100) {
			more += one->ns;
			continue;
		}
		add_line(w, &(struct kt_why_line){
			.kind = one->kind, .depth = depth, .ns = one->ns, .count = one->count,
			.pid = one->pid, .cpu = cpu, .key = one->key,
			.name = one->kind == KT_WHY_IRQ ? handlers_name(&w->handlers, one->key)
							: NULL,
		});
	}
	if (more)
		add_line(w, &(struct kt_why_line){ .kind = KT_WHY_MORE, .depth = depth,
						   .ns = more, .pid = -1, .cpu = cpu });
}

/* What a CPU did while the task waited for it */
static void explain_wait(struct kt_why *w, int cpu, const struct piece *p, unsigned int depth)
{
	struct keepers k = { .nr = 0 };
	uint64_t known = 0;
	size_t i;

	for (i = 0; i < w->nr && w->at[i].from < p->until; i++) {
		const struct stretch *s = &w->at[i];
		uint64_t ns = common(p->from, p->until, s->from, s->until), inside;

		if (s->kind != KT_SPAN_RUN || s->cpu != cpu || !ns)
			continue;
		inside = in_interrupts(w, cpu, s->from > p->from ? s->from : p->from,
				       s->until < p->until ? s->until : p->until, &k);
		keep(&k, s->pid ? KT_WHY_HOLDER : KT_WHY_IDLE, s->pid, 0,
		     ns > inside ? ns - inside : 0);
		known += ns;
	}
	if (known < p->until - p->from)
		keep(&k, KT_WHY_UNKNOWN, -1, 0, p->until - p->from - known);
	add_keepers(w, &k, p->until - p->from, cpu, depth);
}

static void explain_run(struct kt_why *w, const struct piece *p, unsigned int depth)
{
	struct keepers k = { .nr = 0 };

	in_interrupts(w, p->of->cpu, p->from, p->until, &k);
	add_keepers(w, &k, p->until - p->from, p->of->cpu, depth);
}

/* ---- who woke it ---- */

static void explain_task(struct kt_why *w, int pid, uint64_t from, uint64_t until,
			 unsigned int depth, unsigned int wakers);

/* The interrupt that a CPU was in at a moment; the innermost one */
static const struct stretch *interrupt_at(const struct kt_why *w, int cpu, uint64_t ts)
{
	const struct stretch *found = NULL;
	size_t i;

	for (i = 0; i < w->nr && w->at[i].from <= ts; i++)
		if (is_interrupt(&w->at[i]) && w->at[i].cpu == cpu && w->at[i].until >= ts)
			found = &w->at[i];
	return found;
}

static void explain_blocked(struct kt_why *w, const struct piece *p, unsigned int depth,
			    unsigned int wakers)
{
	const struct stretch *s = p->of, *irq;
	uint64_t all = w->opts.until - w->opts.from;
	struct kt_why_line line = { .kind = KT_WHY_WAKER_TASK, .depth = depth, .from = s->until,
				    .until = s->until, .pid = s->waker, .cpu = s->cpu };

	if (s->waker < 0 || s->until > p->until)
		return;
	irq = interrupt_at(w, s->cpu, s->until);
	if (irq || s->flags & (FLAG_HARDIRQ | FLAG_SOFTIRQ)) {
		line.kind = s->flags & FLAG_HARDIRQ ? KT_WHY_WAKER_IRQ : KT_WHY_WAKER_SOFTIRQ;
		line.key = KT_WHY_NO_KEY;
	}
	if (irq && (irq->kind == KT_SPAN_IRQ || !(s->flags & FLAG_HARDIRQ))) {
		line.kind = irq->kind == KT_SPAN_IRQ ? KT_WHY_WAKER_IRQ : KT_WHY_WAKER_SOFTIRQ;
		line.key = irq->key;
		if (irq->kind == KT_SPAN_IRQ)
			line.name = handlers_name(&w->handlers, irq->key);
	}
	add_line(w, &line);
	if (line.kind == KT_WHY_WAKER_TASK && s->waker > 0 && s->waker != s->pid &&
	    wakers < WAKERS_MAX && p->until - p->from >= all * WAKER_SHARE / 100)
		explain_task(w, s->waker, p->from, p->until, depth + 1, wakers + 1);
}

/* ---- what a task did ---- */

static bool is_of_task(const struct stretch *s, int pid)
{
	return s->pid == pid && !is_interrupt(s);
}

static bool add_piece(struct pieces *list, const struct stretch *of, uint64_t from, uint64_t until)
{
	struct piece *grown;

	if (from >= until)
		return true;
	if (list->nr == list->room) {
		grown = reallocarray(list->at, list->room ? 2 * list->room : 32, sizeof(*grown));
		if (!grown)
			return false;
		list->at = grown;
		list->room = list->room ? 2 * list->room : 32;
	}
	list->at[list->nr++] = (struct piece){ .of = of, .from = from, .until = until };
	return true;
}

/*
 * The task's states one after the other, without holes. Between the wakeup by another CPU and
 * its arrival at the own one it waits already.
 */
static bool find_pieces(const struct kt_why *w, int pid, uint64_t from, uint64_t until,
			struct pieces *list)
{
	uint64_t at = from, begin, end;
	bool was_blocked = false;
	size_t i;

	for (i = 0; i < w->nr && w->at[i].from < until; i++) {
		const struct stretch *s = &w->at[i];

		if (!is_of_task(s, pid) || s->until <= at)
			continue;
		begin = s->from > at ? s->from : at;
		if (s->kind == KT_SPAN_WAIT && was_blocked)
			begin = at;
		end = s->until < until ? s->until : until;
		if (!add_piece(list, NULL, at, begin) || !add_piece(list, s, begin, end))
			return false;
		at = end;
		was_blocked = s->kind == KT_SPAN_BLOCKED;
	}
	return add_piece(list, NULL, at, until);
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
		return KT_WHY_UNKNOWN;
	switch (p->of->kind) {
	case KT_SPAN_RUN:       return KT_WHY_RAN;
	case KT_SPAN_PREEMPTED: return KT_WHY_PREEMPTED;
	case KT_SPAN_WAIT:      return KT_WHY_WAITED;
	default:                return KT_WHY_BLOCKED;
	}
}

static void explain_piece(struct kt_why *w, int pid, const struct piece *p, unsigned int depth,
			  unsigned int wakers)
{
	struct kt_why_line line = {
		.kind = kind_of(p), .depth = depth, .ns = p->until - p->from, .count = 1,
		.from = p->from, .until = p->until, .pid = pid, .cpu = p->of ? p->of->cpu : -1,
	};

	if (line.kind == KT_WHY_BLOCKED) {
		line.key = p->of->key;
		line.function = p->of->function;
	}
	add_line(w, &line);
	if (line.ns < (w->opts.until - w->opts.from) * PIECE_SHARE / 100)
		return;
	if (line.kind == KT_WHY_PREEMPTED || line.kind == KT_WHY_WAITED)
		explain_wait(w, p->of->cpu, p, depth + 1);
	else if (line.kind == KT_WHY_RAN)
		explain_run(w, p, depth + 1);
	else if (line.kind == KT_WHY_BLOCKED)
		explain_blocked(w, p, depth + 1, wakers);
}

/* What is not listed one by one, added up */
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
		sums[kind].cpu = -1;
		sums[kind].key = KT_WHY_NO_KEY;
		if (sums[kind].count)
			add_line(w, &sums[kind]);
	}
}

static void explain_task(struct kt_why *w, int pid, uint64_t from, uint64_t until,
			 unsigned int depth, unsigned int wakers)
{
	struct pieces list = { .nr = 0 };
	size_t i;

	w->failed |= !find_pieces(w, pid, from, until, &list);
	choose_listed(&list, wakers ? BELOW_MAX : PIECES_MAX);
	for (i = 0; i < list.nr && !w->failed; i++)
		if (list.at[i].listed)
			explain_piece(w, pid, &list.at[i], depth, wakers);
	add_rest(w, pid, &list, depth);
	free(list.at);
}

void why_explain(struct kt_why *w)
{
	explain_task(w, w->opts.pid, w->opts.from, w->opts.until, 0, 0);
}
