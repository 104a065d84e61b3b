/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* btf.h - types that the running kernel describes itself with */
#ifndef KTRAIL_BTF_H
#define KTRAIL_BTF_H

#include <ktrail/err.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kt_btf;

/**
 * kt_btf_open - read the types of the kernel
 * @path: NULL for /sys/kernel/btf/vmlinux
 *
 * Returns new (kt_btf_close), or NULL: -ENOENT (CONFIG_DEBUG_INFO_BTF), -EINVAL
 * for a damaged or foreign file. Source: Linux, Documentation/bpf/btf.rst.
 */
struct kt_btf *kt_btf_open(const char *path, struct kt_err *err);
void kt_btf_close(struct kt_btf *btf);

/* "long vfs_read(struct file *file, char *buf, …)": new (free); NULL: no such function */
char *kt_btf_prototype(const struct kt_btf *btf, const char *function);

#ifdef __cplusplus
}
#endif
#endif
