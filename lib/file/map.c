/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* map.c - map a file, and the parts of an unfinished recording, into memory */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "file/file.h"
#include "file/note.h"
#include "file/part.h"

#define MAX_PARTS 65536

/* Bytes that stay mapped: few compared to any cache, many compared to the cost of madvise() */
#define LET_GO_AFTER (16u << 20)

/* Parts begin at offsets far apart, so that each can grow */
#define PART_BITS   40
#define FIRST_PART  16u
#define SHARED_PART MAX_PARTS

uint64_t file_part_offset(size_t nr)
{
	return (uint64_t)(FIRST_PART + nr) << PART_BITS;
}

uint64_t file_shared_offset(void)
{
	return file_part_offset(SHARED_PART);
}

static struct region *region_at(const struct kt_file *f, uint64_t offset)
{
	uint64_t nr = (offset >> PART_BITS) - FIRST_PART;

	if (nr == SHARED_PART)
		return (struct region *)&f->shared;
	return nr < f->nr_parts ? &f->parts[nr] : NULL;
}

static void unmap(struct region *r)
{
	file_forget_map(r->mapped);
	if (r->map)
		munmap((void *)r->map, r->size);
	*r = (struct region){ 0 };
}

/* Maps the current content of @fd in place of the previous map. 0, -errno */
static int map_fd(const struct kt_file *f, struct region *r, int fd, uint64_t size)
{
	void *map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);

	if (map == MAP_FAILED)
		return -errno;
	unmap(r);
	*r = (struct region){ .map = map, .size = size };
	r->mapped = file_note_map(map, size, f->path);
	return 0;
}

/* Frees @path. 1: mapped with its current size, 0: no regular file, -ENOMEM */
static int map_part(const struct kt_file *f, struct region *r, char *path)
{
	struct stat st;
	int fd = -1, ret = 0;

	if (!path)
		return -ENOMEM;
	/* Do not follow a link: it may lead anywhere. */
	if (lstat(path, &st) == 0 && S_ISREG(st.st_mode)) {
		ret = 1;
		if (r->map && (uint64_t)st.st_size == r->size)
			goto out;
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	}
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || !st.st_size ||
	    map_fd(f, r, fd, (uint64_t)st.st_size) < 0)
		unmap(r);	/* treat it as empty; recovery reports it */
	if (fd >= 0)
		close(fd);
out:
	free(path);
	return ret;
}

/* Maps the parts PATH.part0, .part1 …, and the file that long ones share */
static int map_parts(struct kt_file *f)
{
	int ret = 1;

	while (f->nr_parts < MAX_PARTS && ret > 0) {
		if (!array_reserve(f->parts, f->nr_parts))
			return -ENOMEM;
		f->parts[f->nr_parts] = (struct region){ 0 };
		ret = map_part(f, &f->parts[f->nr_parts], part_path(f->path, f->nr_parts));
		f->nr_parts += ret > 0;
	}
	if (ret >= 0 && f->nr_parts)
		ret = map_part(f, &f->shared, part_shared_path(f->path));
	return ret < 0 ? ret : 0;
}

int file_map_again(struct kt_file *f)
{
	char *next = part_path(f->path, f->nr_parts);
	int ret = next ? access(next, F_OK) < 0 : -ENOMEM;
	size_t i;

	free(next);
	for (i = 0; ret > 0 && i < f->nr_parts; i++)
		ret = map_part(f, &f->parts[i], part_path(f->path, i));
	if (ret > 0 && map_part(f, &f->shared, part_shared_path(f->path)) < 0)
		ret = -ENOMEM;
	return ret;
}

int file_map(struct kt_file *f, struct kt_err *err)
{
	struct region whole = { 0 };
	struct stat st;
	int ret;

	f->have = f->info.size;
	ret = map_fd(f, &whole, f->fd, f->info.size);
	if (ret < 0)
		return kt_err_set(err, ret, "cannot map %s: %s", f->path, strerror(-ret));
	if (fstat(f->fd, &st) == 0)
		f->changed = st.st_mtim;
	f->map = whole.map;
	f->mapped = whole.mapped;
	return f->alone ? 0 : map_parts(f);
}

void file_unmap(struct kt_file *f)
{
	struct region whole = { .map = f->map, .size = f->info.size, .mapped = f->mapped };

	unmap(&whole);
	unmap(&f->shared);
	while (f->nr_parts)
		unmap(&f->parts[--f->nr_parts]);
	if (f->fd >= 0)
		close(f->fd);
	free(f->parts);
}

