/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* lane.c - the records of one source, forward and backward from any position */
#include "trace/lane.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "file/note.h"
#include "trace/lane_page.h"

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
	if (l->scout)
		lane_fini(l->scout);
	free(l->scout);
	kt_chunk_put(&l->chunk);
	free(l->copy);
	free(l->steps);
	free(l->recs);
}

void lane_forget(struct lane *l)
{
	if (l->scout)
		lane_forget(l->scout);
	kt_chunk_put(&l->chunk);
	lane_close_page(l);
	l->scouting = SCOUT_IDLE;
}

/* ---- moving ---- */

static bool is_chosen(const struct lane *l, const struct kt_record *rec)
{
	const struct cursor_layout *w = &l->choice->wanted;

	if (l->choice->is_some) {
		if (w->wanted && !cursor_has_bit(w->wanted, rec->type))
			return false;
		if (w->of_pids && !w->swap &&
		    !cursor_is_of_pids(w, rec->data, rec->size, rec->type))
			return false;
	}
	return !l->shared->match || l->shared->match(l->shared->match_data, rec);
}

/*
 * The position of the first chosen record of the sub-buffer; UINT64_MAX: none. Events
 * lost before the sub-buffer count for that record.
 */
static uint64_t first_chosen(struct lane *l)
{
	struct kt_record recs[LANE_STEP];
	struct cursor c = l->c;
	size_t nr, i;

	if (l->knows_first)
		return l->first;
	l->knows_first = true;
	l->first = UINT64_MAX;
	if (!l->nr_steps)
		return l->first;
	c.at = l->steps[0].at;
	c.ts = l->steps[0].ts;
	do {
		nr = cursor_walk(&c, UINT64_MAX, recs, LANE_STEP);
		for (i = 0; i < nr; i++) {
			if (!is_chosen(l, &recs[i]))
				continue;
			l->first = recs[i].pos;
			return l->first;
		}
	} while (c.key != CURSOR_PAGE_END);
	return l->first;
}

static uint32_t lost_before_page(const struct lane *l)
{
	return l->nr_steps ? l->steps[0].lost : 0;
}

static bool is_since(const struct lane *l)
{
	return l->chunk_nr == l->since.chunk && l->offset == l->since.offset;
}

/* The losses before this sub-buffer are not known, unless it is the first one. */
static void forget_lost(struct lane *l)
{
	l->lost = 0;
	l->knows_lost = !l->opened || (!l->chunk_nr && !l->offset);
}

static void begin_to_count(struct lane *l)
{
	forget_lost(l);
	l->since = (struct lane_page_nr){ l->chunk_nr, l->offset };
	l->scouting = SCOUT_IDLE;
}

static bool is_to_stop(const struct lane *l)
{
	return l->shared->stop && l->shared->stop(l->shared->stop_data);
}

/* Does the file's index rule out that a chunk has a chosen record? */
static bool is_ruled_out(const struct lane *l, uint64_t nr)
{
	return l->choice->is_some &&
	       cursor_rules_out(&l->choice->wanted,
				file_summary(l->c.layout->file, l->c.buffer, l->c.cpu_index, nr));
}

/* Goes to the next sub-buffer; skips chunks without chosen records. */
static int go_to_next(struct lane *l)
{
	uint64_t nr = l->chunk_nr + 1;
	uint32_t lost = lost_before_page(l);
	int ret;

	if (is_to_stop(l))
		return -EINTR;
	if (lost && first_chosen(l) != UINT64_MAX)
		lost = 0;
	/* A chosen record may be before the gap where counting began. */
	if (!l->knows_lost && is_since(l))
		l->knows_lost = first_chosen(l) != UINT64_MAX;
	if (!l->opened || l->offset + l->c.page_size < l->chunk_size || !is_ruled_out(l, nr)) {
		ret = lane_open_next(l);
	} else {
		while (is_ruled_out(l, nr))
			nr++;
		ret = lane_open_at(l, nr, 0);
	}
	if (ret > 0)
		l->lost = cursor_add_lost(l->lost, lost);
	return ret;
}

/* The scout is at the target: exchange it with the lane. */
static void follow_scout(struct lane *l)
{
	struct lane *scout = l->scout, old = *l;

	*l = *scout;
	*scout = old;
	l->scout = scout;
	scout->scout = NULL;
	scout->scouting = SCOUT_IDLE;
}

static int go_to_previous(struct lane *l)
{
	uint64_t nr = l->chunk_nr;
	int ret;

	if (!l->opened || (cursor_kept_chunk(&l->c, 0) >= nr && !l->offset))
		return 0;
	if (is_since(l) && l->scouting == SCOUT_NOTHING)
		return 0;
	if (is_since(l) && l->scouting == SCOUT_FOUND) {
		follow_scout(l);
		begin_to_count(l);
		return 1;
	}
	if (is_to_stop(l))
		return -EINTR;
	if (l->offset) {
		ret = lane_open_at(l, nr, l->offset - l->c.page_size);
	} else {
		while (--nr && is_ruled_out(l, nr))
			;
		ret = lane_open_at(l, nr, LAST_PAGE);
	}
	if (ret > 0)
		ret = lane_last_step(l);
	begin_to_count(l);
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
			ret = lane_load_step(l, l->step + 1);
			if (ret < 0)
				return ret;
			continue;
		}
		ret = go_to_next(l);
		if (ret <= 0)
			return ret;
	}
}

/* 1, 0: no record before the gap in this sub-buffer, -ENOMEM */
static int back_in_page(struct lane *l)
{
	int ret;

	for (;;) {
		for (; l->at; l->at--)
			if (is_chosen(l, &l->recs[l->at - 1]))
				return 1;
		if (!l->step)
			return 0;
		ret = lane_load_step(l, l->step - 1);
		if (ret < 0)
			return ret;
		l->at = l->nr;
	}
}

