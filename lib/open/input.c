/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* input.c - open the input; copy a trace that comes through a pipe to a temporary file */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "base/temp.h"
#include "file/file.h"

#define BLOCK 65536

/* Like read(), but waits for data even if the descriptor is non-blocking. */
static ssize_t read_some(int fd, void *data, size_t size)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	ssize_t n;

	do {
		n = read(fd, data, size);
		if (n < 0 && errno == EAGAIN)
			poll(&wait, 1, -1);
	} while (n < 0 && (errno == EINTR || errno == EAGAIN));
	return n;
}

static int copy(const struct kt_file *f, int from, int to, struct kt_err *err)
{
	char data[BLOCK];
	ssize_t n;
	int ret;

	while ((n = read_some(from, data, sizeof(data))) > 0) {
		ret = str_write_fd(to, data, (size_t)n);
		if (ret < 0)
			return kt_err_set(err, ret, "cannot copy %s to a temporary file: %s",
					  f->path, strerror(-ret));
	}
	if (n < 0)
		return kt_err_set(err, -errno, "cannot read %s: %s", f->path, strerror(errno));
	return 0;
}

static int no_input(const struct kt_file *f, struct kt_err *err)
{
	return kt_err_set_kind(err, KT_ERR_NO_INPUT, -errno, "cannot open %s: %s", f->path,
			       strerror(errno));
}

/* Replaces the pipe by a file with a copy of its data. */
static int spool(struct kt_file *f, struct kt_err *err)
{
	int to = temp_open_unnamed(err), ret;

	if (to < 0)
		return kt_err_code(err, -EIO);
	ret = copy(f, f->fd, to, err);
	close(f->fd);
	f->fd = to;
	return ret;
}

static int check(struct kt_file *f, const struct stat *st, bool is_stdin, struct kt_err *err)
{
	if (S_ISDIR(st->st_mode))
		return kt_err_set(err, -EISDIR, "%s is a directory", f->path);
	if (S_ISCHR(st->st_mode) && is_stdin)
		return kt_err_set(err, -EINVAL, "a trace is expected on standard input");
	if (!S_ISREG(st->st_mode))
		return kt_err_set(err, -EINVAL, "%s is neither a regular file nor a pipe", f->path);
	if (!st->st_size)
		return kt_err_set(err, -EINVAL, "%s is empty", f->path);
	f->info.size = (uint64_t)st->st_size;
	return 0;
}

static int open_path(struct kt_file *f, bool is_stdin)
{
	if (!is_stdin)
		return open(f->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	free(f->path);
	f->info.path = f->path = strdup("standard input");
	f->alone = true;
	return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
}

int open_input(struct kt_file *f, struct kt_err *err)
{
	bool is_stdin = strcmp(f->path, "-") == 0;
	struct stat st;
	int ret = 0;

	f->fd = open_path(f, is_stdin);
	if (!f->path)
		return -ENOMEM;
	if (f->fd < 0 || fstat(f->fd, &st) < 0)
		return no_input(f, err);
	if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) {
		ret = spool(f, err);
		f->alone = true;
		if (ret == 0 && fstat(f->fd, &st) < 0)
			return no_input(f, err);
	}
	return ret < 0 ? ret : check(f, &st, is_stdin, err);
}
