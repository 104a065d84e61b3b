/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.c - `ktrail list`: the events, tracers, functions … of this kernel */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/event.h>

#include "base/json.h"
#include "cmd/file/list_plugins.h"
#include "cmd/print/json_print.h"
#include "cmd/print/pager.h"
#include "cmd/print/safe.h"
#include "cmd/style.h"
#include "list_find.h"

struct args {
	bool want[NR_LISTS];
	const char *regex[NR_LISTS];
	int  last;			/* the list that a word after the options limits; -1:
					 * none */
	bool fields, full, triggers, filters, proto, json, debug, plugins, plugin_options;
	struct list_plugins which;	/* of the formatter plugins */
	struct pager_opts pager;
};

static int want(struct args *a, enum list what, const char *regex)
{
	a->want[what] = true;
	/* trace-cmd ignores these if others are given */
	if (regex && (!cmd_style->old_words || what == LIST_EVENTS || what == LIST_OPTIONS ||
		      what == LIST_FUNCTIONS))
		a->regex[what] = regex;
	a->last = what;
	return 0;
}

#define WANT(fn, what) \
	static int fn(void *args, const char *value, struct kt_err *err) \
	{ \
		(void)err; \
		return want(args, what, value); \
	}
WANT(list_events, LIST_EVENTS)
WANT(list_tracers, LIST_TRACERS)
WANT(list_options, LIST_OPTIONS)
WANT(list_functions, LIST_FUNCTIONS)
WANT(list_instances, LIST_INSTANCES)
WANT(list_clocks, LIST_CLOCKS)
WANT(list_systems, LIST_SYSTEMS)
WANT(list_compression, LIST_COMPRESSION)

static int take_plugin(void *args, const char *value, struct kt_err *err)
{
	return report_plugins_add(&((struct args *)args)->which.plugins, value, err);
}

static int take_no_plugin(void *args, const char *value, struct kt_err *err)
{
	return report_plugins_leave_out(&((struct args *)args)->which.plugins, value, err);
}

static const struct cmd_opt opts[] = {
	OPT_CALL_OPTIONAL('e', "events", list_events, "regex", "list events"),
	OPT_BOOL('F', "fields", struct args, fields, "list events with their fields"),
	OPT_BOOL(0, "full", struct args, full, "with -F: their print formats too"),
	OPT_BOOL('R', "triggers", struct args, triggers, "list events with their triggers"),
	OPT_BOOL('l', "filters", struct args, filters, "list events with their filters"),
	OPT_CALL_OPTIONAL('s', "systems", list_systems, "regex", "list event systems"),
	OPT_CALL_OPTIONAL('t', "tracers", list_tracers, "regex", "list tracers"),
	OPT_CALL_OPTIONAL('p', NULL, list_tracers, "regex", NULL),
	OPT_CALL_OPTIONAL('o', "options", list_options, "regex",
		"list trace options; no… means off"),
	OPT_CALL_OPTIONAL('f', "functions", list_functions, "regex",
		"list functions that can be traced"),
	OPT_BOOL(0, "proto", struct args, proto, "list functions with their prototypes"),
	OPT_CALL_OPTIONAL('B', "instances", list_instances, "regex", "list instances"),
	OPT_CALL_OPTIONAL('C', "clocks", list_clocks, "regex",
			  "list clocks, the current one in brackets"),
	OPT_CALL('c', "compression", list_compression, NULL,
		"list compression methods of trace files"),
	OPT_BOOL('P', "plugins", struct args, plugins,
		"list formatter plugins, their order, and why"),
	OPT_BOOL('N', "no-plugins", struct args, which.none, "with -P: as with report -N"),
	OPT_BOOL('L', "local-plugins", struct args, which.local, "with -P: as with report -L"),
	OPT_CALL(0, "plugin", take_plugin, "name|path",
		"with -P: as with report --plugin; repeatable"),
	OPT_CALL(0, "no-plugin", take_no_plugin, "name",
		"with -P: as with report --no-plugin; repeatable"),
	OPT_BOOL('O', "plugin-options", struct args, plugin_options,
		 "list the options of formatter plugins"),
	OPT_BOOL(0, "json", struct args, json, "print JSON"),
	OPT_BOOL(0, "no-pager", struct args, pager.never, "do not use a pager"),
	OPT_BOOL(0, "debug", struct args, debug, NULL),
	OPT_END
};

