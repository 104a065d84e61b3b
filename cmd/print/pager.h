/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pager.h - long output for a person: a pager, colours, and no error when the pipe is closed */
#ifndef PAGER_H
#define PAGER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <ktrail/base.h>

/* Set in the environment while stdout goes to a person through a pager */
#define PAGER_IN_USE "KTRAIL_PAGER_IN_USE"

/* The options --color, --pager and --no-pager of a command */
struct pager_opts {
	const char *color;	/* "auto", "always", "never"; NULL: auto */
	bool always, never;	/* the pager */
};

struct pager {
	pid_t pid;		/* 0: no pager is running */
	bool  tty;		/* a person reads, with or without a pager */
	bool  color;
};

/**
 * pager_start - send stdout through a pager when it is a terminal
 *
 * The pager is $KTRAIL_PAGER, $PAGER or less, with LESS=FRSX unless LESS is set; "cat" and "" mean
 * none. Prints a message if it is not installed. Also decides about colour: NO_COLOR, TERM=dumb.
 * From here on SIGPIPE is ignored: writes fail with EPIPE. -EINVAL: @opts.
 */
int pager_start(struct pager *p, const struct pager_opts *opts, struct kt_err *err);
/* The same with the default options; a drop-in prints without a pager, as trace-cmd does. */
int pager_start_usual(struct pager *p, struct kt_err *err);
/*
 * Close stdout and wait until the user has quit the pager. Returns @ret, or -EPIPE: the pager
 * could not be run
 */
int pager_wait(struct pager *p, int ret, struct kt_err *err);

/*
 * Columns of the terminal to which stdout goes, through a pager or not; 0: not a terminal, or
 * unknown
 */
int pager_width(void);

/* Write all of it to stdout. 0 or a negative errno; -EPIPE: the reader has closed the pipe. */
int pager_write(void *unused, const char *text, size_t len);

#endif
