/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* expr_helper.c - the kernel's helpers for print formats: __print_flags(), __get_str() … */
#include "printer/expr.h"
#include "printer/kernel_format.h"

#include <string.h>

static bool expect(struct expr_parser *x, const char *text)
{
	return lex_accept(&x->lex, text) || expr_fail(x, "unexpected token");
}

/* ---- names of numbers ---- */

/* The value of an entry. @known is false if it uses a name that only kernel source defines. */
static bool entry_value(struct expr_parser *x, uint64_t *value, bool *known)
{
	bool unknown = x->unknown;
	struct value v;

	x->unknown = false;
	if (!expr_number(x, &v) ||
	    !expr_convert(x, &v, (struct ctype){ .size = x->evs->long_size }))
		return false;
	*known = !x->unknown;
	x->unknown = unknown;
	return expr_constant(x, &v, value) ||
	       expr_fail(x, "a table with a value that is not constant");
}

/* "{ value, "text" }". Without a text, @end is set: the kernel stops reading its table here. */
static bool entry(struct expr_parser *x, struct entry *e, bool *known, bool *end)
{
	struct value text;

	*end = false;
	if (!expect(x, "{") || !entry_value(x, &e->value, known) || !expect(x, ","))
		return false;
	if (x->lex.token == T_STRING)
		return expr_string(x, &e->str, &e->len) && expect(x, "}");
	*end = true;
	return expr_value(x, &text) && expect(x, "}");
}

static bool table(struct expr_parser *x, struct node *node)
{
	bool known, end, ended = false;
	struct entry e = { 0 };

	node->table = x->p->nr_entries;
	node->counted = true;
	do {
		if (!entry(x, &e, &known, &end))
			return false;
		ended |= end;
		if (ended || !known)
			continue;
		node->counted &= e.value == x->p->nr_entries - node->table;
		if (!program_add_entry(x->p, e))
			return expr_fail(x, "no memory");
	} while (lex_accept(&x->lex, ","));
	node->nr_entries = x->p->nr_entries - node->table;
	return true;
}

static bool number_of_names(struct expr_parser *x, struct value *v, uint8_t size)
{
	return expr_number(x, v) && expr_convert(x, v, (struct ctype){ .size = size });
}

static bool names(struct expr_parser *x, struct value *v, uint8_t kind, uint8_t size)
{
	struct node node = { .kind = kind, .str = "" };
	struct value none;

	if (!number_of_names(x, v, size))
		return false;
	node.a = v->node;
	v->kind = VALUE_TEXT;
	if (lex_is(&x->lex, ")"))		/* the table is empty in this kernel */
		return expr_add(x, v, node);
	if (!expect(x, ","))
		return false;
	if (kind == NODE_FLAGS) {
		if (!(x->lex.token == T_STRING ? expr_string(x, &node.str, &node.str_len)
					       : expr_value(x, &none)) || !expect(x, ","))
			return false;
	}
	return table(x, &node) && expr_add(x, v, node);
}

static bool flags(struct expr_parser *x, struct value *v, int arg)
{
	return names(x, v, NODE_FLAGS, arg ? arg : x->evs->long_size);
}

static bool symbolic(struct expr_parser *x, struct value *v, int arg)
{
	return names(x, v, NODE_SYMBOL, arg ? arg : x->evs->long_size);
}

/* ---- fields of variable length ---- */

/* The bytes of a field, by its name, with an index if it is a probe's array of strings */
static bool dynamic(struct expr_parser *x, struct value *v, int kind)
{
	const struct kt_field *f = expr_field(x);
	struct node node = { .kind = kind };
	struct value index;
	uint64_t which = 0;

	if (!f)
		return false;
	if (!(f->flags & KT_FIELD_DYNAMIC) || f->size < 4)
		return expr_fail(x, "a dynamic field that is not a __data_loc");
	if (lex_accept(&x->lex, "[")) {
		if (!expr_number(x, &index) || !expect(x, "]"))
			return false;
		if (!expr_constant(x, &index, &which) || which >= f->size / 4)
			return expr_fail(x, "an element that the field does not have");
	}
	node.offset = f->offset + 4 * which;
	node.size = which ? 4 : f->size;
	node.relative = f->flags & KT_FIELD_RELATIVE;
	*v = (struct value){ .kind = VALUE_BYTES,
			     .type = { f->elem_size, f->flags & KT_FIELD_SIGNED, false } };
	if (kind == NODE_STRING || kind == NODE_BITMASK || kind == NODE_CPUMASK ||
	    kind == NODE_STACK)
		v->kind = VALUE_TEXT;
	if (kind == NODE_DYNAMIC_LEN) {
		v->kind = VALUE_NUMBER;
		v->type = (struct ctype){ .size = 4, .is_signed = true };
	}
	return expr_add(x, v, node);
}

