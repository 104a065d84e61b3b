/* SPDX-License-Identifier: GPL-2.0-or-later */
/* complete.c - `ktrail __complete`: what could be typed next, for the shells' completion */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/event.h>
#include <ktrail/export.h>
#include <ktrail/probe.h>
#include <ktrail/settings.h>
#include <ktrail/status.h>
#include <ktrail/tracefs.h>

#include "base/escape.h"
#include "base/str.h"
#include "cmd/args/default_instance.h"
#include "cmd/cmd.h"
#include "cmd/print/safe.h"
#include "cmd/report/report.h"
#include "cmd/setting/instance.h"
#include "complete.h"
#include "complete_usage.h"

/*
 * Called as `ktrail __complete WORD…` with the words after "ktrail"; the last one is being typed.
 * Prints candidates that begin with this word, one per line. Exit status 3 means that a file name
 * is expected, which shells complete themselves.
 */
#define WANT_FILE 3
#define MAX_FUNCTIONS 2000	/* a longer menu is of no use, and is slow */

struct args {
	bool describe;
};

static const struct cmd_opt opts[] = {
	OPT_BOOL('d', "describe", struct args, describe, "add a tab and a short help to each"),
	OPT_END
};

struct typing typing_rest(const struct typing *t, const char *start)
{
	struct typing rest = *t;

	rest.prefix_len += start - t->word;
	rest.word = start;
	return rest;
}

/* @what: a short help for shells that show it, or NULL */
void offer_with(const struct typing *t, const char *candidate, const char *what)
{
	if (!str_starts(candidate, t->word))
		return;
	printf("%.*s%s", (int)t->prefix_len, t->prefix, candidate);
	if (t->describe && what && *what) {
		putchar('\t');
		safe_put(what);
	}
	putchar('\n');
}

void offer(const struct typing *t, const char *candidate)
{
	offer_with(t, candidate, NULL);
}

/* Offers each, and frees them */
static void offer_names(const struct typing *t, struct kt_names *names)
{
	size_t i;

	for (i = 0; i < names->nr; i++)
		offer(t, names->names[i]);
	kt_names_fini(names);
}

void offer_words(const struct typing *t, const char *words)
{
	struct kt_names names = { 0 };

	kt_names_add_words(&names, words, " ");
	offer_names(t, &names);
}

/* The last value of an option in the words so far: -X VALUE, --name VALUE, --name=VALUE; or NULL */
static const char *option_value(const struct typing *t, char ch, const char *name)
{
	const char *value = NULL;
	size_t len = strlen(name);
	int i;

	for (i = 1; i + 1 < t->argc; i++) {
		const char *w = t->words[i];

		if (w[0] == '-' && w[1] == ch && ch && !w[2] && i + 2 < t->argc)
			value = t->words[i + 1];
		if (!str_starts(w, "--") || strncmp(w + 2, name, len) != 0)
			continue;
		if (w[2 + len] == '=')
			value = w + 3 + len;
		else if (!w[2 + len] && i + 2 < t->argc)
			value = t->words[i + 1];
	}
	return value;
}

static void offer_functions(const struct typing *t)
{
	struct kt_instance *inst = kt_instance_open(NULL, 0, NULL);
	char *text = inst ? kt_instance_read(inst, "available_filter_functions", NULL) : NULL;
	char *p = text, *end;
	int nr = 0;

	for (; p && *p && nr < MAX_FUNCTIONS; p = end) {
		end = p + strcspn(p, "\n");
		end += *end == '\n';
		if (!str_starts(p, t->word))
			continue;
		p[strcspn(p, " \t\n")] = '\0';
		offer(t, p);
		nr++;
	}
	free(text);
	kt_instance_close(inst, NULL);
}

