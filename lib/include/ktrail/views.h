/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* views.h - the data of the screens of a trace: call graph, timeline, latencies, flame graph */
#ifndef KTRAIL_VIEWS_H
#define KTRAIL_VIEWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/base.h>
#include <ktrail/latencies.h>
#include <ktrail/model.h>
#include <ktrail/reader.h>
#include <ktrail/span.h>
#include <ktrail/trace.h>
#include <ktrail/why.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== call graph: the visible calls of one task ==== */

/*
 * Calls are numbers: their indices in the tree. Rows are the visible calls of the chosen
 * task, in order of time; there are at most as many rows as calls. The cost of a
 * function depends on the calls it examines; none reads the trace.
 */
struct kt_graph;

/* A task, or a CPU of a buffer with all calls that began on it */
struct kt_graph_task {
	size_t   file;
	uint32_t buffer;		/* as in its sources */
	int      pid;			/* KT_GRAPH_CPU: it is a CPU */
	int      cpu;			/* of an idle task, or the CPU; -1: another task */
	uint32_t first, nr;		/* its calls: positions, see kt_graph_place() */
};

#define KT_GRAPH_CPU (-1)

/**
 * kt_graph_create - show all tasks of a tree; the first one is chosen, nothing is folded
 * @t, @tree: borrowed, must live longer; the tree may be made with or without by_task
 *
 * New (kt_graph_destroy), NULL: -ENOMEM. Memory: 5 bytes per call, and 9 for kt_graph_by_cpu().
 */
struct kt_graph *kt_graph_create(struct kt_trace *t, const struct kt_call_tree *tree,
				 struct kt_err *err);
void kt_graph_destroy(struct kt_graph *g);

/* ---- tasks, or CPUs ---- */

/**
 * kt_graph_by_cpu - choose among CPUs from now on, or among tasks again
 *
 * A CPU has the calls that began on it, in order of time. Calls of several tasks alternate
 * there; each keeps the depth, the caller and the siblings that it has in its task. The calls
 * in the focus, see kt_graph_focus(), stay together even if some began on another CPU.
 * Chooses the first CPU or task. 0, -ENOMEM
 */
int  kt_graph_by_cpu(struct kt_graph *g, bool by_cpu, struct kt_err *err);
bool kt_graph_is_by_cpu(const struct kt_graph *g);

/* Calls are numbered task by task. Places number them item by item (task or CPU), by time. */
uint32_t kt_graph_place(const struct kt_graph *g, uint32_t call);
/* The call at a place; KT_CALL_NONE after the last */
uint32_t kt_graph_call(const struct kt_graph *g, uint32_t place);

size_t kt_graph_nr_tasks(const struct kt_graph *g);
/* NULL after the last */
const struct kt_graph_task *kt_graph_task(const struct kt_graph *g, size_t i);
size_t kt_graph_chosen(const struct kt_graph *g);
/* Choose another task, and leave the focus. Does nothing if there is no such task. */
void kt_graph_choose(struct kt_graph *g, size_t task);
/* The task of a call */
size_t kt_graph_task_of(const struct kt_graph *g, uint32_t call);

/* ---- rows ---- */

size_t kt_graph_nr_rows(const struct kt_graph *g);
/* KT_CALL_NONE after the last */
uint32_t kt_graph_row(const struct kt_graph *g, size_t row);
/* The row of a call or, if it has none, the nearest row before it, such as its folded caller */
size_t kt_graph_row_of(const struct kt_graph *g, uint32_t call);
/* The number of calls of the task, or in the focus, that are too short to be visible */
size_t kt_graph_nr_hidden(const struct kt_graph *g);

/* ---- choosing what is visible ---- */

