/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* lane.c - the records of one source, forward and backward from any place */
#include "trace/lane.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "file/note.h"

#define LAST_PAGE SIZE_MAX	/* offset of the last sub-buffer of a chunk */

void lane_init(struct lane *l, const struct kt_stream *s, size_t source,
	       const struct lane_choice *choice, const struct lane_shared *shared)
{
	memset(l, 0, sizeof(*l));
	stream_init_cursor(s, source, &l->c);
	l->c.layout = &choice->plain;
	l->choice = choice;
	l->shared = shared;
}

void lane_fini(struct lane *l)
{
	kt_chunk_put(&l->chunk);
	free(l->copy);
	free(l->steps);
}

/* ---- sub-buffers ---- */

/* The bytes of a sub-buffer; none: where the chunk is damaged */
struct page {
	const uint8_t *data;
	size_t size;
	uint64_t pos;		/* in the CPU's data */
};

static size_t last_page(const struct lane *l, size_t chunk_size)
{
	return chunk_size ? (chunk_size - 1) / l->c.page_size * l->c.page_size : 0;
}

static bool make_copy(struct lane *l)
{
	if (!l->copy)
		l->copy = malloc(l->c.page_size);
	return l->copy;
}

/* Decompressed, unless it is held. 1, 0 behind the last chunk, -EBADMSG, -ENOMEM */
static int hold_chunk(struct lane *l, uint64_t nr)
{
	struct kt_err ignored = { 0 };

	if (l->chunk.data && l->held_nr == nr)
		return 1;
	kt_chunk_put(&l->chunk);
	l->held_nr = nr;
	return kt_file_chunk_get(l->c.layout->file, l->c.buffer, l->c.cpu_index, nr, &l->chunk,
				 &ignored);
}

static int read_compressed(struct lane *l, struct page *page)
{
	int ret = hold_chunk(l, l->chunk_nr);

	if (ret <= 0)
		return ret;
	l->chunk_size = l->chunk.size;
	if (l->offset >= l->chunk_size)
		l->offset = last_page(l, l->chunk_size);
	page->data = l->chunk.data + l->offset;
	page->size = l->chunk_size - l->offset;
	page->pos = l->chunk.first * l->c.page_size + l->offset;
	if (page->size > l->c.page_size)
		page->size = l->c.page_size;
	if (l->chunk.size <= l->shared->hold_limit)
		return 1;
	if (!make_copy(l))
		return -ENOMEM;
	memcpy(l->copy, page->data, page->size);
	page->data = l->copy;
	kt_chunk_put(&l->chunk);
	return 1;
}

static int read_plain(struct lane *l, const struct file_extent *x, struct page *page)
{
	if (!make_copy(l))
		return -ENOMEM;
	l->chunk_size = x->size;
	if (l->offset >= l->chunk_size)
		l->offset = last_page(l, l->chunk_size);
	page->pos = x->pos + l->offset;
	page->data = l->copy;
	page->size = file_chunk_copy(l->c.layout->file, l->c.buffer, l->c.cpu_index, l->chunk_nr,
				     l->offset, l->copy, l->c.page_size);
	return 1;
}

/* Of a chunk that is damaged there is one sub-buffer, without records. */
static int read_page(struct lane *l, struct page *page)
{
	struct file_extent x;
	int ret = file_chunk_extent(l->c.layout->file, l->c.buffer, l->c.cpu_index, l->chunk_nr,
				    &x);

	*page = (struct page){ 0 };
	if (ret <= 0)
		return ret;
	ret = x.compressed ? read_compressed(l, page) : read_plain(l, &x, page);
	if (ret != -EBADMSG)
		return ret;
	l->offset = l->chunk_size = 0;
	return 1;
}

