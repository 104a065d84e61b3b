/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* wakeup.c - how long tasks wait between being woken and running */
#include "text/wakeup.h"

#include <inttypes.h>
#include <stdlib.h>

#define MAX_RT_PRIO 100		/* priorities below are real-time, in the kernel's numbering */

struct woken {
	int32_t  pid;
	bool     used, waits;
	uint64_t since;
};

struct latencies {
	uint64_t nr, sum;
	uint64_t max, max_ts;
	uint64_t min, min_ts;
};

struct wakeups {
	struct woken *tasks;	/* open addressing, a power of two */
	size_t nr, cap;
	struct latencies all, rt;
};

struct wakeups *wakeups_create(void)
{
	return calloc(1, sizeof(struct wakeups));
}

void wakeups_destroy(struct wakeups *w)
{
	if (!w)
		return;
	free(w->tasks);
	free(w);
}

static struct woken *slot_of(struct woken *tasks, size_t cap, int32_t pid)
{
	size_t i = ((uint32_t)pid * 2654435761u) & (cap - 1);

	while (tasks[i].used && tasks[i].pid != pid)
		i = (i + 1) & (cap - 1);
	return &tasks[i];
}

static bool grow(struct wakeups *w)
{
	size_t i, cap = w->cap ? 2 * w->cap : 256;
	struct woken *tasks = calloc(cap, sizeof(*tasks));

	if (!tasks)
		return false;
	for (i = 0; i < w->cap; i++)
		if (w->tasks[i].used)
			*slot_of(tasks, cap, w->tasks[i].pid) = w->tasks[i];
	free(w->tasks);
	w->tasks = tasks;
	w->cap = cap;
	return true;
}

static void wake(struct wakeups *w, int32_t pid, uint64_t ts)
{
	struct woken *t;

	if (2 * w->nr >= w->cap && !grow(w))
		return;
	t = slot_of(w->tasks, w->cap, pid);
	w->nr += !t->used;
	*t = (struct woken){ .pid = pid, .used = true, .waits = true, .since = ts };
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

static bool run(struct wakeups *w, int32_t pid, uint64_t prio, uint64_t ts, uint64_t *latency)
{
	struct woken *t = w->cap ? slot_of(w->tasks, w->cap, pid) : NULL;

	if (!t || !t->waits)
		return false;
	t->waits = false;
	*latency = ts - t->since;
	add(&w->all, *latency, ts);
	if (prio < MAX_RT_PRIO)
		add(&w->rt, *latency, ts);
	return true;
}

bool wakeups_note(struct wakeups *w, const struct kt_record *rec, const struct text_event *te,
		  uint64_t *latency_ns)
{
	uint64_t pid, success, prio = MAX_RT_PRIO;

	if (te->kind == TEXT_WAKEUP) {
		/* Kernels since 4.4 have no field "success": they report no failures */
		if (slot_get(&te->slot[SLOT_WAKEUP_PID], rec, &pid) &&
		    (!slot_get(&te->slot[SLOT_WAKEUP_SUCCESS], rec, &success) || success))
			wake(w, pid, rec->ts);
		return false;
	}
	if (te->kind != TEXT_SWITCH || !slot_get(&te->slot[SLOT_SWITCH_NEXT_PID], rec, &pid))
		return false;
	slot_get(&te->slot[SLOT_SWITCH_NEXT_PRIO], rec, &prio);
	return run(w, pid, prio, rec->ts, latency_ns);
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