bool kt_graph_is_folded(const struct kt_graph *g, uint32_t call);
void kt_graph_fold(struct kt_graph *g, uint32_t call, bool fold);
/* The call and all below it */
void kt_graph_fold_below(struct kt_graph *g, uint32_t call, bool fold);
/* All calls of the same function; returns how many of them have nested calls */
size_t kt_graph_fold_same(struct kt_graph *g, uint32_t call, bool fold);
/* In all tasks, unfold calls at fewer than @depth levels, and fold all others */
void kt_graph_fold_depth(struct kt_graph *g, uint32_t depth);

/*
 * Hide calls that took less time, with their nested calls. Calls of unknown
 * duration are never hidden. 0: hide none.
 */
void kt_graph_hide_below(struct kt_graph *g, uint64_t ns);
uint64_t kt_graph_hides_below(const struct kt_graph *g);

/* Show only this call and its nested calls; KT_CALL_NONE: the whole task again */
void kt_graph_focus(struct kt_graph *g, uint32_t call);
uint32_t kt_graph_focused(const struct kt_graph *g);

/* Make a call visible: unfold its callers, leave a focus without it, choose its task. It has a row
 * then, unless it is too short. */
void kt_graph_reveal(struct kt_graph *g, uint32_t call);

/* ---- moving between calls: KT_CALL_NONE if there is none ---- */

uint32_t kt_graph_caller(const struct kt_graph *g, uint32_t call);
/* The next call by the same caller, in @direction 1 or -1; skips calls that are too short */
uint32_t kt_graph_sibling(const struct kt_graph *g, uint32_t call, int direction);
uint32_t kt_graph_longest_child(const struct kt_graph *g, uint32_t call);
/* The next call of the same function by the task, or on the CPU, in @direction 1 or -1 */
uint32_t kt_graph_same(const struct kt_graph *g, uint32_t call, int direction);
/* The innermost call of the chosen task or CPU around a moment; that of this record, if any */
uint32_t kt_graph_at(const struct kt_graph *g, const struct kt_spot *spot);

/* Calls of one function by the task, or on the CPU */
struct kt_graph_same {
	uint32_t nr;			/* how many */
	uint32_t slower;		/* number of them that took longer than this call */
	uint32_t slowest;		/* the longest; of several, the first */
};
struct kt_graph_same kt_graph_compare(const struct kt_graph *g, uint32_t call);

/* ==== timeline: cells of equal time for CPUs and tasks ==== */

/*
 * The states in a window of time, computed in slices of work. If the window has too many
 * records, it is sampled: only the first records of each column are read, and
 * each cell shows the state at the beginning of its time.
 */
struct kt_timeline;

#define KT_TIMELINE_QUICK 400000	/* records that are read in less than a tenth of a second */
#define KT_TIMELINE_ALL   50000000	/* records that may be read in the background */

enum kt_timeline_state {
	KT_TIMELINE_UNKNOWN,		/* not known from the records */
	KT_TIMELINE_IDLE,		/* a CPU without a task; a sleeping task */
	KT_TIMELINE_RUN,
	KT_TIMELINE_WAIT,		/* a task that was woken, but has no CPU yet */
	KT_TIMELINE_PREEMPTED,		/* a runnable task that lost its CPU */
	KT_TIMELINE_BLOCKED,		/* a task in uninterruptible sleep (D) */
	KT_TIMELINE_ENDED,		/* a task that has ended, or did not exist yet */
};

enum kt_timeline_over {
	KT_TIMELINE_NO_IRQ,
	KT_TIMELINE_IRQ,		/* an interrupt handler, or a vector of x86 */
	KT_TIMELINE_SOFTIRQ,
	KT_TIMELINE_NMI,
};

/* The state that took most of its time */
struct kt_timeline_cell {
	uint8_t  state;			/* enum kt_timeline_state */
	uint8_t  irq;			/* time in interrupts; 255: all of the time */
	uint8_t  over;			/* enum kt_timeline_over: the kind with most of that time */
	bool     lost;			/* events were lost on that CPU; in a sampled window, this
					 * is known once there is an index */
	int32_t  pid;			/* for a CPU: the task with most of its time or, without
					 * sched_switch, with most events */
	uint32_t events;		/* of the CPU or task, as far as read */
};

