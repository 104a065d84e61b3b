/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* data.c - write ring-buffer data to the file, CPU by CPU */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/bytes.h"
#include "write/write.h"

int kt_writer_add_buffer(struct kt_writer *w, const struct kt_writer_buffer *buf,
			 struct kt_err *err)
{
	struct writer_buffer *b;
	ptrdiff_t current = w->buffer ? w->buffer - w->buffers : -1;

	if (w->fixed_done)
		return kt_err_set(err, -EINVAL, "version 6 takes no buffers after the data");
	if (w->opts.version == 6 && buf->page_size && buf->page_size != w->opts.page_size)
		return kt_err_set(err, -EINVAL,
				  "version 6 has one size of sub-buffers for all buffers, not %u "
				  "and %u", w->opts.page_size, buf->page_size);
	if (!array_reserve(w->buffers, w->nr_buffers))
		return kt_err_no_memory(err);
	w->buffer = current >= 0 ? &w->buffers[current] : NULL;
	b = &w->buffers[w->nr_buffers];
	*b = (struct writer_buffer) {
		.name = strdup(buf->name),
		/* trace-cmd cannot read a version 6 file with an empty clock */
		.clock = strdup(*buf->clock ? buf->clock : "local"),
		.page_size = buf->page_size, .nr_cpus = buf->nr_cpus,
	};
	w->nr_buffers++;
	return b->name && b->clock ? (int)w->nr_buffers - 1 : kt_err_no_memory(err);
}

void writer_free_buffers(struct kt_writer *w)
{
	size_t i, cpu;

	for (i = 0; i < w->nr_buffers; i++) {
		for (cpu = 0; cpu < w->buffers[i].nr; cpu++)
			summary_list_destroy(w->buffers[i].cpus[cpu].summaries);
		free(w->buffers[i].name);
		free(w->buffers[i].clock);
		free(w->buffers[i].cpus);
	}
	free(w->buffers);
}

/* Writes a compressed chunk after its sizes */
static int put_frame(struct kt_writer *w, const struct packed *p, struct kt_err *err)
{
	char head[8];
	int ret;

	w->nr_chunks++;
	if (!p->frame_size)
		return kt_err_set(err, -EIO, "cannot compress data for %s", w->path);
	store_u32(head, (uint32_t)p->frame_size, w->swap);
	store_u32(head + 4, (uint32_t)p->raw_size, w->swap);
	ret = writer_append(w, head, sizeof(head), err);
	if (ret < 0)
		return ret;
	ret = writer_append(w, p->frame, p->frame_size, err);
	if (ret == 0 && w->cpu)
		writer_note_chunk(w, p->frame_size, p->raw_size,
				  writer_summarize(w, p->raw, p->raw_size));
	return ret;
}

/* A chunk in its stored form: with its sizes before it if compressed, else just the bytes */
int writer_put_chunk(struct kt_writer *w, const void *data, size_t size, struct kt_err *err)
{
	struct packed p = { .raw = data, .raw_size = size, .frame = w->frame };

	if (w->compress) {
		p.frame_size = compress_run(w->compress, w->frame, w->frame_room, data, size);
		return put_frame(w, &p, err);
	}
	w->nr_chunks++;
	return writer_append(w, data, size, err);
}

static int flush_stage(struct kt_writer *w, struct kt_err *err)
{
	struct packed done;
	int ret = 0;

	if (!w->stage.len)
		return 0;
	if (!w->pack) {
		ret = writer_put_chunk(w, w->stage.buf, w->stage.len, err);
	} else {
		if (!pack_has_room(w->pack) && pack_take(w->pack, &done))
			ret = put_frame(w, &done, err);
		if (ret == 0 && pack_put(w->pack, w->stage.buf, w->stage.len) < 0)
			ret = kt_err_no_memory(err);
	}
	str_reset(&w->stage);
	return ret;
}

