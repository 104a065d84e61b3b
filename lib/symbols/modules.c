/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* modules.c - find the module of the recording kernel that holds an address */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "symbols/symbols.h"

#define WORDS 6		/* of a line: name size users used_by state address */

static int compare(const void *a, const void *b)
{
	const struct module *l = a, *r = b;

	return l->addr < r->addr ? -1 : l->addr > r->addr;
}

/* "nf_tables 376832 3 nft_ct,nft_log, Live 0xffffffffc0a41000 (OE)"; splits its words in place */
static bool parse_line(char *line, struct module *mod)
{
	char *words[WORDS], *save = NULL, *end;
	size_t i;

	for (i = 0; i < WORDS; i++) {
		words[i] = strtok_r(i ? NULL : line, " ", &save);
		if (!words[i])
			return false;
	}
	errno = 0;
	mod->name = words[0];
	mod->size = strtoull(words[1], &end, 10);
	if (errno || *end)
		return false;
	mod->addr = strtoull(words[5], &end, 16);
	/* A user who may not see addresses records zeros */
	return !errno && !*end && mod->addr && mod->size <= UINT64_MAX - mod->addr;
}

static bool add(struct module_table *t, const struct module *mod)
{
	struct module *added = array_add(t->modules, t->nr);

	if (added)
		*added = *mod;
	return added;
}

int modules_parse(struct module_table *t, const char *text, size_t size)
{
	struct module mod;
	char *line, *save = NULL;

	modules_fini(t);
	t->text = strndup(text, size);
	if (!t->text)
		return -ENOMEM;
	for (line = strtok_r(t->text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (parse_line(line, &mod) && !add(t, &mod))
			return -ENOMEM;
	if (t->nr)
		qsort(t->modules, t->nr, sizeof(*t->modules), compare);
	return 0;
}

void modules_fini(struct module_table *t)
{
	free(t->modules);
	free(t->text);
	*t = (struct module_table){ 0 };
}

static bool is_listed(const struct module_table *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		if (strcmp(t->modules[i].name, name) == 0)
			return true;
	return false;
}

int symbols_module(struct kt_symbols *syms, uint64_t addr, struct module *mod)
{
	const struct module_table *t = &syms->modules_loaded;
	size_t lo = 0, hi, mid;

	if (!symbols_are_loaded(syms))
		return 0;
	for (hi = t->nr; lo < hi;) {
		mid = (lo + hi) / 2;
		if (t->modules[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || addr - t->modules[lo - 1].addr >= t->modules[lo - 1].size)
		return 0;
	*mod = t->modules[lo - 1];
	return 1;
}

/*
 * A symbol extends to the next symbol. So the last function of a module also covers the
 * addresses after the module, and a module without symbols seems to belong to the module before
 * it. The module table corrects both. This leaves names that are not modules, like "bpf",
 * alone.
 */
enum symbol_place symbols_place(struct kt_symbols *syms, uint64_t addr, struct kt_symbol *sym,
				struct module *mod)
{
	bool found = kt_symbols_find(syms, addr, sym);

	if (!found && !symbols_are_loaded(syms))
		return SYMBOL_UNKNOWN;
	if (syms->exact || !syms->modules_loaded.nr)
		return found ? SYMBOL_FOUND : SYMBOL_UNKNOWN;
	if (symbols_module(syms, addr, mod))
		return found && sym->addr >= mod->addr ? SYMBOL_FOUND : SYMBOL_IN_MODULE;
	if (found && is_listed(&syms->modules_loaded, sym->module))
		return SYMBOL_UNLOADED;
	return found ? SYMBOL_FOUND : SYMBOL_UNKNOWN;
}

bool symbols_put_nameless(struct kt_symbols *syms, uint64_t addr, bool alone, struct str *s)
{
	struct kt_symbol sym;
	struct module mod;

	switch (symbols_place(syms, addr, &sym, &mod)) {
	case SYMBOL_IN_MODULE:
		str_addf(s, "[%s+0x%" PRIx64 "]", mod.name, addr - mod.addr);
		return true;
	case SYMBOL_UNLOADED:
		if (alone)
			str_addf(s, "0x%" PRIx64 " ", addr);
		str_add(s, "[unloaded]");
		return true;
	default:
		return false;
	}
}
