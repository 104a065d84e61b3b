/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* symbols.c - find the function of the recording kernel that holds an address */
#include "symbols/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/threads.h"

/* A file without kallsyms is not an error: addresses are then shown as numbers. */
static struct kt_blob text_of(const struct kt_symbols *syms, enum kt_meta which)
{
	struct kt_blob text;

	if (!syms->file || kt_file_meta(syms->file, which, &text, NULL) < 0)
		return (struct kt_blob){ "", 0 };
	return text;
}

static void load_texts(struct kt_symbols *syms)
{
	struct kt_blob text = text_of(syms, KT_META_MODULES);

	if (syms->extra_modules.len)
		text = (struct kt_blob){ syms->extra_modules.buf, syms->extra_modules.len };
	modules_parse(&syms->modules_loaded, text.data, text.size);
	if (symbols_load(syms, text_of(syms, KT_META_KALLSYMS)) < 0)
		syms->nr = 0;
	text = text_of(syms, KT_META_PRINTK);
	printk_parse(&syms->printk, text.data, text.size);
}

static void load(struct kt_symbols *syms)
{
	pthread_mutex_lock(&syms->lock);
	if (!atomic_load_explicit(&syms->loaded, memory_order_relaxed)) {
		if (syms->now)
			last_boot_load(syms);
		else
			load_texts(syms);
		atomic_store_explicit(&syms->loaded, true, memory_order_release);
	}
	pthread_mutex_unlock(&syms->lock);
}

/* False: a thread is loading them; do not wait for it */
static bool need_first(struct kt_symbols *syms)
{
	const struct kt_symbols *of = syms->now ? syms->now : syms;

	if (of->started && !atomic_load_explicit(&of->loaded, memory_order_acquire))
		return false;
	load(syms);
	return true;
}

static inline bool need(struct kt_symbols *syms)
{
	return __builtin_expect(atomic_load_explicit(&syms->loaded, memory_order_acquire), 1) ||
	       need_first(syms);
}

bool symbols_are_loaded(struct kt_symbols *syms)
{
	return need(syms);
}

struct kt_symbols *kt_symbols_create(struct kt_file *file, struct kt_err *err)
{
	struct kt_symbols *syms = calloc(1, sizeof(*syms));

	if (syms)
		syms->cache = calloc(SYM_CACHE, sizeof(*syms->cache));
	if (!syms || !syms->cache) {
		free(syms);
		kt_err_no_memory(err);
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
	if (syms->started)
		pthread_join(syms->thread, NULL);
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
		return kt_err_no_memory(err);
	return 0;
}

int kt_symbols_add_modules(struct kt_symbols *syms, const char *text, size_t size,
			   struct kt_err *err)
{
	if (atomic_load(&syms->loaded))
		return kt_err_set(err, -EBUSY, "symbols are in use already");
	str_addn(&syms->extra_modules, text, size);
	if (syms->extra_modules.failed)
		return kt_err_no_memory(err);
	return 0;
}

void kt_symbols_prepare(struct kt_symbols *syms)
{
	if (!atomic_load_explicit(&syms->loaded, memory_order_acquire))
		load(syms);
}

static void *loader_main(void *syms)
{
	thread_is_background();
	load(syms);
	return NULL;
}

int kt_symbols_start(struct kt_symbols *syms, struct kt_err *err)
{
	int ret = 0;

	if (!syms->started && !atomic_load(&syms->loaded))
		ret = thread_start(&syms->thread, loader_main, syms);
	syms->started |= ret == 0;
	return ret < 0 ? kt_err_set(err, ret, "cannot start a thread: %s", strerror(-ret)) : 0;
}

bool kt_symbols_wait(struct kt_symbols *syms, unsigned int most_ms)
{
	struct timespec until;

	if (!syms->started)
		kt_symbols_prepare(syms);
	if (atomic_load_explicit(&syms->loaded, memory_order_acquire))
		return true;
	/* The loading thread holds the lock. */
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += most_ms / 1000;
	until.tv_nsec += (long)(most_ms % 1000) * 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	if (pthread_mutex_timedlock(&syms->lock, &until) == 0) {
		pthread_mutex_unlock(&syms->lock);
		if (most_ms && !atomic_load(&syms->loaded))
			usleep(500);	/* the thread has not started yet */
	}
	return atomic_load_explicit(&syms->loaded, memory_order_acquire);
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
 * Finds the same entry as libc's bsearch, which libtraceevent uses: a report must name the
 * same symbol. If several symbols have exactly this address, bsearch finds any of them,
 * depending on their positions in the table. For addresses between them and the next symbol, it
 * finds the last entry, which is the first one in kallsyms. The kernel always shows that one.
 */
static size_t search(const struct kt_symbols *syms, uint64_t addr)
{
	size_t lo = 0, hi = syms->nr, mid = 0;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (addr < syms->places[mid].addr)
			hi = mid;
		else if (addr < syms->places[mid + 1].addr ||
			 (addr == syms->places[mid].addr && !syms->kernel))
			break;
		else
			lo = mid + 1;
	}
	return mid;
}

/* Would search() find entry @i? Undecided, thus false, only if names share an address. */
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

	if (!need(syms))
		return 0;
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
	fill(syms, i, sym);
	/* The kernel's own lookup skips the pages of ftrace and kprobes that kallsyms lists. */
	if (!syms->kernel || strncmp(sym->module, "__builtin__", 11) != 0)
		return 1;
	sym->module = "";
	return 0;
}

uint64_t symbols_size(struct kt_symbols *syms, uint64_t addr)
{
	size_t i;

	if (!need(syms))
		return 0;
	for (i = syms->nr ? search(syms, addr) : 0; i < syms->nr; i++)
		if (syms->places[i].addr > addr)
			return syms->places[i].addr - addr;
	return 0;
}

size_t kt_symbols_nr(struct kt_symbols *syms)
{
	return need(syms) ? syms->nr : 0;
}

int kt_symbols_at(struct kt_symbols *syms, size_t i, struct kt_symbol *sym)
{
	return need(syms) && i < syms->nr && fill(syms, i, sym);
}

const char *kt_symbols_printk(struct kt_symbols *syms, uint64_t addr)
{
	if (!need(syms))
		return NULL;
	return syms->now ? last_boot_printk(syms, addr) : printk_find(&syms->printk, addr);
}
