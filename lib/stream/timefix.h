/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* timefix.h - convert the time stamps of a ring buffer into the times that records show */
#ifndef STREAM_TIMEFIX_H
#define STREAM_TIMEFIX_H

#include <stdbool.h>
#include <stdint.h>

#include <ktrail/base.h>
#include <ktrail/file.h>
#include <ktrail/stream.h>

/* One sample of the clocks of guest and host (option TIME_SHIFT) */
struct timefix_sample {
	uint64_t time;
	int64_t  offset;
	uint64_t scaling;
	unsigned int fraction;
};

/*
 * Applied in this order: guest to host; hertz or TSC2NSEC; the sum of DATE, OFFSET
 * and the user's offset.
 */
struct timefix {
	bool     plain;			/* apply only @add */
	uint64_t add;			/* wraps, so negative offsets work */
	double   factor;		/* --ts2secs; 0: none */
	uint32_t mult, shift;		/* TSC2NSEC; mult 0: none */
	bool     interpolate;
	bool     has_wall;		/* shown times plus @wall are nanoseconds since 1970 */
	uint64_t wall;
	size_t   nr_samples;
	struct timefix_sample *samples;	/* by time; owned */
};

void timefix_init(struct timefix *fix, const struct kt_file *file,
		  const struct kt_stream_opts *opts);
void timefix_fini(struct timefix *fix);
/* Read option TIME_SHIFT, @o, for @cpu of guest file @file: its times become those of the host. */
int timefix_add_shift(struct timefix *fix, const struct kt_file *file, const struct kt_option *o,
		      int cpu);
uint64_t timefix_apply_slowly(const struct timefix *fix, uint64_t ts);

static inline uint64_t timefix_apply(const struct timefix *fix, uint64_t ts)
{
	return fix->plain ? ts + fix->add : timefix_apply_slowly(fix, ts);
}

#endif
