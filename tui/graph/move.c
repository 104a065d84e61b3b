/* SPDX-License-Identifier: GPL-2.0-or-later */
/* move.c - the commands of the tree of calls */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/keymap.h"
#include "base/units.h"
#include "graph.h"

#define COMMAND(name) static int name(struct view *v, const char *arg, struct kt_err *err)
#define UNUSED (void)v, (void)arg, (void)err

static bool is_empty(const struct graph_state *st)
{
	return !st->graph || st->selected == KT_CALL_NONE;
}

static const struct kt_call *selected(const struct graph_state *st)
{
	return graph_call(st, st->selected);
}

static const struct kt_graph_task *chosen(const struct graph_state *st)
{
	return kt_graph_task(st->graph, kt_graph_chosen(st->graph));
}

/* ---- rows ---- */

/* Beyond the loaded calls: load the same task further on or back */
static void load_beyond(struct view *v, const struct kt_spot *spot)
{
	struct graph_state *st = v->state;

	graph_load(v, spot, chosen(st), NULL);
}

void graph_move(struct view *v, long by)
{
	struct graph_state *st = v->state;
	long row, last;

	if (is_empty(st))
		return;
	row = (long)kt_graph_row_of(st->graph, st->selected);
	last = (long)kt_graph_nr_rows(st->graph) - 1;
	if (kt_graph_focused(st->graph) == KT_CALL_NONE && !st->loading) {
		if (row == last && by > 0 && !st->ends.at_last)
			load_beyond(v, &st->ends.until);
		else if (row == 0 && by < 0 && !st->ends.at_first)
			load_beyond(v, &st->ends.from);
	}
	row = clamp(row + by, 0, last);
	graph_select(v, kt_graph_row(st->graph, (size_t)row), false);
}

COMMAND(down)      { UNUSED; graph_move(v, 1); return 0; }
COMMAND(up)        { UNUSED; graph_move(v, -1); return 0; }
COMMAND(page_down) { UNUSED; graph_move(v, graph_rows(v) - 1); return 0; }
COMMAND(page_up)   { UNUSED; graph_move(v, 1 - graph_rows(v)); return 0; }

COMMAND(first)
{
	struct graph_state *st = v->state;
	const struct kt_spot begin = { 0 };

	(void)arg;
	if (is_empty(st))
		return 0;
	kt_model_note_jump(v->model);
	if (!st->ends.at_first)
		return graph_load(v, &begin, chosen(st), err);
	graph_select(v, kt_graph_row(st->graph, 0), false);
	return 0;
}

COMMAND(last)
{
	struct graph_state *st = v->state;
	const struct kt_spot end = { .ts = UINT64_MAX };

	(void)arg;
	if (is_empty(st))
		return 0;
	kt_model_note_jump(v->model);
	if (!st->ends.at_last)
		return graph_load(v, &end, chosen(st), err);
	graph_select(v, kt_graph_row(st->graph, kt_graph_nr_rows(st->graph) - 1), false);
	return 0;
}

/* ---- from one call to another ---- */

static int go(struct view *v, uint32_t call, const char *none, struct kt_err *err)
{
	if (call == KT_CALL_NONE)
		return kt_err_set(err, -ENOENT, "%s", none);
	graph_select(v, call, true);
	return 0;
}

/* A command that goes to the call that @expr returns */
#define GO(name, expr, none)								\
	COMMAND(name)									\
	{										\
		struct graph_state *st = v->state;					\
											\
		(void)arg;								\
		return is_empty(st) ? 0 : go(v, expr, none, err);			\
	}
GO(longest, kt_graph_longest_child(st->graph, st->selected), "this call has no others inside")
GO(caller, kt_graph_caller(st->graph, st->selected), "the caller of this is not in the trace")
GO(next_sibling, kt_graph_sibling(st->graph, st->selected, 1),
   "its caller calls nothing after this")
GO(previous_sibling, kt_graph_sibling(st->graph, st->selected, -1),
   "its caller calls nothing before this")
GO(next_same, kt_graph_same(st->graph, st->selected, 1), "this function is not called again here")
GO(previous_same, kt_graph_same(st->graph, st->selected, -1),
   "this function is not called before here")

/* Does the name of a call match? @seen: cached answers by function */
static bool is_named(struct view *v, const struct kt_call *c, const regex_t *re,
		     struct keymap *seen)
{
	uint64_t key = c->func ? c->func : (uintptr_t)c->name;
	uint32_t answer = keymap_get(seen, key);

