/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* span.h - spans of time: states of tasks, interrupts, pairs of events, calls */
#ifndef KTRAIL_SPAN_H
#define KTRAIL_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/analysis.h>
#include <ktrail/base.h>
#include <ktrail/reader.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kt_span_kind {
	KT_SPAN_RUN,		/* a task has a CPU: between sched_switch to it and from it */
	KT_SPAN_PREEMPTED,	/* from losing the CPU while runnable to running again */
	KT_SPAN_BLOCKED,	/* from giving up the CPU to the wakeup */
	KT_SPAN_WAIT,		/* from the wakeup to running */
	KT_SPAN_IRQ,		/* irq_handler_entry, or one of irq_vectors, to _exit */
	KT_SPAN_SOFTIRQ_WAIT,	/* softirq_raise to _entry */
	KT_SPAN_SOFTIRQ,	/* softirq_entry to _exit */
	KT_SPAN_NMI,		/* nmi_handler, which records its duration */
	KT_SPAN_SYSCALL,	/* sys_enter to sys_exit */
	KT_SPAN_BLOCK_IO,	/* block_rq_issue to block_rq_complete, by device and sector */
	KT_SPAN_WORK_WAIT,	/* workqueue_queue_work to its execution */
	KT_SPAN_WORK,		/* workqueue_execute_start to _end */
	KT_SPAN_LOCK,		/* contention_begin to contention_end */
	KT_SPAN_TIMER,		/* hrtimer_start, or timer_start, to its expiry; @value: planned
				 * expiry, @result: actual expiry, in ns or jiffies */
	KT_SPAN_NET_TX,		/* net_dev_queue to net_dev_xmit */
	KT_SPAN_NET_RX,		/* netif_receive_skb to consume_skb */
	KT_SPAN_IRQS_OFF,	/* irq_disable to irq_enable, on a CPU */
	KT_SPAN_PREEMPT_OFF,	/* preempt_disable to preempt_enable */
	KT_SPAN_PAIR,		/* a pair given by the caller */
	KT_SPAN_KINDS
};

enum kt_span_flag {
	KT_SPAN_UNBEGUN    = 1 << 0,	/* the trace lacks the begin: @begin is the trace's start */
	KT_SPAN_UNFINISHED = 1 << 1,	/* the trace lacks the end: @end is the last time seen */
	KT_SPAN_CUT        = 1 << 2,	/* events were lost within it: it may be two spans */
};

/* One end: the place of its record, and its CPU */
struct kt_span_end {
	const struct kt_event *event;	/* NULL: not in the trace */
	uint64_t ts;			/* as in the record */
	uint64_t pos;			/* of the record in its source */
	uint32_t source;
	int      cpu;
	int      pid;			/* the task on the CPU at that time */
	uint8_t  flags;			/* common_flags: was it in an interrupt? */
};

/* Borrowed while the sink runs */
struct kt_span {
	enum kt_span_kind kind;
	unsigned int flags;		/* enum kt_span_flag; 0: both ends are known */
	struct kt_span_end begin, end;
	size_t   file;
	int      pid;			/* its task: the one that runs, waits, is interrupted … */
	uint64_t key[2];		/* interrupt, vector, system call, device and sector … */
	uint64_t value;			/* of the begin: prev_state, work function, else @key[0] */
	uint64_t result;		/* of the end: the return value of a system call */
	size_t   pair;			/* KT_SPAN_PAIR: index into opts.pairs */
	const uint64_t *frames;		/* kernel stack recorded with the begin, innermost first */
	size_t   nr_frames;
};

/* Two events that form a pair if their keys are equal */
struct kt_pair {
	const char *from, *to;		/* "event" or "system:event" */
	const char *from_key, *to_key;	/* fields, up to two: "dev,sector"; NULL: any */
	const char *owner;		/* field of @from with the pid of the task; NULL: the
					 * current task */
	bool same_cpu, same_task;	/* both ends occur on one CPU, in one task */
	struct kt_filter *from_only, *to_only;	/* NULL: all of these events. Borrowed */
};

struct kt_spans_opts {
	unsigned int kinds;		/* bits 1 << enum kt_span_kind; 0: all */
	const struct kt_pair *pairs;	/* further pairs; copied */
	size_t nr_pairs;
	/* Receives each span at its end; at the end of the trace, also those without an end */
	int  (*sink)(void *data, const struct kt_span *span, struct kt_err *err);
	/*
	 * Optional: receives each span at its begin, without an end. If the trace has two records
	 * of a begin, as for wakeups, it is called twice.
	 */
	int  (*began)(void *data, const struct kt_span *span, struct kt_err *err);
	void *data;
};

