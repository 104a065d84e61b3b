/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* batch.h - internals of struct kt_batch, for the stream that fills it */
#ifndef STREAM_BATCH_H
#define STREAM_BATCH_H

#include <ktrail/stream.h>

struct kt_batch {
	size_t max, nr;
	struct kt_record *records;
	struct kt_chunk *pins;		/* the chunks that hold the records */
	size_t nr_pins, max_pins;
};

/* Drop the records and release their memory. */
void batch_reset(struct kt_batch *b);
/* Hold another reference to @chunk. 0, -ENOMEM. */
int batch_pin(struct kt_batch *b, const struct kt_chunk *chunk);

/* Move the records of @from to @to, starting with @first. 0, -ENOMEM. */
int batch_move(struct kt_batch *to, struct kt_batch *from, size_t first);

/* stream.c: */
/* Expect @nr batches in use at a time. Each pins chunks that the stream no longer needs. */
void stream_expect_batches(struct kt_stream *s, size_t nr);
/* Like kt_stream_read(), but keeps the records of @b. Returns how many were added. */
int stream_read_more(struct kt_stream *s, struct kt_batch *b, struct kt_err *err);

#endif
