/* SPDX-License-Identifier: GPL-2.0-or-later */
/* runqueue.c - `ktrail sched runqueue`: the lengths of run queues, and the tasks that waited */
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
#include "cmd/print/safe.h"
#include "sched.h"

static const char *const sorts[] = { "total", "max", "count", NULL };

static int compare(const void *x, const void *y, void *data)
{
	const struct kt_sched_waiter *a = x, *b = y;
	const struct sched_args *args = data;
	uint64_t va = a->ns, vb = b->ns;

	if (strcmp(args->sort, "max") == 0) {
		va = a->max;
		vb = b->max;
	} else if (strcmp(args->sort, "count") == 0) {
		va = a->count;
		vb = b->count;
	}
	if (va != vb)
		return va < vb ? 1 : -1;
	return a->pid != b->pid ? a->pid - b->pid : a->cpu - b->cpu;
}

/* Sorted, new (free); NULL: no memory */
static struct kt_sched_waiter *waiters_of(const struct sched_args *a, const struct kt_sched *s,
					  size_t *nr)
{
	struct kt_sched_waiter *list, one;
	size_t i;

	for (*nr = 0; kt_sched_waiter(s, *nr, &one); ++*nr)
		;
	list = calloc(*nr + 1, sizeof(*list));
	for (i = 0; list && i < *nr; i++)
		kt_sched_waiter(s, i, &list[i]);
	if (list)
		qsort_r(list, *nr, sizeof(*list), compare, (void *)a);
	return list;
}

static uint64_t at_least(const struct kt_sched_cpu *c, unsigned int length)
{
	uint64_t ns = 0;

	for (; length < KT_SCHED_LENGTHS; length++)
		ns += c->length_ns[length];
	return ns;
}

static bool is_shown(const struct sched_args *a, const struct kt_sched_cpu *c)
{
	return choose_has_cpu(&a->choose, c->cpu) && c->known_ns;
}

/* ---- text ---- */

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static int print_cpus(const struct sched_args *a, const struct kt_sched *s, uint64_t *unknown)
{
	struct columns c = { .head = "CPU>|AVG>|MAX>|MAX AT>?2|IDLE %>?1|1>?1|≥ 2>?1|≥ 4>?1|"
				     "TIME AT ≥ 2>?1" };
	struct kt_sched_cpu cpu;
	struct str at = STR_INIT;
	char text[32];
	size_t i;

	*unknown = 0;
	for (i = 0; kt_sched_cpu(s, i, &cpu); i++) {
		if (!is_shown(a, &cpu))
			continue;
		*unknown += cpu.unknown_ns;
		str_reset(&at);
		moment_add(&at, cpu.max_at);
		columns_addf(&c, "%d", cpu.cpu);
		columns_addf(&c, "%.2f", cpu.length_avg);
		columns_addf(&c, "%" PRIu64, cpu.length_max);
		columns_add(&c, cpu.length_max ? at.buf : "-");
		columns_addf(&c, "%.1f", percent(cpu.length_ns[0], cpu.known_ns));
		columns_addf(&c, "%.1f", percent(cpu.length_ns[1], cpu.known_ns));
		columns_addf(&c, "%.1f", percent(at_least(&cpu, 2), cpu.known_ns));
		columns_addf(&c, "%.1f", percent(at_least(&cpu, 4), cpu.known_ns));
		columns_add(&c, units_format_time(at_least(&cpu, 2), text));
	}
	c.failed |= at.failed;
	str_fini(&at);
	return columns_print(&c, "no CPU ran anything there");
}

/* The mean length in a column: ' ' not known, '.' idle, '-' below 1, else a digit or '+' */
static char sign_of(double length)
{
	if (length < 0)
		return ' ';
	if (length < 0.05)
		return '.';
	if (length >= 9.5)
		return '+';
	return length < 1 ? '-' : (char)('0' + (int)(length + 0.5));
}

static int print_map(const struct sched_args *a, const struct kt_sched *s)
{
	struct str out = STR_INIT;
	struct kt_sched_cpu cpu;
	size_t i, k;
	int ret;

	str_add(&out, "\nmean length over time: . idle, - less than 1\n");
	for (i = 0; kt_sched_cpu(s, i, &cpu); i++) {
		if (!is_shown(a, &cpu))
			continue;
		str_addf(&out, "CPU %-3d |", cpu.cpu);
		for (k = 0; k < KT_SCHED_COLUMNS; k++)
			str_addc(&out, sign_of(cpu.map[k]));
		str_add(&out, "|\n");
	}
	str_addf(&out, "%9s", "");
	moment_add(&out, a->window.from);
	str_addf(&out, "%*s", KT_SCHED_COLUMNS - 28, "");
	moment_add(&out, a->window.until);
	str_addc(&out, '\n');
	ret = out.failed ? -ENOMEM : safe_write(out.buf, out.len, safe_for_person());
	str_fini(&out);
	return ret;
}

