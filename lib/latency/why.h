/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* why.h - what tasks and CPUs did in a window, and the reasons made of that */
#ifndef LATENCY_WHY_H
#define LATENCY_WHY_H

#include <ktrail/span.h>
#include <ktrail/why.h>

#include "latency/handlers.h"

/* A state of a task, or an interrupt on a CPU */
struct stretch {
	uint64_t from, until;
	uint64_t key;			/* interrupt, vector, state */
	uint64_t function;		/* where it blocks; 0: not known */
	int32_t  pid;
	int32_t  waker;			/* of what is blocked: the task that had the CPU where it
					 * was woken; -1: it was not in this window */
	int16_t  cpu;			/* where it ran, waited to run, or was woken */
	uint8_t  kind;			/* enum kt_span_kind */
	uint8_t  flags;			/* common_flags of the record that ended it */
};

struct kt_why {
	struct kt_analysis analysis;
	struct kt_trace *trace;
	struct kt_why_opts opts;
	struct kt_spans *spans;
	struct stretch *at;		/* by their beginning, once all are there */
	size_t nr, room;
	struct kt_why_line *lines;
	size_t nr_lines, room_lines;
	struct handlers handlers;
	bool   failed;			/* no memory */
};

/* why_reasons.c: the lines, from the stretches */
void why_explain(struct kt_why *w);

#endif
