/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* elf_find.c - find the file of a program or library by its name */
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/str.h"
#include "probe/elf.h"

/*
 * /etc/ld.so.cache of glibc 2.2 and later: a header of 48 bytes that begins
 * with the magic, then entries of 24 bytes (flags, offset of the name, offset
 * of the path …), then the strings; offsets count from the header. Old caches
 * have another table before it. All in the host's byte order.
 */
static const char cache_magic[] = "glibc-ld.so.cache1.1";
enum { CACHE_HEADER = 48, CACHE_ENTRY = 24, CACHE_NR = 20, CACHE_KEY = 4, CACHE_PATH = 8 };

/* Does the dynamic linker of this program's kind load it? Another word size does not count. */
static bool is_native(const char *path)
{
	unsigned char id[EI_NIDENT];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, id, sizeof(id));

	if (fd >= 0)
		close(fd);
	return got == sizeof(id) && memcmp(id, ELFMAG, SELFMAG) == 0 &&
	       id[EI_CLASS] == (sizeof(long) == 8 ? ELFCLASS64 : ELFCLASS32);
}

/* "libc.so.6" matches the names "libc.so.6", "libc" and "libc.so". */
static bool is_library(const char *file, const char *name)
{
	size_t len = strlen(name);

	if (strncmp(file, name, len) != 0)
		return false;
	return !file[len] || str_starts(file + len, ".so") ||
	       (len > 3 && strcmp(name + len - 3, ".so") == 0 && file[len] == '.');
}

static const char *cache_string(const struct str *cache, size_t base, uint32_t offset)
{
	size_t at = base + offset;

	return at < cache->len && memchr(cache->buf + at, '\0', cache->len - at) ? cache->buf + at
										  : NULL;
}

static char *find_in_cache(const char *name)
{
	struct str cache = STR_INIT;
	const char *head = NULL;
	char *found = NULL;
	size_t base, nr, i;

	if (str_read_file(&cache, "/etc/ld.so.cache") == 0)
		head = memmem(cache.buf, cache.len, cache_magic, strlen(cache_magic));
	base = head ? (size_t)(head - cache.buf) : 0;
	if (!head || cache.len - base < CACHE_HEADER)
		goto out;
	nr = load_u32(head + CACHE_NR, false);
	if (nr > (cache.len - base - CACHE_HEADER) / CACHE_ENTRY)
		goto out;
	for (i = 0; i < nr && !found; i++) {
		const char *entry = head + CACHE_HEADER + i * CACHE_ENTRY;
		const char *key = cache_string(&cache, base, load_u32(entry + CACHE_KEY, false));
		const char *path = cache_string(&cache, base, load_u32(entry + CACHE_PATH, false));

		if (key && path && is_library(key, name) && is_native(path))
			found = strdup(path);
	}
out:
	str_fini(&cache);
	return found;
}

/* @dirs: separated by ':' */
static char *find_in(const char *dirs, const char *name, int mode)
{
	char path[PATH_MAX];

	while (dirs && *dirs) {
		size_t len = strcspn(dirs, ":");

		snprintf(path, sizeof(path), "%.*s/%s", len ? (int)len : 1, len ? dirs : ".", name);
		if (access(path, mode) == 0 && is_native(path))
			return strdup(path);
		dirs += len + (dirs[len] == ':');
	}
	return NULL;
}

static char *find_library_in(const char *dir, const char *name)
{
	DIR *d = opendir(dir);
	struct dirent *entry;
	char path[PATH_MAX], *found = NULL;

	while (d && !found && (entry = readdir(d))) {
		if (!is_library(entry->d_name, name))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		if (is_native(path))
			found = strdup(path);
	}
	if (d)
		closedir(d);
	return found;
}

/* The folders that dynamic linkers search without a cache, or after it: those of musl, Debian … */
static char *find_in_system(const char *name)
{
	static const char *const patterns[] = {
		"/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib",
		"/lib/*-linux-*", "/usr/lib/*-linux-*",
	};
	char *found = NULL;
	glob_t dirs;
	size_t i, d;

	for (i = 0; !found && i < sizeof(patterns) / sizeof(*patterns); i++) {
		if (glob(patterns[i], 0, NULL, &dirs) != 0)
			continue;
		for (d = 0; !found && d < dirs.gl_pathc; d++)
			found = find_library_in(dirs.gl_pathv[d], name);
		globfree(&dirs);
	}
	return found;
}

static char *find_by_name(const char *name)
{
	char *path = find_in(getenv("LD_LIBRARY_PATH"), name, R_OK);
	bool library = strstr(name, ".so") || str_starts(name, "lib");

	if (!path && library)
		path = find_in_cache(name);
	if (!path && library)
		path = find_in_system(name);
	if (!path)
		path = find_in(getenv("PATH"), name, X_OK);
	return path;
}

char *ctl_elf_find(const char *name, struct kt_err *err)
{
	char *path, *real;

	path = strchr(name, '/') ? strdup(name) : find_by_name(name);
	if (!path) {
		kt_err_set(err, -ENOENT, "no program or library '%s' in $LD_LIBRARY_PATH, "
			   "/etc/ld.so.cache, /lib, /usr/lib or $PATH: give its path", name);
		return NULL;
	}
	real = realpath(path, NULL);
	if (!real)
		kt_err_set(err, -errno, "%s: %s", path, strerror(errno));
	free(path);
	return real;
}
