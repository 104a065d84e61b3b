/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* cursor.c - walk the sub-buffers of one CPU and their records */
#include "stream/cursor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "file/note.h"

/* The word after the time stamp of a sub-buffer */
#define COMMIT_LENGTH 0x07ffffffu
#define COMMIT_LOST   (1u << 31)	/* events were lost before this sub-buffer */
#define COMMIT_STORED (1u << 30)	/* the number of lost events follows the data */

/* type_len of an event header; 1 to TYPE_DATA_MAX: number of data words */
enum { TYPE_DATA_LONG = 0, TYPE_DATA_MAX = 28, TYPE_PADDING = 29, TYPE_EXTEND = 30,
       TYPE_STAMP = 31 };
#define DELTA_BITS 27
#define STAMP_TOP  (0x1full << 59)	/* bits that an absolute stamp omits */

void cursor_init(struct cursor *c, const struct cursor_layout *layout, const struct timefix *fix,
		 size_t buffer, size_t cpu_index, uint32_t source)
{
	*c = (struct cursor){ .key = CURSOR_DONE, .layout = layout, .fix = fix, .buffer = buffer,
			      .cpu_index = cpu_index, .source = source };
	c->page_size = kt_file_buffer(layout->file, buffer)->page_size;
}

void cursor_fini(struct cursor *c)
{
	kt_chunk_put(&c->chunk);
	c->key = CURSOR_DONE;
}

/* Copies a bitmap of CURSOR_TYPES words; NULL removes it. */
static int keep_bits(uint64_t **to, const uint64_t *bits)
{
	if (!bits) {
		free(*to);
		*to = NULL;
		return 0;
	}
	if (!*to)
		*to = malloc(CURSOR_TYPES * sizeof(*bits));
	if (!*to)
		return -ENOMEM;
	memcpy(*to, bits, CURSOR_TYPES * sizeof(*bits));
	return 0;
}

int cursor_want_types(struct cursor_layout *l, const uint64_t *wanted)
{
	return keep_bits(&l->wanted, wanted);
}

int cursor_want_pids(struct cursor_layout *l, const uint64_t *types, const uint64_t *pids)
{
	size_t i;
	int ret;

	memset(l->some_pids, 0, sizeof(l->some_pids));
	for (i = 0; types && i < CURSOR_TYPES; i++)
		l->some_pids[i % SUMMARY_PIDS] |= pids[i];
	ret = keep_bits(&l->pids, types ? pids : NULL);
	return ret < 0 ? ret : keep_bits(&l->of_pids, types);
}

static void damage(struct cursor *c, const char *what)
{
	const struct kt_buffer *b = kt_file_buffer(c->layout->file, c->buffer);

	file_note_page(c->layout->file, b->name, b->cpus[c->cpu_index].cpu,
		       (uint64_t)(uintptr_t)c->page - c->pos_base, what);
}

/* An absolute stamp has 59 bits; as in the kernel, the previous time gives the others. */
static uint64_t absolute(uint64_t stamp, uint64_t before)
{
	uint64_t ts = (stamp & ~STAMP_TOP) | (before & STAMP_TOP);

	if ((before & STAMP_TOP) && ts < before)
		ts += 1ull << 59;
	return ts;
}

/* The payload of an event, and the distance to the next event */
struct extent {
	const uint8_t *data;
	uint32_t size, step;
};

enum kind { KIND_DATA, KIND_TIME, KIND_END, KIND_BROKEN };

/* An event of any form except short data; advances @ts by time events. */
static enum kind rare_event(const uint8_t *at, size_t left, uint32_t type_len, uint32_t delta,
			    bool swap, uint64_t *ts, struct extent *e)
{
	uint32_t word;

	if (left < 8)
		return KIND_END;
	word = load_u32(at + 4, swap);
	e->step = 8;
	switch (type_len) {
	case TYPE_EXTEND:
		*ts += delta + ((uint64_t)word << DELTA_BITS);
		return KIND_TIME;
	case TYPE_STAMP:
		*ts = absolute(((uint64_t)word << DELTA_BITS) + delta, *ts);
		return KIND_TIME;
	case TYPE_PADDING:
		if (word < 4 || word > left - 4)
			return KIND_END;	/* the rest of the sub-buffer is unused */
		*ts += delta;
		e->step = 4 + ((word + 3) & ~3u);
		return e->step > left ? KIND_END : KIND_TIME;
	default:
		if (word < 4 || word > COMMIT_LENGTH)
			return KIND_BROKEN;
		e->data = at + 8;
		e->size = word - 4;
		e->step = 4 + ((word + 3) & ~3u);
		return KIND_DATA;
	}
}

