/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hist.c - `ktrail hist`: live hist triggers as tables, bars and percentiles;
 * files by call chain */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <ktrail/settings.h>
#include <ktrail/status.h>

#include "base/str.h"
#include "base/units.h"
#include "cmd/args/rules.h"
#include "cmd/print/json_print.h"
#include "cmd/print/pager.h"
#include "cmd/style.h"
#include "hist_offline.h"
#include "hist_print.h"

struct args {
	struct choose choose;		/* first: CHOOSE_OPTS */
	const char *instance, *sort, *input;
	bool live, json, watch, ignore_pids;
	uint64_t interval_ns;
	int top;
};

static int set_watch(void *args, const char *value, struct kt_err *err);

static const struct cmd_opt opts[] = {
	OPT_STR('B', "instance", struct args, instance, "name", "apply to this instance"),
	OPT_BOOL(0, "live", struct args, live, "all tables, if no event is named"),
	OPT_CALL_OPTIONAL('w', "watch", set_watch, "interval",
		"show the tables again each second, or interval"),
	OPT_STR('s', "sort", struct args, sort, "column",
		"sort by this column; COLUMN.descending reverses"),
	OPT_STR('i', "input", struct args, input, "file",
		"count the events of this trace file by call chain"),
	OPT_BOOL('P', "ignore-pids", struct args, ignore_pids,
		"with a file: count all tasks together"),
	CHOOSE_OPTS
	OPT_INT(0, "top", struct args, top, "n", "print only the first n rows"),
	OPT_BOOL(0, "json", struct args, json, "print JSON"),
	OPT_END
};

static volatile sig_atomic_t stopped;

static void stop(int sig)
{
	(void)sig;
	stopped = 1;
}

static int set_watch(void *args, const char *value, struct kt_err *err)
{
	struct args *a = args;

	a->watch = true;
	a->interval_ns = 1000000000;
	return value && units_parse_time(value, 1000000000, &a->interval_ns, err) < 0 ?
	       CMD_MISUSE : 0;
}

/* Events with a hist trigger, of the given ones or of all */
static int find_events(const struct kt_instance *inst, int argc, char **argv, struct kt_names *out,
		       struct kt_err *err)
{
	struct kt_event_notes notes = { 0 };
	int ret = 0, i;
	size_t n;

	for (i = 0; ret == 0 && i < (argc ? argc : 1); i++) {
		ret = kt_triggers_read(inst, argc ? argv[i] : NULL, &notes, err);
		for (n = 0; ret == 0 && n < notes.nr; n++)
			if (str_starts(notes.at[n].text, "hist:") &&
			    !kt_names_has(out, notes.at[n].event))
				ret = kt_names_add(out, notes.at[n].event);
		kt_event_notes_fini(&notes);
	}
	/* each event has the file, if the kernel has hist triggers */
	if (ret == 0 && !out->nr && !kt_instance_has(inst, "events/sched/sched_switch/hist"))
		ret = kt_err_set(err, -ENOTSUP,
				 "this kernel has no hist triggers (CONFIG_HIST_TRIGGERS=y)");
	else if (ret == 0 && !out->nr)
		ret = kt_err_set(err, -ENOENT, "no hist trigger%s%s: `%s trigger add EVENT "
				 "'hist:keys=FIELD'` makes one", argc ? " on " : "",
				 argc ? argv[0] : "", cmd_program);
	return ret;
}

/* Sort by the user's column, if the table has it. Does it? */
static bool sort_table(struct kt_hist *h, const char *column, bool descending)
{
	bool is_key;
	size_t at;

	if (*column && kt_hist_column(h, column, &is_key, &at)) {
		kt_hist_sort(h, is_key, at, descending);
		return true;
	}
	kt_hist_sort_default(h);
	return false;
}

static int sort_all(const struct args *a, struct kt_hists **all, size_t nr, struct kt_err *err)
{
	const char *sort = a->sort ? a->sort : "", *dot = strrchr(sort, '.'), *trigger = "";
	bool descending = dot && strcmp(dot, ".descending") == 0;
	bool ascending = dot && strcmp(dot, ".ascending") == 0;
	size_t i, k, nr_tables = 0, nr_sorted = 0;
	char *column = strndup(sort, descending || ascending ? (size_t)(dot - sort) : strlen(sort));
	int ret = 0;

	if (!column)
		return kt_err_no_memory(err);
	for (i = 0; i < nr; i++)
		for (k = 0; k < all[i]->nr; k++) {
			nr_sorted += sort_table(&all[i]->at[k], column, descending);
			trigger = all[i]->at[k].trigger;
			nr_tables++;
		}
	if (a->sort && nr_tables && !nr_sorted)
		ret = nr_tables == 1 ?
		      kt_err_set(err, -EINVAL, "no column '%s' in %s", column, trigger) :
		      kt_err_set(err, -EINVAL, "no column '%s' in any of these %zu tables", column,
				 nr_tables);
	free(column);
	return ret;
}

