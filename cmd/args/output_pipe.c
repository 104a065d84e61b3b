/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output_pipe.c - a trace to standard output: written to a temporary file, then copied */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/rec.h>

#include "base/str.h"
#include "output.h"

/* A trace must not be mixed with messages or with the output of a command. */
static int divert_stdout(struct output_pipe *p, struct kt_err *err)
{
	fflush(stdout);
	p->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (p->fd >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
		return 0;
	return kt_err_set(err, -errno, "cannot write to stdout: %s", strerror(errno));
}

int output_pipe_check(struct kt_err *err)
{
	return !isatty(STDOUT_FILENO) ? 0 :
		cmd_misuse(err, "-o - writes a trace: stdout must be a pipe or a file");
}

int output_pipe_begin(struct output_pipe *p, const char **path, struct kt_err *err)
{
	int ret;

	*p = (struct output_pipe)OUTPUT_PIPE_INIT;
	if (strcmp(*path, "-") != 0)
		return 0;
	ret = output_pipe_check(err);
	if (ret < 0)
		return ret;
	p->dir = kt_temp_open("/var/tmp", "ktrail-output", err);
	if (!p->dir)
		return kt_err_code(err, -EIO);
	if (asprintf(&p->path, "%s/stdout", kt_temp_path(p->dir)) < 0) {
		p->path = NULL;
		return kt_err_no_memory(err);
	}
	*path = p->path;
	return divert_stdout(p, err);
}

static int copy(int from, int to)
{
	char data[65536];
	ssize_t n;
	int ret = 0;

	while (ret == 0 && (n = read(from, data, sizeof(data))) != 0)
		if (n > 0)
			ret = str_write_fd(to, data, (size_t)n);
		else if (errno != EINTR)
			ret = -errno;
	return ret;
}

int output_pipe_end(struct output_pipe *p, int ret, struct kt_err *err)
{
	int from = p->path && p->fd >= 0 ? open(p->path, O_RDONLY | O_CLOEXEC) : -1, copied;

	if (from >= 0) {
		copied = copy(from, p->fd);
		close(from);
		if (copied < 0 && ret >= 0)
			ret = kt_err_set(err, copied, "cannot write to stdout: %s",
					 strerror(-copied));
	}
	if (p->fd >= 0)
		close(p->fd);
	kt_temp_close(p->dir);
	free(p->path);
	*p = (struct output_pipe)OUTPUT_PIPE_INIT;
	return ret;
}