/* Writes all pending data to the file, before anything else is written */
static int flush_data(struct kt_writer *w, struct kt_err *err)
{
	int ret = flush_stage(w, err);
	struct packed done;

	while (ret == 0 && w->pack && pack_take(w->pack, &done))
		ret = put_frame(w, &done, err);
	return ret;
}

static int end_cpu(struct kt_writer *w, struct kt_err *err)
{
	struct writer_cpu *c = w->cpu;
	char count[4];
	int ret;

	if (!c)
		return 0;
	ret = flush_data(w, err);
	w->cpu = NULL;
	c->size = w->pos - c->offset;
	if (ret < 0 || !w->compress)
		return ret;
	store_u32(count, w->nr_chunks, w->swap);
	return writer_patch(w, c->offset, count, sizeof(count), err);
}

int writer_end_buffer(struct kt_writer *w, struct kt_err *err)
{
	struct writer_buffer *b = w->buffer;
	int ret = end_cpu(w, err);

	w->buffer = NULL;
	if (ret < 0 || !b)
		return ret;
	return w->format->end_buffer(w, b, err);
}

static int begin_buffer(struct kt_writer *w, struct writer_buffer *b, struct kt_err *err)
{
	int ret;

	if (w->buffer == b)
		return 0;
	ret = writer_end_buffer(w, err);
	if (ret < 0)
		return ret;
	if (b->begun)
		return kt_err_set(err, -EINVAL, "buffer '%s' was ended before", b->name);
	b->begun = true;
	ret = w->format->begin_buffer(w, b, err);
	w->buffer = ret < 0 ? NULL : b;
	return ret;
}

/* A buffer without data is still a buffer: readers must see its name */
int writer_touch_buffers(struct kt_writer *w, struct kt_err *err)
{
	int ret = writer_end_buffer(w, err);
	size_t i;

	for (i = 0; ret == 0 && i < w->nr_buffers; i++) {
		if (w->buffers[i].begun)
			continue;
		ret = begin_buffer(w, &w->buffers[i], err);
		if (ret == 0)
			ret = writer_end_buffer(w, err);
	}
	return ret;
}

/* Starts the buffer to which the next data belongs */
static int begin_on(struct kt_writer *w, int buffer, int cpu, struct kt_err *err)
{
	int ret;

	if (buffer < 0 || (size_t)buffer >= w->nr_buffers || cpu < 0)
		return kt_err_set(err, -EINVAL, "no buffer %d, CPU %d", buffer, cpu);
	ret = end_cpu(w, err);
	return ret < 0 ? ret : begin_buffer(w, &w->buffers[buffer], err);
}

static struct writer_cpu *add_cpu(struct kt_writer *w, int cpu, uint64_t offset)
{
	struct writer_buffer *b = w->buffer;
	struct writer_cpu *c = array_add(b->cpus, b->nr);

	if (c)
		*c = (struct writer_cpu) { .cpu = (uint32_t)cpu, .offset = offset };
	return c;
}

int kt_writer_begin_cpu(struct kt_writer *w, int buffer, int cpu, struct kt_err *err)
{
	int ret = begin_on(w, buffer, cpu, err);

	if (ret == 0)
		ret = writer_align(w, w->buffer->page_size > 4096 ? w->buffer->page_size : 4096,
				   err);
	if (ret < 0)
		return ret;
	w->cpu = add_cpu(w, cpu, w->pos);
	if (!w->cpu)
		return kt_err_no_memory(err);
	w->nr_chunks = 0;
	return w->compress ? writer_append(w, "\0\0\0\0", 4, err) : 0;
}

static int need_cpu(struct kt_writer *w, struct kt_err *err)
{
	return w->cpu ? 0 : kt_err_set(err, -EINVAL, "data without a CPU");
}

/* As many whole sub-buffers as fit into a chunk */
static size_t chunk_size(const struct kt_writer *w)
{
	uint32_t page = w->buffer->page_size;

	return page && page <= COMPRESS_CHUNK ? COMPRESS_CHUNK / page * page : COMPRESS_CHUNK;
}

