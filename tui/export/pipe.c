/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pipe.c - pipe text to a command, without a shell */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <ktrail/base.h>

#include "export.h"

#define SAID_MOST (1 << 20)		/* bytes of its output that are kept */

struct export_child {
	pid_t pid;
	int   in, out;			/* -1: closed */
	int   status;
	char *name;
	struct str said;
};

/* Splits at spaces; a quotation ends at the next quote of the same kind. */
static int split(const char *line, struct kt_names *words, struct kt_err *err)
{
	struct str word = STR_INIT;
	int ret = 0;

	while (*line && ret == 0) {
		bool any = false;

		line += strspn(line, " ");
		for (str_reset(&word); *line && *line != ' '; any = true) {
			const char *end =
				*line == '\'' || *line == '"' ? strchr(line + 1, *line) : NULL;

			if (end) {
				str_addn(&word, line + 1, (size_t)(end - line - 1));
				line = end + 1;
			} else {
				str_addc(&word, *line++);
			}
		}
		if (any)
			ret = kt_names_add(words, word.buf);
	}
	str_fini(&word);
	return ret == 0 && words->nr ? 0 : kt_err_set(err, -EINVAL, "pipe to which command?");
}

static int spawn(struct export_child *c, char **argv, int in, int out)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t defaults;
	int ret;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDERR_FILENO);
	posix_spawnattr_init(&attr);
	sigfillset(&defaults);
	posix_spawnattr_setsigdefault(&attr, &defaults);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
	ret = posix_spawnp(&c->pid, argv[0], &files, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return -ret;
}

struct export_child *export_spawn(const char *line, struct kt_err *err)
{
	struct export_child *c = calloc(1, sizeof(*c));
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, ret;
	struct kt_names words = { 0 };

	if (!c)
		return NULL;
	*c = (struct export_child){ .in = -1, .out = -1, .said = STR_INIT };
	ret = split(line, &words, err);
	if (ret == 0 && (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0))
		ret = kt_err_set(err, -errno, "no pipe: %s", strerror(errno));
	if (ret == 0) {
		c->name = strdup(words.names[0]);
		ret = spawn(c, words.names, in[0], out[1]);
		if (ret < 0)
			kt_err_set(err, ret, "cannot run '%s': %s", words.names[0], strerror(-ret));
	}
	kt_names_fini(&words);
	close(in[0]);
	close(out[1]);
	c->in = in[1];
	c->out = out[0];
	if (ret < 0) {
		c->pid = 0;
		export_kill(c);
		return NULL;
	}
	signal(SIGPIPE, SIG_IGN);
	fcntl(c->in, F_SETFL, O_NONBLOCK);
	fcntl(c->out, F_SETFL, O_NONBLOCK);
	return c;
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* A command that stops reading, such as head, has not failed. */
static void give(struct export_child *c, struct str *text, bool is_all)
{
	ssize_t got = text->len ? write(c->in, text->buf, text->len) : 0;

	if (got < 0 && errno != EAGAIN && errno != EINTR) {
		str_reset(text);
		close_end(&c->in);
		return;
	}
	if (got > 0) {
		memmove(text->buf, text->buf + got, text->len - (size_t)got + 1);
		text->len -= (size_t)got;
	}
	if (is_all && !text->len)
		close_end(&c->in);
}

static void take(struct export_child *c)
{
	char buf[8192];
	ssize_t got = read(c->out, buf, sizeof(buf));

	if (got > 0 && c->said.len < SAID_MOST)
		str_addn(&c->said, buf, (size_t)got);
	if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
		close_end(&c->out);
}

bool export_feed(struct export_child *c, struct str *text, bool is_all, unsigned int budget_ms)
{
	struct pollfd fds[2] = {
		{ .fd = c->out, .events = POLLIN },
		{ .fd = text->len || is_all ? c->in : -1, .events = POLLOUT },
	};

	if (c->in < 0)
		str_reset(text);
	if (poll(fds, 2, c->in < 0 || text->len || is_all ? (int)budget_ms : 0) > 0) {
		if (fds[1].revents)
			give(c, text, is_all);
		if (fds[0].revents)
			take(c);
	}
	if (c->out >= 0)
		return true;
	close_end(&c->in);
	if (waitpid(c->pid, &c->status, WNOHANG) == 0)
		return true;
	c->pid = 0;
	return false;
}

const struct str *export_said(const struct export_child *c)
{
	return &c->said;
}

int export_status(const struct export_child *c, struct kt_err *err)
{
	if (WIFSIGNALED(c->status))
		return kt_err_set(err, -EIO, "%s was ended by signal %d", c->name,
				  WTERMSIG(c->status));
	if (WEXITSTATUS(c->status))
		return kt_err_set(err, -EIO, "%s failed: exit status %d", c->name,
				  WEXITSTATUS(c->status));
	return 0;
}

/* A command that ignores SIGTERM must not block the screen. */
static void end(pid_t pid)
{
	const struct timespec some = { .tv_nsec = 10000000 };
	int i;

	kill(pid, SIGTERM);
	for (i = 0; i < 20; i++) {
		if (waitpid(pid, NULL, WNOHANG) != 0)
			return;
		nanosleep(&some, NULL);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

void export_kill(struct export_child *c)
{
	if (!c)
		return;
	close_end(&c->in);
	close_end(&c->out);
	if (c->pid > 0)
		end(c->pid);
	free(c->name);
	str_fini(&c->said);
	free(c);
}
