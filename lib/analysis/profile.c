/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* profile.c - where tasks spent their time: pairs of events, with the stacks that led there */
#include "analysis/profile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/frames.h"
#include "base/keymap.h"

#define NONE KEYMAP_NONE

struct row {
	struct kt_profile_row pub;
	uint32_t task, order;		/* order: of first sight of the event */
	enum span_rank rank;
};

/* A span that has begun, kept for the next one of the same key when it has ended */
struct open {
	bool      begun;
	uint64_t  ts;
	uint32_t  row;
	uint64_t *frames;
	size_t    nr_frames;
};

struct task {
	struct kt_profile_task pub;
	uint32_t last_row, last_open;	/* what a stack would belong to, or NONE */
	size_t   first_row;
	char     name[32];		/* "swapper/3" */
};

struct kt_profile {
	struct kt_trace *trace;
	struct kt_profile_opts opts;
	struct spans spans;
	struct kinds kinds;
	struct task *tasks;
	struct row  *rows;
	struct open *opens;
	struct keymap task_of, row_of, open_of, number_of;
	struct keymap namesake_of;	/* with by_comm: task by its name */
	size_t nr_tasks, nr_rows, nr_opens;
};

/* Room for one more; doubles when @nr is a power of two */
static int grow(void *array, size_t nr, size_t size)
{
	void **p = array, *more;

	if (nr & (nr - 1))
		return 0;
	more = reallocarray(*p, nr ? nr * 2 : 1, size);
	if (!more)
		return -ENOMEM;
	*p = more;
	return 0;
}

static uint64_t scramble(uint64_t a)
{
	a = (a ^ a >> 33) * 0xff51afd7ed558ccdull;
	a = (a ^ a >> 33) * 0xc4ceb9fe1a85ec53ull;
	return a ^ a >> 33;
}

/* What identifies a thing as one key; that two are equal by chance needs 2^32 things. */
static uint64_t mix(uint64_t a, uint64_t b)
{
	return scramble(scramble(a) + b);
}

/* ---- tasks and rows ---- */

static int new_task(struct kt_profile *p, uint64_t key, struct kt_profile_task pub)
{
	struct task *t;

	if (grow(&p->tasks, p->nr_tasks, sizeof(*p->tasks)) < 0 ||
	    keymap_put(&p->task_of, key, p->nr_tasks) < 0)
		return -ENOMEM;
	t = &p->tasks[p->nr_tasks++];
	*t = (struct task){ .pub = pub, .last_row = NONE, .last_open = NONE };
	return 0;
}

static uint64_t key_of_name(const char *name)
{
	uint64_t key = 0;

	for (; *name; name++)
		key = mix(key, (unsigned char)*name);
	return key;
}

/* With by_comm a task takes the place of the one that had its name first. */
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

/* The interrupts of a CPU; those of several files count together. */
static uint32_t cpu_of(struct kt_profile *p, int cpu)
{
	uint64_t key = mix(UINT64_MAX, cpu);
	uint32_t i = keymap_get(&p->task_of, key);

	if (i != NONE)
		return i;
	return new_task(p, key, (struct kt_profile_task){ .pid = -1, .cpu = cpu }) < 0 ?
	       NONE : p->nr_tasks - 1;
}

static uint32_t row_of(struct kt_profile *p, uint32_t task, const char *event,
		       enum span_value value_kind, uint64_t value, enum span_rank rank)
{
	uint32_t number = keymap_number(&p->number_of, event);
	uint64_t key = mix(mix((uint64_t)task << 32 | number, rank), value);
	uint32_t i = keymap_get(&p->row_of, key);
	struct str text = STR_INIT;
	struct row *r;

	if (i != NONE)
		return i;
	if (task == NONE || number == NONE || grow(&p->rows, p->nr_rows, sizeof(*p->rows)) < 0 ||
	    keymap_put(&p->row_of, key, p->nr_rows) < 0)
		return NONE;
	r = &p->rows[p->nr_rows++];
	*r = (struct row){ .task = task, .rank = rank, .order = number };
	span_add_value(&text, value_kind, value);
	r->pub = (struct kt_profile_row){ .event = event, .value = str_take(&text) };
	return r->pub.value ? p->nr_rows - 1 : NONE;
}