int kt_writer_data(struct kt_writer *w, const void *pages, size_t size, struct kt_err *err)
{
	const char *p = pages;
	size_t n, chunk;
	int ret = need_cpu(w, err);

	if (ret < 0 || !w->compress)
		return ret < 0 ? ret : writer_append(w, pages, size, err);
	for (chunk = chunk_size(w); ret == 0 && size; p += n, size -= n) {
		n = chunk - w->stage.len < size ? chunk - w->stage.len : size;
		str_addn(&w->stage, p, n);
		if (w->stage.failed)
			return kt_err_no_memory(err);
		if (w->stage.len == chunk)
			ret = flush_stage(w, err);
	}
	return ret;
}

int kt_writer_chunk(struct kt_writer *w, const struct kt_raw_chunk *chunk, struct kt_err *err)
{
	char head[8];
	int ret = need_cpu(w, err);

	if (ret < 0)
		return ret;
	ret = flush_data(w, err);
	if (ret < 0)
		return ret;
	w->nr_chunks++;
	store_u32(head, chunk->size, w->swap);
	store_u32(head + 4, chunk->raw_size, w->swap);
	ret = w->compress ? writer_append(w, head, sizeof(head), err) : 0;
	if (ret < 0)
		return ret;
	ret = writer_append(w, chunk->data, chunk->size, err);
	if (ret < 0)
		return ret;
	writer_note_chunk(w, chunk->size, chunk->raw_size, chunk->summary);
	return 0;
}

/* For two file systems between which the kernel cannot copy */
static int copy_by_hand(struct kt_writer *w, int fd, off_t offset, uint64_t size,
			struct kt_err *err)
{
	size_t room = 1 << 20;
	char *buf = malloc(room);
	ssize_t n = 1;
	int ret = buf ? 0 : kt_err_no_memory(err);

	for (; ret == 0 && size && n > 0; size -= (uint64_t)n, offset += n) {
		n = pread(fd, buf, size < room ? size : room, offset);
		if (n > 0)
			ret = writer_append(w, buf, (size_t)n, err);
		else
			ret = kt_err_set(err, n ? -errno : -EIO, "cannot copy data to %s: %s",
					 w->path, n ? strerror(errno) : "it ends early");
	}
	free(buf);
	return ret;
}

/* Shares blocks if the file system can, else copies */
int writer_copy_range(struct kt_writer *w, int fd, uint64_t offset, uint64_t size,
		      struct kt_err *err)
{
	off_t from = (off_t)offset, to = (off_t)w->pos;
	ssize_t n;

	while (size) {
		n = copy_file_range(fd, &from, w->fd, &to, size, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == ENOSPC || errno == EIO || errno == EDQUOT))
			return kt_err_set(err, -errno, "cannot write %s: %s", w->path,
					  strerror(errno));
		if (n <= 0)
			return copy_by_hand(w, fd, from, size, err);
		w->pos += (uint64_t)n;
		size -= (uint64_t)n;
	}
	return 0;
}

int writer_splice(struct kt_writer *w, int fd, off_t offset, uint64_t size,
		  uint32_t nr_chunks, struct kt_err *err)
{
	int ret = need_cpu(w, err);

	if (ret == 0)
		ret = flush_data(w, err);
	if (ret < 0)
		return ret;
	w->nr_chunks += nr_chunks;
	return writer_copy_range(w, fd, (uint64_t)offset, size, err);
}

int writer_place(struct kt_writer *w, int buffer, int cpu, uint64_t offset, uint64_t size,
		 uint32_t nr_chunks, struct kt_err *err)
{
	struct writer_cpu *c;
	char count[4];
	int ret;

	if (!w->keep_part)
		return kt_err_set(err, -EINVAL, "%s holds no data yet", w->path);
	ret = begin_on(w, buffer, cpu, err);
	if (ret < 0)
		return ret;
	c = add_cpu(w, cpu, offset);
	if (!c)
		return kt_err_no_memory(err);
	c->size = size;
	store_u32(count, nr_chunks, w->swap);
	return w->compress ? writer_patch(w, offset, count, sizeof(count), err) : 0;
}
