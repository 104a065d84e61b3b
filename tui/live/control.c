/* SPDX-License-Identifier: GPL-2.0-or-later */
/* control.c - the view of settings: what is traced, and what else could be? */
#include "control.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/moment.h"
#include "live.h"

#define LOOK_MS 1000			/* changes by others are shown after this time */

/* ---- rows ---- */

static void clamp(struct view *v)
{
	struct control_state *st = v->state;
	size_t nr = kt_control_nr_rows(st->control), rows = (size_t)control_rows(v).tree;

	if (st->selected >= nr)
		st->selected = nr ? nr - 1 : 0;
	if (st->selected < st->top)
		st->top = st->selected;
	if (st->selected >= st->top + rows)
		st->top = st->selected - rows + 1;
	/* Scroll so that no rows are empty at the end while there are rows above */
	if (nr >= rows && st->top > nr - rows)
		st->top = nr - rows;
	if (nr < rows)
		st->top = 0;
}

static size_t selected_id(const struct control_state *st)
{
	struct kt_control_row row;

	return kt_control_row(st->control, st->selected, &row) ? row.id : 0;
}

static void read_about(struct control_state *st)
{
	size_t id = selected_id(st);

	if (st->about && st->about_id == id)
		return;
	free(st->about);
	st->about = kt_control_about(st->control, st->selected);
	st->about_id = id;
}

static void prepare(struct view *v)
{
	struct control_state *st = v->state;
	size_t rows = (size_t)control_rows(v).tree;
	struct kt_control_row *grown;

	clamp(v);
	st->nr = 0;
	if (rows > st->room) {
		grown = reallocarray(st->rows, rows, sizeof(*grown));
		if (!grown)
			return;
		st->rows = grown;
		st->room = rows;
	}
	while (st->nr < rows && kt_control_row(st->control, st->top + st->nr, &st->rows[st->nr]))
		st->nr++;
	read_about(st);
}

static void move(struct view *v, long by)
{
	struct control_state *st = v->state;
	long to = (long)st->selected + by;

	st->selected = to < 0 ? 0 : (size_t)to;
	clamp(v);
}

/* ---- commands ---- */

#define COMMAND(name) static int name(struct view *v, const char *arg, struct kt_err *err)
#define UNUSED (void)v, (void)arg, (void)err
#define STATE struct control_state *st = v->state

COMMAND(down)      { UNUSED; move(v, 1); return 0; }
COMMAND(up)        { UNUSED; move(v, -1); return 0; }
COMMAND(page_down) { UNUSED; move(v, control_rows(v).tree - 1); return 0; }
COMMAND(page_up)   { UNUSED; move(v, 1 - control_rows(v).tree); return 0; }
COMMAND(first)     { UNUSED; move(v, INT32_MIN); return 0; }
COMMAND(last)      { UNUSED; move(v, INT32_MAX); return 0; }

static bool selected_row(const struct view *v, struct kt_control_row *row)
{
	const STATE;

	return kt_control_row(st->control, st->selected, row);
}

static int fold_to(struct view *v, bool open, struct kt_err *err)
{
	STATE;

	return kt_control_fold(st->control, st->selected, open, err);
}

COMMAND(toggle)
{
	struct kt_control_row row;
	STATE;

	(void)arg;
	if (!selected_row(v, &row))
		return 0;
	if (row.folds && row.kind != KT_CONTROL_SYSTEM && row.kind != KT_CONTROL_EVENTS)
		return fold_to(v, !row.open, err);
	return kt_control_toggle(st->control, st->selected, err);
}

COMMAND(unfold)
{
	struct kt_control_row row;

	(void)arg;
	if (selected_row(v, &row) && row.folds && !row.open)
		return fold_to(v, true, err);
	move(v, 1);
	return 0;
}

/* Fold an unfolded row; else go to its parent */
COMMAND(fold)
{
	struct kt_control_row row, above;
	STATE;

	(void)arg;
	if (!selected_row(v, &row))
		return 0;
	if (row.folds && row.open)
		return fold_to(v, false, err);
	while (st->selected && kt_control_row(st->control, st->selected - 1, &above)) {
		st->selected--;
		if (above.depth < row.depth)
			break;
	}
	return 0;
}

static int set_text(struct app *app, const char *text, struct kt_err *err)
{
	struct control_state *st = app_view(app)->state;

	return kt_control_set(st->control, st->selected, text, err);
}

/* The present text is offered for editing. */
static int ask_text(struct view *v, const char *label)
{
	STATE;
	char *now = kt_control_text(st->control, st->selected);

	if (now)
		app_ask(v->app, label, now, set_text);
	else
		app_say(v->app, "this has no text: Space switches it");
	free(now);
	return 0;
}

