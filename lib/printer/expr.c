/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* expr.c - C operators, with their precedence, widths and signs */
#include "printer/expr.h"

#include <string.h>

#define MAX_DEPTH 120			/* kernels: 25 */

bool expr_fail(struct expr_parser *x, const char *why)
{
	compile_fail(x->p, x->lex.wrong ? x->lex.wrong : why);
	return false;
}

static bool expect(struct expr_parser *x, const char *text)
{
	return lex_accept(&x->lex, text) || expr_fail(x, "unexpected token");
}

bool expr_constant(const struct expr_parser *x, const struct value *v, uint64_t *to)
{
	const struct node *n = &x->p->nodes[v->node];

	*to = n->value;
	return v->kind == VALUE_NUMBER && n->kind == NODE_CONST;
}

static bool is_constant(const struct program *p, uint16_t node)
{
	return p->nodes[node].kind == NODE_CONST && !p->nodes[node].str;
}

/* Is this an operator whose operands are all constants? */
static bool can_fold(const struct program *p, const struct node *n)
{
	switch (n->kind) {
	case NODE_CAST: case NODE_NOT: case NODE_INVERT: case NODE_SWAP:
		return is_constant(p, n->a);
	case NODE_COND:
		return is_constant(p, n->a) && is_constant(p, n->b) && is_constant(p, n->c);
	}
	return n->kind >= NODE_ADD && is_constant(p, n->a) && is_constant(p, n->b);
}

bool expr_add(struct expr_parser *x, struct value *v, struct node node)
{
	const struct input nothing = { .p = x->p, .evs = x->evs };

	v->node = program_add_node(x->p, node);
	if (v->node != NO_NODE && can_fold(x->p, &node))
		x->p->nodes[v->node] = (struct node){ .kind = NODE_CONST,
						      .value = program_number(&nothing, v->node) };
	return v->node != NO_NODE;
}

/* Numbers have 64 bits, extended according to their type: often no conversion is needed. */
bool expr_convert(struct expr_parser *x, struct value *v, struct ctype type)
{
	struct ctype from = v->type;

	v->type = type;
	if (type.is_bool)
		return from.is_bool ||
		       expr_add(x, v, (struct node){
				.kind = NODE_NE, .a = v->node,
				.b = program_add_node(x->p, (struct node){ .kind = NODE_CONST }) });
	if (!type.size || type.size == 8 || (type.size > from.size && !from.is_signed) ||
	    (type.size >= from.size && type.is_signed == from.is_signed))
		return true;
	return expr_add(x, v, (struct node){ .kind = NODE_CAST, .a = v->node, .width = type.size,
					     .is_signed = type.is_signed });
}

void expr_as_number(struct expr_parser *x, struct value *v)
{
	struct node node = x->p->nodes[v->node];

	if (v->kind == VALUE_NUMBER)
		return;
	if (node.kind == NODE_STRING || node.kind == NODE_DYNAMIC)
		node.kind = NODE_DYNAMIC;
	else
		node = (struct node){ .kind = NODE_CONST, .value = 1 };	/* any address */
	v->kind = VALUE_NUMBER;
	v->type = (struct ctype){ .size = 8 };
	v->is_pointer = true;
	expr_add(x, v, node);
}

void expr_as_text(struct expr_parser *x, struct value *v)
{
	struct node node = x->p->nodes[v->node];

	if (node.kind != NODE_DYNAMIC)
		return;
	node.kind = NODE_STRING;
	expr_add(x, v, node);
}

bool expr_number(struct expr_parser *x, struct value *v)
{
	if (!expr_value(x, v))
		return false;
	expr_as_number(x, v);
	return v->node != NO_NODE;
}

/* ---- one operand ---- */

static bool negated(struct expr_parser *x, struct value *v)
{
	uint16_t zero = program_add_node(x->p, (struct node){ .kind = NODE_CONST });

	return zero != NO_NODE && expr_convert(x, v, ctype_promoted(v->type)) &&
	       expr_add(x, v, (struct node){ .kind = NODE_SUB, .a = zero, .b = v->node,
					     .width = v->type.size,
					     .is_signed = v->type.is_signed });
}

