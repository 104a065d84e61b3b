/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* functions.h - what the kernel does at a function, inside lists of functions */
#ifndef TARGET_FUNCTIONS_H
#define TARGET_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/instance.h>

/* "schedule:traceoff", rather than "schedule" or "*:mod:ext4" */
bool ctl_is_function_command(const char *text);

/* Is it one the kernel has, on an event that there is? 0, or -EINVAL or -ENOENT with the nearest */
int ctl_check_function_command(struct kt_instance *inst, const char *text, struct kt_err *err);
/* Has @file no such command yet, whatever its count? 0 or -EEXIST */
int ctl_check_new_command(const struct kt_instance *inst, const char *file, const char *text,
			  struct kt_err *err);

/* Take commands out of a list: all, or with @wish those at its functions (a glob), whatever their
 * count. -ENOENT: none is meant by @wish */
int ctl_remove_function_commands(struct kt_instance *inst, const char *file, const char *wish,
				 struct kt_err *err);

/* Is @function where the kernel enters the system call that somebody calls "openat" or
 * "sys_openat"? In front of that are two underlines and the machine's name. */
bool ctl_is_syscall_entry(const char *function, size_t len, const char *name);

#endif
