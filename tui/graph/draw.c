/* SPDX-License-Identifier: GPL-2.0-or-later */
/* draw.c - the picture of the view of calls */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "graph.h"

#define MARK_FOLDED   0x25b8
#define MARK_UNFOLDED 0x25be
#define MARK_OFF_CPU  0x22ef
#define MARK_IRQ      0x259a
#define MARK_OPEN     0x25b9		/* a call without its end */

#define TASK_COLS 17
#define RANK_COLS 18			/* ": 12 of 345 slower" */

/* The end, or the start, of columns; -1: no such column */
struct columns {
	int time_end, total_end, self_end, cpu, task, tree;
};

static struct columns columns_of(const struct view *v)
{
	const struct graph_state *st = v->state;
	struct columns c = { -1, 10, 19, 21, -1, 26 };

	if (st->times)
		c = (struct columns){ 16, 27, 36, 38, -1, 43 };
	/* Without room for a column, show the name of a task before its call. */
	if (kt_graph_is_by_cpu(st->graph))
		c.task = c.tree;
	if (kt_graph_is_by_cpu(st->graph) && v->cols >= c.tree + 2 * TASK_COLS)
		c.tree += TASK_COLS + 1;
	return c;
}

/* As the kernel marks durations */
static char overhead(const struct kt_call *c)
{
	static const struct { uint64_t ns; char mark; } marks[] = {
		{ 1000000000, '$' }, { 100000000, '@' }, { 10000000, '*' }, { 1000000, '#' },
		{ 100000, '!' }, { 10000, '+' },
	};
	size_t i;

	if (c->flags & KT_CALL_UNTIMED)
		return ' ';
	for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (c->duration > marks[i].ns)
			return marks[i].mark;
	return ' ';
}

static enum style style_of(const struct kt_call *c)
{
	switch (c->kind) {
	case KT_CALL_OFF_CPU: return STYLE_WAIT;
	case KT_CALL_IRQ:
	case KT_CALL_SOFTIRQ: return STYLE_IRQ;
	case KT_CALL_SYSCALL: return STYLE_EVENT;
	default:              return STYLE_NORMAL;
	}
}

static void put_time(struct area a, int row, int end, enum style style, uint64_t ns,
		     const char *before)
{
	char text[48];
	size_t len = (size_t)snprintf(text, sizeof(text), "%s", before);

	units_format_time(ns, text + len);
	area_put_right(a, row, end, style, text);
}

static void put_cpu(const struct view *v, struct area a, int row, int col, const struct kt_call *c)
{
	const struct kt_stream *s = kt_trace_stream(kt_model_trace(v->model));
	int from = kt_stream_source(s, c->begin.source)->cpu, to = from;

	if (c->flags & KT_CALL_MOVED && c->end.source < kt_stream_nr_sources(s))
		to = kt_stream_source(s, c->end.source)->cpu;
	if (to != from)
		area_putf(a, row, col, STYLE_CPU, "%d\xe2\x86\x92%d", from, to);
	else
		area_putf(a, row, col, STYLE_CPU, "%d", from);
}

static void put_numbers(const struct view *v, struct area a, int row, const struct columns *col,
			const struct kt_call *c)
{
	bool guess = c->flags & KT_CALL_UNTIMED, open = c->flags & KT_CALL_UNFINISHED;
	enum style style = guess || open ? STYLE_DIM : STYLE_NUMBER;
	const char *about = open ? ">" : "";
	char mark = overhead(c);

	if (col->time_end > 0) {
		char text[32];

		area_put_right(a, row, col->time_end, STYLE_TIME,
			       units_format_moment(c->begin.ts, text));
	}
	area_char(a, row, col->total_end - 10, strchr("$@*#!", mark) ? STYLE_WARN : STYLE_NORMAL,
		  (uint32_t)mark);
	put_time(a, row, col->total_end, style, c->duration, guess ? "~" : about);
	if (c->nr_children && !guess)
		put_time(a, row, col->self_end, open ? STYLE_DIM : STYLE_INFO, c->self, "");
	put_cpu(v, a, row, col->cpu, c);
}

static uint32_t mark_of(const struct graph_state *st, uint32_t call, const struct kt_call *c)
{
	if (c->kind == KT_CALL_OFF_CPU)
		return MARK_OFF_CPU;
	if (c->nr_inside)
		return kt_graph_is_folded(st->graph, call) ? MARK_FOLDED : MARK_UNFOLDED;
	if (c->kind == KT_CALL_IRQ || c->kind == KT_CALL_SOFTIRQ)
		return MARK_IRQ;
	return c->flags & KT_CALL_UNFINISHED ? MARK_OPEN : ' ';
}

