/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* guess.c - estimate the sub-buffer size of data whose BUFFER option is lost */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"

#define LEAST_SIZE 4096u
#define COMMIT_LENGTH 0x07ffffffu
#define COMMIT_UNUSED 0x38000000u	/* bits between the length and the lost-event flags */
#define MAX_CHUNKS 8		/* chunks examined of each CPU */
#define MAX_PLAIN  256		/* uncompressed sub-buffers examined */
#define MAX_CPUS   64

struct guess {
	uint32_t size;
	uint32_t nr_starts;	/* places examined, each the possible start of a sub-buffer */
	uint64_t last;		/* previous time stamp of the same CPU */
};

/*
 * A sub-buffer begins with a time stamp and a commit word. If the true size is larger than
 * the guess, some of the examined places lie within a sub-buffer: among events, or in the
 * zeros after them. So the true size is the smallest for which all places look like a start.
 */
static bool is_start(const struct kt_file *f, const uint8_t *at, struct guess *g)
{
	const struct kt_file_info *info = &f->info;
	uint64_t ts = load_u64(at, f->swap);
	uint64_t commit = load_uint(at + info->commit_offset, info->commit_size, f->swap);
	uint32_t high = commit >> 32, low = commit;

	if ((!ts && !commit) || ts < g->last || (high && high != UINT32_MAX) ||
	    (low & COMMIT_UNUSED))
		return false;
	g->last = ts;
	g->nr_starts++;
	return (low & COMMIT_LENGTH) <= g->size - info->data_offset;
}

/*
 * 1: the chunk may consist of sub-buffers of g->size, 0: it does not, -ENOMEM. A damaged chunk
 * never rules out a size.
 */
static int fits_chunk(struct kt_file *f, const struct chunk_entry *e, struct guess *g)
{
	size_t head = f->info.data_offset, at;
	struct kt_chunk chunk = { 0 };
	int ret;

	if (e->raw_size % g->size)
		return 0;
	ret = file_cache_get(f, e, &chunk);
	if (ret <= 0)
		return ret == -ENOMEM ? ret : 1;
	for (at = 0; ret && at < chunk.size && chunk.size - at >= head; at += g->size)
		ret = is_start(f, (const uint8_t *)chunk.data + at, g);
	kt_chunk_put(&chunk);
	return ret;
}

/* Examines the chunks of one CPU at *@at; sets it to the end of the last; no chunks: to @end */
static int fits_cpu(struct kt_file *f, uint64_t *at, uint64_t end, struct guess *g)
{
	struct scan s = file_scan(f, *at);
	uint32_t count = scan_u32(&s), nr;
	struct chunk_entry e;
	int ret = 1;

	*at += 4;
	g->last = 0;
	for (nr = 0; ret > 0 && (!count || nr < count) && file_read_chunk(f, *at, &e); nr++) {
		if (nr < MAX_CHUNKS)
			ret = fits_chunk(f, &e, g);
		*at = e.offset + e.size;
	}
	if (!nr)
		*at = end;
	return ret;
}

static int fits_compressed(struct kt_file *f, uint64_t at, uint64_t end, struct guess *g)
{
	int ret = 1, nr;

	for (nr = 0; nr < MAX_CPUS && ret > 0; nr++) {
		at = file_round_up(at, g->size);
		if (at >= end)
			break;
		ret = fits_cpu(f, &at, end, g);
	}
	return ret;
}

/* Uncompressed sub-buffers are stored CPU by CPU: time may go backwards between CPUs. */
static bool fits_plain(const struct kt_file *f, uint64_t at, uint64_t end, struct guess *g)
{
	int nr;

	at = file_round_up(at, g->size);
	for (nr = 0; nr < MAX_PLAIN && at < end && end - at >= g->size; nr++, at += g->size) {
		g->last = 0;
		if (!is_start(f, file_scan(f, at).at, g))
			return false;
	}
	return true;
}

int file_guess_page_size(struct kt_file *f, const struct section *s, uint64_t end, bool compressed,
			 uint32_t *size)
{
	uint32_t try = f->info.page_size < LEAST_SIZE ? f->info.page_size : LEAST_SIZE;
	int ret;

	*size = f->info.page_size;
	for (; try <= FILE_MAX_PAGE_SIZE; try *= 2) {
		struct guess g = { .size = try };

		ret = compressed ? fits_compressed(f, s->body, end, &g) :
		      fits_plain(f, s->body, end, &g);
		if (ret < 0)
			return ret;
		if (ret && g.nr_starts) {
			*size = try;
			break;
		}
	}
	return 0;
}
