/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show_copy.h - copy what the kernel prints to stdout, up to a given record */
#ifndef SHOW_COPY_H
#define SHOW_COPY_H

#include <stdint.h>

#include <ktrail/base.h>

#define SHOW_ALL UINT64_MAX

/**
 * show_copy - print a file of tracefs
 * @path:    for messages
 * @records: of a trace print only so many; SHOW_ALL: until the file ends
 *
 * The kernel prints a trace as it is when it is read, and goes on as long as there is more: a
 * tracer that traces the reading never lets it end. The user wants the trace as it is now, so the
 * caller counts the records first, and the rest is left.
 */
int show_copy(int fd, const char *path, uint64_t records, struct kt_err *err);

#endif
