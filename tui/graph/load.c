/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load.c - load the calls of the view: all of a trace, or those around a moment */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"

int graph_load(struct view *v, const struct kt_spot *around, const struct kt_graph_task *task,
	       struct kt_err *err)
{
	struct graph_state *st = v->state;

	kt_call_window_destroy(st->loading);
	st->wanted = st->around = *around;
	st->wanted_task = task ? *task : (struct kt_graph_task){ 0 };
	st->loading = kt_call_window_create(kt_model_trace(v->model), kt_model_index(v->model),
					    around, 0, err);
	return st->loading ? 0 : -ENOMEM;
}

static bool is_loaded(const struct graph_state *st, const struct kt_spot *spot)
{
	return st->graph && (st->ends.at_first || spot->ts >= st->ends.from.ts) &&
	       (st->ends.at_last || spot->ts <= st->ends.last_ts);
}

/* The task, or CPU, of the record at @spot; false: there is none */
static bool task_at(struct view *v, const struct kt_spot *spot, struct kt_graph_task *task)
{
	struct graph_state *st = v->state;
	struct kt_trace *t = kt_model_trace(v->model);
	const struct kt_source *src;
	struct kt_record rec;

	st->deadline = moment_ms() + 30;
	if (kt_reader_go(st->reader, spot, NULL) < 0 || kt_reader_next(st->reader, &rec, NULL) <= 0)
		return false;
	src = kt_trace_source(t, &rec);
	task->file = src->file_index;
	task->buffer = (uint32_t)src->buffer;
	task->pid = kt_record_pid(kt_trace_events(t, src->file_index), &rec);
	if (kt_graph_is_by_cpu(st->graph))
		task->pid = KT_GRAPH_CPU;
	task->cpu = task->pid == 0 || kt_graph_is_by_cpu(st->graph) ? src->cpu : -1;
	return true;
}

/* Its number among those with calls, or @none */
static size_t find_task(const struct graph_state *st, const struct kt_graph_task *task, size_t none)
{
	const struct kt_graph_task *t;
	size_t i;

	for (i = 0; (t = kt_graph_task(st->graph, i)); i++)
		if (t->file == task->file && t->buffer == task->buffer && t->pid == task->pid &&
		    t->cpu == task->cpu)
			return i;
	return none;
}

/* The call that begins next, the outermost one of a task; or the last one */
static uint32_t nearest(const struct graph_state *st, const struct kt_graph_task *t, uint64_t ts)
{
	uint32_t place = t->first, call = kt_graph_call(st->graph, place);

	while (graph_call(st, call)->begin.ts < ts) {
		place += kt_graph_is_by_cpu(st->graph) ? 1 : 1 + graph_call(st, call)->nr_inside;
		if (place >= t->first + t->nr)
			break;
		call = kt_graph_call(st->graph, place);
	}
	return call;
}

/* The task that calls something next, after @ts */
static size_t task_with_calls(const struct graph_state *st, uint64_t ts)
{
	uint64_t least = UINT64_MAX, wait, begin;
	const struct kt_graph_task *t;
	size_t i, found = 0;

	for (i = 0; (t = kt_graph_task(st->graph, i)); i++) {
		begin = graph_call(st, nearest(st, t, ts))->begin.ts;
		wait = begin >= ts ? begin - ts : UINT64_MAX - 1;
		if (wait < least) {
			least = wait;
			found = i;
		}
	}
	return found;
}

static void arrive(struct view *v, const struct kt_spot *spot, const struct kt_graph_task *task)
{
	struct graph_state *st = v->state;
	size_t none = kt_graph_nr_tasks(st->graph), i = none;
	struct kt_graph_task there;
	uint32_t call;

	if (!none)
		return;
	if (task && task->nr)
		i = find_task(st, task, none);
	else if (task_at(v, spot, &there))
		i = find_task(st, &there, none);
	if (i == none)
		i = task_with_calls(st, spot->ts);
	kt_graph_choose(st->graph, i);
	call = kt_graph_at(st->graph, spot);
	if (call == KT_CALL_NONE)
		call = nearest(st, kt_graph_task(st->graph, i), spot->ts);
	graph_select(v, call, false);
	graph_center(v);
	kt_model_set_cursor(v->model, spot);	/* the lookup does not move it */
	st->told = *spot;
}

void graph_go(struct view *v, const struct kt_spot *spot, const struct kt_graph_task *task)
{
	struct graph_state *st = v->state;

	if (is_loaded(st, spot)) {
		arrive(v, spot, task);
		return;
	}
	st->told = *spot;
	/* The calls being loaded may suffice: do not restart loading for each step in another
	 * pane. */
	if (st->loading && !task) {
		st->wanted = *spot;
		return;
	}
	if (graph_load(v, spot, task, &st->error) < 0)
		st->error.code = -ENOMEM;
}

/* The end has moved: let the running load continue to it. */
void graph_grown(struct view *v, bool follow)
{
	struct graph_state *st = v->state;

	st->ends.at_last = false;
	if (follow && st->loading)
		st->wanted = kt_model_cursor(v->model);
}

/* The calls around the end, of the present task if it has any there */
void graph_refresh(struct view *v)
{
	struct graph_state *st = v->state;
	struct kt_spot spot = kt_model_cursor(v->model);
	const struct kt_graph_task *task =
		st->graph ? kt_graph_task(st->graph, kt_graph_chosen(st->graph)) : NULL;

	if (!st->loading)
		graph_load(v, &spot, task, &st->error);
}

bool graph_stop_loading(struct view *v)
{
	struct graph_state *st = v->state;
	bool was_loading = st->loading;

	kt_call_window_destroy(st->loading);
	st->loading = NULL;
	return was_loading;
}

static void show_loaded(struct view *v)
{
	struct graph_state *st = v->state;
	struct kt_graph *g = kt_graph_create(kt_model_trace(v->model),
					     kt_call_window_tree(st->loading), &st->error);

	if (!g) {
		graph_stop_loading(v);
		return;
	}
	kt_graph_destroy(st->graph);
	kt_call_window_destroy(st->shown);
	st->graph = g;
	st->shown = st->loading;
	st->loading = NULL;
	st->selected = KT_CALL_NONE;
	kt_call_window_ends(st->shown, &st->ends);
	kt_graph_by_cpu(g, st->by_cpu, NULL);
	kt_graph_hide_below(g, st->least);
	kt_graph_fold_depth(g, st->depth);
	while (st->nr_lines)
		free(st->lines[--st->nr_lines].detail);
	if (st->wanted.ts == st->around.ts || is_loaded(st, &st->wanted))
		arrive(v, &st->wanted, &st->wanted_task);
	else
		graph_load(v, &st->wanted, NULL, &st->error);
}

bool graph_load_some(struct view *v, unsigned int budget_ms)
{
	struct graph_state *st = v->state;
	int ret;

	if (!st->loading)
		return false;
	ret = kt_call_window_work(st->loading, budget_ms, &st->error);
	if (ret == 0) {
		show_loaded(v);
	} else if (ret < 0) {
		st->error.code = ret;
		kt_call_window_destroy(st->loading);
		st->loading = NULL;
	}
	return st->loading;
}