/* The return value and the mark of the longest call are shown for arguments of any length. */
static int detail_room(const struct view *v, const struct graph_line *l, int cols)
{
	const struct graph_state *st = v->state;
	const struct kt_call *c = graph_call(st, l->call);
	const char *note = graph_note(v, c);
	char retval[32];

	graph_retval(c, retval);
	return cols - (*retval ? text_width(retval) + 1 : 0) -
	       (*note ? text_width(note) + 2 : 0) - (l->call == st->longest ? 11 : 0);
}

/* Details after the name, the less certain ones last */
static void put_rest(const struct view *v, struct area a, int row, int col,
		     const struct graph_line *l)
{
	const struct graph_state *st = v->state;
	const struct kt_call *c = graph_call(st, l->call);
	const char *note = graph_note(v, c);
	int room = detail_room(v, l, a.cols - col);
	char retval[32];

	graph_retval(c, retval);
	if (l->detail && room > 4)
		col = area_put(a, row, col + !strchr("(:", *l->detail), STYLE_INFO, l->detail,
			       room - !strchr("(:", *l->detail));
	if (*retval)
		col = area_put(a, row, col + 1, retval[2] == '-' ? STYLE_WARN : STYLE_STRONG,
			       retval, -1);
	if (c->nr_inside && kt_graph_is_folded(st->graph, l->call))
		col = area_putf(a, row, col + 1, STYLE_DIM, "[+%u call%s]", c->nr_inside,
				c->nr_inside == 1 ? "" : "s");
	if (*note)
		col = area_put(a, row, col + 2, STYLE_LOST, note, -1);
	if (l->call == st->longest)
		area_put(a, row, col + 2, STYLE_MARK, "\xe2\x97\x82 longest", -1);
}

/* Does the row belong to another task than the row above it? */
static bool is_switch(const struct graph_state *st, const struct graph_line *l)
{
	const struct kt_call *c = graph_call(st, l->call), *up;

	if (l == st->lines)
		return true;
	up = graph_call(st, l[-1].call);
	return up->pid != c->pid || up->file != c->file;
}

static int put_task(const struct view *v, struct area a, int row, int col,
		    const struct kt_call *c)
{
	char name[64];

	graph_task_name(v, &(struct kt_graph_task){ .file = c->file, .pid = c->pid, .cpu = -1 },
			name);
	return area_put(a, row, col, STYLE_TASK, name, TASK_COLS);
}

/* A call that began on another CPU continues here: its caller has no row above it. */
static bool has_moved(const struct graph_state *st, const struct graph_line *l)
{
	const struct kt_call *c = graph_call(st, l->call), *up = graph_call(st, c->parent);

	return up && up->begin.source != c->begin.source &&
	       (l == st->lines || graph_call(st, l[-1].call)->parent != c->parent);
}

/* The callers of the call, if the row above it belongs to another call */
static int put_caller(const struct view *v, struct area a, int row, int col,
		      const struct kt_call *c)
{
	const struct kt_call *up = graph_call(v->state, c->parent);
	struct kt_stream *stream = kt_trace_stream(kt_model_trace(v->model));

	if (!up)
		return col;
	col = area_put(a, row, col + 1, STYLE_DIM, "in ", -1);
	col = area_put(a, row, col, STYLE_DIM, graph_name(v, up), -1);
	if (up->begin.source != c->begin.source)
		col = area_putf(a, row, col, STYLE_MARK, " … continued from CPU %d",
				kt_stream_source(stream, up->begin.source)->cpu);
	return col;
}

/* Where the mark and the name of a call begin */
static int tree_col(const struct graph_state *st, const struct kt_call *c,
		    const struct columns *columns)
{
	uint32_t focus = kt_graph_focused(st->graph);
	uint32_t depth = c->depth - (focus == KT_CALL_NONE ? 0 : graph_call(st, focus)->depth);

	return columns->tree + (int)(depth < 60 ? depth : 60) * 2;
}

bool graph_is_cut(const struct view *v, const struct graph_line *l)
{
	const struct graph_state *st = v->state;
	const struct kt_call *c = graph_call(st, l->call);
	struct columns columns = columns_of(v);
	int col = tree_col(st, c, &columns) + 2 + text_width(graph_name(v, c));

	return l->detail && text_width(l->detail) > detail_room(v, l, v->cols - col);
}

