/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diff.c - `ktrail diff`: the differences between recordings of the same work */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/args/input.h"
#include "cmd/args/output.h"
#include "cmd/args/rules.h"
#include "cmd/cmd.h"
#include "cmd/print/safe.h"
#include "diff.h"

#define TOP     20
#define TROUBLE 2			/* as diff(1) */

/* ---- options ---- */

static int take_file(struct diff_args *a, enum kt_diff_side side, const char *value,
		     struct kt_err *err)
{
	if (a->nr_files[side] == KT_DIFF_RUNS)
		return cmd_misuse(err, "at most %d recordings a side", KT_DIFF_RUNS);
	a->files[side][a->nr_files[side]++] = value;
	return 0;
}

static int take_a(void *args, const char *value, struct kt_err *err)
{
	return take_file(args, KT_DIFF_A, value, err);
}

static int take_b(void *args, const char *value, struct kt_err *err)
{
	return take_file(args, KT_DIFF_B, value, err);
}

static int take_kinds(void *args, const char *value, struct kt_err *err)
{
	return subjects_take(&((struct diff_args *)args)->subjects, value, err);
}

/* "5%", "0.5 %", "5" */
static int take_percent(const char *value, double *share, struct kt_err *err)
{
	char *end;
	double percent = strtod(value, &end);

	end += strspn(end, " ");
	end += *end == '%';
	if (end == value || *end || !isfinite(percent) || percent < 0)
		return cmd_misuse(err, "'%s' is not a percentage, such as 5%%", value);
	*share = percent / 100;
	return 0;
}

static int take_threshold(void *args, const char *value, struct kt_err *err)
{
	return take_percent(value, &((struct diff_args *)args)->limits.threshold, err);
}

static int take_confidence(void *args, const char *value, struct kt_err *err)
{
	struct diff_args *a = args;
	int ret = take_percent(value, &a->limits.confidence, err);

	if (ret == 0 && !(a->limits.confidence >= 0.5 && a->limits.confidence < 1))
		return cmd_misuse(err, "a confidence must be at least 50%% and less than 100%%");
	return ret;
}

static int take_per(void *args, const char *value, struct kt_err *err)
{
	struct diff_args *a = args;

	if (strcmp(value, "second") == 0)
		a->limits.per = KT_DIFF_PER_SECOND;
	else if (strcmp(value, "recording") == 0)
		a->limits.per = KT_DIFF_PER_RECORDING;
	else
		return cmd_misuse(err, "--per is 'recording' or 'second'");
	return 0;
}

static const struct cmd_opt opts[] = {
	OPT_CALL('a', "before", take_a, "file", "a recording of side A; may be repeated"),
	OPT_CALL('b', "after", take_b, "file", "a recording of side B; may be repeated"),
	OPT_CALL('k', "kind", take_kinds, "kinds",
		 "only these: irq,'syscall read'; see `-k help`"),
	OPT_CALL(0, "threshold", take_threshold, "percent",
		 "ignore smaller changes (5%)"),
	OPT_CALL(0, "confidence", take_confidence, "percent",
		 "the confidence that a difference needs (95%)"),
	OPT_CALL(0, "per", take_per, "unit",
		 "compare counts per 'recording' or 'second'", RARE),
	CHOOSE_OPTS_OF("only of these tasks", RARE)
	OPT_STR (0, "sort", struct diff_args, sort, "by", "difference, change, total or name",
		 RARE),
	OPT_U64 (0, "top", struct diff_args, top, "n", "print n rows; 0: all"),
	OPT_BOOL(0, "all", struct diff_args, all, "also print what is the same"),
	OPT_BOOL(0, "tree", struct diff_args, tree, "print the tree of calls with both times"),
	OPT_STR (0, "flame", struct diff_args, flame, "file",
		 "write a flame graph of the difference, as SVG"),
	OPT_BOOL(0, "folded", struct diff_args, folded,
		 "print stacks with both times in ns, for other flame graph programs", RARE),
	OPT_BOOL(0, "json", struct diff_args, json, "print JSON"),
	OPT_END
};

/* ---- rows in order ---- */

static const char *const sorts[] = { "difference", "change", "total", "name", NULL };

