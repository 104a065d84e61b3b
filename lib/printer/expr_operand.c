/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* expr_operand.c - constants, fields, casts and elements of arrays */
#include "printer/expr.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- strings ---- */

static char unescaped(const char **p, const char *end)
{
	static const char from[] = "ntr0", to[] = "\n\t\r";
	const char *which;

	if (**p != '\\' || *p + 1 == end)
		return *(*p)++;
	which = strchr(from, (*p)[1]);
	*p += 2;
	return which ? to[which - from] : (*p)[-1];
}

bool expr_string(struct expr_parser *x, const char **str, uint32_t *len)
{
	char *to = x->strings;

	if (x->lex.token != T_STRING)
		return expr_fail(x, "expected a string");
	*str = to;
	while (x->lex.token == T_STRING) {
		const char *p = x->lex.start + 1, *end = x->lex.start + x->lex.len - 1;

		while (p < end)
			*to++ = unescaped(&p, end);
		lex_next(&x->lex);
	}
	*len = to - *str;
	*to++ = '\0';
	x->strings = to;
	return true;
}

static const char *skip_space(const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	return p;
}

/*
 * A print format contains its string as compiled: quotes in it have no backslash, unless
 * the kernel has added one, as for probes and system calls. The string ends at a quote that a
 * comma follows. Formats of ftrace's own events are C source with consecutive string constants.
 * NULL: no end
 */
static const char *copy_format(char **to, const char *p, const char *end)
{
	const char *q;

	for (; p < end; p++) {
		if (*p == '\\' && p + 1 < end && p[1] == '"') {
			*(*to)++ = *p++;
		} else if (*p == '"') {
			q = skip_space(p + 1, end);
			if (q == end || *q == ',')
				return q;
			if (*q == '"') {
				p = q;
				continue;
			}
		}
		*(*to)++ = *p;
	}
	return NULL;
}

const char *expr_start(struct expr_parser *x)
{
	const char *p = skip_space(x->lex.p, x->lex.end), *format = x->strings;

	p = p < x->lex.end && *p == '"' ? copy_format(&x->strings, p + 1, x->lex.end) : NULL;
	if (!p) {
		compile_fail(x->p, "expected a string");
		return NULL;
	}
	*x->strings++ = '\0';
	x->lex.p = p;
	lex_next(&x->lex);
	return format;
}

/* ---- constants ---- */

static bool add_constant(struct expr_parser *x, struct value *v, uint64_t value, struct ctype type)
{
	*v = (struct value){ .kind = VALUE_NUMBER, .type = type };
	return expr_add(x, v, (struct node){ .kind = NODE_CONST, .value = value });
}

/* The first type that can hold it: decimal constants without "u" are signed. */
static struct ctype constant_type(const struct expr_parser *x, uint64_t value, bool decimal,
				  bool is_unsigned, int nr_long)
{
	int size = 4;

	if (nr_long)
		size = nr_long > 1 ? 8 : x->evs->long_size;
	for (;; size = 8) {
		unsigned int bits = 8 * size;

		if (!is_unsigned && value >> (bits - 1) == 0)
			return (struct ctype){ .size = size, .is_signed = true };
		if ((is_unsigned || !decimal) && (bits == 64 || value >> bits == 0))
			return (struct ctype){ .size = size };
		if (size == 8)
			return (struct ctype){ .size = 8 };
	}
}

static bool number(struct expr_parser *x, struct value *v)
{
	bool decimal = *x->lex.start != '0', is_unsigned = false;
	char text[32], *end;
	int nr_long = 0;
	uint64_t value;

	if (*x->lex.start == '\'') {
		value = (signed char)x->lex.start[1];
		lex_next(&x->lex);
		return add_constant(x, v, value, (struct ctype){ .size = 4, .is_signed = true });
	}
	if (x->lex.len >= sizeof(text))
		return expr_fail(x, "a constant that is too long");
	memcpy(text, x->lex.start, x->lex.len);
	text[x->lex.len] = '\0';
	value = strtoull(text, &end, 0);
	for (; *end; end++) {
		if (*end == 'u' || *end == 'U')
			is_unsigned = true;
		else if (*end == 'l' || *end == 'L')
			nr_long++;
		else
			return expr_fail(x, "a constant that is not a number");
	}
	lex_next(&x->lex);
	return add_constant(x, v, value, constant_type(x, value, decimal, is_unsigned, nr_long));
}

/* ---- fields ---- */

