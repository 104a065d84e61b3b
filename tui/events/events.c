/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.c - the view of events: what happened around here? */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/model.h>

#include "base/clamp.h"
#include "base/moment.h"
#include "base/units.h"
#include "events.h"

/* The selected event is the cursor of all views. */
static void tell_cursor(struct view *v)
{
	struct events_state *st = v->state;

	st->untold = st->selected >= st->nr;
	if (!st->untold)
		app_set_cursor(v->app, &st->lines[st->selected].before, false);
}

/* A row of lost events cannot be selected. */
static void step_over_lost(struct events_state *st, int direction)
{
	if (st->selected < st->nr && !st->lines[st->selected].text)
		st->selected += direction;
	if (st->selected < 0)
		st->selected = 1;
}

/* ---- moving ---- */

static void move(struct view *v, int by)
{
	struct events_state *st = v->state;
	int last = events_rows(v) - 1;

	st->halted = false;
	st->owed = 0;
	if (by > 0 && st->climbs)
		st->pending = 0;
	events_read(v);
	st->selected += by;
	if (st->selected > last && !st->at_end)
		events_drop_first(st, st->selected - last);
	if (st->selected < 0) {
		st->climbs = true;
		st->pending += st->selected;
		st->selected = 0;
	} else if (st->selected >= st->nr) {
		st->owed = st->selected - (st->nr - 1);
		st->selected = st->nr ? st->nr - 1 : 0;
	}
	events_read(v);
	step_over_lost(st, by > 0 ? 1 : -1);
	tell_cursor(v);
}

/* The line of the first event that is not before @spot; st->nr: none */
static int line_at(const struct events_state *st, const struct kt_spot *spot)
{
	int i;

	for (i = 0; i < st->nr; i++)
		if (st->lines[i].before.ts > spot->ts ||
		    (st->lines[i].before.ts == spot->ts &&
		     st->lines[i].before.source >= spot->source &&
		     st->lines[i].before.pos >= spot->pos))
			break;
	return i;
}

/* @pending events above it have yet to be read */
static void stand_at(struct events_state *st, const struct kt_spot *spot, int pending)
{
	st->top = *spot;
	st->pending = -pending;
	st->selected = st->owed = 0;
	st->fresh = st->climbs = st->halted = st->untold = false;
}

/* Put @spot at the line @row of the screen, selected */
void events_show_at(struct view *v, const struct kt_spot *spot, int row)
{
	struct events_state *st = v->state;

	stand_at(st, spot, row);
	events_read(v);
	st->selected = clamp(line_at(st, spot), 0, st->nr ? st->nr - 1 : 0);
	step_over_lost(st, 1);
}

/* Called after the reader was moved */
static int moved(struct view *v, int ret, struct kt_err *err)
{
	struct events_state *st = v->state;
	struct kt_spot spot;

	if (ret < 0)
		return kt_err_set(err, ret, "%s", ret == -EAGAIN ? "the index is not ready yet" :
				  strerror(-ret));
	kt_reader_tell(st->reader, &spot);
	kt_model_note_jump(v->model);
	events_show_at(v, &spot, events_rows(v) / 3);
	tell_cursor(v);
	return 0;
}

#define COMMAND(name) static int name(struct view *v, const char *arg, struct kt_err *err)
#define UNUSED (void)v, (void)arg, (void)err

COMMAND(down)      { UNUSED; move(v, 1); return 0; }
COMMAND(up)        { UNUSED; move(v, -1); return 0; }
COMMAND(page_down) { UNUSED; move(v, events_rows(v) - 1); return 0; }
COMMAND(page_up)   { UNUSED; move(v, 1 - events_rows(v)); return 0; }

COMMAND(first)
{
	UNUSED;
	return moved(v, kt_reader_seek(((struct events_state *)v->state)->reader, 0, err), err);
}

/* The last event on the last line */
static void show_end(struct view *v)
{
	struct events_state *st = v->state;

	stand_at(st, &(struct kt_spot){ .ts = UINT64_MAX }, events_rows(v));
	events_read(v);
}

COMMAND(last)
{
	UNUSED;
	kt_model_note_jump(v->model);
	show_end(v);
	tell_cursor(v);
	return 0;
}

