/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* symbols.h - the inside of struct kt_symbols, for formatters */
#ifndef MODEL_SYMBOLS_H
#define MODEL_SYMBOLS_H

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

#define SYM_CACHE 4096			/* entries; a power of two */

struct kt_symbols {
	struct kt_file *file;		/* borrowed; NULL: only what is added */
	struct str extra;		/* texts of kt_symbols_add_text, one after the other */

	pthread_mutex_t lock;		/* held while loading */
	atomic_bool loaded;

	/* Parallel arrays sorted by address; @addrs ends with a sentinel of all ones. */
	size_t    nr;
	uint64_t *addrs;
	uint32_t *names;		/* offset in @pool */
	uint32_t *modules;		/* offset in @pool, 0 is "" */
	char     *pool;
	size_t    pool_len;

	/*
	 * Which entry an address was found at last. An entry is only a guess that
	 * is checked against @addrs, so threads may share it without any order.
	 */
	_Atomic uint32_t *cache;

	struct printk_table printk;
};

#endif
