/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* expr.h - the arguments of a print format: from C to nodes of a program */
#ifndef PRINTER_EXPR_H
#define PRINTER_EXPR_H

#include "format/ctype.h"
#include "format/lex.h"
#include "printer/program.h"

enum value_kind {
	VALUE_NUMBER,			/* of @type */
	VALUE_TEXT,			/* a string constant, or what a helper prints */
	VALUE_BYTES,			/* an array in the record; @type of an element,
					 * size 0: not known */
};

struct value {
	uint16_t node;
	uint8_t  kind;
	bool     is_pointer;		/* a number that is an address */
	struct ctype type;
};

struct expr_parser {
	struct lexer lex;
	struct program *p;
	struct kt_events *evs;
	const struct event *ev;
	char *strings;			/* room in p->strings */
	int depth;
	bool unknown;			/* the argument depends on what only the kernel knows */
	struct local {			/* variables of the statements around it */
		const char *name;
		size_t len;
		struct value v;
	} locals[8];
	size_t nr_locals;
};

/**
 * expr_start - begin with the string of a print format
 *
 * Returns the string without its quotes, backslashes kept: borrowed, valid as long as
 * the program; NULL: none (compile_fail). Arguments follow, one at a time.
 */
const char *expr_start(struct expr_parser *x);
/* The next argument, after its comma. False: compile_fail() has said why. */
bool expr_next(struct expr_parser *x, struct value *v);

/* expr.c; all false after compile_fail() */
bool expr_fail(struct expr_parser *x, const char *why);
bool expr_value(struct expr_parser *x, struct value *v);	/* without a comma outside
								 * of parentheses */
bool expr_number(struct expr_parser *x, struct value *v);	/* one that is a number */
bool expr_unary(struct expr_parser *x, struct value *v);
bool expr_convert(struct expr_parser *x, struct value *v, struct ctype type);
void expr_as_number(struct expr_parser *x, struct value *v);	/* an array or a text:
								 * its address */
void expr_as_text(struct expr_parser *x, struct value *v);
bool expr_add(struct expr_parser *x, struct value *v, struct node node);
/* What @v is, once it is known to depend on no record */
bool expr_constant(const struct expr_parser *x, const struct value *v, uint64_t *to);

/* expr_operand.c - constants, fields, casts, elements */
bool expr_primary(struct expr_parser *x, struct value *v);
bool expr_element(struct expr_parser *x, struct value *v, uint16_t index);
/* At "(": a cast, if that is what it is. @cast: whether; its operand is parsed then, too. */
bool expr_cast(struct expr_parser *x, struct value *v, bool *cast);
const struct kt_field *expr_field(struct expr_parser *x);	/* at its name; NULL:
								 * there is none */
bool expr_field_value(struct expr_parser *x, struct value *v, const struct kt_field *f);
/* String constants one after the other become one. */
bool expr_string(struct expr_parser *x, const char **str, uint32_t *len);

/* expr_helper.c - what the kernel has for print formats. @known: whether it is one; parsed then. */
bool expr_helper(struct expr_parser *x, struct value *v, bool *known);

/* expr_names.c - enumerators that the format names without saying what they are */
bool expr_name_value(const char *name, size_t len, int64_t *value);

#endif
