/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loop.c - the viewer on a terminal, or printed */
#include "tui/tui.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/model.h>

#include "tui/live/live.h"
#include "tui/terminal/term.h"
#include "tui/terminal/theme.h"
#include "app.h"

#define SLICE_MS 8			/* of work between two looks at the keyboard */
#define WAIT_MS  50			/* for a key while only threads work */
#define WATCH_MS 1000			/* for a key, before files are checked again */

const struct view_ops *const views_table[] = {
	&events_view,
	&graph_view,
	&timeline_view,
	&latency_view,
	&flame_view,
	&info_view,
	&control_view,
	&why_view,
	NULL
};

/* ---- keys as text: "j/irq<Enter><Ctrl-O><Click@5,10><Size@80x24>" ---- */

/* A key, a click, or a new size of the screen */
struct typed {
	int key;
	int row, col;			/* of a click; rows and columns of a size */
};

/* "Click@ROW,COL" and "Size@COLSxROWS" between '<' and '>' */
static int parse_typed(const char *name, size_t len, struct typed *t)
{
	const char *at = memchr(name, '@', len);

	t->key = key_parse(name, at ? (size_t)(at - name) : len);
	if (at && strncmp(name, "Size@", 5) == 0 && sscanf(at, "@%dx%d", &t->col, &t->row) == 2)
		t->key = TK_RESIZE;
	else if (at && (t->key < TK_CLICK || sscanf(at, "@%d,%d", &t->row, &t->col) != 2))
		return -EINVAL;
	return t->key == TK_NONE || t->row < 0 || t->col < 0 || t->row > 1000 || t->col > 1000 ?
	       -EINVAL : 0;
}

/* The next of @keys; moves it on. */
static int next_key(const char **keys, struct typed *t, struct kt_err *err)
{
	const char *end = **keys == '<' ? strpbrk(*keys + 1, "<>") : NULL;
	wchar_t ch = (unsigned char)**keys;
	int len = mbtowc(&ch, *keys, MB_CUR_MAX);

	*t = (struct typed){ .key = (int)ch };
	*keys += len > 0 ? len : 1;
	if (!end || *end == '<')
		return 0;
	if (parse_typed(*keys, (size_t)(end - *keys), t) < 0)
		return kt_err_set(err, -EINVAL, "'<%.*s>' is not the name of a key",
				  (int)(end - *keys), *keys);
	*keys = end + 1;
	return 0;
}

/* Wait for all work in the background */
static void settle(struct app *app)
{
	struct kt_err err = { 0 };

	kt_index_wait(kt_model_index(app->model), &err);
	live_take(app);
	while (app_work(app, SLICE_MS))
		;
}

static int take_typed(struct app *app, const struct typed *t, struct surface *s, struct kt_err *err)
{
	bool ascii = s->ascii;

	if (t->key == TK_RESIZE && t->row) {
		surface_fini(s);
		app_resize(app, t->row, t->col);
		return surface_init(s, t->row, t->col, ascii) < 0 ? kt_err_no_memory(err) : 0;
	}
	if (t->key >= TK_CLICK)
		app_mouse(app, t->key, t->row, t->col);
	else
		app_key(app, t->key);
	return 0;
}

static int type_keys(struct app *app, const char *keys, struct surface *s, struct kt_err *err)
{
	struct typed t;
	int ret = 0;

	while (ret == 0 && keys && *keys && !app->quit) {
		ret = next_key(&keys, &t, err);
		if (ret == 0)
			ret = take_typed(app, &t, s, err);
		settle(app);
		app_draw(app, s);
	}
	return ret;
}

/* A recording that holds only the report of a latency tracer has nothing to show elsewhere. */
static bool is_report(struct app *app)
{
	struct kt_latency_text *text;

	if (app->live || !app_has_no_events(app))
		return false;
	text = kt_latency_text_open(kt_model_trace(app->model), NULL);
	kt_latency_text_close(text);
	return text != NULL;
}

static struct app *start(struct kt_model *m, const struct tui_opts *opts,
			 const struct kt_sidecar_screen *former, const struct config *config,
			 struct kt_err *err)
{
	const char *view = opts->view ? opts->view : former->view;
	struct live *live = opts->live ? live_create(opts->live) : NULL;
	struct app *app = app_create(m, live, opts->title ? opts->title : "", err);

	if (app) {
		app->config = config;
		live_begin(app);
		event_columns_default(&app->columns, config);
		app->columns_chosen =
			event_columns_parse(&app->columns, former->columns, NULL) == 0;
	}
	if (app && !*view && is_report(app))
		view = "latency";
	if (app && *view && app_show(app, view, err) < 0) {
		app_destroy(app);
		return NULL;
	}
	return app;
}

