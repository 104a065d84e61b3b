/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* why.c - collects what tasks and CPUs did in a window, for reasons.c */
#include "why/why.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "latency/waiting.h"

#define BEFORE_NS     100000000ull	/* read at least this long before the interval */
#define GROWS         10		/* … and this many times longer if that is not enough, */
#define READ_MAX      1000000		/* … unless that took so many records */

static const unsigned int kinds = 1u << KT_SPAN_RUN | 1u << KT_SPAN_PREEMPTED |
				  1u << KT_SPAN_BLOCKED | 1u << KT_SPAN_WAIT | 1u << KT_SPAN_IRQ |
				  1u << KT_SPAN_SOFTIRQ | 1u << KT_SPAN_NMI |
				  1u << KT_SPAN_BLOCK_IO;

/* A request is a moment: its completion, on the CPU where its waiters are woken */
static void take_request(struct kt_why *w, const struct kt_span *s, struct stretch *x)
{
	union detail d = { .io = {
		.issued = s->flags & KT_SPAN_UNBEGUN ? 0 : s->begin.ts, .sector = s->key[1],
		.dev = (uint32_t)s->key[0], .nr_sectors = (uint32_t)s->value,
		.inserted = facts_inserted(w, s->key[0], s->key[1]),
	} };
	const struct kt_field *what = s->end.event ? kt_event_field(w->ev, "rwbs") : NULL;
	struct kt_blob text;
	size_t i;

	if (what && kt_field_bytes(w->ev, what, w->rec, &text) == 0)
		for (i = 0; i < text.size && i < sizeof(d.io.what) - 1; i++)
			d.io.what[i] = ((const char *)text.data)[i];
	x->from = x->until;
	x->detail = why_new_detail(w, &d);
	if (!s->end.event)
		x->kind = STRETCH_FLIGHT;
}

static void take_details(struct kt_why *w, const struct kt_span *s, struct stretch *x)
{
	const struct kt_event *ev = s->begin.event ? s->begin.event : s->end.event;

	switch (s->kind) {
	case KT_SPAN_BLOCKED:
		x->key = s->value;
		x->value = waiting_function(w->trace, s);
		w->has_stacks |= s->nr_frames != 0;
		x->detail = facts_call_of(w, s->pid);
		break;
	case KT_SPAN_WAIT:
		facts_of_wait(w, x);
		x->waker = s->begin.event && strcmp(s->begin.event->name, "sched_wakeup_new") == 0 ?
			   s->begin.pid : -1;
		break;
	case KT_SPAN_IRQ:
		if (ev && strcmp(ev->system, "irq_vectors") == 0)
			x->key = why_vector_key(w, ev);
		break;
	case KT_SPAN_BLOCK_IO:
		take_request(w, s, x);
		break;
	default:
		break;
	}
}

static int take_span(void *data, const struct kt_span *s, struct kt_err *err)
{
	struct kt_why *w = data;
	uint64_t until = s->end.ts;
	struct stretch *x;

	/* The window ends here; the state may go on. */
	if (s->flags & KT_SPAN_UNFINISHED && until < w->opts.until)
		until = w->opts.until;
	if (s->file != w->opts.file || until < w->opts.from || s->begin.ts > w->opts.until ||
	    s->flags & KT_SPAN_CUT || s->end.cpu < 0 || s->end.cpu >= INT16_MAX)
		return 0;
	x = why_new_stretch(w);
	if (!x)
		return w->nr < WHY_STRETCHES_MAX ? kt_err_no_memory(err) :
		       kt_err_set(err, -E2BIG, "this interval has more than %d changes of state: "
				  "choose a shorter one", WHY_STRETCHES_MAX);
	*x = (struct stretch){
		.from = s->begin.ts < until ? s->begin.ts : until, .until = until,
		.kind = (uint8_t)s->kind, .key = s->key[0], .pid = s->pid,
		.cpu = (int16_t)s->end.cpu, .flags = s->end.flags,
		.waker = s->flags & KT_SPAN_UNFINISHED ? -1 : s->end.pid,
	};
	take_details(w, s, x);
	return 0;
}

static int record(struct kt_analysis *a, const struct kt_event *ev, const struct kt_record *rec,
		  struct kt_err *err)
{
	struct kt_why *w = (struct kt_why *)a;
	struct kt_analysis *spans = kt_spans_analysis(w->spans);
	struct kt_analysis *calls = w->calls ? kt_calls_analysis(w->calls) : NULL;
	int ret;

	w->nr_read++;
	if (facts_note(w, ev, rec) < 0)
		return kt_err_set(err, -ENOMEM, "this interval has too many events: "
				  "choose a shorter one");
	ret = calls ? calls->record(calls, ev, rec, err) : 0;
	return ret < 0 ? ret : spans->record(spans, ev, rec, err);
}

static void lost(struct kt_analysis *a, const struct kt_record *rec)
{
	struct kt_why *w = (struct kt_why *)a;
	struct kt_analysis *spans = kt_spans_analysis(w->spans);
	struct kt_analysis *calls = w->calls ? kt_calls_analysis(w->calls) : NULL;

	spans->lost(spans, rec);
	if (calls)
		calls->lost(calls, rec);
	facts_forget(w);
	w->lost_before |= rec->ts < w->opts.from;
}