COMMAND(filter_event)
{
	struct kt_control_row row;

	if (arg)
		return set_text(v->app, arg, err);
	if (selected_row(v, &row) && row.kind != KT_CONTROL_EVENT && row.kind != KT_CONTROL_SYSTEM)
		return kt_err_set(err, -EINVAL, "only events have filters");
	return ask_text(v, "only if: ");
}

COMMAND(open_row)
{
	struct kt_control_row row;

	if (!selected_row(v, &row))
		return 0;
	if (row.folds)
		return fold_to(v, !row.open, err);
	if (row.kind == KT_CONTROL_EVENT)
		return filter_event(v, arg, err);
	if (row.kind == KT_CONTROL_BUFFER)
		return ask_text(v, "KiB for each CPU: ");
	return toggle(v, arg, err);
}

static int add_trigger(struct app *app, const char *text, struct kt_err *err)
{
	struct control_state *st = app_view(app)->state;

	return *text ? kt_control_add_trigger(st->control, st->selected, text, err) : 0;
}

COMMAND(trigger)
{
	if (arg)
		return add_trigger(v->app, arg, err);
	app_ask(v->app, "trigger: ", "", add_trigger);
	return 0;
}

COMMAND(untrigger)
{
	STATE;

	(void)arg;
	return kt_control_remove_triggers(st->control, st->selected, err);
}

static int add_functions(struct app *app, const char *text, struct kt_err *err)
{
	struct control_state *st = app_view(app)->state;

	if (!st->found)
		kt_control_choose_list(st->control, st->selected);
	kt_control_reveal(st->control, st->before);
	return kt_control_set(st->control, kt_control_list_row(st->control), text, err);
}

COMMAND(functions)
{
	if (arg)
		return add_functions(v->app, arg, err);
	app_ask(v->app, "trace functions (vfs_*): ", "", add_functions);
	return 0;
}

COMMAND(set)
{
	return arg ? set_text(v->app, arg, err) : ask_text(v, "set: ");
}

/* Keep the selection if its row still exists. */
static int look_again(struct control_state *st, bool all, struct kt_err *err)
{
	size_t id = selected_id(st), row;
	int ret = kt_control_refresh(st->control, all, err);

	if (all && st->found)
		st->nr_found = kt_control_search(st->control, st->query.buf);
	row = kt_control_find(st->control, id);
	if (row != SIZE_MAX)
		st->selected = row;
	return ret;
}

COMMAND(refresh)
{
	int ret = look_again(v->state, true, err);

	(void)arg;
	if (ret == 0)
		app_say(v->app, "read again");
	return ret;
}

COMMAND(restore)
{
	STATE;
	int ret = kt_control_restore(st->control, err);

	(void)arg;
	if (ret == 0)
		app_say(v->app, "all settings are restored");
	return ret;
}

COMMAND(writes)
{
	STATE;

	UNUSED;
	st->whole_log = !st->whole_log;
	return 0;
}

/* ---- searching ---- */

static void search_again(struct control_state *st)
{
	st->nr_found = kt_control_search(st->control, st->query.buf);
	st->found = st->query.len;
	st->selected = st->top = 0;
}

COMMAND(search)
{
	STATE;

	(void)err;
	if (!st->found) {
		st->before = selected_id(st);
		kt_control_choose_list(st->control, st->selected);
	}
	str_reset(&st->query);
	str_add(&st->query, arg ? arg : "");
	st->typing = !arg;
	search_again(st);
	return 0;
}

/* Back to all settings, where @id is */
static void leave_search(struct control_state *st, size_t id)
{
	st->typing = st->found = false;
	str_reset(&st->query);
	kt_control_search(st->control, NULL);
	st->selected = kt_control_reveal(st->control, id);
	if (st->selected == SIZE_MAX)
		st->selected = 0;
}

static void type(struct control_state *st, int key)
{
	if (key == TK_BACKSPACE && st->query.len)
		st->query.buf[--st->query.len] = 0;
	else if (key == TK_CTRL('U'))
		str_reset(&st->query);
	else if (key >= ' ' && key < 0x7f && st->query.len < 200)
		str_addc(&st->query, (char)key);
	else
		return;
	search_again(st);
}

/* While a search is typed, keys are letters; each one reduces the rows. */
static bool key(struct view *v, int key)
{
	STATE;

	if (!st->typing)
		return false;
	if (key == TK_ENTER)
		st->typing = false;
	else if (key == TK_ESC || key == TK_CTRL('C') || (key == TK_BACKSPACE && !st->query.len))
		leave_search(st, st->before);
	else if (key == TK_UP || key == TK_DOWN)
		move(v, key == TK_UP ? -1 : 1);
	else
		type(st, key);
	if (key == TK_ENTER && !st->found)
		leave_search(st, st->before);
	return true;
}

