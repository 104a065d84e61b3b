/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* queue.h - sub-buffers on their way from the thread that takes them to the one that stores them */
#ifndef REC_QUEUE_H
#define REC_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct reader;

enum block_kind {
	BLOCK_DATA,	/* sub-buffers of @reader: one chunk */
	BLOCK_IDLE,	/* @reader had nothing to say for a while */
	BLOCK_SYNC,	/* everything before is to be on the disk: number @seq */
};

struct block {
	struct block *next;
	struct reader *reader;
	enum block_kind kind;
	unsigned int seq;
	size_t len;
	char *data;			/* queue.room bytes, aligned for splice and zstd */
};

/* One thread at a time gets and puts, one takes and gives back */
struct queue {
	pthread_mutex_t lock;
	pthread_cond_t filled, freed;
	struct block *first, **last, *spare;
	size_t nr_spare, nr_waiting;	/* put and not taken yet */
	size_t room;			/* of a block */
	size_t nr, max;			/* blocks there are; may be */
	bool done, failed;
};

/* A lock between threads of which one is in a hurry,
 * and shall not wait for one that is not let run */
void queue_lock_init(pthread_mutex_t *lock);
void queue_init(struct queue *q);
void queue_fini(struct queue *q);
/* Blocks of @room bytes: as many as fit into @bytes, but @least */
void queue_limit(struct queue *q, size_t room, size_t bytes, size_t least);

/* An empty block; waits while all are on their way. NULL: no memory, or queue_fail() */
struct block *queue_get(struct queue *q);
/*
 * Returns how many wait now. Who takes them is woken when there are a few, or none is
 * free any more, or @at_once: of what comes last, that has to be.
 */
size_t queue_put(struct queue *q, struct block *b, bool at_once);
void queue_done(struct queue *q);	/* nothing more will be put */

/* The next one; NULL when there will be none */
struct block *queue_take(struct queue *q);
void queue_give_back(struct queue *q, struct block *b);
void queue_fail(struct queue *q);	/* nothing more will be taken */

#endif
