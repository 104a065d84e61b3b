/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* lane.h - the records of one source, forward and backward from any position */
#ifndef TRACE_LANE_H
#define TRACE_LANE_H

#include <stdbool.h>
#include <stdint.h>

#include <ktrail/stream.h>

#include "stream/cursor.h"
#include "trace/marks.h"

#define LANE_STEP 64		/* records decoded at a time */

/* Shared by the lanes of one reader into one file: the records to stop at */
struct lane_choice {
	struct cursor_layout plain;	/* without a choice: sub-buffers are decoded completely */
	struct cursor_layout wanted;
	bool is_some;			/* @wanted excludes some */
};

/* Shared by all lanes of a reader */
struct lane_shared {
	size_t hold_limit;		/* a lane keeps chunks of up to this many bytes, and copies
					 * sub-buffers of larger ones */
	bool (*match)(void *data, const struct kt_record *rec);		/* or NULL */
	void *match_data;
	bool (*stop)(void *data);	/* or NULL */
	void *stop_data;
};

/* The state needed to decode a sub-buffer from one of its records on */
struct lane_resume {
	const uint8_t *at;
	uint64_t ts, latest;
	uint64_t row;
	uint32_t lost;
};

struct lane_page_nr {
	uint64_t chunk;
	size_t offset;
};

/*
 * The position of a lane is a gap between two records. The lane has decoded LANE_STEP or fewer
 * records of one sub-buffer around the gap.
 */
struct lane {
	struct cursor c;		/* decodes the sub-buffer; it has no chunk of its own */
	const struct lane_choice *choice;
	const struct lane_shared *shared;
	const struct marks *marks;	/* of the source; NULL: not available */

	bool opened;			/* a sub-buffer is open */
	uint64_t chunk_nr;		/* its chunk */
	size_t offset;			/* its offset in the chunk */
	size_t chunk_size;		/* bytes of the chunk; 0: it is damaged */
	struct kt_chunk chunk;		/* the chunk decompressed last, if it is kept */
	uint64_t held_nr;		/* number of @chunk */
	uint8_t *copy;			/* of a sub-buffer whose chunk is not kept */

	struct lane_resume *steps;	/* start of each step of the sub-buffer, as far as known */
	size_t nr_steps, max_steps;
	bool all_steps;			/* @steps is complete */
	size_t step;			/* the decoded step */
	struct kt_record *recs;		/* LANE_STEP, NULL: none was opened yet */
	uint64_t *times;		/* latest time up to each record */
	size_t nr;
	size_t at;			/* the gap is before this record */
	uint64_t latest;		/* latest time up to the last of them */
	uint64_t row;			/* of recs[0], by the marks */
	uint64_t passed;		/* row after the last record passed since the mark where
					 * counting began; a damaged chunk may leave a hole before
					 * the next record */
	bool knows_first;		/* @first is valid */
	uint64_t first;			/* position of the sub-buffer's first chosen record;
					 * UINT64_MAX: none */

	uint32_t lost;			/* events lost before the sub-buffers passed from @since on,
					 * or since the last chosen record in these */
	bool knows_lost;		/* complete; else @scout searches for that record */
	struct lane_page_nr since;
	struct lane *scout;		/* owned; NULL: not needed yet */
	enum { SCOUT_IDLE, SCOUT_GOES, SCOUT_FOUND, SCOUT_NOTHING } scouting;
	uint32_t scouted;		/* events lost before the sub-buffers it passed */
};

void lane_init(struct lane *l, const struct kt_stream *s, size_t source,
	       const struct lane_choice *choice, const struct lane_shared *shared);
void lane_fini(struct lane *l);
/* Everything that was read is invalid: the lane must be placed again. */
void lane_forget(struct lane *l);

/*
 * Move the gap over records that are not chosen, until recs[at] is chosen. Returns
 * 1, 0 at the end, -ENOMEM, or -EINTR if the reader was told to stop.
 */
int lane_forward(struct lane *l);
/* The same backward, until recs[at - 1] is chosen. */
int lane_backward(struct lane *l);

/*
 * Events lost between the previous chosen record and recs[@at], which is chosen, independent
 * of the direction of the lane. 0, -ENOMEM, -EINTR
 */
int lane_lost(struct lane *l, size_t at, uint32_t *lost);
/* The record before the gap was delivered while going forward. */
void lane_passed(struct lane *l);
/* The lane changes its direction. */
void lane_turn(struct lane *l);

/*
 * Move the gap before the first record, chosen or not, at or after time @ts. If there are marks,
 * l->passed is the number of records before it. 0, -ENOMEM.
 */
int lane_seek(struct lane *l, uint64_t ts);
/* The same for the first record at or after @pos */
int lane_seek_pos(struct lane *l, uint64_t pos);

/* The time of the chunk that holds byte @stored of the stored data */
uint64_t lane_time_at(const struct lane *l, uint64_t stored);

#endif