/* ---- arrays as text ---- */

static bool bytes(struct expr_parser *x, struct value *v)
{
	if (!expr_value(x, v))
		return false;
	return v->kind == VALUE_BYTES || x->p->nodes[v->node].kind == NODE_STRING ||
	       expr_fail(x, "bytes of something other than a field");
}

static bool hex(struct expr_parser *x, struct value *v, int kind)
{
	struct value size;

	if (!bytes(x, v) || !expect(x, ",") || !expr_number(x, &size))
		return false;
	v->kind = VALUE_TEXT;
	return expr_add(x, v, (struct node){ .kind = kind, .a = v->node, .b = size.node });
}

static bool array(struct expr_parser *x, struct value *v, int kind)
{
	struct value count, size;

	if (!bytes(x, v) || !expect(x, ",") || !expr_number(x, &count) || !expect(x, ",") ||
	    !expr_number(x, &size))
		return false;
	v->kind = VALUE_TEXT;
	return expr_add(x, v, (struct node){ .kind = kind, .a = v->node, .b = count.node,
					     .c = size.node });
}

/* Name of a dynamic field, and the number of bytes that could have been copied */
static bool bytes_copied(struct expr_parser *x, struct value *v, int kind)
{
	struct value size;

	if (!dynamic(x, v, NODE_DYNAMIC) || !expect(x, ",") || !expr_number(x, &size))
		return false;
	v->kind = VALUE_TEXT;
	return expr_add(x, v, (struct node){ .kind = kind, .a = v->node, .b = size.node });
}

/* __print_dynamic_array(name, size of an element) */
static bool dynamic_array(struct expr_parser *x, struct value *v, int kind)
{
	struct value count, size;

	if (!dynamic(x, v, NODE_DYNAMIC) || !expect(x, ",") || !expr_number(x, &size))
		return false;
	count = *v;
	count.node = program_add_node(x->p, x->p->nodes[v->node]);
	if (count.node == NO_NODE)
		return false;
	x->p->nodes[count.node].kind = NODE_DYNAMIC_LEN;
	v->kind = VALUE_TEXT;
	return expr_add(x, &count,
			(struct node){ .kind = NODE_DIV, .a = count.node, .b = size.node }) &&
	       expr_add(x, v, (struct node){ .kind = kind, .a = v->node, .b = count.node,
					     .c = size.node });
}

/* ---- numbers ---- */

static bool same(struct expr_parser *x, struct value *v, int arg)
{
	(void)arg;
	return expr_number(x, v);
}

/* __builtin_expect(value, expected value) */
static bool expected(struct expr_parser *x, struct value *v, int arg)
{
	struct value probably;

	(void)arg;
	return expr_number(x, v) && expect(x, ",") && expr_number(x, &probably);
}

static bool swapped(struct expr_parser *x, struct value *v, int size)
{
	return number_of_names(x, v, size) &&
	       expr_add(x, v, (struct node){ .kind = NODE_SWAP, .a = v->node, .size = size });
}

static bool of_seconds(struct expr_parser *x, struct value *v, int kind)
{
	uint16_t second = program_add_node(x->p, (struct node){ .kind = NODE_CONST,
								.value = 1000000000 });

	return second != NO_NODE && number_of_names(x, v, 8) &&
	       expr_add(x, v, (struct node){ .kind = kind, .a = v->node, .b = second });
}