/* The event at @at with @left bytes after it: like rare_event(), for any form */
static inline __attribute__((always_inline)) enum kind
any_event(const uint8_t *at, size_t left, bool swap, uint32_t *delta, uint64_t *ts,
	  struct extent *e)
{
	uint32_t header = load_u32(at, swap), type_len;

	/* The kernel declares bit fields: big-endian machines allocate them from the top. */
	type_len = swap == KT_HOST_BIG ? header & 31 : header >> 27;
	*delta = swap == KT_HOST_BIG ? header >> 5 : header & 0x07ffffff;
	*e = (struct extent){ at + 4, type_len * 4, 4 + type_len * 4 };
	if (__builtin_expect(type_len - 1 >= TYPE_DATA_MAX, 0)) {
		/* A copy, so that the usual case stays in registers */
		struct extent rare = *e;
		uint64_t now = *ts;
		enum kind kind = rare_event(at, left, type_len, *delta, swap, &now, &rare);

		*ts = now;
		*e = rare;
		if (kind != KIND_DATA)
			return kind;
	}
	return __builtin_expect(e->step > left, 0) ? KIND_BROKEN : KIND_DATA;
}

/*
 * The hottest loop of the library. @swap, @plain, @wanted and @of_pids are
 * constants at each call, so that each copy contains only the code it needs.
 */
static inline __attribute__((always_inline)) size_t
walk(struct cursor *c, uint64_t last, struct kt_record *out, size_t room, bool swap, bool plain,
     const uint64_t *wanted, bool of_pids)
{
	const uint8_t *at = c->at, *end = c->end;
	struct kt_record *to = out, *stop = out + room;
	uint64_t ts = c->ts, add = c->fix->add, key = CURSOR_PAGE_END;
	uint32_t lost = c->lost, delta;
	bool skipped = c->skipped;
	enum kind kind = KIND_END;
	struct extent e;
	uint16_t type;

	for (; end - at >= 4; at += e.step, key = CURSOR_PAGE_END) {
		kind = any_event(at, end - at, swap, &delta, &ts, &e);
		if (kind == KIND_TIME)
			continue;
		if (kind != KIND_DATA)
			break;

		type = e.size >= 2 ? load_u16(e.data, swap) : 0;
		if ((!wanted || cursor_has_bit(wanted, type)) &&
		    (!of_pids || cursor_is_of_pids(c->layout, e.data, e.size, type))) {
			key = plain ? ts + delta + add : timefix_apply(c->fix, ts + delta);
			if (key >= CURSOR_PAGE_END)
				key = CURSOR_PAGE_END - 1;
			if (key > last || to == stop)
				break;
			*to++ = (struct kt_record){
				.ts = key, .data = e.data, .size = e.size, .lost = lost,
				.source = c->source, .type = type,
				.skipped = (wanted || of_pids) && skipped,
				.pos = (uint64_t)(uintptr_t)at - c->pos_base,
			};
			lost = 0;
			skipped = false;
		} else {
			skipped = true;
			lost = c->layout->forget_lost ? 0 : lost;
		}
		ts += delta;
	}
	if (kind == KIND_BROKEN)
		damage(c, "an event extends beyond the end of the data");
	c->key = key;
	c->at = at;
	c->ts = ts;
	c->lost = lost;
	c->skipped = skipped;
	return to - out;
}

/* A copy of the loop for each common case */
#define WALKER(name, swap, plain, wanted, of_pids)                                               \
	static size_t name(struct cursor *c, uint64_t last, struct kt_record *out, size_t room)  \
	{                                                                                        \
		return walk(c, last, out, room, swap, plain, wanted, of_pids);                   \
	}

