/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect.c - `ktrail bisect`: does this commit keep a limit? A predicate for `git bisect run` */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "bisect.h"
#include "cmd/args/rules.h"
#include "cmd/cmd.h"
#include "cmd/print/safe.h"

/* git accepts 1 to 127 as an answer; higher values stop the bisection. */
#define ABORT 128
#define ABORT_MISUSE 129

#define UNKNOWN_IN_ROW 3	/* undecided runs in a row before the step gives up */

/* ---- options ---- */

static int take_metric(void *args, const char *value, struct kt_err *err)
{
	struct bisect_args *a = args;

	str_addf(&a->metric_text, "%s%s", a->metric_text.len ? " and " : "", value);
	return figures_take(&a->metric, value, err);
}

static int pass_on(void *args, const char *option, const char *value, struct kt_err *err)
{
	struct bisect_args *a = args;

	if (kt_names_add(&a->record, option) < 0 || (value && kt_names_add(&a->record, value) < 0))
		return kt_err_no_memory(err);
	return 0;
}

static int take_event(void *args, const char *value, struct kt_err *err)
{
	return pass_on(args, "-e", value, err);
}

static int take_buffer_size(void *args, const char *value, struct kt_err *err)
{
	return pass_on(args, "-b", value, err);
}

static int take_only(void *args, const char *value, struct kt_err *err)
{
	return pass_on(args, "-F", value, err);
}

static int take_follow(void *args, const char *value, struct kt_err *err)
{
	return pass_on(args, "-c", value, err);
}

static int take_share(const char *option, const char *value, double *share, struct kt_err *err)
{
	char *end;

	*share = strtod(value, &end);
	if (end > value && strcmp(end, "%") == 0)
		*share /= 100;
	else if (end == value || *end)
		return cmd_misuse(err, "%s %s: a number such as 0.05 or 5%% is expected", option,
				  value);
	return 0;
}

static int take_error(void *args, const char *value, struct kt_err *err)
{
	return take_share("--error", value, &((struct bisect_args *)args)->rule.error, err);
}

static int take_good_fails(void *args, const char *value, struct kt_err *err)
{
	return take_share("--good-fails", value, &((struct bisect_args *)args)->rule.good, err);
}

static int take_bad_fails(void *args, const char *value, struct kt_err *err)
{
	return take_share("--bad-fails", value, &((struct bisect_args *)args)->rule.bad, err);
}

static const struct cmd_opt opts[] = {
	OPT_CALL('m', "metric", take_metric, "metric",
		 "good: this holds: 'p99(wakeup comm==app) < 1ms'"),
	OPT_U64 ('n', "repeat", struct bisect_args, repeat, "n",
		 "run the command n times at most, default 10"),
	OPT_CALL(0, "error", take_error, "share", "probability of a wrong verdict, default 0.01"),
	OPT_CALL(0, "good-fails", take_good_fails, "share",
		 "share of failing runs of a good commit, default 0.1", RARE),
	OPT_CALL(0, "bad-fails", take_bad_fails, "share", "… of a bad commit, default 0.9",
		 RARE),
	OPT_CALL('e', "event", take_event, "event", "record this too: sys:event, sys, glob"),
	OPT_CALL('b', "buffer-size", take_buffer_size, "kb", "size of each CPU's buffer",
		 RARE),
	OPT_CALL('F', NULL, take_only, NULL, "record only the command"),
	OPT_CALL('c', "follow", take_follow, NULL, "with -F: its children too", RARE),
	OPT_STR ('o', "output", struct bisect_args, output, "dir",
		 "keep recordings here, default .git/ktrail-bisect"),
	OPT_STR (0, "name", struct bisect_args, name, "name",
		 "name of this step, default: the commit", RARE),
	OPT_STR (0, "ssh", struct bisect_args, ssh, "host", "record and run the command there"),
	OPT_STR (0, "vm", struct bisect_args, vm, "command",
		 "the same in the kernel that this boots"),
	OPT_END
};

