/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pack.c - chunks that several threads compress come back in order */
#include "codec/pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "codec/compress.h"
#include "kt_test.h"

#define CHUNKS 40

/* Chunks of different sizes, so that some threads are done long before others */
static size_t fill(char *data, int nr)
{
	size_t size = nr % 3 ? 1000 : COMPRESS_CHUNK, i;

	for (i = 0; i < size; i++)
		data[i] = (char)(nr * 31 + i * i % 251);
	return size;
}

static void take_one(struct pack *p, struct compress *c, int nr)
{
	char *data = malloc(COMPRESS_CHUNK), *want;
	size_t size = fill(data, nr), room = compress_bound(c, COMPRESS_CHUNK), len;
	struct packed got;

	want = malloc(room);
	len = compress_run(c, want, room, data, size);
	assert_true(pack_take(p, &got));
	assert_int_equal(got.raw_size, size);
	assert_memory_equal(got.raw, data, size);
	assert_int_equal(got.frame_size, len);
	assert_memory_equal(got.frame, want, len);
	free(data);
	free(want);
}

TEST(chunks_come_back_in_order_as_one_thread_makes_them)
{
	char *data = malloc(COMPRESS_CHUNK);
	struct compress *c;
	struct packed none;
	struct pack *p;
	int put, taken = 0;

	assert_int_equal(compress_open(&c, "zstd:9", NULL), 0);
	assert_int_equal(pack_open(&p, "zstd:9", 3, NULL), 0);
	for (put = 0; put < CHUNKS; put++) {
		if (!pack_has_room(p))
			take_one(p, c, taken++);
		assert_int_equal(pack_put(p, data, fill(data, put)), 0);
	}
	assert_int_equal(CHUNKS - taken, 6);	/* two for each thread */
	while (taken < CHUNKS)
		take_one(p, c, taken++);
	assert_false(pack_take(p, &none));
	pack_close(p);
	compress_close(c);
	free(data);
}

TEST(it_can_end_with_work_left)
{
	char data[1000] = { 0 };
	struct pack *p;

	assert_int_equal(pack_open(&p, "zlib", 2, NULL), 0);
	assert_int_equal(pack_put(p, data, sizeof(data)), 0);
	pack_close(p);
	pack_close(NULL);
	assert_int_equal(pack_open(&p, "lzma", 2, NULL), -EINVAL);
	assert_null(p);
}

int main(void)
{
	return RUN(unit(chunks_come_back_in_order_as_one_thread_makes_them),
		   unit(it_can_end_with_work_left));
}