WALKER(walk_all, false, true, NULL, false)
WALKER(walk_wanted, false, true, c->layout->wanted, false)
WALKER(walk_pids, false, true, c->layout->wanted, true)
WALKER(walk_times, false, false, c->layout->wanted, c->layout->of_pids)
WALKER(walk_swapped, true, false, c->layout->wanted, false)

static cursor_walker *walker_for(const struct cursor *c)
{
	if (c->layout->swap)
		return walk_swapped;
	if (!c->fix->plain)
		return walk_times;
	if (c->layout->of_pids)
		return walk_pids;
	return c->layout->wanted ? walk_wanted : walk_all;
}

/* Move to the first header of sub-buffer @page of @size bytes. False: it is empty. */
static bool enter_page(struct cursor *c, const uint8_t *page, size_t size)
{
	const struct cursor_layout *l = c->layout;
	uint32_t commit, room, length;

	c->page = page;
	if (size <= l->data_offset) {
		damage(c, "the sub-buffer is truncated");
		return false;
	}
	c->ts = load_u64(page, l->swap);
	/* The kernel's long may be sign-extended: only the low half counts. */
	commit = load_uint(page + l->commit_offset, l->commit_size, l->swap);
	length = commit & COMMIT_LENGTH;
	room = size - l->data_offset;
	if (length > room) {
		damage(c, "its header claims more data than it holds");
		length = room;
	}
	c->at = page + l->data_offset;
	c->end = c->at + length;
	if (!(commit & COMMIT_LOST))
		return true;
	if ((commit & COMMIT_STORED) && length + l->commit_size <= room)
		c->lost = cursor_add_lost(c->lost, load_uint(c->end, l->commit_size, l->swap));
	else
		c->lost = KT_LOST_UNKNOWN;
	return true;
}

bool cursor_open_page(struct cursor *c, const uint8_t *page, size_t size, uint64_t pos)
{
	c->walk = walker_for(c);
	c->pos_base = (uint64_t)(uintptr_t)page - pos;
	c->lost = 0;
	c->skipped = false;
	return enter_page(c, page, size);
}

/* Get the @nr-th chunk or, if memory is short, the piece of a large one at @offset */
static int get_chunk(struct cursor *c, uint64_t nr, size_t offset)
{
	size_t piece = c->piece_size / c->page_size * c->page_size;

	if (!c->piece_size)
		piece = SIZE_MAX;
	c->piece_offset = offset;
	return file_chunk_piece(c->layout->file, c->buffer, c->cpu_index, nr, offset,
				piece ? piece : c->page_size, &c->chunk, &c->chunk_left);
}

bool cursor_rules_out(const struct cursor_layout *l, const struct kt_summary *s)
{
	bool by_pid = l->of_pids && !l->swap, of_them = false;
	size_t i;

	if (!s || !s->known || !s->nr_ids)
		return false;
	for (i = 0; i < SUMMARY_PIDS; i++)
		of_them |= s->pids[i] & l->some_pids[i];
	for (i = 0; i < s->nr_ids; i++)
		if ((!l->wanted || cursor_has_bit(l->wanted, s->ids[i])) &&
		    (of_them || !by_pid || !cursor_has_bit(l->of_pids, s->ids[i])))
			return false;
	return true;
}

uint64_t cursor_kept_chunk(const struct cursor *c, uint64_t nr)
{
	return file_kept_chunk(c->layout->file, c->buffer, c->cpu_index, nr);
}

/* The first chunk, from the @nr-th on, that may hold a wanted record */
static uint64_t next_chunk(const struct cursor *c, uint64_t nr)
{
	const struct cursor_layout *l = c->layout;

	if (!l->wanted && !l->of_pids)
		return nr;
	while (cursor_rules_out(l, file_summary(l->file, c->buffer, c->cpu_index, nr)))
		nr++;
	return nr;
}

