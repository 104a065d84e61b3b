/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* calls.c - calls as frames of a flame graph, from their entry to their end */
#include "flame/flame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define LATE_MAX 256			/* calls of a task that wait for a caller */
#define LATE_DEPTH 512			/* maximum nesting of such calls */
#define FOLDED   (1u << 31)		/* a call that is added to its caller only */

/* A call of which only the end was recorded: a call that ends later may be its caller */
struct flame_late {
	uint32_t loose, parent, name;
	uint64_t begin, time;
	unsigned int depth;		/* levels of calls below it */
};

static enum kt_flame_type type_of(const struct kt_call *c)
{
	switch (c->kind) {
	case KT_CALL_SYSCALL: return KT_FLAME_SYSCALL;
	case KT_CALL_IRQ:
	case KT_CALL_SOFTIRQ: return KT_FLAME_IRQ;
	case KT_CALL_OFF_CPU: return KT_FLAME_OFF;
	default:              return KT_FLAME_FUNCTION;
	}
}

static uint32_t name_of(struct kt_flame *f, const struct kt_call *c)
{
	struct kt_trace *t = f->trace;

	if (c->func && !c->name)
		return flame_address(f, kt_trace_symbols(t, c->file), KT_FLAME_FUNCTION, c->func);
	return flame_name(&f->tree, type_of(c), kt_call_name(t, c), false);
}

/* ---- the time since when a task has had a CPU, for calls that began before the trace ---- */

static int meet(struct kt_flame *f, size_t file, int pid, uint64_t ts)
{
	uint64_t key = (uint64_t)file << 32 | (uint32_t)pid;
	size_t nr = f->met.nr;

	if (keymap_get(&f->met, key) != KEYMAP_NONE)
		return 0;
	if (!array_reserve(f->on_cpu, nr))
		return -ENOMEM;
	f->on_cpu[nr] = ts;
	return keymap_put(&f->met, key, (uint32_t)nr);
}

int flame_meet_tasks(struct kt_flame *f, const struct kt_event *ev, const struct kt_record *rec)
{
	struct kt_trace *t = f->trace;
	size_t file = kt_trace_source(t, rec)->file_index;
	uint64_t next;

	if (f->switches != ev && strcmp(ev->name, "sched_switch") == 0) {
		f->switches = ev;
		f->next_pid = kt_event_field(ev, "next_pid");
	}
	if (f->switches == ev && f->next_pid && kt_field_u64(ev, f->next_pid, rec, &next) == 0 &&
	    meet(f, file, (int)next, rec->ts) < 0)
		return -ENOMEM;
	/* A task that is not switched to has run since the beginning. */
	return meet(f, file, kt_record_pid(ev->events, rec), f->window.from);
}

static uint64_t on_cpu_from(const struct kt_flame *f, const struct kt_call *c)
{
	uint32_t i = keymap_get(&f->met, (uint64_t)c->file << 32 | (uint32_t)c->pid);

	return i != KEYMAP_NONE && f->on_cpu[i] > f->window.from ? f->on_cpu[i] : f->window.from;
}

/* ---- counted time ---- */

/* Its counted time: on the CPU or off, within the window */
static uint64_t time_of(const struct kt_flame *f, const struct kt_call *c)
{
	uint64_t ns = c->duration, from = f->window.from;

	if (c->flags & KT_CALL_UNTIMED)
		return 0;
	if (f->kind == KT_FLAME_CALLS && c->flags & KT_CALL_UNBEGUN)
		from = on_cpu_from(f, c);
	if (c->begin.ts < from)
		ns = c->end.ts > from ? c->end.ts - from : 0;
	if (f->kind == KT_FLAME_OFF_CPU)
		return c->kind == KT_CALL_OFF_CPU ? ns : 0;
	return ns > c->off ? ns - c->off : 0;
}

/* ---- calls of which only the end was recorded ---- */

static struct flame_late_calls *late_of(struct kt_flame *f, uint32_t task)
{
	size_t nr = 2 * (size_t)task + 16;
	struct flame_late_calls *grown;

	if (task >= f->nr_late) {
		grown = reallocarray(f->late, nr, sizeof(*grown));
		if (!grown)
			return NULL;
		memset(grown + f->nr_late, 0, (nr - f->nr_late) * sizeof(*grown));
		f->late = grown;
		f->nr_late = nr;
	}
	if (!f->late[task].at)
		f->late[task].at = malloc(LATE_MAX * sizeof(struct flame_late));
	return f->late[task].at ? &f->late[task] : NULL;
}

static void place(struct kt_flame *f, const struct flame_late *one, uint32_t parent)
{
	f->tree.nodes[parent].own_time -= one->time;
	flame_place(&f->tree, one->loose, parent, one->name);
}

