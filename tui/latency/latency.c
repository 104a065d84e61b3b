/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latency.c - the view of latencies: how long does it take, and what are the outliers? */
#include "latency.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/units.h"

/*
 * The table gets the rows that it needs, and so do the levels, plus a line for their scales. If
 * both are too large, each gets half of the screen. The list gets at least a third of it.
 */
int latency_table_rows(const struct view *v)
{
	const struct latency_state *st = v->state;
	int rows = v->rows - 2, half = rows / 2, below = st->high - st->low + 2;

	if (below < rows / 3)
		below = rows / 3;
	if (below < half)
		half = rows - below;
	if (half > (int)st->nr && st->nr)
		half = (int)st->nr;
	return half > 1 ? half : 1;
}

static int list_rows(const struct view *v)
{
	int rows = v->rows - latency_table_rows(v) - 3;

	return rows > 1 ? rows : 1;
}

const struct latency_line *latency_selected(const struct view *v)
{
	const struct latency_state *st = v->state;

	return st->selected < (int)st->nr ? &st->lines[st->selected] : NULL;
}

void latency_name_task(const struct view *v, size_t file, int pid, char *text, size_t size)
{
	const char *comm = kt_trace_comm_known(kt_model_trace(v->model), file, pid);

	if (pid == 0)
		snprintf(text, size, "<idle>");
	else
		snprintf(text, size, "%s:%d", comm ? comm : "<...>", pid);
}

void latency_describe(const struct view *v, const struct kt_latency *one, struct str *out)
{
	const struct latency_state *st = v->state;
	char text[64];

	str_add(out, units_format_time(one->until - one->from, text));
	latency_name_task(v, one->file, st->kind <= KT_LATENCY_PREEMPTED ? one->holder : one->pid,
			  text, sizeof(text));
	if (one->cpu >= 0)
		str_addf(out,
			 st->kind <= KT_LATENCY_PREEMPTED ? ": CPU %d had %s" : " on CPU %d, %s",
			 one->cpu, text);
	else
		str_addf(out, ", %s", text);
}

/* ---- reading ---- */

int latency_begin(struct view *v, struct kt_err *err)
{
	struct latency_state *st = v->state;
	int ret;

	latency_forget_next(st);
	st->window = app_marked_window(v->app);
	st->generation = kt_model_generation(v->model);
	ret = kt_latencies_set(st->l, st->kind, st->pair, &st->window, err);
	if (ret < 0)
		return ret;
	st->started = true;
	st->shown = st->picked = false;
	st->selected = st->top = 0;
	st->focus = FOCUS_ROWS;
	st->nr = 0;
	return 0;
}

static bool is_reading(const struct latency_state *st)
{
	return kt_latencies_done(st->l) < 1;
}

/* ---- moving ---- */

/* The next level from @level on that is not empty, or -1 */
static int level_from(const struct view *v, int level, int direction)
{
	const struct latency_line *line = latency_selected(v);

	for (; line && level >= 0 && level < KT_LATENCY_LEVELS; level += direction)
		if (line->row.levels[level])
			return level;
	return -1;
}

static void move(struct view *v, int by)
{
	struct latency_state *st = v->state;
	int to, nr = (int)kt_latencies_nr_listed(st->l), rows = list_rows(v);

	if (st->show_text) {
		latency_text_select(v, (long)st->line + by);
		return;
	}
	if (st->focus == FOCUS_LEVELS) {
		to = level_from(v, st->level + (by > 0 ? -1 : 1), by > 0 ? -1 : 1);
		st->level = to >= 0 ? to : st->level;
	} else if (st->focus == FOCUS_LIST) {
		to = st->list_selected + by;
		st->list_selected = nr ? clamp(to, 0, nr - 1) : 0;
		if (st->list_selected < st->list_top)
			st->list_top = st->list_selected;
		if (st->list_selected >= st->list_top + rows)
			st->list_top = st->list_selected - rows + 1;
	} else if (st->nr) {
		to = st->selected + by;
		st->selected = clamp(to, 0, (int)st->nr - 1);
		st->picked = true;
		st->picked_id = st->lines[st->selected].id;
		latency_scroll(v);
	}
}