/* Lines keep their places, unless the last event was selected: then select the new last one. */
static void grown(struct view *v, bool follow)
{
	struct events_state *st = v->state;

	if (follow)
		show_end(v);
	else
		st->at_end = false;
}

/* "50%", a row "#1000" as the status line counts them, or a time in seconds */
static int go_to(struct app *app, const char *text, struct kt_err *err)
{
	struct view *v = app_view(app);
	struct events_state *st = v->state;
	size_t len = strlen(text);
	double percent;
	uint64_t value;
	char *end;

	if (!len)
		return 0;
	percent = strtod(text, &end);
	if (strcmp(end, "%") == 0 && percent >= 0 && percent <= 100)
		return moved(v, kt_reader_seek_percent(st->reader, percent, err), err);
	if (*text == '#' && units_parse_u64(text + 1, &value, NULL) == 0)
		return moved(v, kt_reader_seek_row(st->reader, value - !!value, err), err);
	if (units_parse_time(text, 1000000000, &value, NULL) < 0)
		return kt_err_set(err, -EINVAL, "'%s' is not a time, a percentage, or #ROW", text);
	/* A displayed time, rounded to microseconds, must lead to its event. */
	if (strcspn(text, ".") + 7 >= len)
		value -= value > 500 ? 500 : value;
	return moved(v, kt_reader_seek(st->reader, value, err), err);
}

COMMAND(go)
{
	if (arg)
		return go_to(v->app, arg, err);
	app_ask(v->app, "go to a time, 50%, or #row: ", "", go_to);
	return 0;
}

COMMAND(next_lost)     { (void)arg, (void)err; app_search_for_lost(v->app, 1); return 0; }
COMMAND(previous_lost) { (void)arg, (void)err; app_search_for_lost(v->app, -1); return 0; }

/* ---- what is shown ---- */

COMMAND(inspect)
{
	struct events_state *st = v->state;

	UNUSED;
	st->inspector.open = !st->inspector.open;
	events_read(v);
	return 0;
}

static int scroll_fields(struct view *v, int by, struct kt_err *err)
{
	struct events_state *st = v->state;

	if (!st->inspector.open)
		return kt_err_set(err, -ENOENT, "no fields are shown: Enter shows them");
	inspect_scroll(&st->inspector, by, inspect_rows(v->rows));
	return 0;
}

COMMAND(fields_down) { (void)arg; return scroll_fields(v, inspect_rows(v->rows) / 2, err); }
COMMAND(fields_up)   { (void)arg; return scroll_fields(v, -(inspect_rows(v->rows) / 2), err); }

static void redo(struct view *v)
{
	struct events_state *st = v->state;

	st->fresh = st->halted = false;
	events_read(v);
}

COMMAND(toggle_pretty)
{
	struct events_state *st = v->state;

	UNUSED;
	st->plain = !st->plain;
	redo(v);
	app_say(v->app,
		st->plain ? "texts of the formatters" : "richer texts, where plugins have some");
	return 0;
}

COMMAND(toggle_time)
{
	struct events_state *st = v->state;

	UNUSED;
	st->form = st->form == TIME_ABSOLUTE ? TIME_RELATIVE : TIME_ABSOLUTE;
	return 0;
}

COMMAND(toggle_nanoseconds)
{
	struct events_state *st = v->state;

	UNUSED;
	st->nanoseconds = !st->nanoseconds;
	return 0;
}

COMMAND(left)
{
	struct events_state *st = v->state;

	UNUSED;
	st->scrolled = st->scrolled > 8 ? st->scrolled - 8 : 0;
	return 0;
}

COMMAND(right)
{
	struct events_state *st = v->state;

	UNUSED;
	st->scrolled += st->scrolled < 64000 ? 8 : 0;
	return 0;
}

