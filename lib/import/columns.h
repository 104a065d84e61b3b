/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* columns.h - the columns of a line before its event: task, CPU, flags and time */
#ifndef IMPORT_COLUMNS_H
#define IMPORT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct columns {
	const char *comm;		/* in the line */
	size_t   comm_len;
	int32_t  pid;
	unsigned int cpu;
	uint8_t  flags, preempt_count;
	bool     has_flags;
	uint64_t ts;			/* nanoseconds, or what a clock counts */
	uint64_t step;			/* of the last digit of the time */
	bool     is_count;		/* the time has no decimal point */
	bool     is_latency;		/* the columns of a latency tracer: times since its start */
	size_t   end;			/* where the event begins */
};

/* Is this the line of an event? */
bool columns_parse(const char *line, size_t len, struct columns *c);

#endif
