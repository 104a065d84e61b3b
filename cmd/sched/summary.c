/* SPDX-License-Identifier: GPL-2.0-or-later */
/* summary.c - `ktrail sched timehist --summary`: sums per task, and idle CPUs */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/units.h"
#include "cmd/print/columns.h"
#include "cmd/print/json_print.h"
#include "sched.h"

struct totals {
	uint64_t tasks, switches, run_ns, cpus;
};

static int compare(const void *x, const void *y, void *data)
{
	const struct sched_row *a = x, *b = y;

	(void)data;
	if (a->t.run_ns != b->t.run_ns)
		return a->t.run_ns < b->t.run_ns ? 1 : -1;
	return a->t.pid - b->t.pid;
}

/* Migrations that the trace records; if it records none, stays on another CPU */
static uint64_t migrations(const struct kt_sched *s, const struct kt_sched_task *t)
{
	return kt_sched_nr_events(s, KT_SCHED_MIGRATED) ? t->nr_migrations : t->nr_moves;
}

static struct totals total_of(const struct kt_sched *s, const struct sched_row *rows, size_t nr)
{
	struct totals sum = { 0 };
	struct kt_sched_cpu c;
	size_t i;

	for (i = 0; i < nr; i++) {
		sum.tasks += rows[i].nr;
		sum.switches += rows[i].t.nr_switches;
		sum.run_ns += rows[i].t.run_ns;
	}
	for (i = 0; kt_sched_cpu(s, i, &c); i++)
		sum.cpus += c.busy_ns || c.idle_ns;
	return sum;
}

/* ---- text ---- */

static void add_ms(struct columns *c, bool is_known, uint64_t ns)
{
	struct str s = STR_INIT;

	if (is_known)
		sched_add_ms(&s, ns, 0);
	columns_add(c, is_known ? s.buf : "-");
	c->failed |= s.failed;
	str_fini(&s);
}

static void add_row(struct columns *c, const struct sched_args *a, const struct kt_sched *s,
		    const struct sched_row *r)
{
	const struct kt_sched_task *t = &r->t;
	struct str name = STR_INIT;

	sched_add_task(&name, a, t->file, t->pid);
	columns_add(c, r->nr > 1 ? sched_comm(a, t->file, t->pid) : name.buf);
	columns_addf(c, "%" PRIu64, t->nr_runs);
	add_ms(c, t->nr_runs, t->run_ns);
	add_ms(c, t->nr_runs, t->run_min);
	add_ms(c, t->nr_runs, t->nr_runs ? t->run_ns / t->nr_runs : 0);
	add_ms(c, t->nr_runs, t->run_max);
	if (r->nr > 1 || t->nr_runs < 2)
		columns_add(c, "-");
	else
		columns_addf(c, "%.2f", 100 * t->run_error);
	add_ms(c, t->nr_delays, t->delay_ns);
	columns_addf(c, "%" PRIu64, migrations(s, t));
	c->failed |= name.failed;
	str_fini(&name);
}

static int print_idle(const struct kt_sched *s)
{
	struct columns c = { .head = "CPU>|IDLE ms>|BUSY ms>|IDLE %>" };
	struct kt_sched_cpu cpu;
	size_t i;

	for (i = 0; kt_sched_cpu(s, i, &cpu); i++) {
		uint64_t all = cpu.idle_ns + cpu.busy_ns;

		if (!all)
			continue;
		columns_addf(&c, "%d", cpu.cpu);
		add_ms(&c, true, cpu.idle_ns);
		add_ms(&c, true, cpu.busy_ns);
		columns_addf(&c, "%.2f", 100.0 * (double)cpu.idle_ns / (double)all);
	}
	return columns_print(&c, "");
}

static int print_text(const struct sched_args *a, const struct kt_sched *s,
		      const struct sched_row *rows, size_t nr, size_t shown)
{
	struct columns c = { .head = "TASK|RUNS>?1|RUN ms>|MIN>?1|AVG>?1|MAX>?1|STDDEV %>?3|"
			     "DELAY ms>?1|MIGRATIONS>?2", .wide = a->wide };
	struct totals sum = total_of(s, rows, nr);
	struct str line = STR_INIT;
	size_t i;
	int ret;

	for (i = 0; i < shown; i++)
		add_row(&c, a, s, &rows[i]);
	ret = columns_print(&c, "no task ran there");
	columns_tell_more(nr - shown);
	printf("\n");
	fflush(stdout);
	if (ret == 0)
		ret = print_idle(s);
	str_addf(&line, "\n%" PRIu64 " tasks, %" PRIu64 " switches, ran ", sum.tasks, sum.switches);
	sched_add_ms(&line, sum.run_ns, 0);
	str_add(&line, " ms in ");
	sched_add_ms(&line, kt_sched_ns(s), 0);
	str_addf(&line, " ms on %" PRIu64 " CPUs\n", sum.cpus);
	fputs(line.buf, stdout);
	str_fini(&line);
	sched_print_cut(s);
	return ret;
}

/* ---- JSON ---- */

static void add_json(struct json *j, const struct sched_args *a, const struct kt_sched *s,
		     const struct sched_row *r)
{
	const struct kt_sched_task *t = &r->t;

	json_open(j, NULL, '{');
	sched_json_task(j, a, t->file, t->pid);
	if (a->merge)
		json_uint(j, "tasks", r->nr);
	json_uint(j, "runs", t->nr_runs);
	json_uint(j, "run", t->run_ns);
	if (t->nr_runs) {
		json_uint(j, "run_min", t->run_min);
		json_uint(j, "run_avg", t->run_ns / t->nr_runs);
		json_uint(j, "run_max", t->run_max);
	}
	if (t->nr_runs > 1 && r->nr == 1)
		json_real(j, "stddev_percent", 100 * t->run_error);
	json_uint(j, "delay", t->delay_ns);
	json_uint(j, "sleep", t->sleep_ns);
	json_uint(j, "blocked", t->blocked_ns);
	json_uint(j, "preempted", t->preempted_ns);
	json_uint(j, "migrations", migrations(s, t));
	json_close(j, '}');
}

static int print_json(const struct sched_args *a, const struct kt_sched *s,
		      const struct sched_row *rows, size_t nr, size_t shown)
{
	struct totals sum = total_of(s, rows, nr);
	struct json j = JSON_INIT;
	struct kt_sched_cpu cpu;
	size_t i;

	json_open(&j, NULL, '{');
	json_str(&j, "unit", "ns");
	json_open(&j, "tasks", '[');
	for (i = 0; i < shown; i++)
		add_json(&j, a, s, &rows[i]);
	json_close(&j, ']');
	json_open(&j, "cpus", '[');
	for (i = 0; kt_sched_cpu(s, i, &cpu); i++) {
		json_open(&j, NULL, '{');
		json_int(&j, "cpu", cpu.cpu);
		json_uint(&j, "idle", cpu.idle_ns);
		json_uint(&j, "busy", cpu.busy_ns);
		json_uint(&j, "switches", cpu.nr_switches);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_uint(&j, "switches", sum.switches);
	json_uint(&j, "run", sum.run_ns);
	json_uint(&j, "time", kt_sched_ns(s));
	sched_json_end(&j, s);
	json_close(&j, '}');
	return json_print(&j);
}

static const struct sched_table table = { compare, print_text, print_json };

const struct sched_verb sched_summary = { .table = &table };
