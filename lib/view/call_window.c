/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* call_window.c - the calls around a moment, in a trace of any size */
#include <ktrail/span.h>

#include <errno.h>
#include <stdlib.h>

#include <ktrail/reader.h>

#include "base/moment.h"

#define RECORDS_DEFAULT 300000
#define RECORDS_A_LOOK  256		/* records between two looks at the clock */

enum step { STEP_SYMBOLS, STEP_BACK, STEP_READ, STEP_ORDER, STEP_DONE };

struct kt_call_window {
	struct kt_trace *trace;
	struct kt_reader *reader;
	struct kt_call_tree *tree;
	enum step step;
	size_t back, nr_back;		/* records to go back, and those done */
	size_t records;
	struct kt_call_window_ends ends;
	uint64_t deadline;		/* ns */
};

static bool is_late(void *data)
{
	return moment_ns() > ((struct kt_call_window *)data)->deadline;
}

struct kt_call_window *kt_call_window_create(struct kt_trace *t, struct kt_index *ix,
					     const struct kt_spot *around, size_t records,
					     struct kt_err *err)
{
	const struct kt_call_tree_opts all = { .max_calls = KT_CALL_NONE };
	struct kt_call_window *w = calloc(1, sizeof(*w));

	if (w) {
		w->trace = t;
		w->records = records ? records : RECORDS_DEFAULT;
		w->back = w->records / 3;
		w->tree = kt_call_tree_create(t, &all, err);
		w->reader = kt_reader_create(t, ix, err);
	}
	if (!w || !w->tree || !w->reader || kt_reader_go(w->reader, around, err) < 0) {
		kt_call_window_destroy(w);
		kt_err_no_memory(err);
		return NULL;
	}
	kt_reader_set_stop(w->reader, is_late, w);
	return w;
}

void kt_call_window_destroy(struct kt_call_window *w)
{
	if (!w)
		return;
	kt_call_tree_destroy(w->tree);
	kt_reader_destroy(w->reader);
	free(w);
}

/* ---- slices: 1 if time is up, 0 if the step is finished ---- */

/* Calls are matched by function, so symbols are needed. */
static int await_symbols(struct kt_call_window *w, unsigned int budget_ms)
{
	size_t i;

	for (i = 0; i < kt_trace_nr_files(w->trace); i++)
		if (!kt_symbols_wait(kt_trace_symbols(w->trace, i), budget_ms))
			return 1;
	return 0;
}

static int go_back(struct kt_call_window *w, struct kt_err *err)
{
	struct kt_record rec;
	int ret = 1;

	for (; w->nr_back < w->back; w->nr_back++) {
		if (w->nr_back % RECORDS_A_LOOK == RECORDS_A_LOOK - 1 && is_late(w))
			return 1;
		ret = kt_reader_prev(w->reader, &rec, err);
		if (ret <= 0)
			break;
	}
	if (ret < 0)
		return ret == -EINTR ? 1 : ret;
	w->ends.at_first = ret == 0;
	kt_reader_tell(w->reader, &w->ends.from);
	return 0;
}

static int take(struct kt_call_window *w, const struct kt_record *rec, struct kt_err *err)
{
	struct kt_analysis *calls = kt_call_tree_analysis(w->tree);
	const struct kt_event *ev = kt_trace_event(w->trace, rec);

	w->ends.nr_records++;
	w->ends.last_ts = rec->ts;
	if (rec->lost)
		calls->lost(calls, rec);
	return ev ? calls->record(calls, ev, rec, err) : 0;
}

static int read_on(struct kt_call_window *w, struct kt_err *err)
{
	struct kt_record rec;
	int ret;

	for (;;) {
		if (w->ends.nr_records % RECORDS_A_LOOK == RECORDS_A_LOOK - 1 && is_late(w))
			return 1;
		kt_reader_tell(w->reader, &w->ends.until);
		ret = kt_reader_next(w->reader, &rec, err);
		w->ends.at_last = ret == 0;
		if (ret <= 0)
			return ret == -EINTR ? 1 : ret;
		/* A record beyond the window only shows that more follow. */
		if (w->ends.nr_records == w->records)
			return 0;
		ret = take(w, &rec, err);
		if (ret < 0)
			return ret;
	}
}

int kt_call_window_work(struct kt_call_window *w, unsigned int budget_ms, struct kt_err *err)
{
	struct kt_analysis *calls = kt_call_tree_analysis(w->tree);
	int ret = 0;

	w->deadline = moment_ns() + (uint64_t)budget_ms * 1000000;
	while (ret == 0 && w->step != STEP_DONE) {
		if (w->step == STEP_SYMBOLS)
			ret = await_symbols(w, budget_ms);
		else if (w->step == STEP_BACK)
			ret = go_back(w, err);
		else if (w->step == STEP_READ)
			ret = read_on(w, err);
		else
			ret = calls->finish(calls, err);
		if (ret == 0)
			w->step++;
	}
	return ret;
}

int kt_call_window_percent(const struct kt_call_window *w)
{
	uint64_t done = w->nr_back + w->ends.nr_records, all = w->nr_back + w->records;

	if (w->step <= STEP_BACK)
		all = w->back + w->records;
	return w->step == STEP_DONE ? 100 : (int)(done * 100 / (all ? all : 1));
}

const struct kt_call_tree *kt_call_window_tree(const struct kt_call_window *w)
{
	return w->tree;
}

void kt_call_window_ends(const struct kt_call_window *w, struct kt_call_window_ends *ends)
{
	*ends = w->ends;
}
