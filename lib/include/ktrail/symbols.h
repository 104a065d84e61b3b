/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* symbols.h - names of addresses and prototypes of functions of a kernel */
#ifndef KTRAIL_SYMBOLS_H
#define KTRAIL_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include <ktrail/base.h>
#include <ktrail/file.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== symbols for addresses of the recording kernel ==== */

struct kt_symbols;

#define KT_SYMBOL_MAX 1023		/* longest name; longer than the kernel's, for forged
					 * files */

struct kt_symbol {
	uint64_t    addr;	/* of its first byte */
	const char *name;	/* borrowed until the symbols are destroyed; NUL-terminated */
	const char *module;	/* "" for the kernel itself */
};

struct kt_module {
	const char *name;	/* borrowed until the symbols are destroyed */
	uint64_t    addr, size;	/* of its code; total size in memory */
};

/**
 * kt_symbols_create - the symbols of a file, or an empty set
 * @file: borrowed; NULL: only symbols of kt_symbols_add_text()
 *
 * kallsyms and printk_formats are parsed at the first look-up. Thread-safe,
 * look-ups take no lock. New (kt_symbols_destroy).
 */
struct kt_symbols *kt_symbols_create(struct kt_file *file, struct kt_err *err);
void kt_symbols_destroy(struct kt_symbols *syms);

/* Parse now, e.g. in a separate thread while the first records are read. */
void kt_symbols_prepare(struct kt_symbols *syms);

/**
 * kt_symbols_start - parse in the background, for callers that must not wait
 *
 * From now on a look-up never blocks: until parsing ends, addresses have no names. Call it before
 * other threads look anything up. kt_symbols_destroy() waits for the thread, at most some
 * 10 ms. 0, or -EAGAIN: no thread could be started, so the first look-up parses.
 */
int kt_symbols_start(struct kt_symbols *syms, struct kt_err *err);
/* Wait at most @most_ms until parsing ends: has it ended? Parses now if it was not started. */
bool kt_symbols_wait(struct kt_symbols *syms, unsigned int most_ms);

/*
 * Add symbols in kallsyms form ("ffffffff81000000 T _text [module]" on each line).
 * Copied. Only before the first look-up: -EBUSY.
 */
int kt_symbols_add_text(struct kt_symbols *syms, const char *text, size_t size,
			struct kt_err *err);

/* Use these modules, in the form of /proc/modules, instead of those of the file. Likewise. */
int kt_symbols_add_modules(struct kt_symbols *syms, const char *text, size_t size,
			   struct kt_err *err);

/**
 * kt_symbols_find - the symbol that contains @addr
 *
 * Returns 1 and the symbol, or 0. Of several at one address: the first in
 * the order of kallsyms. The last symbol of the kernel ends at its own address.
 */
int kt_symbols_find(struct kt_symbols *syms, uint64_t addr, struct kt_symbol *sym);
/* The module whose memory contains @addr: 1, or 0. trace-cmd 3.4 records the modules' addresses. */
int kt_symbols_module(struct kt_symbols *syms, uint64_t addr, struct kt_module *mod);
/* In order of address. */
size_t kt_symbols_nr(struct kt_symbols *syms);
int kt_symbols_at(struct kt_symbols *syms, size_t i, struct kt_symbol *sym);
/* Strings of printk_formats ("0xaddr : \"text\""): NULL if none at @addr. */
const char *kt_symbols_printk(struct kt_symbols *syms, uint64_t addr);

/* ==== the types with which the running kernel describes itself ==== */

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
