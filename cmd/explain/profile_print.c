/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile_print.c - a profile as text and as JSON */
#include "profile_print.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cmd/cmd.h"

#define FIRST_BAR 10	/* columns before the first stacks */

static void add_safely(struct str *s, const char *text, bool escape)
{
	if (escape)
		str_add_escaped(s, text, strlen(text));
	else
		str_add(s, text);
}

static void add_frame(struct str *s, const struct kt_profile_frame *f, bool escape)
{
	if (f->function) {
		add_safely(s, f->function, escape);
		str_addf(s, " (0x%" PRIx64 ")\n", f->address);
	} else {
		str_addf(s, "0x%" PRIx64 "\n", f->address);
	}
}

/* "Max: 129886(ts:1550.220815)", the time rounded as in a report */
static void add_extreme(struct str *s, const char *name, uint64_t value, uint64_t ts)
{
	uint64_t us = ts / 1000 + (ts % 1000 >= 500);

	str_addf(s, "%s%" PRIu64 "(ts:%" PRIu64 ".%06" PRIu64 ")", name, value, us / 1000000,
		 us % 1000000);
}

static void add_cost(struct str *s, const struct kt_profile_frame *f, bool timed,
		     const struct kt_profile_time *of)
{
	const struct kt_profile_time *t = &f->time;
	double share = timed && of->total ? (double)t->total / of->total
					  : (double)t->count / of->count;

	str_addf(s, "%.0f%% (%" PRIu64 ")", 100 * share, t->count);
	if (timed) {
		str_addf(s, " time:%" PRIu64, t->total);
		add_extreme(s, " max:", t->max, t->max_ts);
		add_extreme(s, " min:", t->min, t->min_ts);
		str_addf(s, " avg:%" PRIu64, t->total / t->count);
	}
	str_addc(s, '\n');
}

static void add_stacks(struct str *s, const struct kt_profile_frame *list, bool timed,
		       const struct kt_profile_time *of, const char *front, bool escape)
{
	const struct kt_profile_frame *f, *last, *below;
	struct str inner = STR_INIT;

	for (f = list; f; f = f->next) {
		str_addf(s, "%s|\n%s+ ", front, front);
		add_frame(s, f, escape);
		str_reset(&inner);
		str_addf(&inner, "%s%c     ", front, f->next ? '|' : ' ');
		str_addn(s, inner.buf, inner.len - 2);
		add_cost(s, f, timed, of);
		last = f;
		for (below = f->callers; below && !below->next; below = below->callers) {
			str_addn(s, inner.buf, inner.len - 1);
			add_frame(s, below, escape);
			last = below;
		}
		if (below)
			add_stacks(s, below, timed, &last->time, inner.buf, escape);
	}
	str_fini(&inner);
}

/* Roots have the part that all stacks of the row share. */
static void add_all_stacks(struct str *s, const struct kt_profile_row *r, bool escape)
{
	struct kt_profile_time all = { 0 };
	const struct kt_profile_frame *f;
	char front[FIRST_BAR + 1];

	if (!r->stacks)
		return;
	for (f = r->stacks; f; f = f->next) {
		all.count += f->time.count;
		all.total += f->time.total;
	}
	memset(front, ' ', FIRST_BAR);
	front[FIRST_BAR] = 0;
	add_stacks(s, r->stacks, r->is_timed, &all, front, escape);
	str_addc(s, '\n');
}

static void add_row(struct str *s, const struct kt_profile_row *r, bool escape)
{
	const struct kt_profile_time *t = &r->time;

	str_add(s, r->is_function ? "  Event: func: " : "  Event: ");
	add_safely(s, r->event, escape);
	str_addf(s, "%s%s%s (%" PRIu64 ")", r->is_function ? "()" : "", *r->value ? ":" : "",
		 r->value, t->count);
	if (r->is_timed) {
		str_addf(s, " Total: %" PRIu64 " Avg: %" PRIu64, t->total, t->total / t->count);
		add_extreme(s, " Max: ", t->max, t->max_ts);
		add_extreme(s, " Min:", t->min, t->min_ts);
	}
	str_addc(s, '\n');
	add_all_stacks(s, r, escape);
}