struct scan file_scan(const struct kt_file *f, uint64_t offset)
{
	uint64_t have = atomic_load_explicit(&f->have, memory_order_relaxed);
	uint64_t in_part = offset & ((1ull << PART_BITS) - 1);
	const struct region *r;

	if (offset <= have)
		return scan_init(f->map + offset, have - offset, f->swap);
	r = region_at(f, offset);
	if (r && r->map && in_part <= r->size)
		return scan_init(r->map + in_part, r->size - in_part, f->swap);
	return scan_init(f->map, 0, f->swap);
}

void file_note_cut(struct kt_file *f)
{
	struct stat st;

	if (fstat(f->fd, &st) < 0 || (uint64_t)st.st_size >= f->have)
		return;
	f->have = st.st_size;
	file_damage(f,
		    "it was truncated from %" PRIu64 " to %" PRIu64 " bytes while it was read",
		    f->info.size, (uint64_t)st.st_size);
}

size_t file_pread(struct kt_file *f, void *to, size_t size, uint64_t offset)
{
	size_t got = 0;
	ssize_t nr;

	while (got < size) {
		nr = pread(f->fd, (char *)to + got, size - got, offset + got);
		if (nr < 0 && errno == EINTR)
			continue;
		if (nr <= 0)
			break;
		got += nr;
	}
	if (got < size)
		file_note_cut(f);
	return got;
}

/*
 * Mapped pages count as memory of the process. Now and then all of them are
 * released; a later access gets them from the page cache again.
 */
void file_touched(struct kt_file *f, uint64_t bytes)
{
	size_t i;

	if (atomic_fetch_add(&f->touched, bytes) + bytes < LET_GO_AFTER)
		return;
	atomic_store(&f->touched, 0);
	madvise((void *)f->map, f->info.size, MADV_DONTNEED);
	for (i = 0; i < f->nr_parts; i++)
		madvise((void *)f->parts[i].map, f->parts[i].size, MADV_DONTNEED);
	if (f->shared.map)
		madvise((void *)f->shared.map, f->shared.size, MADV_DONTNEED);
}

const char *file_where(const struct kt_file *f, uint64_t offset, char *text, size_t size)
{
	const struct region *r = offset < f->info.size ? NULL : region_at(f, offset);
	uint64_t in_part = offset & ((1ull << PART_BITS) - 1);

	if (!r)
		snprintf(text, size, "%" PRIu64, offset);
	else if (r == &f->shared)
		snprintf(text, size, "%" PRIu64 " of the shared part", in_part);
	else
		snprintf(text, size, "%" PRIu64 " of part %zu", in_part, (size_t)(r - f->parts));
	return text;
}

#define IDENTITY 4096	/* bytes at each end */

static uint64_t hash_of(uint64_t hash, const void *data, size_t size)
{
	const uint8_t *bytes = data;

	while (size--)
		hash = (hash ^ *bytes++) * 0x100000001b3ull;	/* FNV-1a */
	return hash;
}

uint64_t file_fingerprint(const struct kt_file *f)
{
	uint8_t bytes[2 * IDENTITY] = { 0 };
	off_t end = (off_t)f->info.size - IDENTITY;
	uint64_t hash = hash_of(0xcbf29ce484222325ull, &f->info.size, sizeof(f->info.size));

	if (f->nr_parts || pread(f->fd, bytes, IDENTITY, 0) < 0 ||
	    pread(f->fd, bytes + IDENTITY, IDENTITY, end < 0 ? 0 : end) < 0)
		return 0;
	hash = hash_of(hash, bytes, sizeof(bytes));
	return hash ? hash : 1;
}

uint64_t file_identity(const struct kt_file *f)
{
	uint64_t hash = file_fingerprint(f), numbers[4];
	struct stat st;

	/* The copy of a pipe has no name: it cannot be opened again. */
	if (!hash || fstat(f->fd, &st) < 0 || !st.st_nlink || (uint64_t)st.st_size != f->info.size)
		return 0;
	numbers[0] = st.st_dev;
	numbers[1] = st.st_ino;
	numbers[2] = (uint64_t)st.st_mtim.tv_sec;
	numbers[3] = (uint64_t)st.st_mtim.tv_nsec;
	hash = hash_of(hash, numbers, sizeof(numbers));
	return hash ? hash : 1;
}
