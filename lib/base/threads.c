/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* threads.c - a pipeline: jobs are filled and drained in order, and worked on in parallel */
#include "base/threads.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#define BACKGROUND_NICE 10

/*
 * A thread without work takes the turn: it fills a job, passes the turn on and works on that
 * job. So only results and a few words of state move between processors; moving the data
 * would cost more than most of the work.
 */
enum wait { WAIT_NOT, WAIT_TURN, WAIT_ROOM };

enum state { JOB_FREE, JOB_BEGUN, JOB_DONE };

/*
 * Putting two threads to sleep and waking them takes some 20 us, more in a guest. A short busy
 * wait is often enough.
 */
#define LOOKS 64	/* checks for a change before a thread sleeps */
#define REST  32	/* pauses between two checks: 0.5 to 2 us */

struct worker {
	struct ring *ring;
	size_t index;
	pthread_t thread;
	pthread_cond_t wake;
	enum wait waits;		/* the reason it sleeps */
	size_t nr_begun;		/* its own jobs that are not drained yet */
	uint64_t ticket;		/* its place in the ordered work; 0: not ordered */
};

struct ring {
	const struct pipeline *p;
	pthread_mutex_t lock;
	struct worker *workers;
	size_t nr_workers, nr_cpus;
	size_t *order;			/* jobs in the order they were filled */
	enum state *states;		/* the state of each job */
	size_t nr_jobs;
	atomic_uint changes;		/* counts changes of this struct; read without the lock */
	uint64_t filled, drained;
	uint64_t tickets;		/* given to ordered work, starting at 1 */
	_Atomic uint64_t ordered;	/* the last ticket that is finished */
	pthread_cond_t in_order;	/* signalled when @ordered changes */
	bool filling, draining;		/* a thread is doing so */
	bool over;			/* nothing is left to fill */
	int error;
};

static int run_alone(const struct pipeline *p)
{
	int ret;

	for (;;) {
		ret = p->fill(p->data, 0);
		if (ret <= 0)
			return ret;
		if (ret == PIPELINE_ORDERED) {
			p->prepare(p->data, 0);
			p->order(p->data, 0);
		}
		p->work(p->data, 0, 0);
		ret = p->drain(p->data, 0);
		if (ret < 0)
			return ret;
	}
}

/* The following functions are called and return with the lock held. */

static void wake_for_turn(struct ring *r)
{
	size_t i;

	atomic_fetch_add(&r->changes, 1);
	for (i = 0; i < r->nr_workers; i++)
		if (r->workers[i].waits == WAIT_TURN) {
			r->workers[i].waits = WAIT_NOT;
			pthread_cond_signal(&r->workers[i].wake);
			return;
		}
}

static void end(struct ring *r, int ret)
{
	size_t i;

	r->over = true;
	atomic_fetch_add(&r->changes, 1);
	if (!r->error)
		r->error = ret;
	for (i = 0; i < r->nr_workers; i++)
		pthread_cond_signal(&r->workers[i].wake);
}

static bool has_room(const struct worker *w)
{
	return w->nr_begun < w->ring->p->jobs_each;
}

static bool may_fill(const struct worker *w)
{
	return !w->ring->over && !w->ring->filling && has_room(w);
}

static bool is_oldest_done(const struct ring *r)
{
	return r->drained < r->filled &&
	       r->states[r->order[r->drained % r->nr_jobs]] == JOB_DONE;
}

static int take_turn(struct worker *w)
{
	struct ring *r = w->ring;
	int ret;

	r->filling = true;
	pthread_mutex_unlock(&r->lock);
	ret = r->p->fill(r->p->data, w->index);
	pthread_mutex_lock(&r->lock);
	r->filling = false;
	w->ticket = ret == PIPELINE_ORDERED ? ++r->tickets : 0;
	if (ret <= 0)
		end(r, ret);
	return ret;
}

/* The lowest free job: its memory was used a moment ago and is in the cache */
static size_t begin_job(struct worker *w)
{
	size_t job = w->index * w->ring->p->jobs_each;

	while (w->ring->states[job] != JOB_FREE)
		job++;
	w->ring->states[job] = JOB_BEGUN;
	w->nr_begun++;
	return job;
}

static void drain_oldest(struct ring *r)
{
	size_t job = r->order[r->drained % r->nr_jobs];
	struct worker *owner = &r->workers[job / r->p->jobs_each];
	int ret;

	pthread_mutex_unlock(&r->lock);
	ret = r->p->drain(r->p->data, job);
	pthread_mutex_lock(&r->lock);
	r->states[job] = JOB_FREE;
	r->drained++;
	owner->nr_begun--;
	atomic_fetch_add(&r->changes, 1);
	if (owner->waits == WAIT_ROOM) {
		owner->waits = WAIT_NOT;
		pthread_cond_signal(&owner->wake);
	}
	if (ret < 0)
		end(r, ret);
}

/* One thread drains, including the jobs that others finish while it does so. */
static void drain_done(struct ring *r)
{
	if (r->draining)
		return;
	r->draining = true;
	while (!r->error && is_oldest_done(r))
		drain_oldest(r);
	r->draining = false;
}

static void rest(void)
{
	size_t i;

	for (i = 0; i < REST; i++) {
#if defined(__x86_64__) || defined(__i386__)
		__builtin_ia32_pause();
#endif
	}
}

