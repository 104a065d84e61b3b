/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tracefs.h - the files of tracefs, and the way back of what is changed in them */
#ifndef KTRAIL_TRACEFS_H
#define KTRAIL_TRACEFS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include <ktrail/err.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== where the kernel's tracing files are ==== */

/**
 * kt_tracefs_dir - the folder that tracefs is mounted on
 *
 * The environment's KTRAIL_TRACEFS, else what /proc/mounts says, else the
 * usual place, where root gets it mounted. Looked for once per process.
 *
 * Returns a borrowed path without a trailing slash, valid for ever, or NULL:
 *   -ENODEV  this kernel has no tracefs
 *   -EACCES  it is there, but not for this user: the message says how to get in
 */
const char *kt_tracefs_dir(struct kt_err *err);

/* Use another tree from now on: for tests on a copy. NULL: look again. -ENAMETOOLONG */
int kt_tracefs_set_dir(const char *dir);

/* ==== stop half-way through a change of settings, and have it put back ==== */

/*
 * Signals are the program's: the library catches none. A program that is ended by one
 * while settings are half changed leaves them so, until the journal is put
 * back (struct kt_journal). These calls let a program hold signals back for
 * that time, and have the change given up in good order.
 */
struct kt_interrupt {
	/* @on: something is changed now that may have to be put back; !@on: nothing is any
	 * more. Calls nest, one pair for each handle that has changed something. */
	void (*hold)(bool on);
	/* Asked before each write: true refuses it with -EINTR, so that the caller puts back
	 * what it had changed, as after any refusal. Not asked while putting back. */
	bool (*is_wanted)(void);
};

/* @calls: borrowed for good; NULL: none. There is one set of signals per process,
 * so one of these. */
void kt_interrupt_set(const struct kt_interrupt *calls);

/* ==== settings that a killed process left behind, and their way back ==== */

/**
 * struct kt_journal - what one process has changed, mostly a dead one
 *
 * While a process changes settings, their former values stand in a text file
 * of their own below /run/ktrail (KTRAIL_JOURNAL_DIR; without root the user's
 * XDG_RUNTIME_DIR/ktrail, else /tmp/ktrail-UID). The file goes when the values
 * are back. One whose process is gone was left by a kill, or holds what the
 * kernel would not take back.
 */
struct kt_journal {
	char  *path;		/* all owned */
	char  *command;		/* the command line, escaped */
	pid_t  pid;
	time_t time;		/* of its last change */
	unsigned long long start;	/* of the process, ticks since boot */
	unsigned int seq;	/* which of the process's journals, from 0 */
	char **steps;		/* "put PATH VALUE", "via …", "append …", "rmdir PATH"; escaped */
	size_t nr_steps;
};

struct kt_journals {
	struct kt_journal *journals;
	size_t nr, cap;
};

/**
 * kt_journal_pending - find the journals of processes that were killed
 * @out: zeroed; kt_journals_fini() frees it
 *
 * Journals of an earlier boot are removed: their settings are gone; so are those
 * without a line whose process is gone: it had changed nothing. Those of
 * other users, or with permissions that let others write, are left alone.
 * In the order in which they were begun, process by process, oldest first: put
 * back from the end, since what came later may use what came before.
 * Returns their number; 0 too where there is no journal folder.
 */
int kt_journal_pending(struct kt_journals *out, struct kt_err *err);
void kt_journals_fini(struct kt_journals *js);

/**
 * kt_journal_live - the journals of processes that run, other than the caller's
 * @out: zeroed; kt_journals_fini() frees it
 *
 * Not to be restored: those processes will. Returns their number or -ENOMEM.
 */
int kt_journal_live(struct kt_journals *out);

/**
 * kt_journal_restore - put back what a journal holds, last change first
 *
 * The journal is removed when all is back; what no longer exists counts as
 * back, and so does what a process that runs has changed as well and will put
 * back to the same value. Goes on after a failure.
 * Returns the number of steps taken, or
 *   -EBUSY  another process is restoring it, or one that came after the kill
 *           has the same setting changed
 *   or the first errno of a write; the journal stays then
 */
int kt_journal_restore(const struct kt_journal *journal, struct kt_err *err);

/**
 * kt_journal_dir - the folder of this user's journals
 * @create: make it
 *
 * New (free). NULL:
 *   -ENOENT, -EACCES …  there is none, or it cannot be made or entered
 *   -EPERM              it belongs to another user, or others may write to it
 */
char *kt_journal_dir(bool create, struct kt_err *err);

/**
 * kt_journal_check - can a journal be written?
 *
 * It is made when the first setting is changed, and not being able to is no
 * reason to change nothing: a caller that cares asks before. Returns 0, or
 *   -EPERM              the folder belongs to another user, or others may write to it
 *   -ENOSPC, -EROFS …   what the kernel says
 */
int kt_journal_check(struct kt_err *err);

/**
 * kt_journal_shell - what kt_journal_restore() would write, as lines of shell
 *
 * In the same order. Triggers stand there one by one: those that are still set
 * are not written. New (free); NULL: no memory.
 */
char *kt_journal_shell(const struct kt_journal *journal);

/* Remove a journal without putting anything back. */
int kt_journal_discard(const struct kt_journal *journal, struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
