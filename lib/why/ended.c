/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ended.c - what a sleep was for, and what ended it: a lock, I/O, a timer; an interrupt, a task */
#include <string.h>

#include "base/str.h"
#include "why/why.h"

#define STEPS_BACK 64		/* records of a CPU between the cause and the wakeup */
#define HOP_BACK   1000		/* states of a waker since it was woken itself */
#define NEAR_NS    100000	/* from a completion to its wakeup, if no interrupt connects them */
#define SLEEPS_FOR_IO 2		/* bit of prev_state: uninterruptible */
/* Source: Linux, include/linux/trace_events.h, enum trace_flag_type */
#define FLAG_HARDIRQ 0x08
#define FLAG_SOFTIRQ 0x10

/* The part of a sleep within an interval, and how it ended */
struct ending {
	const struct stretch *of;
	uint64_t from, until;
	const struct stretch *irq;	/* the innermost interrupt at the wakeup; NULL: none */
	unsigned int depth;
	bool explained;			/* by a lock, I/O or a timer */
};

static void add_line(struct kt_why *w, const struct ending *e, struct kt_why_line line)
{
	line.depth = e->depth;
	if (!line.from_cpu)
		line.from_cpu = -1;
	why_add_line(w, &line);
}

/*
 * The innermost interrupt of a CPU at a moment. On a real-time kernel tasks execute softirqs
 * and may be preempted in one: then it does not count for the task that has the CPU now.
 */
static const struct stretch *interrupt_at(const struct kt_why *w, int cpu, uint64_t ts)
{
	const struct stretch *s, *found = NULL;
	size_t i = 0;

	/* An interrupt that begins at @ts may include the wakeup. */
	while ((s = lane_next(w, &w->cpus, cpu, &i, ts, ts + 1)))
		if (s->kind == KT_SPAN_RUN && s->from < ts)
			found = NULL;
		else if (is_interrupt(s) && s->until >= ts)
			found = s;
	return found;
}

/* ---- what it was for ---- */

static bool add_lock(struct kt_why *w, const struct ending *e)
{
	const struct stretch *s;
	size_t i = 0, steps;

	for (steps = 0; steps < STEPS_BACK; steps++) {
		s = lane_back(w, &w->tasks, e->of->pid, &i, e->of->from);
		if (!s)
			return false;
		if (s->kind != KT_SPAN_LOCK || s->until < e->of->until)
			continue;
		add_line(w, e, (struct kt_why_line){
			.kind = KT_WHY_LOCK, .pid = e->of->pid, .cpu = -1, .addr = s->key,
			.flags = s->value, .from = s->from, .until = s->until,
			.delay = s->until - s->from, .key = KT_WHY_NO_KEY });
		return true;
	}
	return false;
}

static bool add_futex(struct kt_why *w, const struct ending *e)
{
	const union detail *d = why_detail(w, e->of);

	if (!d || strcmp(d->call.name, "futex") != 0)
		return false;
	add_line(w, e, (struct kt_why_line){
		.kind = KT_WHY_FUTEX, .pid = e->of->pid, .cpu = -1, .addr = d->call.args[0],
		.flags = d->call.args[1], .key = KT_WHY_NO_KEY });
	return true;
}

/* The request that was completed in the same interrupt, or by the same task just before */
static const struct stretch *request_of(const struct kt_why *w, const struct ending *e)
{
	const unsigned int contexts = FLAG_HARDIRQ | FLAG_SOFTIRQ;
	const struct stretch *s;
	size_t i = 0, steps;

	for (steps = 0; steps < STEPS_BACK; steps++) {
		s = lane_back(w, &w->cpus, e->of->cpu, &i, e->of->until);
		if (!s || (e->irq && s->from < e->irq->from))
			return NULL;
		if (!e->irq && (s->kind == KT_SPAN_RUN || e->of->until - s->from > NEAR_NS))
			return NULL;
		if (s->kind != KT_SPAN_BLOCK_IO)
			continue;
		return e->irq || ((e->of->key & SLEEPS_FOR_IO) &&
				  (s->flags & contexts) == (e->of->flags & contexts)) ? s : NULL;
	}
	return NULL;
}

