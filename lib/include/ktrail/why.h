/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* why.h - what a task did in an interval, and the chain of reasons for its waiting */
#ifndef KTRAIL_WHY_H
#define KTRAIL_WHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/analysis.h>
#include <ktrail/base.h>
#include <ktrail/span.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kt_why_kind {
	/* The states of the task. Together they cover the whole interval. */
	KT_WHY_RAN,
	KT_WHY_PREEMPTED,	/* it was runnable, but had lost its CPU */
	KT_WHY_WAITED,		/* it was woken, but had no CPU yet */
	KT_WHY_BLOCKED,		/* until its wakeup */
	KT_WHY_ABSENT,		/* it did not exist yet; below: what its parent did */
	KT_WHY_UNKNOWN,		/* not known from the trace */
	/* Parts of the line that they belong to: they add up to it, or to less */
	KT_WHY_HOLDER,		/* another task ran on that CPU */
	KT_WHY_IDLE,		/* no task did: an idle state, or the way out of it */
	KT_WHY_IRQ,
	KT_WHY_SOFTIRQ,
	KT_WHY_NMI,
	KT_WHY_SPUN,		/* a task that ran spun for a lock */
	KT_WHY_IO_QUEUED,	/* a request of block I/O waited in a queue … */
	KT_WHY_IO_DEVICE,	/* … and was with its device: all of the interval of a request */
	KT_WHY_CALLEE,		/* a function that the task called: its own time */
	KT_WHY_MORE,		/* tasks and interrupts with less than 2 % each */
	/* Facts: how the line that they belong to came about. They have no part of the time. */
	KT_WHY_MOVED,		/* it came to another CPU, when is not known */
	KT_WHY_LOCK,		/* the lock that it slept for */
	KT_WHY_FUTEX,		/* the futex that it slept on */
	KT_WHY_TIMER,		/* the timer that ended its sleep */
	KT_WHY_WAKER_TASK,	/* the task that woke it; below: what that task did before */
	KT_WHY_WAKER_IRQ,
	KT_WHY_WAKER_SOFTIRQ,
	KT_WHY_IO_BEFORE,	/* how long the request had waited in a queue before */
	KT_WHY_IO_OTHERS,	/* other requests of its device at that time */
	KT_WHY_IO_PAUSE,	/* how long the device completed nothing */
	KT_WHY_IO_ISSUER,	/* below: what the task did that issued it */
	KT_WHY_CALLS,		/* below: the functions that the task called */
	KT_WHY_HOP,		/* the waker's own wakeup: how long it waited and ran since */
	KT_WHY_CHAIN,		/* the calls that led to a KT_WHY_CALLEE most often, by time */
};

#define KT_WHY_NO_KEY UINT64_MAX

/*
 * kt_why_line.flags of KT_WHY_WAITED and KT_WHY_PREEMPTED, KT_WHY_TIMER, KT_WHY_WAKER_TASK and
 * KT_WHY_WAKER_IRQ, KT_WHY_UNKNOWN
 */
#define KT_WHY_THEN          1	/* it waited already, for the CPU that it was moved from */
#define KT_WHY_TIMER_KNOWN   1	/* its start was recorded: @delay is known */
#define KT_WHY_TIMER_JIFFIES 2	/* @delay is in jiffies, not in ns */
#define KT_WHY_RELEASED      1	/* it released the lock that the task slept for */
#define KT_WHY_COMPLETED     2	/* it completed the request, whether or not it woke a task */
#define KT_WHY_OLDER         1	/* the state began before @from - @delay, where reading began … */
#define KT_WHY_AT_START      2	/* … with the first record of the trace */
#define KT_WHY_AFTER_LOSS    4	/* … or only after events that were lost */

