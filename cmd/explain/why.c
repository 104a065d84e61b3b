/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why.c - `ktrail why`: what a task waited for, and which task was the reason */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "base/units.h"
#include "cmd/args/input.h"
#include "cmd/args/rules.h"
#include "cmd/cmd.h"
#include "cmd/print/cause.h"
#include "cmd/print/json_print.h"
#include "cmd/print/moment.h"
#include "cmd/print/safe.h"
#include "why.h"

#define FOUND_MAX 100000

static int take_task(void *args, const char *value, struct kt_err *err)
{
	struct why_args *a = args;
	char *end;
	long pid = strtol(value, &end, 10);

	if (end == value || *end || pid <= 0 || pid > INT32_MAX)
		return cmd_misuse(err, "'%s' is not the number of a task", value);
	a->task = (int)pid;
	a->has_task = true;
	return 0;
}

static int take_at(void *args, const char *value, struct kt_err *err)
{
	struct why_args *a = args;
	int ret;

	if (a->at)
		return cmd_misuse(err, "one moment at a time");
	ret = choose_take_moment(&a->choose, value, err);
	if (ret == 0)
		a->at = value;
	return ret;
}

static const struct cmd_opt opts[] = {
	OPT_STR ('i', "input", struct why_args, input, "file",
		"read this file instead of trace.dat"),
	OPT_STR (0, "worst", struct why_args, worst, "kind",
		 "the longest wakeup, 'syscall read', irq …"),
	OPT_STR (0, "call", struct why_args, call, "function", "the longest call of a function"),
	OPT_U64 (0, "nth", struct why_args, nth, "n", "the n-th longest instead of the longest",
		 RARE),
	OPT_U64 (0, "top", struct why_args, top, "n", "the n longest, one after the other"),
	OPT_STR (0, "sort", struct why_args, sort, "by", "with --top: max, the default, or time",
		 RARE),
	OPT_CALL(0, "task", take_task, "pid", "explain what this task did"),
	OPT_CALL(0, "at", take_at, "time", "the system call, or state, around this moment"),
	CHOOSE_OPTS_OF("only waits of these tasks", RARE)
	OPT_BOOL(0, "json", struct why_args, json, "print JSON"),
	OPT_END
};

static const char *const sorts[] = { "max", "time", NULL };

/* ---- */

/* Suggest its end: the cause of the end is there. */
static int too_many_changes(const struct why_args *a, const struct kt_why_opts *o,
			    struct kt_err *err)
{
	struct kt_err why = *err;
	struct str line = STR_INIT;
	char took[32];

	kt_err_clear(err);
	moment_add_window(&line, o->until - (o->until - o->from) / 16, o->until);
	kt_err_set(err, -E2BIG, "%s; it took %s: `%s why --task %d %s %s`, or --nth for the "
		   "next one", why.msg, units_format_time(o->until - o->from, took), cmd_program,
		   o->pid, line.failed ? "" : line.buf, a->input);
	str_fini(&line);
	return -E2BIG;
}

static int explain_one(struct why_args *a, const struct kt_why_opts *o, struct str *s,
		       struct json *j, struct kt_err *err)
{
	struct kt_why *w = kt_why_create(a->trace, o, err);
	struct kt_window window;
	struct choose all = { .command = "why", .windows = &window, .nr_windows = 1 };
	int ret;

	if (!w)
		return kt_err_code(err, -ENOMEM);
	do {
		window = kt_why_window(w);
		ret = choose_run(a->trace, &all, 0,
				 (struct kt_analysis *[]){ kt_why_analysis(w) }, 1, err);
		if (ret == 0)
			ret = kt_why_goes_back(w, err);
	} while (ret > 0);
	if (ret == -E2BIG && a->worst)
		ret = too_many_changes(a, o, err);
	if (ret < 0)
		goto out;
	if (a->json)
		why_add_json(j, a, o, w);
	else
		why_add_text(s, a, o, w);
out:
	kt_why_destroy(w);
	return ret;
}

/* One object, or with --top an array of them */
static int print_json(struct why_args *a, struct kt_err *err)
{
	struct json j = JSON_INIT;
	size_t i;
	int ret = 0;

	if (a->top)
		json_open(&j, NULL, '[');
	for (i = 0; ret == 0 && (i < a->nr_found || (!i && a->around)); i++) {
		json_open(&j, NULL, '{');
		if (a->around)
			why_add_around_json(&j, a);
		if (i < a->nr_found)
			ret = explain_one(a, &a->found[i], NULL, &j, err);
		json_close(&j, '}');
	}
	if (a->top)
		json_close(&j, ']');
	if (ret == 0)
		return json_print(&j);
	str_fini(&j.text);
	return ret;
}

