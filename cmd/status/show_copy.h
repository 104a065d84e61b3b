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
 * @records: print at most this number of records of a trace; SHOW_ALL: until the file ends
 *
 * The kernel prints records as long as there are more: if the reading itself is traced, the file
 * never ends. The user wants the trace as it is now, so the caller counts the records first, and
 * the later ones are not printed.
 */
int show_copy(int fd, const char *path, uint64_t records, struct kt_err *err);

#endif
