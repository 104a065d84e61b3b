/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* v7.c - version 7: sections, and options that point to them */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "write/write.h"

#define SECTION_COMPRESSED 1
#define SECTION_HEADER 16

static int header(struct kt_writer *w, struct kt_err *err)
{
	struct str s = STR_INIT;
	int ret;

	writer_put_text(&s, w->method);
	writer_put_text(&s, w->method_version);
	w->next_at = w->pos + s.len;
	writer_put_u64(w, &s, 0);
	ret = s.failed ? kt_err_no_memory(err) : writer_append(w, s.buf, s.len, err);
	str_fini(&s);
	w->sections_at = w->pos;
	return ret;
}

/* A section's description is an offset into the table of strings at the end */
static uint32_t describe(struct kt_writer *w, const char *text)
{
	size_t at;

	for (at = 0; at < w->strings.len; at += strlen(w->strings.buf + at) + 1)
		if (strcmp(w->strings.buf + at, text) == 0)
			return (uint32_t)at;
	writer_put_text(&w->strings, text);
	return (uint32_t)at;
}

static void put_header(struct kt_writer *w, struct str *s, uint16_t id, uint16_t flags,
		       const char *what, uint64_t size)
{
	writer_put_u16(w, s, id);
	writer_put_u16(w, s, flags);
	writer_put_u32(w, s, describe(w, what));
	writer_put_u64(w, s, size);
}

static int put_compressed(struct kt_writer *w, struct str *s, uint16_t id, const char *what,
			  const void *data, size_t size, struct kt_err *err)
{
	size_t room = compress_bound(w->compress, size), len;
	char *frame;

	put_header(w, s, id, SECTION_COMPRESSED, what, 0);
	writer_put_u32(w, s, 0);
	writer_put_u32(w, s, (uint32_t)size);
	frame = str_room(s, room);
	if (!frame)
		return kt_err_no_memory(err);
	len = compress_run(w->compress, frame, room, data, size);
	if (!len)
		return kt_err_set(err, -EIO, "cannot compress the section '%s'", what);
	s->len += len;
	store_u64(s->buf + 8, 8 + len, w->swap);
	store_u32(s->buf + SECTION_HEADER, (uint32_t)len, w->swap);
	return 0;
}

static int section(struct kt_writer *w, uint16_t id, const char *what, const void *data,
		   size_t size, enum writer_how how, struct kt_err *err)
{
	struct str s = STR_INIT;
	int ret = 0;

	if (size > UINT32_MAX)
		return kt_err_set(err, -EFBIG, "the section '%s' is too big", what);
	if (how == WRITER_COMPRESS && w->compress) {
		ret = put_compressed(w, &s, id, what, data, size, err);
	} else {
		put_header(w, &s, id, how == WRITER_STORED ? SECTION_COMPRESSED : 0, what, size);
		str_addn(&s, data, size);
	}
	if (ret == 0 && s.failed)
		ret = kt_err_no_memory(err);
	if (ret == 0)
		ret = writer_append(w, s.buf, s.len, err);
	str_fini(&s);
	return ret;
}

static const char *meta_name(uint16_t id)
{
	switch (id) {
	case KT_OPTION_HEADER_INFO:   return "headers";
	case KT_OPTION_FTRACE_EVENTS: return "ftrace events";
	case KT_OPTION_EVENT_FORMATS: return "events format";
	case KT_OPTION_KALLSYMS:      return "kallsyms";
	case KT_OPTION_PRINTK:        return "printk";
	case KT_OPTION_CMDLINES:      return "command lines";
	case KT_OPTION_BTF_FILE:      return "btf file";
	case KT_OPTION_MODULES_FILE:  return "modules file";
	}
	return NULL;
}

static int meta(struct kt_writer *w, uint16_t id, const void *data, size_t size,
		enum writer_how how, struct kt_err *err)
{
	const char *what = meta_name(id);
	uint64_t at = w->pos;
	char offset[8];
	int ret;

	if (!what)
		return kt_err_set(err, -EINVAL, "option %u stores no metadata", id);
	if (w->nr_tail == NR_METAS)
		w->nr_tail = 0;		/* full: earlier sections cannot be retracted any more */
	w->tail[w->nr_tail].id = id;
	w->tail[w->nr_tail].pos = at;
	w->tail[w->nr_tail++].options = w->options.len;
	ret = section(w, id, what, data, size, how, err);
	if (ret < 0)
		return ret;
	store_u64(offset, at, w->swap);
	writer_put_option(w, id, offset, sizeof(offset));
	return w->options.failed ? kt_err_no_memory(err) : 0;
}

