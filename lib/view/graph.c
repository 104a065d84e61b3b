/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* graph.c - what a screen shows of a tree of calls */
#include <ktrail/views.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NONE KT_CALL_NONE

struct kt_graph {
	struct kt_trace *trace;
	const struct kt_call_tree *tree;
	uint32_t nr;			/* calls */
	struct kt_graph_task *tasks;
	size_t nr_tasks, chosen;
	bool *folded;			/* by call */
	uint32_t *rows;			/* calls, ascending */
	size_t nr_rows, nr_hidden;
	uint64_t least;			/* shorter ones are left out */
	uint32_t focus;			/* NONE: the whole task */
};

static const struct kt_call *at(const struct kt_graph *g, uint32_t call)
{
	return kt_call_tree_at(g->tree, call);
}

/* The call after this one and all that is inside */
static uint32_t after(const struct kt_graph *g, uint32_t call)
{
	return call + 1 + at(g, call)->nr_inside;
}

/* ---- rows ---- */

static bool is_short(const struct kt_graph *g, const struct kt_call *c)
{
	return c->duration < g->least && !(c->flags & (KT_CALL_UNTIMED | KT_CALL_UNFINISHED));
}

/* The calls that rows are chosen from */
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

static void make_rows(struct kt_graph *g)
{
	uint32_t i, until;

	g->nr_rows = g->nr_hidden = 0;
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

size_t kt_graph_nr_rows(const struct kt_graph *g)
{
	return g->nr_rows;
}

uint32_t kt_graph_row(const struct kt_graph *g, size_t row)
{
	return row < g->nr_rows ? g->rows[row] : NONE;
}

size_t kt_graph_row_of(const struct kt_graph *g, uint32_t call)
{
	size_t low = 0, high = g->nr_rows;

	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (g->rows[mid] <= call)
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

/* ---- tasks ---- */

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
	struct kt_graph_task t, *grown;
	uint32_t i;

	for (i = 0; i < g->nr; i = after(g, i)) {
		t = task_at(g, i);
		if (!g->nr_tasks || !is_same_task(&g->tasks[g->nr_tasks - 1], &t)) {
			grown = reallocarray(g->tasks, g->nr_tasks + 1, sizeof(*grown));
			if (!grown)
				return -ENOMEM;
			g->tasks = grown;
			g->tasks[g->nr_tasks++] = t;
		}
		g->tasks[g->nr_tasks - 1].nr += after(g, i) - i;
	}
	return 0;
}

size_t kt_graph_nr_tasks(const struct kt_graph *g)
{
	return g->nr_tasks;
}

const struct kt_graph_task *kt_graph_task(const struct kt_graph *g, size_t i)
{
	return i < g->nr_tasks ? &g->tasks[i] : NULL;
}

size_t kt_graph_chosen(const struct kt_graph *g)
{
	return g->chosen;
}

void kt_graph_choose(struct kt_graph *g, size_t task)
{
	if (task >= g->nr_tasks)
		return;
	g->chosen = task;
	g->focus = NONE;
	make_rows(g);
}

size_t kt_graph_task_of(const struct kt_graph *g, uint32_t call)
{
	size_t i;

	for (i = 0; i + 1 < g->nr_tasks; i++)
		if (call < g->tasks[i + 1].first)
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
		kt_err_set(err, -ENOMEM, "out of memory");
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
	free(g->folded);
	free(g->rows);
	free(g);
}

/* ---- what is to be seen ---- */

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

bool kt_graph_is_same(const struct kt_call *a, const struct kt_call *b)
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
		if (at(g, i)->nr_inside && kt_graph_is_same(at(g, i), at(g, call))) {
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

/* ---- from one call to another ---- */

uint32_t kt_graph_caller(const struct kt_graph *g, uint32_t call)
{
	return call < g->nr ? at(g, call)->parent : NONE;
}

/* The first and the end of the calls beside @call: those of its caller, or of its task */
static void siblings(const struct kt_graph *g, uint32_t call, uint32_t *first, uint32_t *end)
{
	uint32_t up = at(g, call)->parent;
	const struct kt_graph_task *t = &g->tasks[kt_graph_task_of(g, call)];

	*first = up == NONE ? t->first : up + 1;
	*end = up == NONE ? t->first + t->nr : after(g, up);
}

uint32_t kt_graph_sibling(const struct kt_graph *g, uint32_t call, int direction)
{
	uint32_t i, end, found = NONE;

	if (call >= g->nr)
		return NONE;
	siblings(g, call, &i, &end);
	if (direction > 0)
		i = after(g, call);
	else
		end = call;
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
	uint32_t i = call;

	if (call >= g->nr)
		return NONE;
	t = &g->tasks[kt_graph_task_of(g, call)];
	for (;;) {
		if (direction > 0 ? i + 1 >= t->first + t->nr : i <= t->first)
			return NONE;
		i = direction > 0 ? i + 1 : i - 1;
		if (kt_graph_is_same(at(g, i), at(g, call)))
			return i;
	}
}

struct kt_graph_same kt_graph_compare(const struct kt_graph *g, uint32_t call)
{
	struct kt_graph_same same = { .slowest = NONE };
	const struct kt_graph_task *t;
	uint32_t i;

	if (call >= g->nr)
		return same;
	t = &g->tasks[kt_graph_task_of(g, call)];
	for (i = t->first; i < t->first + t->nr; i++) {
		if (!kt_graph_is_same(at(g, i), at(g, call)))
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
	uint32_t i, end, found = NONE;

	if (!t)
		return NONE;
	for (i = t->first, end = t->first + t->nr; i < end; ) {
		const struct kt_call *c = at(g, i);

		if (is_record(&c->begin, spot) || is_record(&c->end, spot))
			return i;
		if (c->begin.ts > spot->ts || spot->ts > c->end.ts) {
			i = after(g, i);
			continue;
		}
		if (found == NONE || c->depth > at(g, found)->depth)
			found = i;
		i++;
	}
	return found;
}
