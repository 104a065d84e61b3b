/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check.c - `ktrail check`: compare figures of recordings with limits */
#include <errno.h>
#include <stdlib.h>

#include "base/str.h"
#include "cmd/cmd.h"
#include "cmd/print/columns.h"
#include "cmd/print/json_print.h"
#include "cmd/print/safe.h"
#include "figures.h"

struct check_args {
	struct choose choose;		/* first: CHOOSE_OPTS */
	struct kt_metric *metric;
	bool json;
};

/* The output, printed at the end */
struct result {
	struct check_args *args;
	bool   several;			/* files */
	struct columns table;
	struct str notes;		/* lines below the table */
	struct json json;
	enum kt_verdict verdict;	/* of all files */
};

static int take_metric(void *args, const char *value, struct kt_err *err)
{
	return figures_take(&((struct check_args *)args)->metric, value, err);
}

static const struct cmd_opt opts[] = {
	OPT_CALL('m', "metric", take_metric, "metric",
		 "this must hold: 'p99(wakeup comm==app) < 1ms'"),
	CHOOSE_OPTS_OF("only of these tasks", RARE)
	OPT_BOOL(0, "json", struct check_args, json, "print JSON"),
	OPT_END
};

/* ---- for people ---- */

static void add_note(struct result *r, const char *path, const struct kt_metric_row *row)
{
	char *line;

	if (!row->why)
		return;
	str_addf(&r->notes, "%s: cannot tell %s: %s", path, row->name, row->why);
	if (row->not_recorded) {
		line = figures_record_line(r->args->metric);
		str_addf(&r->notes, "; record with `%s record %s`", cmd_program, line ? line : "");
		free(line);
	}
	str_addc(&r->notes, '\n');
}

static void add_rows(struct result *r, const char *path)
{
	struct kt_metric_row row;
	char text[32];
	size_t i;

	for (i = 0; kt_metric_row(r->args->metric, i, &row); i++) {
		if (r->several)
			columns_add(&r->table, path);
		columns_add(&r->table, row.name);
		columns_addf(&r->table, "%llu", (unsigned long long)row.samples);
		columns_add(&r->table, row.has_value ? figures_format(row.unit, row.value, text,
								      sizeof(text)) : "-");
		columns_add(&r->table, row.limit_text);
		columns_add(&r->table, kt_verdict_text(row.verdict));
		add_note(r, path, &row);
	}
}

/* ---- for programs ---- */

static void add_file(struct result *r, const char *path)
{
	json_open(&r->json, NULL, '{');
	json_str(&r->json, "file", path);
	json_str(&r->json, "verdict", figures_word(kt_metric_verdict(r->args->metric)));
	figures_add_json(&r->json, "metrics", r->args->metric);
	json_close(&r->json, '}');
}

/* ---- all files ---- */

static int check_file(struct result *r, const char *path, struct kt_err *err)
{
	struct check_args *a = r->args;
	struct kt_trace *t = figures_measure(a->metric, path, &a->choose, err);
	enum kt_verdict v;

	if (!t)
		return kt_err_code(err, -ENOMEM);
	if (a->json)
		add_file(r, path);
	else
		add_rows(r, path);
	v = kt_metric_verdict(a->metric);
	if (v != KT_VERDICT_HOLDS && r->verdict != KT_VERDICT_FAILS)
		r->verdict = v;
	figures_end(a->metric, t);
	return 0;
}

static int print(struct result *r, struct kt_err *err)
{
	int ret;

	if (!r->args->json) {
		ret = columns_print(&r->table, NULL);
		safe_write(r->notes.buf, r->notes.len, true);
		return kt_err_result(err, ret);
	}
	json_close(&r->json, ']');
	json_str(&r->json, "verdict", figures_word(r->verdict));
	json_close(&r->json, '}');
	return json_print(&r->json);
}

static int run(void *data, int argc, char **argv, struct kt_err *err)
{
	static char *only[] = { "trace.dat" };
	struct result r = { .args = data, .several = argc > 1, .json = JSON_INIT,
			    .notes = STR_INIT };
	int i, ret = 0;

	if (!r.args->metric)
		return cmd_misuse(err, "--metric is missing, as in --metric 'max(irq) < 100us'");
	r.table.head = r.several ? "FILE|METRIC|SAMPLES>|VALUE>|LIMIT|VERDICT"
				 : "METRIC|SAMPLES>|VALUE>|LIMIT|VERDICT";
	json_open(&r.json, NULL, '{');
	json_open(&r.json, "files", '[');
	if (!argc) {
		argv = only;
		argc = 1;
	}
	for (i = 0; i < argc && ret == 0; i++)
		ret = check_file(&r, argv[i], err);
	if (ret == 0)
		ret = print(&r, err);
	columns_fini(&r.table);
	str_fini(&r.json.text);
	str_fini(&r.notes);
	return ret < 0 ? ret : figures_status(r.verdict);
}

static int init(void *data)
{
	struct check_args *a = data;

	a->choose.command = "check";
	a->choose.by_end = a->choose.by_task = true;
	return 0;
}

static void fini(void *data)
{
	struct check_args *a = data;

	kt_metric_destroy(a->metric);
	choose_fini(&a->choose);
}

const struct cmd cmd_check = {
	.name      = "check",
	.summary   = "check figures of recordings against limits, for scripts and CI",
	.words     = "[<file>…]",
	.examples  = "  ktrail check -m 'p99(wakeup comm==rt-app) < 200us'\n"
		     "  ktrail check -m 'count(event oom:mark_victim) == 0' a.dat\n"
		     "  ktrail check --json -m 'errors(syscall openat) < 3' a.dat b.dat\n",
	.opts      = opts,
	.args_size = sizeof(struct check_args),
	.failed    = FIGURES_CANNOT_TELL,
	.options_anywhere = true,
	.init      = init,
	.run       = run,
	.fini      = fini,
};
