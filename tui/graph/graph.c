/* SPDX-License-Identifier: GPL-2.0-or-later */
/* graph.c - the view of calls: where did the time of this call go? */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "graph.h"

#define READ_MS      20			/* for details that only records have */
#define DEPTH_FIRST  3			/* levels that are unfolded at first */

static bool is_late(void *data)
{
	return moment_ms() > ((struct graph_state *)data)->deadline;
}

int graph_rows(const struct view *v)
{
	return v->rows > 2 ? v->rows - 2 : 1;
}

/* ---- the selected call ---- */

static void scroll_to_selected(struct view *v)
{
	struct graph_state *st = v->state;
	size_t row = kt_graph_row_of(st->graph, st->selected), rows = (size_t)graph_rows(v);
	size_t nr = kt_graph_nr_rows(st->graph);

	if (row < st->top)
		st->top = row;
	else if (row >= st->top + rows)
		st->top = row - rows + 1;
	/* Scroll so that no rows are empty while there are calls above */
	if (st->top + rows > nr)
		st->top = nr > rows ? nr - rows : 0;
}

static struct kt_spot spot_of(const struct kt_call *c)
{
	const struct kt_call_end *end = c->begin.pos != UINT64_MAX ? &c->begin : &c->end;

	if (end->pos == UINT64_MAX)
		return (struct kt_spot){ .ts = c->begin.ts };
	return (struct kt_spot){ .ts = end->ts, .pos = end->pos, .source = end->source };
}

void graph_center(struct view *v)
{
	struct graph_state *st = v->state;
	size_t row = kt_graph_row_of(st->graph, st->selected), above = (size_t)graph_rows(v) / 3;

	st->top = row > above ? row - above : 0;
}

void graph_select(struct view *v, uint32_t call, bool jump)
{
	struct graph_state *st = v->state;
	size_t top = st->top;

	if (!st->graph || call == KT_CALL_NONE)
		return;
	kt_graph_reveal(st->graph, call);
	st->selected = kt_graph_row(st->graph, kt_graph_row_of(st->graph, call));
	if (st->selected == KT_CALL_NONE)
		return;
	scroll_to_selected(v);
	if (jump && st->top != top)
		graph_center(v);
	st->told = spot_of(graph_call(st, st->selected));
	app_set_cursor(v->app, &st->told, jump);
}

/* ---- the rows of the screen ---- */

static void keep_or_drop(struct graph_line *old, size_t nr_old, struct graph_line *line)
{
	size_t i;

	for (i = 0; i < nr_old; i++)
		if (old[i].call == line->call && old[i].complete) {
			*line = old[i];
			old[i].detail = NULL;
			return;
		}
}

static void make_lines(struct view *v)
{
	struct graph_state *st = v->state;
	size_t i, rows = (size_t)graph_rows(v), nr_old = st->nr_lines;
	struct graph_line *old = st->lines, *lines = calloc(rows, sizeof(*lines));

	if (!lines)
		return;
	st->deadline = moment_ms() + READ_MS;
	st->lines = lines;
	for (i = 0; i < rows && kt_graph_row(st->graph, st->top + i) != KT_CALL_NONE; i++) {
		lines[i].call = kt_graph_row(st->graph, st->top + i);
		keep_or_drop(old, nr_old, &lines[i]);
		if (!lines[i].complete && !is_late(st))
			lines[i].detail = graph_detail(v, graph_call(st, lines[i].call),
						       &lines[i].complete);
	}
	st->nr_lines = i;
	while (nr_old)
		free(old[--nr_old].detail);
	free(old);
}

static void prepare(struct view *v)
{
	struct graph_state *st = v->state;

	if (!st->graph)
		return;
	if (st->selected != KT_CALL_NONE)
		scroll_to_selected(v);
	make_lines(v);
	st->same = kt_graph_compare(st->graph, st->selected);
	st->longest = kt_graph_longest_child(st->graph, st->selected);
}

