/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* chains.c - count the events of each task, and their callers */
#include <ktrail/analysis.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/frames.h"
#include "base/keymap.h"

#define DEPTH_MAX 32		/* of followed functions; the outermost are dropped beyond that */
#define FEW 64			/* callers searched in a list; a map finds further ones */

enum role { ROLE_EVENT, ROLE_FUNCTION, ROLE_GRAPH, ROLE_STACK, ROLE_NONE };

/* The meaning of an event */
struct kind {
	const struct kt_event *event;
	const struct kt_field *func, *parent, *depth;
	enum role role;
};

struct task {
	const char *stack[DEPTH_MAX];	/* its open functions, the outermost first */
	unsigned int depth;
	uint32_t pending;		/* row of the last event, KEYMAP_NONE: already counted */
};

/* The callers of one function in one chain */
struct level {
	struct node *first;		/* a short list */
	struct node *more, *last;	/* the further callers; end of the list */
	uint32_t nr;
	uint32_t id;			/* in kt_chains.node_of, if the list is long */
};

struct node {
	struct kt_chain_caller pub;
	struct level level;
};

struct row {
	struct kt_chain pub;
	struct level level;
};

struct kt_chains {
	struct kt_analysis analysis;
	struct kt_trace *trace;
	bool ignore_pids;
	bool failed;			/* memory ran out where no error could be returned */
	struct kind *kinds;
	struct task *tasks;
	struct row *rows;
	struct node **nodes;
	struct keymap kind_of, task_of, row_of, number_of;	/* numbers: of names */
	struct keymap node_of;		/* by level and number */
	size_t nr_rows;
	uint32_t nr_levels;		/* levels with an id */
	uint64_t total;
};

static struct kind kind_from(const struct kt_event *ev)
{
	static const struct { const char *name; enum role role; } ftrace[] = {
		{ "function", ROLE_FUNCTION }, { "funcgraph_entry", ROLE_GRAPH },
		{ "fgraph_retaddr_entry", ROLE_GRAPH }, { "funcgraph_exit", ROLE_NONE },
		{ "kernel_stack", ROLE_STACK }, { "user_stack", ROLE_NONE },
	};
	struct kind k = { .event = ev, .role = ROLE_EVENT };
	size_t i;

	for (i = 0; i < sizeof(ftrace) / sizeof(*ftrace) && strcmp(ev->system, "ftrace") == 0; i++)
		if (strcmp(ev->name, ftrace[i].name) == 0)
			k.role = ftrace[i].role;
	if (k.role != ROLE_FUNCTION && k.role != ROLE_GRAPH)
		return k;
	k.func = kt_event_field(ev, k.role == ROLE_GRAPH ? "func" : "ip");
	k.parent = kt_event_field(ev, "parent_ip");
	k.depth = kt_event_field(ev, "depth");
	if (!k.func || !(k.role == ROLE_GRAPH ? k.depth : k.parent))
		k.role = ROLE_NONE;
	return k;
}

static const struct kind *kind_of(struct kt_chains *c, const struct kt_event *ev)
{
	size_t nr = c->kind_of.nr;
	uint32_t i = keymap_number(&c->kind_of, ev);

	if (i == KEYMAP_NONE || (i == nr && !array_reserve(c->kinds, nr)))
		return NULL;
	if (i == nr)
		c->kinds[i] = kind_from(ev);
	return &c->kinds[i];
}

/* Idle tasks share pid 0, but each CPU has its own. */
static struct task *task_of(struct kt_chains *c, const struct kt_source *src, int pid)
{
	uint32_t who = pid ? (uint32_t)pid : UINT32_MAX - (uint32_t)src->cpu;
	uint64_t key = (uint64_t)src->file_index << 32 | who;
	uint32_t i = keymap_get(&c->task_of, key), nr = c->task_of.nr;

	if (i != KEYMAP_NONE)
		return &c->tasks[i];
	if (!array_reserve(c->tasks, nr) || keymap_put(&c->task_of, key, nr) < 0)
		return NULL;
	c->tasks[nr] = (struct task){ .pending = KEYMAP_NONE };
	return &c->tasks[nr];
}