#define COMMAND(name) static int name(struct view *v, const char *arg, struct kt_err *err)
#define UNUSED (void)v, (void)arg, (void)err

COMMAND(down)      { UNUSED; move(v, 1); return 0; }
COMMAND(up)        { UNUSED; move(v, -1); return 0; }
COMMAND(page_down) { UNUSED; move(v, latency_table_rows(v)); return 0; }
COMMAND(page_up)   { UNUSED; move(v, -latency_table_rows(v)); return 0; }

/* ---- open a row, a level, a single latency ---- */

/* Does a task wait or run in latencies of this kind, not a CPU or a device? */
static bool is_of_task(enum kt_latency_kind kind)
{
	return kind <= KT_LATENCY_RUN || kind == KT_LATENCY_SYSCALL || kind == KT_LATENCY_CALL;
}

static int go_to(struct view *v, const struct kt_latency *one, const char *view, struct kt_err *err)
{
	const struct latency_state *st = v->state;
	/* The timeline shows the long state at its beginning. */
	const struct kt_spot begin = { .ts = one->from };
	struct str text = STR_INIT;
	int ret;

	latency_describe(v, one, &text);
	app_set_cursor(v->app, strcmp(view, "timeline") == 0 ? &begin : &one->spot, true);
	v->app->wanted = (struct kt_window){ one->from, one->until };
	v->app->wanted_pid = is_of_task(st->kind) ? one->pid : 0;
	v->app->wanted_file = one->file;
	ret = app_show(v->app, view, err);
	if (ret == 0)
		app_say(v->app, "%s", text.buf);
	str_fini(&text);
	return ret;
}

/* The longest one of the row, or the selected one of the list; NULL: none */
static const struct kt_latency *worst_or_listed(const struct view *v, bool listed)
{
	const struct latency_state *st = v->state;
	const struct latency_line *line = latency_selected(v);

	if (listed && st->focus == FOCUS_LIST)
		return kt_latencies_listed(st->l, (size_t)st->list_selected);
	return line && line->row.count ? &line->row.worst : NULL;
}

static int show(struct view *v, const char *view, bool listed, struct kt_err *err)
{
	const struct kt_latency *one = worst_or_listed(v, listed);

	return one ? go_to(v, one, view, err) : kt_err_set(err, -ENOENT, "nothing was measured");
}

COMMAND(worst)
{
	(void)arg;
	if (!((struct latency_state *)v->state)->show_text)
		return show(v, "timeline", false, err);
	latency_text_worst(v);
	return 0;
}

COMMAND(to_events) { (void)arg; return show(v, "events", true, err); }

COMMAND(enter)
{
	struct latency_state *st = v->state;
	const struct latency_line *line = latency_selected(v);
	int ret;

	(void)arg;
	if (st->show_text) {
		latency_text_select(v, (long)kt_latency_text_event(st->text, st->line, 1));
		return 0;
	}
	if (!line || !line->row.count)
		return kt_err_set(err, -ENOENT, "nothing was measured");
	if (st->focus == FOCUS_LIST)
		return show(v, "timeline", true, err);
	if (st->focus == FOCUS_ROWS) {
		st->focus = FOCUS_LEVELS;
		st->level = level_from(v, KT_LATENCY_LEVELS - 1, -1);
		return 0;
	}
	if (is_reading(st))
		return kt_err_set(err, -EAGAIN, "still reading: Esc stops it");
	ret = kt_latencies_list(st->l, line->id, (unsigned int)st->level, err);
	if (ret < 0)
		return ret;
	st->focus = FOCUS_LIST;
	st->list_selected = st->list_top = 0;
	return 0;
}

