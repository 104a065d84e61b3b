/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* take.c - turn spans and calls into latencies of rows when they end */
#include <errno.h>
#include <string.h>

#include "latency/latency.h"

/* ---- spans ---- */

/* Idle tasks do not wait; a system call without its begin has no name. */
static bool is_measured(enum kt_latency_kind kind, const struct kt_span *s)
{
	if (s->pid == 0 && (s->kind == KT_SPAN_BLOCKED || s->kind == KT_SPAN_PREEMPTED ||
			    s->kind == KT_SPAN_RUN))
		return false;
	return kind != KT_LATENCY_SYSCALL || !(s->flags & KT_SPAN_UNBEGUN);
}

static bool is_of_wheel(const struct kt_span *s)
{
	return s->kind == KT_SPAN_TIMER && s->end.event &&
	       strcmp(s->end.event->name, "timer_expire_entry") == 0;
}

/*
 * Times of the timer wheel are in jiffies, whose length the trace does not have. Two expiries some
 * jiffies apart show which of the few possible lengths it is. 0: not known yet.
 * Source: Linux, kernel/Kconfig.hz
 */
static uint64_t jiffy_ns(struct kt_latency_table *t, const struct kt_span *s)
{
	static const unsigned int hz[] = { 100, 250, 300, 1000 };
	double ns;
	size_t i;

	if (!t->wheel.ts) {
		t->wheel.now = s->result;
		t->wheel.ts = s->end.ts;
		t->wheel.file = s->file;
	}
	if (t->wheel.file != s->file || s->result < t->wheel.now + 4)
		return 0;
	ns = (double)(s->end.ts - t->wheel.ts) / (double)(s->result - t->wheel.now);
	for (i = 0; i < sizeof(hz) / sizeof(*hz); i++)
		if (ns > 0.92e9 / hz[i] && ns < 1.08e9 / hz[i])
			return 1000000000 / hz[i];
	return 0;
}

/* How late it expired, in ns instead of jiffies; unknown times do not count. */
static void scale_to_ns(struct kt_latency_table *t, struct kt_span *s)
{
	uint64_t late = s->result > s->value ? s->result - s->value : 0, ns = jiffy_ns(t, s);

	if (!ns || late > s->end.ts / ns)
		s->flags |= KT_SPAN_CUT;
	s->value = 0;
	s->result = late * ns;
}

static struct kt_latency latency_of(const struct kt_span *s)
{
	struct kt_latency one = {
		.from = s->begin.ts, .until = s->end.ts, .file = s->file, .pid = s->pid,
		.spot = { s->end.ts, s->end.pos, s->end.source },
		.cpu = s->end.cpu, .holder = s->end.pid,
		.value = s->value, .result = (int64_t)s->result,
	};
	uint64_t late;

	/* The time until its expiry was planned: measure only how late it was. */
	if (s->kind == KT_SPAN_TIMER && s->end.event) {
		late = s->result > s->value ? s->result - s->value : 0;
		one.from = late < one.until ? one.until - late : 0;
	}
	return one;
}

static int take_as(struct kt_latency_table *t, enum kt_latency_kind kind, const struct kt_span *s,
		   const struct kt_latency *one)
{
	struct taken x = { .kind = kind, .key = latency_key_of(t, kind, s), .cut = s->flags,
			   .torn = s->flags & KT_SPAN_CUT, .one = *one };
	char name[200];			/* not cleared: nearly all rows have a name already */

	name[0] = 0;
	if (latency_is_new(t, &x))
		latency_name_span(t, kind, s, name, sizeof(name));
	return latency_take(t, &x, name);
}

/* ---- chains of more than two events: each step is a span of its own ---- */

static bool is_same_end(const struct kt_span_end *a, const struct kt_span_end *b)
{
	return a->source == b->source && a->pos == b->pos;
}

/* The whole chain, once its last step has ended: 1; 0: it goes on; -ENOMEM */
static int follow_chain(struct kt_latency_table *t, struct kt_span *s)
{
	uint64_t key = keymap_mix(keymap_mix(s->file, s->key[0]), s->key[1]);
	struct chain *c;
	bool is_new;

	if (t->opts.nr_steps == 2)
		return 1;
	c = keymap_element(&t->chain_of, key, (void **)&t->chains, &t->nr_chains, sizeof(*c),
			   &is_new);
	if (!c)
		return -ENOMEM;
	if (s->pair == 0)
		*c = (struct chain){ .begin = s->begin };
	else if (c->done != s->pair || !is_same_end(&c->at, &s->begin))
		return 0;
	c->done = s->flags ? 0 : s->pair + 1;
	c->at = s->end;
	if (c->done + 1 != t->opts.nr_steps)
		return 0;
	s->begin = c->begin;
	return 1;
}

int latency_take_span(void *data, const struct kt_span *span, struct kt_err *err)
{
	struct kt_latency_table *t = data;
	struct kt_span s = *span;
	struct kt_latency one;
	unsigned int kinds, kind;
	int ret = 1;

	if (s.kind == KT_SPAN_PAIR)
		ret = follow_chain(t, &s);
	if (ret <= 0)
		return kt_err_result(err, ret);
	if (is_of_wheel(&s))
		scale_to_ns(t, &s);
	one = latency_of(&s);
	for (kinds = t->kinds_of[s.kind], ret = 0; kinds && ret == 0; kinds &= kinds - 1) {
		kind = (unsigned int)__builtin_ctz(kinds);
		if (is_measured(kind, &s))
			ret = take_as(t, kind, &s, &one);
	}
	return kt_err_result(err, ret);
}

/* ---- calls ---- */

static bool is_fault(const char *name)
{
	return strcmp(name, "handle_mm_fault") == 0;
}

int latency_take_call(void *data, const struct kt_call *c, struct kt_err *err)
{
	struct kt_latency_table *t = data;
	bool cut = c->flags & (KT_CALL_UNBEGUN | KT_CALL_UNFINISHED);
	struct taken x = { .cut = cut, .torn = cut && c->flags & KT_CALL_GAP, .one = {
		.from = c->end.ts - c->duration, .until = c->end.ts, .file = c->file, .pid = c->pid,
		.spot = { c->end.ts, c->end.pos, c->end.source }, .cpu = -1, .holder = c->pid,
	} };
	struct kt_stream *stream = kt_trace_stream(t->trace);
	const char *name;
	int ret = 0;

	if (c->kind != KT_CALL_FUNCTION || c->flags & KT_CALL_UNTIMED)
		return 0;
	if (c->end.source < kt_stream_nr_sources(stream))
		x.one.cpu = kt_stream_source(stream, c->end.source)->cpu;
	x.key = keymap_mix(c->file, c->func ? c->func : (uintptr_t)c->name);
	name = kt_call_name(t->trace, c);
	x.kind = KT_LATENCY_CALL;
	if (t->opts.kinds & 1u << KT_LATENCY_CALL)
		ret = latency_take(t, &x, name);
	x.kind = KT_LATENCY_FAULT;
	x.key = keymap_mix(x.key, KT_LATENCY_FAULT);
	if (ret == 0 && t->opts.kinds & 1u << KT_LATENCY_FAULT && is_fault(name))
		ret = latency_take(t, &x, name);
	return kt_err_result(err, ret);
}
