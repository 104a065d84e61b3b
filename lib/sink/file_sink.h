/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* file_sink.h - a recording into a file, with parts next to it until it is finished */
#ifndef SINK_FILE_SINK_H
#define SINK_FILE_SINK_H

#include "sink/sink.h"

struct file_sink_opts {
	int         version;		/* 6 or 7; 0: 7 */
	const char *compression;	/* NULL: "any"; version 6 has none */
	bool        keep_old;		/* a previous file at @path becomes PATH.old */
	bool        follow;		/* each sync drops the data before the previous sync; with a
					 * limit, only data beyond the limit */
	uint64_t    max_kb_per_cpu;	/* keep about the last so many KiB of data; 0: all */
};

/* @opts: copied. New (ops->close), or NULL with @err: see kt_rec_create(). */
struct sink *file_sink_create(const char *path, const struct file_sink_opts *opts,
			      struct kt_err *err);
/* The new name of a previous file at @path, borrowed; NULL: there was none */
const char *file_sink_kept(const struct sink *s);
int file_sink_drop_kept(struct sink *s, struct kt_err *err);

#endif
