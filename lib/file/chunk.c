/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* chunk.c - the ring-buffer data of a CPU, chunk by chunk */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"
#include "file/note.h"
#include "file/summary.h"

/*
 * The chunks of an uncompressed file are windows of this size. All CPUs may use a window
 * at the same time, so files with many CPUs have smaller ones.
 */
#define WINDOW	    (256u << 10)
#define ALL_WINDOWS (8u << 20)
/* From this number of CPUs on, windows are copied: page faults map more memory than a window */
#define MANY_CPUS   33

static struct buffer *buffer_of(const struct kt_file *f, size_t buffer, size_t cpu_index)
{
	if (buffer >= f->nr_buffers || cpu_index >= f->buffers[buffer].pub.nr_cpus)
		return NULL;
	return &f->buffers[buffer];
}

static uint64_t window_size(const struct kt_file *f, const struct buffer *b)
{
	uint32_t page = b->pub.page_size, size = WINDOW;

	if (f->nr_cpu_data > ALL_WINDOWS / WINDOW)
		size = ALL_WINDOWS / f->nr_cpu_data;
	return page > size ? page : size / page * page;
}

/* The @nr-th window of an uncompressed CPU. 1, or 0 after the last. */
static int find_window(struct kt_file *f, const struct buffer *b, size_t cpu_index, uint64_t nr,
		       struct chunk_entry *out)
{
	const struct kt_cpu_data *cpu = &b->cpus[cpu_index];
	uint64_t window = window_size(f, b), have, size;
	char text[128], where[64];

	if (cpu->offset < f->info.size)
		file_note_cut(f);
	have = file_scan(f, cpu->offset).left;
	size = cpu->size < have ? cpu->size : have;
	if (have < cpu->size && nr >= size / window)
		file_damage(f, "%s: %" PRIu64 " of its %" PRIu64 " bytes of data at %s are missing",
			    file_place(b, cpu_index, text, sizeof(text)), cpu->size - have,
			    cpu->size, file_where(f, cpu->offset, where, sizeof(where)));
	if (nr > size / window || nr * window >= size)
		return 0;
	out->pos = nr * window;
	out->offset = cpu->offset + out->pos;
	out->size = size - out->pos < window ? size - out->pos : window;
	out->raw_size = out->size;
	return 1;
}

/* A chunk that the recorder has freed is still listed, with a stored size of 0. */
static int find_chunk(struct kt_file *f, const struct buffer *b, size_t cpu_index, uint64_t nr,
		      struct chunk_entry *out)
{
	int ret;

	if (!b->compressed)
		return find_window(f, b, cpu_index, nr, out);
	ret = file_index_find(f, b, cpu_index, nr, out);
	if (ret > 0 && out->offset < b->index[cpu_index].gone)
		out->size = 0;
	return ret;
}

uint64_t file_kept_chunk(const struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr)
{
	const struct buffer *b = buffer_of(file, buffer, cpu_index);
	uint64_t gone = b && !b->compressed ? b->index[cpu_index].gone : 0, first;

	first = gone ? (gone - b->cpus[cpu_index].offset) / window_size(file, b) : 0;
	return nr < first ? first : nr;
}

/* The error message of a failed get or peek */
static int report(struct kt_file *f, const struct chunk_entry *e, int ret, struct kt_err *err)
{
	if (ret == -EBADMSG)
		return kt_err_set(err, ret, "%s: chunk at %" PRIu64 " is damaged", f->path,
				  e->offset);
	if (ret < 0)
		return kt_err_result(err, ret);
	return ret;
}

static int get(struct kt_file *file, const struct buffer *b, const struct chunk_entry *e,
	       struct kt_chunk *out)
{
	if (b->compressed)
		return file->codec && e->size ? file_cache_get(file, e, out) : -EBADMSG;
	if (file->nr_cpu_data >= MANY_CPUS && e->offset < file->info.size)
		return file_cache_read(file, e->offset, e->size, out);
	out->data = file_scan(file, e->offset).at;
	out->size = e->size;
	file_touched(file, e->size);
	return 1;
}

