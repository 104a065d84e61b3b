/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* metric.h - the inside of a metric: its parts, and their subjects */
#ifndef METRIC_METRIC_H
#define METRIC_METRIC_H

#include <ktrail/filter.h>
#include <ktrail/latencies.h>

#include "base/compare.h"
#include "latency/dist.h"

enum figure { FIGURE_COUNT, FIGURE_RATE, FIGURE_ERRORS, FIGURE_TOTAL, FIGURE_AVG, FIGURE_RANK };

#define PPM 1000000

/* A subject, measured once even if several parts use it */
struct source {
	struct kt_analysis analysis;	/* of an event; first */
	struct kt_metric *metric;
	char *text;			/* as given */
	struct kt_latency_subject *latency;	/* NULL: an event */
	char *event;			/* "event" or "system:event" */
	const char *filter;		/* in the memory of @event; NULL: none */

	/* of the trace that is open */
	struct kt_latency_table *table;	/* NULL: nothing can be measured */
	struct kt_filter *only;
	char *why;			/* why nothing can be measured; NULL: it can */
	uint64_t count, sum, min, max, errors;
	struct dist dist;
};

/* "FIGURE(SUBJECT) SIGN VALUE" */
struct part {
	enum figure figure;
	uint32_t rank;			/* RANK: min is 0, a percentile in PPM, max is PPM */
	enum compare sign;
	double limit;
	uint64_t limit_ns;		/* the limit of a time */
	char *name, *limit_text;
	size_t source;			/* index */
	uint64_t nr_within;		/* RANK: samples for which the comparison holds */
	char *why;
};

struct kt_metric {
	struct part *parts;
	struct source **sources;	/* at stable addresses: analyses point to them */
	size_t nr, nr_sources;

	/* of the trace that is open */
	struct kt_analysis losses;
	struct kt_analysis **list;
	size_t nr_list;
	struct kt_trace *trace;
	struct kt_metric_opts opts;
	uint64_t nr_lost;		/* UINT64_MAX: an unknown number */
};

/* record.c: its events, like kt_latency_kind_events(); @one: room for the events that it names */
const char *const *metric_events(const struct source *s, const char *one[KT_LATENCY_STEPS + 1]);
/* verdict.c */
enum kt_metric_unit metric_unit(const struct part *p);

#endif
