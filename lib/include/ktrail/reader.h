/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* reader.h - the records of a trace at random: from any place, forward and backward */
#ifndef KTRAIL_READER_H
#define KTRAIL_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/err.h>
#include <ktrail/index.h>
#include <ktrail/stream.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A reader stands between two records of a trace. It moves over one record at a
 * time, in the order of kt_stream_next() or in the reverse order, and jumps to a
 * time, a record, a row, or a spot where a reader stood before. A trace may have
 * any number of readers. They share its files, events, symbols and names, and
 * each may be used by another thread. One reader is used by one thread at a time.
 *
 * It decodes a sub-buffer forward and keeps the records, so that a step backward
 * costs what a step forward costs. Memory: about 4 KiB for each source, one
 * sub-buffer for each source, and chunks of 16 MiB at most.
 */
struct kt_reader;

/**
 * kt_reader_create - a reader at the beginning of the trace
 * @t:  borrowed, must live longer; all its files must have been added
 * @ix: borrowed, of the same trace; NULL: searches by time look at the data instead
 *
 * Does not read any record. New (kt_reader_destroy), NULL: -ENOMEM.
 */
struct kt_reader *kt_reader_create(struct kt_trace *t, struct kt_index *ix, struct kt_err *err);
void kt_reader_destroy(struct kt_reader *r);

/**
 * kt_reader_next - the record after the gap in which the reader stands; moves past it
 * kt_reader_prev - the record before it; moves back past it
 *
 * Return 1 and a record, borrowed until the next call with the same reader; 0 at the
 * end, or the beginning; -ENOMEM; or -EINTR if the function of
 * kt_reader_set_stop() said so: to call again goes on from where it was.
 *
 * Damaged sub-buffers are passed over, and noted in kt_file_damage().
 * Record members are as kt_stream_next() gives them, but @skipped is 1 whenever the reader
 * leaves out any records. Events lost before a record that is not chosen count for the next
 * one of its source that is. Going backward, that is known only where both are in one
 * sub-buffer: what was lost before others is reported when they are read forward.
 */
int kt_reader_next(struct kt_reader *r, struct kt_record *rec, struct kt_err *err);
int kt_reader_prev(struct kt_reader *r, struct kt_record *rec, struct kt_err *err);

/* ---- places ---- */

/* Stand before the first record whose time is >= @ts. 0: the beginning, UINT64_MAX: the end. */
int kt_reader_seek(struct kt_reader *r, uint64_t ts, struct kt_err *err);

/* Where the reader stands, and back to there: also of another reader, or with other choices. */
void kt_reader_tell(const struct kt_reader *r, struct kt_spot *spot);
int kt_reader_go(struct kt_reader *r, const struct kt_spot *spot, struct kt_err *err);

/**
 * kt_reader_find - stand before one record, so that kt_reader_next() returns it
 * @source, @pos: of a struct kt_record
 *
 * Returns 1, or 0 if no record of the source begins at @pos: the reader has not
 * moved then.
 */
int kt_reader_find(struct kt_reader *r, size_t source, uint64_t pos, struct kt_err *err);

/**
 * kt_reader_seek_percent - stand at a part of the trace, 0 to 100
 *
 * With an index that is ready: at that part of the records of the sources in
 * use. Before that: where the source with the most data has that part of its bytes.
 */
int kt_reader_seek_percent(struct kt_reader *r, double percent, struct kt_err *err);

/**
 * kt_reader_row - how many records of the sources in use are before the reader
 * kt_reader_seek_row - stand before the record with that row
 * kt_reader_nr_rows - how many records these sources have
 *
 * What else is chosen does not count. Return 0, or -EAGAIN while the index is
 * not ready or if there is none. Rows behind the last are the end.
 */
int kt_reader_row(struct kt_reader *r, uint64_t *row, struct kt_err *err);
int kt_reader_seek_row(struct kt_reader *r, uint64_t row, struct kt_err *err);
int kt_reader_nr_rows(struct kt_reader *r, uint64_t *nr, struct kt_err *err);

/* ---- choices: any time; the reader stays where it stands ---- */

/* Deliver the records of a source, or do not.
 * All are in use at first, but those the stream mutes. */
void kt_reader_use_source(struct kt_reader *r, size_t source, bool use);
bool kt_reader_uses_source(const struct kt_reader *r, size_t source);

/*
 * As kt_stream_want_types() and kt_stream_want_pids(): bitmaps are copied, NULL is all
 * records again. 0, -ENOENT, -ENOMEM.
 */
int kt_reader_want_types(struct kt_reader *r, size_t file_index, const uint64_t *wanted);
int kt_reader_want_pids(struct kt_reader *r, size_t file_index, const uint64_t *types,
			const uint64_t *pids);

/* Of the records chosen so far, only those for which @match is true; NULL: all of them. */
void kt_reader_set_match(struct kt_reader *r,
			 bool (*match)(void *data, const struct kt_record *rec), void *data);

/*
 * @stop is asked about each sub-buffer that is read; true ends a call with -EINTR. So
 * a search can be cancelled, or be done in slices of time. NULL: never.
 */
void kt_reader_set_stop(struct kt_reader *r, bool (*stop)(void *data), void *data);

#ifdef __cplusplus
}
#endif
#endif
