/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why.h - shared by the files of `ktrail why` */
#ifndef EXPLAIN_WHY_H
#define EXPLAIN_WHY_H

#include <ktrail/latencies.h>
#include <ktrail/why.h>

#include "base/json.h"
#include "cmd/args/choose.h"

struct why_args {
	struct choose choose;		/* first: for its options */
	const char *input, *worst, *call, *at;
	int  task;
	bool has_task, json;
	bool unasked;			/* no option says what to explain */
	uint64_t nth, top;
	const char *sort;
	bool by_time;			/* @sort is "time" */

	struct kt_trace *trace;
	struct kt_latency_subject *subject;	/* of --worst, --call; NULL: none */
	uint64_t moment;
	struct kt_why_around *around;	/* of a moment without a task; NULL: a task is given */
	struct kt_why_opts *found;	/* the intervals to explain, owned */
	size_t nr_found;
};

/* why_find.c: sets @found and @around */
int  why_find(struct why_args *a, struct kt_err *err);
void why_find_end(struct why_args *a);

/* why_print.c */
void why_add_around(struct str *s, const struct why_args *a);
void why_add_text(struct str *s, const struct why_args *a, const struct kt_why_opts *o,
		  struct kt_why *w);
/* Members of an object */
void why_add_around_json(struct json *j, const struct why_args *a);
void why_add_json(struct json *j, const struct why_args *a, const struct kt_why_opts *o,
		  struct kt_why *w);

#endif