struct kt_why_line {
	enum kt_why_kind kind;
	unsigned int depth;		/* belongs to the last line with a smaller depth */
	uint64_t ns;			/* its part of the interval; 0: a fact */
	uint64_t from, until;		/* 0 and 0: the sum of several */
	uint64_t count;
	int      pid;			/* the task of the line; -1: none */
	int      cpu;			/* -1: none, or several */
	int      from_cpu;		/* before it was moved to @cpu; -1: it was not */
	uint64_t key;			/* number of the interrupt, vector; state of a blocked task;
					 * idle state; device; of KT_WHY_ABSENT: the parent; of a
					 * timer: for how long it was set, ns, 0: not known.
					 * KT_WHY_NO_KEY: not recorded */
	uint64_t addr;			/* of a lock, a futex; the sector of a request */
	uint64_t flags;			/* of a lock: as in contention_begin; of a futex: op; the
					 * number of sectors of a request; or as above */
	uint64_t delay;			/* ns: until a CPU left its idle state; how late a timer
					 * expired; how long a request took, a lock was waited for;
					 * how long before the interval was read;
					 * of KT_WHY_HOP: how long the waker waited for CPUs … */
	uint64_t ran;			/* … and ran, since it was woken itself */
	uint64_t issued, completed;	/* KT_WHY_IO_OTHERS: requests in the interval; @count: those
					 * that the device had when it began */
	uint64_t function;		/* where in the kernel it blocks; of a timer; that is
					 * called; 0: unknown */
	const char *name;		/* of an interrupt handler, the system call that blocks, the
					 * kind of a request ("WS"), a function; NULL: not known.
					 * Borrowed */
};

struct kt_why_opts {
	size_t   file;
	int      pid;
	uint64_t from, until;		/* ns */
	bool     by_cpu;		/* explain what @cpu did, not the task */
	int      cpu;
	bool     of_request;		/* explain the request of block I/O that @pid issued at
					 * @from and that was completed at @until */
};

struct kt_why;

/**
 * kt_why_create - explain what happened to a task, for kt_pass_run() over kt_why_window()
 *
 * Finds which task had the CPU that the task waited for, what interrupted it, which task woke it
 * and what that task did before, up to six wakers deep. Needs sched_switch and sched_waking or
 * sched_wakeup; kt_why_missing() tells which events would say more. Memory: 90 bytes for each
 * change of state in the window, at most 4,000,000 of these.
 *
 * New (kt_why_destroy); NULL: -ENOMEM, -EINVAL: the interval is empty.
 */
struct kt_why *kt_why_create(struct kt_trace *t, const struct kt_why_opts *opts,
			     struct kt_err *err);
void kt_why_destroy(struct kt_why *w);
struct kt_analysis *kt_why_analysis(struct kt_why *w);
/* The window to read: it begins before the interval, to find the states of tasks at its start. */
struct kt_window kt_why_window(const struct kt_why *w);

/**
 * kt_why_goes_back - after a pass: does it take another one, that begins earlier?
 *
 * 1: the state of a task or CPU at the start of the interval is older than what was read. The
 * reasons so far are discarded: run a pass over the next kt_why_window(), ten times as long
 * before the interval. 0: nothing is missing, or there is nothing older, or a million records
 * were read: the reasons say so. -ENOMEM. Without this call the reasons of the first pass remain.
 */
int kt_why_goes_back(struct kt_why *w, struct kt_err *err);

/*
 * Valid after a pass has finished. The lines of depth 0 add up to the interval; the lines below
 * one show how it was spent, or who ended it. For short parts there is only a sum of each kind.
 */
size_t kt_why_nr(const struct kt_why *w);
const struct kt_why_line *kt_why_line(const struct kt_why *w, size_t i);

/**
 * kt_why_summary - the reasons in one line, for people: "rt-app:42 waited 5.2 ms for CPU 3: 4.1 ms
 * migration/3:25, 1.0 ms interrupt 24 eth0"
 *
 * Names the states that took a tenth of the interval or more, the longest first, and of these what
 * had the CPU, or what was slept for, up to three wakers deep. Not escaped, as kt_why_text().
 * Borrowed until the next call with the same @w; NULL: no memory.
 */
