/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* source.h - the functions of the kernel that a source file defines */
#ifndef TARGET_SOURCE_H
#define TARGET_SOURCE_H

#include <ktrail/base.h>

/**
 * ctl_source_functions - functions that are defined below a source path
 * @pattern: a file, folder or glob, from the top of the kernel's sources:
 *           "kernel/sched/core.c", "fs/ext4", "drivers/net/e1000*"; '*' also
 *           matches '/'
 * @module:  NULL: the kernel and all modules; else only this module
 * @out:     receives the names, each once, sorted; functions that were only
 *           inlined have no code of their own and are omitted
 *
 * The names come from DWARF, since BTF has no file names: from a vmlinux with debug information
 * (KTRAIL_VMLINUX, or where distributions install it) and its modules.
 *   -ENOENT  no debug information (the message says what to install), or no function below @pattern
 */
int ctl_source_functions(const char *pattern, const char *module, struct kt_names *out,
			 struct kt_err *err);

#endif
