/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* handlers.h - the events that plugins of the distribution, and trace-cmd itself, print */
#ifndef EVENT_HANDLERS_H
#define EVENT_HANDLERS_H

#include <stdbool.h>
#include <stddef.h>

struct handler {
	const char *file;		/* "": trace-cmd's own, which it never takes back */
	const char *system, *name;
};

extern const struct handler handlers[];
extern const size_t nr_handlers;

/* Does one of ours stand for all that this plugin does? @file: "plugin_sched_switch.so" */
bool handlers_has(const char *file);

#endif