/* Its largest significant relative change, or its largest one */
static double change_of(const struct kt_diff_row *r)
{
	double count = fabs(log1p(r->more)), time = fabs(log1p(r->slower));
	double tail = fabs(log1p(r->longer)), most = 0;

	if (!r->flags || r->flags & (KT_DIFF_ADDED | KT_DIFF_REMOVED | KT_DIFF_MORE | KT_DIFF_LESS))
		most = count;
	if ((!r->flags || r->flags & (KT_DIFF_SLOWER | KT_DIFF_FASTER)) && time > most)
		most = time;
	if (r->flags & (KT_DIFF_LONGER | KT_DIFF_SHORTER) && tail > most)
		most = tail;
	if (r->flags & (KT_DIFF_MORE_TIME | KT_DIFF_LESS_TIME))
		most = fmax(most, fabs(log1p(r->in_total)));
	return most;
}

static int compare(const void *x, const void *y, void *by)
{
	const struct kt_diff_row *a = x, *b = y;
	double va, vb;

	if (strcmp(by, "name") == 0)
		return strcmp(a->name, b->name);
	va = strcmp(by, "total") == 0 ? fmax(a->a.total, a->b.total) : change_of(a);
	vb = strcmp(by, "total") == 0 ? fmax(b->a.total, b->b.total) : change_of(b);
	if (va != vb)
		return va < vb ? 1 : -1;
	return strcmp(a->name, b->name);
}

struct kt_diff_row *diff_rows(const struct diff_args *a, const struct kt_diff *d, size_t nr,
			      size_t *nr_rows)
{
	struct kt_diff_row *rows;
	size_t i;

	*nr_rows = a->all ? kt_diff_nr(d) : nr;
	rows = calloc(*nr_rows + 1, sizeof(*rows));
	for (i = 0; i < *nr_rows && rows; i++)
		kt_diff_row(d, i, &rows[i]);
	if (rows && strcmp(a->sort, "difference") != 0)
		qsort_r(rows, *nr_rows, sizeof(*rows), compare, (void *)a->sort);
	return rows;
}

/* ---- reading ---- */

static bool counts(void *data, const struct kt_record *rec)
{
	const struct diff_args *a = data;

	return choose_lets_pass(&a->now, a->trace, rec);
}

static bool chosen(void *data, size_t file, int pid)
{
	const struct diff_args *a = data;

	return choose_has_task(&a->now, a->trace, file, pid);
}

static int read_trace(struct diff_args *a, struct kt_diff *d, enum kt_diff_side side,
		      struct kt_err *err)
{
	int ret = choose_prepare(a->trace, &a->now, err);
	struct kt_diff_input in = {
		.trace = a->trace, .windows = a->now.windows, .nr_windows = a->now.nr_windows,
		.counts = choose_chooses(&a->now) ? counts : NULL,
		.chosen = a->now.pids || a->now.comms ? chosen : NULL, .data = a,
	};
	struct kt_analysis *run;

	if (ret < 0)
		return ret;
	run = kt_diff_add(d, side, &in, err);
	if (!run)
		return kt_err_code(err, -ENOMEM);
	return choose_run(a->trace, &a->now, 0, &run, 1, err);
}

static int read_file(struct diff_args *a, struct kt_diff *d, enum kt_diff_side side,
		     const char *file, struct kt_err *err)
{
	int ret;

	a->trace = input_open(file, err);
	if (!a->trace)
		return kt_err_code(err, -ENOMEM);
	a->now = a->choose;
	ret = read_trace(a, d, side, err);
	choose_forget(&a->now);
	if (ret < 0)
		kt_err_wrap(err, ret, "%s", file);
	return ret;
}

/* ---- the command ---- */

static int print(const struct diff_args *a, const struct kt_diff *d, size_t nr, struct kt_err *err)
{
	int ret = a->flame ? diff_write_flame(a, d, err) : 0;

	if (ret < 0)
		return ret;
	if (a->folded)
		return diff_print_folded(d);
	if (a->json)
		return diff_print_json(a, d, nr);
	return a->tree ? diff_print_tree(d) : diff_print(a, d, nr);
}

