/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* analysis.h - sums over a whole trace: profile, call chains, kernel memory, scheduling */
#ifndef KTRAIL_ANALYSIS_H
#define KTRAIL_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/base.h>
#include <ktrail/event.h>
#include <ktrail/filter.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== several analyses in one pass over a trace ==== */

#define KT_ANALYSIS_WORDS (65536 / 64)	/* one bit for each event id */

/**
 * struct kt_analysis - a computation over the records of a trace
 *
 * It is the first member of the analysis itself. kt_spans_analysis(), kt_profile_analysis() and
 * similar functions return one; a program may also provide its own. All callbacks run in the
 * thread that called kt_pass_run().
 */
struct kt_analysis {
	/*
	 * Take one record. Records come in order of time.
	 * @ev: its event; never NULL
	 * Returns 0, or a negative errno that ends the pass, with @err set
	 */
	int  (*record)(struct kt_analysis *a, const struct kt_event *ev,
		       const struct kt_record *rec, struct kt_err *err);
	/*
	 * Optional: events were lost on the source of @rec, between its previous record and
	 * @rec. Called before record(), also for records that the analysis does not get.
	 */
	void (*lost)(struct kt_analysis *a, const struct kt_record *rec);
	/* Optional: a new window begins; open spans end here without an end event */
	void (*gap)(struct kt_analysis *a);
	/* Optional: called after the last record, to sort and sum up. Same return value */
	int  (*finish)(struct kt_analysis *a, struct kt_err *err);
	/*
	 * Optional: set the bits of the events of @file that it needs; otherwise it receives
	 * all. Records that no analysis of the pass needs cost almost nothing.
	 */
	void (*types)(struct kt_analysis *a, size_t file, uint64_t bits[KT_ANALYSIS_WORDS]);
};

struct kt_pass_opts {
	struct kt_filter *filter;		/* use only these records; NULL: all. Borrowed */
	const struct kt_window *windows;	/* use only records within these; borrowed */
	size_t nr_windows;			/* 0: the whole trace */
	unsigned int drop_flags;		/* exclude records with one of these common_flags */
	uint64_t limit;				/* use at most this many of them; 0: all */
	int threads;				/* for decompression; 0: one per CPU */
	/*
	 * Optional: called about every 50 ms with the progress in bytes of ring buffer.
	 * False stops the pass.
	 */
	bool (*progress)(void *data, uint64_t done, uint64_t total);
	void *data;
};

/**
 * kt_pass_run - read the trace once, for all analyses in @list
 * @t:    read from the beginning, wherever its stream is; kt_stream_mute() before the first
 *        read excludes CPUs
 * @opts: NULL: the whole trace
 *
 * Returns 0, -ECANCELED if progress() stopped it (earlier records were analysed, and finish()
 * was called), or the error of an analysis or of reading.
 */
int kt_pass_run(struct kt_trace *t, struct kt_analysis *const list[], size_t nr,
		const struct kt_pass_opts *opts, struct kt_err *err);

/* ==== how often each event of each task occurred, and its callers ==== */

struct kt_chains;

/* A function on the path to the event. All borrowed until the chains or the trace are destroyed. */
struct kt_chain_caller {
	const char *function;
	uint64_t count;				/* number of times */
	const struct kt_chain_caller *callers;	/* its callers; the most frequent first */
	const struct kt_chain_caller *next;	/* next caller of the same function */
};

struct kt_chain {
	int         pid;		/* -1: all tasks */
	const char *comm;		/* NULL: all tasks */
	const char *name;		/* of the event or function */
	bool        is_function;
	uint64_t    count;
	const struct kt_chain_caller *callers;
};

/**
 * kt_chains_create - count the events of a trace by call chain, for kt_pass_run()
 * @ignore_pids: count the events of all tasks together
 *
 * The callers are those in the kernel stack recorded with the event. Without a
 * stack they are the open calls of the task, from the function or function_graph
 * tracer; these calls are counted as events, too. Frames without a symbol are
 * omitted. The user-space stacks of the option userstacktrace belong to
 * the previous event and are not counted.
 *
 * Memory: about 70 bytes for each different chain and each function in it.
 * The most frequent come first. Returns new (kt_chains_destroy), or NULL: -ENOMEM.
 */
struct kt_chains *kt_chains_create(struct kt_trace *t, bool ignore_pids, struct kt_err *err);
void kt_chains_destroy(struct kt_chains *c);
/* The following results are valid after a pass has finished. */
struct kt_analysis *kt_chains_analysis(struct kt_chains *c);

