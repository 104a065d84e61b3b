/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* call_tree.c - all calls in a part of a trace, parents before their children */
#include "span/calls.h"

#include <stdlib.h>
#include <string.h>

#define NONE        KT_CALL_NONE
#define MAX_DEFAULT 1000000

/* Links between calls until they are put in order */
struct link {
	uint32_t first, last, next, prev;
	uint32_t parent, task;
	bool     left;			/* its end was recorded, or it ended with the trace */
};

/* The calls without a parent of a task */
struct roots {
	uint32_t first, last;
};

struct kt_call_tree {
	struct kt_analysis analysis;	/* runs before the analysis of @calls */
	struct kt_trace *trace;
	struct kt_call_tree_opts opts;
	struct kt_calls *calls;
	struct kt_call *at;
	struct link *links;
	size_t nr, room, max;
	struct roots *roots;		/* by task */
	size_t nr_roots;
	size_t nr_ordered;		/* visible calls */
	bool full, failed;
};

/* ---- while records are read ---- */

static bool make_room(struct kt_call_tree *t)
{
	size_t room = t->room ? t->room * 2 : 1024;
	struct kt_call *calls;
	struct link *links;

	if (t->nr < t->room)
		return true;
	calls = reallocarray(t->at, room, sizeof(*calls));
	if (calls)
		t->at = calls;
	links = reallocarray(t->links, room, sizeof(*links));
	if (links)
		t->links = links;
	if (calls && links)
		t->room = room;
	return calls && links;
}

static struct roots *roots_of(struct kt_call_tree *t, uint32_t task)
{
	struct roots *grown;

	if (task >= t->nr_roots) {
		grown = reallocarray(t->roots, (size_t)task * 2 + 16, sizeof(*grown));
		if (!grown)
			return NULL;
		t->roots = grown;
		for (; t->nr_roots < (size_t)task * 2 + 16; t->nr_roots++)
			t->roots[t->nr_roots] = (struct roots){ NONE, NONE };
	}
	return &t->roots[task];
}

/* First and last child of @parent, or of a task */
static void ends_of(struct kt_call_tree *t, uint32_t parent, uint32_t task, uint32_t **first,
		    uint32_t **last)
{
	*first = parent == NONE ? &t->roots[task].first : &t->links[parent].first;
	*last = parent == NONE ? &t->roots[task].last : &t->links[parent].last;
}

static void append(struct kt_call_tree *t, uint32_t id)
{
	struct link *l = &t->links[id];
	uint32_t *first, *last;

	ends_of(t, l->parent, l->task, &first, &last);
	l->prev = *last;
	l->next = NONE;
	if (*last == NONE)
		*first = id;
	else
		t->links[*last].next = id;
	*last = id;
}

/*
 * With a threshold the tracer records only exits. This call made the calls that ended just
 * before it and began after it.
 */
static void adopt(struct kt_call_tree *t, uint32_t id)
{
	struct link *l = &t->links[id];
	uint32_t *first, *last, child, from = NONE;

	ends_of(t, l->parent, l->task, &first, &last);
	for (child = *last; child != NONE && t->at[child].begin.ts >= t->at[id].begin.ts;
	     child = t->links[child].prev)
		from = child;
	if (from == NONE)
		return;
	l->first = from;
	l->last = *last;
	*last = t->links[from].prev;
	if (*last == NONE)
		*first = NONE;
	else
		t->links[*last].next = NONE;
	t->links[from].prev = NONE;
	for (child = from; child != NONE; child = t->links[child].next)
		t->links[child].parent = id;
}

static uint32_t enter(void *data, const struct kt_call *call, uint32_t parent, uint32_t task,
		      bool late)
{
	struct kt_call_tree *t = data;
	uint32_t id = (uint32_t)t->nr;

	if (t->full || t->nr >= t->max) {
		t->full = true;
		return NONE;
	}
	if (!make_room(t) || !roots_of(t, task)) {
		t->failed = true;
		return NONE;
	}
	t->nr++;
	t->at[id] = *call;
	t->links[id] = (struct link){ NONE, NONE, NONE, NONE, parent, task, false };
	if (late)
		adopt(t, id);
	append(t, id);
	return id;
}