static bool lines_are_complete(const struct graph_state *st)
{
	size_t i;

	for (i = 0; i < st->nr_lines; i++)
		if (!st->lines[i].complete)
			return false;
	return true;
}

static bool work(struct view *v, unsigned int budget_ms)
{
	struct graph_state *st = v->state;

	if (graph_load_some(v, budget_ms))
		return true;
	if (st->graph && !lines_are_complete(st))
		make_lines(v);
	return st->graph && !lines_are_complete(st);
}

/* ---- the rest of the view ---- */

static void follow(struct view *v)
{
	struct graph_state *st = v->state;
	struct kt_spot spot = kt_model_cursor(v->model);

	if ((st->graph || st->loading) && spot.ts == st->told.ts && spot.pos == st->told.pos &&
	    spot.source == st->told.source)
		return;
	graph_go(v, &spot, NULL);
}

static bool window(const struct view *v, struct kt_window *w)
{
	const struct graph_state *st = v->state;
	size_t i;

	if (!st->nr_lines)
		return false;
	*w = (struct kt_window){ UINT64_MAX, 0 };
	for (i = 0; i < st->nr_lines; i++) {
		const struct kt_call *c = graph_call(st, st->lines[i].call);

		w->from = c->begin.ts < w->from ? c->begin.ts : w->from;
		w->until = c->begin.ts > w->until ? c->begin.ts : w->until;
	}
	return true;
}

static void add_line(const struct view *v, uint32_t call, uint32_t depth, struct str *out)
{
	const struct graph_state *st = v->state;
	const struct kt_call *c = graph_call(st, call);
	char total[32], retval[32];

	str_addf(out, "%10s  %*s%s", units_format_time(c->duration, total),
		 (int)(c->depth - depth) * 2, "", graph_name(v, c));
	if (*graph_retval(c, retval))
		str_addf(out, " %s", retval);
	if (*graph_note(v, c))
		str_addf(out, "  (%s)", graph_note(v, c));
	str_add(out, "\n");
}

/* The selected call, also if the cursor is at an event that is not in the tree */
static void row(const struct view *v, struct view_row *row)
{
	const struct graph_state *st = v->state;
	const struct kt_call *c = st->graph ? graph_call(st, st->selected) : NULL;

	if (!c)
		return;
	row->spot = spot_of(c);
	row->pid = c->pid;
}

static int span(struct view *v, struct view_span *s, struct kt_err *err)
{
	const struct graph_state *st = v->state;
	const struct kt_call *c = st->graph ? graph_call(st, st->selected) : NULL;

	if (!c || c->flags & KT_CALL_UNTIMED || c->pid <= 0)
		return kt_err_set(err, -ENOENT, "no call of a task with a known time is selected");
	*s = (struct view_span){ .file = c->file, .pid = c->pid, .from = c->begin.ts,
				 .until = c->end.ts };
	snprintf(s->what, sizeof(s->what), "%s", graph_name(v, c));
	return 0;
}

/* The selected call and its unfolded callees */
static void yank(struct view *v, struct str *out)
{
	struct graph_state *st = v->state;
	const struct kt_call *c = st->graph ? graph_call(st, st->selected) : NULL;
	size_t row;
	uint32_t call;

	if (!c)
		return;
	for (row = kt_graph_row_of(st->graph, st->selected);
	     (call = kt_graph_row(st->graph, row)) != KT_CALL_NONE; row++)
		if (call - st->selected <= c->nr_inside)
			add_line(v, call, c->depth, out);
}

static void tell_selected(const struct kt_call *c, struct str *out)
{
	char text[32];

	str_addf(out, "at %s   ", units_format_moment(c->begin.ts, text));
	if (c->irq)
		str_addf(out, "interrupts %s   ", units_format_time(c->irq, text));
	if (c->off)
		str_addf(out, "off CPU %s   ", units_format_time(c->off, text));
}