/* Esc goes to the found setting in the whole list. */
static bool stop(struct view *v)
{
	STATE;

	if (!st->found)
		return false;
	leave_search(st, st->nr ? selected_id(st) : st->before);
	return true;
}

static const struct view_command commands[] = {
	{ "down", "j Down WheelDown", NULL, "the next setting", down, NULL },
	{ "up", "k Up WheelUp", NULL, "the previous setting", up, NULL },
	{ "toggle", "Space", NULL, "switch the setting, or choose it", toggle, "switch" },
	{ "open", "Enter", NULL, "unfold, or edit: the filter of an event, a size", open_row,
	  "open, edit" },
	{ "search", "/", "<letters>", "find events, options, functions by some letters", search,
	  "search" },
	{ "event-filter", "f", "<filter>",
	  "the kernel's filter of the event, or of all of a system", filter_event, "filter" },
	{ "trigger", "t", "<trigger>", "add a trigger: traceoff, stacktrace, hist:keys=…", trigger,
	  "trigger" },
	{ "untrigger", "T", NULL, "remove the triggers of the event", untrigger, NULL },
	{ "functions", "a", "<pattern>", "add functions to the list at the cursor, or to the first",
	  functions, NULL },
	{ "set", NULL, "<text>", "set the value of the setting", set, NULL },
	{ "unfold", "l Right", NULL, "unfold the row", unfold, NULL },
	{ "fold", "h Left", NULL, "fold the row, or its parent", fold, NULL },
	{ "first", "g Home", NULL, "the first row", first, NULL },
	{ "last", "G End", NULL, "the last row", last, NULL },
	{ "page-down", "PgDn", NULL, "a screen down", page_down, NULL },
	{ "page-up", "PgUp", NULL, "a screen up", page_up, NULL },
	{ "writes", "w", NULL, "show more or fewer of the writes", writes, "writes" },
	{ "restore", "R", NULL, "restore the former settings now", restore, "restore" },
	{ "refresh", "r", NULL, "read the settings and functions again", refresh, NULL },
	VIEW_COMMANDS_END
};

/* ---- the view ---- */

/* Others may change settings. */
static bool work(struct view *v, unsigned int budget_ms)
{
	STATE;
	uint64_t now = moment_ms();

	(void)budget_ms;
	if (now - st->read_ms < LOOK_MS)
		return false;
	look_again(st, false, NULL);
	st->read_ms = moment_ms();
	return false;
}

static void status(const struct view *v, struct str *out)
{
	const STATE;

	if (st->found && !st->typing)
		str_add(out, "Esc: back to all settings");
}

/* The writes, as a script */
static void yank(struct view *v, struct str *out)
{
	STATE;
	size_t i;

	for (i = 0; i < kt_control_nr_writes(st->control); i++) {
		struct kt_control_write w = kt_control_write(st->control, i);

		str_addf(out, "%s%s%s%s\n", w.refused ? "# " : "", w.line,
			 w.refused ? "  # " : "", w.refused ? w.refused : "");
	}
}

static void mouse(struct view *v, int key, int row, int col)
{
	STATE;

	(void)col;
	if (key == TK_WHEEL_UP || key == TK_WHEEL_DOWN) {
		move(v, key == TK_WHEEL_UP ? -3 : 3);
	} else if ((key == TK_CLICK || key == TK_DOUBLE_CLICK) && row >= 1 &&
		   row - 1 < (int)st->nr) {
		st->selected = st->top + (size_t)row - 1;
		if (key == TK_DOUBLE_CLICK)
			open_row(v, NULL, NULL);
	}
}

static int open_view(struct view *v, struct kt_err *err)
{
	STATE;

	st->query = (struct str)STR_INIT;
	st->control = live_control(v->app, err);
	st->read_ms = moment_ms();
	return st->control ? 0 : -ENOENT;
}

static void close_view(struct view *v)
{
	STATE;

	free(st->rows);
	free(st->about);
	if (st->query.buf)
		str_fini(&st->query);
}

const struct view_ops control_view = {
	.name       = "control",
	.purpose    = "what is traced, and what else could be?",
	.commands   = commands,
	.state_size = sizeof(struct control_state),
	.live       = true,
	.open = open_view, .close = close_view, .prepare = prepare, .work = work, .key = key,
	.stop = stop, .draw = control_draw, .yank = yank, .status = status, .mouse = mouse,
};
