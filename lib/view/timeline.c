/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* timeline.c - show spans of CPUs and tasks in cells of equal duration */
#include "view/timeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/moment.h"

#define SAMPLE     1500			/* records read for each column of a sampled window */
#define LEAD       20000		/* records read before the window, to find open spans */
#define CELLS_MAX  500000		/* of all rows together, 52 bytes each */
#define TASKS_MAX  4096

/* ---- rows ---- */

static bool has_room(struct kt_timeline *t)
{
	if (t->nr >= TASKS_MAX || t->nr * t->nr_columns >= CELLS_MAX) {
		t->full = true;
		return false;
	}
	if (array_fit(t->rows, t->nr, t->room))
		return true;
	t->failed = true;
	return false;
}

struct timeline_row *timeline_row_of(struct kt_timeline *t, size_t file, bool is_cpu, int id)
{
	uint64_t key = (uint64_t)file << 40 | (uint64_t)is_cpu << 39 | (uint32_t)id;
	uint32_t i = keymap_get(&t->row_of, key);
	struct timeline_row *r;

	if (i != KEYMAP_NONE)
		return &t->rows[i];
	if (!has_room(t))
		return NULL;
	r = &t->rows[t->nr];
	*r = (struct timeline_row){ .pub = { .is_cpu = is_cpu, .cpu = is_cpu ? id : -1,
					     .pid = is_cpu ? -1 : id, .file = file } };
	r->cells = calloc(t->nr_columns, sizeof(*r->cells));
	if (!r->cells || keymap_put(&t->row_of, key, (uint32_t)t->nr) < 0) {
		free(r->cells);
		t->failed = true;
		return NULL;
	}
	t->nr++;
	return r;
}

static void free_rows(struct kt_timeline *t)
{
	size_t i;

	for (i = 0; i < t->nr; i++) {
		free(t->rows[i].cells);
		free(t->rows[i].shown);
	}
	free(t->rows);
	free(t->slices);
	keymap_fini(&t->row_of);
	t->rows = NULL;
	t->slices = NULL;
	t->nr = t->room = t->nr_slices = t->slices_room = 0;
}

size_t timeline_column_of(const struct kt_timeline *t, uint64_t ts)
{
	size_t i = ts <= t->window.from ? 0 : (size_t)((ts - t->window.from) / t->width);

	return i < t->nr_columns ? i : t->nr_columns - 1;
}

/* ---- reading ---- */

/*
 * For a sample, use only relevant events; if there are none, all events. Without sampling, use
 * all events: omitted events would hide the losses before them.
 */
static int want_types(struct kt_timeline *t)
{
	struct kt_analysis *a = kt_spans_analysis(t->spans);
	size_t file, i;
	int ret = 0;

	for (file = 0; file < kt_trace_nr_files(kt_model_trace(t->model)) && ret == 0; file++) {
		uint64_t bits[KT_ANALYSIS_WORDS] = { 0 };
		bool any = false;

		a->types(a, file, bits);
		for (i = 0; i < KT_ANALYSIS_WORDS && t->sampled; i++)
			any |= bits[i] != 0;
		ret = kt_reader_want_types(t->reader, file, any ? bits : NULL);
	}
	return ret;
}

/* The number of records in the window; UINT64_MAX: the index is not ready */
static uint64_t nr_records(const struct kt_timeline *t)
{
	struct kt_index *ix = kt_model_index(t->model);
	uint64_t from, until;

	if (kt_index_row_of_time(ix, KT_ALL_SOURCES, t->window.from, &from, NULL) < 0 ||
	    kt_index_row_of_time(ix, KT_ALL_SOURCES, t->window.until, &until, NULL) < 0)
		return UINT64_MAX;
	return until - from;
}

static bool begin(struct kt_timeline *t, uint64_t ts)
{
	int ret = kt_reader_seek(t->reader, ts, NULL);

	kt_reader_tell(t->reader, &t->at);
	t->nr_read = 0;
	return ret >= 0;
}

static struct kt_window column_window(const struct kt_timeline *t, size_t i)
{
	struct kt_window w = { t->window.from + i * t->width,
			       t->window.from + (i + 1) * t->width - 1 };

	if (w.until > t->window.until)
		w.until = t->window.until;
	return w;
}

static struct kt_calls *new_calls(struct kt_timeline *t, struct kt_err *err)
{
	const struct kt_calls_opts o = { .no_switches = true, .sink = timeline_take_call,
					 .data = t };

	return kt_calls_create(kt_model_trace(t->model), &o, err);
}

