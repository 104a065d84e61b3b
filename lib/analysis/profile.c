/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* profile.c - where tasks spend their time: pairs of events, with their stacks */
#include "analysis/profile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/keymap.h"
#include "span/match.h"
#include "trace/frames.h"

#define NONE KEYMAP_NONE

/* ---- tasks and rows ---- */

static int new_task(struct kt_profile *p, uint64_t key, struct kt_profile_task pub)
{
	struct task *t;

	if (!array_reserve(p->tasks, p->nr_tasks) ||
	    keymap_put(&p->task_of, key, p->nr_tasks) < 0)
		return -ENOMEM;
	t = &p->tasks[p->nr_tasks++];
	*t = (struct task){ .pub = pub };
	return 0;
}

static uint64_t key_of_name(const char *name)
{
	uint64_t key = 0;

	for (; *name; name++)
		key = keymap_mix(key, (unsigned char)*name);
	return key;
}

/* With by_comm a task is counted as the first task of the same name. */
static uint32_t namesake(const struct kt_profile *p, const char *comm)
{
	return p->opts.by_comm ? keymap_get(&p->namesake_of, key_of_name(comm)) : NONE;
}

static int note_name(struct kt_profile *p, const char *comm, uint32_t task)
{
	return p->opts.by_comm ? keymap_put(&p->namesake_of, key_of_name(comm), task) : 0;
}

/* Idle tasks share pid 0, but each CPU has its own. */
static uint32_t task_of(struct kt_profile *p, const struct kt_source *src, int pid)
{
	uint32_t who = pid ? (uint32_t)pid : UINT32_MAX - (uint32_t)src->cpu;
	uint64_t key = (uint64_t)src->file_index << 32 | who;
	struct kt_profile_task pub = { .pid = p->opts.by_comm ? -1 : pid, .cpu = -1 };
	uint32_t i = keymap_get(&p->task_of, key);

	if (i != NONE)
		return i;
	if (pid == 0)
		pub.cpu = src->cpu;
	else
		pub.comm = kt_trace_comm(p->trace, src->file_index, pid);
	i = pub.comm ? namesake(p, pub.comm) : NONE;
	if (i != NONE)
		return keymap_put(&p->task_of, key, i) < 0 ? NONE : i;
	if (new_task(p, key, pub) < 0)
		return NONE;
	i = p->nr_tasks - 1;
	if (pub.comm && note_name(p, pub.comm, i) < 0)
		return NONE;
	if (pid == 0)
		snprintf(p->tasks[i].name, sizeof(p->tasks[i].name), "swapper/%d", src->cpu);
	return i;
}

/* The interrupts of a CPU; those of several files are summed. */
static uint32_t cpu_of(struct kt_profile *p, int cpu)
{
	uint64_t key = keymap_mix(UINT64_MAX, cpu);
	uint32_t i = keymap_get(&p->task_of, key);

	if (i != NONE)
		return i;
	return new_task(p, key, (struct kt_profile_task){ .pid = -1, .cpu = cpu }) < 0 ?
	       NONE : p->nr_tasks - 1;
}

static uint32_t row_of(struct kt_profile *p, uint32_t task, const char *event,
		       enum value_kind value_kind, uint64_t value, enum rank rank)
{
	uint64_t of_event = keymap_mix(task, (uintptr_t)event * NR_RANKS + rank);
	uint64_t key = keymap_scramble(of_event + value);
	uint32_t i = keymap_get(&p->row_of, key), number;
	struct str text = STR_INIT;
	struct row *r;

	if (i != NONE)
		return i;
	number = keymap_number(&p->number_of, event);
	if (task == NONE || number == NONE || !array_reserve(p->rows, p->nr_rows) ||
	    keymap_put(&p->row_of, key, p->nr_rows) < 0)
		return NONE;
	r = &p->rows[p->nr_rows++];
	*r = (struct row){ .task = task, .rank = rank, .order = number };
	value_add(&text, value_kind, value);
	r->pub = (struct kt_profile_row){ .event = event, .value = str_take(&text) };
	return r->pub.value ? p->nr_rows - 1 : NONE;
}