static int add_step(struct lane *l, uint64_t latest)
{
	struct lane_resume *grown;
	size_t max;

	if (l->nr_steps == l->max_steps) {
		max = l->max_steps ? 2 * l->max_steps : 8;
		grown = reallocarray(l->steps, max, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		l->steps = grown;
		l->max_steps = max;
	}
	l->steps[l->nr_steps++] = (struct lane_resume){ l->c.at, l->c.ts, latest, l->c.lost };
	return 0;
}

/* Decode the @step-th step of the sub-buffer; the gap is before its first record. 0, -ENOMEM. */
static int load_step(struct lane *l, size_t step)
{
	const struct lane_resume *from = &l->steps[step];
	uint64_t latest = from->latest;
	size_t i;

	l->c.at = from->at;
	l->c.ts = from->ts;
	l->c.lost = from->lost;
	l->nr = cursor_walk(&l->c, UINT64_MAX, l->recs, LANE_STEP);
	for (i = 0; i < l->nr; i++) {
		if (l->recs[i].ts > latest)
			latest = l->recs[i].ts;
		l->times[i] = latest;
	}
	l->latest = latest;
	l->step = step;
	l->at = 0;
	if (step + 1 < l->nr_steps)
		return 0;
	if (l->c.key != CURSOR_PAGE_END)
		return add_step(l, latest);
	l->all_steps = true;
	return 0;
}

static int last_step(struct lane *l)
{
	int ret = 0;

	if (!l->nr_steps)
		return 0;
	while (ret == 0 && (!l->all_steps || l->step + 1 < l->nr_steps))
		ret = load_step(l, l->all_steps ? l->nr_steps - 1 : l->step + 1);
	l->at = l->nr;
	return ret;
}

/* What it held may be gone */
static void close_page(struct lane *l)
{
	l->opened = false;
	l->nr_steps = l->nr = l->at = l->step = 0;
	l->all_steps = true;
}

void lane_forget(struct lane *l)
{
	kt_chunk_put(&l->chunk);
	close_page(l);
}

/*
 * Stand before the first record of a sub-buffer. @latest: time of the latest record
 * before it. 1, 0: there is none, the lane has not moved then; -ENOMEM
 */
static int open_page(struct lane *l, uint64_t chunk, size_t offset, uint64_t latest)
{
	uint64_t old_chunk = l->chunk_nr;
	size_t old_offset = l->offset;
	struct page page;
	int ret;

	l->chunk_nr = chunk;
	l->offset = offset;
	ret = read_page(l, &page);
	if (ret == 0) {
		l->chunk_nr = old_chunk;
		l->offset = old_offset;
		return 0;
	}
	close_page(l);
	if (ret < 0)
		return ret;
	l->opened = true;
	l->latest = latest;
	if (!page.size || !cursor_open_page(&l->c, page.data, page.size, page.pos))
		return 1;
	l->all_steps = false;
	ret = add_step(l, latest);
	if (ret == 0)
		ret = load_step(l, 0);
	return ret < 0 ? ret : 1;
}

/* The sub-buffer behind the one that is open, whose last step is decoded. As open_page() */
static int open_next(struct lane *l)
{
	uint64_t latest = l->marks && l->marks->goes_back ? l->latest : 0;
	size_t next = l->offset + l->c.page_size;

	if (!l->opened)
		return open_page(l, 0, 0, 0);
	if (next < l->chunk_size)
		return open_page(l, l->chunk_nr, next, latest);
	return open_page(l, l->chunk_nr + 1, 0, latest);
}

/*
 * As open_page(). In a source whose time goes back, what the latest time before the
 * sub-buffer is can only be told from the mark before it on.
 */
static int open_at(struct lane *l, uint64_t chunk, size_t offset)
{
	const struct mark *m;
	int ret;

	if (!l->marks || !l->marks->goes_back)
		return open_page(l, chunk, offset, 0);
	if (offset == LAST_PAGE) {
		ret = open_page(l, chunk, offset, 0);
		if (ret <= 0)
			return ret;
		offset = l->offset;
	}
	m = marks_of_page(l->marks, chunk, offset);
	if (!m)
		return open_page(l, chunk, offset, 0);
	ret = open_page(l, m->chunk, m->offset, m->ts);
	while (ret > 0 && (l->chunk_nr < chunk || (l->chunk_nr == chunk && l->offset < offset))) {
		ret = last_step(l);
		if (ret == 0)
			ret = open_next(l);
	}
	return ret;
}

/* ---- moving ---- */

static bool is_chosen(const struct lane *l, const struct kt_record *rec)
{
	const struct cursor_layout *w = &l->choice->wanted;

	if (l->choice->is_some) {
		if (w->wanted && !cursor_has_bit(w->wanted, rec->type))
			return false;
		if (w->of_pids && !w->swap && !w->old_events &&
		    !cursor_is_of_pids(w, rec->data, rec->size, rec->type))
			return false;
	}
	return !l->shared->match || l->shared->match(l->shared->match_data, rec);
}

/*
 * Events are lost before a sub-buffer, so its first record says how many: has the part of
 * it before @pos a record that is chosen?
 */
static bool has_chosen(const struct lane *l, uint64_t pos)
{
	struct kt_record recs[LANE_STEP];
	struct cursor c = l->c;
	size_t nr, i;

	c.at = l->steps[0].at;
	c.ts = l->steps[0].ts;
	do {
		nr = cursor_walk(&c, UINT64_MAX, recs, LANE_STEP);
		for (i = 0; i < nr && recs[i].pos < pos; i++)
			if (is_chosen(l, &recs[i]))
				return true;
	} while (c.key != CURSOR_PAGE_END && i == nr);
	return false;
}

static uint32_t lost_in_page(const struct lane *l, uint64_t pos)
{
	return l->nr_steps && l->steps[0].lost && !has_chosen(l, pos) ? l->steps[0].lost : 0;
}

uint32_t lane_lost(const struct lane *l, size_t at)
{
	uint32_t here = l->recs[at].lost;

	if (!here && (l->choice->is_some || l->shared->match))
		here = lost_in_page(l, l->recs[at].pos);
	return cursor_add_lost(l->lost, here);
}

static bool is_to_stop(const struct lane *l)
{
	return l->shared->stop && l->shared->stop(l->shared->stop_data);
}

/* Does the index of the file say that nothing in a chunk is chosen? */
static bool is_ruled_out(const struct lane *l, uint64_t nr)
{
	return l->choice->is_some && !l->choice->wanted.old_events &&
	       cursor_rules_out(&l->choice->wanted,
				file_summary(l->c.layout->file, l->c.buffer, l->c.cpu_index, nr));
}

/* The sub-buffer behind; chunks without any record that is chosen are passed over. */
static int go_to_next(struct lane *l)
{
	uint64_t nr = l->chunk_nr + 1;

	if (is_to_stop(l))
		return -EINTR;
	l->lost = cursor_add_lost(l->lost, lost_in_page(l, UINT64_MAX));
	if (!l->opened || l->offset + l->c.page_size < l->chunk_size || !is_ruled_out(l, nr))
		return open_next(l);
	while (is_ruled_out(l, nr))
		nr++;
	return open_at(l, nr, 0);
}

static int go_to_previous(struct lane *l)
{
	uint64_t nr = l->chunk_nr;
	int ret;

	if (!l->opened || (!nr && !l->offset))
		return 0;
	if (is_to_stop(l))
		return -EINTR;
	if (l->offset) {
		ret = open_at(l, nr, l->offset - l->c.page_size);
	} else {
		while (--nr && is_ruled_out(l, nr))
			;
		ret = open_at(l, nr, LAST_PAGE);
	}
	if (ret > 0)
		ret = last_step(l);
	return ret < 0 ? ret : 1;
}

int lane_forward(struct lane *l)
{
	int ret;

	for (;;) {
		for (; l->at < l->nr; l->at++)
			if (is_chosen(l, &l->recs[l->at]))
				return 1;
		if (l->step + 1 < l->nr_steps) {
			ret = load_step(l, l->step + 1);
			if (ret < 0)
				return ret;
			continue;
		}
		ret = go_to_next(l);
		if (ret <= 0)
			return ret;
	}
}

int lane_backward(struct lane *l)
{
	int ret;

	for (;;) {
		for (; l->at; l->at--)
			if (is_chosen(l, &l->recs[l->at - 1]))
				return 1;
		if (l->step) {
			ret = load_step(l, l->step - 1);
			if (ret < 0)
				return ret;
			l->at = l->nr;
			continue;
		}
		ret = go_to_previous(l);
		if (ret <= 0)
			return ret;
	}
}

/* ---- seeking ---- */

/* Does a chunk end at or before the byte at @stored? */
static bool has_before(const struct lane *l, uint64_t nr, uint64_t stored)
{
	struct file_extent x;

	return file_chunk_extent(l->c.layout->file, l->c.buffer, l->c.cpu_index, nr, &x) > 0 &&
	       x.stored <= stored;
}

uint64_t lane_time_at(const struct lane *l, uint64_t stored)
{
	uint64_t lo = 0, hi = 1, mid;
	struct file_extent x;

	if (!has_before(l, 0, stored))
		return cursor_chunk_time(&l->c, 0);
	/* Chunks up to @lo end before that; there may be no @hi. */
	while (has_before(l, hi, stored)) {
		lo = hi;
		hi *= 2;
	}
	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (has_before(l, mid, stored))
			lo = mid;
		else
			hi = mid;
	}
	if (file_chunk_extent(l->c.layout->file, l->c.buffer, l->c.cpu_index, hi, &x) > 0)
		lo = hi;
	return cursor_chunk_time(&l->c, lo);
}

