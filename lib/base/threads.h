/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* threads.h - jobs filled and drained in order, worked on in parallel */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

#include <stdbool.h>
#include <pthread.h>
#include <stddef.h>

/* What @fill may say, besides a negative errno */
enum pipeline_fill {
	PIPELINE_END,			/* there is nothing more */
	PIPELINE_WORK,			/* there is some */
	PIPELINE_ORDERED,		/* … and a part of it is for @prepare and @order */
};

/**
 * struct pipeline - what flows through, and what is done with it
 * @fill:  @worker gets its next work; by one thread at a time, in order.
 * @work:  that is done, and the result becomes job @job; by the same thread,
 *         while others fill and work
 * @drain: the result of a job; by one thread at a time, in the order of filling, mostly by
 *         the one that made it. 0 or a negative errno
 * @help:  optional: something that will be needed, by the thread that would fill next,
 *         while others do anything else. False: there is nothing to do now
 * @prepare, @order: optional, before @work, by the same thread. What depends on
 *         the order of the work but not on all that is yet to be read: the first
 *         while others do anything else, the second by one thread at a time, in
 *         the order of filling, while others fill and work
 *
 * Workers are numbers below the number of threads, 0 is the caller. Jobs
 * @worker * @jobs_each and up are a worker's own, so that what it uses for them
 * stays in the cache of one processor.
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
 * pipeline_run - until fill says 0 and everything is drained
 * @nr_threads: the caller's included. With one there are no threads and no locks.
 *
 * Returns 0 or the first negative errno. Threads that cannot be had are done without.
 */
int pipeline_run(const struct pipeline *p, size_t nr_threads);

/* Signals are the caller's business: a thread takes none but those of its own faults. 0, -errno */
int thread_start(pthread_t *thread, void *(*run)(void *), void *arg);

/* The calling thread works in the background: others that are ready get a CPU before it. */
void thread_is_background(void);

#endif
