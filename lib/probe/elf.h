/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* elf.h - find a function in a program or library, as a place in its file */
#ifndef PROBE_ELF_H
#define PROBE_ELF_H

#include <stdint.h>

#include <ktrail/base.h>

/**
 * ctl_elf_find - the file that a program or library name stands for
 * @name: a path (with a '/'), a library as the dynamic linker would find it
 *        ("libc.so.6", or "libc" for short), or a program of $PATH
 *
 * Returns a new absolute path without symbolic links, as uprobes keep it, or
 * NULL with -ENOENT (what was searched), -ENOMEM.
 */
char *ctl_elf_find(const char *name, struct kt_err *err);

/**
 * ctl_elf_offset - where in the file the code of a symbol begins
 * @path:   of a program or library, position independent or not
 * @symbol: its name, without version; C++ names as the linker sees them
 *
 * Symbols come from the file, its separate debug file (build-id, .gnu_debuglink)
 * and its .gnu_debugdata. Returns 0, or
 *   -ENOENT   no such symbol; the message has the nearest name
 *   -EINVAL   it is data, or a function chosen when the program starts (IFUNC),
 *             or there are several of that name at different places
 *   -ENOEXEC  not an ELF file, or the symbol is not in a loaded segment
 */
int ctl_elf_offset(const char *path, const char *symbol, uint64_t *offset, struct kt_err *err);

#endif
