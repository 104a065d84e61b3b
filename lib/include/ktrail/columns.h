/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* columns.h - the numbers that plugins name in events, added up over a trace */
#ifndef KTRAIL_COLUMNS_H
#define KTRAIL_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include <ktrail/analysis.h>
#include <ktrail/err.h>
#include <ktrail/filter.h>
#include <ktrail/plugins.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* Sorted by system, event and column; NULL behind the last. */
const struct kt_column_row *kt_columns_row(struct kt_columns *c, size_t i);

#ifdef __cplusplus
}
#endif
#endif