/* ---- pairs ---- */

static uint32_t owner_of(struct kt_profile *p, const struct kt_span *span,
			 const struct meaning *m)
{
	const struct kt_source *src = kt_stream_source(kt_trace_stream(p->trace),
						       span->begin.source);

	if (m->owner == OWNER_CPU || (m->owner == OWNER_INTERRUPTED && p->opts.global_irqs))
		return cpu_of(p, src->cpu);
	return task_of(p, src, span->pid);
}

static int add_span(void *data, const struct kt_span *span, struct kt_err *err)
{
	struct kt_profile *p = data;
	const struct meaning *m = &p->meanings.at[span->pair];
	uint64_t value = p->opts.by_comm && m->rank == RANK_WAKEUP ? 0 : span->value;
	uint64_t ns = span->end.ts > span->begin.ts ? span->end.ts - span->begin.ts : 0;
	const struct kt_record begin = { .source = span->begin.source };
	struct kt_profile_row *row;
	uint32_t i;

	if (span->flags & KT_SPAN_CUT)
		p->nr_cut++;
	if (span->flags)
		return 0;
	i = row_of(p, owner_of(p, span, m), span->begin.event->name, m->value, value, m->rank);
	if (i == NONE)
		return kt_err_no_memory(err);
	row = &p->rows[i].pub;
	row->is_timed = true;
	time_add(&row->time, ns, span->end.ts);
	return stacks_add(&row->stacks, kt_trace_record_symbols(p->trace, &begin), span->frames,
			  span->nr_frames, ns, span->end.ts) < 0 ? kt_err_no_memory(err) : 0;
}

/* ---- other events ---- */

/* The current record, decoded as far as needed */
struct event_now {
	const struct kind *kind;
	const struct kt_record *rec;
	uint32_t *last_row;	/* of its source */
};

static uint32_t task_now(struct kt_profile *p, const struct event_now *e)
{
	return task_of(p, kt_trace_source(p->trace, e->rec),
		       kt_record_pid(e->kind->event->events, e->rec));
}

/* Adds the stack of the last counted event; lib/span handles those of pairs. */
static int note_stack(struct kt_profile *p, const struct event_now *e)
{
	uint64_t frames[FRAMES_MAX];
	uint32_t row = *e->last_row;
	size_t nr;

	*e->last_row = NONE;
	if (row == NONE || p->rows[row].task != task_now(p, e))
		return 0;
	nr = frames_read(e->kind->event, e->rec, frames);
	return stacks_add(&p->rows[row].pub.stacks, kt_trace_record_symbols(p->trace, e->rec),
			  frames, nr, 0, e->rec->ts);
}

static const char *symbol(struct kt_symbols *syms, uint64_t address)
{
	struct kt_symbol sym;

	return kt_symbols_find(syms, address, &sym) > 0 ? sym.name : "(unknown)";
}

static int function(struct kt_profile *p, const struct event_now *e, uint64_t address)
{
	const struct kind *k = e->kind;
	bool timed = k->role == ROLE_GRAPH_EXIT;
	struct kt_profile_row *row;
	uint64_t from = 0, until = 0;
	uint32_t i;

	if (timed && (kt_field_u64(k->event, k->calltime, e->rec, &from) < 0 ||
		      kt_field_u64(k->event, k->rettime, e->rec, &until) < 0))
		return 0;
	i = row_of(p, task_now(p, e), symbol(kt_trace_record_symbols(p->trace, e->rec), address),
		   VALUE_NONE, 0, RANK_FUNCTION);
	if (i == NONE)
		return -ENOMEM;
	row = &p->rows[i].pub;
	row->is_function = true;
	*e->last_row = i;
	if (!timed) {
		row->time.count++;
		return 0;
	}
	row->is_timed = true;
	time_add(&row->time, until > from ? until - from : 0, e->rec->ts);
	return 0;
}

static int count(struct kt_profile *p, const struct event_now *e, uint64_t value)
{
	uint32_t i = row_of(p, task_now(p, e), e->kind->event->name, VALUE_HEX, value, RANK_COUNT);

	if (i == NONE)
		return -ENOMEM;
	p->rows[i].pub.time.count++;
	*e->last_row = i;
	return 0;
}

