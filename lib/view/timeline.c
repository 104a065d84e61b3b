/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* timeline.c - cells of equal time for CPUs and tasks, from spans */
#include <ktrail/views.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/keymap.h"
#include "base/moment.h"

#define EXACT_MAX  400000		/* records of a window that are all read */
#define SAMPLE     1500			/* records of a column that are read otherwise */
#define LEAD       2000			/* records before the window, to know what had begun */
#define TASK_UNINTERRUPTIBLE 2		/* in prev_state, of any kernel */
#define TASKS_MAX  4096			/* rows of tasks; the first ones that are met */

struct cell {
	uint64_t idle, run, wait, preempted, blocked, irq;	/* ns */
	uint64_t weight;		/* of @pid: by majority vote */
	int32_t  pid;
	uint32_t events;
	bool     lost;
};

struct row {
	struct kt_timeline_row pub;
	struct cell *cells;
	struct kt_timeline_cell *shown;
	struct kt_timeline_wait longest;
};

struct kt_timeline {
	struct kt_model *model;
	struct kt_reader *reader;
	struct kt_spans *spans;
	struct row *rows;
	size_t nr, nr_cpus;
	struct keymap row_of;		/* by file and pid, or CPU */
	struct kt_window window;
	size_t nr_columns;
	uint64_t width;			/* of a column, ns, at least 1 */
	bool sampled, done, failed, in_lead;
	size_t column;			/* the one that is being sampled */
	size_t nr_read;			/* in it */
	struct kt_spot at;		/* where to go on */
	uint64_t reached;		/* time */
	struct kt_window part;		/* spans are clipped to it */
};

/* ---- rows ---- */

static struct row *row_of(struct kt_timeline *t, size_t file, bool is_cpu, int id)
{
	uint64_t key = (uint64_t)file << 40 | (uint64_t)is_cpu << 39 | (uint32_t)id;
	uint32_t i = keymap_get(&t->row_of, key);
	struct row *grown, *r;

	if (i != KEYMAP_NONE)
		return &t->rows[i];
	if (t->nr >= TASKS_MAX)
		return NULL;
	grown = reallocarray(t->rows, t->nr + 1, sizeof(*grown));
	if (!grown || keymap_put(&t->row_of, key, (uint32_t)t->nr) < 0) {
		t->rows = grown ? grown : t->rows;
		t->failed = true;
		return NULL;
	}
	t->rows = grown;
	r = &t->rows[t->nr];
	*r = (struct row){ .pub = { .is_cpu = is_cpu, .cpu = is_cpu ? id : -1,
				    .pid = is_cpu ? -1 : id, .file = file } };
	r->cells = calloc(t->nr_columns, sizeof(*r->cells));
	if (!r->cells) {
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
	keymap_fini(&t->row_of);
	t->rows = NULL;
	t->nr = 0;
}

static size_t column_of(const struct kt_timeline *t, uint64_t ts)
{
	size_t i = ts <= t->window.from ? 0 : (size_t)((ts - t->window.from) / t->width);

	return i < t->nr_columns ? i : t->nr_columns - 1;
}

/* ---- spans into cells ---- */

enum share { SHARE_IDLE, SHARE_RUN, SHARE_WAIT, SHARE_PREEMPTED, SHARE_BLOCKED, SHARE_IRQ };

static void add_time(struct cell *c, enum share share, uint64_t ns, int pid)
{
	if (share == SHARE_IRQ) {
		c->irq += ns;
		return;
	}
	if (share == SHARE_WAIT)
		c->wait += ns;
	else if (share == SHARE_PREEMPTED)
		c->preempted += ns;
	else if (share == SHARE_BLOCKED)
		c->blocked += ns;
	else if (share == SHARE_IDLE)
		c->idle += ns;
	else
		c->run += ns;
	if (c->weight && c->pid != pid && c->weight >= ns) {
		c->weight -= ns;
	} else if (c->weight && c->pid != pid) {
		c->pid = pid;
		c->weight = ns - c->weight;
	} else {
		c->pid = pid;
		c->weight += ns;
	}
}

static void add_span(struct kt_timeline *t, struct row *r, uint64_t from, uint64_t until,
		     enum share share, int pid)
{
	size_t i;

