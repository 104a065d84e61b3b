/* SPDX-License-Identifier: GPL-2.0-or-later */
/* app.c - views of one model, with tabs, a prompt and a status line */
#include "app.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

#define FRAME_TOP 2		/* tabs, and the strip of the whole trace */
#define FRAME_BOTTOM 2		/* status, and keys */

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

static struct area view_area(const struct app *app, struct surface *s)
{
	int rows = app->rows - FRAME_TOP - FRAME_BOTTOM;

	/* Where there is no room for a frame, the view has all. */
	if (rows < 3)
		return surface_all(s);
	return area_part(surface_all(s), FRAME_TOP, 0, rows, app->cols);
}

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
	app_stop(app);
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
	app_stop(app);
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

/* ---- searching, and what else goes on in the background ---- */

void app_stop(struct app *app)
{
	struct view *v = app_view(app);

	if (app->search.direction)
		app_say(app, "stopped");
	else if (v->ops->stop && v->ops->stop(v))
		return;
	app->search.direction = 0;
}

void app_search_for(struct app *app, const char *text, int direction)
{
	struct app_search *s = &app->search;
	char why[128];
	regex_t re;
	int ret;

	if (text && *text) {
		ret = strlen(text) > 1000 ? REG_ESPACE : regcomp(&re, text, REG_EXTENDED | REG_NOSUB);
		if (ret) {
			regerror(ret, NULL, why, sizeof(why));
			app_say(app, "'%s' is not a regular expression: %s", text, why);
			app->message.code = -EINVAL;
			return;
		}
		if (s->text)
			regfree(&s->re);
		free(s->text);
		s->re = re;
		s->text = strdup(text);
	}
	if (!s->text || !app_view(app)->ops->find) {
		app_say(app, s->text ? "this view cannot be searched" : "nothing was searched for: /");
		return;
	}
	s->direction = direction;
	s->first = true;
	s->lost = false;
}

void app_search_for_lost(struct app *app, int direction)
{
	if (!app_view(app)->ops->find)
		return;
	app->search.direction = direction;
	app->search.first = app->search.lost = true;
}

static bool search_some(struct app *app, unsigned int budget_ms)
{
	struct app_search *s = &app->search;
	struct view *v = app_view(app);
	int ret = v->ops->find(v, s->lost ? NULL : &s->re, s->direction, s->first, budget_ms);

	s->first = false;
	if (ret == -EAGAIN)
		return true;
	if (ret == 0 && s->lost)
		app_say(app, "no events were lost %s here", s->direction > 0 ? "after" : "before");
	else if (ret == 0)
		app_say(app, "no match for '%s' %s here", s->text, s->direction > 0 ? "after" : "before");
	s->direction = 0;
	return false;
}

bool app_work(struct app *app, unsigned int budget_ms)
{
	struct view *v = app_view(app);
	bool more;

	if (app->search.direction)
		return search_some(app, budget_ms);
	more = v->ops->work && v->ops->work(v, budget_ms);
	return kt_model_work(app->model, budget_ms) || more;
}

bool app_has_threads(struct app *app)
{
	struct kt_index_progress p;

	kt_index_progress(kt_model_index(app->model), &p);
	return !(p.ready || p.error);
}

/* ---- the frame ---- */

static void draw_tabs(const struct app *app, struct area a)
{
	int col = 1, end = a.cols;
	char text[64];
	size_t i;

	for (i = 0; i < app->nr_views; i++) {
		snprintf(text, sizeof(text), " %zu %s ", i + 1, app->views[i].ops->name);
		col = area_put(a, 0, col, i == app->active ? STYLE_TAB_ACTIVE : STYLE_TAB, text, -1);
	}
	if (text_width(app->title) + 2 < end - col)
		area_put_right(a, 0, end - 1, STYLE_TITLE, app->title);
}

/* Where a time is on the strip */
static int strip_col(const struct app *app, uint64_t ts, int cols)
{
	double all = (double)(app->span.until - app->span.from) + 1;

	if (ts <= app->span.from)
		return 0;
	return ts >= app->span.until ? cols - 1 :
	       (int)((double)(ts - app->span.from) / all * cols);
}

static void count_density(struct app *app)
{
	struct kt_err err = { 0 };
	int nr = app->cols;

	if (app->nr_density == nr || nr <= 0 || app->span.from > app->span.until)
		return;
	free(app->density);
	free(app->lost);
	app->density = calloc((size_t)nr, sizeof(*app->density));
	app->lost = calloc((size_t)nr, sizeof(*app->lost));
	if (app->density && app->lost &&
	    kt_index_density(kt_model_index(app->model), KT_ALL_SOURCES, app->span.from,
			     app->span.until, (size_t)nr, app->density, app->lost, &err) == 0)
		app->nr_density = nr;
}

/* All of the trace, a column for each part of its time; what the view shows is between brackets */
static void draw_strip(const struct app *app, struct area a)
{
	static const uint32_t bars[] = { ' ', 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587,
					 0x2588 };
	const struct view *v = &app->views[app->active];
	uint64_t most = 1;
	struct kt_window w;
	int i, from, until;

	for (i = 0; i < app->nr_density; i++)
		most = app->density[i] > most ? app->density[i] : most;
	for (i = 0; i < a.cols && i < app->nr_density; i++) {
		uint64_t n = app->density[i];
		int level = n ? 1 + (int)((double)n * 7 / (double)most) : 0;

		area_char(a, 0, i, app->lost[i] ? STYLE_LOST : STYLE_DIM,
			  app->lost[i] ? '!' : bars[level]);
	}
	if (!app->nr_density)
		area_fill(a, 0, 0, STYLE_DIM, 0x2500, a.cols);
	if (!v->ops->window || !v->ops->window(v, &w))
		return;
	from = strip_col(app, w.from, a.cols);
	until = strip_col(app, w.until, a.cols);
	area_char(a, 0, from, STYLE_STRONG, '[');
	area_char(a, 0, until > from ? until : from + 1, STYLE_STRONG, ']');
}

