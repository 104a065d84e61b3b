/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* symbols.h - names of the recording kernel's addresses */
#ifndef KTRAIL_SYMBOLS_H
#define KTRAIL_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include <ktrail/err.h>
#include <ktrail/file.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kt_symbols;

#define KT_SYMBOL_MAX 1023		/* longest name; no kernel has longer ones, a file might */

struct kt_symbol {
	uint64_t    addr;	/* of its first byte */
	const char *name;	/* borrowed until the symbols go; NUL-terminated */
	const char *module;	/* "" for the kernel itself */
};

struct kt_module {
	const char *name;	/* borrowed until the symbols go */
	uint64_t    addr, size;	/* of its code, and all it takes in memory */
};

/**
 * kt_symbols_create - the symbols of a file, or of none
 * @file: borrowed; NULL: only what kt_symbols_add_text adds
 *
 * Its kallsyms and printk_formats are parsed when first asked for. Thread-safe,
 * look-ups take no lock. New (kt_symbols_destroy).
 */
struct kt_symbols *kt_symbols_create(struct kt_file *file, struct kt_err *err);
void kt_symbols_destroy(struct kt_symbols *syms);

/* Parse now, e.g. in a thread of its own while the first records are read. */
void kt_symbols_prepare(struct kt_symbols *syms);

/**
 * kt_symbols_start - parse in the background, for callers that must not wait
 *
 * From now on a look-up never blocks: until all is known, nothing has a name. Done before
 * other threads look anything up. kt_symbols_destroy() waits for the thread, at most some
 * 10 ms. 0, or -EAGAIN: there is no thread, so the first look-up parses.
 */
int kt_symbols_start(struct kt_symbols *syms, struct kt_err *err);
/* Wait at most so long until all is known: is it? Parses now where it was not started. */
bool kt_symbols_wait(struct kt_symbols *syms, unsigned int most_ms);

/*
 * More of them, in kallsyms form ("ffffffff81000000 T _text [module]" a line).
 * Copied. Before the first look-up only: -EBUSY.
 */
int kt_symbols_add_text(struct kt_symbols *syms, const char *text, size_t size,
			struct kt_err *err);

/* The modules, in the form of /proc/modules, instead of those of the file. Likewise. */
int kt_symbols_add_modules(struct kt_symbols *syms, const char *text, size_t size,
			   struct kt_err *err);

/**
 * kt_symbols_find - the symbol that @addr lies in
 *
 * Returns 1 and the symbol, or 0. With several at one address: the first in
 * the order of kallsyms. The last symbol of the kernel ends at its own address.
 */
int kt_symbols_find(struct kt_symbols *syms, uint64_t addr, struct kt_symbol *sym);
/* The module whose memory @addr lies in: 1, or 0. trace-cmd 3.4 records where modules were. */
int kt_symbols_module(struct kt_symbols *syms, uint64_t addr, struct kt_module *mod);
/* In order of address. */
size_t kt_symbols_nr(struct kt_symbols *syms);
int kt_symbols_at(struct kt_symbols *syms, size_t i, struct kt_symbol *sym);
/* Strings of printk_formats ("0xaddr : \"text\""): NULL if none at @addr. */
const char *kt_symbols_printk(struct kt_symbols *syms, uint64_t addr);

#ifdef __cplusplus
}
#endif
#endif