/* ---- runs ---- */

struct bisection {
	const struct bisect_args *args;
	char **command;
	char *folder;
	struct bisect_step step;
	struct str path;		/* of a file of the step */
	struct json json;		/* figures of all runs */
	double *values;			/* [row][run] */
	size_t *nr_values;		/* of each row */
	size_t nr_rows;
	uint64_t unknown_in_row;
};

static const char *path_of(struct bisection *b, const char *fmt, uint64_t nr)
{
	str_reset(&b->path);
	str_addf(&b->path, "%s/%s/", b->folder, b->step.name);
	str_addf(&b->path, fmt, nr);
	return b->path.buf;
}

#define RECORDING "%" PRIu64 ".dat"

/* Recordings of an earlier visit to this commit must not count as new ones. */
static void remove_recordings(struct bisection *b)
{
	uint64_t i;

	for (i = 1; unlink(path_of(b, RECORDING, i)) == 0; i++)
		;
}

/* "run 2: p99(wakeup) 812 us, fails" */
static void tell_run(const struct bisection *b, const char *what, enum kt_verdict v,
		     const char *why)
{
	struct str line = STR_INIT;

	str_addf(&line, "run %" PRIu64 ": %s%s%s", b->step.runs, what, *what ? ", " : "",
		 kt_verdict_text(v));
	if (why)
		str_addf(&line, ": %s", why);
	if (!line.failed)
		safe_tell("bisect", line.buf);
	str_fini(&line);
}

static void count(struct bisection *b, enum kt_verdict v)
{
	b->step.failed += v == KT_VERDICT_FAILS;
	b->step.unknown += v == KT_VERDICT_UNKNOWN;
	b->unknown_in_row = v == KT_VERDICT_UNKNOWN ? b->unknown_in_row + 1 : 0;
}

/* The median leaves out the values of undecided runs. */
static void take_rows(struct bisection *b)
{
	enum kt_verdict v = kt_metric_verdict(b->args->metric);
	struct str what = STR_INIT, why = STR_INIT;
	struct kt_metric_row row;
	char text[32];
	size_t i;

	for (i = 0; kt_metric_row(b->args->metric, i, &row); i++) {
		if (row.has_value)
			str_addf(&what, "%s%s %s", what.len ? ", " : "", row.name,
				 figures_format(row.unit, row.value, text, sizeof(text)));
		if (row.has_value && v != KT_VERDICT_UNKNOWN)
			b->values[i * b->args->repeat + b->nr_values[i]++] = row.value;
		if (row.why && v == KT_VERDICT_UNKNOWN && !why.len)
			str_add(&why, row.why);
	}
	figures_add_json(&b->json, "metrics", b->args->metric);
	json_str(&b->json, "verdict", figures_word(v));
	tell_run(b, what.buf, v, why.len ? why.buf : NULL);
	count(b, v);
	str_fini(&what);
	str_fini(&why);
}

static int measure(struct bisection *b, const char *path, struct kt_err *err)
{
	struct choose all = { .command = "bisect", .by_end = true, .by_task = true };
	struct kt_trace *t = figures_measure(b->args->metric, path, &all, err);

	choose_fini(&all);
	if (!t)
		return kt_err_code(err, -ENOMEM);
	take_rows(b);
	figures_end(b->args->metric, t);
	return 0;
}

static int take_failure(struct bisection *b, int status)
{
	char why[64];

	snprintf(why, sizeof(why), "the command ended with status %d", status);
	json_str(&b->json, "verdict", figures_word(KT_VERDICT_UNKNOWN));
	tell_run(b, "", KT_VERDICT_UNKNOWN, why);
	count(b, KT_VERDICT_UNKNOWN);
	return 0;
}

