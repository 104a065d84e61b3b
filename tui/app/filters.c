/* SPDX-License-Identifier: GPL-2.0-or-later */
/* filters.c - add, list, switch and remove the filters of events */
#include <errno.h>
#include <stdlib.h>

#include "app.h"

#define COMMAND(name) int name(struct view *v, const char *arg, struct kt_err *err)

static int added(struct app *app, const char *text, struct kt_err *err)
{
	return *text ? kt_model_add_filter(app->model, text, false, err) : 0;
}

COMMAND(filter_only)
{
	if (arg)
		return added(v->app, arg, err);
	app_ask(v->app, "only: ", "", added);
	return 0;
}

static int hidden(struct app *app, const char *text, struct kt_err *err)
{
	return *text ? kt_model_add_filter(app->model, text, true, err) : 0;
}

COMMAND(filter_hide)
{
	if (arg)
		return hidden(v->app, arg, err);
	app_ask(v->app, "hide: ", "", hidden);
	return 0;
}

/* "3" as the third; -ENOENT */
static int number(const struct view *v, const char *arg, size_t *which, struct kt_err *err)
{
	size_t nr = kt_model_nr_filters(v->model);
	char *end;

	*which = strtoul(arg, &end, 10) - 1;
	if (end == arg || *end || *which >= nr)
		return nr ? kt_err_set(err, -ENOENT, "'%s' is not a filter: they are 1 to %zu", arg,
				       nr)
			  : kt_err_set(err, -ENOENT, "there are no filters: f adds one");
	return 0;
}

static int say_none(struct app *app)
{
	app_say(app, "there are no filters: f adds one");
	return 0;
}

/* All of them, or one */
COMMAND(filter_toggle)
{
	size_t nr = kt_model_nr_filters(v->model), i;
	bool on = kt_model_is_filtered(v->model);

	if (arg) {
		if (number(v, arg, &i, err) < 0)
			return -ENOENT;
		kt_model_switch_filter(v->model, i, !kt_model_filter(v->model, i).on);
		return 0;
	}
	if (!nr)
		return say_none(v->app);
	for (i = 0; i < nr; i++)
		kt_model_switch_filter(v->model, i, !on);
	app_say(v->app, on ? "filters are off" : "filters are on");
	return 0;
}

/* The last filter, or the one with this number */
COMMAND(filter_remove)
{
	size_t nr = kt_model_nr_filters(v->model), i = nr - 1;

	if (arg && number(v, arg, &i, err) < 0)
		return -ENOENT;
	if (!nr)
		return say_none(v->app);
	app_say(v->app, "removed: %s", kt_model_filter(v->model, i).text);
	kt_model_remove_filter(v->model, i);
	return 0;
}

/* ---- the list ---- */

static size_t count(const struct app *app)
{
	return kt_model_nr_filters(app->model);
}

static void line(const struct app *app, size_t i, struct str *out)
{
	struct kt_model_filter f = kt_model_filter(app->model, i);

	str_addf(out, "%2zu  %s  %s  %s", i + 1, f.on ? "on " : "off", f.exclude ? "hide" : "only",
		 f.text);
}

/* The new text has replaced the edited one. */
static int edited(struct app *app, const char *text, struct kt_err *err)
{
	size_t i = (size_t)app->list.selected, last = kt_model_nr_filters(app->model);
	bool exclude;
	int ret;

	if (!*text || i >= last)
		return 0;
	exclude = kt_model_filter(app->model, i).exclude;
	ret = kt_model_add_filter(app->model, text, exclude, err);
	if (ret == 0)
		kt_model_remove_filter(app->model, i);
	return ret;
}

static bool key(struct app *app, size_t i, int key)
{
	struct kt_model_filter f = kt_model_filter(app->model, i);

	if (key_is_in(key, "Enter Space"))
		kt_model_switch_filter(app->model, i, !f.on);
	else if (key_is_in(key, "d x Del"))
		kt_model_remove_filter(app->model, i);
	else if (key_is_in(key, "e"))
		app_ask(app, f.exclude ? "hide: " : "only: ", f.text, edited);
	return true;
}

static const struct list_ops filters = {
	.title = "filters: an event is shown if it passes all that are on",
	.keys  = "Enter on or off  e edit  d remove  Esc close",
	.empty = "there are no filters: f adds one",
	.count = count, .line = line, .key = key,
};

COMMAND(filter_list)
{
	(void)arg, (void)err;
	list_open(v->app, &filters, 0);
	return 0;
}
