/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* text_run.c - a whole trace as text: read, mark, write, hand out in order */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/text.h"
#include "model/threads.h"

#define FIRST_RECORDS 64	/* the first line shall not wait for many others */
#define RECORDS       1024	/* text of some 100 KB: it stays in the CPU's cache */
#define RECORDS_MANY  2048	/* with threads: to wake one up costs as much as some 1000 lines, but memory counts */
#define JOBS_A_THREAD 3
#define MAX_THREADS   64

/*
 * Marking looks past the end of a batch, so each is read while the one before
 * waits: a batch passes from @ahead of the run into a job when the next one
 * is there.
 */
struct batch {
	struct kt_batch *recs;
	struct mark *marks;
	size_t nr, max;
};

struct job {
	struct batch batch;
	struct kt_out *out;
};

struct run {
	struct kt_text *x;
	uint64_t until;
	bool at_end;
	bool again;			/* a graph entry came while the stream was narrowed */
	uint64_t sunk;			/* bytes handed out */
	uint64_t hidden;		/* that the next run need not hand out again */
	struct batch ahead;
	struct job *jobs;
	struct writer **writers;
	size_t nr_jobs, nr_threads;
	size_t nr_records;		/* in a batch */
	pthread_t symbols;
	kt_text_sink sink;
	void *sink_data;
	struct kt_err *err;
};

static bool make_batch(struct batch *b, size_t max)
{
	*b = (struct batch){ .max = max };
	b->recs = kt_batch_create(max);
	b->marks = calloc(max, sizeof(*b->marks));
	return b->recs && b->marks;
}

static void drop_batch(struct batch *b)
{
	kt_batch_destroy(b->recs);
	free(b->marks);
	*b = (struct batch){ 0 };
}

/*
 * An entry's line depends on the record behind it, wanted or not. Most traces
 * have none, so the stream may leave out what the filter drops; until one comes:
 * then all begins again, and what was handed out is not handed out twice.
 */
static bool has_graph_entry(struct kt_text *x, const struct kt_record *recs, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (text_event(x, &recs[i])->kind == TEXT_GRAPH_ENTRY)
			return true;
	return false;
}

/* The next batch, up to the last time wanted */
static int read_ahead(struct run *r)
{
	struct batch *b = &r->ahead;
	const struct kt_record *recs;
	int ret;

	b->nr = 0;
	if (r->at_end)
		return 0;
	ret = kt_stream_read(kt_trace_stream(r->x->trace), b->recs, r->err);
	if (ret < 0)
		return ret;
	recs = kt_batch_records(b->recs);
	b->nr = ret;
	while (b->nr && recs[b->nr - 1].ts > r->until)
		b->nr--;
	r->at_end = b->nr < (size_t)ret || ret == 0;
	if (r->x->until_graph && has_graph_entry(r->x, recs, b->nr)) {
		r->at_end = r->again = true;
		b->nr = 0;
	}
	return 0;
}

static int fill(void *data, size_t index)
{
	struct run *r = data;
	struct batch *now = &r->jobs[index].batch, swap = *now;
	int ret;

	*now = r->ahead;
	r->ahead = swap;
	if (r->ahead.max < r->nr_records) {
		drop_batch(&r->ahead);
		if (!make_batch(&r->ahead, r->nr_records))
			return -ENOMEM;
	}
	ret = read_ahead(r);
	if (ret < 0)
		return ret;
	if (!now->nr)
		return 0;
	front_mark(r->x->front, kt_batch_records(now->recs), now->marks, now->nr,
		   kt_batch_records(r->ahead.recs), r->ahead.marks, r->ahead.nr);
	return 1;
}

static void work(void *data, size_t worker, size_t index)
{
	struct run *r = data;
	struct job *job = &r->jobs[index];

	kt_out_reset(job->out);
	writer_lines(r->writers[worker], kt_batch_records(job->batch.recs), job->batch.marks,
		     job->batch.nr, job->out);
}

static int drain(void *data, size_t index)
{
	struct run *r = data;
	const struct str *text = &r->jobs[index].out->text;
	size_t hide = r->hidden < text->len ? r->hidden : text->len;

	if (text->failed)
		return kt_err_set(r->err, -ENOMEM, "no memory for the report");
	r->hidden -= hide;
	if (hide == text->len)
		return 0;
	r->sunk += text->len - hide;
	return r->sink(r->sink_data, text->buf + hide, text->len - hide);
}

