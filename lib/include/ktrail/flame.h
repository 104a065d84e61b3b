/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* flame.h - stacks and calls of a trace merged into one tree, with the time spent in each frame */
#ifndef KTRAIL_FLAME_H
#define KTRAIL_FLAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/err.h>
#include <ktrail/model.h>

#ifdef __cplusplus
extern "C" {
#endif

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
