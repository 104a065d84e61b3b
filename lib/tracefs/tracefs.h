/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tracefs.h - files of tracefs: read, write, explain why not */
#ifndef TRACEFS_TRACEFS_H
#define TRACEFS_TRACEFS_H

#include <stdbool.h>
#include <string.h>

#include <ktrail/err.h>

#include "base/str.h"

enum ctl_mode {
	CTL_REPLACE,		/* as `echo value > file`; an empty value only truncates */
	CTL_APPEND,		/* as `echo value >> file` */
	CTL_RAW,		/* as CTL_REPLACE, without the newline at the end */
};

/* "DIR/FILE", new (free), or NULL */
char *ctl_path(const char *dir, const char *file);

/**
 * ctl_read_path - the text of a file, appended to @text
 *
 * On failure the message names the file and, for a lack of permission, what
 * would help. Returns 0 or the negative errno of the kernel.
 */
int ctl_read_path(const char *path, struct str *text, struct kt_err *err);
/* The same without white space at the end; new (free), or NULL */
char *ctl_read_text(const char *path, struct kt_err *err);

/**
 * ctl_write_path - change a file, and nothing else: nobody remembers what it was
 *
 * On failure the message names file, value and reason, and quotes the kernel's
 * error_log when it has an entry for this value. Returns 0 or a negative errno.
 */
int ctl_write_path(const char *path, const char *value, enum ctl_mode mode, struct kt_err *err);

/* The same with any bytes, in one write */
int ctl_write_bytes(const char *path, const void *bytes, size_t len, struct kt_err *err);

bool ctl_exists(const char *path);
/* path.c: the text without white space at the end, new (free), or NULL: whatever the reason is */
char *ctl_peek_text(const char *path);
/* … of what was read; @s is empty after */
char *ctl_take_text(struct str *s);

/* What EACCES or EPERM on @path comes from and what would help. Returns @buf. */
const char *ctl_permission_hint(const char *path, int error, char *buf, size_t size);

/* busy.c: what EBUSY on @path comes from: "it is in use by 123 cat, which reads trace_pipe".
 * @value: what was to be written, or NULL. Returns @buf. */
/* of readers only, if there are any */
bool ctl_readers_hint(const char *path, char *buf, size_t size);
const char *ctl_busy_hint(const char *path, const char *value, char *buf, size_t size);

/* busy.c: is it a tracer whose trace is the longest time, kept in the snapshot's memory? */
bool ctl_tracer_keeps_max(const char *tracer);

/* busy.c: the first trigger below @dir that @is_it, new (free), or NULL.
 * @event: gets "SYSTEM:NAME" */
char *ctl_find_trigger(const char *dir, bool (*is_it)(const char *trigger), char *event,
		       size_t size);

/* Is this errno "this kernel does not offer it", rather than "you did it wrong"? */
bool ctl_is_unavailable(int error);

/* Does this line of a list name nothing: a comment,
 * or what set_ftrace_pid says when it is empty? */
static inline bool ctl_is_no_entry(const char *line, size_t len)
{
	static const char no_pid[] = "no pid";

	return !len || *line == '#' ||
	       (len == strlen(no_pid) && memcmp(line, no_pid, len) == 0);
}

/* Hand on what a call has reported; the first failure wins. Returns its code. */
static inline int ctl_pass(struct kt_err *err, const struct kt_err *mine)
{
	if (err && !err->code)
		*err = *mine;
	return mine->code;
}

/* errorlog.c: add the kernel's reason to @err when error_log of @path's instance knows the
 * command @value */
void ctl_quote_error_log(const char *path, const char *value, struct kt_err *err);
/* After @value was taken by some and refused by others: empty the log if that is all it has. */
void ctl_forget_errors(const char *path, const char *value);

/**
 * tracefs_watch - be told of each text that is written to a file of tracefs
 * @told: after each write of a setting, also of those that put something back; @refused: NULL,
 *        or the reason. In the thread that writes. NULL: nobody is told any more.
 *
 * There is one of these for each process.
 */
typedef void (*tracefs_written)(void *data, const char *path, const char *value, bool append,
				   const struct kt_err *refused);
void tracefs_watch(tracefs_written told, void *data);

/* The environment's KTRAIL_DEBUGFS, else /sys/kernel/debug. Borrowed. */
const char *debugfs_dir(void);
/* Where the kernel keeps tracing's other switches (ftrace_enabled, stack_tracer_enabled,
 * ftrace_dump_on_oops): the environment's KTRAIL_SYSCTL, else /proc/sys/kernel. Borrowed. */
const char *sysctl_dir(void);

#endif
