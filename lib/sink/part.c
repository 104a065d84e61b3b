/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part.c - store the data of one CPU on disk during the recording */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sink/file_priv.h"

#define SYNC_BYTES  (4 << 20)	/* start writeback this often: less is lost at a power failure */
#define PUNCH_BYTES (1 << 20)
#define SHARE_BYTES (512 << 10)	/* fits into an extent with one more chunk, and is quickly copied */

int part_write_at(struct file_sink *f, int fd, const void *data, size_t size, uint64_t offset)
{
	const char *p = data;
	bool again = true;
	ssize_t n;

	for (; size; p += n, offset += (uint64_t)n, size -= (size_t)n) {
		n = pwrite(fd, p, size, (off_t)offset);
		if (n > 0)
			continue;
		if (n == 0)
			return -EIO;
		if ((errno == ENOSPC || errno == EDQUOT) && again && file_use_reserve(f))
			again = false;
		else if (errno != EINTR)
			return -errno;
		n = 0;
	}
	return 0;
}

int part_put_chunk(struct file_sink *f, int fd, const void *chunk, size_t size, uint64_t offset)
{
	static const char none[8];
	int ret = part_write_at(f, fd, chunk, size, offset);

	if (ret < 0 && f->sink.compressed)
		part_write_at(f, fd, none, sizeof(none), offset);
	return ret;
}

/*
 * Creates a new file. An existing file of that name is not written to, since the folder may be
 * writable by others: a link would lead elsewhere.
 */
static int create(struct part *p, struct kt_err *err)
{
	struct file_sink *f = file_of(p);
	char *path;
	int fd;

	p->nr = atomic_fetch_add(&f->nr_parts, 1);
	path = part_path(f->path, p->nr);
	if (!path)
		return kt_err_no_memory(err);
	unlink(path);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		fd = kt_err_set(err, -errno, "cannot create %s: %s", path, strerror(errno));
	free(path);
	return fd;
}

/* Writes the head first: other processes see the file once it exists. */
int part_begin(struct part *p, struct kt_err *err)
{
	struct file_sink *f = file_of(p);
	const struct file_buffer *b = &f->buffers[p->buffer];
	struct part_head head = { .start = 0 };
	char page[PART_DATA] = { 0 };
	int fd = create(p, err), ret;

	if (fd < 0)
		return fd;
	p->start = p->pos = PART_DATA + (f->sink.compressed ? 4 : 0);
	p->synced = p->punched = PART_DATA;
	memcpy(head.magic, PART_MAGIC, sizeof(head.magic));
	head.trace_id = f->trace_id;
	head.start = p->start;
	head.cpu = (uint32_t)p->head.cpu;
	head.page_size = b->page_size;
	head.compressed = f->sink.compressed;
	strncpy(head.buffer, b->name, sizeof(head.buffer) - 1);
	strncpy(head.clock, b->clock, sizeof(head.clock) - 1);
	memcpy(page, &head, sizeof(head));
	ret = part_write_at(f, fd, page, p->start < sizeof(page) ? p->start : sizeof(page), 0);
	atomic_store(&p->fd, fd);
	return ret < 0 ? kt_err_set(err, ret, "cannot write the data of CPU %d for %s: %s",
				    p->head.cpu, f->path, strerror(-ret)) : 0;
}

/* With a limit: remember the chunk, and drop the oldest ones */
static int keep(struct part *p, uint64_t max_raw, size_t size, size_t raw_size, bool held)
{
	struct kept_chunk *old, *grown;
	size_t i;

	if (p->nr_chunks == p->cap) {
		grown = malloc((p->cap * 2 + 64) * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		for (i = 0; i < p->nr_chunks; i++)
			grown[i] = p->kept[(p->first + i) % p->cap];
		free(p->kept);
		p->kept = grown;
		p->cap = p->cap * 2 + 64;
		p->first = 0;
	}
	p->kept[(p->first + p->nr_chunks) % p->cap] =
		(struct kept_chunk){ p->pos, (uint32_t)size, (uint32_t)raw_size };
	p->kept_raw += raw_size;
	if (held)
		return 0;
	for (old = &p->kept[p->first]; p->nr_chunks && p->kept_raw - old->raw_size >= max_raw;
	     old = &p->kept[p->first]) {
		p->kept_raw -= old->raw_size;
		p->start = old->offset + old->size;
		p->first = (p->first + 1) % p->cap;
		p->nr_chunks--;
	}
	return 0;
}

/* First updates the head for readers of the unfinished file, then frees the space */
static int let_go(struct part *p)
{
	uint64_t to = p->start & ~4095ull;
	int ret;

	if (to < p->punched + PUNCH_BYTES)
		return 0;
	ret = part_write_at(file_of(p), p->fd, &p->start, sizeof(p->start),
			    offsetof(struct part_head, start));
	/* Not every file system supports this; then the limit holds for the finished file only */
	fallocate(p->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)p->punched,
		  (off_t)(to - p->punched));
	p->punched = to;
	return ret;
}

