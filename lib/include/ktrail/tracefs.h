/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tracefs.h - the buffers of the running kernel, and restoring changed settings */
#ifndef KTRAIL_TRACEFS_H
#define KTRAIL_TRACEFS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include <ktrail/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== the folder of the kernel's tracing files ==== */

/**
 * kt_tracefs_dir - the folder where tracefs is mounted
 *
 * $KTRAIL_TRACEFS, otherwise from /proc/mounts, otherwise the usual place, where it is
 * mounted if the caller is root. Searched once per process.
 *
 * Returns a borrowed path without a trailing slash, valid forever, or NULL:
 *   -ENODEV  this kernel has no tracefs
 *   -EACCES  no permission: the message says how to get it
 */
const char *kt_tracefs_dir(struct kt_err *err);

/* Use another tree from now on: for tests on a copy. NULL: search again. -ENAMETOOLONG */
int kt_tracefs_set_dir(const char *dir);

/* ==== a trace buffer of the running kernel and its settings ==== */

/*
 * A handle for the top-level buffer or for an instance below instances/. For every setting
 * changed through it, the former value is remembered, in memory and in a journal on disk,
 * and restored when it closes. So a tracer leaves the machine as it found it, unless it
 * calls kt_instance_keep(). If the process is killed, the values can be restored from the
 * journal: struct kt_journal.
 *
 * Files are named relative to the buffer's folder: "tracing_on",
 * "events/sched/enable", "per_cpu/cpu0/stats". Global files
 * ("saved_cmdlines_size", "set_graph_function" …) are found from any instance.
 *
 * "Not available" below means -ENOENT, -EPERM, -EACCES, -ENODEV, -ENOSYS or
 * -EOPNOTSUPP: this kernel does not have it or a policy refuses it, so a
 * caller may continue without it (kt_is_unavailable).
 */
struct kt_instance;

enum kt_instance_flag {
	KT_INSTANCE_CREATE    = 1 << 0,	/* create it if it does not exist, until close or keep */
	KT_INSTANCE_EXCLUSIVE = 1 << 1,	/* with CREATE: -EEXIST if it exists */
	/* only note the writes: kt_instance_notes, kt_instance_commit */
	KT_INSTANCE_DRY       = 1 << 2,
};

/**
 * kt_instance_open - open a buffer
 * @name:  NULL or "" for the top-level buffer, else the name of an instance
 * @flags: enum kt_instance_flag
 *
 * Returns new (kt_instance_close), or NULL:
 *   -ENOENT  no such instance; the message lists the instances
 *   -EINVAL  not a valid name for an instance ("a/b", "..")
 *   -EEXIST  EXCLUSIVE, and it exists
 *   -EACCES  no permission; the message says how to get it
 */
struct kt_instance *kt_instance_open(const char *name, unsigned int flags, struct kt_err *err);

/**
 * kt_instance_close - undo all changes, the last one first, and free the handle
 *
 * An instance that this handle created is removed: close its files first.
 * Continues after a failure and returns the first; the handle is freed in any case.
 * Settings that could not be restored are in a journal (struct kt_journal), and a note about
 * that is appended to @err: pass the error that made you close.
 * Accepts NULL. Do not call it in a child after fork().
 */
int kt_instance_close(struct kt_instance *inst, struct kt_err *err);

/* Keep all changes so far: close will only undo later ones. */
void kt_instance_keep(struct kt_instance *inst);
/* Undo all changes now; the handle, and an instance it created, stay. */
int kt_instance_restore(struct kt_instance *inst, struct kt_err *err);
/* Remove the instance now, even if others created it. -EBUSY: in use; -EINVAL: the top-level
 * buffer. */
int kt_instance_delete(struct kt_instance *inst, struct kt_err *err);

/* For a dry handle: the noted writes as shell lines. Borrowed until the next write. */
const char *kt_instance_notes(const struct kt_instance *inst);
/**
 * kt_instance_commit - do the writes that a dry handle has noted
 *
 * This lets a command check all of its arguments before the first write. Afterwards the handle
 * is not dry. Stops at the first write that the kernel refuses, with its reason; close undoes the
 * writes before it, as after any failure. Deletions of instances are not done.
 */
int kt_instance_commit(struct kt_instance *inst, struct kt_err *err);

const char *kt_instance_name(const struct kt_instance *inst);	/* "" for the top-level buffer */
const char *kt_instance_dir(const struct kt_instance *inst);	/* absolute; both borrowed */
/* Is its buffer kept across reboots (trace_instance=NAME@MEMORY, Linux 6.12)? It cannot be
 * deleted. */
bool kt_instance_is_persistent(const struct kt_instance *inst);
/*
 * Absolute path of a file, new (free), or NULL without memory. File names, here and
 * below, refer to the buffer, or to the machine for global files;
 * "sysctl/ftrace_enabled" and others are below /proc/sys/kernel (KTRAIL_SYSCTL).
 */
