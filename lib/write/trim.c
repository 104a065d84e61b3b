/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* trim.c - remove events from a sub-buffer */
#include "write/trim.h"

#include <string.h>

#include "base/bytes.h"

/* Linux, include/linux/ring_buffer.h and Documentation/trace/ring-buffer-design.rst */
enum { TYPE_LONG = 0, TYPE_PADDING = 29, TYPE_EXTEND = 30, TYPE_STAMP = 31 };

#define DELTA_BITS   27
#define COMMIT_MASK  0x7ffffffu
#define LOST_STORED  (1u << 30)		/* the number of lost events follows the data */
#define STAMP_TOP    0xf800000000000000ull

struct walk {
	const uint8_t *page;
	bool     swap;
	uint64_t at, end;		/* offset of the next header; end of the data */
	uint64_t ts;			/* time before the event at @at */
	bool     is_data;		/* the event at @at is data */
	uint64_t size;			/* of that event, with its header */
	uint64_t next_ts;
};

/* Examines the event at w->at. False at the end, or where the sub-buffer is damaged. */
static bool look(struct walk *w)
{
	uint32_t header, type, delta, word;

	if (w->end - w->at < 4)
		return false;
	header = load_u32(w->page + w->at, w->swap);
	type = w->swap == KT_HOST_BIG ? header & 31 : header >> DELTA_BITS;
	delta = w->swap == KT_HOST_BIG ? header >> 5 : header & ((1u << DELTA_BITS) - 1);
	w->is_data = type < TYPE_PADDING;
	w->next_ts = w->ts + delta;
	w->size = 4 + (uint64_t)type * 4;
	if (type && w->is_data)
		return w->size <= w->end - w->at;
	if (w->end - w->at < 8)
		return false;
	word = load_u32(w->page + w->at + 4, w->swap);
	if (type == TYPE_EXTEND || type == TYPE_STAMP) {
		w->size = 8;
		w->next_ts = type == TYPE_EXTEND ?
			w->next_ts + ((uint64_t)word << DELTA_BITS) :
			(w->ts & STAMP_TOP) | (((uint64_t)word << DELTA_BITS) + delta);
		return true;
	}
	w->size = 4 + ((uint64_t)word + 3) / 4 * 4;
	return word >= 4 && w->size <= w->end - w->at;
}

static void step(struct walk *w)
{
	w->at += w->size;
	w->ts = w->next_ts;
}

static void store_uint(uint8_t *at, int size, uint64_t v, bool swap)
{
	if (size == 8)
		store_u64(at, v, swap);
	else
		store_u32(at, (uint32_t)v, swap);
}

bool trim_page(uint8_t *page, size_t size, const struct kt_file_info *info, uint64_t from,
	       uint64_t to)
{
	bool swap = info->big_endian != KT_HOST_BIG, any = false;
	uint64_t start = (uint64_t)info->data_offset, begin, begin_ts, commit;
	int long_size = info->commit_size;
	uint8_t *commit_at = page + info->commit_offset;
	uint32_t flags;
	struct walk w;

	if (info->old_events || size < start + 8 || size < (size_t)info->commit_offset + 8)
		return true;
	commit = load_uint(commit_at, (unsigned int)long_size, swap);
	flags = (uint32_t)commit & ~COMMIT_MASK;
	w = (struct walk){ .page = page, .swap = swap, .at = start,
			   .end = start + (commit & COMMIT_MASK), .ts = load_u64(page, swap) };
	if (w.end > size)
		w.end = size;
	while (look(&w) && (!w.is_data || w.at < from))
		step(&w);
	/* begin_ts already includes extends and stamps before the first event */
	begin = from > start ? w.at : start;
	begin_ts = from > start ? w.ts : load_u64(page, swap);
	while (look(&w) && w.at < to) {
		any = any || w.is_data;
		step(&w);
	}

	commit = w.at - begin;
	if (begin > start)
		flags = 0;		/* the loss is no longer just before the first event */
	if (w.end + (uint64_t)long_size > size)
		flags &= ~LOST_STORED;	/* the number is not stored here */
	if (flags & LOST_STORED)
		memmove(page + start + commit, page + w.end, (size_t)long_size);
	memmove(page + start, page + begin, commit);
	store_u64(page, begin_ts, swap);
	store_uint(commit_at, long_size, commit | flags, swap);
	begin = start + commit + (flags & LOST_STORED ? (uint64_t)long_size : 0);
	if (begin < size)
		memset(page + begin, 0, size - begin);
	return any;
}
