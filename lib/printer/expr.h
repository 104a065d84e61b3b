/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* expr.h - parse the arguments of a print format into nodes of a program */
#ifndef PRINTER_EXPR_H
#define PRINTER_EXPR_H

#include "format/ctype.h"
#include "format/lex.h"
#include "printer/program.h"

enum value_kind {
	VALUE_NUMBER,			/* of @type */
	VALUE_TEXT,			/* a string constant, or the text of a helper */
	VALUE_BYTES,			/* an array in the record; @type is that of an element, of
					 * size 0 if unknown */
};

struct value {
	uint16_t node;
	uint8_t  kind;
	bool     is_pointer;		/* a number used as an address */
	struct ctype type;
};

struct expr_parser {
	struct lexer lex;
	struct program *p;
	struct kt_events *evs;
	const struct event *ev;
	char *strings;			/* free space in p->strings */
	int depth;
	bool unknown;			/* the argument uses a value that only the kernel knows */
	struct local {			/* variables of the enclosing statements */
		const char *name;
		size_t len;
		struct value v;
	} locals[8];
	size_t nr_locals;
};

/**
 * expr_start - start with the string of a print format
 *
 * Returns the string without its quotes, but with its backslashes: borrowed, valid as long as
 * the program. NULL: no string (compile_fail). Then get the arguments with expr_next().
 */
const char *expr_start(struct expr_parser *x);
/* The next argument, after its comma. False: compile_fail() was given the reason. */
bool expr_next(struct expr_parser *x, struct value *v);

/* expr.c; all return false after compile_fail() */
bool expr_fail(struct expr_parser *x, const char *why);
bool expr_value(struct expr_parser *x, struct value *v);	/* up to a comma outside of
								 * parentheses */
bool expr_number(struct expr_parser *x, struct value *v);	/* a value that must be a number */
bool expr_unary(struct expr_parser *x, struct value *v);
bool expr_convert(struct expr_parser *x, struct value *v, struct ctype type);
void expr_as_number(struct expr_parser *x, struct value *v);	/* an array or text: its address */
void expr_as_text(struct expr_parser *x, struct value *v);
bool expr_add(struct expr_parser *x, struct value *v, struct node node);
/* The value of @v, if it is the same for all records */
bool expr_constant(const struct expr_parser *x, const struct value *v, uint64_t *to);

/* expr_operand.c - constants, fields, casts, elements */
bool expr_primary(struct expr_parser *x, struct value *v);
bool expr_element(struct expr_parser *x, struct value *v, uint16_t index);
/* At "(": sets @cast if this is a cast, and then parses its operand, too. */
bool expr_cast(struct expr_parser *x, struct value *v, bool *cast);
const struct kt_field *expr_field(struct expr_parser *x);	/* at its name; NULL: unknown */
/* Joins consecutive string constants. */
bool expr_string(struct expr_parser *x, const char **str, uint32_t *len);

/* expr_helper.c - parse a call of a kernel helper for print formats. @known: it was such a call */
bool expr_helper(struct expr_parser *x, struct value *v, bool *known);

/* expr_names.c - enumerators that a format uses but does not define */
bool expr_name_value(const char *name, size_t len, int64_t *value);

#endif
