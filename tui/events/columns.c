/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns.c - choose the columns of the view of events: as text, in a list, by commands */
#include "tui/event_columns.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clamp.h"
#include "tui/app/app.h"
#include "tui/app/complete.h"

static const char *const names[] = {
	[COLUMN_TIME] = "time", [COLUMN_DELTA] = "delta", [COLUMN_CPU] = "cpu",
	[COLUMN_TASK] = "task", [COLUMN_FLAGS] = "flags", [COLUMN_EVENT] = "event",
	[COLUMN_INFO] = "info",
};

void event_columns_names(struct kt_names *words)
{
	for (int i = 0; i < COLUMN_FIELD; i++)
		kt_names_add(words, names[i]);
}

static const char *name_of(const struct event_column *c)
{
	return c->kind == COLUMN_FIELD ? c->field : names[c->kind];
}

void event_columns_default(struct event_columns *c, const struct config *config)
{
	if (config && config->columns.nr) {
		*c = config->columns;
		return;
	}
	*c = (struct event_columns){ .nr = COLUMN_FIELD };
	for (int i = 0; i < c->nr; i++)
		c->at[i].kind = (enum column_kind)i;
}

/* ---- as text ---- */

static bool is_shown(const struct event_columns *c, const char *name)
{
	for (int i = 0; i < c->nr; i++)
		if (strcmp(name_of(&c->at[i]), name) == 0)
			return true;
	return false;
}

static bool is_field_name(const char *text)
{
	size_t i;

	for (i = 0; isalnum((unsigned char)text[i]) || text[i] == '_'; i++)
		;
	return i && !text[i] && !isdigit((unsigned char)*text) &&
	       i < sizeof(((struct event_column *)NULL)->field);
}

static int add(struct event_columns *c, const char *name, int width, struct kt_err *err)
{
	struct event_column *col = &c->at[c->nr];
	int kind = 0;

	while (kind < COLUMN_FIELD && strcmp(names[kind], name) != 0)
		kind++;
	if (kind == COLUMN_FIELD && !is_field_name(name))
		return kt_err_set(err, -EINVAL, "'%s' is neither a column nor a field", name);
	if (is_shown(c, name))
		return kt_err_set(err, -EINVAL, "'%s' is there twice", name);
	if (c->nr == COLUMNS_MAX)
		return kt_err_set(err, -EINVAL, "%d columns at most", COLUMNS_MAX);
	*col = (struct event_column){ .kind = (enum column_kind)kind, .width = width };
	if (kind == COLUMN_FIELD)
		strcpy(col->field, name);
	c->nr++;
	return 0;
}

/* "task:20" */
static int add_word(struct event_columns *c, char *word, struct kt_err *err)
{
	char *colon = strchr(word, ':'), *end = NULL;
	long width = 0;

	if (colon) {
		*colon = '\0';
		width = strtol(colon + 1, &end, 10);
		if (end == colon + 1 || *end || width < 1 || width > COLUMN_WIDTH_MAX)
			return kt_err_set(err, -EINVAL, "'%s' is not a width from 1 to %d",
					  colon + 1, COLUMN_WIDTH_MAX);
	}
	return add(c, word, (int)width, err);
}

int event_columns_parse(struct event_columns *c, const char *text, struct kt_err *err)
{
	char *copy = strdup(text), *rest = copy, *word;
	struct event_columns fresh = { 0 };
	int ret = copy ? 0 : -ENOMEM;

	while (ret == 0 && (word = strsep(&rest, " ,\t")))
		if (*word)
			ret = add_word(&fresh, word, err);
	if (ret == 0 && !fresh.nr)
		ret = kt_err_set(err, -EINVAL, "no column is named");
	if (ret == 0)
		*c = fresh;
	free(copy);
	return ret;
}

void event_columns_print(const struct event_columns *c, struct str *out)
{
	for (int i = 0; i < c->nr; i++) {
		str_addf(out, "%s%s", i ? " " : "", name_of(&c->at[i]));
		if (c->at[i].width)
			str_addf(out, ":%d", c->at[i].width);
	}
}

/* ---- changes ---- */

