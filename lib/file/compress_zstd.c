/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* compress_zstd.c - zstd frames that every reader of trace.dat opens */
#include "file/compress.h"

#include <zstd.h>

static const char *version(void)
{
	return ZSTD_versionString();
}

/*
 * The uncompressed size stands in the chunk header, so frames go without it,
 * as those of trace-cmd do.
 */
static void *open_state(int level)
{
	ZSTD_CCtx *ctx = ZSTD_createCCtx();

	if (!ctx)
		return NULL;
	ZSTD_CCtx_setParameter(ctx, ZSTD_c_compressionLevel, level);
	ZSTD_CCtx_setParameter(ctx, ZSTD_c_contentSizeFlag, 0);
	return ctx;
}

static void close_state(void *state)
{
	ZSTD_freeCCtx(state);
}

static size_t bound(size_t size)
{
	return ZSTD_compressBound(size);
}

static size_t run(void *state, void *dst, size_t room, const void *src, size_t size)
{
	size_t n = ZSTD_compress2(state, dst, room, src, size);

	return ZSTD_isError(n) ? 0 : n;
}

/* Level 1 in big chunks is both smaller and faster than trace-cmd's 3 in small ones */
const struct compress_ops compress_zstd = {
	.name = "zstd", .version = version,
	.min_level = -7, .max_level = 19, .default_level = 1,
	.open = open_state, .close = close_state, .bound = bound, .run = run,
};
