/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choose.h - which records of a trace a command uses */
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

/*
 * An end of a window: '+' counts from the trace's beginning (the later end: from the earlier
 * one), '-' back from the trace's end
 */
struct choose_time {
	char     sign;			/* 0: an absolute time */
	uint64_t ns;
};

struct choose_window {
	struct choose_time from, until;
};

/* The first member of the arguments of a command that uses CHOOSE_OPTS */
struct choose {
	const char *command;		/* its name, for notes on stderr */
	struct choose_filter *filters;
	struct choose_window *asked;	/* --time */
	char *cpus, *pids, *comms;	/* lists; NULL: all */
	size_t nr_filters, nr_windows;
	size_t nr_inputs;		/* inputs so far: a filter applies to the last one */
	bool exclude;			/* -v was given: it inverts the filters that follow */
	bool quiet;			/* no notes */
	bool by_end;			/* all records are read: the command itself asks whether
					 * the record that ends something is chosen */
	bool by_task;			/* the command also asks about tasks: they are not part
					 * of the filter */

	/* choose_prepare() sets these from the options above, for this trace */
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

#define CHOOSE_OPTS CHOOSE_OPTS_OF("only events of or about these tasks", )
/* @flags: RARE if --time and --pid are what users of the command ask for */
#define CHOOSE_OPTS_OF(tasks, flags)							\
	OPT_CALL('F', "filter", choose_take_filter, "filter",				\
		 "only records that match 'events: expr' or 'expr'"),			\
	OPT_CALL('v', "exclude", choose_take_exclude, NULL,				\
		 "drop the records that the following -F match", flags),		\
	OPT_CALL(0, "time", choose_take_window, "from,until",				\
		 "only this window: 12.5,+20ms; -10ms, to the end"),			\
	OPT_CALL(0, "cpu", choose_take_cpus, "list", "only these CPUs: 0,2-4", flags),	\
	OPT_CALL(0, "pid", choose_take_pids, "list", tasks),				\
	OPT_CALL(0, "comm", choose_take_comms, "list", "the same for tasks of these names", flags),

/* choose.c: set up the filter, the CPUs and the windows for @t, which has not been read yet */
int choose_prepare(struct kt_trace *t, struct choose *c, struct kt_err *err);
/* Free the set-up for a trace, so that @c can be prepared for another one. */
void choose_forget(struct choose *c);
/* … and read @t once for all of @list, showing progress on a terminal */
int choose_run(struct kt_trace *t, const struct choose *c, unsigned int drop_flags,
	       struct kt_analysis *const list[], size_t nr, struct kt_err *err);

/* With by_end: is a choice set? Is this record chosen? */
bool choose_chooses(const struct choose *c);
bool choose_lets_pass(const struct choose *c, struct kt_trace *t, const struct kt_record *rec);
/* The user's choice, for messages that nothing matches: " chosen by --time, --pid"; "": all */
const char *choose_asked(const struct choose *c, char *buf, size_t size);
/* With by_end: does --cpu include @cpu? */
bool choose_has_cpu(const struct choose *c, int cpu);
/* With by_task: do --pid and --comm include the task? */
bool choose_has_task(const struct choose *c, struct kt_trace *t, size_t file, int pid);

/* choose_windows.c */
int choose_take_window(void *args, const char *value, struct kt_err *err);
/* A window without length: "12.345", "+2s", "-10ms" */
int choose_take_moment(void *args, const char *value, struct kt_err *err);
int choose_place_windows(struct kt_trace *t, struct choose *c, struct kt_err *err);
/* From the first to the last record: 1, 0 if there is none, -EINVAL if the clock has no seconds */
int choose_find_span(struct kt_stream *stream, struct kt_window *span, struct kt_err *err);

#endif
