/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.c - `ktrail options`: the options of report -O */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/event.h>

#include "base/json.h"
#include "cmd/file/list_plugins.h"
#include "cmd/print/columns.h"
#include "cmd/print/json_print.h"
#include "cmd/report/report.h"
#include "cmd/style.h"

struct args {
	bool json;
};

static const struct cmd_opt opts[] = {
	OPT_BOOL(0, "json", struct args, json, "print JSON"),
	OPT_END
};

struct option {
	const char *plugin, *name, *value, *summary;
};

struct sources {
	struct kt_plugins *plugins;
	struct kt_events *library;	/* the plugins of libtraceevent */
};

/* Call @fn for the options of the built-in formatters, then for those of plugins. */
static void each_option(const struct sources *s, void (*fn)(void *data, const struct option *o),
			void *data)
{
	const struct kt_plugin_option *po;
	struct kt_plugins *p = s->plugins;
	struct kt_events_plugin tep;
	struct kt_events_option to;
	struct kt_plugin_info info;
	struct option o;
	size_t i, k;

	for (i = 0; report_builtin_option(i, &o.plugin, &o.name, &o.value, &o.summary); i++)
		fn(data, &o);
	for (i = 0; i < kt_plugins_nr(p); i++) {
		kt_plugins_at(p, i, &info);
		for (po = info.used ? info.plugin->options : NULL; po && po->name; po++) {
			o = (struct option){ info.name, po->name, kt_plugins_option(p, i, po->name),
					     po->summary };
			fn(data, &o);
		}
	}
	for (i = 0; kt_events_plugin(s->library, i, &tep); i++)
		for (k = 0; kt_events_plugin_option(s->library, i, k, &to); k++) {
			o = (struct option){ to.plugin, to.name, to.value, to.summary };
			fn(data, &o);
		}
}

static void add_row(void *data, const struct option *o)
{
	columns_addf(data, "%s:%s", o->plugin, o->name);
	columns_add(data, o->value);
	columns_add(data, o->summary);
}

static void add_json(void *data, const struct option *o)
{
	struct json *j = data;

	json_open(j, NULL, '{');
	json_str(j, "plugin", o->plugin);
	json_str(j, "name", o->name);
	json_str(j, "value", o->value);
	json_str(j, "summary", o->summary);
	json_close(j, '}');
}

static int print_json(const struct sources *s)
{
	struct json j = JSON_INIT;

	json_open(&j, NULL, '{');
	json_open(&j, "options", '[');
	each_option(s, add_json, &j);
	json_close(&j, ']');
	json_close(&j, '}');
	return json_print(&j);
}

struct block {
	char plugin[64];		/* of the previous option, "" at first */
};

/* In trace-cmd's layout: a block for each, with another line between plugins */
static void print_block(void *data, const struct option *o)
{
	struct block *b = data;

	if (*b->plugin)
		printf(strcmp(b->plugin, o->plugin) == 0 ? "------------\n" : "============\n");
	printf("  plugin:\t%s\n  option:\t%s\n    desc:\t%s\n     set:\t%s\n", o->plugin, o->name,
	       o->summary, o->value);
	snprintf(b->plugin, sizeof(b->plugin), "%s", o->plugin);
}

static int print_text(const struct sources *s, struct kt_err *err)
{
	struct columns c = { .head = "OPTION|VALUE|MEANING" };

	if (cmd_style->old_layout) {
		each_option(s, print_block, &(struct block){ "" });
		return 0;
	}
	each_option(s, add_row, &c);
	return columns_print(&c, "no options") < 0 ? kt_err_no_memory(err) : 0;
}

int list_plugin_options(bool json, struct kt_err *err)
{
	/* No formats: only find out which plugins the library loads */
	const struct kt_events_origin none = { .long_size = sizeof(long) };
	struct sources s = { .plugins = kt_plugins_open(NULL, err) };
	int ret;

	s.library = s.plugins ? kt_events_create_from(&none, NULL, err) : NULL;
	if (!s.library)
		ret = err->code;
	else
		ret = json ? print_json(&s) : print_text(&s, err);
	kt_events_destroy(s.library);
	kt_plugins_close(s.plugins);
	return ret;
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	if (argc)
		return cmd_misuse(err, "unexpected argument '%s': all options are listed", argv[0]);
	return list_plugin_options(((struct args *)args)->json, err);
}

const struct cmd cmd_options = {
	.name      = "options",
	.summary   = "list the options of formatter plugins",
	.examples  =
	"  ktrail options\n"
	"  ktrail report -O fgraph:tailprint trace.dat\n",
	.opts      = opts,
	.args_size = sizeof(struct args),
	.paged     = true,
	.run       = run,
};
