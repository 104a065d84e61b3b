/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* cursor.h - a position in the records of one CPU that moves forward */
#ifndef STREAM_CURSOR_H
#define STREAM_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

#include <ktrail/file.h>
#include <ktrail/stream.h>

#include "base/bytes.h"
#include "file/summary.h"
#include "stream/readahead.h"
#include "stream/timefix.h"

struct read_place;			/* stream.h */

#define CURSOR_TYPES (65536 / 64)	/* words of a bitmap of event ids */

/* Shared by all cursors of one file */
struct cursor_layout {
	struct kt_file *file;
	bool swap;
	unsigned int commit_offset, commit_size, data_offset;
	uint64_t *wanted;		/* bitmap of event ids, NULL: all */
	uint64_t *of_pids;		/* bitmap of events wanted only of some tasks; or NULL */
	uint64_t *pids;			/* bitmap of these tasks, by low 16 bits of common_pid */
	uint64_t some_pids[SUMMARY_PIDS];	/* @pids, folded as in the index of a file */
	bool forget_lost;		/* ignore lost events before an unwanted event */
};

/* Like kt_stream_want_types() and kt_stream_want_pids(). 0, -ENOMEM */
int cursor_want_types(struct cursor_layout *l, const uint64_t *wanted);
int cursor_want_pids(struct cursor_layout *l, const uint64_t *types, const uint64_t *pids);

struct cursor;
typedef size_t cursor_walker(struct cursor *c, uint64_t last, struct kt_record *out, size_t room);

struct cursor {
	cursor_walker *walk;		/* depends on byte order, time corrections, wanted events */
	/* The next record */
	uint64_t key;			/* its corrected time; CURSOR_DONE: no more records */
	const uint8_t *at;		/* its event header */
	const uint8_t *end;		/* end of the committed data of the sub-buffer */
	uint64_t ts;			/* raw time before that header */
	uint64_t pos_base;		/* address - @pos_base = position in the CPU's data */
	uint32_t lost;			/* events lost before it */
	bool skipped;			/* the previous record was not wanted */
	uint32_t source;

	/* The current sub-buffer and chunk */
	const struct cursor_layout *layout;
	const struct timefix *fix;
	const uint8_t *page;
	uint32_t page_size;
	size_t buffer, cpu_index;
	struct kt_chunk chunk;		/* or a piece of it */
	uint64_t chunk_nr;		/* of @chunk; the next chunk has the next number */
	size_t chunk_left;		/* bytes of the chunk after the piece */
	size_t piece_offset;		/* of the piece in its chunk */
	size_t piece_size;		/* the largest piece of a chunk to hold; 0: whole chunks */
	size_t share;			/* bytes that this chunk and the prefetched ones may use */
	struct readahead *readahead;		/* helpers that prefetch the next chunk, or NULL */
	size_t slot;			/* of this cursor in @readahead */
	bool started;			/* @chunk_nr is the number of a chunk that was read */
	uint64_t pinned_by;		/* serial of the batch that already pins @chunk */
	bool (*stop)(void *data);	/* called at each chunk after the first one; or NULL */
	void *stop_data;
};

#define CURSOR_DONE UINT64_MAX
#define CURSOR_PAGE_END (UINT64_MAX - 1)

static inline bool cursor_has_bit(const uint64_t *bits, uint16_t type)
{
	return bits[type / 64] >> type % 64 & 1;
}

/* @data: of a record in host byte order. A record too short for a pid counts as wanted. */
static inline bool cursor_is_of_pids(const struct cursor_layout *l, const uint8_t *data,
				     uint32_t size, uint16_t type)
{
	return !cursor_has_bit(l->of_pids, type) || size < 8 ||
	       cursor_has_bit(l->pids, (uint16_t)load_u32(data + 4, false));
}

