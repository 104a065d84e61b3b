/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_queue.c - blocks between the thread that reads data and the one that stores it */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kt_test.h"
#include "rec/queue.h"

#define ROOM 4096

static void test_order(void **state)
{
	struct block *b;
	struct queue q;
	unsigned int i;

	(void)state;
	queue_init(&q);
	queue_limit(&q, ROOM, 8 * ROOM, 2);
	for (i = 0; i < 8; i++) {
		b = queue_get(&q);
		assert_non_null(b);
		assert_int_equal(b->kind, BLOCK_DATA);
		assert_int_equal(b->len, 0);
		memset(b->data, (int)i, ROOM);
		b->seq = i;
		assert_int_equal(queue_put(&q, b, true), i + 1);
	}
	queue_done(&q);
	for (i = 0; i < 8; i++) {
		b = queue_take(&q);
		assert_int_equal(b->seq, i);
		assert_int_equal(b->data[ROOM - 1], i);
		b->kind = BLOCK_SYNC;
		b->len = 7;
		queue_give_back(&q, b);
	}
	assert_null(queue_take(&q));
	/* A reused block is like a new one, and the memory for a jam is not kept */
	assert_true(q.nr < 8);
	b = queue_get(&q);
	assert_int_equal(b->kind, BLOCK_DATA);
	assert_int_equal(b->len, 0);
	queue_put(&q, b, true);
	queue_fini(&q);
}

static void test_least(void **state)
{
	struct queue q;

	(void)state;
	queue_init(&q);
	queue_limit(&q, ROOM, 0, 3);
	assert_int_equal(q.max, 3);
	queue_limit(&q, ROOM, 10 * ROOM + 1, 3);
	assert_int_equal(q.max, 10);
	queue_fini(&q);
}

static atomic_int taker;	/* the thread that takes, once it is about to */

static void *give_one_back(void *data)
{
	struct queue *q = data;
	struct block *b;

	taker = gettid();
	b = queue_take(q);
	usleep(20000);
	queue_give_back(q, b);
	return NULL;
}

/* Wait until the kernel reports that the reading thread is asleep, however slow the machine is */
static void await_sleep(void)
{
	char path[64], state = 0;
	FILE *f;

	while (state != 'S') {
		snprintf(path, sizeof(path), "/proc/self/task/%d/stat", atomic_load(&taker));
		f = fopen(path, "r");
		if (f) {
			if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
				state = 0;
			fclose(f);
		}
		usleep(1000);
	}
}

/* A queue of two blocks, both of them in use */
static void open_full(struct queue *q, struct block *b[2])
{
	queue_init(q);
	queue_limit(q, ROOM, 2 * ROOM, 1);
	b[0] = queue_get(q);
	b[1] = queue_get(q);
}

static void *give_up(void *data)
{
	usleep(20000);
	queue_fail(data);
	return NULL;
}

/* In a full queue, a thread waits for a block until one is returned, or until none will be */
static void test_full(void **state)
{
	struct block *b[2];
	pthread_t other;
	struct queue q;

	(void)state;
	open_full(&q, b);
	queue_put(&q, b[0], true);
	pthread_create(&other, NULL, give_one_back, &q);
	assert_ptr_equal(queue_get(&q), b[0]);
	pthread_join(other, NULL);
	assert_int_equal(q.nr, 2);

	pthread_create(&other, NULL, give_up, &q);
	assert_null(queue_get(&q));
	pthread_join(other, NULL);
	queue_give_back(&q, b[0]);
	assert_null(queue_get(&q));
	queue_give_back(&q, b[1]);
	queue_fini(&q);
}

static size_t waiting(struct queue *q)
{
	size_t nr;

	pthread_mutex_lock(&q->lock);
	nr = q->nr_waiting;
	pthread_mutex_unlock(&q->lock);
	return nr;
}

/* The reader of the queue is woken only when no other block is left to fill, not for each one */
static void test_wake(void **state)
{
	struct block *b[2];
	pthread_t other;
	struct queue q;

	(void)state;
	open_full(&q, b);
	taker = 0;
	pthread_create(&other, NULL, give_one_back, &q);
	await_sleep();
	queue_put(&q, b[0], false);
	usleep(50000);
	assert_int_equal(waiting(&q), 1);
	assert_ptr_equal(queue_get(&q), b[0]);
	pthread_join(other, NULL);
	assert_int_equal(waiting(&q), 0);
	queue_give_back(&q, b[0]);
	queue_give_back(&q, b[1]);
	queue_fini(&q);
}

/* Between threads no block is lost, duplicated or reordered */
static void *produce(void *data)
{
	struct block *b;
	unsigned int i;

	for (i = 0; i < 20000; i++) {
		b = queue_get(data);
		b->seq = i;
		b->len = i % ROOM;
		queue_put(data, b, i % 7 == 0);
	}
	queue_done(data);
	return NULL;
}

static void test_threads(void **state)
{
	unsigned int expected = 0;
	struct block *b;
	pthread_t other;
	struct queue q;

	(void)state;
	queue_init(&q);
	queue_limit(&q, ROOM, 16 * ROOM, 2);
	pthread_create(&other, NULL, produce, &q);
	while ((b = queue_take(&q))) {
		assert_int_equal(b->seq, expected);
		assert_int_equal(b->len, expected % ROOM);
		expected++;
		queue_give_back(&q, b);
	}
	assert_int_equal(expected, 20000);
	pthread_join(other, NULL);
	assert_true(q.nr <= 16);
	queue_fini(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_least),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_wake),
		cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
