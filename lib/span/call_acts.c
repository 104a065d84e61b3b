/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* call_acts.c - the effect of each event on the open calls of its task */
#include "span/calls.h"

#include <errno.h>

static int push(struct now *n, uint64_t func, const char *name, int32_t level, unsigned int flags)
{
	const struct frame f = {
		.level = level,
		.call = {
			.kind = n->role->kind, .flags = (uint8_t)flags, .func = func, .name = name,
			.begin = calls_here(n),
		},
	};

	return calls_enter(n, &f, false);
}

/* A call of which only the end is recorded, with its duration */
static int whole(struct now *n, uint64_t func, int32_t level, uint64_t duration)
{
	struct frame f = {
		.level = level,
		.call = {
			.kind = KT_CALL_FUNCTION, .flags = KT_CALL_UNBEGUN, .func = func,
			.begin = calls_here(n), .duration = duration,
		},
	};

	f.call.begin.pos = UINT64_MAX;
	f.call.begin.ts -= duration < f.call.begin.ts ? duration : f.call.begin.ts;
	return calls_enter(n, &f, true);
}

/* ---- function_graph: each record has its depth ---- */

/* How many frames remain when a call of @level begins or ends */
static uint32_t frames_below(const struct task *t, int32_t level)
{
	uint32_t i = t->nr, keep = t->nr;

	while (i-- > 0 && t->stack[i].level != level - 1) {
		if (t->stack[i].level >= level)
			keep = i;
		else if (t->stack[i].level != CALLS_NO_LEVEL)
			break;
	}
	return keep;
}

static int32_t deepest(const struct task *t)
{
	uint32_t i = t->nr;

	while (i-- > 0)
		if (t->stack[i].level != CALLS_NO_LEVEL)
			return t->stack[i].level;
	return -1;
}

/*
 * Adds frames for calls that began before the trace, or in a gap. They have no names until they
 * return; a call that never returns is not reported.
 */
static int push_unknown(struct now *n, int32_t level)
{
	struct task *t = &n->c->tasks[n->task];
	int32_t l = deepest(t) + 1;
	unsigned int flags = KT_CALL_UNBEGUN | (t->met ? KT_CALL_GAP : 0);
	int ret = 0;

	if (t->met && !t->cut)
		return 0;
	if (level - l > 64)
		l = level - 64;
	for (; l < level && ret == 0; l++)
		ret = push(n, 0, NULL, l, flags);
	t = &n->c->tasks[n->task];
	t->met = true;
	t->cut = false;
	return ret;
}

static int graph_entry(struct now *n, uint64_t func, int32_t level)
{
	int ret = calls_abandon(n, frames_below(&n->c->tasks[n->task], level));

	if (ret == 0)
		ret = push_unknown(n, level);
	return ret < 0 ? ret : push(n, func, NULL, level, 0);
}

static int graph_exit(struct now *n, uint64_t func, int32_t level)
{
	const struct call_role *r = n->role;
	const struct kt_event *ev = r->event;
	struct task *t = &n->c->tasks[n->task];
	uint64_t from = 0, to = 0;
	struct kt_call_end end = calls_here(n);
	struct frame *f;
	uint32_t keep;
	int ret = push_unknown(n, level + 1);

	if (r->from && r->to && kt_field_u64(ev, r->from, n->rec, &from) == 0)
		kt_field_u64(ev, r->to, n->rec, &to);
	keep = frames_below(t, level);
	f = keep < t->nr ? &t->stack[keep] : NULL;
	if (f && (f->level != level || (f->call.func && f->call.func != func))) {
		ret = ret ? ret : calls_abandon(n, keep);
		f = NULL;
	}
	if (ret == 0)
		ret = f ? calls_abandon(n, keep + 1)
			: whole(n, func, level, to > from ? to - from : 0);
	if (ret < 0)
		return ret;
	t = &n->c->tasks[n->task];
	f = &t->stack[t->nr - 1];
	f->call.func = func;
	f->call.duration = to > from ? to - from : 0;
	if (f->call.flags & KT_CALL_UNBEGUN && f->call.duration)
		f->call.begin.ts = end.ts > f->call.duration ? end.ts - f->call.duration : 0;
	if (r->retval && kt_field_u64(ev, r->retval, n->rec, &f->call.retval) == 0)
		f->call.flags |= KT_CALL_RETVAL;
	return calls_leave(n, &end);
}

static int graph(struct now *n)
{
	const struct kt_event *ev = n->role->event;
	uint64_t func, depth;

	if (kt_field_u64(ev, n->role->func, n->rec, &func) < 0 ||
	    kt_field_u64(ev, n->role->depth, n->rec, &depth) < 0 || depth > INT16_MAX)
		return 0;
	return n->role->act == CALL_GRAPH_ENTRY ? graph_entry(n, func, (int32_t)depth)
						: graph_exit(n, func, (int32_t)depth);
}

/* ---- the function tracer: each record has its caller ---- */

/* How many frames remain up to the nearest one of @func; 0: it is not on the stack */
static uint32_t frames_up_to(const struct task *t, uint64_t func)
{
	uint32_t i = t->nr;

	while (i > 0 && (t->stack[i - 1].call.kind != KT_CALL_FUNCTION ||
			 t->stack[i - 1].call.func != func))
		i--;
	return i;
}

static int function(struct now *n)
{
	const struct call_role *r = n->role;
	uint64_t ip, parent;
	uint32_t keep;
	int ret;

	if (kt_field_u64(r->event, r->func, n->rec, &ip) < 0 ||
	    kt_field_u64(r->event, r->depth, n->rec, &parent) < 0)
		return 0;
	parent = calls_function_at(n->syms, parent);
	keep = frames_up_to(&n->c->tasks[n->task], parent);
	ret = calls_return_to(n, keep);
	if (ret == 0 && !keep)
		ret = push(n, parent, NULL, CALLS_NO_LEVEL, KT_CALL_UNBEGUN | KT_CALL_UNTIMED);
	ip = calls_function_at(n->syms, ip);
	return ret < 0 ? ret : push(n, ip, NULL, CALLS_NO_LEVEL, KT_CALL_UNTIMED);
}

