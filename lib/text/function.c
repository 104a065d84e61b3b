/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* function.c - print functions and stacks: names, and further details on request */
#include <inttypes.h>
#include <string.h>

#include "base/btf.h"
#include "builtin/builtin.h"
#include "symbols/symbols.h"
#include "text/text.h"

static void add_name(const struct kt_text *x, struct kt_symbols *syms, uint64_t addr,
		     struct str *s)
{
	struct kt_symbol sym;

	if (symbols_put_nameless(syms, addr, true, s))
		return;
	if (!kt_symbols_find(syms, addr, &sym)) {
		str_addf(s, "0x%" PRIx64, addr);
		return;
	}
	str_add(s, sym.name);
	if (x->opts.function_offset)
		str_addf(s, "+0x%" PRIx64 " ", addr - sym.addr);
}

static void add_parent(const struct kt_text *x, const struct kt_record *rec,
		       const struct mark *m, struct str *s)
{
	uint64_t parent;

	if (!slot_get(&m->ev->slot[SLOT_FUNCTION_PARENT], rec, &parent))
		return;
	str_addn(s, " <-- ", 5);
	add_name(x, x->sources[rec->source].symbols, parent, s);
}

static void add_function(const struct kt_text *x, const struct kt_record *rec,
			 const struct mark *m, struct str *s)
{
	uint64_t ip;

	if (slot_get(&m->ev->slot[SLOT_FUNCTION_IP], rec, &ip))
		add_name(x, x->sources[rec->source].symbols, ip, s);
	else
		str_addc(s, '!');
}

#define ARGS_MAX 16		/* argument registers; no kernel has more than 8 */

/* Prints all registers that can hold arguments: only the kernel's BTF tells which do. */
void function_args(const struct kt_text *x, const char *func, const struct text_event *te,
		   const struct kt_record *rec, struct str *s)
{
	uint64_t values[ARGS_MAX];
	size_t nr = 0, i;

	while (te->args && nr < ARGS_MAX &&
	       kt_field_elem(te->ev, te->args, rec, nr, &values[nr]) == 0)
		nr++;
	if (nr && func && te->btf &&
	    (x->opts.layout == KT_LAYOUT_KERNEL ?
	     btf_add_args_of_trace(te->btf, func, values, nr,
				   te->ev->events->version >= LINUX(6, 18), s) :
	     btf_add_args(te->btf, func, values, nr, s)))
		return;
	for (i = 0; i < nr; i++)
		str_addf(s, i ? ", 0x%" PRIx64 : "0x%" PRIx64, values[i]);
}

/* For the function tracer */
static void add_args(const struct kt_text *x, const struct kt_record *rec, const struct mark *m,
		     struct str *s)
{
	struct kt_symbol sym = { .name = NULL };
	uint64_t ip;

	if (slot_get(&m->ev->slot[SLOT_FUNCTION_IP], rec, &ip))
		kt_symbols_find(x->sources[rec->source].symbols, ip, &sym);
	str_addc(s, '(');
	function_args(x, sym.name, m->ev, rec, s);
	str_addc(s, ')');
}

/* "vfs_read <-ksys_read", with offsets in both on request. Source: Linux 7.2, trace_output.c */
static void kernel_text(const struct kt_text *x, const struct kt_record *rec,
			const struct mark *m, struct kt_out *out)
{
	struct kt_symbols *syms = x->sources[rec->source].symbols;
	uint64_t addr;

	if (slot_get(&m->ev->slot[SLOT_FUNCTION_IP], rec, &addr))
		builtin_put_ip(syms, addr, x->opts.function_offset, out);
	if (function_has_args(x, rec, m->ev))
		add_args(x, rec, m, &out->text);
	if (!slot_get(&m->ev->slot[SLOT_FUNCTION_PARENT], rec, &addr))
		return;
	str_addn(&out->text, " <-", 3);
	builtin_put_ip(syms, addr, x->opts.function_offset, out);
}

void function_text(const struct kt_text *x, const struct kt_record *rec, const struct mark *m,
		   struct kt_out *out)
{
	struct str *s = &out->text;
	size_t spaces = m->indent * FUNCTION_INDENT;
	char *p;

	if (x->opts.layout == KT_LAYOUT_KERNEL) {
		kernel_text(x, rec, m, out);
		return;
	}
	p = str_room(s, spaces);
	if (!p)
		return;
	memset(p, ' ', spaces);
	s->len += spaces;
	if (m->flags & MARK_NAME)
		str_addn(s, m->name, m->name_len);
	else
		add_function(x, rec, m, s);
	if (function_has_args(x, rec, m->ev))
		add_args(x, rec, m, s);
	if (x->opts.function_parent)
		add_parent(x, rec, m, s);
}

static void add_caller(struct kt_symbols *syms, uint64_t addr, struct str *s)
{
	struct str where = STR_INIT;
	struct kt_symbol sym;

	if (symbols_put_nameless(syms, addr, false, &where))
		str_addf(s, "=> %s  (%08" PRIx64 ")\n", where.buf, addr);
	else if (kt_symbols_find(syms, addr, &sym))
		str_addf(s, "=> %s+0x%" PRIx64 "  (%08" PRIx64 ")\n", sym.name,
			 addr - sym.addr, addr);
	else
		str_addf(s, "=> %08" PRIx64 "\n", addr);
	str_fini(&where);
}

/*
 * Only with offsets: otherwise the text of the event is used. The field is
 * declared as eight addresses, but the record holds the actual number; all
 * ones end a shorter list.
 */
bool stack_text(const struct kt_text *x, const struct kt_record *rec, const struct mark *m,
		struct kt_out *out)
{
	const struct text_source *src = &x->sources[rec->source];
	const struct kt_field *f = kt_event_field(m->ev->ev, "caller");
	struct text_slot slot;
	uint64_t addr;

	if (!f || strcmp(m->ev->ev->name, "kernel_stack") != 0 || f->offset > UINT16_MAX)
		return false;
	slot = m->ev->pid;	/* for its byte order */
	slot.size = f->elem_size == 4 ? 4 : 8;
	slot.is_signed = false;
	str_add(&out->text, "<stack trace >\n");
	for (slot.offset = f->offset; slot_get(&slot, rec, &addr); slot.offset += slot.size) {
		if (addr == (slot.size == 4 ? UINT32_MAX : UINT64_MAX))
			break;
		add_caller(src->symbols, addr, &out->text);
		if (slot.offset > UINT16_MAX - slot.size)
			break;
	}
	return true;
}
