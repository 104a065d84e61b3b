/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* map.c - the bytes of a file, and of the parts of an unfinished recording, in one map */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/file.h"
#include "file/note.h"
#include "file/part.h"

#define MAX_PARTS 65536

/* What a walk leaves mapped: small beside any cache, large beside the cost of madvise */
#define LET_GO_AFTER (16u << 20)

static uint64_t round_up(uint64_t size)
{
	uint64_t page = sysconf(_SC_PAGESIZE);

	return (size + page - 1) & ~(page - 1);
}

static int open_regular(const char *path, uint64_t *size, struct kt_err *err)
{
	struct stat st;
	int fd, ret;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return kt_err_set_kind(err, KT_ERR_NO_INPUT, -errno, "cannot open %s: %s", path,
				       strerror(errno));
	if (fstat(fd, &st) < 0)
		ret = kt_err_set_kind(err, KT_ERR_NO_INPUT, -errno, "cannot open %s: %s", path,
				      strerror(errno));
	else if (S_ISDIR(st.st_mode))
		ret = kt_err_set(err, -EISDIR, "%s is a directory", path);
	else if (!S_ISREG(st.st_mode))
		ret = kt_err_set(err, -EINVAL, "%s is no regular file", path);
	else if (!st.st_size)
		ret = kt_err_set(err, -EINVAL, "%s is empty", path);
	else
		ret = fd;
	*size = st.st_size;
	if (ret < 0)
		close(fd);
	return ret;
}

/* Name of the @nr-th region behind the file: the last one is what long parts share */
static char *region_path(const struct kt_file *f, size_t nr)
{
	return nr < f->nr_parts ? part_path(f->path, nr) : part_shared_path(f->path);
}

