/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* temp.c - temporary folders and unnamed files; removes the folders of runs that were killed */
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

struct kt_temp {
	char *path;
	int lock_fd;			/* holds the lock; -1: none */
};

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

static void remove_folder(const char *dir)
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
			remove_folder(path.buf);
	}
	if (d)
		closedir(d);
	str_fini(&path);
}

static bool lock_folder(struct kt_temp *t)
{
	struct str path = STR_INIT;

	str_addf(&path, "%s/%s", t->path, LOCK);
	t->lock_fd = path.failed ? -1 :
		     open(path.buf, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	str_fini(&path);
	return t->lock_fd >= 0 && flock(t->lock_fd, LOCK_EX | LOCK_NB) == 0;
}

static const char *choose_place(const char *where)
{
	const char *tmp = getenv("TMPDIR");

	if (tmp && *tmp)
		return tmp;
	return access(where, W_OK) == 0 ? where : "/tmp";
}

struct kt_temp *kt_temp_open(const char *where, const char *prefix, struct kt_err *err)
{
	const char *const places[] = { choose_place(where), "/dev/shm", "/var/tmp", "/tmp" };
	struct kt_temp *t = calloc(1, sizeof(*t));
	size_t i;

	if (!t) {
		kt_err_no_memory(err);
		return NULL;
	}
	t->lock_fd = -1;
	for (i = 0; i < sizeof(places) / sizeof(*places); i++)
		remove_left(places[i], prefix);
	if (asprintf(&t->path, "%s/%s-XXXXXX", places[0], prefix) < 0)
		t->path = NULL;
	if (t->path && mkdtemp(t->path) && lock_folder(t))
		return t;
	kt_err_set(err, t->path ? -errno : -ENOMEM, "cannot create a folder in %s: %s", places[0],
		   t->path ? strerror(errno) : "out of memory");
	kt_temp_close(t);
	return NULL;
}

const char *kt_temp_path(const struct kt_temp *t)
{
	return t->path;
}

void kt_temp_close(struct kt_temp *t)
{
	if (!t)
		return;
	if (t->path)
		remove_folder(t->path);
	if (t->lock_fd >= 0)
		close(t->lock_fd);
	free(t->path);
	free(t);
}

int temp_open_unnamed(struct kt_err *err)
{
	const char *dir = choose_place("/var/tmp");
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