static int retract(struct kt_writer *w, uint16_t id, struct kt_err *err)
{
	size_t last = w->nr_tail - 1;

	if (!w->nr_tail || w->tail[last].id != id)
		return kt_err_set(err, -EINVAL, "section %u is not the last one written", id);
	if (ftruncate(w->fd, (off_t)w->tail[last].pos) < 0)
		return kt_err_set(err, -errno, "cannot shorten %s: %s", w->path,
				  strerror(errno));
	w->pos = w->tail[last].pos;
	w->options.len = w->tail[last].options;
	w->options.buf[w->options.len] = 0;
	w->nr_tail--;
	return 0;
}

/* Write the pending options as a section and append it to the chain */
static int flush(struct kt_writer *w, struct kt_err *err)
{
	uint64_t at = w->pos, next_at;
	int ret;

	if (!w->options.len)
		return 0;
	writer_put_u16(w, &w->options, KT_OPTION_DONE);
	writer_put_u32(w, &w->options, 8);
	writer_put_u64(w, &w->options, 0);
	if (w->options.failed)
		return kt_err_no_memory(err);
	next_at = at + SECTION_HEADER + w->options.len - 8;
	ret = section(w, KT_OPTION_DONE, "options", w->options.buf, w->options.len, WRITER_PLAIN,
		      err);
	if (ret == 0)
		ret = writer_patch_u64(w, w->next_at, at, err);
	w->next_at = next_at;
	w->nr_tail = 0;
	str_reset(&w->options);
	return ret;
}

static int begin_data(struct kt_writer *w, const char *name, uint16_t id, struct kt_err *err)
{
	struct str s = STR_INIT, what = STR_INIT;
	int ret;

	str_addf(&what, "buffer %s %s", id == KT_SECTION_DATA ? "flyrecord" : "latency", name);
	put_header(w, &s, id, w->compress ? SECTION_COMPRESSED : 0, what.buf, 0);
	ret = s.failed || what.failed ? kt_err_no_memory(err)
				      : writer_append(w, s.buf, s.len, err);
	str_fini(&what);
	str_fini(&s);
	w->nr_tail = 0;
	return ret;
}

static int end_data(struct kt_writer *w, uint64_t start, struct kt_err *err)
{
	return writer_patch_u64(w, start + 8, w->pos - start - SECTION_HEADER, err);
}

static int begin_buffer(struct kt_writer *w, struct writer_buffer *b, struct kt_err *err)
{
	b->start = w->pos;
	return begin_data(w, b->name, KT_SECTION_DATA, err);
}

static int put_buffer_option(struct kt_writer *w, uint16_t id, uint64_t start, const char *name,
			     const char *clock, const struct writer_buffer *b,
			     struct kt_err *err)
{
	struct str s = STR_INIT;
	bool failed;
	size_t i;

	writer_put_u64(w, &s, start);
	writer_put_text(&s, name);
	writer_put_text(&s, clock);
	if (b) {
		writer_put_u32(w, &s, b->page_size);
		writer_put_u32(w, &s, (uint32_t)b->nr);
	}
	for (i = 0; b && i < b->nr; i++) {
		writer_put_u32(w, &s, b->cpus[i].cpu);
		writer_put_u64(w, &s, b->cpus[i].offset);
		writer_put_u64(w, &s, b->cpus[i].size);
	}
	writer_put_option(w, id, s.buf, s.len);
	failed = s.failed || w->options.failed;
	str_fini(&s);
	return failed ? kt_err_no_memory(err) : 0;
}

static int end_buffer(struct kt_writer *w, struct writer_buffer *b, struct kt_err *err)
{
	int ret = end_data(w, b->start, err);

	return ret < 0 ? ret
		       : put_buffer_option(w, KT_OPTION_BUFFER, b->start, b->name, b->clock, b,
					   err);
}

