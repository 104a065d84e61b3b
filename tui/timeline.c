/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeline.c - the view of time: who had the CPU, who waited? */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/timeline.h>

#include "app.h"
#include "base/units.h"

#define LABEL 16			/* columns of names */

struct state {
	struct kt_timeline *timeline;
	struct kt_reader *reader;
	struct kt_window window;
	int  columns;			/* that the timeline was made for; 0: make it anew */
	int  selected, top;		/* rows; @top: of the tasks that are scrolled to */
	struct kt_timeline_row chosen;	/* the selected one, to find it again in another picture */
	bool found;			/* it was looked for in this picture */
	char *text;			/* what the status line says about a wait, owned */
};

static int picture_cols(const struct view *v)
{
	return v->cols > LABEL + 8 ? v->cols - LABEL : v->cols;
}

static uint64_t span_of(const struct kt_window *w)
{
	return w->until - w->from + 1;
}

static uint64_t cursor_ts(const struct view *v)
{
	return kt_model_cursor(v->model).ts;
}

/* ---- the window ---- */

static void set_window(struct view *v, uint64_t from, uint64_t length)
{
	struct state *st = v->state;
	const struct kt_window *all = &v->app->span;

	if (length < 1)
		length = 1;
	if (length > span_of(all))
		length = span_of(all);
	if (from < all->from)
		from = all->from;
	if (from > all->until - length + 1)
		from = all->until - length + 1;
	if (st->window.from == from && st->window.until == from + length - 1)
		return;
	st->window = (struct kt_window){ from, from + length - 1 };
	st->columns = 0;
}

/* So that the moment @ts stays where it is on the screen */
static void zoom(struct view *v, double factor)
{
	struct state *st = v->state;
	uint64_t ts = cursor_ts(v), old = span_of(&st->window);
	double length = (double)old * factor, before;

	if (length > (double)span_of(&v->app->span))
		length = (double)span_of(&v->app->span);
	if (ts < st->window.from || ts > st->window.until)
		ts = st->window.from + old / 2;
	before = (double)(ts - st->window.from) * (length / (double)old);
	set_window(v, before > (double)ts ? 0 : ts - (uint64_t)before, (uint64_t)length);
}

static void pan(struct view *v, int direction)
{
	struct state *st = v->state;
	uint64_t step = span_of(&st->window) / 4 + 1;

	set_window(v, direction > 0 ? st->window.from + step :
		   st->window.from > step ? st->window.from - step : 0, span_of(&st->window));
}

static void show_moment(struct view *v, uint64_t ts)
{
	struct state *st = v->state;
	uint64_t half = span_of(&st->window) / 2;

	if (ts < st->window.from || ts > st->window.until)
		set_window(v, ts > half ? ts - half : 0, span_of(&st->window));
}

static uint64_t column_ns(const struct view *v)
{
	const struct state *st = v->state;

	return span_of(&st->window) / (uint64_t)picture_cols(v) + 1;
}

static void set_cursor(struct view *v, uint64_t ts, bool jump)
{
	struct kt_spot spot = { .ts = ts };

	if (ts < v->app->span.from)
		spot.ts = v->app->span.from;
	if (ts > v->app->span.until)
		spot.ts = v->app->span.until;
	app_set_cursor(v->app, &spot, jump);
	show_moment(v, spot.ts);
}

/* ---- commands ---- */

#define COMMAND(name) static int name(struct view *v, const char *arg, struct kt_err *err)
#define UNUSED (void)v, (void)arg, (void)err

COMMAND(zoom_in)  { UNUSED; zoom(v, 0.5); return 0; }
COMMAND(zoom_out) { UNUSED; zoom(v, 2); return 0; }
COMMAND(pan_left)  { UNUSED; pan(v, -1); return 0; }
COMMAND(pan_right) { UNUSED; pan(v, 1); return 0; }

COMMAND(whole)
{
	UNUSED;
	set_window(v, v->app->span.from, span_of(&v->app->span));
	return 0;
}

COMMAND(left)
{
	uint64_t ts = cursor_ts(v), step = column_ns(v);

	UNUSED;
	set_cursor(v, ts > step ? ts - step : 0, false);
	return 0;
}

COMMAND(right)
{
	UNUSED;
	set_cursor(v, cursor_ts(v) + column_ns(v), false);
	return 0;
}

static int nr_cpus(const struct view *v)
{
	const struct state *st = v->state;
	struct kt_timeline_row row;
	int nr = 0;

	while (kt_timeline_row(st->timeline, (size_t)nr, &row) && row.is_cpu)
		nr++;
	return nr;
}

/* CPUs stay at the top, tasks scroll below them. */
static int task_rows(const struct view *v)
{
	int rows = v->rows - 2 - nr_cpus(v);

	return rows > 1 ? rows : 1;
}

