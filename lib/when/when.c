/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* when.c - conditions joined by and, or and parentheses: parsed and evaluated */
#include "when/when.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/str.h"
#include "base/units.h"

#define DEPTH 32		/* of parentheses */

struct parser {
	struct kt_when *when;
	const char *text, *at;
	unsigned int depth;
	struct kt_err *err;
};

/* Returns NULL: no tree */
static struct node *fail(struct parser *p, const char *at, const char *what)
{
	kt_err_set(p->err, -EINVAL, "%s, at character %zu of '%s'", what,
		   (size_t)(at - p->text) + 1, p->text);
	return NULL;
}

static struct node *no_memory(struct parser *p)
{
	kt_err_no_memory(p->err);
	return NULL;
}

static void skip_blanks(struct parser *p)
{
	p->at += strspn(p->at, " \t\n");
}

static bool ends_word(char c)
{
	return !c || strchr(" \t\n()", c);
}

static bool is_word(const char *at, const char *word)
{
	return str_starts(at, word) && ends_word(at[strlen(word)]);
}

static bool take_word(struct parser *p, const char *word)
{
	skip_blanks(p);
	if (!is_word(p->at, word))
		return false;
	p->at += strlen(word);
	return true;
}

/* The atom ends before a word of the grammar, or a parenthesis that it did not open */
static const char *atom_end(const char *at)
{
	unsigned int open = 0;
	char quote = 0, before = ' ';

	for (; *at; before = *at++) {
		if (quote || *at == '"' || *at == '\'') {
			quote = str_quote_after(quote, *at);
			continue;
		}
		if (*at == ')' && !open)
			break;
		open += *at == '(';
		open -= *at == ')';
		if (!open && strchr(" \t\n", before) &&
		    (is_word(at, "and") || is_word(at, "or") || is_word(at, "for")))
			break;
	}
	return at;
}

static int keep_atom(struct kt_when *w, struct atom *a)
{
	if (!array_reserve(w->atoms, w->nr))
		return -ENOMEM;
	w->atoms[w->nr++] = a;
	return 0;
}

static struct node *make_node(enum node_kind kind, struct node *a, struct node *b)
{
	struct node *n = calloc(1, sizeof(*n));

	if (n)
		*n = (struct node){ .kind = kind, .a = a, .b = b };
	return n;
}

static void free_node(struct node *n)
{
	if (!n)
		return;
	free_node(n->a);
	free_node(n->b);
	free(n);
}

/* "for 10s" after an atom */
static bool parse_for(struct parser *p, struct atom *a)
{
	size_t len;
	char *time;
	int ret;

	if (!take_word(p, "for"))
		return true;
	skip_blanks(p);
	len = strcspn(p->at, " \t\n)");
	time = strndup(p->at, len);
	ret = time ? units_parse_time(time, 0, &a->for_ns, NULL) : -ENOMEM;
	free(time);
	if (ret < 0 || !a->for_ns)
		return fail(p, p->at, "'for' needs a time such as 10s");
	p->at += len;
	return true;
}

static struct node *parse_atom(struct parser *p)
{
	const char *end = atom_end(p->at), *from = p->at;
	char *text = strndup(p->at, (size_t)(end - p->at));
	struct kt_err why = { 0 };
	struct node *n;
	struct atom *a;
	size_t place = 0;

	if (!text)
		return no_memory(p);
	if (!*str_trim(text)) {
		free(text);
		return fail(p, from, "a condition is missing");
	}
	a = atom_parse(str_trim(text), &place, &why);
	free(text);
	if (!a)
		return why.code == -ENOMEM ? no_memory(p) : fail(p, from + place, why.msg);
	if (keep_atom(p->when, a) < 0) {
		atom_destroy(a);
		return no_memory(p);
	}
	p->at = end;
	if (!parse_for(p, a))
		return NULL;
	n = make_node(NODE_ATOM, NULL, NULL);
	if (!n)
		return no_memory(p);
	n->atom = a;
	return n;
}

static struct node *parse_or(struct parser *p);

static struct node *parse_term(struct parser *p)
{
	const char *open;
	struct node *n;

