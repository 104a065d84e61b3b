/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* why.h - what a task did in an interval, and why it waited */
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
	KT_WHY_BLOCKED,		/* asleep until its wakeup */
	KT_WHY_ABSENT,		/* it did not exist yet; below: what its parent did */
	KT_WHY_UNKNOWN,		/* not known from the trace */
	/* Parts of the line above them: they add up to its time, or to less */
	KT_WHY_HOLDER,		/* another task ran on that CPU */
	KT_WHY_IDLE,		/* no task ran: the CPU was in an idle state, or leaving it */
	KT_WHY_IRQ,
	KT_WHY_SOFTIRQ,
	KT_WHY_NMI,
	KT_WHY_SPUN,		/* a running task spun for a lock */
	KT_WHY_IO_QUEUED,	/* a request of block I/O waited in a queue */
	KT_WHY_IO_DEVICE,	/* a device had the request; with of_request, the whole interval */
	KT_WHY_CALLEE,		/* a function that the task called: its own time */
	KT_WHY_MORE,		/* tasks and interrupts with less than 2 % each */
	/* Facts: causes of the line above them. They have no part of the time. */
	KT_WHY_MOVED,		/* it moved to another CPU at an unknown time */
	KT_WHY_LOCK,		/* the lock that it slept for */
	KT_WHY_FUTEX,		/* the futex that it slept on */
	KT_WHY_TIMER,		/* the timer that ended its sleep */
	KT_WHY_WAKER_TASK,	/* the task that woke it; below: what that task did before */
	KT_WHY_WAKER_IRQ,
	KT_WHY_WAKER_SOFTIRQ,
	KT_WHY_IO_BEFORE,	/* the time that the request waited in a queue before */
	KT_WHY_IO_OTHERS,	/* other requests of its device at that time */
	KT_WHY_IO_PAUSE,	/* the time in which the device completed nothing */
	KT_WHY_IO_ISSUER,	/* below: what the task that issued the request did */
	KT_WHY_CALLS,		/* below: the functions that the task called */
	KT_WHY_HOP,		/* the waker's own wakeup: how long it waited and ran since */
	KT_WHY_CHAIN,		/* the path of calls to a KT_WHY_CALLEE that took most time */
};

#define KT_WHY_NO_KEY UINT64_MAX

/* kt_why_line.flags of KT_WHY_WAITED and KT_WHY_PREEMPTED */
#define KT_WHY_THEN          1	/* it already waited, for the CPU that it was moved from */
/* of KT_WHY_TIMER */
#define KT_WHY_TIMER_KNOWN   1	/* its start was recorded: @delay is known */
#define KT_WHY_TIMER_JIFFIES 2	/* @delay is in jiffies, not in ns */
/* of KT_WHY_WAKER_TASK, _IRQ and _SOFTIRQ */
#define KT_WHY_RELEASED      1	/* it released the lock that the task slept for */
#define KT_WHY_COMPLETED     2	/* it completed the request, whether or not it woke a task */
/* of KT_WHY_UNKNOWN */
#define KT_WHY_OLDER         1	/* the state began before reading did, at @from - @delay */
#define KT_WHY_AT_START      2	/* reading began with the first record of the trace */
#define KT_WHY_AFTER_LOSS    4	/* events were lost before the interval */

struct kt_why_line {
	enum kt_why_kind kind;
	unsigned int depth;		/* it belongs to the last line with a smaller depth */
	uint64_t ns;			/* its part of the interval; 0: a fact */
	uint64_t from, until;		/* 0 and 0: the sum of several */
	uint64_t count;			/* number of parts; KT_WHY_IO_OTHERS: requests that the
					 * device had at the begin of the interval */
	int      pid;			/* the task of the line; -1: none */
	int      cpu;			/* -1: none, or several */
	int      from_cpu;		/* the CPU before it was moved to @cpu; -1: not moved */
	uint64_t key;			/* number of an interrupt or vector; state of a blocked
					 * task; idle state; device; KT_WHY_ABSENT: pid of the
					 * parent; KT_WHY_TIMER: ns that it was set for, 0: not
					 * known. KT_WHY_NO_KEY: not recorded */
	uint64_t addr;			/* address of a lock or futex; sector of a request */
	uint64_t flags;			/* lock: flags of contention_begin; futex: op; request:
					 * number of sectors; or as above */
	uint64_t delay;			/* ns: IDLE: until the CPU left the idle state; TIMER: its
					 * lateness; IO: duration of the request or pause; LOCK:
					 * duration of the wait; UNKNOWN: what was read before
					 * @from; HOP: the waker's waits for CPUs */
	uint64_t ran;			/* KT_WHY_HOP: ns that the waker ran since its own wakeup */
	uint64_t issued, completed;	/* KT_WHY_IO_OTHERS: requests in the interval */
	uint64_t function;		/* address: where the task blocks in the kernel, or the
					 * function of a timer; 0: unknown */
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
					 * @from, and that completed at @until */
};

