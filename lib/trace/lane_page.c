/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* lane_page.c - decode the sub-buffers of one source step by step */
#include "trace/lane_page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "file/note.h"

/* The bytes of a sub-buffer; none if the chunk is damaged */
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

int lane_hold_chunk(struct lane *l, uint64_t nr)
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
	int ret = lane_hold_chunk(l, l->chunk_nr);

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

/* A damaged chunk counts as one sub-buffer without records. */
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

static bool make_room(struct lane *l)
{
	if (!l->recs)
		l->recs = malloc(LANE_STEP * (sizeof(*l->recs) + sizeof(*l->times)));
	if (l->recs)
		l->times = (uint64_t *)(l->recs + LANE_STEP);
	return l->recs;
}

static int add_step(struct lane *l, uint64_t latest, uint64_t row)
{
	if (!array_fit(l->steps, l->nr_steps, l->max_steps))
		return -ENOMEM;
	l->steps[l->nr_steps++] =
		(struct lane_resume){ l->c.at, l->c.ts, latest, row, l->c.lost };
	return 0;
}

int lane_load_step(struct lane *l, size_t step)
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
	l->row = from->row;
	l->step = step;
	l->at = 0;
	if (step + 1 < l->nr_steps)
		return 0;
	if (l->c.key != CURSOR_PAGE_END)
		return add_step(l, latest, l->row + l->nr);
	l->all_steps = true;
	return 0;
}

int lane_last_step(struct lane *l)
{
	int ret = 0;

	if (!l->nr_steps)
		return 0;
	while (ret == 0 && (!l->all_steps || l->step + 1 < l->nr_steps))
		ret = lane_load_step(l, l->all_steps ? l->nr_steps - 1 : l->step + 1);
	l->at = l->nr;
	return ret;
}

void lane_close_page(struct lane *l)
{
	l->opened = false;
	l->nr_steps = l->nr = l->at = l->step = 0;
	l->knows_first = false;
	l->all_steps = true;
}

/*
 * A mark has the row of its sub-buffer. Fewer records may come before it: the index in the file
 * also counts those of damaged chunks.
 */
static uint64_t row_here(const struct lane *l, uint64_t before)
{
	const struct mark *m = l->marks ? marks_of_page(l->marks, l->chunk_nr, l->offset) : NULL;

	return m && m->chunk == l->chunk_nr && m->offset == l->offset ? m->nr : before;
}

/*
 * Move before the first record of a sub-buffer. If the recorder has freed it, use the next one
 * that is left. @latest: latest time before it, @before: records before it.
 * 1; 0: there is none, and the lane has not moved; -ENOMEM
 */
static int open_page(struct lane *l, uint64_t chunk, size_t offset, uint64_t latest,
		     uint64_t before)
{
	uint64_t old_chunk = l->chunk_nr;
	size_t old_offset = l->offset;
	struct page page;
	int ret;

	l->chunk_nr = cursor_kept_chunk(&l->c, chunk);
	l->offset = l->chunk_nr == chunk ? offset : 0;
	ret = read_page(l, &page);
	if (ret == 0) {
		l->chunk_nr = old_chunk;
		l->offset = old_offset;
		return 0;
	}
	lane_close_page(l);
	if (ret < 0)
		return ret;
	l->opened = true;
	l->latest = latest;
	l->row = row_here(l, before);
	if (!page.size || !cursor_open_page(&l->c, page.data, page.size, page.pos))
		return 1;
	l->all_steps = false;
	if (!make_room(l))
		return -ENOMEM;
	ret = add_step(l, latest, l->row);
	if (ret < 0)
		return ret;
	ret = lane_load_step(l, 0);
	return ret < 0 ? ret : 1;
}

int lane_open_next(struct lane *l)
{
	uint64_t latest = l->marks && l->marks->goes_back ? l->latest : 0;
	uint64_t before = l->row + l->nr;
	size_t next = l->offset + l->c.page_size;

	if (!l->opened)
		return open_page(l, 0, 0, 0, 0);
	if (next < l->chunk_size)
		return open_page(l, l->chunk_nr, next, latest, before);
	return open_page(l, l->chunk_nr + 1, 0, latest, before);
}

/*
 * In a source whose time goes backwards, the latest time before the sub-buffer is known only from
 * the records since the previous mark.
 */
int lane_open_at(struct lane *l, uint64_t chunk, size_t offset)
{
	const struct mark *m;
	int ret;

	if (!l->marks)
		return open_page(l, chunk, offset, 0, 0);
	if (offset == LAST_PAGE && l->marks->goes_back) {
		ret = open_page(l, chunk, offset, 0, 0);
		if (ret <= 0)
			return ret;
		offset = l->offset;
	}
	m = marks_of_page(l->marks, chunk, offset);
	if (!m || !l->marks->goes_back)
		return open_page(l, chunk, offset, 0, m ? m->nr : 0);
	ret = open_page(l, m->chunk, m->offset, m->ts, m->nr);
	while (ret > 0 && (l->chunk_nr < chunk || (l->chunk_nr == chunk && l->offset < offset))) {
		ret = lane_last_step(l);
		if (ret == 0)
			ret = lane_open_next(l);
	}
	return ret;
}