static void place(const struct buffer *b, size_t cpu_index, const struct chunk_entry *e,
		  struct kt_chunk *out)
{
	out->first = e->pos / b->pub.page_size;
	out->stored = e->offset + e->size - b->cpus[cpu_index].offset;
}

int kt_file_chunk_get(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr,
		      struct kt_chunk *out, struct kt_err *err)
{
	struct buffer *b = buffer_of(file, buffer, cpu_index);
	struct chunk_entry e;
	int ret;

	*out = (struct kt_chunk){ 0 };
	ret = b ? find_chunk(file, b, cpu_index, nr, &e) : 0;
	if (ret > 0)
		ret = get(file, b, &e, out);
	if (ret > 0)
		place(b, cpu_index, &e, out);
	return report(file, &e, ret, err);
}

int file_chunk_piece(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr,
		     size_t offset, size_t most, struct kt_chunk *out, size_t *left)
{
	struct buffer *b = buffer_of(file, buffer, cpu_index);
	struct chunk_entry e;
	bool big;
	int ret;

	*out = (struct kt_chunk){ 0 };
	*left = 0;
	ret = b ? find_chunk(file, b, cpu_index, nr, &e) : 0;
	if (ret <= 0)
		return ret;
	big = b->compressed && file->codec && e.size && e.raw_size > most;
	ret = big ? file_piece_get(file, &e, offset, most, out) : get(file, b, &e, out);
	if (big) {
		e.pos += offset;
		*left = ret > 0 && out->size == most ? e.raw_size - offset - most : 0;
	}
	if (ret > 0)
		place(b, cpu_index, &e, out);
	return ret;
}

int file_chunk_extent(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr,
		      struct file_extent *out)
{
	struct buffer *b = buffer_of(file, buffer, cpu_index);
	struct chunk_entry e;
	int ret = b ? find_chunk(file, b, cpu_index, nr, &e) : 0;

	if (ret > 0)
		*out = (struct file_extent){
			.pos = e.pos / b->pub.page_size * b->pub.page_size,
			.stored = e.offset + e.size - b->cpus[cpu_index].offset,
			.size = e.raw_size, .compressed = b->compressed,
		};
	return ret;
}

int file_chunk_at(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t pos, uint64_t *nr)
{
	struct buffer *b = buffer_of(file, buffer, cpu_index);
	struct chunk_entry e;

	if (!b)
		return 0;
	if (b->compressed)
		return file_index_at(file, b, cpu_index, pos, nr);
	*nr = pos / window_size(file, b);
	return find_chunk(file, b, cpu_index, *nr, &e);
}

ssize_t file_chunk_copy(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr,
			size_t offset, void *to, size_t size)
{
	struct buffer *b = buffer_of(file, buffer, cpu_index);
	struct chunk_entry e;
	int ret = b && !b->compressed ? find_chunk(file, b, cpu_index, nr, &e) : 0;

	if (ret <= 0 || offset >= e.size)
		return 0;
	if (size > e.size - offset)
		size = e.size - offset;
	if (e.offset < file->info.size)
		return file_pread(file, to, size, e.offset + offset);
	memcpy(to, file_scan(file, e.offset + offset).at, size);
	file_touched(file, size);
	return size;
}

int file_chunk_peek(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr,
		    void *buf, size_t size, struct kt_err *err)
{
	struct buffer *b = buffer_of(file, buffer, cpu_index);
	struct unpacker *u;
	struct chunk_entry e;
	struct scan in;
	int ret;

	ret = b ? find_chunk(file, b, cpu_index, nr, &e) : 0;
	if (ret > 0 && !e.size)
		ret = -EBADMSG;
	if (ret <= 0)
		return report(file, &e, ret, err);
	if (!b->compressed)
		return (int)file_chunk_copy(file, buffer, cpu_index, nr, 0, buf, size);
	in = file_scan(file, e.offset);
	if (e.size < in.left)
		in.left = e.size;
	if (size > e.raw_size)
		size = e.raw_size;
	file_touched(file, in.left + FILE_MAPPED_AROUND);
	u = file->codec ? file_unpacker_get(file) : NULL;
	if (!u)
		return report(file, &e, -ENOMEM, err);
	ret = codec_peek(file->codec, u->ctx, buf, size, in.at, in.left);
	file_unpacker_put(file, u);
	return report(file, &e, ret, err);
}