static int print_waiters(const struct sched_args *a, const struct kt_sched_waiter *list, size_t nr,
			 size_t shown)
{
	struct columns c = { .head = "WHO WAITED|CPU>?1|COUNT>?1|TOTAL>|AVG>?1|MAX>|MAX UNTIL>?2",
			     .wide = a->wide };
	struct str s = STR_INIT;
	char text[32];
	size_t i;
	int ret;

	for (i = 0; i < shown; i++) {
		const struct kt_sched_waiter *w = &list[i];

		str_reset(&s);
		sched_add_task(&s, a, w->file, w->pid);
		columns_add(&c, s.buf);
		columns_addf(&c, "%d", w->cpu);
		columns_addf(&c, "%" PRIu64, w->count);
		columns_add(&c, units_format_time(w->ns, text));
		columns_add(&c, units_format_time(w->ns / w->count, text));
		columns_add(&c, units_format_time(w->max, text));
		str_reset(&s);
		moment_add(&s, w->max_until);
		columns_add(&c, s.buf);
	}
	c.failed |= s.failed;
	str_fini(&s);
	printf("\n");
	ret = columns_print(&c, "no task waited for a CPU");
	columns_tell_more(nr - shown);
	return ret;
}

/* ---- JSON ---- */

static void add_cpu(struct json *j, const struct kt_sched_cpu *c)
{
	unsigned int i, last;

	for (last = KT_SCHED_LENGTHS; last && !c->length_ns[last - 1]; last--)
		;
	json_open(j, NULL, '{');
	json_int(j, "cpu", c->cpu);
	json_real(j, "length_avg", c->length_avg);
	json_uint(j, "length_max", c->length_max);
	json_uint(j, "max_at", c->max_at);
	json_uint(j, "known", c->known_ns);
	json_uint(j, "unknown", c->unknown_ns);
	json_uint(j, "at_2_or_more", at_least(c, 2));
	json_open(j, "time_of_length", '[');
	for (i = 0; i < last; i++)
		json_uint(j, NULL, c->length_ns[i]);
	json_close(j, ']');
	json_close(j, '}');
}

static int print_json(const struct sched_args *a, const struct kt_sched *s,
		      const struct kt_sched_waiter *list, size_t shown)
{
	struct json j = JSON_INIT;
	struct kt_sched_cpu cpu;
	size_t i;

	json_open(&j, NULL, '{');
	json_str(&j, "unit", "ns");
	json_open(&j, "cpus", '[');
	for (i = 0; kt_sched_cpu(s, i, &cpu); i++)
		if (is_shown(a, &cpu))
			add_cpu(&j, &cpu);
	json_close(&j, ']');
	json_open(&j, "waiters", '[');
	for (i = 0; i < shown; i++) {
		json_open(&j, NULL, '{');
		sched_json_task(&j, a, list[i].file, list[i].pid);
		json_int(&j, "cpu", list[i].cpu);
		json_uint(&j, "count", list[i].count);
		json_uint(&j, "total", list[i].ns);
		json_uint(&j, "max", list[i].max);
		json_uint(&j, "max_until", list[i].max_until);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	sched_json_end(&j, s);
	json_close(&j, '}');
	return json_print(&j);
}

static int print(struct sched_args *a, const struct kt_sched *s)
{
	size_t nr, shown;
	struct kt_sched_waiter *list = waiters_of(a, s, &nr);
	uint64_t unknown;
	char text[32];
	int ret;

	if (!list)
		return -ENOMEM;
	shown = sched_shown(a, nr);
	if (a->json) {
		ret = print_json(a, s, list, shown);
		free(list);
		return ret;
	}
	ret = print_cpus(a, s, &unknown);
	fflush(stdout);
	if (ret == 0)
		ret = print_map(a, s);
	if (ret == 0)
		ret = print_waiters(a, list, nr, shown);
	if (unknown)
		printf("not counted: %s of CPUs, at their beginning or after lost events\n",
		       units_format_time(unknown, text));
	sched_print_cut(s);
	free(list);
	return ret;
}

const struct sched_verb sched_runqueue = {
	.sorts = sorts, .top = 20, .queues = true, .print = print,
};
