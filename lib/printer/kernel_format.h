/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kernel_format.h - formats for events that the kernel's trace file prints with its own code */
#ifndef PRINTER_KERNEL_FORMAT_H
#define PRINTER_KERNEL_FORMAT_H

#include "format/events.h"

/* A print format that gives the text of the trace file. New (free), NULL: no memory */
char *kernel_format(const struct event *ev);
/* With kt_events_opts.kernel: does the text begin with its own name instead of the event's? */
bool kernel_format_has_name(const struct event *ev);

/* kernel_syscall.c: the format of a sys_enter_* event */
void kernel_syscall_enter(const struct event *ev, struct str *s);
/*
 * Bytes that the kernel copied from a program's memory: "(61:0a) "a."". Arguments: a dynamic field,
 * and the full number of bytes. Only our own formats use this helper.
 */
#define KERNEL_BYTES_COPIED "__ktrail_bytes_copied"

#endif