/* ---- text ---- */

static void event_file(char *path, size_t size, const char *event, const char *file)
{
	int system = strcspn(event, ":");

	snprintf(path, size, "events/%.*s/%s/%s", system, event, event + system + 1, file);
}

static char *read_of_event(const struct kt_instance *top, const char *event, const char *file)
{
	char path[600];

	event_file(path, sizeof(path), event, file);
	return kt_instance_read(top, path, NULL);
}

static int print_format(const struct args *a, const struct kt_instance *top, const char *event,
			bool escape)
{
	char *format = read_of_event(top, event, "format");
	char *end = format && !a->full ? strstr(format, "print fmt:") : NULL;
	int ret;

	printf("system: %.*s\n", (int)strcspn(event, ":"), event);
	if (end)
		*end = '\0';
	ret = safe_write(format ? format : "", format ? strlen(format) : 0, escape);
	if (format && !end)
		putchar('\n');
	free(format);
	return ret;
}

static int print_event(const struct args *a, const struct kt_instance *top, const char *event,
		       bool escape)
{
	/* In the old layout only one is printed: the fields, the filter, or the trigger. */
	const bool filter = a->filters && !(cmd_style->old_layout && a->fields);
	const bool trigger = a->triggers && !(cmd_style->old_layout && (a->fields || filter));
	const char *const files[] = { filter ? "filter" : NULL, trigger ? "trigger" : NULL };
	int ret;
	size_t i;

	ret = a->fields ? print_format(a, top, event, escape) : safe_puts(event, escape);
	for (i = 0; ret == 0 && i < 2; i++) {
		char *text = files[i] ? read_of_event(top, event, files[i]) : NULL;

		if (text) {
			safe_puts(text, escape);
			ret = safe_puts("", escape);
		}
		free(text);
	}
	return ret;
}

/* Modules have separate types, which are not read: their functions are listed by name only. */
static int print_prototypes(const struct kt_names *names, bool escape, struct kt_err *err)
{
	struct kt_btf *btf = kt_btf_open(NULL, err);
	int ret = btf ? 0 : err->code;
	size_t i;

	for (i = 0; ret == 0 && i < names->nr; i++) {
		char *proto = kt_btf_prototype(btf, names->names[i]);

		ret = safe_puts(proto ? proto : names->names[i], escape);
		free(proto);
	}
	kt_btf_close(btf);
	return ret;
}

/* Tracers and clocks are listed on one line, as in the kernel's files. */
static int print_line(const struct kt_names *names, bool escape)
{
	int ret = 0;
	size_t i;

	for (i = 0; ret == 0 && i < names->nr; i++) {
		ret = safe_write(names->names[i], strlen(names->names[i]), escape);
		putchar(i + 1 < names->nr ? ' ' : '\n');
	}
	return ret;
}

static int print_list(const struct args *a, const struct kt_instance *top, enum list what,
		      const struct kt_names *names, bool escape)
{
	const char *indent = what == LIST_COMPRESSION ? "\t" : "";
	int ret = 0;
	size_t i;

	if (what == LIST_INSTANCES && !names->nr && !a->regex[what])
		return safe_puts("No buffer instances defined", escape);
	if (what == LIST_TRACERS || what == LIST_CLOCKS)
		return print_line(names, escape);
	if (what == LIST_COMPRESSION)
		ret = safe_puts("Supported compression algorithms:", escape);
	for (i = 0; ret == 0 && i < names->nr; i++) {
		if (what == LIST_EVENTS) {
			ret = print_event(a, top, names->names[i], escape);
			continue;
		}
		fputs(indent, stdout);
		ret = safe_puts(names->names[i], escape);
	}
	if (ret == 0 && what == LIST_SYSTEMS && cmd_style->old_layout)
		ret = safe_puts("", escape);
	return ret;
}

static bool tells_more(const struct args *a)
{
	return a->fields || a->triggers || a->filters;
}

static int show(const struct args *a, const struct kt_instance *top, enum list what, bool escape,
		struct kt_err *err)
{
	struct kt_names names = { 0 };
	int ret;