	if (answer == KEYMAP_NONE) {
		answer = regexec(re, graph_name(v, c), 0, NULL, 0) == 0;
		keymap_put(seen, key, answer);
	}
	return answer;
}

/* The slowest call, of any task, whose name @re matches; also counts the matches */
static uint32_t slowest_of(struct view *v, const regex_t *re, size_t *nr)
{
	struct graph_state *st = v->state;
	const struct kt_call *c;
	struct keymap seen = { 0 };
	uint32_t i, found = KT_CALL_NONE;

	for (i = 0; (c = graph_call(st, i)); i++) {
		if (c->flags & KT_CALL_UNTIMED || !is_named(v, c, re, &seen))
			continue;
		++*nr;
		if (found == KT_CALL_NONE || c->duration > graph_call(st, found)->duration)
			found = i;
	}
	keymap_fini(&seen);
	return found;
}

static int find_slowest(struct app *app, const char *text, struct kt_err *err)
{
	struct view *v = app_view(app);
	struct graph_state *st = v->state;
	size_t nr = 0;
	regex_t re;
	uint32_t call;

	if (!*text || is_empty(st))
		return 0;
	if (strlen(text) > 1000 || regcomp(&re, text, REG_EXTENDED | REG_NOSUB))
		return kt_err_set(err, -EINVAL, "'%s' is not a regular expression", text);
	call = slowest_of(v, &re, &nr);
	regfree(&re);
	if (call == KT_CALL_NONE)
		return kt_err_set(err, -ENOENT, "no call here matches '%s'", text);
	graph_select(v, call, true);
	app_say(app, "the slowest of %zu calls that match '%s'%s", nr, text,
		st->ends.at_first && st->ends.at_last ? "" : ", of those that are loaded");
	return 0;
}

COMMAND(slowest)
{
	struct graph_state *st = v->state;

	UNUSED;
	if (!is_empty(st))
		graph_select(v, kt_graph_compare(st->graph, st->selected).slowest, true);
	return 0;
}

COMMAND(slowest_named)
{
	if (arg)
		return find_slowest(v->app, arg, err);
	app_ask(v->app, "the slowest call of: ", "", find_slowest);
	return 0;
}

/* ---- folding ---- */

void graph_toggle(struct view *v)
{
	struct graph_state *st = v->state;

	if (!is_empty(st) && selected(st)->nr_inside)
		kt_graph_fold(st->graph, st->selected,
			      !kt_graph_is_folded(st->graph, st->selected));
}

COMMAND(toggle) { UNUSED; graph_toggle(v); return 0; }

/* Right: unfold the call, then go into it. */
COMMAND(right)
{
	struct graph_state *st = v->state;

	UNUSED;
	if (is_empty(st) || !selected(st)->nr_inside)
		return 0;
	if (kt_graph_is_folded(st->graph, st->selected))
		kt_graph_fold(st->graph, st->selected, false);
	else
		graph_move(v, 1);
	return 0;
}

COMMAND(left)
{
	struct graph_state *st = v->state;

	(void)arg;
	if (is_empty(st))
		return 0;
	if (!selected(st)->nr_inside || kt_graph_is_folded(st->graph, st->selected))
		return caller(v, NULL, err);
	kt_graph_fold(st->graph, st->selected, true);
	return 0;
}

static int fold_all(struct view *v, bool fold)
{
	struct graph_state *st = v->state;

	if (!is_empty(st))
		kt_graph_fold_below(st->graph, st->selected, fold);
	return 0;
}

COMMAND(unfold_below) { UNUSED; return fold_all(v, false); }
COMMAND(fold_below)   { UNUSED; return fold_all(v, true); }

COMMAND(fold_same)
{
	struct graph_state *st = v->state;
	bool fold;
	size_t nr;

	UNUSED;
	if (is_empty(st))
		return 0;
	fold = !kt_graph_is_folded(st->graph, st->selected);
	nr = kt_graph_fold_same(st->graph, st->selected, fold);
	app_say(v->app, "%s %zu call%s of %s", fold ? "folded" : "unfolded", nr,
		nr == 1 ? "" : "s", graph_name(v, selected(st)));
	return 0;
}

static void set_depth(struct view *v, uint32_t depth)
{
	struct graph_state *st = v->state;

	st->depth = depth;
	if (is_empty(st))
		return;
	kt_graph_fold_depth(st->graph, depth);
	st->selected = kt_graph_row(st->graph, kt_graph_row_of(st->graph, st->selected));
	app_say(v->app, "unfolded to a depth of %u", depth);
}

