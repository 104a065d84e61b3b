/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ahead.c - what the cursors will want next, for whoever has time to decompress it */
#include "model/ahead.h"

#include <pthread.h>
#include <stdlib.h>

/*
 * Who helps gets the chunk, and its reference is kept until the cursor has
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
	struct slot *slots;
	size_t *queue;			/* ring of slots whose wish is open; each is in it once */
	size_t nr_slots, first, nr_queued;
};

/* Called and returning with the lock held */
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

bool ahead_help(struct ahead *a)
{
	bool any;
	size_t i;

	pthread_mutex_lock(&a->lock);
	any = a->nr_queued > 0;
	if (any) {
		i = a->queue[a->first];
		a->first = (a->first + 1) % a->nr_slots;
		a->nr_queued--;
		fulfil(a, i);
	}
	pthread_mutex_unlock(&a->lock);
	return any;
}

struct ahead *ahead_create(size_t nr_slots)
{
	struct ahead *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	pthread_mutex_init(&a->lock, NULL);
	a->nr_slots = nr_slots;
	a->slots = calloc(nr_slots + 1, sizeof(*a->slots));
	a->queue = calloc(nr_slots + 1, sizeof(*a->queue));
	if (!a->slots || !a->queue) {
		ahead_destroy(a);
		return NULL;
	}
	return a;
}

void ahead_destroy(struct ahead *a)
{
	size_t i;

	if (!a)
		return;
	for (i = 0; a->slots && i < a->nr_slots; i++)
		kt_chunk_put(&a->slots[i].got);
	pthread_mutex_destroy(&a->lock);
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
	}
	pthread_mutex_unlock(&a->lock);
	kt_chunk_put(&old);
}
