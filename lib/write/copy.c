/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* copy.c - copy a trace.dat into another one, and decompress only what is necessary */
#include <ktrail/writer.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "file/file.h"
#include "file/part.h"
#include "file/summary.h"
#include "write/trim.h"
#include "write/write.h"

/* Version 6 has one sub-buffer size for all buffers: take that of the first non-text buffer. */
static uint32_t page_size_of_data(const struct kt_file *in)
{
	const struct kt_buffer *b;
	size_t i;

	for (i = 0; (b = kt_file_buffer(in, i)); i++)
		if (!b->is_text && b->page_size)
			return b->page_size;
	return kt_file_info(in)->page_size;
}

/* A user who cannot read @in cannot read its copy, even if the copy has a different group. */
static mode_t mode_like(const struct kt_file *in)
{
	struct stat st;
	mode_t mode;

	if (fstat(in->fd, &st) < 0)
		return 0600;
	mode = (st.st_mode & 0777) | 0600;
	return st.st_gid == getegid() ? mode : mode & ~(070u & ~((mode & 07) << 3));
}

void kt_copy_opts(const struct kt_file *in, struct kt_writer_opts *opts)
{
	const struct kt_file_info *info = kt_file_info(in);

	if (!opts->version)
		opts->version = info->version;
	if (!opts->compression && opts->version > 6)
		opts->compression = info->version > 6 ? info->compression : "any";
	opts->big_endian = info->big_endian;
	opts->long_size = info->long_size;
	opts->page_size = opts->version == 6 ? page_size_of_data(in) : info->page_size;
	opts->replace = true;
	opts->mode = mode_like(in);
	if (!info->old_events)
		opts->layout = (struct kt_page_layout){
			.swap = info->big_endian != KT_HOST_BIG,
			.commit_offset = (unsigned int)info->commit_offset,
			.commit_size = (unsigned int)info->commit_size,
			.data_offset = (unsigned int)info->data_offset,
		};
}

static bool is_meta(uint16_t id)
{
	return (id >= KT_OPTION_HEADER_INFO && id <= KT_OPTION_CMDLINES) ||
	       id == KT_OPTION_BTF_FILE || id == KT_OPTION_MODULES_FILE;
}

/* Options that store offsets: the writer makes its own */
static bool is_pointer(uint16_t id)
{
	return is_meta(id) || id == KT_OPTION_DONE || id == KT_OPTION_BUFFER ||
	       id == KT_OPTION_BUFFER_TEXT || id == KT_OPTION_STRINGS || id == KT_OPTION_INDEX;
}

/* If the user asked for a level, compress again: a file does not store its level. */
static bool same_method(const struct kt_writer *w, const struct kt_file *in)
{
	return !w->has_level &&
	       strcmp(writer_compression(w), kt_file_info(in)->compression) == 0;
}

static int copy_section(struct kt_writer *w, struct kt_file *in, size_t i, struct kt_err *err)
{
	uint16_t id = kt_file_section(in, i)->id;
	struct kt_err here = { 0 };
	struct kt_blob blob;
	int ret;

	if (!is_meta(id))
		return 0;
	/* From a damaged file, copy the readable part only: the copy is not damaged. */
	if (same_method(w, in) && !kt_file_nr_damages(in) &&
	    file_section_stored(in, i, &blob) == 0)
		return writer_meta_stored(w, id, blob.data, blob.size, err);
	if (kt_file_section_data(in, i, &blob, NULL) < 0)
		return 0;	/* the reader has noted the damage */
	ret = kt_writer_meta(w, id, blob.data, blob.size, &here);
	if (ret == -ENOTSUP)
		return 0;
	return ret < 0 ? kt_err_set(err, ret, "%s", here.msg) : 0;
}

/* Version 6 stores the number of CPUs in its fixed part, version 7 as an option */
static int add_cpu_count(struct kt_writer *w, struct kt_file *in, struct kt_err *err)
{
	char count[4];

	if (kt_file_find_option(in, KT_OPTION_CPUCOUNT))
		return 0;
	store_u32(count, (uint32_t)kt_file_info(in)->nr_cpus,
		  kt_file_info(in)->big_endian != KT_HOST_BIG);
	return kt_writer_option(w, KT_OPTION_CPUCOUNT, count, sizeof(count), err);
}

/* Texts whose lines may differ between the parts of one recording */
static const struct {
	uint16_t id;
	enum kt_meta meta;
	size_t size_bytes;		/* size of the length field before the text */
} grows[] = {
	{ KT_OPTION_KALLSYMS, KT_META_KALLSYMS, 4 },
	{ KT_OPTION_CMDLINES, KT_META_CMDLINES, 8 },
};
#define NR_GROWS (sizeof(grows) / sizeof(*grows))

