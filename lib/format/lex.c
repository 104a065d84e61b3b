/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* lex.c - the tokens of a print format */
#include "format/lex.h"

#include <ctype.h>
#include <string.h>

bool lex_fail(struct lexer *lx, const char *why)
{
	if (!lx->wrong)
		lx->wrong = why;
	return false;
}

static void take(struct lexer *lx, enum token token, size_t len)
{
	lx->token = token;
	lx->len = len;
	lx->p += len;
}

static size_t string_len(const struct lexer *lx)
{
	const char *p;

	for (p = lx->p + 1; p < lx->end; p++) {
		if (*p == '\\')
			p++;
		else if (*p == '"')
			return p + 1 - lx->p;
	}
	return 0;
}

static size_t word_len(const struct lexer *lx)
{
	const char *p = lx->p;

	while (p < lx->end && (isalnum((unsigned char)*p) || *p == '_'))
		p++;
	return p - lx->p;
}

static size_t operator_len(const struct lexer *lx)
{
	static const char *const ops[] = {
		"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "%", "&", "|",
		"^", "<", ">",
	};
	char first = *lx->p, second = lx->end - lx->p > 1 ? lx->p[1] : '\0';
	size_t i;

	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (ops[i][0] == first && (!ops[i][1] || ops[i][1] == second))
			return ops[i][1] ? 2 : 1;
	return 0;
}

void lex_next(struct lexer *lx)
{
	size_t len;

	while (lx->p < lx->end && isspace((unsigned char)*lx->p))
		lx->p++;
	lx->start = lx->p;
	if (lx->p == lx->end) {
		take(lx, T_END, 0);
	} else if (*lx->p == '"') {
		len = string_len(lx);
		if (!len)
			lex_fail(lx, "a string without a closing quote");
		take(lx, len ? T_STRING : T_END, len);
	} else if (lx->end - lx->p >= 3 && lx->p[0] == '\'' && lx->p[1] != '\\' &&
		   lx->p[2] == '\'') {
		take(lx, T_NUMBER, 3);
	} else if (isalnum((unsigned char)*lx->p) || *lx->p == '_') {
		take(lx, isdigit((unsigned char)*lx->p) ? T_NUMBER : T_NAME, word_len(lx));
	} else if (lx->end - lx->p >= 2 && lx->p[0] == '-' && lx->p[1] == '>') {
		take(lx, T_ARROW, 2);
	} else if ((len = operator_len(lx))) {
		take(lx, T_OPERATOR, len);
	} else if (strchr("()[]{},;.=?:!~", *lx->p)) {
		take(lx, T_OTHER, 1);
	} else {
		lex_fail(lx, "a character that C does not use");
		take(lx, T_END, 0);
	}
}

bool lex_is(const struct lexer *lx, const char *text)
{
	return lx->token != T_STRING && lx->len && *lx->start == *text && lx->len == strlen(text) &&
	       memcmp(lx->start, text, lx->len) == 0;
}

bool lex_accept(struct lexer *lx, const char *text)
{
	if (!lex_is(lx, text))
		return false;
	lex_next(lx);
	return true;
}

bool lex_expect(struct lexer *lx, const char *text)
{
	return lex_accept(lx, text) || lex_fail(lx, "unexpected token");
}