static int apply(struct kt_profile *p, const struct event_now *e)
{
	const struct kind *k = e->kind;
	uint64_t value = 0;

	if (k->role == ROLE_UNUSED)
		return 0;
	if (k->role == ROLE_STACK)
		return note_stack(p, e);
	*e->last_row = NONE;
	if (k->paired)
		return 0;
	if (k->value && !(k->value->flags & KT_FIELD_STRING))
		kt_field_u64(k->event, k->value, e->rec, &value);
	if (k->role == ROLE_FUNCTION || k->role == ROLE_GRAPH_EXIT)
		return function(p, e, value);
	return count(p, e, value);
}

/* Rows of pairs are ordered by the first occurrence of their events, not by their ends. */
static const struct kind *kind_of(struct kt_profile *p, const struct kt_event *ev)
{
	bool is_new;
	struct kind *k = kinds_get(&p->kinds, ev, &is_new);

	if (!k || !is_new)
		return k;
	k->paired = match_uses(p->spans, ev);
	return k->paired && keymap_number(&p->number_of, ev->name) == NONE ? NULL : k;
}

static int record(struct kt_analysis *a, const struct kt_event *ev, const struct kt_record *rec,
		  struct kt_err *err)
{
	struct kt_profile *p = (struct kt_profile *)a;
	struct kt_analysis *spans = kt_spans_analysis(p->spans);
	const struct event_now e = {
		.kind = kind_of(p, ev), .rec = rec, .last_row = &p->last_rows[rec->source],
	};
	int ret;

	if (!e.kind)
		return kt_err_no_memory(err);
	ret = spans->record(spans, ev, rec, err);
	if (ret < 0)
		return ret;
	return apply(p, &e) < 0 ? kt_err_no_memory(err) : 0;
}

static void lost(struct kt_analysis *a, const struct kt_record *rec)
{
	struct kt_analysis *spans = kt_spans_analysis(((struct kt_profile *)a)->spans);

	spans->lost(spans, rec);
}

static void forget_last(struct kt_profile *p)
{
	size_t i, nr = kt_stream_nr_sources(kt_trace_stream(p->trace));

	for (i = 0; i < nr; i++)
		p->last_rows[i] = NONE;
}

static void gap(struct kt_analysis *a)
{
	struct kt_profile *p = (struct kt_profile *)a;
	struct kt_analysis *spans = kt_spans_analysis(p->spans);

	spans->gap(spans);
	forget_last(p);
}

void profile_free_row(struct row *r)
{
	stacks_free(r->pub.stacks);
	free((char *)r->pub.value);
}

/* ---- order ---- */

/* By task first, so that each task finds its rows */
static int by_weight(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->rank != RANK_FUNCTION && x->order != y->order)
		return x->order < y->order ? -1 : 1;
	if (x->pub.time.total != y->pub.time.total)
		return x->pub.time.total < y->pub.time.total ? 1 : -1;
	if (x->pub.time.count != y->pub.time.count)
		return x->pub.time.count < y->pub.time.count ? 1 : -1;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return strcmp(x->pub.value, y->pub.value);
}

/* CPUs, idle tasks, then by pid, or by name */
static int by_task(const void *a, const void *b)
{
	const struct task *x = a, *y = b;
	bool x_cpu = !x->pub.comm, y_cpu = !y->pub.comm;

	if (x_cpu != y_cpu)
		return x_cpu ? -1 : 1;
	if (x->pub.pid != y->pub.pid)
		return x->pub.pid < y->pub.pid ? -1 : 1;
	if (x->pub.cpu != y->pub.cpu)
		return x->pub.cpu < y->pub.cpu ? -1 : 1;
	return x_cpu ? 0 : strcmp(x->pub.comm, y->pub.comm);
}

void profile_name_idle(struct kt_profile *p)
{
	size_t i;

	for (i = 0; i < p->nr_tasks; i++)
		if (*p->tasks[i].name)
			p->tasks[i].pub.comm = p->tasks[i].name;
}

