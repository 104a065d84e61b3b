/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show_copy.c - copy what the kernel prints to stdout, up to a given record */
#include "show_copy.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/print/safe.h"

#define ROOM 65536

struct copy {
	int fd;
	const char *path;
	uint64_t left;		/* the number of records to print */
	char buf[ROOM];		/* of a trace: starts at the beginning of a line */
	size_t len;
	bool done;
};

/* "cat-123     [000]", "cat-123 (99)  [000]", in the latency format "cat-123     0d..." */
static bool names_task(const char *line, size_t len)
{
	const char *end = line + len, *p = line;

	while ((p = memchr(p, '-', end - p))) {
		const char *digit = ++p;

		while (p < end && isdigit((unsigned char)*p))
			p++;
		if (p == digit || p == end || *p != ' ')
			continue;
		while (p < end && *p == ' ')
			p++;
		if (p < end && (*p == '[' || *p == '(' || isdigit((unsigned char)*p)))
			return true;
	}
	return false;
}

/*
 * A graph has a bar in each line; the lines of other tracers begin with a task. All other lines
 * belong to the record before: stacks, lines of a marker, remarks.
 */
static bool is_record(const char *line, size_t len)
{
	size_t blanks = 0;

	if (*line == '#')
		return false;
	while (blanks < len && line[blanks] == ' ')
		blanks++;
	if (blanks < len && strchr("0123456789|+!#*@$", line[blanks]) && memchr(line, '|', len))
		return true;
	return names_task(line, len);
}

/* The number of bytes of these lines to print */
static size_t allowed(struct copy *c, const char *text, size_t len)
{
	size_t at, n;

	for (at = 0; at < len; at += n) {
		const char *end = memchr(text + at, '\n', len - at);

		n = end ? (size_t)(end + 1 - (text + at)) : len - at;
		if (!is_record(text + at, n))
			continue;
		if (!c->left) {
			c->done = true;
			return at;
		}
		c->left--;
	}
	return len;
}

/* Print complete lines, as the beginnings of lines count records; @end: and the rest */
static int print(struct copy *c, bool end)
{
	const char *last = memrchr(c->buf, '\n', c->len);
	size_t len = last && !end && c->left != SHOW_ALL ? (size_t)(last + 1 - c->buf) : c->len;
	int ret;

	if (!last && !end && c->left != SHOW_ALL && c->len < ROOM)
		return 0;
	ret = safe_write(c->buf, c->left == SHOW_ALL ? len : allowed(c, c->buf, len),
			 safe_for_person());
	/* The reader of a pipe needs each event as it arrives. */
	if (ret == 0 && fflush(stdout))
		ret = -errno;
	memmove(c->buf, c->buf + len, c->len - len);
	c->len -= len;
	return ret;
}

int show_copy(int fd, const char *path, uint64_t records, struct kt_err *err)
{
	static struct copy c;
	int ret = 0;
	ssize_t got;

	c = (struct copy){ .fd = fd, .path = path, .left = records };
	while (ret == 0 && !c.done) {
		got = read(c.fd, c.buf + c.len, ROOM - c.len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return kt_err_set(err, -errno, "cannot read %s: %s", c.path,
					  strerror(errno));
		c.len += got;
		ret = print(&c, got == 0);
		if (got == 0)
			break;
	}
	return ret == 0 || ret == -EPIPE ?
	       0 : kt_err_set(err, ret, "cannot write: %s", strerror(-ret));
}
