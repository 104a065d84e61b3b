/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* reset.h - bring a buffer back to what it is after boot */
#ifndef KTRAIL_RESET_H
#define KTRAIL_RESET_H

#include <stdbool.h>

#include <ktrail/instance.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * kt_instance_reset - stop what is traced and clear what is set
 *
 * Tracer nop, no events, filters, triggers, pids, function lists or stack
 * traces, clock local, all CPUs, no maximum latency, no trace; tracing on. Of
 * the top buffer also: no graph depth, no threshold. Sizes and other options
 * stay. What this kernel does not offer is passed over.
 *
 * The changes are remembered as all others are: kt_instance_keep() makes them
 * stay. 0 or the errno of the first refusal.
 */
int kt_instance_reset(struct kt_instance *inst, struct kt_err *err);

enum kt_dynamic_kind {
	KT_DYNAMIC_KPROBE    = 1 << 0,
	KT_DYNAMIC_KRETPROBE = 1 << 1,
	KT_DYNAMIC_UPROBE    = 1 << 2,
	KT_DYNAMIC_URETPROBE = 1 << 3,
	KT_DYNAMIC_EPROBE    = 1 << 4,
	KT_DYNAMIC_SYNTH     = 1 << 5,
	KT_DYNAMIC_OTHER     = 1 << 6,	/* fprobes, tracepoint probes, what is to come */
	KT_DYNAMIC_ALL       = (1 << 7) - 1,
};

/* A line of dynamic_events: enum kt_dynamic_kind, and "group/event" in @name (@size bytes) */
enum kt_dynamic_kind kt_dynamic_event_kind(const char *line, char *name, size_t size);

/**
 * kt_dynamic_events_remove - delete probes and synthetic events
 * @inst:  remembers them: unless it is told to keep, closing it defines them again
 *         (NULL: nobody does); a dry one notes the removals
 * @kinds: enum kt_dynamic_kind, or-ed
 * @busy:  gets "group/event" of those that the kernel keeps because they are
 *         in use; may be NULL
 *
 * Returns how many went, or not available.
 */
int kt_dynamic_events_remove(struct kt_instance *inst, unsigned int kinds, struct kt_names *busy,
			     struct kt_err *err);
/* "group/event" of those there are. */
int kt_dynamic_events_list(unsigned int kinds, struct kt_names *out, struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
