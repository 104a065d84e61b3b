/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pack.c - compress chunks in several threads and return them in their original order */
#include "codec/pack.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "codec/compress.h"

#define MAX_THREADS 64

struct slot {
	char  *raw, *frame;
	size_t raw_size, raw_room, frame_size, frame_room;
	bool   done;
};

struct thread {
	pthread_t id;
	struct pack *pack;
	struct compress *compress;
};

/* The slots are a ring: taken ≤ begun ≤ put. Slots from taken to put are in use. */
struct pack {
	pthread_mutex_t lock;
	pthread_cond_t  more, ready;
	bool            stop;
	size_t          put, begun, taken;	/* totals so far */
	struct slot    *slots;
	size_t          nr_slots;
	struct thread  *threads;
	size_t          nr_threads;
};

static void *work(void *data)
{
	struct thread *t = data;
	struct pack *p = t->pack;
	struct slot *s;

	pthread_mutex_lock(&p->lock);
	for (;;) {
		while (p->begun == p->put && !p->stop)
			pthread_cond_wait(&p->more, &p->lock);
		if (p->stop)
			break;
		s = &p->slots[p->begun++ % p->nr_slots];
		pthread_mutex_unlock(&p->lock);
		s->frame_size = compress_run(t->compress, s->frame, s->frame_room, s->raw,
					     s->raw_size);
		pthread_mutex_lock(&p->lock);
		s->done = true;
		pthread_cond_broadcast(&p->ready);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

static int start(struct pack *p, const char *spec, unsigned int threads, struct kt_err *err)
{
	struct thread *t;
	int ret;

	p->nr_slots = 2 * threads;
	p->slots = calloc(p->nr_slots, sizeof(*p->slots));
	p->threads = calloc(threads, sizeof(*p->threads));
	if (!p->slots || !p->threads)
		return kt_err_no_memory(err);
	for (; p->nr_threads < threads; p->nr_threads++) {
		t = &p->threads[p->nr_threads];
		t->pack = p;
		ret = compress_open(&t->compress, spec, err);
		if (ret < 0)
			return ret;
		ret = pthread_create(&t->id, NULL, work, t);
		if (ret) {
			compress_close(t->compress);
			return kt_err_set(err, -ret, "cannot start a thread: %s", strerror(ret));
		}
	}
	return 0;
}

int pack_open(struct pack **out, const char *spec, unsigned int threads, struct kt_err *err)
{
	struct pack *p = calloc(1, sizeof(*p));
	int ret;

	*out = NULL;
	if (!p)
		return kt_err_no_memory(err);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->more, NULL);
	pthread_cond_init(&p->ready, NULL);
	ret = start(p, spec, threads < MAX_THREADS ? threads : MAX_THREADS, err);
	if (ret < 0)
		pack_close(p);
	else
		*out = p;
	return ret;
}

void pack_close(struct pack *p)
{
	size_t i;

	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_broadcast(&p->more);
	pthread_mutex_unlock(&p->lock);
	for (i = 0; i < p->nr_threads; i++) {
		pthread_join(p->threads[i].id, NULL);
		compress_close(p->threads[i].compress);
	}
	for (i = 0; p->slots && i < p->nr_slots; i++) {
		free(p->slots[i].raw);
		free(p->slots[i].frame);
	}
	pthread_cond_destroy(&p->more);
	pthread_cond_destroy(&p->ready);
	pthread_mutex_destroy(&p->lock);
	free(p->slots);
	free(p->threads);
	free(p);
}

bool pack_has_room(const struct pack *p)
{
	return p->put - p->taken < p->nr_slots;
}

static int make_room(const struct pack *p, struct slot *s, size_t size)
{
	size_t bound = compress_bound(p->threads[0].compress, size);

	if (s->raw_room >= size)
		return 0;
	free(s->raw);
	free(s->frame);
	s->raw = malloc(size);
	s->frame = malloc(bound);
	s->raw_room = s->raw && s->frame ? size : 0;
	s->frame_room = bound;
	return s->raw_room ? 0 : -ENOMEM;
}

int pack_put(struct pack *p, const void *data, size_t size)
{
	struct slot *s = &p->slots[p->put % p->nr_slots];

	if (make_room(p, s, size) < 0)
		return -ENOMEM;
	memcpy(s->raw, data, size);
	s->raw_size = size;
	s->done = false;
	pthread_mutex_lock(&p->lock);
	p->put++;
	pthread_cond_signal(&p->more);
	pthread_mutex_unlock(&p->lock);
	return 0;
}

bool pack_take(struct pack *p, struct packed *out)
{
	struct slot *s = &p->slots[p->taken % p->nr_slots];

	if (p->taken == p->put)
		return false;
	pthread_mutex_lock(&p->lock);
	while (!s->done)
		pthread_cond_wait(&p->ready, &p->lock);
	pthread_mutex_unlock(&p->lock);
	p->taken++;
	*out = (struct packed){ s->raw, s->frame, s->raw_size, s->frame_size };
	return true;
}
