/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pack.h - compress chunks by several threads; they come back in the order they went in */
#ifndef CODEC_PACK_H
#define CODEC_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/err.h>

struct pack;

struct packed {			/* borrowed until the next call */
	const void *raw, *frame;
	size_t raw_size, frame_size;	/* @frame_size 0: it could not be compressed */
};

/**
 * pack_open - start the threads
 * @spec: as for compress_open(), not "none"
 * @threads: 1 and up
 *
 * 0 and new @out (pack_close), or a negative errno. Used by one thread.
 */
int  pack_open(struct pack **out, const char *spec, unsigned int threads, struct kt_err *err);
void pack_close(struct pack *p);

/* Is there room for another? If not, take one first. */
bool pack_has_room(const struct pack *p);
/* Copies. There must be room. 0 or -ENOMEM */
int  pack_put(struct pack *p, const void *data, size_t size);
/* The oldest, waiting for it; false: there is none */
bool pack_take(struct pack *p, struct packed *out);

#endif
