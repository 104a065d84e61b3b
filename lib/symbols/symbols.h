/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* symbols.h - the inside of struct kt_symbols, for formatters */
#ifndef SYMBOLS_SYMBOLS_H
#define SYMBOLS_SYMBOLS_H

#include <ktrail/symbols.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/str.h"

/* Strings that the kernel's printk_formats gives addresses to, sorted by address. */
struct printk_table {
	struct printk_entry {
		uint64_t addr;
		uint32_t text;		/* offset in @pool */
		uint32_t order;		/* line it came from: the first of equals wins */
	} *entries;
	size_t nr;
	char  *pool;
};

int  printk_parse(struct printk_table *t, const char *text, size_t size);
void printk_fini(struct printk_table *t);
const char *printk_find(const struct printk_table *t, uint64_t addr);

/* Modules that were loaded when the recording ended, sorted by address. */
struct module_table {
	struct kt_module *modules;
	size_t nr;
	char  *text;			/* names lie in it */
};

/* modules.c: of /proc/modules; what was in @t before is forgotten */
int  modules_parse(struct module_table *t, const char *text, size_t size);
void modules_fini(struct module_table *t);

enum symbol_place {
	SYMBOL_UNKNOWN,
	SYMBOL_FOUND,			/* @sym */
	SYMBOL_IN_MODULE,		/* @mod, which has no symbol before it */
	SYMBOL_UNLOADED,		/* beyond the end of the module whose symbol comes before */
};

/* As kt_symbols_find, for addresses of code, which tells more when the modules are known. */
enum symbol_place symbols_place(struct kt_symbols *syms, uint64_t addr, struct kt_symbol *sym,
				struct kt_module *mod);
/*
 * "[module+0x10]" or "0xffffffffc0000010 [unloaded]", without the address where
 * it is not @alone. False: neither, nothing was added.
 */
bool symbols_put_nameless(struct kt_symbols *syms, uint64_t addr, bool alone, struct str *s);

/* Where a part of the kernel was during an earlier boot, and where it is by the symbols at hand */
struct boot_range {
	uint64_t then, now, size;	/* size 0: it is not there any more */
	const char *name;		/* of the module, "" for the kernel itself */
};

/* last_boot.c: of what symbols_last_boot() made; the first when it is first asked */
void last_boot_load(struct kt_symbols *syms);
int  last_boot_find(struct kt_symbols *syms, uint64_t addr, struct kt_symbol *sym);
const char *last_boot_printk(struct kt_symbols *syms, uint64_t addr);
/* Does the text of last_boot_info tell of another boot than that of the symbols? */
bool last_boot_is_another(const char *text, size_t size);

/*
 * One name in kallsyms. Few of 200,000 are ever printed: where the name stands
 * in the text is all that is noted of it, until it is asked for.
 */
#define SYMBOL_NAMED (1u << 31)
struct symbol {
	uint64_t addr;
	_Atomic uint32_t name;		/* offset in the text; with SYMBOL_NAMED in the pool */
	uint32_t module;		/* with that only: offset in the pool, 0 is "" */
};

/* symbols.c: false while kt_symbols_start() is at it */
bool symbols_are_loaded(struct kt_symbols *syms);
/* Bytes from the symbol at @addr to the next, 0: it is the last */
uint64_t symbols_size(struct kt_symbols *syms, uint64_t addr);

/* load.c: fill the table, and name one of it; the first with the lock held */
int symbols_load(struct kt_symbols *syms, struct kt_blob kallsyms);
/* The name of the @i-th, not terminated: it stays where it stands in the text. All are loaded. */
const char *symbols_peek(struct kt_symbols *syms, size_t i, size_t *len);
uint32_t symbols_name(struct kt_symbols *syms, struct symbol *at);

#define SYM_CACHE 4096			/* entries; a power of two */

struct kt_symbols {
	struct kt_file *file;		/* borrowed; NULL: only what is added */
	struct str extra;		/* texts of kt_symbols_add_text, one after the other */

	pthread_mutex_t lock;		/* held while loading */
	atomic_bool loaded;
	bool      started;		/* by a thread, which nobody waits for */
	pthread_t thread;

	struct symbol *places;		/* sorted by address; after the last one of all ones */
	size_t    nr;
	struct kt_blob text;		/* kallsyms of the file, borrowed;
					 * @extra stands after it */
	char     *pool;			/* names and modules that were asked for */
	size_t    pool_len;
	uint32_t  last_module;		/* offset in @pool */

	/*
	 * Which entry an address was found at last. An entry is only a guess that
	 * is checked against @addrs, so threads may share it without any order.
	 */
	_Atomic uint32_t *cache;

	struct printk_table printk;

	struct str extra_modules;	/* text of kt_symbols_add_modules */
	struct module_table modules_loaded;
	bool exact;			/* as libtraceevent, which knows of no modules */
	bool kernel;			/* as the kernel's %pS: sizes and modules, too */

	/* Of an earlier boot: all of the above are those of @now, which is borrowed. */
	struct kt_symbols *now;		/* NULL: they are of no earlier boot */
	char *last_boot;		/* text of last_boot_info */
	struct boot_range *ranges;	/* sorted by @then */
	size_t nr_ranges;
};

/**
 * symbols_last_boot - the same symbols for addresses of an earlier boot
 * @now:  borrowed, must live longer
 * @text: copied; what last_boot_info of a persistent buffer says: where the kernel and
 *        its modules were
 *
 * An address that lies in none of these, or in a module that @now does not
 * know, has no name. kt_symbols_nr() is 0. New (kt_symbols_destroy).
 */
struct kt_symbols *symbols_last_boot(struct kt_symbols *now, const char *text, size_t size,
				     struct kt_err *err);

#endif
