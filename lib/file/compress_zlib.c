/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* compress_zlib.c - zlib streams, for readers without zstd */
#include "file/compress.h"

#include <stdlib.h>
#include <zlib.h>

static const char *version(void)
{
	return zlibVersion();
}

static void *open_state(int level)
{
	int *state = malloc(sizeof(*state));

	if (state)
		*state = level;
	return state;
}

static size_t bound(size_t size)
{
	return compressBound(size);
}

static size_t run(void *state, void *dst, size_t room, const void *src, size_t size)
{
	uLongf len = room;

	return compress2(dst, &len, src, size, *(int *)state) == Z_OK ? len : 0;
}

const struct compress_ops compress_zlib = {
	.name = "zlib", .version = version,
	.min_level = 1, .max_level = 9, .default_level = 6,
	.open = open_state, .close = free, .bound = bound, .run = run,
};
