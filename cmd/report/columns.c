/* SPDX-License-Identifier: GPL-2.0-or-later */
/* columns.c - `ktrail report --columns`: statistics of the numbers that plugins find in events */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <ktrail/analysis.h>

#include "base/json.h"
#include "base/units.h"
#include "cmd/print/columns.h"
#include "report.h"

static const char *unit(enum kt_column_kind kind)
{
	if (kind == KT_COLUMN_TIME_NS)
		return "ns";
	return kind == KT_COLUMN_BYTES ? "bytes" : "";
}

static void add_value(struct columns *c, enum kt_column_kind kind, int64_t value)
{
	uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
	const char *sign = value < 0 ? "-" : "";
	char buf[32];

	if (kind == KT_COLUMN_TIME_NS)
		columns_addf(c, "%s%s", sign, units_format_time(magnitude, buf));
	else if (kind == KT_COLUMN_BYTES)
		columns_addf(c, "%s%s", sign, units_format_size(magnitude, buf));
	else
		columns_addf(c, "%" PRId64, value);
}

/* Larger values do not fit the conversion used for printing. */
static int64_t to_int(double value)
{
	if (value > 9e18)
		return INT64_MAX;
	return value < -9e18 ? INT64_MIN : (int64_t)value;
}

static void add_row(struct columns *c, const struct kt_column_row *r)
{
	columns_addf(c, "%s/%s", r->system, r->event);
	columns_add(c, r->column);
	columns_addf(c, "%" PRIu64, r->count);
	add_value(c, r->kind, r->min);
	if (r->kind == KT_COLUMN_NUMBER)
		columns_addf(c, "%.1f", r->average);
	else
		add_value(c, r->kind, to_int(r->average));
	add_value(c, r->kind, r->p50);
	add_value(c, r->kind, r->p90);
	add_value(c, r->kind, r->p99);
	add_value(c, r->kind, r->max);
	if (r->kind == KT_COLUMN_NUMBER)	/* the sum of results has no meaning */
		columns_add(c, "-");
	else
		add_value(c, r->kind, to_int(r->total));
	columns_add(c, r->summary);
}

static int print_text(struct kt_columns *cols, struct kt_err *err)
{
	struct columns c = {
		.head = "EVENT|COLUMN|COUNT>|MIN>|AVG>|P50>|P90>|P99>|MAX>|TOTAL>|MEANING",
	};
	const struct kt_column_row *r;
	size_t i;

	for (i = 0; (r = kt_columns_row(cols, i)); i++)
		add_row(&c, r);
	return columns_print(&c, "no event with a column") < 0 ? kt_err_no_memory(err) : 0;
}

static void json_row(struct json *j, const struct kt_column_row *r)
{
	json_open(j, NULL, '{');
	json_str(j, "system", r->system);
	json_str(j, "event", r->event);
	json_str(j, "column", r->column);
	json_str(j, "unit", unit(r->kind));
	json_str(j, "plugin", r->plugin);
	json_str(j, "summary", r->summary);
	json_uint(j, "count", r->count);
	json_int(j, "min", r->min);
	json_int(j, "p50", r->p50);
	json_int(j, "p90", r->p90);
	json_int(j, "p99", r->p99);
	json_int(j, "max", r->max);
	json_real(j, "average", r->average);
	json_int(j, "total", to_int(r->total));
	json_close(j, '}');
}

static int print_json(struct kt_columns *cols, struct kt_err *err)
{
	const struct kt_column_row *r;
	struct json j = JSON_INIT;
	int ret = 0;
	size_t i;

	json_open(&j, NULL, '{');
	json_open(&j, "columns", '[');
	for (i = 0; (r = kt_columns_row(cols, i)); i++)
		json_row(&j, r);
	json_close(&j, ']');
	json_close(&j, '}');
	if (j.text.failed)
		ret = kt_err_no_memory(err);
	else
		puts(j.text.buf);
	str_fini(&j.text);
	return ret;
}

int report_columns(struct kt_trace *t, const struct report_args *a, struct kt_err *err)
{
	struct kt_columns *cols = kt_columns_create(t, a->text.plugins, err);
	int ret;

	if (!cols)
		return err->code;
	ret = choose_run(t, &a->choose, a->text.drop_flags,
			 (struct kt_analysis *[]){ kt_columns_analysis(cols) }, 1, err);
	if (ret == 0)
		ret = a->text.json ? print_json(cols, err) : print_text(cols, err);
	kt_columns_destroy(cols);
	return ret;
}
