/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* run.c - print a whole trace: read, mark, write, and output in order */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream/batch.h"
#include "stream/stream.h"
#include "text/calls.h"
#include "text/text.h"
#include "base/clamp.h"
#include "base/threads.h"

#define FIRST_RECORDS 128	/* the first line must not wait for many others */
#define RECORDS       1024	/* text of some 100 KB: it stays in the CPU's cache */
#define RECORDS_MANY  2048	/* with threads: each turn costs some system calls */
#define RECORDS_ALL   16384	/* limit for all threads together, because of their memory */
#define RECORDS_LEAST 192
#define TEXT          (256u << 10)	/* bytes: output must not evict the input from the cache */
#define JOBS_A_THREAD 4
/* bytes of unused chunks of all files: few, as none is read again and reused memory is cached */
#define CACHE         (1u << 20)
/* more have nothing to do: the serial part is a tenth or more */
#define MAX_THREADS   16

struct progress {
	uint64_t done, total;		/* bytes of chunks */
};

/* The memory that a thread works with */
struct desk {
	struct kt_batch *recs;
	struct mark *marks;
	struct call *calls;
	size_t nr;			/* marked records; the others wait for the next turn */
	size_t max;			/* number of records to read next, for TEXT bytes of text */
	struct progress progress;	/* up to the last of the records */
	struct line_writer *writer;
};

/*
 * Marking looks ahead, so the last records of a batch may have to wait for the next turn: @tail
 * passes them to the thread that has it.
 */
struct run {
	struct kt_text *x;
	uint64_t until;
	bool at_end;
	bool again;			/* a graph entry came while the stream was narrowed */
	uint64_t sunk;			/* bytes of output */
	uint64_t hidden;		/* bytes that the next run must not output again */
	struct kt_batch *tail;
	struct mark *tail_marks;
	struct desk *desks;		/* one per thread */
	struct kt_out **outs;		/* one per job */
	struct progress *progress;	/* one per job, NULL: not wanted */
	size_t *caches;			/* of each file, after the run */
	size_t nr_jobs, nr_threads;
	size_t nr_records;		/* records of a batch */
	bool begun;
	kt_text_sink sink;
	void *sink_data;
	struct kt_err *err;
	struct kt_err read_err;		/* of the thread that has the turn */
};

/*
 * An entry's line depends on the record after it, wanted or not. Most traces have no entries, so
 * the stream may omit records that the filter drops. If an entry comes, the run starts again
 * without repeating its output.
 */
static bool has_graph_entry(struct kt_text *x, const struct kt_record *recs, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (text_event(x, &recs[i])->kind == TEXT_GRAPH_ENTRY)
			return true;
	return false;
}

/* Reads records after those in @b, up to the last time wanted */
static int read_more(struct run *r, struct kt_batch *b)
{
	size_t before = b->nr;
	int ret = stream_read_more(kt_trace_stream(r->x->trace), b, &r->read_err);

	if (ret < 0)
		return ret;
	while (b->nr > before && b->records[b->nr - 1].ts > r->until)
		b->nr--;
	r->at_end = b->nr < before + ret || ret == 0;
	if (r->x->until_graph && has_graph_entry(r->x, b->records + before, b->nr - before)) {
		r->at_end = r->again = true;
		b->nr = 0;
	}
	return 0;
}

static int take_tail(struct run *r, struct desk *d)
{
	size_t nr = r->tail->nr;

	memcpy(d->marks, r->tail_marks, nr * sizeof(*d->marks));
	return batch_move(d->recs, r->tail, 0);
}

static int leave_tail(struct run *r, struct desk *d)
{
	size_t nr = d->recs->nr - d->nr;

	memcpy(r->tail_marks, d->marks + d->nr, nr * sizeof(*d->marks));
	memset(d->marks + d->nr, 0, nr * sizeof(*d->marks));
	batch_reset(r->tail);
	return batch_move(r->tail, d->recs, d->nr);
}

