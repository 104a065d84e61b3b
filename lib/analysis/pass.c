/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pass.c - run several analyses in a single pass over a trace */
#include <ktrail/analysis.h>

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "stream/stream.h"

#define RECORDS_EACH 4096		/* records between two looks at the clock */
#define PROGRESS_NS  50000000ull
#define HELPERS_MAX  16

struct pass {
	struct kt_trace *trace;
	struct kt_stream *stream;
	struct kt_analysis *const *list;
	size_t nr;
	const struct kt_pass_opts *opts;
	uint64_t nr_taken;
	uint64_t told_ns;		/* time of the last progress report */
	struct kt_batch *batch;
	pthread_t helpers[HELPERS_MAX];
	size_t nr_helpers;
	atomic_bool done;
};

/* ---- threads that decompress chunks in advance ---- */

static void *help(void *data)
{
	static const struct timespec pause = { .tv_nsec = 200000 };
	struct pass *p = data;

	while (!atomic_load(&p->done))
		if (!stream_help(p->stream))
			nanosleep(&pause, NULL);
	return NULL;
}

static void start_helpers(struct pass *p)
{
	long wanted = p->opts->threads ? p->opts->threads : sysconf(_SC_NPROCESSORS_ONLN);

	if (wanted < 2 || stream_read_ahead(p->stream) < 0)
		return;
	for (; p->nr_helpers < HELPERS_MAX && (long)p->nr_helpers < wanted - 1; p->nr_helpers++)
		if (pthread_create(&p->helpers[p->nr_helpers], NULL, help, p) != 0)
			break;
}

static void stop_helpers(struct pass *p)
{
	atomic_store(&p->done, true);
	while (p->nr_helpers)
		pthread_join(p->helpers[--p->nr_helpers], NULL);
}

/* ---- records that can be excluded before they are read ---- */

static int want_types(struct pass *p, size_t file, struct kt_err *err)
{
	uint64_t wanted[KT_ANALYSIS_WORDS] = { 0 }, passing[KT_ANALYSIS_WORDS];
	size_t i;

	for (i = 0; i < p->nr; i++)
		if (p->list[i]->types)
			p->list[i]->types(p->list[i], file, wanted);
		else
			memset(wanted, 0xff, sizeof(wanted));
	if (p->opts->filter) {
		kt_filter_types(p->opts->filter, file, passing);
		for (i = 0; i < KT_ANALYSIS_WORDS; i++)
			wanted[i] &= passing[i];
	}
	return kt_stream_want_types(p->stream, file, wanted) < 0 ? kt_err_no_memory(err) : 0;
}

/* ---- records ---- */

static void tell_lost(struct pass *p, const struct kt_record *rec)
{
	size_t i;

	for (i = 0; i < p->nr; i++)
		if (p->list[i]->lost)
			p->list[i]->lost(p->list[i], rec);
}

static int take(struct pass *p, const struct kt_record *rec, struct kt_err *err)
{
	const struct kt_event *ev = kt_trace_event(p->trace, rec);
	size_t i;
	int ret = 0;

	if (rec->lost)
		tell_lost(p, rec);
	if (!ev || (p->opts->filter && !kt_filter_match(p->opts->filter, rec)) ||
	    (p->opts->drop_flags && kt_record_flags(ev->events, rec) & p->opts->drop_flags))
		return 0;
	p->nr_taken++;
	for (i = 0; i < p->nr && ret == 0; i++)
		ret = p->list[i]->record(p->list[i], ev, rec, err);
	return ret;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static int tell_progress(struct pass *p, struct kt_err *err)
{
	uint64_t done, total, now = now_ns();

	if (!p->opts->progress || now - p->told_ns < PROGRESS_NS)
		return 0;
	p->told_ns = now;
	kt_stream_progress(p->stream, &done, &total);
	return p->opts->progress(p->opts->data, done, total) ? 0 :
	       kt_err_set(err, -ECANCELED, "interrupted");
}

static bool is_full(const struct pass *p)
{
	return p->opts->limit && p->nr_taken >= p->opts->limit;
}

static int read_window(struct pass *p, const struct kt_window *w, struct kt_err *err)
{
	int ret = kt_stream_seek(p->stream, w->from, err), nr, i;

	while (ret == 0) {
		nr = kt_stream_read(p->stream, p->batch, err);
		if (nr <= 0)
			return nr;
		for (i = 0; i < nr && ret == 0; i++) {
			const struct kt_record *rec = &kt_batch_records(p->batch)[i];

			if (rec->ts > w->until || is_full(p))
				return 0;
			ret = take(p, rec, err);
		}
		if (ret == 0)
			ret = tell_progress(p, err);
	}
	return ret;
}

static int read_all(struct pass *p, struct kt_err *err)
{
	static const struct kt_window everything = { 0, UINT64_MAX };
	const struct kt_window *windows = p->opts->nr_windows ? p->opts->windows : &everything;
	size_t nr = p->opts->nr_windows ? p->opts->nr_windows : 1, i, k;
	int ret = 0;

	for (i = 0; i < nr && ret == 0; i++) {
		for (k = 0; k < p->nr && i; k++)
			if (p->list[k]->gap)
				p->list[k]->gap(p->list[k]);
		ret = read_window(p, &windows[i], err);
	}
	for (k = 0; k < p->nr && (ret == 0 || ret == -ECANCELED); k++) {
		int end = p->list[k]->finish ? p->list[k]->finish(p->list[k], err) : 0;

		ret = ret ? ret : end;
	}
	return ret;
}

int kt_pass_run(struct kt_trace *t, struct kt_analysis *const list[], size_t nr,
		const struct kt_pass_opts *opts, struct kt_err *err)
{
	static const struct kt_pass_opts none = { 0 };
	struct pass p = {
		.trace = t, .stream = kt_trace_stream(t), .list = list, .nr = nr,
		.opts = opts ? opts : &none, .batch = kt_batch_create(RECORDS_EACH),
	};
	size_t file;
	int ret = p.batch ? 0 : kt_err_no_memory(err);

	for (file = 0; file < kt_trace_nr_files(t) && ret == 0; file++)
		ret = want_types(&p, file, err);
	if (ret == 0) {
		start_helpers(&p);
		ret = read_all(&p, err);
		stop_helpers(&p);
	}
	kt_batch_destroy(p.batch);
	return ret;
}