	skip_blanks(p);
	if (*p->at != '(')
		return parse_atom(p);
	open = p->at++;
	if (++p->depth > DEPTH)
		return fail(p, open, "too many parentheses");
	n = parse_or(p);
	p->depth--;
	if (!n)
		return NULL;
	skip_blanks(p);
	if (*p->at != ')') {
		free_node(n);
		return fail(p, open, "this parenthesis is not closed");
	}
	p->at++;
	return n;
}

/* The parser has reported the reason of a failure */
static struct node *join(struct parser *p, enum node_kind kind, struct node *a, struct node *b)
{
	struct node *n = a && b ? make_node(kind, a, b) : NULL;

	if (n)
		return n;
	if (a && b)
		no_memory(p);
	free_node(a);
	free_node(b);
	return NULL;
}

static struct node *parse_and(struct parser *p)
{
	struct node *n = parse_term(p);

	while (n && take_word(p, "and"))
		n = join(p, NODE_AND, n, parse_term(p));
	return n;
}

static struct node *parse_or(struct parser *p)
{
	struct node *n = parse_and(p);

	while (n && take_word(p, "or"))
		n = join(p, NODE_OR, n, parse_and(p));
	return n;
}

int kt_when_add(struct kt_when *w, const char *text, struct kt_err *err)
{
	struct kt_err own = { 0 };
	struct parser p = { .when = w, .text = text, .at = text, .err = &own };
	size_t before = w->nr;
	struct node *n = parse_or(&p), *both;

	if (n && *p.at) {
		free_node(n);
		n = fail(&p, p.at, *p.at == ')' ? "this parenthesis was not opened" :
			 "'and', 'or' or the end is expected");
	}
	both = n && w->root ? make_node(NODE_OR, w->root, n) : n;
	if (both) {
		w->root = both;
		return 0;
	}
	if (n) {
		free_node(n);
		no_memory(&p);
	}
	while (w->nr > before)
		atom_destroy(w->atoms[--w->nr]);
	return kt_err_set(err, own.code, "%s", own.msg);
}

struct kt_when *kt_when_parse(const char *text, struct kt_err *err)
{
	struct kt_when *w = calloc(1, sizeof(*w));

	if (!w)
		kt_err_no_memory(err);
	else if (kt_when_add(w, text, err) == 0)
		return w;
	kt_when_destroy(w);
	return NULL;
}

void kt_when_destroy(struct kt_when *w)
{
	if (!w)
		return;
	while (w->nr)
		atom_destroy(w->atoms[--w->nr]);
	free(w->atoms);
	free_node(w->root);
	free(w);
}

const char *kt_when_place_name(enum kt_when_place place)
{
	static const char *const names[] = {
		[KT_WHEN_IN_KERNEL] = "in the kernel", [KT_WHEN_IN_THIN_BUFFER] = "in user space",
		[KT_WHEN_OUTSIDE] = "from outside",
	};

	return (size_t)place < sizeof(names) / sizeof(*names) ? names[place] : "nowhere";
}

bool kt_when_atom(const struct kt_when *w, size_t i, struct kt_when_atom *out)
{
	if (i >= w->nr)
		return false;
	out->text = w->atoms[i]->text;
	out->place = atom_place(w->atoms[i]);
	out->why = w->atoms[i]->why;
	return true;
}

/* ---- evaluated ---- */

enum holds { HOLDS_NOT, HOLDS, HOLDS_BY_IT };	/* … because of the atom that has just come true */

static enum holds holds(const struct node *n, const struct atom *it, uint64_t within)
{
	enum holds a, b;

	if (n->kind == NODE_ATOM) {
		if (n->atom == it)
			return HOLDS_BY_IT;
		return n->atom->last && it->last <= n->atom->last + within &&
		       n->atom->last - n->atom->since >= n->atom->for_ns ? HOLDS : HOLDS_NOT;
	}
	a = holds(n->a, it, within);
	b = holds(n->b, it, within);
	if (n->kind == NODE_AND && (!a || !b))
		return HOLDS_NOT;
	return a > b ? a : b;
}

bool when_came(struct kt_when *w, struct atom *a, uint64_t at, uint64_t within)
{
	if (!a->last || at > a->last + within)
		a->since = at;
	a->last = at;
	return a->last - a->since >= a->for_ns && holds(w->root, a, within) == HOLDS_BY_IT;
}

void when_forget(struct kt_when *w)
{
	size_t i;

	for (i = 0; i < w->nr; i++)
		w->atoms[i]->since = w->atoms[i]->last = 0;
}
