/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* last_boot.c - symbols for addresses that an earlier boot of the same kernel recorded */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "symbols/symbols.h"

/* State of the parser */
struct boot_text {
	struct kt_symbols *syms;
	uint64_t start, size;			/* of the running kernel; size 0: not known */
	const struct module **modules;	/* of the running kernel, sorted by name */
	size_t nr;
};

static struct boot_range *add_range(struct kt_symbols *syms)
{
	struct boot_range *added = array_add(syms->ranges, syms->nr_ranges);

	if (added)
		*added = (struct boot_range){ 0 };
	return added;
}

/* The kernel itself: from _text to its last symbol before those of modules */
static void find_kernel(struct kt_symbols *now, uint64_t *start, uint64_t *size)
{
	struct kt_symbol sym;
	size_t i, text = SIZE_MAX;

	for (i = 0; kt_symbols_at(now, i, &sym); i++) {
		if (text == SIZE_MAX && !*sym.module &&
		    (strcmp(sym.name, "_text") == 0 || strcmp(sym.name, "_stext") == 0)) {
			text = i;
			*start = sym.addr;
		}
		if (text != SIZE_MAX && *sym.module)
			break;
		if (text != SIZE_MAX)
			*size = sym.addr - *start + 1;
	}
}

static void add_kernel(const struct boot_text *t, uint64_t then)
{
	struct boot_range *r;

	/*
	 * Some 6.14 kernels report how far the kernel was moved, not its address. The address
	 * without that move is unknown.
	 */
	if (!t->size || then >> 63 != t->start >> 63 || t->size > UINT64_MAX - then)
		return;
	r = add_range(t->syms);
	if (r)
		*r = (struct boot_range){ .then = then, .now = t->start, .size = t->size,
					  .name = "" };
}

static int by_name(const void *a, const void *b)
{
	const struct module *const *l = a, *const *r = b;

	return strcmp((*l)->name, (*r)->name);
}

static void sort_modules(struct boot_text *t, const struct module_table *now)
{
	size_t i;

	t->modules = calloc(now->nr + 1, sizeof(*t->modules));
	for (i = 0; t->modules && i < now->nr; i++)
		t->modules[t->nr++] = &now->modules[i];
	if (t->nr)
		qsort(t->modules, t->nr, sizeof(*t->modules), by_name);
}

static void add_module(const struct boot_text *t, char *name, uint64_t then)
{
	const struct module key = { .name = name }, *const want = &key, *const *found = NULL;
	struct boot_range *r = add_range(t->syms);

	if (!r)
		return;
	/* A module that is not loaded now only limits the size of the module before it. */
	r->then = then;
	if (t->nr)
		found = bsearch(&want, t->modules, t->nr, sizeof(*t->modules), by_name);
	if (found && (*found)->size <= UINT64_MAX - then)
		*r = (struct boot_range){ .then = then, .now = (*found)->addr,
					  .size = (*found)->size, .name = (*found)->name };
}

/*
 * "ffffffffa1000000\t[kernel]", then "ffffffffc00ca000\tusbserial" for each module.
 * Linux 6.12 to 6.14 print "text delta:\t-4194304" and no modules.
 */
static void parse_line(const struct boot_text *t, char *line)
{
	char *end;
	uint64_t then;
	size_t len;

	if (strncmp(line, "text delta:", 11) == 0) {
		errno = 0;
		then = t->start - (uint64_t)strtoll(line + 11, &end, 10);
		if (!errno && end != line + 11)
			add_kernel(t, then);
		return;
	}
	errno = 0;
	then = strtoull(line, &end, 16);
	if (errno || end == line || (*end != '\t' && *end != ' '))
		return;
	end += strspn(end, "\t ");
	len = strcspn(end, "\t \r");
	end[len] = '\0';
	if (strcmp(end, "[kernel]") == 0)
		add_kernel(t, then);
	else if (len)
		add_module(t, end, then);
}

