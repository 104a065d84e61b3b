/* SPDX-License-Identifier: GPL-2.0-or-later */
/* latency_text.c - latencies as tables for people */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/print/columns.h"
#include "cmd/print/moment.h"
#include "cmd/print/pager.h"
#include "cmd/print/safe.h"
#include "latency.h"

#define NR_ERRORS 3		/* errors listed by name */

static void add_task(struct str *s, const struct latency_args *a, size_t file, int pid)
{
	const char *comm = kt_trace_comm_known(a->trace, file, pid);

	if (pid == 0)
		str_add(s, "<idle>");
	else
		str_addf(s, "%s:%d", comm ? comm : "<...>", pid);
}

static bool is_of_tasks(enum kt_latency_kind kind)
{
	return kind == KT_LATENCY_WAKEUP || kind == KT_LATENCY_PREEMPTED;
}

/* The task that had the CPU */
static void add_holder(struct str *s, const struct latency_args *a, const struct kt_latency *one)
{
	str_addf(s, "CPU %d had ", one->cpu);
	add_task(s, a, one->file, one->holder);
}

/* "12 EAGAIN, 3 EINTR": the most frequent ones */
static void add_errors(struct str *s, const struct kt_latency_row *r)
{
	uint64_t left = r->nr_errors;
	bool done[KT_LATENCY_ERRNOS] = { false };
	unsigned int i, k, best;
	const char *name;

	for (k = 0; k < NR_ERRORS && left; k++) {
		best = 0;
		for (i = 1; i < KT_LATENCY_ERRNOS; i++)
			if (!done[i] && (!best || r->errnos[i] > r->errnos[best]))
				best = i;
		name = kt_errno_name((int)best);
		str_addf(s, "%s%" PRIu32 " %s", k ? ", " : "", r->errnos[best],
			 name ? name : "errors");
		done[best] = true;
		left -= r->errnos[best];
	}
	if (left)
		str_addf(s, ", %" PRIu64 " others", left);
}

static void add_time(struct columns *c, uint64_t ns)
{
	char text[32];

	columns_add(c, units_format_time(ns, text));
}

static void add_row(struct columns *c, const struct latency_args *a,
		    const struct kt_latency_row *r)
{
	struct str more = STR_INIT;

	columns_add(c, r->name);
	columns_addf(c, "%" PRIu64, r->count);
	add_time(c, r->sum);
	add_time(c, r->sum / r->count);
	add_time(c, r->p50);
	add_time(c, r->p90);
	add_time(c, r->p99);
	add_time(c, r->p999);
	add_time(c, r->max);
	moment_add(&more, r->worst.until);
	columns_add(c, more.buf);
	str_reset(&more);
	if (r->kind == KT_LATENCY_WAKEUP)
		columns_addf(c, "%" PRIu64, r->worst.value);
	if (is_of_tasks(r->kind))
		add_holder(&more, a, &r->worst);
	else if (r->kind == KT_LATENCY_SYSCALL)
		add_errors(&more, r);
	if (is_of_tasks(r->kind) || r->kind == KT_LATENCY_SYSCALL)
		columns_add(c, more.buf);
	c->failed |= more.failed;
	str_fini(&more);
}

static char *head_of(enum kt_latency_kind kind)
{
	struct str s = STR_INIT;
	const char *p;

	for (p = kt_latency_kind_noun(kind); *p; p++)
		str_addc(&s, *p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p);
	str_add(&s, "|COUNT>?1|TOTAL>?1|AVG>?1|P50>");
	str_add(&s, kind == KT_LATENCY_SYSCALL ? "?3" : "?1");
	str_add(&s, "|P90>?5|P99>?1|P99.9>?6|MAX>|MAX UNTIL>?7");
	str_add(&s, kind == KT_LATENCY_WAKEUP ? "|PRIO>?2" : "");
	if (is_of_tasks(kind))
		str_add(&s, "|AT THE MAX?4");
	else if (kind == KT_LATENCY_SYSCALL)
		str_add(&s, "|ERRORS?0");
	return str_take(&s);
}

static bool has_event(const struct latency_args *a, const char *system, const char *name)
{
	size_t file;

	for (file = 0; file < kt_trace_nr_files(a->trace); file++)
		if (kt_events_by_name(kt_trace_events(a->trace, file), system, name))
			return true;
	return false;
}

/* All files have the formats of tracers, whether or not these were used. */
static void add_nothing(struct str *s, const struct latency_args *a, enum kt_latency_kind kind)
{
	const char *option = kt_latency_kind_events(kind)[0];

	str_add(s, "nothing was measured");
	if (!option || *option != '-')
		return;
	str_addf(s, ": record it with `%s record", cmd_program);
	latency_add_options(s, kind);
	str_addc(s, '`');
	if (kind == KT_LATENCY_FAULT && has_event(a, "exceptions", "page_fault_user"))
		str_add(s, "\nexceptions:page_fault_user and page_fault_kernel have no duration: "
			"no event ends them");
}

