/* SPDX-License-Identifier: GPL-2.0-or-later */
/* complete.c - words that complete what is typed: commands, views, marks, events, files */
#include "complete.h"

#include <dirent.h>
#include <string.h>

#include "app.h"
#include "theme.h"

static void add_commands(struct kt_names *words, const struct view_command *c)
{
	for (; c->name; c++)
		kt_names_add(words, c->name);
}

static void add_views(struct kt_names *words)
{
	size_t i;

	for (i = 0; views_table[i]; i++)
		kt_names_add(words, views_table[i]->name);
}

static void add_marks(const struct app *app, struct kt_names *words)
{
	struct kt_mark m;
	size_t i;

	for (i = 0; kt_model_mark(app->model, i, &m); i++)
		kt_names_add(words, m.name);
}

static void add_events(const struct app *app, struct kt_names *words)
{
	struct kt_trace *t = kt_model_trace(app->model);
	size_t file, i;

	for (file = 0; file < kt_trace_nr_files(t); file++) {
		struct kt_events *evs = kt_trace_events(t, file);

		for (i = 0; i < kt_events_nr(evs); i++) {
			const struct kt_event *ev = kt_events_at(evs, i);

			if (ev)
				kt_names_add(words, ev->name);
		}
	}
}

static void add_styles(struct kt_names *words)
{
	size_t i;

	for (i = 0; theme_style_name(i); i++)
		kt_names_add(words, theme_style_name(i));
}

/* Files of the folder that the word @typed names; folders end with a '/' */
static void add_files(const char *typed, struct kt_names *words)
{
	const char *slash = strrchr(typed, '/');
	size_t len = slash ? (size_t)(slash - typed) + 1 : 0;
	struct str path = STR_INIT;
	struct dirent *e;
	DIR *dir;

	str_addn(&path, typed, len);
	dir = path.failed ? NULL : opendir(len ? path.buf : ".");
	while (dir && (e = readdir(dir))) {
		if (*e->d_name == '.')
			continue;
		str_reset(&path);
		str_addn(&path, typed, len);
		str_addf(&path, "%s%s", e->d_name, e->d_type == DT_DIR ? "/" : "");
		kt_names_add(words, path.buf);
	}
	if (dir)
		closedir(dir);
	str_fini(&path);
}

static void add_args(const struct app *app, const char *args, const char *typed,
		     struct kt_names *words)
{
	const char *last = strrchr(typed, ' ');

	if (!args)
		return;
	if (str_starts(args, "<view>"))
		add_views(words);
	else if (str_starts(args, "<mark>"))
		add_marks(app, words);
	else if (str_starts(args, "<filter>"))
		add_events(app, words);
	else if (str_starts(args, "<style>"))
		add_styles(words);
	else if (strstr(args, "<file>"))
		add_files(last ? last + 1 : typed, words);
}

void complete_words(const struct app *app, bool is_command, struct kt_names *words)
{
	const char *typed = app->prompt.text.buf;
	const struct view_command *c;

	if (!is_command) {
		add_args(app, app->prompt.args, typed, words);
	} else if (strchr(typed, ' ')) {
		c = app_find_command((struct app *)app, typed, strcspn(typed, " "));
		add_args(app, c ? c->args : NULL, typed, words);
	} else {
		add_commands(words, app_view(app)->ops->commands);
		add_commands(words, app_commands);
		add_commands(words, app_pane_commands);
	}
	kt_names_sort(words);
}
