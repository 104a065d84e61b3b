/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* readahead.c - prefetch: idle threads decompress what the cursors will need next */
#include "stream/readahead.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/*
 * A helper decompresses the chunk and holds a reference until the cursor has moved on. The
 * cursor gets the chunk from the file as usual, which finds it in the cache or waits until it
 * is ready. So the result does not depend on the helpers.
 */
struct wish {
	uint64_t nr;
	uint64_t serial;		/* number of the wish; 0: no wish */
	bool open;			/* no thread works on it yet */
	struct kt_chunk got;
};

struct slot {
	struct kt_file *file;
	size_t buffer, cpu_index;
	struct wish wishes[AHEAD_CHUNKS];
};

struct readahead {
	pthread_mutex_t lock;
	struct slot *slots;
	size_t nr_slots;
	uint64_t serial;		/* of the last wish */
	atomic_size_t nr_open;		/* read without the lock */
};

static struct wish *oldest_open(struct readahead *a, struct slot **slot)
{
	struct wish *w, *oldest = NULL;
	size_t i;

	for (i = 0; i < a->nr_slots * AHEAD_CHUNKS; i++) {
		w = &a->slots[i / AHEAD_CHUNKS].wishes[i % AHEAD_CHUNKS];
		if (!w->open || (oldest && oldest->serial < w->serial))
			continue;
		*slot = &a->slots[i / AHEAD_CHUNKS];
		oldest = w;
	}
	return oldest;
}

static void close_wish(struct readahead *a, struct wish *w)
{
	atomic_fetch_sub(&a->nr_open, w->open);
	w->open = false;
}

/* Called and returns with the lock held */
static void fulfil(struct readahead *a, const struct slot *slot, struct wish *w)
{
	struct slot at = *slot;
	struct wish was = *w;
	struct kt_chunk got;
	int ret;

	close_wish(a, w);
	pthread_mutex_unlock(&a->lock);
	ret = kt_file_chunk_get(at.file, at.buffer, at.cpu_index, was.nr, &got, NULL);
	pthread_mutex_lock(&a->lock);
	if (ret > 0 && w->serial == was.serial)
		w->got = got;
	else if (ret > 0)
		kt_chunk_put(&got);
}

bool readahead_help(struct readahead *a)
{
	struct slot *slot;
	struct wish *w;

	if (!atomic_load(&a->nr_open))
		return false;
	pthread_mutex_lock(&a->lock);
	w = oldest_open(a, &slot);
	if (w)
		fulfil(a, slot, w);
	pthread_mutex_unlock(&a->lock);
	return w;
}

static bool is_in_work(struct readahead *a, const struct slot *s, uint64_t nr)
{
	bool in_work = false;
	size_t i;

	pthread_mutex_lock(&a->lock);
	for (i = 0; i < AHEAD_CHUNKS; i++)
		in_work |= s->wishes[i].serial && s->wishes[i].nr == nr && !s->wishes[i].open &&
			   !s->wishes[i].got.owner;
	pthread_mutex_unlock(&a->lock);
	return in_work;
}

void readahead_meanwhile(struct readahead *a, size_t slot, uint64_t nr)
{
	if (is_in_work(a, &a->slots[slot], nr))
		readahead_help(a);
}

struct readahead *readahead_create(size_t nr_slots)
{
	struct readahead *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	pthread_mutex_init(&a->lock, NULL);
	a->nr_slots = nr_slots;
	a->slots = calloc(nr_slots + 1, sizeof(*a->slots));
	if (!a->slots) {
		readahead_destroy(a);
		return NULL;
	}
	return a;
}

void readahead_destroy(struct readahead *a)
{
	size_t i;

	if (!a)
		return;
	for (i = 0; a->slots && i < a->nr_slots * AHEAD_CHUNKS; i++)
		kt_chunk_put(&a->slots[i / AHEAD_CHUNKS].wishes[i % AHEAD_CHUNKS].got);
	pthread_mutex_destroy(&a->lock);
	free(a->slots);
	free(a);
}

static bool is_among(const uint64_t *nrs, uint64_t nr)
{
	size_t i;

	for (i = 0; i < AHEAD_CHUNKS; i++)
		if (nrs[i] == nr)
			return true;
	return false;
}

static void make_wish(struct readahead *a, struct slot *s, uint64_t nr)
{
	struct wish *free = NULL;
	size_t i;

	for (i = 0; i < AHEAD_CHUNKS; i++) {
		if (!s->wishes[i].serial)
			free = &s->wishes[i];
		else if (s->wishes[i].nr == nr)
			return;
	}
	*free = (struct wish){ .nr = nr, .serial = ++a->serial, .open = true };
	atomic_fetch_add(&a->nr_open, 1);
}

void readahead_want(struct readahead *a, size_t slot, struct kt_file *file, size_t buffer,
		    size_t cpu_index, const uint64_t *nrs)
{
	struct kt_chunk old[AHEAD_CHUNKS] = { 0 };
	struct slot *s = &a->slots[slot];
	size_t i;

	pthread_mutex_lock(&a->lock);
	s->file = file;
	s->buffer = buffer;
	s->cpu_index = cpu_index;
	for (i = 0; i < AHEAD_CHUNKS; i++) {
		if (is_among(nrs, s->wishes[i].nr))
			continue;
		close_wish(a, &s->wishes[i]);
		old[i] = s->wishes[i].got;
		s->wishes[i] = (struct wish){ 0 };
	}
	for (i = 0; i < AHEAD_CHUNKS; i++)
		make_wish(a, s, nrs[i]);
	pthread_mutex_unlock(&a->lock);
	for (i = 0; i < AHEAD_CHUNKS; i++)
		kt_chunk_put(&old[i]);
}
