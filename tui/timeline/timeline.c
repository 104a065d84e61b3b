/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeline.c - the view of time: who had the CPU, who waited? */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/views.h>

#include "base/units.h"
#include "timeline.h"

int timeline_label(const struct view *v)
{
	return v->cols < 120 ? 16 : 24;
}

int timeline_cols(const struct view *v)
{
	return v->cols > timeline_label(v) + 8 ? v->cols - timeline_label(v) : v->cols;
}

/* Until the cursor is moved, it is at the first event. */
uint64_t timeline_cursor(const struct view *v)
{
	uint64_t ts = kt_model_cursor(v->model).ts;

	return ts ? ts : v->app->span.from;
}

#define LEGEND_COLS 78			/* of a screen, minimum to explain the characters */
#define FIRST_MS    12			/* quick results are part of the next picture */

/* ---- the window ---- */

static struct timeline_scale scale_of(const struct view *v, const struct kt_window *w)
{
	uint64_t cols = (uint64_t)timeline_cols(v), span = timeline_span(w);
	int samples = span <= cols ? 1 : 2;

	return (struct timeline_scale){ w->from, (span - 1) / (cols * (unsigned int)samples) + 1,
					samples };
}

struct timeline_scale timeline_scale(const struct view *v)
{
	return scale_of(v, &((const struct timeline_state *)v->state)->window);
}

uint64_t timeline_column_ns(const struct view *v)
{
	struct timeline_scale s = timeline_scale(v);

	return s.step * (uint64_t)s.samples;
}

/* At least a nanosecond per column, and whole nanoseconds per sample */
void timeline_set_window(struct view *v, uint64_t from, uint64_t length)
{
	struct timeline_state *st = v->state;
	const struct kt_window *all = &v->app->span;
	uint64_t cols = (uint64_t)timeline_cols(v), samples = length <= cols ? cols : 2 * cols;

	length = length ? (length - 1) / samples * samples + samples : samples;
	if (length > timeline_span(all))
		length = timeline_span(all);
	if (from < all->from)
		from = all->from;
	if (from > all->until - length + 1)
		from = all->until - length + 1;
	if (st->window.from == from && st->window.until == from + length - 1)
		return;
	st->window = (struct kt_window){ from, from + length - 1 };
	st->columns = 0;
	st->found = false;
	free(st->text);
	st->text = NULL;
}

void timeline_zoom(struct view *v, double factor, uint64_t ts)
{
	struct timeline_state *st = v->state;
	uint64_t old = timeline_span(&st->window);
	double length = (double)old * factor, before;

	if (length > (double)timeline_span(&v->app->span))
		length = (double)timeline_span(&v->app->span);
	if (length < timeline_cols(v))
		length = timeline_cols(v);
	if (ts < st->window.from || ts > st->window.until)
		ts = st->window.from + old / 2;
	before = (double)(ts - st->window.from) * (length / (double)old);
	timeline_set_window(v, before > (double)ts ? 0 : ts - (uint64_t)before, (uint64_t)length);
}

static void pan(struct view *v, int direction)
{
	struct timeline_state *st = v->state;
	uint64_t step = timeline_span(&st->window) / 4 + 1, from = st->window.from;

	if (direction > 0)
		from += step;
	else
		from = from > step ? from - step : 0;
	timeline_set_window(v, from, timeline_span(&st->window));
}

/* ---- --live ---- */

static bool is_whole(const struct timeline_state *st)
{
	return st->window.from == st->all.from && st->window.until == st->all.until;
}

/* The same duration, up to the last event; the whole trace stays the whole trace */
static void refresh(struct view *v)
{
	struct timeline_state *st = v->state;
	uint64_t length = timeline_span(&st->window), end = v->app->span.until;

	struct timeline_scale s;

	st->next_window = v->app->span;
	if (!is_whole(st) && length < timeline_span(&v->app->span))
		st->next_window.from = end - length + 1;
	s = scale_of(v, &st->next_window);
	kt_timeline_set(st->next, &st->next_window, (size_t)(timeline_cols(v) * s.samples),
			KT_TIMELINE_QUICK, NULL);
	st->making = st->moves = true;
	st->refines = false;
}

