/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* temp.c - temporary folders, of which the next run removes those of a killed one; unnamed files */
#include <ktrail/rec.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "base/temp.h"

#define LOCK "lock"		/* in the folder: locked while a process uses it */

static void remove_in(const char *dir)
{
	char path[4096];
	struct dirent *e;
	DIR *d = opendir(dir);

	while (d && (e = readdir(d)))
		if (*e->d_name != '.' &&
		    (size_t)snprintf(path, sizeof(path), "%s/%s", dir, e->d_name) < sizeof(path))
			unlink(path);
	if (d)
		closedir(d);
}

void kt_temp_remove(const char *dir)
{
	remove_in(dir);
	rmdir(dir);
}

/* The lock ends with its process; a folder without one is just being created. */
static bool is_left(const char *dir)
{
	struct str path = STR_INIT;
	struct stat st;
	bool left = false;
	int fd;

	str_addf(&path, "%s/%s", dir, LOCK);
	if (lstat(dir, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid()) {
		fd = open(path.buf, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
		left = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;
		if (fd >= 0)
			close(fd);
	}
	str_fini(&path);
	return left;
}

static void remove_left(const char *where, const char *prefix)
{
	struct str path = STR_INIT;
	struct dirent *e;
	DIR *d = opendir(where);

	while (d && (e = readdir(d))) {
		if (!str_starts(e->d_name, prefix))
			continue;
		str_reset(&path);
		str_addf(&path, "%s/%s", where, e->d_name);
		if (is_left(path.buf))
			kt_temp_remove(path.buf);
	}
	if (d)
		closedir(d);
	str_fini(&path);
}

/* The descriptor stays open until the process ends, which holds the lock. */
static int lock_folder(const char *dir)
{
	struct str path = STR_INIT;
	int fd;

	str_addf(&path, "%s/%s", dir, LOCK);
	fd = open(path.buf, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	str_fini(&path);
	return fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0 ? -errno : 0;
}

char *kt_temp_create(const char *where, const char *prefix, struct kt_err *err)
{
	const char *tmp = getenv("TMPDIR");
	struct str dir = STR_INIT;
	char *path;

	where = tmp && *tmp ? tmp : access(where, W_OK) == 0 ? where : "/tmp";
	remove_left(where, prefix);
	str_addf(&dir, "%s/%s-XXXXXX", where, prefix);
	path = str_take(&dir);
	if (path && mkdtemp(path) && lock_folder(path) == 0)
		return path;
	kt_err_set(err, path ? -errno : -ENOMEM, "cannot create a folder in %s: %s", where,
		   path ? strerror(errno) : "out of memory");
	free(path);
	return NULL;
}

int temp_open_unnamed(struct kt_err *err)
{
	const char *tmp = getenv("TMPDIR"), *dir = tmp && *tmp ? tmp :
			  access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp";
	struct str path = STR_INIT;
	int fd = open(dir, O_RDWR | O_TMPFILE | O_CLOEXEC, 0666);

	if (fd < 0) {		/* not every file system has such files */
		str_addf(&path, "%s/ktrail-XXXXXX", dir);
		fd = path.failed ? -1 : mkostemp(path.buf, O_CLOEXEC);
		if (fd >= 0)
			unlink(path.buf);
		else
			fd = kt_err_set(err, -errno, "cannot create a temporary file in %s: %s",
					dir, strerror(errno));
		str_fini(&path);
	}
	return fd;
}