struct kt_spans;

/**
 * kt_spans_create - find spans, for kt_pass_run()
 *
 * A task that is switched out has run, even if the switch to it was not recorded (recorders
 * hide their own threads): its KT_SPAN_PREEMPTED, KT_SPAN_BLOCKED or KT_SPAN_WAIT ends there, cut.
 * A wakeup of a running task begins no wait.
 * The sink receives each span once. A span is KT_SPAN_CUT if a loss of events may include one
 * of its ends: a loss on its CPU if both ends occur on one, on any CPU of its
 * buffer otherwise. Buffers are independent.
 *
 * Returns new (kt_spans_destroy), or NULL with
 *   -EINVAL  a pair without an event, or with more than two keys
 *   -ENOENT  the trace lacks an event or a field of a pair
 *   -ENOMEM
 */
struct kt_spans *kt_spans_create(struct kt_trace *t, const struct kt_spans_opts *opts,
				 struct kt_err *err);
void kt_spans_destroy(struct kt_spans *s);
struct kt_analysis *kt_spans_analysis(struct kt_spans *s);

/* The letter of a prev_state of Linux 4.14 or later: 'S', 'D', 'T' …; 'R': the task was runnable */
char kt_task_state_letter(uint64_t state);
/* "TIMER", "NET_RX" …; NULL: no such vector */
const char *kt_softirq_name(uint64_t vector);

/* "run", "blocked", "irq" … for texts and JSON */
const char *kt_span_kind_name(enum kt_span_kind kind);

/*
 * The events that spans of @kind need, as "system:event", e.g. to report what a recording lacks.
 * Ends with NULL.
 */
const char *const *kt_span_kind_events(enum kt_span_kind kind);

/* ==== the calls of each task as trees, with the interrupts within them ==== */

enum kt_call_kind {
	KT_CALL_FUNCTION,	/* function_graph, function (by callers), probe pairs */
	KT_CALL_SYSCALL,	/* sys_enter and sys_exit */
	KT_CALL_IRQ,		/* an interrupt handler that interrupted the call */
	KT_CALL_SOFTIRQ,
	KT_CALL_OFF_CPU,	/* the task has no CPU: from sched_switch away from it to the next
				 * one to it */
};

enum kt_call_flag {
	KT_CALL_UNBEGUN    = 1 << 0,	/* the entry is not in the trace */
	KT_CALL_UNFINISHED = 1 << 1,	/* the exit is not in the trace:
					 * @end is the last time known */
	KT_CALL_GAP        = 1 << 2,	/* events were lost during it: children may be missing */
	KT_CALL_UNTIMED    = 1 << 3,	/* the tracer does not record exits: @end is an estimate */
	KT_CALL_RETVAL     = 1 << 4,	/* @retval was recorded */
	KT_CALL_MOVED      = 1 << 5,	/* it ended on a different CPU */
	KT_CALL_AFTER_GAP  = 1 << 6,	/* events were lost just before it: the call shown before it
					 * may not be the previous one */
};

#define KT_CALL_NONE UINT32_MAX

struct kt_call_end {
	uint64_t ts;
	uint64_t pos;			/* of the record in its source; UINT64_MAX: no record */
	uint32_t source;
};

struct kt_call {
	uint8_t  kind;			/* enum kt_call_kind */
	uint8_t  flags;			/* enum kt_call_flag */
	uint16_t file;
	int32_t  pid;
	uint32_t depth;			/* 0: the outermost known call */
	uint32_t parent;		/* index in the tree; KT_CALL_NONE: none */
	uint32_t nr_children;		/* direct children */
	uint32_t nr_inside;		/* all descendants: in a tree, the entries that follow */
	uint64_t func;			/* address of the function; 0: unknown, or none */
	const char *name;		/* of the system call or handler, borrowed; NULL: see
					 * @func */
	struct kt_call_end begin, end;
	uint64_t duration;		/* from the tracer's own clock if it records that */
	uint64_t self;			/* the part of it outside of all children */
	uint64_t irq, off;		/* the parts of it in interrupts, and without a CPU, at any
					 * depth */
	uint64_t retval;
};

/* ---- calls one by one, at their ends ---- */

struct kt_calls_opts {
	bool no_interrupts;		/* do not separate interrupts from the interrupted calls */
	bool no_switches;		/* the same for times without a CPU */
	bool no_syscalls;		/* the same for system calls */
	/*
	 * Receives each call when it ends, children before their parents. All members except
	 * @parent are valid.
	 */
	int  (*sink)(void *data, const struct kt_call *call, struct kt_err *err);
	void *data;
};

