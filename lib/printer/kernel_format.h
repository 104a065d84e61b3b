/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kernel_format.h - print formats of what the kernel's trace file shows by code of its own */
#ifndef PRINTER_KERNEL_FORMAT_H
#define PRINTER_KERNEL_FORMAT_H

#include "format/events.h"

/* The print format that says what the trace file does: new, NULL without memory. */
char *kernel_format(const struct event *ev);
/* With kt_events_opts.kernel: does the text begin with a name of its own? */
bool kernel_format_has_name(const struct event *ev);

/* kernel_syscall.c: the format of a sys_enter_* */
void kernel_syscall_enter(const struct event *ev, struct str *s);
/* Bytes that the kernel copied from a program's memory (a dynamic field, how many there are):
 * "(61:0a) "a."". This helper is in our own formats only. */
#define KERNEL_BYTES_COPIED "__ktrail_bytes_copied"

#endif
