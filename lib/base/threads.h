/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* threads.h - a pipeline: jobs are filled and drained in order, and worked on in parallel */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

#include <stdbool.h>
#include <pthread.h>
#include <stddef.h>

/* Results of @fill besides a negative errno */
enum pipeline_fill {
	PIPELINE_END,			/* nothing is left */
	PIPELINE_WORK,			/* there is work */
	PIPELINE_ORDERED,		/* there is work, some of it for @prepare, @order */
};

/**
 * struct pipeline - the steps of the work
 * @fill:  @worker gets its next work; called by one thread at a time, in order.
 * @work:  do this work; the result becomes job @job. Called by the same thread,
 *         while others fill and work
 * @drain: take the result of a job; called by one thread at a time, in the order of filling,
 *         mostly by the thread that made it. 0 or a negative errno
 * @help:  optional: prepare something that will be needed; called by the thread that would fill
 *         next, while others do anything else. False: there is nothing to do now
 * @prepare, @order: optional; called before @work by the same thread. They do the part that
 *         depends on the order of the work but not on all later input. @prepare runs
 *         while others do anything else. @order runs in one thread at a time, in the
 *         order of filling, while others fill and work
 *
 * Workers are numbers below the number of threads; 0 is the caller. Each worker owns the jobs
 * from @worker * @jobs_each on, so that the memory it uses for them stays in the cache of one
 * processor.
 */
struct pipeline {
	int  (*fill)(void *data, size_t worker);
	void (*work)(void *data, size_t worker, size_t job);
	int  (*drain)(void *data, size_t job);
	bool (*help)(void *data, size_t worker);
	void  *data;
	size_t jobs_each;
	void (*prepare)(void *data, size_t worker);
	void (*order)(void *data, size_t worker);
};

/**
 * pipeline_run - run until @fill returns PIPELINE_END and everything is drained
 * @nr_threads: includes the caller. With one there are no threads and no locks.
 *
 * Returns 0 or the first negative errno. If a thread cannot be started, fewer threads work.
 */
int pipeline_run(const struct pipeline *p, size_t nr_threads);

/* Signals stay with the caller: the thread blocks all but those of its own faults. 0, -errno */
int thread_start(pthread_t *thread, void *(*run)(void *), void *arg);

/* The calling thread works in the background: other runnable threads get a CPU before it. */
void thread_is_background(void);
/* It runs before all ordinary tasks from now on. False: not permitted, or not needed */
bool thread_hurry(void);
void thread_hurry_no_more(void);

#endif
