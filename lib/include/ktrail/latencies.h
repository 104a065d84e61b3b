/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* latencies.h - distributions of latencies by task, interrupt, call …; conditions on them */
#ifndef KTRAIL_LATENCIES_H
#define KTRAIL_LATENCIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/analysis.h>
#include <ktrail/base.h>
#include <ktrail/filter.h>
#include <ktrail/reader.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kt_latency_kind {
	KT_LATENCY_WAKEUP,		/* from wakeup to running, per task */
	KT_LATENCY_PREEMPTED,		/* from losing the CPU to running again, per task */
	KT_LATENCY_BLOCKED,		/* from sleeping to wakeup, per task */
	KT_LATENCY_SLEEP,		/* the same, per reason: state, and kernel function */
	KT_LATENCY_RUN,			/* from getting a CPU to leaving it, per task */
	KT_LATENCY_IRQ,
	KT_LATENCY_SOFTIRQ,
	KT_LATENCY_SOFTIRQ_WAIT,	/* from raise to execution */
	KT_LATENCY_NMI,
	KT_LATENCY_IRQS_OFF,		/* sections with interrupts off, per CPU */
	KT_LATENCY_PREEMPT_OFF,		/* sections with preemption off */
	KT_LATENCY_SYSCALL,
	KT_LATENCY_BLOCK_IO,		/* from issue to completion, per device and size */
	KT_LATENCY_WORK_WAIT,		/* from queueing to execution, per function */
	KT_LATENCY_WORK,		/* execution of work, per function */
	KT_LATENCY_LOCK,		/* from contention to acquisition, per lock */
	KT_LATENCY_TIMER,		/* lateness of timers, per function */
	KT_LATENCY_NET_TX,		/* from queueing to transfer to the device */
	KT_LATENCY_NET_RX,		/* from receipt to consumption */
	KT_LATENCY_FAULT,		/* page faults, if function_graph recorded them */
	KT_LATENCY_TRACER,		/* the results of timerlat, osnoise or hwlat, per CPU */
	KT_LATENCY_CALL,		/* functions */
	KT_LATENCY_PAIR,		/* a pair of events given by the caller */
	KT_LATENCY_KINDS
};

/* A single latency, from its begin to its end */
struct kt_latency {
	uint64_t from, until;
	struct kt_spot spot;		/* position before the record that ends it */
	size_t   file;
	int      pid;			/* the task that it belongs to */
	int      cpu;			/* where it ended */
	int      holder;		/* the task that had that CPU before the end */
	uint64_t value;			/* of the begin: the priority of a woken task, sectors of
					 * block I/O … */
	int64_t  result;		/* of the end: the return value of a system call */
};

/* Levels of histogram and map: 0 to 1 ns, up to 2, 5, 10 … 500 s, and longer */
#define KT_LATENCY_LEVELS  37
#define KT_LATENCY_COLUMNS 128		/* equal parts of the window */
#define KT_LATENCY_ERRNOS  134
#define KT_LATENCY_LONGEST 20		/* of a row */

struct kt_latency_row {
	enum kt_latency_kind kind;
	const char *name;		/* borrowed from the table */
	uint64_t count, sum, min, max;	/* ns */
	uint64_t cut;			/* with an uncertain begin or end; not counted elsewhere */
	uint64_t p50, p90, p99, p999;	/* to within 1.6 % */
	struct kt_latency worst;
	const uint64_t *levels;		/* KT_LATENCY_LEVELS counts */
	/* By level, then by end time: KT_LATENCY_LEVELS pointers to KT_LATENCY_COLUMNS counts, NULL
	 * for an empty level. NULL: not requested */
	const uint32_t *const *map;
	/* With a map: the longest ones, in descending order once all records were read */
	const struct kt_latency *longest;
	size_t   nr_longest;
	uint64_t nr_errors;		/* system calls that returned a negative errno */
	const uint32_t *errnos;		/* KT_LATENCY_ERRNOS counts; NULL: no errors */
};

/* "ENOENT" for 2, by the numbers that most architectures share; NULL: it has no name */
const char *kt_errno_name(int err);

/* "wakeup", "irq" … */
const char *kt_latency_kind_name(enum kt_latency_kind kind);
/* A short title */
const char *kt_latency_kind_title(enum kt_latency_kind kind);
/* "task", "interrupt" …: what a row stands for */
const char *kt_latency_kind_noun(enum kt_latency_kind kind);
/* Does the trace have an event for this kind? */
bool kt_latency_kind_is_recorded(struct kt_trace *t, enum kt_latency_kind kind);
/* The events to record for it, as arguments of `record -e`; ends with NULL. If it needs a
 * tracer instead: "-p function_graph". KT_LATENCY_PAIR has none. */
const char *const *kt_latency_kind_events(enum kt_latency_kind kind);