/* The same without any selection */
static inline struct cursor_layout cursor_choose_all(const struct cursor_layout *l)
{
	struct cursor_layout all = *l;

	all.wanted = all.of_pids = all.pids = NULL;
	return all;
}

static inline uint32_t cursor_add_lost(uint32_t a, uint64_t b)
{
	if (a == KT_LOST_UNKNOWN || b >= KT_LOST_UNKNOWN - a)
		return KT_LOST_UNKNOWN;
	return a + b;
}

/* The time that records show for a ring-buffer time, always below the values that mark an end */
static inline uint64_t cursor_shown_time(const struct cursor *c, uint64_t ts)
{
	uint64_t t = timefix_apply(c->fix, ts);

	return t < CURSOR_PAGE_END ? t : CURSOR_PAGE_END - 1;
}

/* Does the file's index rule out that the chunk has a wanted record? @s NULL: no information */
bool cursor_rules_out(const struct cursor_layout *l, const struct kt_summary *s);

void cursor_init(struct cursor *c, const struct cursor_layout *layout, const struct timefix *fix,
		 size_t buffer, size_t cpu_index, uint32_t source);
void cursor_fini(struct cursor *c);

/* Move to the first record in or after the @nr-th chunk. 0, -ENOMEM. */
int cursor_start(struct cursor *c, uint64_t nr, struct kt_err *err);

/*
 * Write the records of the current sub-buffer up to time @last, at most @room, to @out.
 * Afterwards @c->key is that of the next record, or CURSOR_PAGE_END at the end of the
 * sub-buffer: then call cursor_turn().
 */
static inline size_t cursor_walk(struct cursor *c, uint64_t last, struct kt_record *out,
				 size_t room)
{
	return c->walk(c, last, out, room);
}

/*
 * Prepare cursor_walk() for a sub-buffer that the caller holds, at @pos of the CPU's
 * data. False: it is empty.
 */
bool cursor_open_page(struct cursor *c, const uint8_t *page, size_t size, uint64_t pos);

/* stream.c: make a cursor for a source of a stream, with its layout and corrections */
void stream_init_cursor(const struct kt_stream *s, size_t source, struct cursor *c);
/* After its files have grown: rewind the stream. This invalidates everything that was read. */
void stream_take_growth(struct kt_stream *s);
const unsigned int *stream_generation(const struct kt_stream *s);

/*
 * Go to the next sub-buffer with a wanted record. 0, -ENOMEM; -EINTR: @stop returned true, call
 * this again to continue.
 */
int cursor_turn(struct cursor *c, struct kt_err *err);

/* The first chunk from the @nr-th on that the recorder has not freed */
uint64_t cursor_kept_chunk(const struct cursor *c, uint64_t nr);
/* Time of the @nr-th chunk, or of its successor if it is damaged; CURSOR_DONE after the last */
uint64_t cursor_chunk_time(const struct cursor *c, uint64_t nr);
/* The last chunk that begins before @ts, or 0 */
uint64_t cursor_chunk_before(const struct cursor *c, uint64_t ts);

/* Move to the first record whose corrected time is >= @ts. */
int cursor_seek(struct cursor *c, uint64_t ts, struct kt_err *err);
/* Find where a reader continues after it has read everything up to @until. 0, -ENOMEM. */
int cursor_place(struct cursor *c, uint64_t until, struct read_place *place, struct kt_err *err);
int cursor_resume(struct cursor *c, const struct read_place *place, struct kt_err *err);
/*
 * Count the chunks, including damaged ones. @nr: the count so far. @stop may be NULL. 1, or -EINTR
 * if @stop returned true.
 */
int cursor_nr_chunks(const struct cursor *c, bool (*stop)(void *data), void *data, uint64_t *nr);
/* The last record of a CPU with @nr_chunks chunks: 1, 0 if there is none. Moves to the end. */
int cursor_last(struct cursor *c, uint64_t nr_chunks, struct kt_record *rec, struct kt_err *err);

#endif