/* ---- times and stacks ---- */

static int note_stack(struct kt_profile *p, struct task *task, const struct kt_event *ev,
		      const struct kt_record *rec, struct kt_symbols *syms)
{
	uint32_t row = task->last_row, open = task->last_open;
	uint64_t frames[FRAMES_MAX];
	size_t nr = frames_read(ev, rec, frames);
	struct open *o;

	task->last_row = task->last_open = NONE;
	if (row != NONE)
		return stacks_add(&p->rows[row].pub.stacks, syms, frames, nr, 0, rec->ts);
	if (open == NONE || !nr)
		return 0;
	o = &p->opens[open];
	free(o->frames);
	o->nr_frames = 0;
	o->frames = reallocarray(NULL, nr, sizeof(*frames));
	if (!o->frames)
		return -ENOMEM;
	memcpy(o->frames, frames, nr * sizeof(*frames));
	o->nr_frames = nr;
	return 0;
}

/* ---- spans ---- */

static int begin(struct kt_profile *p, struct task *task, uint64_t key, uint32_t row, uint64_t ts)
{
	uint32_t i = keymap_get(&p->open_of, key);

	if (row == NONE)
		return -ENOMEM;
	if (i == NONE) {
		if (grow(&p->opens, p->nr_opens, sizeof(*p->opens)) < 0 ||
		    keymap_put(&p->open_of, key, p->nr_opens) < 0)
			return -ENOMEM;
		i = p->nr_opens++;
		p->opens[i] = (struct open){ 0 };
	}
	p->opens[i].begun = true;
	p->opens[i].nr_frames = 0;
	p->opens[i].ts = ts;
	p->opens[i].row = row;
	task->last_open = i;
	return 0;
}

static int end(struct kt_profile *p, uint64_t key, uint64_t ts, struct kt_symbols *syms)
{
	uint32_t i = keymap_get(&p->open_of, key);
	struct open *o = i == NONE ? NULL : &p->opens[i];
	struct kt_profile_row *row;
	uint64_t ns;

	if (!o || !o->begun)
		return 0;
	o->begun = false;
	row = &p->rows[o->row].pub;
	ns = ts > o->ts ? ts - o->ts : 0;
	row->is_timed = true;
	time_add(&row->time, ns, ts);
	return stacks_add(&row->stacks, syms, o->frames, o->nr_frames, ns, ts);
}

/* A record, taken apart as far as all its uses need it */
struct event_now {
	const struct kind *kind;
	const struct kt_record *rec;
	const struct kt_source *src;
	struct kt_symbols *syms;
	int pid;
	uint32_t task;		/* the current one */
};

/* Buffers are recordings of their own, of one and the same machine. */
static uint64_t place(const struct event_now *e)
{
	return (uint64_t)e->src->file_index << 48 | (uint64_t)(e->src->buffer & UINT32_MAX) << 16;
}

static uint64_t span_key(const struct kt_profile *p, const struct event_now *e, uint32_t span,
			 uint64_t match)
{
	const struct span *s = &p->spans.at[span];
	uint64_t who = 0;

	if (s->flags & SPAN_TASK)
		who = (uint32_t)e->pid;
	/* CPUs and idle tasks have numbers of their own. */
	if (s->flags & SPAN_CPU || (who == 0 && match == 0))
		who = (uint64_t)(e->src->cpu + 1) << 32;
	return mix(mix(place(e) | span, match), who);
}

