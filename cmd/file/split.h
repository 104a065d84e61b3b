/* SPDX-License-Identifier: GPL-2.0-or-later */
/* split.h - where `ktrail split` cuts */
#ifndef SPLIT_H
#define SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/stream.h>

#include "cmd/cmd.h"
#include "cmd/print/progress.h"

/* For each source (CPU of a buffer): events from one place in its data to another */
struct split_part {
	uint64_t *from, *to;
};

struct split_plan {
	/* the request */
	uint64_t start_ns, end_ns;	/* as report shows times; end UINT64_MAX: no end */
	uint64_t length_ns, nr_events, nr_pages;	/* of a part; 0: unlimited */
	bool repeat, per_cpu;
	int  only_cpu;			/* -1: all */
	struct progress progress;

	/* the result */
	struct kt_stream *stream;
	size_t nr_sources;
	struct split_part *parts;
	size_t nr_parts;
};

/* Fill in the result, with at least one part. */
int split_plan(struct split_plan *p, struct kt_file *in, struct kt_err *err);
void split_plan_fini(struct split_plan *p);

/* Index of a CPU in the parts; SIZE_MAX: it is left out. */
size_t split_source(const struct split_plan *p, size_t buffer, size_t cpu_index);

#endif
