/* SPDX-License-Identifier: GPL-2.0-or-later */
/* app.c - views of one model: choose the one to show, and pass keys to it */
#include "app.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/moment.h"
#include "tui/live/live.h"

struct view *app_view(const struct app *app)
{
	return &app->focus->views[app->focus->active];
}

void app_say(struct app *app, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(app->message.msg, sizeof(app->message.msg), fmt, ap);
	va_end(ap);
	app->message.code = 0;
	*app->message.excerpt = '\0';
}

/* ---- views ---- */

/* A view is opened when it is first shown. */
int app_open_view(struct view *v, struct kt_err *err)
{
	int ret;

	if (v->state)
		return 0;
	v->state = calloc(1, v->ops->state_size ? v->ops->state_size : 1);
	if (!v->state)
		return kt_err_no_memory(err);
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

bool app_is_same_spot(const struct kt_spot *a, const struct kt_spot *b)
{
	return a->ts == b->ts && a->pos == b->pos && a->source == b->source;
}

/* The view that moved the cursor need not follow. */
void app_follow(struct app *app)
{
	struct kt_spot cursor = kt_model_cursor(app->model);
	bool moved = !app_is_same_spot(&cursor, &app->followed);
	struct pane *p;

	app->followed = cursor;
	for (p = pane_first(app->root); p; p = pane_next(p)) {
		struct view *v = &p->views[p->active];

		if (!p->place.rows && p != app->focus)	/* until there is room for it */
			v->generation = kt_model_generation(app->model) - 1;
		else if ((moved && p != app->focus) ||
			 v->generation != kt_model_generation(app->model))
			follow(v);
	}
}

/* Its number, or APP_VIEWS_MAX */
static size_t find_view(const struct pane *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->nr_views; i++)
		if (strcmp(p->views[i].ops->name, name) == 0 ||
		    (i < p->nr_tabs && name[0] == (char)('1' + i) && !name[1]))
			return i;
	return APP_VIEWS_MAX;
}

static int show(struct pane *p, const char *name, struct kt_err *err)
{
	size_t i = find_view(p, name);
	int ret;

	if (i == APP_VIEWS_MAX)
		return kt_err_set(err, -ENOENT, "there is no view '%s'", name);
	ret = app_open_view(&p->views[i], err);
	if (ret < 0)
		return ret;
	p->active = i;
	follow(&p->views[i]);
	return 0;
}

bool app_has_view(const char *name)
{
	size_t i;

	for (i = 0; views_table[i]; i++)
		if (strcmp(views_table[i]->name, name) == 0)
			return true;
	return false;
}

int app_show(struct app *app, const char *name, struct kt_err *err)
{
	int ret = show(app->focus, name, err);

	if (ret == 0)
		app_stop_search(app);
	return ret;
}

/* ---- panes ---- */

void app_layout(struct app *app)
{
	struct pane_place all = { 0, 0, app->rows, app->cols };

	/* Without room for a frame, the view has the whole screen. */
	if (app_is_framed(app))
		all = (struct pane_place){ FRAME_TOP, 0, app->rows - FRAME_TOP - FRAME_BOTTOM,
					   app->cols };
	pane_layout(app->root, app->focus, all);
}

void app_focus(struct app *app, struct pane *p)
{
	app_stop_search(app);
	app->focus = p;
	app_layout(app);
}

int app_split(struct app *app, const char *view, bool beside, struct kt_err *err)
{
	struct pane *p, *old = app->focus;
	int ret;

	if (pane_count(app->root) >= PANES_MAX)
		return kt_err_set(err, -ENOSPC, "there are %d panes already", PANES_MAX);
	p = pane_create(app, app->model);
	ret = p ? pane_split(&app->root, old, p, beside) : -ENOMEM;
	if (ret < 0) {
		pane_destroy(p);
		return kt_err_result(err, ret);
	}
	app_focus(app, p);
	ret = show(p, view, err);
	if (ret < 0) {
		app->focus = old;
		app_close_pane(app, p);
	} else if (!old->place.rows) {
		app_say(app, "there is no room for two panes here: Ctrl-W w shows the other one");
	}
	return ret;
}

