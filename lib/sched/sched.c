/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sched.c - tasks, CPUs and run queues of a trace, as an analysis of a pass */
#include "sched/sched.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const unsigned int kinds = 1u << KT_SPAN_RUN | 1u << KT_SPAN_PREEMPTED |
				  1u << KT_SPAN_BLOCKED | 1u << KT_SPAN_WAIT;

struct task *sched_task(struct kt_sched *s, size_t source, int pid)
{
	const struct cpu *c = &s->cpus[source];
	/* Each CPU has an idle task of its own. */
	uint32_t who = pid ? (uint32_t)pid : UINT32_MAX - (uint32_t)c->pub.cpu;
	struct task *t;
	bool is_new;

	t = keymap_element(&s->task_of, (uint64_t)c->first << 32 | who, (void **)&s->tasks,
			   &s->nr_tasks, sizeof(*t), &is_new);
	if (t && is_new)
		*t = (struct task){
			.pub = { .file = c->pub.file, .pid = pid, .delay_p99 = UINT64_MAX },
			.chosen = !s->opts.chosen ||
				  s->opts.chosen(s->opts.data, c->pub.file, pid),
			.cpu = -1, .at = NONE, .queue = NONE,
		};
	if (t && t->nr_losses != s->cpus[c->first].nr_losses) {
		t->nr_losses = s->cpus[c->first].nr_losses;
		t->woken = false;
		t->queue = NONE;
	}
	return t;
}

static uint64_t cpu_key(size_t first, int cpu)
{
	return (uint64_t)first << 32 | (uint32_t)cpu;
}

/* NONE: the file has no such CPU in that buffer */
static uint32_t cpu_index(const struct kt_sched *s, size_t source, int cpu)
{
	return keymap_get(&s->cpu_of, cpu_key(s->cpus[source].first, cpu));
}

/* ---- begins of spans: events for the caller, and queues ---- */

bool sched_counts(struct kt_sched *s)
{
	if (!s->opts.counts)
		return true;
	if (s->rec && s->verdict == NOT_ASKED)
		s->verdict = s->opts.counts(s->opts.data, s->rec) ? COUNTS : COUNTS_NOT;
	return s->rec && s->verdict == COUNTS;
}

int sched_tell(struct kt_sched *s, const struct kt_sched_event *ev, struct kt_err *err)
{
	s->nr_events[ev->kind]++;
	if (!s->opts.each || !s->rec || !sched_counts(s))
		return 0;
	return s->opts.each(s->opts.data, ev, err);
}

static struct kt_sched_event event_of(enum kt_sched_event_kind kind, const struct kt_span *span)
{
	return (struct kt_sched_event){
		.kind = kind, .file = span->file, .source = span->begin.source,
		.ts = span->begin.ts, .cpu = span->begin.cpu, .pid = span->pid,
		.other = span->begin.pid,
	};
}

static int arrive(struct kt_sched *s, struct task *t, const struct kt_span *span,
		  struct kt_err *err)
{
	struct kt_sched_event ev = event_of(KT_SCHED_ARRIVED, span);

	t->at = (uint32_t)ev.source;
	s->cpus[ev.source].current = (uint32_t)(t - s->tasks);
	if (s->opts.queues) {
		lengths_leave(s, t, ev.ts);
		lengths_run(s, ev.source, ev.pid != 0, ev.ts);
	}
	return sched_tell(s, &ev, err);
}

/* The CPU whose queue the woken task enters; after sched_waking it may still change. */
static uint32_t target_cpu(struct kt_sched *s, const struct kt_span *span)
{
	const struct kt_field *f = kt_event_field(span->begin.event, "target_cpu");
	uint64_t cpu;

	if (!f || kt_field_u64(span->begin.event, f, s->rec, &cpu) < 0 || cpu > INT32_MAX)
		return NONE;
	return cpu_index(s, span->begin.source, (int)cpu);
}

static int wake(struct kt_sched *s, struct task *t, const struct kt_span *span, struct kt_err *err)
{
	struct kt_sched_event ev = event_of(KT_SCHED_WOKEN, span);

	if (t->at != NONE && s->cpus[t->at].current == (uint32_t)(t - s->tasks))
		return 0;			/* it is running */
	if (s->opts.queues)
		lengths_put(s, t, target_cpu(s, span), ev.ts);
	if (t->woken)
		return 0;
	t->woken = true;
	return sched_tell(s, &ev, err);
}

