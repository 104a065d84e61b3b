/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* windows.c - the windows around causes, until their files are written */
#include "capture/capture.h"

static uint64_t before(uint64_t at, uint64_t ns)
{
	return at > ns ? at - ns : 0;
}

static void add_cause(struct kt_capture_note *n, const struct kt_cause *cause)
{
	if (n->nr < KT_CAUSES)
		n->causes[n->nr++] = *cause;
	else
		n->nr_more++;
}

static bool joins(struct kt_capture_note *n, const struct kt_capture_opts *o,
		  const struct kt_cause *cause)
{
	uint64_t first = n->causes[0].at, until = cause->at + o->after_ns;

	if (cause->at < first || before(cause->at, o->before_ns) > n->until ||
	    until > first + o->before_ns + 2 * o->after_ns)
		return false;
	if (until > n->until)
		n->until = until;
	add_cause(n, cause);
	return true;
}

bool windows_join(struct windows *w, const struct kt_capture_opts *o, const struct kt_cause *cause)
{
	size_t i;

	for (i = 0; i < w->nr; i++)
		if (joins(&w->at[i], o, cause))
			return true;
	return false;
}

void windows_open(struct windows *w, const struct kt_capture_opts *o, const struct kt_cause *cause)
{
	struct kt_capture_note *n = &w->at[w->nr++];
	uint64_t from = before(cause->at, o->before_ns);

	/* A window holds a long latency as a whole. */
	if (cause->from < from && cause->at - cause->from < o->before_ns + o->after_ns)
		from = before(cause->from, o->after_ns);
	*n = (struct kt_capture_note){ .from = from, .until = cause->at + o->after_ns };
	add_cause(n, cause);
}

size_t windows_taken(const struct windows *w, uint64_t taken)
{
	size_t i;

	for (i = 0; i < w->nr && w->at[i].until > taken; i++)
		;
	return i;
}

uint64_t windows_due(const struct windows *w, uint64_t taken, uint64_t span)
{
	uint64_t last = 0, limit = UINT64_MAX;
	size_t i;

	for (i = 0; i < w->nr; i++) {
		if (w->at[i].until <= taken)
			continue;
		if (limit == UINT64_MAX)
			limit = w->at[i].until + span;
		if (w->at[i].until > last)
			last = w->at[i].until;
	}
	return limit == UINT64_MAX || last > limit ? limit : last;
}

void windows_end(struct windows *w, uint64_t taken)
{
	size_t i;

	for (i = 0; i < w->nr; i++)
		if (w->at[i].until > taken)
			w->at[i].until = taken;
}

void windows_forget(struct windows *w, size_t i)
{
	for (w->nr--; i < w->nr; i++)
		w->at[i] = w->at[i + 1];
}
