/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* cache.c - decompressed chunks: those in use, and a limited number of unused ones */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"
#include "file/note.h"

/* larger stored chunks are mapped, not read; no writer makes them */
#define READ_LIMIT (1u << 20)
#define ROUND 16384u		/* sizes are rounded up, so that memory can be reused */
#define ROUND_SMALL 4096u	/* for small chunks, as in files with thousands of CPUs */

struct cache_entry {
	struct kt_file *file;
	uint64_t offset;		/* of the stored chunk: the key */
	uint8_t *data;
	size_t room, size;		/* of @data: bytes allocated, bytes decompressed */
	unsigned int refs;
	bool loading;
	bool private;			/* a copy of a part, invisible to other users */
	struct cache_entry *chain;	/* next entry of the bucket or of the spare list */
	struct cache_entry *newer, *older;	/* neighbours in the idle list */
};

static struct cache_entry **bucket_of(struct cache *c, uint64_t offset)
{
	uint64_t hash = offset * 0x9e3779b97f4a7c15ull;

	return &c->buckets[hash >> 58];
}

static struct cache_entry *find(struct cache *c, uint64_t offset)
{
	struct cache_entry *e = *bucket_of(c, offset);

	while (e && e->offset != offset)
		e = e->chain;
	return e;
}

static void unhash(struct cache *c, struct cache_entry *e)
{
	struct cache_entry **at = bucket_of(c, e->offset);

	while (*at != e)
		at = &(*at)->chain;
	*at = e->chain;
}

static void idle_remove(struct cache *c, struct cache_entry *e)
{
	*(e->newer ? &e->newer->older : &c->newest) = e->older;
	*(e->older ? &e->older->newer : &c->oldest) = e->newer;
	c->idle -= e->room;
}

static void idle_add(struct cache *c, struct cache_entry *e)
{
	e->newer = NULL;
	e->older = c->newest;
	*(c->newest ? &c->newest->newer : &c->oldest) = e;
	c->newest = e;
	c->idle += e->room;
}

static void destroy(struct cache_entry *e)
{
	free(e->data);
	free(e);
}

/* Evicts the oldest idle entries; the memory of one may become @spare. */
static void shrink(struct cache *c, size_t limit)
{
	struct cache_entry *e;

	while (c->idle > limit) {
		e = c->oldest;
		idle_remove(c, e);
		unhash(c, e);
		if (c->spare) {
			destroy(e);
			continue;
		}
		c->spare = e;
	}
}

/* A new entry with one reference and room for @size. Called with the lock held. */
static struct cache_entry *add(struct kt_file *f, size_t size)
{
	size_t round = size < ROUND ? ROUND_SMALL : ROUND;
	size_t room = (size + round - 1) & ~(round - 1);
	struct cache_entry *e = f->cache.spare;

	f->cache.spare = NULL;
	if (e && e->room != room) {
		destroy(e);
		e = NULL;
	}
	if (!e) {
		e = calloc(1, sizeof(*e));
		if (!e)
			return NULL;
		e->file = f;
		e->room = room;
		e->data = malloc(room);
		if (!e->data) {
			free(e);
			return NULL;
		}
	}
	e->size = 0;
	e->refs = 1;
	e->private = false;
	return e;
}

/* The same, in state loading, for the stored chunk at @offset */
static struct cache_entry *add_chunk(struct kt_file *f, uint64_t offset, size_t size)
{
	struct cache_entry *e = add(f, size);

	if (!e)
		return NULL;
	e->offset = offset;
	e->loading = true;
	e->chain = *bucket_of(&f->cache, offset);
	*bucket_of(&f->cache, offset) = e;
	return e;
}

/*
 * The stored bytes of a chunk, as many as exist. They are read: that costs no more than the
 * page faults of a map, and is safe when another process truncates the file.
 * Only parts, and chunks of an implausible size, are mapped.
 */
static const uint8_t *stored(struct kt_file *f, struct unpacker *u, const struct chunk_entry *chunk,
			     size_t *size)
{
	struct scan in = file_scan(f, chunk->offset);
	uint8_t *grown;

	*size = chunk->size < in.left ? chunk->size : in.left;
	if (chunk->offset >= f->info.size || *size > READ_LIMIT) {
		file_touched(f, *size + FILE_MAPPED_AROUND);
		return in.at;
	}
	if (*size > u->in_size) {
		grown = realloc(u->in, *size);
		if (!grown)
			return NULL;
		u->in = grown;
		u->in_size = *size;
	}
	*size = file_pread(f, u->in, *size, chunk->offset);
	return u->in;
}

void file_chunk_damage(struct kt_file *f, const struct chunk_entry *chunk)
{
	char text[64];

	file_damage(f, "chunk at %s does not decompress: %u bytes should become %u",
		    file_where(f, chunk->offset, text, sizeof(text)), chunk->size, chunk->raw_size);
}