static bool step_back(struct latency_state *st)
{
	if (st->focus == FOCUS_ROWS)
		return false;
	st->focus--;
	return true;
}

COMMAND(back)
{
	UNUSED;
	step_back(v->state);
	return 0;
}

static bool stop(struct view *v)
{
	struct latency_state *st = v->state;

	if (kt_latencies_stop(st->l)) {
		app_say(v->app, "stopped: this is the part read so far");
		st->chosen = true;
		st->shown = false;
		return true;
	}
	return step_back(st);
}

/* ---- sorting ---- */

static int sort_by(struct view *v, int step)
{
	struct latency_state *st = v->state;

	st->sort = (enum latency_sort)(((int)st->sort + step + SORT_NR) % SORT_NR);
	st->reverse = false;
	latency_sort_lines(v);
	return 0;
}

COMMAND(sort_left)  { UNUSED; return sort_by(v, -1); }
COMMAND(sort_right) { UNUSED; return sort_by(v, 1); }

COMMAND(reverse)
{
	struct latency_state *st = v->state;

	UNUSED;
	st->reverse = !st->reverse;
	latency_sort_lines(v);
	return 0;
}

/* ---- kinds ---- */

static int next_kind(struct view *v, int step, struct kt_err *err)
{
	struct latency_state *st = v->state;
	int nr = st->pair ? KT_LATENCY_KINDS : KT_LATENCY_PAIR;

	return latency_choose(v, (enum kt_latency_kind)(((int)st->kind + nr + step) % nr), err);
}

COMMAND(kind_next)     { (void)arg; return next_kind(v, 1, err); }
COMMAND(kind_previous) { (void)arg; return next_kind(v, -1, err); }

#define KIND(name, kind) COMMAND(name) { (void)arg; return latency_choose(v, kind, err); }
KIND(wakeup, KT_LATENCY_WAKEUP)
KIND(preempted, KT_LATENCY_PREEMPTED)
KIND(blocked, KT_LATENCY_BLOCKED)
KIND(irq, KT_LATENCY_IRQ)
KIND(softirq, KT_LATENCY_SOFTIRQ)
KIND(syscall, KT_LATENCY_SYSCALL)
KIND(block_io, KT_LATENCY_BLOCK_IO)
KIND(calls, KT_LATENCY_CALL)
KIND(tracer, KT_LATENCY_TRACER)

COMMAND(report)
{
	struct latency_state *st = v->state;

	(void)arg;
	if (!st->text)
		return kt_err_set(err, -ENOENT, "this trace has no report of a latency tracer");
	st->show_text = !st->show_text;
	return 0;
}

static const struct view_command commands[] = {
	{ "down", "j Down WheelDown", NULL, "the next row", down, NULL },
	{ "up", "k Up WheelUp", NULL, "the row above", up, NULL },
	{ "page-down", "PgDn Space", NULL, "a screen down", page_down, NULL },
	{ "page-up", "PgUp", NULL, "a screen up", page_up, NULL },
	{ "enter", "Enter", NULL, "open: its buckets, then one bucket, then the timeline", enter,
	  "open" },
	{ "leave", "Backspace", NULL, "back to the buckets, or the rows", back, NULL },
	{ "worst", "W", NULL, "show the worst of the row in the timeline", worst, "worst" },
	{ "why", "Q", NULL, "explain it, or the worst: why did it take so long?", explain, "why" },
	{ "to-events", "v", NULL, "show it, or the worst, in the events", to_events,
	  NULL },
	{ "kind", "x", "<kind>", "choose a kind, from a list with counts",
	  latency_kind, "kinds" },
	{ "next-kind", "z", NULL, "the next kind of latency", kind_next, NULL },
	{ "previous-kind", "Z", NULL, "the previous kind of latency", kind_previous, NULL },
	{ "wakeup", "w", NULL, "tasks: from wakeup until they run", wakeup, NULL },
	{ "preempted", "p", NULL, "tasks: preempted until they run again", preempted,
	  NULL },
	{ "blocked", "d", NULL, "tasks: asleep until they are woken", blocked, NULL },
	{ "irq", "i", NULL, "interrupt handlers", irq, "irq" },
	{ "softirq", "s", NULL, "soft interrupts", softirq, NULL },
	{ "syscall", "c", NULL, "system calls", syscall, "syscalls" },
	{ "block", "b", NULL, "block I/O", block_io, NULL },
	{ "calls", "u", NULL, "functions", calls, NULL },
	{ "tracer", "o", NULL, "what timerlat, osnoise or hwlat measured", tracer, NULL },
	{ "pair", "P", "<event event field>", "any two events that a field joins", latency_pair,
	  "pair" },
	{ "report", "R", NULL, "the report of a latency tracer, or the table", report, NULL },
	{ "sort-left", "< Left", NULL, "sort by the column to the left", sort_left, NULL },
	{ "sort-right", "> Right", NULL, "sort by the column to the right", sort_right, "sort" },
	{ "reverse", "r", NULL, "reverse the order", reverse, NULL },
	VIEW_COMMANDS_END
};