/* 0, a negative errno, or an exit status that ends the bisection */
static int run_once(struct bisection *b, struct kt_err *err)
{
	const char *path = path_of(b, RECORDING, ++b->step.runs);
	struct bisect_run r;
	int ret = b->path.failed ? kt_err_no_memory(err)
				 : bisect_record(b->args, path, b->command, &r, err);

	if (ret < 0)
		return ret;
	if (r.signal)
		return 128 + r.signal;
	if (!r.has_file && r.status != FIGURES_CANNOT_TELL)
		return kt_err_set(err, -EIO, "nothing was recorded, status %d: the bisection stops "
				  "here; `git bisect run` continues once this is fixed", r.status);
	json_open(&b->json, NULL, '{');
	json_str(&b->json, "file", r.has_file ? path : NULL);
	json_int(&b->json, "status", r.status);
	ret = r.status ? take_failure(b, r.status) : measure(b, path, err);
	json_close(&b->json, '}');
	if (r.status == FIGURES_CANNOT_TELL)
		b->unknown_in_row = UNKNOWN_IN_ROW;
	return ret;
}

/* Repeat until the verdict is clear or the runs are used up */
static int run_all(struct bisection *b, struct kt_err *err)
{
	struct bisect_step *s = &b->step;
	int ret = 0;

	remove_recordings(b);
	while (ret == 0 && s->verdict == KT_VERDICT_UNKNOWN && s->runs < b->args->repeat &&
	       b->unknown_in_row < UNKNOWN_IN_ROW) {
		ret = run_once(b, err);
		s->verdict = kt_sequential_verdict(&b->args->rule, s->runs - s->unknown, s->failed);
	}
	return ret;
}

/* ---- the step ---- */

