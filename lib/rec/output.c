/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* output.c - the name that a recording writes to: taken, locked, given back */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rec/rec_priv.h"

/*
 * Long parts become the output in the end, by taking its name: what a link leads
 * to can be replaced so, the link cannot. The file is there by now.
 */
static int find_home(struct kt_rec *rec, struct kt_err *err)
{
	char *home = part_home(rec->path);

	if (!home)
		return kt_err_set(err, -ENOMEM, "no memory to record %s", rec->path);
	free(rec->path);
	rec->path = home;
	return 0;
}

static int open_output(struct kt_rec *rec, mode_t mode, struct kt_err *err)
{
	rec->lock_fd = open(rec->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, mode);
	if (rec->lock_fd < 0)
		return kt_err_set(err, -errno, "cannot create %s: %s", rec->path, strerror(errno));
	return 0;
}

/* Two recordings into one file would ruin both: the first one holds a lock on it */
static int check_output(struct kt_rec *rec, struct kt_err *err)
{
	struct stat st;

	if (fstat(rec->lock_fd, &st) < 0)
		return kt_err_set(err, -errno, "cannot create %s: %s", rec->path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return kt_err_set(err, -EINVAL, "%s is no regular file", rec->path);
	if (flock(rec->lock_fd, LOCK_EX | LOCK_NB) < 0)
		return kt_err_set(err, -EBUSY, "another recording is writing to %s", rec->path);
	return 0;
}

static int lock_output(struct kt_rec *rec, struct kt_err *err)
{
	int ret = open_output(rec, 0644, err);

	return ret < 0 ? ret : check_output(rec, err);
}

/* The name of the new file is not that of the old one any more, nor that of its parts */
void rec_give_output_back(struct kt_rec *rec)
{
	part_unlink_all(rec->path);
	unlink(rec->path);
	if (rec->kept && rename(rec->kept, rec->path) == 0)
		part_rename_all(rec->kept, rec->path);
}

/*
 * As perf does: the last trace is worth more than the one before it. Unless it is what a
 * recording left that failed: that does not take the place of a whole one.
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

static int set_old_aside(struct kt_rec *rec, struct kt_err *err)
{
	struct stat st;
	int ret;

	if (!rec->opts.keep_old || fstat(rec->lock_fd, &st) < 0 || !st.st_size)
		return 0;
	rec->kept = name_for_old(rec->path);
	if (!rec->kept)
		return kt_err_set(err, -ENOMEM, "no memory to record %s", rec->path);
	part_unlink_all(rec->kept);
	if (rename(rec->path, rec->kept) < 0) {
		ret = kt_err_set(err, -errno, "cannot rename %s to %s: %s", rec->path, rec->kept,
				 strerror(errno));
		free(rec->kept);
		rec->kept = NULL;
		return ret;
	}
	part_rename_all(rec->path, rec->kept);
	close(rec->lock_fd);
	ret = open_output(rec, st.st_mode & 0777, err);
	/* As root in somebody's folder the file stays theirs */
	if (ret == 0 && fchown(rec->lock_fd, st.st_uid, st.st_gid) < 0)
		fchmod(rec->lock_fd, st.st_mode & 0707);
	return ret < 0 ? ret : check_output(rec, err);
}

int rec_take_output(struct kt_rec *rec, struct kt_err *err)
{
	int ret = lock_output(rec, err);

	if (ret == 0)
		ret = find_home(rec, err);
	return ret < 0 ? ret : set_old_aside(rec, err);
}

int kt_rec_drop_kept(struct kt_rec *rec, struct kt_err *err)
{
	part_unlink_all(rec->kept);
	return unlink(rec->kept) < 0 ?
	       kt_err_set(err, -errno, "cannot remove %s: %s", rec->kept, strerror(errno)) : 0;
}

const char *kt_rec_kept(const struct kt_rec *rec)
{
	return rec->kept;
}