struct kt_why;

/**
 * kt_why_create - explain what happened to a task, for kt_pass_run() over kt_why_window()
 *
 * Finds which task had the CPU that the task waited for, what interrupted it, which task woke it
 * and what that task did before, up to six wakers deep. Needs sched_switch and sched_waking or
 * sched_wakeup; kt_why_missing() lists events that would explain more. Memory: 90 bytes for each
 * change of state in the window, at most 4,000,000 of these.
 *
 * New (kt_why_destroy); NULL: -ENOMEM, -EINVAL: the interval is empty.
 */
struct kt_why *kt_why_create(struct kt_trace *t, const struct kt_why_opts *opts,
			     struct kt_err *err);
void kt_why_destroy(struct kt_why *w);
struct kt_analysis *kt_why_analysis(struct kt_why *w);
/* The window to read: it begins before the interval, to find the states of tasks at the start. */
struct kt_window kt_why_window(const struct kt_why *w);

/**
 * kt_why_goes_back - after a pass: is another one needed, which begins earlier?
 *
 * 1: the state of a task or CPU at the start of the interval is older than the records read. The
 * reasons so far are discarded: run a pass over the new kt_why_window(), which begins ten times as
 * long before the interval. 0: nothing is missing, the trace has nothing older, events were lost,
 * or a million records were read: the reasons say so. -ENOMEM. Without this call the reasons of the
 * first pass remain.
 */
int kt_why_goes_back(struct kt_why *w, struct kt_err *err);

/*
 * Valid after a pass has finished. The lines of depth 0 add up to the interval; the lines below
 * one show how it was spent, or what ended it. Short parts only have a sum for each kind.
 */
size_t kt_why_nr(const struct kt_why *w);
const struct kt_why_line *kt_why_line(const struct kt_why *w, size_t i);

/**
 * kt_why_summary - the reasons in one line, for people: "rt-app:42 waited 5.2 ms for CPU 3: 4.1 ms
 * migration/3:25, 1.0 ms interrupt 24 eth0"
 *
 * Names the states that took a tenth of the interval or more, the longest first, with the users of
 * the CPU, or the reason of the sleep, up to three wakers deep. Not escaped, as kt_why_text().
 * Borrowed until the next call with the same @w; NULL: no memory.
 */
const char *kt_why_summary(struct kt_why *w);

/* Do lines of this kind have a part of the interval? Otherwise they are facts. */
bool kt_why_is_part(enum kt_why_kind kind);
/* "ran", "holder" …, as in JSON */
const char *kt_why_kind_name(enum kt_why_kind kind);

/*
 * The @i-th argument of `record` that would have explained more of this interval:
 * "-e power:cpu_idle" or "-T". NULL after the last.
 */
const char *kt_why_missing(struct kt_why *w, size_t i);

/**
 * kt_why_text - a line as text for people: "woken by bash:42 on CPU 2 at 12.345679"
 *
 * Without the line's time and share. Names from the trace are unchanged: escape the text for a
 * terminal. Borrowed until the next call with the same @w; NULL: no such line, or no memory.
 */
const char *kt_why_text(struct kt_why *w, size_t i);

/* ==== the interval that holds a moment ==== */

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
 * The pass ends early, with -ECANCELED, once the interval is found. The first window is 100 ms
 * before and after the moment, see kt_why_find_result(). At the border of two states, it finds the
 * second.
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
 * @kind: its kind: KT_SPAN_RUN, KT_SPAN_WAIT …
 *
 * Returns 1; 0: it is longer than the window that was read: run a pass over the new
 * kt_why_find_window(), which is larger; -ENOENT: it is not in the trace; -ENOMEM.
 * An interval that begins before the trace or ends after it is cut there.
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
 * kt_why_around_create - find what each CPU did at a moment, and which task waited longest for a
 * CPU, for kt_pass_run() over kt_why_around_window(): one second before and after it
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