size_t kt_chains_nr(const struct kt_chains *c);
const struct kt_chain *kt_chains_at(const struct kt_chains *c, size_t i);
/* The number of counted events and functions */
uint64_t kt_chains_total(const struct kt_chains *c);

/* ==== columns of plugins, summed up over a trace ==== */

struct kt_columns;

/* A column of an event; strings are borrowed until the columns are destroyed */
struct kt_column_row {
	const char *system, *event;
	const char *plugin;		/* the plugin that provides the column */
	const char *column, *summary;
	enum kt_column_kind kind;	/* NUMBER, TIME_NS or BYTES */
	uint64_t count;			/* records with a value, at least 1 */
	int64_t  min, max;
	int64_t  p50, p90, p99;		/* percentiles, to within 3 % */
	double   average, total;
};

/**
 * kt_columns_create - sum up the columns of the events of @t, for kt_pass_run()
 * @plugins: borrowed, as @t; all files must have been added to @t
 *
 * New (kt_columns_destroy), NULL with -ENOMEM. Memory: 16 KiB for each column found.
 */
struct kt_columns *kt_columns_create(struct kt_trace *t, struct kt_plugins *plugins,
				     struct kt_err *err);
void kt_columns_destroy(struct kt_columns *c);

/* The following results are valid after a pass has finished. */
struct kt_analysis *kt_columns_analysis(struct kt_columns *c);

/* Sorted by system, event and column; NULL after the last. */
const struct kt_column_row *kt_columns_row(struct kt_columns *c, size_t i);

/* ==== kernel memory in a trace: the allocating functions, and the padding ==== */

struct kt_kmem;

/* One calling function; all sizes in bytes */
struct kt_kmem_row {
	const char *function;		/* borrowed until the report is destroyed */
	uint64_t alloc, req;		/* still allocated at the end, with and without padding */
	uint64_t total_alloc, total_req;	/* over the whole trace */
	uint64_t max_alloc, max_req;	/* highest values of alloc and req */
	uint64_t max_waste;		/* the largest difference between alloc and req */
};

/**
 * kt_kmem_create - sum up the kmem events of a trace, for kt_pass_run()
 *
 * Counts kmalloc, kmalloc_node, kmem_cache_alloc, kmem_cache_alloc_node, kfree
 * and kmem_cache_free. Frees of objects allocated before the trace are not counted.
 * Memory: 40 bytes for each allocated object.
 *
 * Rows are sorted by bytes wasted. Returns new (kt_kmem_destroy), or NULL with
 *   -ENOENT  the trace has no formats of kmem events
 *   -ENOMEM
 */
struct kt_kmem *kt_kmem_create(struct kt_trace *t, struct kt_err *err);
void kt_kmem_destroy(struct kt_kmem *k);
/* The following results are valid after a pass has finished. */
struct kt_analysis *kt_kmem_analysis(struct kt_kmem *k);

size_t kt_kmem_nr(const struct kt_kmem *k);
const struct kt_kmem_row *kt_kmem_row(const struct kt_kmem *k, size_t i);

/* ==== where tasks spend their time: pairs of events, with their stacks ==== */

struct kt_profile;

struct kt_profile_opts {
	bool global_irqs;		/* interrupts count for their CPU, not for the task */
	bool by_comm;			/* tasks with the same name count together */
	const char *const *hooks;	/* further pairs, as in -H; ends with NULL, may be NULL */
};

/* In clock units, mostly ns */
struct kt_profile_time {
	uint64_t count, total, max, min;
	uint64_t max_ts, min_ts;	/* times of their ends */
};

/* A frame in the stacks of a row, innermost first. All borrowed until the profile is destroyed. */
struct kt_profile_frame {
	uint64_t address;
	const char *function;			/* NULL: no symbol */
	struct kt_profile_time time;		/* of all stacks with this frame */
	const struct kt_profile_frame *callers;	/* in descending order of time */
	const struct kt_profile_frame *next;	/* next frame at this level */
};

struct kt_profile_row {
	const char *event;		/* the event that begins it, or the function */
	const char *value;		/* its subject: state, interrupt, pid; "" */
	bool is_function;
	bool is_timed;			/* a pair; otherwise only time.count is valid */
	struct kt_profile_time time;
	const struct kt_profile_frame *stacks;
};

