/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* shared.c - the file that long parts move to, each with extents of its own */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "rec/rec_priv.h"

/*
 * Joining the parts by copying them takes as long as they are big, and as long
 * as the disk is slow. So what gets big goes to where it will stay: this file
 * becomes the finished one (finish.c). Short parts are copied behind it.
 */

/* A chunk leads over this much to the next one of its CPU: readers take both into memory */
#define FAR_BYTES  (256ull << 20)
#define MAX_EXTENT (16u << 20)
#define MAX_BYTES  (1ull << 31)		/* trace-cmd: an int */

/* The finished file takes the place of the output: not if that is more than a plain file */
static int make(struct kt_rec *rec)
{
	char *path = part_shared_path(rec->path);
	struct stat st;
	int fd = -1;

	if (path && lstat(rec->path, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1)
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	/*
	 * Its owner and mode are those that the output has had; and as that is locked
	 * against another recording, this has to be when it takes its name.
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

static bool may_share(const struct reader *r)
{
	const struct kt_rec_opts *o = &r->rec->opts;

	return !o->max_kb_per_cpu && !o->follow && o->version != 6 && r->room <= COMPRESS_CHUNK;
}

/* Uncompressed sub-buffers cannot be interleaved: the first CPU that has many gets it all */
static bool open_shared(struct reader *r, bool plain)
{
	struct shared *s = &r->rec->shared;
	bool ok;

	pthread_mutex_lock(&s->lock);
	if (s->fd < 0 && !s->refused) {
		s->fd = make(r->rec);
		s->refused = s->fd < 0;
		s->plain = plain;
		ok = !s->refused;
	} else {
		ok = !s->refused && !plain;
	}
	pthread_mutex_unlock(&s->lock);
	return ok;
}

/* @before: bytes of the block that reaches up to it, 0: none does */
static int tag(const struct reader *r, uint64_t extent, size_t before)
{
	char bytes[PART_TAG_SIZE] = PART_TAG;

	store_u32(bytes + 8, r->part.nr, false);
	store_u32(bytes + 12, (uint32_t)before, false);
	return rec_write_at(r->rec->shared.fd, bytes, sizeof(bytes), extent);
}

/* The more a CPU has, the more it takes at once; what it does not fill stays a hole in the file */
static uint64_t take_extent(struct shared *s, const struct part *p, uint64_t *size)
{
	uint64_t share = p->stored / 8 & ~(PART_EXTENT - 1ull);

	*size = share < PART_EXTENT ? PART_EXTENT : share < MAX_EXTENT ? share : MAX_EXTENT;
	return atomic_fetch_add(&s->end, *size);
}

/* Once, when it is not long yet: what it has goes to where the rest will follow */
static int copy(struct reader *r, uint64_t to)
{
	size_t size = r->part.pos - PART_DATA;
	char *bytes = malloc(size);
	ssize_t n;
	int ret = -ENOMEM;

	if (bytes) {
		n = pread(r->part.fd, bytes, size, PART_DATA);
		ret = n == (ssize_t)size ? rec_write_at(r->rec->shared.fd, bytes, size, to)
					 : n < 0 ? -errno : -EIO;
	}
	free(bytes);
	return ret;
}

int rec_shared_move(struct reader *r)
{
	struct shared *s = &r->rec->shared;
	bool plain = strcmp(kt_writer_compression(r->rec->writer), "none") == 0;
	struct part *p = &r->part;
	uint64_t extent, to, room = 0;
	int ret = 0;

	if (!may_share(r) || (!plain && !r->rec->skip_magic && !r->rec->ends_itself) ||
	    !open_shared(r, plain))
		return 0;
	extent = plain ? PART_DATA : take_extent(s, p, &room);
	/* Readers want the data of a CPU to begin at a page */
	to = extent + (plain ? 0 : PART_DATA);
	if (!plain)
		ret = tag(r, extent, 0);
	if (ret == 0)
		ret = copy(r, to);
	/* From here on, it is found there */
	if (ret == 0)
		ret = rec_write_at(p->fd, &to, sizeof(to), offsetof(struct part_head, shared));
	if (ret < 0)
		return ret;
	p->start += to - PART_DATA;
	p->pos += to - PART_DATA;
	p->synced = to;
	p->shared = true;
	p->room_end = plain ? UINT64_MAX : extent + room;
	if (ftruncate(p->fd, PART_DATA) < 0)
		return 0;	/* space that is given back later then */
	return 0;
}

size_t rec_shared_link(const struct kt_rec *rec)
{
	return rec->ends_itself ? PART_TAIL : PART_LINK;
}

bool rec_shared_is_full(const struct reader *r, size_t size)
{
	const struct part *p = &r->part;

	if (!p->shared || p->room_end == UINT64_MAX)
		return false;
	return p->pos + size + rec_shared_link(r->rec) > p->room_end ||
	       r->rec->shared.end - p->pos > FAR_BYTES;
}

bool rec_shared_needs_stone(const struct reader *r)
{
	const struct part *p = &r->part;

	return p->shared && p->room_end != UINT64_MAX && r->rec->shared.end - p->pos > FAR_BYTES;
}

/* A chunk of nothing but the time, in @link; bytes of its block, 0 if that cannot be made */
static size_t make_empty(const struct reader *r, char link[PART_TAIL])
{
	uint32_t page = r->buffer->page_size;
	char *raw = calloc(1, page), *packed = NULL;
	struct compress *c = NULL;
	size_t size = 0;

	if (raw && compress_open(&c, kt_writer_compression(r->rec->writer), NULL) == 0)
		packed = malloc(compress_bound(c, page));
	if (packed) {
		store_u64(raw, r->part.last_ts, false);
		size = compress_run(c, packed, compress_bound(c, page), raw, page);
	}
	if (size && size <= PART_TAIL - 8) {
		store_u32(link + 4, page, false);
		memcpy(link + 8, packed, size);
	} else {
		size = 0;
	}
	compress_close(c);
	free(packed);
	free(raw);
	return size;
}

/* The chunk is whole in the new extent; behind the one before, an empty one reaches up to it */
static int put_behind_tail(struct reader *r, const char *chunk, size_t size, uint64_t extent)
{
	char link[PART_TAIL];
	int fd = r->rec->shared.fd, ret;
	size_t block = make_empty(r, link);

	if (!block)
		return -ENOMEM;
	ret = tag(r, extent, block);
	if (ret == 0)
		ret = rec_write_at(fd, chunk, size, extent + PART_TAG_SIZE);
	if (ret < 0)
		return ret;
	store_u32(link, (uint32_t)(extent + PART_TAG_SIZE - (r->part.pos + 8)), false);
	ret = rec_write_at(fd, link, 8 + block, r->part.pos);
	r->part.nr_chunks += ret == 0;
	return ret;
}

/* The head of the chunk stays behind the one before, with a way to the rest of it */
static int put_behind_head(struct reader *r, const char *chunk, size_t size, uint64_t extent)
{
	uint64_t at = extent + PART_TAG_SIZE, skip = at - (r->part.pos + PART_LINK);
	int fd = r->rec->shared.fd, ret = tag(r, extent, 0);
	char link[PART_LINK];

	if (ret == 0)
		ret = rec_write_at(fd, chunk + 8, size - 8, at);
	if (ret < 0)
		return ret;
	store_u32(link, (uint32_t)(8 + skip + size - 8), false);
	memcpy(link + 4, chunk + 4, 4);
	memcpy(link + 8, r->rec->skip_magic, 4);
	link[12] = (char)skip;
	link[13] = (char)(skip >> 8);
	link[14] = (char)(skip >> 16);
	link[15] = (char)(skip >> 24);
	return rec_write_at(fd, link, sizeof(link), r->part.pos);
}

/* The way there is written last, at once: a crash finds the chain whole,
 * with or without the chunk */
static int append_elsewhere(struct reader *r, const char *chunk, size_t size)
{
	struct shared *s = &r->rec->shared;
	struct part *p = &r->part;
	uint64_t room, extent = take_extent(s, p, &room);
	int ret;

	if (extent - p->pos >= MAX_BYTES - MAX_EXTENT)
		return -EFBIG;
	ret = r->rec->skip_magic ? put_behind_head(r, chunk, size, extent)
				 : put_behind_tail(r, chunk, size, extent);
	sync_file_range(s->fd, (off_t)p->synced, (off_t)(p->pos - p->synced),
			SYNC_FILE_RANGE_WRITE);
	p->synced = extent;
	/* The caller adds the size of the whole chunk, whose head may be elsewhere */
	p->pos = extent + PART_TAG_SIZE - (r->rec->skip_magic ? 8 : 0);
	p->room_end = extent + room;
	p->leave = false;
	return ret;
}

int rec_shared_append(struct reader *r, const void *data, size_t size)
{
	if (r->part.leave || rec_shared_is_full(r, size))
		return append_elsewhere(r, data, size);
	return rec_write_at(r->rec->shared.fd, data, size, r->part.pos);
}