const char *kt_why_summary(struct kt_why *w);

/* Has a line of that kind a part of the interval? Otherwise it is a fact. */
bool kt_why_is_part(enum kt_why_kind kind);
/* "ran", "holder" …, as in JSON */
const char *kt_why_kind_name(enum kt_why_kind kind);

/*
 * The @i-th argument of `record` that would have told more of this interval: "-e power:cpu_idle"
 * or "-T". NULL after the last.
 */
const char *kt_why_missing(struct kt_why *w, size_t i);

/**
 * kt_why_text - what a line says, for people: "woken by bash:42 on CPU 2 at 12.345679"
 *
 * Without the line's time and share. Names from the trace are in it as they are: escape it
 * for a terminal. Borrowed until the next call with the same @w; NULL: no such line, or no memory.
 */
const char *kt_why_text(struct kt_why *w, size_t i);

/* ==== which interval a moment lies in ==== */

struct kt_why_moment {
	size_t   file;
	int      pid;
	uint64_t ts;			/* ns */
	bool     is_syscall;		/* the system call around it; else the state of the task */
};

struct kt_why_find;

/**
 * kt_why_find_create - find the interval of a task that holds a moment, for kt_pass_run() over
 * kt_why_find_window()
 * @span: from the first to the last record of the trace; copied, as @moment
 *
 * The pass ends early, with -ECANCELED, once the interval is found. It begins with 100 ms around
 * the moment: see kt_why_find_result(). Where two states meet, the second one is found.
 *
 * New (kt_why_find_destroy); NULL: -EINVAL: the moment is not in @span; -ENOMEM.
 */
struct kt_why_find *kt_why_find_create(struct kt_trace *t, const struct kt_why_moment *moment,
				       const struct kt_window *span, struct kt_err *err);
void kt_why_find_destroy(struct kt_why_find *f);
struct kt_analysis *kt_why_find_analysis(struct kt_why_find *f);
struct kt_window kt_why_find_window(const struct kt_why_find *f);

/**
 * kt_why_find_result - after a pass: the interval
 * @kind: what it is: KT_SPAN_RUN, KT_SPAN_WAIT …
 *
 * Returns 1; 0: it lasts longer than the window that was read: run a pass over the next
 * kt_why_find_window(), which is larger; -ENOENT: the trace does not tell; -ENOMEM.
 * If the interval begins before the trace or ends after it, it is cut there.
 */
int kt_why_find_result(struct kt_why_find *f, struct kt_why_opts *o, enum kt_span_kind *kind,
		       struct kt_err *err);

/* ==== what happened at a moment ==== */

/* The task that a CPU executed; pid 0: idle */
struct kt_why_run {
	int cpu, pid;
	uint64_t from, until;		/* as far as read */
};

struct kt_why_around;

/**
 * kt_why_around_create - find what each CPU did at a moment and which task waited longest for
 * one, for kt_pass_run() over kt_why_around_window(): one second before and after it
 *
 * New (kt_why_around_destroy); NULL: -ENOMEM.
 */
struct kt_why_around *kt_why_around_create(struct kt_trace *t, size_t file, uint64_t ts,
					   struct kt_err *err);
void kt_why_around_destroy(struct kt_why_around *a);
struct kt_analysis *kt_why_around_analysis(struct kt_why_around *a);
struct kt_window kt_why_around_window(const struct kt_why_around *a);
/* After the pass: in order of CPUs, NULL after the last. Borrowed */
const struct kt_why_run *kt_why_around_run(const struct kt_why_around *a, size_t i);
/* The longest wait for a CPU that holds the moment; false: no task waited */
bool kt_why_around_longest(const struct kt_why_around *a, struct kt_why_opts *o);

#ifdef __cplusplus
}
#endif
#endif
