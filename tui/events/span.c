/* SPDX-License-Identifier: GPL-2.0-or-later */
/* span.c - the interval that belongs to the selected event */
#include <errno.h>
#include <string.h>

#include "events.h"

static uint64_t field(const struct kt_event *ev, const struct kt_record *rec, const char *name)
{
	const struct kt_field *f = kt_event_field(ev, name);
	uint64_t value;

	return f && kt_field_u64(ev, f, rec, &value) == 0 ? value : 0;
}

/*
 * For a wakeup, the wait that it begins; for a switch to a task, the wait that it ends; for a
 * system call, its duration; otherwise the state of the task: for a switch to idle, the sleep.
 */
static void find_span(const struct kt_event *ev, const struct kt_record *rec, struct view_span *s)
{
	s->pid = kt_record_pid(ev->events, rec);
	s->from = rec->ts;
	if (strncmp(ev->name, "sched_wak", 9) == 0) {
		s->pid = (int)field(ev, rec, "pid");
	} else if (strcmp(ev->name, "sched_switch") == 0 && field(ev, rec, "next_pid")) {
		s->pid = (int)field(ev, rec, "next_pid");
		s->from -= s->from > 0;
	} else if (strncmp(ev->name, "sys_enter", 9) == 0 ||
		   strncmp(ev->name, "sys_exit", 8) == 0) {
		s->is_syscall = true;
		strcpy(s->what, "syscall");
	}
	s->until = s->from;
}

int events_span(struct view *v, struct view_span *s, struct kt_err *err)
{
	const struct events_state *st = v->state;
	struct kt_trace *t = kt_model_trace(v->model);
	const struct kt_event *ev;
	struct kt_record rec;

	if (st->selected >= st->nr || !st->lines[st->selected].text ||
	    kt_reader_go(st->single, &st->lines[st->selected].before, NULL) < 0 ||
	    kt_reader_next(st->single, &rec, NULL) <= 0)
		return kt_err_set(err, -ENOENT, "no event is selected");
	ev = kt_trace_event(t, &rec);
	if (ev) {
		s->file = kt_trace_source(t, &rec)->file_index;
		find_span(ev, &rec, s);
	}
	return s->pid > 0 ? 0 : kt_err_set(err, -ENOENT, "this event is not of a task");
}
