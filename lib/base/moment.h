/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* moment.h - measure elapsed time, for work that is done in slices */
#ifndef BASE_MOMENT_H
#define BASE_MOMENT_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC, which is also the trace clock "mono" */
static inline uint64_t moment_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static inline uint64_t moment_ms(void)
{
	return moment_ns() / 1000000;
}

#endif