/* Gives the first @nr their caller: the call that was open when they were recorded. */
static void place_late(struct kt_flame *f, struct flame_late_calls *l, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		place(f, &l->at[i], l->at[i].parent);
	l->nr -= nr;
	memmove(l->at, l->at + nr, l->nr * sizeof(*l->at));
}

void flame_settle_calls(struct kt_flame *f)
{
	size_t i;

	for (i = 0; i < f->nr_late; i++)
		if (f->late[i].nr)
			place_late(f, &f->late[i], f->late[i].nr);
}

/*
 * With a threshold the tracer records only exits. This call made the calls that ended just
 * before it and began after it, as in lib/span/call_tree.c.
 */
static uint32_t enter_late(struct kt_flame *f, const struct kt_call *c, uint32_t parent,
			   uint32_t task)
{
	struct flame_late_calls *l = late_of(f, task);
	uint32_t loose = l ? flame_loose(&f->tree) : FLAME_NONE;
	struct flame_late one = { .loose = loose, .parent = parent, .begin = c->begin.ts };

	if (loose == FLAME_NONE)
		return parent | FOLDED;
	while (l->nr && l->at[l->nr - 1].parent == parent &&
	       l->at[l->nr - 1].begin >= c->begin.ts && l->at[l->nr - 1].depth < LATE_DEPTH) {
		const struct flame_late *child = &l->at[--l->nr];

		one.depth = child->depth >= one.depth ? child->depth + 1 : one.depth;
		place(f, child, loose);
	}
	if (l->nr == LATE_MAX)
		place_late(f, l, LATE_MAX / 2);
	one.name = name_of(f, c);
	l->at[l->nr] = one;
	f->late_now = &l->at[l->nr++];
	return loose;
}

/* ---- while records are read ---- */

static uint32_t enter(void *data, const struct kt_call *c, uint32_t parent, uint32_t task,
		      bool late)
{
	struct kt_flame *f = data;
	uint32_t node;

	parent = parent == KT_CALL_NONE ? flame_task(f, c->file, c->pid) : parent & ~FOLDED;
	f->late_now = NULL;
	if (late)
		return enter_late(f, c, parent, task);
	if (task < f->nr_late && f->late[task].nr)
		place_late(f, &f->late[task], f->late[task].nr);
	if (c->kind == KT_CALL_OFF_CPU && f->kind != KT_FLAME_OFF_CPU)
		return parent | FOLDED;
	if (c->func || c->name) {
		node = flame_child(&f->tree, parent, name_of(f, c));
		return node == parent ? parent | FOLDED : node;
	}
	/* It began before all records: its name is known when it ends. */
	node = flame_loose(&f->tree);
	if (node == FLAME_NONE)
		return parent | FOLDED;
	f->tree.nodes[node].parent = parent;
	f->tree.nodes[node].name = task;
	return node;
}

/* Gives a loose node that was not late its place. Returns the place. */
static uint32_t settle_unknown(struct kt_flame *f, uint32_t node, const struct kt_call *c)
{
	uint32_t parent = f->tree.nodes[node].parent, task = f->tree.nodes[node].name;

	if (task < f->nr_late && f->late[task].nr)
		place_late(f, &f->late[task], f->late[task].nr);
	if (!c->func && !c->name) {
		flame_dissolve(&f->tree, node, parent);
		return FLAME_NONE;
	}
	flame_place(&f->tree, node, parent, name_of(f, c));
	return flame_child(&f->tree, parent, name_of(f, c));
}

static int leave(void *data, uint32_t node, const struct kt_call *c, struct kt_err *err)
{
	struct kt_flame *f = data;
	struct flame_late *late = f->late_now && f->late_now->loose == node ? f->late_now : NULL;
	bool counts = f->kind == KT_FLAME_OFF_CPU ? c->kind == KT_CALL_OFF_CPU : true;
	uint64_t ns = time_of(f, c);

	f->late_now = NULL;
	if (f->tree.failed)
		return kt_err_no_memory(err);
	if (node & FOLDED)
		return 0;
	if (!late && !f->tree.nodes[node].below_parent)
		node = settle_unknown(f, node, c);
	if (node == FLAME_NONE || !counts || !flame_counts(f, c->file, c->pid))
		return 0;
	flame_add(f, node, 1, ns);
	if (late)
		late->time = ns;
	else if (f->kind == KT_FLAME_CALLS)
		f->tree.nodes[f->tree.nodes[node].parent].own_time -= ns;
	return 0;
}

struct kt_calls *flame_calls(struct kt_flame *f, struct kt_err *err)
{
	const struct kt_calls_opts opts = { 0 };

	return calls_follow(f->trace, &opts,
			    &(struct call_sink){ enter, leave, f }, err);
}
