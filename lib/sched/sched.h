/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sched.h - the state of tasks and CPUs during a pass over spans */
#ifndef SCHED_SCHED_H
#define SCHED_SCHED_H

#include <ktrail/analysis.h>
#include <ktrail/span.h>

#include "base/keymap.h"
#include "latency/dist.h"

#define NONE UINT32_MAX

struct task {
	struct kt_sched_task pub;
	bool     chosen;
	int      cpu;			/* of its last stay; -1: not known */
	/* The present state, for events and queues */
	uint32_t at;			/* source where it runs, if it is @current there; NONE */
	uint32_t queue;			/* source where it waits; NONE: it does not wait */
	bool     woken;			/* since it left its CPU */
	uint64_t nr_losses;		/* of its buffer, when @queue was set */
	/* The wait before the current stay; 0: not known */
	uint64_t off, ready;
	uint64_t off_state;
	bool     cut;			/* by lost events */
	double   mean, m2;		/* of runs: Welford's method */
	struct dist *delays;		/* NULL: none yet, or no room */
};

struct cpu {
	struct kt_sched_cpu pub;
	size_t   first;			/* the first CPU of its buffer */
	uint64_t nr_losses;		/* of all CPUs of the buffer; only in @first */
	uint64_t losses_seen;		/* when the length was last known */
	uint32_t current;		/* the task that has it, NONE: not known */
	bool     known;			/* a switch was seen since the last loss */
	bool     busy;			/* with another task than the idle one */
	uint32_t nr_waiting;
	uint64_t since;			/* the sums include the time until then */
	double   area[KT_SCHED_COLUMNS], known_in[KT_SCHED_COLUMNS];	/* task ns; ns */
};

struct waiter {
	size_t source, task;
	uint64_t count, ns, max, max_until;
};

struct kt_sched {
	struct kt_analysis analysis;
	struct kt_trace *trace;
	struct kt_sched_opts opts;
	struct kt_window map;
	struct kt_spans *spans;
	const struct kt_event **migrate;	/* sched_migrate_task of each file, or NULL */
	struct task *tasks;
	size_t nr_tasks, nr_dists;
	struct keymap task_of;		/* by buffer and pid */
	struct cpu *cpus;		/* one for each source of the stream */
	size_t nr_cpus;
	struct keymap cpu_of;		/* by buffer and number */
	struct waiter *waiters;
	size_t nr_waiters;
	struct keymap waiter_of;
	const struct kt_record *rec;	/* the current one; NULL: at the end */
	enum { NOT_ASKED, COUNTS, COUNTS_NOT } verdict;	/* of opts.counts() on it */
	uint64_t nr_events[KT_SCHED_EVENT_KINDS];
	uint64_t first_ts, last_ts;	/* of the window */
	uint64_t all_ns;		/* of earlier windows */
	bool seen;
};

/* NULL: no memory. Valid until the next one is created */
struct task *sched_task(struct kt_sched *s, size_t source, int pid);

/* Does the span that the current record ends count? */
bool sched_counts(struct kt_sched *s);
int  sched_tell(struct kt_sched *s, const struct kt_sched_event *ev, struct kt_err *err);

/* runs.c: sink of spans, @data: struct kt_sched */
int  runs_take(void *data, const struct kt_span *span, struct kt_err *err);

/* lengths.c: a task begins or stops waiting for a CPU; a CPU runs a task or is idle */
void lengths_put(struct kt_sched *s, struct task *t, uint32_t cpu, uint64_t ts);
void lengths_leave(struct kt_sched *s, struct task *t, uint64_t ts);
void lengths_run(struct kt_sched *s, size_t source, bool busy, uint64_t ts);
void lengths_end_window(struct kt_sched *s);
int  lengths_count_wait(struct kt_sched *s, size_t source, const struct task *t,
		      const struct kt_sched_run *run);

#endif