/* Returns the number of rows that differ, or a negative errno */
static int compare_files(struct diff_args *a, struct kt_diff *d, struct kt_err *err)
{
	int nr = kt_diff_compare(d, &a->limits, err), ret;

	if (nr < 0)
		return nr;
	if (!kt_diff_nr(d))
		return kt_err_set(err, -ENODATA, "nothing in these recordings can be compared");
	ret = print(a, d, (size_t)nr, err);
	return ret < 0 && ret != -EPIPE ? ret : nr;
}

/* Like compare_files() */
static int diff_files(struct diff_args *a, struct kt_err *err)
{
	const struct kt_diff_opts o = {
		.kinds = a->subjects.wanted, .subjects = a->subjects.at,
		.nr_subjects = a->subjects.nr, .frames = a->flame || a->folded || a->tree,
		.pair = a->subjects.pair ? kt_latency_subject_text(a->subjects.pair) : NULL,
	};
	struct kt_diff *d = kt_diff_create(&o, err);
	int ret = d ? 0 : -ENOMEM;
	size_t side, i;

	for (side = 0; side < 2; side++)
		for (i = 0; i < a->nr_files[side] && ret == 0; i++) {
			ret = read_file(a, d, side, a->files[side][i], err);
			/* A failed analysis needs its trace until it is destroyed. */
			if (ret < 0) {
				kt_diff_destroy(d);
				d = NULL;
			}
			kt_trace_destroy(a->trace);
		}
	if (ret == 0)
		ret = compare_files(a, d, err);
	kt_diff_destroy(d);
	return ret;
}

static int take_words(struct diff_args *a, int argc, char **argv, struct kt_err *err)
{
	if (argc != 0 && (argc != 2 || a->nr_files[0] || a->nr_files[1]))
		return cmd_misuse(err, "two recordings are compared: A and B, or -a A … -b B …");
	if (argc) {
		take_a(a, argv[0], err);
		take_b(a, argv[1], err);
	}
	if (!a->nr_files[0] || !a->nr_files[1])
		return cmd_misuse(err, "a recording of each side is needed: A and B, or "
				  "-a A … -b B …");
	return cmd_sort(a->sort, sorts, err);
}

static int run(void *data, int argc, char **argv, struct kt_err *err)
{
	struct diff_args *a = data;
	int ret;

	if (a->subjects.list)
		return subjects_list(err);
	ret = take_words(a, argc, argv, err);
	if (ret < 0)
		return ret;
	ret = a->flame ? output_check_text(a->flame, err) : 0;
	if (ret == 0)
		ret = diff_files(a, err);
	if (ret >= 0)
		return ret > 0;
	if (ret == CMD_MISUSE)
		return ret;
	/* 1 is the answer "different": an error is not. */
	safe_tell("diff", err->msg);
	return TROUBLE;
}

static int init(void *data)
{
	struct diff_args *a = data;

	a->choose.command = "diff";
	a->choose.by_end = a->choose.by_task = true;
	a->limits = (struct kt_diff_limits){ .threshold = 0.05, .confidence = 0.95 };
	a->sort = "difference";
	a->top = TOP;
	return 0;
}

static void fini(void *data)
{
	struct diff_args *a = data;

	subjects_fini(&a->subjects);
	choose_fini(&a->choose);
}

static const struct cmd_rule rules[] = {
	{ .options = "json folded tree", .alone = true },
	{ .options = "sort top all", .without = "folded tree" },
	RULE_END
};

const struct cmd cmd_diff = {
	.name      = "diff",
	.summary   = "compare recordings: what is slower, more often, new",
	.words     = "[<A> <B>]",
	.examples  = "  ktrail diff a.dat b.dat             what has changed; status 1: something\n"
		     "  ktrail diff -a a1.dat -a a2.dat -b b1.dat -b b2.dat\n"
		     "                                      several recordings of each side\n"
		     "  ktrail diff -k syscall a.dat b.dat  system calls only\n"
		     "  ktrail diff --flame x.svg a.dat b.dat\n"
		     "                                      a flame graph; red: slower\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct diff_args),
	.options_anywhere = true,
	.paged     = true,
	.init      = init,
	.run       = run,
	.fini      = fini,
};
