/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* wakeup.c - measure how long tasks wait between wakeup and running */
#include "text/wakeup.h"

#include <inttypes.h>
#include <stdlib.h>

#include <ktrail/span.h>

#define MAX_RT_PRIO 100		/* priorities below are real-time, in the kernel's numbering */

struct latencies {
	uint64_t nr, sum;
	uint64_t max, max_ts;
	uint64_t min, min_ts;
};

struct wakeups {
	struct kt_spans *spans;
	struct latencies all, rt;
	bool     ended;		/* the current record ended a wait */
	uint64_t ns;		/* its length */
};

static int take(void *data, const struct kt_span *span, struct kt_err *err)
{
	struct wakeups *w = data;

	(void)err;
	w->ended = !(span->flags & KT_SPAN_UNFINISHED);
	w->ns = span->end.ts - span->begin.ts;
	return 0;
}

struct wakeups *wakeups_create(struct kt_trace *t)
{
	struct wakeups *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->spans = kt_spans_create(t, &(struct kt_spans_opts){
		.kinds = 1u << KT_SPAN_WAIT, .sink = take, .data = w,
	}, NULL);
	if (w->spans)
		return w;
	free(w);
	return NULL;
}

void wakeups_destroy(struct wakeups *w)
{
	if (!w)
		return;
	kt_spans_destroy(w->spans);
	free(w);
}

static void add(struct latencies *l, uint64_t latency, uint64_t ts)
{
	if (!l->nr || latency > l->max) {
		l->max = latency;
		l->max_ts = ts;
	}
	if (!l->nr || latency < l->min) {
		l->min = latency;
		l->min_ts = ts;
	}
	l->nr++;
	l->sum += latency;
}

/* Kernels since 4.4 have no field "success" and report no failures. */
static bool has_failed(const struct kt_record *rec, const struct text_event *te)
{
	uint64_t success;

	return te->kind == TEXT_WAKEUP &&
	       slot_get(&te->slot[SLOT_WAKEUP_SUCCESS], rec, &success) && !success;
}

bool wakeups_note(struct wakeups *w, const struct kt_record *rec, const struct text_event *te,
		  uint64_t *latency_ns)
{
	struct kt_analysis *spans = kt_spans_analysis(w->spans);
	uint64_t prio = MAX_RT_PRIO;

	if ((te->kind != TEXT_WAKEUP && te->kind != TEXT_SWITCH) || has_failed(rec, te))
		return false;
	w->ended = false;
	if (spans->record(spans, te->ev, rec, NULL) < 0 || !w->ended)
		return false;
	*latency_ns = w->ns;
	add(&w->all, w->ns, rec->ts);
	slot_get(&te->slot[SLOT_SWITCH_NEXT_PRIO], rec, &prio);
	if (prio < MAX_RT_PRIO)
		add(&w->rt, w->ns, rec->ts);
	return true;
}

static void add_usecs(struct str *s, const char *what, uint64_t ns)
{
	str_addf(s, "%s: %" PRIu64 ".%03" PRIu64 " usecs", what, ns / 1000, ns % 1000);
}

static void add_timestamp(struct str *s, uint64_t ts)
{
	uint64_t us = ts / 1000 + (ts % 1000 >= 500);

	str_addf(s, " at timestamp: %" PRIu64 ".%06" PRIu64 "\n", us / 1000000, us % 1000000);
}

static void summarize(const struct latencies *l, struct str *s)
{
	add_usecs(s, "\nAverage wakeup latency", l->sum / l->nr);
	add_usecs(s, "\nMaximum Latency", l->max);
	add_timestamp(s, l->max_ts);
	add_usecs(s, "Minimum Latency", l->min);
	add_timestamp(s, l->min_ts);
	str_addc(s, '\n');
}

static void add_json(const char *key, const struct latencies *l, struct str *s)
{
	str_addf(s, "\"%s\":{\"count\":%" PRIu64 ",\"average\":%" PRIu64 ",\"max\":%" PRIu64
		 ",\"max_ts\":%" PRIu64 ",\"min\":%" PRIu64 ",\"min_ts\":%" PRIu64 "}",
		 key, l->nr, l->sum / l->nr, l->max, l->max_ts, l->min, l->min_ts);
}

static void summarize_json(const struct wakeups *w, struct str *s)
{
	str_addc(s, '{');
	add_json("wakeups", &w->all, s);
	if (w->rt.nr) {
		str_addc(s, ',');
		add_json("real_time_wakeups", &w->rt, s);
	}
	str_add(s, "}\n");
}

void wakeups_summary(const struct wakeups *w, bool json, struct kt_out *out)
{
	if (!w->all.nr)
		return;
	if (json) {
		summarize_json(w, &out->text);
		return;
	}
	summarize(&w->all, &out->text);
	if (w->rt.nr) {
		str_add(&out->text, "RT task timings:\n");
		summarize(&w->rt, &out->text);
	}
}
