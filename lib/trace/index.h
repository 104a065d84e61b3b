/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* index.h - the inside of a struct kt_index, for its builder and its readers */
#ifndef TRACE_INDEX_H
#define TRACE_INDEX_H

#include <pthread.h>
#include <stdatomic.h>

#include <ktrail/reader.h>

#include "trace/marks.h"

#define INDEX_THREADS_MAX 8

/* The result for one chunk, until all chunks before it are counted */
struct index_piece {
	struct mark *marks;	/* rows and times count from the start of the chunk; owned */
	size_t   nr_marks;
	uint64_t nr;		/* records */
	uint64_t first, last;	/* time of the first record, and the latest time */
	bool     goes_back;
	bool     lossy;
	bool     damaged;	/* parts of it are missing */
};

struct index_source {
	struct marks marks;	/* complete once the index is ready */
	size_t   max_marks;	/* capacity */
	struct marks before;	/* @marks without those of the last chunk, which may grow; its @at
				 * is not used */
	bool     forgot;	/* @marks are already without them */
	uint64_t nr_chunks;	/* covered by @marks */
	struct index_piece *pieces;	/* by number of the chunk; NULL once the index is ready */
	size_t   nr_pieces;	/* chunks that were handed out */
	uint64_t stored;	/* bytes up to the end of these chunks */
	uint64_t size;		/* stored bytes of all chunks */
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
	unsigned int generation;	/* of the stream when the index was built */

	pthread_mutex_t lock;	/* protects the following members: */
	pthread_cond_t  changed;
	pthread_t threads[INDEX_THREADS_MAX];
	unsigned int nr_threads;	/* to be joined */
	unsigned int nr_running;
	atomic_bool stop;
	int      error;
	enum { CACHE_UNKNOWN, CACHE_ASKED, CACHE_KNOWN } cache_state;
	size_t   next;		/* source whose chunks are being handed out */
	size_t   nr_pending;	/* chunks handed out and not finished */
	uint64_t nr_records, nr_damaged, done;
	uint64_t nr_read;	/* stored bytes that were read */
	enum kt_index_origin origin;

	pthread_mutex_t query;	/* for @reader, which uses all sources and records */
	struct kt_reader *reader;
};

/* index_build.c: called with the lock held. 0, -EAGAIN */
int index_start_threads(struct kt_index *ix);
/* The trace has grown: the last chunk of each source may have changed. */
void index_take_growth(struct kt_index *ix);
void index_free_pieces(struct index_source *s);

/* index_cache.c. True: the whole index was loaded */
bool index_load(struct kt_index *ix);
void index_save(struct kt_index *ix);

/* The marks of a source, NULL until the index is ready */
static inline const struct marks *index_marks(const struct kt_index *ix, size_t source)
{
	return ix && atomic_load_explicit(&ix->ready, memory_order_acquire) ?
	       &ix->sources[source].marks : NULL;
}

/* index.c: for the sources whose bit i % 64 of @only[i / 64] is set */
int index_rank(struct kt_index *ix, const uint64_t *only, const struct kt_spot *spot,
	       uint64_t *row);
int index_select(struct kt_index *ix, const uint64_t *only, uint64_t row, struct kt_spot *spot,
		 struct kt_err *err);
uint64_t index_total(const struct kt_index *ix, const uint64_t *only);

#endif
