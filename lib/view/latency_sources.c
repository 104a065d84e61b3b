/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* latency_sources.c - spans, calls and what tracers measured, as rows of latencies */
#include "view/latency.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void latency_format_task(struct kt_latencies *l, size_t file, int pid, char *name, size_t size)
{
	const char *comm = kt_trace_comm_known(kt_model_trace(l->model), file, pid);

	snprintf(name, size, "%s:%d", comm ? comm : "<...>", pid);
}

/* ---- what a span is called ---- */

/* Names of handlers are in the records that begin interrupts. */
void latency_note_handler(struct kt_latencies *l, const struct kt_event *ev,
			  const struct kt_record *rec)
{
	const struct kt_field *irq, *name;
	struct kt_blob text;
	uint64_t number;

	if (strcmp(ev->name, "irq_handler_entry") != 0)
		return;
	irq = kt_event_field(ev, "irq");
	name = kt_event_field(ev, "name");
	if (irq && name && kt_field_u64(ev, irq, rec, &number) == 0 && number < 256 &&
	    !l->handlers[number] && kt_field_bytes(ev, name, rec, &text) == 0)
		l->handlers[number] = strndup((const char *)text.data, text.size);
}

static void name_span(struct kt_latencies *l, const struct kt_span *s, char *name, size_t size)
{
	static const char *const softirqs[] = { "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK",
		"IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU" };
	const struct kt_event *ev = s->begin.event ? s->begin.event : s->end.event;
	const char *call = ev ? strstr(ev->name, "_enter_") : NULL;
	uint64_t n = s->key[0];

	if (!call && ev)
		call = strstr(ev->name, "_exit_");
	if (s->kind == KT_SPAN_IRQ)
		snprintf(name, size, "%u %s", (unsigned int)n,
			 n < 256 && l->handlers[n] ? l->handlers[n] : "");
	else if (s->kind == KT_SPAN_SOFTIRQ && n < sizeof(softirqs) / sizeof(*softirqs))
		snprintf(name, size, "%s", softirqs[n]);
	else if (s->kind == KT_SPAN_SYSCALL && call)
		snprintf(name, size, "%s", strchr(call + 1, '_') + 1);
	else if (s->kind == KT_SPAN_BLOCK_IO)
		snprintf(name, size, "%u,%u", (unsigned int)(n >> 20), (unsigned int)(n & 0xfffff));
	else if (s->kind == KT_SPAN_PAIR)
		snprintf(name, size, "%s", l->pair ? l->pair : "");
	else if (s->kind == KT_SPAN_SOFTIRQ || s->kind == KT_SPAN_SYSCALL)
		snprintf(name, size, "%u", (unsigned int)n);
	else
		latency_format_task(l, s->file, s->pid, name, size);
}

static uint64_t key_of(const struct kt_span *s)
{
	const struct kt_event *ev = s->begin.event ? s->begin.event : s->end.event;
	const char *call = ev ? strstr(ev->name, "_enter_") : NULL;

	switch (s->kind) {
	case KT_SPAN_WAIT: case KT_SPAN_PREEMPTED: case KT_SPAN_BLOCKED:
		return keymap_mix(s->file, (uint32_t)s->pid);
	case KT_SPAN_SYSCALL:
		return keymap_mix(s->file, call ? (uintptr_t)ev : s->key[0]);
	case KT_SPAN_PAIR:
		return 0;
	default:
		return keymap_mix(s->file, s->key[0]);
	}
}

int latency_take_span(void *data, const struct kt_span *s, struct kt_err *err)
{
	struct kt_latencies *l = data;
	struct kt_latency one = {
		.from = s->begin.ts, .until = s->end.ts, .file = s->file, .pid = s->pid,
		.spot = { s->end.ts, s->end.pos, s->end.source },
		.cpu = s->end.cpu, .holder = s->end.pid,
	};
	uint64_t key;
	char name[200];

	if (s->pid == 0 && (s->kind == KT_SPAN_BLOCKED || s->kind == KT_SPAN_PREEMPTED))
		return 0;
	/* Without its begin, a system call has the name of the event that ends it only. */
	if (s->kind == KT_SPAN_SYSCALL && s->flags & KT_SPAN_UNBEGUN)
		return 0;
	key = key_of(s);
	*name = 0;
	if (keymap_get(&l->row_of, key) == KEYMAP_NONE)
		name_span(l, s, name, sizeof(name));
	return latency_take(l, key, name, &one, s->flags) < 0 ?
	       kt_err_set(err, -ENOMEM, "out of memory") : 0;
}

