/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ahead.c - decompress in other threads what the cursors will want next */
#include "model/ahead.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

/*
 * A helper thread gets the chunk and keeps its reference until the cursor has
 * moved on; the cursor gets it from the file as always, and finds it in the
 * cache (or waits there for its end). So nothing depends on the helpers.
 */
struct slot {
	struct kt_file *file;
	size_t buffer, cpu_index;
	uint64_t nr;
	uint64_t wish;			/* counts the wishes */
	bool queued;
	struct kt_chunk got;
};

struct ahead {
	pthread_mutex_t lock;
	pthread_cond_t more;
	bool stop;
	struct slot *slots;
	size_t *queue;			/* ring of slots whose wish is open; each is in it once */
	size_t nr_slots, first, nr_queued;
	pthread_t *threads;
	int nr_threads;
};

static void fulfil(struct ahead *a, size_t i)
{
	struct slot job = a->slots[i], *slot = &a->slots[i];
	struct kt_chunk got;
	int ret;

	slot->queued = false;
	pthread_mutex_unlock(&a->lock);
	ret = kt_file_chunk_get(job.file, job.buffer, job.cpu_index, job.nr, &got, NULL);
	pthread_mutex_lock(&a->lock);
	if (ret > 0 && slot->wish == job.wish)
		slot->got = got;
	else if (ret > 0)
		kt_chunk_put(&got);
}

static void *helper(void *arg)
{
	struct ahead *a = arg;
	size_t i;

	pthread_mutex_lock(&a->lock);
	while (!a->stop) {
		if (!a->nr_queued) {
			pthread_cond_wait(&a->more, &a->lock);
			continue;
		}
		i = a->queue[a->first];
		a->first = (a->first + 1) % a->nr_slots;
		a->nr_queued--;
		fulfil(a, i);
	}
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

struct ahead *ahead_create(int threads, size_t nr_slots)
{
	struct ahead *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->more, NULL);
	a->nr_slots = nr_slots;
	a->slots = calloc(nr_slots + 1, sizeof(*a->slots));
	a->queue = calloc(nr_slots + 1, sizeof(*a->queue));
	a->threads = calloc(threads, sizeof(*a->threads));
	if (a->slots && a->queue && a->threads)
		while (a->nr_threads < threads &&
		       pthread_create(&a->threads[a->nr_threads], NULL, helper, a) == 0)
			a->nr_threads++;
	if (!a->nr_threads) {
		ahead_destroy(a);
		return NULL;
	}
	return a;
}

void ahead_destroy(struct ahead *a)
{
	size_t i;
	int t;

	if (!a)
		return;
	pthread_mutex_lock(&a->lock);
	a->stop = true;
	pthread_cond_broadcast(&a->more);
	pthread_mutex_unlock(&a->lock);
	for (t = 0; t < a->nr_threads; t++)
		pthread_join(a->threads[t], NULL);
	for (i = 0; a->slots && i < a->nr_slots; i++)
		kt_chunk_put(&a->slots[i].got);
	pthread_cond_destroy(&a->more);
	pthread_mutex_destroy(&a->lock);
	free(a->threads);
	free(a->queue);
	free(a->slots);
	free(a);
}

void ahead_want(struct ahead *a, size_t slot, struct kt_file *file, size_t buffer,
		size_t cpu_index, uint64_t nr)
{
	struct slot *s = &a->slots[slot];
	struct kt_chunk old;

	pthread_mutex_lock(&a->lock);
	old = s->got;
	s->got = (struct kt_chunk){ 0 };
	s->file = file;
	s->buffer = buffer;
	s->cpu_index = cpu_index;
	s->nr = nr;
	s->wish++;
	if (!s->queued) {
		s->queued = true;
		a->queue[(a->first + a->nr_queued++) % a->nr_slots] = slot;
		pthread_cond_signal(&a->more);
	}
	pthread_mutex_unlock(&a->lock);
	kt_chunk_put(&old);
}
