/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latency_json.c - `ktrail latency --json` */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/print/json_print.h"
#include "latency.h"

static void add_one(struct json *j, const char *key, const struct latency_args *a,
		    const struct kt_latency *one)
{
	const char *comm = kt_trace_comm_known(a->trace, one->file, one->pid);

	json_open(j, key, '{');
	json_uint(j, "from", one->from);
	json_uint(j, "until", one->until);
	json_uint(j, "ns", one->until - one->from);
	json_int(j, "pid", one->pid);
	json_str(j, "comm", comm);
	json_int(j, "cpu", one->cpu);
	json_int(j, "before_pid", one->holder);
	json_str(j, "before_comm", kt_trace_comm_known(a->trace, one->file, one->holder));
	json_close(j, '}');
}

static void add_levels(struct json *j, const struct kt_latency_row *r)
{
	unsigned int i;

	json_open(j, "histogram", '[');
	for (i = 0; i < KT_LATENCY_LEVELS; i++) {
		if (!r->levels[i])
			continue;
		json_open(j, NULL, '{');
		json_uint(j, "from", kt_latency_level_from(i));
		json_uint(j, "count", r->levels[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void add_errors(struct json *j, const struct kt_latency_row *r)
{
	char number[12];
	unsigned int i;

	json_open(j, "errors", '{');
	for (i = 1; r->errnos && i < KT_LATENCY_ERRNOS; i++)
		if (r->errnos[i]) {
			snprintf(number, sizeof(number), "%u", i);
			json_uint(j, kt_errno_name((int)i) ? kt_errno_name((int)i) : number,
				  r->errnos[i]);
		}
	json_close(j, '}');
}

static void add_row(struct json *j, const struct latency_args *a, const struct kt_latency_row *r)
{
	json_open(j, NULL, '{');
	json_str(j, "name", r->name);
	json_uint(j, "count", r->count);
	json_uint(j, "total", r->sum);
	json_uint(j, "min", r->min);
	json_uint(j, "avg", r->sum / r->count);
	json_uint(j, "p50", r->p50);
	json_uint(j, "p90", r->p90);
	json_uint(j, "p99", r->p99);
	json_uint(j, "p99.9", r->p999);
	json_uint(j, "max", r->max);
	json_uint(j, "cut", r->cut);
	add_one(j, "worst", a, &r->worst);
	if (r->kind == KT_LATENCY_SYSCALL)
		add_errors(j, r);
	if (a->hist)
		add_levels(j, r);
	json_close(j, '}');
}

static int add_kind(struct json *j, const struct latency_args *a,
		    const struct kt_latency_table *table, enum kt_latency_kind kind)
{
	const struct kt_latency *one;
	struct latency_part part;
	size_t i;

	if (!latency_part(a, table, kind, &part))
		return -ENOMEM;
	json_open(j, NULL, '{');
	json_str(j, "kind", kt_latency_kind_name(kind));
	json_uint(j, "cut", part.cut);
	json_open(j, "rows", '[');
	for (i = 0; i < part.shown; i++)
		add_row(j, a, &part.rows[i]);
	json_close(j, ']');
	json_open(j, "worst", '[');
	for (i = 0; (one = kt_latency_table_worst(table, kind, i)); i++)
		add_one(j, NULL, a, one);
	json_close(j, ']');
	json_close(j, '}');
	free(part.rows);
	return 0;
}

int latency_print_json(const struct latency_args *a, const struct kt_latency_table *table)
{
	struct json j = JSON_INIT;
	unsigned int kind;
	int ret = 0;

	json_open(&j, NULL, '{');
	json_str(&j, "unit", "ns");
	json_real(&j, "percentile_error", 0.016);
	json_open(&j, "latencies", '[');
	for (kind = 0; kind < KT_LATENCY_KINDS && ret == 0; kind++)
		if (a->opts.kinds & 1u << kind)
			ret = add_kind(&j, a, table, kind);
	json_close(&j, ']');
	json_close(&j, '}');
	if (ret == 0)
		return json_print(&j);
	str_fini(&j.text);
	return ret;
}
