/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* span.h - what lasts: states of tasks, interrupts, system calls, any pair of events */
#ifndef KTRAIL_SPAN_H
#define KTRAIL_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/analysis.h>
#include <ktrail/err.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kt_span_kind {
	KT_SPAN_RUN,		/* a task has a CPU: sched_switch to it, until the one from it */
	KT_SPAN_PREEMPTED,	/* it lost the CPU though it could run, until it has one again */
	KT_SPAN_BLOCKED,	/* it gave the CPU up, until it is woken */
	KT_SPAN_WAIT,		/* woken, until it runs */
	KT_SPAN_IRQ,		/* irq_handler_entry, or one of irq_vectors, until _exit */
	KT_SPAN_SOFTIRQ_WAIT,	/* softirq_raise, until _entry */
	KT_SPAN_SOFTIRQ,	/* softirq_entry, until _exit */
	KT_SPAN_NMI,		/* nmi_handler tells how long it took */
	KT_SPAN_SYSCALL,	/* sys_enter, until sys_exit */
	KT_SPAN_BLOCK_IO,	/* block_rq_issue, until block_rq_complete of device and sector */
	KT_SPAN_WORK_WAIT,	/* workqueue_queue_work, until it is executed */
	KT_SPAN_WORK,		/* workqueue_execute_start, until _end */
	KT_SPAN_LOCK,		/* contention_begin, until contention_end */
	KT_SPAN_TIMER,		/* hrtimer_start, until it expires: @value: when it should have,
				 * @result: when it did, by its own clock */
	KT_SPAN_NET_TX,		/* net_dev_queue, until net_dev_xmit */
	KT_SPAN_NET_RX,		/* netif_receive_skb, until consume_skb */
	KT_SPAN_IRQS_OFF,	/* irq_disable, until irq_enable, on a CPU */
	KT_SPAN_PREEMPT_OFF,	/* preempt_disable, until preempt_enable */
	KT_SPAN_PAIR,		/* a pair that the caller named */
	KT_SPAN_KINDS
};

enum kt_span_flag {
	KT_SPAN_UNBEGUN    = 1 << 0,	/* the beginning is not in the trace: @begin is its start */
	KT_SPAN_UNFINISHED = 1 << 1,	/* the end is not in the trace:
					 * @end is the last time seen */
	KT_SPAN_CUT        = 1 << 2,	/* something is missing in between: it may be two */
};

/* One end: where its record lies, and on which CPU */
struct kt_span_end {
	const struct kt_event *event;	/* NULL: not in the trace */
	uint64_t ts;			/* as of the record */
	uint64_t pos;			/* of the record in its source */
	uint32_t source;
	int      cpu;
	int      pid;			/* the task that had the CPU then */
	uint8_t  flags;			/* common_flags: was it in an interrupt? */
};

/* Borrowed while the sink runs */
struct kt_span {
	enum kt_span_kind kind;
	unsigned int flags;		/* enum kt_span_flag; 0: both ends are certain */
	struct kt_span_end begin, end;
	size_t   file;
	int      pid;			/* whose it is: the task that runs, waits,
					 * was interrupted … */
	uint64_t key[2];		/* interrupt, vector, number of the call,
					 * device and sector … */
	uint64_t value;			/* of the beginning: prev_state,
					 * work function, else @key[0] */
	uint64_t result;		/* of the end: what a system call returned */
	size_t   pair;			/* KT_SPAN_PAIR: index into opts.pairs */
	const uint64_t *frames;		/* kernel stack recorded with the beginning,
					 * innermost first */
	size_t   nr_frames;
};

/* Two events that belong together when their keys are equal */
struct kt_pair {
	const char *from, *to;		/* "event" or "system:event" */
	const char *from_key, *to_key;	/* fields, up to two: "dev,sector"; NULL: any */
	const char *owner;		/* field of @from with the task's pid;
					 * NULL: the current one */
	bool same_cpu, same_task;	/* both ends happen on one CPU, in one task */
	struct kt_filter *from_only, *to_only;	/* NULL: all of these events. Borrowed */
};

struct kt_spans_opts {
	unsigned int kinds;		/* bits 1 << enum kt_span_kind; 0: all */
	const struct kt_pair *pairs;	/* more, by the caller; copied */
	size_t nr_pairs;
	/* Is given each span when it ends; those without an end at the end of the trace */
	int  (*sink)(void *data, const struct kt_span *span, struct kt_err *err);
	void *data;
};

struct kt_spans;

/**
 * kt_spans_create - follow what lasts, for kt_pass_run()
 *
 * Each span is given to the sink once. Loss of events makes a span KT_SPAN_CUT where an
 * end of it may have been lost: on its CPU if both ends happen on one, on any CPU of its
 * buffer otherwise. Buffers do not mix.
 *
 * Returns new (kt_spans_destroy), or NULL with
 *   -EINVAL  a pair without an event, or with more than two keys
 *   -ENOENT  an event or a field of a pair is not in the trace
 *   -ENOMEM
 */
struct kt_spans *kt_spans_create(struct kt_trace *t, const struct kt_spans_opts *opts,
				 struct kt_err *err);
void kt_spans_destroy(struct kt_spans *s);
struct kt_analysis *kt_spans_analysis(struct kt_spans *s);

/* "TIMER", "NET_RX" …; NULL: no such vector */
const char *kt_softirq_name(uint64_t vector);

/* "run", "blocked", "irq" … for texts and JSON */
const char *kt_span_kind_name(enum kt_span_kind kind);

/*
 * The events that spans of @kind are made of, as "system:event" words, e.g. to say what
 * a recording lacks. Ends with NULL.
 */
const char *const *kt_span_kind_events(enum kt_span_kind kind);

#ifdef __cplusplus
}
#endif
#endif
