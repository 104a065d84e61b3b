/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* summary.c - find which events and tasks a chunk of sub-buffers holds */
#include "file/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

/* Fields of the commit word and of event headers: Documentation/trace-dat.md */
#define COMMIT_LENGTH 0x07ffffffu
#define COMMIT_LOST   (1u << 31)
#define TYPE_DATA_MAX 28u
enum { TYPE_PADDING = 29, TYPE_EXTEND = 30, TYPE_STAMP = 31 };

/* False: too many ids */
static __attribute__((noinline)) bool add_id(struct summarizer *z, uint16_t id)
{
	if (z->nr_ids == SUMMARY_IDS)
		return false;
	z->ids[z->nr_ids++] = id;
	z->seen[id] = 1;
	return true;
}

/* Totals of the records of a chunk so far */
struct seen {
	uint64_t pids[SUMMARY_PIDS];
	uint64_t nr, ts, last;		/* records; current time, and time of the last record */
	bool     goes_back;
};

static inline bool see_record(struct summarizer *z, const uint8_t *data, bool swap, uint64_t *pids)
{
	uint16_t id = load_u16(data, swap);
	uint32_t pid = load_u32(data + 4, swap);

	pids[pid / 64 % SUMMARY_PIDS] |= 1ull << pid % 64;
	return z->seen[id] || add_id(z, id);
}

static inline void count_record(struct seen *s, uint32_t delta)
{
	s->ts += delta;
	s->goes_back |= s->nr && s->ts < s->last;
	s->last = s->ts;
	s->nr++;
}

/*
 * Handles the rare events: all except short data, and the last one of a sub-buffer. Returns the
 * end of the event, the end of the sub-buffer after its last event, or NULL: invalid data or
 * too many ids. Must agree with the reader's cursor.
 */
static __attribute__((noinline)) const uint8_t *
see_rare(struct summarizer *z, const uint8_t *at, const uint8_t *end, bool swap, struct seen *s)
{
	int64_t left = end - at, size, step;
	uint32_t header, type_len, word, delta;

	if (left < 4)
		return left < 0 ? NULL : end;
	header = load_u32(at, swap);
	type_len = swap == KT_HOST_BIG ? header & 31 : header >> 27;
	delta = swap == KT_HOST_BIG ? header >> 5 : header & 0x07ffffff;
	if (type_len && type_len <= TYPE_DATA_MAX) {
		if (type_len < 2 || 4 + 4 * (int64_t)type_len > left ||
		    !see_record(z, at + 4, swap, s->pids))
			return NULL;
		count_record(s, delta);
		return at + 4 + 4 * (size_t)type_len;
	}
	if (left < 8)
		return end;
	word = load_u32(at + 4, swap);
	if (type_len == TYPE_EXTEND || type_len == TYPE_STAMP) {
		/* A stamp has 59 bits. With longer times, only the reader can count. */
		s->goes_back |= type_len == TYPE_STAMP && s->ts >> 59;
		s->ts = (type_len == TYPE_STAMP ? 0 : s->ts) + delta + ((uint64_t)word << 27);
		return at + 8;
	}
	size = (int64_t)word - 4;
	step = 4 + (((int64_t)word + 3) & ~3ll);
	if (type_len == TYPE_PADDING) {
		s->ts += delta;
		return size < 0 || step > left ? end : at + step;
	}
	/* Invalid, or too short for a pid: make no summary */
	if (size < 8 || step > left || !see_record(z, at + 8, swap, s->pids))
		return NULL;
	count_record(s, delta);
	return at + step;
}

/*
 * Handles every event of a recording, in 18 instructions each. @swap is a constant at
 * each call. False: invalid data, or too many ids.
 */
static inline __attribute__((always_inline)) bool
see_events(struct summarizer *z, const uint8_t *at, const uint8_t *end, bool swap, struct seen *s)
{
	uint64_t last = UINT64_MAX, pid, ts, nr;
	uint32_t header, type_len;
	uint16_t id;

	while (at && at != end) {
		/* Header, id and pid are within the data. The next iteration checks the rest. */
		ts = s->ts;
		nr = 0;
		s->goes_back |= s->nr && ts < s->last;
		while (end - at >= 12) {
			header = load_u32(at, swap);
			type_len = swap == KT_HOST_BIG ? header & 31 : header >> 27;
			if (__builtin_expect(type_len - 2 > TYPE_DATA_MAX - 2, 0))
				break;
			id = load_u16(at + 4, swap);
			pid = load_u32(at + 8, swap);
			at += 4 + 4 * type_len;
			ts += swap == KT_HOST_BIG ? header >> 5 : header & 0x07ffffff;
			nr++;
			if (__builtin_expect(!z->seen[id], 0) && !add_id(z, id))
				return false;
			if (pid == last)
				continue;
			s->pids[pid / 64 % SUMMARY_PIDS] |= 1ull << pid % 64;
			last = pid;
		}
		s->nr += nr;
		s->last = nr ? ts : s->last;
		s->ts = ts;
		if (at != end)
			at = see_rare(z, at, end, swap, s);
	}
	return at;
}

/* Events lost before the sub-buffer do not change its records. */
static bool see_page(struct summarizer *z, const struct kt_page_layout *l, const uint8_t *page,
		     size_t size, struct seen *s)
{
	uint32_t commit = (uint32_t)load_uint(page + l->commit_offset, l->commit_size, l->swap);
	const uint8_t *at = page + l->data_offset;
	uint32_t length = commit & COMMIT_LENGTH;

	if (length > size - l->data_offset)
		return false;
	s->ts = load_u64(page, l->swap);
	s->goes_back |= s->nr && s->ts < s->last;
	return l->swap ? see_events(z, at, at + length, true, s)
		       : see_events(z, at, at + length, false, s);
}

static bool lost_before(const struct kt_page_layout *l, const uint8_t *page)
{
	return (uint32_t)load_uint(page + l->commit_offset, l->commit_size, l->swap) & COMMIT_LOST;
}

static int by_number(const void *a, const void *b)
{
	return *(const uint16_t *)a - *(const uint16_t *)b;
}

void summary_make(struct summarizer *z, const struct kt_page_layout *layout, const void *pages,
		  size_t size, size_t page_size, struct kt_summary *out)
{
	const uint8_t *page = pages, *end = page + size;
	struct seen seen = { .nr = 0 };
	size_t i;

	*out = (struct kt_summary){ .ids = z->ids };
	if (size < 8 || !layout->data_offset)
		return;
	out->first = load_u64(page, layout->swap);
	out->counted = page_size > layout->data_offset && size % page_size == 0;
	for (; out->counted && page < end; page += page_size) {
		out->lost |= lost_before(layout, page);
		out->counted = see_page(z, layout, page, page_size, &seen);
	}
	out->known = out->counted && !out->lost;
	out->counted &= !seen.goes_back;
	out->nr = seen.nr;
	out->last = seen.nr ? seen.last : out->first;
	memcpy(out->pids, seen.pids, sizeof(out->pids));
	qsort(z->ids, z->nr_ids, sizeof(*z->ids), by_number);
	out->nr_ids = z->nr_ids;
	for (i = 0; i < z->nr_ids; i++)
		z->seen[z->ids[i]] = 0;
	z->nr_ids = 0;
}