	ret = list_find(top, what, a->regex[what], &names, err);
	if (ret == 0 && what == LIST_FUNCTIONS && a->proto)
		ret = print_prototypes(&names, escape, err);
	else if (ret == 0 && print_list(a, top, what, &names, escape) == -EPIPE)
		ret = -EPIPE;
	kt_names_fini(&names);
	return ret;
}

/* Without an option: an overview. */
static int show_overview(const struct args *a, const struct kt_instance *top, bool escape,
			 struct kt_err *err)
{
	static const struct { const char *head; enum list what; } parts[] = {
		{ "event systems:", LIST_SYSTEMS }, { "events:", LIST_EVENTS },
		{ "tracers:", LIST_TRACERS }, { "options:", LIST_OPTIONS },
	};
	/* In the old layout the systems, the first part, end with an empty line. */
	size_t no_gap = cmd_style->old_layout ? 1 : 0, i;
	int ret = 0;

	for (i = 0; ret == 0 && i < sizeof(parts) / sizeof(*parts); i++) {
		printf("%s%s\n", i > no_gap ? "\n" : "", parts[i].head);
		ret = show(a, top, parts[i].what, escape, err);
	}
	return ret == 0 ? show(a, top, LIST_COMPRESSION, escape, err) : ret;
}

static int show_text(const struct args *a, const struct kt_instance *top, struct kt_err *err)
{
	bool any = false;
	struct pager p;
	int ret, what;

	ret = pager_start(&p, &a->pager, err);
	if (ret < 0)
		return ret;
	for (what = 0; ret == 0 && what < NR_LISTS; what++) {
		any |= a->want[what];
		if (a->want[what])
			ret = show(a, top, what, p.tty, err);
	}
	if (!any)
		ret = show_overview(a, top, p.tty, err);
	return pager_wait(&p, ret == -EPIPE && !err->code ? 0 : ret, err);
}

/* ---- JSON ---- */

static void json_event(struct json *j, const struct args *a, const struct kt_instance *top,
		       const char *event)
{
	static const char *const files[] = { "format", "filter", "trigger", "id" };
	const bool wanted[] = { a->fields, a->filters, a->triggers, true };
	size_t i;

	json_open(j, NULL, '{');
	json_strn(j, "system", event, strcspn(event, ":"));
	json_str(j, "name", event + strcspn(event, ":") + 1);
	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		char *text = wanted[i] ? read_of_event(top, event, files[i]) : NULL;

		if (text && i == 3)
			json_int(j, files[i], atoi(text));
		else if (text)
			json_str(j, files[i], text);
		free(text);
	}
	json_close(j, '}');
}

/* In JSON the current clock and options that are off have members instead of brackets and "no". */
static void json_setting(struct json *j, enum list what, const char *name)
{
	bool is_clock = what == LIST_CLOCKS, brackets = is_clock && *name == '[';
	bool is_off = !is_clock && str_starts(name, "no");

	name += brackets + 2 * is_off;
	json_open(j, NULL, '{');
	json_strn(j, "name", name, strlen(name) - brackets);
	json_bool(j, is_clock ? "current" : "on", is_clock ? brackets : !is_off);
	json_close(j, '}');
}

static int json_list(struct json *j, const struct args *a, const struct kt_instance *top,
		     enum list what, struct kt_err *err)
{
	static const char *const keys[NR_LISTS] = {
		[LIST_EVENTS] = "events", [LIST_TRACERS] = "tracers",
		[LIST_OPTIONS] = "options", [LIST_FUNCTIONS] = "functions",
		[LIST_INSTANCES] = "instances", [LIST_CLOCKS] = "clocks",
		[LIST_SYSTEMS] = "systems", [LIST_COMPRESSION] = "compressions",
	};
	struct kt_names names = { 0 };
	int ret = list_find(top, what, a->regex[what], &names, err);
	size_t i;

	json_open(j, keys[what], '[');
	for (i = 0; ret == 0 && i < names.nr; i++) {
		if (what == LIST_EVENTS)
			json_event(j, a, top, names.names[i]);
		else if (what == LIST_CLOCKS || what == LIST_OPTIONS)
			json_setting(j, what, names.names[i]);
		else
			json_str(j, NULL, names.names[i]);
	}
	json_close(j, ']');
	kt_names_fini(&names);
	return ret;
}

