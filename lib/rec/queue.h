/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* queue.h - sub-buffers between the thread that takes them and the one that stores them */
#ifndef REC_QUEUE_H
#define REC_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct reader;

enum block_kind {
	BLOCK_DATA,	/* sub-buffers of @reader: one chunk */
	BLOCK_IDLE,	/* @reader had no data for a while */
	BLOCK_SYNC,	/* everything before must reach the disk: number @seq */
};

struct block {
	struct block *next;
	struct reader *reader;
	enum block_kind kind;
	unsigned int seq;
	size_t len;
	char *data;			/* queue.room bytes, aligned for splice and zstd */
};

/* One thread at a time calls get and put; one thread calls take and give_back */
struct queue {
	pthread_mutex_t lock;
	pthread_cond_t filled, freed;
	struct block *first, **last, *spare;
	size_t nr_spare, nr_waiting;	/* spare blocks; blocks put and not taken yet */
	size_t room;			/* bytes of a block */
	size_t nr, max;			/* existing blocks; limit */
	bool done, failed;
};

/* A lock with priority inheritance: an urgent thread must not wait for one that cannot run */
void queue_lock_init(pthread_mutex_t *lock);
void queue_init(struct queue *q);
void queue_fini(struct queue *q);
/* Blocks of @room bytes: as many as fit into @bytes, at least @least */
void queue_limit(struct queue *q, size_t room, size_t bytes, size_t least);

/* An empty block; waits while all are in use. NULL: no memory, or queue_fail() */
struct block *queue_get(struct queue *q);
/*
 * Returns how many blocks wait now. Wakes the taking thread if there are several, if no block is
 * free, or if @at_once is set, as the last block requires.
 */
size_t queue_put(struct queue *q, struct block *b, bool at_once);
void queue_done(struct queue *q);	/* no more blocks will be put */

/* The next block; NULL after the last one */
struct block *queue_take(struct queue *q);
void queue_give_back(struct queue *q, struct block *b);
void queue_fail(struct queue *q);	/* no more blocks will be taken */

#endif
