/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plugins.c - the texts of `ktrail report --pretty` */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/event.h>

#include "base/array.h"
#include "cmd/print/safe.h"
#include "cmd/style.h"
#include "report.h"

static int add(const char ***list, size_t *nr, const char *value, struct kt_err *err)
{
	if (!array_reserve(*list, *nr + 1))
		return kt_err_no_memory(err);
	(*list)[(*nr)++] = value;
	(*list)[*nr] = NULL;
	return 0;
}

/* A path contains a slash: a name never means a file in the working directory. */
int report_plugins_add(struct report_plugins *p, const char *value, struct kt_err *err)
{
	return strchr(value, '/') ? add(&p->paths, &p->nr_paths, value, err)
				  : add(&p->names, &p->nr_names, value, err);
}

int report_plugins_leave_out(struct report_plugins *p, const char *name, struct kt_err *err)
{
	return add(&p->without, &p->nr_without, name, err);
}

void report_plugins_fini(struct report_plugins *p)
{
	free(p->paths);
	free(p->names);
	free(p->without);
	free(p->options);
}

int report_take_plugin(void *args, const char *value, struct kt_err *err)
{
	struct report_args *a = args;

	a->pretty = true;
	return report_plugins_add(&a->plugins, value, err);
}

int report_take_no_plugin(void *args, const char *value, struct kt_err *err)
{
	return report_plugins_leave_out(&((struct report_args *)args)->plugins, value, err);
}

int report_add_plugin_option(struct report_args *a, const char *option, struct kt_err *err)
{
	return add(&a->plugins.options, &a->plugins.nr_options, option, err);
}

/* Options of libtraceevent's plugins, which it has set already, are not for ktrail's plugins. */
static void drop_known_options(struct kt_trace *t, struct report_plugins *p)
{
	size_t i, nr = 0;

	for (i = 0; i < p->nr_options; i++)
		if (!kt_events_has_option(kt_trace_events(t, 0), p->options[i]))
			p->options[nr++] = p->options[i];
	if (p->nr_options)
		p->options[nr] = NULL;
	p->nr_options = nr;
}

#define MAX_BUILTIN 32

/* "fgraph:tailprint": options of -O that do not belong to plugins. @names ends with NULL. */
static void builtin_names(char storage[MAX_BUILTIN][64], const char *names[MAX_BUILTIN + 1])
{
	const char *plugin, *name, *value, *summary;
	size_t i;

	for (i = 0; i < MAX_BUILTIN && report_builtin_option(i, &plugin, &name, &value, &summary);
	     i++) {
		snprintf(storage[i], sizeof(storage[i]), "%s:%s", plugin, name);
		names[i] = storage[i];
	}
	names[i] = NULL;
}

/* On a terminal pretty texts are the default; elsewhere the stable ones. */
static bool is_default(const struct report_args *a)
{
	return safe_for_person() && !cmd_style->old_layout && !a->no_pretty && !a->layout &&
	       !a->no_plugins &&
	       !a->local_plugins && !a->text.raw && !a->text.json;
}

int report_open_plugins(struct kt_trace *t, struct report_args *a, struct kt_err *err)
{
	const char *others[MAX_BUILTIN + 1];
	char storage[MAX_BUILTIN][64];
	const struct kt_plugins_opts opts = {
		.none = a->no_plugins, .local = a->local_plugins, .paths = a->plugins.paths,
		.only = a->plugins.names, .without = a->plugins.without,
		.options = a->plugins.options, .others = others,
	};
	struct kt_plugins *plugins;
	bool rich;

	a->pretty |= a->columns;
	rich = a->pretty || is_default(a);
	builtin_names(storage, others);
	drop_known_options(t, &a->plugins);
	/* Options are checked even if they have no effect: a misspelt one should not pass */
	if (!rich && !a->plugins.nr_options && !a->plugins.nr_without)
		return 0;
	plugins = kt_plugins_open(&opts, err);
	if (!plugins)
		return err->code == -ENOENT ? CMD_MISUSE : err->code;
	if (a->pretty && !a->choose.quiet && !a->no_plugins && !kt_plugins_nr(plugins))
		fprintf(stderr, "%s report: no plugins are installed, so --pretty and --columns "
			"have no effect: `make install` installs them\n",
			cmd_program);
	if (rich)
		a->text.plugins = plugins;
	else
		kt_plugins_close(plugins);
	return 0;
}

void report_close_plugins(struct report_args *a)
{
	const char *line;
	size_t i;

	if (!a->text.plugins)
		return;
	for (i = 0; !a->choose.quiet && (line = kt_plugins_complaint(a->text.plugins, i)); i++)
		fprintf(stderr, "%s report: %s\n", cmd_program, line);
	kt_plugins_close(a->text.plugins);
	a->text.plugins = NULL;
}
