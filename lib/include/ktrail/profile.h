/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* profile.h - where tasks spent their time: pairs of events, with the stacks that led there */
#ifndef KTRAIL_PROFILE_H
#define KTRAIL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/analysis.h>
#include <ktrail/err.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kt_profile;

struct kt_profile_opts {
	bool global_irqs;		/* interrupts belong to their CPU,
					 * not to the task they met */
	bool by_comm;			/* tasks of one name count together */
	const char *const *hooks;	/* more pairs, in the words of -H; NULL ends, may be NULL */
};

/* In clock units, mostly ns */
struct kt_profile_time {
	uint64_t count, total, max, min;
	uint64_t max_ts, min_ts;	/* when those ended */
};

/* One frame of the stacks of a row, innermost first. All borrowed until the profile goes. */
struct kt_profile_frame {
	uint64_t address;
	const char *function;			/* NULL: no symbol */
	struct kt_profile_time time;		/* of all stacks that go through here */
	const struct kt_profile_frame *callers;	/* the most costly first */
	const struct kt_profile_frame *next;	/* beside this one */
};

struct kt_profile_row {
	const char *event;		/* that begins it, or the function */
	const char *value;		/* what it was about: state, interrupt, pid; "" */
	bool is_function;
	bool is_timed;			/* a pair; else only time.count is meant */
	struct kt_profile_time time;
	const struct kt_profile_frame *stacks;
};

struct kt_profile_task {
	int pid;			/* -1: of by_comm, or of a CPU */
	int cpu;			/* of global interrupts and of idle tasks, else -1 */
	const char *comm;		/* NULL: a CPU's interrupts */
	size_t nr_rows;
};

/**
 * kt_profile_create - add up the pairs of events of a trace, for kt_pass_run()
 * @opts: copied, may be NULL
 *
 * Pairs are sched_switch (off the CPU until woken, or on it again, by state),
 * sched_wakeup (woken until it runs), irq_handler_entry and _exit, softirq_raise, _entry and
 * _exit, sys_enter and sys_exit, syscalls of each name, workqueue_execute_start
 * and _end, what function_graph measured, and @hooks:
 *
 *	[system:]start,field[,pid_field]/[system:]end,field[,flags]
 *
 * with flags p (both on one CPU), g (belongs to the CPU) and s (stack; the
 * recorder's business). All other events are counted by their first field.
 *
 * A pair of which one end is left out does not count, nor one that was cut by a loss of
 * events; none spans two windows.
 *
 * Returns new (kt_profile_destroy), or NULL with
 *   -EINVAL  a hook that makes no sense
 *   -ENOENT  its events or fields are not in the trace
 *   -ENOMEM
 */
struct kt_profile *kt_profile_create(struct kt_trace *t, const struct kt_profile_opts *opts,
				     struct kt_err *err);
void kt_profile_destroy(struct kt_profile *p);
/* What follows is valid once a pass has finished it. */
struct kt_analysis *kt_profile_analysis(struct kt_profile *p);
/* How many pairs do not count since events were lost between their ends */
uint64_t kt_profile_nr_cut(const struct kt_profile *p);

/* How much stands first. Equal ones stand as they did before. */
enum kt_profile_order {
	KT_PROFILE_BY_TOTAL,
	KT_PROFILE_BY_COUNT,
	KT_PROFILE_BY_AVG,
	KT_PROFILE_BY_MAX,
	KT_PROFILE_BY_NAME,	/* tasks by name, rows by event */
};

/**
 * kt_profile_sort - bring what costs most to the front
 * @top: keep only so many rows of all tasks together, by total where @order is a name; 0: all
 *
 * A task stands where the first of its rows does. Idle tasks come last: their rows are the time
 * that others ran. Without this call the order is that of trace-cmd, as said below.
 * 0 or -ENOMEM.
 */
int kt_profile_sort(struct kt_profile *p, enum kt_profile_order order, size_t top);
/* False: the clock of one of the files counts something else; times are then in its units. */
bool kt_profile_in_ns(const struct kt_profile *p);

/* CPUs first, then tasks by pid or name; only those with rows */
size_t kt_profile_nr_tasks(const struct kt_profile *p);
const struct kt_profile_task *kt_profile_task(const struct kt_profile *p, size_t task);
/* Scheduling, then wakeups, functions, other pairs, what is only counted; the longest first */
const struct kt_profile_row *kt_profile_row(const struct kt_profile *p, size_t task, size_t i);

#ifdef __cplusplus
}
#endif
#endif
