/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* samples.c - measurements of the latency tracers: a number in each of their events */
#include <stdio.h>
#include <string.h>

#include "latency/latency.h"

static const struct {
	const char *system, *event, *field, *what;
	int context;			/* required value of timerlat's field; -1: any */
	unsigned int unit;		/* ns */
} samples[] = {
	{ "ftrace", "timerlat", "timer_latency", "timerlat irq", 0, 1 },
	{ "ftrace", "timerlat", "timer_latency", "timerlat thread", 1, 1 },
	{ "ftrace", "timerlat", "timer_latency", "timerlat user return", 2, 1 },
	{ "ftrace", "osnoise", "max_sample", "osnoise longest", -1, 1 },
	{ "ftrace", "osnoise", "noise", "osnoise a period", -1, 1 },
	{ "osnoise", "sample_threshold", "duration", "osnoise one noise", -1, 1 },
	{ "ftrace", "hwlat", "duration", "hwlat inner", -1, 1000 },
	{ "ftrace", "hwlat", "outer_duration", "hwlat outer", -1, 1000 },
};

#define NR_SAMPLES (sizeof(samples) / sizeof(*samples))

static bool is_of(size_t i, const char *system, const char *name)
{
	return strcmp(samples[i].event, name) == 0 && strcmp(samples[i].system, system) == 0;
}

bool latency_is_sample_name(const char *system, const char *name)
{
	size_t i;

	for (i = 0; i < NR_SAMPLES; i++)
		if (is_of(i, system, name))
			return true;
	return false;
}

bool latency_is_sample(const struct kt_event *ev)
{
	return latency_is_sample_name(ev->system, ev->name);
}

static int take_value(struct kt_latency_table *t, size_t i, const struct kt_event *ev,
		      const struct kt_record *rec)
{
	const struct kt_field *value = kt_event_field(ev, samples[i].field);
	const struct kt_field *context = kt_event_field(ev, "context");
	const struct kt_source *src = kt_stream_source(kt_trace_stream(t->trace), rec->source);
	struct taken x = { .kind = KT_LATENCY_TRACER, .one = {
		.until = rec->ts, .spot = { rec->ts, rec->pos, rec->source }, .cpu = src->cpu,
		.file = src->file_index, .pid = kt_record_pid(ev->events, rec),
	} };
	uint64_t ns, which;
	char name[64];

	if (samples[i].context >= 0 && (!context || kt_field_u64(ev, context, rec, &which) < 0 ||
					which != (uint64_t)samples[i].context))
		return 0;
	if (!value || kt_field_u64(ev, value, rec, &ns) < 0)
		return 0;
	ns *= samples[i].unit;
	x.one.holder = x.one.pid;
	x.one.from = ns < rec->ts ? rec->ts - ns : 0;
	x.key = keymap_mix(keymap_mix(x.one.file, i), (uint64_t)src->cpu);
	snprintf(name, sizeof(name), "%s, CPU %d", samples[i].what, src->cpu);
	return latency_take(t, &x, name);
}

int latency_take_sample(struct kt_latency_table *t, const struct kt_event *ev,
			const struct kt_record *rec)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < NR_SAMPLES && ret == 0; i++)
		if (is_of(i, ev->system, ev->name))
			ret = take_value(t, i, ev, rec);
	return ret;
}
