/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sched.c - `ktrail sched`: what the scheduler did, as perf sched shows it */
#include "sched.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "cmd/args/input.h"
#include "cmd/args/rules.h"
#include "cmd/cmd.h"
#include "cmd/print/safe.h"

#define TOP       UINT64_MAX	/* not given */
#define WRITE_AT  65536		/* bytes of a list */
#define RECORD    "-e sched:sched_switch -e sched:sched_waking -e sched:sched_wakeup " \
		  "-e sched:sched_wakeup_new -e sched:sched_migrate_task"

static const struct cmd_opt opts[] = {
	OPT_STR ('i', "input", struct sched_args, input, "file",
		 "read this file instead of trace.dat"),
	CHOOSE_OPTS_OF("only these tasks", RARE)
	OPT_STR (0, "sort", struct sched_args, sort, "by",
		 "max, avg, p99, runtime, switches; total, count"),
	OPT_U64 (0, "top", struct sched_args, top, "n", "print n rows; 0: all"),
	OPT_BOOL(0, "merge", struct sched_args, merge, "print a row for each name, not each task"),
	OPT_BOOL('w', "wakeups", struct sched_args, wakeups, "timehist: also who woke whom"),
	OPT_BOOL('M', "migrations", struct sched_args, migrations, "timehist: also who was moved",
		 RARE),
	OPT_BOOL(0, "state", struct sched_args, state, "timehist: also why tasks left their CPU",
		 RARE),
	OPT_BOOL('s', "summary", struct sched_args, summary,
		 "timehist: print sums per task, no list"),
	OPT_BOOL('S', "with-summary", struct sched_args, with_summary,
		 "timehist: print sums after the list", RARE),
	OPT_BOOL(0, "wide", struct sched_args, wide, "print all columns, however wide", RARE),
	OPT_BOOL(0, "json", struct sched_args, json, "print JSON; of lists, a line for each row"),
	OPT_END
};

/* ---- tasks ---- */

bool sched_chooses(void *args, size_t file, int pid)
{
	const struct sched_args *a = args;

	return choose_has_task(&a->choose, a->trace, file, pid);
}

static bool counts(void *args, const struct kt_record *rec)
{
	const struct sched_args *a = args;

	return choose_lets_pass(&a->choose, a->trace, rec);
}

const char *sched_comm(const struct sched_args *a, size_t file, int pid)
{
	const char *comm = kt_trace_comm(a->trace, file, pid);

	return comm ? comm : "<...>";
}

void sched_add_task(struct str *s, const struct sched_args *a, size_t file, int pid)
{
	str_add(s, sched_comm(a, file, pid));
	if (pid)
		str_addf(s, ":%d", pid);
}

void sched_add_ms(struct str *s, uint64_t ns, int width)
{
	uint64_t us = ns / 1000 + (ns % 1000 >= 500);

	str_addf(s, "%*" PRIu64 ".%03" PRIu64, width > 4 ? width - 4 : 0, us / 1000, us % 1000);
}

/* ---- rows of tasks ---- */

static int by_name(const void *x, const void *y, void *data)
{
	const struct sched_row *a = x, *b = y;

	return strcmp(sched_comm(data, a->t.file, a->t.pid), sched_comm(data, b->t.file, b->t.pid));
}

static void merge(struct sched_row *to, const struct sched_row *from)
{
	struct kt_sched_task *t = &to->t;
	const struct kt_sched_task *f = &from->t;

	if (!t->nr_runs || (f->nr_runs && f->run_min < t->run_min))
		t->run_min = f->run_min;
	if (f->run_max > t->run_max)
		t->run_max = f->run_max;
	if (f->delay_max > t->delay_max) {
		t->delay_max = f->delay_max;
		t->delay_from = f->delay_from;
		t->delay_until = f->delay_until;
	}
	t->nr_switches += f->nr_switches;
	t->nr_runs += f->nr_runs;
	t->run_ns += f->run_ns;
	t->nr_delays += f->nr_delays;
	t->delay_ns += f->delay_ns;
	t->sleep_ns += f->sleep_ns;
	t->blocked_ns += f->blocked_ns;
	t->preempted_ns += f->preempted_ns;
	t->nr_moves += f->nr_moves;
	t->nr_migrations += f->nr_migrations;
	t->delay_p99 = UINT64_MAX;
	t->run_error = 0;
	to->nr++;
}

static size_t merge_names(const struct sched_args *a, struct sched_row *rows, size_t nr)
{
	size_t i, left = 0;

	qsort_r(rows, nr, sizeof(*rows), by_name, (void *)a);
	for (i = 0; i < nr; i++)
		if (left && by_name(&rows[left - 1], &rows[i], (void *)a) == 0)
			merge(&rows[left - 1], &rows[i]);
		else
			rows[left++] = rows[i];
	return left;
}