static bool inverted(struct expr_parser *x, struct value *v)
{
	return expr_convert(x, v, ctype_promoted(v->type)) &&
	       expr_add(x, v, (struct node){ .kind = NODE_INVERT, .a = v->node,
					     .width = v->type.size,
					     .is_signed = v->type.is_signed });
}

/* A prefix operator: its letter, or 0 */
static char prefix(struct expr_parser *x)
{
	static const char *const all[] = { "!", "~", "-", "+", "*", "&" };
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (lex_accept(&x->lex, all[i]))
			return *all[i];
	return '\0';
}

/* Turns an element with a constant index into the bytes from there to the end of its array */
static bool is_element(const struct program *p, struct node *n)
{
	uint64_t at;

	if (n->kind != NODE_INDEX_FIELD || !is_constant(p, n->a) ||
	    __builtin_mul_overflow(p->nodes[n->a].value, n->size, &at) || at > UINT16_MAX ||
	    (n->value && at >= n->value))
		return false;
	n->offset += at;
	n->size = n->value ? n->value - at : 0;
	return true;
}

/* "&REC->field" and "&REC->array[0]": the bytes there */
static bool address(struct expr_parser *x, struct value *v)
{
	struct node *n;

	if (!expr_unary(x, v))
		return false;
	n = &x->p->nodes[v->node];
	if (v->kind == VALUE_BYTES)
		return true;
	if (n->kind != NODE_TEXT_FIELD && n->kind != NODE_ADDR_FIELD &&
	    !is_element(x->p, n))
		return expr_fail(x, "the address of something other than a field");
	n->kind = NODE_TEXT_FIELD;
	v->kind = VALUE_BYTES;
	return true;
}

static bool pointed(struct expr_parser *x, struct value *v)
{
	uint16_t zero = program_add_node(x->p, (struct node){ .kind = NODE_CONST });

	return zero != NO_NODE && expr_unary(x, v) && expr_element(x, v, zero);
}

static bool prefixed(struct expr_parser *x, char op, struct value *v)
{
	if (op == '&')
		return address(x, v);
	if (op == '*')
		return pointed(x, v);
	if (!expr_unary(x, v))
		return false;
	expr_as_number(x, v);
	v->is_pointer = false;
	switch (op) {
	case '!':
		v->type = (struct ctype){ .size = 4, .is_signed = true };
		return expr_add(x, v, (struct node){ .kind = NODE_NOT, .a = v->node });
	case '~':
		return inverted(x, v);
	case '-':
		return negated(x, v);
	}
	return expr_convert(x, v, ctype_promoted(v->type));
}

static bool postfixes(struct expr_parser *x, struct value *v)
{
	struct value index;

	while (lex_accept(&x->lex, "["))
		if (!expr_number(x, &index) || !expect(x, "]") || !expr_element(x, v, index.node))
			return false;
	return true;
}

bool expr_unary(struct expr_parser *x, struct value *v)
{
	bool good, cast;
	char op;

	if (++x->depth > MAX_DEPTH)
		return expr_fail(x, "expressions nest too deeply");
	op = prefix(x);
	if (op)
		good = prefixed(x, op, v);
	else
		good = expr_cast(x, v, &cast) && (cast || (expr_primary(x, v) && postfixes(x, v)));
	x->depth--;
	return good;
}

/* ---- two operands ---- */

static const struct operator {
	const char *text;
	uint8_t binds;			/* higher: binds tighter */
	uint8_t kind;
} operators[] = {
	{ "||", 1, NODE_LOR }, { "&&", 2, NODE_LAND }, { "|", 3, NODE_OR }, { "^", 4, NODE_XOR },
	{ "&", 5, NODE_AND }, { "==", 6, NODE_EQ }, { "!=", 6, NODE_NE }, { "<", 7, NODE_LT },
	{ ">", 7, NODE_GT }, { "<=", 7, NODE_LE }, { ">=", 7, NODE_GE }, { "<<", 8, NODE_SHL },
	{ ">>", 8, NODE_SHR }, { "+", 9, NODE_ADD }, { "-", 9, NODE_SUB }, { "*", 10, NODE_MUL },
	{ "/", 10, NODE_DIV }, { "%", 10, NODE_MOD },
};

