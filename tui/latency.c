/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latency.c - the view of latencies: how long does it take, and what are the outliers? */
#include "latency.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

int latency_table_rows(const struct view *v)
{
	int rows = v->rows / 2 - 2;

	return rows > 1 ? rows : 1;
}

int latency_list_rows(const struct view *v)
{
	int rows = v->rows - latency_table_rows(v) - 4;

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

static int begin(struct view *v, struct kt_err *err)
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

/* ---- the order of rows ---- */

static uint64_t value_of(const struct kt_latency_row *r, enum latency_sort sort)
{
	switch (sort) {
	case SORT_COUNT: return r->count;
	case SORT_MIN:   return r->min;
	case SORT_AVG:   return r->count ? r->sum / r->count : 0;
	case SORT_P50:   return r->p50;
	case SORT_P90:   return r->p90;
	case SORT_P99:   return r->p99;
	case SORT_P999:  return r->p999;
	case SORT_WORST: return UINT64_MAX - r->worst.from;
	case SORT_CUT:   return r->cut;
	default:         return r->max;
	}
}

static int compare(const void *x, const void *y, void *data)
{
	const struct latency_line *a = x, *b = y;
	const struct latency_state *st = data;
	uint64_t va = value_of(&a->row, st->sort), vb = value_of(&b->row, st->sort);
	int order;

	if (st->sort == SORT_NAME)
		order = strcmp(a->row.name, b->row.name);
	else
		order = va != vb ? va < vb ? 1 : -1 : 0;
	if (order == 0)
		return a->id < b->id ? -1 : a->id > b->id;
	return st->reverse ? -order : order;
}

static void scroll(struct view *v)
{
	struct latency_state *st = v->state;
	int rows = latency_table_rows(v);

	if (st->selected < st->top)
		st->top = st->selected;
	if (st->selected >= st->top + rows)
		st->top = st->selected - rows + 1;
}

void latency_sort_lines(struct view *v)
{
	struct latency_state *st = v->state;
	size_t nr = kt_latencies_nr(st->l), i;
	struct latency_line *grown = reallocarray(st->lines, nr ? nr : 1, sizeof(*grown));

	if (!grown)
		return;
	st->lines = grown;
	st->nr = nr;
	for (i = 0; i < nr; i++) {
		grown[i].id = i;
		kt_latencies_row(st->l, i, &grown[i].row);
	}
	if (nr)
		qsort_r(grown, nr, sizeof(*grown), compare, st);
	if (!st->picked)
		st->selected = 0;
	for (i = 0; st->picked && i < nr; i++)
		if (grown[i].id == st->picked_id)
			st->selected = (int)i;
	scroll(v);
}

/* ---- moving ---- */

/* The next level with something in it from @level on, or -1 */
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
	int to, nr = (int)kt_latencies_nr_listed(st->l), rows = latency_list_rows(v);

	if (st->show_text) {
		latency_text_select(v, (long)st->line + by);
		return;
	}
	if (st->focus == FOCUS_LEVELS) {
		to = level_from(v, st->level + (by > 0 ? -1 : 1), by > 0 ? -1 : 1);
		st->level = to >= 0 ? to : st->level;
	} else if (st->focus == FOCUS_LIST) {
		to = st->list_selected + by;
		st->list_selected = to < 0 || nr == 0 ? 0 : to < nr ? to : nr - 1;
		if (st->list_selected < st->list_top)
			st->list_top = st->list_selected;
		if (st->list_selected >= st->list_top + rows)
			st->list_top = st->list_selected - rows + 1;
	} else if (st->nr) {
		to = st->selected + by;
		st->selected = to < 0 ? 0 : to < (int)st->nr ? to : (int)st->nr - 1;
		st->picked = true;
		st->picked_id = st->lines[st->selected].id;
		scroll(v);
	}
}

#define COMMAND(name) static int name(struct view *v, const char *arg, struct kt_err *err)
#define UNUSED (void)v, (void)arg, (void)err

COMMAND(down)      { UNUSED; move(v, 1); return 0; }
COMMAND(up)        { UNUSED; move(v, -1); return 0; }
COMMAND(page_down) { UNUSED; move(v, latency_table_rows(v)); return 0; }
COMMAND(page_up)   { UNUSED; move(v, -latency_table_rows(v)); return 0; }

/* ---- into a row, a level, one of them ---- */

static int go_to(struct view *v, const struct kt_latency *one, const char *view, struct kt_err *err)
{
	struct str text = STR_INIT;
	int ret;

	latency_describe(v, one, &text);
	app_set_cursor(v->app, &one->spot, true);
	v->app->wanted = (struct kt_window){ one->from, one->until };
	ret = app_show(v->app, view, err);
	if (ret == 0)
		app_say(v->app, "%s", text.buf);
	str_fini(&text);
	return ret;
}

static int worst_or_listed(struct view *v, const char *view, bool listed, struct kt_err *err)
{
	const struct latency_state *st = v->state;
	const struct latency_line *line = latency_selected(v);
	const struct kt_latency *one = line && line->row.count ? &line->row.worst : NULL;

	if (listed && st->focus == FOCUS_LIST)
		one = kt_latencies_listed(st->l, (size_t)st->list_selected);
	return one ? go_to(v, one, view, err) : kt_err_set(err, -ENOENT, "nothing was measured");
}

COMMAND(worst)
{
	(void)arg;
	if (!((struct latency_state *)v->state)->show_text)
		return worst_or_listed(v, "timeline", false, err);
	latency_text_worst(v);
	return 0;
}

