/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* handlers.h - the events that the distribution's plugins, and trace-cmd itself, print */
#ifndef EVENT_HANDLERS_H
#define EVENT_HANDLERS_H

#include <stdbool.h>
#include <stddef.h>

struct handler {
	const char *file;		/* "": trace-cmd's own, which it never unregisters */
	const char *system, *name;
};

extern const struct handler handlers[];
extern const size_t nr_handlers;

/* Do our formatters replace all of this plugin? @file: "plugin_sched_switch.so" */
bool handlers_has(const char *file);

#endif