/* Stores the losses so far, in case the recording is not finished */
int part_counters(struct sink_cpu *c, const char *text, size_t size)
{
	const struct part *p = (const struct part *)c;
	char bytes[PART_STATS] = { 0 };
	int fd = atomic_load(&p->fd);

	if (fd < 0 || size >= sizeof(bytes))
		return 0;
	memcpy(bytes, text, size);
	return part_write_at(file_of(p), fd, bytes, sizeof(bytes),
			     offsetof(struct part_head, stats));
}

/* Offsets are relative to the number of chunks, which begins the CPU's data in the final file */
static void add_summary(struct part *p, const struct sink_chunk *c)
{
	uint64_t block = p->pos - c->size + 8 - (p->start - 4);

	if (!p->index)
		p->index = summary_list_create();
	if (p->index)
		summary_list_add(p->index, block, (uint32_t)(c->size - 8), (uint32_t)c->raw,
				 c->summary);
}

static int store(struct part *p, const struct sink_chunk *c, uint64_t max_raw)
{
	struct file_sink *f = file_of(p);
	int ret = p->shared ? shared_append(p, c->data, c->size)
			    : part_put_chunk(f, p->fd, c->data, c->size, p->pos);

	if (ret == 0 && max_raw)
		ret = keep(p, max_raw, c->size, c->raw, f->sink.held);
	if (ret < 0)
		return ret;
	p->pos += c->size;
	p->stored += c->size;
	p->last_ts = c->last_ts;
	if (c->raw == p->room)
		p->last_size = c->size;
	p->nr_chunks++;
	if (c->summary)
		add_summary(p, c);
	return 0;
}

int part_append(struct sink_cpu *cpu, const struct sink_chunk *c, struct kt_err *err)
{
	struct part *p = (struct part *)cpu;
	const struct file_sink *f = file_of(p);
	uint64_t max_raw = f->opts.max_kb_per_cpu * 1024;
	int ret = p->fd < 0 ? part_begin(p, err) : 0;

	if (ret < 0)
		return ret;
	ret = store(p, c, max_raw);
	if (ret < 0)
		return kt_err_set(err, ret, "cannot write the data of CPU %d for %s: %s", cpu->cpu,
				  f->path, strerror(-ret));
	if (p->pos - p->synced >= SYNC_BYTES && !f->opts.follow) {
		sync_file_range(p->shared ? f->shared.fd : p->fd, (off_t)p->synced,
				(off_t)(p->pos - p->synced), SYNC_FILE_RANGE_WRITE);
		p->synced = p->pos;
	}
	if (!p->shared && p->pos >= SHARE_BYTES)
		ret = shared_move(p);
	if (ret < 0)
		return kt_err_set(err, ret, "cannot move the data of CPU %d to %s.parts: %s",
				  cpu->cpu, f->path, strerror(-ret));
	return max_raw ? let_go(p) : 0;
}

/*
 * Without a limit, drop data from before the previous sync. Data that arrived since then is kept: a
 * reader may still need it.
 */
static int forget(struct part *p)
{
	int ret;

	if (p->marks[0] > p->start)
		p->start = p->marks[0];
	p->marks[0] = p->marks[1];
	p->marks[1] = p->pos;
	ret = part_write_at(file_of(p), p->fd, &p->start, sizeof(p->start),
			    offsetof(struct part_head, start));
	return ret < 0 ? ret : let_go(p);
}

int part_sync(struct sink_cpu *c, struct kt_err *err)
{
	struct part *p = (struct part *)c;
	const struct file_sink *f = file_of(p);
	bool forgets = f->opts.follow && !f->opts.max_kb_per_cpu;
	int ret = forgets && p->fd >= 0 ? forget(p) : 0;

	return ret < 0 ? kt_err_set(err, ret, "cannot write the data of CPU %d for %s: %s", c->cpu,
				    f->path, strerror(-ret))
		       : 0;
}

void part_destroy(struct part *p)
{
	if (p->fd >= 0)
		close(p->fd);
	free(p->kept);
	summary_list_destroy(p->index);
	free(p);
}
