/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* buffer.c - the ring buffers (instances) of a file */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "file/file.h"

/* @name and @clock are borrowed and must live as long as the file */
struct buffer *file_add_buffer(struct kt_file *f, const char *name, const char *clock,
			       uint32_t page_size)
{
	struct buffer *b = array_add(f->buffers, f->nr_buffers);

	if (!b)
		return NULL;
	*b = (struct buffer){ 0 };
	b->pub.name = name;
	b->pub.clock = clock;
	b->pub.page_size = page_size;
	return b;
}

int file_add_cpu(struct kt_file *f, struct buffer *b, int cpu, uint64_t offset, uint64_t size)
{
	size_t nr = b->pub.nr_cpus;

	if (!array_reserve(b->cpus, nr))
		return -ENOMEM;
	b->pub.cpus = b->cpus;
	if (!array_reserve(b->index, nr))
		return -ENOMEM;

	b->index[nr] = (struct chunk_index){ 0 };
	b->cpus[nr] = (struct kt_cpu_data){ .cpu = cpu, .offset = offset, .size = size };
	b->pub.nr_cpus++;
	f->nr_cpu_data++;
	if (cpu >= f->info.nr_cpus)
		f->info.nr_cpus = cpu + 1;
	return 0;
}

/* The clock in brackets of a text like "[local] global counter"; "" if there is none */
static const char *clock_in_brackets(struct kt_file *f, const char *text, size_t size)
{
	const char *open = memchr(text, '[', size), *close;
	const char *name;

	close = open ? memchr(open, ']', text + size - open) : NULL;
	name = close ? file_keep_text(f, open + 1, close - open - 1) : NULL;
	return name ? name : "";
}

const char *file_option_clock(struct kt_file *f)
{
	const struct kt_option *o = kt_file_find_option(f, KT_OPTION_TRACECLOCK);

	return o ? clock_in_brackets(f, o->raw.data, o->raw.size) : "";
}

static bool is_page_size(uint32_t size)
{
	return size >= 64 && size <= FILE_MAX_PAGE_SIZE;
}

static int take_cpus(struct kt_file *f, struct buffer *b, struct scan *s)
{
	uint32_t nr = scan_u32(s), cpu;
	uint64_t offset, size;
	int ret = 0;

	while (nr-- && !ret) {
		cpu = scan_u32(s);
		offset = scan_u64(s);
		size = scan_u64(s);
		if (s->failed)
			return -EBADMSG;
		if (cpu > FILE_MAX_CPU)
			file_damage(f, "buffer '%s' has data of an impossible CPU %u", b->pub.name,
				    cpu);
		else
			ret = file_add_cpu(f, b, cpu, offset, size);
	}
	return ret;
}

/* Option BUFFER of v7: section, name, clock, page size, CPUs */
static int take_buffer(struct kt_file *f, const struct kt_option *o)
{
	struct scan s = scan_init(o->raw.data, o->raw.size, f->swap);
	uint64_t offset = scan_u64(&s);
	const char *name = scan_str(&s), *clock = scan_str(&s);
	uint32_t page_size = scan_u32(&s);
	size_t section = file_read_section(f, offset);
	struct buffer *b;
	int ret;

	if (s.failed) {
		file_damage(f, "a BUFFER option is truncated");
		return 0;
	}
	if (!is_page_size(page_size)) {
		file_damage(f, "buffer '%s' claims sub-buffers of %u bytes", name, page_size);
		page_size = f->info.page_size;
	}
	b = file_add_buffer(f, name, clock, page_size);
	if (!b)
		return -ENOMEM;
	b->section = offset;
	if (section != FILE_NO_SECTION && f->sections[section].pub.id == KT_SECTION_DATA)
		b->compressed = f->codec && f->sections[section].pub.compressed;
	else
		file_damage(f, "buffer '%s' has no section at %" PRIu64, name, offset);
	ret = take_cpus(f, b, &s);
	if (ret == -EBADMSG)
		file_damage(f, "the list of CPUs of buffer '%s' is truncated", name);
	return ret == -ENOMEM ? ret : 0;
}

/* Option BUFFER_TEXT: section, name, clock */
static int take_buffer_text(struct kt_file *f, const struct kt_option *o)
{
	struct scan s = scan_init(o->raw.data, o->raw.size, f->swap);
	uint64_t offset = scan_u64(&s);
	const char *name = scan_str(&s), *clock = scan_str(&s);
	struct buffer *b;

	if (s.failed) {
		file_damage(f, "a BUFFER_TEXT option is truncated");
		return 0;
	}
	b = file_add_buffer(f, name, clock, f->info.page_size);
	if (!b)
		return -ENOMEM;
	b->pub.is_text = true;
	if (file_read_section(f, offset) == FILE_NO_SECTION)
		file_damage(f, "buffer '%s' has no section at %" PRIu64, name, offset);
	else
		b->text = offset;
	return 0;
}

int file_make_buffers(struct kt_file *f)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < f->nr_options && !ret; i++) {
		if (f->options[i].id == KT_OPTION_BUFFER)
			ret = take_buffer(f, &f->options[i]);
		else if (f->options[i].id == KT_OPTION_BUFFER_TEXT)
			ret = take_buffer_text(f, &f->options[i]);
	}
	return ret;
}

/* Puts the top-level buffer first; the others keep their order. */
void file_sort_buffers(struct kt_file *f)
{
	struct buffer top;
	size_t i;

	for (i = 0; i < f->nr_buffers; i++)
		if (!*f->buffers[i].pub.name)
			break;
	if (!i || i == f->nr_buffers)
		return;
	top = f->buffers[i];
	memmove(&f->buffers[1], &f->buffers[0], i * sizeof(top));
	f->buffers[0] = top;
}

size_t kt_file_nr_buffers(const struct kt_file *file)
{
	return file->nr_buffers;
}

const struct kt_buffer *kt_file_buffer(const struct kt_file *file, size_t i)
{
	return i < file->nr_buffers ? &file->buffers[i].pub : NULL;
}
