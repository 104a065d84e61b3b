/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* functions.h - commands that the kernel runs at a function, in the lists of functions */
#ifndef TARGET_FUNCTIONS_H
#define TARGET_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/tracefs.h>

/* True for "schedule:traceoff", false for "schedule" and "*:mod:ext4" */
bool ctl_is_function_command(const char *text);

/* Does the kernel have this command, and the event that it names? 0, or -EINVAL or -ENOENT with the
 * nearest name */
int ctl_check_function_command(struct kt_instance *inst, const char *text, struct kt_err *err);
/* -EEXIST if @file has this command, with any count; else 0 */
int ctl_check_new_command(const struct kt_instance *inst, const char *file, const char *text,
			  struct kt_err *err);

/* Remove commands from a list: all, or those that @wish selects (a glob of functions and a
 * command), with any count. -ENOENT: @wish selects none */
int ctl_remove_function_commands(struct kt_instance *inst, const char *file, const char *wish,
				 struct kt_err *err);

/* Is @function the kernel's entry of the system call @name, "openat" or "sys_openat"? It has two
 * underscores and the name of the architecture as prefix. */
bool ctl_is_syscall_entry(const char *function, size_t len, const char *name);

#endif
