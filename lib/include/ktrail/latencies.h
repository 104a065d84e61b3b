/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* latencies.h - how long things took: a distribution for each task, interrupt, call … */
#ifndef KTRAIL_LATENCIES_H
#define KTRAIL_LATENCIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/analysis.h>
#include <ktrail/err.h>
#include <ktrail/filter.h>
#include <ktrail/reader.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kt_latency_kind {
	KT_LATENCY_WAKEUP,		/* woken, until it runs, per task */
	KT_LATENCY_PREEMPTED,		/* lost the CPU, until it has one again, per task */
	KT_LATENCY_BLOCKED,		/* sleeps, until it is woken, per task */
	KT_LATENCY_SLEEP,		/* the same, per reason: state, and where in the kernel */
	KT_LATENCY_RUN,			/* has a CPU, until it gives it up or loses it, per task */
	KT_LATENCY_IRQ,
	KT_LATENCY_SOFTIRQ,
	KT_LATENCY_SOFTIRQ_WAIT,	/* raised, until it runs */
	KT_LATENCY_NMI,
	KT_LATENCY_IRQS_OFF,		/* sections without interrupts, per CPU */
	KT_LATENCY_PREEMPT_OFF,		/* … without preemption */
	KT_LATENCY_SYSCALL,
	KT_LATENCY_BLOCK_IO,		/* issued, until complete, per device and size */
	KT_LATENCY_WORK_WAIT,		/* queued, until it is executed, per function */
	KT_LATENCY_WORK,		/* executed */
	KT_LATENCY_LOCK,		/* contention, until the lock is taken, per lock */
	KT_LATENCY_TIMER,		/* how late high-resolution timers expired, per function */
	KT_LATENCY_NET_TX,		/* queued, until the device has it */
	KT_LATENCY_NET_RX,		/* received, until it was consumed */
	KT_LATENCY_FAULT,		/* page faults, where function_graph recorded them */
	KT_LATENCY_TRACER,		/* what timerlat, osnoise or hwlat measured, per CPU */
	KT_LATENCY_CALL,		/* functions */
	KT_LATENCY_PAIR,		/* events that the caller names */
	KT_LATENCY_KINDS
};

/* One of them, from its begin to its end */
struct kt_latency {
	uint64_t from, until;
	struct kt_spot spot;		/* before the record that ends it */
	size_t   file;
	int      pid;			/* whose it is */
	int      cpu;			/* where it ended */
	int      holder;		/* the task that had that CPU before the end */
	uint64_t value;			/* of the beginning: the priority of a task that is woken,
					 * sectors of block I/O … */
	int64_t  result;		/* of the end: what a system call returned */
};

/* Levels for histogram and map: 0 to 1 ns, up to 2, 5, 10 … 500 s, and longer */
#define KT_LATENCY_LEVELS  37
#define KT_LATENCY_COLUMNS 128		/* equal parts of the window */
#define KT_LATENCY_ERRNOS  134

struct kt_latency_row {
	enum kt_latency_kind kind;
	const char *name;		/* borrowed from the table */
	uint64_t count, sum, min, max;	/* ns */
	uint64_t cut;			/* without a certain begin and end: not in the others */
	uint64_t p50, p90, p99, p999;	/* to within 1.6 % */
	struct kt_latency worst;
	const uint64_t *levels;		/* KT_LATENCY_LEVELS counts */
	const uint32_t *map;		/* [KT_LATENCY_COLUMNS][KT_LATENCY_LEVELS], by their ends;
					 * NULL: not asked for */
	uint64_t nr_errors;		/* of system calls: a negative errno was returned */
	const uint32_t *errnos;		/* KT_LATENCY_ERRNOS counts; NULL: no errors */
};

/* "wakeup", "irq" … */
const char *kt_latency_kind_name(enum kt_latency_kind kind);
/* What it measures, in a few words */
const char *kt_latency_kind_title(enum kt_latency_kind kind);
/* "task", "interrupt" …: what the rows are */
const char *kt_latency_kind_noun(enum kt_latency_kind kind);
/* Does the trace know any event that it is made of? */
bool kt_latency_kind_is_recorded(struct kt_trace *t, enum kt_latency_kind kind);
/* The events to record for it, as words for `record -e`, ends with NULL. Without events, the
 * tracer: "-p function_graph". KT_LATENCY_PAIR has none. */
const char *const *kt_latency_kind_events(enum kt_latency_kind kind);

/* The level of a time, and the first time that is in a level */
unsigned int kt_latency_level(uint64_t ns);
uint64_t kt_latency_level_from(unsigned int level);

/* ---- all of a trace, in one pass ---- */

/* A step of KT_LATENCY_PAIR: the first begins it, the last ends it. */
struct kt_latency_step {
	const char *event;		/* "event" or "system:event" */
	const char *key;		/* fields, up to two: "dev,sector"; NULL: any */
	struct kt_filter *only;		/* NULL: all of these events. Borrowed */
};

#define KT_LATENCY_STEPS 8

struct kt_latency_opts {
	unsigned int kinds;		/* bits 1 << enum kt_latency_kind */
	const struct kt_latency_step *steps;	/* of KT_LATENCY_PAIR, copied but for filters */
	size_t nr_steps;		/* 2 to KT_LATENCY_STEPS */
	bool by_key;			/* a row for each key of a pair */
	const struct kt_window *map;	/* rows get a map of this window; NULL: none. Copied */
	size_t worst;			/* so many of the longest of each kind are kept */
	/* Optional: does a latency count that @rec ends? */
	bool (*counts)(void *data, const struct kt_record *rec);
	/* Optional: is given each that counts, instead of the row that it belongs to */
	int  (*each)(void *data, uint64_t key, const struct kt_latency *one);
	void *data;
};

/*
 * Memory: 8 KiB a row, and 19 with a map; 2048 rows of a kind at most. What comes after them
 * is added up in one row, "(others)".
 */
struct kt_latency_table;

/**
 * kt_latency_table_create - measure latencies, for kt_pass_run()
 *
 * Returns new (kt_latency_table_destroy), or NULL with
 *   -EINVAL  steps that make no pair
 *   -ENOENT  their events or fields are not in the trace
 *   -ENOMEM
 */
struct kt_latency_table *kt_latency_table_create(struct kt_trace *t,
						 const struct kt_latency_opts *opts,
						 struct kt_err *err);
void kt_latency_table_destroy(struct kt_latency_table *table);
struct kt_analysis *kt_latency_table_analysis(struct kt_latency_table *table);

/* In the order in which they were met */
size_t kt_latency_table_nr(const struct kt_latency_table *table);
bool kt_latency_table_row(const struct kt_latency_table *table, size_t i,
			  struct kt_latency_row *row);
/* What makes the row another one than the others, as each() is told it */
uint64_t kt_latency_table_key(const struct kt_latency_table *table, size_t i);
/* The longest of a kind, the longest first; NULL after the last. Once a pass has finished. */
const struct kt_latency *kt_latency_table_worst(const struct kt_latency_table *table,
						enum kt_latency_kind kind, size_t i);

#ifdef __cplusplus
}
#endif
#endif