const struct kt_field *expr_field(struct expr_parser *x)
{
	const struct kt_field *f;
	struct lexer before = x->lex;
	const char *in = "";
	char name[64];

	/* The kernel calls a record's header "ent"; its format file has fields common_*. */
	if (lex_accept(&x->lex, "ent") && lex_accept(&x->lex, "."))
		in = "common_";
	else
		x->lex = before;
	if (x->lex.token != T_NAME || x->lex.len + strlen(in) >= sizeof(name)) {
		expr_fail(x, "expected a name");
		return NULL;
	}
	snprintf(name, sizeof(name), "%s%.*s", in, (int)x->lex.len, x->lex.start);
	f = kt_event_field(&x->ev->pub, name);
	if (!f)
		expr_fail(x, "an unknown field");
	else
		lex_next(&x->lex);
	return f;
}

static bool is_number_size(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static bool field_value(struct expr_parser *x, struct value *v, const struct kt_field *f)
{
	struct node node = { .kind = NODE_TEXT_FIELD, .offset = f->offset, .size = f->size };
	bool is_signed = f->flags & KT_FIELD_SIGNED;

	*v = (struct value){ .kind = VALUE_BYTES, .type = { f->elem_size, is_signed, false } };
	if (f->flags & KT_FIELD_ARRAY || !is_number_size(f->size))
		return expr_add(x, v, node);
	v->kind = VALUE_NUMBER;
	v->type.size = node.width = f->size;
	v->type.is_bool = strcmp(f->type, "bool") == 0;
	v->is_pointer = f->flags & KT_FIELD_POINTER;
	node.is_signed = is_signed;
	if ((int)f->size == x->evs->long_size)
		node.kind = NODE_ADDR_FIELD;
	return expr_add(x, v, node);
}

bool expr_element(struct expr_parser *x, struct value *v, uint16_t index)
{
	const struct node array = x->p->nodes[v->node];
	struct node node = { .offset = array.offset, .relative = array.relative, .a = index,
			     .size = v->type.size, .value = v->type.size };

	if (v->kind == VALUE_BYTES && array.kind == NODE_TEXT_FIELD) {
		node.kind = NODE_INDEX_FIELD;
		node.value = array.size;
	} else if (array.kind == NODE_DYNAMIC || array.kind == NODE_STRING) {
		node.kind = NODE_INDEX_DYNAMIC;
	} else {
		return expr_fail(x, "an index into something other than an array");
	}
	if (!is_number_size(v->type.size))
		return expr_fail(x, "an element of unknown size");
	v->kind = VALUE_NUMBER;
	v->is_pointer = false;
	node.width = v->type.size;
	node.is_signed = v->type.is_signed;
	return expr_add(x, v, node);
}

/* ---- casts ---- */

struct type_name {
	const char *start;
	size_t len;			/* of its words */
	int words, stars;
};

/* "unsigned int *)" */
static bool type_name(struct expr_parser *x, struct type_name *t)
{
	*t = (struct type_name){ .start = x->lex.start };
	for (; x->lex.token == T_NAME && t->words < 8; t->words++) {
		t->len = x->lex.start + x->lex.len - t->start;
		lex_next(&x->lex);
	}
	for (; lex_is(&x->lex, "*") && t->stars < 4; t->stars++)
		lex_next(&x->lex);
	return t->words && lex_accept(&x->lex, ")");
}

/* After an unknown name in parentheses: does an operand follow? Then the name is a type. */
static bool begins_operand(const struct lexer *lx)
{
	return lx->token == T_NAME || lx->token == T_NUMBER || lx->token == T_STRING ||
	       lex_is(lx, "(") || lex_is(lx, "~") || lex_is(lx, "!");
}

/* A cast to a pointer sets the type of the elements; bytes stay bytes, addresses stay addresses. */
static bool to_pointer(struct expr_parser *x, struct value *v, struct ctype to, int stars)
{
	if (v->kind == VALUE_NUMBER) {
		v->is_pointer = true;
		return expr_convert(x, v, (struct ctype){ .size = x->evs->long_size });
	}
	if (stars > 1)
		to = (struct ctype){ .size = x->evs->long_size };
	v->type = to;
	return true;
}

bool expr_cast(struct expr_parser *x, struct value *v, bool *cast)
{
	struct lexer before = x->lex;
	struct type_name t;
	struct ctype to;
	bool known = false;

	*cast = false;
	if (!lex_accept(&x->lex, "("))
		return true;
	if (x->lex.token == T_NAME && !lex_is(&x->lex, "REC") && type_name(x, &t)) {
		known = ctype_find(t.start, t.len, x->evs->long_size, &to);
		*cast = known || t.words > 1 || t.stars || begins_operand(&x->lex);
	}
	if (!*cast) {
		x->lex = before;
		return true;
	}
	if (!expr_unary(x, v))
		return false;
	if (t.stars)
		return to_pointer(x, v, to, t.stars);
	expr_as_number(x, v);
	v->is_pointer = false;
	return v->node != NO_NODE && expr_convert(x, v, known ? to : v->type);
}

static bool size_of(struct expr_parser *x, struct value *v)
{
	struct lexer before;
	struct type_name t;
	struct value what;
	uint64_t size;

	if (!lex_accept(&x->lex, "("))
		return expr_fail(x, "an unusual sizeof");
	before = x->lex;
	if (!lex_is(&x->lex, "REC") && type_name(x, &t)) {
		size = t.stars ? x->evs->long_size
			       : ctype_size(t.start, t.len, x->evs->long_size);
	} else {
		x->lex = before;
		if (!expr_value(x, &what) || !lex_accept(&x->lex, ")"))
			return expr_fail(x, "an unusual sizeof");
		size = what.kind == VALUE_BYTES ? x->p->nodes[what.node].size : what.type.size;
	}
	if (!size)
		return expr_fail(x, "the size of an unknown type");
	return add_constant(x, v, size, (struct ctype){ .size = x->evs->long_size });
}

/* ---- "({ int x = …; int y = …; x < y ? x : y; })", from min() and max() ---- */

static const struct local *find_local(const struct expr_parser *x)
{
	size_t i;

	for (i = 0; i < x->nr_locals; i++)
		if (x->locals[i].len == x->lex.len &&
		    memcmp(x->locals[i].name, x->lex.start, x->lex.len) == 0)
			return &x->locals[i];
	return NULL;
}

static bool declaration(struct expr_parser *x)
{
	const char *type = x->lex.start;
	struct ctype to;
	struct local l;

	if (x->nr_locals == sizeof(x->locals) / sizeof(x->locals[0]))
		return expr_fail(x, "too many variables");
	for (; x->lex.token == T_NAME; lex_next(&x->lex)) {
		l.name = x->lex.start;
		l.len = x->lex.len;
	}
	if (!ctype_find(type, l.name - type, x->evs->long_size, &to) || !lex_accept(&x->lex, "="))
		return expr_fail(x, "a statement without a number as value");
	if (!expr_number(x, &l.v) || !expr_convert(x, &l.v, to) || !lex_accept(&x->lex, ";"))
		return expr_fail(x, "unexpected token");
	x->locals[x->nr_locals++] = l;
	return true;
}

static bool statements(struct expr_parser *x, struct value *v)
{
	size_t outside = x->nr_locals;

	while (x->lex.token == T_NAME && !find_local(x))
		if (!declaration(x))
			return false;
	if (!expr_value(x, v) || !lex_accept(&x->lex, ";") || !lex_accept(&x->lex, "}") ||
	    !lex_accept(&x->lex, ")"))
		return expr_fail(x, "unexpected token");
	x->nr_locals = outside;
	return true;
}

/* ---- all of them ---- */

static bool named_constant(struct expr_parser *x, struct value *v)
{
	int64_t value;

	if (!expr_name_value(x->lex.start, x->lex.len, &value)) {
		x->unknown = true;
		value = 0;
	}
	lex_next(&x->lex);
	return add_constant(x, v, value, (struct ctype){ .size = value == (int32_t)value ? 4 : 8,
							 .is_signed = true });
}

static bool of_name(struct expr_parser *x, struct value *v)
{
	const struct local *l = find_local(x);
	const struct kt_field *f;
	bool known;

	if (l) {
		*v = l->v;
		lex_next(&x->lex);
		return true;
	}
	if (lex_accept(&x->lex, "REC")) {
		if (!lex_accept(&x->lex, "->"))
			return expr_fail(x, "REC alone");
		f = expr_field(x);
		return f && field_value(x, v, f);
	}
	if (lex_accept(&x->lex, "sizeof"))
		return size_of(x, v);
	if (!expr_helper(x, v, &known))
		return false;
	return known || named_constant(x, v);
}

static bool in_parentheses(struct expr_parser *x, struct value *v)
{
	struct lexer before = x->lex;
	const struct kt_field *f;

	if (lex_accept(&x->lex, "REC") && lex_accept(&x->lex, ")")) {	/* (REC)->field */
		if (!lex_accept(&x->lex, "->"))
			return expr_fail(x, "REC alone");
		f = expr_field(x);
		return f && field_value(x, v, f);
	}
	x->lex = before;
	if (lex_accept(&x->lex, "{"))
		return statements(x, v);
	return expr_value(x, v) &&
	       (lex_accept(&x->lex, ")") || expr_fail(x, "unexpected token"));
}

bool expr_primary(struct expr_parser *x, struct value *v)
{
	struct node node = { .kind = NODE_CONST };

	if (lex_accept(&x->lex, "("))
		return in_parentheses(x, v);
	if (x->lex.token == T_NUMBER)
		return number(x, v);
	if (x->lex.token == T_NAME)
		return of_name(x, v);
	if (x->lex.token != T_STRING)
		return expr_fail(x, "expected a value");
	*v = (struct value){ .kind = VALUE_TEXT, .type = { .size = 1, .is_signed = true } };
	return expr_string(x, &node.str, &node.str_len) && expr_add(x, v, node);
}