static bool pointed(struct expr_parser *x, struct value *v, int size)
{
	uint16_t zero = program_add_node(x->p, (struct node){ .kind = NODE_CONST });

	if (zero == NO_NODE || !bytes(x, v))
		return false;
	v->type = (struct ctype){ .size = size };
	return expr_element(x, v, zero);
}

/* ---- all of them ---- */

static const struct helper {
	const char *name;
	bool (*parse)(struct expr_parser *x, struct value *v, int arg);
	int arg;
} helpers[] = {
	{ "__get_str", dynamic, NODE_STRING }, { "__get_rel_str", dynamic, NODE_STRING },
	{ "__print_symbolic", symbolic, 0 }, { "__print_symbolic_u64", symbolic, 8 },
	{ "__print_flags", flags, 0 }, { "__print_flags_u64", flags, 8 },
	{ "__get_dynamic_array", dynamic, NODE_DYNAMIC },
	{ "__get_rel_dynamic_array", dynamic, NODE_DYNAMIC },
	{ "__get_dynamic_array_len", dynamic, NODE_DYNAMIC_LEN },
	{ "__get_rel_dynamic_array_len", dynamic, NODE_DYNAMIC_LEN },
	{ "__get_sockaddr", dynamic, NODE_DYNAMIC },
	{ "__get_rel_sockaddr", dynamic, NODE_DYNAMIC },
	{ "__get_sockaddr_rel", dynamic, NODE_DYNAMIC },
	{ "__get_bitmask", dynamic, NODE_BITMASK }, { "__get_rel_bitmask", dynamic, NODE_BITMASK },
	{ "__get_cpumask", dynamic, NODE_CPUMASK }, { "__get_rel_cpumask", dynamic, NODE_CPUMASK },
	{ "__get_stacktrace", dynamic, NODE_STACK },
	{ "__print_hex", hex, NODE_HEX }, { "__print_hex_str", hex, NODE_HEX_STR },
	{ "__print_array", array, NODE_INT_ARRAY },
	{ "__print_dynamic_array", dynamic_array, NODE_INT_ARRAY },
	{ KERNEL_BYTES_COPIED, bytes_copied, NODE_BYTES_COPIED },
	{ "__print_ns_to_secs", of_seconds, NODE_DIV },
	{ "__print_ns_without_secs", of_seconds, NODE_MOD },
	{ "__builtin_expect", expected, 0 },
	{ "__builtin_bswap16", swapped, 2 }, { "__builtin_bswap32", swapped, 4 },
	{ "__builtin_bswap64", swapped, 8 }, { "__le16_to_cpup", pointed, 2 },
	/* wraps a number in a struct, and unwraps it */
	{ "native_make_pte", same, 0 }, { "pte_val", same, 0 }, { "native_make_pmd", same, 0 },
	{ "pmd_val", same, 0 }, { "native_make_pud", same, 0 }, { "pud_val", same, 0 },
	{ "native_make_pgd", same, 0 }, { "pgd_val", same, 0 }, { "native_make_p4d", same, 0 },
	{ "p4d_val", same, 0 },
};

/* A private function of a module, which only a libtraceevent plugin may know: prints "?" */
static bool call(struct expr_parser *x, struct value *v)
{
	int depth = 0;

	do {
		depth += lex_is(&x->lex, "(");
		depth -= lex_is(&x->lex, ")");
		lex_next(&x->lex);
	} while (depth && x->lex.token != T_END);
	if (depth)
		return expr_fail(x, "unexpected token");
	x->p->calls = x->unknown = true;
	*v = (struct value){ .kind = VALUE_NUMBER, .type = { .size = 8 } };
	return expr_add(x, v, (struct node){ .kind = NODE_NOTHING });
}

bool expr_helper(struct expr_parser *x, struct value *v, bool *known)
{
	struct lexer before = x->lex;
	size_t i;

	*known = true;
	for (i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++)
		if (lex_accept(&x->lex, helpers[i].name))
			return expect(x, "(") && helpers[i].parse(x, v, helpers[i].arg) &&
			       expect(x, ")");
	lex_next(&x->lex);
	if (lex_is(&x->lex, "("))
		return call(x, v);
	x->lex = before;
	*known = false;
	return true;
}