static bool page_is_before(struct lane *l, uint64_t nr, size_t offset, uint64_t ts)
{
	uint8_t head[8];
	const uint8_t *at = head;

	if (l->chunk.data && l->held_nr == nr) {
		if (offset + sizeof(head) > l->chunk.size)
			return false;
		at = l->chunk.data + offset;
	} else if (file_chunk_copy(l->c.layout->file, l->c.buffer, l->c.cpu_index, nr, offset,
				   head, sizeof(head)) < (ssize_t)sizeof(head)) {
		return false;
	}
	return cursor_shown_time(&l->c, load_u64(at, l->c.layout->swap)) < ts;
}

/* Of the @nr-th chunk the last sub-buffer that begins before @ts, or the first */
static size_t page_before(struct lane *l, uint64_t nr, uint64_t ts)
{
	struct file_extent x;
	size_t lo = 0, hi, mid;

	if (file_chunk_extent(l->c.layout->file, l->c.buffer, l->c.cpu_index, nr, &x) <= 0 ||
	    (x.compressed && hold_chunk(l, nr) <= 0))
		return 0;
	for (hi = (x.size + l->c.page_size - 1) / l->c.page_size; hi - lo > 1;) {
		mid = lo + (hi - lo) / 2;
		if (page_is_before(l, nr, mid * l->c.page_size, ts))
			lo = mid;
		else
			hi = mid;
	}
	return lo * l->c.page_size;
}