/* A function or system call, or several that are too short to be shown separately */
struct kt_timeline_slice {
	uint64_t from, until;		/* ns; clipped to the window */
	uint64_t func;
	const char *name;		/* NULL: use @func */
	uint32_t source;
	uint32_t row;			/* of the timeline */
	uint32_t nr;			/* number of calls; 1: a single one */
	uint8_t  level;			/* 0: the outermost known call */
	uint8_t  kind;			/* enum kt_call_kind */
	uint8_t  flags;			/* enum kt_call_flag */
};

struct kt_timeline_row {
	bool   is_cpu;
	int    cpu;			/* for a task, the last one it had */
	int    pid;			/* of a task */
	size_t file;
	uint64_t run, wait;		/* ns, in the window, as far as it was read */
	const struct kt_timeline_cell *cells;	/* borrowed until the timeline is set again */
	/* By level, then by time; borrowed as well. Slices of idle tasks are in the CPU's row. */
	const struct kt_timeline_slice *slices;
	size_t nr_slices;
	unsigned int nr_levels;
};

/* A wait for a CPU */
struct kt_timeline_wait {
	uint64_t from, until;
	size_t   file;
	int      pid;			/* the task that waited */
	int      cpu, holder;		/* the CPU it got, and the task that had that CPU before */
};

/* @m: borrowed. New (kt_timeline_destroy), NULL: -ENOMEM */
struct kt_timeline *kt_timeline_create(struct kt_model *m, struct kt_err *err);
void kt_timeline_destroy(struct kt_timeline *t);

/* Restart with this window in @nr_columns. With more than @most records, or if the index does not
 * know their number yet, it is sampled, in half as many columns. 0, -ENOMEM */
int  kt_timeline_set(struct kt_timeline *t, const struct kt_window *w, size_t nr_columns,
		     uint64_t most, struct kt_err *err);
/* A slice of work. True: there is more to do. */
bool kt_timeline_work(struct kt_timeline *t, unsigned int budget_ms);
/* Progress, 0 to 1 */
double kt_timeline_done(const struct kt_timeline *t);
bool kt_timeline_is_sampled(const struct kt_timeline *t);
/* Would it be sampled if it were set again, with what the index knows now? */
bool kt_timeline_needs_sample(const struct kt_timeline *t, uint64_t most);
/* Stop and show the part that was read. False: it was complete */
bool kt_timeline_stop(struct kt_timeline *t);
bool kt_timeline_is_partial(const struct kt_timeline *t);
/* Its window, and the width of a column in ns; the last column ends with the window. */
size_t kt_timeline_columns(const struct kt_timeline *t, struct kt_window *w, uint64_t *width);
/* Were there more tasks than memory allows? Then the tasks that occurred last are missing. */
bool kt_timeline_is_full(const struct kt_timeline *t);
/* Borrowed, never NULL */
const char *kt_timeline_slice_name(const struct kt_timeline *t, const struct kt_timeline_slice *s);

/* CPUs first, then tasks, by the longest wait or run time. Sorted when the work is done. */
size_t kt_timeline_nr(const struct kt_timeline *t);
bool kt_timeline_row(const struct kt_timeline *t, size_t i, struct kt_timeline_row *row);
/* The longest wait with both ends, of @pid or, with -1, of all tasks; false: there is none */
bool kt_timeline_longest_wait(const struct kt_timeline *t, int pid, struct kt_timeline_wait *wait);

/* ==== latencies: a distribution for each task, interrupt, call … ==== */

/*
 * One kind of latency of a trace, measured in slices of work. With filters, a latency counts
 * if the event that ends it passes.
 */
struct kt_latencies;

/* @m: borrowed. New (kt_latencies_destroy), NULL: -ENOMEM */
struct kt_latencies *kt_latencies_create(struct kt_model *m, struct kt_err *err);
void kt_latencies_destroy(struct kt_latencies *l);

/* The most interesting kind for the trace, by its first records */
enum kt_latency_kind kt_latency_guess(struct kt_model *m);

