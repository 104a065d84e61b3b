/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* stacks.c - stacks recorded with events, as frames of a flame graph */
#include "flame/flame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/frames.h"

/* An event whose stacks may still follow */
struct flame_pending {
	const struct kt_event *event;	/* NULL: none */
	uint16_t file;
	int32_t  pid;
	bool     shown;
	size_t   nr_kernel, nr_user;
	uint64_t kernel[FRAMES_MAX], user[FRAMES_MAX];
};

static void settle(struct kt_flame *f, struct flame_pending *p)
{
	struct kt_symbols *syms;
	uint32_t node;

	if (p->event && p->shown && p->nr_kernel + p->nr_user) {
		syms = kt_trace_symbols(f->trace, p->file);
		node = flame_task(f, p->file, p->pid);
		node = flame_add_frames(f, node, syms, KT_FLAME_USER, p->user, p->nr_user);
		node = flame_add_frames(f, node, syms, KT_FLAME_FUNCTION, p->kernel, p->nr_kernel);
		/* The stack of a function tracer record begins with the function itself. */
		if (strcmp(p->event->system, "ftrace") != 0)
			node = flame_child(&f->tree, node, flame_name(&f->tree, KT_FLAME_EVENT,
								      p->event->name, false));
		flame_add(f, node, 1, 0);
	}
	p->event = NULL;
}

int flame_take_stack(struct kt_flame *f, const struct kt_event *ev,
			     const struct kt_record *rec)
{
	struct flame_pending *p = f->pending[rec->source];
	bool ftrace = strcmp(ev->system, "ftrace") == 0;

	if (!p)
		p = f->pending[rec->source] = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	if (ftrace && strcmp(ev->name, "kernel_stack") == 0) {
		p->nr_kernel = frames_read(ev, rec, p->kernel);
		return 0;
	}
	if (ftrace && strcmp(ev->name, "user_stack") == 0) {
		p->nr_user = frames_read(ev, rec, p->user);
		while (p->nr_user && !p->user[p->nr_user - 1])
			p->nr_user--;
		return 0;
	}
	settle(f, p);
	p->event = ev;
	p->file = (uint16_t)kt_trace_source(f->trace, rec)->file_index;
	p->pid = kt_record_pid(ev->events, rec);
	p->shown = flame_counts(f, p->file, p->pid);
	p->nr_kernel = p->nr_user = 0;
	return 0;
}

void flame_settle_stacks(struct kt_flame *f)
{
	size_t i;

	for (i = 0; i < f->nr_pending; i++)
		if (f->pending[i])
			settle(f, f->pending[i]);
}

/* ---- times without a CPU, by the stack of sched_switch ---- */

int flame_take_span(void *data, const struct kt_span *s, struct kt_err *err)
{
	struct kt_flame *f = data;
	struct kt_symbols *syms = kt_trace_symbols(f->trace, s->file);
	const char *how = s->value & 2 ? "blocked (D)" : "sleeps";
	uint64_t from = s->begin.ts > f->window.from ? s->begin.ts : f->window.from;
	uint32_t node;

	(void)err;
	if (!flame_counts_sleep(f, s))
		return 0;
	if (s->kind == KT_SPAN_PREEMPTED)
		how = "preempted";
	node = flame_add_frames(f, flame_task(f, s->file, s->pid), syms, KT_FLAME_FUNCTION,
				s->frames, s->nr_frames);
	flame_add(f, flame_child(&f->tree, node, flame_name(&f->tree, KT_FLAME_OFF, how, false)), 1,
	    s->end.ts - from);
	return f->tree.failed ? -ENOMEM : 0;
}

