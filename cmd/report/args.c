/* SPDX-License-Identifier: GPL-2.0-or-later */
/* args.c - the options of `ktrail report` */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cpumask.h"
#include "base/grep.h"
#include "base/str.h"
#include "base/suggest.h"
#include "base/units.h"
#include "cmd/args/level.h"
#include "report.h"

/* ---- inputs, and what belongs to the one before ---- */

int report_add_input(struct report_args *a, const char *path, struct kt_err *err)
{
	if (!array_reserve(a->inputs, a->choose.nr_inputs))
		return kt_err_no_memory(err);
	a->inputs[a->choose.nr_inputs++] = (struct report_input){
		.path = path, .hz = a->default_hz, .ts_offset = a->default_offset,
	};
	return 0;
}

static int take_input(void *args, const char *value, struct kt_err *err)
{
	return report_add_input(args, value, err);
}

static int take_ts_offset(void *args, const char *value, struct kt_err *err)
{
	struct report_args *a = args;

	if (units_parse_i64(value,
			    a->choose.nr_inputs ? &a->inputs[a->choose.nr_inputs - 1].ts_offset
						: &a->default_offset, err) < 0)
		return CMD_MISUSE;
	return 0;
}

static int take_ts2secs(void *args, const char *value, struct kt_err *err)
{
	struct report_args *a = args;
	char *end;
	double hz = strtod(value, &end);

	if (end == value || *end || !(hz > 0) || hz > 1e15)
		return cmd_misuse(err, "'%s' is not a frequency in Hz", value);
	*(a->choose.nr_inputs ? &a->inputs[a->choose.nr_inputs - 1].hz : &a->default_hz) = hz;
	return 0;
}

/* ---- how events are rendered ---- */

static int add_match(struct report_args *a, const char *value, enum kt_render render,
		     struct kt_err *err)
{
	struct str whole = STR_INIT;
	struct kt_err why = { 0 };
	int ret;

	if (!array_reserve(a->matches, a->nr_matches))
		return kt_err_no_memory(err);
	str_addf(&whole, "^(%s)$", value);
	ret = grep_compile(&a->matches[a->nr_matches].re, whole.buf,
			   REG_ICASE | REG_NOSUB | REG_EXTENDED, &why);
	str_fini(&whole);
	if (ret < 0)
		return cmd_misuse(err, "not a regular expression: %s", why.msg);
	a->matches[a->nr_matches].text = value;
	a->matches[a->nr_matches++].render = render;
	return 0;
}

static int take_raw_match(void *args, const char *value, struct kt_err *err)
{
	return add_match(args, value, KT_RENDER_RAW, err);
}

static int take_plain_match(void *args, const char *value, struct kt_err *err)
{
	return add_match(args, value, KT_RENDER_PLAIN, err);
}

/* -r, -n, -N, -L: how to render an event; a kt_text_opts.render, @data: the args */
static enum kt_render render_of(void *data, const struct kt_event *ev)
{
	const struct report_args *a = data;
	size_t i;

	for (i = 0; i < a->nr_matches; i++)
		if (regexec(&a->matches[i].re, ev->name, 0, NULL, 0) == 0 ||
		    regexec(&a->matches[i].re, ev->system, 0, NULL, 0) == 0)
			return a->matches[i].render;
	/* Without the system's plugins, ftrace's own events have the kernel's text. */
	if (a->no_plugins || (a->local_plugins && strcmp(ev->system, "ftrace") == 0))
		return KT_RENDER_PLAIN;
	return KT_RENDER_TEXT;
}

/* ---- -O [plugin:]option[=value] ---- */

/* A member that is zero: the option needs no value, or the value "0" turns it off. */
static const struct plugin_option {
	const char *plugin, *name;
	size_t offset;			/* offset of a bool in kt_text_opts */
	bool inverted;
	enum kt_retval retval;		/* if > 0: the option sets this instead */
	const char *summary;
} plugin_options[] = {
	{ "ftrace", "parent", offsetof(struct kt_text_opts, function_parent), false, 0,
	  "print the caller of each function" },
	{ "ftrace", "offset", offsetof(struct kt_text_opts, function_offset), false, 0,
	  "print how far into a function an address is" },
	{ "ftrace", "indent", offsetof(struct kt_text_opts, function_flat), true, 0,
	  "indent functions by the calls around them" },
	{ "fgraph", "tailprint", offsetof(struct kt_text_opts, graph_tail), false, 0,
	  "name the function at its closing brace" },
	{ "fgraph", "depth", offsetof(struct kt_text_opts, graph_depth), false, 0,
	  "print the depth of each entry" },
	{ "fgraph", "retval-skip", 0, false, KT_RETVAL_SKIP, "leave out return values" },
	{ "fgraph", "retval-dec", 0, false, KT_RETVAL_DEC, "return values in decimal" },
	{ "fgraph", "retval-hex", 0, false, KT_RETVAL_HEX, "return values in hex" },
};
#define NR_PLUGIN_OPTIONS (sizeof(plugin_options) / sizeof(plugin_options[0]))