static void sort_all(struct kt_profile *p)
{
	size_t i, kept = 0;

	if (p->nr_rows)
		qsort(p->rows, p->nr_rows, sizeof(*p->rows), by_weight);
	for (i = p->nr_rows; i-- > 0; ) {
		struct task *t = &p->tasks[p->rows[i].task];

		t->first_row = i;
		t->pub.nr_rows++;
		stacks_sort(&p->rows[i].pub.stacks);
	}
	for (i = 0; i < p->nr_tasks; i++)
		if (p->tasks[i].pub.nr_rows)
			p->tasks[kept++] = p->tasks[i];
	p->nr_tasks = kept;
	for (i = 0; i < kept; i++)
		if (*p->tasks[i].name)
			p->tasks[i].pub.comm = "swapper";
	if (kept)
		qsort(p->tasks, kept, sizeof(*p->tasks), by_task);
	profile_name_idle(p);
}

/* ---- the analysis ---- */

static int finish(struct kt_analysis *a, struct kt_err *err)
{
	struct kt_profile *p = (struct kt_profile *)a;
	struct kt_analysis *spans = kt_spans_analysis(p->spans);
	int ret = spans->finish(spans, err);

	sort_all(p);
	return ret;
}

static int follow_pairs(struct kt_profile *p, struct kt_err *err)
{
	const struct match_opts match = { .sink = add_span, .data = p };
	struct pairs pairs = { 0 };
	int ret = profile_pairs(p->trace, p->opts.hooks, &pairs, &p->meanings, err);

	if (ret < 0) {
		pairs_fini(&pairs);
		return ret;
	}
	p->spans = match_create(p->trace, &pairs, &match, err);
	return p->spans ? 0 : -ENOMEM;
}

struct kt_profile *kt_profile_create(struct kt_trace *t, const struct kt_profile_opts *opts,
				     struct kt_err *err)
{
	struct kt_profile *p = calloc(1, sizeof(*p));

	if (!p) {
		kt_err_no_memory(err);
		return NULL;
	}
	p->analysis = (struct kt_analysis){
		.record = record, .lost = lost, .gap = gap, .finish = finish,
	};
	p->trace = t;
	if (opts)
		p->opts = *opts;
	p->last_rows = calloc(kt_stream_nr_sources(kt_trace_stream(t)) + 1, sizeof(*p->last_rows));
	if (!p->last_rows)
		kt_err_no_memory(err);
	if (!p->last_rows || follow_pairs(p, err) < 0) {
		kt_profile_destroy(p);
		return NULL;
	}
	forget_last(p);
	return p;
}

struct kt_analysis *kt_profile_analysis(struct kt_profile *p)
{
	return &p->analysis;
}

bool kt_profile_in_ns(const struct kt_profile *p)
{
	const struct kt_stream *stream = kt_trace_stream(p->trace);
	size_t i, nr = kt_stream_nr_sources(stream);

	for (i = 0; i < nr; i++)
		if (!kt_stream_source_in_ns(stream, i))
			return false;
	return true;
}

uint64_t kt_profile_nr_cut(const struct kt_profile *p)
{
	return p->nr_cut;
}

void kt_profile_destroy(struct kt_profile *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < p->nr_rows; i++)
		profile_free_row(&p->rows[i]);
	kinds_fini(&p->kinds);
	keymap_fini(&p->task_of);
	keymap_fini(&p->row_of);
	keymap_fini(&p->number_of);
	keymap_fini(&p->namesake_of);
	kt_spans_destroy(p->spans);
	free(p->meanings.at);
	free(p->last_rows);
	free(p->tasks);
	free(p->rows);
	free(p);
}

const struct kt_profile_task *kt_profile_task(const struct kt_profile *p, size_t task)
{
	return task < p->nr_tasks ? &p->tasks[task].pub : NULL;
}

const struct kt_profile_row *kt_profile_row(const struct kt_profile *p, size_t task, size_t i)
{
	return task < p->nr_tasks && i < p->tasks[task].pub.nr_rows ?
	       &p->rows[p->tasks[task].first_row + i].pub : NULL;
}
