/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfetto.h - the import of a trace of Perfetto: its packets, and events in them */
#ifndef IMPORT_PERFETTO_H
#define IMPORT_PERFETTO_H

#include "import/import.h"
#include "import/wire.h"

/*
 * The message of an event, by its number in FtraceEvent: the event of ours, and for the fields 1,
 * 2 … of the message those of its shape.
 */
struct message {
	uint32_t number;
	bool     is_known;		/* of ours; else each field is a guess */
	struct import_event *ev;
	size_t   nr;
	struct message_field { int16_t field; bool is_symbol; } fields[SHAPE_FIELDS];
};

struct perfetto {
	struct import *im;
	struct message *messages;
	size_t nr_messages;
	struct keymap by_number;
	int32_t *running;		/* by CPU: the task that a compact switch has switched to */
	uint64_t nr_damaged;		/* packets, bundles and events */
	uint64_t nr_others;		/* packets that are not about ftrace */
	uint64_t nr_unnamed;		/* events whose message has no name here */
};

/* perfetto_event.c: one FtraceEvent of that CPU */
int perfetto_put_event(struct perfetto *p, unsigned int cpu, struct wire w, struct kt_err *err);
/* The address that stands for the function with that number, until its name is told */
uint64_t perfetto_symbol(uint64_t number);

/* perfetto_sched.c: the switches and wakeups of a bundle, column by column */
int perfetto_put_sched(struct perfetto *p, unsigned int cpu, struct wire w, struct kt_err *err);

#endif
