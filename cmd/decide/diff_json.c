/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diff_json.c - `ktrail diff --json` */
#include <errno.h>
#include <stdlib.h>

#include "cmd/print/json_print.h"
#include "diff.h"

static void add_value(struct json *j, const char *key, const struct kt_diff_row *r,
		      const struct kt_diff_value *v)
{
	json_open(j, key, '{');
	json_real(j, "count", v->count);
	if (r->timed) {
		json_real(j, "total", v->total);
		json_real(j, "avg", v->avg);
		json_real(j, "typical", v->typical);
		json_uint(j, "p50", v->p50);
		json_uint(j, "p90", v->p90);
		json_uint(j, "p99", v->p99);
		json_uint(j, "max", v->max);
	}
	json_close(j, '}');
}

static void add_row(struct json *j, const struct kt_diff_row *r)
{
	unsigned int flag;

	json_open(j, NULL, '{');
	json_str(j, "kind", r->kind);
	json_str(j, "name", r->name);
	json_open(j, "changes", '[');
	for (flag = KT_DIFF_ADDED; flag <= KT_DIFF_LESS_TIME; flag <<= 1)
		if (r->flags & flag)
			json_str(j, NULL, kt_diff_flag_name(flag));
	json_close(j, ']');
	if (r->timed)
		json_real(j, "difference", r->change_ns);
	json_real(j, "more", r->more);
	if (r->timed) {
		json_real(j, "slower", r->slower);
		json_real(j, "longer", r->longer);
		json_real(j, "in_total", r->in_total);
	}
	json_bool(j, "explained", r->explained);
	json_real(j, "p", r->p);
	add_value(j, "a", r, &r->a);
	add_value(j, "b", r, &r->b);
	json_close(j, '}');
}

static void add_side(struct json *j, const char *key, const struct diff_args *a,
		     const struct kt_diff *d, enum kt_diff_side side)
{
	struct kt_diff_run run;
	size_t i;

	json_open(j, key, '[');
	for (i = 0; i < kt_diff_nr_runs(d, side); i++) {
		kt_diff_run(d, side, i, &run);
		json_open(j, NULL, '{');
		json_str(j, "file", a->files[side][i]);
		json_uint(j, "ns", run.ns);
		json_uint(j, "lost", run.nr_lost);
		json_uint(j, "lossy_percent", run.lossy_percent);
		json_uint(j, "cut", run.cut);
		json_bool(j, "full", run.full);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void add_method(struct json *j, const struct diff_args *a, const struct kt_diff *d)
{
	struct kt_diff_method m;
	unsigned int kind;

	kt_diff_method(d, &m);
	json_open(j, "method", '{');
	json_str(j, "unit", m.by_run ? "recording" : "block");
	json_open(j, "units", '[');
	json_uint(j, NULL, m.units[0]);
	json_uint(j, NULL, m.units[1]);
	json_close(j, ']');
	json_uint(j, "exchanges", m.exchanges);
	json_uint(j, "tests", m.nr_tests);
	json_str(j, "counts_per", m.per_second ? "second" : "recording");
	json_real(j, "threshold", a->limits.threshold);
	json_real(j, "confidence", a->limits.confidence);
	json_open(j, "left_out", '[');
	for (kind = 0; kind < KT_LATENCY_KINDS; kind++)
		if (m.left_out & 1u << kind)
			json_str(j, NULL, kt_latency_kind_name(kind));
	json_close(j, ']');
	json_close(j, '}');
}

int diff_print_json(const struct diff_args *a, const struct kt_diff *d, size_t nr)
{
	size_t all, shown, i;
	struct kt_diff_row *rows = diff_rows(a, d, nr, &all);
	struct json j = JSON_INIT;

	if (!rows)
		return -ENOMEM;
	shown = a->top && a->top < all ? a->top : all;
	json_open(&j, NULL, '{');
	json_bool(&j, "different", nr > 0);
	json_uint(&j, "nr_different", nr);
	json_uint(&j, "nr_names", kt_diff_nr(d));
	json_str(&j, "unit", "ns");
	add_side(&j, "a", a, d, KT_DIFF_A);
	add_side(&j, "b", a, d, KT_DIFF_B);
	add_method(&j, a, d);
	json_open(&j, "rows", '[');
	for (i = 0; i < shown; i++)
		add_row(&j, &rows[i]);
	json_close(&j, ']');
	json_close(&j, '}');
	free(rows);
	return json_print(&j);
}
