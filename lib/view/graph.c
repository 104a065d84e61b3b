/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* graph.c - the visible rows of a tree of calls */
#include <ktrail/views.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define NONE KT_CALL_NONE

struct kt_graph {
	struct kt_trace *trace;
	const struct kt_call_tree *tree;
	uint32_t nr;			/* calls */
	struct kt_graph_task *tasks, *cpus;
	size_t nr_tasks, nr_cpus, chosen;
	bool by_cpu;			/* @chosen is one of @cpus */
	uint32_t *order, *place;	/* calls by CPU and time; index of each call in @order */
	bool *folded;			/* by call */
	bool *covered;			/* by call: nested calls have no rows on this CPU */
	uint32_t *rows;			/* calls, by their positions */
	size_t nr_rows, nr_hidden;
	uint64_t least;			/* shorter calls are hidden */
	uint32_t focus;			/* NONE: the whole task */
};

static const struct kt_call *at(const struct kt_graph *g, uint32_t call)
{
	return kt_call_tree_at(g->tree, call);
}

/* The first call after this one and all its nested calls */
static uint32_t after(const struct kt_graph *g, uint32_t call)
{
	return call + 1 + at(g, call)->nr_inside;
}

/* ---- rows ---- */

static bool is_short(const struct kt_graph *g, const struct kt_call *c)
{
	return c->duration < g->least && !(c->flags & (KT_CALL_UNTIMED | KT_CALL_UNFINISHED));
}

/* The calls from which rows are chosen */
static void range(const struct kt_graph *g, uint32_t *from, uint32_t *until)
{
	const struct kt_graph_task *t = kt_graph_task(g, g->chosen);

	*from = t ? t->first : 0;
	*until = t ? t->first + t->nr : 0;
	if (g->focus != NONE) {
		*from = g->focus;
		*until = after(g, g->focus);
	}
}

static void make_task_rows(struct kt_graph *g)
{
	uint32_t i, until;

	range(g, &i, &until);
	while (i < until) {
		if (i != g->focus && is_short(g, at(g, i))) {
			g->nr_hidden += after(g, i) - i;
			i = after(g, i);
			continue;
		}
		g->rows[g->nr_rows++] = i;
		i = g->folded[i] ? after(g, i) : i + 1;
	}
}

/*
 * A folded caller hides a call only if it also began on this CPU: a caller on another CPU has
 * no row here that could be unfolded.
 */
static void make_cpu_rows(struct kt_graph *g)
{
	const struct kt_graph_task *t = kt_graph_task(g, g->chosen);
	uint32_t i, up, place;

	if (!t)
		return;
	for (i = 0; i < g->nr; i++) {
		up = at(g, i)->parent;
		g->covered[i] = up != NONE && g->covered[up];
		if (g->place[i] - t->first >= t->nr)
			continue;
		g->nr_hidden += is_short(g, at(g, i));
		g->covered[i] |= g->folded[i] || is_short(g, at(g, i));
	}
	for (place = t->first; place < t->first + t->nr; place++) {
		i = g->order[place];
		up = at(g, i)->parent;
		if (!is_short(g, at(g, i)) && (up == NONE || !g->covered[up]))
			g->rows[g->nr_rows++] = i;
	}
}

/* Are the rows ordered by time on a CPU? Otherwise, with a focus, they belong to one task. */
static bool is_by_place(const struct kt_graph *g)
{
	return g->by_cpu && g->focus == NONE;
}

static void make_rows(struct kt_graph *g)
{
	g->nr_rows = g->nr_hidden = 0;
	if (is_by_place(g))
		make_cpu_rows(g);
	else
		make_task_rows(g);
}

uint32_t kt_graph_place(const struct kt_graph *g, uint32_t call)
{
	return g->by_cpu && call < g->nr ? g->place[call] : call;
}

uint32_t kt_graph_call(const struct kt_graph *g, uint32_t place)
{
	if (place >= g->nr)
		return NONE;
	return g->by_cpu ? g->order[place] : place;
}

size_t kt_graph_nr_rows(const struct kt_graph *g)
{
	return g->nr_rows;
}

uint32_t kt_graph_row(const struct kt_graph *g, size_t row)
{
	return row < g->nr_rows ? g->rows[row] : NONE;
}

