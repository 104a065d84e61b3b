/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* names.c - a cache of function names for one thread */
#include "symbols/names.h"

#include <string.h>

#include "symbols/symbols.h"

static uint64_t hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325;	/* FNV-1a */

	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * 0x100000001b3;
	return h ? h : 1;
}

const struct name *names_fill(struct name *slot, struct kt_symbols *syms, uint64_t addr)
{
	bool loaded = symbols_are_loaded(syms);
	struct kt_symbol sym;
	struct module mod;

	*slot = (struct name){ .addr = addr, .syms = syms };
	if (symbols_place(syms, addr, &sym, &mod) == SYMBOL_FOUND) {
		slot->text = sym.name;
		slot->len = strlen(sym.name);
		slot->id = hash(sym.name);
	} else if (!loaded) {
		slot->syms = NULL;	/* look it up again next time */
	}
	return slot;
}
