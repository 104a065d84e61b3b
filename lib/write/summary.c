/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* summary.c - which events and tasks a chunk of sub-buffers holds */
#include "file/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

/* The word behind the time stamp, and the headers of events: Documentation/trace-dat.md */
#define COMMIT_LENGTH 0x07ffffffu
#define COMMIT_LOST   (1u << 31)
#define TYPE_DATA_MAX 28u
enum { TYPE_PADDING = 29, TYPE_EXTEND = 30, TYPE_STAMP = 31 };

/* False: there are too many */
static __attribute__((noinline)) bool add_id(struct summarizer *z, uint16_t id)
{
	if (z->nr_ids == SUMMARY_IDS)
		return false;
	z->ids[z->nr_ids++] = id;
	z->seen[id] = 1;
	return true;
}

static inline bool see_record(struct summarizer *z, const uint8_t *data, bool swap, uint64_t *pids)
{
	uint16_t id = load_u16(data, swap);
	uint32_t pid = load_u32(data + 4, swap);

	pids[pid / 64 % SUMMARY_PIDS] |= 1ull << pid % 64;
	return z->seen[id] || add_id(z, id);
}

/*
 * An event of any form but short data, or one at the end of a sub-buffer. Returns
 * its end, that of the sub-buffer if there is nothing more, NULL if there is no
 * saying what is in there. All as the reader's cursor sees it.
 */
static __attribute__((noinline)) const uint8_t *
see_rare(struct summarizer *z, const uint8_t *at, const uint8_t *end, bool swap, uint64_t *pids)
{
	int64_t left = end - at, size, step;
	uint32_t header, type_len, word;

	if (left < 4)
		return left < 0 ? NULL : end;
	header = load_u32(at, swap);
	type_len = swap == KT_HOST_BIG ? header & 31 : header >> 27;
	if (type_len && type_len <= TYPE_DATA_MAX)
		return type_len < 2 || 4 + 4 * (int64_t)type_len > left ||
		       !see_record(z, at + 4, swap, pids) ? NULL : at + 4 + 4 * (size_t)type_len;
	if (left < 8)
		return end;
	if (type_len == TYPE_EXTEND || type_len == TYPE_STAMP)
		return at + 8;
	word = load_u32(at + 4, swap);
	size = (int64_t)word - 4;
	step = 4 + (((int64_t)word + 3) & ~3ll);
	if (type_len == TYPE_PADDING)
		return size < 0 || step > left ? end : at + step;
	/* One that is too short for a pid: rather no summary */
	if (size < 8 || step > left || !see_record(z, at + 8, swap, pids))
		return NULL;
	return at + step;
}

/*
 * Every event of a recording comes along here: 15 instructions for each. @swap
 * is a constant where it is called. False: there is no saying what is in there.
 */
static inline __attribute__((always_inline)) bool
see_events(struct summarizer *z, const uint8_t *at, const uint8_t *end, bool swap, uint64_t *pids)
{
	uint64_t last = UINT64_MAX, pid;
	uint32_t header, type_len;
	uint16_t id;

	while (at && at != end) {
		/* Header, id and pid are there; whether the rest is, the next round sees */
		while (end - at >= 12) {
			header = load_u32(at, swap);
			type_len = swap == KT_HOST_BIG ? header & 31 : header >> 27;
			if (__builtin_expect(type_len - 2 > TYPE_DATA_MAX - 2, 0))
				break;
			id = load_u16(at + 4, swap);
			pid = load_u32(at + 8, swap);
			at += 4 + 4 * type_len;
			if (__builtin_expect(!z->seen[id], 0) && !add_id(z, id))
				return false;
			if (pid == last)
				continue;
			pids[pid / 64 % SUMMARY_PIDS] |= 1ull << pid % 64;
			last = pid;
		}
		if (at != end)
			at = see_rare(z, at, end, swap, pids);
	}
	return at;
}

static bool see_page(struct summarizer *z, const struct kt_page_layout *l, const uint8_t *page,
		     size_t size, struct kt_summary *out)
{
	uint32_t commit = (uint32_t)load_uint(page + l->commit_offset, l->commit_size, l->swap);
	const uint8_t *at = page + l->data_offset;
	uint32_t length = commit & COMMIT_LENGTH;

	if (commit & COMMIT_LOST)
		out->lost = true;
	if (out->lost || length > size - l->data_offset)
		return false;
	return l->swap ? see_events(z, at, at + length, true, out->pids)
		       : see_events(z, at, at + length, false, out->pids);
}

static int by_number(const void *a, const void *b)
{
	return *(const uint16_t *)a - *(const uint16_t *)b;
}

void summary_make(struct summarizer *z, const struct kt_page_layout *layout, const void *pages,
		  size_t size, size_t page_size, struct kt_summary *out)
{
	const uint8_t *page = pages, *end = page + size;
	size_t i;

	*out = (struct kt_summary){ .ids = z->ids };
	if (size < 8 || !layout->data_offset)
		return;
	out->first = load_u64(page, layout->swap);
	out->known = page_size > layout->data_offset && size % page_size == 0;
	for (; out->known && page < end; page += page_size)
		out->known = see_page(z, layout, page, page_size, out);
	qsort(z->ids, z->nr_ids, sizeof(*z->ids), by_number);
	out->nr_ids = z->nr_ids;
	for (i = 0; i < z->nr_ids; i++)
		z->seen[z->ids[i]] = 0;
	z->nr_ids = 0;
}