/* The lines of all parts, from the last to the first: the first name of a task is used */
static int join_text(struct kt_writer *w, struct kt_file *const *parts, size_t nr, size_t which,
		     struct kt_err *err)
{
	size_t bytes = grows[which].size_bytes;
	bool swap = kt_file_info(parts[0])->big_endian != KT_HOST_BIG;
	struct str s = STR_INIT;
	struct kt_blob text;
	int ret;

	str_addn(&s, "\0\0\0\0\0\0\0", bytes);
	while (nr--) {
		ret = kt_file_meta(parts[nr], grows[which].meta, &text, err);
		if (ret == 0)
			str_addn(&s, text.data, text.size);
		else if (ret != -ENOENT)
			goto out;
	}
	if (s.failed) {
		ret = kt_err_no_memory(err);
		goto out;
	}
	if (bytes == 4)
		store_u32(s.buf, (uint32_t)(s.len - bytes), swap);
	else
		store_u64(s.buf, s.len - bytes, swap);
	ret = kt_writer_meta(w, grows[which].id, s.buf, s.len, err);
out:
	str_fini(&s);
	return ret;
}

static bool is_joined(uint16_t id)
{
	size_t i;

	for (i = 0; i < NR_GROWS && grows[i].id != id; i++)
		;
	return i < NR_GROWS;
}

int copy_meta_of_parts(struct kt_writer *w, struct kt_file *const *parts, size_t nr,
		       struct kt_err *err)
{
	struct kt_file *in = parts[nr - 1];
	const struct kt_option *o;
	size_t i;
	int ret = add_cpu_count(w, in, err);

	for (i = 0; ret == 0 && i < kt_file_nr_sections(in); i++)
		if (nr == 1 || !is_joined(kt_file_section(in, i)->id))
			ret = copy_section(w, in, i, err);
	for (i = 0; ret == 0 && nr > 1 && i < NR_GROWS; i++)
		ret = join_text(w, parts, nr, i, err);
	for (i = 0; ret == 0 && i < kt_file_nr_options(in); i++) {
		o = kt_file_option(in, i);
		if (!is_pointer(o->id))
			ret = kt_writer_option(w, o->id, o->raw.data, o->raw.size, err);
	}
	/* Written before the data, they survive if the copy is truncated. */
	return ret < 0 ? ret : writer_flush(w, err);
}

int kt_copy_meta(struct kt_writer *w, struct kt_file *in, struct kt_err *err)
{
	return copy_meta_of_parts(w, &in, 1, err);
}

/*
 * Writes the events between the offsets @from and @to of a sub-buffer of @size bytes. If the
 * file is truncated, @size is less than a page, and only complete events are written.
 */
static int write_piece(struct kt_writer *w, const struct kt_file *in, const uint8_t *data,
		       size_t size, size_t page_size, uint64_t from, uint64_t to,
		       struct kt_err *err)
{
	const struct kt_file_info *info = kt_file_info(in);
	uint8_t *page;
	int ret = 0;

	if (size < page_size && (size < (size_t)info->data_offset + 8 || info->old_events))
		return 0;
	page = calloc(1, page_size);
	if (!page)
		return kt_err_no_memory(err);
	memcpy(page, data, size);
	if (trim_page(page, size, info, from, to))
		ret = kt_writer_data(w, page, page_size, err);
	free(page);
	return ret;
}

/* Writes the sub-buffers of @chunk */
static int write_pages(struct kt_writer *w, const struct kt_file *in, size_t page_size,
		       const struct kt_chunk *chunk, struct kt_err *err)
{
	size_t rest = chunk->size % page_size;
	int ret = kt_writer_data(w, chunk->data, chunk->size - rest, err);

	if (ret < 0 || !rest)
		return ret;
	return write_piece(w, in, chunk->data + chunk->size - rest, rest, page_size, 0, UINT64_MAX,
			   err);
}

/* Can the chunk be copied in its stored form? Not if the file ends within it. */
static bool is_whole(const struct kt_raw_chunk *raw, size_t page_size)
{
	return raw->size != raw->raw_size || raw->size % page_size == 0;
}

/* Copies the stored form. Adds a summary to @raw if the index needs one. */
static int copy_stored(struct kt_writer *w, struct kt_file *in, size_t buffer, size_t cpu_index,
		       uint64_t nr, struct kt_raw_chunk *raw, struct kt_err *err)
{
	struct kt_chunk chunk = { 0 };

	if (!(raw->summary && raw->summary->counted) && writer_wants_summaries(w) &&
	    kt_file_chunk_get(in, buffer, cpu_index, nr, &chunk, NULL) > 0 &&
	    chunk.size == raw->raw_size)
		raw->summary = writer_summarize(w, chunk.data, chunk.size);
	kt_chunk_put(&chunk);
	return kt_writer_chunk(w, raw, err);
}

