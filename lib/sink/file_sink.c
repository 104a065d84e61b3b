/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* file_sink.c - a recording into a file: open and close, buffers, texts */
#include "sink/file_sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/moment.h"
#include "sink/file_priv.h"
#include "write/write.h"

static int add_buffer(struct sink *s, const struct sink_buffer *b, struct kt_err *err)
{
	struct file_sink *f = file_sink_of(s);
	struct file_buffer *added = array_add(f->buffers, f->nr_buffers);
	int ret = 0;

	if (!added)
		return kt_err_no_memory(err);
	*added = (struct file_buffer){ .page_size = b->page_size };
	added->name = strdup(b->name);
	added->clock = strdup(b->clock);
	if (!added->name || !added->clock)
		return kt_err_no_memory(err);
	if (f->nr_buffers == 1)
		ret = writer_set_page_size(f->writer, b->page_size, err);
	else if (f->opts.version == 6 && b->page_size != f->buffers[0].page_size)
		ret = kt_err_set(err, -EINVAL,
				 "version 6 has one size of sub-buffers for all buffers");
	return ret < 0 ? ret : (int)f->nr_buffers - 1;
}

static struct sink_cpu *add_cpu(struct sink *s, int buffer, int cpu, size_t room,
				struct kt_err *err)
{
	struct file_sink *f = file_sink_of(s);
	struct part *p = calloc(1, sizeof(*p));

	if (!p) {
		kt_err_no_memory(err);
		return NULL;
	}
	p->head = (struct sink_cpu){ .sink = s, .cpu = cpu };
	p->buffer = buffer;
	p->room = room;
	atomic_store(&p->fd, -1);
	*f->last = p;
	f->last = &p->next;
	return f->opts.follow && part_begin(p, err) < 0 ? NULL : &p->head;
}

/* ---- texts ---- */

/* Version 6 is written at the end, with all texts before the data: keep them until then. */
static int keep_text(struct file_sink *f, uint16_t id, bool is_option, const void *data,
		     size_t size, struct kt_err *err)
{
	struct file_text *t;

	if (f->opts.version != 6)
		return 0;
	t = array_add(f->texts, f->nr_texts);
	if (!t)
		return kt_err_no_memory(err);
	*t = (struct file_text){ .id = id, .is_option = is_option, .data = STR_INIT };
	str_addn(&t->data, data, size);
	return t->data.failed ? kt_err_no_memory(err) : 0;
}

static int add_meta(struct sink *s, uint16_t id, const void *data, size_t size, bool provisional,
		    struct kt_err *err)
{
	struct file_sink *f = file_sink_of(s);
	int ret = provisional ? writer_provisional(f->writer, id, data, size, err) :
				kt_writer_meta(f->writer, id, data, size, err);

	return ret < 0 ? ret : keep_text(f, id, false, data, size, err);
}

static int retract(struct sink *s, uint16_t id, struct kt_err *err)
{
	struct file_sink *f = file_sink_of(s);
	int ret = writer_retract(f->writer, id, err);
	struct file_text *t;

	while (ret == 0 && f->nr_texts) {
		t = &f->texts[--f->nr_texts];
		str_fini(&t->data);
		if (t->id == id && !t->is_option)
			break;
	}
	return ret;
}

static int add_option(struct sink *s, uint16_t id, const void *data, size_t size,
		      struct kt_err *err)
{
	struct file_sink *f = file_sink_of(s);
	int ret = kt_writer_option(f->writer, id, data, size, err);

	return ret < 0 ? ret : keep_text(f, id, true, data, size, err);
}

static int flush(struct sink *s, struct kt_err *err)
{
	return writer_flush(file_sink_of(s)->writer, err);
}

static int add_text(struct sink *s, const struct sink_buffer *b, const char *text, size_t size,
		    struct kt_err *err)
{
	struct file_sink *f = file_sink_of(s);
	int nr = add_buffer(s, b, err);
	char *copy = nr < 0 ? NULL : malloc(size + 1);

	if (!copy)
		return nr < 0 ? nr : kt_err_no_memory(err);
	memcpy(copy, text, size);
	f->buffers[nr].text = copy;
	f->buffers[nr].text_size = size;
	return 0;
}

static uint64_t written(const struct sink *s)
{
	return writer_size(((const struct file_sink *)s)->writer);
}

/* ---- open and close ---- */

