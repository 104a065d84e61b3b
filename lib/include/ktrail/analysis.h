/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* analysis.h - several analyses in one pass over a trace */
#ifndef KTRAIL_ANALYSIS_H
#define KTRAIL_ANALYSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/err.h>
#include <ktrail/filter.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif
#endif
