/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* piece.c - pieces of chunks that are too large to hold completely */
#include <errno.h>
#include <stdlib.h>

#include "file/file.h"
#include "file/note.h"

#define READ (64u << 10)		/* stored bytes to read at a time */
#define READERS_LIMIT (8u << 20)	/* bytes of all readers between two pieces */

/*
 * A decompressor within a chunk: the next piece continues where the last one ended. After an
 * eviction, the data before the next piece must be decompressed again.
 */
struct reader {
	struct reader *older;
	void *ctx;
	uint64_t offset;		/* of the stored chunk: the key */
	size_t at;			/* decompressed bytes so far */
	size_t taken;			/* stored bytes read so far */
	struct codec_io io;		/* its input is the unused rest of @in */
	bool ended;			/* at the end of a frame, with no data after it yet */
	size_t memory;			/* bytes that it uses when idle */
	uint8_t in[READ];
};

static void destroy(struct kt_file *f, struct reader *r)
{
	if (r->ctx)
		f->codec->decompressor_free(r->ctx);
	free(r);
}

static void restart(struct kt_file *f, struct reader *r, uint64_t offset)
{
	f->codec->begin(r->ctx);
	r->offset = offset;
	r->at = r->taken = 0;
	r->io = (struct codec_io){ .src = r->in };
	r->ended = false;
}

static struct reader *create(struct kt_file *f)
{
	struct reader *r = malloc(sizeof(*r));

	if (r)
		r->ctx = f->codec->decompressor();
	if (!r || r->ctx)
		return r;
	free(r);
	return NULL;
}

/* Removes it from the idle list. Called with the lock held. */
static struct reader *unlink_at(struct readers *all, struct reader **at)
{
	struct reader *r = *at;

	*at = r->older;
	all->memory -= r->memory;
	return r;
}

/* The reader that can continue to @at, or the oldest if there is no room for another. Locked. */
static struct reader *find(struct readers *all, uint64_t offset, size_t at)
{
	struct reader **i, **oldest = NULL;

	for (i = &all->newest; *i; i = &(*i)->older) {
		if ((*i)->offset == offset && (*i)->at <= at)
			return unlink_at(all, i);
		oldest = i;
	}
	return oldest && all->memory + (*oldest)->memory > all->limit ?
	       unlink_at(all, oldest) : NULL;
}

static struct reader *get(struct kt_file *f, uint64_t offset, size_t at)
{
	struct reader *r;

	pthread_mutex_lock(&f->lock);
	r = find(&f->readers, offset, at);
	pthread_mutex_unlock(&f->lock);
	if (r && r->offset == offset && r->at <= at)
		return r;
	if (!r)
		r = create(f);
	if (r)
		restart(f, r, offset);
	return r;
}

/* Evicts the oldest readers. Called with the lock held. */
static void shrink(struct kt_file *f, size_t limit)
{
	struct reader **i;

	while (f->readers.newest && f->readers.memory > limit) {
		for (i = &f->readers.newest; (*i)->older;)
			i = &(*i)->older;
		destroy(f, unlink_at(&f->readers, i));
	}
}

static void put(struct kt_file *f, struct reader *r)
{
	r->memory = sizeof(*r) + f->codec->memory(r->ctx);
	pthread_mutex_lock(&f->lock);
	r->older = f->readers.newest;
	f->readers.newest = r;
	f->readers.memory += r->memory;
	shrink(f, f->readers.limit);
	pthread_mutex_unlock(&f->lock);
}

/* False: all stored bytes are used up */
static bool refill(struct kt_file *f, struct reader *r, const struct chunk_entry *chunk)
{
	struct scan s = file_scan(f, chunk->offset + r->taken);
	size_t size = chunk->size - r->taken;

	size = size < READ ? size : READ;
	size = size < s.left ? size : s.left;
	r->io.src = s.at;
	if (chunk->offset >= f->info.size) {
		file_touched(f, size + FILE_MAPPED_AROUND);
	} else {
		size = file_pread(f, r->in, size, chunk->offset + r->taken);
		r->io.src = r->in;
	}
	r->taken += size;
	r->io.size = size;
	return size;
}

/* The next @size bytes; fewer at the end, or on an error in @ret: 1, -EBADMSG, -ENOMEM */
static size_t next_bytes(struct kt_file *f, struct reader *r, const struct chunk_entry *chunk,
			 uint8_t *to, size_t size, int *ret)
{
	size_t before;

	r->io.dst = to;
	r->io.room = size;
	for (*ret = 1; *ret >= 0 && r->io.room && !(r->ended && f->codec->ends_itself);) {
		before = r->io.room + r->io.size;
		*ret = f->codec->more(r->ctx, &r->io);
		if (before != r->io.room + r->io.size)
			r->ended = *ret == 0;
		else if (*ret >= 0 && !refill(f, r, chunk))
			break;
	}
	r->at += size - r->io.room;
	return size - r->io.room;
}

/* Does the chunk end with the last piece? */
static bool is_over(struct kt_file *f, struct reader *r, const struct chunk_entry *chunk)
{
	uint8_t byte;
	int ret;

	return next_bytes(f, r, chunk, &byte, 1, &ret) == 0 && ret >= 0 && r->ended;
}

/* Returns the readable bytes of the piece; the caller then destroys @r or puts it back. */
static size_t read_piece(struct kt_file *f, struct reader *r, const struct chunk_entry *chunk,
			 size_t offset, uint8_t *to, size_t size)
{
	size_t got = 0;
	bool good;
	int ret = 1;

	while (ret >= 0 && r->at < offset) {
		size_t n = offset - r->at < size ? offset - r->at : size;

		if (next_bytes(f, r, chunk, to, n, &ret) < n)
			break;
	}
	if (r->at == offset)
		got = next_bytes(f, r, chunk, to, size, &ret);
	good = got == size;
	if (good && offset + size < chunk->raw_size) {
		put(f, r);
		return got;
	}
	if (!good || !is_over(f, r, chunk))
		file_chunk_damage(f, chunk);
	destroy(f, r);
	return got;
}

int file_piece_get(struct kt_file *f, const struct chunk_entry *chunk, size_t offset, size_t size,
		   struct kt_chunk *out)
{
	struct reader *r;
	int ret;

	if (offset >= chunk->raw_size)
		return -EBADMSG;
	if (size > chunk->raw_size - offset)
		size = chunk->raw_size - offset;
	ret = file_cache_room(f, size, out);
	r = ret < 0 ? NULL : get(f, chunk->offset, offset);
	if (r)
		out->size = read_piece(f, r, chunk, offset, (uint8_t *)out->data, size);
	if (r && out->size)
		return 1;
	kt_chunk_put(out);
	return r ? -EBADMSG : -ENOMEM;
}

void file_limit_readers(struct kt_file *file, size_t nr_files)
{
	pthread_mutex_lock(&file->lock);
	file->readers.limit = READERS_LIMIT / (nr_files ? nr_files : 1);
	shrink(file, file->readers.limit);
	pthread_mutex_unlock(&file->lock);
}

void file_readers_fini(struct kt_file *f)
{
	shrink(f, 0);
}
