/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* gzip.h - bytes of any length as one gzip file (RFC 1952) */
#ifndef CODEC_GZIP_H
#define CODEC_GZIP_H

#include <stdbool.h>
#include <stddef.h>

struct gzip;

struct gzip *gzip_open(void);		/* new (gzip_close), NULL: no memory */
void gzip_close(struct gzip *g);

/**
 * gzip_more - compress further bytes
 * @last: they are the last ones
 * @sink: receives the compressed bytes, a part at a time; a negative errno ends the call
 *
 * Returns 0, or the errno of @sink.
 */
int gzip_more(struct gzip *g, const void *bytes, size_t len, bool last,
	      int (*sink)(void *data, const void *bytes, size_t len), void *data);

#endif
