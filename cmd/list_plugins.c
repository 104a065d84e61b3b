/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list_plugins.c - `ktrail list -P`: formatter plugins, their order, and why */
#include "list_plugins.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <ktrail/event.h>
#include <ktrail/plugins.h>

#include "base/json.h"
#include "columns.h"

#define LIBRARY_REASON "for plain text, from libtraceevent"

static void json_columns(struct json *j, const struct kt_column *c)
{
	json_open(j, "columns", '[');
	for (; c && c->name; c++) {
		json_open(j, NULL, '{');
		json_str(j, "name", c->name);
		json_str(j, "event", c->event);
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

static int print_json(struct kt_plugins *p, struct kt_events *library, struct kt_err *err)
{
	struct json j = JSON_INIT;
	struct kt_plugin_info info;
	const char *path;
	size_t i;
	int ret = 0;

	json_open(&j, NULL, '{');
	json_open(&j, "plugins", '[');
	for (i = 0; i < kt_plugins_nr(p); i++) {
		kt_plugins_at(p, i, &info);
		json_plugin(&j, &info);
	}
	json_close(&j, ']');
	json_open(&j, "libtraceevent", '[');
	for (i = 0; (path = kt_events_plugin(library, i)); i++)
		json_str(&j, NULL, path);
	json_close(&j, ']');
	json_close(&j, '}');
	if (j.text.failed)
		ret = kt_err_set(err, -ENOMEM, "out of memory");
	else
		fputs(j.text.buf, stdout);
	str_fini(&j.text);
	return ret;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int print_text(struct kt_plugins *p, struct kt_events *library, struct kt_err *err)
{
	struct columns c = { .head = "PLUGIN|USED|WHY|SAYS|PATH" };
	struct kt_plugin_info info;
	const char *path;
	size_t i;

	for (i = 0; i < kt_plugins_nr(p); i++) {
		kt_plugins_at(p, i, &info);
		columns_add(&c, info.name);
		columns_add(&c, info.used ? "yes" : "no");
		columns_add(&c, info.reason);
		columns_add(&c, info.summary);
		columns_add(&c, info.path);
	}
	for (i = 0; (path = kt_events_plugin(library, i)); i++) {
		columns_add(&c, base_name(path));
		columns_add(&c, "yes");
		columns_add(&c, LIBRARY_REASON);
		columns_add(&c, "");
		columns_add(&c, path);
	}
	return columns_print(&c, "no plugins") < 0 ? kt_err_set(err, -ENOMEM, "out of memory") : 0;
}

int list_plugins(bool json, struct kt_err *err)
{
	/* No formats: only to see what the library loads */
	const struct kt_events_origin none = { .long_size = sizeof(long) };
	struct kt_plugins *p = kt_plugins_open(NULL, err);
	struct kt_events *library = p ? kt_events_create_from(&none, NULL, err) : NULL;
	int ret;

	if (!library)
		ret = err->code;
	else
		ret = json ? print_json(p, library, err) : print_text(p, library, err);
	kt_events_destroy(library);
	kt_plugins_close(p);
	return ret;
}