bool report_builtin_option(size_t i, const char **plugin, const char **name, const char **value,
			   const char **summary)
{
	if (i >= NR_PLUGIN_OPTIONS)
		return false;
	*plugin = plugin_options[i].plugin;
	*name = plugin_options[i].name;
	*value = plugin_options[i].inverted ? "1" : "0";
	*summary = plugin_options[i].summary;
	return true;
}

static void set_option(struct report_args *a, const struct plugin_option *o, bool on)
{
	if (o->retval)
		a->text.graph_retval = on ? o->retval : KT_RETVAL_AUTO;
	else
		*(bool *)((char *)&a->text + o->offset) = on != o->inverted;
}

static int unknown_option(const char *name, struct kt_err *err)
{
	const char *names[NR_PLUGIN_OPTIONS + 1];
	char hint[SUGGEST_SIZE];
	size_t i;

	for (i = 0; i < NR_PLUGIN_OPTIONS; i++)
		names[i] = plugin_options[i].name;
	names[i] = NULL;
	return *suggest_one(name, names, hint)
		    ? cmd_misuse(err, "no option '%s'%s", name, hint)
		    : cmd_misuse(err, "no option '%s', `%s options` lists them", name, cmd_program);
}

static bool is_ours(const char *plugin, size_t len)
{
	size_t i;

	for (i = 0; i < NR_PLUGIN_OPTIONS; i++)
		if (strlen(plugin_options[i].plugin) == len &&
		    strncmp(plugin_options[i].plugin, plugin, len) == 0)
			return true;
	return false;
}

static int take_option(void *args, const char *value, struct kt_err *err)
{
	const char *colon = strchr(value, ':'), *name = colon ? colon + 1 : value;
	const char *eq = strchr(name, '=');
	size_t len = eq ? (size_t)(eq - name) : strlen(name), i;
	bool found = false, on = !eq || strcmp(eq + 1, "0") != 0;

	for (i = 0; i < NR_PLUGIN_OPTIONS; i++) {
		const struct plugin_option *o = &plugin_options[i];

		if (colon && (strlen(o->plugin) != (size_t)(colon - value) ||
			      strncmp(o->plugin, value, colon - value)))
			continue;
		if (strlen(o->name) != len || strncmp(o->name, name, len))
			continue;
		set_option(args, o, on);
		found = true;
	}
	if (found)
		return 0;
	if (colon && is_ours(value, colon - value))
		return unknown_option(name, err);
	/* It may be an option of a plugin, which is known when plugins are loaded */
	return report_add_plugin_option(args, value, err);
}

int report_add_hook(struct report_args *a, const char *hook, struct kt_err *err)
{
	/* with room for the terminating NULL */
	if (!array_reserve(a->hooks, a->nr_hooks + 1))
		return kt_err_no_memory(err);
	a->hooks[a->nr_hooks++] = hook;
	a->hooks[a->nr_hooks] = NULL;
	return 0;
}

static int take_hook(void *args, const char *value, struct kt_err *err)
{
	return report_add_hook(args, value, err);
}

static int take_color(void *args, const char *value, struct kt_err *err)
{
	(void)err;
	((struct report_args *)args)->pager.color = value ? value : "always";
	return 0;
}

static int take_verbose(void *args, const char *value, struct kt_err *err)
{
	return level_parse(value, &((struct report_args *)args)->verbose, err);
}

int report_init(void *args)
{
	struct report_args *a = args;

	a->text.render = render_of;
	a->text.data = a;
	a->choose.command = "report";
	return 0;
}

void report_fini(void *args)
{
	struct report_args *a = args;
	size_t i;

	for (i = 0; i < a->nr_matches; i++)
		regfree(&a->matches[i].re);
	report_plugins_fini(&a->plugins);
	choose_fini(&a->choose);
	free(a->hooks);
	free(a->inputs);
	free(a->matches);
}

#define FLAG(c, n, member, ...) OPT_BOOL(c, n, struct report_args, member, __VA_ARGS__)
#define TEXT(c, n, member, a, ...) OPT_STR(c, n, struct report_args, member, a, __VA_ARGS__)

