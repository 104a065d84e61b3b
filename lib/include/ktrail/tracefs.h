/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tracefs.h - where the kernel's tracing files are */
#ifndef KTRAIL_TRACEFS_H
#define KTRAIL_TRACEFS_H

#include <stdbool.h>

#include <ktrail/err.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/**
 * kt_tracefs_watch - be told of each text that is written to a file of tracefs
 * @told: after each write of a setting, also of those that put something back; @refused: NULL,
 *        or the reason. In the thread that writes. NULL: nobody is told any more.
 *
 * There is one of these for each process.
 */
typedef void (*kt_tracefs_written)(void *data, const char *path, const char *value, bool append,
				   const struct kt_err *refused);
void kt_tracefs_watch(kt_tracefs_written told, void *data);

/* Where the kernel keeps tracing's other switches (ftrace_enabled, stack_tracer_enabled,
 * ftrace_dump_on_oops): the environment's KTRAIL_SYSCTL, else /proc/sys/kernel. Borrowed. */
const char *kt_sysctl_dir(void);
/* The environment's KTRAIL_DEBUGFS, else /sys/kernel/debug. Borrowed. */
const char *kt_debugfs_dir(void);

#ifdef __cplusplus
}
#endif
#endif
