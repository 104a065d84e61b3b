/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* json_plan.h - what the lines of an event have in common in JSON, as steps */
#ifndef MODEL_JSON_PLAN_H
#define MODEL_JSON_PLAN_H

#include "model/events.h"
#include "model/program.h"

enum json_kind {
	/* values of fields */
	JSON_NONE,		/* the event has no field */
	JSON_OTHER, JSON_SIGNED, JSON_UNSIGNED, JSON_POINTER, JSON_COMM,
	/* conversions of the print format */
	JSON_AGAIN,		/* shows what field @known does … */
	JSON_AGAIN_COMM,	/* … without its quotes */
	JSON_AGAIN_POINTER,	/* … the same of a text of @least bytes and more */
	JSON_AGAIN_HEX,		/* … and without its 0x */
	JSON_HEX,		/* a number of the record, of @least digits */
	JSON_OWN,
	JSON_END,		/* the line ends behind the literal */
};

/* Literal text, then a value */
struct json_step {
	uint8_t  kind;			/* enum json_kind */
	uint8_t  known;			/* index of a field */
	uint8_t  least;
	uint32_t len;
	const char *literal;		/* in json_plan.text, with PUT_SLACK bytes behind it */
	struct word word;		/* a number of the record; it has that if it has all fixed fields */
	const struct step *own;		/* of the print format */
};

/*
 * All between flags and text, and the text itself where that is made of numbers
 * and of what JSON takes as it is: most of them stand in the fields already.
 */
struct json_plan {
	struct json_step *fields;	/* one for each, or a JSON_NONE */
	struct json_step *info;		/* up to a JSON_END; NULL: @text of the event has to be asked */
	size_t nr_fields;
	uint32_t min_size;		/* records that are shorter do not have all of the fields */
	bool   swap;			/* numbers are in the other byte order */
	bool   safe;			/* @text shows but numbers and names of tasks, all of them fields */
	struct str text;		/* all literals, */
	size_t placed;			/* up to here those of a step */
	size_t room;			/* for all of it, less what is JSON_OTHER */
};

#define JSON_HEAD  80			/* bytes of the first literal that are copied in any case */
#define JSON_KNOWN 32			/* fields that @known may name; with more no record has all */

/* New (json_plan_destroy), NULL: no memory. @text: what makes the text of @ev, or NULL */
struct json_plan *json_plan_create(const struct event *ev, event_text_fn text);
void json_plan_destroy(struct json_plan *plan);

#endif