void profile_text(const struct kt_profile *p, struct str *s, bool escape)
{
	const struct kt_profile_task *t;
	const struct kt_profile_row *r;
	size_t i, j;

	for (i = 0; (t = kt_profile_task(p, i)); i++) {
		if (!t->comm) {
			str_addf(s, "Global CPU[%d] Events\n", t->cpu);
		} else {
			str_add(s, t->pid < 0 ? "\ngroup: " : "\ntask: ");
			add_safely(s, t->comm, escape);
			if (t->pid >= 0)
				str_addf(s, "-%d", t->pid);
			str_addc(s, '\n');
		}
		for (j = 0; (r = kt_profile_row(p, i, j)); j++)
			add_row(s, r, escape);
	}
	if (kt_profile_nr_cut(p))
		str_addf(s,
			 "\nNot counted: %" PRIu64 " pairs during which events were lost\n",
			 kt_profile_nr_cut(p));
}

int profile_check_order(const struct profile_order *order, enum kt_profile_order *by,
			struct kt_err *err)
{
	static const char *const names[] = { "total", "count", "avg", "max", "name", NULL };
	int i = order->sort ? cmd_sort(order->sort, names, err) : 0;

	if (i >= 0)
		*by = (enum kt_profile_order)i;
	return i < 0 ? i : 0;
}

int profile_sort(struct kt_profile *p, const struct profile_order *order, struct kt_err *err)
{
	enum kt_profile_order by;
	int ret = profile_check_order(order, &by, err);

	if (ret == 0)
		ret = kt_profile_sort(p, by, order->top);
	return ret == -ENOMEM ? kt_err_no_memory(err) : ret;
}

/* ---- JSON ---- */

static void json_time(struct json *j, const struct kt_profile_time *t, bool timed)
{
	json_uint(j, "count", t->count);
	if (!timed)
		return;
	json_uint(j, "total", t->total);
	json_uint(j, "max", t->max);
	json_uint(j, "max_ts", t->max_ts);
	json_uint(j, "min", t->min);
	json_uint(j, "min_ts", t->min_ts);
}

static void json_stacks(struct json *j, const char *key, const struct kt_profile_frame *f,
			bool timed)
{
	char address[24];

	json_open(j, key, '[');
	for (; f; f = f->next) {
		snprintf(address, sizeof(address), "0x%" PRIx64, f->address);
		json_open(j, NULL, '{');
		json_str(j, "function", f->function);
		json_str(j, "address", address);
		json_time(j, &f->time, timed);
		json_stacks(j, "callers", f->callers, timed);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_row(struct json *j, const struct kt_profile_row *r)
{
	json_open(j, NULL, '{');
	json_str(j, r->is_function ? "function" : "event", r->event);
	if (*r->value)
		json_str(j, "value", r->value);
	json_time(j, &r->time, r->is_timed);
	json_stacks(j, "stacks", r->stacks, r->is_timed);
	json_close(j, '}');
}

void profile_json(const struct kt_profile *p, struct str *s)
{
	const struct kt_profile_task *t;
	const struct kt_profile_row *r;
	struct json j = JSON_INIT;
	size_t i, k;

	json_open(&j, NULL, '[');
	for (i = 0; (t = kt_profile_task(p, i)); i++) {
		json_open(&j, NULL, '{');
		if (t->pid >= 0)
			json_int(&j, "pid", t->pid);
		if (t->cpu >= 0)
			json_int(&j, "cpu", t->cpu);
		if (t->comm)
			json_str(&j, "comm", t->comm);
		json_open(&j, "events", '[');
		for (k = 0; (r = kt_profile_row(p, i, k)); k++)
			json_row(&j, r);
		json_close(&j, ']');
		json_close(&j, '}');
	}
	json_close(&j, ']');
	str_add(s, j.text.buf);
	str_addc(s, '\n');
	s->failed |= j.text.failed;
	str_fini(&j.text);
}
