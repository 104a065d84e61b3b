/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* instance.h - one trace buffer of the running kernel and its settings */
#ifndef KTRAIL_INSTANCE_H
#define KTRAIL_INSTANCE_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/err.h>
#include <ktrail/names.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A handle on the top buffer or on an instance below instances/. Every setting
 * that is changed through it is remembered, in memory and in a journal on disk,
 * and put back when it closes; so a tracer leaves the machine as it found it
 * unless it says otherwise (kt_instance_keep). After a kill the journal does
 * the same: ktrail/tracefs.h.
 *
 * Files are named relative to the buffer's folder: "tracing_on",
 * "events/sched/enable", "per_cpu/cpu0/stats". Those that exist only once
 * ("saved_cmdlines_size", "set_graph_function" …) are found from any instance.
 *
 * "Not available" below means -ENOENT, -EPERM, -EACCES, -ENODEV, -ENOSYS or
 * -EOPNOTSUPP: this kernel does not have it or a policy refuses it, so a
 * caller that can do without it may go on (kt_is_unavailable).
 */
struct kt_instance;

enum kt_instance_flag {
	KT_INSTANCE_CREATE    = 1 << 0,	/* make it when it does not exist, until close or keep */
	KT_INSTANCE_EXCLUSIVE = 1 << 1,	/* with CREATE: -EEXIST when it does */
	/* change nothing, note what would be: kt_instance_notes, kt_instance_commit */
	KT_INSTANCE_DRY       = 1 << 2,
};

/**
 * kt_instance_open - take hold of a buffer
 * @name:  NULL or "" for the top buffer, else the name of an instance
 * @flags: enum kt_instance_flag
 *
 * Returns new (kt_instance_close), or NULL:
 *   -ENOENT  no such instance; the message names what there is
 *   -EINVAL  no name for an instance ("a/b", "..")
 *   -EEXIST  EXCLUSIVE, and it exists
 *   -EACCES  no permission; the message says how to get it
 */
struct kt_instance *kt_instance_open(const char *name, unsigned int flags, struct kt_err *err);

/**
 * kt_instance_close - put back what was changed, last change first, and free it
 *
 * An instance that this handle created is removed: close its files before.
 * Goes on after a failure and returns the first; the handle is gone anyway.
 * What is not back stands in a journal (ktrail/tracefs.h), and @err says so
 * behind what it holds already: hand it the error that made you close.
 * Accepts NULL. Not for a child after fork().
 */
int kt_instance_close(struct kt_instance *inst, struct kt_err *err);

/* What was set or created so far stays: close will put back later changes only. */
void kt_instance_keep(struct kt_instance *inst);
/* Put back now what was changed so far; the handle and an instance it created stay. */
int kt_instance_restore(struct kt_instance *inst, struct kt_err *err);
/* Remove the instance now, even one of others. -EBUSY: it is in use. -EINVAL: the top one. */
int kt_instance_delete(struct kt_instance *inst, struct kt_err *err);

/* Of a dry handle: what was to be written, as lines of shell. Borrowed until the next write. */
const char *kt_instance_notes(const struct kt_instance *inst);
/**
 * kt_instance_commit - do what a dry handle has noted
 *
 * So a command checks all of its arguments before the first write. The handle is not dry any
 * more. Stops at the first write that the kernel refuses, with its reason; close puts back those
 * before it, as after any failure. Deletions of instances are not done.
 */
int kt_instance_commit(struct kt_instance *inst, struct kt_err *err);

const char *kt_instance_name(const struct kt_instance *inst);	/* "" for the top buffer */
const char *kt_instance_dir(const struct kt_instance *inst);	/* absolute; both borrowed */
/* Does its buffer outlive a reboot (trace_instance=NAME@MEMORY, Linux
 * 6.12)? It cannot be deleted. */
bool kt_instance_is_persistent(const struct kt_instance *inst);
/*
 * Absolute path of a file, new (free), or NULL for no memory. Files, here and
 * below: of the buffer, or of the machine for what exists once;
 * "sysctl/ftrace_enabled" and its like stand below /proc/sys/kernel (KTRAIL_SYSCTL).
 */
char *kt_instance_path(const struct kt_instance *inst, const char *file);
/* Does the kernel have this file? */
bool kt_instance_has(const struct kt_instance *inst, const char *file);
bool kt_is_unavailable(int error);

/**
 * kt_instance_read - the text of a file, without white space at its end
 *
 * Returns new (free), or NULL with the message naming file and reason.
 */
char *kt_instance_read(const struct kt_instance *inst, const char *file, struct kt_err *err);