/* The level of a duration, and the smallest duration of a level */
unsigned int kt_latency_level(uint64_t ns);
uint64_t kt_latency_level_from(unsigned int level);

/* ---- what to measure, written as text ---- */

/*
 * A subject is one of
 *
 *	KIND [NAME] [CONDITION …]
 *	EVENT -> EVENT … [by KEYS [CONDITION …]]
 *
 * such as "syscall read", "wakeup prio<100", "sched_waking -> sched_switch by pid=next_pid".
 * NAME is a shell pattern for the name of a row; of rows for tasks it is that of the task.
 * A CONDITION is about comm (a pattern), pid, cpu or prio: "comm==rt-app", "cpu!=0". An EVENT
 * may have a filter: "sched_waking: prio < 100". Quotes keep blanks together.
 */
struct kt_latency_subject;

/* New (kt_latency_subject_destroy), NULL: -EINVAL says what is wrong, -ENOMEM */
struct kt_latency_subject *kt_latency_subject_parse(const char *text, struct kt_err *err);
/* The same of a pair or chain: 2 to KT_LATENCY_STEPS events, KEYS or NULL */
struct kt_latency_subject *kt_latency_subject_pair(const char *const events[], size_t nr,
						   const char *keys, struct kt_err *err);
void kt_latency_subject_destroy(struct kt_latency_subject *s);
enum kt_latency_kind kt_latency_subject_kind(const struct kt_latency_subject *s);
/* As it was given; borrowed */
const char *kt_latency_subject_text(const struct kt_latency_subject *s);

/* ---- latencies of a whole trace, in one pass ---- */

/* A step of KT_LATENCY_PAIR: the first step is the begin, the last one the end. */
struct kt_latency_step {
	const char *event;		/* "event" or "system:event" */
	const char *key;		/* fields, up to two: "dev,sector"; NULL: any */
	struct kt_filter *only;		/* NULL: all of these events. Borrowed */
};

#define KT_LATENCY_STEPS 8

/*
 * The steps of a pair, with their filters made for @t; borrowed until the next call for @s, or
 * until @s is destroyed. No steps: @s is not a pair. 0, -EINVAL: a filter is wrong, -ENOMEM
 */
int kt_latency_subject_steps(struct kt_latency_subject *s, struct kt_trace *t,
			     const struct kt_latency_step **steps, size_t *nr, struct kt_err *err);

#define KT_LATENCY_SUBJECTS 31

struct kt_latency_opts {
	unsigned int kinds;		/* bits 1 << enum kt_latency_kind */
	const struct kt_latency_step *steps;	/* of KT_LATENCY_PAIR, copied except for filters */
	size_t nr_steps;		/* 2 to KT_LATENCY_STEPS */
	bool by_key;			/* a row for each key of a pair */
	/* Kinds with subjects: count only latencies that belong to one of them. Borrowed */
	struct kt_latency_subject *const *subjects;
	size_t nr_subjects;		/* at most KT_LATENCY_SUBJECTS */
	bool together;			/* one row for each kind */
	const struct kt_window *map;	/* rows get a map of this window; NULL: none. Copied */
	size_t worst;			/* the number of longest latencies kept of each kind */
	/* Optional: is a latency that ends with @rec counted? */
	bool (*counts)(void *data, const struct kt_record *rec);
	/* Optional: is a latency of this task counted? */
	bool (*chosen)(void *data, size_t file, int pid);
	/* Optional: receives each counted latency, in place of its row */
	int  (*each)(void *data, enum kt_latency_kind kind, uint64_t key,
		     const struct kt_latency *one);
	void *data;
};

/*
 * Memory: 8 KiB per row, plus up to 19 KiB for its map; at most 2048 rows of a kind. Further
 * ones are summed up in one row, "(others)".
 */
struct kt_latency_table;

/**
 * kt_latency_table_create - measure latencies, for kt_pass_run()
 *
 * Returns new (kt_latency_table_destroy), or NULL with
 *   -EINVAL  the steps do not form a pair
 *   -ENOENT  the trace lacks their events or fields
 *   -ENOMEM
 */
struct kt_latency_table *kt_latency_table_create(struct kt_trace *t,
						 const struct kt_latency_opts *opts,
						 struct kt_err *err);
void kt_latency_table_destroy(struct kt_latency_table *table);
struct kt_analysis *kt_latency_table_analysis(struct kt_latency_table *table);

/* In order of first occurrence */
size_t kt_latency_table_nr(const struct kt_latency_table *table);
bool kt_latency_table_row(const struct kt_latency_table *table, size_t i,
			  struct kt_latency_row *row);