/* ---- entries and exits without a depth ---- */

/* Does the exit @r end the call @f? @func: the function that it leaves; 0: not known */
static bool is_ended_by(const struct frame *f, const struct call_role *r, uint64_t func)
{
	if (f->level != CALLS_NO_LEVEL || f->call.kind != r->kind)
		return false;
	if (func)
		return f->call.func == func || f->probed == func;
	return r->act != CALL_NAMED_EXIT || (f->call.name && calls_is_pair(f->call.name, r->name));
}

static int leave_one(struct now *n, uint64_t func)
{
	const struct call_role *r = n->role;
	struct task *t = &n->c->tasks[n->task];
	struct kt_call_end end = calls_here(n);
	uint32_t nr = t->nr;
	int ret;

	while (nr && !is_ended_by(&t->stack[nr - 1], r, func))
		nr--;
	if (!nr)
		return 0;
	ret = calls_abandon(n, nr);
	if (ret < 0)
		return ret;
	if (r->retval &&
	    kt_field_u64(r->event, r->retval, n->rec, &t->stack[nr - 1].call.retval) == 0)
		t->stack[nr - 1].call.flags |= KT_CALL_RETVAL;
	return calls_leave(n, &end);
}

/*
 * A probe on a function's entry does not begin a call unless something shows when the function
 * returns. That is known from its first return on.
 */
static int probe_entry(struct now *n, uint64_t func, const char *name)
{
	const struct task *t = &n->c->tasks[n->task];
	bool returning = keymap_get(&n->c->returning, func) != KEYMAP_NONE;
	struct frame f = {
		.level = CALLS_NO_LEVEL, .probed = func, .name = name,
		.call = { .kind = n->role->kind, .begin = calls_here(n) },
	};
	uint32_t i;

	for (i = 0; i < t->nr && !returning; i++)
		if (t->stack[i].probed == func)
			return 0;
	if (returning) {
		f.call.func = func;
		f.call.name = name;
	}
	return calls_enter(n, &f, false);
}

static int probe(struct now *n)
{
	struct kt_symbol sym;
	uint64_t ip, func;
	bool known;

	if (kt_field_u64(n->role->event, n->role->func, n->rec, &ip) < 0)
		return 0;
	known = kt_symbols_find(n->syms, ip, &sym) > 0;
	func = known ? sym.addr : ip;
	if (n->role->act == CALL_PROBE_EXIT) {
		if (keymap_put(&n->c->returning, func, 1) < 0)
			return -ENOMEM;
		return leave_one(n, func);
	}
	/* Accept only entries: the first instruction, or the one after a landing pad */
	if (ip - func > 8)
		return 0;
	return probe_entry(n, func, known ? NULL : n->role->event->name);
}

static const char *syscall_name(const struct now *n)
{
	const struct call_role *r = n->role;
	const char *name = NULL;
	uint64_t nr;

	if (r->from && kt_field_u64(r->event, r->from, n->rec, &nr) == 0)
		name = kt_syscall_name(r->event->events, nr);
	return name ? name : r->name;
}

/* If function_graph shows the entry code, it already shows the system call. */
static int syscall_entry(struct now *n)
{
	struct task *t = &n->c->tasks[n->task];
	int ret = deepest(t) >= 0 ? 1 : calls_return_to(n, 0);

	if (ret)
		return ret > 0 ? 0 : ret;
	return push(n, 0, syscall_name(n), CALLS_NO_LEVEL, 0);
}

/* From the task that leaves the CPU to the task that gets it */
static int switch_tasks(struct now *n)
{
	const struct call_role *r = n->role;
	uint64_t prev, next;
	struct task *t;
	int ret;

	if (kt_field_u64(r->event, r->from, n->rec, &prev) < 0 ||
	    kt_field_u64(r->event, r->to, n->rec, &next) < 0)
		return 0;
	n->pid = (int)next;
	n->task = calls_task_of(n, n->pid);
	ret = n->task == KEYMAP_NONE ? -ENOMEM : calls_come_back(n, 0);
	if (ret < 0)
		return ret;
	n->pid = (int)prev;
	n->task = calls_task_of(n, n->pid);
	if (n->task == KEYMAP_NONE)
		return -ENOMEM;
	t = &n->c->tasks[n->task];
	t->away = t->nr;
	t->off = (struct kt_call){
		.kind = KT_CALL_OFF_CPU, .name = "off CPU", .begin = calls_here(n),
	};
	return 0;
}

int calls_act(struct now *n)
{
	switch (n->role->act) {
	case CALL_GRAPH_ENTRY:
	case CALL_GRAPH_EXIT:    return graph(n);
	case CALL_FUNCTION:      return function(n);
	case CALL_PROBE_ENTRY:
	case CALL_PROBE_EXIT:    return probe(n);
	case CALL_SYSCALL_ENTRY: return syscall_entry(n);
	case CALL_NAMED_ENTRY:
	case CALL_IRQ_ENTRY:     return push(n, 0, n->role->name, CALLS_NO_LEVEL, 0);
	case CALL_NAMED_EXIT:
	case CALL_SYSCALL_EXIT:
	case CALL_IRQ_EXIT:      return leave_one(n, 0);
	case CALL_SWITCH:        return switch_tasks(n);
	case CALL_NOTHING:       break;
	}
	return 0;
}
