/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* model_own.c - tasks whose events are left out: those of the viewer itself */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "view/model_priv.h"

#define IN_INTERRUPT 0x58		/* common_flags: hard, soft and non-maskable ones */

static int compare(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return x < y ? -1 : x > y;
}

int kt_model_leave_out(struct kt_model *m, const int *pids, size_t nr)
{
	struct left_out *l = &m->left_out;
	int *copy = calloc(nr + 1, sizeof(*copy));

	if (!copy)
		return -ENOMEM;
	if (nr)
		memcpy(copy, pids, nr * sizeof(*copy));
	qsort(copy, nr, sizeof(*copy), compare);
	model_end_search(m);
	/* More of them: what they did is not there yet, so what is shown does not change. */
	m->generation += !nr != !l->nr;
	free(l->pids);
	*l = (struct left_out){ .pids = copy, .nr = nr };
	l->change = kt_events_by_name(kt_trace_events(m->trace, 0), "sched", "sched_switch");
	l->next_pid = l->change ? kt_event_field(l->change, "next_pid") : NULL;
	return 0;
}

static bool is_of_them(const struct left_out *l, int pid)
{
	return bsearch(&pid, l->pids, l->nr, sizeof(*l->pids), compare);
}

/* A switch to another task is about that one, and an interrupt is about neither. */
bool model_leaves_out(const struct kt_model *m, const struct kt_record *rec)
{
	const struct left_out *l = &m->left_out;
	const struct kt_source *src = kt_stream_source(kt_trace_stream(m->trace), rec->source);
	const struct kt_events *events = kt_trace_events(m->trace, src->file_index);
	int64_t next;

	if (!is_of_them(l, kt_record_pid(events, rec)) ||
	    kt_record_flags(events, rec) & IN_INTERRUPT)
		return false;
	if (!l->next_pid || rec->type != l->change->id ||
	    kt_field_i64(l->change, l->next_pid, rec, &next) < 0)
		return true;
	return !next || is_of_them(l, (int)next);
}

bool kt_model_chooses(const struct kt_model *m)
{
	return m->left_out.nr || kt_model_is_filtered(m);
}
