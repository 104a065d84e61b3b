/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* shape.h - the text of an event as a template, from which its fields and its format follow */
#ifndef SHAPE_SHAPE_H
#define SHAPE_SHAPE_H

#include <ktrail/file.h>

#include "base/str.h"
#include "shape/addresses.h"

#define SHAPE_FIELDS 24
#define SHAPE_PIECES 32
#define SHAPE_NAME   64			/* bytes of a field's name, with its NUL */

/* The type of a field and how it is printed; types.c has the words for templates. */
enum shape_type {
	SHAPE_INT, SHAPE_UINT, SHAPE_LONG, SHAPE_ULONG, SHAPE_HEX, SHAPE_POINTER, SHAPE_ARGUMENT,
	SHAPE_CPU, SHAPE_SYMBOL, SHAPE_STATE, SHAPE_DEVICE, SHAPE_ARGS,
	SHAPE_HIDDEN,			/* an int that is not in the text */
	SHAPE_COMM, SHAPE_TEXT, SHAPE_REST, SHAPE_STACK,
	/* only printed: a second form of an earlier field */
	SHAPE_SOFTIRQ, SHAPE_HANDLED,
	SHAPE_TYPES
};

struct shape_field {
	char name[SHAPE_NAME];
	enum shape_type type;
	uint16_t offset;
};

/* A literal text, then a field; the last piece may have none */
struct shape_piece {
	uint16_t literal, len;		/* in shape.literals */
	int16_t  field;			/* -1: none */
	enum shape_type type;
};

struct shape_template {
	struct shape_piece pieces[SHAPE_PIECES];
	size_t nr;
};

/*
 * "irq={irq:int} name={name:text}": a template names the fields of an event, in order, with their
 * types, between literal texts. Its record has these fields, its print format prints this text.
 * Other programs print some events differently, so an event can have a second template.
 */
struct shape {
	struct shape_field fields[SHAPE_FIELDS];
	size_t nr;
	struct shape_template templates[2];
	size_t nr_templates;
	struct str literals;
	size_t fixed;			/* bytes of a record before texts */
};

#define SHAPE_ARGS_NR 6

/* The values of one record, by field; unset ones are zero or "" */
struct shape_values {
	uint64_t number[SHAPE_FIELDS];
	struct kt_blob text[SHAPE_FIELDS];	/* borrowed */
	uint64_t args[SHAPE_ARGS_NR];
};

/* The first template of a zeroed shape, or the second one. 0, -EINVAL or -ENOMEM */
int  shape_add(struct shape *s, const char *text);
void shape_fini(struct shape *s);

/*
 * A shape for texts like this one, if it has any "name=value": its numbers and words become fields.
 * 0, -ENOENT, or -ENOMEM
 */
int shape_guess(struct shape *s, const char *text, size_t len);

/* Take the values from a text; false: neither template prints it. */
bool shape_match(const struct shape *s, const char *text, size_t len, struct addresses *symbols,
		 struct shape_values *v);

/* The fields of a record, after the common ones: false if it is longer than @max */
bool shape_put_record(const struct shape *s, const struct shape_values *v, size_t max,
		      struct str *rec);
/* The fields and the print format, as in the file "format" of an event, after its common fields */
void shape_put_format(const struct shape *s, struct str *to);

/* The index of a field, or -1 */
int shape_field(const struct shape *s, const char *name, size_t len);
bool shape_is_text(enum shape_type type);

#endif
