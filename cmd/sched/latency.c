/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latency.c - `ktrail sched latency`: how long each task ran and waited */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/units.h"
#include "cmd/print/columns.h"
#include "cmd/print/json_print.h"
#include "cmd/print/moment.h"
#include "sched.h"

static const char *const sorts[] = { "max", "avg", "p99", "runtime", "switches", "name", NULL };

static uint64_t avg_delay(const struct kt_sched_task *t)
{
	return t->nr_delays ? t->delay_ns / t->nr_delays : 0;
}

static uint64_t value_of(const struct kt_sched_task *t, const char *by)
{
	if (strcmp(by, "avg") == 0)
		return avg_delay(t);
	if (strcmp(by, "p99") == 0)
		return t->delay_p99 == UINT64_MAX ? 0 : t->delay_p99;
	if (strcmp(by, "runtime") == 0)
		return t->run_ns;
	return strcmp(by, "switches") == 0 ? t->nr_switches : t->delay_max;
}

static int compare(const void *x, const void *y, void *data)
{
	const struct sched_row *a = x, *b = y;
	const struct sched_args *args = data;
	uint64_t va = value_of(&a->t, args->sort), vb = value_of(&b->t, args->sort);
	int order;

	if (strcmp(args->sort, "name") != 0 && va != vb)
		return va < vb ? 1 : -1;
	order = strcmp(sched_comm(args, a->t.file, a->t.pid),
		       sched_comm(args, b->t.file, b->t.pid));
	return order ? order : a->t.pid - b->t.pid;
}

/* ---- text ---- */

static void add_name(struct columns *c, const struct sched_args *a, const struct sched_row *r)
{
	struct str s = STR_INIT;

	if (r->nr > 1)
		str_addf(&s, "%s (%u)", sched_comm(a, r->t.file, r->t.pid), r->nr);
	else
		sched_add_task(&s, a, r->t.file, r->t.pid);
	columns_add(c, s.buf);
	c->failed |= s.failed;
	str_fini(&s);
}

static void add_time(struct columns *c, bool is_known, uint64_t ns)
{
	char text[32];

	columns_add(c, is_known ? units_format_time(ns, text) : "-");
}

static void add_moment(struct columns *c, bool is_known, uint64_t ns)
{
	struct str s = STR_INIT;

	if (is_known)
		moment_add(&s, ns);
	columns_add(c, is_known ? s.buf : "-");
	c->failed |= s.failed;
	str_fini(&s);
}

static void add_row(struct columns *c, const struct sched_args *a, const struct sched_row *r)
{
	bool waited = r->t.nr_delays;

	add_name(c, a, r);
	add_time(c, r->t.nr_runs, r->t.run_ns);
	columns_addf(c, "%" PRIu64, r->t.nr_switches);
	add_time(c, waited, avg_delay(&r->t));
	add_time(c, waited && r->t.delay_p99 != UINT64_MAX, r->t.delay_p99);
	add_time(c, waited, r->t.delay_max);
	add_moment(c, waited, r->t.delay_from);
	add_moment(c, waited, r->t.delay_until);
}

static int print_text(const struct sched_args *a, const struct kt_sched *s,
		      const struct sched_row *rows, size_t nr, size_t shown)
{
	struct columns c = { .head = "TASK|RUNTIME>?1|SWITCHES>?1|DELAY AVG>?1|P99>?1|MAX>|"
			     "MAX FROM>?3|MAX UNTIL>?2", .wide = a->wide };
	uint64_t run_ns = 0, switches = 0;
	char text[32];
	size_t i;
	int ret;

	for (i = 0; i < nr; i++) {
		run_ns += rows[i].t.run_ns;
		switches += rows[i].t.nr_switches;
		if (i < shown)
			add_row(&c, a, &rows[i]);
	}
	ret = columns_print(&c, "no task ran there");
	columns_tell_more(nr - shown);
	printf("%s on CPUs, %" PRIu64 " switches\n", units_format_time(run_ns, text), switches);
	sched_print_cut(s);
	return ret;
}

/* ---- JSON ---- */

static void add_json(struct json *j, const struct sched_args *a, const struct sched_row *r)
{
	json_open(j, NULL, '{');
	sched_json_task(j, a, r->t.file, r->t.pid);
	if (a->merge)
		json_uint(j, "tasks", r->nr);
	json_uint(j, "runtime", r->t.run_ns);
	json_uint(j, "switches", r->t.nr_switches);
	json_uint(j, "delays", r->t.nr_delays);
	json_uint(j, "delay_total", r->t.delay_ns);
	if (r->t.nr_delays) {
		json_uint(j, "delay_avg", avg_delay(&r->t));
		if (r->t.delay_p99 != UINT64_MAX)
			json_uint(j, "delay_p99", r->t.delay_p99);
		json_uint(j, "delay_max", r->t.delay_max);
		json_uint(j, "delay_max_from", r->t.delay_from);
		json_uint(j, "delay_max_until", r->t.delay_until);
	}
	json_uint(j, "preempted", r->t.preempted_ns);
	json_uint(j, "sleep", r->t.sleep_ns);
	json_uint(j, "blocked", r->t.blocked_ns);
	json_close(j, '}');
}

static int print_json(const struct sched_args *a, const struct kt_sched *s,
		      const struct sched_row *rows, size_t nr, size_t shown)
{
	struct json j = JSON_INIT;
	size_t i;

	(void)nr;
	json_open(&j, NULL, '{');
	json_str(&j, "unit", "ns");
	json_open(&j, "tasks", '[');
	for (i = 0; i < shown; i++)
		add_json(&j, a, &rows[i]);
	json_close(&j, ']');
	sched_json_end(&j, s);
	json_close(&j, '}');
	return json_print(&j);
}

static const struct sched_table table = { compare, print_text, print_json };

const struct sched_verb sched_latency = { .sorts = sorts, .top = 20, .table = &table };