static void offer_settings(const struct typing *t, const char *what)
{
	const char *name = option_value(t, 'B', "instance");
	struct kt_instance *inst = kt_instance_open(name ? name : default_instance(), 0, NULL);
	struct kt_names names = { 0 };

	if (!inst)
		return;
	if (strcmp(what, "tracer") == 0)
		kt_instance_tracers(inst, &names, NULL);
	else if (strcmp(what, "clock") == 0)
		kt_instance_clocks(inst, &names, NULL);
	else
		kt_instance_options(inst, &names, NULL);
	offer_names(t, &names);
	kt_instance_close(inst, NULL);
}

/* "mine	on, function_graph" */
static void offer_instances(const struct typing *t)
{
	struct kt_names names = { 0 };
	size_t i;

	kt_instance_list(&names, NULL);
	for (i = 0; i < names.nr; i++) {
		struct kt_instance *inst = t->describe ?
					   kt_instance_open(names.names[i], 0, NULL) : NULL;
		struct kt_status s = { 0 };
		char what[80] = "";

		if (inst && kt_status_read(inst, &s, NULL) == 0)
			snprintf(what, sizeof(what), "%s, %s", s.tracing ? "on" : "off",
				 what_is_traced(&s));
		offer_with(t, names.names[i], what);
		kt_status_fini(&s);
		kt_instance_close(inst, NULL);
	}
	kt_names_fini(&names);
}

static void offer_probes(const struct typing *t)
{
	struct kt_instance *inst = kt_instance_open(NULL, 0, NULL);
	struct kt_probes *probes = inst ? kt_probes_read(inst, NULL) : NULL;
	char name[160];
	size_t i;

	for (i = 0; probes && i < probes->nr; i++) {
		snprintf(name, sizeof(name), "%s:%s", probes->at[i].group, probes->at[i].event);
		offer_with(t, name, probes->at[i].place);
	}
	kt_probes_destroy(probes);
	kt_instance_close(inst, NULL);
}

/* "kprobe:FUNCTION" and the like; functions are listed once the kind is typed */
static void offer_definitions(const struct typing *t)
{
	const char *colon = strchr(t->word, ':');
	struct typing after;
	char kind[32];
	int k;

	for (k = 0; !colon && k < KT_NR_PROBE_KINDS; k++) {
		snprintf(kind, sizeof(kind), "%s:", kt_probe_kind_name(k));
		offer(t, kind);
	}
	if (!colon)
		return;
	after = typing_rest(t, colon + 1);
	if (str_starts(t->word, "eprobe:") || str_starts(t->word, "tracepoint:"))
		offer_events(&after, NULL);
	else if (!str_starts(t->word, "uprobe:") && !str_starts(t->word, "uretprobe:"))
		offer_functions(&after);
}

static void offer_monitors(const struct typing *t)
{
	struct kt_instance *inst = kt_instance_open(NULL, 0, NULL);
	char *text = inst ? kt_instance_read(inst, "rv/available_monitors", NULL) : NULL;
	struct kt_names names = { 0 };

	if (text && kt_names_add_words(&names, text, " \n") == 0)
		offer_names(t, &names);
	free(text);
	kt_instance_close(inst, NULL);
}

static void offer_synthetic(const struct typing *t)
{
	struct kt_names names = { 0 };
	size_t i;

	kt_dynamic_events_list(KT_DYNAMIC_SYNTH, &names, NULL);
	for (i = 0; i < names.nr; i++)
		offer(t, names.names[i] + (str_starts(names.names[i], "synthetic/") ? 10 : 0));
	kt_names_fini(&names);
}

/* Running processes by pid, with their names */
static void offer_tasks(const struct typing *t)
{
	struct dirent *entry;
	DIR *dir = opendir("/proc");
	struct str comm = STR_INIT;
	char path[300];

	while (dir && (entry = readdir(dir))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		str_reset(&comm);
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		if (str_read_file(&comm, path) == 0 && comm.len)
			comm.buf[comm.len - 1] = '\0';
		offer_with(t, entry->d_name, comm.len ? comm.buf : NULL);
	}
	if (dir)
		closedir(dir);
	str_fini(&comm);
}

