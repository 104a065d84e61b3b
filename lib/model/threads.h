/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* threads.h - jobs filled and drained in order, worked on in parallel */
#ifndef MODEL_THREADS_H
#define MODEL_THREADS_H

#include <stddef.h>

/**
 * struct pipeline - what flows through, and what is done with it
 * @fill:  job @job gets its content; in order, in the caller's thread.
 *         1: there is some, 0: the end, or a negative errno
 * @work:  any number of jobs at once; @worker is below the number of threads
 * @drain: in order again, in the caller's thread. 0 or a negative errno
 *
 * Jobs are numbers below @nr_jobs, used in turn.
 */
struct pipeline {
	int  (*fill)(void *data, size_t job);
	void (*work)(void *data, size_t worker, size_t job);
	int  (*drain)(void *data, size_t job);
	void  *data;
	size_t nr_jobs;
};

/**
 * pipeline_run - until fill says 0 and everything is drained
 * @nr_threads: the caller's included, which works too when there is nothing
 *              else to do. With one there are no threads and no locks.
 *
 * Returns 0 or the first negative errno. Threads that cannot be had are done without.
 */
int pipeline_run(const struct pipeline *p, size_t nr_threads);

#endif