/* ---- the rest of the view ---- */

/* The kind is empty and was not chosen by the user: try the other ones. */
static bool try_next_kind(struct view *v)
{
	struct latency_state *st = v->state;
	struct kt_err err = { 0 };
	unsigned int kind = (unsigned int)st->kind + 1;

	while (kind < KT_LATENCY_PAIR &&
	       !kt_latency_kind_is_recorded(kt_model_trace(v->model), kind))
		kind++;
	if (kind >= KT_LATENCY_PAIR)
		return false;
	st->kind = (enum kt_latency_kind)kind;
	return latency_begin(v, &err) == 0;
}

static void prepare(struct view *v)
{
	struct latency_state *st = v->state;
	struct kt_err err = { 0 };

	if (app_window_changed(v->app, &st->window, &st->marked) || !st->started)
		latency_begin(v, &err);
	if (st->shown)
		return;
	latency_sort_lines(v);
	st->shown = !is_reading(st);
}

static bool work(struct view *v, unsigned int budget_ms)
{
	struct latency_state *st = v->state;
	bool more;

	prepare(v);
	more = kt_latencies_work(st->l, budget_ms) || latency_refresh_some(v, budget_ms) ||
	       latency_count_some(v, budget_ms);
	if (more || app_is_waiting(v->app) || st->chosen || kt_latencies_nr(st->l) ||
	    kt_model_is_filtered(v->model))
		return more;
	st->chosen = !try_next_kind(v);
	return !st->chosen;
}

static void follow(struct view *v)
{
	struct latency_state *st = v->state;
	struct kt_err err = { 0 };

	if (st->started && st->generation == kt_model_generation(v->model))
		return;
	latency_begin(v, &err);
}

/* Rows by their names, or lines of the report */
static int find(struct view *v, const regex_t *re, int direction, bool first,
		unsigned int budget_ms)
{
	struct latency_state *st = v->state;
	int i;

	(void)first, (void)budget_ms;
	if (!re)
		return 0;
	if (st->show_text)
		return latency_text_find(v, re, direction);
	for (i = st->selected + direction; i >= 0 && i < (int)st->nr; i += direction)
		if (regexec(re, st->lines[i].row.name, 0, NULL, 0) == 0) {
			st->focus = FOCUS_ROWS;
			move(v, i - st->selected);
			return 1;
		}
	return 0;
}

/* The task that waits or runs in the longest one, or in the selected one of the list */
static void row(const struct view *v, struct view_row *row)
{
	const struct kt_latency *one = worst_or_listed(v, true);

	if (!one || ((const struct latency_state *)v->state)->show_text)
		return;
	row->spot = one->spot;
	row->pid = one->pid;
}

