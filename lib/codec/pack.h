/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pack.h - compress chunks in several threads and return them in their original order */
#ifndef CODEC_PACK_H
#define CODEC_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/base.h>

struct pack;

struct packed {			/* borrowed until the next call */
	const void *raw, *frame;
	size_t raw_size, frame_size;	/* @frame_size 0: compression failed */
};

/**
 * pack_open - start the threads
 * @spec: as for compress_open(), not "none"
 * @threads: at least 1
 *
 * Returns 0 and new @out (pack_close), or a negative errno. For one thread at a time.
 */
int  pack_open(struct pack **out, const char *spec, unsigned int threads, struct kt_err *err);
void pack_close(struct pack *p);

/* Is there room for another chunk? If not, take one first. */
bool pack_has_room(const struct pack *p);
/* Copies the data. The caller has checked for room. 0 or -ENOMEM */
int  pack_put(struct pack *p, const void *data, size_t size);
/* Waits for the oldest chunk and returns it; false: there is none */
bool pack_take(struct pack *p, struct packed *out);

#endif
