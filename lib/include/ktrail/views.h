/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* views.h - what the screens of a trace show: call graph, timeline, latencies, flame graph */
#ifndef KTRAIL_VIEWS_H
#define KTRAIL_VIEWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/calls.h>
#include <ktrail/err.h>
#include <ktrail/latencies.h>
#include <ktrail/model.h>
#include <ktrail/reader.h>
#include <ktrail/span.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== what a screen shows of a tree of calls: one task, folded, without what is short ==== */

/*
 * Calls are numbers: their indices in the tree. Rows are those calls of the chosen task
 * that are to be seen, in the order of time; there are at most as many as calls. All
 * functions take time for what they look at, none reads the trace.
 */
struct kt_graph;

/* A task; or a CPU of a buffer, with all calls that began on it */
struct kt_graph_task {
	size_t   file;
	uint32_t buffer;		/* as of its sources */
	int      pid;			/* KT_GRAPH_CPU: it is a CPU */
	int      cpu;			/* of an idle task, or the CPU; -1: of other tasks */
	uint32_t first, nr;		/* its calls: places, see kt_graph_place() */
};

#define KT_GRAPH_CPU (-1)

/**
 * kt_graph_create - all tasks of a tree, the first one chosen, nothing folded
 * @t, @tree: borrowed, must live longer; the tree was made without by_task or with it
 *
 * New (kt_graph_destroy), NULL: -ENOMEM. Memory: 5 bytes a call, and 9 for kt_graph_by_cpu().
 */
struct kt_graph *kt_graph_create(struct kt_trace *t, const struct kt_call_tree *tree,
				 struct kt_err *err);
void kt_graph_destroy(struct kt_graph *g);

/* ---- tasks, or CPUs ---- */

/**
 * kt_graph_by_cpu - choose among CPUs from now on, or among tasks again
 *
 * A CPU has the calls that began on it, in the order of time. Calls of several tasks take turns
 * there; each keeps the depth, the caller and the siblings that it has in its task. What is in
 * the focus, see kt_graph_focus(), stays together also when it moved to another CPU.
 * The first CPU or task is chosen. 0, -ENOMEM
 */
int  kt_graph_by_cpu(struct kt_graph *g, bool by_cpu, struct kt_err *err);
bool kt_graph_is_by_cpu(const struct kt_graph *g);

/* Calls are numbered by task; places are numbered by what can be chosen, in the order of time. */
uint32_t kt_graph_place(const struct kt_graph *g, uint32_t call);
/* The call at a place; KT_CALL_NONE after the last */
uint32_t kt_graph_call(const struct kt_graph *g, uint32_t place);

size_t kt_graph_nr_tasks(const struct kt_graph *g);
/* NULL after the last */
const struct kt_graph_task *kt_graph_task(const struct kt_graph *g, size_t i);
size_t kt_graph_chosen(const struct kt_graph *g);
/* Rows are those of another task now; the focus is left. Nothing happens if there is none. */
void kt_graph_choose(struct kt_graph *g, size_t task);
/* The task that a call is of */
size_t kt_graph_task_of(const struct kt_graph *g, uint32_t call);

/* ---- rows ---- */

size_t kt_graph_nr_rows(const struct kt_graph *g);
/* KT_CALL_NONE after the last */
uint32_t kt_graph_row(const struct kt_graph *g, size_t row);
/* The row of a call, or of the nearest row before it, as its caller is if that is folded */
size_t kt_graph_row_of(const struct kt_graph *g, uint32_t call);
/* How many calls of the task, or in the focus, are too short to be seen */
size_t kt_graph_nr_hidden(const struct kt_graph *g);

/* ---- what is to be seen ---- */

bool kt_graph_is_folded(const struct kt_graph *g, uint32_t call);
void kt_graph_fold(struct kt_graph *g, uint32_t call, bool fold);
/* The call and all below it */
void kt_graph_fold_below(struct kt_graph *g, uint32_t call, bool fold);
/* All calls of the same function; returns how many there are with calls inside */
size_t kt_graph_fold_same(struct kt_graph *g, uint32_t call, bool fold);
/* Calls of fewer than @depth levels are unfolded, all others folded; of all tasks */
void kt_graph_fold_depth(struct kt_graph *g, uint32_t depth);