static void select_row(struct view *v, int to)
{
	struct state *st = v->state;
	int nr = (int)kt_timeline_nr(st->timeline), cpus = nr_cpus(v), rows = task_rows(v);

	if (to >= nr)
		to = nr - 1;
	st->selected = to < 0 ? 0 : to;
	kt_timeline_row(st->timeline, (size_t)st->selected, &st->chosen);
	if (st->selected < cpus)
		return;
	if (st->selected - cpus < st->top)
		st->top = st->selected - cpus;
	if (st->selected - cpus >= st->top + rows)
		st->top = st->selected - cpus - rows + 1;
}

/* The row that was selected before, wherever it is now */
static void select_again(struct view *v)
{
	struct state *st = v->state;
	struct kt_timeline_row row, was = st->chosen;
	size_t i;

	if (st->found || !kt_timeline_nr(st->timeline))
		return;
	st->found = true;
	st->top = 0;
	for (i = 0; kt_timeline_row(st->timeline, i, &row); i++)
		if (row.is_cpu == was.is_cpu && row.file == was.file &&
		    (row.is_cpu ? row.cpu == was.cpu : row.pid == was.pid)) {
			select_row(v, (int)i);
			return;
		}
	select_row(v, st->selected);
}

COMMAND(down) { UNUSED; select_row(v, ((struct state *)v->state)->selected + 1); return 0; }
COMMAND(up)   { UNUSED; select_row(v, ((struct state *)v->state)->selected - 1); return 0; }

/* The next event of the row, or the one before */
static int step_event(struct view *v, int direction, struct kt_err *err)
{
	struct state *st = v->state;
	struct kt_trace *t = kt_model_trace(v->model);
	struct kt_spot spot = kt_model_cursor(v->model);
	struct kt_timeline_row row;
	struct kt_record rec;
	bool known = kt_timeline_row(st->timeline, (size_t)st->selected, &row);
	int ret = kt_reader_seek(st->reader, direction > 0 ? spot.ts + 1 : spot.ts, err), left = 200000;

	while (ret >= 0 && left-- > 0) {
		const struct kt_event *ev;

		ret = direction > 0 ? kt_reader_next(st->reader, &rec, err)
				    : kt_reader_prev(st->reader, &rec, err);
		if (ret <= 0)
			break;
		ev = kt_trace_event(t, &rec);
		if (!known || (row.is_cpu ? kt_stream_source(kt_trace_stream(t), rec.source)->cpu == row.cpu
					  : ev && kt_record_pid(ev->events, &rec) == row.pid)) {
			set_cursor(v, rec.ts, false);
			return 0;
		}
	}
	return ret < 0 ? ret : kt_err_set(err, -ENOENT, "no event of this row %s",
					  direction > 0 ? "after this" : "before this");
}

COMMAND(next_event)     { (void)arg; return step_event(v, 1, err); }
COMMAND(previous_event) { (void)arg; return step_event(v, -1, err); }

static void name_task(const struct view *v, size_t file, int pid, char *text, size_t size)
{
	const char *comm = kt_trace_comm_known(kt_model_trace(v->model), file, pid);

	if (pid == 0)
		snprintf(text, size, "<idle>");
	else
		snprintf(text, size, "%s:%d", comm ? comm : "<...>", pid);
}

/* The longest wait of the selected task, or of all */
static int longest_wait(struct view *v, bool of_all, struct kt_err *err)
{
	struct state *st = v->state;
	struct kt_timeline_row row;
	struct kt_timeline_wait w;
	char waiter[40], holder[40], length[32];
	bool known = kt_timeline_row(st->timeline, (size_t)st->selected, &row) && !row.is_cpu;

	if (!kt_timeline_longest_wait(st->timeline, known && !of_all ? row.pid : -1, &w))
		return kt_err_set(err, -ENOENT, kt_timeline_is_sampled(st->timeline) ?
				  "the window is too long to know each wait: zoom in, or use the latencies" :
				  "no task waited here");
	name_task(v, w.file, w.pid, waiter, sizeof(waiter));
	name_task(v, w.file, w.holder, holder, sizeof(holder));
	units_format_time(w.until - w.from, length);
	kt_model_note_jump(v->model);
	set_window(v, w.from > (w.until - w.from) / 2 ? w.from - (w.until - w.from) / 2 : 0,
		   (w.until - w.from) * 2);
	set_cursor(v, w.from, false);
	st->chosen = (struct kt_timeline_row){ .pid = w.pid, .file = w.file };
	st->found = false;
	free(st->text);
	if (asprintf(&st->text, "%s waits %s: CPU %d had %s", waiter, length, w.cpu, holder) < 0)
		st->text = NULL;
	return 0;
}

