/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* page.c - one sub-buffer of the ring buffer: filled with records, and read back */
#include "import/page.h"

#include <string.h>

#include "base/bytes.h"

/* Source: Linux, include/linux/ring_buffer.h and kernel/trace/ring_buffer.c */
#define TYPE_EXTEND	30
#define TYPE_SMALL_MAX	28		/* lengths up to 4 * 28 are in the type itself */
#define DELTA_BITS	27
#define MISSED_EVENTS	(1u << 31)
#define MISSED_STORED	(1u << 30)
#define LOST_ROOM	8		/* after the records: how many were lost */

static uint32_t head(unsigned int type, uint64_t delta)
{
	uint32_t low = delta & ((1u << DELTA_BITS) - 1);

	return KT_HOST_BIG ? type << DELTA_BITS | low : type | low << 5;
}

static void put_u32(struct page *p, uint32_t v)
{
	memcpy(p->data + PAGE_HEAD + p->used, &v, sizeof(v));
	p->used += sizeof(v);
}

bool page_add(struct page *p, uint64_t ts, const void *rec, size_t size)
{
	size_t padded = (size + 3) & ~(size_t)3;
	bool small = padded && padded <= 4 * TYPE_SMALL_MAX;
	uint64_t delta = p->used ? ts - p->last : 0;
	bool extend = delta >> DELTA_BITS;
	size_t need = 4 + (small ? 0 : 4) + padded + (extend ? 8 : 0);

	/* The extension has 59 bits */
	if (p->used + need > PAGE_SIZE - PAGE_HEAD - LOST_ROOM || delta >> (DELTA_BITS + 32))
		return false;
	if (!p->used)
		memcpy(p->data, &ts, sizeof(ts));
	if (extend) {
		put_u32(p, head(TYPE_EXTEND, delta));
		put_u32(p, delta >> DELTA_BITS);
		delta = 0;
	}
	put_u32(p, head(small ? padded / 4 : 0, delta));
	if (!small)
		put_u32(p, padded + 4);
	memcpy(p->data + PAGE_HEAD + p->used, rec, size);
	memset(p->data + PAGE_HEAD + p->used + size, 0, padded - size);
	p->used += padded;
	p->last = ts;
	return true;
}

void page_finish(struct page *p)
{
	uint64_t commit = p->used;
	uint8_t *end = p->data + PAGE_HEAD + p->used;

	memset(end, 0, PAGE_SIZE - PAGE_HEAD - p->used);
	if (p->lost)
		commit |= MISSED_EVENTS;
	if (p->lost && p->lost != PAGE_LOST_UNKNOWN) {
		commit |= MISSED_STORED;
		memcpy(end, &p->lost, sizeof(p->lost));
	}
	memcpy(p->data + 8, &commit, sizeof(commit));
}

void page_read(struct page_reader *r, const uint8_t *data)
{
	uint64_t commit = load_u64(data + 8, false);

	*r = (struct page_reader){ .data = data, .at = PAGE_HEAD };
	r->end = PAGE_HEAD + (commit & (MISSED_STORED - 1));
	r->ts = load_u64(data, false);
	if (commit & MISSED_EVENTS)
		r->lost = commit & MISSED_STORED ? load_u64(data + r->end, false) :
						   PAGE_LOST_UNKNOWN;
}

bool page_next(struct page_reader *r)
{
	uint32_t word, type, delta;

	if (r->rec)
		r->lost = 0;
	while (r->at < r->end) {
		word = load_u32(r->data + r->at, false);
		type = KT_HOST_BIG ? word >> DELTA_BITS : word & 31;
		delta = KT_HOST_BIG ? word & ((1u << DELTA_BITS) - 1) : word >> 5;
		r->at += 4;
		r->ts += delta;
		if (type == TYPE_EXTEND) {
			r->ts += (uint64_t)load_u32(r->data + r->at, false) << DELTA_BITS;
			r->at += 4;
			continue;
		}
		r->size = 4 * type;
		if (!type) {
			r->size = load_u32(r->data + r->at, false) - 4;
			r->at += 4;
		}
		r->rec = r->data + r->at;
		r->at += r->size;
		return true;
	}
	return false;
}
