/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* symbols.h - internals of struct kt_symbols, for formatters */
#ifndef SYMBOLS_SYMBOLS_H
#define SYMBOLS_SYMBOLS_H

#include <ktrail/event.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/str.h"

/* The strings of the kernel's printk_formats, sorted by address */
struct printk_table {
	struct printk_entry {
		uint64_t addr;
		uint32_t text;		/* offset in @pool */
		uint32_t order;		/* line number in the file: the first of duplicates wins */
	} *entries;
	size_t nr;
	char  *pool;
};

int  printk_parse(struct printk_table *t, const char *text, size_t size);
void printk_fini(struct printk_table *t);
const char *printk_find(const struct printk_table *t, uint64_t addr);

/* A module that was loaded at the end of the recording */
struct module {
	const char *name;	/* borrowed until the symbols are destroyed */
	uint64_t    addr, size;	/* of its code; total size in memory */
};

/* Sorted by address */
struct module_table {
	struct module *modules;
	size_t nr;
	char  *text;			/* holds their names */
};

/* modules.c: parse /proc/modules into @t, replacing its content */
int  modules_parse(struct module_table *t, const char *text, size_t size);
void modules_fini(struct module_table *t);

enum symbol_place {
	SYMBOL_UNKNOWN,
	SYMBOL_FOUND,			/* @sym */
	SYMBOL_IN_MODULE,		/* in @mod, which has no symbol before the address */
	SYMBOL_UNLOADED,		/* in no module: after the one of the previous symbol */
};

/* The module whose memory contains @addr: 1, or 0. trace-cmd 3.4 records the modules' addresses. */
int symbols_module(struct kt_symbols *syms, uint64_t addr, struct module *mod);
/* Like kt_symbols_find() for code addresses, but also uses the modules if they are known. */
enum symbol_place symbols_place(struct kt_symbols *syms, uint64_t addr, struct kt_symbol *sym,
				struct module *mod);
/*
 * "[module+0x10]" or "0xffffffffc0000010 [unloaded]"; the address is omitted
 * unless @alone. False: neither applies, and nothing was added.
 */
bool symbols_put_nameless(struct kt_symbols *syms, uint64_t addr, bool alone, struct str *s);

/* The address of a part of the kernel during an earlier boot, and its address now */
struct boot_range {
	uint64_t then, now, size;	/* size 0: it does not exist any more */
	const char *name;		/* of the module, "" for the kernel itself */
};

/* last_boot.c: for symbols of symbols_last_boot(); loads them at the first use */
void last_boot_load(struct kt_symbols *syms);
int  last_boot_find(struct kt_symbols *syms, uint64_t addr, struct kt_symbol *sym);
const char *last_boot_printk(struct kt_symbols *syms, uint64_t addr);
/* Is the text of last_boot_info from a different boot than the symbols? */
bool last_boot_is_another(const char *text, size_t size);

/*
 * A name in kallsyms. Few of 200,000 are ever printed: until a name is needed, only
 * its position in the text is stored.
 */
#define SYMBOL_NAMED (1u << 31)
struct symbol {
	uint64_t addr;
	_Atomic uint32_t name;		/* offset in the text; with SYMBOL_NAMED, in the pool */
	uint32_t module;		/* valid with SYMBOL_NAMED: offset in the pool, 0 is "" */
};

/* symbols.c: false while the thread of kt_symbols_start() runs */
bool symbols_are_loaded(struct kt_symbols *syms);
/* Bytes from the symbol at @addr to the next one, 0: it is the last */
uint64_t symbols_size(struct kt_symbols *syms, uint64_t addr);

/* load.c: fill the table (with the lock held), and name one of its symbols */
int symbols_load(struct kt_symbols *syms, struct kt_blob kallsyms);
/* The name of the @i-th symbol, not terminated, within the text. All must be loaded. */
const char *symbols_peek(struct kt_symbols *syms, size_t i, size_t *len);
uint32_t symbols_name(struct kt_symbols *syms, struct symbol *at);

#define SYM_CACHE 4096			/* entries; a power of two */

struct kt_symbols {
	struct kt_file *file;		/* borrowed; NULL: only added symbols */
	struct str extra;		/* texts of kt_symbols_add_text(), joined */

	pthread_mutex_t lock;		/* held while loading */
	atomic_bool loaded;
	bool      started;		/* @thread loads the symbols; no lookup waits for it */
	pthread_t thread;

	struct symbol *places;		/* sorted by address; all ones after the last one */
	size_t    nr;
	struct kt_blob text;		/* kallsyms of the file, borrowed; @extra follows it */
	char     *pool;			/* names and modules that were read */
	size_t    pool_len;
	uint32_t  last_module;		/* offset in @pool */

	/*
	 * By hash of an address: the index where it was last found. This is only a guess, which
	 * is checked against @places, so threads may share it without ordering.
	 */
	_Atomic uint32_t *cache;

	struct printk_table printk;

	struct str extra_modules;	/* text of kt_symbols_add_modules */
	struct module_table modules_loaded;
	bool exact;			/* like libtraceevent, which knows no modules */
	bool kernel;			/* like the kernel's %pS: with sizes and modules */

	/* For an earlier boot: the symbols are those of @now, which is borrowed. */
	struct kt_symbols *now;		/* NULL: not for an earlier boot */
	char *last_boot;		/* text of last_boot_info */
	struct boot_range *ranges;	/* sorted by @then */
	size_t nr_ranges;
};

/**
 * symbols_last_boot - the same symbols for addresses of an earlier boot
 * @now:  borrowed, must live longer
 * @text: copied; last_boot_info of a persistent buffer: the addresses of the kernel and
 *        its modules during that boot
 *
 * An address outside of all of them, or in a module that @now lacks, has no name.
 * kt_symbols_nr() is 0. New (kt_symbols_destroy).
 */
struct kt_symbols *symbols_last_boot(struct kt_symbols *now, const char *text, size_t size,
				     struct kt_err *err);

#endif
