/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pager.c - long output for a person: a pager, colours, and no error when the pipe is closed */
#include "pager.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/process/child.h"
#include "cmd/process/sigbus.h"
#include "cmd/style.h"
#include "safe.h"

/* The first word of a shell command, if it is a program that can be looked up */
static bool can_run(const char *cmd)
{
	size_t len = strcspn(cmd, " \t");
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "%.*s", (int)len, cmd);
	return strpbrk(name, "\"'\\$`~=;&|<>(){}*?[") || child_find_program(name) == 0;
}

/* less is only the default: if it is not installed, no message is printed. */
static const char *pager_command(void)
{
	const char *cmd = getenv("KTRAIL_PAGER");

	if (!cmd)
		cmd = getenv("PAGER");
	if (!cmd)
		return child_find_program("less") == 0 ? "less" : NULL;
	cmd += strspn(cmd, " \t");
	if (!*cmd || strcmp(cmd, "cat") == 0)
		return NULL;
	if (can_run(cmd))
		return cmd;
	fprintf(stderr, "%s: there is no pager '%s'\n", cmd_program, cmd);
	return NULL;
}

static int decide_color(struct pager *p, const char *when, struct kt_err *err)
{
	const char *term = getenv("TERM"), *no = getenv("NO_COLOR");

	if (!when || strcmp(when, "auto") == 0)
		p->color = p->tty && !(no && *no) && term && strcmp(term, "dumb") != 0;
	else if (strcmp(when, "always") == 0)
		p->color = true;
	else if (strcmp(when, "never") != 0)
		return kt_err_set(err, -EINVAL, "--color=%s: use auto, always or never", when);
	return 0;
}

/* The pager reads from the pipe and owns the terminal; ktrail writes into the pipe. */
static void run_pager(const char *command, int from, int to)
{
	signal(SIGPIPE, SIG_DFL);
	dup2(from, STDIN_FILENO);
	close(from);
	close(to);
	setenv("LESS", "FRSX", 0);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

static void start(struct pager *p, const char *command)
{
	int fds[2];

	if (pipe(fds) < 0)
		return;		/* the output is readable without a pager */
	fflush(stdout);
	p->pid = fork();
	if (p->pid == 0)
		run_pager(command, fds[0], fds[1]);
	if (p->pid > 0) {
		dup2(fds[1], STDOUT_FILENO);
		setenv(PAGER_IN_USE, "1", 1);
	} else {
		p->pid = 0;
	}
	close(fds[0]);
	close(fds[1]);
}

int pager_start(struct pager *p, const struct pager_opts *opts, struct kt_err *err)
{
	const char *command;
	int ret;

	*p = (struct pager){ .tty = isatty(STDOUT_FILENO) };
	signal(SIGPIPE, SIG_IGN);
	ret = decide_color(p, opts->color, err);
	if (ret < 0)
		return ret;
	command = !opts->never && (p->tty || opts->always) ? pager_command() : NULL;
	if (command)
		start(p, command);
	return 0;
}

int pager_start_usual(struct pager *p, struct kt_err *err)
{
	const struct pager_opts usual = { 0 };

	return cmd_style->pages ? pager_start(p, &usual, err) : 0;
}

int pager_wait(struct pager *p, int ret, struct kt_err *err)
{
	int status = 0;

	/* Without a pager main() flushes at the end and reports errors */
	if (!p->pid)
		return ret;
	/* The user has quit the pager: the rest of the output is not lost output */
	if (fflush(stdout) != 0 || ferror(stdout)) {
		__fpurge(stdout);
		clearerr(stdout);
	}
	/* The pager handles Ctrl-C; it ends on "q" */
	signal(SIGINT, SIG_IGN);
	close(STDOUT_FILENO);
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	p->pid = 0;
	/* The status with which a shell reports that it could not run the command */
	if (ret < 0 || !WIFEXITED(status) || WEXITSTATUS(status) < 126)
		return ret;
	return kt_err_set(err, -EPIPE, "the pager could not be run: the output is lost, "
			  "`PAGER=cat` shows it");
}

int pager_width(void)
{
	const int fds[] = { STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO };
	struct winsize size;
	size_t i;

	if (!safe_for_person())
		return 0;
	/*
	 * With a pager, stdin or stderr may still be the terminal; otherwise its width is not
	 * known.
	 */
	for (i = 0; i < sizeof(fds) / sizeof(*fds); i++)
		if (ioctl(fds[i], TIOCGWINSZ, &size) == 0 && size.ws_col)
			return size.ws_col;
	return 0;
}

static int write_all(const char *text, size_t len)
{
	ssize_t nr;

	while (len) {
		nr = write(STDOUT_FILENO, text, len);
		if (nr < 0 && errno == EINTR)
			continue;
		if (nr < 0)
			return -errno;
		text += nr;
		len -= nr;
	}
	return 0;
}

int pager_write(void *unused, const char *text, size_t len)
{
	int ret;

	(void)unused;
	sigbus_begin_write();
	ret = write_all(text, len);
	sigbus_end_write();
	return ret;
}
