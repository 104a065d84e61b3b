/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* perfetto_events.h - the ftrace events that have a message of their own in Perfetto's traces */
#ifndef EXPORT_PERFETTO_EVENTS_H
#define EXPORT_PERFETTO_EVENTS_H

#include <ktrail/event.h>

#define PERFETTO_FIELDS  8		/* of a message */
#define PERFETTO_GENERIC 327		/* FtraceEvent: an event of any name and fields */
#define PERFETTO_PRINT   3		/* FtraceEvent: a text written to the trace */

struct perfetto_message {
	unsigned int number;		/* of the message in FtraceEvent */
	size_t nr;
	struct {
		const struct kt_field *field;	/* NULL: the event lacks it, or has another type */
		bool is_symbol;		/* the number of a function's name instead of its address */
	} fields[PERFETTO_FIELDS];	/* field 1, 2 … of the message */
};

/* False: the event has no message of its own; use PERFETTO_GENERIC. */
bool perfetto_find_message(const struct kt_event *ev, struct perfetto_message *m);

/* The reverse: the event of a message, and its fields as words, "$comm pid @function". */
bool perfetto_find_event(unsigned int number, const char **system, const char **event,
			 const char **fields);

#endif
