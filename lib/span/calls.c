/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* calls.c - follow the calls of each task: a stack of what it is in the middle of */
#include "span/calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/keymap.h"

#define STACK_MAX 512		/* no kernel nests deeper; a file might */
#define NO_LEVEL  (-1)		/* of a frame that is not of function_graph */

struct kt_calls {
	struct kt_analysis analysis;
	struct kt_trace *trace;
	struct kt_calls_opts opts;
	struct call_sink sink;
	struct call_roles roles;
	struct task *tasks;
	size_t nr_tasks;
	struct keymap task_of;
	uint64_t last_ts;
	uint64_t lost_ts;		/* when events were lost last, on any CPU */
	uint32_t *last_task;		/* by source: of its last record */
};

/* A record, and whose calls it is about */
struct now {
	struct kt_calls *c;
	const struct call_role *role;
	const struct kt_record *rec;
	const struct kt_source *src;
	struct kt_symbols *syms;
	int pid;
	uint32_t task;
	struct kt_err *err;
};

static struct kt_call_end here(const struct now *n)
{
	return (struct kt_call_end){ .ts = n->rec->ts, .pos = n->rec->pos,
				     .source = n->rec->source };
}

static uint32_t task_of(struct now *n, int pid)
{
	struct kt_calls *c = n->c;
	uint32_t who = pid ? (uint32_t)pid : UINT32_MAX - (uint32_t)n->src->cpu;
	uint64_t place = (uint64_t)n->src->file_index << 16 | (n->src->buffer & UINT16_MAX);
	uint64_t key = place << 32 | who;
	uint32_t i = keymap_get(&c->task_of, key);
	struct task *grown;

	if (i != KEYMAP_NONE)
		return i;
	if (!(c->nr_tasks & (c->nr_tasks - 1))) {
		grown = reallocarray(c->tasks, c->nr_tasks ? c->nr_tasks * 2 : 1, sizeof(*grown));
		if (!grown)
			return KEYMAP_NONE;
		c->tasks = grown;
	}
	if (keymap_put(&c->task_of, key, (uint32_t)c->nr_tasks) < 0)
		return KEYMAP_NONE;
	c->tasks[c->nr_tasks] = (struct task){ .last_source = UINT32_MAX };
	return (uint32_t)c->nr_tasks++;
}

/* ---- frames ---- */

static int enter(struct now *n, const struct frame *f, bool late)
{
	struct task *t = &n->c->tasks[n->task];
	struct frame *top;
	uint32_t parent;

	if (!t->stack) {
		t->stack = malloc(STACK_MAX * sizeof(*t->stack));
		if (!t->stack)
			return kt_err_set(n->err, -ENOMEM, "out of memory");
	}
	parent = t->nr ? t->stack[t->nr - 1].id : KT_CALL_NONE;
	if (t->nr == STACK_MAX)		/* the outermost is given up, unsaid: nothing is so deep */
		memmove(t->stack, t->stack + 1, --t->nr * sizeof(*t->stack));
	top = &t->stack[t->nr];
	*top = *f;
	top->call.file = (uint16_t)n->src->file_index;
	top->call.pid = n->pid;
	top->call.depth = t->nr;
	top->id = n->c->sink.enter(n->c->sink.data, &top->call, parent, n->task, late);
	t->nr++;
	return 0;
}

/* The innermost frame ends at @end */
static int leave(struct now *n, const struct kt_call_end *end)
{
	struct kt_calls *c = n->c;
	struct task *t = &c->tasks[n->task];
	struct frame *f = &t->stack[--t->nr], *up = t->nr ? f - 1 : NULL;
	struct kt_call *call = &f->call;

	call->end = *end;
	if (!call->duration && end->ts > call->begin.ts)
		call->duration = end->ts - call->begin.ts;
	call->self = call->duration > f->of_children ? call->duration - f->of_children : 0;
	if (call->begin.source != end->source && !(call->flags & KT_CALL_UNBEGUN))
		call->flags |= KT_CALL_MOVED;
	if (up) {
		bool irq = call->kind == KT_CALL_IRQ || call->kind == KT_CALL_SOFTIRQ;

		up->of_children += call->duration;
		up->call.nr_children++;
		up->call.nr_inside += 1 + call->nr_inside;
		up->call.irq += irq ? call->duration : call->irq;
		up->call.off += call->kind == KT_CALL_OFF_CPU ? call->duration : call->off;
		if (call->flags & KT_CALL_UNFINISHED)
			up->call.flags |= KT_CALL_GAP;
	}
	return c->sink.leave(c->sink.data, f->id, call, n->err);
}