static void show_moment(struct view *v, uint64_t ts)
{
	struct timeline_state *st = v->state;
	uint64_t half = timeline_span(&st->window) / 2;

	if (ts < st->window.from || ts > st->window.until)
		timeline_set_window(v, ts > half ? ts - half : 0, timeline_span(&st->window));
}

void timeline_set_cursor(struct view *v, uint64_t ts, bool jump)
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

COMMAND(zoom_in)  { UNUSED; timeline_zoom(v, 0.5, timeline_cursor(v)); return 0; }
COMMAND(zoom_out) { UNUSED; timeline_zoom(v, 2, timeline_cursor(v)); return 0; }
COMMAND(pan_left)  { UNUSED; pan(v, -1); return 0; }
COMMAND(pan_right) { UNUSED; pan(v, 1); return 0; }

COMMAND(whole)
{
	struct timeline_state *st = v->state;

	UNUSED;
	timeline_set_window(v, v->app->span.from, timeline_span(&v->app->span));
	st->all = st->window;
	return 0;
}

COMMAND(left)
{
	uint64_t ts = timeline_cursor(v), step = timeline_column_ns(v);

	UNUSED;
	timeline_set_cursor(v, ts > step ? ts - step : 0, false);
	return 0;
}

COMMAND(right)
{
	UNUSED;
	timeline_set_cursor(v, timeline_cursor(v) + timeline_column_ns(v), false);
	return 0;
}

COMMAND(down)
{
	UNUSED;
	timeline_select(v, ((struct timeline_state *)v->state)->selected + 1);
	return 0;
}
COMMAND(up)
{
	UNUSED;
	timeline_select(v, ((struct timeline_state *)v->state)->selected - 1);
	return 0;
}

/* The next event of the row, or the one before */
static int step_event(struct view *v, int direction, struct kt_err *err)
{
	struct timeline_state *st = v->state;
	struct kt_trace *t = kt_model_trace(v->model);
	struct kt_spot spot = kt_model_cursor(v->model);
	struct kt_timeline_row row;
	struct kt_record rec;
	bool known = timeline_row(st, st->selected, &row);
	int ret = kt_reader_seek(st->reader, direction > 0 ? spot.ts + 1 : spot.ts, err),
	    left = 200000;

	while (ret >= 0 && left-- > 0) {
		const struct kt_event *ev;

		ret = direction > 0 ? kt_reader_next(st->reader, &rec, err)
				    : kt_reader_prev(st->reader, &rec, err);
		if (ret <= 0)
			break;
		ev = kt_trace_event(t, &rec);
		if (!known ||
		    (row.is_cpu ? kt_trace_source(t, &rec)->cpu == row.cpu
				: ev && kt_record_pid(ev->events, &rec) == row.pid)) {
			timeline_set_cursor(v, rec.ts, false);
			return 0;
		}
	}
	return ret < 0 ? ret : kt_err_set(err, -ENOENT, "no event of this row %s",
					  direction > 0 ? "after this" : "before this");
}

COMMAND(next_event)     { (void)arg; return step_event(v, 1, err); }
COMMAND(previous_event) { (void)arg; return step_event(v, -1, err); }

void timeline_name_task(const struct view *v, size_t file, int pid, char *text, size_t size)
{
	const char *comm = kt_trace_comm_known(kt_model_trace(v->model), file, pid);

	if (pid == 0)
		snprintf(text, size, "<idle>");
	else
		snprintf(text, size, "%s:%d", comm ? comm : "<...>", pid);
}

void timeline_name_row(const struct view *v, const struct kt_timeline_row *r, char *text,
		       size_t size)
{
	char buf[16], task[40];
	const char *file = app_file_prefix(v->app, r->file, buf);

	if (r->is_cpu) {
		snprintf(text, size, "CPU %s%d", file, r->cpu);
		return;
	}
	timeline_name_task(v, r->file, r->pid, task, sizeof(task));
	snprintf(text, size, "%s%s", file, task);
}

static const char *why_no_wait(const struct timeline_state *st)
{
	if (st->refines)
		return "the waits are not known yet: the window is still being read";
	if (kt_timeline_is_sampled(st->timeline))
		return "the window is too long to know each wait: zoom in, or use the latencies";
	return "no task waited here";
}