static const struct view_command commands[] = {
	{ "down", "j Down WheelDown", NULL, "the next event", down, NULL },
	{ "up", "k Up WheelUp", NULL, "the previous event", up, NULL },
	{ "page-down", "PgDn Space", NULL, "a screen down", page_down, NULL },
	{ "page-up", "PgUp b", NULL, "a screen up", page_up, NULL },
	{ "first", "g Home", NULL, "the beginning of the trace", first, NULL },
	{ "last", "G End", NULL, "the end of the trace", last, NULL },
	{ "go", "@", "<time>", "go to a time, a percentage of the trace, or #ROW", go, "go to" },
	{ "inspect", "Enter", NULL, "all fields of the selected event", inspect, "fields" },
	{ "why", "Q", NULL, "explain the wait, system call or state around it", explain, "why" },
	{ "fields-down", "]", NULL, "scroll the fields down", fields_down, NULL },
	{ "fields-up", "[", NULL, "scroll the fields up", fields_up, NULL },
	{ "next-lost", "L", NULL, "the next place where events were lost", next_lost, "lost" },
	{ "previous-lost", "K", NULL, "the previous place where events were lost",
	  previous_lost, NULL },
	{ "pretty", "p", NULL, "texts in words, on or off", toggle_pretty, NULL },
	{ "time", "r", NULL, "times since the beginning, or of the clock", toggle_time, NULL },
	{ "nanoseconds", ".", NULL, "nanoseconds on or off", toggle_nanoseconds, NULL },
	{ "columns", "c", "<columns>", "choose, order and size the columns",
	  columns_choose, NULL },
	{ "left", "h Left", NULL, "scroll to the left", left, NULL },
	{ "right", "l Right", NULL, "scroll to the right", right, NULL },
	VIEW_COMMANDS_END
};

/* ---- the rest of the view ---- */

static void prepare(struct view *v)
{
	struct events_state *st = v->state;

	events_read(v);
	/* The cursor has not been moved yet; --live moves it to the end when there are events. */
	if (!kt_model_cursor(v->model).ts && !v->app->live)
		tell_cursor(v);
	if (st->inspector.open && st->selected < st->nr)
		inspect_record(&st->inspector, v->model, st->single, &st->lines[st->selected].rec,
			       v->cols);
}

static bool work(struct view *v, unsigned int budget_ms)
{
	struct events_state *st = v->state;
	bool moves = st->untold || st->owed || (st->pending && st->climbs);

	if (!events_are_missing(v))
		return events_search_goes_on(v, budget_ms);
	events_read(v);
	if (moves)
		tell_cursor(v);
	return true;
}

/* An event that is on the screen is selected without scrolling. */
static void show(struct view *v, const struct kt_spot *spot)
{
	struct events_state *st = v->state;
	int i = line_at(st, spot);

	if (st->fresh && st->generation == v->generation && i > 0 && i < st->nr &&
	    i < events_rows(v)) {
		st->selected = i;
		st->owed = 0;
		st->pending = st->climbs ? 0 : st->pending;
		st->untold = false;
		step_over_lost(st, 1);
		return;
	}
	st->generation = v->generation;
	kt_model_choose(v->model, st->reader, NULL);
	kt_model_choose(v->model, st->above, NULL);
	events_show_at(v, spot, events_rows(v) / 3);
}

static void follow(struct view *v)
{
	struct kt_spot cursor = kt_model_cursor(v->model);

	show(v, &cursor);
}

static bool stop(struct view *v)
{
	struct kt_search *s = kt_model_searching(v->model);
	struct events_state *st = v->state;
	struct kt_search_progress p;

	if (events_are_missing(v)) {
		st->halted = true;
		st->pending = st->owed = 0;
		events_select_line(st);
		app_say(v->app, "stopped: the next move reads on");
		return true;
	}
	if (!s)
		return false;
	kt_search_progress(s, &p);
	if (p.done)
		return false;
	kt_search_stop(s);
	app_say(v->app, "the search is stopped");
	return true;
}

static bool window(const struct view *v, struct kt_window *w)
{
	const struct events_state *st = v->state;

	if (!st->nr)
		return false;
	*w = (struct kt_window){ st->lines[0].rec.ts, st->lines[st->nr - 1].rec.ts };
	return true;
}

static void yank(struct view *v, struct str *out)
{
	struct events_state *st = v->state;

	if (st->selected < st->nr && st->lines[st->selected].text)
		str_addf(out, "%s\n", st->lines[st->selected].text);
}