/* Returns like kt_file_chunk_get() */
static int copy_chunk(struct kt_writer *w, struct kt_file *in, size_t buffer, size_t cpu_index,
		      uint64_t nr, struct kt_copy *copy, struct kt_err *err)
{
	size_t page_size = kt_file_buffer(in, buffer)->page_size;
	struct kt_raw_chunk raw;
	struct kt_chunk chunk;
	int ret, wrote;

	if (same_method(w, in)) {
		ret = kt_file_chunk_raw(in, buffer, cpu_index, nr, &raw, NULL);
		if (ret > 0 && is_whole(&raw, page_size)) {
			wrote = copy_stored(w, in, buffer, cpu_index, nr, &raw, err);
			return wrote < 0 ? wrote : 1;
		}
		if (ret <= 0 && ret != -EBADMSG)
			return ret;
	}
	ret = kt_file_chunk_get(in, buffer, cpu_index, nr, &chunk, NULL);
	if (ret <= 0)
		return ret;
	wrote = write_pages(w, in, page_size, &chunk, err);
	kt_chunk_put(&chunk);
	copy->nr_repacked++;
	return wrote < 0 ? wrote : 1;
}

/* Copies the sub-buffers of a chunk that overlap the range from @from to @to */
static int copy_pages(struct kt_writer *w, struct kt_file *in, size_t buffer,
		      const struct kt_chunk *chunk, uint64_t from, uint64_t to, struct kt_err *err)
{
	size_t page_size = kt_file_buffer(in, buffer)->page_size, at, size;
	uint64_t pos = chunk->first * page_size;
	int ret = 0;

	for (at = 0; ret == 0 && at < chunk->size; at += page_size, pos += page_size) {
		size = chunk->size - at < page_size ? chunk->size - at : page_size;
		if (pos + size <= from || pos >= to)
			continue;
		if (pos >= from && pos + size <= to && size == page_size)
			ret = kt_writer_data(w, chunk->data + at, size, err);
		else
			ret = write_piece(w, in, chunk->data + at, size, page_size,
					  from > pos ? from - pos : 0, to - pos, err);
	}
	return ret;
}

static int copy_cut_chunk(struct kt_writer *w, struct kt_file *in, size_t buffer,
			  size_t cpu_index, uint64_t nr, uint64_t from, uint64_t to,
			  struct kt_copy *copy, struct kt_err *err)
{
	struct kt_chunk chunk;
	int ret = kt_file_chunk_get(in, buffer, cpu_index, nr, &chunk, NULL), wrote;

	if (ret <= 0)
		return ret;
	wrote = copy_pages(w, in, buffer, &chunk, from, to, err);
	kt_chunk_put(&chunk);
	copy->nr_repacked++;
	return wrote < 0 ? wrote : 1;
}

/* Returns 0, or -EINTR to stop */
static int tell_progress(struct kt_copy *copy, struct kt_file *in, size_t buffer,
			 size_t cpu_index, uint64_t nr, struct kt_err *err)
{
	struct kt_raw_chunk raw;

	if (!copy->progress)
		return 0;
	if (kt_file_chunk_raw(in, buffer, cpu_index, nr, &raw, NULL) > 0)
		copy->done += raw.size;
	copy->progress(copy, copy->progress_data);
	return copy->stop ? kt_err_set(err, -EINTR, "stopped") : 0;
}

int kt_copy_range(struct kt_writer *w, struct kt_file *in, size_t buffer, size_t cpu_index,
		  uint64_t from, uint64_t to, struct kt_copy *copy, struct kt_err *err)
{
	struct kt_err here = { 0 };
	struct kt_raw_chunk raw;
	uint64_t pos = 0, nr;
	int ret;

	for (nr = 0; pos < to; nr++, pos += raw.raw_size) {
		ret = kt_file_chunk_raw(in, buffer, cpu_index, nr, &raw, NULL);
		if (ret == -EBADMSG)	/* the file ends within it */
			raw.raw_size = 0;
		else if (ret <= 0)
			break;
		else if (pos + raw.raw_size <= from)
			continue;
		if (ret > 0 && pos >= from && raw.raw_size <= to - pos)
			ret = copy_chunk(w, in, buffer, cpu_index, nr, copy, &here);
		else
			ret = copy_cut_chunk(w, in, buffer, cpu_index, nr, from, to, copy, &here);
		if (here.code)
			return kt_err_set(err, here.code, "%s", here.msg);
		copy->nr_damaged += ret < 0;
		if (tell_progress(copy, in, buffer, cpu_index, nr, err) < 0)
			return -EINTR;
	}
	return 0;
}