	if (from < t->part.from)
		from = t->part.from;
	if (until > t->part.until + 1)
		until = t->part.until + 1;
	if (!r || from > until)
		return;
	for (i = column_of(t, from); from <= until && i < t->nr_columns; i++) {
		uint64_t end = t->window.from + (i + 1) * t->width;
		uint64_t to = until < end ? until : end;

		/* What takes no time has still been there. */
		add_time(&r->cells[i], share, to > from ? to - from : 1, pid);
		if (to == until)
			break;
		from = end;
	}
}

static void note_wait(struct kt_timeline *t, struct row *r, const struct kt_span *s)
{
	uint64_t ns = s->end.ts - s->begin.ts;

	if (!r || s->flags || t->sampled || s->end.ts < t->window.from)
		return;
	if (ns > r->longest.until - r->longest.from)
		r->longest = (struct kt_timeline_wait){
			s->begin.ts, s->end.ts, s->file, s->pid, s->end.cpu, s->end.pid,
		};
}

/* What a span means for its task */
static enum share share_of(const struct kt_span *s)
{
	switch (s->kind) {
	case KT_SPAN_RUN:       return SHARE_RUN;
	case KT_SPAN_WAIT:      return SHARE_WAIT;
	case KT_SPAN_PREEMPTED: return SHARE_PREEMPTED;
	case KT_SPAN_BLOCKED:   return s->value & TASK_UNINTERRUPTIBLE ? SHARE_BLOCKED : SHARE_IDLE;
	default:                return SHARE_IRQ;
	}
}

static int take_span(void *data, const struct kt_span *s, struct kt_err *err)
{
	struct kt_timeline *t = data;
	uint64_t from = s->flags & KT_SPAN_UNBEGUN ? t->part.from : s->begin.ts;
	uint64_t until = s->flags & KT_SPAN_UNFINISHED ? t->part.until + 1 : s->end.ts;
	bool waits = s->kind == KT_SPAN_WAIT || s->kind == KT_SPAN_PREEMPTED;
	struct row *cpu, *task = NULL;

	(void)err;
	if (s->kind == KT_SPAN_IRQ || s->kind == KT_SPAN_SOFTIRQ || s->kind == KT_SPAN_RUN) {
		cpu = row_of(t, s->file, true, s->begin.cpu);
		add_span(t, cpu, from, until, s->kind != KT_SPAN_RUN ? SHARE_IRQ :
			 s->pid ? SHARE_RUN : SHARE_IDLE, s->pid);
	}
	if (s->pid)
		task = row_of(t, s->file, false, s->pid);
	if (!task || t->failed)
		return t->failed ? -ENOMEM : 0;
	add_span(t, task, from, until, share_of(s), s->pid);
	from = from > t->part.from ? from : t->part.from;
	until = until <= t->part.until ? until : t->part.until + 1;
	if (s->kind == KT_SPAN_RUN)
		task->pub.run += until > from ? until - from : 0;
	if (waits)
		task->pub.wait += until > from ? until - from : 0;
	if (waits)
		note_wait(t, task, s);
	return 0;
}

static void note_record(struct kt_timeline *t, const struct kt_record *rec)
{
	const struct kt_source *src =
		kt_stream_source(kt_trace_stream(kt_model_trace(t->model)), rec->source);
	struct row *r = row_of(t, src->file_index, true, src->cpu);
	struct cell *c;

	if (!r || rec->ts < t->window.from)
		return;
	c = &r->cells[column_of(t, rec->ts)];
	c->events++;
	c->lost |= rec->lost;
}

/* ---- reading ---- */

/*
 * Of a sample, only events that say something here; where there are none, all of them. Else
 * all: events that are left out would not tell what was lost before them.
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

/* How many records the window has: by the index, or else more than we read */
static uint64_t nr_records(struct kt_timeline *t)
{
	struct kt_index *ix = kt_model_index(t->model);
	uint64_t from, until;

	if (kt_index_row_of_time(ix, KT_ALL_SOURCES, t->window.from, &from, NULL) < 0 ||
	    kt_index_row_of_time(ix, KT_ALL_SOURCES, t->window.until, &until, NULL) < 0)
		return EXACT_MAX + 1;
	return until - from;
}

static int begin(struct kt_timeline *t, uint64_t ts, unsigned int lead)
{
	struct kt_record rec;
	int ret = kt_reader_seek(t->reader, ts, NULL);

	while (ret >= 0 && lead-- > 0) {
		ret = kt_reader_prev(t->reader, &rec, NULL);
		if (ret == 0)
			break;
	}
	kt_reader_tell(t->reader, &t->at);
	t->nr_read = 0;
	return ret < 0 ? ret : 0;
}

int kt_timeline_set(struct kt_timeline *t, const struct kt_window *w, size_t nr_columns,
		    struct kt_err *err)
{
	struct kt_stream *stream = kt_trace_stream(kt_model_trace(t->model));
	struct kt_analysis *a = kt_spans_analysis(t->spans);
	size_t i;

