/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* why.h - what a task did in an interval, and what it waited for: the chain of reasons */
#ifndef KTRAIL_WHY_H
#define KTRAIL_WHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/analysis.h>
#include <ktrail/err.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kt_why_kind {
	/* What the task did. Together these are the whole interval. */
	KT_WHY_RAN,
	KT_WHY_PREEMPTED,	/* it could run, but had lost its CPU */
	KT_WHY_WAITED,		/* it had been woken, and did not have a CPU yet */
	KT_WHY_BLOCKED,		/* until it was woken */
	KT_WHY_UNKNOWN,		/* the trace does not tell */
	/* What was the reason. Each is a part of the line that it is below. */
	KT_WHY_HOLDER,		/* another task ran on that CPU */
	KT_WHY_IDLE,		/* nothing did: it was on its way out of idle */
	KT_WHY_IRQ,
	KT_WHY_SOFTIRQ,
	KT_WHY_MORE,		/* tasks and interrupts with less than 2 % each */
	KT_WHY_WAKER_TASK,	/* who woke it; below it, what that one did until then */
	KT_WHY_WAKER_IRQ,
	KT_WHY_WAKER_SOFTIRQ,
};

#define KT_WHY_NO_KEY UINT64_MAX

struct kt_why_line {
	enum kt_why_kind kind;
	unsigned int depth;		/* below the last line with a smaller one */
	uint64_t ns;			/* how much of the interval */
	uint64_t from, until;		/* 0 and 0: several that were added up */
	uint64_t count;
	int      pid;			/* the task, of the line; -1: none */
	int      cpu;			/* -1: none, or several */
	uint64_t key;			/* number of the interrupt, vector; state of a task that
					 * blocks; KT_WHY_NO_KEY: not recorded */
	uint64_t function;		/* where in the kernel it blocks; 0: not recorded */
	const char *name;		/* of an interrupt's handler; NULL: not known. Borrowed */
};

struct kt_why_opts {
	size_t   file;
	int      pid;
	uint64_t from, until;		/* ns */
};

struct kt_why;

/**
 * kt_why_create - explain what happened to a task, by kt_pass_run() over kt_why_window()
 *
 * Follows who had the CPU that the task waited for, what interrupted it, who woke it and what
 * that task did before, six wakers deep. Needs sched_switch and sched_waking or sched_wakeup;
 * says more with irq events and stacks. Memory: 64 bytes for each change of state in the
 * window, 4,000,000 of these at most.
 *
 * New (kt_why_destroy); NULL: -ENOMEM, -EINVAL: the interval is empty.
 */
struct kt_why *kt_why_create(struct kt_trace *t, const struct kt_why_opts *opts,
			     struct kt_err *err);
void kt_why_destroy(struct kt_why *w);
struct kt_analysis *kt_why_analysis(struct kt_why *w);
/* What has to be read: it begins before the interval, to know what each task did then. */
struct kt_window kt_why_window(const struct kt_why *w);

/*
 * Once a pass has finished. The lines of depth 0 add up to the interval; those below one say
 * what it was spent on, or who ended it. Of what is short only the sum of its kind is there.
 */
size_t kt_why_nr(const struct kt_why *w);
const struct kt_why_line *kt_why_line(const struct kt_why *w, size_t i);

#ifdef __cplusplus
}
#endif
#endif
