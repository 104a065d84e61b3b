/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* record.c - what to record for a metric */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "latency/subject.h"
#include "metric/metric.h"

const char *const *metric_events(const struct source *s, const char *one[KT_LATENCY_STEPS + 1])
{
	if (s->latency && kt_latency_subject_kind(s->latency) != KT_LATENCY_PAIR)
		return kt_latency_kind_events(kt_latency_subject_kind(s->latency));
	one[0] = s->event;
	one[1] = NULL;
	if (s->latency)
		subject_events(s->latency, one);
	return one;
}

static int add(struct kt_names *args, const char *option, const char *value)
{
	size_t i;

	for (i = 0; i + 1 < args->nr; i += 2)
		if (strcmp(args->names[i], option) == 0 && strcmp(args->names[i + 1], value) == 0)
			return 0;
	return kt_names_add(args, option) < 0 ? -ENOMEM : kt_names_add(args, value);
}

/* The functions that a source needs from function_graph; NULL: all */
static const char *functions_of(const struct source *s)
{
	return kt_latency_subject_kind(s->latency) == KT_LATENCY_FAULT ? "handle_mm_fault" :
	       subject_name(s->latency);
}

static bool needs_calls(const struct source *s)
{
	const char *first = s->latency ?
		*kt_latency_kind_events(kt_latency_subject_kind(s->latency)) : NULL;

	return first && strcmp(first, "-p function_graph") == 0;
}

static int add_source(const struct source *s, struct kt_names *args)
{
	const char *one[KT_LATENCY_STEPS + 1];
	const char *const *events;
	int ret = 0;

	for (events = metric_events(s, one); *events && ret == 0; events++)
		ret = str_starts(*events, "-p ") ? add(args, "-p", *events + strlen("-p "))
						 : add(args, "-e", *events);
	return ret;
}

/* Only the functions that are named, unless a source needs all */
static int add_functions(const struct kt_metric *m, struct kt_names *args)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < m->nr_sources; i++)
		if (needs_calls(m->sources[i]) && !functions_of(m->sources[i]))
			return 0;
	for (i = 0; i < m->nr_sources && ret == 0; i++)
		if (needs_calls(m->sources[i]))
			ret = add(args, "-l", functions_of(m->sources[i]));
	return ret;
}

int kt_metric_record_args(const struct kt_metric *m, struct kt_names *args, struct kt_err *err)
{
	const char *tracer = NULL;
	size_t i;
	int ret = 0;

	for (i = 0; i < m->nr_sources && ret == 0; i++)
		ret = add_source(m->sources[i], args);
	if (ret == 0)
		ret = add_functions(m, args);
	if (ret < 0)
		return kt_err_result(err, ret);
	for (i = 0; i + 1 < args->nr; i += 2) {
		if (strcmp(args->names[i], "-p") != 0)
			continue;
		if (tracer)
			return kt_err_set(err, -EINVAL, "one recording has one tracer, not '%s' "
					  "and '%s'", tracer, args->names[i + 1]);
		tracer = args->names[i + 1];
	}
	return 0;
}