	t->part = (struct kt_window){ 2, 0 };	/* what is open from before goes nowhere */
	a->gap(a);
	free_rows(t);
	t->window = t->part = *w;
	t->nr_columns = nr_columns ? nr_columns : 1;
	t->width = (w->until - w->from) / t->nr_columns + 1;
	t->done = t->failed = false;
	t->column = 0;
	t->reached = w->from;
	t->sampled = nr_records(t) > EXACT_MAX;
	for (i = 0; i < kt_stream_nr_sources(stream); i++) {
		const struct kt_source *src = kt_stream_source(stream, i);

		row_of(t, src->file_index, true, src->cpu);
	}
	t->nr_cpus = t->nr;
	t->failed |= want_types(t) < 0;
	return t->failed || begin(t, w->from, t->sampled ? 0 : LEAD) < 0 ?
	       kt_err_set(err, -ENOMEM, "out of memory") : 0;
}

static int by_weight(const void *x, const void *y)
{
	const struct kt_timeline_row *a = &((const struct row *)x)->pub;
	const struct kt_timeline_row *b = &((const struct row *)y)->pub;
	uint64_t wa = a->run + 2 * a->wait, wb = b->run + 2 * b->wait;

	if (a->is_cpu != b->is_cpu)
		return a->is_cpu ? -1 : 1;
	if (a->is_cpu)
		return a->file != b->file ? (a->file < b->file ? -1 : 1) : a->cpu - b->cpu;
	return wa != wb ? (wa < wb ? 1 : -1) : a->pid - b->pid;
}

static struct kt_timeline_cell show(const struct cell *c)
{
	const struct { enum kt_timeline_state state; uint64_t ns; } times[] = {
		{ KT_TIMELINE_WAIT, c->wait }, { KT_TIMELINE_PREEMPTED, c->preempted },
		{ KT_TIMELINE_BLOCKED, c->blocked }, { KT_TIMELINE_RUN, c->run },
		{ KT_TIMELINE_IDLE, c->idle },
	};
	uint64_t all = 0, most = 0, irq = c->irq;
	struct kt_timeline_cell s = { .pid = c->pid, .events = c->events, .lost = c->lost };
	size_t i;

