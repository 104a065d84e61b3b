/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* between.c - count the events and calls between two moments */
#include <ktrail/model.h>

#include <errno.h>
#include <stdlib.h>

#include "base/moment.h"

struct kt_between {
	struct kt_model *model;
	struct kt_reader *reader;
	struct kt_filter *calls;	/* matches events that begin a call */
	struct kt_spot first, last;
	struct kt_between_counts counts;
	bool by_index;			/* the index counts events: only calls are read */
	uint64_t deadline;
};

static const char *const call_events[] = {
	"ftrace/funcgraph_entry", "ftrace/funcgraph_retaddr_entry", "ftrace/function",
	"syscalls/sys_enter_*", "raw_syscalls/sys_enter",
};

static bool comes_before(const struct kt_spot *a, const struct kt_spot *b)
{
	if (a->ts != b->ts)
		return a->ts < b->ts;
	return a->source != b->source ? a->source < b->source : a->pos < b->pos;
}

/* Ignore formats that the trace does not have. */
static int find_calls(struct kt_between *b)
{
	size_t i;

	b->calls = kt_filter_create(kt_model_trace(b->model));
	for (i = 0; b->calls && i < sizeof(call_events) / sizeof(call_events[0]); i++)
		if (kt_filter_add(b->calls, call_events[i], false, -1, NULL) == 0)
			b->counts.has_calls = true;
	return b->calls ? 0 : -ENOMEM;
}

/* Without filters the index knows the number of events. */
static bool ask_index(struct kt_between *b)
{
	struct kt_index *ix = kt_model_index(b->model);
	uint64_t from, until;

	if (kt_model_chooses(b->model) ||
	    kt_index_row_at(ix, KT_ALL_SOURCES, &b->first, &from, NULL) < 0 ||
	    kt_index_row_at(ix, KT_ALL_SOURCES, &b->last, &until, NULL) < 0)
		return false;
	b->counts.events = until > from ? until - from : 0;
	return true;
}

static int read_calls_only(struct kt_between *b)
{
	uint64_t bits[KT_FILTER_TYPES_WORDS];
	size_t file;
	int ret = 0;

	for (file = 0; file < kt_trace_nr_files(kt_model_trace(b->model)) && ret == 0; file++) {
		kt_filter_types(b->calls, file, bits);
		ret = kt_reader_want_types(b->reader, file, bits);
	}
	return ret;
}

static bool is_late(void *data)
{
	return moment_ms() > ((struct kt_between *)data)->deadline;
}

struct kt_between *kt_between_create(struct kt_model *m, const struct kt_spot *x,
				     const struct kt_spot *y, struct kt_err *err)
{
	struct kt_between *b = calloc(1, sizeof(*b));

	if (!b)
		goto fail;
	b->model = m;
	b->first = comes_before(x, y) ? *x : *y;
	b->last = comes_before(x, y) ? *y : *x;
	b->reader = kt_model_reader(m, err);
	if (!b->reader || find_calls(b) < 0)
		goto fail;
	kt_reader_set_stop(b->reader, is_late, b);
	b->by_index = ask_index(b);
	b->counts.done = b->by_index && !b->counts.has_calls;
	if ((b->by_index && read_calls_only(b) < 0) ||
	    kt_reader_go(b->reader, &b->first, err) < 0)
		goto fail;
	return b;
fail:
	kt_between_destroy(b);
	kt_err_no_memory(err);
	return NULL;
}

void kt_between_destroy(struct kt_between *b)
{
	if (!b)
		return;
	kt_reader_destroy(b->reader);
	kt_filter_destroy(b->calls);
	free(b);
}

static bool is_before_last(const struct kt_between *b, const struct kt_record *rec)
{
	return comes_before(&(struct kt_spot){ rec->ts, rec->pos, rec->source }, &b->last);
}

bool kt_between_work(struct kt_between *b, unsigned int budget_ms)
{
	struct kt_record rec;
	int ret = 1;

	b->deadline = moment_ms() + budget_ms;
	while (!b->counts.done && ret > 0) {
		ret = kt_reader_next(b->reader, &rec, NULL);
		if (ret == -EINTR)
			return true;
		if (ret <= 0 || !is_before_last(b, &rec)) {
			b->counts.done = true;
			break;
		}
		b->counts.events += !b->by_index;
		b->counts.calls += b->counts.has_calls && kt_filter_match(b->calls, &rec);
	}
	return false;
}

struct kt_between_counts kt_between_counts(const struct kt_between *b)
{
	return b->counts;
}
