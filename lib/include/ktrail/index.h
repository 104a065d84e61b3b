/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* index.h - rows of a trace: which record is the n-th, and which row a record is */
#ifndef KTRAIL_INDEX_H
#define KTRAIL_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/err.h>
#include <ktrail/stream.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

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
	uint64_t pos;		/* in the data of @source: as in a record, or just behind one */
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

/* The row of a record of the trace, among those of @source or of all */
int kt_index_row_of(struct kt_index *ix, size_t source, const struct kt_record *rec, uint64_t *row,
		    struct kt_err *err);
/* How many records are before a spot */
int kt_index_row_at(struct kt_index *ix, size_t source, const struct kt_spot *spot, uint64_t *row,
		    struct kt_err *err);
/* How many records have an earlier time */
int kt_index_row_of_time(struct kt_index *ix, size_t source, uint64_t ts, uint64_t *row,
			 struct kt_err *err);

/* Before the record with that row, for kt_reader_go(); the end for rows behind the last */
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

#ifdef __cplusplus
}
#endif
#endif
