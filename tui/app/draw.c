/* SPDX-License-Identifier: GPL-2.0-or-later */
/* draw.c - the frame around views: tabs, the strip of the whole trace, status, keys */
#include "app.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "tui/live/live.h"

#define TITLE_COLS 10			/* with less room, a title is useless */

bool app_is_framed(const struct app *app)
{
	return app->rows - FRAME_TOP - FRAME_BOTTOM >= 3;
}

static int put_tab(const struct pane *p, struct area a, int col, size_t i, bool active)
{
	char text[64];

	if (i < p->nr_tabs)
		snprintf(text, sizeof(text), " %zu %s ", i + 1, p->views[i].ops->name);
	else
		snprintf(text, sizeof(text), " %s ", p->views[i].ops->name);
	return area_put(a, 0, col, active ? STYLE_TAB_ACTIVE : STYLE_TAB, text, -1);
}

/* " · 31,627,204 events · 12.5 s", once the index has counted them */
static void add_extent(const struct app *app, struct str *out)
{
	struct kt_index_progress p;
	char digits[24], time[32];
	size_t i, len;

	kt_index_progress(kt_model_index(app->model), &p);
	if (!p.ready || app->live || app->span.from > app->span.until)
		return;
	len = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, p.nr_records);
	str_add(out, " \xc2\xb7 ");
	for (i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			str_addc(out, ',');
		str_addc(out, digits[i]);
	}
	str_addf(out, " event%s \xc2\xb7 %s", p.nr_records == 1 ? "" : "s",
		 units_format_time(app->span.until - app->span.from, time));
}

/* For a long name, show the end, which differs between files; more than the name if there is
 * room */
static void draw_title(const struct app *app, struct area a, int room)
{
	struct str text = STR_INIT;
	const char *name = app->title;
	int name_cols = text_width(name);

	str_add(&text, name);
	add_extent(app, &text);
	if (text.buf && text_width(text.buf) <= room) {
		area_put_right(a, 0, a.cols - 1, STYLE_TITLE, text.buf);
	} else if (name_cols <= room) {
		area_put_right(a, 0, a.cols - 1, STYLE_TITLE, name);
	} else if (room >= TITLE_COLS) {
		while (*name && (text_width(name) >= room || (*name & 0xc0) == 0x80))
			name++;
		area_char(a, 0, a.cols - 2 - text_width(name), STYLE_TITLE, 0x2026);
		area_put_right(a, 0, a.cols - 1, STYLE_TITLE, name);
	}
	str_fini(&text);
}

static void draw_tabs(const struct app *app, struct area a)
{
	int col = 1;
	size_t i;

	for (i = 0; i < app->focus->nr_tabs; i++)
		col = put_tab(app->focus, a, col, i, i == app->focus->active);
	draw_title(app, a, a.cols - col - 2);
}

const char *app_tab_at(const struct app *app, int col)
{
	const struct pane *p = app->focus;
	int at = 1;
	size_t i;

	for (i = 0; i < p->nr_tabs; i++) {
		at += text_width(p->views[i].ops->name) + 4;
		if (col < at)
			return p->views[i].ops->name;
	}
	return NULL;
}

bool app_strip_time(const struct app *app, int col, uint64_t *ts)
{
	double all = (double)(app->span.until - app->span.from);

	if (app->span.from > app->span.until || app->cols < 1)
		return false;
	*ts = app->span.from + (uint64_t)(all * col / app->cols);
	return true;
}

/* The column of a time on the strip */
static int strip_col(const struct app *app, uint64_t ts, int cols)
{
	double all = (double)(app->span.until - app->span.from) + 1;

	if (ts <= app->span.from)
		return 0;
	return ts >= app->span.until ? cols - 1 :
	       (int)((double)(ts - app->span.from) / all * cols);
}

