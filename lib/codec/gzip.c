/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* gzip.c - bytes of any length as one gzip file (RFC 1952) */
#include "codec/gzip.h"

#include <stdint.h>
#include <stdlib.h>

#include <zlib.h>

#define ROOM   65536u
#define MOST   (1u << 30)		/* zlib counts in unsigned int */
#define LEVEL  1			/* higher levels are slower than the output formats */
#define GZIP   (15 + 16)		/* zlib.h: the largest window, with a gzip header */

struct gzip {
	z_stream z;
	uint8_t room[ROOM];
};

struct gzip *gzip_open(void)
{
	struct gzip *g = calloc(1, sizeof(*g));

	if (g && deflateInit2(&g->z, LEVEL, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
		free(g);
		return NULL;
	}
	return g;
}

void gzip_close(struct gzip *g)
{
	if (g)
		deflateEnd(&g->z);
	free(g);
}

/* Runs until zlib has used up its input and, with Z_FINISH, written all of its output */
static int drain(struct gzip *g, int flush, int (*sink)(void *data, const void *bytes, size_t len),
		 void *data)
{
	int ret = 0;

	do {
		g->z.next_out = g->room;
		g->z.avail_out = ROOM;
		deflate(&g->z, flush);
		ret = g->z.avail_out < ROOM ? sink(data, g->room, ROOM - g->z.avail_out) : 0;
	} while (ret == 0 && !g->z.avail_out);
	return ret;
}

int gzip_more(struct gzip *g, const void *bytes, size_t len, bool last,
	      int (*sink)(void *data, const void *bytes, size_t len), void *data)
{
	const uint8_t *from = bytes;
	int ret = 0;

	while (ret == 0 && len) {
		size_t part = len < MOST ? len : MOST;

		g->z.next_in = (Bytef *)from;
		g->z.avail_in = part;
		ret = drain(g, Z_NO_FLUSH, sink, data);
		from += part;
		len -= part;
	}
	return ret == 0 && last ? drain(g, Z_FINISH, sink, data) : ret;
}
