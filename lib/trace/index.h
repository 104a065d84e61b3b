/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* index.h - the inside of a struct kt_index, shared by its builder and its readers */
#ifndef TRACE_INDEX_H
#define TRACE_INDEX_H

#include <pthread.h>
#include <stdatomic.h>

#include <ktrail/reader.h>

#include "trace/marks.h"

#define INDEX_THREADS_MAX 8

/* What was found in one chunk, until those before it are known as well */
struct index_piece {
	struct mark *marks;	/* with rows and times as if nothing were before the chunk; owned */
	size_t   nr_marks;
	uint64_t nr;		/* records */
	uint64_t first, last;	/* times of the first, and the latest */
	bool     goes_back;
	bool     lossy;
	bool     damaged;	/* some of it is missing */
};

struct index_source {
	struct marks marks;	/* complete when the index is ready */
	size_t   max_marks;	/* for which there is room */
	struct marks before;	/* @marks without those of the last chunk, which may grow; its
				 * @at is void */
	uint64_t nr_chunks;	/* that @marks are of */
	struct index_piece *pieces;	/* by number of the chunk; NULL when it is ready */
	size_t   nr_pieces, max_pieces;	/* chunks that were handed out */
	uint64_t stored;	/* bytes up to the end of these */
	uint64_t size;		/* stored bytes of all */
	bool     has_grown;	/* since @marks were made */
};

struct kt_index {
	struct kt_trace *trace;
	const struct kt_stream *stream;
	char    *cache;		/* folder, or NULL */
	uint64_t cache_least;
	unsigned int max_threads;
	struct index_source *sources;
	size_t   nr_sources;
	atomic_bool ready;
	unsigned int generation;	/* of the stream that it is of */

	pthread_mutex_t lock;	/* for what follows: */
	pthread_cond_t  changed;
	pthread_t threads[INDEX_THREADS_MAX];
	unsigned int nr_threads;	/* to be joined */
	unsigned int nr_running;
	atomic_bool stop;
	int      error;
	enum { CACHE_UNKNOWN, CACHE_ASKED, CACHE_KNOWN } cache_state;
	size_t   next;		/* source whose chunks are handed out */
	size_t   nr_pending;	/* chunks handed out and not done */
	uint64_t nr_records, nr_damaged, done;
	uint64_t nr_read;	/* stored bytes that had to be read */
	enum kt_index_origin origin;

	pthread_mutex_t query;	/* for @reader: all sources, no choice */
	struct kt_reader *reader;
};

/* index_build.c: under the lock. 0, -EAGAIN */
int index_start_threads(struct kt_index *ix);
/* The trace has grown: the last chunk of each source may not be what it was. */
void index_take_growth(struct kt_index *ix);
void index_free_pieces(struct index_source *s);

/* index_cache.c. True: all of it was there */
bool index_load(struct kt_index *ix);
void index_save(struct kt_index *ix);

/* The marks of a source, NULL while the index is not ready */
static inline const struct marks *index_marks(const struct kt_index *ix, size_t source)
{
	return ix && atomic_load_explicit(&ix->ready, memory_order_acquire) ?
	       &ix->sources[source].marks : NULL;
}

/* index.c: of the sources for which bit i % 64 of @only[i / 64] is set */
int index_rank(struct kt_index *ix, const uint64_t *only, const struct kt_spot *spot,
	       uint64_t *row);
int index_select(struct kt_index *ix, const uint64_t *only, uint64_t row, struct kt_spot *spot,
		 struct kt_err *err);
uint64_t index_total(const struct kt_index *ix, const uint64_t *only);

#endif