/* Returns how many bytes of a chunk could be decompressed; 0 if none */
static size_t unpack(struct kt_file *f, const struct chunk_entry *chunk, uint8_t *data)
{
	struct unpacker *u = file_unpacker_get(f);
	const uint8_t *in = NULL;
	ssize_t got = -ENOMEM;
	size_t size = 0;

	if (u)
		in = stored(f, u, chunk, &size);
	if (in)
		got = f->codec->decompress(u->ctx, data, chunk->raw_size, in, size);
	if ((int64_t)got != chunk->raw_size) {
		file_chunk_damage(f, chunk);
		if (in)
			got = codec_peek(f->codec, u->ctx, data, chunk->raw_size, in, size);
	}
	if (u)
		file_unpacker_put(f, u);
	return got < 0 ? 0 : got;
}

static void load(struct kt_file *f, struct cache_entry *e, const struct chunk_entry *chunk)
{
	size_t size = unpack(f, chunk, e->data);

	pthread_mutex_lock(&f->lock);
	e->size = size;
	e->loading = false;
	pthread_cond_broadcast(&f->cache.loaded);
	pthread_mutex_unlock(&f->lock);
}

/* Called with the lock held. */
static void put(struct cache_entry *e)
{
	struct cache *c = &e->file->cache;

	if (--e->refs)
		return;
	if (e->private) {
		if (c->spare)
			destroy(c->spare);
		c->spare = e;
		return;
	}
	idle_add(c, e);
	shrink(c, c->max_idle);
}

/* Returns 1 and a counted reference, -EBADMSG or -ENOMEM */
int file_cache_get(struct kt_file *f, const struct chunk_entry *chunk, struct kt_chunk *out)
{
	struct cache_entry *e;
	int ret = 1;

	pthread_mutex_lock(&f->lock);
	e = find(&f->cache, chunk->offset);
	if (!e) {
		e = add_chunk(f, chunk->offset, chunk->raw_size);
		pthread_mutex_unlock(&f->lock);
		if (!e)
			return -ENOMEM;
		load(f, e, chunk);
		pthread_mutex_lock(&f->lock);
	} else if (!e->refs++) {
		idle_remove(&f->cache, e);
	}
	while (e->loading)
		pthread_cond_wait(&f->cache.loaded, &f->lock);
	if (!e->size) {
		put(e);
		ret = -EBADMSG;
	} else {
		*out = (struct kt_chunk){ .data = e->data, .size = e->size, .owner = e };
	}
	pthread_mutex_unlock(&f->lock);
	return ret;
}

void file_cache_forget(struct kt_file *f, uint64_t offset)
{
	struct cache_entry *e;

	pthread_mutex_lock(&f->lock);
	e = find(&f->cache, offset);
	if (e) {
		unhash(&f->cache, e);
		e->private = true;
		if (!e->refs) {
			idle_remove(&f->cache, e);
			destroy(e);
		}
	}
	pthread_mutex_unlock(&f->lock);
}

/* Room for a private copy that other users do not find */
static struct cache_entry *add_private(struct kt_file *f, size_t size)
{
	struct cache_entry *e;

	pthread_mutex_lock(&f->lock);
	e = add(f, size);
	pthread_mutex_unlock(&f->lock);
	if (e)
		e->private = true;
	return e;
}

int file_cache_room(struct kt_file *f, size_t size, struct kt_chunk *out)
{
	struct cache_entry *e = add_private(f, size);

	if (!e)
		return -ENOMEM;
	*out = (struct kt_chunk){ .data = e->data, .size = size, .owner = e };
	return 0;
}

int file_cache_read(struct kt_file *f, uint64_t offset, size_t size, struct kt_chunk *out)
{
	struct cache_entry *e;

	if (file_cache_room(f, size, out) < 0)
		return -ENOMEM;
	e = out->owner;
	if (file_pread(f, e->data, size, offset) == size)
		return 1;
	kt_chunk_put(out);
	return -EBADMSG;
}

void kt_chunk_put(struct kt_chunk *chunk)
{
	struct cache_entry *e = chunk->owner;
	struct kt_file *f = e ? e->file : NULL;

	if (e) {
		pthread_mutex_lock(&f->lock);
		put(e);		/* which may free it */
		pthread_mutex_unlock(&f->lock);
	}
	*chunk = (struct kt_chunk){ 0 };
}

struct kt_chunk kt_chunk_ref(const struct kt_chunk *chunk)
{
	struct cache_entry *e = chunk->owner;

	if (e) {
		pthread_mutex_lock(&e->file->lock);
		e->refs++;
		pthread_mutex_unlock(&e->file->lock);
	}
	return *chunk;
}

size_t kt_file_set_cache(struct kt_file *file, size_t bytes)
{
	size_t before;

	pthread_mutex_lock(&file->lock);
	before = file->cache.max_idle;
	file->cache.max_idle = bytes;
	shrink(&file->cache, bytes);
	pthread_mutex_unlock(&file->lock);
	return before;
}

/* All references must have been dropped. */
void file_cache_fini(struct cache *c)
{
	shrink(c, 0);
	if (c->spare)
		destroy(c->spare);
	c->spare = NULL;
}
