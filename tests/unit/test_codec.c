/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_codec.c - blocks compressed and back, damaged ones, and their beginnings */
#include <errno.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "codec/codec.h"

#define SIZE (600 * 1024)	/* several blocks of zstd */

static const char *const names[] = { "zstd", "zlib" };
static unsigned char plain[SIZE], packed[2 * SIZE], back[SIZE];

static size_t pack(const struct codec *c)
{
	void *ctx = c->compressor(c->default_level);
	unsigned int seed = 1;
	ssize_t n;
	size_t i;

	for (i = 0; i < SIZE; i++) {
		seed = seed * 1103515245 + 12345;
		plain[i] = (seed >> 16) % 7 ? i / 64 : seed >> 24;
	}
	assert_non_null(ctx);
	assert_true(c->bound(SIZE) <= sizeof(packed));
	n = c->compress(ctx, packed, sizeof(packed), plain, SIZE);
	c->compressor_free(ctx);
	assert_true(n > 0 && n < SIZE);
	return n;
}

static void a_block_comes_back_as_it_was(void **state)
{
	size_t i, size;

	(void)state;
	for (i = 0; i < 2; i++) {
		const struct codec *c = codec_find(names[i]);
		void *ctx = c->decompressor();

		size = pack(c);
		memset(back, 0, SIZE);
		assert_int_equal(c->decompress(ctx, back, SIZE, packed, size), SIZE);
		assert_memory_equal(back, plain, SIZE);
		c->decompressor_free(ctx);
	}
}

static void the_front_of_a_block_can_be_had_alone_and_again(void **state)
{
	size_t i, size;

	(void)state;
	for (i = 0; i < 2; i++) {
		const struct codec *c = codec_find(names[i]);
		void *ctx = c->decompressor();

		size = pack(c);
		assert_int_equal(codec_peek(c, ctx, back, 16, packed, size), 16);
		assert_memory_equal(back, plain, 16);
		assert_int_equal(c->decompress(ctx, back, SIZE, packed, size), SIZE);
		assert_int_equal(codec_peek(c, ctx, back, 100, packed, size), 100);
		assert_memory_equal(back, plain, 100);
		c->decompressor_free(ctx);
	}
}

static void a_cut_block_is_refused_but_its_front_survives(void **state)
{
	size_t i, size;
	ssize_t got;

	(void)state;
	for (i = 0; i < 2; i++) {
		const struct codec *c = codec_find(names[i]);
		void *ctx = c->decompressor();

		size = pack(c);
		assert_int_equal(c->decompress(ctx, back, SIZE, packed, size - 40), -EBADMSG);
		got = codec_peek(c, ctx, back, SIZE, packed, size - 40);
		assert_true(got > SIZE / 2 && got < SIZE);
		assert_memory_equal(back, plain, got);
		c->decompressor_free(ctx);
	}
}

static void too_little_room_is_distinguished_from_damage(void **state)
{
	size_t i, size;

	(void)state;
	for (i = 0; i < 2; i++) {
		const struct codec *c = codec_find(names[i]);
		void *out = c->compressor(1), *in = c->decompressor();

		size = pack(c);
		assert_int_equal(c->decompress(in, back, SIZE - 1, packed, size), -ENOSPC);
		assert_int_equal(c->decompress(in, back, SIZE, plain, SIZE), -EBADMSG);
		assert_int_equal(codec_peek(c, in, back, 16, plain + 1000, 1000), -EBADMSG);
		assert_int_equal(c->compress(out, packed, 10, plain, SIZE), -ENOSPC);
		c->compressor_free(out);
		c->decompressor_free(in);
	}
}

static void an_unknown_name_finds_nothing(void **state)
{
	(void)state;
	assert_null(codec_find("none"));
	assert_null(codec_find("lz5"));
	assert_null(codec_find(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_block_comes_back_as_it_was),
		cmocka_unit_test(the_front_of_a_block_can_be_had_alone_and_again),
		cmocka_unit_test(a_cut_block_is_refused_but_its_front_survives),
		cmocka_unit_test(too_little_room_is_distinguished_from_damage),
		cmocka_unit_test(an_unknown_name_finds_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
