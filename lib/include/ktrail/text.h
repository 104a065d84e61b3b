/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* text.h - records as lines, the way trace-cmd report lays them out */
#ifndef KTRAIL_TEXT_H
#define KTRAIL_TEXT_H

#include <stdbool.h>

#include <ktrail/err.h>
#include <ktrail/filter.h>
#include <ktrail/out.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kt_layout {
	KT_LAYOUT_CURRENT,	/* trace-cmd 3.3 and later: with the flags column */
	KT_LAYOUT_3_1,		/* trace-cmd up to 3.2 */
};

struct kt_text_opts {
	enum kt_layout layout;
	bool nanoseconds;		/* -t */
	bool raw;			/* -R */
	bool latency;			/* -l */
	bool ts_diff;			/* --ts-diff */
	bool align_ts;			/* --align-ts */
	bool wakeup;			/* -w */
	bool escape;			/* for a terminal: nothing unescaped from the trace */
	bool color;
	bool json;
	bool pretty;			/* our formatters' richer texts */
	int  threads;			/* formatting threads, 0: one per CPU */
};

struct kt_text;

/* @t, @filter (may be NULL): borrowed. @opts: copied. New (kt_text_destroy). */
struct kt_text *kt_text_create(struct kt_trace *t, struct kt_filter *filter,
			       const struct kt_text_opts *opts, struct kt_err *err);
void kt_text_destroy(struct kt_text *x);

/**
 * kt_text_run - the whole trace as text, in blocks
 * @sink: is given each block in order; a negative errno from it ends the run
 *        and is returned
 *
 * Identical bytes whatever the number of threads.
 */
int kt_text_run(struct kt_text *x, int (*sink)(void *data, const char *text, size_t len),
		void *data, struct kt_err *err);

/* One record as its line(s), newline included, e.g. for a viewer's row. */
void kt_text_line(struct kt_text *x, const struct kt_record *rec, struct kt_out *out);

#ifdef __cplusplus
}
#endif
#endif
