/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pager.h - long output to a person: a pager, colours, and a quiet end when nobody reads */
#ifndef PAGER_H
#define PAGER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <ktrail/err.h>

/* In the environment while stdout goes to a person through a pager */
#define PAGER_IN_USE "KTRAIL_PAGER_IN_USE"

/* What the options --color, --pager and --no-pager of a command said */
struct pager_opts {
	const char *color;	/* "auto", "always", "never"; NULL: auto */
	bool always, never;	/* the pager */
};

struct pager {
	pid_t pid;		/* 0: none runs */
	bool  tty;		/* a person reads, with or without a pager */
	bool  color;
};

/**
 * pager_start - send stdout through a pager when it is a terminal
 *
 * $KTRAIL_PAGER, $PAGER or less, with LESS=FRSX unless it is set; "cat" and "" mean none, and one
 * that is not installed is said. Decides about colour too: NO_COLOR, TERM=dumb. From here on
 * SIGPIPE is ignored: writes fail with EPIPE. -EINVAL: @opts.
 */
int pager_start(struct pager *p, const struct pager_opts *opts, struct kt_err *err);
/* The same as most commands want it; a drop-in prints as its model does: without a pager. */
int pager_start_usual(struct pager *p, struct kt_err *err);
/* Close stdout, wait until the person has read.
 * Returns @ret, or -EPIPE: the pager could not be run */
int pager_wait(struct pager *p, int ret, struct kt_err *err);

/* Columns of the terminal that stdout goes to, through a pager or not; 0: no person reads, or
 * nobody knows */
int pager_width(void);

/* All of it to stdout. 0 or a negative errno; -EPIPE: nobody reads any more. */
int pager_write(void *unused, const char *text, size_t len);

#endif