int kt_timeline_set(struct kt_timeline *t, const struct kt_window *w, size_t nr_columns,
		    uint64_t most, struct kt_err *err)
{
	struct kt_stream *stream = kt_trace_stream(kt_model_trace(t->model));
	struct kt_analysis *a = kt_spans_analysis(t->spans);
	size_t i;

	t->part = (struct kt_window){ 2, 0 };	/* spans that began earlier are not shown */
	a->gap(a);
	free_rows(t);
	kt_calls_destroy(t->calls);
	t->calls = NULL;
	t->window = *w;
	t->sampled = nr_records(t) > most;
	t->nr_columns = t->sampled ? (nr_columns + 1) / 2 : nr_columns;
	t->nr_columns = t->nr_columns ? t->nr_columns : 1;
	t->width = (w->until - w->from) / t->nr_columns + 1;
	t->part_nr = 1;
	t->next = 0;
	t->stopped = false;
	t->part = t->sampled ? column_window(t, 0) : *w;
	t->done = t->failed = t->full = t->partial = t->ending = false;
	t->lead = t->sampled ? 0 : LEAD;
	t->reached = w->from;
	for (i = 0; i < kt_stream_nr_sources(stream); i++) {
		const struct kt_source *src = kt_stream_source(stream, i);

		timeline_row_of(t, src->file_index, true, src->cpu);
	}
	t->failed |= want_types(t) < 0;
	if (!t->sampled)
		t->calls = new_calls(t, err);
	return t->failed || !(t->sampled || t->calls) || !begin(t, w->from) ?
	       kt_err_no_memory(err) : 0;
}

static int by_weight(const void *x, const void *y)
{
	const struct kt_timeline_row *a = &((const struct timeline_row *)x)->pub;
	const struct kt_timeline_row *b = &((const struct timeline_row *)y)->pub;
	uint64_t wa = a->run + 2 * a->wait, wb = b->run + 2 * b->wait;

	if (a->is_cpu != b->is_cpu)
		return a->is_cpu ? -1 : 1;
	if (a->is_cpu)
		return a->file != b->file ? (a->file < b->file ? -1 : 1) : a->cpu - b->cpu;
	return wa != wb ? (wa < wb ? 1 : -1) : a->pid - b->pid;
}

/* The index knows of losses in the parts that were not read. */
static void note_losses(struct kt_timeline *t)
{
	struct kt_stream *stream = kt_trace_stream(kt_model_trace(t->model));
	uint64_t *counts = calloc(t->nr_columns, sizeof(*counts));
	bool *lost = calloc(t->nr_columns, sizeof(*lost));
	size_t i, k;

	for (i = 0; counts && lost && i < kt_stream_nr_sources(stream); i++) {
		const struct kt_source *src = kt_stream_source(stream, i);
		struct timeline_row *r = timeline_row_of(t, src->file_index, true, src->cpu);

		if (!r || kt_index_density(kt_model_index(t->model), i, t->window.from,
					   t->window.from + t->width * t->nr_columns - 1,
					   t->nr_columns, counts, lost, NULL) < 0)
			continue;
		for (k = 0; k < t->nr_columns; k++)
			r->cells[k].lost |= lost[k];
	}
	free(counts);
	free(lost);
}

static void finish(struct kt_timeline *t)
{
	struct kt_analysis *a = kt_spans_analysis(t->spans);
	struct kt_analysis *calls = t->calls ? kt_calls_analysis(t->calls) : NULL;
	size_t i;

	t->ending = true;
	a->gap(a);
	if (calls)
		t->failed |= calls->finish(calls, NULL) < 0;
	if (t->sampled)
		note_losses(t);
	t->done = true;
	timeline_order_slices(t);
	if (t->nr)
		qsort(t->rows, t->nr, sizeof(*t->rows), by_weight);
	keymap_fini(&t->row_of);	/* rows have moved; no more are added */
	for (i = 0; i < t->nr; i++) {
		struct timeline_row *r = &t->rows[i];

		free(r->shown);
		r->shown = timeline_show_cells(t, r);
		r->pub.cells = r->shown;
		free(r->cells);
		r->cells = NULL;
	}
}

/* The next column with something relevant; false: there is none */
static bool next_column(struct kt_timeline *t)
{
	struct kt_analysis *a = kt_spans_analysis(t->spans);

	do {
		a->gap(a);
		if (t->part_nr == t->nr_columns)
			return false;
		t->part = column_window(t, t->part_nr++);
		t->reached = t->part.from;
	} while (t->part.until < t->next);
	return t->part.from <= t->part.until && begin(t, t->reached);
}

/* Reads one record: 0 when the window, or its sample, is complete; -EINTR */
static int step(struct kt_timeline *t)
{
	struct kt_analysis *spans = kt_spans_analysis(t->spans);
	struct kt_analysis *calls = t->calls ? kt_calls_analysis(t->calls) : NULL;
	const struct kt_event *ev;
	struct kt_record rec;
	int ret = kt_reader_next(t->reader, &rec, NULL);

	if (ret == -EINTR)
		return ret;
	if (ret <= 0 || rec.ts > t->part.until) {
		t->next = ret > 0 ? rec.ts : UINT64_MAX;
		return t->sampled && next_column(t);
	}
	if (t->sampled && t->nr_read++ >= SAMPLE)
		return next_column(t);
	if (rec.lost)
		spans->lost(spans, &rec);
	if (rec.lost && calls)
		calls->lost(calls, &rec);
	if (!t->sampled)
		t->reached = rec.ts;
	ev = kt_trace_event(kt_model_trace(t->model), &rec);
	timeline_note_record(t, ev, &rec);
	t->failed |= ev && (spans->record(spans, ev, &rec, NULL) < 0 ||
			    (calls && calls->record(calls, ev, &rec, NULL) < 0));
	return !t->failed;
}

