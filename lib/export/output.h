/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* output.h - bytes to a descriptor, compressed if wanted */
#ifndef EXPORT_OUTPUT_H
#define EXPORT_OUTPUT_H

#include <ktrail/export.h>

struct output;

/* New (output_close), NULL with @err set. @fd: borrowed */
struct output *output_open(int fd, enum kt_export_packing packing, struct kt_err *err);
/* 0 or a negative errno, -EPIPE if the reader has closed the pipe; @err set */
int output_write(struct output *o, const void *bytes, size_t len, struct kt_err *err);
/* Write what is still in memory; nothing may be written after it. */
int output_finish(struct output *o, struct kt_err *err);
void output_close(struct output *o);

#endif
