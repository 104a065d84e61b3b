/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* analysis.h - what a whole trace adds up to: call chains, columns of plugins, kernel memory */
#ifndef KTRAIL_ANALYSIS_H
#define KTRAIL_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/err.h>
#include <ktrail/filter.h>
#include <ktrail/plugins.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== several analyses in one pass over a trace ==== */

#define KT_ANALYSIS_WORDS (65536 / 64)	/* a bit for each event id */

/**
 * struct kt_analysis - something that is computed from the records of a trace
 *
 * First member of the analysis itself. kt_spans_analysis(), kt_profile_analysis() and
 * their kin return one; a program may also bring its own. All calls come from the
 * thread that called kt_pass_run().
 */
struct kt_analysis {
	/**
	 * record - take one record; all come in the order of time
	 * @ev: its event; never NULL
	 * 0, or a negative errno that ends the pass; with @err set
	 */
	int  (*record)(struct kt_analysis *a, const struct kt_event *ev,
		       const struct kt_record *rec, struct kt_err *err);
	/*
	 * Optional: events were lost on the source of @rec, after its last record and before
	 * @rec. Told before record(), and also for records that the analysis does not see.
	 */
	void (*lost)(struct kt_analysis *a, const struct kt_record *rec);
	/* Optional: a new window begins, what has begun is cut off */
	void (*gap)(struct kt_analysis *a);
	/* Optional: there are no more records; sort, sum up. As record() */
	int  (*finish)(struct kt_analysis *a, struct kt_err *err);
	/*
	 * Optional: set the bits of the events of @file that it has to see. Without it, it
	 * sees all. Records that no analysis of the pass wants cost next to nothing.
	 */
	void (*types)(struct kt_analysis *a, size_t file, uint64_t bits[KT_ANALYSIS_WORDS]);
};

struct kt_pass_opts {
	struct kt_filter *filter;		/* only these records; NULL: all. Borrowed */
	const struct kt_window *windows;	/* only what was recorded then; borrowed */
	size_t nr_windows;			/* 0: the whole trace */
	unsigned int drop_flags;		/* none with one of these common_flags */
	int threads;				/* that decompress meanwhile; 0: one per CPU */
	/*
	 * Optional: told about every 50 ms how far the pass is, in bytes of ring buffer.
	 * False stops it.
	 */
	bool (*progress)(void *data, uint64_t done, uint64_t total);
	void *data;
};

/**
 * kt_pass_run - read the trace once, for all of @list
 * @t:    from the beginning, wherever its stream is; CPUs are left out by
 *        kt_stream_mute() before the first read
 * @opts: NULL: the whole trace
 *
 * Returns 0, -ECANCELED when progress() said so (what came before was analysed, finish()
 * was called), what an analysis returned, or what reading says.
 */
int kt_pass_run(struct kt_trace *t, struct kt_analysis *const list[], size_t nr,
		const struct kt_pass_opts *opts, struct kt_err *err);

/* ==== how often each event of each task happened, and called by whom ==== */

struct kt_chains;

/* A function that led to what stands above it. All borrowed until the chains or the trace go. */
struct kt_chain_caller {
	const char *function;
	uint64_t count;				/* how often it did */
	const struct kt_chain_caller *callers;	/* who called it; the most frequent first */
	const struct kt_chain_caller *next;	/* another caller of the same */
};

struct kt_chain {
	int         pid;		/* -1: of all tasks */
	const char *comm;		/* NULL: of all tasks */
	const char *name;		/* of the event or function */
	bool        is_function;
	uint64_t    count;
	const struct kt_chain_caller *callers;
};

/**
 * kt_chains_create - count the events of a trace by call chain, for kt_pass_run()
 * @ignore_pids: count the events of all tasks together
 *
 * The callers are those of the kernel stack recorded with the event. Without
 * one they are the functions that the function or function_graph tracer saw the
 * task call: those stand for themselves, too. Frames without a symbol are left
 * out. The stacks of user space that option userstacktrace records belong to
 * the event before them and are not counted.
 *
 * Memory: some 70 bytes for each different chain and function in it.
 * The most frequent come first. Returns new (kt_chains_destroy), or NULL: -ENOMEM.
 */
struct kt_chains *kt_chains_create(struct kt_trace *t, bool ignore_pids, struct kt_err *err);
void kt_chains_destroy(struct kt_chains *c);
/* What follows is valid once a pass has finished it. */
struct kt_analysis *kt_chains_analysis(struct kt_chains *c);

size_t kt_chains_nr(const struct kt_chains *c);
const struct kt_chain *kt_chains_at(const struct kt_chains *c, size_t i);
/* How many events and functions were counted */
uint64_t kt_chains_total(const struct kt_chains *c);

/* ==== the numbers that plugins name in events, added up over a trace ==== */

struct kt_columns;

/* One column of one event; strings are borrowed until the columns go */
struct kt_column_row {
	const char *system, *event;
	const char *plugin;		/* that names the column */
	const char *column, *summary;
	enum kt_column_kind kind;	/* NUMBER, TIME_NS or BYTES */
	uint64_t count;			/* records with a value, at least 1 */
	int64_t  min, max;
	int64_t  p50, p90, p99;		/* percentiles, to within 3 % */
	double   average, total;
};

/**
 * kt_columns_create - add up the columns that events of @t have, for kt_pass_run()
 * @plugins: borrowed, as @t, of which all files have been added
 *
 * New (kt_columns_destroy), NULL with -ENOMEM. 16 KiB for each column that turns up.
 */
struct kt_columns *kt_columns_create(struct kt_trace *t, struct kt_plugins *plugins,
				     struct kt_err *err);
void kt_columns_destroy(struct kt_columns *c);

/* What follows is valid once a pass has finished it. */
struct kt_analysis *kt_columns_analysis(struct kt_columns *c);

/* Sorted by system, event and column; NULL after the last. */
const struct kt_column_row *kt_columns_row(struct kt_columns *c, size_t i);

/* ==== who allocated kernel memory in a trace, and how much of it was padding ==== */

struct kt_kmem;

/* One calling function; all sizes in bytes */
struct kt_kmem_row {
	const char *function;		/* borrowed until the report goes */
	uint64_t alloc, req;		/* still held at the end: given out, and asked for */
	uint64_t total_alloc, total_req;	/* over the whole trace */
	uint64_t max_alloc, max_req;	/* the most that was held at a time */
	uint64_t max_waste;		/* the most that alloc exceeded req by */
};

/**
 * kt_kmem_create - add up the kmem events of a trace, for kt_pass_run()
 *
 * Counts kmalloc, kmalloc_node, kmem_cache_alloc, kmem_cache_alloc_node, kfree
 * and kmem_cache_free. What was allocated before the trace began is not known,
 * and freeing it counts nowhere. Memory: 40 bytes for each object held.
 *
 * Rows are sorted by bytes wasted. Returns new (kt_kmem_destroy), or NULL with
 *   -ENOENT  the trace has no formats of kmem events
 *   -ENOMEM
 */
struct kt_kmem *kt_kmem_create(struct kt_trace *t, struct kt_err *err);
void kt_kmem_destroy(struct kt_kmem *k);
/* What follows is valid once a pass has finished it. */
struct kt_analysis *kt_kmem_analysis(struct kt_kmem *k);

size_t kt_kmem_nr(const struct kt_kmem *k);
const struct kt_kmem_row *kt_kmem_row(const struct kt_kmem *k, size_t i);

#ifdef __cplusplus
}
#endif
#endif