static uint32_t row_of(struct kt_chains *c, size_t file, int pid, const char *name,
		       bool is_function)
{
	uint32_t number = keymap_number(&c->number_of, name), i;
	uint64_t key = (uint64_t)(c->ignore_pids ? 0 : (uint32_t)pid) << 32 | number;

	if (number == KEYMAP_NONE)
		return KEYMAP_NONE;
	i = keymap_get(&c->row_of, key);
	if (i != KEYMAP_NONE)
		return i;
	if (!array_reserve(c->rows, c->nr_rows) ||
	    keymap_put(&c->row_of, key, c->nr_rows) < 0)
		return KEYMAP_NONE;
	c->rows[c->nr_rows] = (struct row){ .pub = {
		.pid = c->ignore_pids ? -1 : pid, .name = name, .is_function = is_function,
		.comm = c->ignore_pids ? NULL : kt_trace_comm(c->trace, file, pid),
	} };
	return c->nr_rows++;
}

/* ---- chains ---- */

static struct node *next_of(const struct node *n)
{
	return (struct node *)n->pub.next;
}

static uint64_t key_of(struct kt_chains *c, const struct level *l, const char *function)
{
	return (uint64_t)l->id << 32 | keymap_number(&c->number_of, function);
}

static int enter_map(struct kt_chains *c, const struct level *l, struct node *n)
{
	uint64_t key = key_of(c, l, n->pub.function);
	size_t nr = c->node_of.nr;

	if ((uint32_t)key == KEYMAP_NONE || !array_reserve(c->nodes, nr))
		return -ENOMEM;
	c->nodes[nr] = n;
	return keymap_put(&c->node_of, key, nr);
}

static struct node *append(struct kt_chains *c, struct level *l, const char *function)
{
	struct node *n = calloc(1, sizeof(*n));

	if (!n)
		return NULL;
	n->pub.function = function;
	if (!l->first)
		l->first = n;
	else if (l->nr == FEW)
		l->more = n;
	else
		l->last->pub.next = &n->pub;
	l->last = n;
	if (l->nr++ < FEW)
		return n;
	if (l->more == n)
		l->id = c->nr_levels++;
	return enter_map(c, l, n) < 0 ? NULL : n;
}

/* A caller beyond the first few. Not inline, which would cost the usual case registers. */
static __attribute__((noinline)) struct node *
find_or_append(struct kt_chains *c, struct level *l, const char *function)
{
	uint32_t i = KEYMAP_NONE;

	if (l->more)
		i = keymap_get(&c->node_of, key_of(c, l, function));
	return i == KEYMAP_NONE ? append(c, l, function) : c->nodes[i];
}

/*
 * Counts @function among the callers of a level. Returns the level of its callers, NULL: no
 * memory
 */
static struct level *add_caller(struct kt_chains *c, struct level *l, const char *function)
{
	struct node *n;

	/* The first callers found are mostly the most frequent ones. */
	for (n = l->first; n; n = next_of(n))
		if (n->pub.function == function)
			break;
	if (!n)
		n = find_or_append(c, l, function);
	if (!n)
		return NULL;
	n->pub.count++;
	return &n->level;
}

static void count(struct kt_chains *c, struct task *task)
{
	c->rows[task->pending].pub.count++;
	c->total++;
	task->pending = KEYMAP_NONE;
}

/* The last event had no stack: use the open functions of the task. */
static int settle(struct kt_chains *c, struct task *task)
{
	struct level *level;
	struct row *row;
	unsigned int i;

	if (task->pending == KEYMAP_NONE)
		return 0;
	row = &c->rows[task->pending];
	level = &row->level;
	for (i = task->depth - (row->pub.is_function && task->depth); i-- > 0; ) {
		level = add_caller(c, level, task->stack[i]);
		if (!level)
			return -ENOMEM;
	}
	count(c, task);
	return 0;
}

