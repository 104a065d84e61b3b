/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* stream.h - functions of a stream for the rest of the library */
#ifndef STREAM_STREAM_H
#define STREAM_STREAM_H

#include <ktrail/stream.h>

/**
 * stream_read_ahead - from now on, note which chunks will be needed next
 *
 * For stream_help(). The records do not change. Up to twice as many chunks are held in memory,
 * within the usual limit. Call it after adding all files and before the first read. 0, -ENOMEM.
 */
int stream_read_ahead(struct kt_stream *s);

/**
 * stream_help - decompress a chunk that the reader will need
 *
 * Any number of threads may call it while another one reads. False: there is nothing
 * to do now.
 */
bool stream_help(struct kt_stream *s);

/*
 * How far a source was read: up to time @ts, including @nr records of exactly that time.
 * All zero: not at all.
 */
struct read_place {
	uint64_t ts, nr;
};

/**
 * stream_place - the place in a source after all of its records up to a time
 * @until: that time, as in records
 *
 * For a recording that grows. Records that arrived too late, because their CPU was
 * stopped while it wrote them, are not counted as read, even if later records of other CPUs
 * were. Does not move the stream. 0, -ENOMEM.
 */
int stream_place(struct kt_stream *s, size_t source, uint64_t until, struct read_place *place,
		 struct kt_err *err);

/**
 * stream_resume - continue each source after its place
 * @places: of @nr sources, taken from the same recording when it was shorter; copied.
 *          All other sources start with their first record
 *
 * Costs as much as kt_stream_seek(). 0, -ENOMEM.
 */
int stream_resume(struct kt_stream *s, const struct read_place *places, size_t nr,
		  struct kt_err *err);

#endif
