/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* reader.h - random access to the records of a trace, and their rows */
#ifndef KTRAIL_READER_H
#define KTRAIL_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/base.h>
#include <ktrail/stream.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== rows of a trace: find the n-th record, and the row of a record ==== */

/*
 * For each source, an index stores the number of records before some of its
 * sub-buffers, and their times. Everything else is derived from that and from the records
 * of one such stretch of each source. An index is built
 *
 *  - from the files, if ktrail recorded them: they store the count of each chunk;
 *  - otherwise from the user's cache folder, if these files were read before;
 *  - otherwise by decompressing all data once, in background threads.
 *
 * Memory: 24 bytes per sub-buffer, but at most 3/8 of a byte per record. Readers do not
 * have to wait for it: they move and seek by time without it.
 *
 * Rows count from 0 in the order of kt_stream_next(). Where the time of a CPU goes backwards, its
 * records with earlier times directly follow the record before them.
 */
struct kt_index;

/* A position between two records: after all that come before it in order of (time, source, pos) */
struct kt_spot {
	uint64_t ts;		/* time; if the time of a CPU went backwards: the latest so far */
	uint64_t pos;		/* in the data of @source: of a record, or just after one */
	uint32_t source;
};

#define KT_ALL_SOURCES SIZE_MAX	/* in place of a source: all of them, merged */

struct kt_index_opts {
	const char *cache;	/* folder; NULL: $XDG_CACHE_HOME/ktrail or ~/.cache/ktrail;
				 * "": none */
	uint64_t cache_least;	/* cache an index if this many bytes were read; 0: 16 MiB */
	unsigned int threads;	/* reading threads; 0: one per CPU of this machine, at most 8 */
};

/**
 * kt_index_create - create an empty index
 * @t:    borrowed, must live longer; all its files must have been added
 * @opts: copied, may be NULL
 *
 * Reads nothing yet. New (kt_index_destroy, which stops the threads first).
 */
struct kt_index *kt_index_create(struct kt_trace *t, const struct kt_index_opts *opts,
				 struct kt_err *err);
void kt_index_destroy(struct kt_index *ix);

/**
 * kt_index_start - load or build the index in the background
 *
 * Returns at once. Its threads block all signals except those of their own faults.
 * Does nothing if it was started before, or is ready. 0, -ENOMEM, -EAGAIN (no thread).
 */
int kt_index_start(struct kt_index *ix, struct kt_err *err);

/* Stop reading; waits for the threads, a few milliseconds. kt_index_start() continues. */
void kt_index_stop(struct kt_index *ix);

/* Wait until it is ready, has failed or was stopped: 0, or -ENOMEM, -EINTR. */
int kt_index_wait(struct kt_index *ix, struct kt_err *err);

/**
 * kt_index_extend - add the records that kt_trace_refresh() has found
 * @stop: called before each chunk, true ends the call; NULL: never
 *
 * Reads the new data and, for each source that has grown, the last chunk before it. Runs in
 * this thread: no other thread may use the index, or a reader with this index.
 *
 * Returns 0, or 1 if @stop ended it: call again to continue. Until then rows cover
 * the known records. -EAGAIN: the index is not ready; kt_index_start() includes the new
 * records as well. -ENOMEM.
 */
int kt_index_extend(struct kt_index *ix, bool (*stop)(void *data), void *data,
		    struct kt_err *err);

enum kt_index_origin { KT_INDEX_OF_DATA, KT_INDEX_OF_FILE, KT_INDEX_OF_CACHE };

struct kt_index_progress {
	bool     ready;
	int      error;		/* it failed: negative errno, else 0 */
	uint64_t done, total;	/* stored bytes of data, of all sources */
	uint64_t nr_records;	/* found so far */
	uint64_t nr_damaged;	/* chunks that cannot be read completely: records are missing;
				 * kt_file_damage() has the places */
	size_t   memory;	/* bytes that the index uses */
	enum kt_index_origin origin;	/* source of most of it, once it is ready */
};
/* Thread-safe, never blocks. */
void kt_index_progress(const struct kt_index *ix, struct kt_index_progress *out);

/*
 * The following functions return 0, -EAGAIN while the index is not ready, or -ENOMEM.
 * Thread-safe. They decompress at most one chunk of each source.
 */

/* The number of records */
int kt_index_nr(struct kt_index *ix, size_t source, uint64_t *nr, struct kt_err *err);

/* Do the times of its records go backwards somewhere? Also false while the index is not ready */
bool kt_index_goes_back(const struct kt_index *ix, size_t source);

/* The row of a record, counted in @source or in all */
int kt_index_row_of(struct kt_index *ix, size_t source, const struct kt_record *rec, uint64_t *row,
		    struct kt_err *err);
/* The number of records before a spot */
int kt_index_row_at(struct kt_index *ix, size_t source, const struct kt_spot *spot, uint64_t *row,
		    struct kt_err *err);
/* The number of records with an earlier time */
int kt_index_row_of_time(struct kt_index *ix, size_t source, uint64_t ts, uint64_t *row,
			 struct kt_err *err);

/* The spot before the record with that row, for kt_reader_go(); the end for rows after the last */
int kt_index_spot(struct kt_index *ix, size_t source, uint64_t row, struct kt_spot *spot,
		  struct kt_err *err);
/* The spot at a percentage of the rows, 0 to 100 */
int kt_index_percent(struct kt_index *ix, size_t source, double percent, struct kt_spot *spot,
		     struct kt_err *err);