COMMAND(wait)     { (void)arg; return longest_wait(v, false, err); }
COMMAND(any_wait) { (void)arg; return longest_wait(v, true, err); }

COMMAND(to_events) { (void)arg; return app_show(v->app, "events", err); }

static const struct view_command commands[] = {
	{ "zoom-in", "+ =", NULL, "half as much time", zoom_in, "zoom" },
	{ "zoom-out", "-", NULL, "twice as much time", zoom_out, "out" },
	{ "whole", "0", NULL, "the whole trace", whole, "all" },
	{ "left", "h Left", NULL, "the cursor a column to the left", left, NULL },
	{ "right", "l Right", NULL, "the cursor a column to the right", right, NULL },
	{ "pan-left", "S-Left [ WheelUp", NULL, "a quarter of the window back", pan_left, NULL },
	{ "pan-right", "S-Right ] WheelDown", NULL, "a quarter of the window on", pan_right, "pan" },
	{ "down", "j Down", NULL, "the next row", down, NULL },
	{ "up", "k Up", NULL, "the row above", up, NULL },
	{ "next-event", ".", NULL, "the next event of the row", next_event, "event" },
	{ "previous-event", ",", NULL, "the event before it", previous_event, NULL },
	{ "wait", "w", NULL, "the longest wait of the selected task in the window", wait, "wait" },
	{ "any-wait", "W", NULL, "the longest wait of all", any_wait, "longest" },
	{ "events", "Enter", NULL, "the events at the cursor", to_events, "events" },
	VIEW_COMMANDS_END
};

/* ---- drawing ---- */

static uint32_t hue_of(int pid)
{
	return STYLE_HUE + ((uint32_t)pid * 2654435761u >> 16) % STYLE_HUES;
}

static void draw_cell(struct area a, int row, int col, const struct kt_timeline_row *r,
		      const struct kt_timeline_cell *c)
{
	if (c->lost)
		area_char(a, row, col, STYLE_LOST, '!');
	else if (c->irq > 127 || (c->irq && c->state == KT_TIMELINE_UNKNOWN))
		area_char(a, row, col, STYLE_IRQ, 0x259a);
	else if (c->state == KT_TIMELINE_RUN)
		area_char(a, row, col, r->is_cpu ? hue_of(c->pid) : STYLE_RUN, 0x2588);
	else if (c->state == KT_TIMELINE_WAIT)
		area_char(a, row, col, STYLE_WAIT, 0x2592);
	else if (c->state == KT_TIMELINE_IDLE)
		area_char(a, row, col, STYLE_BLOCKED, r->is_cpu ? 0x2591 : 0x2581);
	else if (c->events)
		area_char(a, row, col, STYLE_DIM, 0xb7);
}

/* The task's name where it has enough columns in a row */
static void draw_names(const struct view *v, struct area a, int row, const struct kt_timeline_row *r,
		       int cols)
{
	int from, to;
	char name[40];

	for (from = 0; from < cols; from = to) {
		const struct kt_timeline_cell *c = &r->cells[from];

		for (to = from + 1; to < cols && r->cells[to].state == c->state &&
				    r->cells[to].pid == c->pid; to++)
			;
		if (c->state != KT_TIMELINE_RUN || c->pid == 0)
			continue;
		name_task(v, r->file, c->pid, name, sizeof(name));
		if (text_width(name) + 4 <= to - from)
			area_put(a, row, from + 1, STYLE_STRONG, name, to - from - 2);
	}
}

static void draw_row(const struct view *v, struct area a, int row, const struct kt_timeline_row *r)
{
	const struct state *st = v->state;
	struct area picture = area_part(a, 0, LABEL, a.rows, a.cols - LABEL);
	char name[40];
	int i, cols = st->columns < picture.cols ? st->columns : picture.cols;

	if (r->is_cpu)
		snprintf(name, sizeof(name), "CPU %d", r->cpu);
	else
		name_task(v, r->file, r->pid, name, sizeof(name));
	area_put(a, row, 1, r->is_cpu ? STYLE_STRONG : STYLE_TASK, name, LABEL - 2);
	for (i = 0; i < cols; i++)
		draw_cell(picture, row, i, r, &r->cells[i]);
	if (r->is_cpu)
		draw_names(v, picture, row, r, cols);
}

static int column_at(const struct view *v, uint64_t ts)
{
	const struct state *st = v->state;

	return ts < st->window.from || ts > st->window.until ? -1 :
	       (int)((ts - st->window.from) / column_ns(v));
}