bool app_next_lost(const struct app *app, uint64_t from, int direction, uint64_t *ts)
{
	int col;

	if (!app->nr_density)
		return false;
	col = strip_col(app, from, app->nr_density) + direction;
	for (; col >= 0 && col < app->nr_density; col += direction)
		if (app->lost[col])
			return app_strip_time(app, col, ts);
	return false;
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

/* The whole trace, a column for each part of its time; brackets enclose the window of the view */
static void draw_strip(const struct app *app, struct area a)
{
	static const uint32_t bars[] = { ' ',	 0x2581, 0x2582, 0x2583, 0x2584,
					 0x2585, 0x2586, 0x2587, 0x2588 };
	const struct view *v = app_view(app);
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
	if (app_has_no_events(app) || !v->ops->window || !v->ops->window(v, &w))
		return;
	from = strip_col(app, w.from, a.cols);
	until = strip_col(app, w.until, a.cols);
	area_char(a, 0, from, STYLE_STRONG, '[');
	area_char(a, 0, until > from ? until : from + 1, STYLE_STRONG, ']');
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

/* The work in the background, at the right end */
static int put_progress(const struct app *app, struct area a, int row)
{
	struct kt_index_progress p;
	struct str live = STR_INIT;
	char text[256] = "";

	live_describe(app, &live);
	kt_index_progress(kt_model_index(app->model), &p);
	if (app->file_was_cut)
		snprintf(text, sizeof(text), "the file was cut: parts of it are gone");
	else if (app->files_changed && !*app->message.msg)
		snprintf(text, sizeof(text), "the file has changed, :reload reads it again");
	else if (app->job)
		export_tell(app, text, sizeof(text));
	else if (app->search.direction)
		snprintf(text, sizeof(text), "searching … Esc stops");
	else if (p.error)
		snprintf(text, sizeof(text), "no index: %s", strerror(-p.error));
	else if (!p.ready && p.total)
		snprintf(text, sizeof(text), "index %d%%",
			 (int)(100.0 * (double)p.done / (double)p.total));
	else if (app->live)
		snprintf(text, sizeof(text), "%s", *app->message.msg ? "" : live.buf);
	else if (p.nr_damaged)
		snprintf(text, sizeof(text), "%llu damaged chunks",
			 (unsigned long long)p.nr_damaged);
	str_fini(&live);
	if (*text)
		area_put_right(a, row, a.cols, STYLE_PROGRESS, text);
	return a.cols - (*text ? text_width(text) + 1 : 0);
}

static void draw_status(const struct app *app, struct area a, int row)
{
	const struct view *v = app_view(app);
	struct str text = STR_INIT;
	int col, end;

	if (app->prompt.open) {
		prompt_draw(&app->prompt, a, row);
		return;
	}
	end = put_progress(app, a, row);
	a.cols = end;
	if (*app->message.msg) {
		area_put(a, row, 0, app->message.code ? STYLE_ERROR : STYLE_STATUS,
			 app->message.msg, -1);
		return;
	}
	col = app->selecting ? area_put(a, row, 0, STYLE_MARK, "selecting  ", -1) : 0;
	col = put_filters(app, a, row, marks_put(app, a, row, col));
	if (v->ops->status)
		v->ops->status(v, &text);
	area_put(a, row, col, STYLE_STATUS, text.buf, -1);
	str_fini(&text);
}

static int hint_width(const struct view_command *c)
{
	return (int)strcspn(c->keys, " ") + 1 + text_width(c->hint);
}

/* Is the first of @keys one of the table's? */
static bool has_key(const struct view_command *c, const char *keys)
{
	int key = key_parse(keys, strcspn(keys, " "));

	for (; c && c->name; c++)
		if (c->keys && key_is_in(key, c->keys))
			return true;
	return false;
}

/* Draw the keys of a table up to @until that fit before column @end, except keys of the table
 * @hidden_by. Returns the column after them */
static int put_hints(struct area a, int row, int col, int end, const struct view_command *c,
		     const struct view_command *until, const struct view_command *hidden_by)
{
	for (; c->name && c != until; c++) {
		if (!c->hint || !c->keys || col + hint_width(c) > end ||
		    has_key(hidden_by, c->keys))
			continue;
		col = area_putn(a, row, col, STYLE_KEY, c->keys, strcspn(c->keys, " "), -1);
		col = area_put(a, row, col + 1, STYLE_HINT, c->hint, -1) + 2;
	}
	return col;
}

/* Always keep room for help. */
static void draw_keys(const struct app *app, struct area a, int row)
{
	const struct view_command *help = app_commands, *own = app_view(app)->ops->commands;
	int col, end;

	if (app->pane_key) {
		col = area_put(a, row, 0, STYLE_STRONG, "Ctrl-W  ", -1);
		put_hints(a, row, col, a.cols, app_pane_commands, NULL, NULL);
		return;
	}
	if (app->list.ops) {
		area_put(a, row, 0, STYLE_HINT, app->list.ops->keys, -1);
		return;
	}
	while (strcmp(help->name, "help") != 0)
		help++;
	end = a.cols - hint_width(help) - 2;
	col = put_hints(a, row, 0, end, own, NULL, NULL);
	col = put_hints(a, row, col, end, app_commands, help, own);
	put_hints(a, row, col, a.cols, help, NULL, own);
}

/* ---- panes ---- */

static struct area area_of(struct surface *s, struct pane_place place)
{
	return area_part(surface_all(s), place.row, place.col, place.rows, place.cols);
}

/* Without reverse video, an arrow marks the focus. */
static void draw_pane(struct app *app, struct pane *p, struct surface *s)
{
	struct view *v = &p->views[p->active];
	struct area title = area_of(s, p->place);
	bool focused = p == app->focus;

	if (!p->place.rows)
		return;
	if (p->titled) {
		area_fill(title, 0, 0, STYLE_DIM, 0x2500, title.cols);
		area_char(title, 0, 1, focused ? STYLE_TAB_ACTIVE : STYLE_DIM,
			  focused ? 0x25b8 : ' ');
		put_tab(p, title, 2, p->active, focused);
	}
	if (v->ops->prepare)
		v->ops->prepare(v);
	below_draw(app, p, area_of(s, pane_inside(p)));
	v->ops->draw(v, area_of(s, pane_inside(p)));	/* last: it sets the cursor */
}

static void draw_borders(const struct pane *p, struct surface *s)
{
	int row, col;

	if (!p->child[0])
		return;
	col = p->child[1]->place.col - 1;
	if (p->beside && p->child[0]->place.cols && p->child[1]->place.cols)
		for (row = 0; row < p->place.rows; row++)
			area_char(surface_all(s), p->place.row + row, col, STYLE_DIM, 0x2502);
	draw_borders(p->child[0], s);
	draw_borders(p->child[1], s);
}

/* Draw the pane with the focus last: it sets the terminal's cursor. */
static void draw_panes(struct app *app, struct surface *s)
{
	struct pane *p;

	for (p = pane_first(app->root); p; p = pane_next(p))
		if (p != app->focus)
			draw_pane(app, p, s);
	s->cursor_row = -1;
	draw_pane(app, app->focus, s);
	draw_borders(app->root, s);
}

/* The possible completions, as many as fit */
static void draw_choices(const struct str *choices, struct area a)
{
	const char *text = choices->buf;
	int rows = text_width(text) / (a.cols > 0 ? a.cols : 1) + 1, row;

	rows = rows < a.rows / 2 ? rows : a.rows / 2;
	for (row = a.rows - rows; *text && row < a.rows; row++) {
		size_t len = strlen(text), fits = (size_t)a.cols;

		if (len > fits) {
			for (len = fits; len && text[len] != ' '; len--)
				;
			len = len ? len : fits;
		}
		area_fill(a, row, 0, STYLE_NORMAL, ' ', a.cols);
		area_putn(a, row, 0, STYLE_HINT, text, len, -1);
		text += len + strspn(text + len, " ");
	}
}

/* The error in the typed text and its place, above the prompt */
static void draw_refusal(const struct app *app, struct area a)
{
	const char *excerpt = app->message.excerpt, *end = strchr(excerpt, '\n');
	int row = a.rows - (end ? 3 : 1);

	if (!*app->message.msg || !(app->prompt.open || end) || row < 0)
		return;
	for (int i = row; i < a.rows; i++)
		area_fill(a, i, 0, STYLE_NORMAL, ' ', a.cols);
	area_put(a, row, 0, STYLE_ERROR, app->message.msg, -1);
	if (!end)
		return;
	area_putn(a, row + 1, 0, STYLE_NORMAL, excerpt, (size_t)(end - excerpt), -1);
	area_put(a, row + 2, 0, STYLE_ERROR, end + 1, -1);
}

void app_draw(struct app *app, struct surface *s)
{
	struct area all = surface_all(s);

	surface_clear(s);
	if (app->help.len)
		help_draw(app, area_of(s, app->root->place));
	else if (app->list.ops)
		list_draw(app, area_of(s, app->root->place));
	else
		draw_panes(app, s);
	draw_refusal(app, area_of(s, app->root->place));
	if (app->prompt.open && app->prompt.choices.len)
		draw_choices(&app->prompt.choices, area_of(s, app->root->place));
	if (!app_is_framed(app)) {
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
