/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* lex.c - split a filter into tokens, and show the place of an error */
#include "filter/filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

/* An operator comes before its own prefixes: "&&" before "&" */
static const struct filter_op_text {
	const char *text;
	enum filter_op op;
} op_texts[] = {
	{ "&&", FILTER_AND },  { "||", FILTER_OR },   { "==", FILTER_EQ },    { "!=", FILTER_NE },
	{ "<=", FILTER_LE },   { ">=", FILTER_GE },   { "=~", FILTER_LIKE },
	{ "!~", FILTER_UNLIKE },
	{ "<<", FILTER_SHL },  { ">>", FILTER_SHR },  { "<", FILTER_LT },     { ">", FILTER_GT },
	{ "~", FILTER_GLOB },  { "!", FILTER_NOT },   { "&", FILTER_BITAND }, { "|", FILTER_BITOR },
	{ "^", FILTER_XOR },   { "+", FILTER_ADD },   { "-", FILTER_SUB },    { "*", FILTER_MUL },
	{ "/", FILTER_DIV },   { "%", FILTER_MOD },
};

static const struct unit {
	const char *text;
	uint64_t factor;
} units[] = {
	{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
	{ "k", 1 << 10 }, { "K", 1 << 10 }, { "M", 1 << 20 }, { "G", 1 << 30 },
};

const char *filter_op_name(enum filter_op op)
{
	size_t i;

	for (i = 0; i < sizeof(op_texts) / sizeof(op_texts[0]); i++)
		if (op_texts[i].op == op)
			return op_texts[i].text;
	return op == FILTER_NEG ? "-" : "";
}

int filter_error(struct kt_err *err, int code, const char *text, size_t pos, const char *fmt, ...)
{
	char why[256];
	va_list ap;

	if (!err || err->code)
		return code;
	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	kt_err_set(err, code, "%s", why);
	err_point(err, text, pos);
	return code;
}

static bool is_name_start(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* Digits after a decimal point, times @factor. */
static uint64_t fraction(const char *s, uint64_t factor, const char **end)
{
	uint64_t sum = 0;

	for (; isdigit((unsigned char)*s); s++) {
		factor /= 10;
		sum += factor * (uint64_t)(*s - '0');
	}
	*end = s;
	return sum;
}

static const struct unit *find_unit(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strlen(units[i].text) == len && !strncmp(units[i].text, s, len))
			return &units[i];
	return NULL;
}

static int lex_number(const char *text, struct filter_token *tok, struct kt_err *err)
{
	const char *start = text + tok->pos, *s, *point = NULL, *name;
	const struct unit *unit;
	uint64_t part = 0;
	char *end;

	tok->kind = FILTER_TOKEN_NUMBER;
	errno = 0;
	tok->value = strtoull(start, &end, 0);
	if (errno == ERANGE)
		return filter_error(err, -EINVAL, text, tok->pos,
				    "this number does not fit in 64 bits");
	s = end;
	if (*s == '.' && isdigit((unsigned char)s[1])) {
		point = s + 1;
		fraction(point, 0, &s);
	}
	for (name = s; is_name(*s); s++)
		;
	tok->len = s - start;
	if (s == name)
		return point ? filter_error(err, -EINVAL, text, tok->pos,
					    "a fraction needs a unit: ns, us, ms, s, k, M or G") :
					    0;

	unit = find_unit(name, s - name);
	if (!unit)
		return filter_error(err, -EINVAL, text, name - text,
				    "'%.*s' is not a unit, only: ns us ms s k M G",
				    (int)(s - name), name);
	if (point)
		part = fraction(point, unit->factor, &name);
	if (__builtin_mul_overflow(tok->value, unit->factor, &tok->value) ||
	    __builtin_add_overflow(tok->value, part, &tok->value))
		return filter_error(err, -EINVAL, text, tok->pos,
				    "this number does not fit in 64 bits");
	return 0;
}

static int lex_string(const char *text, struct filter_token *tok, size_t *end, struct kt_err *err)
{
	char quote = text[tok->pos];
	size_t i;

	for (i = tok->pos + 1; text[i] && text[i] != quote; i++)
		if (text[i] == '\\' && text[i + 1])
			i++;
	if (!text[i])
		return filter_error(err, -EINVAL, text, tok->pos, "this quote is not closed");
	tok->kind = FILTER_TOKEN_STRING;
	tok->pos++;
	tok->len = i - tok->pos;
	*end = i + 1;
	return 0;
}

static int lex_op(const char *text, struct filter_token *tok, struct kt_err *err)
{
	size_t i;

	tok->kind = FILTER_TOKEN_OP;
	for (i = 0; i < sizeof(op_texts) / sizeof(op_texts[0]); i++) {
		tok->len = strlen(op_texts[i].text);
		tok->op = op_texts[i].op;
		if (!strncmp(text + tok->pos, op_texts[i].text, tok->len))
			return 0;
	}
	if (text[tok->pos] == '=')
		return filter_error(err, -EINVAL, text, tok->pos,
				    "use '==' to compare, not '='");
	return filter_error(err, -EINVAL, text, tok->pos, "unexpected character");
}

int filter_lex(const char *text, size_t pos, struct filter_token *tok, size_t *end,
	       struct kt_err *err)
{
	int ret = 0;
	char c;

	while (isspace((unsigned char)text[pos]))
		pos++;
	c = text[pos];
	memset(tok, 0, sizeof(*tok));
	tok->pos = pos;
	if (!c) {
		tok->kind = FILTER_TOKEN_END;
	} else if (c == '"' || c == '\'') {
		return lex_string(text, tok, end, err);
	} else if (c == '(' || c == ')') {
		tok->kind = c == '(' ? FILTER_TOKEN_OPEN : FILTER_TOKEN_CLOSE;
		tok->len = 1;
	} else if (isdigit((unsigned char)c)) {
		ret = lex_number(text, tok, err);
	} else if (is_name_start(c)) {
		tok->kind = FILTER_TOKEN_NAME;
		while (is_name(text[pos]))
			pos++;
		tok->len = pos - tok->pos;
	} else {
		ret = lex_op(text, tok, err);
	}
	*end = tok->pos + tok->len;
	return ret;
}