static void offer_plugins(const struct typing *t)
{
	struct kt_plugins *plugins = kt_plugins_open(&(struct kt_plugins_opts){ 0 }, NULL);
	struct kt_plugin_info info;
	size_t i;

	for (i = 0; plugins && i < kt_plugins_nr(plugins); i++) {
		kt_plugins_at(plugins, i, &info);
		if (info.used)
			offer_with(t, info.name, info.summary);
	}
	kt_plugins_close(plugins);
}

static void offer_export_formats(const struct typing *t)
{
	const struct kt_export_format *f;
	size_t i;

	for (i = 0; (f = kt_export_format(i)); i++)
		offer_with(t, f->name, f->summary);
}

static void offer_import_formats(const struct typing *t)
{
	const char *name;
	unsigned int from;

	for (from = KT_IMPORT_ANY + 1; (name = kt_import_name(from)); from++)
		offer(t, name);
}

static void offer_commands(const struct typing *t)
{
	size_t i;

	for (i = 0; cmd_table[i]; i++)
		if (!cmd_table[i]->hidden && !strchr(cmd_table[i]->name, ' '))
			offer_with(t, cmd_table[i]->name, cmd_table[i]->summary);
	offer(t, "help");
}

/* "crash" after "capture", for the command "capture crash". How many were offered? */
static int offer_second_words(const struct typing *t)
{
	size_t i, len = strlen(t->words[0]);
	int nr = 0;

	for (i = 0; cmd_table[i]; i++)
		if (str_starts(cmd_table[i]->name, t->words[0]) && cmd_table[i]->name[len] == ' ') {
			offer_with(t, cmd_table[i]->name + len + 1, cmd_table[i]->summary);
			nr++;
		}
	return nr;
}

static void offer_options(const struct typing *t, const struct cmd_opt *o)
{
	char text[80];

	for (; o && !opt_is_end(o); o++) {
		if (!o->help)
			continue;
		if (o->name) {
			snprintf(text, sizeof(text), "--%s", o->name);
			offer_with(t, text, o->help);
		}
		if (o->ch && !str_starts(t->word, "--")) {
			snprintf(text, sizeof(text), "-%c", o->ch);
			offer_with(t, text, o->help);
		}
	}
	offer(t, "--help");
}

/*
 * Values of options that are words of ktrail; tests/cli/complete.t compares them with what the
 * options accept
 */
static const struct { const char *kind, *words; } fixed[] = {
	{ "by", "total hits avg name" },
	{ "method", "none zstd zlib" },
	{ "type", "kprobe kretprobe uprobe uretprobe eprobe synth all" },
	{ "version", "3.1 3.3 current kernel" },
	{ "when", "auto always never" },
	{ "which", "used all none" },
};