static int leave(void *data, uint32_t id, const struct kt_call *call, struct kt_err *err)
{
	struct kt_call_tree *t = data;

	if (t->failed)
		return kt_err_no_memory(err);
	if (id == NONE)
		return 0;
	t->at[id] = *call;
	t->links[id].left = true;
	return 0;
}

/* ---- putting the calls in order ---- */

/* An unknown call is not shown: its callees take its place. */
static bool is_known(const struct kt_call *c)
{
	return c->func || c->name;
}

struct order {
	struct kt_call_tree *tree;
	struct kt_call *to;
	size_t nr;
};

/* Places @id and all calls below it. A loop, since a forged file may nest without limit. */
static void place_from(struct order *o, uint32_t id)
{
	struct kt_call_tree *t = o->tree;
	uint32_t top = id, parent = NONE;	/* @parent: in the new order */

	for (;;) {
		/* Times without a CPU are counted for calls, not for the gaps between them. */
		bool known = is_known(&t->at[id]) &&
			     (parent != NONE || t->at[id].kind != KT_CALL_OFF_CPU);

		if (known) {
			struct kt_call *c = &o->to[o->nr];

			*c = t->at[id];
			c->parent = parent;
			c->depth = parent == NONE ? 0 : o->to[parent].depth + 1;
			c->nr_children = c->nr_inside = 0;
			if (parent != NONE)
				o->to[parent].nr_children++;
			if (t->links[id].first != NONE)
				parent = (uint32_t)o->nr;
			o->nr++;
		}
		if (t->links[id].first != NONE) {
			id = t->links[id].first;
			continue;
		}
		while (id != top && t->links[id].next == NONE) {
			id = t->links[id].parent;
			if (!is_known(&t->at[id]))
				continue;
			o->to[parent].nr_inside = (uint32_t)(o->nr - 1 - parent);
			parent = o->to[parent].parent;
		}
		if (id == top)
			return;
		id = t->links[id].next;
	}
}

/* Sums the times of calls whose children were found late */
static void sum_up(struct kt_call *at, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		at[i].self = at[i].duration;
	for (i = nr; i-- > 0; ) {
		struct kt_call *up = at[i].parent == NONE ? NULL : &at[at[i].parent];

		if (up)
			up->self -= at[i].duration < up->self ? at[i].duration : up->self;
	}
}

static int put_in_order(struct kt_call_tree *t, struct kt_err *err)
{
	struct order o = { .tree = t, .to = calloc(t->nr + 1, sizeof(*o.to)) };
	uint32_t id;
	size_t task;

	if (!o.to)
		return kt_err_no_memory(err);
	for (task = 0; task < t->nr_roots; task++)
		for (id = t->roots[task].first; id != NONE; id = t->links[id].next)
			place_from(&o, id);
	sum_up(o.to, o.nr);
	free(t->at);
	free(t->links);
	t->at = o.to;
	t->links = NULL;
	t->nr = t->room = 0;
	t->nr_ordered = o.nr;
	return 0;
}

/* ---- the analysis of the calls, for the selected tasks ---- */

static bool is_wanted(const struct kt_call_tree *t, const struct kt_event *ev,
		      const struct kt_record *rec)
{
	const struct kt_source *src = kt_trace_source(t->trace, rec);
	const struct kt_field *prev, *next;
	uint64_t from = 0, to = 0;

	if (!t->opts.by_task)
		return true;
	if (src->file_index != t->opts.file ||
	    (t->opts.pid == 0 && t->opts.cpu >= 0 && src->cpu != t->opts.cpu))
		return false;
	if (kt_record_pid(ev->events, rec) == t->opts.pid)
		return true;
	/* The previous task records the switch to the task. */
	if (strcmp(ev->name, "sched_switch") != 0)
		return false;
	prev = kt_event_field(ev, "prev_pid");
	next = kt_event_field(ev, "next_pid");
	return prev && next && kt_field_u64(ev, prev, rec, &from) == 0 &&
	       kt_field_u64(ev, next, rec, &to) == 0 &&
	       ((int)from == t->opts.pid || (int)to == t->opts.pid);
}

