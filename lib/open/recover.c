/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* recover.c - recover event data from unfinished and truncated files */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "file/file.h"
#include "file/part.h"

uint64_t file_round_up(uint64_t offset, uint32_t page_size)
{
	uint64_t rest = offset % page_size;

	return rest ? offset + (page_size - rest) : offset;
}

/*
 * Add the chunks at @offset as the data of the next CPU; its number is not stored here.
 * *@end: after the last chunk. Returns 1, 0 if there are none, -ENOMEM.
 */
static int recover_chunks(struct kt_file *f, struct buffer *b, uint64_t offset, uint64_t *end)
{
	struct scan s = file_scan(f, offset);
	uint32_t count = scan_u32(&s), nr = 0;
	struct chunk_entry e;
	int ret;

	*end = offset + 4;
	while ((!count || nr < count) && file_read_chunk(f, *end, &e)) {
		*end = e.offset + e.size;
		nr++;
	}
	if (!nr)
		return 0;
	ret = file_add_cpu(f, b, b->pub.nr_cpus, offset, *end - offset);
	if (!ret && !count) {	/* the writer stores the number last */
		b->index[b->pub.nr_cpus - 1].offset = offset + 4;
		b->index[b->pub.nr_cpus - 1].left = nr;
	}
	return ret < 0 ? ret : 1;
}

static int recover_compressed(struct kt_file *f, struct buffer *b, uint64_t at, uint64_t end)
{
	uint64_t after;
	int ret = 1;

	while (ret > 0 && at < end) {
		ret = recover_chunks(f, b, at, &after);
		at = file_round_up(after, b->pub.page_size);
	}
	return ret < 0 ? ret : 0;
}

/* Sub-buffers follow each other without a gap. Where time goes backwards, the next CPU begins. */
static int recover_plain(struct kt_file *f, struct buffer *b, uint64_t at, uint64_t end)
{
	uint64_t start = at, before = 0, ts;
	int ret = 0;

	for (; !ret && at < end && end - at >= 16; at += b->pub.page_size) {
		struct scan s = file_scan(f, at);

		if ((at - start) % (1 << 20) == 0)
			file_touched(f, 1 << 20);
		ts = scan_u64(&s);
		if (ts < before) {
			ret = file_add_cpu(f, b, b->pub.nr_cpus, start, at - start);
			start = at;
		}
		before = ts;
	}
	if (!ret && start < end)
		ret = file_add_cpu(f, b, b->pub.nr_cpus, start, end - start);
	return ret;
}

/* Data in the section may belong to a buffer that names a different section */
static bool holds_data_of(const struct section *s, const struct buffer *b)
{
	size_t i;

	for (i = 0; i < b->pub.nr_cpus; i++)
		if (b->cpus[i].offset >= s->body && b->cpus[i].offset - s->body < s->pub.size)
			return true;
	return false;
}

static bool is_known(const struct kt_file *f, const struct section *s)
{
	size_t i;

	for (i = 0; i < f->nr_buffers; i++)
		if (f->buffers[i].section == s->pub.offset || holds_data_of(s, &f->buffers[i]))
			return true;
	return false;
}

/* Writers describe data sections as "buffer flyrecord NAME". Else, the first one is top-level. */
static const char *guess_name(struct kt_file *f, const struct section *s)
{
	static const char prefix[] = "buffer flyrecord";
	char name[32];
	size_t i;

	if (strncmp(s->pub.description, prefix, strlen(prefix)) == 0)
		return s->pub.description + strlen(prefix) +
		       strspn(s->pub.description + strlen(prefix), " ");
	for (i = 0; i < f->nr_buffers; i++)
		if (!*f->buffers[i].pub.name)
			break;
	if (i == f->nr_buffers)
		return "";
	snprintf(name, sizeof(name), "recovered-%zu", f->nr_buffers);
	return file_keep_text(f, name, strlen(name));
}

static int recover_section(struct kt_file *f, const struct section *s)
{
	const char *name = guess_name(f, s);
	bool compressed = f->codec && s->pub.compressed;
	uint64_t at, end = f->info.size;
	uint32_t page_size;
	struct buffer *b;

	/* The writer stores the size last, too. */
	if (s->pub.size && s->pub.size < end - s->body)
		end = s->body + s->pub.size;
	if (!name || file_guess_page_size(f, s, end, compressed, &page_size) < 0)
		return -ENOMEM;
	b = file_add_buffer(f, name, "", page_size);
	if (!b)
		return -ENOMEM;
	b->section = s->pub.offset;
	b->compressed = compressed;
	at = file_round_up(s->body, page_size);
	file_damage(f,
		    "the data at %" PRIu64 " belongs to no buffer: CPU numbers are guessed, "
		    "sub-buffers have %u bytes", s->pub.offset, page_size);
	return b->compressed ? recover_compressed(f, b, at, end) : recover_plain(f, b, at, end);
}

int file_recover_sections(struct kt_file *f)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < f->nr_sections && !ret; i++)
		if (f->sections[i].pub.id == KT_SECTION_DATA && !is_known(f, &f->sections[i]))
			ret = recover_section(f, &f->sections[i]);
	return ret;
}

