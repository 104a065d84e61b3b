/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* queue.c - sub-buffers between the thread that takes them and the one that stores them */
#include "rec/queue.h"

#include <stdlib.h>

#define WAKE_FOR   4		/* blocks: a wakeup for each cost the storing thread a tenth */
#define KEEP_SPARE 6		/* after congestion, excess memory is freed */

void queue_lock_init(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(lock, &attr);
	pthread_mutexattr_destroy(&attr);
}

void queue_init(struct queue *q)
{
	*q = (struct queue){ .last = &q->first };
	queue_lock_init(&q->lock);
	pthread_cond_init(&q->filled, NULL);
	pthread_cond_init(&q->freed, NULL);
}

static void free_blocks(struct block *b)
{
	struct block *next;

	for (; b; b = next) {
		next = b->next;
		free(b->data);
		free(b);
	}
}

void queue_fini(struct queue *q)
{
	free_blocks(q->first);
	free_blocks(q->spare);
	pthread_cond_destroy(&q->filled);
	pthread_cond_destroy(&q->freed);
	pthread_mutex_destroy(&q->lock);
}

void queue_limit(struct queue *q, size_t room, size_t bytes, size_t least)
{
	q->room = room;
	q->max = bytes / room > least ? bytes / room : least;
}

static struct block *new_block(struct queue *q)
{
	struct block *b = calloc(1, sizeof(*b));

	if (b)
		b->data = aligned_alloc(64, (q->room + 63) & ~63ul);
	if (!b || !b->data) {
		free(b);
		return NULL;
	}
	q->nr++;
	return b;
}

struct block *queue_get(struct queue *q)
{
	struct block *b = NULL;

	pthread_mutex_lock(&q->lock);
	while (!q->failed && !q->spare && q->nr >= q->max) {
		pthread_cond_signal(&q->filled);
		pthread_cond_wait(&q->freed, &q->lock);
	}
	if (!q->failed && q->spare) {
		b = q->spare;
		q->spare = b->next;
		q->nr_spare--;
	} else if (!q->failed) {
		b = new_block(q);
	}
	pthread_mutex_unlock(&q->lock);
	if (b) {
		b->kind = BLOCK_DATA;
		b->len = 0;
	}
	return b;
}

size_t queue_put(struct queue *q, struct block *b, bool at_once)
{
	size_t waiting;

	b->next = NULL;
	pthread_mutex_lock(&q->lock);
	*q->last = b;
	q->last = &b->next;
	waiting = ++q->nr_waiting;
	if (at_once || waiting >= WAKE_FOR)
		pthread_cond_signal(&q->filled);
	pthread_mutex_unlock(&q->lock);
	return waiting;
}

void queue_done(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->done = true;
	pthread_cond_signal(&q->filled);
	pthread_mutex_unlock(&q->lock);
}

struct block *queue_take(struct queue *q)
{
	struct block *b;

	pthread_mutex_lock(&q->lock);
	while (!q->first && !q->done)
		pthread_cond_wait(&q->filled, &q->lock);
	b = q->first;
	if (b) {
		q->first = b->next;
		q->nr_waiting--;
	}
	if (!q->first)
		q->last = &q->first;
	pthread_mutex_unlock(&q->lock);
	return b;
}

void queue_give_back(struct queue *q, struct block *b)
{
	pthread_mutex_lock(&q->lock);
	if (q->nr_spare < KEEP_SPARE) {
		b->next = q->spare;
		q->spare = b;
		q->nr_spare++;
		b = NULL;
	} else {
		q->nr--;
	}
	pthread_cond_signal(&q->freed);
	pthread_mutex_unlock(&q->lock);
	if (b) {
		free(b->data);
		free(b);
	}
}

void queue_fail(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->failed = true;
	pthread_cond_signal(&q->freed);
	pthread_mutex_unlock(&q->lock);
}
