/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* index.c - find the compressed chunks of a CPU, one after the other */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "file/file.h"
#include "file/part.h"

#define CHUNK_HEADER 8		/* stored size, decompressed size */
#define SKIP_HEADER  8		/* of a skipped block: magic, size */

/* Reads a few bytes of the file itself: a page fault of the map would load many more. */
static struct scan few_bytes(const struct kt_file *f, uint64_t offset, uint8_t *room, size_t size)
{
	struct scan s = file_scan(f, offset);
	ssize_t got;

	if (offset >= f->info.size)
		return s;
	got = pread(f->fd, room, size, offset);
	s.at = room;
	if (got < (ssize_t)size)
		s.left = got < 0 ? 0 : got;
	return s;
}

const char *file_place(const struct buffer *b, size_t cpu_index, char *text, size_t size)
{
	if (*b->pub.name)
		snprintf(text, size, "CPU %d of buffer '%s'", b->cpus[cpu_index].cpu, b->pub.name);
	else
		snprintf(text, size, "CPU %d", b->cpus[cpu_index].cpu);
	return text;
}

static void start_index(struct kt_file *f, const struct buffer *b, size_t cpu_index)
{
	struct chunk_index *index = &b->index[cpu_index];
	uint8_t room[sizeof(uint32_t)];
	struct scan s = few_bytes(f, b->cpus[cpu_index].offset, room, sizeof(room));
	char text[128];

	index->left = scan_u32(&s);
	index->offset = b->cpus[cpu_index].offset + 4;
	if (s.failed) {
		file_damage(f, "%s: its data at %" PRIu64 " is beyond the end of the file",
			    file_place(b, cpu_index, text, sizeof(text)),
			    b->cpus[cpu_index].offset);
		index->complete = true;
	}
}

/* Skips the frame that covers the gap between two extents, before the first chunk of the second */
static void skip_foreign(const struct kt_file *f, struct scan s, struct chunk_entry *e)
{
	const char *magic = f->codec ? f->codec->skip_magic : NULL;
	const uint8_t *head = scan_bytes(&s, SKIP_HEADER);
	uint64_t skip;

	if (!magic || !head || memcmp(head, magic, 4) != 0)
		return;
	skip = SKIP_HEADER + load_u32(head + 4, KT_HOST_BIG);
	if (skip >= e->size || skip - SKIP_HEADER > s.left)
		return;
	e->offset += skip;
	e->size -= (uint32_t)skip;
}

/*
 * If the codec marks the end of its blocks, the last chunk of an extent covers the gap: its real
 * size is in the tag of the next extent.
 */
static void cut_foreign(const struct kt_file *f, struct chunk_entry *e)
{
	uint8_t room[PART_TAG_SIZE];
	const uint8_t *tag;
	struct scan s;
	uint32_t size;

	if (!f->codec || !f->codec->ends_itself || e->size <= PART_TAG_SIZE)
		return;
	s = few_bytes(f, e->offset + e->size - PART_TAG_SIZE, room, sizeof(room));
	tag = scan_bytes(&s, PART_TAG_SIZE);
	if (!tag || memcmp(tag, PART_TAG, strlen(PART_TAG)) != 0)
		return;
	size = load_u32(tag + strlen(PART_TAG) + 4, f->swap);
	if (size && size < e->size)
		e->size = size;
}

/* Accepts a chunk that reaches beyond the end of the file: a part of it may be intact. */
bool file_read_chunk(const struct kt_file *f, uint64_t offset, struct chunk_entry *e)
{
	uint8_t room[CHUNK_HEADER + SKIP_HEADER];
	struct scan s = few_bytes(f, offset, room, sizeof(room));

	e->size = scan_u32(&s);
	e->raw_size = scan_u32(&s);
	e->offset = offset + CHUNK_HEADER;
	skip_foreign(f, s, e);
	return !s.failed && s.left && e->size && e->raw_size && e->raw_size <= FILE_MAX_CHUNK &&
	       e->raw_size / FILE_MAX_RATIO <= e->size;
}

/* The end of the CPU's data according to the file, if stated; chunk headers are more reliable. */
static uint64_t stored_end(const struct kt_file *f, const struct kt_cpu_data *cpu)
{
	uint64_t have = file_scan(f, cpu->offset).left;

	return cpu->offset + (have > 4 && cpu->size < have - 4 ? cpu->size + 4 : have);
}