void app_close_pane(struct app *app, struct pane *p)
{
	struct pane *heir = pane_close(&app->root, p);

	app->grabbed = app->dragged = NULL;
	if (heir && app->focus == p)
		app->focus = heir;
	app_layout(app);
}

void app_close_views(struct app *app)
{
	struct pane *p;

	app_stop_search(app);
	for (p = pane_first(app->root); p; p = pane_next(p))
		pane_close_views(p);
}

int app_open_views(struct app *app, struct kt_err *err)
{
	struct pane *p;
	int ret = 0;

	kt_model_span(app->model, &app->span);
	app->nr_density = 0;
	app_layout(app);
	for (p = pane_first(app->root); p && ret == 0; p = pane_next(p))
		ret = show(p, p->views[p->active].ops->name, err);
	return ret;
}

/* ---- the whole ---- */

struct app *app_create(struct kt_model *model, struct live *live, const char *title,
		       struct kt_err *err)
{
	struct app *app = calloc(1, sizeof(*app));

	if (!app) {
		kt_err_no_memory(err);
		live_destroy(live);
		return NULL;
	}
	app->model = model;
	app->live = live;
	app->title = strdup(title);
	app->help = (struct str)STR_INIT;
	app->copied = (struct str)STR_INIT;
	app->prompt.text = app->prompt.choices = (struct str)STR_INIT;
	event_columns_default(&app->columns, NULL);
	app->rows = 24;
	app->cols = 80;
	app->root = app->focus = pane_create(app, model);
	kt_model_span(model, &app->span);
	if (app->root)
		app_layout(app);
	if (app->title && app->root && app_show(app, views_table[0]->name, err) == 0)
		return app;
	app_destroy(app);
	return NULL;
}

void app_destroy(struct app *app)
{
	if (!app)
		return;
	if (app->search.text)
		regfree(&app->search.re);
	free(app->search.text);
	export_fini(app);
	marks_fini(&app->between);
	pane_destroy(app->root);
	live_destroy(app->live);
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
	app->rows = rows;
	app->cols = cols;
	app->nr_density = 0;
	app->deadline_ms = moment_ms() + KEY_MS;
	app_layout(app);
}

void app_set_cursor(struct app *app, const struct kt_spot *spot, bool jump)
{
	if (jump)
		kt_model_note_jump(app->model);
	kt_model_set_cursor(app->model, spot);
}

void app_go(struct app *app, const struct kt_spot *spot)
{
	app_set_cursor(app, spot, true);
	follow(app_view(app));
}

static bool has_both_marks(const struct app *app, struct kt_mark *a, struct kt_mark *b)
{
	return kt_model_find_mark(app->model, "A", a) && kt_model_find_mark(app->model, "B", b);
}

const char *app_file_prefix(const struct app *app, size_t file, char buf[16])
{
	*buf = 0;
	if (kt_trace_nr_files(kt_model_trace(app->model)) > 1)
		snprintf(buf, 16, "%zu:", file + 1);
	return buf;
}

bool app_has_no_events(const struct app *app)
{
	return app->span.from > app->span.until;
}

bool app_is_waiting(const struct app *app)
{
	return app->live && app_has_no_events(app);
}

bool app_window_changed(const struct app *app, const struct kt_window *w, bool *marked)
{
	struct kt_window now = app_marked_window(app);
	struct kt_mark a, b;
	bool was_marked = *marked;

	*marked = has_both_marks(app, &a, &b);
	if (app->live && !*marked && !was_marked && w->from <= w->until && w->until)
		return false;
	return now.from != w->from || now.until != w->until;
}

struct kt_window app_marked_window(const struct app *app)
{
	struct kt_window w = app->span;
	struct kt_mark a, b;

	if (w.from > w.until)
		w = (struct kt_window){ 0, 0 };
	if (has_both_marks(app, &a, &b)) {
		w.from = a.spot.ts < b.spot.ts ? a.spot.ts : b.spot.ts;
		w.until = a.spot.ts < b.spot.ts ? b.spot.ts : a.spot.ts;
	}
	return w;
}
