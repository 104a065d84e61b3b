/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* json_plan.h - what the lines of an event have in common in JSON, as pieces */
#ifndef TEXT_JSON_PLAN_H
#define TEXT_JSON_PLAN_H

#include "format/events.h"
#include "printer/line.h"

/*
 * All behind the flags. The pieces stand for records that have all fixed fields
 * and texts that JSON takes as they are: of any other one says so, with NULL.
 */
struct json_plan {
	struct line line;		/* behind the head */
	struct str  head;		/* all before the first value,
					 * JSON_HEAD bytes of memory */
	size_t event_len;		/* of that, up to the first field */
	size_t room;			/* for head and line */
	uint32_t min_size;		/* shorter records do not have all that the pieces show */
	uint32_t usual_size;		/* with fewer bytes, or a longer head, a line needs care */
};

#define JSON_HEAD 96			/* bytes of the head that are copied in any case */

/* New (json_plan_destroy), NULL: no memory. @printer: of all its text, or NULL */
struct json_plan *json_plan_create(const struct event *ev, const struct printer *printer,
				   bool usual);
void json_plan_destroy(struct json_plan *plan);

/* json.c: pieces. Their input is the first member of a struct json_context. */
piece_fn json_put_comm;			/* the name of a task at @offset */
piece_fn json_put_other;		/* the field with the number @value */
piece_fn json_put_checked;		/* what @part writes, which may be anything … */
piece_fn json_put_nothing;		/* … and ends with this */
piece_fn json_put_text;			/* all of the text with its last quote,
					 * latency and columns */
piece_fn json_put_end;

#endif
