/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* grammar.c - check that a print format has a form that kernels write */
#include "format/grammar.h"

#include <string.h>

#include "format/format.h"
#include "format/lex.h"

#define MAX_DEPTH 120			/* kernels: 25 */
#define MAX_CHAIN 500			/* operators in a row; kernels: 60 */

struct parser {
	struct lexer lex;
	int depth;
	struct kt_blob fields;
	bool any_calls;
};

static bool fail(struct parser *ps, const char *why)
{
	return lex_fail(&ps->lex, why);
}

static bool expression(struct parser *ps);

static bool strings(struct parser *ps)
{
	if (ps->lex.token != T_STRING)
		return fail(ps, "expected a string");
	while (ps->lex.token == T_STRING)
		lex_next(&ps->lex);
	return true;
}

/* {value, "text"}, …: the last value may have a null pointer instead of a text */
static bool table(struct parser *ps)
{
	do {
		if (!lex_expect(&ps->lex, "{") || !expression(ps) || !lex_expect(&ps->lex, ","))
			return false;
		if (!(ps->lex.token == T_STRING ? strings(ps) : expression(ps)) ||
		    !lex_expect(&ps->lex, "}"))
			return false;
	} while (lex_accept(&ps->lex, ","));
	return true;
}

/* The library would dereference a null pointer for a missing field. */
static bool field(struct parser *ps)
{
	struct format_place place;
	char name[64];

	if (ps->lex.token != T_NAME || ps->lex.len >= sizeof(name))
		return fail(ps, "expected a name");
	memcpy(name, ps->lex.start, ps->lex.len);
	name[ps->lex.len] = '\0';
	if (!format_place(ps->fields, name, &place))
		return fail(ps, "an unknown field");
	lex_next(&ps->lex);
	return true;
}

/* The arguments of a helper: e expression, s string, n field, t table */
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
		/* from the distribution's plugins */
		{ "jbd2_dev_to_name", "e" }, { "jiffies_to_msecs", "e" },
		{ "scsi_trace_parse_cdb", "eee" }, { "xen_hypercall_name", "e" },
		{ "__le16_to_cpup", "e" },
	};
	size_t i;

	for (i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++)
		if (lex_is(&ps->lex, helpers[i].name))
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
		if (!argument(ps, *kinds) || (kinds[1] && !lex_expect(&ps->lex, ",")))
			return false;
	return lex_expect(&ps->lex, ")");
}

static bool any_arguments(struct parser *ps)
{
	if (lex_accept(&ps->lex, ")"))
		return true;
	do {
		if (!expression(ps))
			return false;
	} while (lex_accept(&ps->lex, ","));
	return lex_expect(&ps->lex, ")");
}

/* "unsigned int *)": the rest of a cast or sizeof; counts its words and stars */
static bool type_name(struct parser *ps, int *words, int *stars)
{
	for (*words = 0; ps->lex.token == T_NAME && *words < 8; (*words)++)
		lex_next(&ps->lex);
	for (*stars = 0; lex_is(&ps->lex, "*") && *stars < 4; (*stars)++)
		lex_next(&ps->lex);
	return *words && lex_accept(&ps->lex, ")");
}

static bool call_or_name(struct parser *ps)
{
	const char *kinds = helper(ps);
	bool rec = lex_is(&ps->lex, "REC"), size = lex_is(&ps->lex, "sizeof");
	int words, stars;

	lex_next(&ps->lex);
	if (kinds)
		return lex_expect(&ps->lex, "(") && arguments(ps, kinds);
	if (rec && lex_accept(&ps->lex, "->"))
		return field(ps);
	if (!lex_accept(&ps->lex, "("))
		return !rec || fail(ps, "REC alone");
	if (size)
		return type_name(ps, &words, &stars) || fail(ps, "an unusual sizeof");
	return ps->any_calls ? any_arguments(ps) : fail(ps, "a call of an unknown function");
}

/* Can an operand begin with this token? If so, the parentheses before it contain a type. */
static bool begins_operand(const struct parser *ps)
{
	return ps->lex.token == T_NAME || ps->lex.token == T_NUMBER ||
	       ps->lex.token == T_STRING || lex_is(&ps->lex, "(") || lex_is(&ps->lex, "~") ||
	       lex_is(&ps->lex, "!");
}

static bool operand(struct parser *ps);

static bool parenthesis(struct parser *ps)
{
	struct parser before = *ps;
	int words, stars;

	if (lex_is(&ps->lex, "REC")) {		/* (REC)->field */
		lex_next(&ps->lex);
		if (lex_accept(&ps->lex, ")"))
			return lex_accept(&ps->lex, "->") ? field(ps) : fail(ps, "REC alone");
	} else if (ps->lex.token == T_NAME && type_name(ps, &words, &stars)) {
		if (words > 1 || stars || begins_operand(ps))
			return operand(ps);
		return true;	/* a constant in parentheses */
	}
	*ps = before;
	return expression(ps) && lex_expect(&ps->lex, ")");
}

static bool primary(struct parser *ps)
{
	if (lex_accept(&ps->lex, "("))
		return parenthesis(ps);
	if (ps->lex.token == T_STRING)
		return strings(ps);
	if (ps->lex.token == T_NUMBER) {
		lex_next(&ps->lex);
		return true;
	}
	if (ps->lex.token == T_NAME)
		return call_or_name(ps);
	return fail(ps, "expected a value");
}

static bool operand(struct parser *ps)
{
	bool good;

	if (++ps->depth > MAX_DEPTH)
		return fail(ps, "expressions nest too deeply");
	if (lex_accept(&ps->lex, "!") || lex_accept(&ps->lex, "~") || lex_accept(&ps->lex, "-"))
		good = operand(ps);
	else
		good = primary(ps);
	while (good && lex_accept(&ps->lex, "["))
		good = expression(ps) && lex_expect(&ps->lex, "]");
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
	while (good && ps->lex.token == T_OPERATOR) {
		if (++chain > MAX_CHAIN)
			return fail(ps, "too many operators");
		lex_next(&ps->lex);
		good = operand(ps);
	}
	if (good && lex_accept(&ps->lex, "?"))
		good = expression(ps) && lex_expect(&ps->lex, ":") && expression(ps);
	ps->depth--;
	return good;
}

const char *grammar_check(struct kt_blob fields, struct kt_blob text, bool any_calls)
{
	struct parser ps = { .lex = { .p = text.data, .end = text.data + text.size },
			     .fields = fields,
			     .any_calls = any_calls };
	bool good;

	lex_next(&ps.lex);
	good = strings(&ps);
	while (good && lex_accept(&ps.lex, ","))
		good = expression(&ps);
	if (good && ps.lex.token != T_END)
		fail(&ps, "unexpected text after the end");
	return ps.lex.wrong;
}
