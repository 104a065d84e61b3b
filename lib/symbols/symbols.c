/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* symbols.c - which function an address of the recording kernel lies in */
#include "symbols/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A recording without symbols is no error: addresses are then shown as numbers. */
static void load(struct kt_symbols *syms)
{
	struct kt_blob kallsyms = { "", 0 }, printk = { "", 0 }, modules = { "", 0 };

	pthread_mutex_lock(&syms->lock);
	if (syms->now && !atomic_load_explicit(&syms->loaded, memory_order_relaxed)) {
		last_boot_load(syms);
		atomic_store_explicit(&syms->loaded, true, memory_order_release);
	} else if (!atomic_load_explicit(&syms->loaded, memory_order_relaxed)) {
		if (syms->file && kt_file_meta(syms->file, KT_META_KALLSYMS, &kallsyms, NULL) < 0)
			kallsyms = (struct kt_blob){ "", 0 };
		if (syms->file && kt_file_meta(syms->file, KT_META_PRINTK, &printk, NULL) < 0)
			printk = (struct kt_blob){ "", 0 };
		if (syms->file && kt_file_meta(syms->file, KT_META_MODULES, &modules, NULL) < 0)
			modules = (struct kt_blob){ "", 0 };
		if (syms->extra_modules.len)
			modules = (struct kt_blob){ syms->extra_modules.buf,
						    syms->extra_modules.len };
		modules_parse(&syms->modules_loaded, modules.data, modules.size);
		if (symbols_load(syms, kallsyms) < 0)
			syms->nr = 0;
		printk_parse(&syms->printk, printk.data, printk.size);
		atomic_store_explicit(&syms->loaded, true, memory_order_release);
	}
	pthread_mutex_unlock(&syms->lock);
}

static inline void need(struct kt_symbols *syms)
{
	if (!atomic_load_explicit(&syms->loaded, memory_order_acquire))
		load(syms);
}

struct kt_symbols *kt_symbols_create(struct kt_file *file, struct kt_err *err)
{
	struct kt_symbols *syms = calloc(1, sizeof(*syms));

	if (syms)
		syms->cache = calloc(SYM_CACHE, sizeof(*syms->cache));
	if (!syms || !syms->cache) {
		free(syms);
		kt_err_set(err, -ENOMEM, "no memory for symbols");
		return NULL;
	}
	syms->file = file;
	syms->extra = syms->extra_modules = (struct str)STR_INIT;
	pthread_mutex_init(&syms->lock, NULL);
	return syms;
}

void kt_symbols_destroy(struct kt_symbols *syms)
{
	if (!syms)
		return;
	pthread_mutex_destroy(&syms->lock);
	str_fini(&syms->extra);
	str_fini(&syms->extra_modules);
	modules_fini(&syms->modules_loaded);
	printk_fini(&syms->printk);
	free(syms->places);
	free(syms->pool);
	free(syms->cache);
	free(syms->last_boot);
	free(syms->ranges);
	free(syms);
}

int kt_symbols_add_text(struct kt_symbols *syms, const char *text, size_t size, struct kt_err *err)
{
	if (atomic_load(&syms->loaded))
		return kt_err_set(err, -EBUSY, "symbols are in use already");
	str_addn(&syms->extra, text, size);
	str_addc(&syms->extra, '\n');
	if (syms->extra.failed)
		return kt_err_set(err, -ENOMEM, "no memory for symbols");
	return 0;
}

int kt_symbols_add_modules(struct kt_symbols *syms, const char *text, size_t size,
			   struct kt_err *err)
{
	if (atomic_load(&syms->loaded))
		return kt_err_set(err, -EBUSY, "symbols are in use already");
	str_addn(&syms->extra_modules, text, size);
	if (syms->extra_modules.failed)
		return kt_err_set(err, -ENOMEM, "no memory for modules");
	return 0;
}

void kt_symbols_prepare(struct kt_symbols *syms)
{
	need(syms);
}

static bool fill(struct kt_symbols *syms, size_t i, struct kt_symbol *sym)
{
	struct symbol *at = &syms->places[i];
	uint32_t name = atomic_load_explicit(&at->name, memory_order_acquire);

	if (!(name & SYMBOL_NAMED))
		name = symbols_name(syms, at);
	sym->addr = at->addr;
	sym->name = syms->pool + (name & ~SYMBOL_NAMED);
	sym->module = syms->pool + at->module;
	return true;
}

/*
 * Where libc's bsearch would end. At the very address of several symbols that is
 * any one of them, depending on where they stand in the table; libtraceevent uses
 * it, and a report must name the same one. Behind that address it is the last.
 */
static size_t search(const struct kt_symbols *syms, uint64_t addr)
{
	size_t lo = 0, hi = syms->nr, mid = 0;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (addr < syms->places[mid].addr)
			hi = mid;
		else if (addr == syms->places[mid].addr || addr < syms->places[mid + 1].addr)
			break;
		else
			lo = mid + 1;
	}
	return mid;
}

/* Is @i the one that search() would find? Without an answer only where names share an address. */
static inline bool is_it(const struct kt_symbols *syms, size_t i, uint64_t addr)
{
	const struct symbol *at = &syms->places[i];

	return addr < at[1].addr &&
	       (addr > at->addr || (addr == at->addr && (!i || at[-1].addr != addr)));
}

int kt_symbols_find(struct kt_symbols *syms, uint64_t addr, struct kt_symbol *sym)
{
	_Atomic uint32_t *guess;
	size_t i;

	need(syms);
	if (__builtin_expect(syms->now != NULL, 0))
		return last_boot_find(syms, addr, sym);
	if (!syms->nr || addr < syms->places[0].addr || addr > syms->places[syms->nr - 1].addr)
		return 0;
	guess = &syms->cache[(addr * 0x9e3779b97f4a7c15) >> 52];
	i = atomic_load_explicit(guess, memory_order_relaxed);
	if (!is_it(syms, i, addr)) {
		i = search(syms, addr);
		atomic_store_explicit(guess, i, memory_order_relaxed);
	}
	return fill(syms, i, sym);
}

uint64_t symbols_size(struct kt_symbols *syms, uint64_t addr)
{
	size_t i;

	need(syms);
	for (i = syms->nr ? search(syms, addr) : 0; i < syms->nr; i++)
		if (syms->places[i].addr > addr)
			return syms->places[i].addr - addr;
	return 0;
}

size_t kt_symbols_nr(struct kt_symbols *syms)
{
	need(syms);
	return syms->nr;
}

int kt_symbols_at(struct kt_symbols *syms, size_t i, struct kt_symbol *sym)
{
	need(syms);
	return i < syms->nr && fill(syms, i, sym);
}

const char *kt_symbols_printk(struct kt_symbols *syms, uint64_t addr)
{
	need(syms);
	return syms->now ? last_boot_printk(syms, addr) : printk_find(&syms->printk, addr);
}