COMMAND(deeper)    { UNUSED; set_depth(v, ((struct graph_state *)v->state)->depth + 1); return 0; }
COMMAND(shallower)
{
	struct graph_state *st = v->state;

	UNUSED;
	set_depth(v, st->depth > 1 ? st->depth - 1 : 1);
	return 0;
}

static int unfold_to(struct app *app, const char *text, struct kt_err *err)
{
	char *end;
	unsigned long depth = strtoul(text, &end, 10);

	if (!*text)
		return 0;
	if (*end || !isdigit((unsigned char)*text) || depth < 1 || depth > 1000)
		return kt_err_set(err, -EINVAL, "'%s' is not a depth: 1 to 1000", text);
	set_depth(app_view(app), (uint32_t)depth);
	return 0;
}

COMMAND(depth)
{
	if (arg)
		return unfold_to(v->app, arg, err);
	app_ask(v->app, "unfold to a depth of: ", "", unfold_to);
	return 0;
}

/* ---- the choice of calls ---- */

static int hide_short(struct app *app, const char *text, struct kt_err *err)
{
	struct view *v = app_view(app);
	struct graph_state *st = v->state;
	int ret = *text ? units_parse_time(text, 1000, &st->least, err) : 0;

	if (!*text)
		st->least = 0;
	if (ret < 0 || is_empty(st))
		return ret;
	kt_graph_hide_below(st->graph, st->least);
	st->selected = kt_graph_row(st->graph, kt_graph_row_of(st->graph, st->selected));
	return 0;
}

COMMAND(hide_below)
{
	if (arg)
		return hide_short(v->app, arg, err);
	app_ask(v->app, "hide calls below, in us: ", "", hide_short);
	return 0;
}

COMMAND(focus)
{
	struct graph_state *st = v->state;

	UNUSED;
	if (!is_empty(st)) {
		kt_graph_focus(st->graph, st->selected);
		kt_graph_fold(st->graph, st->selected, false);
		st->top = 0;
	}
	return 0;
}

COMMAND(unfocus)
{
	struct graph_state *st = v->state;

	UNUSED;
	if (!is_empty(st)) {
		kt_graph_focus(st->graph, KT_CALL_NONE);
		graph_select(v, st->selected, false);
	}
	return 0;
}

COMMAND(toggle_times)
{
	struct graph_state *st = v->state;

	UNUSED;
	st->times = !st->times;
	return 0;
}

/* ---- tasks ---- */

static int step_task(struct view *v, size_t step)
{
	struct graph_state *st = v->state;
	size_t nr = st->graph ? kt_graph_nr_tasks(st->graph) : 0;
	struct kt_spot here = kt_model_cursor(v->model);

	if (nr > 1) {
		kt_model_note_jump(v->model);
		graph_go(v, &here,
			 kt_graph_task(st->graph, (kt_graph_chosen(st->graph) + step) % nr));
	}
	return 0;
}

COMMAND(next_task)     { UNUSED; return step_task(v, 1); }
COMMAND(previous_task)
{
	struct graph_state *st = v->state;

	UNUSED;
	return is_empty(st) ? 0 : step_task(v, kt_graph_nr_tasks(st->graph) - 1);
}

/* "cat-2210", or a part of that, or "CPU 1"; the first one after the chosen one */
static int go_to_task(struct app *app, const char *text, struct kt_err *err)
{
	struct view *v = app_view(app);
	struct graph_state *st = v->state;
	size_t i, nr = st->graph ? kt_graph_nr_tasks(st->graph) : 0;
	char name[64];

	for (i = 1; *text && i <= nr; i++) {
		size_t next = (kt_graph_chosen(st->graph) + i) % nr;

		graph_task_name(v, kt_graph_task(st->graph, next), name);
		if (strcasestr(name, text))
			return step_task(v, i);
	}
	return *text ? kt_err_set(err, -ENOENT, "no %s with calls here is called '%s'",
				  st->by_cpu ? "CPU" : "task", text) : 0;
}

COMMAND(task)
{
	if (arg)
		return go_to_task(v->app, arg, err);
	app_ask(v->app, ((struct graph_state *)v->state)->by_cpu ? "CPU: " : "task: ", "",
		go_to_task);
	return 0;
}

/* Keep the selected call, and show it among all calls of its CPU or its task. */
COMMAND(by_cpu)
{
	struct graph_state *st = v->state;
	int ret = 0;

	(void)arg;
	if (st->graph)
		ret = kt_graph_by_cpu(st->graph, !st->by_cpu, err);
	if (ret < 0)
		return ret;
	st->by_cpu = !st->by_cpu;
	graph_select(v, st->selected, true);
	return 0;
}

