/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* reader.h - the records of a trace at random, and their rows */
#ifndef KTRAIL_READER_H
#define KTRAIL_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/err.h>
#include <ktrail/stream.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== rows of a trace: which record is the n-th, and which row a record is ==== */

/*
 * An index knows for each source how many records are before some of its
 * sub-buffers, and their times. All else follows from that and from the records
 * of one such stretch of each source:
 *
 *  - It comes from the files, if ktrail recorded them: their chunks are counted.
 *  - Else from the cache folder of the user, if these files were read before.
 *  - Else all data are decompressed once, by threads in the background.
 *
 * Memory: 24 bytes a sub-buffer, but at most 3/8 of a byte a record. Nothing has to
 * wait for it: readers move and seek by time without it.
 *
 * Rows count from 0 in the order of kt_stream_next(). In that order, a record of a
 * CPU whose time went back comes straight after those before it.
 */
struct kt_index;

/* A gap between two records: all that come before it in order of (time, source, pos) */
struct kt_spot {
	uint64_t ts;		/* time; of a CPU whose time went back: the latest so far */
	uint64_t pos;		/* in the data of @source: as in a record, or just after one */
	uint32_t source;
};

#define KT_ALL_SOURCES SIZE_MAX	/* instead of a source: all of them, merged */

struct kt_index_opts {
	const char *cache;	/* folder; NULL: $XDG_CACHE_HOME/ktrail or ~/.cache/ktrail;
				 * "": none */
	uint64_t cache_least;	/* keep what took at least so many bytes to read; 0: 16 MiB */
	unsigned int threads;	/* that read; 0: one for each CPU of this machine, 8 at most */
};

/**
 * kt_index_create - an index that knows nothing yet
 * @t:    borrowed, must live longer; all its files must have been added
 * @opts: copied, may be NULL
 *
 * Does not read anything. New (kt_index_destroy, which stops the threads first).
 */
struct kt_index *kt_index_create(struct kt_trace *t, const struct kt_index_opts *opts,
				 struct kt_err *err);
void kt_index_destroy(struct kt_index *ix);

/**
 * kt_index_start - get it, in the background
 *
 * Returns at once. Its threads block all signals but those of their own faults.
 * Started before, or ready: nothing happens. 0, -ENOMEM, -EAGAIN (no thread could be made).
 */
int kt_index_start(struct kt_index *ix, struct kt_err *err);

/* Stop reading; waits for the threads, some milliseconds. kt_index_start() goes on after that. */
void kt_index_stop(struct kt_index *ix);

/* Wait until it is ready, has failed or was stopped: 0, or -ENOMEM, -EINTR. */
int kt_index_wait(struct kt_index *ix, struct kt_err *err);

/**
 * kt_index_extend - take up the records that kt_trace_refresh() has brought
 * @stop: asked before each chunk, true ends the call; NULL: never
 *
 * Reads what has come, and of each source that has grown the last chunk before that. In
 * this thread: no other one may use the index, or a reader that was given it.
 *
 * Returns 0, or 1 if @stop ended it: to call again goes on. Until then rows are those of
 * the records that are known. -EAGAIN: the index is not ready; kt_index_start() takes them
 * up as well. -ENOMEM.
 */
int kt_index_extend(struct kt_index *ix, bool (*stop)(void *data), void *data,
		    struct kt_err *err);

enum kt_index_origin { KT_INDEX_OF_DATA, KT_INDEX_OF_FILE, KT_INDEX_OF_CACHE };

struct kt_index_progress {
	bool     ready;
	int      error;		/* it failed: negative errno, else 0 */
	uint64_t done, total;	/* stored bytes of data, of all sources */
	uint64_t nr_records;	/* found so far */
	uint64_t nr_damaged;	/* chunks that cannot be read, or not all of them: their records
				 * are missing; kt_file_damage() has the places */
	size_t   memory;	/* bytes the index takes */
	enum kt_index_origin origin;	/* where most of it came from, when it is ready */
};
/* Thread-safe, never blocks. */
void kt_index_progress(const struct kt_index *ix, struct kt_index_progress *out);

/*
 * All that follows returns 0, -EAGAIN while the index is not ready, or -ENOMEM.
 * Thread-safe. May decompress one chunk of each source, and reads no more.
 */

/* How many records there are */
int kt_index_nr(struct kt_index *ix, size_t source, uint64_t *nr, struct kt_err *err);

/* Do the times of its records go back somewhere? False also while the index is not ready */
bool kt_index_goes_back(const struct kt_index *ix, size_t source);

/* The row of a record of the trace, among those of @source or of all */
int kt_index_row_of(struct kt_index *ix, size_t source, const struct kt_record *rec, uint64_t *row,
		    struct kt_err *err);
/* How many records are before a spot */
int kt_index_row_at(struct kt_index *ix, size_t source, const struct kt_spot *spot, uint64_t *row,
		    struct kt_err *err);
/* How many records have an earlier time */
int kt_index_row_of_time(struct kt_index *ix, size_t source, uint64_t ts, uint64_t *row,
			 struct kt_err *err);

/* Before the record with that row, for kt_reader_go(); the end for rows after the last */
int kt_index_spot(struct kt_index *ix, size_t source, uint64_t row, struct kt_spot *spot,
		  struct kt_err *err);
/* Before the record at that part of the rows, 0 to 100 */
int kt_index_percent(struct kt_index *ix, size_t source, double percent, struct kt_spot *spot,
		     struct kt_err *err);

/**
 * kt_index_density - about how many records each of many equal spans of time has
 * @from, @until: the time of all spans together
 * @counts: array of @nr entries to fill
 * @lost:   array of @nr entries to fill: were events lost in that span? May be NULL
 *
 * Reads no data: within a stretch, records count as spread evenly.
 */
int kt_index_density(struct kt_index *ix, size_t source, uint64_t from, uint64_t until, size_t nr,
		     uint64_t counts[], bool lost[], struct kt_err *err);

/* ==== the records of a trace at random: from any place, forward and backward ==== */

/*
 * A reader stands between two records of a trace. It moves over one record at a
 * time, in the order of kt_stream_next() or in the reverse order, and jumps to a
 * time, a record, a row, or a spot where a reader stood before. A trace may have
 * any number of readers. They share its files, events, symbols and names, and
 * each may be used by another thread. One reader is used by one thread at a time.
 *
 * It decodes a sub-buffer forward and keeps the records, so that a step backward
 * costs what a step forward costs. Memory: up to 8 KiB and two sub-buffers for each
 * source, and chunks of 32 MiB at most.
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
 * one of its source that is, whichever way that is reached. After a jump, and going
 * backward, it needs the record before: the sub-buffers up to that one are read first,
 * unless the index says that the source lost nothing.
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
 * not ready or if there is none. Rows after the last are the end.
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