/* Room in the map for @path as the @nr-th region. Returns 1, 0 if it is no file, -ENOMEM. */
static int add_region(struct kt_file *f, size_t nr, char *path)
{
	struct region *grown;
	struct stat st;
	int ret = path ? lstat(path, &st) : -1;
	bool is_file = ret == 0 && S_ISREG(st.st_mode) && st.st_size >= 0;

	if (!path)
		return -ENOMEM;
	free(path);
	grown = file_grow(f->parts, nr, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	f->parts = grown;
	grown[nr] = (struct region){ f->map_size, is_file ? st.st_size : 0 };
	f->map_size += round_up(grown[nr].size);
	return is_file;
}

/* The parts PATH.part0, .part1 …: only their sizes, for the room they need in the map */
static int find_parts(struct kt_file *f)
{
	int ret = 1;

	while (f->nr_parts < MAX_PARTS && ret > 0) {
		ret = add_region(f, f->nr_parts, part_path(f->path, f->nr_parts));
		f->nr_parts += ret > 0;
	}
	if (ret >= 0 && f->nr_parts)
		ret = add_region(f, f->nr_parts, part_shared_path(f->path));
	return ret < 0 ? ret : 0;
}

/* A part that cannot be mapped counts as empty; recovering says so. */
static void map_part(struct kt_file *f, size_t nr)
{
	struct region *part = &f->parts[nr];
	char *path = region_path(f, nr);
	uint64_t size = 0;
	int fd = path && part->size ? open_regular(path, &size, NULL) : -1;

	if (size < part->size)
		part->size = fd < 0 ? 0 : size;
	if (fd >= 0 && mmap((void *)(f->map + part->offset), part->size, PROT_READ,
			    MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED)
		part->size = 0;
	if (fd >= 0)
		close(fd);
	free(path);
}

int file_map(struct kt_file *f, struct kt_err *err)
{
	int fd = open_regular(f->path, &f->info.size, err), ret;
	void *map;
	size_t i;

	if (fd < 0)
		return fd;
	f->have = f->info.size;
	f->map_size = round_up(f->info.size);
	ret = find_parts(f);
	if (ret < 0)
		goto out;
	map = mmap(NULL, f->map_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
		   0);
	if (map == MAP_FAILED) {
		ret = kt_err_set(err, -errno, "cannot map %s: %s", f->path, strerror(errno));
		goto out;
	}
	f->map = map;
	if (mmap(map, f->info.size, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED)
		ret = kt_err_set(err, -errno, "cannot map %s: %s", f->path, strerror(errno));
	for (i = 0; !ret && f->nr_parts && i <= f->nr_parts; i++)
		map_part(f, i);
	if (!ret)
		f->mapped = file_note_map(f->map, f->map_size, f->path);
out:
	if (ret < 0)
		close(fd);
	else
		f->fd = fd;
	return ret;
}

void file_unmap(struct kt_file *f)
{
	file_forget_map(f->mapped);
	if (f->map)
		munmap((void *)f->map, f->map_size);
	if (f->fd >= 0)
		close(f->fd);
	free(f->parts);
}

struct scan file_scan(const struct kt_file *f, uint64_t offset)
{
	const struct region *r;

	uint64_t have = atomic_load_explicit(&f->have, memory_order_relaxed);

	if (offset <= have)
		return scan_init(f->map + offset, have - offset, f->swap);
	for (r = f->parts; f->nr_parts && r <= f->parts + f->nr_parts; r++)
		if (offset >= r->offset && offset - r->offset <= r->size)
			return scan_init(f->map + offset, r->offset + r->size - offset, f->swap);
	return scan_init(f->map, 0, f->swap);
}

void file_note_cut(struct kt_file *f)
{
	struct stat st;

	if (fstat(f->fd, &st) < 0 || (uint64_t)st.st_size >= f->have)
		return;
	f->have = st.st_size;
	file_damage(f,
		    "somebody has cut it from %" PRIu64 " to %" PRIu64 " bytes while it was read",
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
 * Pages of the map count as memory of the process while they are mapped. Now
 * and then all of them are let go; whoever still reads there faults them in
 * again from the page cache.
 */
void file_touched(struct kt_file *f, uint64_t bytes)
{
	if (atomic_fetch_add(&f->touched, bytes) + bytes < LET_GO_AFTER)
		return;
	atomic_store(&f->touched, 0);
	madvise((void *)f->map, f->map_size, MADV_DONTNEED);
}

const char *file_where(const struct kt_file *f, uint64_t offset, char *text, size_t size)
{
	size_t i = f->nr_parts ? f->nr_parts + 1 : 0;

	while (i && f->parts[i - 1].offset > offset)
		i--;
	if (offset < f->info.size || !i)
		snprintf(text, size, "%" PRIu64, offset);
	else if (i > f->nr_parts)
		snprintf(text, size, "%" PRIu64 " of the shared part",
			 offset - f->parts[i - 1].offset);
	else
		snprintf(text, size, "%" PRIu64 " of part %zu", offset - f->parts[i - 1].offset,
			 i - 1);
	return text;
}

#define IDENTITY 4096	/* bytes at either end */

uint64_t file_identity(const struct kt_file *f)
{
	uint64_t hash = 0xcbf29ce484222325ull, numbers[5];	/* FNV-1a */
	uint8_t bytes[sizeof(numbers) + 2 * IDENTITY] = { 0 };
	off_t end = (off_t)f->info.size - IDENTITY;
	struct stat st;
	size_t i;

	if (f->nr_parts || fstat(f->fd, &st) < 0 || (uint64_t)st.st_size != f->info.size)
		return 0;
	numbers[0] = st.st_dev;
	numbers[1] = st.st_ino;
	numbers[2] = (uint64_t)st.st_size;
	numbers[3] = (uint64_t)st.st_mtim.tv_sec;
	numbers[4] = (uint64_t)st.st_mtim.tv_nsec;
	memcpy(bytes, numbers, sizeof(numbers));
	if (pread(f->fd, bytes + sizeof(numbers), IDENTITY, 0) < 0 ||
	    pread(f->fd, bytes + sizeof(numbers) + IDENTITY, IDENTITY, end < 0 ? 0 : end) < 0)
		return 0;
	for (i = 0; i < sizeof(bytes); i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3ull;
	return hash ? hash : 1;
}
