/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list_plugins.c - `ktrail list -P`: formatter plugins, their order, and why */
#include "list_plugins.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/event.h>

#include "base/array.h"
#include "base/json.h"
#include "cmd/print/columns.h"
#include "cmd/print/json_print.h"
#include "cmd/style.h"

static const char *column_unit(enum kt_column_kind kind)
{
	switch (kind) {
	case KT_COLUMN_TIME_NS:
	case KT_COLUMN_TIME_US: return "ns";
	case KT_COLUMN_BYTES:
	case KT_COLUMN_SECTORS: return "bytes";
	case KT_COLUMN_ADDRESS: return "address";
	default:                return "";
	}
}

static void json_columns(struct json *j, const struct kt_column *c)
{
	json_open(j, "columns", '[');
	for (; c && c->name; c++) {
		json_open(j, NULL, '{');
		json_str(j, "name", c->name);
		json_str(j, "event", c->event);
		json_str(j, "unit", column_unit(c->kind));
		json_str(j, "summary", c->summary);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_plugin(struct json *j, const struct kt_plugin_info *info)
{
	const char *const *event = info->plugin ? info->plugin->events : NULL;

	json_open(j, NULL, '{');
	json_str(j, "name", info->name);
	json_str(j, "path", info->path);
	json_str(j, "from", kt_plugin_origin_name(info->origin));
	json_bool(j, "used", info->used);
	json_str(j, "reason", info->reason);
	json_str(j, "summary", info->summary);
	json_open(j, "events", '[');
	for (; event && *event; event++)
		json_str(j, NULL, *event);
	json_close(j, ']');
	json_columns(j, info->plugin ? info->plugin->columns : NULL);
	json_close(j, '}');
}

/* The plugins of libtraceevent make plain text, each for the events that it registers. */
static bool library_used(const struct list_plugins *which, const struct kt_events_plugin *p,
			 const char **why)
{
	bool used = p->loaded && !which->none && (!which->local || p->own);

	if (which->none)
		*why = "left out by -N";
	else if (which->local && !p->own)
		*why = "left out by -L";
	else if (!p->loaded)
		*why = p->reason;
	else if (p->own)
		*why = "of the user: plain text, before ktrail's own";
	else
		*why = "plain text, where ktrail has nothing";
	return used;
}

static void json_library(struct json *j, const struct list_plugins *which,
			 const struct kt_events_plugin *p)
{
	const char *why;
	bool used = library_used(which, p, &why);

	json_open(j, NULL, '{');
	json_str(j, "path", p->path);
	json_bool(j, "used", used);
	json_str(j, "reason", why);
	json_close(j, '}');
}

/* The library reads them in the order of the folder; list the used ones first, by name. */
struct library {
	struct kt_events_plugin *plugins;
	size_t nr;
};

static int by_use(const void *a, const void *b)
{
	const struct kt_events_plugin *x = a, *y = b;

	if (x->loaded != y->loaded)
		return y->loaded - x->loaded;
	return strcmp(str_base_name(x->path), str_base_name(y->path));
}

static int read_library(struct library *l, struct kt_events *events)
{
	struct kt_events_plugin p;

	for (; kt_events_plugin(events, l->nr, &p); l->nr++) {
		if (!array_reserve(l->plugins, l->nr))
			return -ENOMEM;
		l->plugins[l->nr] = p;
	}
	if (l->nr)
		qsort(l->plugins, l->nr, sizeof(*l->plugins), by_use);
	return 0;
}

static int print_json(const struct list_plugins *which, struct kt_plugins *p,
		      const struct library *library)
{
	struct json j = JSON_INIT;
	struct kt_plugin_info info;
	size_t i;

	json_open(&j, NULL, '{');
	json_open(&j, "plugins", '[');
	for (i = 0; i < kt_plugins_nr(p); i++) {
		kt_plugins_at(p, i, &info);
		json_plugin(&j, &info);
	}
	json_close(&j, ']');
	json_open(&j, "libtraceevent", '[');
	for (i = 0; i < library->nr; i++)
		json_library(&j, which, &library->plugins[i]);
	json_close(&j, ']');
	json_close(&j, '}');
	return json_print(&j);
}

static void add_row(struct columns *c, const char *name, bool used, const char *why,
		    const char *says, const char *path)
{
	columns_add(c, name);
	columns_add(c, used ? "yes" : "no");
	columns_add(c, why);
	columns_add(c, says);
	columns_add(c, path);
}

static int print_paths(const struct library *library)
{
	size_t i;

	for (i = 0; i < library->nr; i++)
		printf("  %s\n", library->plugins[i].path);
	return 0;
}

static int print_text(const struct list_plugins *which, struct kt_plugins *p,
		      const struct library *library, struct kt_err *err)
{
	struct columns c = { .head = "PLUGIN|USED|WHY|SAYS|PATH" };
	struct kt_plugin_info info;
	const char *why;
	bool used;
	size_t i;

	if (cmd_style->old_layout)
		return print_paths(library);
	for (i = 0; i < kt_plugins_nr(p); i++) {
		kt_plugins_at(p, i, &info);
		add_row(&c, info.name, info.used, info.reason, info.summary, info.path);
	}
	for (i = 0; i < library->nr; i++) {
		used = library_used(which, &library->plugins[i], &why);
		add_row(&c, str_base_name(library->plugins[i].path), used, why, "",
			library->plugins[i].path);
	}
	return columns_print(&c, "no plugins") < 0 ? kt_err_no_memory(err) : 0;
}

int list_plugins(const struct list_plugins *which, struct kt_err *err)
{
	/* No formats: only find out which plugins the library loads */
	const struct kt_events_origin none = { .long_size = sizeof(long) };
	const struct kt_plugins_opts opts = {
		.none = which->none, .local = which->local, .paths = which->plugins.paths,
		.only = which->plugins.names, .without = which->plugins.without,
	};
	struct kt_plugins *p = kt_plugins_open(&opts, err);
	struct kt_events *events = p ? kt_events_create_from(&none, NULL, err) : NULL;
	struct library library = { 0 };
	int ret;

	if (!events)
		ret = err->code == -ENOENT ? CMD_MISUSE : err->code;
	else if (read_library(&library, events) < 0)
		ret = kt_err_no_memory(err);
	else
		ret = which->json ? print_json(which, p, &library)
				  : print_text(which, p, &library, err);
	free(library.plugins);
	kt_events_destroy(events);
	kt_plugins_close(p);
	return ret;
}
