/* SPDX-License-Identifier: GPL-2.0-or-later */
/* figures.c - a metric measured in a file, for people and for programs */
#include "figures.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/units.h"
#include "cmd/args/input.h"
#include "cmd/cmd.h"

int figures_take(struct kt_metric **m, const char *text, struct kt_err *err)
{
	int ret = 0;

	if (*m)
		ret = kt_metric_add(*m, text, err);
	else if (!(*m = kt_metric_parse(text, err)))
		ret = kt_err_code(err, -ENOMEM);
	return ret == -EINVAL ? CMD_MISUSE : ret;
}

/* ---- measurement ---- */

struct reading {
	struct kt_trace *trace;
	const struct choose *choose;
};

static bool counts(void *data, const struct kt_record *rec)
{
	const struct reading *r = data;

	return choose_lets_pass(r->choose, r->trace, rec);
}

static bool chosen(void *data, size_t file, int pid)
{
	const struct reading *r = data;

	return choose_has_task(r->choose, r->trace, file, pid);
}

/* The length of the windows, or from the first event to the last; 0: no events */
static uint64_t duration_of(struct kt_trace *t, const struct choose *c)
{
	struct kt_window span;
	uint64_t ns = 0;
	size_t i;

	for (i = 0; i < c->nr_windows; i++)
		ns += c->windows[i].until - c->windows[i].from;
	if (!c->nr_windows && choose_find_span(kt_trace_stream(t), &span, NULL) > 0)
		ns = span.until - span.from;
	return ns;
}

static int measure(struct kt_metric *m, struct kt_trace *t, struct choose *c, struct kt_err *err)
{
	struct reading r = { t, c };
	struct kt_metric_opts o = { .data = &r };
	struct kt_analysis *const *list;
	size_t nr;
	int ret;

	choose_forget(c);
	ret = choose_prepare(t, c, err);
	if (ret < 0)
		return ret;
	if (choose_chooses(c))
		o.counts = counts;
	if (c->pids || c->comms)
		o.chosen = chosen;
	o.duration_ns = duration_of(t, c);
	ret = kt_metric_open(m, t, &o, err);
	if (ret < 0)
		return ret;
	list = kt_metric_analyses(m, &nr);
	return choose_run(t, c, 0, list, nr, err);
}

struct kt_trace *figures_measure(struct kt_metric *m, const char *path, struct choose *c,
				 struct kt_err *err)
{
	struct kt_trace *t = input_open(path, err);

	if (!t || measure(m, t, c, err) == 0)
		return t;
	figures_end(m, t);
	return NULL;
}

void figures_end(struct kt_metric *m, struct kt_trace *t)
{
	kt_metric_close(m);
	kt_trace_destroy(t);
}

/* ---- as text ---- */

/* In a broken file, a sum may exceed 64 bits. */
static uint64_t whole(double value)
{
	return value < 18446744073709549568.0 ? (uint64_t)value : UINT64_MAX;
}

const char *figures_format(enum kt_metric_unit unit, double value, char *text, size_t size)
{
	if (unit == KT_METRIC_NS)
		return units_format_time(whole(value), text);
	snprintf(text, size, unit == KT_METRIC_PER_SECOND ? "%.3g/s" : "%.0f", value);
	return text;
}

const char *figures_word(enum kt_verdict v)
{
	static const char *const words[] = {
		[KT_VERDICT_HOLDS] = "holds", [KT_VERDICT_FAILS] = "fails",
		[KT_VERDICT_UNKNOWN] = "unknown",
	};

	return words[v];
}

int figures_status(enum kt_verdict v)
{
	static const int statuses[] = {
		[KT_VERDICT_HOLDS] = 0, [KT_VERDICT_FAILS] = 1,
		[KT_VERDICT_UNKNOWN] = FIGURES_CANNOT_TELL,
	};

	return statuses[v];
}

static void add_row(struct json *j, const struct kt_metric_row *row)
{
	static const char *const units[] = { "", "1/s", "ns" };

	json_open(j, NULL, '{');
	json_str(j, "metric", row->name);
	json_str(j, "unit", units[row->unit]);
	json_uint(j, "samples", row->samples);
	if (!row->has_value)
		json_str(j, "value", NULL);
	else if (row->unit == KT_METRIC_PER_SECOND)
		json_real(j, "value", row->value);
	else
		json_uint(j, "value", whole(row->value));
	json_str(j, "limit", row->limit_text);
	json_str(j, "verdict", figures_word(row->verdict));
	if (row->unseen == UINT64_MAX)
		json_str(j, "unseen", NULL);
	else
		json_uint(j, "unseen", row->unseen);
	json_str(j, "why", row->why);
	json_close(j, '}');
}

void figures_add_json(struct json *j, const char *key, struct kt_metric *m)
{
	struct kt_metric_row row;
	size_t i;

	json_open(j, key, '[');
	for (i = 0; kt_metric_row(m, i, &row); i++)
		add_row(j, &row);
	json_close(j, ']');
}

char *figures_record_line(const struct kt_metric *m)
{
	struct kt_names args = { 0 };
	struct str line = STR_INIT;
	size_t i;

	if (kt_metric_record_args(m, &args, NULL) == -ENOMEM)
		line.failed = true;
	for (i = 0; i < args.nr; i++)
		str_addf(&line, "%s%s", i ? " " : "", args.names[i]);
	kt_names_fini(&args);
	return str_take(&line);
}
