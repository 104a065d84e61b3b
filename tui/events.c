/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.c - the view of events: what happened around here? */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/model.h>

#include "base/moment.h"
#include "events.h"

void events_tell_cursor(struct view *v, bool jump)
{
	struct events_state *st = v->state;

	if (st->selected < st->nr)
		app_set_cursor(v->app, &st->lines[st->selected].before, jump);
}

/* A row of lost events is told, not selected. */
static void step_over_lost(struct events_state *st, int direction)
{
	if (st->selected < st->nr && !st->lines[st->selected].text)
		st->selected += direction;
	if (st->selected < 0)
		st->selected = 1;
}

/* ---- moving ---- */

/* By @st->pending rows, as far as time allows: true when there is more to do */
static bool scroll_some(struct view *v)
{
	struct events_state *st = v->state;
	struct kt_record rec;
	int ret = 1;

	st->deadline = moment_ms() + EVENTS_READ_MS;
	if (kt_reader_go(st->reader, &st->top, NULL) < 0) {
		st->pending = 0;
		return false;
	}
	while (st->pending && ret > 0) {
		ret = st->pending > 0 ? kt_reader_next(st->reader, &rec, NULL)
				      : kt_reader_prev(st->reader, &rec, NULL);
		if (ret > 0)
			st->pending -= st->pending > 0 ? 1 : -1;
	}
	if (ret != -EINTR)
		st->pending = 0;
	kt_reader_tell(st->reader, &st->top);
	st->fresh = false;
	return st->pending;
}

static void scroll(struct view *v, long by)
{
	((struct events_state *)v->state)->pending += by;
	scroll_some(v);
	events_fill(v);
}

