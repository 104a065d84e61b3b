/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* calls.c - follow the calls of each task on a stack of its open calls */
#include "span/calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define STACK_MAX 512		/* 8 << n; no kernel nests deeper, but a forged file might */

struct kt_call_end calls_here(const struct now *n)
{
	return (struct kt_call_end){ .ts = n->rec->ts, .pos = n->rec->pos,
				     .source = n->rec->source };
}

uint32_t calls_task_of(struct now *n, int pid)
{
	struct kt_calls *c = n->c;
	uint32_t who = pid ? (uint32_t)pid : UINT32_MAX - (uint32_t)n->src->cpu;
	uint64_t key = (uint64_t)n->src->first << 32 | who;
	uint32_t i = keymap_get(&c->task_of, key);

	if (i != KEYMAP_NONE)
		return i;
	if (!array_reserve(c->tasks, c->nr_tasks) ||
	    keymap_put(&c->task_of, key, (uint32_t)c->nr_tasks) < 0)
		return KEYMAP_NONE;
	c->tasks[c->nr_tasks] = (struct task){ .last_source = UINT32_MAX };
	return (uint32_t)c->nr_tasks++;
}

/* ---- frames ---- */

/* Many tasks make few calls, and each frame takes more than 100 bytes. */
static int make_room(struct task *t)
{
	uint32_t room = t->room ? 2 * t->room : 8;
	struct frame *grown;

	if (t->nr < t->room)
		return 0;
	/* Drop the outermost frame: real stacks are never so deep. */
	if (t->nr == STACK_MAX) {
		memmove(t->stack, t->stack + 1, --t->nr * sizeof(*t->stack));
		return 0;
	}
	grown = reallocarray(t->stack, room, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	t->stack = grown;
	t->room = room;
	return 0;
}

int calls_enter(struct now *n, const struct frame *f, bool late)
{
	struct task *t = &n->c->tasks[n->task];
	struct frame *top;
	uint32_t parent;

	parent = t->nr ? t->stack[t->nr - 1].id : KT_CALL_NONE;
	if (make_room(t) < 0)
		return kt_err_no_memory(n->err);
	top = &t->stack[t->nr];
	*top = *f;
	top->call.file = (uint16_t)n->src->file_index;
	top->call.pid = n->pid;
	top->call.depth = t->nr;
	if (t->after_gap && f->call.kind != KT_CALL_OFF_CPU && !late) {
		top->call.flags |= KT_CALL_AFTER_GAP;
		t->after_gap = false;
	}
	top->id = n->c->sink.enter(n->c->sink.data, &top->call, parent, n->task, late);
	t->nr++;
	return 0;
}

/* The innermost call ends at @end */
int calls_leave(struct now *n, const struct kt_call_end *end)
{
	struct kt_calls *c = n->c;
	struct task *t = &c->tasks[n->task];
	struct frame *f = &t->stack[--t->nr], *up = t->nr ? f - 1 : NULL;
	struct kt_call *call = &f->call;
	bool seen;

	if (f->probed && keymap_get(&c->returning, f->probed) != KEYMAP_NONE) {
		call->func = f->probed;
		call->name = f->name;
	}
	seen = call->func || call->name;
	call->end = *end;
	if (!call->duration && end->ts > call->begin.ts)
		call->duration = end->ts - call->begin.ts;
	call->self = call->duration > f->of_children ? call->duration - f->of_children : 0;
	if (call->begin.source != end->source && !(call->flags & KT_CALL_UNBEGUN))
		call->flags |= KT_CALL_MOVED;
	if (up) {
		bool irq = call->kind == KT_CALL_IRQ || call->kind == KT_CALL_SOFTIRQ;

		/* The callees of an unknown call take its place. */
		up->of_children += seen ? call->duration : f->of_children;
		up->call.nr_children += seen ? 1 : call->nr_children;
		up->call.nr_inside += seen + call->nr_inside;
		up->call.irq += irq ? call->duration : call->irq;
		up->call.off += call->kind == KT_CALL_OFF_CPU ? call->duration : call->off;
		if (seen && call->flags & KT_CALL_UNFINISHED)
			up->call.flags |= KT_CALL_GAP;
	}
	return c->sink.leave(c->sink.data, f->id, call, n->err);
}

/* Closes all frames from @nr on, whose exits were not recorded */
int calls_abandon(struct now *n, uint32_t nr)
{
	struct task *t = &n->c->tasks[n->task];
	struct kt_call_end end = calls_here(n);
	int ret = 0;

	end.pos = UINT64_MAX;
	while (t->nr > nr && ret == 0) {
		t->stack[t->nr - 1].call.flags |= KT_CALL_UNFINISHED;
		ret = calls_leave(n, &end);
	}
	return ret;
}

/* The calls above @keep frames have returned; the function tracer does not record when. */
int calls_return_to(struct now *n, uint32_t keep)
{
	struct task *t = &n->c->tasks[n->task];
	struct kt_call_end end = calls_here(n);
	int ret = 0;

	end.pos = UINT64_MAX;
	for (; t->nr > keep && ret == 0; t = &n->c->tasks[n->task]) {
		if (!(t->stack[t->nr - 1].call.flags & KT_CALL_UNTIMED))
			t->stack[t->nr - 1].call.flags |= KT_CALL_UNFINISHED;
		ret = calls_leave(n, &end);
	}
	return ret;
}

/*
 * A task records further calls between sched_switch and the actual switch. So its time off
 * the CPU is accounted when it is back: to the frames that are still open then.
 */
int calls_come_back(struct now *n, unsigned int flags)
{
	struct task *t = &n->c->tasks[n->task];
	struct frame f = { .level = CALLS_NO_LEVEL, .call = t->off };
	struct kt_call_end end = calls_here(n);
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
	ret = calls_enter(n, &f, false);
	return ret < 0 ? ret : calls_leave(n, &end);
}

/* ---- the analysis ---- */

static void cut(struct task *t)
{
	uint32_t i;

	t->cut = t->after_gap = true;
	t->off.flags |= KT_CALL_GAP;
	for (i = 0; i < t->nr; i++)
		t->stack[i].call.flags |= KT_CALL_GAP;
}

/*
 * A task that records something has a CPU. If that is a different CPU, or another task has used
 * this one since, the task's return to a CPU was missed.
 */
static int note_presence(struct now *n)
{
	struct kt_calls *c = n->c;
	struct task *t = &c->tasks[n->task];
	uint32_t source = n->rec->source;
	bool back = t->away && (n->role->act == CALL_SWITCH || source != t->off.begin.source ||
				c->last_task[source] != n->task);

	c->last_task[source] = n->task;
	return back ? calls_come_back(n, KT_CALL_UNFINISHED) : 0;
}

/* A task that has moved may have been on a CPU that lost events. */
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
		return kt_err_no_memory(err);
	if (n.role->act == CALL_NOTHING)
		return 0;
	n.src = kt_trace_source(c->trace, rec);
	n.syms = kt_trace_record_symbols(c->trace, rec);
	n.pid = kt_record_pid(ev->events, rec);
	n.task = calls_task_of(&n, n.pid);
	ret = n.task == KEYMAP_NONE ? -ENOMEM : note_presence(&n);
	if (ret == 0) {
		note_place(c, &c->tasks[n.task], rec);
		ret = calls_act(&n);
	}
	return ret == -ENOMEM ? kt_err_no_memory(err) : ret;
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
		n.src = t->away ? kt_trace_source(c->trace, &last) : NULL;
		n.pid = t->away && t->nr ? t->stack[0].call.pid : 0;
		ret = calls_come_back(&n, KT_CALL_UNFINISHED);
		ret = ret < 0 ? ret : calls_return_to(&n, 0);
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
		kt_err_no_memory(err);
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
	keymap_fini(&c->returning);
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
