/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* join.c - join the texts and the parts of all CPUs into the finished file */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sink/file_priv.h"
#include "write/write.h"

/* The highest CPU + 1; the table of a version 6 file has room for it */
static uint32_t cpu_count(const struct file_sink *f)
{
	const struct part *p;
	uint32_t nr = 0;

	for (p = f->parts; p; p = p->next)
		if ((uint32_t)p->head.cpu >= nr)
			nr = (uint32_t)p->head.cpu + 1;
	return nr;
}

/* Writes the chunks of a CPU: they stay in place, or are appended */
static int write_chunks(struct kt_writer *w, int buffer, const struct part *p, struct kt_err *err)
{
	int ret;

	if (p->fd < 0)
		return 0;
	if (p->shared) {	/* the number of chunks, if any, precedes @start */
		uint64_t at = p->start - (file_of(p)->sink.compressed ? 4 : 0);

		return writer_place(w, buffer, p->head.cpu, at, p->pos - at, p->nr_chunks, err);
	}
	ret = kt_writer_begin_cpu(w, buffer, p->head.cpu, err);
	return ret < 0 ? ret
		       : writer_splice(w, p->fd, (off_t)p->start, p->pos - p->start,
				       p->nr_chunks, err);
}

/* @number: of the buffer @from in the file; a text has none */
static int write_cpus(struct file_sink *f, struct kt_writer *w, int from, int number,
		      struct kt_err *err)
{
	struct part *p;
	int ret = 0;

	for (p = f->parts; ret == 0 && p; p = p->next) {
		if (p->buffer != from)
			continue;
		ret = write_chunks(w, number, p, err);
		if (ret == 0 && p->index) {
			writer_take_summaries(w, p->index);
			p->index = NULL;
		}
	}
	return ret;
}

static int declare_buffers(const struct file_sink *f, struct kt_writer *w, struct kt_err *err)
{
	const struct file_buffer *b = f->buffers;
	int ret = 0;

	for (; ret >= 0 && b < f->buffers + f->nr_buffers; b++) {
		struct kt_writer_buffer wb = {
			.name = b->name, .clock = b->clock, .page_size = b->page_size,
			.nr_cpus = cpu_count(f),
		};

		if (!b->text)
			ret = kt_writer_add_buffer(w, &wb, err);
	}
	return ret < 0 ? ret : 0;
}

static int write_buffers(struct file_sink *f, struct kt_writer *w, struct kt_err *err)
{
	int ret = declare_buffers(f, w, err), number = 0;
	size_t i;

	for (i = 0; ret == 0 && i < f->nr_buffers; i++) {
		const struct file_buffer *b = &f->buffers[i];

		if (b->text)
			ret = writer_text(w, b->name, b->clock, b->text, b->text_size, err);
		else
			ret = write_cpus(f, w, (int)i, number++, err);
	}
	return ret;
}

/* ---- version 6: written from memory in one go ---- */

static int write_texts(const struct file_sink *f, struct kt_writer *w, struct kt_err *err)
{
	const struct file_text *t = f->texts;
	int ret = 0;

	for (; ret == 0 && t < f->texts + f->nr_texts; t++)
		ret = t->is_option ? kt_writer_option(w, t->id, t->data.buf, t->data.len, err)
				   : kt_writer_meta(w, t->id, t->data.buf, t->data.len, err);
	return ret;
}

static int write_v6(struct file_sink *f, struct kt_err *err)
{
	struct kt_writer_opts opts = { .version = 6, .replace = true };
	struct kt_writer *w;
	int ret;

	kt_writer_opts_host(&opts, f->nr_buffers ? f->buffers[0].page_size : 4096);
	w = kt_writer_create(f->path, &opts, err);
	if (!w)
		return err ? err->code : -EIO;
	ret = write_texts(f, w, err);
	if (ret == 0)
		ret = write_buffers(f, w, err);
	if (ret == 0)
		ret = kt_writer_finish(w, err);
	kt_writer_close(w);
	return ret;
}

/* ---- version 7 ---- */

/* End of the data in the shared file; the last extent may not be full; 0: no data */
static uint64_t shared_end(const struct file_sink *f)
{
	const struct part *p;
	uint64_t end = 0;

	for (p = f->parts; p; p = p->next)
		if (p->shared && p->pos > end)
			end = p->pos;
	return end ? end + shared_link(f) : 0;
}

/* Long parts are already in the shared file: write everything else after them */
static int move_to_shared(struct file_sink *f, uint64_t end, struct kt_err *err)
{
	char *path = part_shared_path(f->path);
	int ret = path ? writer_move(f->writer, path, end, err) : kt_err_no_memory(err);

	free(path);
	return ret;
}

/* If the disk is full, the unfinished file and its parts stay unchanged */
static int write_v7(struct file_sink *f, struct kt_err *err)
{
	uint64_t safe = writer_size(f->writer), end = shared_end(f);
	int ret = end ? move_to_shared(f, end, err) : 0;

	if (ret == 0)
		ret = write_buffers(f, f->writer, err);
	if (ret == 0)
		ret = kt_writer_finish(f->writer, err);
	if (ret < 0 && (truncate(f->path, (off_t)safe) < 0 ||
			(end && ftruncate(f->shared.fd, (off_t)end) < 0)))
		kt_err_add(err, ret, "nor can it be truncated to its valid part: %s",
			   strerror(errno));
	return ret;
}

int file_finish(struct sink *s, struct kt_err *err)
{
	struct file_sink *f = file_sink_of(s);
	int ret;

	file_free_reserve(f);
	ret = f->opts.version == 6 ? write_v6(f, err) : write_v7(f, err);
	if (ret == 0)
		part_unlink_all(f->path);
	return ret;
}
