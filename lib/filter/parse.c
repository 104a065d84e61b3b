/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* parse.c - parse a filter expression into a tree */
#include "filter/filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NESTING 64		/* of parentheses, '!' and '-' */
#define MAX_NODES   20000	/* walks of the tree recurse once for each node of a chain */

struct parser {
	struct filter_expr *e;
	struct filter_token tok;	/* the current token */
	size_t next;			/* start of the token after it */
	int depth;
	struct kt_err *err;
};

/*
 * trace-cmd evaluates "a || b && c" from left to right: && has the same precedence as
 * ||. Scripts rely on the result of their filters, so we do the same.
 */
enum level {
	LEVEL_LOGIC, LEVEL_COMPARE, LEVEL_OR, LEVEL_XOR, LEVEL_AND, LEVEL_SHIFT, LEVEL_SUM,
	LEVEL_PRODUCT, LEVEL_UNARY, NO_LEVEL = -1,
};

static const signed char levels[] = {
	[FILTER_AND] = LEVEL_LOGIC,    [FILTER_OR] = LEVEL_LOGIC,
	[FILTER_NOT] = NO_LEVEL,       [FILTER_TRUTH] = NO_LEVEL,
	[FILTER_EQ] = LEVEL_COMPARE,   [FILTER_NE] = LEVEL_COMPARE,   [FILTER_LT] = LEVEL_COMPARE,
	[FILTER_GT] = LEVEL_COMPARE,   [FILTER_LE] = LEVEL_COMPARE,   [FILTER_GE] = LEVEL_COMPARE,
	[FILTER_LIKE] = LEVEL_COMPARE, [FILTER_UNLIKE] = LEVEL_COMPARE,
	[FILTER_GLOB] = LEVEL_COMPARE,
	[FILTER_BITOR] = LEVEL_OR,     [FILTER_XOR] = LEVEL_XOR,      [FILTER_BITAND] = LEVEL_AND,
	[FILTER_SHL] = LEVEL_SHIFT,    [FILTER_SHR] = LEVEL_SHIFT,
	[FILTER_ADD] = LEVEL_SUM,      [FILTER_SUB] = LEVEL_SUM,
	[FILTER_MUL] = LEVEL_PRODUCT,  [FILTER_DIV] = LEVEL_PRODUCT,  [FILTER_MOD] = LEVEL_PRODUCT,
};

/* AND … GLOB: true or false, not a value */
static bool is_condition(enum filter_op op)
{
	return op <= FILTER_GLOB || op == FILTER_TRUE || op == FILTER_FALSE;
}

void filter_node_free(struct filter_node *n)
{
	struct filter_node *left;

	/* Chains lean to the left: recurse only into the right side */
	for (; n; n = left) {
		left = n->left;
		filter_node_free(n->right);
		if (n->pattern)
			filter_pattern_fini(n->pattern);
		free(n->pattern);
		free(n->text);
		free(n);
	}
}

static int advance(struct parser *p)
{
	return filter_lex(p->e->text, p->next, &p->tok, &p->next, p->err);
}

static struct filter_node *fail(struct parser *p, size_t pos, const char *why)
{
	filter_error(p->err, -EINVAL, p->e->text, pos, "%s", why);
	return NULL;
}

/* Takes @left and @right; frees them on failure. */
static struct filter_node *node(struct parser *p, enum filter_op op, size_t pos,
				struct filter_node *left, struct filter_node *right)
{
	struct filter_node *n = NULL;

	if (p->e->nr_nodes >= MAX_NODES)
		fail(p, pos, "the filter is too long");
	else if (!(n = calloc(1, sizeof(*n))))
		filter_error(p->err, -ENOMEM, p->e->text, pos, "no memory for the filter");
	if (!n) {
		filter_node_free(left);
		filter_node_free(right);
		return NULL;
	}
	p->e->nr_nodes++;
	*n = (struct filter_node) { .op = op, .pos = pos, .left = left, .right = right,
				    .cache = -1 };
	return n;
}

