/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* lengths.c - how many tasks are on each CPU or wait for it, over time */
#include <errno.h>

#include "sched/sched.h"

static unsigned int length_of(const struct cpu *c)
{
	return c->nr_waiting + c->busy;
}

/* Distribute a stretch over the columns of the map that it covers */
static void add_to_map(const struct kt_sched *s, struct cpu *c, uint64_t from, uint64_t until)
{
	double width = (double)(s->map.until - s->map.from + 1) / KT_SCHED_COLUMNS;
	double at = (double)(from - s->map.from), end = (double)(until - s->map.from), next;
	unsigned int i;

	if (!s->opts.map || until > s->map.until || from < s->map.from)
		return;
	for (i = (unsigned int)(at / width); i < KT_SCHED_COLUMNS && at < end; i++, at = next) {
		next = (i + 1) * width < end ? (i + 1) * width : end;
		c->area[i] += (next - at) * length_of(c);
		c->known_in[i] += next - at;
	}
}

/*
 * Add the time until @ts with the present length. After a loss the length is unknown since the
 * CPU's last event: the loss may have been just after it. A loss concerns all CPUs of a buffer:
 * each of them compares the buffer's counter here, so that a loss need not visit them all.
 */
static void advance(const struct kt_sched *s, struct cpu *c, uint64_t ts)
{
	uint64_t nr_losses = s->cpus[c->first].nr_losses;
	uint64_t ns = ts > c->since ? ts - c->since : 0;
	unsigned int length;

	if (c->losses_seen != nr_losses) {
		c->losses_seen = nr_losses;
		c->known = c->busy = false;
		c->nr_waiting = 0;
	}
	length = length_of(c);
	if (!c->since)
		ns = ts - s->first_ts;
	if (!c->known) {
		c->pub.unknown_ns += ns;
	} else if (ns) {
		c->pub.known_ns += ns;
		c->pub.length_ns[length < KT_SCHED_LENGTHS ? length : KT_SCHED_LENGTHS - 1] += ns;
		c->pub.length_avg += (double)length * (double)ns;
		add_to_map(s, c, c->since, ts);
	}
	c->since = ts;
}

static void note_length(struct cpu *c, uint64_t ts)
{
	if (c->known && length_of(c) > c->pub.length_max) {
		c->pub.length_max = length_of(c);
		c->pub.max_at = ts;
	}
}

void lengths_leave(struct kt_sched *s, struct task *t, uint64_t ts)
{
	struct cpu *c;

	if (t->queue == NONE)
		return;
	c = &s->cpus[t->queue];
	advance(s, c, ts);
	c->nr_waiting--;
	t->queue = NONE;
}

void lengths_put(struct kt_sched *s, struct task *t, uint32_t cpu, uint64_t ts)
{
	struct cpu *c;

	if (cpu == NONE || cpu == t->queue)
		return;
	lengths_leave(s, t, ts);
	c = &s->cpus[cpu];
	advance(s, c, ts);
	c->nr_waiting++;
	t->queue = cpu;
	note_length(c, ts);
}

void lengths_run(struct kt_sched *s, size_t source, bool busy, uint64_t ts)
{
	struct cpu *c = &s->cpus[source];

	advance(s, c, ts);
	c->known = true;
	c->busy = busy;
	note_length(c, ts);
}

void lengths_end_window(struct kt_sched *s)
{
	size_t i;

	for (i = 0; i < s->nr_cpus; i++) {
		advance(s, &s->cpus[i], s->last_ts);
		s->cpus[i].known = s->cpus[i].busy = false;
		s->cpus[i].nr_waiting = 0;
		s->cpus[i].since = 0;
	}
}

int lengths_count_wait(struct kt_sched *s, size_t source, const struct task *t,
		     const struct kt_sched_run *run)
{
	uint64_t ns = run->from - run->ready;
	size_t task = (size_t)(t - s->tasks);
	struct waiter *w;
	bool is_new;

	w = keymap_element(&s->waiter_of, (uint64_t)source << 40 | task, (void **)&s->waiters,
			   &s->nr_waiters, sizeof(*w), &is_new);
	if (!w)
		return -ENOMEM;
	w->source = source;
	w->task = task;
	w->count++;
	w->ns += ns;
	if (ns >= w->max) {
		w->max = ns;
		w->max_until = run->from;
	}
	return 0;
}