/*
 * Leave out calls that took less, with all that is inside. Calls of which nobody knows how
 * long they took are never left out. 0: none is.
 */
void kt_graph_hide_below(struct kt_graph *g, uint64_t ns);
uint64_t kt_graph_hides_below(const struct kt_graph *g);

/* Only this call and what is inside; KT_CALL_NONE: the whole task again */
void kt_graph_focus(struct kt_graph *g, uint32_t call);
uint32_t kt_graph_focused(const struct kt_graph *g);

/* Unfold its callers, leave a focus that it is not in, choose its task: so that it has a row,
 * unless it is too short. */
void kt_graph_reveal(struct kt_graph *g, uint32_t call);

/* ---- from one call to another: KT_CALL_NONE if there is none ---- */

uint32_t kt_graph_caller(const struct kt_graph *g, uint32_t call);
/* The next call by the same caller, in @direction 1 or -1; too short ones are passed over */
uint32_t kt_graph_sibling(const struct kt_graph *g, uint32_t call, int direction);
uint32_t kt_graph_longest_child(const struct kt_graph *g, uint32_t call);
/* The next call of the same function by the task, or on the CPU, in @direction 1 or -1 */
uint32_t kt_graph_same(const struct kt_graph *g, uint32_t call, int direction);
/* The innermost call of the chosen task or CPU around a moment; that of this record, if any */
uint32_t kt_graph_at(const struct kt_graph *g, const struct kt_spot *spot);

/* Calls of one function by the task, or on the CPU */
struct kt_graph_same {
	uint32_t nr;			/* how many */
	uint32_t slower;		/* how many of them took longer than this one */
	uint32_t slowest;		/* which took longest; the first of several */
};
struct kt_graph_same kt_graph_compare(const struct kt_graph *g, uint32_t call);

/* ==== who had the CPUs, and who waited: cells of equal time for CPUs and tasks ==== */

/*
 * A picture of a window of time, made in slices of work. Where the window has many
 * records, only the first ones of each column are read: it is sampled then, and each of
 * its cells tells how it was at the beginning of its time.
 */
struct kt_timeline;

enum kt_timeline_state {
	KT_TIMELINE_UNKNOWN,		/* nothing was recorded that says */
	KT_TIMELINE_IDLE,		/* a CPU without a task; a task that sleeps */
	KT_TIMELINE_RUN,
	KT_TIMELINE_WAIT,		/* a task that was woken, and has no CPU yet */
	KT_TIMELINE_PREEMPTED,		/* a task that lost its CPU though it could run */
	KT_TIMELINE_BLOCKED,		/* a task that sleeps and cannot be interrupted (D) */
	KT_TIMELINE_ENDED,		/* a task that has ended, or was not there yet */
};

enum kt_timeline_over {
	KT_TIMELINE_NO_IRQ,
	KT_TIMELINE_IRQ,		/* an interrupt handler, or a vector of x86 */
	KT_TIMELINE_SOFTIRQ,
	KT_TIMELINE_NMI,
};

/* What took most of its time */
struct kt_timeline_cell {
	uint8_t  state;			/* enum kt_timeline_state */
	uint8_t  irq;			/* share in interrupts, of 255 */
	uint8_t  over;			/* enum kt_timeline_over: most of that share */
	bool     lost;			/* events were lost on that CPU; where the window is
					 * sampled that is known once there is an index */
	int32_t  pid;			/* of a CPU: the task that had it most, or without
					 * sched_switch the one of its events */
	uint32_t events;		/* of the CPU or task, that were read */
};

/* A call of a function or of the system, or several that are too short to be told apart */
struct kt_timeline_slice {
	uint64_t from, until;		/* ns; what began before the window, or ended after it,
					 * begins or ends with the window */
	uint64_t func;
	const char *name;		/* NULL: by @func */
	uint32_t source;
	uint32_t row;			/* of the timeline */
	uint32_t nr;			/* calls; 1: it is whole */
	uint8_t  level;			/* 0: the outermost that is known */
	uint8_t  kind;			/* enum kt_call_kind */
	uint8_t  flags;			/* enum kt_call_flag */
};