static int compare_values(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

static int add_medians(struct bisection *b, struct kt_err *err)
{
	struct str s = STR_INIT;
	struct kt_metric_row row;
	char text[32];
	double *values;
	size_t i;

	for (i = 0; kt_metric_row(b->args->metric, i, &row); i++) {
		values = b->values + i * b->args->repeat;
		qsort(values, b->nr_values[i], sizeof(*values), compare_values);
		str_addf(&s, "%s%s", i ? ", " : "", !b->nr_values[i] ? "-" :
			 figures_format(row.unit, values[b->nr_values[i] / 2], text, sizeof(text)));
	}
	b->step.values = str_take(&s);
	return b->step.values ? 0 : kt_err_no_memory(err);
}

static int write_figures(struct bisection *b, struct kt_err *err)
{
	const char *path = path_of(b, "figures.json", 0);
	FILE *f;
	int ret = 0;

	json_close(&b->json, ']');
	json_str(&b->json, "verdict", figures_word(b->step.verdict));
	json_close(&b->json, '}');
	if (b->json.text.failed || b->path.failed)
		return kt_err_no_memory(err);
	f = fopen(path, "we");
	if (!f || fputs(b->json.text.buf, f) < 0)
		ret = -errno;
	if (f && fclose(f) != 0 && ret == 0)
		ret = -errno;
	return ret < 0 ? kt_err_set(err, ret, "%s: %s", path, strerror(-ret)) : 0;
}

static int finish(struct bisection *b, struct kt_err *err)
{
	int ret = add_medians(b, err);

	if (ret < 0)
		return ret;
	ret = write_figures(b, err);
	if (ret < 0)
		return ret;
	ret = bisect_step_keep(&b->step, b->args, b->folder, err);
	if (ret < 0)
		return ret;
	ret = bisect_print_steps(b->args, b->folder, err);
	if (ret < 0)
		return ret;
	ret = bisect_print_end(&b->step, b->args, b->folder, err);
	return ret < 0 ? ret : figures_status(b->step.verdict);
}

static int open_step(struct bisection *b, struct kt_err *err)
{
	struct kt_metric_row row;
	int ret;

	b->folder = bisect_folder(b->args, err);
	if (!b->folder)
		return kt_err_code(err, -ENOMEM);
	ret = bisect_step_name(&b->step, b->args, b->folder, err);
	while (kt_metric_row(b->args->metric, b->nr_rows, &row))
		b->nr_rows++;
	b->values = calloc(b->nr_rows * b->args->repeat, sizeof(*b->values));
	b->nr_values = calloc(b->nr_rows, sizeof(*b->nr_values));
	if (ret == 0 && (!b->values || !b->nr_values))
		ret = kt_err_no_memory(err);
	json_open(&b->json, NULL, '{');
	json_str(&b->json, "metric", b->args->metric_text.buf);
	json_str(&b->json, "commit", b->step.commit);
	json_open(&b->json, "runs", '[');
	return ret;
}

static int add_record_args(struct bisect_args *a, struct kt_err *err)
{
	struct kt_names args = { 0 };
	int ret = kt_metric_record_args(a->metric, &args, err);
	size_t i;

	for (i = 0; i < args.nr && ret == 0; i++)
		ret = pass_on(a, args.names[i], NULL, err);
	kt_names_fini(&args);
	return ret;
}

static int check(struct bisect_args *a, int argc, struct kt_err *err)
{
	char *p;
	int ret;

	if (!a->metric)
		return cmd_misuse(err, "--metric is missing, as in --metric 'max(irq) < 100us'");
	if (!argc)
		return cmd_misuse(err, "the command to run is missing: -- ./workload");
	if (!a->repeat || a->repeat > 100000)
		return cmd_misuse(err, "--repeat must be 1 to 100000");
	ret = kt_sequential_check(&a->rule, err);
	/* The list of steps has one line for each, with tabs between fields. */
	for (p = a->metric_text.buf; *p; p++)
		*p = strchr("\t\n", *p) ? ' ' : *p;
	return ret < 0 ? CMD_MISUSE : add_record_args(a, err);
}

static int run(void *data, int argc, char **argv, struct kt_err *err)
{
	struct bisect_args *a = data;
	struct bisection b = { .args = a, .command = argv, .json = JSON_INIT, .path = STR_INIT,
			       .step.verdict = KT_VERDICT_UNKNOWN };
	int ret = check(a, argc, err);

	if (ret < 0)
		return ret;
	ret = open_step(&b, err);
	if (ret == 0)
		ret = run_all(&b, err);
	if (ret == 0)
		ret = finish(&b, err);
	bisect_step_fini(&b.step);
	str_fini(&b.path);
	str_fini(&b.json.text);
	free(b.folder);
	free(b.values);
	free(b.nr_values);
	return ret;
}

static int init(void *data)
{
	struct bisect_args *a = data;

	a->repeat = 10;
	a->rule = (struct kt_sequential){ .good = 0.1, .bad = 0.9, .error = 0.01 };
	a->metric_text = (struct str)STR_INIT;
	return 0;
}

static void fini(void *data)
{
	struct bisect_args *a = data;

	kt_metric_destroy(a->metric);
	kt_names_fini(&a->record);
	str_fini(&a->metric_text);
}

static const struct cmd_rule rules[] = {
	{ .options = "ssh vm", .alone = true },
	{ .options = "follow", .with = "F" },
	RULE_END
};

const struct cmd cmd_bisect = {
	.name      = "bisect",
	.summary   = "find the commit that made something slow, with `git bisect run`",
	.words     = "<command> [<arg>…]",
	.examples  =
		"  git bisect run ktrail bisect -m 'p99(wakeup comm==app) < 1ms' -- ./app\n"
		"  ktrail bisect -m 'max(irq) < 100us' -n 20 --error 0.001 -- ./load\n"
		"  ktrail bisect -m 'avg(call vfs_read) < 2us' --vm ./in-qemu -- /root/load\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct bisect_args),
	.failed    = ABORT,
	.misused   = ABORT_MISUSE,
	.init      = init,
	.run       = run,
	.fini      = fini,
};