/**
 * kt_instance_write - set a file as `echo value > file` does
 * kt_instance_append - as `echo value >> file` does
 *
 * What the file held before is remembered at its first change. Append many
 * words at once, separated by white space or newlines. An error names file,
 * value, reason, and what the kernel's error_log says about it.
 */
int kt_instance_write(struct kt_instance *inst, const char *file, const char *value,
		      struct kt_err *err);
int kt_instance_append(struct kt_instance *inst, const char *file, const char *value,
		       struct kt_err *err);
/* The first number of a file. -EINVAL: it begins with none. */
int kt_instance_read_number(const struct kt_instance *inst, const char *file, long long *value,
			    struct kt_err *err);

/**
 * kt_instance_poke - write what is not a setting, byte for byte, and remember nothing
 *
 * For commands and data: "trace" (clears it), "snapshot", "trace_marker".
 */
int kt_instance_poke(struct kt_instance *inst, const char *file, const char *bytes,
		     struct kt_err *err);
/* The same with @len bytes, zeros too, in one write: "trace_marker_raw" */
int kt_instance_poke_bytes(struct kt_instance *inst, const char *file, const void *bytes,
			   size_t len, struct kt_err *err);

/**
 * kt_instance_define - append a line that has no former value, and have close append another
 * @undo: what takes @line back, "-:kprobes/mine"; NULL: nothing does
 *
 * For probes and synthetic events. A kill in between is covered too. A refusal of @undo at close
 * counts as an error, ENOENT does not.
 */
int kt_instance_define(struct kt_instance *inst, const char *file, const char *line,
		       const char *undo, struct kt_err *err);

/*
 * For loops over kt_instance_list(), which others may delete instances from meanwhile: was a
 * call refused because @name is gone? Then @err is cleared.
 */
bool kt_instance_is_gone(const char *name, struct kt_err *err);

/* Names below instances/, sorted. 0, or not available. */
int kt_instance_list(struct kt_names *out, struct kt_err *err);

/* ==== bring a buffer back to what it is after boot ==== */

/**
 * kt_instance_reset - stop what is traced and clear what is set
 *
 * Tracer nop, no events, filters, triggers, pids, function lists or stack
 * traces, clock local, all CPUs, no maximum latency, no trace; tracing on. Of
 * the top buffer also: no graph depth, no threshold. Sizes and other options
 * stay. What this kernel does not offer is passed over.
 *
 * The changes are remembered as all others are: kt_instance_keep() makes them
 * stay. 0 or the errno of the first refusal.
 */
int kt_instance_reset(struct kt_instance *inst, struct kt_err *err);

enum kt_dynamic_kind {
	KT_DYNAMIC_KPROBE    = 1 << 0,
	KT_DYNAMIC_KRETPROBE = 1 << 1,
	KT_DYNAMIC_UPROBE    = 1 << 2,
	KT_DYNAMIC_URETPROBE = 1 << 3,
	KT_DYNAMIC_EPROBE    = 1 << 4,
	KT_DYNAMIC_SYNTH     = 1 << 5,
	KT_DYNAMIC_OTHER     = 1 << 6,	/* fprobes, tracepoint probes, what is to come */
	KT_DYNAMIC_ALL       = (1 << 7) - 1,
};

/**
 * kt_dynamic_events_remove - delete probes and synthetic events
 * @inst:  remembers them: unless it is told to keep, closing it defines them again
 *         (NULL: nobody does); a dry one notes the removals
 * @kinds: enum kt_dynamic_kind, or-ed
 * @busy:  gets "group/event" of those that the kernel keeps because they are
 *         in use; may be NULL
 *
 * Returns how many went, or not available.
 */
int kt_dynamic_events_remove(struct kt_instance *inst, unsigned int kinds, struct kt_names *busy,
			     struct kt_err *err);
/* "group/event" of those there are. */
int kt_dynamic_events_list(unsigned int kinds, struct kt_names *out, struct kt_err *err);

/* ==== why the kernel refused filters, triggers and probes ==== */

/* Strings are owned. Source: Linux 5.2 and later, Documentation/trace/ftrace.rst, error_log. */
struct kt_error {
	double seconds;		/* since boot; 0: not said */
	char  *where;		/* "hist:sched:sched_switch" */
	char  *message, *command;
	size_t place;		/* in the command, where it went wrong: bytes from 0 */
};

struct kt_errors {
	struct kt_error *at;
	size_t nr;
};

/* Those of error_log, oldest first. @out: zeroed, kt_errors_fini() frees it. 0 or -ENOMEM. */
int  kt_errors_parse(const char *log, struct kt_errors *out, struct kt_err *err);
void kt_errors_fini(struct kt_errors *e);

#ifdef __cplusplus
}
#endif
#endif
