/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pieces.c - the sequence of states of a task, and the CPUs that it waited for */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "why/why.h"

/* State of a walk over the stretches of a task */
struct walk {
	const struct kt_why *w;
	struct pieces *list;
	uint64_t from, until, at;	/* the interval; the start of the next piece */
	const struct stretch *before;	/* the state that ended at @at; NULL: not known */
	const struct stretch *slept;	/* the sleep before the last wait; NULL: not known */
};

static int add(struct walk *k, const struct stretch *of, uint64_t until)
{
	struct pieces *list = k->list;

	if (k->at >= until)
		return 0;
	if (!array_fit(list->at, list->nr, list->room))
		return -ENOMEM;
	list->at[list->nr++] = (struct piece){
		.of = of, .from = k->at, .until = until, .cpu = of ? of->cpu : -1, .from_cpu = -1,
		.parent = -1,
	};
	k->at = until;
	return 0;
}

static int take_state(struct walk *k, const struct stretch *s)
{
	uint64_t end = s->until < k->until ? s->until : k->until;
	int ret = 0;

	if (s->until > k->at && s->from > k->at) {
		ret = add(k, NULL, s->from);
		if (ret < 0)
			return ret;
		if (s->kind == KT_SPAN_WAIT)
			k->list->at[k->list->nr - 1].parent = s->waker;
	}
	if (s->until > k->at)
		ret = add(k, s, end);
	k->slept = k->before && k->before->kind == KT_SPAN_BLOCKED ? k->before : NULL;
	k->before = s;
	return ret;
}

static bool is_queued(const struct piece *p)
{
	return p->of && (p->of->kind == KT_SPAN_WAIT || p->of->kind == KT_SPAN_PREEMPTED);
}

/*
 * The waker may place a task on another CPU before it is queued. Without sched_wakeup, only
 * the fact that the waker did it distinguishes this from a move of a queued task.
 */
static bool is_placed(const struct walk *k, const struct piece *p, const struct stretch *move)
{
	if (p->of->kind != KT_SPAN_WAIT || p->from_cpu >= 0)
		return false;
	if (p->of->value)
		return move->from <= p->of->key;
	return k->slept && k->slept->waker == move->waker &&
	       (uint64_t)k->slept->cpu == move->value;
}

static int take_move(struct walk *k, const struct stretch *move)
{
	struct piece *p = k->list->nr ? &k->list->at[k->list->nr - 1] : NULL;
	const struct stretch *of;
	uint64_t until;
	int ret;

	if (!p || !is_queued(p) || move->from < p->from || move->from >= p->until)
		return 0;
	if (is_placed(k, p, move) || move->from == p->from) {
		p->from_cpu = (int16_t)move->key;
		return 0;
	}
	of = p->of;
	until = p->until;
	p->cpu = (int16_t)move->key;
	p->until = k->at = move->from;
	ret = add(k, of, until);
	p = &k->list->at[k->list->nr - 1];
	p->cpu = move->cpu;
	p->from_cpu = (int16_t)move->key;
	p->then = true;
	return ret;
}

/* It was queued on one CPU and ran on another; the trace lacks the move itself. */
static void check_cpus(struct pieces *list)
{
	struct piece *p;
	size_t i;

	for (i = 0; i < list->nr; i++) {
		p = &list->at[i];
		if (p->of && p->of->kind == KT_SPAN_WAIT && p->of->value && p->from_cpu < 0 &&
		    p->cpu == p->of->cpu && (uint64_t)p->cpu + 1 != p->of->value) {
			p->from_cpu = (int16_t)(p->of->value - 1);
			p->uncertain = true;
		}
	}
}

int pieces_find(const struct kt_why *w, int pid, uint64_t from, uint64_t until,
		struct pieces *list)
{
	struct walk k = { .w = w, .list = list, .from = from, .until = until, .at = from };
	const struct stretch *s;
	size_t i = 0;
	int ret = 0;

	while (ret == 0 && (s = lane_next(w, &w->tasks, pid, &i, from, until))) {
		if (s->kind == STRETCH_MOVE)
			ret = take_move(&k, s);
		else if (s->kind != KT_SPAN_LOCK)
			ret = take_state(&k, s);
	}
	if (ret == 0)
		ret = add(&k, NULL, until);
	check_cpus(list);
	return ret;
}
