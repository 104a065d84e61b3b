/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* shared.c - the shared file, in which each long part has its own extents */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/clamp.h"
#include "sink/file_priv.h"

/*
 * Copying the parts at the end would take as long as they are big and the disk is
 * slow. So a part that becomes long moves to its final place: this file
 * becomes the finished one (finish.c). Short parts are copied after it at the end.
 */

/* The longest distance to the next chunk of a CPU: readers load everything in between */
#define FAR_BYTES  (256ull << 20)
#define MAX_EXTENT (16u << 20)
#define MAX_BYTES  (1ull << 31)		/* trace-cmd: an int */

/* The finished file replaces the output, which must therefore be a plain file */
static int make(const struct file_sink *f)
{
	char *path = part_shared_path(f->path);
	struct stat st;
	int fd = -1;

	if (path && lstat(f->path, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1)
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	/*
	 * It needs the owner and mode of the output, and also the lock against
	 * another recording, before it takes the name of the output.
	 */
	if (fd >= 0 && (fchown(fd, st.st_uid, st.st_gid) < 0 ||
			fchmod(fd, st.st_mode & 07777) < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0)) {
		close(fd);
		unlink(path);
		fd = -1;
	}
	free(path);
	return fd;
}

static bool may_share(const struct part *p)
{
	const struct file_sink *f = file_of(p);

	return !f->opts.max_kb_per_cpu && !f->opts.follow && f->opts.version != 6 &&
	       p->room <= COMPRESS_CHUNK &&
	       (!f->sink.compressed || f->skip_magic || f->ends_itself);
}

/* Uncompressed sub-buffers cannot be interleaved: only the first CPU with many may use the file */
static bool open_shared(struct file_sink *f)
{
	bool plain = !f->sink.compressed;
	struct shared *s = &f->shared;
	bool ok;

	pthread_mutex_lock(&s->lock);
	if (s->fd < 0 && !s->refused) {
		s->fd = make(f);
		s->refused = s->fd < 0;
		ok = !s->refused;
	} else {
		ok = !s->refused && !plain;
	}
	pthread_mutex_unlock(&s->lock);
	return ok;
}

/* @before: bytes of the block that ends at @extent, 0: none */
static int tag(const struct part *p, uint64_t extent, size_t before)
{
	char bytes[PART_TAG_SIZE] = PART_TAG;

	store_u32(bytes + 8, p->nr, false);
	store_u32(bytes + 12, (uint32_t)before, false);
	return part_write_at(file_of(p), file_of(p)->shared.fd, bytes, sizeof(bytes), extent);
}

/* The more data a CPU has, the larger its extents; unused space stays a hole in the file */
static uint64_t take_extent(struct shared *s, const struct part *p, uint64_t *size)
{
	uint64_t share = p->stored / 8 & ~(PART_EXTENT - 1ull);

	*size = clamp(share, PART_EXTENT, MAX_EXTENT);
	return atomic_fetch_add(&s->end, *size);
}

/* Copies the data of a part to the shared file, once, while it is still short */
static int copy(const struct part *p, uint64_t to)
{
	struct file_sink *f = file_of(p);
	size_t size = p->pos - PART_DATA;
	char *bytes = malloc(size);
	ssize_t n;
	int ret;

	if (!bytes)
		return -ENOMEM;
	n = pread(p->fd, bytes, size, PART_DATA);
	if (n == (ssize_t)size)
		ret = part_write_at(f, f->shared.fd, bytes, size, to);
	else
		ret = n < 0 ? -errno : -EIO;
	free(bytes);
	return ret;
}

int shared_move(struct part *p)
{
	struct file_sink *f = file_of(p);
	struct shared *s = &f->shared;
	bool plain = !f->sink.compressed;
	uint64_t extent, to, room = 0;
	int ret = 0;

	if (!may_share(p) || !open_shared(f))
		return 0;
	extent = plain ? PART_DATA : take_extent(s, p, &room);
	/* Readers expect the data of a CPU to begin at a page */
	to = extent + (plain ? 0 : PART_DATA);
	if (!plain)
		ret = tag(p, extent, 0);
	if (ret == 0)
		ret = copy(p, to);
	/* From here on, readers find the data there */
	if (ret == 0)
		ret = part_write_at(f, p->fd, &to, sizeof(to), offsetof(struct part_head, shared));
	if (ret < 0)
		return ret;
	p->start += to - PART_DATA;
	p->pos += to - PART_DATA;
	p->synced = to;
	p->shared = true;
	p->room_end = plain ? UINT64_MAX : extent + room;
	if (ftruncate(p->fd, PART_DATA) < 0)
		return 0;	/* then its space is freed later */
	return 0;
}

size_t shared_link(const struct file_sink *f)
{
	return f->ends_itself ? PART_TAIL : PART_LINK;
}

/* Are there only other extents since its last chunk, and would the next one be too far away? */
static bool is_far(const struct part *p)
{
	return p->shared && p->room_end != UINT64_MAX &&
	       file_of(p)->shared.end - p->pos > FAR_BYTES;
}

static bool is_full(const struct part *p, size_t size)
{
	return p->shared && p->room_end != UINT64_MAX &&
	       (p->pos + size + shared_link(file_of(p)) > p->room_end || is_far(p));
}

/*
 * A chunk that links to another extent is small: some readers load it together with
 * everything up to the next extent, again for each of its sub-buffers.
 */
size_t shared_portion(struct sink_cpu *c, size_t raw)
{
	struct part *p = (struct part *)c;
	uint32_t page = file_of(p)->buffers[p->buffer].page_size;

	if (raw <= page || !is_full(p, p->last_size))
		return raw;
	p->leave = true;
	return page;
}

/* Packs an empty sub-buffer with the last time; 0 if it needs more than @room */
static size_t pack_empty(const struct part *p, char *out, size_t room)
{
	const struct file_sink *f = file_of(p);
	uint32_t page = f->buffers[p->buffer].page_size;
	char *raw = calloc(1, page), *packed = NULL;
	struct compress *c = NULL;
	size_t size = 0;

	if (raw && compress_open(&c, f->compression, NULL) == 0)
		packed = malloc(compress_bound(c, page));
	if (packed) {
		store_u64(raw, p->last_ts, false);
		size = compress_run(c, packed, compress_bound(c, page), raw, page);
	}
	if (size && size <= room - 8) {
		store_u32(out, (uint32_t)size, false);
		store_u32(out + 4, page, false);
		memcpy(out + 8, packed, size);
	} else {
		size = 0;
	}
	compress_close(c);
	free(packed);
	free(raw);
	return size;
}

/* If a CPU has no data while others have much, empty chunks limit the distance. */
int shared_idle(struct sink_cpu *c, struct kt_err *err)
{
	struct part *p = (struct part *)c;
	struct kt_summary nothing = { .first = p->last_ts, .last = p->last_ts, .known = true,
				      .counted = true };
	struct sink_chunk stone = { .raw = file_of(p)->buffers[p->buffer].page_size,
				    .last_ts = p->last_ts, .summary = &nothing };
	char packed[PART_TAIL];

	if (!is_far(p))
		return 0;
	stone.data = packed;
	stone.size = pack_empty(p, packed, sizeof(packed));
	if (!stone.size)
		return kt_err_no_memory(err);
	stone.size += 8;
	if (!file_of(p)->sink.wants_summaries)
		stone.summary = NULL;
	p->leave = true;
	return part_append(c, &stone, err);
}

/* Writes the whole chunk to the new extent; an empty chunk after the previous one leads to it */
static int put_behind_tail(struct part *p, const char *chunk, size_t size, uint64_t extent)
{
	char link[PART_TAIL];
	struct file_sink *f = file_of(p);
	int fd = f->shared.fd, ret;
	size_t block = pack_empty(p, link, sizeof(link));

	if (!block)
		return -ENOMEM;
	ret = tag(p, extent, block);
	if (ret == 0)
		ret = part_write_at(f, fd, chunk, size, extent + PART_TAG_SIZE);
	if (ret < 0)
		return ret;
	store_u32(link, (uint32_t)(extent + PART_TAG_SIZE - (p->pos + 8)), false);
	ret = part_write_at(f, fd, link, 8 + block, p->pos);
	p->nr_chunks += ret == 0;
	return ret;
}

/* Writes the head of the chunk after the previous one, with a link to the rest of it */
static int put_behind_head(const struct part *p, const char *chunk, size_t size, uint64_t extent)
{
	uint64_t at = extent + PART_TAG_SIZE, skip = at - (p->pos + PART_LINK);
	struct file_sink *f = file_of(p);
	int fd = f->shared.fd, ret = tag(p, extent, 0);
	char link[PART_LINK];

	if (ret == 0)
		ret = part_write_at(f, fd, chunk + 8, size - 8, at);
	if (ret < 0)
		return ret;
	store_u32(link, (uint32_t)(8 + skip + size - 8), false);
	memcpy(link + 4, chunk + 4, 4);
	memcpy(link + 8, f->skip_magic, 4);
	link[12] = (char)skip;
	link[13] = (char)(skip >> 8);
	link[14] = (char)(skip >> 16);
	link[15] = (char)(skip >> 24);
	return part_write_at(f, fd, link, sizeof(link), p->pos);
}

/* The link is written last, in one write: a crash leaves the chain intact, with the chunk or not */
static int append_elsewhere(struct part *p, const char *chunk, size_t size)
{
	struct file_sink *f = file_of(p);
	struct shared *s = &f->shared;
	uint64_t room, extent = take_extent(s, p, &room);
	int ret;

	if (extent - p->pos >= MAX_BYTES - MAX_EXTENT)
		return -EFBIG;
	ret = f->skip_magic ? put_behind_head(p, chunk, size, extent)
			    : put_behind_tail(p, chunk, size, extent);
	sync_file_range(s->fd, (off_t)p->synced, (off_t)(p->pos - p->synced),
			SYNC_FILE_RANGE_WRITE);
	p->synced = extent;
	/* The caller adds the size of the whole chunk; its head may be in the old extent */
	p->pos = extent + PART_TAG_SIZE - (f->skip_magic ? 8 : 0);
	p->room_end = extent + room;
	p->leave = false;
	return ret;
}

int shared_append(struct part *p, const void *data, size_t size)
{
	struct file_sink *f = file_of(p);

	if (p->leave || is_full(p, size))
		return append_elsewhere(p, data, size);
	return part_put_chunk(f, f->shared.fd, data, size, p->pos);
}
