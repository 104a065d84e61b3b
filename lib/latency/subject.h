/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* subject.h - does a latency belong to a subject? */
#ifndef LATENCY_SUBJECT_H
#define LATENCY_SUBJECT_H

#include <ktrail/latencies.h>

/* The NAME in a subject, borrowed; NULL: none, or turned into a condition on comm */
const char *subject_name(const struct kt_latency_subject *s);
/* Does a condition choose tasks, by comm or pid? */
bool subject_chooses_tasks(const struct kt_latency_subject *s);
/* The events of a pair or chain; ends with NULL. Borrowed */
void subject_events(const struct kt_latency_subject *s, const char *names[KT_LATENCY_STEPS + 1]);
/* The form that the kernel measures: two events, each "event" or "system:event", with a key and
 * maybe a filter. All borrowed */
struct subject_pair {
	const char *from, *to, *from_key, *to_key;
	const char *from_only, *to_only;	/* NULL: all of these events */
};
/* False: it has more events, or no key */
bool subject_as_pair(const struct kt_latency_subject *s, struct subject_pair *p);

struct str;

/*
 * Append its conditions to a filter of the kernel, each after " && ". @comm, @prio: does the event
 * have these fields? False: the kernel cannot express one of them.
 */
bool subject_add_filter(const struct kt_latency_subject *s, bool comm, bool prio, struct str *out);
/* Does its NAME match that of a row? True without a NAME */
bool subject_has_name(const struct kt_latency_subject *s, const char *row);
/* Do its conditions hold? */
bool subject_has(const struct kt_latency_subject *s, struct kt_trace *t,
		 const struct kt_latency *one);

/*
 * "event", "system:event" or "system/event", which becomes "system:event"; the next ':' ends it
 * and begins a filter. Returns the filter, within @step; NULL: none
 */
const char *subject_cut_filter(char *step);
/* A filter for an event in that form. @expr: NULL: all. New (kt_filter_destroy), or NULL */
struct kt_filter *subject_filter(struct kt_trace *t, const char *event, const char *expr,
				 struct kt_err *err);

#endif