char *kt_instance_path(const struct kt_instance *inst, const char *file);
/* Does the kernel have this file? */
bool kt_instance_has(const struct kt_instance *inst, const char *file);
bool kt_is_unavailable(int error);

/**
 * kt_instance_read - the text of a file, without trailing white space
 *
 * Returns new (free), or NULL with the message naming file and reason.
 */
char *kt_instance_read(const struct kt_instance *inst, const char *file, struct kt_err *err);
/* Add the words of a file, as kt_names_add_words(). 0, or a negative errno with the message */
int kt_instance_read_words(const struct kt_instance *inst, const char *file,
			   const char *separators, struct kt_names *out, struct kt_err *err);

/**
 * kt_instance_write - set a file like `echo value > file`
 * kt_instance_append - append like `echo value >> file`
 *
 * The former content is remembered at the first change of a file. Append many
 * words at once, separated by white space or newlines. An error names file,
 * value, reason, and the explanation in the kernel's error_log.
 */
int kt_instance_write(struct kt_instance *inst, const char *file, const char *value,
		      struct kt_err *err);
int kt_instance_append(struct kt_instance *inst, const char *file, const char *value,
		       struct kt_err *err);
/* The first number of a file. -EINVAL: it does not begin with a number. */
int kt_instance_read_number(const struct kt_instance *inst, const char *file, long long *value,
			    struct kt_err *err);

/**
 * kt_instance_poke - write bytes unchanged, and remember nothing
 *
 * For commands and data, not settings: "trace" (clears it), "snapshot", "trace_marker".
 */
int kt_instance_poke(struct kt_instance *inst, const char *file, const char *bytes,
		     struct kt_err *err);
/* The same for @len bytes, which may be zero, in one write: "trace_marker_raw" */
int kt_instance_poke_bytes(struct kt_instance *inst, const char *file, const void *bytes,
			   size_t len, struct kt_err *err);

/**
 * kt_instance_define - append a line that defines an object; close appends the line @undo
 * @undo: removes the object, "-:kprobes/mine"; NULL: it stays
 *
 * For probes and synthetic events. @undo is in the journal, too. If the kernel refuses it at
 * close, that is an error, except for ENOENT.
 */
int kt_instance_define(struct kt_instance *inst, const char *file, const char *line,
		       const char *undo, struct kt_err *err);

/*
 * Did a call fail because the instance @name no longer exists? Then @err is cleared. For loops
 * over kt_instance_list(), while other processes may delete instances.
 */
bool kt_instance_is_gone(const char *name, struct kt_err *err);

/* Names below instances/, sorted. 0, or not available. */
int kt_instance_list(struct kt_names *out, struct kt_err *err);

/* ==== reset a buffer to its state after boot ==== */

/**
 * kt_instance_reset - stop tracing and clear all settings
 *
 * Tracer nop, no events, filters, triggers, pids, function lists or stack
 * traces, clock local, all CPUs, no maximum latency, no trace; tracing on. For
 * the top-level buffer also: no graph depth, no threshold. Sizes and other options
 * stay. Settings that this kernel does not have are skipped.
 *
 * The changes are remembered like all others: kt_instance_keep() makes them
 * permanent. 0 or the errno of the first refusal.
 */
int kt_instance_reset(struct kt_instance *inst, struct kt_err *err);

enum kt_dynamic_kind {
	KT_DYNAMIC_KPROBE    = 1 << 0,
	KT_DYNAMIC_KRETPROBE = 1 << 1,
	KT_DYNAMIC_UPROBE    = 1 << 2,
	KT_DYNAMIC_URETPROBE = 1 << 3,
	KT_DYNAMIC_EPROBE    = 1 << 4,
	KT_DYNAMIC_SYNTH     = 1 << 5,
	KT_DYNAMIC_OTHER     = 1 << 6,	/* fprobes, tracepoint probes, future kinds */
	KT_DYNAMIC_ALL       = (1 << 7) - 1,
};

/**
 * kt_dynamic_events_remove - delete probes and synthetic events
 * @inst:  closing it defines them again, unless kt_instance_keep() was called; a dry one
 *         notes the removals. NULL: they stay deleted
 * @kinds: enum kt_dynamic_kind, or-ed
 * @busy:  receives "group/event" of those that the kernel keeps because they are
 *         in use; may be NULL
 *
 * Returns how many were removed, or not available.
 */
int kt_dynamic_events_remove(struct kt_instance *inst, unsigned int kinds, struct kt_names *busy,
			     struct kt_err *err);
/* "group/event" of all of them. */
int kt_dynamic_events_list(unsigned int kinds, struct kt_names *out, struct kt_err *err);

/* ==== why the kernel refused filters, triggers and probes ==== */

