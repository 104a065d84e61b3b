/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* boot.h - what the bootconfig and the command line of a session share */
#ifndef SESSION_BOOT_H
#define SESSION_BOOT_H

#include <ktrail/session.h>

#include "base/str.h"

/* "sched:sched_switch"; a bare name means a system or an event, as for set_event */
void boot_add_event_name(struct str *s, const char *name);
/* "KEY=a,b" of the functions in that list; nothing when there are none */
void boot_add_param_functions(struct str *s, const char *key, const struct kt_setup_buffer *buf,
			      enum kt_function_list list);
/* boot_state.c: is the line of dynamic_events one that a bootconfig can say? */
bool boot_can_probe(const char *line);

#endif
