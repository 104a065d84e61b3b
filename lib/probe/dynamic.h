/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* dynamic.h - lines of dynamic_events */
#ifndef PROBE_DYNAMIC_H
#define PROBE_DYNAMIC_H

#include <stdbool.h>

#include <ktrail/tracefs.h>

/* Are these lines of dynamic_events two probes of one event? */
bool ctl_dynamic_share(const char *line, const char *other);
/* The text that, appended to dynamic_events, removes the event of @line; if the event is @shared,
 * only this probe. New (free), or NULL: no memory, or not a definition */
char *ctl_dynamic_removal(const char *line, bool shared);

/* A line of dynamic_events: enum kt_dynamic_kind, and "group/event" in @name (@size bytes) */
enum kt_dynamic_kind dynamic_event_kind(const char *line, char *name, size_t size);

/* The list of dynamic events; of an older kernel, those of its two files. New (free), or NULL */
char *dynamic_text(const struct kt_instance *inst, struct kt_err *err);

#endif