static int settle_with_stack(struct kt_chains *c, struct task *task, const struct kt_event *ev,
			     const struct kt_record *rec, struct kt_symbols *syms)
{
	struct level *level;
	uint64_t frames[FRAMES_MAX];
	struct kt_symbol sym;
	size_t nr, i;

	if (task->pending == KEYMAP_NONE)
		return 0;
	level = &c->rows[task->pending].level;
	nr = frames_read(ev, rec, frames);
	for (i = 0; i < nr; i++) {
		if (kt_symbols_find(syms, frames[i], &sym) <= 0)
			continue;
		if (i == 0 && c->rows[task->pending].pub.name == sym.name)
			continue;	/* its stack begins with itself */
		level = add_caller(c, level, sym.name);
		if (!level)
			return -ENOMEM;
	}
	count(c, task);
	return 0;
}

/* ---- following functions ---- */

static void push(struct task *task, const char *function)
{
	if (task->depth == DEPTH_MAX)
		memmove(task->stack, task->stack + 1, --task->depth * sizeof(*task->stack));
	task->stack[task->depth++] = function;
}

/* Return to the nearest function of that name: its callees have returned. */
static void return_to(struct task *task, const char *function)
{
	while (task->depth && task->stack[task->depth - 1] != function)
		task->depth--;
	if (!task->depth)
		push(task, function);
}

static const char *name_at(const struct kind *k, const struct kt_field *f,
			   const struct kt_record *rec, struct kt_symbols *syms)
{
	struct kt_symbol sym;
	uint64_t addr;

	return kt_field_u64(k->event, f, rec, &addr) == 0 &&
	       kt_symbols_find(syms, addr, &sym) > 0 ? sym.name : "(unknown)";
}

static const char *enter(struct task *task, const struct kind *k, const struct kt_record *rec,
			 struct kt_symbols *syms)
{
	const char *function = name_at(k, k->func, rec, syms);
	uint64_t depth;

	if (k->role == ROLE_FUNCTION)
		return_to(task, name_at(k, k->parent, rec, syms));
	else if (kt_field_u64(k->event, k->depth, rec, &depth) == 0 && depth < task->depth)
		task->depth = depth;
	push(task, function);
	return function;
}

static int add_record(struct kt_chains *c, const struct kt_event *ev, const struct kt_record *rec)
{
	const struct kind *k = kind_of(c, ev);
	const struct kt_source *src = kt_trace_source(c->trace, rec);
	struct kt_symbols *syms = kt_trace_record_symbols(c->trace, rec);
	int pid = kt_record_pid(ev->events, rec);
	struct task *task = k ? task_of(c, src, pid) : NULL;
	const char *name;

	if (!task)
		return -ENOMEM;
	if (k->role == ROLE_STACK)
		return settle_with_stack(c, task, ev, rec, syms);
	if (k->role == ROLE_NONE)
		return 0;
	if (settle(c, task) < 0)
		return -ENOMEM;
	name = k->role == ROLE_EVENT ? ev->name : enter(task, k, rec, syms);
	task->pending = row_of(c, src->file_index, pid, name, k->role != ROLE_EVENT);
	return task->pending == KEYMAP_NONE ? -ENOMEM : 0;
}

static int record(struct kt_analysis *a, const struct kt_event *ev, const struct kt_record *rec,
		  struct kt_err *err)
{
	return add_record((struct kt_chains *)a, ev, rec) < 0 ? kt_err_no_memory(err) : 0;
}

static int settle_all(struct kt_chains *c)
{
	size_t i;

	for (i = 0; i < c->task_of.nr; i++)
		if (settle(c, &c->tasks[i]) < 0)
			return -ENOMEM;
	return 0;
}

/* No call continues from one window to the next. */
static void gap(struct kt_analysis *a)
{
	struct kt_chains *c = (struct kt_chains *)a;
	size_t i;

	c->failed |= settle_all(c) < 0;
	for (i = 0; i < c->task_of.nr; i++)
		c->tasks[i].depth = 0;
}