static void add_io_part(struct kt_why *w, const struct ending *e, enum kt_why_kind kind,
			const union detail *d, uint64_t from, uint64_t until)
{
	struct kt_why_line line = {
		.kind = kind, .from = from, .until = until, .delay = until - from, .count = 1,
		.pid = -1, .cpu = -1, .key = d->io.dev, .addr = d->io.sector,
		.flags = d->io.nr_sectors, .name = d->io.what,
	};

	if (from >= until)
		return;
	line.ns = lanes_common(&(struct stretch){ .from = from, .until = until }, e->from,
			       e->until);
	if (line.ns)
		add_line(w, e, line);
}

static bool add_io(struct kt_why *w, const struct ending *e)
{
	const struct stretch *s = request_of(w, e);
	const union detail *d = s ? why_detail(w, s) : NULL;

	if (!d || !d->io.issued)
		return false;
	if (d->io.inserted)
		add_io_part(w, e, KT_WHY_IO_QUEUED, d, d->io.inserted, d->io.issued);
	add_io_part(w, e, KT_WHY_IO_DEVICE, d, d->io.issued, s->until);
	return true;
}

static bool add_timer(struct kt_why *w, const struct ending *e)
{
	const union detail *d;
	const struct stretch *s;
	size_t i = 0, steps;

	for (steps = 0; steps < STEPS_BACK; steps++) {
		s = lane_back(w, &w->cpus, e->of->cpu, &i, e->of->until);
		if (!s || (e->irq && s->from < e->irq->from))
			return false;
		if (s->kind != KT_SPAN_TIMER)
			continue;
		d = why_detail(w, s);
		if (s->until < e->of->until || !d)
			return false;
		add_line(w, e, (struct kt_why_line){
			.kind = KT_WHY_TIMER, .pid = -1, .cpu = s->cpu, .from = s->from,
			.until = s->from, .function = s->key, .key = d->timer.set_for,
			.delay = d->timer.late, .flags = (d->timer.known ? KT_WHY_TIMER_KNOWN : 0) |
			(d->timer.in_jiffies ? KT_WHY_TIMER_JIFFIES : 0) });
		return true;
	}
	return false;
}

/* ---- who woke it ---- */

/* What the waker did since its own wakeup: it waited, and ran. */
static void add_hop(struct kt_why *w, const struct ending *e)
{
	struct kt_why_line line = { .kind = KT_WHY_HOP, .depth = e->depth + 1, .pid = e->of->waker,
				    .cpu = -1, .from_cpu = -1, .until = e->of->until,
				    .key = KT_WHY_NO_KEY };
	const struct stretch *s;
	size_t i = 0, steps;
	uint64_t ns;

	for (steps = 0; steps < HOP_BACK; steps++) {
		s = lane_back(w, &w->tasks, e->of->waker, &i, e->of->until);
		if (!s || s->kind == KT_SPAN_BLOCKED)
			return;
		ns = lanes_common(s, 0, e->of->until);
		if (s->kind == KT_SPAN_RUN)
			line.ran += ns;
		else if (s->kind == KT_SPAN_PREEMPTED || s->kind == KT_SPAN_WAIT)
			line.delay += ns;
		if (s->kind == KT_SPAN_WAIT) {
			line.from = s->from;
			why_add_line(w, &line);
			return;
		}
	}
}

