/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* calls.h - the calls of each task as trees, with what interrupted them */
#ifndef KTRAIL_CALLS_H
#define KTRAIL_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/analysis.h>
#include <ktrail/err.h>
#include <ktrail/reader.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kt_call_kind {
	KT_CALL_FUNCTION,	/* function_graph, function (by the callers), probe pairs */
	KT_CALL_SYSCALL,	/* sys_enter and sys_exit */
	KT_CALL_IRQ,		/* an interrupt handler that ran inside */
	KT_CALL_SOFTIRQ,
	KT_CALL_OFF_CPU,	/* the task did not have a CPU: sched_switch from it,
				 * until the next to it */
};

enum kt_call_flag {
	KT_CALL_UNBEGUN    = 1 << 0,	/* the entry is not in the trace */
	KT_CALL_UNFINISHED = 1 << 1,	/* the exit is not in the trace:
					 * @end is the last time known */
	KT_CALL_GAP        = 1 << 2,	/* events were lost inside: children may be missing */
	KT_CALL_UNTIMED    = 1 << 3,	/* the tracer does not record exits: @end is a guess */
	KT_CALL_RETVAL     = 1 << 4,	/* @retval was recorded */
	KT_CALL_MOVED      = 1 << 5,	/* it ended on another CPU than it began */
	KT_CALL_AFTER_GAP  = 1 << 6,	/* events were lost just before it: the one that seems to
					 * come before it may not have been the last */
};

#define KT_CALL_NONE UINT32_MAX

struct kt_call_end {
	uint64_t ts;
	uint64_t pos;			/* of the record in its source; UINT64_MAX: there is none */
	uint32_t source;
};

struct kt_call {
	uint8_t  kind;			/* enum kt_call_kind */
	uint8_t  flags;			/* enum kt_call_flag */
	uint16_t file;
	int32_t  pid;
	uint32_t depth;			/* 0: the outermost that is known */
	uint32_t parent;		/* index in the tree; KT_CALL_NONE: none */
	uint32_t nr_children;		/* direct ones */
	uint32_t nr_inside;		/* all below it: in a tree, the next @nr_inside indices */
	uint64_t func;			/* address of the function;
					 * 0: unknown, or of another kind */
	const char *name;		/* of the system call or handler; NULL: by @func.
					 * Borrowed */
	struct kt_call_end begin, end;
	uint64_t duration;		/* by the tracer's own clock where it records that */
	uint64_t self;			/* of it, outside of all children */
	uint64_t irq, off;		/* of it, in interrupts, and without a CPU;
					 * at any depth below */
	uint64_t retval;
};

/* ---- calls one by one, as they end ---- */

struct kt_calls_opts {
	bool no_interrupts;		/* do not tell interrupts apart from what they interrupt */
	bool no_switches;		/* nor times without a CPU */
	bool no_syscalls;		/* nor system calls */
	/*
	 * Is given each call when it ends, children before their parents. @parent, @nr_inside
	 * and so on are set, but @parent means nothing.
	 */
	int  (*sink)(void *data, const struct kt_call *call, struct kt_err *err);
	void *data;
};

struct kt_calls;

/**
 * kt_calls_create - follow the calls of all tasks, for kt_pass_run()
 *
 * A task keeps its calls when it moves to another CPU. Idle tasks have calls of their
 * own on each CPU. A call whose exit was lost ends when a call around it does, and is
 * KT_CALL_UNFINISHED; nothing is ever attributed to a call that had ended.
 *
 * New (kt_calls_destroy), NULL: -ENOMEM.
 */
struct kt_calls *kt_calls_create(struct kt_trace *t, const struct kt_calls_opts *opts,
				 struct kt_err *err);
void kt_calls_destroy(struct kt_calls *c);
struct kt_analysis *kt_calls_analysis(struct kt_calls *c);

/* ---- all calls of a stretch of a trace, as a tree ---- */

struct kt_call_tree_opts {
	bool by_task;			/* only the calls of the task below */
	size_t file;
	int    pid;			/* 0: idle tasks, those of @cpu if that is not negative */
	int    cpu;
	size_t max_calls;		/* stop when there are so many; 0: 1,000,000 */
	struct kt_calls_opts calls;	/* its sink is not used */
};

struct kt_call_tree;

/**
 * kt_call_tree_create - an empty tree, to be filled by kt_pass_run() or record by record
 *
 * Memory: 128 bytes a call. Without by_task the tasks' trees stand one after the other,
 * in the order in which tasks were first seen. New (kt_call_tree_destroy), NULL: -ENOMEM.
 */
struct kt_call_tree *kt_call_tree_create(struct kt_trace *t, const struct kt_call_tree_opts *opts,
					 struct kt_err *err);
void kt_call_tree_destroy(struct kt_call_tree *tree);
/* Its finish() puts the calls in order; until then there are none to be seen. */
struct kt_analysis *kt_call_tree_analysis(struct kt_call_tree *tree);

/* Parents before their children, in the order of time */
size_t kt_call_tree_nr(const struct kt_call_tree *tree);
/* Borrowed until the tree goes; NULL after the last */
const struct kt_call *kt_call_tree_at(const struct kt_call_tree *tree, size_t i);
/* Was it stopped by max_calls? */
bool kt_call_tree_is_full(const struct kt_call_tree *tree);
/* The innermost call around a moment, KT_CALL_NONE: none. Takes a look at each of its siblings */
uint32_t kt_call_tree_find(const struct kt_call_tree *tree, uint64_t ts);

/* The name of a call: of the function, the system call, the handler; never NULL. Borrowed */
const char *kt_call_name(struct kt_trace *t, const struct kt_call *call);

/* ==== the calls around a moment of a trace of any size, read in slices of time ==== */

/* Memory: as the tree of calls, less than 130 bytes a record,
 * twice that while it is put in order */
struct kt_call_window;

/**
 * kt_call_window_create - begin to read the calls of all tasks around a moment
 * @t, @ix: borrowed, must live longer; @ix may be NULL
 * @around: it lies after the first third of what is read, or nearer to the beginning of the trace
 * @records: about how many are read; 0: 300,000
 *
 * All records are read, whatever views choose: calls without their exits would be wrong.
 * New (kt_call_window_destroy), NULL: -ENOMEM.
 */
struct kt_call_window *kt_call_window_create(struct kt_trace *t, struct kt_index *ix,
					     const struct kt_spot *around, size_t records,
					     struct kt_err *err);
void kt_call_window_destroy(struct kt_call_window *w);

/**
 * kt_call_window_work - a slice of the work
 * @budget_ms: about how long it may take; the last slice puts the calls in order as well
 *
 * Returns 1: there is more to do; 0: the tree is complete; or a negative errno.
 */
int kt_call_window_work(struct kt_call_window *w, unsigned int budget_ms, struct kt_err *err);
/* How much is done, 0 to 100 */
int kt_call_window_percent(const struct kt_call_window *w);

/* Borrowed; empty until it is complete. */
const struct kt_call_tree *kt_call_window_tree(const struct kt_call_window *w);

struct kt_call_window_ends {
	struct kt_spot from, until;	/* before its first record, after its last */
	uint64_t last_ts;		/* of its last record */
	bool at_first, at_last;		/* nothing is before it, or after it, in the trace */
	uint64_t nr_records;
};
void kt_call_window_ends(const struct kt_call_window *w, struct kt_call_window_ends *ends);

#ifdef __cplusplus
}
#endif
#endif