struct kt_profile_task {
	int pid;			/* -1: with by_comm, or for a CPU */
	int cpu;			/* for global interrupts and idle tasks, else -1 */
	const char *comm;		/* NULL: the interrupts of a CPU */
	size_t nr_rows;
};

/**
 * kt_profile_create - sum up the pairs of events of a trace, for kt_pass_run()
 * @opts: copied, may be NULL
 *
 * Pairs are sched_switch (off the CPU until woken, or until running again, by state),
 * sched_wakeup (until running), irq_handler_entry and _exit, softirq_raise, _entry and
 * _exit, sys_enter and sys_exit, syscalls of each name, workqueue_execute_start
 * and _end, the durations of function_graph, and @hooks:
 *
 *	[system:]start,field[,pid_field]/[system:]end,field[,flags]
 *
 * with flags p (both on one CPU), g (count for the CPU) and s (stack; for the
 * recorder). All other events are counted by their first field.
 *
 * A pair is not counted if one of its ends is excluded, or if events were lost between its
 * ends. A pair does not extend across two windows.
 *
 * Returns new (kt_profile_destroy), or NULL with
 *   -EINVAL  an invalid hook
 *   -ENOENT  the trace lacks its events or fields
 *   -ENOMEM
 */
struct kt_profile *kt_profile_create(struct kt_trace *t, const struct kt_profile_opts *opts,
				     struct kt_err *err);
void kt_profile_destroy(struct kt_profile *p);
/* The following results are valid after a pass has finished. */
struct kt_analysis *kt_profile_analysis(struct kt_profile *p);
/* The number of pairs not counted because events were lost between their ends */
uint64_t kt_profile_nr_cut(const struct kt_profile *p);

/* The sort key, in descending order. The sort is stable. */
enum kt_profile_order {
	KT_PROFILE_BY_TOTAL,
	KT_PROFILE_BY_COUNT,
	KT_PROFILE_BY_AVG,
	KT_PROFILE_BY_MAX,
	KT_PROFILE_BY_NAME,	/* tasks by name, rows by event */
};

/**
 * kt_profile_sort - sort by cost, the most expensive first
 * @top: keep this many rows of all tasks together, by total if @order is a name; 0: all
 *
 * Tasks are ordered by their first rows. Idle tasks come last: their rows are the time
 * in which other tasks ran. Without this call the order is that of trace-cmd, see below.
 * 0 or -ENOMEM.
 */
int kt_profile_sort(struct kt_profile *p, enum kt_profile_order order, size_t top);
/* False: the clock of a file does not count ns; times are then in its units. */
bool kt_profile_in_ns(const struct kt_profile *p);

/* CPUs first, then tasks by pid or name; only those with rows. NULL after the last */
const struct kt_profile_task *kt_profile_task(const struct kt_profile *p, size_t task);
/* Scheduling, then wakeups, functions, other pairs, counted events; the longest first */
const struct kt_profile_row *kt_profile_row(const struct kt_profile *p, size_t task, size_t i);

/* ==== scheduling: runs of tasks, waits for a CPU, run queues ==== */

/* A run of a task on a CPU, and the time before it. Times in ns; 0: not known from the trace */
struct kt_sched_run {
	size_t   file;
	int      pid, cpu;
	uint64_t from, until;		/* the task had the CPU */
	uint64_t off;			/* end of its previous run */
	uint64_t ready;			/* when it became runnable: woken, or preempted */
	uint64_t state;			/* prev_state at its end; 0: it was still runnable */
	unsigned int flags;		/* enum kt_span_flag; 0: both ends are known */
};

enum kt_sched_event_kind {
	KT_SCHED_LEFT,			/* a task leaves its CPU; see @run */
	KT_SCHED_ARRIVED,		/* a task gets a CPU */
	KT_SCHED_WOKEN,			/* a sleeping task becomes runnable: once for each sleep */
	KT_SCHED_MIGRATED,		/* a task moves from the queue of @cpu to that of @to_cpu */
	KT_SCHED_EVENT_KINDS
};

/* An event, in order of time. Borrowed during the call */
struct kt_sched_event {
	enum kt_sched_event_kind kind;
	size_t   file;
	size_t   source;		/* number of the CPU, counted from 0 across all buffers */
	uint64_t ts;
	int      cpu;
	int      pid;			/* the task of the event */
	int      other;			/* the task on that CPU at that time: waker, predecessor */
	int      to_cpu;
	const struct kt_sched_run *run;	/* for KT_SCHED_LEFT, else NULL */
};