/* Read until the line of a record is known. Returns how many are known, or a negative errno. */
static long read_some(struct run *r, struct kt_batch *b, size_t wanted)
{
	size_t known = 0;
	int ret = 0;

	while (!known && !r->at_end && ret == 0) {
		b->max = b->nr + wanted < r->nr_records ? b->nr + wanted : r->nr_records;
		ret = read_more(r, b);
		known = r->at_end ? b->nr : front_nr_known(r->x->front, b->records, b->nr);
	}
	return ret < 0 ? ret : (long)known;
}

static int fill(void *data, size_t worker)
{
	struct run *r = data;
	struct desk *d = &r->desks[worker];
	struct kt_batch *b = d->recs;
	bool has_calls;
	long known;
	int ret;

	batch_reset(b);
	b->max = r->nr_records;
	ret = take_tail(r, d);
	if (ret < 0)
		return ret;
	known = r->at_end ? (long)b->nr : read_some(r, b, r->begun ? d->max : FIRST_RECORDS);
	if (known < 0)
		return (int)known;
	r->begun = true;
	d->nr = (size_t)known;
	if (r->progress)
		kt_stream_progress(kt_trace_stream(r->x->trace), &d->progress.done,
				   &d->progress.total);
	has_calls = front_mark(r->x->front, b->records, d->marks, d->nr, b->nr);
	r->at_end |= front_is_full(r->x->front);
	ret = leave_tail(r, d);
	if (ret < 0)
		return ret;
	if (!d->nr)
		return PIPELINE_END;
	return has_calls ? PIPELINE_ORDERED : PIPELINE_WORK;
}

static void prepare(void *data, size_t worker)
{
	struct run *r = data;
	struct desk *d = &r->desks[worker];

	calls_names(front_calls(r->x->front), writer_names(d->writer), d->recs->records, d->marks,
		    d->nr, d->calls);
}

static void order(void *data, size_t worker)
{
	struct run *r = data;
	struct desk *d = &r->desks[worker];

	calls_order(front_calls(r->x->front), d->recs->records, d->marks, d->nr, d->calls);
}

static size_t records_for(const struct run *r, size_t nr, size_t len)
{
	uint64_t wanted = (uint64_t)nr * TEXT / (len + 1);

	return clamp(wanted, RECORDS_LEAST, r->nr_records - front_ahead(r->x));
}

static void work(void *data, size_t worker, size_t job)
{
	struct run *r = data;
	struct desk *d = &r->desks[worker];

	if (r->progress)
		r->progress[job] = d->progress;
	kt_out_reset(r->outs[job]);
	writer_lines(d->writer, d->recs->records, d->marks, d->nr, r->outs[job]);
	d->max = records_for(r, d->nr, r->outs[job]->text.len);
	batch_reset(d->recs);	/* others need the memory until this thread's next turn */
}

static int drain(void *data, size_t job)
{
	struct run *r = data;
	const struct str *text = &r->outs[job]->text;
	size_t hide = r->hidden < text->len ? r->hidden : text->len;

	if (text->failed)
		return kt_err_no_memory(r->err);
	if (r->progress)
		r->x->opts.progress(r->x->opts.progress_data, r->progress[job].done,
				    r->progress[job].total);
	r->hidden -= hide;
	if (hide == text->len)
		return 0;
	r->sunk += text->len - hide;
	return r->sink(r->sink_data, text->buf + hide, text->len - hide);
}

/*
 * Parsing the symbols takes longer than printing the first lines, and many traces do not
 * need them. So an idle thread does it.
 */
static void prepare_symbols(struct kt_text *x)
{
	size_t i;

	for (i = 0; i < x->nr_files; i++)
		kt_symbols_prepare(kt_trace_symbols(x->trace, i));
}

static bool help(void *data, size_t worker)
{
	struct kt_text *x = ((struct run *)data)->x;

	if (worker == 1 && !x->symbols_prepared) {
		x->symbols_prepared = true;
		prepare_symbols(x);
	}
	return stream_help(kt_trace_stream(x->trace));
}

static bool make_desk(struct run *r, struct desk *d, bool first)
{
	d->recs = kt_batch_create(r->nr_records);
	d->marks = calloc(r->nr_records, sizeof(*d->marks));
	d->calls = calloc(r->nr_records, sizeof(*d->calls));
	d->max = r->nr_records - front_ahead(r->x);
	d->writer = first ? r->x->writer : writer_create(r->x);
	return d->recs && d->marks && d->calls && d->writer;
}