/* All frames from @nr on: their exits were not recorded */
static int abandon(struct now *n, uint32_t nr)
{
	struct task *t = &n->c->tasks[n->task];
	struct kt_call_end end = here(n);
	int ret = 0;

	end.pos = UINT64_MAX;
	while (t->nr > nr && ret == 0) {
		t->stack[t->nr - 1].call.flags |= KT_CALL_UNFINISHED;
		ret = leave(n, &end);
	}
	return ret;
}

static int push(struct now *n, uint64_t func, const char *name, int32_t level, unsigned int flags)
{
	const struct frame f = {
		.level = level,
		.call = {
			.kind = n->role->kind, .flags = (uint8_t)flags, .func = func, .name = name,
			.begin = here(n),
		},
	};

	return enter(n, &f, false);
}

/* A call of which only the end is known, and how long it took */
static int whole(struct now *n, uint64_t func, int32_t level, uint64_t duration)
{
	struct frame f = {
		.level = level,
		.call = {
			.kind = KT_CALL_FUNCTION, .flags = KT_CALL_UNBEGUN, .func = func,
			.begin = here(n), .duration = duration,
		},
	};

	f.call.begin.pos = UINT64_MAX;
	f.call.begin.ts -= duration < f.call.begin.ts ? duration : f.call.begin.ts;
	return enter(n, &f, true);
}

/* ---- function_graph: each record says how deep it is ---- */

/* How many frames stay when a call of @level begins or ends */
static uint32_t frames_below(const struct task *t, int32_t level)
{
	uint32_t i = t->nr, keep = t->nr;

	while (i-- > 0 && t->stack[i].level != level - 1) {
		if (t->stack[i].level >= level)
			keep = i;
		else if (t->stack[i].level != NO_LEVEL)
			break;
	}
	return keep;
}

static int32_t deepest(const struct task *t)
{
	uint32_t i = t->nr;

	while (i-- > 0)
		if (t->stack[i].level != NO_LEVEL)
			return t->stack[i].level;
	return -1;
}

/*
 * Calls that began before the trace, or in a gap: they have no names until they return, and
 * those that never do are not calls that anybody has seen.
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
	int ret = abandon(n, frames_below(&n->c->tasks[n->task], level));

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
	struct kt_call_end end = here(n);
	struct frame *f;
	uint32_t keep;
	int ret = push_unknown(n, level + 1);

	if (r->from && r->to && kt_field_u64(ev, r->from, n->rec, &from) == 0)
		kt_field_u64(ev, r->to, n->rec, &to);
	keep = frames_below(t, level);
	f = keep < t->nr ? &t->stack[keep] : NULL;
	if (f && (f->level != level || (f->call.func && f->call.func != func))) {
		ret = ret ? ret : abandon(n, keep);
		f = NULL;
	}
	if (ret == 0)
		ret = f ? abandon(n, keep + 1) : whole(n, func, level, to > from ? to - from : 0);
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
	return leave(n, &end);
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

/* ---- the function tracer: each record says by whom it was called ---- */

/* Back to the nearest frame of @func; how many stay, 0: it is not there */
static uint32_t frames_up_to(const struct task *t, uint64_t func)
{
	uint32_t i = t->nr;

	while (i > 0 && (t->stack[i - 1].call.kind != KT_CALL_FUNCTION ||
			 t->stack[i - 1].call.func != func))
		i--;
	return i;
}

/* What is over @keep frames has returned: when, the function tracer does not record. */
static int return_to(struct now *n, uint32_t keep)
{
	struct task *t = &n->c->tasks[n->task];
	struct kt_call_end end = here(n);
	int ret = 0;

	end.pos = UINT64_MAX;
	for (; t->nr > keep && ret == 0; t = &n->c->tasks[n->task]) {
		if (!(t->stack[t->nr - 1].call.flags & KT_CALL_UNTIMED))
			t->stack[t->nr - 1].call.flags |= KT_CALL_UNFINISHED;
		ret = leave(n, &end);
	}
	return ret;
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
	ret = return_to(n, keep);
	if (ret == 0 && !keep)
		ret = push(n, parent, NULL, NO_LEVEL, KT_CALL_UNBEGUN | KT_CALL_UNTIMED);
	ip = calls_function_at(n->syms, ip);
	return ret < 0 ? ret : push(n, ip, NULL, NO_LEVEL, KT_CALL_UNTIMED);
}

/* ---- entries and exits that say nothing of their depth ---- */

