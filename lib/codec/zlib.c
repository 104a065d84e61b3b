/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* zlib.c - the only file that uses zlib */
#include "codec/codec.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include <zlib.h>

static const char *version(void)
{
	return zlibVersion();
}

static size_t bound(size_t size)
{
	return compressBound(size);
}

static void *compressor(int level)
{
	z_stream *z = calloc(1, sizeof(*z));

	if (z && deflateInit(z, level) != Z_OK) {
		free(z);
		return NULL;
	}
	return z;
}

static void compressor_free(void *ctx)
{
	if (ctx)
		deflateEnd(ctx);
	free(ctx);
}

static void *decompressor(void)
{
	z_stream *z = calloc(1, sizeof(*z));

	if (z && inflateInit(z) != Z_OK) {
		free(z);
		return NULL;
	}
	return z;
}

static void decompressor_free(void *ctx)
{
	if (ctx)
		inflateEnd(ctx);
	free(ctx);
}

/* zlib counts in uInt; no block of a trace.dat comes near its limit. */
static int aim(z_stream *z, void *dst, size_t room, const void *src, size_t size)
{
	if (room > UINT_MAX || size > UINT_MAX)
		return -ENOSPC;
	z->next_in = (Bytef *)src;
	z->avail_in = size;
	z->next_out = dst;
	z->avail_out = room;
	return 0;
}

static ssize_t compress_block(void *ctx, void *dst, size_t room, const void *src, size_t size)
{
	z_stream *z = ctx;
	int ret;

	deflateReset(z);
	if (aim(z, dst, room, src, size) < 0)
		return -ENOSPC;
	ret = deflate(z, Z_FINISH);
	return ret == Z_STREAM_END ? (ssize_t)z->total_out : -ENOSPC;
}

static void begin(void *ctx)
{
	inflateReset(ctx);
}

static int more(void *ctx, struct codec_io *io)
{
	z_stream *z = ctx;
	int ret;

	if (aim(z, io->dst, io->room, io->src, io->size) < 0)
		return -EBADMSG;
	ret = inflate(z, Z_SYNC_FLUSH);
	io->src = z->next_in;
	io->size = z->avail_in;
	io->dst = z->next_out;
	io->room = z->avail_out;
	switch (ret) {
	case Z_STREAM_END: return 0;
	case Z_OK:
	case Z_BUF_ERROR:  return 1;
	case Z_MEM_ERROR:  return -ENOMEM;
	default:           return -EBADMSG;
	}
}

static ssize_t decompress(void *ctx, void *dst, size_t room, const void *src, size_t size)
{
	struct codec_io io = { .src = src, .size = size, .dst = dst, .room = room };
	int ret;

	begin(ctx);
	ret = more(ctx, &io);
	if (ret <= 0)
		return ret < 0 ? ret : (ssize_t)(room - io.room);
	return io.room ? -EBADMSG : -ENOSPC;
}

/* The window and the tables, according to zconf.h, and some margin */
static size_t memory(void *ctx)
{
	(void)ctx;
	return 48u << 10;
}

const struct codec codec_zlib = {
	.name		   = "zlib",
	.default_level	   = 6,
	.min_level	   = 1,
	.max_level	   = 9,
	.ends_itself	   = true,	/* as uncompress() and inflate() do */
	.version	   = version,
	.bound		   = bound,
	.compressor	   = compressor,
	.compressor_free   = compressor_free,
	.decompressor	   = decompressor,
	.decompressor_free = decompressor_free,
	.compress	   = compress_block,
	.decompress	   = decompress,
	.begin		   = begin,
	.more		   = more,
	.memory		   = memory,
};