static void draw_ruler(const struct view *v, struct area a)
{
	const struct state *st = v->state;
	struct area picture = area_part(a, 0, LABEL, 1, a.cols - LABEL);
	char text[48];
	int col;

	for (col = 0; col + 16 < picture.cols; col += 20) {
		uint64_t ts = st->window.from + (uint64_t)col * column_ns(v);
		int digits = column_ns(v) >= 1000 ? 6 : 9;

		area_char(picture, 0, col, STYLE_DIM, 0x2502);
		snprintf(text, sizeof(text), "%" PRIu64 ".%0*" PRIu64, ts / 1000000000, digits,
			 ts % 1000000000 / (digits == 6 ? 1000 : 1));
		area_put(picture, 0, col + 1, STYLE_TIME, text, -1);
	}
}

static void draw_moments(const struct view *v, struct area a)
{
	struct area line = area_part(a, a.rows - 1, LABEL, 1, a.cols - LABEL);
	struct kt_mark m;
	size_t i;
	int col = column_at(v, cursor_ts(v));

	if (col >= 0)
		area_char(line, 0, col, STYLE_STRONG, 0x25b2);
	for (i = 0; kt_model_mark(v->model, i, &m); i++) {
		col = column_at(v, m.spot.ts);
		if (col >= 0)
			area_char(line, 0, col, STYLE_MARK, (uint32_t)*m.name);
	}
}

static void draw(const struct view *v, struct area a)
{
	const struct state *st = v->state;
	struct kt_timeline_row r;
	int row, cursor = column_at(v, cursor_ts(v)), cpus = nr_cpus(v);

	draw_ruler(v, a);
	for (row = 0; row < a.rows - 2; row++) {
		int i = row < cpus ? row : st->top + row;

		if (!kt_timeline_row(st->timeline, (size_t)i, &r))
			break;
		draw_row(v, a, row + 1, &r);
		if (i == st->selected) {
			area_select(area_part(a, row + 1, 0, 1, LABEL), 0);
			area_cursor(a, row + 1, cursor >= 0 ? LABEL + cursor : 0);
		}
	}
	if (!kt_timeline_nr(st->timeline))
		area_putf(a, 2, 2, STYLE_PROGRESS, "reading … %d%%",
			  (int)(100 * kt_timeline_done(st->timeline)));
	draw_moments(v, a);
}

static void status(const struct view *v, struct str *out)
{
	const struct state *st = v->state;
	char column[32];

	if (st->text)
		str_addf(out, "%s   ", st->text);
	units_format_time(column_ns(v), column);
	str_addf(out, "1 column = %s%s", column,
		 kt_timeline_is_sampled(st->timeline) ? ", sampled" : "");
}

/* ---- the rest ---- */

static void prepare(struct view *v)
{
	struct state *st = v->state;

	if (st->columns != picture_cols(v)) {
		st->columns = picture_cols(v);
		kt_timeline_set(st->timeline, &st->window, (size_t)st->columns, NULL);
		st->found = false;
		/* What is quick is there with the first picture. */
		kt_timeline_work(st->timeline, 25);
	}
	select_again(v);
}

static bool work(struct view *v, unsigned int budget_ms)
{
	struct state *st = v->state;

	prepare(v);
	return kt_timeline_work(st->timeline, budget_ms);
}

static void follow(struct view *v)
{
	show_moment(v, cursor_ts(v) ? cursor_ts(v) : v->app->span.from);
}

static bool window(const struct view *v, struct kt_window *w)
{
	*w = ((const struct state *)v->state)->window;
	return true;
}

static void mouse(struct view *v, int key, int row, int col)
{
	struct state *st = v->state;

	if (key == TK_WHEEL_UP || key == TK_WHEEL_DOWN) {
		zoom(v, key == TK_WHEEL_UP ? 0.5 : 2);
	} else if (key == TK_CLICK && col >= LABEL) {
		set_cursor(v, st->window.from + (uint64_t)(col - LABEL) * column_ns(v), false);
		select_row(v, st->top + row - 1);
	}
}

static int open_view(struct view *v, struct kt_err *err)
{
	struct state *st = v->state;

	st->window = v->app->span;
	if (st->window.from > st->window.until)
		st->window = (struct kt_window){ 0, 0 };
	st->timeline = kt_timeline_create(v->model, err);
	st->reader = kt_reader_create(kt_model_trace(v->model), kt_model_index(v->model), err);
	return st->timeline && st->reader ? 0 : -ENOMEM;
}

static void close_view(struct view *v)
{
	struct state *st = v->state;

	kt_timeline_destroy(st->timeline);
	kt_reader_destroy(st->reader);
	free(st->text);
}

const struct view_ops timeline_view = {
	.name       = "timeline",
	.purpose    = "who had the CPU, who waited?",
	.commands   = commands,
	.state_size = sizeof(struct state),
	.open = open_view, .close = close_view, .follow = follow, .prepare = prepare, .work = work,
	.draw = draw, .window = window, .status = status, .mouse = mouse,
};