/* The longest wait of the selected task, or of all */
static int longest_wait(struct view *v, bool of_all, struct kt_err *err)
{
	struct timeline_state *st = v->state;
	struct kt_timeline_row row;
	struct kt_timeline_wait w;
	char waiter[40], holder[40], length[32];
	uint64_t half;
	bool known = timeline_row(st, st->selected, &row) && !row.is_cpu;

	if (!kt_timeline_longest_wait(st->timeline, known && !of_all ? row.pid : -1, &w))
		return kt_err_set(err, -ENOENT, "%s", why_no_wait(st));
	timeline_name_task(v, w.file, w.pid, waiter, sizeof(waiter));
	timeline_name_task(v, w.file, w.holder, holder, sizeof(holder));
	units_format_time(w.until - w.from, length);
	half = (w.until - w.from) / 2;
	kt_model_note_jump(v->model);
	timeline_set_window(v, w.from > half ? w.from - half : 0, 4 * half);
	timeline_set_cursor(v, w.from, false);
	st->interval = (struct kt_window){ w.from, w.until };
	free(st->text);
	st->chosen = (struct timeline_id){ .id = w.pid, .file = w.file };
	st->found = false;
	if (asprintf(&st->text, "%s waits %s: CPU %d had %s", waiter, length, w.cpu, holder) < 0)
		st->text = NULL;
	return 0;
}

COMMAND(wait)     { (void)arg; return longest_wait(v, false, err); }
COMMAND(any_wait) { (void)arg; return longest_wait(v, true, err); }

COMMAND(next_lost)     { UNUSED; app_search_for_lost(v->app, 1); return 0; }
COMMAND(previous_lost) { UNUSED; app_search_for_lost(v->app, -1); return 0; }

COMMAND(to_events) { (void)arg; return app_show(v->app, "events", err); }

static const struct view_command commands[] = {
	{ "zoom-in", "+ =", NULL, "show half as much time", zoom_in, "zoom" },
	{ "zoom-out", "-", NULL, "show twice as much time", zoom_out, "out" },
	{ "whole", "0", NULL, "show the whole trace", whole, "all" },
	{ "left", "h Left", NULL, "move the cursor a column left", left, NULL },
	{ "right", "l Right", NULL, "move the cursor a column right", right, NULL },
	{ "pan-left", "S-Left [", NULL, "move the window back by a quarter", pan_left, NULL },
	{ "pan-right", "S-Right ]", NULL, "move the window on by a quarter", pan_right, "pan" },
	{ "down", "j Down", NULL, "the next row", down, NULL },
	{ "up", "k Up", NULL, "the row above", up, NULL },
	{ "next-event", ".", NULL, "the next event of the row", next_event, "event" },
	{ "previous-event", ",", NULL, "the previous event of the row", previous_event, NULL },
	{ "wait", "w", NULL, "the longest wait of the selected task in the window", wait, "wait" },
	{ "any-wait", "W", NULL, "the longest wait of all tasks", any_wait, "longest" },
	{ "why", "Q", NULL, "explain the state at the cursor: why so long?", explain, "why" },
	{ "next-lost", "L", NULL, "the next place where events were lost", next_lost, NULL },
	{ "previous-lost", "K", NULL, "the previous place where events were lost",
	  previous_lost, NULL },
	{ "events", "Enter", NULL, "the events at the cursor", to_events, "events" },
	{ "fold", "Space", NULL, "show or hide the calls of the row", timeline_fold, "calls" },
	{ "calls", "C", NULL, "show calls below CPUs, all rows, or none", timeline_next_calls,
	  NULL },
	{ "pin", "p", NULL, "pin the row at the top, or unpin it", timeline_pin, "pin" },
	{ "hide-row", "d", NULL, "hide the row", timeline_hide, NULL },
	{ "all-rows", "D", NULL, "show all rows again", timeline_show_all, NULL },
	{ "fold-cpus", "c", NULL, "show or hide the rows of CPUs", timeline_fold_cpus, NULL },
	{ "order", "o", NULL, "order tasks by time, name or pid", timeline_next_order, NULL },
	VIEW_COMMANDS_END
};

/* ---- the rest ---- */