/* ---- order ---- */

static int by_count(const void *a, const void *b)
{
	const struct kt_chain *x = &((const struct row *)a)->pub,
		*y = &((const struct row *)b)->pub;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Merges two lists, each with the most frequent first; equal nodes of @a come first */
static struct node *merge(struct node *a, struct node *b)
{
	const struct kt_chain_caller *first = NULL, **at = &first;
	struct node **from;

	while (a && b) {
		from = a->pub.count >= b->pub.count ? &a : &b;
		*at = &(*from)->pub;
		at = &(*from)->pub.next;
		*from = next_of(*from);
	}
	a = a ? a : b;
	*at = a ? &a->pub : NULL;
	return (struct node *)first;
}

/* Sorts the first @nr of a list, which then ends; *@rest: the others */
static struct node *sort_list(struct node *n, uint32_t nr, struct node **rest)
{
	struct node *low, *high;

	if (nr <= 1) {
		*rest = n ? next_of(n) : NULL;
		if (n)
			n->pub.next = NULL;
		return n;
	}
	low = sort_list(n, nr / 2, &high);
	high = sort_list(high, nr - nr / 2, rest);
	return merge(low, high);
}

static void join(struct level *l)
{
	struct node *n = l->first;

	while (l->more && n->pub.next)
		n = next_of(n);
	if (l->more)
		n->pub.next = &l->more->pub;
	l->more = NULL;
}

/* Sorts all levels from here on; returns the list for the public struct */
static const struct kt_chain_caller *sort_callers(struct level *l)
{
	struct node *rest, *n;

	join(l);
	l->first = sort_list(l->first, l->nr, &rest);
	for (n = l->first; n; n = next_of(n))
		n->pub.callers = sort_callers(&n->level);
	return l->first ? &l->first->pub : NULL;
}

static int finish(struct kt_analysis *a, struct kt_err *err)
{
	struct kt_chains *c = (struct kt_chains *)a;
	size_t i;

	if (settle_all(c) < 0 || c->failed)
		return kt_err_no_memory(err);
	if (c->nr_rows)
		qsort(c->rows, c->nr_rows, sizeof(*c->rows), by_count);
	for (i = 0; i < c->nr_rows; i++)
		c->rows[i].pub.callers = sort_callers(&c->rows[i].level);
	return 0;
}

struct kt_chains *kt_chains_create(struct kt_trace *t, bool ignore_pids, struct kt_err *err)
{
	struct kt_chains *c = calloc(1, sizeof(*c));

	if (!c) {
		kt_err_no_memory(err);
		return NULL;
	}
	c->analysis = (struct kt_analysis){ .record = record, .gap = gap, .finish = finish };
	c->trace = t;
	c->ignore_pids = ignore_pids;
	return c;
}

struct kt_analysis *kt_chains_analysis(struct kt_chains *c)
{
	return &c->analysis;
}

static void free_level(struct level *l)
{
	struct node *n, *next;

	join(l);
	for (n = l->first; n; n = next) {
		next = next_of(n);
		free_level(&n->level);
		free(n);
	}
}

void kt_chains_destroy(struct kt_chains *c)
{
	size_t i;

	if (!c)
		return;
	for (i = 0; i < c->nr_rows; i++)
		free_level(&c->rows[i].level);
	keymap_fini(&c->kind_of);
	keymap_fini(&c->task_of);
	keymap_fini(&c->row_of);
	keymap_fini(&c->number_of);
	keymap_fini(&c->node_of);
	free(c->kinds);
	free(c->tasks);
	free(c->rows);
	free(c->nodes);
	free(c);
}

size_t kt_chains_nr(const struct kt_chains *c)
{
	return c->nr_rows;
}

const struct kt_chain *kt_chains_at(const struct kt_chains *c, size_t i)
{
	return i < c->nr_rows ? &c->rows[i].pub : NULL;
}

uint64_t kt_chains_total(const struct kt_chains *c)
{
	return c->total;
}