static int show_json(const struct args *a, const struct kt_instance *top, struct kt_err *err)
{
	struct json j = JSON_INIT;
	bool any = false;
	int what, ret = 0;

	for (what = 0; what < NR_LISTS; what++)
		any |= a->want[what];
	json_open(&j, NULL, '{');
	for (what = 0; ret == 0 && what < NR_LISTS; what++)
		if (a->want[what] || (!any && what != LIST_FUNCTIONS))
			ret = json_list(&j, a, top, what, err);
	json_close(&j, '}');
	if (ret == 0)
		ret = json_print(&j);
	str_fini(&j.text);
	return ret;
}

/* ---- the command ---- */

static int init(void *args)
{
	((struct args *)args)->last = -1;
	return 0;
}

/* trace-cmd uses the word after -e, -f and -o as their argument, even if options come between. */
static int take_words(struct args *a, int argc, char **argv, struct kt_err *err)
{
	int used;

	while (argc) {
		if (a->last < 0)
			return cmd_misuse(err, "unexpected argument '%s', try `list -e %s`",
					  argv[0], argv[0]);
		want(a, a->last, argv[0]);
		a->last = -1;
		used = opts_parse(opts, a, argc - 1, argv + 1, false, NULL, err);
		if (used < 0)
			return used;
		argc -= used + 1;
		argv += used + 1;
	}
	return 0;
}

/* Words may be options too, so a table of rules cannot check this. Which option has no effect? */
static int check(const struct args *a, struct kt_err *err)
{
	bool chooses = a->which.none || a->which.local || a->which.plugins.nr_names ||
		       a->which.plugins.nr_paths || a->which.plugins.nr_without;
	bool lists = tells_more(a);
	int what;

	for (what = 0; what < NR_LISTS; what++)
		lists |= a->want[what];
	if (a->proto && !a->want[LIST_FUNCTIONS])
		return cmd_misuse(err, "--proto goes with -f");
	if (a->proto && a->json)
		return cmd_misuse(err, "--proto has no effect with --json");
	if (a->full && !a->fields)
		return cmd_misuse(err, "--full goes with -F");
	if (chooses && !a->plugins)
		return cmd_misuse(err, "-N, -L, --plugin and --no-plugin go with -P");
	if (a->plugins + a->plugin_options + lists > 1)
		return cmd_misuse(err, "-P and -O exclude each other and all other lists");
	return 0;
}

static int list_chosen_plugins(struct args *a, struct kt_err *err)
{
	int ret;

	a->which.json = a->json;
	ret = list_plugins(&a->which, err);
	report_plugins_fini(&a->which.plugins);
	return ret;
}

/* Compression methods are those of ktrail, not of the kernel: no permission is needed. */
static bool needs_kernel(const struct args *a)
{
	int what, others = 0;

	for (what = 0; what < NR_LISTS; what++)
		others += what != LIST_COMPRESSION && a->want[what];
	return others || !a->want[LIST_COMPRESSION];
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct args *a = args;
	struct kt_instance *top;
	int ret;

	ret = take_words(a, argc, argv, err);
	if (ret == 0 && !cmd_style->any_options)
		ret = check(a, err);
	if (ret < 0)
		return ret;
	if (a->plugins)
		return list_chosen_plugins(a, err);
	if (a->plugin_options)
		return list_plugin_options(a->json, err);
	/* In trace-cmd -F, -R and -l apply to -e only; here they list all events without it. */
	if (cmd_style->old_words && !a->want[LIST_EVENTS])
		a->fields = a->triggers = a->filters = false;
	else if (tells_more(a))
		a->want[LIST_EVENTS] = true;
	top = needs_kernel(a) ? kt_instance_open(NULL, 0, err) : NULL;
	if (!top && needs_kernel(a))
		return err->code;
	ret = a->json ? show_json(a, top, err) : show_text(a, top, err);
	kt_instance_close(top, NULL);
	return ret;
}

const struct cmd cmd_list = {
	.name      = "list",
	.summary   = "list events, tracers, functions, options, clocks, instances",
	.examples  = "  ktrail list -e sched                events whose name contains it\n"
		     "  ktrail list -e '^irq:softirq' -F    with their fields\n"
		     "  ktrail list -f '^vfs_'              functions\n"
		     "  ktrail list -C                      clocks\n",
	.opts      = opts,
	.args_size = sizeof(struct args),
	.init      = init,
	.run       = run,
};