static int began(void *data, const struct kt_span *span, struct kt_err *err)
{
	struct kt_sched *s = data;
	struct task *t = sched_task(s, span->begin.source, span->pid);

	if (!t)
		return kt_err_no_memory(err);
	if (span->kind == KT_SPAN_RUN)
		return arrive(s, t, span, err);
	if (span->kind == KT_SPAN_WAIT)
		return wake(s, t, span, err);
	if (span->kind == KT_SPAN_PREEMPTED) {
		t->woken = true;
		if (s->opts.queues && span->pid != 0)
			lengths_put(s, t, (uint32_t)span->begin.source, span->begin.ts);
	}
	return 0;
}

/* ---- the analysis ---- */

static int migrate(struct kt_sched *s, const struct kt_event *ev, const struct kt_record *rec,
		   struct kt_err *err)
{
	const struct kt_field *pid = kt_event_field(ev, "pid");
	const struct kt_field *to = kt_event_field(ev, "dest_cpu");
	const struct kt_field *from = kt_event_field(ev, "orig_cpu");
	struct kt_sched_event out = { .kind = KT_SCHED_MIGRATED, .source = rec->source,
				      .ts = rec->ts };
	int64_t pid_value, to_value, from_value;
	struct task *t;

	if (!pid || !to || !from || kt_field_i64(ev, pid, rec, &pid_value) < 0 ||
	    kt_field_i64(ev, to, rec, &to_value) < 0 ||
	    kt_field_i64(ev, from, rec, &from_value) < 0)
		return 0;
	t = sched_task(s, rec->source, (int)pid_value);
	if (!t)
		return kt_err_no_memory(err);
	if (t->chosen && sched_counts(s))
		t->pub.nr_migrations++;
	if (t->queue != NONE)
		lengths_put(s, t, cpu_index(s, rec->source, (int)to_value), rec->ts);
	out.file = t->pub.file;
	out.pid = t->pub.pid;
	out.cpu = (int)from_value;
	out.to_cpu = (int)to_value;
	out.other = kt_record_pid(ev->events, rec);
	return sched_tell(s, &out, err);
}

static int record(struct kt_analysis *a, const struct kt_event *ev, const struct kt_record *rec,
		  struct kt_err *err)
{
	struct kt_sched *s = (struct kt_sched *)a;
	struct kt_analysis *spans = kt_spans_analysis(s->spans);
	int ret;

	if (!s->seen)
		s->first_ts = rec->ts;
	s->seen = true;
	s->last_ts = rec->ts;
	s->rec = rec;
	s->verdict = NOT_ASKED;
	if (ev == s->migrate[s->cpus[rec->source].pub.file])
		ret = migrate(s, ev, rec, err);
	else
		ret = spans->record(spans, ev, rec, err);
	s->rec = NULL;
	return ret;
}

static void lost(struct kt_analysis *a, const struct kt_record *rec)
{
	struct kt_sched *s = (struct kt_sched *)a;
	struct kt_analysis *spans = kt_spans_analysis(s->spans);
	struct cpu *c = &s->cpus[rec->source];

	spans->lost(spans, rec);
	s->cpus[c->first].nr_losses++;
	c->current = NONE;
}

static void end_window(struct kt_sched *s)
{
	size_t i;

	if (!s->seen)
		return;
	s->all_ns += s->last_ts - s->first_ts;
	if (s->opts.queues)
		lengths_end_window(s);
	for (i = 0; i < s->nr_cpus; i++) {
		s->cpus[i].current = NONE;
		s->cpus[i].nr_losses++;
	}
	s->seen = false;
}

static void gap(struct kt_analysis *a)
{
	struct kt_sched *s = (struct kt_sched *)a;
	struct kt_analysis *spans = kt_spans_analysis(s->spans);

	spans->gap(spans);
	end_window(s);
}

static void sum_up(struct task *t)
{
	double n = (double)t->pub.nr_runs;

	if (n > 1 && t->mean > 0)
		t->pub.run_error = sqrt(t->m2 / (n - 1) / n) / t->mean;
	if (!t->delays)
		return;
	/* With few delays, the percentile is the longest one. */
	if (t->pub.nr_delays >= 100)
		t->pub.delay_p99 = dist_quantile(t->delays, t->pub.nr_delays, 0.99);
	if (t->pub.delay_p99 > t->pub.delay_max)
		t->pub.delay_p99 = t->pub.delay_max;
}

static int finish(struct kt_analysis *a, struct kt_err *err)
{
	struct kt_sched *s = (struct kt_sched *)a;
	struct kt_analysis *spans = kt_spans_analysis(s->spans);
	int ret = spans->finish(spans, err);
	size_t i;

	end_window(s);
	for (i = 0; i < s->nr_tasks; i++)
		sum_up(&s->tasks[i]);
	return ret;
}