static int span(struct view *v, struct view_span *s, struct kt_err *err)
{
	const struct latency_state *st = v->state;
	const struct kt_latency *one = worst_or_listed(v, true);

	if (!one || st->show_text)
		return kt_err_set(err, -ENOENT, "nothing was measured");
	*s = (struct view_span){ .file = one->file, .pid = one->pid, .from = one->from,
				 .until = one->until };
	snprintf(s->what, sizeof(s->what), "%s", kt_latency_kind_name(st->kind));
	return 0;
}

static void yank(struct view *v, struct str *out)
{
	const struct latency_line *line = latency_selected(v);
	const struct kt_latency_row *r = line ? &line->row : NULL;

	if (((struct latency_state *)v->state)->show_text)
		latency_text_yank(v, out);
	else if (r)
		str_addf(out, "%s count %" PRIu64 " min %" PRIu64 " avg %" PRIu64 " p50 %" PRIu64
			 " p90 %" PRIu64 " p99 %" PRIu64 " p99.9 %" PRIu64 " max %" PRIu64
			 " ns, worst at %" PRIu64 ".%09" PRIu64 "\n", r->name, r->count, r->min,
			 r->count ? r->sum / r->count : 0, r->p50, r->p90, r->p99, r->p999, r->max,
			 r->worst.until / 1000000000, r->worst.until % 1000000000);
}

static void status(const struct view *v, struct str *out)
{
	const struct latency_state *st = v->state;

	if (st->show_text)
		str_addf(out, "line %zu of %zu", st->line + 1, kt_latency_text_nr(st->text));
	else if (st->counter && kt_latencies_done(st->counter) < 1)
		str_addf(out, "counting … %d%%", (int)(100 * kt_latencies_done(st->counter)));
	else if (is_reading(st))
		str_addf(out, "reading … %d%%, Esc stops", (int)(100 * kt_latencies_done(st->l)));
	else
		str_addf(out, "%zu row%s%s", st->nr, st->nr == 1 ? "" : "s",
			 kt_latencies_is_partial(st->l) ? ", not the whole trace" : "");
}

static void mouse(struct view *v, int key, int row, int col)
{
	struct latency_state *st = v->state;

	(void)col;
	if (key == TK_WHEEL_UP || key == TK_WHEEL_DOWN) {
		move(v, key == TK_WHEEL_UP ? -1 : 1);
	} else if (key == TK_CLICK && st->show_text) {
		latency_text_select(v, (long)st->text_top + row - 2);
	} else if (key == TK_CLICK && row >= 1 && row <= latency_table_rows(v)) {
		st->focus = FOCUS_ROWS;
		move(v, st->top + row - 1 - st->selected);
	}
}

static int open_view(struct view *v, struct kt_err *err)
{
	struct latency_state *st = v->state;

	st->sort = SORT_MAX;
	st->text = kt_latency_text_open(kt_model_trace(v->model), NULL);
	st->show_text = st->text;
	if (st->text)
		latency_text_worst(v);
	st->kind = kt_latency_guess(v->model);
	st->l = kt_latencies_create(v->model, err);
	return st->l ? 0 : -ENOMEM;
}

static void close_view(struct view *v)
{
	struct latency_state *st = v->state;

	kt_latencies_destroy(st->l);
	latency_forget_next(st);
	latency_forget_counts(st);
	kt_latency_text_close(st->text);
	free(st->lines);
	free(st->pair);
}

const struct view_ops latency_view = {
	.name       = "latency",
	.purpose    = "how long does it usually take, and what are the outliers?",
	.commands   = commands,
	.state_size = sizeof(struct latency_state),
	.open = open_view, .close = close_view, .follow = follow, .prepare = prepare, .work = work,
	.draw = latency_draw, .find = find, .stop = stop, .row = row, .span = span, .yank = yank,
	.status = status,
	.mouse = mouse, .refresh = latency_refresh,
};
