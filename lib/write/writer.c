/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* writer.c - create a trace.dat, of either version */
#include <ktrail/writer.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "codec/codec.h"
#include "file/part.h"
#include "write/write.h"

#define PAGE_SIZE_AT 14		/* after magic, version, byte order and size of a long */

void kt_writer_opts_host(struct kt_writer_opts *opts, uint32_t page_size)
{
	opts->big_endian = KT_HOST_BIG;
	opts->long_size = sizeof(long);
	opts->page_size = page_size;
	/* The kernel's long may be wider: see header_page */
	opts->layout = (struct kt_page_layout){ .commit_offset = 8, .commit_size = sizeof(long),
						.data_offset = 8 + sizeof(long) };
}

#define MAX_NAMES 1000

/* Sets w->part to an unused name; returns its descriptor, or -1 with errno */
static int open_beside(struct kt_writer *w, mode_t mode)
{
	unsigned int i;
	int fd = -1;

	for (i = 0; i < MAX_NAMES && fd < 0; i++) {
		free(w->part);
		if (asprintf(&w->part, "%s.new%u", w->path, i) < 0) {
			w->part = NULL;
			return -1;
		}
		fd = open(w->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd;
}

/* A file that replaces another one gets its permissions, never wider ones. */
static int open_replacing(struct kt_writer *w, struct kt_err *err)
{
	struct stat st;
	bool there = lstat(w->path, &st) == 0;
	mode_t mode = w->opts.mode ? w->opts.mode : 0644;
	int ret;

	if (there && !S_ISREG(st.st_mode))
		return kt_err_set(err, S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL,
				  "%s is not a regular file", w->path);
	if (there)
		mode = w->opts.mode ? mode & st.st_mode : st.st_mode & 0777;
	w->fd = open_beside(w, mode);
	if (w->fd < 0) {
		ret = -errno;
		kt_err_set(err, ret, "cannot create %s: %s", w->path, strerror(errno));
		free(w->part);
		w->part = NULL;		/* not ours */
		return ret;
	}
	if (there && (fchown(w->fd, st.st_uid, st.st_gid) < 0 ? fchmod(w->fd, mode & ~070u)
							       : fchmod(w->fd, mode)) < 0)
		return writer_error(w, -errno, err);
	return 0;
}

static int open_file(struct kt_writer *w, struct kt_err *err)
{
	if (w->opts.replace)
		return open_replacing(w, err);
	w->fd = open(w->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (w->fd < 0)
		return kt_err_set(err, -errno, "cannot create %s: %s", w->path, strerror(errno));
	return 0;
}

static int choose_method(struct kt_writer *w, struct kt_err *err)
{
	const char *spec = w->opts.compression ? w->opts.compression : "any";
	const char *version = w->opts.compression_version;
	int ret;

	if (w->opts.version == 6 && strcmp(spec, "any") == 0)
		spec = "none";
	w->has_level = strchr(spec, ':');
	ret = compress_open(&w->compress, spec, err);
	if (ret == 0 && w->compress && w->opts.threads)
		ret = pack_open(&w->pack, spec, w->opts.threads, err);
	if (ret < 0)
		return ret;
	w->method = strdup(compress_name(w->compress));
	w->method_version = strdup(version ? version : compress_version(w->compress));
	w->frame_room = compress_bound(w->compress, COMPRESS_CHUNK) + 8;
	w->frame = w->compress ? malloc(w->frame_room) : NULL;
	if (!w->method || !w->method_version || (w->compress && !w->frame))
		return kt_err_no_memory(err);
	return 0;
}

static int init(struct kt_writer *w, const char *path, struct kt_err *err)
{
	const char *version = w->opts.version == 6 ? "6" : "7";
	struct str head = STR_INIT;
	int ret;

	w->path = w->opts.replace ? part_home(path) : strdup(path);
	if (!w->path)
		return kt_err_no_memory(err);
	ret = choose_method(w, err);
	if (ret < 0)
		return ret;
	ret = open_file(w, err);
	if (ret < 0)
		return ret;

	str_addn(&head, "\x17\x08\x44tracing", 10);
	writer_put_text(&head, version);
	str_addc(&head, w->opts.big_endian);
	str_addc(&head, (char)w->opts.long_size);
	writer_put_u32(w, &head, w->opts.page_size);
	ret = head.failed ? kt_err_no_memory(err) : writer_append(w, head.buf, head.len, err);
	str_fini(&head);
	return ret < 0 ? ret : w->format->header(w, err);
}

int kt_writer_check(int version, const char *compression, struct kt_err *err)
{
	struct compress *c = NULL;
	int ret;

	if (version && version != 6 && version != 7)
		return kt_err_set(err, -EINVAL, "no version %d of the file format, only: 6 7",
				  version);
	if (!compression)
		return 0;
	if (version == 6 && strcmp(compression, "any") != 0 && strcmp(compression, "none") != 0)
		return kt_err_set(err, -EINVAL,
				  "version 6 of the file format cannot be compressed");
	ret = compress_open(&c, compression, err);
	compress_close(c);
	return ret;
}

struct kt_writer *kt_writer_create(const char *path, const struct kt_writer_opts *opts,
				   struct kt_err *err)
{
	struct kt_writer *w;
	size_t i;

	if (kt_writer_check(opts->version, opts->compression, err) < 0)
		return NULL;
	w = calloc(1, sizeof(*w));
	if (!w) {
		kt_err_no_memory(err);
		return NULL;
	}
	w->fd = -1;
	w->opts = *opts;
	w->opts.version = opts->version ? opts->version : 7;
	w->opts.long_size = opts->long_size ? opts->long_size : (int)sizeof(long);
	w->swap = opts->big_endian != KT_HOST_BIG;
	w->format = opts->version == 6 ? &writer_v6 : &writer_v7;
	w->options = w->strings = w->stage = w->head = (struct str)STR_INIT;
	for (i = 0; i < NR_METAS; i++)
		w->metas[i] = (struct str)STR_INIT;
	if (init(w, path, err) < 0) {
		kt_writer_close(w);
		return NULL;
	}
	w->opts.compression = w->opts.compression_version = NULL;
	return w;
}

void kt_writer_close(struct kt_writer *w)
{
	size_t i;

	if (!w)
		return;
	if (w->fd >= 0)
		close(w->fd);
	if (w->part && !w->keep_part)
		unlink(w->part);
	writer_free_buffers(w);
	for (i = 0; i < NR_METAS; i++)
		str_fini(&w->metas[i]);
	str_fini(&w->options);
	str_fini(&w->strings);
	str_fini(&w->stage);
	str_fini(&w->head);
	compress_close(w->compress);
	pack_close(w->pack);
	free(w->summarizer);
	free(w->frame);
	free(w->method);
	free(w->method_version);
	free(w->part);
	free(w->path);
	free(w);
}

int writer_set_page_size(struct kt_writer *w, uint32_t page_size, struct kt_err *err)
{
	char bytes[4];

	w->opts.page_size = page_size;
	store_u32(bytes, page_size, w->swap);
	return writer_patch(w, PAGE_SIZE_AT, bytes, sizeof(bytes), err);
}

const char *writer_compression(const struct kt_writer *w)
{
	return w->method;
}

uint64_t writer_size(const struct kt_writer *w)
{
	return w->pos;
}

const char *kt_compression_version(const char *name)
{
	const struct codec *c = codec_find(name);

	return c && c->version ? c->version() : NULL;
}

int kt_writer_meta(struct kt_writer *w, uint16_t id, const void *data, size_t size,
		   struct kt_err *err)
{
	int ret = writer_end_buffer(w, err);

	if (id == KT_OPTION_HEADER_INFO && w->opts.layout.data_offset)
		writer_check_layout(w, data, size);
	return ret < 0 ? ret : w->format->meta(w, id, data, size, WRITER_COMPRESS, err);
}

int writer_provisional(struct kt_writer *w, uint16_t id, const void *data, size_t size,
		       struct kt_err *err)
{
	int ret = writer_end_buffer(w, err);

	return ret < 0 ? ret : w->format->meta(w, id, data, size, WRITER_PLAIN, err);
}

int writer_meta_stored(struct kt_writer *w, uint16_t id, const void *data, size_t size,
		       struct kt_err *err)
{
	int ret = writer_end_buffer(w, err);

	return ret < 0 ? ret : w->format->meta(w, id, data, size, WRITER_STORED, err);
}

int writer_retract(struct kt_writer *w, uint16_t id, struct kt_err *err)
{
	return w->format->retract(w, id, err);
}

int kt_writer_option(struct kt_writer *w, uint16_t id, const void *data, size_t size,
		     struct kt_err *err)
{
	if (w->fixed_done)
		return kt_err_set(err, -EINVAL, "version 6 takes no options after the data");
	if (id == KT_OPTION_TRACECLOCK)
		w->has_clock = true;
	if (id == KT_OPTION_CPUCOUNT && size >= 4)
		w->cpu_count = load_u32(data, w->swap) <= 65536 ? load_u32(data, w->swap) : 0;
	writer_put_option(w, id, data, size);
	return w->options.failed ? kt_err_no_memory(err) : 0;
}

int writer_flush(struct kt_writer *w, struct kt_err *err)
{
	int ret = writer_end_buffer(w, err);

	return ret < 0 ? ret : w->format->flush(w, err);
}

int writer_move(struct kt_writer *w, const char *path, uint64_t end, struct kt_err *err)
{
	char *name;
	int fd, ret;

	if (!w->format->move || w->nr_buffers || w->part)
		return kt_err_set(err, -EINVAL, "%s cannot be moved any more", w->path);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return kt_err_set(err, -errno, "cannot open %s: %s", path, strerror(errno));
	name = strdup(path);
	ret = name ? w->format->move(w, fd, end, err) : kt_err_no_memory(err);
	if (ret < 0) {
		free(name);
		close(fd);
		return ret;
	}
	w->part = name;
	w->keep_part = true;
	return 0;
}

int writer_text(struct kt_writer *w, const char *name, const char *clock, const char *text,
		size_t size, struct kt_err *err)
{
	int ret = writer_end_buffer(w, err);

	return ret < 0 ? ret : w->format->text(w, name, clock, text, size, err);
}

/* So that the name, too, survives a crash of the machine */
static void sync_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(folder);
}

static int close_file(struct kt_writer *w, struct kt_err *err)
{
	int fd = w->fd, ret = w->opts.durable && fsync(fd) < 0 ? -errno : 0;

	w->fd = -1;
	if (close(fd) < 0 && ret == 0)
		ret = -errno;
	if (ret < 0)
		return writer_error(w, ret, err);
	if (w->part && rename(w->part, w->path) < 0)
		return kt_err_set(err, -errno, "cannot rename %s to %s: %s", w->part, w->path,
				  strerror(errno));
	w->keep_part = true;	/* it has its final name */
	if (w->opts.durable)
		sync_folder(w->path);
	return 0;
}

int kt_writer_finish(struct kt_writer *w, struct kt_err *err)
{
	int ret = writer_touch_buffers(w, err);

	if (ret < 0)
		return ret;
	ret = w->format->finish(w, err);
	if (ret < 0)
		return ret;
	/* Remove a preallocated or retracted tail */
	if (ftruncate(w->fd, (off_t)w->pos) < 0)
		return writer_error(w, -errno, err);
	return close_file(w, err);
}