static int record(struct kt_analysis *a, const struct kt_event *ev, const struct kt_record *rec,
		  struct kt_err *err)
{
	struct kt_call_tree *t = (struct kt_call_tree *)a;
	struct kt_analysis *calls = kt_calls_analysis(t->calls);

	return t->full || !is_wanted(t, ev, rec) ? 0 : calls->record(calls, ev, rec, err);
}

static void lost(struct kt_analysis *a, const struct kt_record *rec)
{
	struct kt_analysis *calls = kt_calls_analysis(((struct kt_call_tree *)a)->calls);

	calls->lost(calls, rec);
}

static void gap(struct kt_analysis *a)
{
	struct kt_analysis *calls = kt_calls_analysis(((struct kt_call_tree *)a)->calls);

	calls->gap(calls);
}

static int finish(struct kt_analysis *a, struct kt_err *err)
{
	struct kt_call_tree *t = (struct kt_call_tree *)a;
	struct kt_analysis *calls = kt_calls_analysis(t->calls);
	int ret = calls->finish(calls, err);

	return ret < 0 ? ret : put_in_order(t, err);
}

struct kt_call_tree *kt_call_tree_create(struct kt_trace *trace,
					 const struct kt_call_tree_opts *opts, struct kt_err *err)
{
	struct kt_call_tree *t = calloc(1, sizeof(*t));

	if (!t) {
		kt_err_no_memory(err);
		return NULL;
	}
	t->analysis = (struct kt_analysis){
		.record = record, .lost = lost, .gap = gap, .finish = finish,
	};
	t->trace = trace;
	t->opts = *opts;
	t->max = opts->max_calls ? opts->max_calls : MAX_DEFAULT;
	if (t->max > NONE - 1)
		t->max = NONE - 1;
	t->calls = calls_follow(trace, &opts->calls, &(struct call_sink){ enter, leave, t }, err);
	if (!t->calls) {
		free(t);
		return NULL;
	}
	return t;
}

void kt_call_tree_destroy(struct kt_call_tree *t)
{
	if (!t)
		return;
	kt_calls_destroy(t->calls);
	free(t->at);
	free(t->links);
	free(t->roots);
	free(t);
}

struct kt_analysis *kt_call_tree_analysis(struct kt_call_tree *t)
{
	return &t->analysis;
}

size_t kt_call_tree_nr(const struct kt_call_tree *t)
{
	return t->nr_ordered;
}

const struct kt_call *kt_call_tree_at(const struct kt_call_tree *t, size_t i)
{
	return i < t->nr_ordered ? &t->at[i] : NULL;
}

bool kt_call_tree_is_full(const struct kt_call_tree *t)
{
	return t->full;
}

uint32_t kt_call_tree_find(const struct kt_call_tree *t, uint64_t ts)
{
	uint32_t found = NONE;
	size_t i = 0, end = t->nr_ordered;

	while (i < end) {
		const struct kt_call *c = &t->at[i];

		if (c->begin.ts <= ts && ts <= c->end.ts) {
			found = (uint32_t)i;
			end = i + 1 + c->nr_inside;
			i++;
		} else {
			i += 1 + c->nr_inside;
		}
	}
	return found;
}

const char *kt_call_name(struct kt_trace *t, const struct kt_call *call)
{
	const struct kt_record at = { .source = call->begin.source };
	struct kt_symbol sym;

	if (call->name)
		return call->name;
	return call->func &&
	       kt_symbols_find(kt_trace_record_symbols(t, &at), call->func, &sym) > 0 ?
	       sym.name : "(unknown)";
}
