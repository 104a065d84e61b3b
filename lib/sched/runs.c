/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* runs.c - turn the spans of a task into its stays on CPUs, and add these up */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sched/sched.h"

#define DISTS_MAX 2048

/* Source: Linux, include/linux/sched.h. TASK_IDLE has both: it does not count as blocked. */
#define STATE_BLOCKED 0x02
#define STATE_NOLOAD  0x80

/* ---- what a task did before it got its CPU ---- */

/* It was off the CPU until it was woken, or until it has a CPU again. */
static void take_off(struct task *t, const struct kt_span *s)
{
	t->off = s->begin.ts;
	t->off_state = s->kind == KT_SPAN_BLOCKED ? s->value : 0;
	if (s->kind == KT_SPAN_PREEMPTED)
		t->ready = s->begin.ts;
	/* If a switch ended it, no wakeup was recorded, or it came before the sleep. */
	else if (s->end.event && strcmp(s->end.event->name, "sched_switch") != 0)
		t->ready = s->end.ts;
}

static void take_wait(struct task *t, const struct kt_span *s)
{
	/* The wakeup may have come before the task was off its CPU. */
	if (!t->ready)
		t->ready = s->begin.ts > t->off ? s->begin.ts : t->off;
}

static void take_before(struct task *t, const struct kt_span *s)
{
	if (s->flags & KT_SPAN_UNFINISHED) {
		t->pub.lost += !!(s->flags & KT_SPAN_CUT);
		t->pub.ends += s->flags == KT_SPAN_UNFINISHED && s->kind != KT_SPAN_BLOCKED;
		return;
	}
	/* Woken while it ran, before it lost its CPU: that wait is over. */
	if (s->kind == KT_SPAN_WAIT && s->begin.ts < t->ready)
		return;
	if (s->flags & KT_SPAN_CUT) {
		t->cut = true;
		t->off = t->ready = 0;
	} else if (s->kind == KT_SPAN_WAIT) {
		take_wait(t, s);
	} else {
		take_off(t, s);
	}
}

/* ---- sums ---- */

static int add_delay(struct kt_sched *s, struct task *t, const struct kt_sched_run *run)
{
	uint64_t ns = run->from - run->ready;

	if (!t->pub.nr_delays++ && s->nr_dists < DISTS_MAX) {
		t->delays = calloc(1, sizeof(*t->delays));
		if (!t->delays)
			return -ENOMEM;
		s->nr_dists++;
	}
	if (t->delays && dist_add(t->delays, ns, DIST_NO_MAP) < 0)
		return -ENOMEM;
	t->pub.delay_ns += ns;
	if (ns > t->pub.delay_max || t->pub.nr_delays == 1) {
		t->pub.delay_max = ns;
		t->pub.delay_from = run->ready;
		t->pub.delay_until = run->from;
	}
	if (run->off == run->ready)
		t->pub.preempted_ns += ns;
	else if (run->off && t->off_state & STATE_BLOCKED && !(t->off_state & STATE_NOLOAD))
		t->pub.blocked_ns += run->ready - run->off;
	else if (run->off)
		t->pub.sleep_ns += run->ready - run->off;
	return 0;
}

static void add_run(struct cpu *c, struct task *t, const struct kt_sched_run *run)
{
	uint64_t ns = run->until - run->from;
	double delta = (double)ns - t->mean;

	if (!t->pub.nr_runs || ns < t->pub.run_min)
		t->pub.run_min = ns;
	if (ns > t->pub.run_max)
		t->pub.run_max = ns;
	*(t->pub.pid ? &c->pub.busy_ns : &c->pub.idle_ns) += ns;
	t->pub.nr_runs++;
	t->pub.run_ns += ns;
	t->mean += delta / (double)t->pub.nr_runs;
	t->m2 += delta * ((double)ns - t->mean);
}

static int add(struct kt_sched *s, struct cpu *c, struct task *t, const struct kt_sched_run *run,
	       const struct kt_span *span)
{
	bool backwards = run->ready > run->from || run->off > run->ready;
	int ret = 0;

	if (!(run->flags & KT_SPAN_UNBEGUN) && run->pid != 0) {
		t->pub.nr_switches++;
		c->pub.nr_switches++;
		t->pub.nr_moves += t->cpu >= 0 && t->cpu != run->cpu;
		if (run->ready && !backwards)
			ret = add_delay(s, t, run);
		else if (t->cut || backwards)
			t->pub.lost++;
		if (ret == 0 && run->ready && !backwards && s->opts.queues)
			ret = lengths_count_wait(s, span->begin.source, t, run);
	}
	if (run->flags & KT_SPAN_CUT)
		t->pub.lost++;
	else if (run->flags)
		t->pub.ends++;
	else
		add_run(c, t, run);
	return ret;
}

/* ---- the stay itself ---- */

static int tell_left(struct kt_sched *s, const struct kt_span *span,
		     const struct kt_sched_run *run, struct kt_err *err)
{
	const struct kt_sched_event ev = {
		.kind = KT_SCHED_LEFT, .file = run->file, .source = span->end.source,
		.ts = run->until, .cpu = run->cpu, .pid = run->pid, .other = run->pid, .run = run,
	};

	return sched_tell(s, &ev, err);
}

static int take_run(struct kt_sched *s, struct task *t, const struct kt_span *span,
		    struct kt_err *err)
{
	const struct kt_sched_run run = {
		.file = span->file, .pid = span->pid, .cpu = span->end.cpu,
		.from = span->begin.ts, .until = span->end.ts, .off = t->off, .ready = t->ready,
		.state = span->result, .flags = span->flags,
	};
	struct cpu *c = &s->cpus[span->end.source];
	int ret = 0;

	if (t->chosen && sched_counts(s))
		ret = add(s, c, t, &run, span);
	if (ret < 0)
		return kt_err_result(err, ret);
	if (s->opts.queues)
		lengths_leave(s, t, run.until);
	t->cpu = run.cpu;
	t->at = NONE;
	t->cut = t->woken = false;
	t->off = t->ready = 0;
	return tell_left(s, span, &run, err);
}

int runs_take(void *data, const struct kt_span *span, struct kt_err *err)
{
	struct kt_sched *s = data;
	struct task *t = sched_task(s, span->end.source, span->pid);

	if (!t)
		return kt_err_no_memory(err);
	if (span->kind == KT_SPAN_RUN)
		return take_run(s, t, span, err);
	take_before(t, span);
	return 0;
}
