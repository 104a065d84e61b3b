/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.c - `ktrail list`: what can be traced here, and with what */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/btf.h>
#include <ktrail/selection.h>
#include <ktrail/settings.h>
#include <ktrail/writer.h>

#include "base/grep.h"
#include "base/json.h"
#include "base/suggest.h"
#include "json_print.h"
#include "list_plugins.h"
#include "pager.h"
#include "safe.h"
#include "style.h"

/* In the order that trace-cmd prints them */
enum what { EVENTS, TRACERS, OPTIONS, FUNCTIONS, INSTANCES, CLOCKS, SYSTEMS, COMPRESSION, NR_WHAT };

struct args {
	bool want[NR_WHAT];
	const char *regex[NR_WHAT];
	int  last;			/* what a word behind the options is about; -1: nothing */
	bool fields, full, triggers, filters, proto, json, debug, plugins, plugin_options;
	struct list_plugins which;	/* of the formatter plugins */
	struct pager_opts pager;
};

static int want(struct args *a, enum what what, const char *regex)
{
	a->want[what] = true;
	/* trace-cmd passes over those behind others */
	if (regex && (!cmd_style->old_words || what == EVENTS || what == OPTIONS ||
		      what == FUNCTIONS))
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
WANT(list_events, EVENTS)
WANT(list_tracers, TRACERS)
WANT(list_options, OPTIONS)
WANT(list_functions, FUNCTIONS)
WANT(list_instances, INSTANCES)
WANT(list_clocks, CLOCKS)
WANT(list_systems, SYSTEMS)
WANT(list_compression, COMPRESSION)

static int take_plugin(void *args, const char *value, struct kt_err *err)
{
	return report_plugins_add(&((struct args *)args)->which.plugins, value, err);
}

static int take_no_plugin(void *args, const char *value, struct kt_err *err)
{
	return report_plugins_leave_out(&((struct args *)args)->which.plugins, value, err);
}

static const struct cmd_opt opts[] = {
	OPT_CALL_OPTIONAL('e', "events", list_events, "regex", "events"),
	OPT_BOOL('F', "fields", struct args, fields, "… with their fields"),
	OPT_BOOL(0, "full", struct args, full, "… and their print format"),
	OPT_BOOL('R', "triggers", struct args, triggers, "… with their triggers"),
	OPT_BOOL('l', "filters", struct args, filters, "… with their filters"),
	OPT_CALL_OPTIONAL('s', "systems", list_systems, "regex", "event systems"),
	OPT_CALL_OPTIONAL('t', "tracers", list_tracers, "regex", "tracers"),
	OPT_CALL_OPTIONAL('p', NULL, list_tracers, "regex", NULL),
	OPT_CALL_OPTIONAL('o', "options", list_options, "regex", "trace options, no… where off"),
	OPT_CALL_OPTIONAL('f', "functions", list_functions, "regex", "functions to trace"),
	OPT_BOOL(0, "proto", struct args, proto, "… with their prototypes"),
	OPT_CALL_OPTIONAL('B', "instances", list_instances, "regex", "instances"),
	OPT_CALL_OPTIONAL('C', "clocks", list_clocks, "regex",
			  "clocks, the present one in brackets"),
	OPT_CALL('c', "compression", list_compression, NULL, "compressions of trace files"),
	OPT_BOOL('P', "plugins", struct args, plugins, "formatter plugins, their order, and why"),
	OPT_BOOL('N', "no-plugins", struct args, which.none, "… with report -N"),
	OPT_BOOL('L', "local-plugins", struct args, which.local, "… with report -L"),
	OPT_CALL(0, "plugin", take_plugin, "name|path", "… with report --plugin; may be repeated"),
	OPT_CALL(0, "no-plugin", take_no_plugin, "name", "… with report --no-plugin; repeatable"),
	OPT_BOOL('O', "plugin-options", struct args, plugin_options,
		 "options of formatter plugins"),
	OPT_BOOL(0, "json", struct args, json, "one JSON document, for programs"),
	OPT_BOOL(0, "no-pager", struct args, pager.never, "no pager on a terminal"),
	OPT_BOOL(0, "debug", struct args, debug, NULL),
	OPT_END
};

/* ---- finding ---- */

static const char *const compressions[] = { "none", "zstd", "zlib" };

static int read_words(const struct kt_instance *top, const char *file, const char *separators,
		      struct kt_names *out, struct kt_err *err)
{
	char *text = kt_instance_read(top, file, err);
	int ret = text ? kt_names_add_words(out, text, separators) : 0;

	if (!text)
		return err->code;
	free(text);
	return ret < 0 ? kt_err_set(err, ret, "out of memory") : 0;
}

/* A drop-in tells versions, and that nothing can be done is nothing it can do. */
static int find_compressions(struct kt_names *out, struct kt_err *err)
{
	const char *version;
	char text[64];
	int ret = 0;
	size_t i;

	for (i = 0; ret == 0 && i < sizeof(compressions) / sizeof(*compressions); i++) {
		version = kt_compression_version(compressions[i]);
		snprintf(text, sizeof(text), "%s, %s", compressions[i], version ? version : "");
		if (!cmd_style->old_layout || version)
			ret = kt_names_add(out, cmd_style->old_layout ? text : compressions[i]);
	}
	return ret < 0 ? kt_err_set(err, ret, "out of memory") : 0;
}

/* tsc2nsec is the raw clock with what turns it into nanoseconds. */
static int find_clocks(const struct kt_instance *top, struct kt_names *out, struct kt_err *err)
{
	int ret = read_words(top, "trace_clock", " \n", out, err);

	if (ret == 0 && cmd_style->old_layout &&
	    (kt_names_has(out, "x86-tsc") || kt_names_has(out, "[x86-tsc]")))
		ret = kt_names_add(out, "tsc2nsec");
	return ret;
}

/* With those that tracers write, when they are asked for */
static int find_events(bool of_tracers, struct kt_names *out, struct kt_err *err)
{
	int ret = kt_event_names(out, err);

	return ret == 0 && of_tracers ? kt_ftrace_event_names(out, err) : ret;
}

static int find_systems(const struct kt_instance *top, struct kt_names *out, struct kt_err *err)
{
	int ret = kt_system_names(out, err);

	if (ret == 0 && kt_instance_has(top, "events/ftrace") && kt_names_add(out, "ftrace") < 0)
		ret = kt_err_set(err, -ENOMEM, "out of memory");
	kt_names_sort(out);
	return ret;
}

static int find_all(const struct kt_instance *top, enum what what, bool some, struct kt_names *out,
		    struct kt_err *err)
{
	switch (what) {
	case EVENTS:
		return find_events(some, out, err);
	case TRACERS:
		return kt_instance_tracers(top, out, err);
	case OPTIONS:
		return kt_instance_options(top, out, err);
	case FUNCTIONS:
		return read_words(top, "available_filter_functions", "\n", out, err);
	case INSTANCES:
		return kt_instance_list(out, err);
	case CLOCKS:
		return find_clocks(top, out, err);
	case SYSTEMS:
		return find_systems(top, out, err);
	default:
		return find_compressions(out, err);
	}
}

static int no_match(const struct kt_instance *top, enum what what, const struct kt_names *all,
		    const char *regex, struct kt_err *err)
{
	char plain[64], hint[SUGGEST_SIZE];
	struct kt_names dirs = { 0 };

	if (!cmd_style->advises)
		return 0;
	/* It knows how to take a name of an event apart. */
	if (what == EVENTS)
		kt_selection_find(top, regex, &dirs, err);
	kt_names_fini(&dirs);
	if (err->code)
		return err->code;
	/* Of "^vfs_raed$" the name */
	snprintf(plain, sizeof(plain), "%s", regex + (*regex == '^'));
	plain[strcspn(plain, "$")] = '\0';
	return kt_err_set(err, -ENOENT, "nothing matches '%s'%s", regex,
			  suggest_one(plain, suggest_from(all), hint));
}

/* Those that match, in the order of the kernel */
static int find(const struct kt_instance *top, enum what what, const char *regex,
		struct kt_names *out, struct kt_err *err)
{
	struct kt_names all = { 0 };
	struct grep g;
	int ret;
	size_t i;

	ret = grep_init_list(&g, regex, true, err);
	if (ret < 0)
		return ret;
	ret = find_all(top, what, regex, &all, err);
	for (i = 0; ret == 0 && i < all.nr; i++)
		if (grep_match(&g, all.names[i], strlen(all.names[i])) &&
		    kt_names_add(out, all.names[i]) < 0)
			ret = kt_err_set(err, -ENOMEM, "out of memory");
	if (ret == 0 && regex && !out->nr)
		ret = no_match(top, what, &all, regex, err);
	grep_fini(&g);
	kt_names_fini(&all);
	return ret;
}

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
	/* In the old layout it is one thing: the fields, or the filter, or the trigger. */
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

/* Modules have types of their own, which are not read: their functions stay names. */
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

/* Tracers and clocks stand on one line, as in the kernel's files. */
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

static int print_list(const struct args *a, const struct kt_instance *top, enum what what,
		      const struct kt_names *names, bool escape)
{
	const char *indent = what == COMPRESSION ? "\t" : "";
	int ret = 0;
	size_t i;

	if (what == INSTANCES && !names->nr && !a->regex[what])
		return safe_puts("No buffer instances defined", escape);
	if (what == TRACERS || what == CLOCKS)
		return print_line(names, escape);
	if (what == COMPRESSION)
		ret = safe_puts("Supported compression algorithms:", escape);
	for (i = 0; ret == 0 && i < names->nr; i++) {
		if (what == EVENTS) {
			ret = print_event(a, top, names->names[i], escape);
			continue;
		}
		fputs(indent, stdout);
		ret = safe_puts(names->names[i], escape);
	}
	return ret == 0 && what == SYSTEMS && cmd_style->old_layout ? safe_puts("", escape) : ret;
}

static bool tells_more(const struct args *a)
{
	return a->fields || a->triggers || a->filters;
}

static int show(const struct args *a, const struct kt_instance *top, enum what what, bool escape,
		struct kt_err *err)
{
	struct kt_names names = { 0 };
	int ret;

	ret = find(top, what, a->regex[what], &names, err);
	if (ret == 0 && what == FUNCTIONS && a->proto)
		ret = print_prototypes(&names, escape, err);
	else if (ret == 0 && print_list(a, top, what, &names, escape) == -EPIPE)
		ret = -EPIPE;
	kt_names_fini(&names);
	return ret;
}

/* Without any option: an overview. */
static int show_overview(const struct args *a, const struct kt_instance *top, bool escape,
			 struct kt_err *err)
{
	static const struct { const char *head; enum what what; } parts[] = {
		{ "event systems:", SYSTEMS }, { "events:", EVENTS }, { "tracers:", TRACERS },
		{ "options:", OPTIONS },
	};
	/* In the old layout the systems, the first part, end with an empty line. */
	size_t no_gap = cmd_style->old_layout ? 1 : 0, i;
	int ret = 0;

	for (i = 0; ret == 0 && i < sizeof(parts) / sizeof(*parts); i++) {
		printf("%s%s\n", i > no_gap ? "\n" : "", parts[i].head);
		ret = show(a, top, parts[i].what, escape, err);
	}
	return ret == 0 ? show(a, top, COMPRESSION, escape, err) : ret;
}

static int show_text(const struct args *a, const struct kt_instance *top, struct kt_err *err)
{
	bool any = false;
	struct pager p;
	int ret, what;

	ret = pager_start(&p, &a->pager, err);
	if (ret < 0)
		return ret;
	for (what = 0; ret == 0 && what < NR_WHAT; what++) {
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

/* Clocks and options say which they are: a bracket or a "no" is for people. */
static void json_setting(struct json *j, enum what what, const char *name)
{
	bool on = what == CLOCKS ? *name == '[' : !str_starts(name, "no");
	size_t skip = what == CLOCKS ? on : on ? 0 : 2;

	json_open(j, NULL, '{');
	json_strn(j, "name", name + skip, strlen(name) - skip - (what == CLOCKS && on));
	json_bool(j, what == CLOCKS ? "current" : "on", on);
	json_close(j, '}');
}

static int json_list(struct json *j, const struct args *a, const struct kt_instance *top,
		     enum what what, struct kt_err *err)
{
	static const char *const keys[NR_WHAT] = {
		[EVENTS] = "events", [TRACERS] = "tracers", [OPTIONS] = "options",
		[FUNCTIONS] = "functions", [INSTANCES] = "instances", [CLOCKS] = "clocks",
		[SYSTEMS] = "systems", [COMPRESSION] = "compressions",
	};
	struct kt_names names = { 0 };
	int ret = find(top, what, a->regex[what], &names, err);
	size_t i;

	json_open(j, keys[what], '[');
	for (i = 0; ret == 0 && i < names.nr; i++) {
		if (what == EVENTS)
			json_event(j, a, top, names.names[i]);
		else if (what == CLOCKS || what == OPTIONS)
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

	for (what = 0; what < NR_WHAT; what++)
		any |= a->want[what];
	json_open(&j, NULL, '{');
	for (what = 0; ret == 0 && what < NR_WHAT; what++)
		if (a->want[what] || (!any && what != FUNCTIONS))
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

/* trace-cmd takes the word after -e, -f and -o as its argument, whatever options follow it. */
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

/* Words may be options too, so this is not for a table of rules. Which option does nothing? */
static int check(const struct args *a, struct kt_err *err)
{
	bool chooses = a->which.none || a->which.local || a->which.plugins.nr_names ||
		       a->which.plugins.nr_paths || a->which.plugins.nr_without;
	bool lists = tells_more(a);
	int what;

	for (what = 0; what < NR_WHAT; what++)
		lists |= a->want[what];
	if (a->proto && !a->want[FUNCTIONS])
		return cmd_misuse(err, "--proto goes with -f");
	if (a->proto && a->json)
		return cmd_misuse(err, "--proto has no effect with --json");
	if (a->full && !a->fields)
		return cmd_misuse(err, "--full goes with -F");
	if (chooses && !a->plugins)
		return cmd_misuse(err, "-N, -L, --plugin and --no-plugin go with -P");
	if (a->plugins + a->plugin_options + lists > 1)
		return cmd_misuse(err, "-P, -O or anything else: one at a time");
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

/* Compressions are ours, not the kernel's: nobody's permission is needed. */
static bool needs_kernel(const struct args *a)
{
	int what, others = 0;

	for (what = 0; what < NR_WHAT; what++)
		others += what != COMPRESSION && a->want[what];
	return others || !a->want[COMPRESSION];
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
	/* trace-cmd's -F, -R and -l are about -e only; ours mean all events without it. */
	if (cmd_style->old_words && !a->want[EVENTS])
		a->fields = a->triggers = a->filters = false;
	else if (tells_more(a))
		a->want[EVENTS] = true;
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
	.usage     = "[-e [<regex>] [-F [--full]] [-R] [-l]] [-s] [-t] [-o [<regex>]] [-f "
		     "[<regex>] [--proto]] [-B] [-C] [-c] [-P [-N] [-L] [--plugin <name>] "
		     "[--no-plugin <name>]] [-O] [--json]",
	.examples  = "  ktrail list -e sched                events whose name contains it\n"
		     "  ktrail list -e '^irq:softirq' -F    with their fields\n"
		     "  ktrail list -f '^vfs_'              functions\n"
		     "  ktrail list -C                      clocks\n",
	.opts      = opts,
	.args_size = sizeof(struct args),
	.init      = init,
	.run       = run,
};
