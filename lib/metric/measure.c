/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* measure.c - the samples of a metric, from one pass over a trace */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "latency/latency.h"
#include "latency/subject.h"
#include "metric/metric.h"

/* ---- samples ---- */

static bool counts(void *data, const struct kt_record *rec)
{
	const struct kt_metric_opts *o = &((struct source *)data)->metric->opts;

	return !o->counts || o->counts(o->data, rec);
}

static bool chosen(void *data, size_t file, int pid)
{
	const struct kt_metric_opts *o = &((struct source *)data)->metric->opts;

	return !o->chosen || o->chosen(o->data, file, pid);
}

static void count_within(struct source *s, uint64_t ns)
{
	struct part *p = s->metric->parts, *end = p + s->metric->nr;

	for (; p < end; p++)
		if (s->metric->sources[p->source] == s)
			p->nr_within += compare_holds(p->sign,
						      (ns > p->limit_ns) - (ns < p->limit_ns), 0);
}

static int take_latency(void *data, enum kt_latency_kind kind, uint64_t key,
			const struct kt_latency *one)
{
	struct source *s = data;
	uint64_t ns = one->until - one->from;

	(void)key;
	if (!s->count || ns < s->min)
		s->min = ns;
	if (ns > s->max)
		s->max = ns;
	s->count++;
	s->sum += ns;
	s->errors += kind == KT_LATENCY_SYSCALL && one->result < 0 &&
		     one->result > -KT_LATENCY_ERRNOS;
	count_within(s, ns);
	return dist_add(&s->dist, ns, DIST_NO_MAP);
}

static int take_event(struct kt_analysis *a, const struct kt_event *ev,
		      const struct kt_record *rec, struct kt_err *err)
{
	struct source *s = (struct source *)a;
	size_t file = kt_trace_source(s->metric->trace, rec)->file_index;

	(void)err;
	if (kt_filter_match(s->only, rec) && counts(s, rec) &&
	    chosen(s, file, kt_record_pid(ev->events, rec)))
		s->count++;
	return 0;
}

static void event_types(struct kt_analysis *a, size_t file, uint64_t bits[KT_ANALYSIS_WORDS])
{
	uint64_t own[KT_ANALYSIS_WORDS] = { 0 };
	size_t i;

	kt_filter_types(((struct source *)a)->only, file, own);
	for (i = 0; i < KT_ANALYSIS_WORDS; i++)
		bits[i] |= own[i];
}

/* ---- losses ---- */

static int take_nothing(struct kt_analysis *a, const struct kt_event *ev,
			const struct kt_record *rec, struct kt_err *err)
{
	(void)a;
	(void)ev;
	(void)rec;
	(void)err;
	return 0;
}

static void no_types(struct kt_analysis *a, size_t file, uint64_t bits[KT_ANALYSIS_WORDS])
{
	(void)a;
	(void)file;
	(void)bits;
}

static void lost(struct kt_analysis *a, const struct kt_record *rec)
{
	struct kt_metric *m = (struct kt_metric *)((char *)a - offsetof(struct kt_metric, losses));

	if (rec->lost == KT_LOST_UNKNOWN || m->nr_lost == UINT64_MAX)
		m->nr_lost = UINT64_MAX;
	else
		m->nr_lost += rec->lost;
}

/* ---- open ---- */

/* Does the trace have its events? */
static bool is_recorded(const struct source *s, struct kt_trace *t)
{
	const char *one[KT_LATENCY_STEPS + 1];
	const char *const *events;

	if (s->latency && kt_latency_subject_kind(s->latency) != KT_LATENCY_PAIR)
		return kt_latency_kind_is_recorded(t, kt_latency_subject_kind(s->latency));
	for (events = metric_events(s, one); *events; events++)
		if (!latency_has_event(t, *events))
			return false;
	return true;
}

static int open_latency(struct source *s, struct kt_trace *t, struct kt_err *err)
{
	struct kt_latency_opts o = {
		.kinds = 1u << kt_latency_subject_kind(s->latency), .subjects = &s->latency,
		.nr_subjects = 1, .together = true, .each = take_latency, .data = s,
		.counts = s->metric->opts.counts ? counts : NULL,
		.chosen = s->metric->opts.chosen ? chosen : NULL,
	};
	int ret = kt_latency_subject_steps(s->latency, t, &o.steps, &o.nr_steps, err);

	if (ret < 0)
		return ret;
	s->table = kt_latency_table_create(t, &o, err);
	return s->table ? 0 : kt_err_code(err, -ENOMEM);
}

static int open_source(struct source *s, struct kt_trace *t, struct kt_err *err)
{
	struct kt_err why = { 0 };
	int ret;

	if (!is_recorded(s, t)) {
		s->why = strdup("its events were not recorded");
		return s->why ? 0 : kt_err_no_memory(err);
	}
	if (s->latency) {
		ret = open_latency(s, t, &why);
	} else {
		s->only = subject_filter(t, s->event, s->filter, &why);
		ret = s->only ? 0 : kt_err_code(&why, -ENOMEM);
	}
	if (ret != -ENOENT)
		return ret < 0 ? kt_err_set(err, ret, "'%s': %s", s->text, why.msg) : 0;
	/* A field of a key */
	s->why = strdup(why.msg);
	return s->why ? 0 : kt_err_no_memory(err);
}

int kt_metric_open(struct kt_metric *m, struct kt_trace *t, const struct kt_metric_opts *opts,
		   struct kt_err *err)
{
	size_t i;
	int ret = 0;

	kt_metric_close(m);
	m->trace = t;
	m->opts = *opts;
	m->nr_lost = 0;
	m->losses = (struct kt_analysis){ .record = take_nothing, .lost = lost, .types = no_types };
	m->list = calloc(m->nr_sources + 1, sizeof(*m->list));
	if (!m->list)
		return kt_err_no_memory(err);
	m->list[m->nr_list++] = &m->losses;
	for (i = 0; i < m->nr; i++)
		m->parts[i].nr_within = 0;
	for (i = 0; i < m->nr_sources && ret == 0; i++) {
		struct source *s = m->sources[i];

		ret = open_source(s, t, err);
		s->analysis = (struct kt_analysis){ .record = take_event, .types = event_types };
		if (ret == 0 && !s->why)
			m->list[m->nr_list++] = s->table ? kt_latency_table_analysis(s->table)
							 : &s->analysis;
	}
	if (ret < 0)
		kt_metric_close(m);
	return ret;
}

struct kt_analysis *const *kt_metric_analyses(const struct kt_metric *m, size_t *nr)
{
	*nr = m->nr_list;
	return m->list;
}

void kt_metric_close(struct kt_metric *m)
{
	size_t i;

	for (i = 0; i < m->nr_sources; i++) {
		struct source *s = m->sources[i];

		kt_latency_table_destroy(s->table);
		kt_filter_destroy(s->only);
		dist_fini(&s->dist);
		free(s->why);
		s->table = NULL;
		s->only = NULL;
		s->why = NULL;
		s->count = s->sum = s->min = s->max = s->errors = 0;
	}
	free(m->list);
	m->list = NULL;
	m->nr_list = 0;
}