const struct cmd_opt report_opts[] = {
	OPT_CALL('i', "input", take_input, "file",
		 "read this file; repeatable; default trace.dat"),
	CHOOSE_OPTS
	FLAG('I', "no-irq", no_irqs, "leave out events in hard interrupts", RARE),
	FLAG('S', "no-softirq", no_softirqs, "leave out events in soft interrupts", RARE),
	FLAG('T', "filter-test", test_filters, "show what the filters mean for each event", RARE),

	TEXT(0, "layout", layout, "version",
	     "as trace-cmd 3.1 or 3.3, or kernel: all flags", RARE),
	FLAG('t', "nanoseconds", text.nanoseconds, "print times in nanoseconds"),
	FLAG('l', "latency", text.latency, "use the layout of latency tracers", RARE),
	FLAG('R', "raw", text.raw, "print fields as name=value"),
	OPT_CALL('r', "raw-event", take_raw_match, "regex",
		 "the same for events or systems that match", RARE),
	OPT_CALL('n', "plain-event", take_plain_match, "regex",
		 "format matching events by their print formats", RARE),
	FLAG('N', "no-plugins", no_plugins, "format all events by the kernel's print formats",
		 RARE),
	FLAG('L', "local-plugins", local_plugins, "use only plugins of the user's own folder",
		 RARE),
	OPT_CALL('O', "option", take_option, "option",
		 "[plugin:]option[=value], e.g. fgraph:tailprint", RARE),
	FLAG('w', "wakeup", text.wakeup, "show wakeup latencies and sum them up", RARE),
	FLAG(0, "pretty", pretty, "print texts of plugins; default on a terminal"),
	FLAG(0, "no-pretty", no_pretty, "print the plain texts on a terminal too", RARE),
	OPT_CALL(0, "plugin", report_take_plugin, "name|path",
		 "as --pretty, but only by this plugin; repeatable", RARE),
	OPT_CALL(0, "no-plugin", report_take_no_plugin, "name", "do not use this plugin", RARE),
	FLAG(0, "columns", columns, "print statistics of the numbers in events", RARE),
	FLAG(0, "json", text.json, "print one JSON object per line"),
	TEXT(0, "fields", fields, "list", "print these values: time,comm,event,next_pid"),
	FLAG(0, "csv", csv, "print values with commas between them", RARE),
	OPT_U64(0, "limit", struct report_args, text.limit, "n", "stop after this many events",
		RARE),
	FLAG(0, "wall", text.wall, "print local date and time of day", RARE),
	FLAG(0, "ts-diff", text.ts_diff, "print the time since the previous line", RARE),
	OPT_CALL(0, "ts-offset", take_ts_offset, "offset",
		"add this to the times of the last file", RARE),
	OPT_CALL(0, "ts2secs", take_ts2secs, "hz", "frequency of the last file's clock", RARE),
	FLAG(0, "ts-check", text.check_ts, "report where time goes back on a CPU", RARE),
	FLAG(0, "align-ts", text.align_ts, "print times relative to the first event", RARE),
	FLAG(0, "raw-ts", stream.raw_ts, "print times as recorded, without corrections", RARE),
	FLAG(0, "nodate", stream.no_date, "ignore the date that record --date stored", RARE),
	FLAG(0, "boundary", text.boundary, "mark where sub-buffers begin", RARE),
	FLAG(0, "debug", text.debug, "the same, with the place of each record in it", RARE),

	FLAG(0, "cpus", show_cpus, "list the CPUs with data", RARE),
	FLAG(0, "first-event", show_first, "the same, with the time of the first event", RARE),
	FLAG(0, "last-event", show_last, "the same, with the time of the last event", RARE),
	FLAG(0, "stat", show_stat, "show the ring buffer's statistics"),
	FLAG(0, "uname", show_uname, "show the recording kernel and program", RARE),
	FLAG(0, "version", show_version, "show the recording program", RARE),
	FLAG('e', "endian", show_endian, "show the byte order", RARE),
	FLAG('p', "page-size", show_page_size, "show the size of a sub-buffer", RARE),
	FLAG('f', "functions", show_symbols, "list the addresses of functions", RARE),
	FLAG('P', "printk", show_printk, "list the addresses of printk formats", RARE),
	FLAG('E', "list-events", show_events, "list the events that the file describes"),
	FLAG(0, "events", show_formats, "print the formats of the events", RARE),
	TEXT(0, "event", event, "regex", "print the formats of events that match", RARE),
	FLAG(0, "check-events", check_events, "list the event formats that cannot be read", RARE),
	TEXT(0, "kallsyms", kallsyms, "file", "read more symbols, in the form of /proc/kallsyms",
		 RARE),
	FLAG(0, "profile", profile, "sum up where tasks spent their time"),
	FLAG('G', "global-irqs", global_irqs, "with --profile: interrupts by CPU, not by task",
		 RARE),
	OPT_CALL('H', "hook", take_hook, "hook",
		 "with --profile: time a pair start,field/end,field", RARE),
	FLAG(0, "by-comm", by_comm, "with --profile: add tasks of one name together", RARE),
	TEXT(0, "sort", profile_order.sort, "by", "with --profile: total, count, avg, max or name",
		 RARE),
	OPT_U64(0, "top", struct report_args, profile_order.top, "n",
		"with --profile: only the first n rows", RARE),

	OPT_CALL_OPTIONAL(0, "color", take_color, "when",
		"when to use colours: auto, always or never", RARE),
	FLAG(0, "pager", pager.always, "use a pager even if the output is not a terminal", RARE),
	FLAG(0, "no-pager", pager.never, "do not use a pager", RARE),
	OPT_INT(0, "threads", struct report_args, text.threads, "n",
	     "number of formatting threads; default: CPUs", RARE),
	FLAG('q', "quiet", choose.quiet, "do not warn about damage", RARE),
	OPT_CALL_OPTIONAL('V', "verbose", take_verbose, "level",
			  "print the file's version and the plugins", RARE),
	OPT_END
};