/* The outermost folded caller on the same CPU, or the call itself */
static uint32_t folded_into(const struct kt_graph *g, uint32_t call)
{
	uint32_t up, found = call;

	for (up = at(g, call)->parent; up != NONE; up = at(g, up)->parent)
		if (at(g, up)->begin.source == at(g, call)->begin.source && g->folded[up])
			found = up;
	return found;
}

size_t kt_graph_row_of(const struct kt_graph *g, uint32_t call)
{
	size_t low = 0, high = g->nr_rows;
	bool by_place = is_by_place(g) && call < g->nr;
	uint32_t place = by_place ? g->place[folded_into(g, call)] : call;

	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if ((by_place ? g->place[g->rows[mid]] : g->rows[mid]) <= place)
			low = mid;
		else
			high = mid;
	}
	return low;
}

size_t kt_graph_nr_hidden(const struct kt_graph *g)
{
	return g->nr_hidden;
}

/* ---- tasks and CPUs ---- */

static struct kt_graph_task task_at(const struct kt_graph *g, uint32_t call)
{
	const struct kt_call *c = at(g, call);
	const struct kt_source *src = kt_stream_source(kt_trace_stream(g->trace), c->begin.source);

	return (struct kt_graph_task){
		.file = c->file, .buffer = (uint32_t)src->buffer, .pid = c->pid,
		.cpu = c->pid ? -1 : src->cpu, .first = call,
	};
}

static bool is_same_task(const struct kt_graph_task *a, const struct kt_graph_task *b)
{
	return a->file == b->file && a->buffer == b->buffer && a->pid == b->pid && a->cpu == b->cpu;
}

static int find_tasks(struct kt_graph *g)
{
	struct kt_graph_task t;
	uint32_t i;

	for (i = 0; i < g->nr; i = after(g, i)) {
		t = task_at(g, i);
		if (!g->nr_tasks || !is_same_task(&g->tasks[g->nr_tasks - 1], &t)) {
			if (!array_reserve(g->tasks, g->nr_tasks))
				return -ENOMEM;
			g->tasks[g->nr_tasks++] = t;
		}
		g->tasks[g->nr_tasks - 1].nr += after(g, i) - i;
	}
	return 0;
}