static int put_mark(const struct app *app, struct area a, int row, int col, char name)
{
	struct kt_mark mark;
	char text[48];

	if (!kt_model_find_mark(app->model, name, &mark))
		return col;
	col = area_putf(a, row, col, STYLE_MARK, "%c ", name);
	snprintf(text, sizeof(text), "%" PRIu64 ".%06u  ", mark.spot.ts / 1000000000,
		 (unsigned int)(mark.spot.ts % 1000000000 / 1000));
	return area_put(a, row, col, STYLE_TIME, text, -1);
}

static int put_marks(const struct app *app, struct area a, int row, int col)
{
	struct kt_mark x, y;
	char text[32];

	col = put_mark(app, a, row, col, 'A');
	col = put_mark(app, a, row, col, 'B');
	if (!kt_model_find_mark(app->model, 'A', &x) || !kt_model_find_mark(app->model, 'B', &y))
		return col;
	units_format_time(x.spot.ts < y.spot.ts ? y.spot.ts - x.spot.ts : x.spot.ts - y.spot.ts, text);
	col = area_put(a, row, col, STYLE_MARK, "A-B ", -1);
	col = area_put(a, row, col, STYLE_STRONG, text, -1);
	return col + 2;
}

static int put_filters(const struct app *app, struct area a, int row, int col)
{
	size_t i;

	for (i = 0; i < kt_model_nr_filters(app->model); i++) {
		struct kt_model_filter f = kt_model_filter(app->model, i);

		if (!f.on)
			continue;
		col = area_put(a, row, col, STYLE_HINT, f.exclude ? "hide " : "only ", -1);
		col = area_put(a, row, col, STYLE_NORMAL, f.text, 30) + 2;
	}
	return col;
}

/* What goes on in the background, at the right end */
static int put_progress(const struct app *app, struct area a, int row)
{
	struct kt_index_progress p;
	char text[64] = "";

	kt_index_progress(kt_model_index(app->model), &p);
	if (app->search.direction)
		snprintf(text, sizeof(text), "searching … Esc stops");
	else if (p.error)
		snprintf(text, sizeof(text), "no index: %s", strerror(-p.error));
	else if (!p.ready && p.total)
		snprintf(text, sizeof(text), "index %d%%", (int)(100.0 * (double)p.done / (double)p.total));
	if (*text)
		area_put_right(a, row, a.cols, STYLE_PROGRESS, text);
	return a.cols - (*text ? text_width(text) + 1 : 0);
}

static void draw_status(const struct app *app, struct area a, int row)
{
	const struct view *v = &app->views[app->active];
	struct str text = STR_INIT;
	int col, end;

	if (app->prompt.open) {
		prompt_draw(&app->prompt, a, row);
		return;
	}
	end = put_progress(app, a, row);
	a.cols = end;
	if (*app->message.msg) {
		area_put(a, row, 0, app->message.code ? STYLE_ERROR : STYLE_STATUS, app->message.msg, -1);
		return;
	}
	col = put_filters(app, a, row, put_marks(app, a, row, 0));
	if (v->ops->status)
		v->ops->status(v, &text);
	area_put(a, row, col, STYLE_STATUS, text.buf, -1);
	str_fini(&text);
}

static int put_hint(struct area a, int row, int col, const struct view_command *c)
{
	size_t len = strcspn(c->keys, " ");
	int width = (int)len + 1 + text_width(c->hint);

	if (col + width > a.cols)
		return a.cols;
	col = area_putn(a, row, col, STYLE_KEY, c->keys, len, -1);
	return area_put(a, row, col + 1, STYLE_HINT, c->hint, -1) + 2;
}

static void draw_keys(const struct app *app, struct area a, int row)
{
	const struct view_command *c;
	int col = 0;

	for (c = app->views[app->active].ops->commands; c->name; c++)
		if (c->hint && c->keys)
			col = put_hint(a, row, col, c);
	for (c = app_commands; c->name; c++)
		if (c->hint && c->keys)
			col = put_hint(a, row, col, c);
}

void app_draw(struct app *app, struct surface *s)
{
	struct view *v = app_view(app);
	struct area all = surface_all(s);
	bool framed = app->rows - FRAME_TOP - FRAME_BOTTOM >= 3;

	surface_clear(s);
	if (v->ops->prepare)
		v->ops->prepare(v);
	if (app->help.len)
		help_draw(app, view_area(app, s));
	else
		v->ops->draw(v, view_area(app, s));
	if (!framed) {
		if (app->prompt.open && app->rows > 0)
			draw_status(app, all, app->rows - 1);
		return;
	}
	count_density(app);
	draw_tabs(app, area_part(all, 0, 0, 1, app->cols));
	draw_strip(app, area_part(all, 1, 0, 1, app->cols));
	draw_status(app, all, app->rows - 2);
	draw_keys(app, all, app->rows - 1);
}