/* Strings are owned. Source: Linux 5.2 and later, Documentation/trace/ftrace.rst, error_log. */
struct kt_error {
	double seconds;		/* since boot; 0: missing */
	char  *where;		/* "hist:sched:sched_switch" */
	char  *message, *command;
	size_t place;		/* position of the error in the command: bytes from 0 */
};

struct kt_errors {
	struct kt_error *at;
	size_t nr;
};

/* Parses error_log, oldest entry first. @out: zeroed, kt_errors_fini() frees it. 0 or -ENOMEM. */
int  kt_errors_parse(const char *log, struct kt_errors *out, struct kt_err *err);
void kt_errors_fini(struct kt_errors *e);

/* ==== interrupting a change of settings, and restoring them ==== */

/*
 * Signals are handled by the program: the library catches none. If a signal ends a program
 * while settings are partly changed, they stay so until the journal is
 * restored (struct kt_journal). These calls let a program block signals during
 * that time, and cancel the change in good order.
 */
struct kt_interrupt {
	/* @on: settings are being changed and may have to be restored; !@on: no longer.
	 * Calls nest, one pair for each handle that has changed something. */
	void (*hold)(bool on);
	/* Called before each write: true refuses it with -EINTR, so that the caller undoes
	 * its changes, as after any refusal. Not called while restoring. */
	bool (*is_wanted)(void);
};

/* @calls: borrowed permanently; NULL: none. There is one per process, as signals belong to the
 * process. */
void kt_interrupt_set(const struct kt_interrupt *calls);

/* ==== settings that a killed process left behind, and restoring them ==== */

/**
 * struct kt_journal - the changes of one process, usually a dead one
 *
 * While a process changes settings, their former values are in a text file
 * below /run/ktrail (KTRAIL_JOURNAL_DIR; without root the user's
 * XDG_RUNTIME_DIR/ktrail, or /tmp/ktrail-UID). The file is removed when the values
 * are restored. If the process of a journal is gone, it was killed, or the
 * kernel refused the values.
 */
struct kt_journal {
	char  *path;		/* all owned */
	char  *command;		/* the command line, escaped */
	pid_t  pid;
	time_t time;		/* of its last change */
	unsigned long long start;	/* of the process, ticks since boot */
	unsigned int seq;	/* number of the journal within its process, from 0 */
	char **steps;		/* "put PATH VALUE", "via …", "append …", "rmdir PATH"; escaped */
	size_t nr_steps;
};

struct kt_journals {
	struct kt_journal *journals;
	size_t nr;
};

/**
 * kt_journal_pending - find the journals of processes that were killed
 * @out: zeroed; kt_journals_fini() frees it
 *
 * Removes journals of an earlier boot, whose settings are gone, and empty journals
 * of processes that are gone, which had changed nothing. Ignores journals of
 * other users, and those that others may write to.
 * Sorted by the start of the processes, oldest first: restore
 * from the end, since later changes may depend on earlier ones.
 * Returns their number; 0 also if there is no journal folder.
 */
int kt_journal_pending(struct kt_journals *out, struct kt_err *err);
void kt_journals_fini(struct kt_journals *js);

/**
 * kt_journal_live - the journals of running processes, except the caller's
 * @out: zeroed; kt_journals_fini() frees it
 *
 * Do not restore these: their processes will. Returns their number or -ENOMEM.
 */
int kt_journal_live(struct kt_journals *out);

/**
 * kt_journal_restore - restore the values of a journal, last change first
 *
 * Removes the journal if all are restored. A setting that no longer exists counts as
 * restored. So does one that a running process has changed as well and will
 * restore to the same value. Continues after a failure.
 * Returns the number of steps, or
 *   -EBUSY  another process is restoring it, or a process that started after the kill
 *           has changed the same setting
 *   or the first errno of a write; the journal then stays
 */
int kt_journal_restore(const struct kt_journal *journal, struct kt_err *err);

/**
 * kt_journal_dir - the folder of this user's journals
 * @create: create it if needed
 *
 * New (free). NULL:
 *   -ENOENT, -EACCES …  it does not exist, or cannot be created or entered
 *   -EPERM              it belongs to another user, or others may write to it
 */
char *kt_journal_dir(bool create, struct kt_err *err);

/**
 * kt_journal_check - can a journal be written?
 *
 * The journal is created when the first setting is changed; a failure does not
 * prevent the change. A caller that requires a journal checks first. Returns 0, or
 *   -EPERM              the folder belongs to another user, or others may write to it
 *   -ENOSPC, -EROFS …   from the kernel
 */
int kt_journal_check(struct kt_err *err);

/**
 * kt_journal_shell - the writes of kt_journal_restore() as shell lines
 *
 * In the same order. Triggers are listed one by one; the restore skips those that are
 * still set. New (free); NULL: no memory.
 */
char *kt_journal_shell(const struct kt_journal *journal);

/* Remove a journal without restoring anything. */
int kt_journal_discard(const struct kt_journal *journal, struct kt_err *err);

#ifdef __cplusplus
}
#endif
#endif
