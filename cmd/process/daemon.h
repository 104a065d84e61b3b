/* SPDX-License-Identifier: GPL-2.0-or-later */
/* daemon.h - continue in the background once everything is ready */
#ifndef DAEMON_H
#define DAEMON_H

#include <ktrail/base.h>

struct daemon {
	int ready_fd;		/* of the background process; -1: in the foreground, or ready
				 * already */
	const char *pid_file;	/* written when ready, removed at the end; NULL: none */
};

#define DAEMON_INIT { .ready_fd = -1 }

/**
 * daemon_fork - leave the foreground process waiting
 * @pid_file: borrowed
 * @status:   in the foreground: its exit status
 *
 * Call this before any thread is created. Returns 0 in the background process, whose
 * messages still go to the terminal; 1 in the foreground, as soon as the other
 * is ready or has ended; a negative errno if nothing was forked.
 */
int daemon_fork(struct daemon *d, const char *pid_file, int *status, struct kt_err *err);

/* Setup is complete: release the terminal and the waiting process. */
int daemon_ready(struct daemon *d, struct kt_err *err);

void daemon_fini(struct daemon *d);

#endif