/* "CPU 1: bash:195 runs, softirq", for the row and the moment of the cursor */
static void say_state(const struct view *v, struct str *out)
{
	static const char *const states[] = {
		[KT_TIMELINE_UNKNOWN] = "in an unknown state", [KT_TIMELINE_IDLE] = "sleeps",
		[KT_TIMELINE_RUN] = "runs", [KT_TIMELINE_WAIT] = "waits",
		[KT_TIMELINE_PREEMPTED] = "preempted", [KT_TIMELINE_BLOCKED] = "blocked",
		[KT_TIMELINE_ENDED] = "does not exist",
	};
	const struct kt_timeline_cell *c;
	struct kt_timeline_row r;
	char name[40];

	if (!timeline_row(v->state, ((struct timeline_state *)v->state)->selected, &r))
		return;
	c = timeline_cell_at(v, &r, timeline_cursor(v));
	timeline_name_row(v, &r, name, sizeof(name));
	str_add(out, name);
	if (c && r.is_cpu && c->state == KT_TIMELINE_RUN) {
		timeline_name_task(v, r.file, c->pid, name, sizeof(name));
		str_addf(out, ": %s runs", name);
	} else if (c) {
		str_addf(out, " %s", r.is_cpu && c->state == KT_TIMELINE_IDLE ? "idle"
									: states[c->state]);
	}
	if (c && c->irq)
		str_addf(out, ", %s", timeline_over_name(c));
	str_add(out, c && c->lost ? ", events lost   " : "   ");
}

static void status(const struct view *v, struct str *out)
{
	const struct timeline_state *st = v->state;
	char column[32];

	if (app_has_no_events(v->app))
		return;
	if (st->text)
		str_addf(out, "%s   ", st->text);
	else
		say_state(v, out);
	units_format_time(timeline_column_ns(v), column);
	str_addf(out, "1 column = %s%s%s", column,
		 kt_timeline_is_sampled(st->timeline) ? ", sampled" : "",
		 kt_timeline_is_partial(st->timeline) ? ", stopped" : "");
	if (kt_timeline_is_full(st->timeline))
		str_addf(out, ", only %zu rows", kt_timeline_nr(st->timeline));
	if (st->making && !st->moves)
		str_addf(out, "   reading … %d%%, Esc stops",
			 (int)(100 * kt_timeline_done(st->next)));
	else if (v->cols >= LEGEND_COLS && !st->text && timeline_lines(v) == v->rows - 2)
		str_add(out, "   █ runs ▒ waits ▓ preempted ▁ sleeps ▅ blocked");
}

static void swap_pictures(struct timeline_state *st)
{
	struct kt_timeline *old = st->timeline;

	st->timeline = st->next;
	st->next = old;
	if (st->moves && is_whole(st))
		st->all = st->next_window;
	if (st->moves)
		st->window = st->next_window;
	st->making = st->moves = st->refines = st->found = false;
}

static void make_some(struct view *v, unsigned int budget_ms)
{
	struct timeline_state *st = v->state;

	if (st->making && !kt_timeline_work(st->next, budget_ms))
		swap_pictures(st);
}

static void make(struct view *v, uint64_t most)
{
	struct timeline_state *st = v->state;
	int samples = timeline_scale(v).samples;

	kt_timeline_set(st->next, &st->window, (size_t)(st->columns * samples), most, NULL);
	st->making = true;
	st->moves = false;		/* the window or width has changed meanwhile */
}

/* Such a picture, stretched, shows more than a sampled one of the new window. */
static bool is_covered(const struct timeline_state *st)
{
	struct kt_window w;
	uint64_t width;

	kt_timeline_columns(st->timeline, &w, &width);
	return kt_timeline_nr(st->timeline) && !kt_timeline_is_sampled(st->timeline) &&
	       !kt_timeline_is_partial(st->timeline) && w.from <= st->window.from &&
	       w.until >= st->window.until;
}

static void prepare(struct view *v)
{
	struct timeline_state *st = v->state;

	if (st->columns != timeline_cols(v)) {
		st->columns = timeline_cols(v);
		st->refines = st->coarse = false;
		make(v, !v->app->live && is_covered(st) ? KT_TIMELINE_ALL : KT_TIMELINE_QUICK);
		make_some(v, FIRST_MS);
	}
	timeline_select_again(v);
}

/* A sampled picture comes first; then all is read in the background. */
static void refine(struct view *v)
{
	struct timeline_state *st = v->state;
	uint64_t most = v->app->live ? KT_TIMELINE_QUICK : KT_TIMELINE_ALL;

	if (st->making || st->coarse || !kt_timeline_is_sampled(st->timeline) ||
	    kt_timeline_needs_sample(st->timeline, most))
		return;
	make(v, most);
	st->refines = true;
}