COMMAND(to_events) { (void)arg; return worst_or_listed(v, "events", true, err); }

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
		return worst_or_listed(v, "timeline", true, err);
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
		app_say(v->app, "stopped: this is what was read so far");
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

static int choose(struct view *v, enum kt_latency_kind kind, struct kt_err *err)
{
	struct latency_state *st = v->state;

	if (kind == KT_LATENCY_PAIR && !st->pair)
		return kt_err_set(err, -EINVAL, ":pair EVENT EVENT [FIELD[=FIELD]]");
	st->kind = kind;
	st->chosen = true;
	st->show_text = false;
	return begin(v, err);
}

static int next_kind(struct view *v, int step, struct kt_err *err)
{
	struct latency_state *st = v->state;
	int nr = st->pair ? KT_LATENCY_KINDS : KT_LATENCY_PAIR;

	return choose(v, (enum kt_latency_kind)(((int)st->kind + nr + step) % nr), err);
}

COMMAND(kind_next)     { (void)arg; return next_kind(v, 1, err); }
COMMAND(kind_previous) { (void)arg; return next_kind(v, -1, err); }

#define KIND(name, kind) COMMAND(name) { (void)arg; return choose(v, kind, err); }
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
		return kt_err_set(err, -ENOENT, "no report of a latency tracer is in this trace");
	st->show_text = !st->show_text;
	return 0;
}

static int paired(struct app *app, const char *text, struct kt_err *err)
{
	struct view *v = app_view(app);
	struct latency_state *st = v->state;
	enum kt_latency_kind was = st->kind;
	char *copy, *old = st->pair;
	int ret;

	if (v->ops != &latency_view || !*text)
		return 0;
	copy = strdup(text);
	if (!copy)
		return kt_err_set(err, -ENOMEM, "out of memory");
	st->pair = copy;
	ret = choose(v, KT_LATENCY_PAIR, err);
	if (ret < 0) {
		st->pair = old;
		st->kind = was;
		old = copy;
	}
	free(old);
	return ret;
}

COMMAND(pair)
{
	if (arg)
		return paired(v->app, arg, err);
	app_ask(v->app, "EVENT EVENT [FIELD[=FIELD]]: ", "", paired);
	return 0;
}

static const struct view_command commands[] = {
	{ "down", "j Down WheelDown", NULL, "the next row", down, NULL },
	{ "up", "k Up WheelUp", NULL, "the row above", up, NULL },
	{ "page-down", "PgDn Space", NULL, "a screen on", page_down, NULL },
	{ "page-up", "PgUp", NULL, "a screen back", page_up, NULL },
	{ "enter", "Enter", NULL, "its buckets; what is in one; that one in the timeline", enter,
	  "open" },
	{ "leave", "Backspace", NULL, "back to the buckets, to the rows", back, NULL },
	{ "worst", "W", NULL, "the worst one of the row in the timeline", worst, "worst" },
	{ "to-events", "v", NULL, "the selected one, or the worst, in the events", to_events,
	  NULL },
	{ "kind", "x", NULL, "the next kind of latency", kind_next, "kind" },
	{ "kind-before", "z", NULL, "the kind before", kind_previous, NULL },
	{ "wakeup", "w", NULL, "from wakeup until it runs, of tasks", wakeup, NULL },
	{ "preempted", "p", NULL, "without the CPU though it could run, of tasks", preempted,
	  NULL },
	{ "blocked", "d", NULL, "asleep until it is woken, of tasks", blocked, NULL },
	{ "irq", "i", NULL, "interrupt handlers", irq, "irq" },
	{ "softirq", "s", NULL, "soft interrupts", softirq, NULL },
	{ "syscall", "c", NULL, "system calls", syscall, "syscalls" },
	{ "block-io", "b", NULL, "block I/O", block_io, NULL },
	{ "calls", "u", NULL, "functions", calls, NULL },
	{ "tracer", "o", NULL, "what timerlat, osnoise or hwlat measured", tracer, NULL },
	{ "pair", "P", "<event event field>", "any two events that a field joins", pair, "pair" },
	{ "report", "R", NULL, "the text of a latency tracer, or what was measured", report, NULL },
	{ "sort-left", "< Left", NULL, "sort by the column to the left", sort_left, NULL },
	{ "sort-right", "> Right", NULL, "sort by the column to the right", sort_right, "sort" },
	{ "reverse", "r", NULL, "the other way round", reverse, NULL },
	VIEW_COMMANDS_END
};

/* ---- the rest of the view ---- */

/* Nothing there, and nobody asked for this kind: is there something of another one? */
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
	return begin(v, &err) == 0;
}

static void prepare(struct view *v)
{
	struct latency_state *st = v->state;
	struct kt_err err = { 0 };

	if (app_window_changed(v->app, &st->window, &st->marked) || !st->started)
		begin(v, &err);
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
	more = kt_latencies_work(st->l, budget_ms) || latency_refresh_some(v, budget_ms);
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
	begin(v, &err);
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
	else if (is_reading(st))
		str_addf(out, "reading … %d%%, Esc stops", (int)(100 * kt_latencies_done(st->l)));
	else
		str_addf(out, "%zu rows%s", st->nr,
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
	.draw = latency_draw, .find = find, .stop = stop, .yank = yank, .status = status,
	.mouse = mouse, .refresh = latency_refresh,
};
