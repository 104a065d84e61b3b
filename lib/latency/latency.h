/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* latency.h - from spans, calls and samples to rows of latencies */
#ifndef LATENCY_LATENCY_H
#define LATENCY_LATENCY_H

#include <ktrail/latencies.h>
#include <ktrail/span.h>

#include "base/keymap.h"
#include "latency/dist.h"
#include "latency/handlers.h"

struct row {
	struct kt_latency_row pub;
	char    *name;
	uint64_t key;
	uint32_t *errnos;		/* KT_LATENCY_ERRNOS; NULL: none yet */
	struct dist dist;
	struct longest longest;		/* empty without a map */
};

/* The progress of a chain of steps with one key */
struct chain {
	struct kt_span_end begin, at;	/* of the first step, of the last one seen */
	size_t done;			/* steps */
};

enum { PART_SPANS, PART_CALLS, NR_PARTS };

/* The records of a file that each part needs, and the table itself; bits by event id */
struct uses {
	uint64_t parts[NR_PARTS][KT_ANALYSIS_WORDS], own[KT_ANALYSIS_WORDS];
};

struct taken;

/* For other rooms: receives all latencies with their rows' names, in place of the rows */
struct latency_tap {
	/* Is it the first with this key, so that take() needs the name? */
	bool (*is_new)(void *data, uint64_t key);
	/* @cut: its begin or end is uncertain. 0 or -ENOMEM */
	int  (*take)(void *data, const struct taken *x, bool cut, const char *name);
	void *data;
};

struct kt_latency_table {
	struct kt_analysis analysis;
	struct kt_trace *trace;
	struct kt_latency_opts opts;
	unsigned int kinds_of[KT_SPAN_KINDS];	/* opts.kinds that use such spans */
	struct kt_window map;
	struct kt_latency_step steps[KT_LATENCY_STEPS];
	char *pair_name;		/* "from → to", owned */
	struct kt_spans *spans;		/* NULL: no kind uses spans */
	struct kt_calls *calls;
	struct kt_analysis *parts[NR_PARTS];	/* of @spans and @calls */
	struct uses *uses;		/* one for each file */
	struct row *rows;
	size_t nr, room;
	size_t nr_of[KT_LATENCY_KINDS];	/* rows of each kind */
	struct keymap row_of;
	struct keymap named;		/* by key of a row: bits of its subjects */
	struct longest worst[KT_LATENCY_KINDS];
	struct chain *chains;
	size_t nr_chains;
	struct keymap chain_of;
	struct handlers handlers;
	struct {			/* of the first expired timer of the wheel */
		uint64_t now, ts;	/* in jiffies, and ns; 0: none yet */
		size_t   file;
	} wheel;
	const struct kt_record *rec;	/* the current record */
	uint64_t nr_torn;		/* chosen latencies cut by a loss of events */
	struct latency_tap tap;		/* .take NULL: none */
};

/*
 * A latency that ended, for the row of @key. @cut: its begin or end is uncertain; @torn: because
 * events were lost, not because the recording begins or ends.
 */
struct taken {
	enum kt_latency_kind kind;
	uint64_t key;
	bool cut, torn;
	struct kt_latency one;
};

/* Is it the first of its row, so that the name is needed? */
bool latency_is_new(const struct kt_latency_table *t, const struct taken *x);
/* 0 or -ENOMEM */
int  latency_take(struct kt_latency_table *t, const struct taken *x, const char *name);

/* The number of chosen latencies that a loss of events has cut */
uint64_t latency_nr_torn(const struct kt_latency_table *t);

/* kinds.c: KT_SPAN_KINDS: not made of spans */
enum kt_span_kind latency_span_of(enum kt_latency_kind kind);
/* Does a file of the trace have "system:event", or "event" of any system? */
bool latency_has_event(struct kt_trace *t, const char *word);

/* names.c */
void latency_format_task(struct kt_trace *t, size_t file, int pid, char *name, size_t size);
void latency_name_span(const struct kt_latency_table *t, enum kt_latency_kind kind,
		       const struct kt_span *s, char *name, size_t size);
uint64_t latency_key_of(const struct kt_latency_table *t, enum kt_latency_kind kind,
			const struct kt_span *s);

/* take.c: sinks, whose @data are the table */
int  latency_take_span(void *data, const struct kt_span *s, struct kt_err *err);
int  latency_take_call(void *data, const struct kt_call *c, struct kt_err *err);

/* samples.c: the measurements of timerlat, osnoise and hwlat */
bool latency_is_sample(const struct kt_event *ev);
bool latency_is_sample_name(const char *system, const char *name);
int  latency_take_sample(struct kt_latency_table *t, const struct kt_event *ev,
			 const struct kt_record *rec);

#endif
