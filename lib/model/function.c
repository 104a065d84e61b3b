/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* function.c - function records as text: name, and caller if asked for */
#include <inttypes.h>

#include "model/text.h"

#define INDENT 3

static void add_name(const struct kt_text *x, struct kt_symbols *syms, uint64_t addr,
		     struct str *s)
{
	struct kt_symbol sym;

	if (!kt_symbols_find(syms, addr, &sym)) {
		str_addf(s, "0x%" PRIx64, addr);
		return;
	}
	str_add(s, sym.name);
	if (x->opts.function_offset)
		str_addf(s, "+0x%" PRIx64 " ", addr - sym.addr);
}

void function_text(const struct kt_text *x, const struct kt_record *rec, const struct mark *m,
		   struct kt_out *out)
{
	struct kt_symbols *syms = x->sources[rec->source].symbols;
	struct str *s = &out->text;
	size_t spaces = m->indent * INDENT;
	uint64_t ip, parent;
	char *p;

	if (!slot_get(&m->ev->slot[SLOT_FUNCTION_IP], rec, &ip)) {
		str_addc(s, '!');
		return;
	}
	p = str_room(s, spaces);
	if (!p)
		return;
	memset(p, ' ', spaces);
	s->len += spaces;
	add_name(x, syms, ip, s);
	if (x->opts.function_parent && slot_get(&m->ev->slot[SLOT_FUNCTION_PARENT], rec, &parent)) {
		str_addn(s, " <-- ", 5);
		add_name(x, syms, parent, s);
	}
}
