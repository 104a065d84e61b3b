/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* codec.h - the compressions of a trace.dat, both directions, behind one interface */
#ifndef CODEC_CODEC_H
#define CODEC_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct codec_io;

/*
 * Every block (a section, a chunk of sub-buffers) is independent, and its size
 * when decompressed stands beside it in the file.
 */
struct codec {
	const char *name;			/* as in the file header: "zstd", "zlib" */
	int default_level, min_level, max_level;
	const char *magic;			/* that every block begins with … */
	size_t magic_size;			/* … if it is long enough to be searched for */
	const char *skip_magic;			/* of 4 bytes: with a little-endian u32 after it,
						   that many bytes more are passed over before
						   a block; NULL: there is nothing of that kind */
	bool ends_itself;			/* a block says where it ends: what is after it
						   within its size is passed over */

	const char *(*version)(void);		/* of the library, for the file header */
	size_t  (*bound)(size_t size);		/* room that compressing @size bytes may need */

	/* One thread's working memory for one direction; NULL: no memory */
	void   *(*compressor)(int level);
	void    (*compressor_free)(void *ctx);
	void   *(*decompressor)(void);
	void    (*decompressor_free)(void *ctx);

	/* All return bytes written to @dst, or -ENOSPC, -ENOMEM, -EBADMSG */
	ssize_t (*compress)(void *ctx, void *dst, size_t room, const void *src, size_t size);
	ssize_t (*decompress)(void *ctx, void *dst, size_t room, const void *src, size_t size);
	/*
	 * A block little by little: after begin() more() goes on where it stopped. It
	 * moves @io past what it has read and written, and returns 1, 0 when a
	 * frame ends there (blocks of zstd may have several), -EBADMSG or -ENOMEM.
	 */
	void    (*begin)(void *ctx);
	int     (*more)(void *ctx, struct codec_io *io);
	size_t  (*memory)(void *ctx);	/* bytes that a decompressor takes by now */
};

struct codec_io {
	const uint8_t *src;
	size_t size;
	uint8_t *dst;
	size_t room;
};

/*
 * The first bytes of a block, up to @room; also what is whole of a block that is
 * cut or damaged. -EBADMSG if that is nothing.
 */
ssize_t codec_peek(const struct codec *c, void *ctx, void *dst, size_t room, const void *src,
		   size_t size);

extern const struct codec codec_zstd, codec_zlib;

/* By the name in a file header; NULL if this build has none of that name ("none" is none) */
const struct codec *codec_find(const char *name);

#endif
