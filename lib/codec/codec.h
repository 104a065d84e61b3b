/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* codec.h - the compression methods of a trace.dat, one interface for both directions */
#ifndef CODEC_CODEC_H
#define CODEC_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct codec_io;

/*
 * Every block (a section, a chunk of sub-buffers) is independent. The file stores
 * the decompressed size next to it.
 */
struct codec {
	const char *name;			/* as in the file header: "zstd", "zlib" */
	int default_level, min_level, max_level;
	const char *magic;			/* the bytes at the start of every block */
	size_t magic_size;			/* 0 if they are too short to search for */
	const char *skip_magic;			/* 4 bytes, then a little-endian u32: the number of
						 * bytes that decompressors skip before a block;
						 * NULL: not supported */
	bool ends_itself;			/* a block marks its own end: bytes after it, within
						 * its size, are ignored */

	const char *(*version)(void);		/* of the library, for the file header */
	size_t  (*bound)(size_t size);		/* the most that @size bytes may need compressed */

	/* One thread's working memory for one direction; NULL: no memory */
	void   *(*compressor)(int level);
	void    (*compressor_free)(void *ctx);
	void   *(*decompressor)(void);
	void    (*decompressor_free)(void *ctx);

	/* All return the number of bytes written to @dst, or -ENOSPC, -ENOMEM, -EBADMSG */
	ssize_t (*compress)(void *ctx, void *dst, size_t room, const void *src, size_t size);
	ssize_t (*decompress)(void *ctx, void *dst, size_t room, const void *src, size_t size);
	/*
	 * Decompress a block step by step: begin(), then more() until it ends. more() advances
	 * @io past what it has read and written. It returns 1, 0 at the end of a
	 * frame (a block of zstd may have several), -EBADMSG or -ENOMEM.
	 */
	void    (*begin)(void *ctx);
	int     (*more)(void *ctx, struct codec_io *io);
	size_t  (*memory)(void *ctx);	/* bytes that a decompressor uses now */
};

struct codec_io {
	const uint8_t *src;
	size_t size;
	uint8_t *dst;
	size_t room;
};

/*
 * The first bytes of a block, at most @room; of a truncated or damaged block, the bytes that are
 * intact. -EBADMSG if there are none.
 */
ssize_t codec_peek(const struct codec *c, void *ctx, void *dst, size_t room, const void *src,
		   size_t size);

extern const struct codec codec_zstd, codec_zlib;

/* By the name in a file header; NULL if this build does not support it, and for "none" */
const struct codec *codec_find(const char *name);

#endif
