/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* describe.c - show the effect of a filter on one event, in trace-cmd's form */
#include "filter/filter.h"

#include <inttypes.h>
#include <stdlib.h>

/* The tree without the branches that are constant for this event */
struct shape {
	enum filter_op op;		/* AND, OR, NOT, TRUE, FALSE; for others see @leaf */
	const struct filter_node *leaf;
	struct shape *left, *right;
};

struct folder {
	const struct filter_expr *e;
	const struct kt_event *ev;
	struct shape *pool;		/* one for each node */
	size_t used;
};

static struct shape *shape(struct folder *f, enum filter_op op, struct shape *left,
			   struct shape *right)
{
	struct shape *s = &f->pool[f->used++];

	*s = (struct shape) { .op = op, .left = left, .right = right };
	return s;
}

static struct shape *fold_pair(struct folder *f, enum filter_op op, struct shape *l,
			       struct shape *r)
{
	enum filter_op settled = op == FILTER_AND ? FILTER_FALSE : FILTER_TRUE;
	enum filter_op neutral = op == FILTER_AND ? FILTER_TRUE : FILTER_FALSE;

	if (l->op == settled || r->op == neutral)
		return l;
	if (r->op == settled || l->op == neutral)
		return r;
	return shape(f, op, l, r);
}

static struct shape *fold(struct folder *f, const struct filter_node *n)
{
	struct shape *s;

	if (n->op == FILTER_AND || n->op == FILTER_OR) {
		s = fold(f, n->left);
		return fold_pair(f, n->op, s, fold(f, n->right));
	}
	if (n->op == FILTER_NOT) {
		s = fold(f, n->left);
		if (s->op != FILTER_TRUE && s->op != FILTER_FALSE)
			return shape(f, FILTER_NOT, s, NULL);
		return shape(f, s->op == FILTER_TRUE ? FILTER_FALSE : FILTER_TRUE, NULL, NULL);
	}
	if (filter_check_test(f->e, f->ev, n, NULL) != FILTER_SENSE_OK)
		return shape(f, FILTER_FALSE, NULL, NULL);
	s = shape(f, n->op, NULL, NULL);
	s->leaf = n;
	return s;
}

static void print_value(const struct filter_node *n, bool inner, struct str *s)
{
	switch (n->op) {
	case FILTER_FIELD:
		str_add(s, n->text);
		return;
	case FILTER_STRING:
		str_addf(s, "\"%s\"", n->text);
		return;
	case FILTER_NUMBER:
		str_addf(s, "%" PRIu64, n->value);
		return;
	case FILTER_NEG:
		str_addc(s, '-');
		print_value(n->left, true, s);
		return;
	case FILTER_TRUTH:
		print_value(n->left, false, s);
		return;
	default:
		break;
	}
	if (inner)
		str_addc(s, '(');
	print_value(n->left, true, s);
	str_addf(s, " %s ", filter_op_name(n->op));
	print_value(n->right, true, s);
	if (inner)
		str_addc(s, ')');
}

static void print_shape(const struct shape *x, struct str *s);

static void print_inner(const struct shape *x, struct str *s)
{
	str_addc(s, '(');
	print_shape(x, s);
	str_addc(s, ')');
}

static void print_shape(const struct shape *x, struct str *s)
{
	switch (x->op) {
	case FILTER_TRUE:
		str_add(s, "TRUE");
		return;
	case FILTER_FALSE:
		str_add(s, "FALSE");
		return;
	case FILTER_NOT:
		str_addc(s, '!');
		print_inner(x->left, s);
		return;
	case FILTER_AND:
	case FILTER_OR:
		print_inner(x->left, s);
		str_addf(s, " %s ", filter_op_name(x->op));
		print_inner(x->right, s);
		return;
	default:
		print_value(x->leaf, false, s);
	}
}

void filter_describe(const struct filter_expr *e, const struct kt_event *ev, struct str *s)
{
	struct folder f = { .e = e, .ev = ev };

	if (!e->root) {
		str_add(s, "TRUE");
		return;
	}
	f.pool = calloc(e->nr_nodes + 1, sizeof(*f.pool));
	if (!f.pool) {
		s->failed = true;
		return;
	}
	print_shape(fold(&f, e->root), s);
	free(f.pool);
}