/* How many frames are up to the innermost of that kind and function, 0: none is */
static uint32_t frames_with(const struct task *t, enum kt_call_kind kind, uint64_t func)
{
	uint32_t i = t->nr;

	while (i > 0 && (t->stack[i - 1].call.kind != kind || t->stack[i - 1].level != NO_LEVEL ||
			 t->stack[i - 1].call.func != func))
		i--;
	return i;
}

static int leave_one(struct now *n, uint64_t func)
{
	const struct call_role *r = n->role;
	struct task *t = &n->c->tasks[n->task];
	uint32_t nr = frames_with(t, r->kind, func);
	struct kt_call_end end = here(n);
	int ret;

	if (!nr)
		return 0;
	ret = abandon(n, nr);
	if (ret < 0)
		return ret;
	if (r->retval &&
	    kt_field_u64(r->event, r->retval, n->rec, &t->stack[nr - 1].call.retval) == 0)
		t->stack[nr - 1].call.flags |= KT_CALL_RETVAL;
	return leave(n, &end);
}

static int probe(struct now *n)
{
	struct kt_symbol sym;
	uint64_t ip;

	if (kt_field_u64(n->role->event, n->role->func, n->rec, &ip) < 0)
		return 0;
	if (n->role->act == CALL_PROBE_EXIT)
		return leave_one(n, calls_function_at(n->syms, ip));
	/* Entries of functions only: their first instruction, or the one after a landing pad */
	if (kt_symbols_find(n->syms, ip, &sym) > 0 && ip - sym.addr > 8)
		return 0;
	return push(n, calls_function_at(n->syms, ip), NULL, NO_LEVEL, 0);
}

/* Where function_graph shows the entry code, the system call is told by that already. */
static int syscall_entry(struct now *n)
{
	struct task *t = &n->c->tasks[n->task];
	int ret = deepest(t) >= 0 ? 1 : return_to(n, 0);

	return ret ? ret > 0 ? 0 : ret : push(n, 0, n->role->name, NO_LEVEL, 0);
}

/*
 * A task goes on recording calls between sched_switch and the switch itself. So its time off
 * the CPU is put where it is when it has come back: after all that, inside what is left.
 */
static int come_back(struct now *n, unsigned int flags)
{
	struct task *t = &n->c->tasks[n->task];
	struct frame f = { .level = NO_LEVEL, .call = t->off };
	struct kt_call_end end = here(n);
	bool away = t->away;
	int ret;

	t->away = false;
	if (!away || !t->nr)
		return 0;
	if (t->last_ts > f.call.begin.ts && t->last_ts < end.ts)
		f.call.begin.ts = t->last_ts;
	f.call.flags |= flags;
	if (flags & KT_CALL_UNFINISHED)
		end.pos = UINT64_MAX;
	ret = enter(n, &f, false);
	return ret < 0 ? ret : leave(n, &end);
}

/* The task that has the CPU now, and the one that had it */
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
	n->task = task_of(n, n->pid);
	ret = n->task == KEYMAP_NONE ? -ENOMEM : come_back(n, 0);
	if (ret < 0)
		return ret;
	n->pid = (int)prev;
	n->task = task_of(n, n->pid);
	if (n->task == KEYMAP_NONE)
		return -ENOMEM;
	t = &n->c->tasks[n->task];
	t->away = t->nr;
	t->off = (struct kt_call){ .kind = KT_CALL_OFF_CPU, .name = "off CPU", .begin = here(n) };
	return 0;
}

static int act(struct now *n)
{
	switch (n->role->act) {
	case CALL_GRAPH_ENTRY:
	case CALL_GRAPH_EXIT:    return graph(n);
	case CALL_FUNCTION:      return function(n);
	case CALL_PROBE_ENTRY:
	case CALL_PROBE_EXIT:    return probe(n);
	case CALL_SYSCALL_ENTRY: return syscall_entry(n);
	case CALL_IRQ_ENTRY:     return push(n, 0, n->role->name, NO_LEVEL, 0);
	case CALL_SYSCALL_EXIT:
	case CALL_IRQ_EXIT:      return leave_one(n, 0);
	case CALL_SWITCH:        return switch_tasks(n);
	case CALL_NOTHING:       break;
	}
	return 0;
}

/* ---- the analysis ---- */

static void cut(struct task *t)
{
	uint32_t i;

	t->cut = true;
	t->off.flags |= KT_CALL_GAP;
	for (i = 0; i < t->nr; i++)
		t->stack[i].call.flags |= KT_CALL_GAP;
}

/*
 * A task that records something has the CPU: it has come back unseen if that is another CPU,
 * or another task had this one.
 */
