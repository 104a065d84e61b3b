/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* reads.h - remember how far each CPU of a growing recording was read */
#ifndef TRACE_READS_H
#define TRACE_READS_H

#include "stream/stream.h"

/* Sources are identified by file, buffer and CPU: their numbers change when sources are added. */
struct reads {
	struct read_source {
		size_t file;
		char  *buffer;		/* owned */
		int    cpu;
		struct read_place place;
	} *of;
	size_t nr;
};

void reads_fini(struct reads *r);
/* Note that all sources of @s were read up to @until. 0, -ENOMEM */
int reads_note(struct reads *r, struct kt_stream *s, uint64_t until, struct kt_err *err);
/* Let each source of @s continue where it was read to. 0, -ENOMEM */
int reads_resume(const struct reads *r, struct kt_stream *s, struct kt_err *err);

#endif
