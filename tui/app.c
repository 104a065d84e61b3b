/* SPDX-License-Identifier: GPL-2.0-or-later */
/* app.c - views of one model: which one is shown, and what keys do */
#include "app.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct view *app_view(struct app *app)
{
	return &app->views[app->active];
}

void app_say(struct app *app, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(app->message.msg, sizeof(app->message.msg), fmt, ap);
	va_end(ap);
	app->message.code = 0;
}

/* ---- views ---- */

static void place(struct app *app, struct view *v)
{
	int rows = app->rows - FRAME_TOP - FRAME_BOTTOM;

	v->rows = rows < 3 ? app->rows : rows;
	v->cols = app->cols;
}

/* A view is opened when it is first shown. */
static int open_view(struct app *app, struct view *v, struct kt_err *err)
{
	int ret;

	if (v->state)
		return 0;
	v->state = calloc(1, v->ops->state_size ? v->ops->state_size : 1);
	if (!v->state)
		return kt_err_set(err, -ENOMEM, "out of memory");
	place(app, v);
	ret = v->ops->open ? v->ops->open(v, err) : 0;
	if (ret < 0) {
		if (v->ops->close)
			v->ops->close(v);
		free(v->state);
		v->state = NULL;
	}
	return ret;
}

static void follow(struct view *v)
{
	v->generation = kt_model_generation(v->model);
	if (v->ops->follow)
		v->ops->follow(v);
}

int app_show(struct app *app, const char *name, struct kt_err *err)
{
	size_t i;
	int ret;

	for (i = 0; i < app->nr_views; i++)
		if (strcmp(app->views[i].ops->name, name) == 0 ||
		    (name[0] == (char)('1' + i) && !name[1]))
			break;
	if (i == app->nr_views)
		return kt_err_set(err, -ENOENT, "there is no view '%s'", name);
	ret = open_view(app, &app->views[i], err);
	if (ret < 0)
		return ret;
	app_stop_search(app);
	app->active = i;
	follow(&app->views[i]);
	return 0;
}

struct app *app_create(struct kt_model *model, const char *title, struct kt_err *err)
{
	struct app *app = calloc(1, sizeof(*app));
	size_t i;

	if (!app) {
		kt_err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	app->model = model;
	app->title = strdup(title);
	app->help = (struct str)STR_INIT;
	app->copied = (struct str)STR_INIT;
	app->prompt.text = (struct str)STR_INIT;
	app->rows = 24;
	app->cols = 80;
	for (i = 0; views_table[i] && i < APP_VIEWS_MAX; i++)
		app->views[app->nr_views++] = (struct view){
			.ops = views_table[i], .app = app, .model = model,
		};
	kt_model_span(model, &app->span);
	if (app->title && app_show(app, views_table[0]->name, err) == 0)
		return app;
	app_destroy(app);
	return NULL;
}

void app_destroy(struct app *app)
{
	size_t i;

	if (!app)
		return;
	if (app->search.text)
		regfree(&app->search.re);
	free(app->search.text);
	for (i = 0; i < app->nr_views; i++)
		if (app->views[i].state) {
			if (app->views[i].ops->close)
				app->views[i].ops->close(&app->views[i]);
			free(app->views[i].state);
		}
	prompt_fini(&app->prompt);
	str_fini(&app->help);
	str_fini(&app->copied);
	free(app->density);
	free(app->lost);
	free(app->title);
	free(app);
}

void app_resize(struct app *app, int rows, int cols)
{
	size_t i;

	app->rows = rows;
	app->cols = cols;
	app->nr_density = 0;
	for (i = 0; i < app->nr_views; i++)
		place(app, &app->views[i]);
}

void app_set_cursor(struct app *app, const struct kt_spot *spot, bool jump)
{
	if (jump)
		kt_model_note_jump(app->model);
	kt_model_set_cursor(app->model, spot);
}

/* ---- keys ---- */

static void tell(struct app *app, int ret, const struct kt_err *err)
{
	if (ret < 0) {
		app->message = *err;
		app->message.code = ret;
		if (!*err->msg)
			app_say(app, "%s", strerror(-ret));
	}
}

static int done_command(struct app *app, const char *text, struct kt_err *err)
{
	return app_command(app, text, err);
}

static int add_name(struct kt_names *words, const struct view_command *c)
{
	int ret = 0;

	for (; c->name && ret == 0; c++)
		ret = kt_names_add(words, c->name);
	return ret;
}

static void prompt_take(struct app *app, int key)
{
	struct kt_names words = { 0 };
	struct kt_err err = { 0 };

	if (key == TK_TAB && app->prompt.done == done_command) {
		add_name(&words, app_view(app)->ops->commands);
		add_name(&words, app_commands);
	}
	if (prompt_key(&app->prompt, key, &words) == PROMPT_DONE)
		tell(app, app->prompt.done(app, app->prompt.text.buf, &err), &err);
	kt_names_fini(&words);
}

void app_ask(struct app *app, const char *label, const char *text,
	     int (*done)(struct app *app, const char *text, struct kt_err *err))
{
	prompt_open(&app->prompt, label, text, done ? done : done_command);
}

int app_command(struct app *app, const char *line, struct kt_err *err)
{
	size_t len = strcspn(line, " ");
	const char *arg = line + len + strspn(line + len, " ");
	const struct view_command *c = app_find_command(app, line, len);

	if (!len)
		return 0;
	if (!c)
		return kt_err_set(err, -ENOENT, "there is no command '%.*s'; ? lists them", (int)len, line);
	if (*arg && !c->args)
		return kt_err_set(err, -EINVAL, "%s takes no argument", c->name);
	return c->run(app_view(app), *arg ? arg : NULL, err);
}

void app_key(struct app *app, int key)
{
	const struct view_command *c;
	struct kt_err err = { 0 };
	char name[16];

	kt_err_clear(&app->message);
	if (app->prompt.open) {
		prompt_take(app, key);
	} else if (app->help.len && help_key(app, key)) {
		return;
	} else if (key == TK_ESC) {
		app_stop(app);
	} else {
		c = app_find_key(app, key);
		if (c)
			tell(app, c->run(app_view(app), NULL, &err), &err);
		else
			app_say(app, "%s does nothing here; ? shows the keys", key_text(key, name));
	}
	if (app_view(app)->generation != kt_model_generation(app->model))
		follow(app_view(app));
}

void app_mouse(struct app *app, int key, int row, int col)
{
	struct view *v = app_view(app);

	if (v->ops->mouse && row >= FRAME_TOP && row < FRAME_TOP + v->rows)
		v->ops->mouse(v, key, row - FRAME_TOP, col);
	else if (key == TK_WHEEL_UP || key == TK_WHEEL_DOWN)
		app_key(app, key == TK_WHEEL_UP ? TK_UP : TK_DOWN);
}