static void draw_line(const struct view *v, struct area a, int row, const struct graph_line *l,
		      const struct columns *columns)
{
	const struct graph_state *st = v->state;
	const struct kt_call *c = graph_call(st, l->call);
	int col = tree_col(st, c, columns);
	bool another = columns->task > 0 && is_switch(st, l);

	put_numbers(v, a, row, columns, c);
	if (another && columns->task == columns->tree)
		col = put_task(v, a, row, columns->task, c) + 1;
	else if (another)
		put_task(v, a, row, columns->task, c);
	area_char(a, row, col, style_of(c), mark_of(st, l->call, c));
	col = area_put(a, row, col + 2, style_of(c), graph_name(v, c), -1);
	if (another || (columns->task > 0 && has_moved(st, l)))
		col = put_caller(v, a, row, col, c);
	put_rest(v, a, row, col, l);
}

/* ---- above the calls ---- */

static int put_same(const struct view *v, struct area a, int col)
{
	const struct graph_state *st = v->state;
	const struct kt_graph_same *s = &st->same;
	int room = a.cols - col - 2 - RANK_COLS;

	if (st->selected == KT_CALL_NONE || s->nr < 2 || room < 1)
		return col;
	col = area_put(a, 0, col + 2, STYLE_EVENT, graph_name(v, graph_call(st, st->selected)),
		       room);
	if (graph_call(st, st->selected)->flags & KT_CALL_UNTIMED)
		return area_putf(a, 0, col, STYLE_DIM, ": %u, not timed", s->nr);
	if (!s->slower)
		return area_putf(a, 0, col, STYLE_STRONG, ": the slowest of %u", s->nr);
	return area_putf(a, 0, col, STYLE_DIM, ": %u of %u slower", s->slower, s->nr);
}

static bool is_whole(const struct graph_state *st)
{
	return st->ends.at_first && st->ends.at_last;
}

static void draw_title(const struct view *v, struct area a)
{
	const struct graph_state *st = v->state;
	size_t chosen = kt_graph_chosen(st->graph), nr = kt_graph_nr_tasks(st->graph);
	const struct kt_graph_task *task = kt_graph_task(st->graph, chosen);
	char name[64];
	int col;

	graph_task_name(v, task, name);
	col = area_put(a, 0, 1, STYLE_TASK, name, -1);
	col = area_putf(a, 0, col, STYLE_DIM, "  %u call%s", task->nr, task->nr == 1 ? "" : "s");
	if (nr > 1 && kt_graph_is_by_cpu(st->graph))
		col = area_putf(a, 0, col, STYLE_DIM, ", one of %zu CPUs", nr);
	else if (nr > 1)
		col = area_putf(a, 0, col, STYLE_DIM, ", task %zu of %zu", chosen + 1, nr);
	if (!is_whole(st))
		col = area_put(a, 0, col, STYLE_WARN, "  a part of the trace", -1);
	put_same(v, a, col);
}

static void draw_head(struct area a, const struct columns *c)
{
	if (c->time_end > 0)
		area_put_right(a, 1, c->time_end, STYLE_HEAD, "BEGAN");
	area_put_right(a, 1, c->total_end, STYLE_HEAD, "TOTAL");
	area_put_right(a, 1, c->self_end, STYLE_HEAD, "SELF");
	area_put(a, 1, c->cpu, STYLE_HEAD, "CPU", -1);
	if (c->task > 0 && c->task < c->tree)
		area_put(a, 1, c->task, STYLE_HEAD, "TASK", -1);
	area_put(a, 1, c->tree, STYLE_HEAD, "CALL", -1);
}

static void draw_empty(const struct view *v, struct area a)
{
	const struct graph_state *st = v->state;

	if (st->loading)
		area_putf(a, 2, 2, STYLE_PROGRESS, "loading calls %d%% …",
			  kt_call_window_percent(st->loading));
	else if (st->error.code)
		area_putf(a, 2, 2, STYLE_ERROR, "calls cannot be loaded: %s", st->error.msg);
	if (st->loading || st->error.code)
		return;
	area_putf(a, 2, 2, STYLE_NORMAL, "There are no calls %s.",
		  is_whole(st) ? "in this trace" : "around this moment");
	area_put(a, 3, 2, STYLE_DIM, "Record some with -p function_graph, -p function, or "
		 "-e syscalls.", -1);
}

void graph_draw(const struct view *v, struct area a)
{
	const struct graph_state *st = v->state;
	struct columns c;
	size_t i;

	if (!st->graph || !kt_graph_nr_tasks(st->graph)) {
		draw_empty(v, a);
		return;
	}
	c = columns_of(v);
	draw_title(v, a);
	draw_head(a, &c);
	for (i = 0; i < st->nr_lines && (int)i < graph_rows(v); i++) {
		draw_line(v, a, (int)i + 2, &st->lines[i], &c);
		if (st->lines[i].call == st->selected) {
			area_select(a, (int)i + 2);
			area_cursor(a, (int)i + 2, 0);
		}
	}
}