struct kt_timeline_row {
	bool   is_cpu;
	int    cpu;			/* of a CPU; of a task the one it had last */
	int    pid;			/* of a task */
	size_t file;
	uint64_t run, wait;		/* ns, in the window, as far as it was read */
	const struct kt_timeline_cell *cells;	/* borrowed until the timeline goes
						 * or is set anew */
	/* By level, then by time; borrowed as well. Those of idle tasks are in the CPU's row. */
	const struct kt_timeline_slice *slices;
	size_t nr_slices;
	unsigned int nr_levels;
};

/* A wait for a CPU */
struct kt_timeline_wait {
	uint64_t from, until;
	size_t   file;
	int      pid;			/* who waited */
	int      cpu, holder;		/* the CPU it got in the end,
					 * and which task had that before */
};

/* @m: borrowed. New (kt_timeline_destroy), NULL: -ENOMEM */
struct kt_timeline *kt_timeline_create(struct kt_model *m, struct kt_err *err);
void kt_timeline_destroy(struct kt_timeline *t);

/* Begin anew with this window, in so many columns; half as many are made if it is sampled.
 * 0, -ENOMEM */
int  kt_timeline_set(struct kt_timeline *t, const struct kt_window *w, size_t nr_columns,
		     struct kt_err *err);
/* A slice of work. True: there is more to do. */
bool kt_timeline_work(struct kt_timeline *t, unsigned int budget_ms);
/* Share of the work that is done, 0 to 1 */
double kt_timeline_done(const struct kt_timeline *t);
bool kt_timeline_is_sampled(const struct kt_timeline *t);
/* Show what was read so far: false: it was all */
bool kt_timeline_stop(struct kt_timeline *t);
bool kt_timeline_is_partial(const struct kt_timeline *t);
/* Its window, and the width of a column in ns; columns end where the window does. */
size_t kt_timeline_columns(const struct kt_timeline *t, struct kt_window *w, uint64_t *width);
/* More tasks than there is memory for: those that were met last are left out. */
bool kt_timeline_is_full(const struct kt_timeline *t);
/* Borrowed, never NULL */
const char *kt_timeline_slice_name(const struct kt_timeline *t, const struct kt_timeline_slice *s);

/* CPUs first, then tasks: those that waited or ran longest first. Ordered when work is done. */
size_t kt_timeline_nr(const struct kt_timeline *t);
bool kt_timeline_row(const struct kt_timeline *t, size_t i, struct kt_timeline_row *row);
/* The longest wait that was seen whole, of @pid or, with -1, of all: false: there is none */
bool kt_timeline_longest_wait(const struct kt_timeline *t, int pid, struct kt_timeline_wait *wait);

/* ==== how long things took: a distribution for each task, interrupt, call … ==== */

/*
 * One kind of latency of a trace, read in slices of work. With filters, a latency counts
 * when the event that ends it is shown.
 */
struct kt_latencies;

/* @m: borrowed. New (kt_latencies_destroy), NULL: -ENOMEM */
struct kt_latencies *kt_latencies_create(struct kt_model *m, struct kt_err *err);
void kt_latencies_destroy(struct kt_latencies *l);

/* The kind that the trace is most likely about, by its first records */
enum kt_latency_kind kt_latency_guess(struct kt_model *m);

/**
 * kt_latencies_set - begin anew with what ends in a window
 * @pair: of KT_LATENCY_PAIR: "EVENT EVENT [FIELD[=FIELD]]"; else NULL
 *
 * Returns 0, or a negative errno with @err set: -EINVAL: no such pair; -ENOENT: its events
 * or fields are not in the trace; -ENOMEM. All is as before then.
 */
int  kt_latencies_set(struct kt_latencies *l, enum kt_latency_kind kind, const char *pair,
		      const struct kt_window *w, struct kt_err *err);
/* A slice of work. True: there is more to do. */
bool kt_latencies_work(struct kt_latencies *l, unsigned int budget_ms);
/* Stop where it is: what was read so far counts. False: nothing was going on. */
bool kt_latencies_stop(struct kt_latencies *l);
/* Share of the work that is done, 0 to 1; and was it stopped, or did it fail, before that? */
double kt_latencies_done(const struct kt_latencies *l);
bool kt_latencies_is_partial(const struct kt_latencies *l);

/* In the order in which they were met. Names: borrowed until kt_latencies_set() */
size_t kt_latencies_nr(const struct kt_latencies *l);
bool kt_latencies_row(const struct kt_latencies *l, size_t i, struct kt_latency_row *row);