/* The following functions, up to work_one(), are called without the lock. */

/* Threads that will finish soon hold all earlier tickets. */
static void wait_in_line(struct worker *w)
{
	struct ring *r = w->ring;
	size_t looks = r->nr_workers <= r->nr_cpus ? LOOKS : 1;

	while (atomic_load(&r->ordered) + 1 != w->ticket && looks--)
		rest();
	if (atomic_load(&r->ordered) + 1 == w->ticket)
		return;
	pthread_mutex_lock(&r->lock);
	while (atomic_load(&r->ordered) + 1 != w->ticket)
		pthread_cond_wait(&r->in_order, &r->lock);
	pthread_mutex_unlock(&r->lock);
}

static void put_in_order(struct worker *w)
{
	struct ring *r = w->ring;
	const struct pipeline *p = r->p;

	p->prepare(p->data, w->index);
	wait_in_line(w);
	p->order(p->data, w->index);
	pthread_mutex_lock(&r->lock);
	atomic_store(&r->ordered, w->ticket);
	pthread_cond_broadcast(&r->in_order);
	pthread_mutex_unlock(&r->lock);
}

static void work_one(struct worker *w)
{
	struct ring *r = w->ring;
	const struct pipeline *p = r->p;
	size_t job;

	if (take_turn(w) <= 0)
		return;
	job = begin_job(w);
	r->order[r->filled++ % r->nr_jobs] = job;
	wake_for_turn(r);
	pthread_mutex_unlock(&r->lock);
	if (w->ticket)
		put_in_order(w);
	p->work(p->data, w->index, job);
	pthread_mutex_lock(&r->lock);
	r->states[job] = JOB_DONE;
	drain_done(r);
}

/* Help another thread when there is work for it, or return when the state has changed. */
static bool help(struct worker *w)
{
	struct ring *r = w->ring;
	unsigned int seen = atomic_load(&r->changes);
	size_t looks = r->nr_workers <= r->nr_cpus ? LOOKS : 1;
	bool over = false;

	pthread_mutex_unlock(&r->lock);
	while (!over && looks--) {
		over = r->p->help(r->p->data, w->index) || atomic_load(&r->changes) != seen;
		if (!over && looks)
			rest();
	}
	pthread_mutex_lock(&r->lock);
	return over;
}

/* Another thread has the turn: help, or sleep until the state changes. */
static void wait_for_turn(struct worker *w)
{
	if (help(w) || w->ring->over || may_fill(w))
		return;
	w->waits = has_room(w) ? WAIT_TURN : WAIT_ROOM;
	pthread_cond_wait(&w->wake, &w->ring->lock);
	w->waits = WAIT_NOT;
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;
	struct ring *r = w->ring;

	pthread_mutex_lock(&r->lock);
	while (!r->over) {
		if (may_fill(w))
			work_one(w);
		else
			wait_for_turn(w);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

int thread_start(pthread_t *thread, void *(*run)(void *), void *arg)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	sigdelset(&all, SIGBUS);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	ret = -pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ret;
}

static void start_workers(struct ring *r, size_t nr_threads)
{
	pthread_mutex_lock(&r->lock);
	while (r->nr_workers < nr_threads &&
	       thread_start(&r->workers[r->nr_workers].thread, worker_main,
			    &r->workers[r->nr_workers]) == 0)
		r->nr_workers++;
	pthread_mutex_unlock(&r->lock);
}

static int run_together(struct ring *r, size_t nr_threads)
{
	size_t i;

	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->in_order, NULL);
	for (i = 0; i < nr_threads; i++) {
		r->workers[i].ring = r;
		r->workers[i].index = i;
		pthread_cond_init(&r->workers[i].wake, NULL);
	}
	r->nr_workers = 1;
	start_workers(r, nr_threads);
	worker_main(&r->workers[0]);
	for (i = 1; i < r->nr_workers; i++)
		pthread_join(r->workers[i].thread, NULL);
	for (i = 0; i < nr_threads; i++)
		pthread_cond_destroy(&r->workers[i].wake);
	pthread_cond_destroy(&r->in_order);
	pthread_mutex_destroy(&r->lock);
	return r->error;
}

int pipeline_run(const struct pipeline *p, size_t nr_threads)
{
	struct ring r = { .p = p, .nr_jobs = nr_threads * p->jobs_each };
	int ret = -ENOMEM;

	if (nr_threads <= 1)
		return run_alone(p);
	r.workers = calloc(nr_threads, sizeof(*r.workers));
	r.order = calloc(r.nr_jobs, sizeof(*r.order));
	r.states = calloc(r.nr_jobs, sizeof(*r.states));
	r.nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (r.workers && r.order && r.states)
		ret = run_together(&r, nr_threads);
	free(r.states);
	free(r.order);
	free(r.workers);
	return ret;
}

/* On Linux a priority belongs to a thread: see setpriority(2). */
void thread_is_background(void)
{
	setpriority(PRIO_PROCESS, 0, BACKGROUND_NICE);
}

bool thread_hurry(void)
{
	const struct sched_param first = { .sched_priority = 1 };

	return sched_getscheduler(0) == SCHED_OTHER &&
	       sched_setscheduler(0, SCHED_FIFO, &first) == 0;
}

void thread_hurry_no_more(void)
{
	sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){ 0 });
}