static int print_rows(const struct latency_args *a, const struct latency_part *part)
{
	struct str nothing = STR_INIT;
	char *head = head_of(part->kind);
	struct columns c = { .head = head, .wide = a->wide };
	size_t i;
	int ret;

	for (i = 0; i < part->shown && head; i++)
		add_row(&c, a, &part->rows[i]);
	if (!part->shown)
		add_nothing(&nothing, a, part->kind);
	c.failed |= !head || nothing.failed;
	ret = columns_print(&c, nothing.buf);
	free(head);
	str_fini(&nothing);
	columns_tell_more(part->nr - part->shown);
	if (part->cut)
		printf("not counted: %" PRIu64 " cut by missing events or an end of the trace\n",
		       part->cut);
	return ret;
}

/* The activity of a task, or its wait, if the trace has the events of tasks */
static bool is_explained(const struct latency_args *a, enum kt_latency_kind kind)
{
	return (strcmp(kt_latency_kind_noun(kind), "task") == 0 || kind == KT_LATENCY_SYSCALL ||
		kind == KT_LATENCY_SLEEP || kind == KT_LATENCY_LOCK) &&
	       kt_latency_kind_is_recorded(a->trace, KT_LATENCY_WAKEUP);
}

static int print_worst(const struct latency_args *a, const struct kt_latency_table *table,
		       const struct latency_part *part)
{
	const struct kt_latency *one;
	struct str s = STR_INIT;
	char text[32];
	size_t i;
	int ret;

	for (i = 0; (one = kt_latency_table_worst(table, part->kind, i)); i++) {
		str_addf(&s, "%10s  until ", units_format_time(one->until - one->from, text));
		moment_add(&s, one->until);
		str_add(&s, "  ");
		add_task(&s, a, one->file, one->pid);
		str_add(&s, is_of_tasks(part->kind) ? ", " : " ");
		if (part->kind == KT_LATENCY_WAKEUP)
			str_addf(&s, "prio %" PRIu64 ", ", one->value);
		if (is_of_tasks(part->kind))
			add_holder(&s, a, one);
		else if (one->cpu >= 0)
			str_addf(&s, "on CPU %d", one->cpu);
		str_addf(&s, "\n%12s%s ", "", cmd_program);
		if (is_explained(a, part->kind))
			str_addf(&s, "why --pid %d ", one->pid);
		else
			str_add(&s, "report ");
		moment_add_window(&s, one->from, one->until);
		str_addf(&s, " %s\n", a->input);
	}
	ret = s.failed ? -ENOMEM : safe_write(s.buf, s.len, safe_for_person());
	str_fini(&s);
	return ret;
}

static int print_pictures(const struct latency_args *a, const struct latency_part *part)
{
	struct str s = STR_INIT;
	int ret;

	if (a->hist)
		latency_add_histogram(&s, part, pager_width());
	if (a->map)
		latency_add_map(&s, a, part, pager_width());
	ret = s.failed ? -ENOMEM : safe_write(s.buf, s.len, safe_for_person());
	str_fini(&s);
	return ret;
}

int latency_print(const struct latency_args *a, const struct kt_latency_table *table)
{
	struct latency_part part;
	unsigned int kind;
	bool more = false;
	int ret = 0;

	for (kind = 0; kind < KT_LATENCY_KINDS && ret == 0; kind++) {
		if (!(a->opts.kinds & 1u << kind))
			continue;
		if (!latency_part(a, table, kind, &part))
			return -ENOMEM;
		if (part.nr || a->subjects.wanted & 1u << kind || kind == KT_LATENCY_PAIR) {
			fputs(more ? "\n" : "", stdout);
			safe_put(kt_latency_kind_title(kind));
			printf(" (%s)\n", kt_latency_kind_name(kind));
			ret = print_rows(a, &part);
			fflush(stdout);
			if (ret == 0)
				ret = print_pictures(a, &part);
			if (ret == 0 && a->worst)
				ret = print_worst(a, table, &part);
			more = true;
		}
		free(part.rows);
	}
	return ret;
}

int latency_print_report(struct kt_trace *t)
{
	struct kt_latency_text *text = kt_latency_text_open(t, NULL);
	struct kt_latency_head head;
	struct str s = STR_INIT;
	char worst[32];
	int ret = -ENODATA;

	if (!text)
		return ret;
	head = kt_latency_text_head(text);
	if (head.us != KT_LATENCY_TEXT_NONE && head.us <= UINT64_MAX / 1000) {
		str_addf(&s, "%s measured one latency of %s: %s", head.tracer,
			 units_format_time(head.us * 1000, worst), head.task);
		if (*head.started)
			str_addf(&s, ", from %s to %s", head.started, head.ended);
		str_add(&s, "\nnext: `ktrail report` or `ktrail view` shows what happened\n");
		ret = s.failed ? -ENOMEM : safe_write(s.buf, s.len, safe_for_person());
	}
	str_fini(&s);
	kt_latency_text_close(text);
	return ret;
}
