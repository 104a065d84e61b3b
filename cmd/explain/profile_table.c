/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile_table.c - a profile as a table for people: the most expensive first */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "cmd/print/moment.h"
#include "cmd/print/pager.h"
#include "profile_print.h"

#define STACK_INDENT 10		/* columns before the stacks of a row */
#define LEAST_WIDTH  60		/* for AVG and MAX: the event matters more */

struct table {
	struct str *out;
	struct str  line;
	int  width;		/* of the terminal; 0: lines are not cut */
	bool escape, in_ns;
	bool moments;		/* show when the longest one ended */
	bool sums;		/* show only counts and sums */
};

static void add_name(struct table *t, const char *text)
{
	if (t->escape)
		str_add_escaped(&t->line, text, strlen(text));
	else
		str_add(&t->line, text);
}

/* Longer texts are cut: a wrapped line would break the columns. */
static void end_line(struct table *t)
{
	const char *text = t->line.buf;
	size_t len = 0;
	int cells = 0;

	for (; text[len]; len++) {
		if (((unsigned char)text[len] & 0xc0) == 0x80)
			continue;
		if (t->width && cells == t->width)
			break;
		cells++;
	}
	str_addn(t->out, text, len);
	str_addc(t->out, '\n');
	t->out->failed |= t->line.failed;
	str_reset(&t->line);
}

static const char *duration(const struct table *t, uint64_t value, char buf[32])
{
	if (t->in_ns)
		return units_format_time(value, buf);
	snprintf(buf, 32, "%" PRIu64, value);
	return buf;
}

static void add_moment(struct table *t, uint64_t ts)
{
	struct str s = STR_INIT;

	if (!t->moments)
		return;
	if (t->in_ns)
		moment_add(&s, ts);
	else
		str_addf(&s, "%" PRIu64, ts);
	str_addf(&t->line, "  %14s", s.buf);
	t->line.failed |= s.failed;
	str_fini(&s);
}

static void add_times(struct table *t, const struct kt_profile_row *r)
{
	const struct kt_profile_time *time = &r->time;
	char total[32], avg[32], max[32];
	int width = t->sums ? 10 : 3 * 10;

	if (t->moments)
		width = 3 * 10 + 16;
	str_addf(&t->line, "%8" PRIu64, time->count);
	if (!r->is_timed) {
		str_addf(&t->line, "%*s", width, "");
		return;
	}
	str_addf(&t->line, " %9s", duration(t, time->total, total));
	if (t->sums)
		return;
	str_addf(&t->line, " %9s %9s", duration(t, time->total / time->count, avg),
		 duration(t, time->max, max));
	add_moment(t, time->max_ts);
}

static void add_cost(struct table *t, const struct kt_profile_frame *f, bool timed,
		     const struct kt_profile_time *of)
{
	double share = timed && of->total ? (double)f->time.total / (double)of->total :
					    (double)f->time.count / (double)of->count;
	char total[32], max[32];

	str_addf(&t->line, "%.0f %%, %" PRIu64 " time%s", 100 * share, f->time.count,
		 f->time.count == 1 ? "" : "s");
	if (timed)
		str_addf(&t->line, ", %s, max %s", duration(t, f->time.total, total),
			 duration(t, f->time.max, max));
	end_line(t);
}

static void add_frame(struct table *t, const char *before, const struct kt_profile_frame *f)
{
	str_add(&t->line, before);
	if (f->function)
		add_name(t, f->function);
	else
		str_addf(&t->line, "0x%" PRIx64, f->address);
	end_line(t);
}

/* Frames that all stacks of the list share are printed once, before the branches. */
static void add_stacks(struct table *t, const struct kt_profile_frame *f, bool timed,
		       const struct kt_profile_time *of, const char *before)
{
	const struct kt_profile_frame *last, *below;
	struct str inner = STR_INIT;

	for (; f; f = f->next) {
		str_addf(&t->line, "%s+ ", before);
		add_cost(t, f, timed, of);
		str_reset(&inner);
		str_addf(&inner, "%s%c ", before, f->next ? '|' : ' ');
		add_frame(t, inner.buf, f);
		last = f;
		for (below = f->callers; below && !below->next; below = below->callers) {
			add_frame(t, inner.buf, below);
			last = below;
		}
		if (below)
			add_stacks(t, below, timed, &last->time, inner.buf);
	}
	t->out->failed |= inner.failed;
	str_fini(&inner);
}

static void add_row(struct table *t, const struct kt_profile_row *r)
{
	struct kt_profile_time all = { 0 };
	const struct kt_profile_frame *f;
	char before[STACK_INDENT + 1];

	add_times(t, r);
	str_add(&t->line, "  ");
	add_name(t, r->event);
	str_addf(&t->line, "%s%s%s", r->is_function ? "()" : "", *r->value ? ":" : "", r->value);
	end_line(t);
	for (f = r->stacks; f; f = f->next) {
		all.count += f->time.count;
		all.total += f->time.total;
	}
	snprintf(before, sizeof(before), "%*s", STACK_INDENT, "");
	add_stacks(t, r->stacks, r->is_timed, &all, before);
}

static void add_task(struct table *t, const struct kt_profile_task *task)
{
	end_line(t);
	if (!task->comm) {
		str_addf(&t->line, "interrupts of CPU %d", task->cpu);
	} else {
		add_name(t, task->comm);
		if (task->pid > 0)
			str_addf(&t->line, "-%d", task->pid);
		else if (task->pid == 0)
			str_add(&t->line, " (idle)");
	}
	end_line(t);
}

void profile_table(const struct kt_profile *p, struct str *s, bool escape, int width)
{
	struct table t = {
		.out = s, .line = STR_INIT, .width = width, .escape = escape,
		.in_ns = kt_profile_in_ns(p), .moments = !width || width >= 80,
		.sums = width && width < LEAST_WIDTH,
	};
	const struct kt_profile_task *task;
	const struct kt_profile_row *r;
	size_t i, j;

	str_addf(&t.line, "%8s %9s%s%s  EVENT", "COUNT", "TOTAL",
		 t.sums ? "" : "       AVG       MAX", t.moments ? "          MAX AT" : "");
	end_line(&t);
	for (i = 0; (task = kt_profile_task(p, i)); i++) {
		add_task(&t, task);
		for (j = 0; (r = kt_profile_row(p, i, j)); j++)
			add_row(&t, r);
	}
	if (kt_profile_nr_cut(p)) {
		end_line(&t);
		str_addf(&t.line,
			 "not counted: %" PRIu64 " pairs during which events were lost",
			 kt_profile_nr_cut(p));
		end_line(&t);
	}
	str_fini(&t.line);
}
