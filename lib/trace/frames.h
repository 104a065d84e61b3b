/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* frames.h - the addresses of a recorded kernel stack */
#ifndef TRACE_FRAMES_H
#define TRACE_FRAMES_H

#include <ktrail/trace.h>

#define FRAMES_MAX 256		/* more than any kernel records */

/* The addresses of ftrace's kernel_stack record @rec, innermost first; 0 for other records. */
size_t frames_read(const struct kt_event *ev, const struct kt_record *rec,
		   uint64_t frames[FRAMES_MAX]);

#endif