/* By CPU, then by time; callers before their callees */
static int compare_places(const void *a, const void *b, void *graph)
{
	const uint32_t *x = a, *y = b;
	const struct kt_call_end *p = &at(graph, *x)->begin, *q = &at(graph, *y)->begin;

	if (p->source != q->source)
		return p->source < q->source ? -1 : 1;
	if (p->ts != q->ts)
		return p->ts < q->ts ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

static int find_cpus(struct kt_graph *g)
{
	const struct kt_stream *s = kt_trace_stream(g->trace);
	uint32_t i, source = NONE;

	g->order = calloc((size_t)g->nr + 1, sizeof(*g->order));
	g->place = calloc((size_t)g->nr + 1, sizeof(*g->place));
	g->covered = calloc((size_t)g->nr + 1, sizeof(*g->covered));
	g->cpus = calloc(kt_stream_nr_sources(s) + 1, sizeof(*g->cpus));
	if (!g->order || !g->place || !g->covered || !g->cpus)
		return -ENOMEM;
	for (i = 0; i < g->nr; i++)
		g->order[i] = i;
	qsort_r(g->order, g->nr, sizeof(*g->order), compare_places, g);
	for (i = 0; i < g->nr; i++) {
		const struct kt_call *c = at(g, g->order[i]);

		g->place[g->order[i]] = i;
		if (c->begin.source != source) {
			const struct kt_source *src = kt_stream_source(s, c->begin.source);

			source = c->begin.source;
			g->cpus[g->nr_cpus++] = (struct kt_graph_task){
				.file = src->file_index, .buffer = (uint32_t)src->buffer,
				.pid = KT_GRAPH_CPU, .cpu = src->cpu, .first = i,
			};
		}
		g->cpus[g->nr_cpus - 1].nr++;
	}
	return 0;
}

int kt_graph_by_cpu(struct kt_graph *g, bool by_cpu, struct kt_err *err)
{
	if (by_cpu && !g->order && find_cpus(g) < 0)
		return kt_err_no_memory(err);
	g->by_cpu = by_cpu;
	kt_graph_choose(g, 0);
	return 0;
}

bool kt_graph_is_by_cpu(const struct kt_graph *g)
{
	return g->by_cpu;
}

size_t kt_graph_nr_tasks(const struct kt_graph *g)
{
	return g->by_cpu ? g->nr_cpus : g->nr_tasks;
}

const struct kt_graph_task *kt_graph_task(const struct kt_graph *g, size_t i)
{
	if (i >= kt_graph_nr_tasks(g))
		return NULL;
	return g->by_cpu ? &g->cpus[i] : &g->tasks[i];
}

size_t kt_graph_chosen(const struct kt_graph *g)
{
	return g->chosen;
}

void kt_graph_choose(struct kt_graph *g, size_t task)
{
	if (task >= kt_graph_nr_tasks(g))
		return;
	g->chosen = task;
	g->focus = NONE;
	make_rows(g);
}

size_t kt_graph_task_of(const struct kt_graph *g, uint32_t call)
{
	uint32_t place = kt_graph_place(g, call);
	size_t i;

	for (i = 0; i + 1 < kt_graph_nr_tasks(g); i++)
		if (place < kt_graph_task(g, i + 1)->first)
			break;
	return i;
}

struct kt_graph *kt_graph_create(struct kt_trace *t, const struct kt_call_tree *tree,
				 struct kt_err *err)
{
	struct kt_graph *g = calloc(1, sizeof(*g));

	if (g) {
		g->trace = t;
		g->tree = tree;
		g->nr = (uint32_t)kt_call_tree_nr(tree);
		g->focus = NONE;
		g->folded = calloc((size_t)g->nr + 1, sizeof(*g->folded));
		g->rows = calloc((size_t)g->nr + 1, sizeof(*g->rows));
	}
	if (!g || !g->folded || !g->rows || find_tasks(g) < 0) {
		kt_graph_destroy(g);
		kt_err_no_memory(err);
		return NULL;
	}
	make_rows(g);
	return g;
}

void kt_graph_destroy(struct kt_graph *g)
{
	if (!g)
		return;
	free(g->tasks);
	free(g->cpus);
	free(g->order);
	free(g->place);
	free(g->covered);
	free(g->folded);
	free(g->rows);
	free(g);
}

/* ---- choosing what is visible ---- */

bool kt_graph_is_folded(const struct kt_graph *g, uint32_t call)
{
	return call < g->nr && g->folded[call];
}

void kt_graph_fold(struct kt_graph *g, uint32_t call, bool fold)
{
	if (call >= g->nr)
		return;
	g->folded[call] = fold;
	make_rows(g);
}

void kt_graph_fold_below(struct kt_graph *g, uint32_t call, bool fold)
{
	uint32_t i;

	if (call >= g->nr)
		return;
	for (i = call; i < after(g, call); i++)
		g->folded[i] = fold;
	make_rows(g);
}

static bool graph_is_same(const struct kt_call *a, const struct kt_call *b)
{
	if (a->kind != b->kind || a->func != b->func)
		return false;
	return a->func || (a->name && b->name && strcmp(a->name, b->name) == 0);
}

size_t kt_graph_fold_same(struct kt_graph *g, uint32_t call, bool fold)
{
	size_t nr = 0;
	uint32_t i;

	for (i = 0; call < g->nr && i < g->nr; i++)
		if (at(g, i)->nr_inside && graph_is_same(at(g, i), at(g, call))) {
			g->folded[i] = fold;
			nr++;
		}
	make_rows(g);
	return nr;
}

void kt_graph_fold_depth(struct kt_graph *g, uint32_t depth)
{
	uint32_t i;

	for (i = 0; i < g->nr; i++)
		g->folded[i] = at(g, i)->depth + 1 >= depth;
	make_rows(g);
}

void kt_graph_hide_below(struct kt_graph *g, uint64_t ns)
{
	g->least = ns;
	make_rows(g);
}

uint64_t kt_graph_hides_below(const struct kt_graph *g)
{
	return g->least;
}

void kt_graph_focus(struct kt_graph *g, uint32_t call)
{
	g->focus = call < g->nr ? call : NONE;
	if (g->focus != NONE)
		g->chosen = kt_graph_task_of(g, call);
	make_rows(g);
}

uint32_t kt_graph_focused(const struct kt_graph *g)
{
	return g->focus;
}

void kt_graph_reveal(struct kt_graph *g, uint32_t call)
{
	uint32_t up;

	if (call >= g->nr)
		return;
	if (g->focus != NONE && (call < g->focus || call >= after(g, g->focus)))
		g->focus = NONE;
	g->chosen = kt_graph_task_of(g, call);
	for (up = at(g, call)->parent; up != NONE; up = at(g, up)->parent)
		g->folded[up] = false;
	make_rows(g);
}

/* ---- moving between calls ---- */

uint32_t kt_graph_caller(const struct kt_graph *g, uint32_t call)
{
	return call < g->nr ? at(g, call)->parent : NONE;
}

/* The next outermost call of the task, or of the CPU */
static uint32_t outermost(const struct kt_graph *g, uint32_t call, int direction)
{
	const struct kt_graph_task *t = kt_graph_task(g, kt_graph_task_of(g, call));
	uint32_t place = kt_graph_place(g, call) - t->first;

	for (place += (uint32_t)direction; place < t->nr; place += (uint32_t)direction) {
		uint32_t i = kt_graph_call(g, t->first + place);

		if (at(g, i)->parent == NONE && !is_short(g, at(g, i)))
			return i;
	}
	return NONE;
}

uint32_t kt_graph_sibling(const struct kt_graph *g, uint32_t call, int direction)
{
	uint32_t i, end, up, found = NONE;

	if (call >= g->nr)
		return NONE;
	up = at(g, call)->parent;
	if (up == NONE)
		return outermost(g, call, direction);
	i = direction > 0 ? after(g, call) : up + 1;
	end = direction > 0 ? after(g, up) : call;
	for (; i < end; i = after(g, i)) {
		if (is_short(g, at(g, i)))
			continue;
		found = i;
		if (direction > 0)
			break;
	}
	return found;
}

uint32_t kt_graph_longest_child(const struct kt_graph *g, uint32_t call)
{
	uint32_t i, found = NONE;

	if (call >= g->nr)
		return NONE;
	for (i = call + 1; i < after(g, call); i = after(g, i))
		if (found == NONE || at(g, i)->duration > at(g, found)->duration)
			found = i;
	return found;
}

uint32_t kt_graph_same(const struct kt_graph *g, uint32_t call, int direction)
{
	const struct kt_graph_task *t;
	uint32_t i, place;

	if (call >= g->nr)
		return NONE;
	t = kt_graph_task(g, kt_graph_task_of(g, call));
	place = kt_graph_place(g, call) - t->first;
	for (place += (uint32_t)direction; place < t->nr; place += (uint32_t)direction) {
		i = kt_graph_call(g, t->first + place);
		if (graph_is_same(at(g, i), at(g, call)))
			return i;
	}
	return NONE;
}

struct kt_graph_same kt_graph_compare(const struct kt_graph *g, uint32_t call)
{
	struct kt_graph_same same = { .slowest = NONE };
	const struct kt_graph_task *t;
	uint32_t i, place;

	if (call >= g->nr)
		return same;
	t = kt_graph_task(g, kt_graph_task_of(g, call));
	for (place = t->first; place < t->first + t->nr; place++) {
		i = kt_graph_call(g, place);
		if (!graph_is_same(at(g, i), at(g, call)))
			continue;
		same.nr++;
		same.slower += at(g, i)->duration > at(g, call)->duration;
		if (same.slowest == NONE || at(g, i)->duration > at(g, same.slowest)->duration)
			same.slowest = i;
	}
	return same;
}

static bool is_record(const struct kt_call_end *end, const struct kt_spot *spot)
{
	return end->source == spot->source && end->pos == spot->pos && end->pos != UINT64_MAX;
}

uint32_t kt_graph_at(const struct kt_graph *g, const struct kt_spot *spot)
{
	const struct kt_graph_task *t = kt_graph_task(g, g->chosen);
	uint32_t place, end, i, found = NONE;

	if (!t)
		return NONE;
	for (place = t->first, end = t->first + t->nr; place < end; ) {
		const struct kt_call *c = at(g, i = kt_graph_call(g, place));

		if (is_record(&c->begin, spot) || is_record(&c->end, spot))
			return i;
		if (c->begin.ts > spot->ts || spot->ts > c->end.ts) {
			place += g->by_cpu ? 1 : 1 + c->nr_inside;
			continue;
		}
		/* Of several tasks on a CPU, choose the one whose call began last. */
		if (found == NONE || g->by_cpu || c->depth > at(g, found)->depth)
			found = i;
		place++;
	}
	return found;
}
