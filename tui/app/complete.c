/* SPDX-License-Identifier: GPL-2.0-or-later */
/* complete.c - complete typed words: commands, views, marks, events, files */
#include "complete.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/filter.h>
#include <ktrail/latencies.h>

#include "tui/terminal/theme.h"
#include "app.h"

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

static void add_kinds(struct kt_names *words)
{
	unsigned int kind;

	for (kind = 0; kind < KT_LATENCY_KINDS; kind++)
		kt_names_add(words, kt_latency_kind_name(kind));
}

static void add_marks(const struct app *app, struct kt_names *words)
{
	struct kt_mark m;
	size_t i;

	for (i = 0; kt_model_mark(app->model, i, &m); i++)
		kt_names_add(words, m.name);
}

static void add_fields(const struct kt_event *ev, struct kt_names *words)
{
	size_t i;

	for (i = 0; i < ev->nr_common; i++)
		kt_names_add(words, ev->common[i].name);
	for (i = 0; i < ev->nr_fields; i++)
		kt_names_add(words, ev->fields[i].name);
}

/* Names of events in all files, or the fields of the events in @events (NULL: of all events) */
static void add_of_events(const struct app *app, bool fields, const char *events, size_t len,
			  struct kt_names *words)
{
	struct kt_trace *t = kt_model_trace(app->model);
	size_t file, i;

	for (file = 0; file < kt_trace_nr_files(t); file++) {
		struct kt_events *evs = kt_trace_events(t, file);

		for (i = 0; i < kt_events_nr(evs); i++) {
			const struct kt_event *ev = kt_events_at(evs, i);

			if (ev && !fields)
				kt_names_add(words, ev->name);
			else if (ev && (!events ||
					kt_filter_names_event(events, len, ev->system, ev->name)))
				add_fields(ev, words);
		}
	}
}

void complete_fields(const struct app *app, const char *events, size_t len, struct kt_names *words)
{
	add_of_events(app, true, events, len, words);
	kt_names_sort(words);
}

/* ---- values of fields: tasks and functions ---- */

struct comms {
	struct kt_names *words;
	bool quoted;			/* a quotation mark was typed */
};

/* Quote a name that the filter would parse as something else */
static void add_comm(void *data, int pid, const char *comm)
{
	const struct comms *c = data;
	bool plain = !comm[strspn(comm, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")];
	char quoted[40];

	(void)pid;
	snprintf(quoted, sizeof(quoted), "\"%s\"", comm);
	kt_names_add(c->words, plain && !c->quoted ? comm : quoted);
}

/* Names that begin with the typed text: all names would be too many */
static void add_functions(struct kt_symbols *syms, const char *typed, struct kt_names *words)
{
	struct kt_symbol sym;
	size_t i;

	for (i = 0; *typed && i < kt_symbols_nr(syms); i++)
		if (kt_symbols_at(syms, i, &sym) >= 0 && str_starts(sym.name, typed))
			kt_names_add(words, sym.name);
}

static bool holds_addresses(struct kt_events *evs, const char *field)
{
	const struct kt_field *f;
	size_t i;

	for (i = 0; i < kt_events_nr(evs); i++) {
		f = kt_events_at(evs, i) ? kt_event_field(kt_events_at(evs, i), field) : NULL;
		if (f && f->size == 8 && (f->flags & (KT_FIELD_POINTER | KT_FIELD_LONG)) &&
		    !(f->flags & KT_FIELD_SIGNED))
			return true;
	}
	return false;
}

static void add_values(const struct app *app, const char *field, const char *typed,
		       struct kt_names *words)
{
	struct kt_trace *t = kt_model_trace(app->model);
	struct comms comms = { words, *typed == '"' };
	size_t file;

	for (file = 0; file < kt_trace_nr_files(t); file++)
		if (strcasestr(field, "comm") && !str_starts(field, "common_"))
			kt_trace_tasks(t, file, add_comm, &comms);
		else if (holds_addresses(kt_trace_events(t, file), field))
			add_functions(kt_trace_symbols(t, file), typed, words);
}

/* The next words of a filter; @from: the start of the typed part */
static void add_filter(const struct app *app, const char *typed, size_t *from,
		       struct kt_names *words)
{
	struct kt_filter_next next;
	char field[64];

	kt_filter_next(typed, &next);
	*from = next.at;
	if (next.events) {
		*from = next.events_at;
		add_of_events(app, false, NULL, 0, words);
	}
	if (next.fields && *from == next.at) {
		complete_fields(app, next.chosen_len ? typed : NULL, next.chosen_len, words);
		kt_names_add_words(words, "COMM PID CPU", " ");
	}
	if (next.values) {
		snprintf(field, sizeof(field), "%.*s", (int)next.field_len,
			 typed + next.field_at);
		add_values(app, field, typed + next.at, words);
	}
	if (next.compares)
		kt_names_add_words(words, "== != < <= > >= ~ =~ &", " ");
	if (next.joins)
		kt_names_add_words(words, "&& ||", " ");
}

static void add_columns(const struct app *app, struct kt_names *words)
{
	event_columns_names(words);
	kt_names_add(words, "default");
	complete_fields(app, NULL, 0, words);
}

static void add_styles(struct kt_names *words)
{
	size_t i;

	for (i = 0; theme_style_name(i); i++)
		kt_names_add(words, theme_style_name(i));
}

/* Files of the folder in @typed; folders end with a '/' */
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

/* @typed: the arguments so far; @from: the start of the word to complete */
static void add_args(const struct app *app, const char *args, const char *typed, size_t *from,
		     struct kt_names *words)
{
	const char *last = strrchr(typed, ' ');

	*from = last ? (size_t)(last + 1 - typed) : 0;
	if (!args)
		return;
	if (str_starts(args, "<view>"))
		add_views(words);
	else if (str_starts(args, "<kind>"))
		add_kinds(words);
	else if (str_starts(args, "<mark>"))
		add_marks(app, words);
	else if (str_starts(args, "<filter>"))
		add_filter(app, typed, from, words);
	else if (str_starts(args, "<columns>"))
		add_columns(app, words);
	else if (str_starts(args, "<style>"))
		add_styles(words);
	else if (strstr(args, "<file>"))
		add_files(typed + *from, words);
}

size_t complete_words(const struct app *app, bool is_command, struct kt_names *words)
{
	const char *typed, *rest;
	char *before = strndup(app->prompt.text.buf, app->prompt.at);
	const struct view_command *c;
	size_t from = 0;

	typed = before ? before : "";
	rest = strchr(typed, ' ');
	if (!is_command) {
		add_args(app, app->prompt.args, typed, &from, words);
	} else if (rest) {
		c = app_find_command((struct app *)app, typed, (size_t)(rest - typed));
		add_args(app, c ? c->args : NULL, rest + 1, &from, words);
		from += (size_t)(rest + 1 - typed);
	} else {
		add_commands(words, app_view(app)->ops->commands);
		add_commands(words, app_commands);
		add_commands(words, app_pane_commands);
	}
	kt_names_sort(words);
	free(before);
	return from;
}