/* ---- the place of the last session ---- */

struct session {
	bool used;
	struct kt_sidecar_screen screen;
	struct kt_err why_not;		/* a side-car exists that is not used */
	bool restored;
};

static void restore(struct session *s, struct kt_model *m, const struct tui_opts *opts, bool used)
{
	*s = (struct session){ .used = used && !opts->no_session };
	if (s->used)
		s->restored = kt_sidecar_restore(m, opts->session, &s->screen, &s->why_not) > 0;
	if (!app_has_view(s->screen.view))
		*s->screen.view = '\0';
}

static void say_wrong_config(struct app *app, const struct config *c)
{
	if (c->nr_wrong > 1)
		app_say(app, "%s (and %zu more)", c->wrong.msg, c->nr_wrong - 1);
	else if (*c->wrong.msg)
		app_say(app, "%s", c->wrong.msg);
	if (*c->wrong.msg)
		app->message.code = c->wrong.code;
}

static void say_restored(struct app *app, const struct session *s)
{
	size_t nr = 0, nr_filters = kt_model_nr_filters(app->model);
	struct kt_mark mark;

	while (kt_model_mark(app->model, nr, &mark))
		nr++;
	if (*s->why_not.msg)
		app_say(app, "%s", s->why_not.msg);
	else if (s->restored && (nr || nr_filters))
		app_say(app, "as you left it: %zu mark%s (M), %zu filter%s (Ctrl-G)", nr,
			nr == 1 ? "" : "s", nr_filters, nr_filters == 1 ? "" : "s");
}

static void save(const struct session *s, struct app *app, const struct tui_opts *opts)
{
	struct kt_sidecar_screen screen = { 0 };
	struct str columns = STR_INIT;
	struct kt_err err = { 0 };

	if (!s->used || !app)
		return;
	snprintf(screen.view, sizeof(screen.view), "%s", app_view(app)->ops->name);
	if (app->columns_chosen)
		event_columns_print(&app->columns, &columns);
	if (columns.len < sizeof(screen.columns))
		strcpy(screen.columns, columns.buf);
	str_fini(&columns);
	if (kt_sidecar_save(app->model, opts->session, &screen, &err) < 0 &&
	    err.code != -EAGAIN && opts->warn)
		opts->warn(err.msg);
}

static void read_config(struct config *c, const struct tui_opts *opts)
{
	config_read(c, NULL);
	if (opts->background)
		theme_set_background(opts->background);
}

/* ---- printed ---- */

static void add_colored(const struct surface *s, int colors, struct str *out)
{
	int row, col;
	char sgr[48], last[48];

	for (row = 0; row < s->rows; row++) {
		struct surface one = { .rows = 1, .cols = 1 };

		*last = 0;
		for (col = 0; col < s->cols; col++) {
			struct cell c = s->cells[(size_t)row * (size_t)s->cols + (size_t)col];

			if (c.flags & CELL_REST)
				continue;
			theme_sgr(c.style, c.flags & CELL_SELECTED, colors, sgr);
			if (strcmp(sgr, last) != 0)
				str_add(out, strcpy(last, sgr));
			one.cells = &c;
			if (c.ch == ' ') {
				str_addc(out, ' ');
				continue;
			}
			surface_text(&one, out);
			out->len--;		/* its newline */
		}
		str_add(out, "\033[0m\n");
	}
}

int tui_print(struct kt_model *m, const struct tui_opts *opts, int rows, int cols, bool color,
	      struct str *out, struct kt_err *err)
{
	struct surface s = { 0 };
	struct session session;
	struct config config;
	struct app *app;
	int ret;

	read_config(&config, opts);
	restore(&session, m, opts, opts->session);
	app = start(m, opts, &session.screen, &config, err);
	ret = app ? surface_init(&s, rows, cols, opts->ascii || config.ascii) : -ENOMEM;
	if (ret == 0) {
		app_resize(app, rows, cols);
		say_restored(app, &session);
		say_wrong_config(app, &config);
		settle(app);
		app_draw(app, &s);
		ret = type_keys(app, opts->keys, &s, err);
	}
	if (ret == 0) {
		settle(app);
		app_draw(app, &s);
		if (color)
			add_colored(&s, config.colors ? config.colors : 256, out);
		else
			surface_text(&s, out);
		save(&session, app, opts);
	}
	surface_fini(&s);
	app_destroy(app);
	config_fini(&config);
	return ret;
}

/* ---- on a terminal ---- */

static int resize(struct app *app, struct surface *s, struct kt_err *err)
{
	int rows, cols;

	term_size(&rows, &cols);
	if (rows == s->rows && cols == s->cols)
		return 0;
	surface_fini(s);
	app_resize(app, rows, cols);
	return surface_init(s, rows, cols, term_is_ascii()) < 0 ? kt_err_no_memory(err) : 0;
}