static void free_all(struct file_sink *f)
{
	struct part *p;
	size_t i;

	while ((p = f->parts)) {
		f->parts = p->next;
		part_destroy(p);
	}
	for (i = 0; i < f->nr_buffers; i++) {
		free(f->buffers[i].name);
		free(f->buffers[i].clock);
		free(f->buffers[i].text);
	}
	for (i = 0; i < f->nr_texts; i++)
		str_fini(&f->texts[i].data);
	free(f->buffers);
	free(f->texts);
	kt_writer_close(f->writer);
	if (f->lock_fd >= 0)
		close(f->lock_fd);
	if (f->shared.fd >= 0)
		close(f->shared.fd);
	file_free_reserve(f);
	pthread_mutex_destroy(&f->shared.lock);
	pthread_mutex_destroy(&f->reserve_lock);
	free(f->compression);
	free(f->kept);
	free(f->path);
	free(f);
}

static void close_sink(struct sink *s, bool discard)
{
	if (discard)
		file_give_output_back(file_sink_of(s));
	free_all(file_sink_of(s));
}

static const struct sink_ops file_sink_ops = {
	.buffer = add_buffer,
	.cpu = add_cpu,
	.reserve = file_reserve,
	.portion = shared_portion,
	.append = part_append,
	.idle = shared_idle,
	.sync = part_sync,
	.counters = part_counters,
	.meta = add_meta,
	.retract = retract,
	.option = add_option,
	.flush = flush,
	.text = add_text,
	.finish = file_finish,
	.size = written,
	.close = close_sink,
};

/* Version 6 cannot grow: record it as version 7 and convert it at the end */
static int open_writer(struct file_sink *f, struct kt_err *err)
{
	struct kt_writer_opts opts = { .version = 7, .compression = f->compression };
	struct stat st;

	kt_writer_opts_host(&opts, 4096);
	f->writer = kt_writer_create(f->path, &opts, err);
	if (!f->writer) {
		/* A full disk has room for a file name, but not for content. */
		if (fstat(f->lock_fd, &st) == 0 && st.st_size == 0)
			unlink(f->path);
		return err->code;
	}
	writer_on_full(f->writer, file_use_reserve_for_text, f);
	/* Shortly after boot good random numbers take seconds; this one need not be secret. */
	if (getrandom(&f->trace_id, sizeof(f->trace_id), GRND_INSECURE) != sizeof(f->trace_id))
		f->trace_id = (uint64_t)getpid() << 32 ^ moment_ns();
	return add_option(&f->sink, KT_OPTION_TRACEID, &f->trace_id, sizeof(f->trace_id), err);
}

/* Chooses the compression of chunks, and thus how extents are linked */
static int choose_compression(struct file_sink *f, struct kt_err *err)
{
	const char *wanted = f->opts.compression ? f->opts.compression : "any";
	struct compress *c;
	int ret = kt_writer_check(f->opts.version, f->opts.compression, err);

	if (ret == 0)
		ret = compress_open(&c, f->opts.version == 6 ? "none" : wanted, err);
	if (ret < 0)
		return ret;
	f->compression = strdup(c ? wanted : "none");
	f->skip_magic = compress_skip_magic(c);
	f->ends_itself = compress_ends_itself(c);
	f->sink.compression = f->compression;
	f->sink.compressed = c != NULL;
	/* The rows of dropped chunks would stay forever */
	f->sink.wants_summaries = c && !f->opts.max_kb_per_cpu && !f->opts.follow;
	compress_close(c);
	return f->compression ? 0 : kt_err_no_memory(err);
}

static int open_file(struct file_sink *f, const char *path, struct kt_err *err)
{
	int ret;

	f->path = strdup(path);
	if (!f->path)
		return kt_err_no_memory(err);
	ret = choose_compression(f, err);
	if (ret == 0)
		ret = file_take_output(f, err);
	if (ret < 0)
		return ret;
	part_unlink_all(f->path);
	return open_writer(f, err);
}

struct sink *file_sink_create(const char *path, const struct file_sink_opts *opts,
			      struct kt_err *err)
{
	struct kt_err here = { 0 };
	struct file_sink *f = calloc(1, sizeof(*f));

	if (!f) {
		kt_err_no_memory(err);
		return NULL;
	}
	f->sink.ops = &file_sink_ops;
	f->opts = *opts;
	f->last = &f->parts;
	f->lock_fd = f->shared.fd = f->reserve_fd = -1;
	atomic_store(&f->shared.end, PART_DATA);
	pthread_mutex_init(&f->shared.lock, NULL);
	pthread_mutex_init(&f->reserve_lock, NULL);
	if (open_file(f, path, &here) < 0) {
		kt_err_set(err, here.code, "%s", here.msg);
		close_sink(&f->sink, f->kept != NULL);
		return NULL;
	}
	f->opts.compression = f->compression;
	return &f->sink;
}

const char *file_sink_kept(const struct sink *s)
{
	return ((const struct file_sink *)s)->kept;
}
