/* SPDX-License-Identifier: GPL-2.0-or-later */
/* child.h - the command whose doings are traced: made first, started when tracing is on */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include <ktrail/err.h>

struct child {
	pid_t pid;
	int   go_fd;		/* closing it lets the child go */
	int   err_fd;		/* its errno when it cannot run the command */
	const char *name;	/* of the command, borrowed */
	bool  quiet_stdout;	/* before child_spawn: its stdout is our stderr, ours is for JSON */
};

#define CHILD_INIT { .pid = -1, .go_fd = -1, .err_fd = -1 }

/* 0, or the errno that exec() of the program @name would have, as far as it can be told before */
int child_find_program(const char *name);

/**
 * child_spawn - fork; the child waits
 * @argv: ends with NULL
 * @user: NULL, or whom it becomes
 *
 * -ENOENT: no such user or command; -EACCES: a command that may not be run. Signals
 * that we block are unblocked in the child.
 */
int child_spawn(struct child *c, char **argv, const char *user, struct kt_err *err);
/* Let it run the command. An errno of exec(): nothing was run, and the child is gone. */
int child_go(struct child *c, struct kt_err *err);
/* Wait for its end. Returns the exit status as a shell tells it: 128 + signal when killed. */
int child_wait(struct child *c);
/* The same from a status of waitpid(). */
int child_exit_status(int status);
/* End a child that was not started, close what is open. */
void child_fini(struct child *c);

#endif