static int set_up(struct run *r)
{
	size_t i;

	r->jobs = calloc(r->nr_jobs, sizeof(*r->jobs));
	r->writers = calloc(r->nr_threads, sizeof(*r->writers));
	if (!r->jobs || !r->writers || !make_batch(&r->ahead, FIRST_RECORDS))
		return -ENOMEM;
	for (i = 0; i < r->nr_jobs; i++) {
		r->jobs[i].out = kt_out_create();
		if (!r->jobs[i].out || !make_batch(&r->jobs[i].batch, r->nr_records))
			return -ENOMEM;
	}
	r->writers[0] = r->x->writer;
	for (i = 1; i < r->nr_threads; i++) {
		r->writers[i] = writer_create(r->x);
		if (!r->writers[i])
			return -ENOMEM;
	}
	return 0;
}

static void tear_down(struct run *r)
{
	size_t i;

	for (i = 0; r->jobs && i < r->nr_jobs; i++) {
		kt_out_destroy(r->jobs[i].out);
		drop_batch(&r->jobs[i].batch);
	}
	for (i = 1; r->writers && i < r->nr_threads; i++)
		writer_destroy(r->writers[i]);
	drop_batch(&r->ahead);
	free(r->jobs);
	free(r->writers);
}

size_t text_threads(const struct kt_text *x)
{
	long nr = x->opts.threads > 0 ? x->opts.threads : sysconf(_SC_NPROCESSORS_ONLN);

	return nr < 1 ? 1 : nr > MAX_THREADS ? MAX_THREADS : nr;
}

/*
 * Symbols take longer to parse than the first lines to print. They are not
 * needed by every trace, so that is worth a processor that has nothing to do.
 */
static void *prepare_symbols(void *arg)
{
	struct kt_text *x = arg;
	size_t i;

	for (i = 0; i < x->nr_files; i++)
		kt_symbols_prepare(kt_trace_symbols(x->trace, i));
	return NULL;
}

static bool start_symbols(struct run *r)
{
	if (r->nr_threads < 2 || r->x->symbols_prepared)
		return false;
	r->x->symbols_prepared = true;
	return pthread_create(&r->symbols, NULL, prepare_symbols, r->x) == 0;
}

static int run_once(struct run *r)
{
	const struct pipeline p = { fill, work, drain, r, r->nr_jobs };
	int ret;

	r->at_end = r->again = false;
	ret = read_ahead(r);
	return ret < 0 ? ret : pipeline_run(&p, r->nr_threads);
}

/* The former front has seen but a part of the records. */
static int run_again(struct run *r)
{
	int ret = text_widen(r->x, r->err);

	front_destroy(r->x->front);
	r->x->front = front_create(r->x);
	if (ret < 0 || !r->x->front)
		return ret < 0 ? ret : -ENOMEM;
	r->hidden = r->sunk;
	return run_once(r);
}

static int run(struct run *r)
{
	int ret = set_up(r);

	/* What an earlier run has noted cannot be had again: this one begins with all records. */
	if (ret == 0 && r->x->until_graph && r->x->has_run)
		ret = text_widen(r->x, r->err);
	r->x->has_run = true;
	if (ret == 0)
		ret = run_once(r);
	return ret == 0 && r->again ? run_again(r) : ret;
}

int kt_text_run(struct kt_text *x, uint64_t until, kt_text_sink sink, void *data,
		struct kt_err *err)
{
	struct run r = { .x = x, .until = until, .sink = sink, .sink_data = data, .err = err };
	bool preparing;
	int ret;

	r.nr_threads = text_threads(x);
	r.nr_jobs = r.nr_threads > 1 ? r.nr_threads * JOBS_A_THREAD : 1;
	r.nr_records = r.nr_threads > 1 ? RECORDS_MANY : RECORDS;
	preparing = start_symbols(&r);
	ret = run(&r);
	if (ret == -ENOMEM)
		kt_err_set(err, ret, "no memory for the report");
	if (preparing)
		pthread_join(r.symbols, NULL);
	tear_down(&r);
	return ret;
}
