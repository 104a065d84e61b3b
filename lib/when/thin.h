/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* thin.h - a second buffer with only the events of conditions */
#ifndef WHEN_THIN_H
#define WHEN_THIN_H

#include <ktrail/rec.h>
#include <ktrail/trace.h>

#include "when/watch.h"

/* An atom whose events are in the buffer */
struct watch {
	struct thin *thin;
	struct atom *atom;
	struct kt_latency_table *table;	/* LATENCY */
	struct kt_filter *filter;	/* EVENT */
	uint64_t types[KT_ANALYSIS_WORDS];	/* the ids of its events */
	const struct kt_record *rec;	/* the current one */
};

struct thin {
	struct kt_when *when;
	struct kt_instance *events;	/* defines what the kernel writes into @inst */
	struct kt_instance *inst;
	const char *tracer;		/* of @inst; NULL: none */
	int bell_fd;			/* readable: an event has come. -1: read periodically */
	struct kt_temp *dir;
	char path[4200];		/* the temporary recording */
	struct kt_rec *rec;
	struct kt_trace *trace;
	struct kt_batch *batch;
	struct watch *watches;
	size_t nr;
	uint64_t lost;			/* by earlier recordings */
	fire_fn *fire;
	void *data;
};

/* thin_setup.c: create the buffer, and enable the events of all conditions in it */
int  thin_set_up(struct thin *t, const char *name, struct kt_err *err);
/* Remove it */
void thin_tear_down(struct thin *t);
/* Is its condition evaluated from events? */
bool thin_has(struct atom *a);
/* Does the kernel measure this latency? */
bool thin_is_measured(const struct atom *a);

#endif