/* The part that owns the extent at @at; -1: no extent begins there */
static int64_t extent_owner(const uint8_t *at, const uint8_t *stop, bool swap)
{
	if (stop - at < PART_TAG_SIZE || memcmp(at, PART_TAG, strlen(PART_TAG)) != 0)
		return -1;
	return load_u32(at + strlen(PART_TAG), swap);
}

static const uint8_t *next_extent(const uint8_t *at, const uint8_t *stop)
{
	const uint8_t *tag = at < stop ? memmem(at, stop - at, PART_TAG, strlen(PART_TAG)) : NULL;

	return tag ? tag : stop;
}

/* The part that owns the CPU's data if CPUs share the file in extents, else -1 */
static int64_t find_owner(const struct kt_file *f, uint64_t data)
{
	struct scan s = file_scan(f, data >= PART_DATA ? data - PART_DATA : 0);

	return data >= PART_DATA ? extent_owner(s.at, s.at + s.left, f->swap) : -1;
}

/*
 * The header at @from is broken. Every chunk begins with its two sizes and the magic of its
 * codec: search for the next place that has all of them.
 * Returns the offset of that header, 0 if there is none before @end.
 */
static uint64_t next_header(const struct kt_file *f, int64_t owner, uint64_t from, uint64_t end)
{
	struct scan s = file_scan(f, from);
	const uint8_t *at = s.at, *stop, *found = NULL, *tag;
	struct chunk_entry e;
	uint64_t offset;

	if (!f->codec->magic_size || from >= end || s.left < end - from)
		return 0;
	for (stop = at + (end - from); at < stop;) {
		if (!found || found < at)
			found = memmem(at, stop - at, f->codec->magic, f->codec->magic_size);
		if (!found)
			return 0;
		/* Search up to @found: searching a long range repeatedly would take forever. */
		tag = owner < 0 ? found : next_extent(at, found);
		if (tag < found) {
			while (tag < stop && extent_owner(tag, stop, f->swap) != owner)
				tag = next_extent(tag + 1, stop);
			at = tag + 1;
			continue;
		}
		at = found + 1;
		offset = from + (uint64_t)(found - s.at) - CHUNK_HEADER;
		if (offset < from || !file_read_chunk(f, offset, &e))
			continue;
		if (e.size <= end - e.offset)
			return offset;
	}
	return 0;
}

/* Is this the end of a file, or space for a chunk that was never written? */
static bool is_blank(const struct kt_file *f, uint64_t offset)
{
	struct scan s = file_scan(f, offset);

	return !s.left || (s.left >= CHUNK_HEADER && !scan_u64(&s));
}

/* No more chunks can be found. Note a damage unless that is expected. */
static void end_index(struct kt_file *f, const struct buffer *b, size_t cpu_index)
{
	struct chunk_index *index = &b->index[cpu_index];
	char text[128], at[64];

	index->complete = true;
	file_place(b, cpu_index, text, sizeof(text));
	if (index->left != CHUNKS_UNKNOWN)
		file_damage(f, "%s: no chunk at %s, %" PRIu64 " are missing", text,
			    file_where(f, index->offset, at, sizeof(at)), index->left);
	else if (!index->lost && !is_blank(f, index->offset))
		file_damage(f, "%s: the last chunk was not completed", text);
}

/* The chain is broken at index->offset: resume it after that. False if that fails. */
static bool resume_index(struct kt_file *f, const struct buffer *b, size_t cpu_index)
{
	struct chunk_index *index = &b->index[cpu_index];
	uint64_t end = stored_end(f, &b->cpus[cpu_index]), from = index->offset + 1, next;
	char text[128];

	/* Or the size of the chunk before it is wrong: search from there on. */
	if (index->nr)
		from = index->entries[index->nr - 1].offset + 1;
	if (index->left == CHUNKS_UNKNOWN && !index->lost)
		return false;
	next = next_header(f, find_owner(f, b->cpus[cpu_index].offset), from, end);
	if (!next)
		return false;
	file_damage(f, "%s: no chunk at %" PRIu64 ", continuing at %" PRIu64,
		    file_place(b, cpu_index, text, sizeof(text)), index->offset, next);
	index->offset = next;
	index->left = CHUNKS_UNKNOWN;
	index->lost = true;
	return true;
}

