/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* take.c - spans and calls, as they end, become latencies of rows */
#include <errno.h>
#include <string.h>

#include "latency/latency.h"

static int no_memory(struct kt_err *err, int ret)
{
	return ret < 0 ? kt_err_set(err, ret, "out of memory") : 0;
}

/* ---- spans ---- */

/* Idle tasks do not wait; without its begin, a system call has no name. */
static bool is_measured(enum kt_latency_kind kind, const struct kt_span *s)
{
	if (s->pid == 0 && (s->kind == KT_SPAN_BLOCKED || s->kind == KT_SPAN_PREEMPTED ||
			    s->kind == KT_SPAN_RUN))
		return false;
	return kind != KT_LATENCY_SYSCALL || !(s->flags & KT_SPAN_UNBEGUN);
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

	/* A timer that was started lasts as long as it should: what counts is how late it was. */
	if (s->kind == KT_SPAN_TIMER && s->end.event) {
		late = s->result > s->value ? s->result - s->value : 0;
		one.from = late < one.until ? one.until - late : 0;
	}
	return one;
}

static int take_as(struct kt_latency_table *t, enum kt_latency_kind kind, const struct kt_span *s,
		   const struct kt_latency *one)
{
	struct taken x = { .kind = kind, .cut = s->flags, .one = *one };
	char name[200] = "";

	x.key = latency_key_of(t, kind, s);
	if (latency_is_new(t, &x))
		latency_name_span(t, kind, s, name, sizeof(name));
	return latency_take(t, &x, name);
}

/* ---- chains of more than two events: each step is a span of its own ---- */

static bool is_same_end(const struct kt_span_end *a, const struct kt_span_end *b)
{
	return a->source == b->source && a->pos == b->pos;
}

/* The whole chain, when its last step has ended: 1; 0: there is more to come; -ENOMEM */
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
	unsigned int kind;
	int ret = 1;

	if (s.kind == KT_SPAN_PAIR)
		ret = follow_chain(t, &s);
	if (ret <= 0)
		return no_memory(err, ret);
	one = latency_of(&s);
	for (kind = 0, ret = 0; kind < KT_LATENCY_KINDS && ret == 0; kind++)
		if (t->opts.kinds & 1u << kind && latency_span_of(kind) == s.kind &&
		    is_measured(kind, &s))
			ret = take_as(t, kind, &s, &one);
	return no_memory(err, ret);
}

/* ---- calls ---- */

static bool is_fault(const char *name)
{
	return strcmp(name, "handle_mm_fault") == 0;
}

int latency_take_call(void *data, const struct kt_call *c, struct kt_err *err)
{
	struct kt_latency_table *t = data;
	struct taken x = { .cut = c->flags & (KT_CALL_UNBEGUN | KT_CALL_UNFINISHED), .one = {
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
	return no_memory(err, ret);
}
