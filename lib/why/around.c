/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* around.c - what each CPU did at a moment, and which task waited longest for one */
#include <ktrail/why.h>

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

#define AROUND_NS 1000000000ull		/* read before and after the moment */
#define CPUS_MAX  65536

static const unsigned int kinds = 1u << KT_SPAN_RUN | 1u << KT_SPAN_PREEMPTED |
				  1u << KT_SPAN_WAIT;

struct kt_why_around {
	size_t file;
	uint64_t ts;
	struct kt_spans *spans;
	struct kt_why_run *runs;	/* in order of CPUs */
	size_t nr;
	struct kt_why_opts longest;	/* pid 0: no task waited */
};

static int add_run(struct kt_why_around *a, const struct kt_span *s)
{
	size_t i = 0, k;

	while (i < a->nr && a->runs[i].cpu < s->end.cpu)
		i++;
	if (i == a->nr || a->runs[i].cpu != s->end.cpu) {
		if (a->nr == CPUS_MAX)
			return 0;
		if (!array_reserve(a->runs, a->nr))
			return -ENOMEM;
		for (k = a->nr++; k > i; k--)
			a->runs[k] = a->runs[k - 1];
	} else if (a->runs[i].from > s->begin.ts) {
		return 0;
	}
	/* If one run ends at the moment and another begins, the second one counts. */
	a->runs[i] = (struct kt_why_run){ .cpu = s->end.cpu, .pid = s->pid,
					  .from = s->begin.ts, .until = s->end.ts };
	return 0;
}

static int take_span(void *data, const struct kt_span *s, struct kt_err *err)
{
	struct kt_why_around *a = data;
	uint64_t ns = s->end.ts - s->begin.ts;

	if (s->file != a->file || s->begin.ts > a->ts || s->end.ts < a->ts ||
	    s->flags & KT_SPAN_CUT)
		return 0;
	if (s->kind == KT_SPAN_RUN)
		return add_run(a, s) < 0 ? kt_err_no_memory(err) : 0;
	if (s->pid > 0 && ns > a->longest.until - a->longest.from)
		a->longest = (struct kt_why_opts){ .file = s->file, .pid = s->pid,
						   .from = s->begin.ts, .until = s->end.ts };
	return 0;
}

struct kt_why_around *kt_why_around_create(struct kt_trace *t, size_t file, uint64_t ts,
					   struct kt_err *err)
{
	struct kt_why_around *a = calloc(1, sizeof(*a));

	if (!a) {
		kt_err_no_memory(err);
		return NULL;
	}
	a->file = file;
	a->ts = ts;
	a->spans = kt_spans_create(t, &(struct kt_spans_opts){
		.kinds = kinds, .sink = take_span, .data = a }, err);
	if (a->spans)
		return a;
	free(a);
	return NULL;
}

void kt_why_around_destroy(struct kt_why_around *a)
{
	if (!a)
		return;
	kt_spans_destroy(a->spans);
	free(a->runs);
	free(a);
}

struct kt_analysis *kt_why_around_analysis(struct kt_why_around *a)
{
	return kt_spans_analysis(a->spans);
}

struct kt_window kt_why_around_window(const struct kt_why_around *a)
{
	return (struct kt_window){ a->ts > AROUND_NS ? a->ts - AROUND_NS : 0,
				   a->ts < UINT64_MAX - AROUND_NS ? a->ts + AROUND_NS
								  : UINT64_MAX };
}

const struct kt_why_run *kt_why_around_run(const struct kt_why_around *a, size_t i)
{
	return i < a->nr ? &a->runs[i] : NULL;
}

bool kt_why_around_longest(const struct kt_why_around *a, struct kt_why_opts *o)
{
	*o = a->longest;
	return a->longest.pid > 0;
}