/**
 * kt_latencies_set - restart with latencies that end in a window
 * @pair: for KT_LATENCY_PAIR: "EVENT EVENT [FIELD[=FIELD]]"; else NULL
 *
 * Returns 0, or a negative errno with @err set: -EINVAL: not a pair; -ENOENT: the trace lacks its
 * events or fields; -ENOMEM. Nothing has changed then.
 */
int  kt_latencies_set(struct kt_latencies *l, enum kt_latency_kind kind, const char *pair,
		      const struct kt_window *w, struct kt_err *err);
/* A slice of work. True: there is more to do. */
bool kt_latencies_work(struct kt_latencies *l, unsigned int budget_ms);
/* Stop the work: the results so far stay. False: no work was in progress. */
bool kt_latencies_stop(struct kt_latencies *l);
/* Progress, 0 to 1; and did the work stop or fail before the end? */
double kt_latencies_done(const struct kt_latencies *l);
bool kt_latencies_is_partial(const struct kt_latencies *l);

/* Latencies of @kind so far, after kt_latencies_set() with KT_LATENCY_KINDS, which has no rows */
uint64_t kt_latencies_count(const struct kt_latencies *l, enum kt_latency_kind kind);

/* In order of first occurrence. Names: borrowed until kt_latencies_set() */
size_t kt_latencies_nr(const struct kt_latencies *l);
bool kt_latencies_row(const struct kt_latencies *l, size_t i, struct kt_latency_row *row);

#define KT_LATENCY_LIST_MAX 1000

/* Read again to list the latencies of row @i in @level: the longest KT_LATENCY_LIST_MAX */
int  kt_latencies_list(struct kt_latencies *l, size_t i, unsigned int level, struct kt_err *err);
/* In descending order, when the work is done */
size_t kt_latencies_nr_listed(const struct kt_latencies *l);
const struct kt_latency *kt_latencies_listed(const struct kt_latencies *l, size_t i);

/* ==== flame graph: stacks and calls of a trace merged into one tree, with times ==== */

/*
 * A flame graph of a model's trace, read in slices of work. Frames are numbers: 0 is the
 * root, below it are the names of tasks, below these their calls. With filters, a
 * stack counts if its event passes, a call if the event that ends it passes.
 * Memory: 24 MiB at most, see kt_flame_is_full().
 */
struct kt_flame;

enum kt_flame_kind {
	KT_FLAME_CALLS,		/* function_graph, the function tracer, probe pairs, system calls:
				 * time on the CPU, as far as known from sched_switch */
	KT_FLAME_STACKS,	/* stacks recorded with events: their number */
	KT_FLAME_OFF_CPU,	/* time of tasks without a CPU, by the stack of sched_switch, or
				 * else by their open calls */
	KT_FLAME_WAKEUPS,	/* time asleep, by the stack, and by the chain of wakers */
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
	uint32_t parent;		/* KT_FLAME_NONE: for the root */
	uint32_t first, next;		/* child, and sibling; KT_FLAME_NONE: there is none */
	uint64_t time, own_time;	/* ns, including and excluding the frames below */
	uint64_t count, own_count;	/* stacks, calls, or times off the CPU; likewise */
};

/* @m: borrowed. New (kt_flame_destroy), NULL: -ENOMEM */
struct kt_flame *kt_flame_create(struct kt_model *m, struct kt_err *err);
void kt_flame_destroy(struct kt_flame *f);

/* Without a model: the flame graph of a whole trace that kt_pass_run() reads */
struct kt_flame_opts {
	enum kt_flame_kind kind;
	struct kt_window window;	/* only records in it count */
	/* Optional: does the record count? */
	bool (*counts)(void *data, const struct kt_record *rec);
	/* Optional: does the task count? */
	bool (*chosen)(void *data, size_t file, int pid);
	void *data;
};

