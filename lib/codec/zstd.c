/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* zstd.c - the only file that uses libzstd */
#include "codec/codec.h"

#include <errno.h>

#include <zstd.h>
#include <zstd_errors.h>

#define MAX_WINDOW (sizeof(size_t) == 4 ? 30 : 31)	/* log 2: the maximum of the library */

static const char *version(void)
{
	return ZSTD_versionString();
}

/*
 * Level 1, tuned for trace data, which repeats in long runs. A table of 32 KiB
 * stays in the cache; it is searched for matches of 7 bytes and more. Together this saves 5
 * to 10 % of the time; sizes change from -1 % (functions) to +2 % (stacks).
 */
static void suit_traces(ZSTD_CCtx *ctx)
{
	ZSTD_CCtx_setParameter(ctx, ZSTD_c_hashLog, 13);
	ZSTD_CCtx_setParameter(ctx, ZSTD_c_minMatch, 7);
}

static void *compressor(int level)
{
	ZSTD_CCtx *ctx = ZSTD_createCCtx();

	if (!ctx)
		return NULL;
	ZSTD_CCtx_setParameter(ctx, ZSTD_c_compressionLevel, level);
	if (level == 1)
		suit_traces(ctx);
	/* The file stores the size next to the frame, so the frame omits it, as in trace-cmd. */
	ZSTD_CCtx_setParameter(ctx, ZSTD_c_contentSizeFlag, 0);
	return ctx;
}

static void compressor_free(void *ctx)
{
	ZSTD_freeCCtx(ctx);
}

static void *decompressor(void)
{
	ZSTD_DCtx *ctx = ZSTD_createDCtx();

	/* Allow any window size, as decompressing a whole block does. */
	if (ctx)
		ZSTD_DCtx_setParameter(ctx, ZSTD_d_windowLogMax, MAX_WINDOW);
	return ctx;
}

static void decompressor_free(void *ctx)
{
	ZSTD_freeDCtx(ctx);
}

static ssize_t result(size_t ret)
{
	if (!ZSTD_isError(ret))
		return ret;
	switch (ZSTD_getErrorCode(ret)) {
	case ZSTD_error_memory_allocation:
		return -ENOMEM;
	case ZSTD_error_dstSize_tooSmall:
		return -ENOSPC;
	default:
		return -EBADMSG;
	}
}

static ssize_t compress(void *ctx, void *dst, size_t room, const void *src, size_t size)
{
	return result(ZSTD_compress2(ctx, dst, room, src, size));
}

static ssize_t decompress(void *ctx, void *dst, size_t room, const void *src, size_t size)
{
	return result(ZSTD_decompressDCtx(ctx, dst, room, src, size));
}

static void begin(void *ctx)
{
	ZSTD_DCtx_reset(ctx, ZSTD_reset_session_only);
}

/* Decompresses block by block: the output before a truncation or an error is valid. */
static int more(void *ctx, struct codec_io *io)
{
	ZSTD_outBuffer out = { io->dst, io->room, 0 };
	ZSTD_inBuffer in = { io->src, io->size, 0 };
	size_t ret = ZSTD_decompressStream(ctx, &out, &in);

	io->src += in.pos;
	io->size -= in.pos;
	io->dst += out.pos;
	io->room -= out.pos;
	return ZSTD_isError(ret) ? (int)result(ret) : ret > 0;
}

static size_t memory(void *ctx)
{
	return ZSTD_sizeof_DCtx(ctx);
}

const struct codec codec_zstd = {
	.name		   = "zstd",
	.default_level	   = 1,		/* with 256 KiB: smaller and faster than 3 with 40 KiB */
	.min_level	   = -7,
	.max_level	   = 19,	/* higher ones need more memory than the trace */
	.magic		   = "\x28\xb5\x2f\xfd",
	.magic_size	   = 4,
	.skip_magic	   = "\x50\x2a\x4d\x18",	/* RFC 8878, skippable frames */
	.version	   = version,
	.bound		   = ZSTD_compressBound,
	.compressor	   = compressor,
	.compressor_free   = compressor_free,
	.decompressor	   = decompressor,
	.decompressor_free = decompressor_free,
	.compress	   = compress,
	.decompress	   = decompress,
	.begin		   = begin,
	.more		   = more,
	.memory		   = memory,
};