static int copy_cpu(struct kt_writer *w, struct kt_file *in, size_t buffer, size_t cpu_index,
		struct kt_copy *copy, struct kt_err *err)
{
	struct kt_err here = { 0 };
	uint64_t nr;
	int ret = 1;

	for (nr = 0; ret > 0 || ret == -EBADMSG; nr++) {
		ret = copy_chunk(w, in, buffer, cpu_index, nr, copy, &here);
		if (ret == -EBADMSG && here.code)
			break;
		copy->nr_damaged += ret == -EBADMSG;
		if (tell_progress(copy, in, buffer, cpu_index, nr, err) < 0)
			return -EINTR;
	}
	return ret < 0 ? kt_err_set(err, ret, "%s", here.code ? here.msg : strerror(-ret)) : 0;
}

int kt_copy_text(struct kt_writer *w, struct kt_file *in, size_t i, const char *name,
		 struct kt_copy *copy, struct kt_err *err)
{
	const struct kt_buffer *b = kt_file_buffer(in, i);
	struct kt_blob text;

	if (kt_file_buffer_text(in, i, &text, NULL) < 0) {
		copy->nr_damaged++;
		return 0;
	}
	return writer_text(w, name, b->clock, text.data, text.size, err);
}

int kt_copy_add_buffer(struct kt_writer *w, struct kt_file *in, size_t buffer, struct kt_err *err)
{
	const struct kt_buffer *b = kt_file_buffer(in, buffer);
	struct kt_writer_buffer wb = {
		.name = b->name, .clock = b->clock, .page_size = b->page_size,
		.nr_cpus = (uint32_t)kt_file_info(in)->nr_cpus,
	};

	return b->is_text ? 0 : kt_writer_add_buffer(w, &wb, err);
}

/* @index: of the buffer in the output, not counting latency texts */
static int copy_cpus(struct kt_writer *w, struct kt_file *in, size_t buffer, int index,
		     struct kt_copy *copy, struct kt_err *err)
{
	const struct kt_buffer *b = kt_file_buffer(in, buffer);
	size_t cpu;
	int ret;

	for (cpu = 0; cpu < b->nr_cpus; cpu++) {
		ret = kt_writer_begin_cpu(w, index, b->cpus[cpu].cpu, err);
		if (ret < 0)
			return ret;
		ret = copy_cpu(w, in, buffer, cpu, copy, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int copy_buffers(struct kt_writer *w, struct kt_file *in, struct kt_copy *copy,
			struct kt_err *err)
{
	const struct kt_buffer *b;
	int ret, index = 0;
	size_t i;

	for (i = 0; i < kt_file_nr_buffers(in); i++) {
		ret = kt_copy_add_buffer(w, in, i, err);
		if (ret < 0)
			return ret;
	}
	for (i = 0; i < kt_file_nr_buffers(in); i++) {
		b = kt_file_buffer(in, i);
		ret = b->is_text ? kt_copy_text(w, in, i, b->name, copy, err)
				 : copy_cpus(w, in, i, index++, copy, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static uint64_t stored_size(const struct kt_file *in)
{
	const struct kt_buffer *b;
	uint64_t size = 0;
	size_t i, cpu;

	for (i = 0; (b = kt_file_buffer(in, i)); i++)
		for (cpu = 0; !b->is_text && cpu < b->nr_cpus; cpu++)
			size += b->cpus[cpu].size;
	return size;
}

int kt_copy_file(struct kt_file *in, const char *path, const struct kt_writer_opts *opts,
		 struct kt_copy *copy, struct kt_err *err)
{
	struct kt_writer_opts like = { 0 };
	struct kt_copy ignored = { 0 };
	struct kt_writer *w;
	int ret;

	kt_copy_opts(in, &like);
	w = kt_writer_create(path, opts ? opts : &like, err);
	if (!w)
		return kt_err_code(err, -EIO);
	if (copy)
		copy->total = stored_size(in);
	ret = kt_copy_meta(w, in, err);
	if (ret == 0)
		ret = copy_buffers(w, in, copy ? copy : &ignored, err);
	if (ret == 0)
		ret = kt_writer_finish(w, err);
	kt_writer_close(w);
	return ret;
}

void kt_copy_remove_parts(const char *path)
{
	part_unlink_all(path);
}
