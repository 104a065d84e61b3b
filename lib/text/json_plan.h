/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* json_plan.h - the common parts of an event's JSON lines, as pieces */
#ifndef TEXT_JSON_PLAN_H
#define TEXT_JSON_PLAN_H

#include "format/events.h"
#include "printer/line.h"

/*
 * Everything after the flags. The pieces handle records with all fixed fields
 * and texts without escapes. For any other record they return NULL.
 */
struct json_plan {
	struct line line;		/* after the head */
	struct str  head;		/* all before the first value; JSON_HEAD bytes of memory */
	size_t event_len;		/* length of the head up to the first field */
	size_t room;			/* of head and line */
	uint32_t min_size;		/* shorter records lack some of the fields */
	uint32_t usual_size;		/* shorter records, or longer heads, take the slow path */
};

#define JSON_HEAD 96			/* bytes of the head that are always copied */

/* New (json_plan_destroy), NULL: no memory. @printer: of the whole text, or NULL */
struct json_plan *json_plan_create(const struct event *ev, const struct printer *printer,
				   bool usual);
void json_plan_destroy(struct json_plan *plan);

/* json.c: pieces. Their input is the first member of a struct json_context. */
piece_fn json_put_comm;			/* the name of a task at @offset */
piece_fn json_put_other;		/* the field with the number @value */
piece_fn json_put_checked;		/* the output of @part, which may need escapes */
piece_fn json_put_nothing;		/* the end of @part */
piece_fn json_put_text;			/* the whole text with its closing quote, latency,
					 * columns */
piece_fn json_put_end;

#endif