static bool work(struct view *v, unsigned int budget_ms)
{
	struct timeline_state *st = v->state;

	prepare(v);
	make_some(v, budget_ms);
	refine(v);
	return st->making;
}

static bool stop(struct view *v)
{
	struct timeline_state *st = v->state;

	if (st->refines) {
		st->making = st->refines = false;
		st->coarse = true;
		app_say(v->app, "stopped: only the first events of each column were read");
		return true;
	}
	if (!st->making || !kt_timeline_stop(st->next))
		return false;
	swap_pictures(st);
	app_say(v->app, "stopped: this is the part read so far");
	return true;
}

/* A jump to a short interval zooms in until it can be seen. */
static void show_wanted(struct view *v)
{
	struct timeline_state *st = v->state;
	struct kt_window *w = &v->app->wanted;
	uint64_t length = w->until - w->from;

	if (w->until > w->from && length * 8 < timeline_span(&st->window))
		timeline_set_window(v, w->from > 2 * length ? w->from - 2 * length : 0, 5 * length);
	if (w->until > w->from)
		st->interval = *w;
	if (w->until > w->from && v->app->wanted_pid > 0) {
		st->chosen = (struct timeline_id){ false, v->app->wanted_pid, v->app->wanted_file };
		st->found = false;
	}
	*w = (struct kt_window){ 0, 0 };
}

static void follow(struct view *v)
{
	show_wanted(v);
	show_moment(v, timeline_cursor(v));
}

static bool window(const struct view *v, struct kt_window *w)
{
	*w = ((const struct timeline_state *)v->state)->window;
	return true;
}

static int open_view(struct view *v, struct kt_err *err)
{
	struct timeline_state *st = v->state;

	st->window = v->app->span;
	if (st->window.from > st->window.until)
		st->window = (struct kt_window){ 0, 0 };
	st->all = st->window;
	st->drag_from = st->drag_to = -1;
	st->timeline = kt_timeline_create(v->model, err);
	st->next = kt_timeline_create(v->model, err);
	st->reader = kt_reader_create(kt_model_trace(v->model), kt_model_index(v->model), err);
	return st->timeline && st->next && st->reader ? 0 : -ENOMEM;
}

static void selected_row(const struct view *v, struct view_row *row)
{
	const struct timeline_state *st = v->state;
	struct kt_timeline_row r;

	if (!timeline_row(st, st->selected, &r))
		return;
	if (r.is_cpu)
		row->cpu = r.cpu;
	else
		row->pid = r.pid;
}

/* The state of the task at the cursor; for a CPU, that of its running task */
static int span(struct view *v, struct view_span *s, struct kt_err *err)
{
	const struct timeline_state *st = v->state;
	const struct kt_timeline_cell *c;
	struct kt_timeline_row r;

	if (!timeline_row(st, st->selected, &r))
		return kt_err_set(err, -ENOENT, "no row is selected");
	*s = (struct view_span){ .file = r.file, .pid = r.pid, .from = timeline_cursor(v) };
	s->until = s->from;
	c = r.is_cpu ? timeline_cell_at(v, &r, s->from) : NULL;
	if (c)
		s->pid = c->state == KT_TIMELINE_RUN ? c->pid : 0;
	return s->pid > 0 ? 0 : kt_err_set(err, -ENOENT, "no task runs there: select a task");
}

static void close_view(struct view *v)
{
	struct timeline_state *st = v->state;

	kt_timeline_destroy(st->timeline);
	kt_timeline_destroy(st->next);
	kt_reader_destroy(st->reader);
	free(st->rows);
	free(st->text);
}

const struct view_ops timeline_view = {
	.name       = "timeline",
	.purpose    = "who had the CPU, who waited?",
	.commands   = commands,
	.state_size = sizeof(struct timeline_state),
	.open = open_view, .close = close_view, .row = selected_row, .span = span, .follow = follow,
	.prepare = prepare, .work = work,
	.draw = timeline_draw, .used = timeline_used, .window = window, .status = status,
	.mouse = timeline_mouse, .centre = timeline_centre, .find = timeline_find, .stop = stop,
	.refresh = refresh,
};
