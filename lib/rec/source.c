/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* source.c - take whole sub-buffers from one CPU's ring buffer */
#include "rec/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/bytes.h"

int source_pipe_open(struct source_pipe *pipe, size_t size)
{
	int got;

	if (pipe2(pipe->fd, O_CLOEXEC | O_NONBLOCK) < 0) {
		pipe->fd[0] = pipe->fd[1] = -1;
		return -errno;
	}
	/* Above the user's limit the pipe keeps its size: more calls, same result */
	fcntl(pipe->fd[1], F_SETPIPE_SZ, (int)size);
	got = fcntl(pipe->fd[1], F_GETPIPE_SZ);
	pipe->size = got > 0 ? (size_t)got : 65536;
	return 0;
}

void source_pipe_close(struct source_pipe *pipe)
{
	if (pipe->fd[0] >= 0) {
		close(pipe->fd[0]);
		close(pipe->fd[1]);
	}
	pipe->fd[0] = pipe->fd[1] = -1;
}

int source_open(struct source *s, const char *path, uint32_t page_size, bool splice,
		struct kt_err *err)
{
	s->page_size = page_size;
	s->splice = splice;
	s->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return s->fd < 0 ? kt_err_set(err, -errno, "cannot open %s: %s", path, strerror(errno))
			 : 0;
}

void source_close(struct source *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

/* Reads everything that the preceding splice put into the pipe */
static ssize_t empty_pipe(struct source_pipe *pipe, char *room, size_t size)
{
	size_t done = 0;
	ssize_t n;

	while (done < size) {
		n = read(pipe->fd[0], room + done, size - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

static ssize_t take_by_splice(struct source *s, struct source_pipe *pipe, char *room, size_t size)
{
	size_t want = size < pipe->size ? size : pipe->size;
	ssize_t n;

	want -= want % s->page_size;
	if (!want)
		return -EINVAL;
	do {
		n = splice(s->fd, NULL, pipe->fd[1], NULL, want, SPLICE_F_NONBLOCK | SPLICE_F_MOVE);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == EAGAIN ? 0 : -errno;
	return n ? empty_pipe(pipe, room, (size_t)n) : 0;
}

/*
 * One sub-buffer. The kernel pads it with zeros, but only up to the requested
 * size; it may return just the length of the data.
 */
static ssize_t take_by_read(struct source *s, char *room)
{
	ssize_t n;

	do {
		n = read(s->fd, room, s->page_size);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == EAGAIN ? 0 : -errno;
	if (n)
		memset(room + n, 0, s->page_size - (size_t)n);
	return n ? (ssize_t)s->page_size : 0;
}

static uint32_t length_of(const char *page)
{
	/* A kernel long after the time stamp; its low half has the length */
	size_t at = 8 + (KT_HOST_BIG ? sizeof(long) - 4 : 0);

	return load_u32(page + at, false) & 0x7ffffff;
}

/* Is the sub-buffer still being written? Then the next read would get only a few events. */
static bool is_partial(const struct source *s, const char *page)
{
	return length_of(page) < s->page_size / 4 * 3;
}

static ssize_t take_by_reads(struct source *s, char *room, size_t size)
{
	const char *page = room;
	size_t done = 0;
	ssize_t n = 0;

	for (; done + s->page_size <= size; page += n) {
		n = take_by_read(s, room + done);
		if (n <= 0)
			break;
		done += (size_t)n;
		s->partial = is_partial(s, page);
		s->nr_tiny = length_of(page) < s->page_size / 4 ? s->nr_tiny + 1 : 0;
		if (s->partial)
			break;
	}
	return done ? (ssize_t)done : n;
}

ssize_t source_take(struct source *s, struct source_pipe *pipe, void *room, size_t size, bool rest)
{
	ssize_t n;

	s->partial = false;
	if (s->splice && pipe->fd[0] >= 0) {
		n = take_by_splice(s, pipe, room, size);
		if (n > 0 || (n == 0 && !rest))
			return n;
		if (n < 0 && n != -EINVAL)
			return n;
		/* Some kernels refuse to splice: use read from now on */
		if (n < 0)
			s->splice = false;
	}
	return take_by_reads(s, room, size);
}

#define MAX_AT_ONCE 64		/* sub-buffers: a chunk of the usual size */

ssize_t source_take_due(struct source *s, void *room, size_t size)
{
	struct iovec io[MAX_AT_ONCE];
	size_t nr = size / s->page_size, i;
	ssize_t n;

	/* For this file the kernel makes a call per buffer, which returns all of it or nothing */
	nr = nr < MAX_AT_ONCE ? nr : MAX_AT_ONCE;
	for (i = 0; i < nr; i++)
		io[i] = (struct iovec){ (char *)room + i * s->page_size, s->page_size };
	do {
		n = readv(s->fd, io, (int)nr);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == EAGAIN ? 0 : -errno;
	if (n % s->page_size) {		/* see take_by_read() */
		i = s->page_size - (size_t)n % s->page_size;
		memset((char *)room + n, 0, i);
		n += (ssize_t)i;
	}
	if (n && is_partial(s, (char *)room + n - s->page_size))
		s->due = 0;
	return n;
}