/* The tasks that ran, in order; new (free). NULL: no memory */
static struct sched_row *make_rows(const struct sched_args *a, const struct kt_sched *s, size_t *nr,
				   int (*compare)(const void *, const void *, void *))
{
	struct kt_sched_task t;
	struct sched_row *rows;
	size_t i;

	for (i = 0; kt_sched_task(s, i, &t); i++)
		;
	rows = calloc(i + 1, sizeof(*rows));
	*nr = 0;
	for (i = 0; rows && kt_sched_task(s, i, &t); i++)
		if (t.pid != 0 && (t.nr_switches || t.nr_runs))
			rows[(*nr)++] = (struct sched_row){ t, 1 };
	if (rows && a->merge)
		*nr = merge_names(a, rows, *nr);
	if (rows)
		qsort_r(rows, *nr, sizeof(*rows), compare, (void *)a);
	return rows;
}

size_t sched_shown(const struct sched_args *a, size_t nr)
{
	return a->top && a->top < nr ? a->top : nr;
}

static int print_table(const struct sched_args *a, const struct kt_sched *s,
		       const struct sched_table *table)
{
	size_t nr;
	struct sched_row *rows = make_rows(a, s, &nr, table->compare);
	int ret;

	if (!rows)
		return -ENOMEM;
	ret = (a->json ? table->json : table->text)(a, s, rows, nr, sched_shown(a, nr));
	free(rows);
	return ret;
}

static uint64_t count_cut(const struct kt_sched *s, uint64_t *ends)
{
	struct kt_sched_task t;
	uint64_t lost = 0;
	size_t i;

	*ends = 0;
	for (i = 0; kt_sched_task(s, i, &t); i++) {
		lost += t.lost;
		*ends += t.pid ? t.ends : 0;
	}
	return lost;
}

void sched_print_cut(const struct kt_sched *s)
{
	uint64_t ends, lost = count_cut(s, &ends);

	if (lost || ends)
		printf("not counted: %" PRIu64 " cut by missing events, %" PRIu64
		       " by the beginning or end of the trace\n", lost, ends);
}

/* ---- JSON ---- */

void sched_json_task(struct json *j, const struct sched_args *a, size_t file, int pid)
{
	json_str(j, "comm", sched_comm(a, file, pid));
	json_int(j, "pid", pid);
}

void sched_json_end(struct json *j, const struct kt_sched *s)
{
	uint64_t ends, lost = count_cut(s, &ends);

	json_uint(j, "cut_by_lost_events", lost);
	json_uint(j, "cut_by_ends", ends);
	json_open(j, "missing", '[');
	if (!kt_sched_nr_events(s, KT_SCHED_WOKEN))
		json_str(j, NULL, "sched:sched_waking");
	if (!kt_sched_nr_events(s, KT_SCHED_MIGRATED))
		json_str(j, NULL, "sched:sched_migrate_task");
	json_close(j, ']');
}

/* ---- the pass ---- */

int sched_write(struct sched_args *a, bool all)
{
	int ret;

	if (a->out.failed)
		return -ENOMEM;
	if (!a->out.len || (a->out.len < WRITE_AT && !all))
		return 0;
	ret = safe_write(a->out.buf, a->out.len, safe_for_person());
	str_reset(&a->out);
	return ret;
}

/* Switches are required; without wakeups much is missing. */
static int check_recorded(const struct sched_args *a, const struct kt_sched *s,
			  struct kt_err *err)
{
	char note[300], asked[80];

	if (!kt_sched_nr_events(s, KT_SCHED_ARRIVED) && !kt_sched_nr_events(s, KT_SCHED_LEFT))
		return *choose_asked(&a->choose, asked, sizeof(asked)) ?
		       kt_err_set(err, -ENODATA, "%s has no sched_switch%s", a->input, asked) :
		       kt_err_set(err, -ENODATA, "%s has no sched_switch: record it with "
				  "`%s record " RECORD "`", a->input, cmd_program);
	/* A short window may simply have none. */
	if (kt_sched_nr_events(s, KT_SCHED_WOKEN) || a->choose.nr_windows)
		return 0;
	snprintf(note, sizeof(note), "no wakeups were recorded, so only waits of preempted tasks "
		 "are known: `%s record " RECORD "`", cmd_program);
	safe_tell("sched", note);
	return 0;
}

