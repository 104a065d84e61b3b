/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* syscall_names.h - names of system calls by number */
#ifndef EVENT_SYSCALL_NAMES_H
#define EVENT_SYSCALL_NAMES_H

#include <stddef.h>

struct syscall_table {
	const char *machine;
	const char *const *names;	/* by number; NULL: no such call */
	size_t nr;
};

/*
 * By a kernel's uname, which ends with the machine: "Linux host 6.1.0-1-amd64 x86_64"; NULL:
 * unknown
 */
const struct syscall_table *syscall_table_of(const char *uname, size_t len);

#endif
