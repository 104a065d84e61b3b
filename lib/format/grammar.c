/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* grammar.c - is a print format of the kind that kernels write? */
#include "format/grammar.h"

#include <ctype.h>
#include <string.h>

#include "format/format.h"

#define MAX_DEPTH 120			/* kernels: 25 */
#define MAX_CHAIN 500			/* operators behind each other; kernels: 60 */

enum token {
	T_END, T_STRING, T_NUMBER, T_NAME, T_OPERATOR,
	T_ARROW, T_OTHER,		/* one of ( ) [ ] { } , ? : ! ~ */
};

struct parser {
	const char *p, *end;
	enum token token;
	const char *start;		/* of the token */
	size_t len;
	int depth;
	struct kt_blob fields;
	bool any_calls;
	const char *wrong;		/* first complaint */
};

static bool fail(struct parser *ps, const char *why)
{
	if (!ps->wrong)
		ps->wrong = why;
	return false;
}

static void take(struct parser *ps, enum token token, size_t len)
{
	ps->token = token;
	ps->len = len;
	ps->p += len;
}

static size_t string_len(const struct parser *ps)
{
	const char *p;

	for (p = ps->p + 1; p < ps->end; p++) {
		if (*p == '\\')
			p++;
		else if (*p == '"')
			return p + 1 - ps->p;
	}
	return 0;
}

static size_t word_len(const struct parser *ps)
{
	const char *p = ps->p;

	while (p < ps->end && (isalnum((unsigned char)*p) || *p == '_'))
		p++;
	return p - ps->p;
}

static size_t operator_len(const struct parser *ps)
{
	static const char *const ops[] = {
		"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "%", "&", "|",
		"^", "<", ">",
	};
	char first = *ps->p, second = ps->end - ps->p > 1 ? ps->p[1] : '\0';
	size_t i;

	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (ops[i][0] == first && (!ops[i][1] || ops[i][1] == second))
			return ops[i][1] ? 2 : 1;
	return 0;
}

static void next(struct parser *ps)
{
	size_t len;

	while (ps->p < ps->end && isspace((unsigned char)*ps->p))
		ps->p++;
	ps->start = ps->p;
	if (ps->p == ps->end) {
		take(ps, T_END, 0);
	} else if (*ps->p == '"') {
		len = string_len(ps);
		if (!len)
			fail(ps, "a string without its end");
		take(ps, len ? T_STRING : T_END, len);
	} else if (ps->end - ps->p >= 3 && ps->p[0] == '\'' && ps->p[1] != '\\' && ps->p[2] == '\'') {
		take(ps, T_NUMBER, 3);
	} else if (isalnum((unsigned char)*ps->p) || *ps->p == '_') {
		take(ps, isdigit((unsigned char)*ps->p) ? T_NUMBER : T_NAME, word_len(ps));
	} else if (ps->end - ps->p >= 2 && ps->p[0] == '-' && ps->p[1] == '>') {
		take(ps, T_ARROW, 2);
	} else if ((len = operator_len(ps))) {
		take(ps, T_OPERATOR, len);
	} else if (strchr("()[]{},?:!~", *ps->p)) {
		take(ps, T_OTHER, 1);
	} else {
		fail(ps, "a character that is not C");
		take(ps, T_END, 0);
	}
}

static bool is(const struct parser *ps, const char *text)
{
	return ps->token != T_STRING && ps->len && *ps->start == *text && ps->len == strlen(text) &&
	       memcmp(ps->start, text, ps->len) == 0;
}

static bool accept(struct parser *ps, const char *text)
{
	if (!is(ps, text))
		return false;
	next(ps);
	return true;
}

static bool expect(struct parser *ps, const char *text)
{
	return accept(ps, text) || fail(ps, "something is missing");
}

static bool expression(struct parser *ps);

static bool strings(struct parser *ps)
{
	if (ps->token != T_STRING)
		return fail(ps, "no string where one belongs");
	while (ps->token == T_STRING)
		next(ps);
	return true;
}

/* {value, "text"}, …: the last value may come with a null pointer for a text */
static bool table(struct parser *ps)
{
	do {
		if (!expect(ps, "{") || !expression(ps) || !expect(ps, ","))
			return false;
		if (!(ps->token == T_STRING ? strings(ps) : expression(ps)) || !expect(ps, "}"))
			return false;
	} while (accept(ps, ","));
	return true;
}

/* The library follows a null pointer where there is no such field. */
static bool field(struct parser *ps)
{
	struct format_place place;
	char name[64];

	if (ps->token != T_NAME || ps->len >= sizeof(name))
		return fail(ps, "no name where one belongs");
	memcpy(name, ps->start, ps->len);
	name[ps->len] = '\0';
	if (!format_place(ps->fields, name, &place))
		return fail(ps, "a field that is not there");
	next(ps);
	return true;
}