/**
 * kt_index_density - estimate the number of records in each of many equal spans of time
 * @from, @until: the time of all spans together
 * @counts: array of @nr entries to fill
 * @lost:   array of @nr entries to fill: were events lost in that span? May be NULL
 *
 * Reads no data: within a stretch, it assumes evenly spread records.
 */
int kt_index_density(struct kt_index *ix, size_t source, uint64_t from, uint64_t until, size_t nr,
		     uint64_t counts[], bool lost[], struct kt_err *err);

/* ==== random access to the records of a trace, forward and backward ==== */

/*
 * The position of a reader is between two records of a trace. It moves over one record at a
 * time, in the order of kt_stream_next() or in reverse, and jumps to a
 * time, a record, a row, or an earlier position of any reader. A trace may have
 * any number of readers. They share its files, events, symbols and names, and
 * each may be used by a different thread. One reader is used by one thread at a time.
 *
 * It decodes a sub-buffer forward and keeps the records, so a step backward
 * costs the same as a step forward. Memory: up to 8 KiB and two sub-buffers for each
 * source, and chunks of 32 MiB at most.
 */
struct kt_reader;

/**
 * kt_reader_create - create a reader at the beginning of the trace
 * @t:  borrowed, must live longer; all its files must have been added
 * @ix: borrowed, of the same trace; NULL: searches by time use the data instead
 *
 * Reads no records. New (kt_reader_destroy), NULL: -ENOMEM.
 */
struct kt_reader *kt_reader_create(struct kt_trace *t, struct kt_index *ix, struct kt_err *err);
void kt_reader_destroy(struct kt_reader *r);

/**
 * kt_reader_next - the record after the position of the reader; moves past it
 * kt_reader_prev - the record before the position; moves back past it
 *
 * Return 1 and a record, borrowed until the next call with the same reader; 0 at the
 * end, or the beginning; -ENOMEM; or -EINTR if the callback of
 * kt_reader_set_stop() returned true: call again to continue.
 *
 * Damaged sub-buffers are skipped, and noted in kt_file_damage().
 * Record members are as in kt_stream_next(), except that @skipped is 1 whenever the reader
 * excludes any records. Events lost before an excluded record count for the next
 * delivered one of its source, in either direction. After a jump, and going
 * backward, that requires the previous delivered record: the sub-buffers back to it are read
 * first, unless the index says that the source lost nothing.
 */
int kt_reader_next(struct kt_reader *r, struct kt_record *rec, struct kt_err *err);
int kt_reader_prev(struct kt_reader *r, struct kt_record *rec, struct kt_err *err);

/* ---- positions ---- */

/* Go before the first record whose time is >= @ts. 0: the beginning, UINT64_MAX: the end. */
int kt_reader_seek(struct kt_reader *r, uint64_t ts, struct kt_err *err);

/* Store the position, and return to it: also for another reader, or with another selection. */
void kt_reader_tell(const struct kt_reader *r, struct kt_spot *spot);
int kt_reader_go(struct kt_reader *r, const struct kt_spot *spot, struct kt_err *err);

/**
 * kt_reader_find - go before one record, so that kt_reader_next() returns it
 * @source, @pos: of a struct kt_record
 *
 * Returns 1, or 0 if no record of the source begins at @pos: then the reader does not move.
 */
int kt_reader_find(struct kt_reader *r, size_t source, uint64_t pos, struct kt_err *err);

/**
 * kt_reader_seek_percent - go to a percentage of the trace, 0 to 100
 *
 * A percentage of the records of the sources in use if the index is ready, otherwise of the
 * bytes of the source with the most data.
 */
int kt_reader_seek_percent(struct kt_reader *r, double percent, struct kt_err *err);

/**
 * kt_reader_row - number of records before the position, in the sources in use
 * kt_reader_seek_row - go before the record with that row
 * kt_reader_nr_rows - number of records of these sources
 *
 * Other selections are ignored. Return 0, or -EAGAIN if there is no index or
 * it is not ready. Rows after the last mean the end. The index in a file also
 * counts the records of a damaged chunk: their rows mean the record after it.
 */
int kt_reader_row(struct kt_reader *r, uint64_t *row, struct kt_err *err);
int kt_reader_seek_row(struct kt_reader *r, uint64_t row, struct kt_err *err);
int kt_reader_nr_rows(struct kt_reader *r, uint64_t *nr, struct kt_err *err);

/* ---- selection: may change at any time; the position of the reader stays ---- */

/* Deliver the records of a source, or exclude them. At first, all sources are in use except
 * those that the stream mutes. */
void kt_reader_use_source(struct kt_reader *r, size_t source, bool use);

/*
 * Like kt_stream_want_types() and kt_stream_want_pids(): bitmaps are copied, NULL selects all
 * records again. 0, -ENOENT, -ENOMEM.
 */
int kt_reader_want_types(struct kt_reader *r, size_t file_index, const uint64_t *wanted);
int kt_reader_want_pids(struct kt_reader *r, size_t file_index, const uint64_t *types,
			const uint64_t *pids);

/* Of the records selected so far, only those for which @match is true; NULL: all of them. */
void kt_reader_set_match(struct kt_reader *r,
			 bool (*match)(void *data, const struct kt_record *rec), void *data);

/*
 * @stop is called for each sub-buffer that is read; true ends a call with -EINTR. This allows
 * cancelling a search, or doing it in slices of time. NULL: never.
 */
void kt_reader_set_stop(struct kt_reader *r, bool (*stop)(void *data), void *data);

/* Progress of a stopped call: the time reached, averaged over the sources in use */
uint64_t kt_reader_reached(const struct kt_reader *r);

#ifdef __cplusplus
}
#endif
#endif
