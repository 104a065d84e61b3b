/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* btf.h - the types of another kernel, and the arguments of calls to its functions */
#ifndef BASE_BTF_H
#define BASE_BTF_H

#include <ktrail/event.h>

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Like kt_btf_open(), from bytes in either byte order; copies them */
struct kt_btf *btf_parse(const void *bytes, size_t size, struct kt_err *err);

/**
 * btf_add_args - decode the arguments of a call: "file=0xffff…, count=0x1000, flags=-1"
 * @values: the argument registers, in their order
 *
 * Signed integers and enumerations are decimal, all others hexadecimal; arguments
 * that had no register are "...". Returns false and adds nothing if there is no such function.
 */
bool btf_add_args(const struct kt_btf *btf, const char *function, const uint64_t *values,
		  size_t nr_values, struct str *s);

/*
 * Like the kernel's trace file, which reads each register as a long, and a structure
 * in memory as registers, too. @hex: unsigned integers are hexadecimal, since Linux 6.18.
 */
bool btf_add_args_of_trace(const struct kt_btf *btf, const char *function, const uint64_t *values,
			   size_t nr_values, bool hex, struct str *s);

/* Like kt_btf_open(), for a module: /sys/kernel/btf/MODULE. @base: the kernel's, borrowed */
struct kt_btf *btf_open_module(const char *path, const struct kt_btf *base, struct kt_err *err);

/*
 * The value of an enumerator; in a module, only its own. -ENOENT; -EEXIST: two values differ.
 * One thread at a time: the first call builds an index.
 */
int btf_enumerator(struct kt_btf *btf, const char *name, int64_t *value);

/* The size of "struct NAME" in bytes; 0 if it does not exist */
uint32_t btf_struct_size(const struct kt_btf *btf, const char *name);

#endif