/* Set by a signal handler: a page of a mapped file is gone, and reads as zeros */
static volatile sig_atomic_t file_was_cut;

static void note_cut(const char *path)
{
	(void)path;
	file_was_cut = 1;
}

/* Requests of the app to the terminal */
static void serve(struct app *app)
{
	if (app->copied.len)
		term_copy(app->copied.buf, app->copied.len);
	str_reset(&app->copied);
	if (app->suspend)
		term_suspend();
	if (app->repaint)
		term_repaint();
	term_set_mouse(!app->mouse_off);
	app->suspend = app->repaint = false;
}

/* The next key; TK_NONE: no key, but the screen must be redrawn */
static int wait_for_key(struct app *app, struct term_mouse *mouse)
{
	bool was_busy = app->busy;
	int wait_ms;

	app->busy = app_work(app, SLICE_MS);
	/* Show the results of the last slice before waiting for keys. */
	if (app->busy || was_busy)
		return term_key(0, mouse);
	wait_ms = app->live ? live_wait_ms(app) : WATCH_MS;
	if (app_has_threads(app) && wait_ms > WAIT_MS)
		wait_ms = WAIT_MS;
	return term_key(wait_ms, mouse);
}

static int loop(struct app *app, struct surface *s, struct kt_err *err)
{
	struct term_mouse mouse = { 0 };
	int key, ret = 0;

	/* The first screen may be incomplete. */
	app->busy = true;
	while (ret == 0 && !app->quit) {
		app_draw(app, s);
		term_draw(s);
		key = wait_for_key(app, &mouse);
		if (key == TK_NONE && term_is_gone())
			ret = kt_err_set(err, -EIO, "the terminal is gone");
		else if (key == TK_RESIZE)
			ret = resize(app, s, err);
		else if (key >= TK_CLICK)
			app_mouse(app, key, mouse.row, mouse.col);
		else if (key != TK_NONE)
			app_key(app, key);
		/* For printing, finish the work of each key. */
		app->busy |= key != TK_NONE;
		serve(app);
		live_tick(app);
		app->file_was_cut |= file_was_cut;
		file_was_cut = 0;
		files_look(app);
	}
	return ret;
}

static int run(struct app *app, const struct tui_opts *opts, const struct session *session,
	       struct kt_err *err)
{
	struct surface s = { .rows = -1 };
	int ret = resize(app, &s, err);

	if (!opts->no_session)
		prompt_load_history(&app->prompt);
	app->mouse_off = opts->no_mouse || app->config->mouse_off;
	say_restored(app, session);
	say_wrong_config(app, app->config);
	if (ret == 0)
		ret = type_keys(app, opts->keys, &s, err);
	if (ret == 0)
		ret = loop(app, &s, err);
	surface_fini(&s);
	return ret;
}

int tui_check(struct kt_err *err)
{
	return term_check(err);
}

int tui_run(struct kt_model *m, const struct tui_opts *opts, struct kt_err *err)
{
	struct session session;
	struct config config;
	struct app *app = NULL;
	int ret;

	read_config(&config, opts);
	ret = term_open(&(struct term_opts){
		.no_color = opts->no_color || config.no_color,
		.no_mouse = opts->no_mouse || config.mouse_off,
		.ascii = opts->ascii || config.ascii, .colors = config.colors }, err);
	if (ret == 0) {
		kt_file_catch_cuts(note_cut);
		restore(&session, m, opts, true);
		app = start(m, opts, &session.screen, &config, err);
		ret = app ? run(app, opts, &session, err) : -ENOMEM;
		term_close();
	}
	if (app) {
		save(&session, app, opts);
		if (!opts->no_session)
			prompt_save_history(&app->prompt);
	}
	app_destroy(app);
	config_fini(&config);
	return ret;
}

/* ---- the tables ---- */

/* The command after *@i others, or the end of @c; reduces *@i */
static const struct view_command *nth_command(const struct view_command *c, size_t *i)
{
	for (; c->name && *i; c++)
		--*i;
	return c;
}

bool tui_command(size_t i, const char **view, const char **name, const char **keys,
		 const char **args, const char **help)
{
	const struct view_command *c = NULL;
	size_t k;

	for (k = 0; views_table[k]; k++) {
		c = nth_command(views_table[k]->commands, &i);
		if (c->name)
			break;
	}
	*view = views_table[k] ? views_table[k]->name : NULL;
	if (!views_table[k])
		c = nth_command(app_commands, &i);
	if (!c->name)
		c = nth_command(app_pane_commands, &i);
	*name = c->name;
	*keys = c->keys;
	*args = c->args;
	*help = c->help;
	return c->name;
}