static void find_waker(const struct kt_why *w, const struct ending *e, struct kt_why_line *line)
{
	const struct stretch *s = e->of, *irq = e->irq;

	if (irq || s->flags & (FLAG_HARDIRQ | FLAG_SOFTIRQ))
		line->kind = s->flags & FLAG_HARDIRQ ? KT_WHY_WAKER_IRQ : KT_WHY_WAKER_SOFTIRQ;
	/* The flags show an interrupt inside the softirq; the interrupt itself has no events. */
	if (!irq || (irq->kind == KT_SPAN_SOFTIRQ && s->flags & FLAG_HARDIRQ))
		return;
	line->kind = irq->kind == KT_SPAN_SOFTIRQ ? KT_WHY_WAKER_SOFTIRQ : KT_WHY_WAKER_IRQ;
	line->name = irq->kind == KT_SPAN_NMI ? "NMI" : NULL;
	if (irq->kind == KT_SPAN_IRQ)
		line->name = why_irq_name(w, irq->key);
	line->key = irq->kind != KT_SPAN_NMI && irq->key < VECTOR_KEY ? irq->key : KT_WHY_NO_KEY;
}

/* A task that does the work of softirqs waits for its CPU like any other. */
static bool does_softirqs(const struct kt_why *w, int pid)
{
	const char *comm = pid > 0 ? kt_trace_comm(w->trace, w->opts.file, pid) : NULL;

	return comm && (str_starts(comm, "ksoftirqd/") || str_starts(comm, "ktimers/"));
}

/* Events whose absence hides a reason */
static void miss(struct kt_why *w, const struct ending *e, const struct kt_why_line *line)
{
	bool in_irq = line->kind == KT_WHY_WAKER_IRQ;

	if (e->explained)
		return;
	if (in_irq && line->key == KT_WHY_NO_KEY && !line->name)
		why_miss(w, MISSING_IRQ);
	if (line->kind == KT_WHY_WAKER_SOFTIRQ && line->key == KT_WHY_NO_KEY)
		why_miss(w, MISSING_SOFTIRQ);
	if (line->kind == KT_WHY_WAKER_TASK && e->of->key & SLEEPS_FOR_IO)
		why_miss(w, MISSING_LOCK);
	if (line->kind != KT_WHY_WAKER_TASK)
		why_miss(w, e->of->key & SLEEPS_FOR_IO ? MISSING_BLOCK : MISSING_TIMER);
	if (!e->of->value && !e->of->detail) {
		why_miss(w, MISSING_SYSCALL);
		why_miss(w, MISSING_STACK);
	}
}

int ended_explain(struct kt_why *w, const struct stretch *blocked, uint64_t from, uint64_t until,
		  unsigned int depth)
{
	struct ending e = { .of = blocked, .from = from, .until = until, .depth = depth };
	struct kt_why_line line = { .kind = KT_WHY_WAKER_TASK, .key = KT_WHY_NO_KEY,
				    .from = blocked->until, .until = blocked->until,
				    .pid = blocked->waker, .cpu = blocked->cpu };
	bool of_lock;

	of_lock = add_lock(w, &e);
	e.explained = of_lock || add_futex(w, &e);
	if (blocked->waker < 0 || blocked->until > until)
		return -1;
	e.irq = interrupt_at(w, blocked->cpu, blocked->until);
	e.explained |= add_io(w, &e) || add_timer(w, &e);
	find_waker(w, &e, &line);
	line.flags = of_lock && line.kind == KT_WHY_WAKER_TASK ? KT_WHY_RELEASED : 0;
	add_line(w, &e, line);
	miss(w, &e, &line);
	if ((line.kind != KT_WHY_WAKER_TASK && !does_softirqs(w, blocked->waker)) ||
	    blocked->waker == 0 || blocked->waker == blocked->pid)
		return -1;
	add_hop(w, &e);
	return blocked->waker;
}

void ended_complete(struct kt_why *w, const struct stretch *request, unsigned int depth)
{
	struct ending e = { .of = request, .depth = depth,
			    .irq = interrupt_at(w, request->cpu, request->until) };
	struct kt_why_line line = { .kind = KT_WHY_WAKER_TASK, .key = KT_WHY_NO_KEY,
				    .from = request->until, .until = request->until,
				    .pid = request->waker, .cpu = request->cpu };

	find_waker(w, &e, &line);
	line.flags = KT_WHY_COMPLETED;
	add_line(w, &e, line);
}
