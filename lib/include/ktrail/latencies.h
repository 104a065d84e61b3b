/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* latencies.h - how long things took: a distribution for each task, interrupt, call … */
#ifndef KTRAIL_LATENCIES_H
#define KTRAIL_LATENCIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/err.h>
#include <ktrail/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One kind of latency of a model's trace, read in slices of work. With filters, a latency
 * counts when the event that ends it is shown. Memory: 20 KiB a row, 2048 rows at most;
 * what comes after them is added up in one row, "(others)".
 */
struct kt_latencies;

enum kt_latency_kind {
	KT_LATENCY_WAKEUP,		/* woken, until it runs, per task */
	KT_LATENCY_PREEMPTED,		/* lost the CPU, until it has one again, per task */
	KT_LATENCY_BLOCKED,		/* sleeps, until it is woken, per task */
	KT_LATENCY_IRQ,
	KT_LATENCY_SOFTIRQ,
	KT_LATENCY_SYSCALL,
	KT_LATENCY_BLOCK_IO,		/* issued, until complete, per device */
	KT_LATENCY_TRACER,		/* what timerlat, osnoise or hwlat measured, per CPU */
	KT_LATENCY_CALL,		/* functions */
	KT_LATENCY_PAIR,		/* two events that the caller names */
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
};

/* Levels for histogram and map: 0 to 1 ns, up to 2, 5, 10 … 500 s, and longer */
#define KT_LATENCY_LEVELS  37
#define KT_LATENCY_COLUMNS 128		/* equal parts of the window */

struct kt_latency_row {
	const char *name;		/* borrowed until kt_latencies_set() */
	uint64_t count, sum, min, max;	/* ns */
	uint64_t cut;			/* without a certain begin and end: not in the others */
	uint64_t p50, p90, p99, p999;	/* to within 1.6 % */
	struct kt_latency worst;
	const uint64_t *levels;		/* KT_LATENCY_LEVELS counts */
	const uint32_t *map;		/* [KT_LATENCY_COLUMNS][KT_LATENCY_LEVELS], by their ends */
};

/* @m: borrowed. New (kt_latencies_destroy), NULL: -ENOMEM */
struct kt_latencies *kt_latencies_create(struct kt_model *m, struct kt_err *err);
void kt_latencies_destroy(struct kt_latencies *l);

/* "wakeup", "irq" … */
const char *kt_latency_kind_name(enum kt_latency_kind kind);
/* What it measures, in a few words */
const char *kt_latency_kind_title(enum kt_latency_kind kind);
/* Does the trace know any event that it is made of? */
bool kt_latency_kind_is_recorded(struct kt_model *m, enum kt_latency_kind kind);

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

/* In the order in which they were met */
size_t kt_latencies_nr(const struct kt_latencies *l);
bool kt_latencies_row(const struct kt_latencies *l, size_t i, struct kt_latency_row *row);

/* The level of a time, and the first time that is in a level */
unsigned int kt_latency_level(uint64_t ns);
uint64_t kt_latency_level_from(unsigned int level);

/* ---- the single ones ---- */

#define KT_LATENCY_LIST_MAX 1000

/* Read again, for those of row @i that are in @level: the longest KT_LATENCY_LIST_MAX */
int  kt_latencies_list(struct kt_latencies *l, size_t i, unsigned int level, struct kt_err *err);
/* Longest first, when the work is done */
size_t kt_latencies_nr_listed(const struct kt_latencies *l);
const struct kt_latency *kt_latencies_listed(const struct kt_latencies *l, size_t i);

#ifdef __cplusplus
}
#endif
#endif