struct kt_calls;

/**
 * kt_calls_create - follow the calls of all tasks, for kt_pass_run()
 *
 * A task keeps its calls when it moves to another CPU. Idle tasks have their own calls on
 * each CPU. A call whose exit was lost ends together with its caller and is
 * KT_CALL_UNFINISHED; an ended call never gets further children.
 *
 * New (kt_calls_destroy), NULL: -ENOMEM.
 */
struct kt_calls *kt_calls_create(struct kt_trace *t, const struct kt_calls_opts *opts,
				 struct kt_err *err);
void kt_calls_destroy(struct kt_calls *c);
struct kt_analysis *kt_calls_analysis(struct kt_calls *c);

/* ---- all calls in a part of a trace, as a tree ---- */

struct kt_call_tree_opts {
	bool by_task;			/* only the calls of the task below */
	size_t file;
	int    pid;			/* 0: idle tasks, of @cpu only if that is not negative */
	int    cpu;
	size_t max_calls;		/* stop at this number; 0: 1,000,000 */
	struct kt_calls_opts calls;	/* the sink is not used */
};

struct kt_call_tree;

/**
 * kt_call_tree_create - create an empty tree, to be filled by kt_pass_run() or record by record
 *
 * Memory: 128 bytes per call. Without by_task, the trees of the tasks follow each other,
 * in the order in which the tasks first occur. New (kt_call_tree_destroy), NULL: -ENOMEM.
 */
struct kt_call_tree *kt_call_tree_create(struct kt_trace *t, const struct kt_call_tree_opts *opts,
					 struct kt_err *err);
void kt_call_tree_destroy(struct kt_call_tree *tree);
/* Its finish() puts the calls in order; before that the tree is empty. */
struct kt_analysis *kt_call_tree_analysis(struct kt_call_tree *tree);

/* Parents before their children, in order of time */
size_t kt_call_tree_nr(const struct kt_call_tree *tree);
/* Borrowed until the tree is destroyed; NULL after the last */
const struct kt_call *kt_call_tree_at(const struct kt_call_tree *tree, size_t i);
/* Was it stopped at max_calls? */
bool kt_call_tree_is_full(const struct kt_call_tree *tree);
/* The innermost call around a moment, KT_CALL_NONE: none. Examines the siblings on each level */
uint32_t kt_call_tree_find(const struct kt_call_tree *tree, uint64_t ts);

/* The name of the function, system call or handler; never NULL. Borrowed */
const char *kt_call_name(struct kt_trace *t, const struct kt_call *call);

/* ==== the calls around a moment, in a trace of any size, read in slices of time ==== */

/* Memory: that of the tree of calls, less than 130 bytes per record, and twice that while it is
 * sorted */
struct kt_call_window;

/**
 * kt_call_window_create - start to read the calls of all tasks around a moment
 * @t, @ix: borrowed, must live longer; @ix may be NULL
 * @around: about a third of the records are read before it, fewer near the start of the trace
 * @records: approximate number of records to read; 0: 300,000
 *
 * All records are read, regardless of the filters of views: without their exits, calls would be
 * wrong. New (kt_call_window_destroy), NULL: -ENOMEM.
 */
struct kt_call_window *kt_call_window_create(struct kt_trace *t, struct kt_index *ix,
					     const struct kt_spot *around, size_t records,
					     struct kt_err *err);
void kt_call_window_destroy(struct kt_call_window *w);

/**
 * kt_call_window_work - do a slice of the work
 * @budget_ms: approximate duration; the last slice also sorts the calls
 *
 * Returns 1: there is more to do; 0: the tree is complete; or a negative errno.
 */
int kt_call_window_work(struct kt_call_window *w, unsigned int budget_ms, struct kt_err *err);
/* Progress, 0 to 100 */
int kt_call_window_percent(const struct kt_call_window *w);

/* Borrowed; empty until it is complete. */
const struct kt_call_tree *kt_call_window_tree(const struct kt_call_window *w);

struct kt_call_window_ends {
	struct kt_spot from, until;	/* before its first record, after its last */
	uint64_t last_ts;		/* of its last record */
	bool at_first, at_last;		/* the trace has no records before it, or after it */
	uint64_t nr_records;
};
void kt_call_window_ends(const struct kt_call_window *w, struct kt_call_window_ends *ends);

#ifdef __cplusplus
}
#endif
#endif