/* From the gap on to the first record at or behind all of these. 0, -ENOMEM. */
static int walk_to(struct lane *l, uint64_t ts, uint64_t pos, uint64_t nr, uint64_t *rank)
{
	int ret;

	for (;;) {
		for (; l->at < l->nr; l->at++, ++*rank)
			if (l->times[l->at] >= ts && l->recs[l->at].pos >= pos && *rank >= nr)
				return 0;
		ret = l->step + 1 < l->nr_steps ? load_step(l, l->step + 1) : open_next(l);
		if (ret < 0 || (ret == 0 && l->at == l->nr))
			return ret;
	}
}

/* Stand at the beginning: 1, 0 if there is nothing, -ENOMEM */
static int open_first(struct lane *l, const struct mark *m)
{
	int ret = m ? open_at(l, m->chunk, m->offset) : open_at(l, 0, 0);

	l->lost = 0;
	if (ret <= 0)
		close_page(l);
	return ret;
}

int lane_seek(struct lane *l, uint64_t ts, uint64_t *rank)
{
	const struct mark *m = l->marks ? marks_before(l->marks, ts) : NULL;
	struct mark found = { 0 };
	int ret;

	if (!l->marks && ts) {
		found.chunk = (uint32_t)cursor_chunk_before(&l->c, ts);
		found.offset = (uint32_t)page_before(l, found.chunk, ts);
		m = &found;
	}
	*rank = m ? m->nr : 0;
	ret = open_first(l, m);
	return ret <= 0 ? ret : walk_to(l, ts, 0, 0, rank);
}

/* Of a place in the CPU's data: its chunk, and the sub-buffer in that. 1, 0, -ENOMEM */
static int find_page(struct lane *l, uint64_t pos, struct mark *out)
{
	struct file_extent x;
	uint64_t nr = 0;
	int ret = file_chunk_at(l->c.layout->file, l->c.buffer, l->c.cpu_index, pos, &nr);

	if (ret > 0)
		ret = file_chunk_extent(l->c.layout->file, l->c.buffer, l->c.cpu_index, nr, &x);
	if (ret <= 0)
		return ret;
	*out = (struct mark){ .chunk = (uint32_t)nr };
	if (pos > x.pos)
		out->offset = (uint32_t)((pos - x.pos) / l->c.page_size * l->c.page_size);
	return 1;
}

int lane_seek_pos(struct lane *l, uint64_t pos, uint64_t *rank)
{
	const struct mark *m;
	struct mark found = { 0 };
	int ret = find_page(l, pos, &found);

	if (ret < 0)
		return ret;
	if (ret == 0)
		return lane_seek(l, UINT64_MAX, rank);
	m = l->marks ? marks_of_page(l->marks, found.chunk, found.offset) : &found;
	*rank = m ? m->nr : 0;
	ret = open_first(l, m);
	return ret <= 0 ? ret : walk_to(l, 0, pos, 0, rank);
}

int lane_seek_row(struct lane *l, uint64_t row)
{
	const struct mark *m = marks_of_row(l->marks, row);
	uint64_t rank = m ? m->nr : 0;
	int ret = open_first(l, m);

	return ret <= 0 ? ret : walk_to(l, 0, 0, row, &rank);
}
