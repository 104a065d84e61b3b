/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* place.c - where each atom of a condition is evaluated, and the reason */
#include "when/when.h"

#include <stdio.h>

#include "base/str.h"
#include "latency/subject.h"

static const char *const none[] = { NULL };

bool atom_needs_tracer(const struct atom *a)
{
	const char *const *events;

	if (a->kind != ATOM_LATENCY)
		return a->kind == ATOM_FUNCTION;
	events = kt_latency_kind_events(kt_latency_subject_kind(a->subject));
	return *events && **events == '-';
}

const char *const *atom_events(const struct atom *a, const char *room[ATOM_EVENTS])
{
	if (a->kind == ATOM_EVENT) {
		room[0] = a->name;
		room[1] = NULL;
		return room;
	}
	if (a->kind != ATOM_LATENCY || a->place == KT_WHEN_IN_KERNEL || atom_needs_tracer(a))
		return none;
	if (kt_latency_subject_kind(a->subject) != KT_LATENCY_PAIR)
		return kt_latency_kind_events(kt_latency_subject_kind(a->subject));
	subject_events(a->subject, room);
	return room;
}

bool atom_is_event(const struct atom *a)
{
	return a->kind == ATOM_EVENT || a->kind == ATOM_MARKER || a->kind == ATOM_FUNCTION ||
	       a->place == KT_WHEN_IN_KERNEL;
}

static void place(struct atom *a, enum kt_when_place where, const char *why)
{
	a->is_placed = true;
	a->place = where;
	snprintf(a->why, sizeof(a->why), "%s", why);
}

static void place_in_thin(struct atom *a, const char *why)
{
	place(a, KT_WHEN_IN_THIN_BUFFER, "");
	snprintf(a->why, sizeof(a->why), "%s into a second buffer, which is read all the time; not "
		 "by the kernel: %s",
		 atom_needs_tracer(a) ? "its tracer writes" : "only its events go", why);
}

void atom_refuse(struct atom *a, const char *why)
{
	place_in_thin(a, why);
	a->is_refused = true;
	*a->event = '\0';
}

static void place_latency(struct atom *a)
{
	const char *why = kernel_misses(a);

	if (why)
		place_in_thin(a, why);
	else if (atom_needs_tracer(a))
		place(a, KT_WHEN_IN_KERNEL, "it writes only calls that take longer "
		      "(tracing_thresh), and wakes ktrail then");
	else
		place(a, KT_WHEN_IN_KERNEL, "it measures this by hist triggers, and wakes ktrail "
		      "only for what takes longer");
}

static void choose(struct atom *a)
{
	switch (a->kind) {
	case ATOM_LATENCY:
		place_latency(a);
		break;
	case ATOM_EVENT:
		place(a, KT_WHEN_IN_KERNEL, "it filters this event into a second buffer, and wakes "
		      "ktrail when one comes");
		break;
	case ATOM_FUNCTION:
		place(a, KT_WHEN_IN_KERNEL, "it traces only this function into a second buffer, "
		      "and wakes ktrail when it is called");
		break;
	case ATOM_MARKER:
		place(a, KT_WHEN_IN_THIN_BUFFER, "the kernel copies what is written to "
		      "trace_marker into a second buffer, and wakes ktrail");
		break;
	case ATOM_LINE:
		place(a, KT_WHEN_OUTSIDE, "the file is watched, no event is needed");
		break;
	case ATOM_NOW:
		place(a, KT_WHEN_OUTSIDE, "a socket waits for `ktrail capture --now`");
		break;
	case ATOM_SIGNAL:
		place(a, KT_WHEN_OUTSIDE, "the signal goes to ktrail itself");
		break;
	case ATOM_EXIT:
	case ATOM_DEATH:
		place(a, KT_WHEN_OUTSIDE, "ktrail is the parent of the command");
		break;
	case ATOM_PSI:
		place(a, KT_WHEN_OUTSIDE, "the kernel watches this itself and wakes ktrail "
		      "(/proc/pressure)");
		break;
	case ATOM_CGROUP:
		place(a, KT_WHEN_OUTSIDE, "the kernel reports changes of its file");
		break;
	}
}

enum kt_when_place atom_place(struct atom *a)
{
	if (!a->is_placed)
		choose(a);
	return a->place;
}

void place_tell(struct kt_when *w, const struct kt_capture_opts *o)
{
	struct str text = STR_INIT;
	struct atom *a;
	size_t i;

	for (i = 0; i < w->nr; i++) {
		a = w->atoms[i];
		if (!a->is_refused)
			continue;
		a->is_refused = false;
		str_reset(&text);
		str_addf(&text, "'%s' is evaluated %s: %s", a->text, kt_when_place_name(a->place),
			 a->why);
		if (o->displaced && !text.failed)
			o->displaced(o->data, text.buf);
	}
	str_fini(&text);
}
