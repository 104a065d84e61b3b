/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* elf.h - find a function of a program or library, as an offset in its file */
#ifndef PROBE_ELF_H
#define PROBE_ELF_H

#include <stdint.h>

#include <ktrail/base.h>

/**
 * ctl_elf_find - find the file of a program or library by its name
 * @name: a path (with a '/'), a library as the dynamic linker would find it
 *        ("libc.so.6", or "libc" for short), or a program of $PATH
 *
 * Returns a new absolute path without symbolic links, as uprobes keep it, or
 * NULL with -ENOENT (the message says where it searched), -ENOMEM.
 */
char *ctl_elf_find(const char *name, struct kt_err *err);

/**
 * ctl_elf_offset - find the offset in the file at which a symbol's code begins
 * @path:   of a program or library, position independent or not
 * @symbol: its name, without version; C++ names as the linker sees them
 *
 * Symbols come from the file, its separate debug file (build-id, .gnu_debuglink)
 * and its .gnu_debugdata. Returns 0, or
 *   -ENOENT   no such symbol; the message has the nearest name
 *   -EINVAL   it is data, or a function chosen when the program starts (IFUNC),
 *             or several functions at different places have this name
 *   -ENOEXEC  not an ELF file, or the symbol is not in a loaded segment
 */
int ctl_elf_offset(const char *path, const char *symbol, uint64_t *offset, struct kt_err *err);

#endif