/* How the arguments of a helper look: e expression, s string, n field, t table */
static const char *helper(const struct parser *ps)
{
	static const struct {
		const char *name, *args;
	} helpers[] = {
		{ "__print_flags", "est" }, { "__print_symbolic", "et" }, { "__print_hex", "ee" },
		{ "__print_hex_str", "ee" }, { "__print_array", "eee" }, { "__get_str", "n" },
		{ "__get_rel_str", "n" }, { "__get_bitmask", "n" }, { "__get_rel_bitmask", "n" },
		{ "__get_cpumask", "n" }, { "__get_rel_cpumask", "n" },
		{ "__get_dynamic_array", "n" }, { "__get_rel_dynamic_array", "n" },
		{ "__get_dynamic_array_len", "n" }, { "__get_sockaddr", "n" },
		{ "__get_sockaddr_rel", "n" }, { "__builtin_expect", "ee" },
		/* of the distribution's plugins */
		{ "jbd2_dev_to_name", "e" }, { "jiffies_to_msecs", "e" },
		{ "scsi_trace_parse_cdb", "eee" }, { "xen_hypercall_name", "e" },
		{ "__le16_to_cpup", "e" },
	};
	size_t i;

	for (i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++)
		if (is(ps, helpers[i].name))
			return helpers[i].args;
	return NULL;
}

static bool argument(struct parser *ps, char kind)
{
	switch (kind) {
	case 's': return strings(ps);
	case 'n': return field(ps);
	case 't': return table(ps);
	}
	return expression(ps);
}

static bool arguments(struct parser *ps, const char *kinds)
{
	for (; *kinds; kinds++)
		if (!argument(ps, *kinds) || (kinds[1] && !expect(ps, ",")))
			return false;
	return expect(ps, ")");
}

static bool any_arguments(struct parser *ps)
{
	if (accept(ps, ")"))
		return true;
	do {
		if (!expression(ps))
			return false;
	} while (accept(ps, ","));
	return expect(ps, ")");
}

/* "unsigned int *)": the rest of a cast or of a sizeof; @words in it */
static bool type_name(struct parser *ps, int *words, int *stars)
{
	for (*words = 0; ps->token == T_NAME && *words < 8; (*words)++)
		next(ps);
	for (*stars = 0; is(ps, "*") && *stars < 4; (*stars)++)
		next(ps);
	return *words && accept(ps, ")");
}

static bool call_or_name(struct parser *ps)
{
	const char *kinds = helper(ps);
	bool rec = is(ps, "REC"), size = is(ps, "sizeof");
	int words, stars;

	next(ps);
	if (kinds)
		return expect(ps, "(") && arguments(ps, kinds);
	if (rec && ps->token == T_ARROW) {
		next(ps);
		return field(ps);
	}
	if (!accept(ps, "("))
		return !rec || fail(ps, "REC alone");
	if (size)
		return type_name(ps, &words, &stars) || fail(ps, "an unusual sizeof");
	return ps->any_calls ? any_arguments(ps) : fail(ps, "a call of an unknown function");
}

/* Is the token one that an operand begins with? Then what stood in parentheses was a type. */
static bool begins_operand(const struct parser *ps)
{
	return ps->token == T_NAME || ps->token == T_NUMBER || ps->token == T_STRING || is(ps, "(") ||
	       is(ps, "~") || is(ps, "!");
}

static bool operand(struct parser *ps);

static bool parenthesis(struct parser *ps)
{
	struct parser before = *ps;
	int words, stars;

	if (is(ps, "REC")) {		/* (REC)->field */
		next(ps);
		if (accept(ps, ")"))
			return ps->token == T_ARROW ? (next(ps), field(ps)) : fail(ps, "REC alone");
	} else if (ps->token == T_NAME && type_name(ps, &words, &stars)) {
		if (words > 1 || stars || begins_operand(ps))
			return operand(ps);
		return true;	/* a constant in parentheses */
	}
	*ps = before;
	return expression(ps) && expect(ps, ")");
}

static bool primary(struct parser *ps)
{
	if (accept(ps, "("))
		return parenthesis(ps);
	if (ps->token == T_STRING)
		return strings(ps);
	if (ps->token == T_NUMBER) {
		next(ps);
		return true;
	}
	if (ps->token == T_NAME)
		return call_or_name(ps);
	return fail(ps, "no value where one belongs");
}

static bool operand(struct parser *ps)
{
	bool good;

	if (++ps->depth > MAX_DEPTH)
		return fail(ps, "expressions nest too deeply");
	if (accept(ps, "!") || accept(ps, "~") || accept(ps, "-"))
		good = operand(ps);
	else
		good = primary(ps);
	while (good && accept(ps, "["))
		good = expression(ps) && expect(ps, "]");
	ps->depth--;
	return good;
}

static bool expression(struct parser *ps)
{
	int chain = 0;
	bool good;

	if (++ps->depth > MAX_DEPTH)
		return fail(ps, "expressions nest too deeply");
	good = operand(ps);
	while (good && ps->token == T_OPERATOR) {
		if (++chain > MAX_CHAIN)
			return fail(ps, "too many operators");
		next(ps);
		good = operand(ps);
	}
	if (good && accept(ps, "?"))
		good = expression(ps) && expect(ps, ":") && expression(ps);
	ps->depth--;
	return good;
}

const char *grammar_check(struct kt_blob fields, struct kt_blob text, bool any_calls)
{
	struct parser ps = { .p = text.data, .end = text.data + text.size, .fields = fields,
			     .any_calls = any_calls };
	bool good;

	next(&ps);
	good = strings(&ps);
	while (good && accept(&ps, ","))
		good = expression(&ps);
	if (good && ps.token != T_END)
		fail(&ps, "something behind the end");
	return ps.wrong;
}
