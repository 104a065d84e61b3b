/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* compress.h - compress a chunk of bytes into one frame, by a chosen method */
#ifndef CODEC_COMPRESS_H
#define CODEC_COMPRESS_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/base.h>

/* Uncompressed bytes of a chunk: measured, the best size and speed for ring-buffer data */
#define COMPRESS_CHUNK (256 * 1024)

struct compress;

/**
 * compress_open - prepare a compressor
 * @spec: "any", "none", "zstd", "zlib", "zstd:9"
 *
 * Returns 0 and new @out (compress_close), which is NULL for "none";
 * -EINVAL: no such method or level.
 */
int compress_open(struct compress **out, const char *spec, struct kt_err *err);
void compress_close(struct compress *c);

const char *compress_name(const struct compress *c);		/* NULL gives "none" */
const char *compress_version(const struct compress *c);
/* Like the member of struct codec; NULL for "none" */
const char *compress_skip_magic(const struct compress *c);
bool compress_ends_itself(const struct compress *c);		/* false for NULL */
size_t compress_bound(const struct compress *c, size_t size);
/* Returns the bytes written, 0 on failure (not with enough @room). One thread at a time. */
size_t compress_run(struct compress *c, void *dst, size_t room, const void *src, size_t size);

#endif
