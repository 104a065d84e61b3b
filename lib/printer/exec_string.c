/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* exec_string.c - evaluate a node as a string */
#include "printer/program.h"

#include <string.h>

#include "base/num.h"

void program_put_text(struct kt_out *out, const struct spec *spec, const char *s, size_t len)
{
	size_t pad = 0;
	char *to;

	if (spec->precision >= 0 && len > (size_t)spec->precision)
		len = spec->precision;
	if (spec->width > 0 && (size_t)spec->width > len)
		pad = spec->width - len;
	to = str_room(&out->text, len + pad);
	if (!to)
		return;
	if (pad && !spec->left)
		to = (char *)memset(to, ' ', pad) + pad;
	if (len)
		to = (char *)memcpy(to, s, len) + len;
	if (pad && spec->left)
		memset(to, ' ', pad);
	out->text.len += len + pad;
}

static void put_hex(struct kt_out *out, uint64_t v, bool prefix)
{
	char *start = str_room(&out->text, NUM_MAX), *to = start;

	if (!start)
		return;
	if (prefix) {
		*to++ = '0';
		*to++ = 'x';
	}
	to = num_put_hex(to, v);
	out->text.len += to - start;
}

static void put_symbol(const struct input *in, const struct spec *spec, const struct node *n)
{
	const struct entry *e = in->p->entries + n->table, *end = e + n->nr_entries;
	uint64_t v = program_number(in, n->a);

	for (; e < end; e++)
		if (e->value == v) {
			program_put_text(in->out, spec, e->str, e->len);
			return;
		}
	put_hex(in->out, v, true);
}

char *program_put_symbolic(const struct input *in, const struct step *step, char *to)
{
	const struct node *n = &in->p->nodes[step->node];
	const struct entry *e = in->p->entries + n->table, *end = e + n->nr_entries;
	uint64_t v = n->is_signed ? (uint64_t)word_i64(step->word, in->data, in->swap)
				  : word_u64(step->word, in->data, in->swap);

	if (n->counted)
		e = v < n->nr_entries ? e + v : end;
	for (; e < end; e++)
		if (e->value == v)
			return e->len ? put_bytes(to, e->str, e->len) : to;
	return num_put_hex(put_lit(to, "0x"), v);
}

/* Prints the bits without a name as a number; @any: names were printed before */
static void put_unnamed(const struct input *in, const struct node *n, uint64_t v, bool any)
{
	if (v && any)
		str_addn(&in->out->text, n->str, n->str_len);
	if (v)
		put_hex(in->out, v, true);
}

/* Like the kernel: in the order of the table, until no bits are left */
static void put_flags(const struct input *in, const struct node *n)
{
	const struct entry *e = in->p->entries + n->table, *end = e + n->nr_entries;
	uint64_t v = program_number(in, n->a);
	bool any = false;

	for (; e < end && v; e++) {
		if ((v & e->value) != e->value)
			continue;
		if (any)
			str_addn(&in->out->text, n->str, n->str_len);
		str_addn(&in->out->text, e->str, e->len);
		any = true;
		v &= ~e->value;
	}
	put_unnamed(in, n, v, any);
}

/* The library treats flag values as signed: values with the top bit never match. */
static void put_exact_flags(const struct input *in, const struct spec *spec, const struct node *n)
{
	const struct entry *e = in->p->entries + n->table, *end = e + n->nr_entries;
	uint64_t v = program_number(in, n->a);
	bool any = false;

	for (; e < end; e++) {
		if (!v && (int64_t)e->value < 0) {
			program_put_text(in->out, spec, e->str, e->len);
			break;
		}
		if ((int64_t)e->value <= 0 || (v & e->value) != e->value)
			continue;
		if (any)
			str_addn(&in->out->text, n->str, n->str_len);
		program_put_text(in->out, spec, e->str, e->len);
		any = true;
		v &= ~e->value;
	}
	put_unnamed(in, n, v, any);
}

/* Treats a field of pointer size as an address: prints the text there, if known. */
static void put_pointed(const struct input *in, const struct node *n)
{
	uint64_t addr = load_uint(in->data + n->offset, n->size, in->swap);
	const char *text = in->symbols ? kt_symbols_printk(in->symbols, addr) : NULL;

	if (text)
		str_add(&in->out->text, text);
	else
		put_hex(in->out, addr, false);
}

static void put_words(const struct input *in, const struct spec *spec, struct kt_blob bytes)
{
	program_put_text(in->out, spec, bytes.data,
			 bytes.data ? strnlen(bytes.data, bytes.size) : 0);
}

/*
 * __get_str: prints up to the zero byte, regardless of the stored length. But a length of zero
 * means that nothing was recorded: the bytes there belong to another field.
 */
static void put_dynamic(const struct input *in, const struct spec *spec, const struct node *n)
{
	struct kt_blob bytes = program_bytes(in, n);

	if (n->is_quoted && !bytes.size) {
		str_add(&in->out->text, "(fault)");
		return;
	}
	if (bytes.size || in->evs->opts.exact)
		bytes.size = program_rest(in, bytes.data);
	if (n->is_quoted)
		str_addc(&in->out->text, '"');
	put_words(in, spec, bytes);
	if (n->is_quoted)
		str_addc(&in->out->text, '"');
}

/* Cuts and pads the text since @start. Like in the kernel, all of it is one argument. */
static void fit(struct str *s, size_t start, const struct spec *spec)
{
	size_t len = s->len - start, pad;

	if (spec->precision >= 0 && len > (size_t)spec->precision)
		s->len = start + (len = spec->precision);
	if (spec->width <= 0 || (size_t)spec->width <= len)
		return;
	pad = spec->width - len;
	if (!str_room(s, pad))
		return;
	if (!spec->left)
		memmove(s->buf + start + pad, s->buf + start, len);
	memset(s->buf + start + (spec->left ? len : 0), ' ', pad);
	s->len += pad;
}

static void put_string(const struct input *in, const struct spec *spec, uint16_t node);

void program_put_string(const struct input *in, const struct spec *spec, uint16_t node)
{
	const struct spec none = { .width = -1, .precision = -1 };
	size_t start = in->out->text.len;

	if (in->evs->opts.exact || (spec->width < 0 && spec->precision < 0)) {
		put_string(in, spec, node);
	} else {
		put_string(in, &none, node);
		fit(&in->out->text, start, spec);
	}
}

static void put_string(const struct input *in, const struct spec *spec, uint16_t node)
{
	const struct node *n = &in->p->nodes[node];

	switch (n->kind) {
	case NODE_CONST:
		program_put_text(in->out, spec, n->str, n->str_len);
		break;
	case NODE_TEXT_FIELD:
		put_words(in, spec, program_bytes(in, n));
		break;
	case NODE_ADDR_FIELD:
		put_pointed(in, n);
		break;
	case NODE_FLAGS:
		if (in->evs->opts.exact)
			put_exact_flags(in, spec, n);
		else
			put_flags(in, n);
		break;
	case NODE_SYMBOL:
		put_symbol(in, spec, n);
		break;
	case NODE_STRING:
		put_dynamic(in, spec, n);
		break;
	case NODE_COND:
		put_string(in, spec, program_number(in, n->a) ? n->b : n->c);
		break;
	case NODE_HEX:
	case NODE_HEX_STR:
	case NODE_INT_ARRAY:
	case NODE_BYTES_COPIED:
	case NODE_BITMASK:
	case NODE_CPUMASK:
	case NODE_STACK:
		program_put_array(in, spec, n);
		break;
	}
}
