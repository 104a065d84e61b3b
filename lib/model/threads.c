/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* threads.c - jobs filled and drained in order, worked on in parallel */
#include "model/threads.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum state { FREE, READY, BUSY, DONE };

/*
 * Jobs go round a ring: filled at @filled, drained at @drained, and taken for
 * work at @taken in between, all counted from the start.
 */
struct ring {
	const struct pipeline *p;
	pthread_mutex_t lock;
	pthread_cond_t  ready;		/* a job may be taken, or all is over */
	pthread_cond_t  done;		/* a job is done */
	uint64_t filled, taken, drained;
	bool over;
	enum state *states;
};

struct worker {
	struct ring *ring;
	size_t index;
	pthread_t thread;
};

static int run_alone(const struct pipeline *p)
{
	int ret;

	for (;;) {
		ret = p->fill(p->data, 0);
		if (ret <= 0)
			return ret;
		p->work(p->data, 0, 0);
		ret = p->drain(p->data, 0);
		if (ret < 0)
			return ret;
	}
}

/* Called and returning with the lock held; there is a job to take. */
static void work_one(struct ring *r, size_t worker)
{
	size_t job = r->taken++ % r->p->nr_jobs;

	r->states[job] = BUSY;
	pthread_mutex_unlock(&r->lock);
	r->p->work(r->p->data, worker, job);
	pthread_mutex_lock(&r->lock);
	r->states[job] = DONE;
	pthread_cond_signal(&r->done);
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;
	struct ring *r = w->ring;

	pthread_mutex_lock(&r->lock);
	while (!r->over) {
		if (r->taken < r->filled)
			work_one(r, w->index);
		else
			pthread_cond_wait(&r->ready, &r->lock);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

/* The caller's part, with the lock held: keep the ring full, then empty it, then help. */
static int step(struct ring *r, bool *more)
{
	const struct pipeline *p = r->p;
	int ret;

	if (r->drained < r->filled && r->states[r->drained % p->nr_jobs] == DONE) {
		pthread_mutex_unlock(&r->lock);
		ret = p->drain(p->data, r->drained % p->nr_jobs);
		pthread_mutex_lock(&r->lock);
		r->states[r->drained++ % p->nr_jobs] = FREE;
		return ret;
	}
	if (*more && r->filled - r->drained < p->nr_jobs) {
		pthread_mutex_unlock(&r->lock);
		ret = p->fill(p->data, r->filled % p->nr_jobs);
		pthread_mutex_lock(&r->lock);
		*more = ret > 0;
		if (ret > 0) {
			r->states[r->filled++ % p->nr_jobs] = READY;
			pthread_cond_signal(&r->ready);
		}
		return ret;
	}
	if (r->taken < r->filled)
		work_one(r, 0);
	else
		pthread_cond_wait(&r->done, &r->lock);
	return 0;
}

static int run_ring(struct ring *r)
{
	bool more = true;
	int ret = 0;

	pthread_mutex_lock(&r->lock);
	while (ret >= 0 && (more || r->drained < r->filled))
		ret = step(r, &more);
	r->over = true;
	pthread_cond_broadcast(&r->ready);
	pthread_mutex_unlock(&r->lock);
	return ret < 0 ? ret : 0;
}

/* Signals are the caller's business: its threads take none but those of their own faults. */
static size_t start_workers(struct ring *r, struct worker *workers, size_t nr)
{
	sigset_t all, before;
	size_t started;

	sigfillset(&all);
	sigdelset(&all, SIGBUS);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	for (started = 0; started < nr; started++) {
		workers[started] = (struct worker){ .ring = r, .index = started + 1 };
		if (pthread_create(&workers[started].thread, NULL, worker_main,
				   &workers[started]))
			break;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return started;
}

int pipeline_run(const struct pipeline *p, size_t nr_threads)
{
	struct ring r = { .p = p };
	struct worker *workers;
	size_t i, started;
	int ret;

	if (nr_threads <= 1)
		return run_alone(p);
	workers = calloc(nr_threads, sizeof(*workers));
	r.states = calloc(p->nr_jobs, sizeof(*r.states));
	if (!workers || !r.states) {
		ret = -ENOMEM;
		goto out;
	}
	pthread_mutex_init(&r.lock, NULL);
	pthread_cond_init(&r.ready, NULL);
	pthread_cond_init(&r.done, NULL);

	started = start_workers(&r, workers, nr_threads - 1);
	ret = run_ring(&r);
	for (i = 0; i < started; i++)
		pthread_join(workers[i].thread, NULL);

	pthread_cond_destroy(&r.done);
	pthread_cond_destroy(&r.ready);
	pthread_mutex_destroy(&r.lock);
out:
	free(r.states);
	free(workers);
	return ret;
}
