/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diff_text.c - differences as a sentence and a table for people */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/units.h"
#include "cmd/print/columns.h"
#include "cmd/print/safe.h"
#include "diff.h"

/* ---- one change in words ---- */

/* "21 % slower", "2.5 times as slow" … for a change of 0.21, 1.5 */
static void add_change(struct str *s, double by, enum kt_diff_flag flag)
{
	str_add(s, s->len ? ", " : "");
	if (flag != KT_DIFF_ADDED && flag != KT_DIFF_REMOVED && isfinite(by)) {
		if (by >= 9)
			str_addf(s, "%.0f times ", by + 1);
		else
			str_addf(s, "%.0f %% ", fabs(by) * 100);
	}
	str_add(s, kt_diff_flag_name(flag));
}

static double change_of(const struct kt_diff_row *r, unsigned int flag)
{
	if (flag <= KT_DIFF_LESS)
		return r->more;
	if (flag <= KT_DIFF_FASTER)
		return r->slower;
	return flag <= KT_DIFF_SHORTER ? r->longer : r->in_total;
}

static bool is_same(const struct diff_args *a, const struct kt_diff_row *r)
{
	return fabs(log1p(r->more)) < log1p(a->limits.threshold) &&
	       fabs(log1p(r->slower)) < log1p(a->limits.threshold);
}

/* "21 % slower, 5 % more often"; without a significant change, the known figures */
static void add_changes(struct str *s, const struct diff_args *a, const struct kt_diff_row *r)
{
	size_t at = s->len;
	unsigned int flag;
	struct str part = STR_INIT;

	for (flag = KT_DIFF_ADDED; flag <= KT_DIFF_LESS_TIME; flag <<= 1)
		if (r->flags & flag)
			add_change(&part, change_of(r, flag), flag);
	str_add(s, part.buf);
	s->failed |= part.failed;
	str_fini(&part);
	if (s->len == at)
		str_add(s, is_same(a, r) ? "same" : "not certain");
}

static const char *leaf_of(const struct kt_diff_row *r)
{
	const char *leaf = strcmp(r->kind, "calls") == 0 ? strrchr(r->name, ';') : NULL;

	return leaf ? leaf + 1 : r->name;
}

static uint64_t to_ns(double ns)
{
	return ns > 0 ? (uint64_t)(ns + 0.5) : 0;
}

/* "1.02 s → 1.23 s" */
static void add_times(struct str *s, double a, double b)
{
	char from[32], to[32];

	str_addf(s, "%s %s %s", units_format_time(to_ns(a), from), safe_sign("→", "->"),
		 units_format_time(to_ns(b), to));
}

static void add_counts(struct str *s, double a, double b)
{
	str_addf(s, "%.0f", a);
	if (round(a) != round(b))
		str_addf(s, " %s %.0f", safe_sign("→", "->"), b);
}

/* ---- the verdict ---- */

static void add_verdict(struct str *s, const struct diff_args *a, const struct kt_diff *d,
			size_t nr)
{
	struct kt_diff_row first;

	if (!nr) {
		str_addf(s, "same: none of %zu names differs by %.3g %% or more, beyond chance\n",
			 kt_diff_nr(d), a->limits.threshold * 100);
		return;
	}
	kt_diff_row(d, 0, &first);
	str_addf(s, "different: %s %s: ", first.kind, leaf_of(&first));
	add_changes(s, a, &first);
	if (first.timed) {
		str_add(s, ", in total ");
		add_times(s, first.a.total, first.b.total);
	}
	if (nr > 1)
		str_addf(s, "; %zu more differ%s", nr - 1, nr == 2 ? "s" : "");
	str_addc(s, '\n');
}

/* ---- the table ---- */

static void add_cell(struct columns *c, struct str *s)
{
	columns_add(c, s->buf);
	c->failed |= s->failed;
	str_reset(s);
}

static void add_row(struct columns *c, const struct diff_args *a, const struct kt_diff_row *r)
{
	struct str s = STR_INIT;
	char text[32];

	add_changes(&s, a, r);
	add_cell(c, &s);
	columns_add(c, r->kind);
	if (r->timed)
		str_addf(&s, "%s%s", r->change_ns < 0 ? "-" : "+",
			 units_format_time(to_ns(fabs(r->change_ns)), text));
	add_cell(c, &s);
	if (r->timed)
		add_times(&s, r->a.total, r->b.total);
	add_cell(c, &s);
	add_counts(&s, r->a.count, r->b.count);
	add_cell(c, &s);
	if (r->timed)
		add_times(&s, (double)r->a.p50, (double)r->b.p50);
	add_cell(c, &s);
	if (r->timed)
		add_times(&s, (double)r->a.p99, (double)r->b.p99);
	add_cell(c, &s);
	columns_add(c, r->name);
	str_fini(&s);
}

