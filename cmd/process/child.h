/* SPDX-License-Identifier: GPL-2.0-or-later */
/* child.h - the command that is traced: forked first, started when tracing is on */
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include <ktrail/base.h>

struct child {
	pid_t pid;
	int   go_fd;		/* closing it starts the command */
	int   err_fd;		/* the child writes its errno here if it cannot run the command */
	const char *name;	/* of the command, borrowed */
	int   stdout_fd;	/* set before child_spawn: its stdout; -1: ours */
};

#define CHILD_INIT { .pid = -1, .go_fd = -1, .err_fd = -1, .stdout_fd = -1 }

/* 0, or the errno that exec() of the program @name will probably return */
int child_find_program(const char *name);

/**
 * child_spawn - fork; the child waits
 * @argv: ends with NULL
 * @user: the user to run it as; NULL: ours
 *
 * -ENOENT: no such user or command; -EACCES: a command that may not be run. Signals
 * that we block are unblocked in the child.
 */
int child_spawn(struct child *c, char **argv, const char *user, struct kt_err *err);
/* Start the command. On an errno of exec(), nothing was run, and the child has ended. */
int child_go(struct child *c, struct kt_err *err);
/* Wait for its end. Returns the exit status as a shell does: 128 + signal if it was killed. */
int child_wait(struct child *c);
/* The same from a status of waitpid(). */
int child_exit_status(int status);
/* End a child that was not started, and close its descriptors. */
void child_fini(struct child *c);

#endif
