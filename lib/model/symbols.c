/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* symbols.c - which function an address of the recording kernel lies in */
#include "model/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/put.h"

struct sym {
	uint64_t addr;
	uint32_t name, module;		/* offsets in the pool */
};

struct loading {
	struct sym *syms;
	size_t nr, max;
	char  *pool;			/* as large as all texts: no name can fail to fit */
	size_t used;
	uint32_t module;		/* the module of the line before, to store a name once … */
	size_t   module_len;
};

static const int8_t hex_value[256] = {
	['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8,
	['8'] = 9, ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15,
	['f'] = 16, ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

/* Eight digits of @word as a number, or false: not all are lower-case digits. */
static bool hex_word(uint64_t word, uint64_t *value)
{
	uint64_t x = (word & 0x0f0f0f0f0f0f0f0f) + (word >> 6 & 0x0101010101010101) * 9;

	x = (x << 4 | x >> 8) & 0x00ff00ff00ff00ff;
	x = (x << 8 | x >> 16) & 0x0000ffff0000ffff;
	x = (x << 16 | x >> 32) & 0xffffffff;
	*value = x;
	return num_hex_eight(x) == word;
}

static const char *parse_hex(const char *p, const char *end, uint64_t *value)
{
	uint64_t v = 0, high, low;
	int digit;

	/* kallsyms has sixteen digits, always. */
	if (end - p > 16 && hex_word(load_u64(p, KT_HOST_BIG), &high) &&
	    hex_word(load_u64(p + 8, KT_HOST_BIG), &low)) {
		v = high << 32 | low;
		p += 16;
	}
	for (; p < end && (digit = hex_value[(uint8_t)*p]); p++)
		v = v << 4 | (digit - 1);
	*value = v;
	return p;
}

/* The first blank or control character */
static const char *word_end(const char *p, const char *end)
{
	const uint64_t ones = 0x0101010101010101;
	uint64_t word, hit;

	for (; end - p >= 8; p += 8) {
		word = load_u64(p, KT_HOST_BIG);
		hit = (word - ones * (' ' + 1)) & ~word & ones << 7;
		if (hit)
			return p + __builtin_ctzll(hit) / 8;
	}
	while (p < end && (uint8_t)*p > ' ')
		p++;
	return p;
}

static uint32_t store(struct loading *l, const char *s, size_t len)
{
	uint32_t at = l->used;

	memcpy(l->pool + at, s, len);
	l->pool[at + len] = '\0';
	l->used += len + 1;
	return at;
}

/* The module that "[name]" at *@at names, the same string for a run of lines; *@at moves behind it. */
static uint32_t parse_module(struct loading *l, const char **at, const char *end)
{
	const char *p = *at, *close;
	size_t len;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	*at = p;
	if (p == end || *p != '[')
		return 0;
	p++;
	len = l->module_len;
	if (l->module && (size_t)(end - p) > len && p[len] == ']' &&
	    memcmp(l->pool + l->module, p, len) == 0) {
		*at = p + len + 1;
		return l->module;
	}
	close = word_end(p, end);
	close = memchr(p, ']', close - p) ? memchr(p, ']', close - p) : close;
	*at = close;
	l->module_len = close - p;
	l->module = store(l, p, close - p);
	return l->module;
}

/* "ffffffff81000000 T name\t[module]"; returns a place in the line behind what it has read */
static const char *parse_line(struct loading *l, const char *p, const char *end)
{
	struct sym *sym = &l->syms[l->nr];
	const char *name, *start = p;
	char type;

	p = parse_hex(p, end, &sym->addr);
	if (p == start || end - p < 4 || p[0] != ' ' || p[1] == '\n' || p[2] != ' ')
		return p;
	type = p[1];
	name = p + 3;
	p = word_end(name, end);
	/* ARM marks data in code with $a, $d …; absolute symbols are no places in the kernel. */
	if (p == name || p - name > KT_SYMBOL_MAX || *name == '$' || type == 'A' || type == 'a')
		return p;
	sym->name = store(l, name, p - name);
	sym->module = parse_module(l, &p, end);
	l->nr++;
	return p;
}

static void parse_text(struct loading *l, const char *text, size_t size)
{
	const char *p = text, *end = text + size;

	for (; p < end && l->nr < l->max; p++) {
		p = parse_line(l, p, end);
		if (p < end && *p != '\n')
			p = memchr(p, '\n', end - p);
		if (!p)
			break;
	}
}

static void merge(struct sym *to, const struct sym *a, size_t na, const struct sym *b, size_t nb)
{
	while (na && nb) {
		if (b->addr < a->addr) {
			*to++ = *b++;
			nb--;
		} else {
			*to++ = *a++;
			na--;
		}
	}
	memcpy(to, a, na * sizeof(*a));
	memcpy(to + na, b, nb * sizeof(*b));
}

static void insertion_sort(struct sym *s, size_t nr)
{
	size_t i, j;

	for (i = 1; i < nr; i++) {
		struct sym cur = s[i];

		for (j = i; j && cur.addr < s[j - 1].addr; j--)
			s[j] = s[j - 1];
		s[j] = cur;
	}
}

/* Stable, and next to nothing where the input is in order already, as most of kallsyms is. */
static void sort_syms(struct sym *s, struct sym *tmp, size_t nr)
{
	const size_t block = 16;
	size_t width, i;

	for (i = 0; i < nr; i += block)
		insertion_sort(s + i, nr - i < block ? nr - i : block);
	for (width = block; width < nr; width *= 2)
		for (i = 0; i + width < nr; i += 2 * width) {
			size_t right = nr - i - width < width ? nr - i - width : width;

			if (s[i + width - 1].addr <= s[i + width].addr)
				continue;
			memcpy(tmp, s + i, width * sizeof(*s));
			merge(s + i, tmp, width, s + i + width, right);
		}
}

/*
 * Of several symbols at one address the first in kallsyms is the one to show.
 * It goes last among its equals, so that "address < next address" finds it.
 */
static void reverse_equals(struct sym *s, size_t nr)
{
	size_t first, last, i;

	for (first = 0; first < nr; first = last) {
		for (last = first + 1; last < nr && s[last].addr == s[first].addr; last++)
			;
		for (i = 0; i < (last - first) / 2; i++) {
			struct sym swap = s[first + i];

			s[first + i] = s[last - 1 - i];
			s[last - 1 - i] = swap;
		}
	}
}

static int keep(struct kt_symbols *syms, const struct loading *l)
{
	size_t i;

	syms->addrs = malloc((l->nr + 1) * sizeof(*syms->addrs));
	syms->names = malloc((l->nr + 1) * sizeof(*syms->names));
	syms->modules = malloc((l->nr + 1) * sizeof(*syms->modules));
	if (!syms->addrs || !syms->names || !syms->modules)
		return -ENOMEM;
	for (i = 0; i < l->nr; i++) {
		syms->addrs[i] = l->syms[i].addr;
		syms->names[i] = l->syms[i].name;
		syms->modules[i] = l->syms[i].module;
	}
	syms->addrs[l->nr] = UINT64_MAX;
	syms->nr = l->nr;
	return 0;
}

static size_t max_lines(size_t size)
{
	return size / 5 + 1;		/* the shortest line is "0 T x\n" */
}

static int load_symbols(struct kt_symbols *syms, struct kt_blob kallsyms)
{
	size_t size = kallsyms.size + syms->extra.len;
	struct loading l = { .max = max_lines(size) };
	struct sym *tmp = NULL;
	int ret = -ENOMEM;

	if (size >= UINT32_MAX / 2)
		return -EFBIG;
	/* What is not written to is never given memory: the sizes are upper bounds. */
	l.syms = malloc((l.max + 1) * sizeof(*l.syms));
	l.pool = malloc(size + 2 + PUT_SLACK);
	if (!l.syms || !l.pool)
		goto out;
	l.pool[0] = '\0';
	l.used = 1;
	parse_text(&l, kallsyms.data, kallsyms.size);
	parse_text(&l, syms->extra.buf, syms->extra.len);
	tmp = malloc((l.nr + 1) * sizeof(*tmp));
	if (!tmp)
		goto out;
	sort_syms(l.syms, tmp, l.nr);
	reverse_equals(l.syms, l.nr);
	ret = keep(syms, &l);
	syms->pool = l.pool;
	l.pool = NULL;
out:
	free(tmp);
	free(l.syms);
	free(l.pool);
	return ret;
}

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
			modules = (struct kt_blob){ syms->extra_modules.buf, syms->extra_modules.len };
		modules_parse(&syms->modules_loaded, modules.data, modules.size);
		if (load_symbols(syms, kallsyms) < 0)
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
	free(syms->addrs);
	free(syms->names);
	free(syms->modules);
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

static bool fill(const struct kt_symbols *syms, size_t i, struct kt_symbol *sym)
{
	sym->addr = syms->addrs[i];
	sym->name = syms->pool + syms->names[i];
	sym->module = syms->pool + syms->modules[i];
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
		if (addr < syms->addrs[mid])
			hi = mid;
		else if (addr == syms->addrs[mid] || addr < syms->addrs[mid + 1])
			break;
		else
			lo = mid + 1;
	}
	return mid;
}

/* Is @i the one that search() would find? Without an answer only where names share an address. */
static inline bool is_it(const struct kt_symbols *syms, size_t i, uint64_t addr)
{
	const uint64_t *at = &syms->addrs[i];

	return addr < at[1] && (addr > at[0] || (addr == at[0] && (!i || at[-1] != addr)));
}

int kt_symbols_find(struct kt_symbols *syms, uint64_t addr, struct kt_symbol *sym)
{
	_Atomic uint32_t *guess;
	size_t i;

	need(syms);
	if (__builtin_expect(syms->now != NULL, 0))
		return last_boot_find(syms, addr, sym);
	if (!syms->nr || addr < syms->addrs[0] || addr > syms->addrs[syms->nr - 1])
		return 0;
	guess = &syms->cache[(addr * 0x9e3779b97f4a7c15) >> 52];
	i = atomic_load_explicit(guess, memory_order_relaxed);
	if (!is_it(syms, i, addr)) {
		i = search(syms, addr);
		atomic_store_explicit(guess, i, memory_order_relaxed);
	}
	return fill(syms, i, sym);
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