static void types(struct kt_analysis *a, size_t file, uint64_t bits[KT_ANALYSIS_WORDS])
{
	struct kt_sched *s = (struct kt_sched *)a;
	struct kt_analysis *spans = kt_spans_analysis(s->spans);
	const struct kt_event *ev = s->migrate[file];

	spans->types(spans, file, bits);
	if (ev)
		bits[ev->id / 64] |= 1ull << ev->id % 64;
}

/* ---- creation and destruction ---- */

static int find_cpus(struct kt_sched *s)
{
	struct kt_stream *stream = kt_trace_stream(s->trace);
	size_t i;

	s->nr_cpus = kt_stream_nr_sources(stream);
	s->cpus = calloc(s->nr_cpus + 1, sizeof(*s->cpus));
	if (!s->cpus)
		return -ENOMEM;
	for (i = 0; i < s->nr_cpus; i++) {
		const struct kt_source *src = kt_stream_source(stream, i);
		struct cpu *c = &s->cpus[i];

		c->pub.file = src->file_index;
		c->pub.cpu = src->cpu;
		c->current = NONE;
		c->first = src->first;
		if (keymap_put(&s->cpu_of, cpu_key(c->first, c->pub.cpu), (uint32_t)i) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int find_events(struct kt_sched *s)
{
	size_t nr = kt_trace_nr_files(s->trace), i;

	s->migrate = calloc(nr + 1, sizeof(*s->migrate));
	if (!s->migrate)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		s->migrate[i] = kt_events_by_name(kt_trace_events(s->trace, i), "sched",
						  "sched_migrate_task");
	return 0;
}

struct kt_sched *kt_sched_create(struct kt_trace *t, const struct kt_sched_opts *opts,
				 struct kt_err *err)
{
	struct kt_sched *s = calloc(1, sizeof(*s));

	if (!s) {
		kt_err_no_memory(err);
		return NULL;
	}
	s->analysis = (struct kt_analysis){
		.record = record, .lost = lost, .gap = gap, .finish = finish, .types = types,
	};
	s->trace = t;
	s->opts = *opts;
	if (opts->map) {
		s->map = *opts->map;
		s->opts.map = &s->map;
	}
	if (find_cpus(s) < 0 || find_events(s) < 0)
		kt_err_no_memory(err);
	else
		s->spans = kt_spans_create(t, &(struct kt_spans_opts){ .kinds = kinds,
					   .sink = runs_take, .began = began, .data = s }, err);
	if (s->spans)
		return s;
	kt_sched_destroy(s);
	return NULL;
}

void kt_sched_destroy(struct kt_sched *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->nr_tasks; i++) {
		if (s->tasks[i].delays)
			dist_fini(s->tasks[i].delays);
		free(s->tasks[i].delays);
	}
	keymap_fini(&s->task_of);
	keymap_fini(&s->cpu_of);
	keymap_fini(&s->waiter_of);
	kt_spans_destroy(s->spans);
	free(s->migrate);
	free(s->waiters);
	free(s->tasks);
	free(s->cpus);
	free(s);
}

struct kt_analysis *kt_sched_analysis(struct kt_sched *s)
{
	return &s->analysis;
}

/* ---- results ---- */

bool kt_sched_task(const struct kt_sched *s, size_t i, struct kt_sched_task *task)
{
	if (i < s->nr_tasks)
		*task = s->tasks[i].pub;
	return i < s->nr_tasks;
}

bool kt_sched_cpu(const struct kt_sched *s, size_t i, struct kt_sched_cpu *cpu)
{
	const struct cpu *c;
	size_t k;

	if (i >= s->nr_cpus)
		return false;
	c = &s->cpus[i];
	*cpu = c->pub;
	if (cpu->known_ns)
		cpu->length_avg /= (double)cpu->known_ns;
	for (k = 0; k < KT_SCHED_COLUMNS; k++)
		cpu->map[k] = c->known_in[k] > 0 ? c->area[k] / c->known_in[k] : -1;
	return true;
}

bool kt_sched_waiter(const struct kt_sched *s, size_t i, struct kt_sched_waiter *waiter)
{
	const struct waiter *w;

	if (i >= s->nr_waiters)
		return false;
	w = &s->waiters[i];
	*waiter = (struct kt_sched_waiter){
		.file = s->tasks[w->task].pub.file, .cpu = s->cpus[w->source].pub.cpu,
		.pid = s->tasks[w->task].pub.pid, .source = w->source,
		.count = w->count, .ns = w->ns, .max = w->max, .max_until = w->max_until,
	};
	return true;
}

uint64_t kt_sched_nr_events(const struct kt_sched *s, enum kt_sched_event_kind kind)
{
	return s->nr_events[kind];
}

uint64_t kt_sched_ns(const struct kt_sched *s)
{
	return s->all_ns;
}
