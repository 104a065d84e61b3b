/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* codec.c - the compression methods that this build supports */
#include "codec/codec.h"

#include <errno.h>
#include <string.h>

static const struct codec *const codecs[] = { &codec_zstd, &codec_zlib };

const struct codec *codec_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(codecs) / sizeof(*codecs); i++)
		if (strcmp(codecs[i]->name, name) == 0)
			return codecs[i];
	return NULL;
}

ssize_t codec_peek(const struct codec *c, void *ctx, void *dst, size_t room, const void *src,
		   size_t size)
{
	struct codec_io io = { .src = src, .size = size, .dst = dst, .room = room };
	size_t before;
	int ret;

	c->begin(ctx);
	do {
		before = io.size + io.room;
		ret = c->more(ctx, &io);
	} while (ret > 0 && io.room && io.size + io.room < before);
	return io.room < room || !room ? (ssize_t)(room - io.room) : -EBADMSG;
}