#define KT_LATENCY_LIST_MAX 1000

/* Read again, for those of row @i that are in @level: the longest KT_LATENCY_LIST_MAX */
int  kt_latencies_list(struct kt_latencies *l, size_t i, unsigned int level, struct kt_err *err);
/* Longest first, when the work is done */
size_t kt_latencies_nr_listed(const struct kt_latencies *l);
const struct kt_latency *kt_latencies_listed(const struct kt_latencies *l, size_t i);

/* ==== stacks and calls of a trace merged into one tree, with the time spent in each frame ==== */

/*
 * A flame graph of a model's trace, read in slices of work. Frames are numbers: 0 is the
 * whole, below it are the names of tasks, below these what they called. With filters, a
 * stack counts when its event is shown, a call when the event that ends it is shown.
 * Memory: 24 MiB at most, see kt_flame_is_full().
 */
struct kt_flame;

enum kt_flame_kind {
	KT_FLAME_CALLS,		/* function_graph, the function tracer, probe pairs, system
				 * calls: time on the CPU, as far as sched_switch tells it */
	KT_FLAME_STACKS,	/* stacks recorded with events: how many */
	KT_FLAME_OFF_CPU,	/* how long tasks did not have a CPU, by the stack of sched_switch,
				 * or else by the calls that they were in */
	KT_FLAME_KINDS
};

enum kt_flame_type {
	KT_FLAME_ALL, KT_FLAME_TASK, KT_FLAME_FUNCTION, KT_FLAME_USER, KT_FLAME_EVENT,
	KT_FLAME_SYSCALL, KT_FLAME_IRQ, KT_FLAME_OFF
};

#define KT_FLAME_NONE UINT32_MAX

struct kt_flame_frame {
	const char *name;		/* borrowed until kt_flame_set() */
	enum kt_flame_type type;
	uint32_t parent;		/* KT_FLAME_NONE: of the whole */
	uint32_t first, next;		/* child, and sibling; KT_FLAME_NONE: there is none */
	uint64_t time, own_time;	/* ns, with and without what is below it */
	uint64_t count, own_count;	/* stacks, calls, or times off the CPU; likewise */
};

/* @m: borrowed. New (kt_flame_destroy), NULL: -ENOMEM */
struct kt_flame *kt_flame_create(struct kt_model *m, struct kt_err *err);
void kt_flame_destroy(struct kt_flame *f);

/* "calls", "stacks", "off-CPU" */
const char *kt_flame_kind_name(enum kt_flame_kind kind);
/* What the first records of the trace have: stacks, or else calls. Takes some milliseconds. */
enum kt_flame_kind kt_flame_guess(struct kt_model *m);

/* Begin anew with what lies, or ends, in a window. 0, -ENOMEM */
int  kt_flame_set(struct kt_flame *f, enum kt_flame_kind kind, const struct kt_window *w,
		  struct kt_err *err);
/* A slice of work. True: there is more to do. */
bool kt_flame_work(struct kt_flame *f, unsigned int budget_ms);
/* Stop where it is: what was read so far counts. False: nothing was going on. */
bool kt_flame_stop(struct kt_flame *f);
/* Share of the work that is done, 0 to 1; and was it stopped, or did it fail, before that? */
double kt_flame_done(const struct kt_flame *f);
bool kt_flame_is_partial(const struct kt_flame *f);
/* Were there more different paths than fit? Those that came last count for their callers. */
bool kt_flame_is_full(const struct kt_flame *f);
/* Does it know times, or only how many? */
bool kt_flame_is_timed(const struct kt_flame *f);

/**
 * kt_flame_order - sum up what was read so far, and order siblings
 * @by_count: the most frequent first; else what took longest
 *
 * Until the next call with more work done in between, frames are as they were then. The
 * idle task comes last.
 */
void kt_flame_order(struct kt_flame *f, bool by_count);
/* As of the last kt_flame_order(); false after the last frame. Frame 0 always exists. */
bool kt_flame_frame(const struct kt_flame *f, uint32_t i, struct kt_flame_frame *frame);
size_t kt_flame_nr(const struct kt_flame *f);

#ifdef __cplusplus
}
#endif
#endif
