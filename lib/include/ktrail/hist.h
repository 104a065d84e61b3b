/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* hist.h - what the kernel has counted: hist tables, the function profile */
#ifndef KTRAIL_HIST_H
#define KTRAIL_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/err.h>
#include <ktrail/instance.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== the tables that hist triggers fill in the kernel ==== */

struct kt_hist_key {
	char    *text;			/* as the kernel shows it: "kworker/0:1 [12]", "~ 2^5" */
	bool     is_number;		/* then the values that this key stands for: */
	int64_t  low, high;		/* both included; the same unless a bucket */
};

struct kt_hist_row {
	struct kt_hist_key *keys;	/* nr_keys of the table */
	uint64_t           *values;	/* nr_values of the table */
	char               *saved;	/* what onmax()/onchange() saved, "" if nothing */
};

/* What the kernel tells below the rows of a table with onmax(…).snapshot(): the last one taken */
struct kt_hist_snapshot {
	char    *handler;		/* "onmax(lat)" */
	uint64_t value;			/* that triggered it */
	char    *key;			/* of the row: "{ next_pid: 12 }" */
};

struct kt_hist {
	char    *trigger;		/* "hist:keys=…", without the state in brackets */
	char    *state;			/* "active", "paused" … */
	size_t   nr_keys, nr_values, nr_rows;
	char   **key_names, **value_names;	/* the first value is "hitcount", but
					 * for a table with "nohitcount" */
	struct kt_hist_row *rows;
	struct kt_hist_snapshot *snapshots;	/* one a handler that took one; most tables: none */
	size_t   nr_snapshots;
	uint64_t hits, entries, dropped;
};

struct kt_hists {
	size_t nr;
	struct kt_hist *at;
};

/**
 * kt_hists_parse - understand the text of events/SYSTEM/EVENT/hist
 *
 * One table for each hist trigger of the event. Keys are told apart by the
 * names that the trigger gives them, so a comm holding "} hitcount:" does no
 * harm. Returns new (kt_hists_destroy), or NULL with
 *   -EBADMSG  a line that belongs to no table, or a row that does not fit its trigger
 *   -ENOMEM
 * Source: Linux, Documentation/trace/histogram.rst.
 */
struct kt_hists *kt_hists_parse(const char *text, struct kt_err *err);

/**
 * kt_hists_read - the tables of one live event
 * @event: "system:event"
 *
 * Returns as kt_hists_parse, or NULL with what the read says; -ENOTSUP: this
 * kernel was built without hist triggers.
 */
struct kt_hists *kt_hists_read(const struct kt_instance *inst, const char *event,
			       struct kt_err *err);
void kt_hists_destroy(struct kt_hists *hists);

/* A column by name; keys and values share the name space. False: there is none. */
bool kt_hist_column(const struct kt_hist *h, const char *name, bool *is_key, size_t *column);

/* Order the rows; equal rows keep their order. Numbers by value, then texts by bytes. */
void kt_hist_sort(struct kt_hist *h, bool by_key, size_t column, bool descending);

/* As a reader expects it: buckets in their order, else the most hits first; an order that the
 * trigger asks for stays. */
void kt_hist_sort_default(struct kt_hist *h);
/* Does some row's key stand for more than one value? */
bool kt_hist_is_buckets(const struct kt_hist *h, size_t key);

/* Sum of a value over all rows */
uint64_t kt_hist_total(const struct kt_hist *h, size_t value);

/**
 * kt_hist_percentile - the value of a numeric key below which @percent of the hits lie
 * @key:     column of a numeric key: plain, .log2 or .buckets
 * @percent: 0 to 100
 *
 * Interpolates inside a bucket as if its hits were spread evenly. Returns 0,
 * or -EINVAL if a row has no number there, -ENODATA if there are no hits.
 */
int kt_hist_percentile(const struct kt_hist *h, size_t key, double percent, double *out);

/* ==== the kernel's own counts of function calls, without a trace ==== */

/* One function, over all CPUs; strings are owned */
struct kt_function_cost {
	char    *name;			/* as the kernel cuts it: 30 characters at most */
	uint64_t hits;
	double   total_us, avg_us;	/* 0 unless the profile is timed */
	double   stddev_us;		/* of the single calls; 0 below two calls */
	double   squares;		/* sum of the squared times, us²: for the merging */
};

struct kt_function_profile {
	struct kt_function_cost *at;
	size_t nr, cap;
	bool timed;	/* the kernel has CONFIG_FUNCTION_GRAPH_TRACER: else hits only */
};

enum kt_function_order {
	KT_FUNCTIONS_BY_TOTAL, KT_FUNCTIONS_BY_HITS, KT_FUNCTIONS_BY_AVG, KT_FUNCTIONS_BY_NAME,
};

/**
 * kt_function_profile_start - begin to count, from zero
 * @top: the top buffer; its set_ftrace_filter says which functions
 *
 * There is one profile in a machine.
 *   -ENOTSUP  this kernel has none (CONFIG_FUNCTION_PROFILER)
 *   -EBUSY    the function profiler is in use already
 * Closing @top stops it. Source: Linux, kernel/trace/ftrace.c, trace_stat.c.
 */
int kt_function_profile_start(struct kt_instance *top, struct kt_err *err);
int kt_function_profile_stop(struct kt_instance *top, struct kt_err *err);

/* What was counted; stop first. @out: zeroed, kt_function_profile_fini() frees it. */
int  kt_function_profile_read(const struct kt_instance *top, struct kt_function_profile *out,
			      struct kt_err *err);
/* Most first; names from a to z */
void kt_function_profile_sort(struct kt_function_profile *p, enum kt_function_order order);
void kt_function_profile_fini(struct kt_function_profile *p);

#ifdef __cplusplus
}
#endif
#endif