static int follow(struct sched_args *a, const struct sched_verb *v, struct kt_err *err)
{
	const struct kt_sched_opts o = {
		.queues = v->queues, .map = v->queues ? &a->window : NULL,
		.counts = choose_chooses(&a->choose) ? counts : NULL, .chosen = sched_chooses,
		.each = v->each, .data = a,
	};
	struct kt_sched *s = kt_sched_create(a->trace, &o, err);
	int ret;

	if (!s)
		return kt_err_code(err, -ENOMEM);
	ret = choose_run(a->trace, &a->choose, 0,
			 (struct kt_analysis *[]){ kt_sched_analysis(s) }, 1, err);
	if (ret < 0)
		goto out;
	ret = sched_write(a, true);
	if (ret < 0)
		goto out;
	ret = check_recorded(a, s, err);
	if (ret < 0)
		goto out;
	if (v->table)
		ret = print_table(a, s, v->table);
	else if (v->print)
		ret = v->print(a, s);
out:
	if (ret == -ENOMEM)
		kt_err_no_memory(err);
	kt_sched_destroy(s);
	return ret == -EPIPE ? 0 : ret;
}

static int check_sort(struct sched_args *a, const struct sched_verb *v, struct kt_err *err)
{
	if (!v->sorts)
		return 0;
	if (!a->sort)
		a->sort = v->sorts[0];
	return cmd_sort(a->sort, v->sorts, err);
}

static int run(struct sched_args *a, int argc, char **argv, const struct sched_verb *v,
	       struct kt_err *err)
{
	int ret = input_choose(&a->input, argc, argv, err);

	if (ret < 0)
		return ret;
	ret = check_sort(a, v, err);
	if (ret < 0)
		return ret;
	if (a->top == TOP)
		a->top = v->top;
	a->trace = input_open(a->input, err);
	if (!a->trace)
		return kt_err_code(err, -ENOMEM);
	ret = choose_prepare(a->trace, &a->choose, err);
	if (ret == 0 && v->queues)
		ret = choose_find_span(kt_trace_stream(a->trace), &a->window, err);
	if (ret >= 0)
		ret = follow(a, v, err);
	if (v->end)
		v->end(a->of_verb);
	str_fini(&a->out);
	kt_trace_destroy(a->trace);
	return ret;
}

static int run_latency(void *args, int argc, char **argv, struct kt_err *err)
{
	return run(args, argc, argv, &sched_latency, err);
}

static int run_timehist(void *args, int argc, char **argv, struct kt_err *err)
{
	struct sched_args *a = args;

	return run(a, argc, argv, a->summary ? &sched_summary : &sched_timehist, err);
}

static int run_map(void *args, int argc, char **argv, struct kt_err *err)
{
	return run(args, argc, argv, &sched_map, err);
}

static int run_runqueue(void *args, int argc, char **argv, struct kt_err *err)
{
	return run(args, argc, argv, &sched_runqueue, err);
}

/* ---- the command ---- */

static int init(void *data)
{
	struct sched_args *a = data;

	a->choose.command = "sched";
	a->choose.by_end = a->choose.by_task = true;
	a->out = (struct str)STR_INIT;
	a->top = TOP;
	return 0;
}

static void fini(void *data)
{
	choose_fini(&((struct sched_args *)data)->choose);
}

static const struct verb verbs[] = {
	{ "latency", NULL, "<file>", "how long each task ran and waited for a CPU", run_latency },
	{ "timehist", NULL, "<file>", "each stay on a CPU, with the wait before it",
	  run_timehist },
	{ "map", NULL, "<file>", "which task each CPU had, a column for each", run_map },
	{ "runqueue", NULL, "<file>", "how long the queues were, and who waited in them",
	  run_runqueue },
	{ 0 },
};

static const struct cmd_rule rules[] = {
	{ .options = "sort", .with = "@latency @runqueue @" },
	{ .options = "merge", .with = "@latency summary with-summary @" },
	{ .options = "top", .with = "@latency @runqueue summary with-summary @" },
	{ .options = "wakeups migrations state summary with-summary", .with = "@timehist" },
	{ .options = "wakeups migrations state", .without = "summary" },
	{ .options = "summary with-summary", .alone = true },
	{ .options = "json", .without = "with-summary" },
	RULE_END
};

const struct cmd cmd_sched = {
	.name      = "sched",
	.summary   = "show how long tasks ran and waited, and how long the queues of CPUs were",
	.verbs     = verbs,
	.examples  = "  ktrail sched latency                   who waited longest for a CPU\n"
		     "  ktrail sched timehist -w --comm make   each stay on a CPU, and the wakers\n"
		     "  ktrail sched timehist -s               sums per task, idle time\n"
		     "  ktrail sched map --time +1s,+20ms      who had which CPU\n"
		     "  ktrail sched runqueue                  were there enough CPUs?\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct sched_args),
	.options_anywhere = true,
	.paged     = true,
	.init      = init,
	.fini      = fini,
};
