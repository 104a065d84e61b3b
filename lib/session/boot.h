/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* boot.h - what the bootconfig and the command line of a session share */
#ifndef SESSION_BOOT_H
#define SESSION_BOOT_H

#include "base/str.h"
#include "session/state.h"

/* "sched:sched_switch"; a bare name means a system or an event, as for set_event */
void boot_add_event_name(struct str *s, const char *name);
/* The values to write for a setting, with @kb appended to sizes; 0 or -ENOMEM */
int boot_values(const struct kt_state_section *wish, const struct state_row *row, const char *kb,
		struct kt_names *out);
/* boot_state.c: can a bootconfig define the event of this line of dynamic_events? */
bool boot_can_probe(const char *line);

#endif