/* Latency text; if compressed, in chunks like sub-buffers */
static int text(struct kt_writer *w, const char *name, const char *clock, const char *text,
		size_t size, struct kt_err *err)
{
	uint64_t start = w->pos;
	char count[4] = { 0 };
	uint32_t nr = 0;
	size_t n;
	int ret;

	ret = begin_data(w, name, KT_OPTION_BUFFER_TEXT, err);
	if (ret < 0)
		return ret;
	/* Room for the number of chunks, which is not known yet */
	ret = w->compress ? writer_append(w, count, sizeof(count), err) : 0;
	for (; ret == 0 && size; size -= n, text += n, nr++) {
		n = size < COMPRESS_CHUNK ? size : COMPRESS_CHUNK;
		ret = writer_put_chunk(w, text, n, err);
	}
	if (ret < 0)
		return ret;
	store_u32(count, nr, w->swap);
	ret = w->compress ? writer_patch(w, start + SECTION_HEADER, count, sizeof(count), err) : 0;
	if (ret < 0)
		return ret;
	ret = end_data(w, start, err);
	return ret < 0 ? ret
		       : put_buffer_option(w, KT_OPTION_BUFFER_TEXT, start, name, clock, NULL, err);
}

/* Adjusts the offsets of metadata in options that are not written yet */
static void shift_options(struct kt_writer *w, uint64_t by)
{
	size_t at, len;
	uint16_t id;
	char *data;

	for (at = 0; at < w->options.len; at += 6 + len) {
		id = load_u16(w->options.buf + at, w->swap);
		len = load_u32(w->options.buf + at + 2, w->swap);
		data = w->options.buf + at + 6;
		if (meta_name(id))
			store_u64(data, load_u64(data, w->swap) + by, w->swap);
	}
}

/* Makes the final head of the file, in which a section with the existing data comes first */
static int make_head(struct kt_writer *w, uint64_t end, uint64_t by, struct kt_err *err)
{
	char *bytes = str_room(&w->head, KT_WRITER_HEAD);
	struct str section = STR_INIT;
	uint64_t options;

	if (!bytes || w->sections_at + SECTION_HEADER > KT_WRITER_HEAD)
		return kt_err_no_memory(err);
	memset(bytes, 0, KT_WRITER_HEAD);
	if (pread(w->fd, bytes, w->sections_at, 0) != (ssize_t)w->sections_at)
		return kt_err_set(err, -EIO, "cannot read %s", w->path);
	options = load_u64(bytes + w->sections_at - 8, w->swap);
	store_u64(bytes + w->sections_at - 8, options + by, w->swap);
	put_header(w, &section, KT_SECTION_DATA, w->compress ? SECTION_COMPRESSED : 0,
		   "data of all buffers", end - w->sections_at - SECTION_HEADER);
	if (!section.failed)
		memcpy(bytes + w->sections_at, section.buf, section.len);
	w->head.len = KT_WRITER_HEAD;
	options = section.failed;
	str_fini(&section);
	return options ? kt_err_no_memory(err) : 0;
}

static int move(struct kt_writer *w, int fd, uint64_t end, struct kt_err *err)
{
	uint64_t by, size = w->pos - w->sections_at;
	int ret, from = w->fd;

	if (w->next_at < w->sections_at)
		return kt_err_set(err, -EINVAL, "%s was not flushed before it is moved", w->path);
	end = (end + 4095) & ~4095ull;
	by = end - w->sections_at;
	ret = make_head(w, end, by, err);
	if (ret < 0)
		return ret;
	w->fd = fd;
	w->pos = end;
	ret = writer_copy_range(w, from, w->sections_at, size, err);
	if (ret < 0) {
		w->fd = from;
		w->pos = w->sections_at + size;
		return ret;
	}
	close(from);
	w->next_at += by;
	shift_options(w, by);
	w->nr_tail = 0;
	return 0;
}

static int finish(struct kt_writer *w, struct kt_err *err)
{
	int ret;

	writer_put_index(w);
	ret = flush(w, err);
	if (ret < 0)
		return ret;
	/* Add the table's own description before its size is computed. */
	describe(w, "strings");
	if (w->strings.failed)
		return kt_err_no_memory(err);
	ret = section(w, KT_OPTION_STRINGS, "strings", w->strings.buf, w->strings.len,
		      WRITER_COMPRESS, err);
	return ret < 0 || !w->head.len ? ret : writer_patch(w, 0, w->head.buf, w->head.len, err);
}

const struct writer_format writer_v7 = {
	.header = header, .meta = meta, .retract = retract,
	.begin_buffer = begin_buffer, .end_buffer = end_buffer, .text = text,
	.flush = flush, .move = move, .finish = finish,
};