/* What its row has no room for */
static void tell_rest(const struct view *v, struct str *out)
{
	const struct graph_state *st = v->state;
	const struct graph_line *l;

	for (l = st->lines; l < st->lines + st->nr_lines; l++)
		if (l->call == st->selected && graph_is_cut(v, l))
			str_addf(out, "%s   ", l->detail + strspn(l->detail, ": "));
}

static void status(const struct view *v, struct str *out)
{
	const struct graph_state *st = v->state;
	char text[32];

	if (st->loading && !v->refreshing) {
		str_addf(out, "loading calls %d%%  ", kt_call_window_percent(st->loading));
		return;
	}
	if (!st->graph || st->selected == KT_CALL_NONE)
		return;
	tell_selected(graph_call(st, st->selected), out);
	tell_rest(v, out);
	if (kt_graph_focused(st->graph) != KT_CALL_NONE)
		str_addf(out, "focus on %s, Z leaves it   ",
			 graph_name(v, graph_call(st, kt_graph_focused(st->graph))));
	if (kt_graph_hides_below(st->graph))
		str_addf(out, "%zu calls below %s are hidden   ", kt_graph_nr_hidden(st->graph),
			 units_format_time(kt_graph_hides_below(st->graph), text));
	if (kt_model_is_filtered(v->model))
		str_add(out, "filters choose events, not calls");
}

static int used(const struct view *v, int *rows)
{
	const struct graph_state *st = v->state;

	*rows = v->rows;
	if (st->graph && !st->loading && !st->nr_lines && !app_has_no_events(v->app))
		return 5;		/* below the note that there are no calls */
	return st->nr_lines ? 2 + (int)st->nr_lines : *rows;
}

static bool stop(struct view *v)
{
	struct graph_state *st = v->state;

	if (!graph_stop_loading(v))
		return false;
	app_say(v->app, st->graph ? "stopped: these are the calls that were loaded before"
				  : "stopped: move the cursor, or come back, to load calls");
	return true;
}

static void mouse(struct view *v, int key, int row, int col)
{
	struct graph_state *st = v->state;

	(void)col;
	if (key == TK_WHEEL_UP || key == TK_WHEEL_DOWN) {
		graph_move(v, key == TK_WHEEL_UP ? -3 : 3);
	} else if ((key == TK_CLICK || key == TK_DOUBLE_CLICK) && row >= 2 &&
		   (size_t)row - 2 < st->nr_lines) {
		graph_select(v, st->lines[row - 2].call, false);
		if (key == TK_DOUBLE_CLICK)
			graph_toggle(v);
	}
}

static int open_view(struct view *v, struct kt_err *err)
{
	struct graph_state *st = v->state;

	st->selected = st->longest = KT_CALL_NONE;
	st->depth = DEPTH_FIRST;
	st->out = kt_out_create();
	st->reader = kt_reader_create(kt_model_trace(v->model), kt_model_index(v->model), err);
	if (!st->out || !st->reader)
		return kt_err_no_memory(err);
	kt_reader_set_stop(st->reader, is_late, st);
	return 0;
}

static void close_view(struct view *v)
{
	struct graph_state *st = v->state;

	while (st->nr_lines)
		free(st->lines[--st->nr_lines].detail);
	free(st->lines);
	free(st->totals);
	kt_graph_destroy(st->graph);
	kt_call_window_destroy(st->shown);
	kt_call_window_destroy(st->loading);
	kt_reader_destroy(st->reader);
	kt_out_destroy(st->out);
}

const struct view_ops graph_view = {
	.name       = "graph",
	.purpose    = "where did the time of this call go?",
	.commands   = graph_commands,
	.state_size = sizeof(struct graph_state),
	.open = open_view, .close = close_view, .follow = follow, .prepare = prepare, .work = work,
	.draw = graph_draw, .window = window, .find = graph_find, .row = row, .span = span,
	.yank = yank, .status = status,
	.stop = stop, .mouse = mouse, .used = used, .grown = graph_grown, .refresh = graph_refresh,
};