/* A leaf with the text of the current token. */
static struct filter_node *leaf(struct parser *p, enum filter_op op)
{
	struct filter_node *n = node(p, op, p->tok.pos, NULL, NULL);

	if (!n)
		return NULL;
	n->value = p->tok.value;
	n->text = strndup(p->e->text + p->tok.pos, p->tok.len);
	if (!n->text)
		filter_error(p->err, -ENOMEM, p->e->text, n->pos, "no memory for the filter");
	if (!n->text || advance(p) < 0) {
		filter_node_free(n);
		return NULL;
	}
	return n;
}

/* Takes @n. A value used as a condition is true if it is not zero. */
static struct filter_node *as_condition(struct parser *p, struct filter_node *n)
{
	if (!n || is_condition(n->op))
		return n;
	if (n->op == FILTER_STRING || n->op == FILTER_NUMBER) {
		fail(p, n->pos, "a value alone is not a condition: compare it with a field");
		filter_node_free(n);
		return NULL;
	}
	return node(p, FILTER_TRUTH, n->pos, n, NULL);
}

/* Takes @n. */
static struct filter_node *as_value(struct parser *p, struct filter_node *n)
{
	if (!n || !is_condition(n->op))
		return n;
	fail(p, n->pos, "a condition has no value to calculate or compare with");
	filter_node_free(n);
	return NULL;
}

static struct filter_node *parse_level(struct parser *p, int level);

/* "!" and "-". As in trace-cmd, "!a == b" inverts the whole comparison */
static struct filter_node *parse_prefix(struct parser *p, bool inverts)
{
	size_t pos = p->tok.pos;
	struct filter_node *n;

	if (advance(p) < 0)
		return NULL;
	n = inverts ? as_condition(p, parse_level(p, LEVEL_COMPARE))
		    : as_value(p, parse_level(p, LEVEL_UNARY));
	return n ? node(p, inverts ? FILTER_NOT : FILTER_NEG, pos, n, NULL) : NULL;
}

static struct filter_node *parse_parens(struct parser *p)
{
	size_t pos = p->tok.pos;
	struct filter_node *n;

	if (advance(p) < 0)
		return NULL;
	n = parse_level(p, LEVEL_LOGIC);
	if (!n)
		return NULL;
	if (p->tok.kind != FILTER_TOKEN_CLOSE) {
		fail(p, pos, "this parenthesis is not closed");
	} else if (advance(p) == 0) {
		return n;
	}
	filter_node_free(n);
	return NULL;
}

static struct filter_node *parse_operand(struct parser *p)
{
	switch (p->tok.kind) {
	case FILTER_TOKEN_NUMBER:
		return leaf(p, FILTER_NUMBER);
	case FILTER_TOKEN_STRING:
		return leaf(p, FILTER_STRING);
	case FILTER_TOKEN_NAME:
		return leaf(p, FILTER_FIELD);
	case FILTER_TOKEN_OPEN:
		return parse_parens(p);
	case FILTER_TOKEN_OP:
		if (p->tok.op == FILTER_NOT)
			return parse_prefix(p, true);
		if (p->tok.op == FILTER_SUB)
			return parse_prefix(p, false);
		break;
	default:
		break;
	}
	return fail(p, p->tok.pos, "a field, number or string is missing here");
}

/* The meaning of a string: \" is a quote; every other backslash belongs to the pattern. */
static char *unquote(const char *s)
{
	char *out = malloc(strlen(s) + 1), *o = out;

	if (!out)
		return NULL;
	for (; *s; s++)
		if (s[0] != '\\' || (s[1] != '"' && s[1] != '\''))
			*o++ = *s;
	*o = '\0';
	return out;
}