static int note_presence(struct now *n)
{
	struct kt_calls *c = n->c;
	struct task *t = &c->tasks[n->task];
	uint32_t source = n->rec->source;
	bool back = t->away && (n->role->act == CALL_SWITCH || source != t->off.begin.source ||
				c->last_task[source] != n->task);

	c->last_task[source] = n->task;
	return back ? come_back(n, KT_CALL_UNFINISHED) : 0;
}

/* A task that has moved may have been where events were lost. */
static void note_place(struct kt_calls *c, struct task *t, const struct kt_record *rec)
{
	if (t->last_source != rec->source && c->lost_ts > t->last_ts &&
	    t->last_source != UINT32_MAX)
		cut(t);
	t->last_source = rec->source;
	t->last_ts = rec->ts;
}

static int record(struct kt_analysis *a, const struct kt_event *ev, const struct kt_record *rec,
		  struct kt_err *err)
{
	struct kt_calls *c = (struct kt_calls *)a;
	struct now n = {
		.c = c, .role = call_roles_get(&c->roles, &c->opts, ev), .rec = rec, .err = err,
	};
	int ret;

	c->last_ts = rec->ts;
	if (!n.role)
		return kt_err_set(err, -ENOMEM, "out of memory");
	if (n.role->act == CALL_NOTHING)
		return 0;
	n.src = kt_stream_source(kt_trace_stream(c->trace), rec->source);
	n.syms = kt_trace_record_symbols(c->trace, rec);
	n.pid = kt_record_pid(ev->events, rec);
	n.task = task_of(&n, n.pid);
	ret = n.task == KEYMAP_NONE ? -ENOMEM : note_presence(&n);
	if (ret == 0) {
		note_place(c, &c->tasks[n.task], rec);
		ret = act(&n);
	}
	return ret == -ENOMEM && err && !err->code ? kt_err_set(err, ret, "out of memory") : ret;
}

static void lost(struct kt_analysis *a, const struct kt_record *rec)
{
	struct kt_calls *c = (struct kt_calls *)a;
	size_t i;

	c->lost_ts = rec->ts;
	for (i = 0; i < c->nr_tasks; i++)
		if (c->tasks[i].last_source == rec->source)
			cut(&c->tasks[i]);
}

static int end_all(struct kt_calls *c, struct kt_err *err)
{
	struct kt_record last = { .ts = c->last_ts, .pos = UINT64_MAX };
	struct now n = { .c = c, .rec = &last, .err = err };
	int ret = 0;

	for (n.task = 0; n.task < c->nr_tasks && ret == 0; n.task++) {
		struct task *t = &c->tasks[n.task];

		last.source = t->last_source;
		n.src = t->away ? kt_stream_source(kt_trace_stream(c->trace), last.source) : NULL;
		n.pid = t->away && t->nr ? t->stack[0].call.pid : 0;
		ret = come_back(&n, KT_CALL_UNFINISHED);
		ret = ret < 0 ? ret : return_to(&n, 0);
		t = &c->tasks[n.task];
		t->met = t->cut = false;
	}
	return ret;
}

static void gap(struct kt_analysis *a)
{
	end_all((struct kt_calls *)a, NULL);
}

static int finish(struct kt_analysis *a, struct kt_err *err)
{
	return end_all((struct kt_calls *)a, err);
}

struct kt_calls *calls_follow(struct kt_trace *t, const struct kt_calls_opts *opts,
			      const struct call_sink *sink, struct kt_err *err)
{
	struct kt_calls *c = calloc(1, sizeof(*c));

	if (c)
		c->last_task = calloc(kt_stream_nr_sources(kt_trace_stream(t)) + 1,
				      sizeof(*c->last_task));
	if (!c || !c->last_task) {
		kt_calls_destroy(c);
		kt_err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	c->analysis = (struct kt_analysis){
		.record = record, .lost = lost, .gap = gap, .finish = finish,
	};
	c->trace = t;
	c->opts = *opts;
	c->sink = *sink;
	if (!c->sink.data)
		c->sink.data = c;
	return c;
}

void kt_calls_destroy(struct kt_calls *c)
{
	size_t i;

	if (!c)
		return;
	for (i = 0; i < c->nr_tasks; i++)
		free(c->tasks[i].stack);
	free(c->tasks);
	free(c->last_task);
	keymap_fini(&c->task_of);
	call_roles_fini(&c->roles);
	free(c);
}

struct kt_analysis *kt_calls_analysis(struct kt_calls *c)
{
	return &c->analysis;
}

const struct kt_calls_opts *calls_opts(const struct kt_calls *c)
{
	return &c->opts;
}
