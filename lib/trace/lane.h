/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* lane.h - the records of one source, forward and backward from any place */
#ifndef TRACE_LANE_H
#define TRACE_LANE_H

#include <stdbool.h>
#include <stdint.h>

#include <ktrail/stream.h>

#include "stream/cursor.h"
#include "trace/marks.h"

#define LANE_STEP 64		/* records that are decoded at a time */

/* What the lanes of one reader into one file share: which records to stop at */
struct lane_choice {
	struct cursor_layout plain;	/* chooses nothing: sub-buffers are decoded whole */
	struct cursor_layout wanted;
	bool is_some;			/* @wanted leaves out some */
};

/* What all lanes of a reader share */
struct lane_shared {
	size_t hold_limit;		/* bytes of a chunk that a lane holds on to;
					 * else it copies */
	bool (*match)(void *data, const struct kt_record *rec);		/* or NULL */
	void *match_data;
	bool (*stop)(void *data);	/* or NULL */
	void *stop_data;
};

/* How to go on at a record of a sub-buffer: to decode it needs what is before */
struct lane_resume {
	const uint8_t *at;
	uint64_t ts, latest;
	uint32_t lost;
};

struct lane_page_nr {
	uint64_t chunk;
	size_t offset;
};

/*
 * A lane stands in a gap: between two records of the LANE_STEP or fewer that it has
 * decoded of a sub-buffer.
 */
struct lane {
	struct cursor c;		/* decodes the sub-buffer; it has no chunk of its own */
	const struct lane_choice *choice;
	const struct lane_shared *shared;
	const struct marks *marks;	/* of the source; NULL: not known */

	bool opened;			/* there is a sub-buffer: … */
	uint64_t chunk_nr;		/* … in this chunk … */
	size_t offset;			/* … there … */
	size_t chunk_size;		/* … of so many bytes; 0: it is damaged */
	struct kt_chunk chunk;		/* the last that was decompressed, if it is held … */
	uint64_t held_nr;		/* … and its number */
	uint8_t *copy;			/* of a sub-buffer that is not in a chunk that is held */

	struct lane_resume *steps;	/* where each step of it begins, as far as known */
	size_t nr_steps, max_steps;
	bool all_steps;			/* there are no more */
	size_t step;			/* that is decoded: */
	struct kt_record *recs;		/* LANE_STEP, NULL: none was opened yet */
	uint64_t *times;		/* of the latest record up to each */
	size_t nr;
	size_t at;			/* the gap is before this record */
	uint64_t latest;		/* time of the latest record up to the last of them */
	bool knows_first;		/* @first is known: */
	uint64_t first;			/* pos of the sub-buffer's first record that is chosen;
					 * UINT64_MAX: none */

	uint32_t lost;			/* events lost since the last chosen record, before those of
					 * the sub-buffers from @since on that were passed */
	bool knows_lost;		/* that record is in these; else @scout looks for it */
	struct lane_page_nr since;
	struct lane *scout;		/* owned; NULL: not needed yet */
	enum { SCOUT_IDLE, SCOUT_GOES, SCOUT_FOUND, SCOUT_NOTHING } scouting;
	uint32_t scouted;		/* events lost before the sub-buffers it passed */
};

void lane_init(struct lane *l, const struct kt_stream *s, size_t source,
	       const struct lane_choice *choice, const struct lane_shared *shared);
void lane_fini(struct lane *l);
/* What was read is void: it must be placed anew. */
void lane_forget(struct lane *l);

/*
 * Move the gap over records that are not chosen, until recs[at] is one that is. Returns
 * 1, 0 at the end, -ENOMEM, or -EINTR when the reader is to stop.
 */
int lane_forward(struct lane *l);
/* … until recs[at - 1] is one that is. */
int lane_backward(struct lane *l);

/*
 * Events lost before recs[@at], which is chosen, and after the chosen one before it,
 * whichever way the lane came. 0, -ENOMEM, -EINTR
 */
int lane_lost(struct lane *l, size_t at, uint32_t *lost);
/* The record before the gap was delivered, going forward. */
void lane_passed(struct lane *l);
/* It goes in the other direction from now on. */
void lane_turn(struct lane *l);

/*
 * The gap before the first record, chosen or not, whose time is @ts or later; @rank: how
 * many are before it, if there are marks. 0, -ENOMEM.
 */
int lane_seek(struct lane *l, uint64_t ts, uint64_t *rank);
/* The gap before the first record at @pos or later */
int lane_seek_pos(struct lane *l, uint64_t pos, uint64_t *rank);
/* The gap before the record with @row others before it; there must be marks. */
int lane_seek_row(struct lane *l, uint64_t row);

/* The time of the chunk that holds the byte at @stored of the data as stored */
uint64_t lane_time_at(const struct lane *l, uint64_t stored);

#endif
