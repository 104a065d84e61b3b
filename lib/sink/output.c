/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* output.c - reserve, lock and give back the name of the output */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sink/file_priv.h"

/*
 * At the end, the file of the long parts takes the name of the output. That replaces
 * the target of a link, but must not replace the link. The target exists by now.
 */
static int find_home(struct file_sink *f, struct kt_err *err)
{
	char *home = part_home(f->path);

	if (!home)
		return kt_err_no_memory(err);
	free(f->path);
	f->path = home;
	return 0;
}

static int open_output(struct file_sink *f, mode_t mode, struct kt_err *err)
{
	f->lock_fd = open(f->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, mode);
	if (f->lock_fd < 0)
		return kt_err_set(err, -errno, "cannot create %s: %s", f->path, strerror(errno));
	return 0;
}

/* Two recordings into one file would ruin both: the first one holds a lock on it */
static int check_output(struct file_sink *f, struct kt_err *err)
{
	struct stat st;

	if (fstat(f->lock_fd, &st) < 0)
		return kt_err_set(err, -errno, "cannot create %s: %s", f->path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return kt_err_set(err, -EINVAL, "%s is not a regular file", f->path);
	if (flock(f->lock_fd, LOCK_EX | LOCK_NB) < 0)
		return kt_err_set(err, -EBUSY, "another recording is writing to %s", f->path);
	return 0;
}

static int lock_output(struct file_sink *f, struct kt_err *err)
{
	int ret = open_output(f, 0644, err);

	return ret < 0 ? ret : check_output(f, err);
}

/* Removes the new file and its parts from the names of the old file */
void file_give_output_back(struct file_sink *f)
{
	part_unlink_all(f->path);
	unlink(f->path);
	if (f->kept && rename(f->kept, f->path) == 0)
		part_rename_all(f->kept, f->path);
}

/*
 * Like perf: keep the previous trace, since it is worth more than the one before it. But the
 * remains of a failed recording do not replace a complete one.
 */
static char *name_for_old(const char *path)
{
	char *name;

	if (asprintf(&name, "%s.old", path) < 0)
		return NULL;
	if (!part_any(path) || access(name, F_OK) < 0 || part_any(name))
		return name;
	free(name);
	return asprintf(&name, "%s.unfinished", path) < 0 ? NULL : name;
}

static int set_old_aside(struct file_sink *f, struct kt_err *err)
{
	struct stat st;
	int ret;

	if (!f->opts.keep_old || fstat(f->lock_fd, &st) < 0 || !st.st_size)
		return 0;
	f->kept = name_for_old(f->path);
	if (!f->kept)
		return kt_err_no_memory(err);
	part_unlink_all(f->kept);
	if (rename(f->path, f->kept) < 0) {
		ret = kt_err_set(err, -errno, "cannot rename %s to %s: %s", f->path, f->kept,
				 strerror(errno));
		free(f->kept);
		f->kept = NULL;
		return ret;
	}
	part_rename_all(f->path, f->kept);
	close(f->lock_fd);
	ret = open_output(f, st.st_mode & 0777, err);
	/* If root records in a user's folder, the file keeps its owner */
	if (ret == 0 && fchown(f->lock_fd, st.st_uid, st.st_gid) < 0)
		fchmod(f->lock_fd, st.st_mode & 0707);
	return ret < 0 ? ret : check_output(f, err);
}

int file_take_output(struct file_sink *f, struct kt_err *err)
{
	int ret = lock_output(f, err);

	if (ret == 0)
		ret = find_home(f, err);
	return ret < 0 ? ret : set_old_aside(f, err);
}

int file_sink_drop_kept(struct sink *s, struct kt_err *err)
{
	const char *kept = file_sink_kept(s);

	part_unlink_all(kept);
	return unlink(kept) < 0 ?
	       kt_err_set(err, -errno, "cannot remove %s: %s", kept, strerror(errno)) : 0;
}