static void offer_fixed(const struct typing *t, const char *kind)
{
	struct kt_names names = { 0 };
	size_t i;

	for (i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		if (strcmp(kind, fixed[i].kind) == 0)
			offer_words(t, fixed[i].words);
	if (strchr(kind, '|'))
		kt_names_add_words(&names, kind, "|");
	offer_names(t, &names);
}

/* Options of the built-in formatters of `report`. Plugins are not loaded for this. */
static void offer_formats(const struct typing *t)
{
	const char *group, *name, *value, *summary;
	char text[64];
	size_t i;

	for (i = 0; report_builtin_option(i, &group, &name, &value, &summary); i++) {
		snprintf(text, sizeof(text), "%s:%s", group, name);
		offer_with(t, text, summary);
	}
}

/* The option of the table that @word is, if its argument is typed next, or NULL */
static const struct cmd_opt *waiting_option(const struct cmd_opt *o, const char *word)
{
	for (; o && !opt_is_end(o); o++) {
		bool is = word[1] == '-' ? o->name && strcmp(o->name, word + 2) == 0
					 : o->ch && word[1] == o->ch && !word[2];

		if (is)
			return o->arg && !o->arg_optional ? o : NULL;
	}
	return NULL;
}

/* Words of the command line before the last that are neither options nor their arguments */
static int positionals(const struct typing *t, const char *words[], int max)
{
	int i, nr = 0;

	for (i = 1; i + 1 < t->argc; i++) {
		if (t->words[i][0] == '-' && t->words[i][1]) {
			i += waiting_option(t->cmd->opts, t->words[i]) != NULL;
			continue;
		}
		if (nr < max)
			words[nr] = t->words[i];
		nr++;
	}
	return nr;
}

/* The trace file that the command line names */
static const char *input_of(const struct typing *t)
{
	const char *input = option_value(t, 'i', "input"), *word = NULL;

	if (!input && positionals(t, &word, 1) && access(word, R_OK) == 0)
		input = word;
	return input ? input : "trace.dat";
}

/* The events to which a filter or trigger applies: `record -e EVENTS -f`, `filter set EVENTS` */
static const char *events_of(const struct typing *t, const char *option)
{
	const char *events = option_value(t, 'e', "event"), *words[2];

	if (!option && positionals(t, words, 2) > 1)
		events = words[1];
	return events ? events : "";
}

/* The values of a placeholder in the tables: <event>, <func>, <tracer> … 0, or WANT_FILE */
static int offer_kind(const struct typing *t, const char *kind, const char *option)
{
	if (option && (strcmp(option, "instance") == 0 || strcmp(option, "instances") == 0))
		offer_instances(t);
	else if (str_starts(kind, "event"))
		offer_events(t, option_value(t, 'i', "input"));
	else if (strcmp(kind, "filter") == 0 && option)
		offer_filter(t, input_of(t), NULL);
	else if (strcmp(kind, "filter") == 0 || strcmp(kind, "expr") == 0)
		offer_filter(t, NULL, events_of(t, option));
	else if (strcmp(kind, "trigger") == 0)
		offer_trigger(t, events_of(t, option));
	else if (option && (strcmp(option, "comm") == 0 || strcmp(option, "pid") == 0) &&
		 strcmp(kind, "list") == 0)
		offer_file_tasks(t, input_of(t), strcmp(option, "comm") == 0);
	else if (str_starts(kind, "func"))
		offer_functions(t);
	else if (strcmp(kind, "option") == 0)
		offer_formats(t);
	else if (strcmp(kind, "tracer") == 0 || strcmp(kind, "clock") == 0 ||
		 strcmp(kind, "opt") == 0)
		offer_settings(t, kind);
	else if (strcmp(kind, "pattern") == 0)
		offer_probes(t);
	else if (strcmp(kind, "definition") == 0)
		offer_definitions(t);
	else if (strcmp(kind, "instance") == 0)
		offer_instances(t);
	else if (str_starts(kind, "pid"))
		offer_tasks(t);
	else if (option && (strcmp(option, "plugin") == 0 || strcmp(option, "no-plugin") == 0))
		offer_plugins(t);
	else if (strcmp(kind, "format") == 0)
		offer_export_formats(t);
	else if (strcmp(kind, "source") == 0)
		offer_import_formats(t);
	else if (strcmp(kind, "kinds") == 0 ||
		 (strcmp(kind, "kind") == 0 && option && strcmp(option, "worst") == 0))
		offer_kinds(t, input_of(t));
	else if (strcmp(kind, "metric") == 0)
		offer_metric(t, input_of(t));
	else if (strcmp(kind, "monitor") == 0)
		offer_monitors(t);
	else if (strcmp(kind, "synth") == 0)
		offer_synthetic(t);
	else if (strcmp(kind, "command") == 0 || strcmp(kind, "arg") == 0)
		return WANT_FILE;
	else if (str_starts(kind, "file") || str_starts(kind, "cpu-file") ||
		 str_starts(kind, "dir") || str_starts(kind, "output"))
		return WANT_FILE;
	else
		offer_fixed(t, kind);
	return 0;
}

/* "--option=val" */
static int complete_equals(struct typing *t)
{
	const char *eq = strchr(t->word, '=');
	const struct cmd_opt *o;
	size_t len = eq - t->word - 2;

	for (o = t->cmd->opts; o && !opt_is_end(o); o++)
		if (o->name && strlen(o->name) == len && memcmp(o->name, t->word + 2, len) == 0)
			break;
	if (!o || opt_is_end(o) || !o->arg)
		return 0;
	t->prefix_len = eq + 1 - t->word;
	t->word = eq + 1;
	return offer_kind(t, o->arg, o->name);
}

/* "<cpu-list>|all": a placeholder, or words */
static int offer_item(const struct typing *t, const char *item)
{
	char text[64];
	size_t len;
	int ret = 0;

	for (; *item; item += len, item += *item == '|') {
		len = strcspn(item, "|");
		snprintf(text, sizeof(text), "%.*s", (int)len, item);
		if (*text == '<') {
			text[strcspn(text, ">")] = '\0';
			ret |= offer_kind(t, text + 1, t->cmd == &cmd_instance ? "instance" : NULL);
		} else if (*text != '-') {
			offer(t, text);
		}
	}
	return ret;
}

/* Words that may follow @done words, according to "<event>… | <file>" */
static int complete_usage(const struct typing *t, const char *usage, size_t done)
{
	struct usage_alternative alts[USAGE_ALTERNATIVES];
	size_t nr = usage_parse(usage, alts), i;
	int ret = 0;

	for (i = 0; i < nr; i++) {
		const struct usage_alternative *a = &alts[i];

		if (a->nr)
			ret |= offer_item(t, a->items[done < a->nr ? done : a->nr - 1]);
	}
	return ret;
}

static int complete_words(const struct typing *t)
{
	const struct verb *v = t->cmd->verbs;
	const char *word = "";
	size_t done = (size_t)positionals(t, &word, 1);

	if (!v)
		return complete_usage(t, t->cmd->words ? t->cmd->words : "", done);
	for (; v->name; v++)
		if (!done)
			offer_with(t, v->name, v->help);
		else if (strcmp(v->name, word) == 0 || (v->alias && strcmp(v->alias, word) == 0))
			return complete_usage(t, v->args, done - 1);
	return 0;
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct typing t = { .argc = argc, .words = argv };
	const struct cmd_opt *waiting;
	int used, second = 0;

	t.describe = ((const struct args *)args)->describe;
	if (!argc)
		return cmd_misuse(err, "expected the words of a command line");
	t.word = t.prefix = argv[argc - 1];
	if (argc == 1 || (argc == 2 && strcmp(argv[0], "help") == 0)) {
		offer_commands(&t);
		return 0;
	}
	t.cmd = cmd_find_words(argc - 1, argv, &used);
	if (argc == 2 && t.word[0] != '-')
		second = offer_second_words(&t);
	if (!t.cmd)
		return second ? 0 : WANT_FILE;
	t.words += used - 1;
	t.argc -= used - 1;
	/* The words after the command to run belong to that command. */
	if (t.cmd->words && strstr(t.cmd->words, "<command>") && positionals(&t, NULL, 0) > 0)
		return WANT_FILE;
	waiting = argc > 2 && argv[argc - 2][0] == '-' ?
		  waiting_option(t.cmd->opts, argv[argc - 2]) : NULL;
	if (waiting)
		return offer_kind(&t, waiting->arg, waiting->name);
	if (str_starts(t.word, "--") && strchr(t.word, '='))
		return complete_equals(&t);
	if (t.word[0] == '-') {
		offer_options(&t, t.cmd->opts);
		return 0;
	}
	return complete_words(&t);
}

const struct cmd cmd_complete = {
	.name      = "__complete",
	.summary   = "print what could be typed next, for shell completion",
	.words     = "<word>…",
	.hidden    = true,
	.opts      = opts,
	.args_size = sizeof(struct args),
	.run       = run,
};