/* @t: borrowed. New (kt_flame_destroy), NULL: -ENOMEM. After the pass: kt_flame_order() */
struct kt_flame *kt_flame_create_for(struct kt_trace *t, const struct kt_flame_opts *opts,
				     struct kt_err *err);
struct kt_analysis *kt_flame_analysis(struct kt_flame *f);
enum kt_flame_kind kt_flame_guess_trace(struct kt_trace *t);

/* "calls", "stacks", "off-CPU", "wakeups" */
const char *kt_flame_kind_name(enum kt_flame_kind kind);
/* The kind that suits the trace's first records: stacks, or else calls. Takes some milliseconds. */
enum kt_flame_kind kt_flame_guess(struct kt_model *m);

/* Restart with the records of a window. 0, -ENOMEM */
int  kt_flame_set(struct kt_flame *f, enum kt_flame_kind kind, const struct kt_window *w,
		  struct kt_err *err);
/* A slice of work. True: there is more to do. */
bool kt_flame_work(struct kt_flame *f, unsigned int budget_ms);
/* Stop the work: the results so far stay. False: no work was in progress. */
bool kt_flame_stop(struct kt_flame *f);
/* Progress, 0 to 1; and did the work stop or fail before the end? */
double kt_flame_done(const struct kt_flame *f);
bool kt_flame_is_partial(const struct kt_flame *f);
/* Were there more different paths than fit? The last ones are added to their callers. */
bool kt_flame_is_full(const struct kt_flame *f);
/* Does it have times, or only counts? */
bool kt_flame_is_timed(const struct kt_flame *f);

/**
 * kt_flame_order - sum up the records read so far, and sort siblings
 * @by_count: by count, in descending order; otherwise by time
 *
 * After further work, frames stay unchanged until the next call. The
 * idle task comes last.
 */
void kt_flame_order(struct kt_flame *f, bool by_count);
/* As of the last kt_flame_order(); false after the last frame. Frame 0 always exists. */
bool kt_flame_frame(const struct kt_flame *f, uint32_t i, struct kt_flame_frame *frame);
size_t kt_flame_nr(const struct kt_flame *f);
/* The frames from the task to @i, as tools for folded stacks read them: "task;caller;function" */
void kt_flame_path(const struct kt_flame *f, uint32_t i, struct kt_out *out);

/* ==== reasons: an interval explained as in ktrail/why.h, in slices of work ==== */

struct kt_reasons;

/* @m: borrowed. New (kt_reasons_destroy), NULL: -ENOMEM */
struct kt_reasons *kt_reasons_create(struct kt_model *m, struct kt_err *err);
void kt_reasons_destroy(struct kt_reasons *r);

/* Begin to explain another interval: 0, or the error of kt_why_create() */
int  kt_reasons_set(struct kt_reasons *r, const struct kt_why_opts *o, struct kt_err *err);
/* The same for the interval that holds a moment: 0, or the error of kt_why_find_create() */
int  kt_reasons_set_moment(struct kt_reasons *r, const struct kt_why_moment *moment,
			   struct kt_err *err);
/* A slice of work. True: there is more to do. */
bool kt_reasons_work(struct kt_reasons *r, unsigned int budget_ms);
/* Stop the work: the results so far stay. False: no work was in progress. */
bool kt_reasons_stop(struct kt_reasons *r);
double kt_reasons_done(const struct kt_reasons *r);
/* Did the work stop before the end? */
bool kt_reasons_is_partial(const struct kt_reasons *r);
/* Why the work failed; .code 0: it did not */
struct kt_err kt_reasons_error(const struct kt_reasons *r);

/* The interval; false: not known yet. @kind: of the interval of a moment, else KT_SPAN_KINDS */
bool kt_reasons_interval(const struct kt_reasons *r, struct kt_why_opts *o,
			 enum kt_span_kind *kind);
/* The lines, when the work is done; NULL: it failed. Borrowed until the next interval */
struct kt_why *kt_reasons_why(const struct kt_reasons *r);

#ifdef __cplusplus
}
#endif
#endif
