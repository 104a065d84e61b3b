/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* lanes.c - stretches by task and by CPU, found by time */
#include <errno.h>
#include <stdlib.h>

#include "why/why.h"

static bool is_of_task(const struct stretch *s)
{
	switch (s->kind) {
	case KT_SPAN_RUN: case KT_SPAN_PREEMPTED: case KT_SPAN_BLOCKED: case KT_SPAN_WAIT:
	case KT_SPAN_LOCK: case STRETCH_MOVE:
		return s->pid > 0;
	default:
		return false;
	}
}

static bool is_of_cpu(const struct stretch *s)
{
	switch (s->kind) {
	case KT_SPAN_PREEMPTED: case KT_SPAN_BLOCKED: case KT_SPAN_WAIT: case KT_SPAN_LOCK:
	case STRETCH_MOVE: case STRETCH_FLIGHT:
		return false;
	default:
		return true;
	}
}

/* Of stretches that begin together, the outer one comes first. */
static int rank(const struct stretch *s)
{
	switch (s->kind) {
	case KT_SPAN_RUN:     return 0;
	case STRETCH_IDLE:    return 1;
	case KT_SPAN_SOFTIRQ: return 2;
	case KT_SPAN_IRQ:     return 3;
	case KT_SPAN_NMI:     return 4;
	default:              return 5;
	}
}

static int by_begin(const struct stretch *a, const struct stretch *b)
{
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (rank(a) != rank(b))
		return rank(a) - rank(b);
	if (a->until != b->until)
		return a->until > b->until ? -1 : 1;
	return a < b ? -1 : a > b;
}

static int by_task(const void *x, const void *y, void *data)
{
	const struct stretch *at = data, *a = &at[*(const uint32_t *)x],
			     *b = &at[*(const uint32_t *)y];

	return a->pid != b->pid ? (a->pid < b->pid ? -1 : 1) : by_begin(a, b);
}

static int by_cpu(const void *x, const void *y, void *data)
{
	const struct stretch *at = data, *a = &at[*(const uint32_t *)x],
			     *b = &at[*(const uint32_t *)y];

	return a->cpu != b->cpu ? a->cpu - b->cpu : by_begin(a, b);
}

static int id_of(const struct kt_why *w, const struct lanes *l, size_t i)
{
	const struct stretch *s = &w->at[l->of[i]];

	return l == &w->tasks ? s->pid : s->cpu;
}

static int make(struct kt_why *w, struct lanes *l, bool (*is_in)(const struct stretch *),
		int (*compare)(const void *, const void *, void *))
{
	size_t i;

	l->of = calloc(w->nr + 1, sizeof(*l->of));
	l->until = calloc(w->nr + 1, sizeof(*l->until));
	if (!l->of || !l->until)
		return -ENOMEM;
	for (i = 0; i < w->nr; i++)
		if (is_in(&w->at[i]))
			l->of[l->nr++] = (uint32_t)i;
	qsort_r(l->of, l->nr, sizeof(*l->of), compare, w->at);
	for (i = 0; i < l->nr; i++) {
		l->until[i] = w->at[l->of[i]].until;
		if (i && id_of(w, l, i - 1) == id_of(w, l, i) && l->until[i - 1] > l->until[i])
			l->until[i] = l->until[i - 1];
	}
	return 0;
}

void lanes_fini(struct lanes *l)
{
	free(l->of);
	free(l->until);
	*l = (struct lanes){ 0 };
}

/* The first that has @id and ends at or after @from, or belongs to a later lane */
static size_t find_first(const struct kt_why *w, const struct lanes *l, int id, uint64_t from)
{
	size_t lo = 0, hi = l->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (id_of(w, l, mid) < id || (id_of(w, l, mid) == id && l->until[mid] < from))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct stretch *lane_next(const struct kt_why *w, const struct lanes *l, int id, size_t *i,
				uint64_t from, uint64_t until)
{
	const struct stretch *s;
	size_t at = *i ? *i : find_first(w, l, id, from);

	if (at >= l->nr || id_of(w, l, at) != id)
		return NULL;
	s = &w->at[l->of[at]];
	*i = at + 1;
	return s->from < until ? s : NULL;
}

/* The first that has @id and begins after @ts, or belongs to a later lane */
static size_t find_after(const struct kt_why *w, const struct lanes *l, int id, uint64_t ts)
{
	size_t lo = 0, hi = l->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (id_of(w, l, mid) < id ||
		    (id_of(w, l, mid) == id && w->at[l->of[mid]].from <= ts))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct stretch *lane_back(const struct kt_why *w, const struct lanes *l, int id, size_t *i,
				uint64_t ts)
{
	size_t at = *i ? *i - 1 : find_after(w, l, id, ts);

	/* *i is never 0 after the first call, since it is one more than what was returned */
	if (!at || id_of(w, l, at - 1) != id)
		return NULL;
	*i = at;
	return &w->at[l->of[at - 1]];
}

uint64_t lanes_common(const struct stretch *s, uint64_t from, uint64_t until)
{
	uint64_t lo = s->from > from ? s->from : from, hi = s->until < until ? s->until : until;

	return hi > lo ? hi - lo : 0;
}

#define STEPS_BACK 64	/* only locks and moves come between two switches */

/* The last time before @ts that the task got a CPU */
static const struct stretch *run_at(const struct kt_why *w, int pid, uint64_t ts)
{
	const struct stretch *s;
	size_t i = 0, steps;

	for (steps = 0; steps < STEPS_BACK; steps++) {
		s = lane_back(w, &w->tasks, pid, &i, ts);
		if (!s || s->kind == KT_SPAN_RUN)
			return s;
	}
	return NULL;
}

/* A task spins on its CPU until it sleeps or has the lock. */
static int add_spins(struct kt_why *w)
{
	const struct stretch *run;
	struct stretch spin, *new;
	size_t nr = w->nr, i;

	for (i = 0; i < nr; i++) {
		if (w->at[i].kind != KT_SPAN_LOCK)
			continue;
		spin = w->at[i];
		spin.kind = STRETCH_SPIN;
		run = run_at(w, spin.pid, spin.from);
		if (!run || run->cpu != spin.cpu || run->until <= spin.from)
			continue;
		if (spin.until > run->until)
			spin.until = run->until;
		new = why_new_stretch(w);
		if (!new)
			return -ENOMEM;
		*new = spin;
	}
	return 0;
}

int lanes_make(struct kt_why *w)
{
	int ret = make(w, &w->tasks, is_of_task, by_task);

	if (ret == 0)
		ret = add_spins(w);
	return ret == 0 ? make(w, &w->cpus, is_of_cpu, by_cpu) : ret;
}
