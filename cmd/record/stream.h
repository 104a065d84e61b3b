/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream.h - tracing without an output file: shared by stream and profile */
#ifndef STREAM_H
#define STREAM_H

#include <ktrail/trace.h>

#include "record.h"

struct stream_args {
	struct setup_args s;		/* first: SETUP_OPTS */
	uint64_t duration_ns;
	bool json, nanoseconds;
	/*
	 * Called when the recording at @path has ended; nothing is printed before. NULL: print
	 * events
	 */
	int (*done)(struct stream_args *a, const char *path, struct kt_err *err);

	struct kt_temp *dir;
	char path[4200];		/* in @dir: the temporary recording */
	struct kt_rec *rec;
	struct kt_trace *trace;		/* of the recording at the last window; owned */
	bool closed;			/* the reader of our output has closed the pipe */
};

/* After the options: trace until the command, the time limit or the user ends it. As cmd.run */
int stream_run(struct stream_args *a, int argc, char **argv, struct kt_err *err);

#endif
