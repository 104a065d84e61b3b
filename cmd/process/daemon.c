/* SPDX-License-Identifier: GPL-2.0-or-later */
/* daemon.c - continue in the background once everything is ready */
#include "daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

/*
 * In the foreground process: the exit status 0 once the other process is ready, or its status if it
 * ends earlier
 */
static int wait_for(pid_t pid, int fd)
{
	int status = 0;
	ssize_t n;
	char c;

	do {
		n = read(fd, &c, 1);
	} while (n < 0 && errno == EINTR);
	if (n == 1)
		return 0;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return child_exit_status(status);
}

int daemon_fork(struct daemon *d, const char *pid_file, int *status, struct kt_err *err)
{
	int fd[2];
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC) < 0)
		return kt_err_set(err, -errno, "cannot continue in the background: %s",
				  strerror(errno));
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		close(fd[0]);
		close(fd[1]);
		return kt_err_set(err, -errno, "cannot continue in the background: %s",
				  strerror(errno));
	}
	if (pid) {
		close(fd[1]);
		*status = wait_for(pid, fd[0]);
		close(fd[0]);
		return 1;
	}
	close(fd[0]);
	setsid();
	*d = (struct daemon){ .ready_fd = fd[1], .pid_file = pid_file };
	return 0;
}

static int write_pid_file(const char *path, struct kt_err *err)
{
	FILE *f = fopen(path, "we");
	bool failed;

	if (!f)
		return kt_err_set(err, -errno, "cannot create %s: %s", path, strerror(errno));
	errno = EIO;
	failed = fprintf(f, "%d\n", (int)getpid()) < 0;
	failed = fclose(f) != 0 || failed;
	return failed ? kt_err_set(err, -errno, "cannot write %s: %s", path, strerror(errno)) : 0;
}

int daemon_ready(struct daemon *d, struct kt_err *err)
{
	int null, fd, ret;

	if (d->ready_fd < 0)
		return 0;
	ret = write_pid_file(d->pid_file, err);
	if (ret < 0)
		return ret;
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	fflush(NULL);
	for (fd = 0; null >= 0 && fd < 3; fd++)
		dup2(null, fd);
	if (null > 2)
		close(null);
	if (write(d->ready_fd, "r", 1) < 0)
		ret = kt_err_set(err, -errno, "the background process was abandoned");
	close(d->ready_fd);
	d->ready_fd = -1;
	return ret;
}

void daemon_fini(struct daemon *d)
{
	if (d->ready_fd >= 0)
		close(d->ready_fd);
	else if (d->pid_file)
		unlink(d->pid_file);
}