int lane_backward(struct lane *l)
{
	int ret;

	for (;;) {
		ret = back_in_page(l);
		if (ret)
			return ret;
		ret = go_to_previous(l);
		if (ret <= 0)
			return ret;
	}
}

/* ---- lost events ---- */

static int send_scout(struct lane *l)
{
	if (!l->scout)
		l->scout = calloc(1, sizeof(*l->scout));
	if (!l->scout)
		return -ENOMEM;
	if (!l->scout->choice) {
		l->scout->c = l->c;
		l->scout->choice = l->choice;
		l->scout->shared = l->shared;
	}
	lane_close_page(l->scout);
	l->scout->marks = l->marks;
	l->scout->opened = true;
	l->scout->chunk_nr = l->since.chunk;
	l->scout->offset = l->since.offset;
	l->scouted = 0;
	l->scouting = SCOUT_GOES;
	return 0;
}

/*
 * Move the scout back from @since to the previous chosen record. A lane that goes backward
 * needs that place next, so nothing is decoded twice.
 */
static int scout_back(struct lane *l)
{
	int ret = l->scouting == SCOUT_IDLE ? send_scout(l) : 0;

	while (ret >= 0 && l->scouting == SCOUT_GOES) {
		ret = go_to_previous(l->scout);
		if (ret == 0)
			l->scouting = SCOUT_NOTHING;
		if (ret <= 0)
			break;
		ret = back_in_page(l->scout);
		if (ret > 0)
			l->scouting = SCOUT_FOUND;
		else
			l->scouted = cursor_add_lost(l->scouted, lost_before_page(l->scout));
	}
	if (ret == -ENOMEM)
		l->scouting = SCOUT_IDLE;
	return ret < 0 ? ret : 0;
}

int lane_lost(struct lane *l, size_t at, uint32_t *lost)
{
	bool chooses = l->choice->is_some || l->shared->match;
	int ret = 0;

	*lost = 0;
	if (l->knows_lost ? !l->lost && !lost_before_page(l) : l->marks && !l->marks->lossy)
		return 0;
	if (chooses ? first_chosen(l) != l->recs[at].pos : l->step || at)
		return 0;
	*lost = cursor_add_lost(l->lost, lost_before_page(l));
	if (l->knows_lost)
		return 0;
	ret = scout_back(l);
	*lost = cursor_add_lost(*lost, l->scouted);
	return ret;
}

void lane_passed(struct lane *l)
{
	l->lost = 0;
	l->knows_lost = true;
	l->passed = l->row + l->at;
}

void lane_turn(struct lane *l)
{
	if (is_since(l))
		forget_lost(l);
	else
		begin_to_count(l);
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
	/* Chunks up to @lo end before that; @hi may not exist. */
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

/* The last sub-buffer of the @nr-th chunk that begins before @ts, or its first one */
static size_t page_before(struct lane *l, uint64_t nr, uint64_t ts)
{
	struct file_extent x;
	size_t lo = 0, hi, mid;

	if (file_chunk_extent(l->c.layout->file, l->c.buffer, l->c.cpu_index, nr, &x) <= 0 ||
	    (x.compressed && lane_hold_chunk(l, nr) <= 0))
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

/* Goes from the gap to the first record at or after both. 0, -ENOMEM. */
static int walk(struct lane *l, uint64_t ts, uint64_t pos)
{
	int ret;

	for (;;) {
		for (; l->at < l->nr; l->at++, l->passed = l->row + l->at)
			if (l->times[l->at] >= ts && l->recs[l->at].pos >= pos)
				return 0;
		ret = l->step + 1 < l->nr_steps ? lane_load_step(l, l->step + 1) :
						  lane_open_next(l);
		if (ret < 0 || (ret == 0 && l->at == l->nr))
			return ret;
	}
}

static int walk_to(struct lane *l, uint64_t ts, uint64_t pos)
{
	int ret = walk(l, ts, pos);

	begin_to_count(l);
	return ret;
}

/* Moves to the beginning: 1, 0 if there are no records, -ENOMEM */
static int open_first(struct lane *l, const struct mark *m)
{
	int ret = m ? lane_open_at(l, m->chunk, m->offset) : lane_open_at(l, 0, 0);

	if (ret <= 0)
		lane_close_page(l);
	begin_to_count(l);
	l->passed = m ? m->nr : 0;
	return ret;
}

int lane_seek(struct lane *l, uint64_t ts)
{
	const struct mark *m = l->marks ? marks_before(l->marks, ts) : NULL;
	struct mark found = { 0 };
	int ret;

	if (!l->marks && ts) {
		found.chunk = (uint32_t)cursor_chunk_before(&l->c, ts);
		found.offset = (uint32_t)page_before(l, found.chunk, ts);
		m = &found;
	}
	ret = open_first(l, m);
	return ret <= 0 ? ret : walk_to(l, ts, 0);
}

/* Finds the chunk and the sub-buffer of a position in the CPU's data. 1, 0, -ENOMEM */
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

int lane_seek_pos(struct lane *l, uint64_t pos)
{
	const struct mark *m;
	struct mark found = { 0 };
	int ret = find_page(l, pos, &found);

	if (ret < 0)
		return ret;
	if (ret == 0)
		return lane_seek(l, UINT64_MAX);
	m = l->marks ? marks_of_page(l->marks, found.chunk, found.offset) : &found;
	ret = open_first(l, m);
	return ret <= 0 ? ret : walk_to(l, 0, pos);
}