static int apply_use(struct kt_profile *p, const struct event_now *e, const struct use *use)
{
	const struct span *s = &p->spans.at[use->span];
	const struct kt_event *ev = e->kind->event;
	uint64_t match, value = 0, pid;
	uint32_t owner = e->task, row;

	if (kt_field_u64(ev, use->match, e->rec, &match) < 0)
		return 0;
	if (!use->is_start)
		return end(p, span_key(p, e, use->span, match), e->rec->ts, e->syms);
	kt_field_u64(ev, use->value, e->rec, &value);
	if (s->flags & SPAN_GLOBAL || (s->flags & SPAN_IRQ && p->opts.global_irqs))
		owner = cpu_of(p, e->src->cpu);
	else if (use->pid && kt_field_u64(ev, use->pid, e->rec, &pid) == 0)
		owner = task_of(p, e->src, (int)pid);
	if (p->opts.by_comm && s->rank == RANK_WAKEUP)
		value = 0;
	row = row_of(p, owner, e->kind->name, s->value, value, s->rank);
	return begin(p, &p->tasks[e->task], span_key(p, e, use->span, match), row, e->rec->ts);
}

static int system_call(struct kt_profile *p, const struct event_now *e, uint64_t nr)
{
	uint64_t key = mix(mix(place(e) | UINT16_MAX, nr), (uint32_t)e->pid);

	if (e->kind->role == ROLE_SYSCALL_EXIT)
		return end(p, key, e->rec->ts, e->syms);
	return begin(p, &p->tasks[e->task], key,
		     row_of(p, e->task, e->kind->name, VALUE_NONE, 0, RANK_PAIR), e->rec->ts);
}

static const char *symbol(struct kt_symbols *syms, uint64_t address)
{
	struct kt_symbol sym;

	return kt_symbols_find(syms, address, &sym) > 0 ? sym.name : "(unknown)";
}

static int function(struct kt_profile *p, const struct event_now *e, uint64_t address)
{
	const struct kind *k = e->kind;
	uint64_t from, until;
	uint32_t i = row_of(p, e->task, symbol(e->syms, address), VALUE_NONE, 0, RANK_FUNCTION);
	struct kt_profile_row *row;

	if (i == NONE)
		return -ENOMEM;
	row = &p->rows[i].pub;
	row->is_function = true;
	p->tasks[e->task].last_row = i;
	if (k->role == ROLE_FUNCTION) {
		row->time.count++;
		return 0;
	}
	if (kt_field_u64(k->event, k->calltime, e->rec, &from) < 0 ||
	    kt_field_u64(k->event, k->rettime, e->rec, &until) < 0)
		return 0;
	row->is_timed = true;
	time_add(&row->time, until > from ? until - from : 0, e->rec->ts);
	return 0;
}

static int count(struct kt_profile *p, const struct event_now *e, uint64_t value)
{
	uint32_t i = row_of(p, e->task, e->kind->name, VALUE_HEX, value, RANK_COUNT);

	if (i == NONE)
		return -ENOMEM;
	p->rows[i].pub.time.count++;
	p->tasks[e->task].last_row = i;
	return 0;
}

static int apply(struct kt_profile *p, const struct event_now *e)
{
	const struct kind *k = e->kind;
	struct task *task = &p->tasks[e->task];
	uint64_t value = 0;
	size_t i;
	int ret = 0;

	if (k->role == ROLE_UNUSED)
		return 0;
	if (k->role == ROLE_STACK)
		return note_stack(p, task, k->event, e->rec, e->syms);
	task->last_row = task->last_open = NONE;
	if (k->value && !(k->value->flags & KT_FIELD_STRING))
		kt_field_u64(k->event, k->value, e->rec, &value);
	for (i = 0; i < k->nr_uses && ret == 0; i++)
		ret = apply_use(p, e, &k->uses[i]);
	if (ret < 0 || k->nr_uses)
		return ret;
	if (k->role == ROLE_FUNCTION || k->role == ROLE_GRAPH_EXIT)
		return function(p, e, value);
	if (k->role == ROLE_SYSCALL_ENTER || k->role == ROLE_SYSCALL_EXIT)
		return system_call(p, e, value);
	return count(p, e, value);
}