static void status(const struct view *v, struct str *out)
{
	struct events_state *st = v->state;
	uint64_t row, nr;

	if (events_are_missing(v)) {
		events_tell_progress(v, out);
		return;
	}
	if (st->selected >= st->nr ||
	    kt_reader_go(st->single, &st->lines[st->selected].before, NULL) < 0)
		return;
	if (kt_reader_row(st->single, &row, NULL) == 0 &&
	    kt_reader_nr_rows(st->single, &nr, NULL) == 0)
		str_addf(out, "event %" PRIu64 " of %" PRIu64, row + 1, nr);
	events_search_status(v, out);
	events_tell_rest(v, out);
}

/* The column whose head or right border is at @col; -1: none */
static int column_at(const struct view *v, int col, bool *border)
{
	const struct event_columns *c = &v->app->columns;
	struct events_layout l;
	int i;

	events_layout(v, &l);
	for (i = 0; i < c->nr; i++)
		if (l.width[i] && col >= l.at[i] && col <= l.at[i] + l.width[i]) {
			*border = col == l.at[i] + l.width[i];
			return i;
		}
	return -1;
}

/* Dragging a border changes the width; dragging a head moves the column. */
static void mouse_on_head(struct view *v, int key, int col)
{
	struct events_state *st = v->state;
	struct event_columns *c = &v->app->columns;
	struct events_layout l;
	bool border;
	int to;

	if (key == TK_CLICK) {
		st->held = column_at(v, col, &st->holds_border);
	} else if (st->held >= 0 && st->held < c->nr) {
		events_layout(v, &l);
		to = column_at(v, col, &border);
		if (st->holds_border)
			event_column_set_width(&c->at[st->held], col - l.at[st->held]);
		else if (key == TK_RELEASE && to >= 0)
			event_columns_move(c, st->held, to);
		v->app->columns_chosen |= st->holds_border || (to >= 0 && to != st->held);
	}
	if (key == TK_RELEASE)
		st->held = -1;
}

static void mouse(struct view *v, int key, int row, int col)
{
	struct events_state *st = v->state;

	if (key == TK_WHEEL_UP || key == TK_WHEEL_DOWN) {
		move(v, key == TK_WHEEL_UP ? -3 : 3);
	} else if ((row == 0 && key == TK_CLICK) || st->held >= 0) {
		mouse_on_head(v, key, col);
	} else if ((key == TK_CLICK || key == TK_DOUBLE_CLICK) && row >= 1 && row - 1 < st->nr) {
		st->selected = row - 1;
		step_over_lost(st, 1);
		tell_cursor(v);
		if (key == TK_DOUBLE_CLICK)
			inspect(v, NULL, NULL);
	}
}

static int open_view(struct view *v, struct kt_err *err)
{
	struct events_state *st = v->state;

	st->held = -1;
	st->out = kt_out_create();
	st->reader = kt_model_reader(v->model, err);
	st->above = st->reader ? kt_model_reader(v->model, err) : NULL;
	st->finder = st->above ? kt_model_reader(v->model, err) : NULL;
	st->single = st->finder ? kt_model_reader(v->model, err) : NULL;
	if (!st->out || !st->single)
		return kt_err_no_memory(err);
	kt_reader_set_stop(st->reader, app_is_late, v->app);
	kt_reader_set_stop(st->above, app_is_late, v->app);
	kt_reader_set_stop(st->finder, app_is_late, v->app);
	return inspect_init(&st->inspector);
}

static void close_view(struct view *v)
{
	struct events_state *st = v->state;

	events_clear_lines(st);
	free(st->lines);
	inspect_fini(&st->inspector);
	kt_reader_destroy(st->reader);
	kt_reader_destroy(st->above);
	kt_reader_destroy(st->finder);
	kt_reader_destroy(st->single);
	kt_out_destroy(st->out);
}

const struct view_ops events_view = {
	.name       = "events",
	.purpose    = "what happened around here?",
	.commands   = commands,
	.state_size = sizeof(struct events_state),
	.open = open_view, .close = close_view, .follow = follow, .show = show, .prepare = prepare,
	.work = work,
	.draw = events_draw, .window = window, .find = events_find, .stop = stop,
	.span = events_span, .yank = yank,
	.status = status, .mouse = mouse, .grown = grown,
};