static void move(struct view *v, long by)
{
	struct events_state *st = v->state;
	long to = st->selected + by, last = st->nr - 1;

	st->to_end = false;
	events_fill(v);
	if (to > last && !st->at_end)
		scroll(v, to - last);
	else if (to < 0)
		scroll(v, to);
	st->selected = (int)(to < 0 ? 0 : to >= st->nr ? st->nr - 1 : to);
	if (st->selected < 0)
		st->selected = 0;
	step_over_lost(st, by > 0 ? 1 : -1);
	events_tell_cursor(v, false);
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

/* @spot to the line @row of the screen, and selected */
void events_show_at(struct view *v, const struct kt_spot *spot, int row)
{
	struct events_state *st = v->state;
	int i;

	st->top = *spot;
	st->fresh = st->to_end = false;
	st->pending = -row;
	scroll_some(v);
	events_fill(v);
	i = line_at(st, spot);
	st->selected = i < st->nr ? i : st->nr ? st->nr - 1 : 0;
	step_over_lost(st, 1);
}

/* After a call that moved the reader */
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
	events_tell_cursor(v, false);
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
static int show_end(struct view *v, struct kt_err *err)
{
	struct events_state *st = v->state;
	int ret = kt_reader_seek(st->reader, UINT64_MAX, err), left = events_rows(v);

	if (ret < 0)
		return ret;
	kt_reader_tell(st->reader, &st->top);
	st->fresh = false;
	st->to_end = true;
	st->pending = 0;
	scroll(v, 1 - left);
	/* Rows that tell of lost events take room, too. */
	while (!st->pending && !st->at_end && left-- > 0)
		scroll(v, 1);
	return 0;
}

COMMAND(last)
{
	int ret;

	(void)arg;
	kt_model_note_jump(v->model);
	ret = show_end(v, err);
	if (ret == 0)
		events_tell_cursor(v, false);
	return ret;
}

/* Lines stay where they are, unless the last event was selected: then it is the new one. */
static void grown(struct view *v, bool follow)
{
	struct events_state *st = v->state;

	if (follow)
		show_end(v, NULL);
	else
		st->at_end = false;
}

/* "50%", a row "#1000", or a time in seconds */
static int go_to(struct app *app, const char *text, struct kt_err *err)
{
	struct view *v = app_view(app);
	struct events_state *st = v->state;
	char *end;
	double number = strtod(text + (*text == '#'), &end);

	if (!*text)
		return 0;
	if (end == text + (*text == '#') || number < 0)
		return kt_err_set(err, -EINVAL, "'%s' is not a time, a percentage, or #ROW", text);
	if (*end == '%')
		return moved(v, kt_reader_seek_percent(st->reader, number, err), err);
	if (*text == '#')
		return moved(v, kt_reader_seek_row(st->reader, (uint64_t)number, err), err);
	return moved(v, kt_reader_seek(st->reader, (uint64_t)(number * 1e9), err), err);
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
	if (st->inspector.open && st->selected >= events_rows(v))
		scroll(v, st->selected - events_rows(v) + 1);
	if (st->selected >= events_rows(v))
		st->selected = events_rows(v) - 1;
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
	((struct events_state *)v->state)->fresh = false;
	events_fill(v);
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
	{ "up", "k Up WheelUp", NULL, "the event before", up, NULL },
	{ "page-down", "PgDn Space", NULL, "a screen on", page_down, NULL },
	{ "page-up", "PgUp b", NULL, "a screen back", page_up, NULL },
	{ "first", "g Home", NULL, "the beginning of the trace", first, NULL },
	{ "last", "G End", NULL, "its end", last, NULL },
	{ "go", "@", "<time>", "go to a time, a percentage of the trace, or #ROW", go, "go to" },
	{ "inspect", "Enter", NULL, "all fields of the selected event", inspect, "fields" },
	{ "fields-down", "]", NULL, "of these, the lines below", fields_down, NULL },
	{ "fields-up", "[", NULL, "the lines above", fields_up, NULL },
	{ "next-lost", "L", NULL, "the next place where events were lost", next_lost, "lost" },
	{ "previous-lost", "K", NULL, "the one before", previous_lost, NULL },
	{ "pretty", "p", NULL, "richer texts on or off", toggle_pretty, NULL },
	{ "time", "r", NULL, "times since the beginning, or of the clock", toggle_time, NULL },
	{ "nanoseconds", ".", NULL, "nanoseconds on or off", toggle_nanoseconds, NULL },
	{ "columns", "c", "<columns>", "choose, order and size the columns: in a list, or by name",
	  columns_choose, NULL },
	{ "left", "h Left", NULL, "show what is to the left", left, NULL },
	{ "right", "l Right", NULL, "show what is to the right", right, NULL },
	VIEW_COMMANDS_END
};

/* ---- the rest of the view ---- */

static void prepare(struct view *v)
{
	struct events_state *st = v->state;

	events_fill(v);
	if (!kt_model_cursor(v->model).ts)
		events_tell_cursor(v, false);		/* nobody has been anywhere yet */
	if (st->inspector.open && st->selected < st->nr)
		inspect_record(&st->inspector, v->model, st->single, &st->lines[st->selected].rec);
}

static bool work(struct view *v, unsigned int budget_ms)
{
	struct events_state *st = v->state;

	if (st->pending)
		scroll_some(v);
	events_fill(v);
	if (st->pending || (st->nr < events_rows(v) && !st->at_end))
		return true;
	return events_search_goes_on(v, budget_ms);
}

/* A moment that is on the screen is selected there: nothing moves. */
static void follow(struct view *v)
{
	struct events_state *st = v->state;
	struct kt_spot spot = kt_model_cursor(v->model);
	int i = line_at(st, &spot);

	if (st->fresh && st->generation == v->generation && i > 0 && i < st->nr &&
	    i < events_rows(v)) {
		st->selected = i;
		step_over_lost(st, 1);
		return;
	}
	st->generation = v->generation;
	kt_model_choose(v->model, st->reader, NULL);
	events_show_at(v, &spot, events_rows(v) / 3);
}

static bool stop(struct view *v)
{
	struct kt_search *s = kt_model_searching(v->model);
	struct kt_search_progress p;

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

	if (st->selected >= st->nr ||
	    kt_reader_go(st->single, &st->lines[st->selected].before, NULL) < 0)
		return;
	if (kt_reader_row(st->single, &row, NULL) == 0 &&
	    kt_reader_nr_rows(st->single, &nr, NULL) == 0)
		str_addf(out, "event %" PRIu64 " of %" PRIu64, row + 1, nr);
	events_search_status(v, out);
}

/* The column whose head or right border is at @col; -1: none */
static int column_at(const struct view *v, int col, bool *border)
{
	const struct event_columns *c = &v->app->columns;
	struct events_layout l;
	int i;

	events_layout(v, &l);
	for (i = 0; i < c->nr; i++)
		if (col >= l.at[i] && col <= l.at[i] + l.width[i]) {
			*border = col == l.at[i] + l.width[i];
			return i;
		}
	return -1;
}

/* A border is dragged to another width, a head to another place. */
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
		events_tell_cursor(v, false);
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
	st->finder = st->reader ? kt_model_reader(v->model, err) : NULL;
	st->single = st->finder ? kt_model_reader(v->model, err) : NULL;
	if (!st->out || !st->single)
		return kt_err_set(err, -ENOMEM, "out of memory");
	kt_reader_set_stop(st->reader, events_is_late, st);
	kt_reader_set_stop(st->finder, events_is_late, st);
	return inspect_init(&st->inspector);
}

static void close_view(struct view *v)
{
	struct events_state *st = v->state;

	events_clear_lines(st);
	free(st->lines);
	inspect_fini(&st->inspector);
	kt_reader_destroy(st->reader);
	kt_reader_destroy(st->finder);
	kt_reader_destroy(st->single);
	kt_out_destroy(st->out);
}

const struct view_ops events_view = {
	.name       = "events",
	.purpose    = "what happened around here?",
	.commands   = commands,
	.state_size = sizeof(struct events_state),
	.open = open_view, .close = close_view, .follow = follow, .prepare = prepare, .work = work,
	.draw = events_draw, .window = window, .find = events_find, .stop = stop, .yank = yank,
	.status = status, .mouse = mouse, .grown = grown,
};
