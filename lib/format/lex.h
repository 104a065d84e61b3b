/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* lex.h - the tokens of a print format */
#ifndef FORMAT_LEX_H
#define FORMAT_LEX_H

#include <stdbool.h>
#include <stddef.h>

enum token {
	T_END, T_STRING, T_NUMBER, T_NAME, T_OPERATOR,
	T_ARROW, T_OTHER,		/* one of ( ) [ ] { } , ? : ! ~ */
};

struct lexer {
	const char *p, *end;		/* the text after the token */
	enum token token;
	const char *start;		/* of the token, quotes included */
	size_t len;
	const char *wrong;		/* the first error */
};

bool lex_fail(struct lexer *lx, const char *why);	/* false */
void lex_next(struct lexer *lx);
bool lex_is(const struct lexer *lx, const char *text);
bool lex_accept(struct lexer *lx, const char *text);
bool lex_expect(struct lexer *lx, const char *text);	/* fails if the token is different */

#endif
