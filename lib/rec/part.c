/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part.c - one CPU's data on the disk while the recording goes on */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "rec/rec_priv.h"

#define SYNC_BYTES  (4 << 20)	/* start writing back this often: a power cut loses less */
#define PUNCH_BYTES (1 << 20)
#define SHARE_BYTES (512 << 10)	/* with a chunk more it still fits an extent; copied in a moment */

int rec_write_at(int fd, const void *data, size_t size, uint64_t offset)
{
	const char *p = data;
	ssize_t n;

	for (; size; p += n, offset += (uint64_t)n, size -= (size_t)n) {
		n = pwrite(fd, p, size, (off_t)offset);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n <= 0)
			return n ? -errno : -EIO;
	}
	return 0;
}

/*
 * A new file. What has its name, in a folder that may be anybody's, is not written
 * to: a link would lead elsewhere.
 */
static int create(struct reader *r, struct kt_err *err)
{
	struct part *p = &r->part;
	char *path;
	int ret = 0;

	p->nr = atomic_fetch_add(&r->rec->nr_parts, 1);
	path = part_path(r->rec->path, p->nr);
	if (!path)
		return kt_err_set(err, -ENOMEM, "no memory for %s", r->rec->path);
	unlink(path);
	p->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (p->fd < 0)
		ret = kt_err_set(err, -errno, "cannot create %s: %s", path, strerror(errno));
	free(path);
	return ret;
}

static int begin(struct reader *r, struct kt_err *err)
{
	bool compressed = strcmp(kt_writer_compression(r->rec->writer), "none") != 0;
	struct part_head head = { .magic = PART_MAGIC };
	char page[PART_DATA] = { 0 };
	struct part *p = &r->part;
	int ret = create(r, err);

	if (ret < 0)
		return ret;
	p->start = p->pos = PART_DATA + (compressed ? 4 : 0);
	p->synced = p->punched = PART_DATA;
	head.trace_id = r->rec->trace_id;
	head.start = p->start;
	head.cpu = (uint32_t)r->cpu;
	head.page_size = r->buffer->page_size;
	head.compressed = compressed;
	strncpy(head.buffer, r->buffer->name, sizeof(head.buffer) - 1);
	strncpy(head.clock, r->buffer->clock, sizeof(head.clock) - 1);
	memcpy(page, &head, sizeof(head));
	return rec_write_at(p->fd, page, p->start < sizeof(page) ? p->start : sizeof(page), 0);
}

/* With a limit on what is kept: remember the chunk, let go of the oldest ones */
static int keep(struct part *p, uint64_t max_raw, size_t size, size_t raw_size)
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
	for (old = &p->kept[p->first]; p->nr_chunks && p->kept_raw - old->raw_size >= max_raw;
	     old = &p->kept[p->first]) {
		p->kept_raw -= old->raw_size;
		p->start = old->offset + old->size;
		p->first = (p->first + 1) % p->cap;
		p->nr_chunks--;
	}
	return 0;
}

/* Tell readers of the unfinished file first, then give the space back */
static int let_go(struct part *p)
{
	uint64_t to = p->start & ~4095ull;
	int ret;

	if (to < p->punched + PUNCH_BYTES)
		return 0;
	ret = rec_write_at(p->fd, &p->start, sizeof(p->start), offsetof(struct part_head, start));
	/* Not every file system can; the limit then holds for the finished file only */
	fallocate(p->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)p->punched,
		  (off_t)(to - p->punched));
	p->punched = to;
	return ret;
}

/* What was lost so far should be known too if there is no end: at most once a second */
static int note_stats(struct reader *r)
{
	char bytes[PART_STATS] = { 0 };
	struct str text = STR_INIT;
	struct cpu_stats now;
	struct timespec t;
	int ret = 0;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	if (t.tv_sec == r->part.stats_sec || !r->buffer->inst)
		return 0;
	r->part.stats_sec = t.tv_sec;
	if (rec_read_stats(r, &now, &text) == 0 && text.len < sizeof(bytes)) {
		memcpy(bytes, text.buf, text.len);
		ret = rec_write_at(r->part.fd, bytes, sizeof(bytes),
				   offsetof(struct part_head, stats));
	}
	str_fini(&text);
	return ret;
}

int rec_part_append(struct reader *r, const void *data, size_t size, size_t raw_size,
		    struct kt_err *err)
{
	uint64_t max_raw = r->rec->opts.max_kb_per_cpu * 1024;
	struct part *p = &r->part;
	int ret = p->fd < 0 ? begin(r, err) : 0;

	if (ret == 0 && !p->shared)
		ret = rec_write_at(p->fd, data, size, p->pos);
	else if (ret == 0)
		ret = rec_shared_append(r, data, size);
	if (ret == 0 && max_raw)
		ret = keep(p, max_raw, size, raw_size);
	if (ret == 0)
		ret = note_stats(r);
	if (ret < 0)
		return kt_err_set(err, ret, "cannot write the data of CPU %d for %s: %s", r->cpu,
				  r->rec->path, strerror(-ret));
	p->pos += size;
	p->stored += size;
	atomic_fetch_add(&r->stored_raw, raw_size);
	p->nr_chunks++;
	if (p->pos - p->synced >= SYNC_BYTES) {
		sync_file_range(p->shared ? r->rec->shared.fd : p->fd, (off_t)p->synced,
				(off_t)(p->pos - p->synced), SYNC_FILE_RANGE_WRITE);
		p->synced = p->pos;
	}
	if (!p->shared && p->pos >= SHARE_BYTES)
		ret = rec_shared_move(r);
	if (ret < 0)
		return kt_err_set(err, ret, "cannot move the data of CPU %d to %s.parts: %s",
				  r->cpu, r->rec->path, strerror(-ret));
	return max_raw ? let_go(p) : 0;
}

void rec_part_note(struct part *p, size_t size, size_t raw_size, const struct kt_summary *s)
{
	/* Of a CPU's data the number of chunks is the beginning, wherever they are in the end */
	uint64_t block = p->pos - size + 8 - (p->start - 4);

	if (!p->index)
		p->index = summary_list_create();
	if (p->index)
		summary_list_add(p->index, block, (uint32_t)(size - 8), (uint32_t)raw_size, s);
}

/* What was there two syncs ago has been read since; of what came with the last one, whoever reads
 * up to the time at which it asked has left the end for the next time. */
int rec_part_forget(struct part *p)
{
	int ret;

	if (p->fd < 0)
		return 0;
	if (p->marks[0] > p->start)
		p->start = p->marks[0];
	p->marks[0] = p->marks[1];
	p->marks[1] = p->pos;
	ret = rec_write_at(p->fd, &p->start, sizeof(p->start), offsetof(struct part_head, start));
	return ret < 0 ? ret : let_go(p);
}

void rec_part_close(struct part *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
	free(p->kept);
	p->kept = NULL;
	summary_list_destroy(p->index);
	p->index = NULL;
}