static int print_text(struct why_args *a, struct kt_err *err)
{
	struct str s = STR_INIT;
	size_t i;
	int ret = 0;

	if (a->around && a->unasked)
		cause_add_lines(&s, kt_trace_file(a->trace, 0));
	if (a->around)
		why_add_around(&s, a);
	for (i = 0; ret == 0 && i < a->nr_found; i++) {
		if (i)
			str_addc(&s, '\n');
		ret = explain_one(a, &a->found[i], &s, NULL, err);
	}
	if (ret == 0)
		ret = s.failed ? -ENOMEM : safe_write(s.buf, s.len, safe_for_person());
	str_fini(&s);
	return ret;
}

/* ---- arguments ---- */

/* FILE, TIME, or both: a word that names an existing file is FILE. */
static int check_words(struct why_args *a, int argc, char **argv, struct kt_err *err)
{
	struct kt_err not_time = { 0 };
	bool has_time = argc && !a->at && access(argv[argc - 1], F_OK) != 0 &&
			take_at(a, argv[argc - 1], &not_time) == 0;

	return input_choose(&a->input, argc - has_time, argv, err);
}

/* --pid with one task and a window is that task. */
static void choose_task(struct why_args *a)
{
	if (!a->has_task && !a->worst && !a->call && a->choose.pids && a->choose.nr_windows)
		take_task(a, a->choose.pids, NULL);
}

static int parse_subject(struct why_args *a, struct kt_err *err)
{
	struct str s = STR_INIT;

	if (a->call)
		str_addf(&s, "calls %s", a->call);
	else
		str_add(&s, a->worst);
	a->subject = s.failed ? NULL : kt_latency_subject_parse(s.buf, err);
	str_fini(&s);
	if (!a->subject && kt_err_code(err, -ENOMEM) == -EINVAL)
		return CMD_MISUSE;
	return a->subject ? 0 : kt_err_code(err, -ENOMEM);
}

static int check_args(struct why_args *a, int argc, char **argv, struct kt_err *err)
{
	int ret = check_words(a, argc, argv, err);

	if (ret < 0)
		return ret;
	if (a->choose.nr_windows > 1)
		return cmd_misuse(err, "one window or moment at a time");
	choose_task(a);
	if (a->at && (a->worst || a->call))
		return cmd_misuse(err, "--worst and --call find their own moment");
	if (!a->nth || a->nth > FOUND_MAX || a->top > FOUND_MAX)
		return cmd_misuse(err, "--nth must be 1, the longest, or more");
	ret = cmd_sort(a->sort, sorts, err);
	if (ret < 0)
		return ret;
	a->by_time = ret;
	a->unasked = !a->worst && !a->call && !a->at && !a->has_task && !a->choose.nr_windows &&
		     !a->choose.pids && !a->top && a->nth == 1;
	if (!a->worst && !a->call && !a->at && !(a->has_task && a->choose.nr_windows))
		a->worst = "wakeup";
	return a->worst || a->call ? parse_subject(a, err) : 0;
}

static int run(void *data, int argc, char **argv, struct kt_err *err)
{
	struct why_args *a = data;
	int ret = check_args(a, argc, argv, err);

	if (ret < 0)
		return ret;
	a->trace = input_open(a->input, err);
	ret = a->trace ? why_find(a, err) : kt_err_code(err, -ENOMEM);
	if (ret == 0)
		ret = a->json ? print_json(a, err) : print_text(a, err);
	why_find_end(a);
	kt_trace_destroy(a->trace);
	return ret == -EPIPE ? 0 : ret;
}

static int init(void *data)
{
	struct why_args *a = data;

	a->choose.command = "why";
	a->choose.by_end = a->choose.by_task = true;
	a->nth = 1;
	a->sort = "max";
	return 0;
}

static void fini(void *data)
{
	choose_fini(&((struct why_args *)data)->choose);
}

static const struct cmd_rule rules[] = {
	{ .options = "call worst", .alone = true },
	{ .options = "sort", .with = "top" },
	RULE_END
};

const struct cmd cmd_why = {
	.name      = "why",
	.summary   = "explain why something was slow: what it waited for, and who had the CPU",
	.words     = "[<file>] [<time>]",
	.examples  = "  ktrail why                           the longest wait for a CPU\n"
		     "  ktrail why trace.dat 12.345          what each CPU ran, and who waited\n"
		     "  ktrail why --task 42 --at 12.345     what a task did then, and why\n"
		     "  ktrail why --worst 'syscall read'    the longest system call read\n"
		     "  ktrail why --task 42 --time 3.5,+20ms\n"
		     "                                       what a task did in a window\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct why_args),
	.options_anywhere = true,
	.paged     = true,
	.init      = init,
	.run       = run,
	.fini      = fini,
};