static int set_up(struct run *r)
{
	size_t i, nr_files = r->x->nr_files;

	r->caches = calloc(nr_files + 1, sizeof(*r->caches));
	for (i = 0; r->caches && i < nr_files; i++)
		r->caches[i] = kt_file_set_cache(kt_trace_file(r->x->trace, i), CACHE / nr_files);
	r->tail = kt_batch_create(front_ahead(r->x));
	r->tail_marks = calloc(front_ahead(r->x), sizeof(*r->tail_marks));
	r->desks = calloc(r->nr_threads, sizeof(*r->desks));
	r->outs = calloc(r->nr_jobs, sizeof(*r->outs));
	if (r->x->opts.progress)
		r->progress = calloc(r->nr_jobs, sizeof(*r->progress));
	if (!r->caches || !r->tail || !r->tail_marks || !r->desks || !r->outs)
		return -ENOMEM;
	for (i = 0; i < r->nr_threads; i++)
		if (!make_desk(r, &r->desks[i], i == 0))
			return -ENOMEM;
	for (i = 0; i < r->nr_jobs; i++) {
		r->outs[i] = kt_out_create();
		if (!r->outs[i])
			return -ENOMEM;
	}
	return 0;
}

static void tear_down(struct run *r)
{
	size_t i;

	for (i = 0; r->caches && i < r->x->nr_files; i++)
		kt_file_set_cache(kt_trace_file(r->x->trace, i), r->caches[i]);
	for (i = 0; r->outs && i < r->nr_jobs; i++)
		kt_out_destroy(r->outs[i]);
	for (i = 0; r->desks && i < r->nr_threads; i++) {
		kt_batch_destroy(r->desks[i].recs);
		free(r->desks[i].marks);
		free(r->desks[i].calls);
		if (i)
			writer_destroy(r->desks[i].writer);
	}
	free(r->tail_marks);
	kt_batch_destroy(r->tail);
	free(r->caches);
	free(r->progress);
	free(r->outs);
	free(r->desks);
}

size_t text_threads(const struct kt_text *x)
{
	long nr = x->opts.threads > 0 ? x->opts.threads : sysconf(_SC_NPROCESSORS_ONLN);

	return (size_t)clamp(nr, 1, MAX_THREADS);
}

static int run_once(struct run *r)
{
	const struct pipeline p = {
		fill, work, drain, help, r, r->nr_jobs / r->nr_threads, prepare, order,
	};
	int ret;

	r->at_end = r->again = r->begun = false;
	batch_reset(r->tail);
	ret = pipeline_run(&p, r->nr_threads);
	if (r->read_err.code && r->err && !r->err->code)
		*r->err = r->read_err;
	return ret;
}

/* The previous front saw only a part of the records. */
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

	/* An earlier run may have lost state of the front: use all records from the start. */
	if (ret == 0 && r->x->until_graph && r->x->has_run)
		ret = text_widen(r->x, r->err);
	r->x->has_run = true;
	if (ret < 0)
		return ret;
	ret = run_once(r);
	return ret == 0 && r->again ? run_again(r) : ret;
}

static size_t records_in_batch(size_t nr_threads)
{
	if (nr_threads == 1)
		return RECORDS;
	return nr_threads * RECORDS_MANY < RECORDS_ALL ? RECORDS_MANY : RECORDS_ALL / nr_threads;
}

int kt_text_run(struct kt_text *x, uint64_t until, kt_text_sink sink, void *data,
		struct kt_err *err)
{
	struct run r = { .x = x, .until = until, .sink = sink, .sink_data = data, .err = err };
	int ret;

	r.nr_threads = text_threads(x);
	r.nr_jobs = r.nr_threads > 1 ? r.nr_threads * JOBS_A_THREAD : 1;
	r.nr_records = records_in_batch(r.nr_threads) + front_ahead(x);
	stream_expect_batches(kt_trace_stream(x->trace), r.nr_threads);
	ret = run(&r);
	if (ret == -ENOMEM)
		kt_err_no_memory(err);
	tear_down(&r);
	return ret;
}
