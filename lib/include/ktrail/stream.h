/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* stream.h - the records of all CPUs, buffers and files, in order of time */
#ifndef KTRAIL_STREAM_H
#define KTRAIL_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/base.h>
#include <ktrail/file.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kt_stream;
struct kt_batch;

#define KT_LOST_UNKNOWN UINT32_MAX	/* events were lost; the kernel does not tell how many */

/**
 * struct kt_record - an event, borrowed from the memory of its sub-buffer
 *
 * Valid as long as its batch.
 */
struct kt_record {
	uint64_t       ts;		/* ns, or units of the clock; after the corrections */
	const uint8_t *data;		/* payload: begins with the common_ fields */
	uint32_t       size;		/* bytes of payload */
	uint32_t       lost;		/* events lost just before it, 0, or KT_LOST_UNKNOWN */
	uint32_t       source;		/* index for kt_stream_source() */
	uint16_t       type;		/* common_type: the event id in its file */
	uint16_t       skipped;		/* 1: kt_stream_want_types() excluded the previous ones */
	uint64_t       pos;		/* offset of its header in the CPU's uncompressed data */
};

/* The source of records: one CPU of one buffer of one file */
struct kt_source {
	struct kt_file *file;		/* borrowed */
	size_t file_index;		/* order of kt_stream_add */
	size_t buffer;			/* index into the file's buffers */
	size_t cpu_index;		/* index into the buffer's cpus */
	int    cpu;			/* number of the CPU */
	size_t first;			/* the first source of its buffer: identifies that buffer */
};

struct kt_stream_opts {
	bool    raw_ts;			/* no corrections */
	bool    no_date;		/* ignore option DATE */
	int64_t ts_offset;		/* added last, in units of the clock */
	double  ts2secs_hz;		/* if > 0: raw units per second, converted to ns */
	const char *only_buffer;	/* name of the buffer to read, NULL: all */
	bool    forget_lost;		/* see kt_stream_want_types() */
};

struct kt_stream *kt_stream_create(void);
void kt_stream_destroy(struct kt_stream *s);

/**
 * kt_stream_add - add the buffers of @file
 * @file: borrowed, must live longer than the stream
 * @opts: copied; NULL for the defaults
 *
 * Only before the first read. Order at equal times: lowest file, then buffer, then CPU.
 */
int kt_stream_add(struct kt_stream *s, struct kt_file *file, const struct kt_stream_opts *opts,
		  struct kt_err *err);

size_t kt_stream_nr_sources(const struct kt_stream *s);
const struct kt_source *kt_stream_source(const struct kt_stream *s, size_t i);

/* A range of time in a trace, both ends included */
struct kt_window {
	uint64_t from, until;
};

/* Exclude a source: it is never read or decompressed. Only before the first read. */
void kt_stream_mute(struct kt_stream *s, size_t source);
bool kt_stream_is_muted(const struct kt_stream *s, size_t source);

/**
 * kt_stream_want_types - deliver only the records of some events
 * @file_index: in the order of kt_stream_add()
 * @wanted:     copied bitmap of 65536 bits, bit id % 64 of word id / 64 for event
 *              id; NULL: all records again
 *
 * Excluded records cost almost nothing. Events lost before an excluded record
 * count for the next delivered record of the same source, or are
 * ignored if the file was added with @forget_lost.
 * Only before the first read or a seek. 0, -ENOENT (no such file), -ENOMEM.
 */
int kt_stream_want_types(struct kt_stream *s, size_t file_index, const uint64_t *wanted);

/**
 * kt_stream_want_pids - of some of these events, deliver only the records of some tasks
 * @types: copied bitmap of events, as above; NULL: all records again
 * @pids:  copied bitmap of 65536 bits: the low 16 bits of common_pid
 *
 * Excluded records are treated as above. If pids are not at their usual
 * place, and in files of other byte orders, records of all tasks are delivered.
 */
int kt_stream_want_pids(struct kt_stream *s, size_t file_index, const uint64_t *types,
			const uint64_t *pids);

/* Are the times of this source nanoseconds (shown as seconds), or units of a counter? */
bool kt_stream_source_in_ns(const struct kt_stream *s, size_t i);
/* Time of day, if the file stores it: a time of this source plus @add is ns since 1970 */
bool kt_stream_source_wall(const struct kt_stream *s, size_t i, uint64_t *add);
/* 0; -ENODATA: a file with times in nanoseconds does not store the time of day */
int kt_stream_check_wall(const struct kt_stream *s, struct kt_err *err);

/**
 * kt_stream_seek - continue with the first record whose time is >= @ts
 *
 * Costs O(log chunks) per source: data in between is not decompressed.
 * It may precede the first read. Seeking to 0 rewinds.
 */
int kt_stream_seek(struct kt_stream *s, uint64_t ts, struct kt_err *err);

/* Return to the position after the last seek, or refresh of the trace, or to the beginning. 0,
 * -ENOMEM. */
int kt_stream_rewind(struct kt_stream *s, struct kt_err *err);

/*
 * First and last wanted record of a source. Returns 1, or 0 if there is
 * none. Valid until the next such call for the same source; does not disturb reading.
 */
int kt_stream_first(struct kt_stream *s, size_t source, struct kt_record *rec, struct kt_err *err);
int kt_stream_last(struct kt_stream *s, size_t source, struct kt_record *rec, struct kt_err *err);

/*
 * kt_stream_last() first has to find all chunks of a compressed source, and calls @stop once for
 * every few dozen of them. kt_stream_first() reads chunks until it finds a wanted record, and calls
 * @stop for each after the first. True ends the call with -EINTR, so it can be cancelled, or done
 * in slices of time: call it again to continue. NULL: never.
 */
void kt_stream_set_stop(struct kt_stream *s, bool (*stop)(void *data), void *data);

/**
 * struct kt_batch - a run of records, and the pinned memory that holds them
 *
 * One thread fills it; another one can then read it while the next one is filled:
 * formatting threads work on batches.
 */
struct kt_batch *kt_batch_create(size_t max_records);
void kt_batch_destroy(struct kt_batch *b);
const struct kt_record *kt_batch_records(const struct kt_batch *b);

/**
 * kt_stream_read - refill @b with the next records
 *
 * Returns their number, 0 at the end of the trace, or a negative errno. Damaged
 * sub-buffers are skipped and noted in kt_file_damage(); that is not an error.
 * The previous content of @b is released.
 */
int kt_stream_read(struct kt_stream *s, struct kt_batch *b, struct kt_err *err);

/**
 * kt_stream_next - read one record; slower than kt_stream_read()
 *
 * Returns 1 and a record valid until the next call, 0 at the end.
 */
int kt_stream_next(struct kt_stream *s, struct kt_record *rec, struct kt_err *err);

/* Bytes of ring-buffer data read, and in total (estimated for compressed files): progress. */
void kt_stream_progress(const struct kt_stream *s, uint64_t *done, uint64_t *total);

#ifdef __cplusplus
}
#endif
#endif