struct kt_sched_opts {
	bool queues;			/* compute the lengths of run queues and their waits */
	/* With @queues: each CPU gets the mean length in each of KT_SCHED_COLUMNS parts of this
	 * window; NULL: none. Copied */
	const struct kt_window *map;
	/* Optional: does a run that ends with @rec count? A run without an end never does. */
	bool (*counts)(void *data, const struct kt_record *rec);
	/* Optional: is the task selected? Others have no rows. Called once for each task */
	bool (*chosen)(void *data, size_t file, int pid);
	/* Optional: receives each event of a record that counts; for all tasks */
	int  (*each)(void *data, const struct kt_sched_event *ev, struct kt_err *err);
	void *data;
};

/* Totals of a task's runs. Uncertain runs count only in @lost and @ends. */
struct kt_sched_task {
	size_t   file;
	int      pid;
	uint64_t nr_switches;		/* number of times it got a CPU */
	uint64_t nr_runs;		/* runs with both ends */
	uint64_t run_ns, run_min, run_max;
	double   run_error;		/* relative standard error of the average */
	uint64_t nr_delays;		/* waits from runnable to running */
	uint64_t delay_ns, delay_max;
	uint64_t delay_from, delay_until;	/* of the longest wait */
	uint64_t delay_p99;		/* to within 1.6 %; UINT64_MAX: not known */
	uint64_t sleep_ns, blocked_ns;	/* asleep until wakeup: interruptible, uninterruptible */
	uint64_t preempted_ns;		/* the part of @delay_ns after it was preempted */
	uint64_t nr_moves;		/* runs on a different CPU than the previous run */
	uint64_t nr_migrations;		/* sched_migrate_task */
	uint64_t lost, ends;		/* runs and waits cut by lost events, by the trace's ends */
};

#define KT_SCHED_LENGTHS 64
#define KT_SCHED_COLUMNS 60

/* One CPU of a buffer */
struct kt_sched_cpu {
	size_t   file;
	int      cpu;
	uint64_t nr_switches;		/* to tasks other than idle */
	uint64_t busy_ns, idle_ns;	/* of runs with known ends */
	/* with opts.queues: number of tasks on this CPU and waiting for it */
	uint64_t length_ns[KT_SCHED_LENGTHS];	/* time at each number; the last: or more */
	uint64_t known_ns, unknown_ns;	/* unknown: until the first switch, and after a loss */
	double   length_avg;
	uint64_t length_max, max_at;	/* @max_at: when it was first reached */
	double   map[KT_SCHED_COLUMNS];	/* mean length; negative: not known */
};

/* A task that waited in the queue of a CPU until it ran there */
struct kt_sched_waiter {
	size_t   file, source;		/* @source: number of the kt_sched_cpu */
	int      cpu, pid;
	uint64_t count, ns, max, max_until;
};

/*
 * Memory: 250 bytes per task, and 8 KiB for the distribution of delays of each of the first 2,048
 * tasks that wait. Buffers are independent.
 */
struct kt_sched;

/**
 * kt_sched_create - measure tasks and CPUs, for kt_pass_run()
 *
 * Uses the spans of sched_switch, sched_waking, sched_wakeup and sched_wakeup_new. If
 * several of these report the wakeup of a task, the first one counts. A task that is woken while
 * it still runs does not wait.
 *
 * New (kt_sched_destroy), NULL: -ENOMEM
 */
struct kt_sched *kt_sched_create(struct kt_trace *t, const struct kt_sched_opts *opts,
				 struct kt_err *err);
void kt_sched_destroy(struct kt_sched *s);
struct kt_analysis *kt_sched_analysis(struct kt_sched *s);

/* Valid after a pass has finished. False: no entry has that number. Tasks in order of first
 * occurrence, including idle (pid 0) and those without a run; CPUs: all CPUs of the trace. */
bool kt_sched_task(const struct kt_sched *s, size_t i, struct kt_sched_task *task);
bool kt_sched_cpu(const struct kt_sched *s, size_t i, struct kt_sched_cpu *cpu);
bool kt_sched_waiter(const struct kt_sched *s, size_t i, struct kt_sched_waiter *waiter);
/* The number of such events in the trace, for all tasks and CPUs; 0 also if not recorded */
uint64_t kt_sched_nr_events(const struct kt_sched *s, enum kt_sched_event_kind kind);
/* From the first to the last record that was read; for several windows, the sum */
uint64_t kt_sched_ns(const struct kt_sched *s);

#ifdef __cplusplus
}
#endif
#endif
