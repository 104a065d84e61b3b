/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* stream.h - a stream as the rest of the library drives it */
#ifndef STREAM_STREAM_H
#define STREAM_STREAM_H

#include <ktrail/stream.h>

/**
 * stream_read_ahead - note from now on what will have to be decompressed next
 *
 * For stream_help(). The records are the same; chunks held in memory double,
 * within the limit that is kept anyway. When all files were added, before the
 * first read only. 0, -ENOMEM.
 */
int stream_read_ahead(struct kt_stream *s);

/**
 * stream_help - decompress something that the reader will want
 *
 * For any number of threads, while another one reads. False: there is nothing
 * to do now.
 */
bool stream_help(struct kt_stream *s);

/**
 * stream_place - how far a source was read, when all up to a time was
 * @until: that time, as records have it
 *
 * For a recording that grows: records that came too late, since their CPU was
 * stopped while it wrote them, are not among those that were read, though
 * others of a later time are. Does not move the stream. 0, -ENOMEM.
 */
int stream_place(struct kt_stream *s, size_t source, uint64_t until, struct kt_place *place,
		 struct kt_err *err);

/**
 * stream_resume - continue each source behind its place
 * @places: of @nr sources of the same recording when it was shorter, copied;
 *          sources after these begin with their first record
 *
 * Costs what kt_stream_seek costs. 0, -ENOMEM.
 */
int stream_resume(struct kt_stream *s, const struct kt_place *places, size_t nr,
		  struct kt_err *err);

#endif