const struct view_command graph_commands[] = {
	{ "down", "j Down WheelDown", NULL, "the next row", down, NULL },
	{ "up", "k Up WheelUp", NULL, "the previous row", up, NULL },
	{ "page-down", "PgDn Space", NULL, "a screen down", page_down, NULL },
	{ "page-up", "PgUp b", NULL, "a screen up", page_up, NULL },
	{ "first", "g Home", NULL, "the first call of the task", first, NULL },
	{ "last", "G End", NULL, "the last call of the task", last, NULL },
	{ "fold", "Enter", NULL, "fold a call, or unfold it", toggle, "fold" },
	{ "unfold", "Right", NULL, "unfold a call, then go into it", right, NULL },
	{ "fold-or-caller", "Left", NULL, "fold a call, then go to its caller", left, NULL },
	{ "unfold-below", "* S-Right", NULL, "unfold the call and all calls inside", unfold_below,
	  NULL },
	{ "fold-below", "_ S-Left", NULL, "fold the call and all calls inside", fold_below,
	  NULL },
	{ "fold-same", "=", NULL, "fold or unfold all calls of the same function", fold_same,
	  NULL },
	{ "deeper", "+", NULL, "unfold one more level everywhere", deeper, NULL },
	{ "shallower", "-", NULL, "fold the deepest level everywhere", shallower, NULL },
	{ "depth", "d", "<levels>", "unfold all to a depth", depth, NULL },
	{ "longest", "l", NULL, "the longest call inside this one", longest, "longest" },
	{ "slowest", "s", NULL, "the slowest call of the same function", slowest, NULL },
	{ "slowest-of", "S", "<regex>",
	  "the slowest call of functions with such a name, of any task", slowest_named, "slowest" },
	{ "why", "Q", NULL, "explain the call: why did it take so long?", explain, "why" },
	{ "tasks", "o", NULL, "list the tasks, or CPUs, by the time of their calls",
	  graph_list_tasks, "tasks" },
	{ "caller", "u Backspace", NULL, "the caller of this call", caller, "caller" },
	{ "next-sibling", "J", NULL, "the next call of the same caller", next_sibling, NULL },
	{ "previous-sibling", "K", NULL, "the previous call of the same caller",
	  previous_sibling, NULL },
	{ "next-call", "c", NULL, "the next call of the same function", next_same, NULL },
	{ "previous-call", "C", NULL, "the previous call of the same function",
	  previous_same, NULL },
	{ "focus", "z", NULL, "show only this call and the calls inside", focus, "focus" },
	{ "unfocus", "Z", NULL, "show the whole task again", unfocus, NULL },
	{ "hide-below", "h", "<us>", "hide calls that took less", hide_below, "hide short" },
	{ "by-cpu", "x", NULL, "calls by CPU, of all tasks; or by task",
	  by_cpu, NULL },
	{ "next-task", "]", NULL, "the calls of the next task or CPU", next_task, NULL },
	{ "previous-task", "[", NULL, "the calls of the previous task or CPU",
	  previous_task, NULL },
	{ "task", "a", "<name>", "the calls of a task, by name or pid, or of a CPU", task,
	  NULL },
	{ "time", "r", NULL, "show or hide when calls began", toggle_times, NULL },
	VIEW_COMMANDS_END
};

/* ---- searching ---- */

int graph_find(struct view *v, const regex_t *re, int direction, bool first,
	       unsigned int budget_ms)
{
	struct graph_state *st = v->state;
	uint64_t until = moment_ms() + budget_ms;
	const struct kt_graph_task *t;
	uint32_t i, place, nr;

	if (is_empty(st))
		return 0;
	if (first)
		st->at_search = st->selected;
	t = kt_graph_task(st->graph, kt_graph_chosen(st->graph));
	place = kt_graph_place(st->graph, st->at_search) - t->first;
	for (nr = 1;; nr++) {
		place += (uint32_t)direction;
		if (place >= t->nr)
			return 0;
		i = st->at_search = kt_graph_call(st->graph, t->first + place);
		if (regexec(re, graph_name(v, graph_call(st, i)), 0, NULL, 0) == 0) {
			graph_select(v, i, true);
			return 1;
		}
		if (nr % 256 == 0 && moment_ms() > until)
			return -EAGAIN;
	}
}