static int print_rows(const struct diff_args *a, const struct kt_diff *d, size_t nr)
{
	struct columns c = { .head = "CHANGE|KIND|DIFFERENCE>|TOTAL>|COUNT>|P50>|P99>|NAME" };
	size_t all, shown, i;
	struct kt_diff_row *rows = diff_rows(a, d, nr, &all);
	int ret;

	if (!rows)
		return -ENOMEM;
	shown = a->top && a->top < all ? a->top : all;
	for (i = 0; i < shown; i++)
		add_row(&c, a, &rows[i]);
	free(rows);
	if (all)
		putchar('\n');
	ret = columns_print(&c, NULL);
	columns_tell_more(all - shown);
	return ret;
}

/* ---- certainty ---- */

static void add_side(struct str *s, const struct diff_args *a, const struct kt_diff *d,
		     enum kt_diff_side side)
{
	struct kt_diff_run run;
	size_t i;

	for (i = 0; i < kt_diff_nr_runs(d, side); i++) {
		kt_diff_run(d, side, i, &run);
		if (run.nr_lost) {
			safe_add(s, a->files[side][i]);
			str_addf(s, " has lost %" PRIu64 " event%s; counts in the %u %% around "
				 "them are not compared\n", run.nr_lost,
				 run.nr_lost == 1 ? "" : "s", run.lossy_percent);
		}
		if (run.cut && run.nr_lost) {
			safe_add(s, a->files[side][i]);
			str_addf(s, ": not counted: %" PRIu64 " cut by missing events or an end "
				 "of the trace\n", run.cut);
		}
		if (run.full) {
			safe_add(s, a->files[side][i]);
			str_add(s, " has more names than are compared\n");
		}
	}
}

static double mean_ns(const struct kt_diff *d, enum kt_diff_side side)
{
	size_t nr = kt_diff_nr_runs(d, side), i;
	struct kt_diff_run run;
	double ns = 0;

	for (i = 0; i < nr; i++) {
		kt_diff_run(d, side, i, &run);
		ns += (double)run.ns / (double)nr;
	}
	return ns;
}

/* If both sides have equal length, both units are the same. */
static void add_unit(struct str *s, const struct diff_args *a, const struct kt_diff *d,
		     bool per_second)
{
	double lengths = fabs(log((mean_ns(d, KT_DIFF_B) + 1) / (mean_ns(d, KT_DIFF_A) + 1)));

	str_addf(s, "; counts are per %s", per_second ? "second" : "recording");
	if (!a->limits.per && lengths > log1p(a->limits.threshold))
		str_add(s, per_second ? " (if the work comes to an end: --per recording)" :
					" (if the load goes on: --per second)");
	str_addc(s, '\n');
}

/* Two or three recordings of each side may not be enough to be certain of a large difference. */
static void add_doubt(struct str *s, const struct diff_args *a, const struct kt_diff *d,
		      bool by_run)
{
	const char *shows;
	size_t nr = 0, i;
	struct kt_diff_row r;

	for (i = 0; kt_diff_row(d, i, &r); i++)
		nr += !r.flags && !is_same(a, &r);
	shows = nr == 1 ? "; --all shows it" : "; --all shows them";
	if (nr)
		str_addf(s, "%zu %s by %.3g %% or more, but not beyond chance%s%s\n", nr,
			 nr == 1 ? "name differs" : "names differ", a->limits.threshold * 100,
			 a->all ? "" : shows,
			 by_run ? "" : "; four recordings of each side would decide more");
}

static void add_method(struct str *s, const struct diff_args *a, const struct kt_diff *d)
{
	struct kt_diff_method m;
	unsigned int kind;

	kt_diff_method(d, &m);
	str_addf(s, "\n%zu %s of ", m.units[0], m.by_run ? "recordings" : "blocks");
	if (m.units[0] == m.units[1])
		str_add(s, "each side");
	else
		str_addf(s, "A and %zu of B", m.units[1]);
	str_addf(s, "; chance alone shows a difference in %.3g %% of comparisons",
		 (1 - a->limits.confidence) * 100);
	add_unit(s, a, d, m.per_second);
	add_doubt(s, a, d, m.by_run);
	for (kind = 0; kind < KT_LATENCY_KINDS; kind++)
		if (m.left_out & 1u << kind)
			str_addf(s, "not compared, since not all recordings have its events: %s\n",
				 kt_latency_kind_name(kind));
	add_side(s, a, d, KT_DIFF_A);
	add_side(s, a, d, KT_DIFF_B);
}

static int put(struct str *s)
{
	int ret = s->failed ? -ENOMEM : safe_write(s->buf, s->len, safe_for_person());

	str_reset(s);
	return ret;
}

int diff_print(const struct diff_args *a, const struct kt_diff *d, size_t nr)
{
	struct str s = STR_INIT;
	int ret;

	add_verdict(&s, a, d, nr);
	ret = put(&s);
	if (ret == 0)
		ret = print_rows(a, d, nr);
	fflush(stdout);
	if (ret == 0) {
		add_method(&s, a, d);
		ret = put(&s);
	}
	str_fini(&s);
	return ret;
}