static struct buffer *part_buffer(struct kt_file *f, const char *name, const char *clock,
				  uint32_t page_size, bool compressed)
{
	struct buffer *b;
	size_t i;

	for (i = 0; i < f->nr_buffers; i++)
		if (strcmp(f->buffers[i].pub.name, name) == 0)
			return &f->buffers[i];
	name = file_keep_text(f, name, strlen(name));
	clock = file_keep_text(f, clock, strlen(clock));
	b = name && clock ? file_add_buffer(f, name, clock, page_size) : NULL;
	if (b)
		b->compressed = compressed;
	return b;
}

static uint32_t part_u32(const struct kt_file *f, const uint8_t *head, size_t offset)
{
	return load_u32(head + offset, f->swap);
}

static bool is_part_of(const struct kt_file *f, const struct region *part)
{
	const struct kt_option *id = kt_file_find_option(f, KT_OPTION_TRACEID);
	const uint8_t *head = part->map;
	uint32_t page_size;

	if (part->size < PART_DATA ||
	    memcmp(head, PART_MAGIC, strlen(PART_MAGIC)) != 0 || !id || id->raw.size < 8 ||
	    memcmp(head + offsetof(struct part_head, trace_id), id->raw.data, 8) != 0)
		return false;
	page_size = part_u32(f, head, offsetof(struct part_head, page_size));
	return page_size >= 64 && page_size <= FILE_MAX_PAGE_SIZE &&
	       !head[offsetof(struct part_head, buffer) + PART_NAME - 1] &&
	       !head[offsetof(struct part_head, clock) + PART_NAME - 1] &&
	       part_u32(f, head, offsetof(struct part_head, cpu)) < 65536;
}

bool file_part_base(const struct kt_file *f, size_t nr, uint64_t *base, uint64_t *start)
{
	const struct region *part = &f->parts[nr];
	uint64_t at;

	if (!is_part_of(f, part))
		return false;
	*start = load_u64(part->map + offsetof(struct part_head, start), f->swap);
	at = load_u64(part->map + offsetof(struct part_head, shared), f->swap);
	*base = at ? file_shared_offset() + at : file_part_offset(nr) + PART_DATA;
	if (at)
		*start = PART_DATA + (part_u32(f, part->map, offsetof(struct part_head, compressed))
				      ? 4 : 0);
	if (*start < PART_DATA)
		return false;
	*start += *base - PART_DATA;
	return true;
}

/* Add the counters that would have been stored when recording ended. @last: the previous buffer */
static int recover_stats(struct kt_file *f, const struct buffer *b, const char **last,
			 const char *stats)
{
	char name[PART_NAME + 16];
	int n, ret = 0;

	if (!*stats || !memchr(stats, '\0', PART_STATS))
		return 0;
	if (strcmp(*last, b->pub.name) != 0) {
		n = snprintf(name, sizeof(name), "\nBuffer: %s\n\n", b->pub.name);
		ret = file_add_option(f, KT_OPTION_CPUSTAT, name, n + 1);
		*last = b->pub.name;
	}
	return ret < 0 ? ret : file_add_option(f, KT_OPTION_CPUSTAT, stats, strlen(stats) + 1);
}

static int recover_part(struct kt_file *f, size_t nr, const char **last)
{
	const uint8_t *head = f->parts[nr].map;
	struct chunk_index *index;
	uint64_t base, start, shared;
	bool compressed;
	struct buffer *b;
	int ret;

	if (!is_part_of(f, &f->parts[nr])) {
		file_damage(f, "%s.part%zu is damaged or belongs to another recording", f->path,
			    nr);
		return 0;
	}
	compressed = part_u32(f, head, offsetof(struct part_head, compressed));
	b = part_buffer(f, (const char *)head + offsetof(struct part_head, buffer),
			(const char *)head + offsetof(struct part_head, clock),
			part_u32(f, head, offsetof(struct part_head, page_size)), compressed);
	if (!b)
		return -ENOMEM;
	if (b->compressed != compressed || (compressed && !f->codec))
		return 0;
	shared = load_u64(head + offsetof(struct part_head, shared), f->swap);
	if (!file_part_base(f, nr, &base, &start) || (shared && !file_scan(f, start).left)) {
		if (shared)
			file_damage(f, "%s.parts does not hold the data of part %zu", f->path, nr);
		return 0;
	}
	/* Also without data: the number of sources must not grow when the data arrives. */
	ret = file_add_cpu(f, b, part_u32(f, head, offsetof(struct part_head, cpu)), start,
			   file_scan(f, start).left);
	if (!ret) {
		index = &b->index[b->pub.nr_cpus - 1];
		index->offset = start;
		index->left = CHUNKS_UNKNOWN;
		index->part = nr;
		index->base = base;
		ret = recover_stats(f, b, last,
				    (const char *)head + offsetof(struct part_head, stats));
	}
	return ret;
}

int file_recover_parts(struct kt_file *f)
{
	const char *last = "";
	size_t i;
	int ret = 0;

	file_damage(f, "the recording was not finished: read from its %zu parts", f->nr_parts);
	for (i = 0; i < f->nr_parts && !ret; i++)
		ret = recover_part(f, i, &last);
	return ret;
}