static int add_record(struct kt_profile *p, const struct kt_record *rec)
{
	const struct kt_event *ev = kt_trace_event(p->trace, rec);
	struct event_now e = { .rec = rec };

	if (!ev || (p->opts.filter && !kt_filter_match(p->opts.filter, rec)) ||
	    (p->opts.drop_flags && kt_record_flags(ev->events, rec) & p->opts.drop_flags))
		return 0;
	e.kind = kinds_get(&p->kinds, &p->spans, ev);
	e.src = kt_stream_source(kt_trace_stream(p->trace), rec->source);
	e.syms = kt_trace_record_symbols(p->trace, rec);
	e.pid = kt_record_pid(ev->events, rec);
	e.task = task_of(p, e.src, e.pid);
	return !e.kind || e.task == NONE ? -ENOMEM : apply(p, &e);
}

/* ---- order ---- */

/* By task for now, which is how each finds its own */
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

static void free_row(struct row *r)
{
	stacks_free(r->pub.stacks);
	free((char *)r->pub.value);
}

/* Spans that began and never ended have made rows without anything in them. */
static void drop_empty_rows(struct kt_profile *p)
{
	size_t i, kept = 0;

	for (i = 0; i < p->nr_rows; i++)
		if (p->rows[i].pub.time.count)
			p->rows[kept++] = p->rows[i];
		else
			free_row(&p->rows[i]);
	p->nr_rows = kept;
}

static void sort_all(struct kt_profile *p)
{
	size_t i, kept = 0;

	drop_empty_rows(p);
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
	for (i = 0; i < kept; i++)
		if (*p->tasks[i].name)
			p->tasks[i].pub.comm = p->tasks[i].name;
}

/* ---- the whole ---- */

/* What has begun before a gap may have ended in it, and begun again. */
static void forget_begun(struct kt_profile *p)
{
	size_t i;

	for (i = 0; i < p->nr_opens; i++)
		p->opens[i].begun = false;
	for (i = 0; i < p->nr_tasks; i++)
		p->tasks[i].last_row = p->tasks[i].last_open = NONE;
}

static int read_window(struct kt_profile *p, const struct kt_window *w, struct kt_err *err)
{
	struct kt_stream *stream = kt_trace_stream(p->trace);
	struct kt_record rec;
	int ret = p->opts.nr_windows ? kt_stream_seek(stream, w->from, err) : 0;

	forget_begun(p);
	while (ret == 0 && (ret = kt_stream_next(stream, &rec, err)) > 0 && rec.ts <= w->until)
		ret = add_record(p, &rec) < 0 ? kt_err_set(err, -ENOMEM, "out of memory") : 0;
	return ret < 0 ? ret : 0;
}

static int read_all(struct kt_profile *p, struct kt_err *err)
{
	static const struct kt_window everything = { 0, UINT64_MAX };
	size_t i;
	int ret = spans_init(&p->spans, p->opts.hooks, err);

	if (ret == 0)
		ret = hooks_check(p->trace, &p->spans, p->opts.hooks, err);
	if (ret == 0 && !p->opts.nr_windows)
		ret = read_window(p, &everything, err);
	for (i = 0; i < p->opts.nr_windows && ret == 0; i++)
		ret = read_window(p, &p->opts.windows[i], err);
	return ret;
}

struct kt_profile *kt_profile_create(struct kt_trace *t, const struct kt_profile_opts *opts,
				     struct kt_err *err)
{
	struct kt_profile *p = calloc(1, sizeof(*p));

	if (!p) {
		kt_err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	p->trace = t;
	if (opts)
		p->opts = *opts;
	if (read_all(p, err) < 0) {
		kt_profile_destroy(p);
		return NULL;
	}
	sort_all(p);
	return p;
}

void kt_profile_destroy(struct kt_profile *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < p->nr_rows; i++)
		free_row(&p->rows[i]);
	for (i = 0; i < p->nr_opens; i++)
		free(p->opens[i].frames);
	kinds_fini(&p->kinds);
	keymap_fini(&p->task_of);
	keymap_fini(&p->row_of);
	keymap_fini(&p->open_of);
	keymap_fini(&p->number_of);
	keymap_fini(&p->namesake_of);
	spans_fini(&p->spans);
	free(p->tasks);
	free(p->rows);
	free(p->opens);
	free(p);
}

size_t kt_profile_nr_tasks(const struct kt_profile *p)
{
	return p->nr_tasks;
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
