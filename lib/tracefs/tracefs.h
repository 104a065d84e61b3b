/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tracefs.h - read and write files of tracefs, and explain failures */
#ifndef TRACEFS_TRACEFS_H
#define TRACEFS_TRACEFS_H

#include <stdbool.h>
#include <string.h>

#include <ktrail/base.h>

#include "base/str.h"

enum ctl_mode {
	CTL_REPLACE,		/* like `echo value > file`; an empty value only truncates */
	CTL_APPEND,		/* like `echo value >> file` */
	CTL_RAW,		/* like CTL_REPLACE, without a newline at the end */
};

/* "DIR/FILE", new (free), or NULL */
char *ctl_path(const char *dir, const char *file);

/**
 * ctl_read_path - append the content of a file to @text
 *
 * On failure the message names the file and, if permission is missing, a remedy.
 * Returns 0 or the negative errno of the kernel.
 */
int ctl_read_path(const char *path, struct str *text, struct kt_err *err);
/* The same without trailing white space; new (free), or NULL */
char *ctl_read_text(const char *path, struct kt_err *err);

/**
 * ctl_write_path - write a file, without remembering its former value
 *
 * On failure the message names file, value and reason, and quotes the kernel's
 * error_log if it has an entry for this value. Returns 0 or a negative errno.
 */
int ctl_write_path(const char *path, const char *value, enum ctl_mode mode, struct kt_err *err);

/* The same with any bytes, in one write */
int ctl_write_bytes(const char *path, const void *bytes, size_t len, struct kt_err *err);

bool ctl_exists(const char *path);
/* path.c: the content without trailing white space, new (free), or NULL for any error */
char *ctl_peek_text(const char *path);
/* The same for text that was read; @s is empty afterwards */
char *ctl_take_text(struct str *s);

/* Explains EACCES or EPERM on @path, with a remedy. Returns @buf. */
const char *ctl_permission_hint(const char *path, int error, char *buf, size_t size);

/*
 * busy.c: explains EBUSY on @path: "it is in use by 123 cat, which reads trace_pipe". @value: the
 * value to be written, or NULL. Returns @buf.
 */
/* The same for readers only. False: there are none */
bool ctl_readers_hint(const char *path, char *buf, size_t size);
const char *ctl_busy_hint(const char *path, const char *value, char *buf, size_t size);

/* busy.c: does the tracer keep the trace of the longest latency in the snapshot's memory? */
bool ctl_tracer_keeps_max(const char *tracer);

/*
 * busy.c: the first trigger below @dir for which @is_it is true, new (free), or NULL. @event:
 * receives "SYSTEM:NAME"
 */
char *ctl_find_trigger(const char *dir, bool (*is_it)(const char *trigger), char *event,
		       size_t size);

/* Does this errno mean that the kernel lacks the feature, not that the use was wrong? */
bool ctl_is_unavailable(int error);

/* Is this line of a list not an entry: a comment, or the text of an empty set_ftrace_pid? */
static inline bool ctl_is_no_entry(const char *line, size_t len)
{
	static const char no_pid[] = "no pid";

	return !len || *line == '#' ||
	       (len == strlen(no_pid) && memcmp(line, no_pid, len) == 0);
}

/* Copy the error of a call to @err unless it has one. Returns the code. */
static inline int ctl_pass(struct kt_err *err, const struct kt_err *mine)
{
	if (err && !err->code)
		*err = *mine;
	return mine->code;
}

/* errorlog.c: add the kernel's reason to @err if error_log of @path's instance has this command */
void ctl_quote_error_log(const char *path, const char *value, struct kt_err *err);
/* After only some files accepted @value: empty the log if it has no other errors. */
void ctl_forget_errors(const char *path, const char *value);

/**
 * tracefs_watch - call a function after each write to tracefs
 * @told: called in the writing thread for each write of a setting, including writes that
 *        restore a value; @refused: NULL, or the reason. NULL: stop watching.
 *
 * There is one watcher per process.
 */
typedef void (*tracefs_written)(void *data, const char *path, const char *value, bool append,
				   const struct kt_err *refused);
void tracefs_watch(tracefs_written told, void *data);

/* The environment's KTRAIL_DEBUGFS, else /sys/kernel/debug. Borrowed. */
const char *debugfs_dir(void);
/*
 * The folder of tracing's other switches (ftrace_enabled, stack_tracer_enabled,
 * ftrace_dump_on_oops): the environment's KTRAIL_SYSCTL, else /proc/sys/kernel. Borrowed.
 */
const char *sysctl_dir(void);

#endif