static int compare(const void *a, const void *b)
{
	const struct boot_range *l = a, *r = b;

	return l->then < r->then ? -1 : l->then > r->then;
}

/* The size of a module includes more than its code: the next module may begin before its end. */
static void clip(struct kt_symbols *syms)
{
	size_t i;

	if (syms->nr_ranges)
		qsort(syms->ranges, syms->nr_ranges, sizeof(*syms->ranges), compare);
	for (i = 0; i + 1 < syms->nr_ranges; i++) {
		struct boot_range *r = &syms->ranges[i];

		if (r->size > r[1].then - r->then)
			r->size = r[1].then - r->then;
	}
}

/* symbols_place() needs the modules at their former addresses */
static void set_modules(struct kt_symbols *syms)
{
	struct module_table *t = &syms->modules_loaded;
	size_t i;

	t->modules = calloc(syms->nr_ranges + 1, sizeof(*t->modules));
	for (i = 0; t->modules && i < syms->nr_ranges; i++) {
		const struct boot_range *r = &syms->ranges[i];

		if (r->size && *r->name)
			t->modules[t->nr++] = (struct module){ .name = r->name, .addr = r->then,
								  .size = r->size };
	}
}

void last_boot_load(struct kt_symbols *syms)
{
	struct boot_text t = { .syms = syms };
	char *line, *save = NULL;

	kt_symbols_prepare(syms->now);
	if (syms->now->exact)
		return;
	find_kernel(syms->now, &t.start, &t.size);
	sort_modules(&t, &syms->now->modules_loaded);
	for (line = strtok_r(syms->last_boot, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		parse_line(&t, line);
	free(t.modules);
	clip(syms);
	set_modules(syms);
}

static const struct boot_range *range_of(const struct kt_symbols *syms, uint64_t addr)
{
	size_t lo = 0, hi, mid;

	for (hi = syms->nr_ranges; lo < hi;) {
		mid = (lo + hi) / 2;
		if (syms->ranges[mid].then <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && addr - syms->ranges[lo - 1].then < syms->ranges[lo - 1].size ?
	       &syms->ranges[lo - 1] : NULL;
}

int last_boot_find(struct kt_symbols *syms, uint64_t addr, struct kt_symbol *sym)
{
	const struct boot_range *r = range_of(syms, addr);

	if (syms->now->exact)
		return kt_symbols_find(syms->now, addr, sym);
	/* The symbol before a gap, such as data, may belong to another part of the kernel. */
	if (!r || !kt_symbols_find(syms->now, addr - r->then + r->now, sym) ||
	    sym->addr < r->now || strcmp(sym->module, r->name) != 0)
		return 0;
	sym->addr = sym->addr - r->now + r->then;
	return 1;
}

const char *last_boot_printk(struct kt_symbols *syms, uint64_t addr)
{
	const struct boot_range *r = range_of(syms, addr);

	if (syms->now->exact)
		return kt_symbols_printk(syms->now, addr);
	return r ? kt_symbols_printk(syms->now, addr - r->then + r->now) : NULL;
}

struct kt_symbols *symbols_last_boot(struct kt_symbols *now, const char *text, size_t size,
				     struct kt_err *err)
{
	struct kt_symbols *syms = kt_symbols_create(NULL, err);

	if (!syms)
		return NULL;
	syms->now = now;
	syms->last_boot = strndup(text, size);
	if (!syms->last_boot) {
		kt_symbols_destroy(syms);
		kt_err_no_memory(err);
		return NULL;
	}
	return syms;
}

/*
 * False for "# Current" and for text that no kernel prints: the addresses are current.
 * Also false for "text delta: 0": Linux 6.12 to 6.14 print it for the current boot, too.
 */
bool last_boot_is_another(const char *text, size_t size)
{
	static const char same[] = "text delta:\t0\n";

	if (size >= sizeof(same) - 1 && memcmp(text, same, sizeof(same) - 1) == 0)
		return false;
	return size && *text != '#' && *text != '\n' && *text;
}