void event_columns_move(struct event_columns *c, int from, int to)
{
	struct event_column moved = c->at[from];
	int step = from < to ? 1 : -1;

	for (; from != to; from += step)
		c->at[from] = c->at[from + step];
	c->at[to] = moved;
}

void event_column_set_width(struct event_column *c, int width)
{
	c->width = clamp(width, 1, COLUMN_WIDTH_MAX);
}

/* ---- the list: the shown columns in their order, then the others ---- */

/* The @i-th of the kinds that are not shown; COLUMN_FIELD after the last */
static enum column_kind hidden(const struct event_columns *c, size_t i)
{
	int kind;

	for (kind = 0; kind < COLUMN_FIELD; kind++)
		if (!is_shown(c, names[kind]) && i-- == 0)
			break;
	return (enum column_kind)kind;
}

static size_t count(const struct app *app)
{
	size_t nr = 0;

	while (hidden(&app->columns, nr) != COLUMN_FIELD)
		nr++;
	return (size_t)app->columns.nr + nr;
}

static void line(const struct app *app, size_t i, struct str *out)
{
	size_t nr = (size_t)app->columns.nr;
	const struct event_column *col = &app->columns.at[i < nr ? i : 0];

	if (i >= nr)
		str_addf(out, "off  %s", names[hidden(&app->columns, i - nr)]);
	else if (col->width)
		str_addf(out, "on   %-20s %d wide", name_of(col), col->width);
	else
		str_addf(out, "on   %-20s as wide as needed", name_of(col));
}

static void show_or_hide(struct app *app, size_t i)
{
	struct event_columns *c = &app->columns;
	size_t nr = (size_t)c->nr;

	if (i >= nr) {
		add(c, names[hidden(c, i - nr)], 0, NULL);
	} else if (nr > 1) {
		event_columns_move(c, (int)i, c->nr - 1);
		c->nr--;
	} else {
		app_say(app, "one column stays");
	}
}

static bool key(struct app *app, size_t i, int key)
{
	struct event_columns *c = &app->columns;
	bool shown = i < (size_t)c->nr;
	int to = (int)i + (key == 'J' ? 1 : -1);

	if (key_is_in(key, "Enter Space")) {
		show_or_hide(app, i);
	} else if (key_is_in(key, "J K") && shown && to >= 0 && to < c->nr) {
		event_columns_move(c, (int)i, to);
		app->list.selected = to;
	} else if (key_is_in(key, "< > - +") && shown) {
		event_column_set_width(&c->at[i], (c->at[i].width ? c->at[i].width : 16) +
				 (key_is_in(key, "> +") ? 1 : -1));
	} else if (key == '0' && shown) {
		c->at[i].width = 0;
	} else {
		return true;
	}
	app->columns_chosen = true;
	return true;
}

static const struct list_ops list = {
	.title = "columns of the events: :columns NAME… takes fields, too",
	.keys  = "Enter show or hide  J K move  < > narrower, wider  0 as needed  Esc close",
	.empty = "",
	.count = count, .line = line, .key = key,
};

/* ---- the command ---- */

/* Refuse a field that no event of the trace has. */
static int check_fields(struct app *app, const struct event_columns *c, struct kt_err *err)
{
	struct kt_names fields = { 0 };
	int i, ret = 0;

	complete_fields(app, NULL, 0, &fields);
	for (i = 0; i < c->nr && ret == 0; i++)
		if (c->at[i].kind == COLUMN_FIELD && !kt_names_has(&fields, c->at[i].field))
			ret = kt_err_set(err, -EINVAL, "'%s' is neither a column nor a field of "
					 "an event here", c->at[i].field);
	kt_names_fini(&fields);
	return ret;
}

APP_COMMAND(columns_choose)
{
	struct app *app = v->app;
	struct event_columns c;
	int ret;

	if (!arg) {
		list_open(app, &list, 0);
		return 0;
	}
	if (strcmp(arg, "default") == 0) {
		app->columns_chosen = false;
		event_columns_default(&app->columns, app->config);
		return 0;
	}
	ret = event_columns_parse(&c, arg, err);
	if (ret == 0)
		ret = check_fields(app, &c, err);
	if (ret == 0) {
		app->columns = c;
		app->columns_chosen = true;
	}
	return ret;
}