#define TIGHTEST 10

static const struct operator *operator(const struct expr_parser *x)
{
	size_t i;

	for (i = 0; x->lex.token == T_OPERATOR && i < sizeof(operators) / sizeof(operators[0]); i++)
		if (lex_is(&x->lex, operators[i].text))
			return &operators[i];
	return NULL;
}

static bool join(struct expr_parser *x, uint8_t kind, struct value *v, struct value *right)
{
	const struct ctype int_type = { .size = 4, .is_signed = true };
	bool logic = kind == NODE_LAND || kind == NODE_LOR;
	bool shift = kind == NODE_SHL || kind == NODE_SHR;
	struct node node = { .kind = kind };
	struct ctype type;

	expr_as_number(x, v);
	expr_as_number(x, right);
	type = shift ? ctype_promoted(v->type) : ctype_common(v->type, right->type);
	if (!logic && !expr_convert(x, v, type))
		return false;
	if (!logic && !shift && !expr_convert(x, right, type))
		return false;
	node.a = v->node;
	node.b = right->node;
	node.is_signed = type.is_signed;
	v->type = logic || kind >= NODE_EQ ? int_type : type;
	v->is_pointer = false;
	if (!logic && kind < NODE_EQ)
		node.width = type.size;
	return node.a != NO_NODE && node.b != NO_NODE && expr_add(x, v, node);
}

/* Operators of at least the precedence @binds */
static bool binary(struct expr_parser *x, struct value *v, int binds)
{
	const struct operator *op;
	struct value right;

	if (binds > TIGHTEST)
		return expr_unary(x, v);
	if (++x->depth > MAX_DEPTH)
		return expr_fail(x, "expressions nest too deeply");
	if (!expr_unary(x, v))
		return false;
	while ((op = operator(x)) && op->binds >= binds) {
		lex_next(&x->lex);
		if (!binary(x, &right, op->binds + 1) || !join(x, op->kind, v, &right))
			return false;
	}
	x->depth--;
	return true;
}

/* ---- a ? b : c ---- */

static bool choose(struct expr_parser *x, struct value *v, struct value *yes, struct value *no)
{
	struct node node = { .kind = NODE_COND, .a = v->node };
	uint64_t which;

	if (yes->kind != VALUE_NUMBER || no->kind != VALUE_NUMBER) {
		if (expr_constant(x, v, &which)) {
			*v = which ? *yes : *no;
			return true;
		}
		expr_as_text(x, yes);
		expr_as_text(x, no);
		v->kind = VALUE_TEXT;
	} else {
		v->type = ctype_common(yes->type, no->type);
		v->is_pointer = yes->is_pointer || no->is_pointer;
		if (!expr_convert(x, yes, v->type) || !expr_convert(x, no, v->type))
			return false;
	}
	node.b = yes->node;
	node.c = no->node;
	return node.b != NO_NODE && node.c != NO_NODE && expr_add(x, v, node);
}

bool expr_value(struct expr_parser *x, struct value *v)
{
	struct value yes, no;

	if (++x->depth > MAX_DEPTH)
		return expr_fail(x, "expressions nest too deeply");
	if (!binary(x, v, 1))
		return false;
	if (lex_accept(&x->lex, "?")) {
		expr_as_number(x, v);
		if (!expr_value(x, &yes) || !expect(x, ":") || !expr_value(x, &no) ||
		    !choose(x, v, &yes, &no))
			return false;
	}
	x->depth--;
	return true;
}

bool expr_next(struct expr_parser *x, struct value *v)
{
	x->depth = 0;
	x->unknown = false;
	x->nr_locals = 0;
	if (x->lex.token == T_END)
		return expr_fail(x, "fewer arguments than conversions");
	if (!expect(x, ",") || !expr_value(x, v))
		return false;
	if (x->lex.wrong)
		return expr_fail(x, x->lex.wrong);
	return lex_is(&x->lex, ",") || x->lex.token == T_END ||
	       expr_fail(x, "unexpected token");
}