/* Goes one record back, while records before the window are still needed; 0: no more, -EINTR */
static int step_back(struct kt_timeline *t)
{
	struct kt_record rec;
	int ret;

	if (!t->lead)
		return 0;
	ret = kt_reader_prev(t->reader, &rec, NULL);
	if (ret != -EINTR)
		t->lead = ret > 0 ? t->lead - 1 : 0;
	return ret == -EINTR ? ret : 1;
}

/* Asked about each sub-buffer: where few events are relevant, a step may be a long way. */
static bool is_late(void *data)
{
	const struct kt_timeline *t = data;

	return moment_ms() > t->deadline;
}

bool kt_timeline_work(struct kt_timeline *t, unsigned int budget_ms)
{
	unsigned int i;
	int ret = 1;

	if (t->done || !t->nr_columns)
		return false;
	t->deadline = moment_ms() + budget_ms;
	if (!t->stopped && kt_reader_go(t->reader, &t->at, NULL) < 0)
		ret = 0;
	while (ret > 0 && !is_late(t))
		for (i = 0; i < 64 && ret > 0; i++) {
			ret = step_back(t);
			ret = ret ? ret : step(t);
		}
	if (ret == 0)
		finish(t);
	t->stopped = ret == -EINTR;
	if (ret > 0)
		kt_reader_tell(t->reader, &t->at);
	return ret != 0;
}

bool kt_timeline_stop(struct kt_timeline *t)
{
	if (t->done || !t->nr_columns)
		return false;
	t->partial = true;
	if (!t->sampled)
		t->part.until = t->reached;
	finish(t);
	return true;
}

bool kt_timeline_is_partial(const struct kt_timeline *t)
{
	return t->partial;
}

bool kt_timeline_is_full(const struct kt_timeline *t)
{
	return t->full;
}

size_t kt_timeline_columns(const struct kt_timeline *t, struct kt_window *w, uint64_t *width)
{
	*w = t->window;
	*width = t->width;
	return t->nr_columns;
}

double kt_timeline_done(const struct kt_timeline *t)
{
	uint64_t all = t->window.until - t->window.from + 1;

	return t->done || t->reached < t->window.from ? (double)t->done :
	       (double)(t->reached - t->window.from) / (double)all;
}

bool kt_timeline_is_sampled(const struct kt_timeline *t)
{
	return t->sampled;
}

bool kt_timeline_needs_sample(const struct kt_timeline *t, uint64_t most)
{
	return nr_records(t) > most;
}

size_t kt_timeline_nr(const struct kt_timeline *t)
{
	return t->done ? t->nr : 0;
}

bool kt_timeline_row(const struct kt_timeline *t, size_t i, struct kt_timeline_row *row)
{
	if (!t->done || i >= t->nr || !t->rows[i].shown)
		return false;
	*row = t->rows[i].pub;
	return true;
}

bool kt_timeline_longest_wait(const struct kt_timeline *t, int pid, struct kt_timeline_wait *wait)
{
	const struct timeline_row *best = NULL;
	size_t i;

	for (i = 0; i < t->nr; i++) {
		const struct timeline_row *r = &t->rows[i];

		if ((pid < 0 || r->pub.pid == pid) && r->longest.until > r->longest.from &&
		    (!best || r->longest.until - r->longest.from >
			      best->longest.until - best->longest.from))
			best = r;
	}
	if (best)
		*wait = best->longest;
	return best;
}

struct kt_timeline *kt_timeline_create(struct kt_model *m, struct kt_err *err)
{
	struct kt_timeline *t = calloc(1, sizeof(*t));
	struct kt_spans_opts o = {
		.kinds = 1u << KT_SPAN_RUN | 1u << KT_SPAN_PREEMPTED | 1u << KT_SPAN_BLOCKED |
			 1u << KT_SPAN_WAIT | 1u << KT_SPAN_IRQ | 1u << KT_SPAN_SOFTIRQ |
			 1u << KT_SPAN_NMI,
		.sink = timeline_take_span,
	};

	if (!t) {
		kt_err_no_memory(err);
		return NULL;
	}
	t->model = m;
	o.data = t;
	t->reader = kt_reader_create(kt_model_trace(m), kt_model_index(m), err);
	t->spans = kt_spans_create(kt_model_trace(m), &o, err);
	if (!t->reader || !t->spans) {
		kt_timeline_destroy(t);
		return NULL;
	}
	kt_reader_set_stop(t->reader, is_late, t);
	return t;
}

void kt_timeline_destroy(struct kt_timeline *t)
{
	if (!t)
		return;
	free_rows(t);
	kt_reader_destroy(t->reader);
	kt_spans_destroy(t->spans);
	kt_calls_destroy(t->calls);
	free(t);
}
