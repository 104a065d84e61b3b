/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tasks.c - a list of the tasks, or CPUs, with calls: where was the time spent? */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/units.h"
#include "graph.h"

#define TASK_COLS 22

struct graph_total {
	struct kt_graph_task task;
	uint64_t on, off;		/* time of its outermost calls on and off the CPU */
	uint64_t longest_on;		/* longest time of one of these calls on the CPU */
	struct kt_spot longest;		/* start of that call */
	char name[48];
};

/* ---- adding up ---- */

static void add_call(struct view *v, struct graph_total *total, const struct kt_call *c)
{
	uint64_t on = c->duration > c->off ? c->duration - c->off : 0;

	total->on += on;
	total->off += c->off;
	if (on < total->longest_on || (*total->name && on == total->longest_on))
		return;
	total->longest_on = on;
	total->longest = (struct kt_spot){ c->begin.ts, c->begin.pos, c->begin.source };
	snprintf(total->name, sizeof(total->name), "%s", graph_name(v, c));
}

/* More time on the CPU first, then more calls; pid and CPU make the order unique */
static int by_time(const void *x, const void *y)
{
	const struct graph_total *a = x, *b = y;

	if (a->on != b->on)
		return a->on < b->on ? 1 : -1;
	if (a->task.nr != b->task.nr)
		return a->task.nr < b->task.nr ? 1 : -1;
	if (a->task.pid != b->task.pid)
		return a->task.pid - b->task.pid;
	return a->task.cpu - b->task.cpu;
}

static int add_up(struct view *v)
{
	struct graph_state *st = v->state;
	const struct kt_call *c;
	uint32_t i;
	size_t k;

	free(st->totals);
	st->nr_totals = kt_graph_nr_tasks(st->graph);
	st->totals = calloc(st->nr_totals + 1, sizeof(*st->totals));
	if (!st->totals) {
		st->nr_totals = 0;
		return -ENOMEM;
	}
	for (k = 0; k < st->nr_totals; k++)
		st->totals[k].task = *kt_graph_task(st->graph, k);
	for (i = 0; (c = graph_call(st, i)); i++)
		if (c->parent == KT_CALL_NONE && c->kind != KT_CALL_OFF_CPU)
			add_call(v, &st->totals[kt_graph_task_of(st->graph, i)], c);
	qsort(st->totals, st->nr_totals, sizeof(*st->totals), by_time);
	return 0;
}

/* ---- the list ---- */

static size_t count(const struct app *app)
{
	return ((const struct graph_state *)app_view(app)->state)->nr_totals;
}

static void line(const struct app *app, size_t i, struct str *out)
{
	const struct view *v = app_view(app);
	const struct graph_total *t = &((const struct graph_state *)v->state)->totals[i];
	char name[64], on[32], off[32] = "", longest[32];
	int pad;

	graph_task_name(v, &t->task, name);
	units_format_time(t->on, on);
	if (t->off)
		units_format_time(t->off, off);
	units_format_time(t->longest_on, longest);
	pad = TASK_COLS - text_width(name);
	str_addf(out, "%s%*s%8u %9s %9s %9s  %s", name, pad > 0 ? pad : 0, "", t->task.nr, on, off,
		 longest, t->name);
}

/* Enter goes to the call of the task that was longest on the CPU. */
static bool key(struct app *app, size_t i, int key)
{
	struct view *v = app_view(app);
	const struct graph_total *t = &((struct graph_state *)v->state)->totals[i];

	if (key != TK_ENTER || !*t->name)
		return key != TK_ENTER;
	kt_model_note_jump(v->model);
	graph_go(v, &t->longest, &t->task);
	return false;
}

static const struct list_ops tasks = {
	.title = "TASK                     CALLS    ON CPU   OFF CPU   LONGEST  CALL ON THE CPU",
	.keys  = "Enter go to that call  Esc close",
	.empty = "there are no calls",
	.count = count, .line = line, .key = key,
};

int graph_list_tasks(struct view *v, const char *arg, struct kt_err *err)
{
	struct graph_state *st = v->state;

	(void)arg;
	if (st->graph && add_up(v) < 0)
		return kt_err_no_memory(err);
	list_open(v->app, &tasks, 0);
	return 0;
}