static int add_pattern(struct parser *p, struct filter_node *n, const struct filter_node *string)
{
	char *text = unquote(string->text);
	struct kt_err why = { 0 };
	int ret = -ENOMEM;

	n->pattern = calloc(1, sizeof(*n->pattern));
	if (n->pattern && text)
		ret = filter_pattern_init(n->pattern, n->op, text, &why);
	free(text);
	n->cache = p->e->nr_caches++;
	if (ret == -EINVAL)
		return filter_error(p->err, ret, p->e->text, string->pos,
				    "not a regular expression: %s", why.msg);
	return ret < 0 ?
	       filter_error(p->err, ret, p->e->text, n->pos, "no memory for the filter") : 0;
}

/* Checks for comparisons with a string, and prepares their pattern. */
static int finish_comparison(struct parser *p, struct filter_node *n)
{
	const struct filter_node *l = n->left, *r = n->right;
	bool ordering = n->op >= FILTER_LT && n->op <= FILTER_GE;

	if (l->op == FILTER_STRING || r->op == FILTER_STRING) {
		if (ordering)
			return filter_error(p->err, -EINVAL, p->e->text, n->pos,
					    "text has no order: use == != =~ !~ or ~");
		if (l->op == FILTER_STRING && r->op == FILTER_STRING)
			return filter_error(p->err, -EINVAL, p->e->text, n->pos,
					    "two strings, but no field");
		return add_pattern(p, n, l->op == FILTER_STRING ? l : r);
	}
	/* The shell may have removed the quotes: the event decides whether it is a field. */
	if (r->op == FILTER_FIELD && !ordering)
		return add_pattern(p, n, r);
	if (n->op >= FILTER_LIKE)
		return filter_error(p->err, -EINVAL, p->e->text, r->pos,
				    "'%s' needs a pattern in quotes on its right",
				    filter_op_name(n->op));
	return 0;
}

/* Takes @left and @right. */
static struct filter_node *combine(struct parser *p, enum filter_op op, size_t pos,
				   struct filter_node *left, struct filter_node *right)
{
	struct filter_node *(*convert)(struct parser *, struct filter_node *);

	convert = levels[op] == LEVEL_LOGIC ? as_condition : as_value;
	left = convert(p, left);
	if (left)
		right = convert(p, right);
	if (!left || !right) {
		filter_node_free(left);
		filter_node_free(left ? NULL : right);
		return NULL;
	}
	left = node(p, op, pos, left, right);
	if (left && levels[op] == LEVEL_COMPARE && finish_comparison(p, left) < 0) {
		filter_node_free(left);
		return NULL;
	}
	return left;
}

static struct filter_node *parse_chain(struct parser *p, int level)
{
	struct filter_node *left = parse_operand(p), *right;
	enum filter_op op;
	size_t pos;

	while (left && p->tok.kind == FILTER_TOKEN_OP && levels[p->tok.op] >= level) {
		op = p->tok.op;
		pos = p->tok.pos;
		right = advance(p) < 0 ? NULL : parse_level(p, levels[op] + 1);
		if (!right) {
			filter_node_free(left);
			return NULL;
		}
		left = combine(p, op, pos, left, right);
	}
	return left;
}

static struct filter_node *parse_level(struct parser *p, int level)
{
	struct filter_node *n;

	if (p->depth >= MAX_NESTING)
		return fail(p, p->tok.pos, "the filter is nested too deeply: at most 64 levels");
	p->depth++;
	n = parse_chain(p, level);
	p->depth--;
	return n;
}

int filter_parse(struct filter_expr *e, size_t pos, struct kt_err *err)
{
	struct parser p = { .e = e, .next = pos, .err = err };

	if (advance(&p) < 0)
		return err ? err->code : -EINVAL;
	e->root = as_condition(&p, parse_level(&p, LEVEL_LOGIC));
	if (e->root && p.tok.kind == FILTER_TOKEN_END)
		return 0;
	if (e->root)
		fail(&p, p.tok.pos, p.tok.kind == FILTER_TOKEN_CLOSE ?
		     "this parenthesis was never opened" : "an operator is missing here");
	return err ? err->code : -EINVAL;
}
