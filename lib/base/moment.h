/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* moment.h - how late is it, for work that is done in slices? */
#ifndef BASE_MOMENT_H
#define BASE_MOMENT_H

#include <stdint.h>
#include <time.h>

/* Milliseconds of a clock that never goes back */
static inline uint64_t moment_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

#endif