	for (i = 0; i < sizeof(times) / sizeof(*times); i++) {
		all += times[i].ns;
		if (times[i].ns > most) {
			most = times[i].ns;
			s.state = times[i].state;
		}
	}
	if (irq)
		s.irq = (uint8_t)(irq >= all ? 255 : 1 + irq * 254 / all);
	return s;
}

/* The index knows of losses in what was not read. */
static void note_losses(struct kt_timeline *t)
{
	struct kt_stream *stream = kt_trace_stream(kt_model_trace(t->model));
	uint64_t *counts = calloc(t->nr_columns, sizeof(*counts));
	bool *lost = calloc(t->nr_columns, sizeof(*lost));
	size_t i, k;

	for (i = 0; counts && lost && i < kt_stream_nr_sources(stream); i++) {
		const struct kt_source *src = kt_stream_source(stream, i);
		struct row *r = row_of(t, src->file_index, true, src->cpu);

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
	size_t i, k;

	a->gap(a);
	if (t->sampled)
		note_losses(t);
	t->done = true;
	if (t->nr)
		qsort(t->rows, t->nr, sizeof(*t->rows), by_weight);
	keymap_fini(&t->row_of);	/* rows have moved; nothing is added any more */
	for (i = 0; i < t->nr; i++) {
		struct row *r = &t->rows[i];

		free(r->shown);
		r->shown = calloc(t->nr_columns, sizeof(*r->shown));
		for (k = 0; r->shown && k < t->nr_columns; k++)
			r->shown[k] = show(&r->cells[k]);
		r->pub.cells = r->shown;
	}
}

/* The next column that is not behind us; false: that was the last one */
static bool next_column(struct kt_timeline *t)
{
	struct kt_analysis *a = kt_spans_analysis(t->spans);

	a->gap(a);
	t->column++;
	if (t->column >= t->nr_columns)
		return false;
	t->reached = t->window.from + t->column * t->width;
	return begin(t, t->reached, 0) == 0;
}

/* One record: false when the window, or its sample, is read */
static bool step(struct kt_timeline *t)
{
	struct kt_analysis *a = kt_spans_analysis(t->spans);
	uint64_t end = t->sampled ?
		       t->window.from + (t->column + 1) * t->width - 1 : t->window.until;
	const struct kt_event *ev;
	struct kt_record rec;

	if (kt_reader_next(t->reader, &rec, NULL) <= 0 || rec.ts > end ||
	    (t->sampled && t->nr_read++ >= SAMPLE)) {
		t->part.until = end < t->window.until ? end : t->window.until;
		if (!t->sampled || !next_column(t))
			return false;
		t->part = (struct kt_window){ t->reached, t->reached + t->width - 1 };
		return true;
	}
	if (rec.lost)
		a->lost(a, &rec);
	if (!t->sampled)
		t->reached = rec.ts;
	note_record(t, &rec);
	ev = kt_trace_event(kt_model_trace(t->model), &rec);
	if (ev && a->record(a, ev, &rec, NULL) < 0)
		t->failed = true;
	return !t->failed;
}

bool kt_timeline_work(struct kt_timeline *t, unsigned int budget_ms)
{
	uint64_t until = moment_ms() + budget_ms;
	unsigned int i;

	if (t->done || !t->nr_columns)
		return false;
	if (kt_reader_go(t->reader, &t->at, NULL) < 0) {
		finish(t);
		return false;
	}
	if (t->sampled)
		t->part = (struct kt_window){ t->window.from + t->column * t->width,
					      t->window.from + (t->column + 1) * t->width - 1 };
	do {
		for (i = 0; i < 256; i++)
			if (!step(t)) {
				finish(t);
				return false;
			}
	} while (moment_ms() < until);
	kt_reader_tell(t->reader, &t->at);
	return true;
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
	const struct row *best = NULL;
	size_t i;

	for (i = 0; i < t->nr; i++) {
		const struct row *r = &t->rows[i];

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
			 1u << KT_SPAN_WAIT | 1u << KT_SPAN_IRQ | 1u << KT_SPAN_SOFTIRQ,
		.sink = take_span,
	};

	if (!t) {
		kt_err_set(err, -ENOMEM, "out of memory");
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
	return t;
}

void kt_timeline_destroy(struct kt_timeline *t)
{
	if (!t)
		return;
	free_rows(t);
	kt_reader_destroy(t->reader);
	kt_spans_destroy(t->spans);
	free(t);
}