/* The key that identifies the row, as passed to each() */
uint64_t kt_latency_table_key(const struct kt_latency_table *table, size_t i);
/* The longest of a kind, in descending order; NULL after the last. Valid after a pass. */
const struct kt_latency *kt_latency_table_worst(const struct kt_latency_table *table,
						enum kt_latency_kind kind, size_t i);

/* ==== a condition on figures: it holds, does not hold, or is undecided ==== */

enum kt_verdict {
	KT_VERDICT_HOLDS,
	KT_VERDICT_FAILS,
	KT_VERDICT_UNKNOWN,
};

/* "holds", "does not hold", "cannot tell" */
const char *kt_verdict_text(enum kt_verdict v);

/*
 * A metric is one or more of these, joined by "and":
 *
 *	FIGURE(SUBJECT) SIGN VALUE	"p99(wakeup comm==rt-app) < 200us"
 *
 * FIGURE: count, rate (per second), errors (of system calls), total, avg, min, max, or a
 * percentile such as p50, p99 or p99.9. SUBJECT: as for kt_latency_subject_parse(), or
 * "event [SYSTEM:]EVENT[: FILTER]" for count and rate. A VALUE that is a time needs a unit.
 */
struct kt_metric;

/* New (kt_metric_destroy), NULL: -EINVAL says what is wrong, and where; -ENOMEM */
struct kt_metric *kt_metric_parse(const char *text, struct kt_err *err);
/* Join @text to @m by "and". 0, -EINVAL, -ENOMEM */
int kt_metric_add(struct kt_metric *m, const char *text, struct kt_err *err);
void kt_metric_destroy(struct kt_metric *m);

/*
 * Add the arguments of `ktrail record` that record its events to @args: "-e", "sched:sched_switch",
 * "-p", "function_graph", "-l", "vfs_read" … 0, -ENOMEM, or -EINVAL: its parts need different
 * tracers.
 */
int kt_metric_record_args(const struct kt_metric *m, struct kt_names *args, struct kt_err *err);

struct kt_metric_opts {
	uint64_t duration_ns;		/* of the part of the trace that is read, for rates */
	/* As in kt_latency_opts */
	bool (*counts)(void *data, const struct kt_record *rec);
	bool (*chosen)(void *data, size_t file, int pid);
	void *data;
};

/**
 * kt_metric_open - prepare to measure all parts of a metric in one pass over a trace
 * @t: borrowed until kt_metric_close()
 *
 * Missing events are not an error, but leave the condition undecided. 0 or
 *   -EINVAL  a filter names a field that its event does not have
 *   -ENOMEM
 */
int kt_metric_open(struct kt_metric *m, struct kt_trace *t, const struct kt_metric_opts *opts,
		   struct kt_err *err);
/* For kt_pass_run(): borrowed until close */
struct kt_analysis *const *kt_metric_analyses(const struct kt_metric *m, size_t *nr);
/* The metric can be opened again. */
void kt_metric_close(struct kt_metric *m);

enum kt_metric_unit { KT_METRIC_NUMBER, KT_METRIC_PER_SECOND, KT_METRIC_NS };

/* One part of it. Strings are borrowed until kt_metric_close(). */
struct kt_metric_row {
	const char *name;		/* "p99(wakeup comm==rt-app)" */
	const char *limit_text;		/* "< 200us", as given */
	enum kt_metric_unit unit;
	bool   has_value;		/* false: there are no samples */
	double value, limit;		/* in @unit. Percentiles are to within 1.6 %; their verdict
					 * is exact */
	uint64_t samples;
	uint64_t unseen;		/* samples that a loss of events may have hidden, at most;
					 * UINT64_MAX: an unknown number */
	enum kt_verdict verdict;	/* UNKNOWN too if the unseen samples could change it */
	const char *why;		/* reason for UNKNOWN, else NULL */
	bool   not_recorded;		/* UNKNOWN because the trace lacks the events */
};

/* Figures are known between a pass and kt_metric_close(). False after the last row */
bool kt_metric_row(struct kt_metric *m, size_t i, struct kt_metric_row *row);
/* Of all rows: FAILS if one does; else UNKNOWN if one is */
enum kt_verdict kt_metric_verdict(struct kt_metric *m);

/* ==== many runs: how often does the metric fail? ==== */

/*
 * Wald's sequential test. A run of a good commit fails with a probability of at most @good, a run
 * of a bad one with at least @bad. @error: maximum probability of a wrong verdict.
 */
struct kt_sequential {
	double good, bad, error;
};

/* -EINVAL unless 0 < good < bad < 1 and 0 < error < 0.5 */
int kt_sequential_check(const struct kt_sequential *s, struct kt_err *err);
/* HOLDS: good. FAILS: bad. UNKNOWN: more runs are needed. */
enum kt_verdict kt_sequential_verdict(const struct kt_sequential *s, uint64_t runs,
				      uint64_t failed);

#ifdef __cplusplus
}
#endif
#endif