static int print_all(const struct args *a, struct kt_hists **all, const struct kt_names *events)
{
	struct json json = JSON_INIT;
	size_t i, k;
	int ret = 0;

	json_open(&json, NULL, '[');
	for (i = 0; i < events->nr; i++)
		for (k = 0; k < all[i]->nr; k++)
			if (a->json)
				hist_json(&json, events->names[i], &all[i]->at[k], a->top);
			else
				hist_text(events->names[i], &all[i]->at[k], a->top);
	json_close(&json, ']');
	if (a->json)
		ret = json_print(&json);
	str_fini(&json.text);
	fflush(stdout);
	return ret;
}

static int show(const struct args *a, const struct kt_instance *inst, const struct kt_names *events,
		struct kt_err *err)
{
	struct kt_hists **all = calloc(events->nr, sizeof(*all));
	int ret = all ? 0 : kt_err_no_memory(err);
	size_t i, nr;

	for (nr = 0; ret == 0 && nr < events->nr; nr++) {
		all[nr] = kt_hists_read(inst, events->names[nr], err);
		ret = all[nr] ? 0 : err->code;
	}
	if (ret == 0)
		ret = sort_all(a, all, nr, err);
	if (ret == 0)
		ret = print_all(a, all, events);
	for (i = 0; i < nr; i++)
		kt_hists_destroy(all[i]);
	free(all);
	return ret;
}

static int watch(const struct args *a, const struct kt_instance *inst,
		 const struct kt_names *events, struct kt_err *err)
{
	struct timespec pause = { a->interval_ns / 1000000000, a->interval_ns % 1000000000 };
	struct sigaction act = { .sa_handler = stop };
	int ret = 0;

	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	while (ret == 0 && !stopped) {
		if (isatty(STDOUT_FILENO))
			fputs("\033[H\033[J", stdout);
		ret = show(a, inst, events, err);
		if (ret == 0 && !stopped)
			nanosleep(&pause, NULL);
	}
	return ret;
}

/* The trace file that is meant, NULL for live tables */
static const char *find_file(const struct args *a, int argc, char **argv)
{
	if (a->input)
		return a->input;
	/* The name of an event is hardly ever the name of a file, too. */
	if (argc == 1 && !a->live && (strchr(argv[0], '.') || cmd_style->old_words) &&
	    access(argv[0], F_OK) == 0)
		return argv[0];
	return !argc && !a->live && (a->ignore_pids || cmd_style->old_words) ? "trace.dat" : NULL;
}

static int run_live(const struct args *a, int argc, char **argv, struct kt_err *err)
{
	struct kt_instance *inst = kt_instance_open(a->instance, 0, err);
	struct kt_names events = { 0 };
	int ret = inst ? find_events(inst, argc, argv, &events, err) : err->code;

	if (ret == 0)
		ret = (a->watch ? watch : show)(a, inst, &events, err);
	kt_names_fini(&events);
	kt_instance_close(inst, NULL);
	return ret;
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct args *a = args;
	const char *file = find_file(a, argc, argv);
	struct pager p = { 0 };
	int ret;

	if (file && a->input && argc)
		return cmd_misuse(err, "only one file at a time");
	if (!file && !argc && !a->live)
		return cmd_misuse(err,
				  "an event or a file is expected; --live shows all tables");
	/* A table that is updated stays on the screen: no pager. */
	ret = a->watch ? 0 : pager_start_usual(&p, err);
	if (ret == 0)
		ret = file ? hist_offline(file, &a->choose, a->ignore_pids, a->json, a->top, err)
			   : run_live(a, argc, argv, err);
	ret = pager_wait(&p, ret, err);
	return ret;
}

static int init(void *args)
{
	((struct args *)args)->choose.command = "hist";
	return 0;
}

static void fini(void *args)
{
	choose_fini(&((struct args *)args)->choose);
}

static const struct cmd_rule rules[] = {
	{ .options = "ignore-pids", .with = "input" },
	{ .options = "filter exclude time cpu pid comm", .without = "live" },
	{ .options = "live watch sort", .without = "input" },
	RULE_END
};

const struct cmd cmd_hist = {
	.name      = "hist",
	.summary   = "show the tables of hist triggers, or a file by call chain",
	.words     = "--live | <event>… | -i <file>",
	.examples  =
	"  ktrail trigger add sched_switch 'hist:keys=prev_pid.execname'\n"
	"  ktrail hist sched_switch -s hitcount.descending --top 20\n"
	"  ktrail hist --live --watch=2s\n"
	"  ktrail hist -P -i trace.dat\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
	.init      = init,
	.run       = run,
	.fini      = fini,
};
