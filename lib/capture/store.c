/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* store.c - the files of a recorder: numbers, how many are kept, room for the next one */
#include "capture/capture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/units.h"

#define MIN_FREE (256ull << 20)		/* or 5 % of a smaller file system */

/* The number of "NAME-0012.dat", 0: another file. @rest: what follows the name */
static unsigned int number_of(const struct store *s, const char *file, const char **rest)
{
	size_t len = strlen(s->name);
	unsigned int nr;
	int end = 0;

	if (strncmp(file, s->name, len) != 0 || file[len] != '-' ||
	    sscanf(file + len + 1, "%9u.dat%n", &nr, &end) != 1 || !end)
		return 0;
	*rest = file + len + 1 + end;
	return nr;
}

/* "NAME-0012.dat.new0": an unfinished file of a killed recorder */
static bool is_half(const char *rest)
{
	return str_starts(rest, ".new") && rest[4] && !rest[4 + strspn(rest + 4, "0123456789")];
}

struct numbers {
	unsigned int lowest, highest;
	uint64_t nr, bytes;
};

static int look(const struct store *s, bool remove_half, struct numbers *n)
{
	DIR *d = opendir(s->dir);
	const char *rest;
	struct dirent *e;
	struct stat st;
	unsigned int nr;

	*n = (struct numbers){ 0 };
	if (!d)
		return -errno;
	while ((e = readdir(d))) {
		nr = number_of(s, e->d_name, &rest);
		if (nr && remove_half && is_half(rest))
			unlinkat(dirfd(d), e->d_name, 0);
		if (!nr || *rest || fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		n->nr++;
		n->bytes += (uint64_t)st.st_blocks * 512;
		n->lowest = !n->lowest || nr < n->lowest ? nr : n->lowest;
		n->highest = nr > n->highest ? nr : n->highest;
	}
	closedir(d);
	return 0;
}

int store_open(struct store *s, const struct kt_capture_opts *o, struct kt_err *err)
{
	const char *slash = strrchr(o->prefix, '/'), *base = slash ? slash + 1 : o->prefix;
	struct numbers n;
	int ret;

	*s = (struct store){ .keep = o->keep, .max_disk = o->max_disk, .min_free = o->min_free };
	s->dir = slash ? strndup(o->prefix, (size_t)(slash - o->prefix) + 1) : strdup("./");
	s->name = strdup(*base ? base : "capture");
	if (!s->dir || !s->name)
		return kt_err_no_memory(err);
	ret = look(s, true, &n);
	if (ret == 0 && access(s->dir, W_OK) < 0)
		ret = -errno;
	if (ret < 0)
		return kt_err_set(err, ret, "%s: %s", s->dir, strerror(-ret));
	s->next = n.highest + 1;
	return 0;
}

void store_close(struct store *s)
{
	free(s->dir);
	free(s->name);
	free(s->path);
	free(s->removed);
	*s = (struct store){ 0 };
}

char *store_path(const struct store *s, const char *rest)
{
	char *path;

	return asprintf(&path, "%s%s-%s", strcmp(s->dir, "./") == 0 ? "" : s->dir, s->name,
			rest) < 0 ? NULL : path;
}

static char *path_of(const struct store *s, unsigned int nr)
{
	char rest[32];

	snprintf(rest, sizeof(rest), "%04u.dat", nr);
	return store_path(s, rest);
}

/* Another recorder may use the same name: its files are not replaced. */
const char *store_next(struct store *s)
{
	do {
		free(s->path);
		s->path = path_of(s, s->next);
	} while (s->path && access(s->path, F_OK) == 0 && ++s->next);
	return s->path;
}

void store_trim(struct store *s)
{
	struct numbers n;

	free(s->removed);
	s->removed = NULL;
	s->nr_removed = 0;
	while (look(s, false, &n) == 0 && n.nr > 1 &&
	       ((s->keep && n.nr > s->keep) || (s->max_disk && n.bytes > s->max_disk))) {
		free(s->removed);
		s->removed = path_of(s, n.lowest);
		if (!s->removed || unlink(s->removed) < 0)
			break;
		s->nr_removed++;
	}
}

void store_count(const struct store *s, uint64_t *nr, uint64_t *bytes)
{
	struct numbers n;

	look(s, false, &n);
	*nr = n.nr;
	*bytes = n.bytes;
}

static bool has_room(const struct store *s, const char *dir, uint64_t need, char *why, size_t size)
{
	char is[32], wanted[32];
	struct statvfs v;
	uint64_t has, min;

	if (statvfs(dir, &v) < 0)
		return true;		/* the write reports it */
	has = (uint64_t)v.f_bavail * v.f_frsize;
	min = (uint64_t)v.f_blocks * v.f_frsize / 20;
	if (min > MIN_FREE)
		min = MIN_FREE;
	if (s->min_free)
		min = s->min_free;
	if (has >= need && has - need >= min)
		return true;
	snprintf(why, size, "%s has only %s free: %s are needed", dir,
		 units_format_size(has, is), units_format_size(min + need, wanted));
	return false;
}

bool store_has_room(const struct store *s, const char *temporary, uint64_t ring, char *why,
		    size_t size)
{
	return has_room(s, s->dir, 0, why, size) && has_room(s, temporary, ring, why, size);
}
