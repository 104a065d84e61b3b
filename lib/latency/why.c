/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* why.c - what tasks and CPUs did in a window, collected for why_reasons.c */
#include "latency/why.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "latency/waiting.h"

#define STRETCHES_MAX 4000000
#define BEFORE_NS     100000000ull	/* at least so long before the interval it is read */

static const unsigned int kinds = 1u << KT_SPAN_RUN | 1u << KT_SPAN_PREEMPTED |
				  1u << KT_SPAN_BLOCKED | 1u << KT_SPAN_WAIT | 1u << KT_SPAN_IRQ |
				  1u << KT_SPAN_SOFTIRQ;

static struct stretch *new_stretch(struct kt_why *w)
{
	struct stretch *grown;
	size_t room = w->room ? 2 * w->room : 1024;

	if (w->nr < w->room)
		return &w->at[w->nr++];
	if (w->nr >= STRETCHES_MAX)
		return NULL;
	grown = reallocarray(w->at, room, sizeof(*grown));
	if (!grown)
		return NULL;
	w->at = grown;
	w->room = room;
	return &w->at[w->nr++];
}

static int take_span(void *data, const struct kt_span *s, struct kt_err *err)
{
	struct kt_why *w = data;
	struct stretch *x;

	if (s->file != w->opts.file || s->end.ts < w->opts.from || s->begin.ts > w->opts.until ||
	    s->flags & KT_SPAN_CUT)
		return 0;
	x = new_stretch(w);
	if (!x)
		return kt_err_set(err, -ENOMEM, "too much happens in this interval: more than %d "
				  "changes of state", STRETCHES_MAX);
	*x = (struct stretch){
		.from = s->begin.ts, .until = s->end.ts, .kind = (uint8_t)s->kind,
		.key = s->kind == KT_SPAN_BLOCKED ? s->value : s->key[0], .pid = s->pid,
		.cpu = (int16_t)s->end.cpu, .flags = s->end.flags,
		.waker = s->flags & KT_SPAN_UNFINISHED ? -1 : s->end.pid,
	};
	if (s->kind == KT_SPAN_BLOCKED)
		x->function = waiting_function(w->trace, s);
	return 0;
}

static int by_begin(const void *a, const void *b)
{
	const struct stretch *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->until < y->until ? -1 : x->until > y->until;
}

static int record(struct kt_analysis *a, const struct kt_event *ev, const struct kt_record *rec,
		  struct kt_err *err)
{
	struct kt_why *w = (struct kt_why *)a;
	struct kt_analysis *spans = kt_spans_analysis(w->spans);

	handlers_note(&w->handlers, ev, rec);
	return spans->record(spans, ev, rec, err);
}

static void lost(struct kt_analysis *a, const struct kt_record *rec)
{
	struct kt_analysis *spans = kt_spans_analysis(((struct kt_why *)a)->spans);

	spans->lost(spans, rec);
}

static int finish(struct kt_analysis *a, struct kt_err *err)
{
	struct kt_why *w = (struct kt_why *)a;
	struct kt_analysis *spans = kt_spans_analysis(w->spans);
	int ret = spans->finish(spans, err);

	if (ret < 0)
		return ret;
	if (w->nr)
		qsort(w->at, w->nr, sizeof(*w->at), by_begin);
	why_explain(w);
	return w->failed ? kt_err_set(err, -ENOMEM, "out of memory") : 0;
}

static void types(struct kt_analysis *a, size_t file, uint64_t bits[KT_ANALYSIS_WORDS])
{
	struct kt_analysis *spans = kt_spans_analysis(((struct kt_why *)a)->spans);

	spans->types(spans, file, bits);
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
		kt_err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	w->analysis = (struct kt_analysis){
		.record = record, .lost = lost, .finish = finish, .types = types,
	};
	w->trace = t;
	w->opts = *opts;
	w->spans = kt_spans_create(t, &(struct kt_spans_opts){
		.kinds = kinds, .sink = take_span, .data = w }, err);
	if (w->spans)
		return w;
	free(w);
	return NULL;
}

void kt_why_destroy(struct kt_why *w)
{
	if (!w)
		return;
	kt_spans_destroy(w->spans);
	handlers_fini(&w->handlers);
	free(w->at);
	free(w->lines);
	free(w);
}

struct kt_analysis *kt_why_analysis(struct kt_why *w)
{
	return &w->analysis;
}

struct kt_window kt_why_window(const struct kt_why *w)
{
	uint64_t before = w->opts.until - w->opts.from;

	if (before < BEFORE_NS)
		before = BEFORE_NS;
	return (struct kt_window){ w->opts.from > before ? w->opts.from - before : 0,
				   w->opts.until };
}

size_t kt_why_nr(const struct kt_why *w)
{
	return w->nr_lines;
}

const struct kt_why_line *kt_why_line(const struct kt_why *w, size_t i)
{
	return i < w->nr_lines ? &w->lines[i] : NULL;
}
