/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* thin_setup.c - the second buffer: which events the kernel writes into it */
#include "when/thin.h"

#include <errno.h>
#include <string.h>

#include <ktrail/settings.h>

#include "latency/subject.h"

#define BUFFER_KB 4096		/* of each CPU: for the events until the next look */

bool thin_has(struct atom *a)
{
	return atom_place(a) != KT_WHEN_OUTSIDE;
}

static const char *tracer_of(const struct atom *a)
{
	return a->kind == ATOM_FUNCTION ? "function" :
	       *kt_latency_kind_events(kt_latency_subject_kind(a->subject)) + strlen("-p ");
}

/* One function only: tracing all would fill it like the ring */
static int set_tracer(struct thin *t, const struct atom *a, struct kt_err *err)
{
	const char *tracer = tracer_of(a);
	const char *name = a->kind == ATOM_FUNCTION ? a->name : subject_name(a->subject);
	bool of_calls = strcmp(tracer, "function_graph") == 0;
	int ret = 0;

	if (t->tracer && strcmp(t->tracer, tracer) != 0)
		return kt_err_set(err, -EINVAL, "it needs the tracer %s, and another condition "
				  "needs %s", tracer, t->tracer);
	if (of_calls && !name)
		return kt_err_set(err, -EINVAL, "it names no function: call vfs_read > 1ms");
	if (of_calls || a->kind == ATOM_FUNCTION)
		ret = kt_instance_add_functions(t->inst, KT_FUNCTIONS_FILTER, name, NULL, err);
	if (ret == 0)
		ret = kt_instance_set_tracer(t->inst, tracer, err);
	t->tracer = tracer;
	return ret;
}

/* The kernel filters if no other atom uses this event; otherwise ktrail does */
static void filter_in_kernel(struct thin *t, const struct atom *a)
{
	const char *const *events;
	const char *room[ATOM_EVENTS];
	size_t i, nr = 0;

	for (i = 0; i < t->when->nr; i++)
		for (events = atom_events(t->when->atoms[i], room); *events; events++)
			nr += strstr(*events, a->name) != NULL;
	if (nr == 1)
		kt_filter_set(t->inst, a->name, a->more, NULL);
}

/* If the kernel refuses, ktrail measures it in a new buffer: -EAGAIN */
static int refused(struct atom *a, const struct kt_err *why, struct kt_err *err)
{
	if (why->code == -ENOMEM || why->code == -EINTR)
		return kt_err_set(err, why->code, "%s", why->msg);
	atom_refuse(a, why->msg);
	return -EAGAIN;
}

bool thin_is_measured(const struct atom *a)
{
	return a->kind == ATOM_LATENCY && a->place == KT_WHEN_IN_KERNEL;
}

static int enable(struct thin *t, struct atom *a, size_t nr, struct kt_err *err)
{
	struct kt_err why = { 0 };
	const char *const *events;
	const char *room[ATOM_EVENTS];
	int ret = 0;

	if (a->kind == ATOM_MARKER) {
		ret = kt_instance_set_option(t->inst, "copy_trace_marker", true, err);
		return ret < 0 ? kt_err_wrap(err, ret, "'%s': markers cannot be copied into a "
					     "second buffer; use 'now' or 'line'", a->text) : 0;
	}
	if (thin_is_measured(a))
		return kernel_watch(t->inst, a, nr, &why) < 0 ? refused(a, &why, err) : 0;
	events = atom_events(a, room);
	if (!*events) {
		ret = set_tracer(t, a, err);
		return ret < 0 ? kt_err_wrap(err, ret, "'%s'", a->text) : 0;
	}
	if (a->kind == ATOM_EVENT && a->more)
		filter_in_kernel(t, a);
	for (; ret >= 0 && *events; events++) {
		ret = kt_instance_enable_events(t->inst, *events, true, err);
		/* Some kernels lack some events of a kind of latency. */
		if (ret == -ENOENT && a->kind == ATOM_LATENCY && events[1]) {
			kt_err_clear(err);
			ret = 0;
		}
	}
	return ret < 0 ? kt_err_wrap(err, ret, "'%s'", a->text) : 0;
}

/* A handle of its own defines the kernel's event, so that it outlives its users. */
void thin_tear_down(struct thin *t)
{
	kt_instance_close(t->inst, NULL);
	kt_instance_close(t->events, NULL);
	t->inst = t->events = NULL;
	t->tracer = NULL;
}

static int set_up_once(struct thin *t, const char *name, struct kt_err *err)
{
	struct kt_err why = { 0 };
	size_t i;
	int ret;

	t->events = kt_instance_open(NULL, 0, err);
	if (!t->events)
		return kt_err_code(err, -ENOMEM);
	for (i = 0; i < t->when->nr; i++)
		if (thin_has(t->when->atoms[i]) && thin_is_measured(t->when->atoms[i]) &&
		    kernel_define(t->events, t->when->atoms[i], i, &why) < 0)
			return refused(t->when->atoms[i], &why, err);
	t->inst = kt_instance_open(name, KT_INSTANCE_CREATE | KT_INSTANCE_EXCLUSIVE, err);
	if (!t->inst)
		return kt_err_code(err, -ENOMEM);
	ret = kt_instance_set_clock(t->inst, "mono", err);
	if (ret >= 0)
		ret = kt_instance_set_buffer_size(t->inst, -1, BUFFER_KB, err);
	for (i = 0; ret >= 0 && i < t->when->nr; i++)
		if (thin_has(t->when->atoms[i]))
			ret = enable(t, t->when->atoms[i], i, err);
	return ret < 0 ? ret : 0;
}

/* The kernel has one limit for all calls: it would affect other conditions. */
static void place_tracers(struct kt_when *w)
{
	size_t i, nr = 0;

	for (i = 0; i < w->nr; i++)
		nr += atom_needs_tracer(w->atoms[i]);
	for (i = 0; nr > 1 && i < w->nr; i++)
		if (w->atoms[i]->kind == ATOM_LATENCY && atom_needs_tracer(w->atoms[i]))
			atom_refuse(w->atoms[i], "another condition needs its tracer, too");
}

int thin_set_up(struct thin *t, const char *name, struct kt_err *err)
{
	int ret;

	place_tracers(t->when);
	for (;;) {
		ret = set_up_once(t, name, err);
		if (ret != -EAGAIN)
			return ret;
		thin_tear_down(t);
	}
}