/* Skip chunks without wanted records */
static uint64_t skip_chunks(struct cursor *c, uint64_t nr)
{
	uint64_t to = next_chunk(c, nr);

	if (to == nr)
		return nr;
	c->skipped = true;
	c->lost = c->layout->forget_lost ? 0 : c->lost;
	return to;
}

/* After entering the @nr-th chunk, request the next ones if there is memory for all of them */
static void want_next(const struct cursor *c, uint64_t nr)
{
	/* The size of the whole chunk: the last piece of a large one may be small. */
	size_t whole = c->piece_offset + c->chunk.size + c->chunk_left;
	uint64_t nrs[AHEAD_CHUNKS];
	size_t i;

	if (!c->readahead || !c->chunk.owner || whole > c->piece_size ||
	    whole > c->share / (AHEAD_CHUNKS + 1))
		return;
	for (i = 0; i < AHEAD_CHUNKS; i++)
		nrs[i] = nr = next_chunk(c, nr + 1);
	readahead_want(c->readahead, c->slot, c->layout->file, c->buffer, c->cpu_index, nrs);
}

/* Enter the @nr-th chunk at @offset, or the first intact one after it. 1, 0 at the end, -ENOMEM. */
static int enter_chunk(struct cursor *c, uint64_t nr, size_t offset, struct kt_err *err)
{
	int ret;

	kt_chunk_put(&c->chunk);
	c->pinned_by = 0;
	if (!offset)
		nr = skip_chunks(c, nr);
	if (c->readahead)
		readahead_meanwhile(c->readahead, c->slot, nr);
	for (;; nr = skip_chunks(c, nr + 1), offset = 0) {
		ret = get_chunk(c, nr, offset);
		c->chunk_nr = nr;
		if (ret >= 0 || ret == -ENOMEM)
			break;
	}
	if (ret < 0)
		return kt_err_result(err, ret);
	if (ret > 0)
		want_next(c, nr);
	c->started = true;
	c->page = NULL;
	c->pos_base = (uint64_t)(uintptr_t)c->chunk.data - c->chunk.first * c->page_size;
	return ret;
}

/* Continue with the rest of this chunk, or with the next one */
static int go_on(struct cursor *c, struct kt_err *err)
{
	if (!c->started)
		return enter_chunk(c, c->chunk_nr, 0, err);
	if (c->chunk_left)
		return enter_chunk(c, c->chunk_nr, c->piece_offset + c->chunk.size, err);
	return enter_chunk(c, c->chunk_nr + 1, 0, err);
}

/* The sub-buffer after the current one. 1, 0 at the end, -ENOMEM, -EINTR. */
static int next_page(struct cursor *c, struct kt_err *err)
{
	const uint8_t *next;
	bool began;
	size_t left;
	int ret;

	for (;;) {
		next = c->page ? c->page + c->page_size : c->chunk.data;
		left = c->chunk.data ? c->chunk.data + c->chunk.size - next : 0;
		if (c->chunk.data && next < c->chunk.data + c->chunk.size) {
			if (enter_page(c, next, left < c->page_size ? left : c->page_size))
				return 1;
			continue;
		}
		began = !c->started;
		ret = go_on(c, err);
		if (ret <= 0)
			return ret;
		if (!began && c->stop && c->stop(c->stop_data))
			return -EINTR;
	}
}

int cursor_turn(struct cursor *c, struct kt_err *err)
{
	int ret;

	do {
		ret = next_page(c, err);
		if (ret == -EINTR)
			return ret;
		if (ret <= 0) {
			kt_chunk_put(&c->chunk);
			c->page = NULL;
			c->key = CURSOR_DONE;
			return ret;
		}
		cursor_walk(c, 0, NULL, 0);
	} while (c->key == CURSOR_PAGE_END);
	return 0;
}

int cursor_start(struct cursor *c, uint64_t nr, struct kt_err *err)
{
	kt_chunk_put(&c->chunk);
	c->page = NULL;
	c->chunk_nr = cursor_kept_chunk(c, nr);
	c->started = false;
	c->chunk_left = 0;
	c->lost = 0;
	c->skipped = false;
	c->walk = walker_for(c);
	return cursor_turn(c, err);
}
