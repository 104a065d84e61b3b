/* SPDX-License-Identifier: GPL-2.0-or-later */
/* child.c - the command that is traced */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int become(const struct passwd *pw)
{
	if (initgroups(pw->pw_name, pw->pw_gid) < 0 || setgid(pw->pw_gid) < 0 ||
	    setuid(pw->pw_uid) < 0)
		return -errno;
	setenv("HOME", pw->pw_dir, 1);
	setenv("USER", pw->pw_name, 1);
	setenv("LOGNAME", pw->pw_name, 1);
	return 0;
}

static void __attribute__((noreturn)) run_child(int go, int err_fd, char **argv,
						const struct passwd *pw)
{
	sigset_t none;
	int why = 0;
	char c;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* Closing the pipe starts the command; a byte means that it is not to be run. */
	if (read(go, &c, 1) != 0)
		_exit(0);
	if (pw)
		why = -become(pw);
	if (!why) {
		execvp(argv[0], argv);
		why = errno;
	}
	if (write(err_fd, &why, sizeof(why)) < 0)
		_exit(126);
	_exit(127);
}

int child_find_program(const char *name)
{
	const char *path = getenv("PATH"), *end;
	char full[4096];
	int why = ENOENT;

	if (strchr(name, '/'))
		return access(name, X_OK) < 0 ? errno : 0;
	for (; path && *name; path = *end ? end + 1 : NULL) {
		end = path + strcspn(path, ":");
		snprintf(full, sizeof(full), "%.*s/%s", end > path ? (int)(end - path) : 1,
			 end > path ? path : ".", name);
		if (access(full, X_OK) == 0)
			return 0;
		if (errno == EACCES)
			why = EACCES;
	}
	return why;
}

int child_spawn(struct child *c, char **argv, const char *user, struct kt_err *err)
{
	const struct passwd *pw = user ? getpwnam(user) : NULL;
	int go[2] = { -1, -1 }, fail[2] = { -1, -1 }, why;

	if (user && !pw)
		return kt_err_set(err, -ENOENT, "no user '%s'", user);
	/* Checked now: a misspelt command must not cost an earlier recording. */
	why = getenv("PATH") || strchr(argv[0], '/') ? child_find_program(argv[0]) : 0;
	if (why)
		return kt_err_set(err, -why, "cannot run '%s': %s", argv[0], strerror(why));
	c->name = argv[0];
	if (pipe2(go, O_CLOEXEC) < 0 || pipe2(fail, O_CLOEXEC) < 0)
		goto failed;
	c->pid = fork();
	if (c->pid < 0)
		goto failed;
	if (c->pid == 0) {
		close(go[1]);
		close(fail[0]);
		if (c->stdout_fd >= 0)
			dup2(c->stdout_fd, STDOUT_FILENO);
		run_child(go[0], fail[1], argv, pw);
	}
	close(go[0]);
	close(fail[1]);
	c->go_fd = go[1];
	c->err_fd = fail[0];
	return 0;
failed:
	kt_err_set(err, -errno, "cannot run '%s': %s", argv[0], strerror(errno));
	close_fd(&go[0]);
	close_fd(&go[1]);
	close_fd(&fail[0]);
	close_fd(&fail[1]);
	return err ? err->code : -ENOMEM;
}

int child_go(struct child *c, struct kt_err *err)
{
	ssize_t got;
	int why = 0;

	close_fd(&c->go_fd);
	do {
		got = read(c->err_fd, &why, sizeof(why));
	} while (got < 0 && errno == EINTR);
	close_fd(&c->err_fd);
	if (got != sizeof(why))
		return 0;
	child_wait(c);
	return kt_err_set(err, -why, "cannot run '%s': %s", c->name, strerror(why));
}

int child_exit_status(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int child_wait(struct child *c)
{
	int status = 0;

	while (waitpid(c->pid, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	c->pid = -1;
	return child_exit_status(status);
}

void child_fini(struct child *c)
{
	if (c->go_fd >= 0 && write(c->go_fd, "x", 1) < 0)
		kill(c->pid, SIGKILL);
	if (c->go_fd >= 0)
		child_wait(c);
	close_fd(&c->go_fd);
	close_fd(&c->err_fd);
}