/* The header at index->offset; its size is checked against the data that follows */
static bool read_entry(struct kt_file *f, const struct buffer *b, size_t cpu_index,
		       struct chunk_entry *e)
{
	struct chunk_index *index = &b->index[cpu_index];
	char text[128];
	uint64_t next;

	file_note_cut(f);
	if (!file_read_chunk(f, index->offset, e))
		return false;
	if (e->size <= file_scan(f, e->offset).left)
		return true;
	/* It exceeds the file: a truncated file, or a wrong size with good chunks after it */
	next = next_header(f, find_owner(f, b->cpus[cpu_index].offset), e->offset + 1,
			   stored_end(f, &b->cpus[cpu_index]));
	if (!next)
		return true;
	file_damage(f, "%s: chunk at %" PRIu64 " cannot be %u bytes long, the next is at %" PRIu64,
		    file_place(b, cpu_index, text, sizeof(text)), index->offset, e->size, next);
	e->size = next - e->offset;
	index->left = CHUNKS_UNKNOWN;
	index->lost = true;
	return true;
}

/*
 * The next chunk starts at a multiple of the page size even if this one is damaged and ends within
 * a sub-buffer: no two records of a CPU have the same position.
 */
static uint64_t whole_pages(const struct buffer *b, uint64_t size)
{
	uint64_t page = b->pub.page_size;

	return (size + page - 1) / page * page;
}

/* Called with f->load_lock held. Returns 1, 0 at the end, -ENOMEM. */
static int next_entry(struct kt_file *f, const struct buffer *b, size_t cpu_index)
{
	struct chunk_index *index = &b->index[cpu_index];
	struct chunk_entry e;

	if (!index->offset)
		start_index(f, b, cpu_index);
	if (index->lost && index->offset >= stored_end(f, &b->cpus[cpu_index]))
		index->complete = true;
	if (index->complete || !index->left) {
		index->complete = true;
		return 0;
	}
	if (!read_entry(f, b, cpu_index, &e) &&
	    !(resume_index(f, b, cpu_index) && read_entry(f, b, cpu_index, &e))) {
		end_index(f, b, cpu_index);
		return 0;
	}
	if (index->offset >= f->info.size)
		file_touched(f, e.size < FILE_MAPPED_AROUND ? e.size : FILE_MAPPED_AROUND);
	e.pos = index->pos;
	if (!array_reserve(index->entries, index->nr))
		return -ENOMEM;
	index->last = index->offset;
	index->offset = e.offset + e.size;
	index->pos += whole_pages(b, e.raw_size);
	cut_foreign(f, &e);
	index->entries[index->nr++] = e;
	if (index->left != CHUNKS_UNKNOWN)
		index->left--;
	return 1;
}

void file_index_grow(struct kt_file *f, const struct buffer *b, size_t cpu_index, uint64_t end)
{
	struct chunk_index *index = &b->index[cpu_index];

	if (index->nr && index->offset > end) {
		file_cache_forget(f, index->entries[--index->nr].offset);
		index->offset = index->last;
		index->pos = index->entries[index->nr].pos;
	}
	index->complete = index->lost = false;
}

int file_index_find(struct kt_file *f, const struct buffer *b, size_t cpu_index, uint64_t nr,
		    struct chunk_entry *out)
{
	struct chunk_index *index = &b->index[cpu_index];
	int ret = 1;

	pthread_mutex_lock(&f->load_lock);
	while (ret > 0 && index->nr <= nr)
		ret = next_entry(f, b, cpu_index);
	if (ret > 0)
		*out = index->entries[nr];
	pthread_mutex_unlock(&f->load_lock);
	return ret;
}

int file_index_at(struct kt_file *f, const struct buffer *b, size_t cpu_index, uint64_t pos,
		  uint64_t *nr)
{
	struct chunk_index *index = &b->index[cpu_index];
	size_t lo = 0, hi, mid;
	int ret = 1;

	pthread_mutex_lock(&f->load_lock);
	while (ret > 0 && index->pos <= pos)
		ret = next_entry(f, b, cpu_index);
	/* Find the last one that begins at or before @pos. */
	for (hi = index->nr; ret > 0 && hi - lo > 1;) {
		mid = lo + (hi - lo) / 2;
		if (index->entries[mid].pos <= pos)
			lo = mid;
		else
			hi = mid;
	}
	pthread_mutex_unlock(&f->load_lock);
	*nr = lo;
	return ret;
}
