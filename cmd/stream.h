/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream.h - tracing that leaves no file: what stream and profile share */
#ifndef STREAM_H
#define STREAM_H

#include <ktrail/trace.h>

#include "record.h"

struct stream_args {
	struct setup_args s;		/* first: SETUP_OPTS */
	uint64_t duration_ns;
	bool json, nanoseconds;
	/* When all is recorded, @path is what there is; nothing is printed before. NULL: print */
	int (*done)(struct stream_args *a, const char *path, struct kt_err *err);

	char *dir, path[4200];		/* the temporary recording; @dir: owned */
	struct kt_rec *rec;
	struct kt_trace *trace;		/* of it, as it was at the last window; owned */
	bool closed;			/* nobody reads our output any more */
};

/* Behind the options: trace until the command, the time or the user ends it. As cmd.run */
int stream_run(struct stream_args *a, int argc, char **argv, struct kt_err *err);

#endif
