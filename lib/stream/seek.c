/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* seek.c - find records of one CPU by time, without reading the data before them */
#include "stream/cursor.h"

#include <errno.h>

#include "base/bytes.h"
#include "file/file.h"
#include "stream/stream.h"

#define SCRATCH 64
#define STRIDE	64			/* chunks examined at a time */

static uint64_t page_time(const struct cursor *c, const void *page)
{
	return cursor_shown_time(c, load_u64(page, c->layout->swap));
}

uint64_t cursor_chunk_time(const struct cursor *c, uint64_t nr)
{
	const struct kt_summary *known = file_summary(c->layout->file, c->buffer, c->cpu_index, nr);
	struct kt_err ignored;
	uint8_t head[16];
	int got;

	if (known)
		return cursor_shown_time(c, known->first);
	nr = cursor_kept_chunk(c, nr);
	do {
		ignored = (struct kt_err){ 0 };
		got = file_chunk_peek(c->layout->file, c->buffer, c->cpu_index, nr++, head,
				      sizeof(head), &ignored);
	} while (got && got < 8 && got != -ENOMEM);
	return got >= 8 ? page_time(c, head) : CURSOR_DONE;
}

/* Doubles the step up to the first chunk after @ts, then bisects */
uint64_t cursor_chunk_before(const struct cursor *c, uint64_t ts)
{
	uint64_t lo = 0, hi = 1, mid;

	while (cursor_chunk_time(c, hi) < ts) {
		lo = hi;
		hi *= 2;
	}
	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (cursor_chunk_time(c, mid) < ts)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* Skip the sub-buffers of the chunk that end before @ts. */
static int skip_pages(struct cursor *c, uint64_t ts, struct kt_err *err)
{
	const uint8_t *end = c->chunk.data + c->chunk.size, *next;
	uint64_t nr = c->chunk_nr;
	int ret = 0;

	while (c->key != CURSOR_DONE && c->chunk_nr == nr && c->chunk.data) {
		next = c->page + c->page_size;
		if (end - next < 16 || page_time(c, next) >= ts)
			break;
		c->lost = 0;
		ret = cursor_turn(c, err);
		if (ret < 0)
			break;
	}
	return ret;
}

int cursor_seek(struct cursor *c, uint64_t ts, struct kt_err *err)
{
	struct kt_record scratch[SCRATCH];
	int ret;

	ret = cursor_start(c, ts ? cursor_chunk_before(c, ts) : 0, err);
	if (!ret)
		ret = skip_pages(c, ts, err);
	while (!ret && c->key < ts) {
		cursor_walk(c, ts - 1, scratch, SCRATCH);
		if (c->key == CURSOR_PAGE_END)
			ret = cursor_turn(c, err);
	}
	return ret;
}

/* Walk the records before @ts; note the time of the last ones, and how many have that time */
static int walk_before(struct cursor *c, uint64_t ts, struct read_place *place, struct kt_err *err)
{
	struct kt_record scratch[SCRATCH];
	size_t got, i;
	int ret = 0;

	while (!ret && c->key < ts) {
		got = cursor_walk(c, ts - 1, scratch, SCRATCH);
		for (i = 0; i < got; i++) {
			place->nr = scratch[i].ts == place->ts ? place->nr + 1 : 1;
			place->ts = scratch[i].ts;
		}
		if (c->key == CURSOR_PAGE_END)
			ret = cursor_turn(c, err);
	}
	return ret;
}

int cursor_place(struct cursor *c, uint64_t until, struct read_place *place, struct kt_err *err)
{
	uint64_t end = until < CURSOR_PAGE_END ? until + 1 : CURSOR_PAGE_END, ts;
	int ret;

	*place = (struct read_place){ 0 };
	ret = cursor_start(c, cursor_chunk_before(c, end), err);
	if (ret < 0)
		return ret;
	ret = walk_before(c, end, place, err);
	/* Earlier chunks may hold more records of that time. */
	ts = place->ts;
	*place = (struct read_place){ 0 };
	if (ret < 0)
		return ret;
	ret = cursor_start(c, cursor_chunk_before(c, ts), err);
	return ret < 0 ? ret : walk_before(c, ts + 1, place, err);
}

int cursor_resume(struct cursor *c, const struct read_place *place, struct kt_err *err)
{
	struct kt_record scratch;
	uint64_t left = place->nr;
	int ret = cursor_seek(c, place->ts, err);

	while (!ret && left && c->key == place->ts) {
		left -= cursor_walk(c, place->ts, &scratch, 1);
		if (c->key == CURSOR_PAGE_END)
			ret = cursor_turn(c, err);
	}
	return ret;
}

/* True for damaged chunks, too */
static bool has_chunk(const struct cursor *c, uint64_t nr)
{
	struct kt_raw_chunk raw;
	int ret = kt_file_chunk_raw(c->layout->file, c->buffer, c->cpu_index, nr, &raw, NULL);

	return ret > 0 || ret == -EBADMSG;
}

int cursor_nr_chunks(const struct cursor *c, bool (*stop)(void *data), void *data, uint64_t *nr)
{
	uint64_t lo = *nr, step = lo ? STRIDE : 1, hi = lo + step, mid;

	/* lo: number of chunks known to exist. The index finds each through the one before it. */
	while (has_chunk(c, hi - 1)) {
		*nr = lo = hi;
		if (step == STRIDE && stop && stop(data))
			return -EINTR;
		step = step < STRIDE ? 2 * step : STRIDE;
		hi += step;
	}
	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (has_chunk(c, mid - 1))
			lo = mid;
		else
			hi = mid;
	}
	*nr = lo;
	return 1;
}

/* Walk from the @nr-th chunk to the end; the last record goes to @rec. 1, 0, -ENOMEM. */
static int last_from(struct cursor *c, uint64_t nr, struct kt_chunk *pin, struct kt_record *rec,
		     struct kt_err *err)
{
	struct kt_record scratch[SCRATCH];
	size_t got;
	int ret, found = 0;

	ret = cursor_start(c, nr, err);
	while (!ret && c->key != CURSOR_DONE) {
		got = cursor_walk(c, UINT64_MAX, scratch, SCRATCH);
		if (got) {
			found = 1;
			*rec = scratch[got - 1];
			kt_chunk_put(pin);
			*pin = kt_chunk_ref(&c->chunk);
		}
		if (c->key == CURSOR_PAGE_END)
			ret = cursor_turn(c, err);
	}
	return ret < 0 ? ret : found;
}

int cursor_last(struct cursor *c, uint64_t nr, struct kt_record *rec, struct kt_err *err)
{
	struct kt_chunk pin = { 0 };
	uint64_t back;
	int ret = 0;

	/* Twice as far back each time: at most 2n of n chunks are read. */
	for (back = 1; !ret && back / 2 < nr; back *= 2)
		ret = last_from(c, back < nr ? nr - back : 0, &pin, rec, err);
	/* The record stays valid while the cursor holds its chunk. */
	kt_chunk_put(&c->chunk);
	c->chunk = pin;
	return ret;
}
