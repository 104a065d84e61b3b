/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfetto_sched.c - CompactSched: switches and wakeups of a bundle, column by column */
#include <string.h>

#include "import/perfetto.h"

/* Source: Perfetto, protos/perfetto/trace/ftrace/ftrace_event_bundle.proto */
enum {
	SWITCH_TIME = 1, SWITCH_PREV_STATE, SWITCH_NEXT_PID, SWITCH_NEXT_PRIO, INTERN_TABLE,
	SWITCH_NEXT_COMM, WAKING_TIME, WAKING_PID, WAKING_CPU, WAKING_PRIO, WAKING_COMM,
	WAKING_FLAGS, COLUMNS
};
#define COMMS 4096			/* in the table of a bundle */

struct sched {
	struct perfetto *p;
	unsigned int cpu;
	struct wire columns[COLUMNS];	/* packed numbers */
	struct kt_blob comms[COMMS];
	size_t nr_comms;
};

static bool next(struct sched *s, unsigned int column, uint64_t *v)
{
	struct wire *w = &s->columns[column];

	*v = 0;
	return w->at < w->end && wire_varint(w, v);
}

static struct kt_blob comm(const struct sched *s, uint64_t index)
{
	return index < s->nr_comms ? s->comms[index] : (struct kt_blob){ "", 0 };
}

/* The names of the fields in the order of their values */
static int put(struct sched *s, const char *name, const struct import_record *r,
	       const char *const *fields, const uint64_t *numbers, size_t nr,
	       const char *comm_field, struct kt_blob text, struct kt_err *err)
{
	struct shape_event *ev = shape_events_known(&s->p->im->events, "sched", name);
	struct shape_values v = { 0 };
	size_t i;

	if (!ev)
		return kt_err_no_memory(err);
	for (i = 0; i < nr; i++)
		v.number[shape_field(&ev->shape, fields[i], strlen(fields[i]))] = numbers[i];
	v.text[shape_field(&ev->shape, comm_field, strlen(comm_field))] = text;
	return import_record(s->p->im, r, ev, &v, err);
}

/* Only the pid of the previous task is known, from the previous switch of that CPU. */
static int put_switches(struct sched *s, struct kt_err *err)
{
	static const char *const fields[] = { "prev_state", "next_pid", "next_prio", "prev_pid" };
	struct import_record r = { .cpu = s->cpu };
	int32_t *running = &s->p->running[s->cpu];
	uint64_t delta, v[4], index;
	struct kt_blob text;
	int ret = 0;

	while (ret == 0 && next(s, SWITCH_TIME, &delta)) {
		r.ts += delta;
		if (!next(s, SWITCH_PREV_STATE, &v[0]) || !next(s, SWITCH_NEXT_PID, &v[1]) ||
		    !next(s, SWITCH_NEXT_PRIO, &v[2]) || !next(s, SWITCH_NEXT_COMM, &index))
			break;
		text = comm(s, index);
		v[3] = *running > 0 ? (uint64_t)*running : 0;
		r.pid = (int32_t)v[3];
		ret = put(s, "sched_switch", &r, fields, v, 4, "next_comm", text, err);
		*running = (int32_t)v[1];
		if (ret == 0)
			ret = import_task(s->p->im, *running, text.data, text.size, err);
	}
	return ret;
}

static int put_wakings(struct sched *s, struct kt_err *err)
{
	static const char *const fields[] = { "pid", "target_cpu", "prio" };
	struct import_record r = { .cpu = s->cpu };
	uint64_t delta, v[3], index, flags;
	int ret = 0;

	while (ret == 0 && next(s, WAKING_TIME, &delta)) {
		r.ts += delta;
		if (!next(s, WAKING_PID, &v[0]) || !next(s, WAKING_CPU, &v[1]) ||
		    !next(s, WAKING_PRIO, &v[2]) || !next(s, WAKING_COMM, &index))
			break;
		next(s, WAKING_FLAGS, &flags);
		r.flags = (uint8_t)flags;
		ret = put(s, "sched_waking", &r, fields, v, 3, "comm", comm(s, index), err);
	}
	return ret;
}

int perfetto_put_sched(struct perfetto *p, unsigned int cpu, struct wire w, struct kt_err *err)
{
	struct sched s = { .p = p, .cpu = cpu };
	int ret;

	while (wire_next(&w)) {
		if (w.number == INTERN_TABLE && w.type == WIRE_LENGTH && s.nr_comms < COMMS)
			s.comms[s.nr_comms++] = (struct kt_blob){ (const char *)w.data, w.size };
		else if (w.number < COLUMNS && w.type == WIRE_LENGTH)
			s.columns[w.number] = wire_inside(&w);
	}
	p->nr_damaged += w.failed;
	ret = put_switches(&s, err);
	return ret < 0 ? ret : put_wakings(&s, err);
}
