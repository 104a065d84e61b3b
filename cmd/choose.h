/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choose.h - which records of a trace a command is about */
#ifndef CHOOSE_H
#define CHOOSE_H

#include <stdbool.h>

#include <ktrail/analysis.h>
#include <ktrail/filter.h>
#include <ktrail/trace.h>

#include "opts.h"

struct cpumask;

struct choose_filter {
	const char *text;
	bool exclude;
	int  file;			/* index of the input, -1: all */
};

/* An end of a window: '+' after the trace's beginning (the later end: after the earlier one),
 * '-' before its end */
struct choose_time {
	char     sign;			/* 0: the time itself */
	uint64_t ns;
};

struct choose_window {
	struct choose_time from, until;
};

/* First member of the arguments of a command that has CHOOSE_OPTS */
struct choose {
	const char *command;		/* its name, for notes on stderr */
	struct choose_filter *filters;
	struct choose_window *asked;	/* --time */
	char *cpus, *pids, *comms;	/* lists; NULL: all */
	size_t nr_filters, nr_windows;
	size_t nr_inputs;		/* given so far: a filter is about the one before it */
	bool exclude;			/* -v was given: of the filters that follow */
	bool quiet;			/* no notes */
	bool by_end;			/* all records are read: the command itself asks whether
					 * the one that ends something is chosen */

	/* choose_prepare(): the same in this trace */
	struct kt_filter *filter;	/* NULL: none is needed */
	struct kt_window *windows;	/* nr_windows of them */
	struct cpumask *only_cpus;	/* with by_end; NULL: all */
};

/* choose_opts.c */
int  choose_take_filter(void *args, const char *value, struct kt_err *err);
int  choose_take_exclude(void *args, const char *value, struct kt_err *err);
int  choose_take_cpus(void *args, const char *value, struct kt_err *err);
int  choose_take_pids(void *args, const char *value, struct kt_err *err);
int  choose_take_comms(void *args, const char *value, struct kt_err *err);
void choose_fini(struct choose *c);

#define CHOOSE_OPTS									\
	OPT_CALL('F', "filter", choose_take_filter, "filter",				\
		 "only what matches: events, 'events: expr', 'expr'"),			\
	OPT_CALL('v', "exclude", choose_take_exclude, NULL,				\
		 "drop what the following -F match"),				\
	OPT_CALL(0, "time", choose_take_window, "from,until",				\
		 "only this window: 12.5,+20ms, +1s,+20ms, -10ms,"),			\
	OPT_CALL(0, "cpu", choose_take_cpus, "list", "only these CPUs: 0,2-4"),		\
	OPT_CALL(0, "pid", choose_take_pids, "list", "only events of or about these tasks"), \
	OPT_CALL(0, "comm", choose_take_comms, "list", "the same, by name"),

/* choose.c: find the filter, the CPUs and the windows in @t, which nothing has read yet */
int choose_prepare(struct kt_trace *t, struct choose *c, struct kt_err *err);
/* ... and read it once for all of @list, with progress where a person waits */
int choose_run(struct kt_trace *t, const struct choose *c, unsigned int drop_flags,
	       struct kt_analysis *const list[], size_t nr, struct kt_err *err);

/* With by_end: is there a choice at all? Is this record chosen? */
bool choose_chooses(const struct choose *c);
bool choose_lets_pass(const struct choose *c, struct kt_trace *t, const struct kt_record *rec);

/* choose_windows.c */
int choose_take_window(void *args, const char *value, struct kt_err *err);
int choose_place_windows(struct kt_trace *t, struct choose *c, struct kt_err *err);
/* From the first to the last record: 1, 0 if there is none, -EINVAL if the clock has no seconds */
int choose_find_span(struct kt_stream *stream, struct kt_window *span, struct kt_err *err);

#endif
