/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kernel_format.h - print formats of what the kernel's trace file shows by code of its own */
#ifndef PRINTER_KERNEL_FORMAT_H
#define PRINTER_KERNEL_FORMAT_H

#include "format/events.h"

/* The print format that says what the trace file does: new, NULL without memory. */
char *kernel_format(const struct event *ev);
/* With kt_events_opts.kernel: does the text begin with a name of its own? */
bool kernel_format_has_name(const struct event *ev);

#endif
