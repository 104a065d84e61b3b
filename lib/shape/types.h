/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* types.h - the types of fields in templates: how they are declared, printed and parsed */
#ifndef SHAPE_TYPES_H
#define SHAPE_TYPES_H

#include "shape/shape.h"

struct shape_word {
	const char *word;		/* in a template */
	const char *c_type, *array;	/* before and after the name, in a format */
	uint8_t size, align;		/* in the record */
	uint8_t declared;		/* size in the format */
	bool is_signed;
	const char *conversion, *print;	/* in the print format; '@' is the name */
};

extern const struct shape_word shape_types[SHAPE_TYPES];

#endif
