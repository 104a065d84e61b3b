/* SPDX-License-Identifier: GPL-2.0-or-later */
/* keys.c - handle keys, typed lines and the mouse */
#include "app.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "base/moment.h"
#include "complete.h"

static void tell(struct app *app, int ret, const struct kt_err *err)
{
	if (ret < 0) {
		app->message = *err;
		app->message.code = ret;
		if (!*err->msg)
			app_say(app, "%s", strerror(-ret));
	}
}

/* All commands run here, so that a prompt knows its command. */
static int run(struct app *app, const struct view_command *c, const char *arg, struct kt_err *err)
{
	app->running = c;
	return c->run(app_view(app), arg, err);
}

/* "name arg" as after ':' */
static int run_line(struct app *app, const char *line, struct kt_err *err)
{
	size_t len = strcspn(line, " ");
	const char *arg = line + len + strspn(line + len, " ");
	const struct view_command *c;

	if (!len)
		return 0;
	app->forced = line[len - 1] == '!';
	c = app_find_command(app, line, len - app->forced);
	if (!c)
		return kt_err_set(err, -ENOENT, "there is no command '%.*s'; ? lists them",
				  (int)len, line);
	if (*arg && !c->args)
		return kt_err_set(err, -EINVAL, "%s takes no argument", c->name);
	return run(app, c, *arg ? arg : NULL, err);
}

/* Refused text can be corrected. */
static void reopen(struct app *app)
{
	struct prompt *p = &app->prompt;
	char label[sizeof(p->label)], *text = strdup(p->text.buf);

	strcpy(label, p->label);
	if (text)
		prompt_open(p, label, text, p->done);	/* for the same arguments */
	free(text);
}

static void prompt_take(struct app *app, int key)
{
	struct kt_names words = { 0 };
	struct kt_err err = { 0 };
	size_t from = 0;

	if (key == TK_TAB)
		from = complete_words(app, app->prompt.done == run_line, &words);
	if (prompt_key(&app->prompt, key, &words, from) == PROMPT_DONE) {
		tell(app, app->prompt.done(app, app->prompt.text.buf, &err), &err);
		if (app->message.code == -EINVAL && !app->prompt.open)
			reopen(app);
	}
	kt_names_fini(&words);
}

void app_ask(struct app *app, const char *label, const char *text,
	     int (*done)(struct app *app, const char *text, struct kt_err *err))
{
	prompt_open(&app->prompt, label, text, done ? done : run_line);
	app->prompt.args = app->running && done ? app->running->args : NULL;
}

/* After Ctrl-W */
static void pane_key(struct app *app, int key)
{
	const struct view_command *c;
	struct kt_err err = { 0 };
	char name[16];

	app->pane_key = false;
	for (c = app_pane_commands; c->name && !key_is_in(key, c->keys); c++)
		;
	if (c->name)
		tell(app, run(app, c, NULL, &err), &err);
	else if (key != TK_ESC)
		app_say(app, "Ctrl-W %s does nothing; ? shows the keys", key_text(key, name));
}

static void command_key(struct app *app, int key)
{
	const struct view_command *c = app_find_key(app, key);
	const char *mapped = config_key(app->config, key);
	struct kt_err err = { 0 };
	char name[16];

	if (mapped && *mapped)
		tell(app, run_line(app, mapped, &err), &err);
	else if (c && !mapped)
		tell(app, run(app, c, NULL, &err), &err);
	else
		app_say(app, "%s does nothing here; ? shows the keys", key_text(key, name));
}

/* The wheel works in lists, too. */
static bool is_repaint(struct app *app, int key)
{
	const struct view_command *c = app_find_key(app, key);

	return c && strcmp(c->name, "repaint") == 0;
}

void app_key(struct app *app, int key)
{
	app->deadline_ms = moment_ms() + KEY_MS;
	kt_err_clear(&app->message);
	if (app->prompt.open)
		prompt_take(app, key);
	else if (app->help.len && help_key(app, key))
		return;
	else if (app->list.ops && !is_repaint(app, key))
		list_key(app, key);
	else if (app_view(app)->ops->key && app_view(app)->ops->key(app_view(app), key))
		;
	else if (app->pane_key)
		pane_key(app, key);
	else if (key == TK_ESC)
		app_stop(app);
	else
		command_key(app, key);
	app_follow(app);
}

/* ---- the mouse ---- */

static void mouse_in_pane(struct app *app, struct pane *p, int key, int row, int col)
{
	struct view *v = &p->views[p->active];
	struct pane_place in = pane_inside(p);

	if (key == TK_CLICK && p != app->focus)
		app_focus(app, p);
	/* A drag that began in a pane continues there. */
	if (key == TK_DRAG || key == TK_RELEASE) {
		row = clamp(row, in.row, in.row + in.rows - 1);
		col = clamp(col, in.col, in.col + in.cols - 1);
	}
	if (below_mouse(p, key, row - in.row, col - in.col))
		return;
	if (v->ops->mouse && row >= in.row)
		v->ops->mouse(v, key, row - in.row, col - in.col);
	else if (key == TK_WHEEL_UP || key == TK_WHEEL_DOWN)
		app_key(app, key == TK_WHEEL_UP ? TK_UP : TK_DOWN);
}

/* A view with a scale moves its window, too. */
static void go_on_strip(struct app *app, int col)
{
	struct view *v = app_view(app);
	uint64_t ts;

	if (!app_strip_time(app, col, &ts))
		return;
	if (v->ops->centre)
		v->ops->centre(v, ts);
	else
		app_go(app, &(struct kt_spot){ .ts = ts });
}

static void click_on_frame(struct app *app, int row, int col)
{
	struct kt_err err = { 0 };
	const char *view;

	if (row == 0 && (view = app_tab_at(app, col)))
		tell(app, app_show(app, view, &err), &err);
	app->on_strip = row == 1;
	if (app->on_strip)
		go_on_strip(app, col);
}

/* Drag the border between two panes. True: the event was handled. */
static bool drag_border(struct app *app, int key, int row, int col)
{
	if (key == TK_CLICK)
		app->dragged = pane_border_at(app->root, row, col);
	else if (app->dragged && (key == TK_DRAG || key == TK_RELEASE))
		pane_move_border(app->dragged, row, col);
	else
		return false;
	app_layout(app);
	if (key == TK_RELEASE)
		app->dragged = NULL;
	return key != TK_CLICK;
}

void app_mouse(struct app *app, int key, int row, int col)
{
	bool held = key == TK_DRAG || key == TK_RELEASE;
	struct pane *p = held ? app->grabbed : pane_at(app->root, row, col);

	app->deadline_ms = moment_ms() + KEY_MS;
	if (app->prompt.open || (held && (app->help.len || app->list.ops)))
		return;
	if (key == TK_CLICK || key == TK_DOUBLE_CLICK)
		app->grabbed = p;
	if (!held) {
		kt_err_clear(&app->message);
		app->on_strip = false;
	}
	if (app->on_strip)
		go_on_strip(app, col);
	else if (app->help.len)
		help_key(app, key);
	else if (app->list.ops)
		list_key(app, key);
	else if (drag_border(app, key, row, col))
		;
	else if (p)
		mouse_in_pane(app, p, key, row, col);
	else if (key == TK_CLICK && app_is_framed(app))
		click_on_frame(app, row, col);
	app_follow(app);
}