static int finish(struct kt_analysis *a, struct kt_err *err)
{
	struct kt_why *w = (struct kt_why *)a;
	struct kt_analysis *spans = kt_spans_analysis(w->spans);
	struct kt_analysis *calls = w->calls ? kt_calls_analysis(w->calls) : NULL;
	int ret = spans->finish(spans, err);

	if (ret == 0 && calls)
		ret = calls->finish(calls, err);
	if (ret < 0)
		return ret;
	if (facts_finish(w) < 0 || lanes_make(w) < 0)
		return kt_err_no_memory(err);
	why_explain(w);
	callees_explain(w);
	return w->failed ? kt_err_no_memory(err) : 0;
}

static void types(struct kt_analysis *a, size_t file, uint64_t bits[KT_ANALYSIS_WORDS])
{
	struct kt_why *w = (struct kt_why *)a;
	struct kt_analysis *spans = kt_spans_analysis(w->spans);

	spans->types(spans, file, bits);
	callees_types(w, file, bits);
	facts_types(w, file, bits);
}

/* What one pass collects */
static void forget(struct kt_why *w)
{
	kt_spans_destroy(w->spans);
	kt_calls_destroy(w->calls);
	keymap_fini(&w->callees.of);
	free(w->callees.at);
	keymap_fini(&w->paths.of);
	free(w->paths.at);
	str_fini(&w->chain);
	handlers_fini(&w->handlers);
	facts_fini(&w->facts);
	lanes_fini(&w->tasks);
	lanes_fini(&w->cpus);
	free(w->details);
	free(w->at);
	free(w->lines);
}

/* The time of the first record of the file; 0: not known */
static uint64_t find_first(const struct kt_why *w)
{
	struct kt_stream *stream = kt_trace_stream(w->trace);
	uint64_t ts = UINT64_MAX;
	struct kt_err damage = { 0 };	/* the pass reports it */
	struct kt_record rec;
	size_t i;

	for (i = 0; i < kt_stream_nr_sources(stream); i++)
		if (kt_stream_source(stream, i)->file_index == w->opts.file &&
		    kt_stream_first(stream, i, &rec, &damage) > 0 && rec.ts < ts)
			ts = rec.ts;
	return ts == UINT64_MAX ? 0 : ts;
}

/* Reset for a pass over the next window */
static int begin(struct kt_why *w, struct kt_err *err)
{
	w->spans = kt_spans_create(w->trace, &(struct kt_spans_opts){
		.kinds = kinds, .sink = take_span, .data = w }, err);
	return w->spans && callees_create(w, err) == 0 ? 0 : -ENOMEM;
}

struct kt_why *kt_why_create(struct kt_trace *t, const struct kt_why_opts *opts,
			     struct kt_err *err)
{
	struct kt_why *w;

	if (opts->from >= opts->until) {
		kt_err_set(err, -EINVAL, "the interval is empty");
		return NULL;
	}
	w = calloc(1, sizeof(*w));
	if (!w) {
		kt_err_no_memory(err);
		return NULL;
	}
	w->analysis = (struct kt_analysis){
		.record = record, .lost = lost, .finish = finish, .types = types,
	};
	w->text = (struct str)STR_INIT;
	w->trace = t;
	w->opts = *opts;
	w->first = find_first(w);
	w->before = opts->until - opts->from;
	if (w->before < BEFORE_NS)
		w->before = BEFORE_NS;
	if (begin(w, err) == 0)
		return w;
	kt_why_destroy(w);
	return NULL;
}

void kt_why_destroy(struct kt_why *w)
{
	if (!w)
		return;
	forget(w);
	str_fini(&w->text);
	free(w);
}

int kt_why_goes_back(struct kt_why *w, struct kt_err *err)
{
	struct kt_why again;

	if (!w->is_older || w->lost_before || w->nr_read >= READ_MAX || why_reads_all_before(w) ||
	    __builtin_mul_overflow(w->before, GROWS, &w->before))
		return 0;
	forget(w);
	again = (struct kt_why){ .analysis = w->analysis, .trace = w->trace, .opts = w->opts,
				 .first = w->first, .before = w->before, .text = w->text };
	*w = again;
	return begin(w, err) < 0 ? -ENOMEM : 1;
}

struct kt_analysis *kt_why_analysis(struct kt_why *w)
{
	return &w->analysis;
}

struct kt_window kt_why_window(const struct kt_why *w)
{
	return (struct kt_window){ w->opts.from > w->before ? w->opts.from - w->before : 0,
				   w->opts.until };
}

bool why_reads_all_before(const struct kt_why *w)
{
	return kt_why_window(w).from <= w->first;
}

size_t kt_why_nr(const struct kt_why *w)
{
	return w->nr_lines;
}

const struct kt_why_line *kt_why_line(const struct kt_why *w, size_t i)
{
	return i < w->nr_lines ? &w->lines[i] : NULL;
}
