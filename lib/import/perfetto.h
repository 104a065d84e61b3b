/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfetto.h - the import of a Perfetto trace: its packets, and the events in them */
#ifndef IMPORT_PERFETTO_H
#define IMPORT_PERFETTO_H

#include "import/import.h"
#include "import/wire.h"

/*
 * The message of an event, by its number in FtraceEvent: our event, and the field of its shape
 * for each field 1, 2 … of the message
 */
struct message {
	uint32_t number;
	bool     is_known;		/* we have a template; else each field is a guess */
	struct shape_event *ev;
	size_t   nr;
	struct message_field { int16_t field; bool is_symbol; } fields[SHAPE_FIELDS];
};

struct perfetto {
	struct import *im;
	struct message *messages;
	size_t nr_messages;
	struct keymap by_number;
	int32_t *running;		/* by CPU: the task of the last compact switch */
	uint64_t nr_damaged;		/* packets, bundles and events */
	uint64_t nr_others;		/* packets without ftrace data */
	uint64_t nr_unnamed;		/* events of messages without a known name */
};

/* perfetto_event.c: one FtraceEvent of that CPU */
int perfetto_put_event(struct perfetto *p, unsigned int cpu, struct wire w, struct kt_err *err);
/* The address that stands for the function with that number until its name arrives */
uint64_t perfetto_symbol(uint64_t number);

/* perfetto_sched.c: the switches and wakeups of a bundle, column by column */
int perfetto_put_sched(struct perfetto *p, unsigned int cpu, struct wire w, struct kt_err *err);

#endif
