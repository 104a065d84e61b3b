/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* call_window.h - the calls around a moment of a trace of any size, read in slices of time */
#ifndef KTRAIL_CALL_WINDOW_H
#define KTRAIL_CALL_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/calls.h>
#include <ktrail/err.h>
#include <ktrail/index.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Memory: as the tree of calls, less than 130 bytes a record,
 * twice that while it is put in order */
struct kt_call_window;

/**
 * kt_call_window_create - begin to read the calls of all tasks around a moment
 * @t, @ix: borrowed, must live longer; @ix may be NULL
 * @around: it lies after the first third of what is read, or nearer to the beginning of the trace
 * @records: about how many are read; 0: 300,000
 *
 * All records are read, whatever views choose: calls without their exits would be wrong.
 * New (kt_call_window_destroy), NULL: -ENOMEM.
 */
struct kt_call_window *kt_call_window_create(struct kt_trace *t, struct kt_index *ix,
					     const struct kt_spot *around, size_t records,
					     struct kt_err *err);
void kt_call_window_destroy(struct kt_call_window *w);

/**
 * kt_call_window_work - a slice of the work
 * @budget_ms: about how long it may take; the last slice puts the calls in order as well
 *
 * Returns 1: there is more to do; 0: the tree is complete; or a negative errno.
 */
int kt_call_window_work(struct kt_call_window *w, unsigned int budget_ms, struct kt_err *err);
/* How much is done, 0 to 100 */
int kt_call_window_percent(const struct kt_call_window *w);

/* Borrowed; empty until it is complete. */
const struct kt_call_tree *kt_call_window_tree(const struct kt_call_window *w);

struct kt_call_window_ends {
	struct kt_spot from, until;	/* before its first record, after its last */
	uint64_t last_ts;		/* of its last record */
	bool at_first, at_last;		/* nothing is before it, or after it, in the trace */
	uint64_t nr_records;
};
void kt_call_window_ends(const struct kt_call_window *w, struct kt_call_window_ends *ends);

#ifdef __cplusplus
}
#endif
#endif