int latency_take_call(void *data, const struct kt_call *c, struct kt_err *err)
{
	struct kt_latencies *l = data;
	struct kt_latency one = {
		.from = c->end.ts - c->duration, .until = c->end.ts, .file = c->file, .pid = c->pid,
		.spot = { c->end.ts, c->end.pos, c->end.source }, .cpu = -1, .holder = c->pid,
	};
	struct kt_stream *stream = kt_trace_stream(kt_model_trace(l->model));

	if (c->kind != KT_CALL_FUNCTION || c->flags & KT_CALL_UNTIMED)
		return 0;
	if (c->end.source < kt_stream_nr_sources(stream))
		one.cpu = kt_stream_source(stream, c->end.source)->cpu;
	return latency_take(l, keymap_mix(c->file, c->func ? c->func : (uintptr_t)c->name),
		    kt_call_name(kt_model_trace(l->model), c), &one,
		    c->flags & (KT_CALL_UNBEGUN | KT_CALL_UNFINISHED)) < 0 ?
	       kt_err_set(err, -ENOMEM, "out of memory") : 0;
}

/* ---- what the latency tracers measured: a number in each of their events ---- */

static const struct {
	const char *event, *field, *what;
	int context;			/* of timerlat: its field must be that; -1: any */
} samples[] = {
	{ "timerlat", "timer_latency", "timerlat irq", 0 },
	{ "timerlat", "timer_latency", "timerlat thread", 1 },
	{ "timerlat", "timer_latency", "timerlat user return", 2 },
	{ "osnoise", "max_sample", "osnoise longest", -1 },
	{ "osnoise", "noise", "osnoise a period", -1 },
	{ "hwlat", "duration", "hwlat inner", -1 },
	{ "hwlat", "outer_duration", "hwlat outer", -1 },
};

bool latency_is_tracer(const struct kt_event *ev)
{
	size_t i;

	for (i = 0; i < sizeof(samples) / sizeof(*samples); i++)
		if (strcmp(ev->system, "ftrace") == 0 && strcmp(ev->name, samples[i].event) == 0)
			return true;
	return false;
}

/* hwlat tells microseconds, the others nanoseconds. */
static uint64_t sample_ns(size_t i, uint64_t value)
{
	return strcmp(samples[i].event, "hwlat") == 0 ? value * 1000 : value;
}

static int take_value(struct kt_latencies *l, size_t i, const struct kt_event *ev,
		      const struct kt_record *rec)
{
	const struct kt_field *value = kt_event_field(ev, samples[i].field);
	const struct kt_field *context = kt_event_field(ev, "context");
	const struct kt_source *src =
		kt_stream_source(kt_trace_stream(kt_model_trace(l->model)), rec->source);
	struct kt_latency one = {
		.until = rec->ts, .spot = { rec->ts, rec->pos, rec->source }, .cpu = src->cpu,
		.file = src->file_index, .pid = kt_record_pid(ev->events, rec),
	};
	uint64_t ns, which;
	char name[64];

	if (samples[i].context >= 0 && (!context || kt_field_u64(ev, context, rec, &which) < 0 ||
					which != (uint64_t)samples[i].context))
		return 0;
	if (!value || kt_field_u64(ev, value, rec, &ns) < 0)
		return 0;
	ns = sample_ns(i, ns);
	one.holder = one.pid;
	one.from = ns < rec->ts ? rec->ts - ns : 0;
	snprintf(name, sizeof(name), "%s, CPU %d", samples[i].what, src->cpu);
	return latency_take(l, keymap_mix(keymap_mix(one.file, i), (uint64_t)src->cpu), name, &one,
			    false);
}

int latency_take_sample(struct kt_latencies *l, const struct kt_event *ev,
			const struct kt_record *rec)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < sizeof(samples) / sizeof(*samples) && ret == 0; i++)
		if (strcmp(ev->system, "ftrace") == 0 && strcmp(ev->name, samples[i].event) == 0)
			ret = take_value(l, i, ev, rec);
	return ret;
}