int kt_file_chunk_raw(struct kt_file *file, size_t buffer, size_t cpu_index, uint64_t nr,
		      struct kt_raw_chunk *out, struct kt_err *err)
{
	struct buffer *b = buffer_of(file, buffer, cpu_index);
	struct chunk_entry e;
	struct scan in;
	int ret;

	ret = b ? find_chunk(file, b, cpu_index, nr, &e) : 0;
	if (ret <= 0)
		return report(file, &e, ret, err);
	in = file_scan(file, e.offset);
	if (e.size > in.left || !e.size)
		return report(file, &e, -EBADMSG, err);
	out->data = in.at;
	out->size = e.size;
	out->raw_size = e.raw_size;
	out->summary = file_summary(file, buffer, cpu_index, nr);
	file_touched(file, e.size);
	return 1;
}

/* The total decompressed size of the @nr chunks of a latency text at @s, up to the first bad one */
static size_t sum_chunks(struct scan s, uint32_t nr, uint64_t most)
{
	uint32_t size, raw_size;
	size_t sum = 0;

	while (nr--) {
		size = scan_u32(&s);
		raw_size = scan_u32(&s);
		if (!scan_bytes(&s, size) || raw_size > FILE_MAX_CHUNK ||
		    raw_size > most - sum)
			break;
		sum += raw_size;
	}
	return sum;
}

/* The text of a compressed latency buffer: its chunks joined */
static int join_chunks(struct kt_file *f, struct scan *s, struct kt_blob *out)
{
	uint32_t nr = scan_u32(s), size, raw_size;
	size_t len = 0, room = sum_chunks(*s, nr, file_unpack_room(f));
	char *text = file_keep(f, (uint64_t)room + 1);
	struct unpacker *u = text ? file_unpacker_get(f) : NULL;
	ssize_t got = 0;

	if (!u)
		return -ENOMEM;
	for (; nr; nr--) {
		size = scan_u32(s);
		raw_size = scan_u32(s);
		if (s->failed || size > s->left || raw_size > room - len)
			break;
		got = f->codec->decompress(u->ctx, text + len, raw_size, s->at, size);
		if (got < 0)
			break;
		len += got;
		scan_bytes(s, size);
	}
	if (nr)
		file_damage(f, "the text of a latency buffer is truncated");
	file_unpacker_put(f, u);
	text[len] = '\0';
	f->unpacked += len;
	*out = (struct kt_blob){ text, len };
	return 0;
}

int kt_file_buffer_text(struct kt_file *file, size_t buffer, struct kt_blob *out,
			struct kt_err *err)
{
	struct section *s;
	struct scan in;
	int ret = 0;

	if (buffer >= file->nr_buffers || !file->buffers[buffer].text)
		return kt_err_set(err, -ENOENT, "%s: the buffer holds no text", file->path);
	s = &file->sections[file_find_section(file, file->buffers[buffer].text)];
	pthread_mutex_lock(&file->load_lock);
	if (!s->loaded) {
		in = file_scan(file, s->body);
		if (in.left > s->pub.size)
			in.left = s->pub.size;
		if (s->pub.compressed && file->codec)
			ret = join_chunks(file, &in, &s->data);
		else
			s->data = (struct kt_blob){ (const char *)in.at, in.left };
		s->loaded = !ret;
	}
	*out = s->data;
	pthread_mutex_unlock(&file->load_lock);
	return kt_err_result(err, ret);
}
