/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* cpu.c - what a CPU did in an interval: each moment belongs to one task or interrupt */
#include <stdlib.h>

#include "why/why.h"

#define KEEPERS_MAX  64
#define LISTED_MAX   5
#define SHARE        2		/* percent of the interval: smaller shares get no line */
#define NESTED_MAX   64

/* What had the CPU: a task, an interrupt, an idle state */
struct keeper {
	enum kt_why_kind kind;
	uint64_t ns, count, key, flags;
	uint64_t left;			/* an idle state: when it was left */
	const struct stretch *last;
	int pid;
};

struct keepers {
	struct kt_why *w;
	struct keeper at[KEEPERS_MAX];
	size_t nr;
	uint64_t more;			/* ns of those that did not fit */
	uint64_t older;			/* ns at the start that are unknown */
	enum cpu_part part;
};

static struct keeper keeper_of(const struct stretch *s)
{
	struct keeper k = { .kind = KT_WHY_UNKNOWN, .pid = -1, .key = KT_WHY_NO_KEY };

	if (!s)
		return k;
	k.key = s->key;
	switch (s->kind) {
	case KT_SPAN_RUN:
		k.kind = s->pid ? KT_WHY_HOLDER : KT_WHY_IDLE;
		k.pid = s->pid;
		k.key = KT_WHY_NO_KEY;
		break;
	case STRETCH_SPIN:
		k.kind = KT_WHY_SPUN;
		k.pid = s->pid;
		k.flags = s->value;
		break;
	case STRETCH_IDLE:    k.kind = KT_WHY_IDLE;    k.left = s->until; break;
	case KT_SPAN_IRQ:     k.kind = KT_WHY_IRQ;     break;
	case KT_SPAN_SOFTIRQ: k.kind = KT_WHY_SOFTIRQ; break;
	case KT_SPAN_NMI:     k.kind = KT_WHY_NMI;     k.key = KT_WHY_NO_KEY; break;
	}
	return k;
}

static void keep(struct keepers *list, const struct stretch *s, uint64_t ns)
{
	struct keeper new = keeper_of(s), *k;
	size_t i;

	if (!ns || (list->part == CPU_WITHIN && (!s || s->kind == KT_SPAN_RUN)))
		return;
	for (i = 0; i < list->nr; i++)
		if (list->at[i].kind == new.kind && list->at[i].pid == new.pid &&
		    list->at[i].key == new.key)
			break;
	if (i == KEEPERS_MAX) {
		list->more += ns;
		return;
	}
	k = &list->at[i];
	if (i == list->nr) {
		*k = new;
		list->nr++;
	}
	k->ns += ns;
	k->count += !k->count || k->last != s;
	k->last = s;
}

/* ---- a moment belongs to the stretch that began last, of those that have not ended ---- */

struct nest {
	const struct stretch *at[NESTED_MAX];
	size_t nr;
};

static uint64_t advance(struct nest *n, struct keepers *list, uint64_t now, uint64_t until)
{
	const struct stretch *top;
	uint64_t end;

	while (now < until) {
		while (n->nr && n->at[n->nr - 1]->until <= now)
			n->nr--;
		top = n->nr ? n->at[n->nr - 1] : NULL;
		end = top && top->until < until ? top->until : until;
		keep(list, top, end - now);
		now = end;
	}
	return now;
}

/* At a switch, the task that ran before has stopped running, even if no record says so. */
static void push(struct nest *n, const struct stretch *s)
{
	if (s->kind == KT_SPAN_RUN)
		n->nr = 0;
	if (n->nr == NESTED_MAX)
		n->nr--;
	n->at[n->nr++] = s;
}

static bool has_cpu(const struct stretch *s)
{
	return s->kind == KT_SPAN_RUN || s->kind == STRETCH_IDLE || s->kind == STRETCH_SPIN ||
	       is_interrupt(s);
}

static void find_keepers(struct keepers *list, int cpu, uint64_t from, uint64_t until)
{
	struct nest nest = { .nr = 0 };
	const struct stretch *s;
	uint64_t now = from;
	size_t i = 0;

	while ((s = lane_next(list->w, &list->w->cpus, cpu, &i, from, until))) {
		if (!has_cpu(s))
			continue;
		if (now == from && !nest.nr && list->part == CPU_ALL)
			list->older = s->from > from ? s->from - from : 0;
		if (s->from > now)
			now = advance(&nest, list, now, s->from);
		if (s->until > now)
			push(&nest, s);
	}
	if (now == from && !nest.nr && list->part == CPU_ALL)
		list->older = until - from;
	advance(&nest, list, now, until);
}

/* ---- lines ---- */

static int most_first(const void *x, const void *y)
{
	const struct keeper *a = x, *b = y;

	if (a->ns != b->ns)
		return a->ns < b->ns ? 1 : -1;
	return (int)a->kind - (int)b->kind;
}

static void add(struct kt_why *w, const struct keeper *k, int cpu, uint64_t from,
		unsigned int depth)
{
	struct kt_why_line line = {
		.kind = k->kind, .depth = depth, .ns = k->ns, .count = k->count, .pid = k->pid,
		.cpu = cpu, .from_cpu = -1, .key = k->key, .flags = k->flags,
	};

	if (k->kind == KT_WHY_IRQ) {
		line.name = why_irq_name(w, k->key);
		line.key = k->key < VECTOR_KEY ? k->key : KT_WHY_NO_KEY;
	}
	if (k->kind == KT_WHY_SPUN) {
		line.addr = k->key;
		line.key = KT_WHY_NO_KEY;
	}
	if (k->kind == KT_WHY_IDLE && k->key != KT_WHY_NO_KEY && k->count == 1)
		line.delay = k->left > from ? k->left - from : 0;
	if (k->kind == KT_WHY_IDLE && k->key == KT_WHY_NO_KEY)
		why_miss(w, MISSING_IDLE);
	why_add_line(w, &line);
}

void cpu_explain(struct kt_why *w, int cpu, uint64_t from, uint64_t until, unsigned int depth,
		 enum cpu_part part)
{
	struct keepers list = { .w = w, .part = part };
	uint64_t all = until - from;
	size_t i;

	find_keepers(&list, cpu, from, until);
	qsort(list.at, list.nr, sizeof(*list.at), most_first);
	w->is_older |= list.older >= all / 100 * SHARE && list.older;
	for (i = 0; i < list.nr; i++)
		if (i < LISTED_MAX && list.at[i].ns >= all / 100 * SHARE)
			add(w, &list.at[i], cpu, from, depth);
		else
			list.more += list.at[i].ns;
	if (list.more)
		why_add_line(w, &(struct kt_why_line){ .kind = KT_WHY_MORE, .depth = depth,
						       .ns = list.more, .pid = -1, .cpu = cpu,
						       .from_cpu = -1 });
}
