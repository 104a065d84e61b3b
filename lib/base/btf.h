/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* btf.h - the types of another kernel, and what was given to its functions */
#ifndef BASE_BTF_H
#define BASE_BTF_H

#include <ktrail/btf.h>

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Of bytes in either byte order, copied. As kt_btf_open. */
struct kt_btf *btf_parse(const void *bytes, size_t size, struct kt_err *err);

/**
 * btf_add_args - "file=0xffff…, count=0x1000, flags=-1": what registers say of a call
 * @values: of the registers for arguments, in their order
 *
 * Signed integers and enumerations are decimal, all else hexadecimal; arguments
 * that had no register are "...". False and nothing added: no such function.
 */
bool btf_add_args(const struct kt_btf *btf, const char *function, const uint64_t *values,
		  size_t nr_values, struct str *s);

/* Of a module, /sys/kernel/btf/MODULE: as kt_btf_open. @base: the kernel's, borrowed */
struct kt_btf *btf_open_module(const char *path, const struct kt_btf *base, struct kt_err *err);

/* The value of an enumerator; of a module, only its own. -ENOENT; -EEXIST: two differ */
int btf_enumerator(const struct kt_btf *btf, const char *name, int64_t *value);

/* Of "struct NAME" in bytes; 0: there is none */
uint32_t btf_struct_size(const struct kt_btf *btf, const char *name);

#endif
