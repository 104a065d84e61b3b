/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* events.h - the events of the output, created when the input first names them; their formats */
#ifndef SHAPE_EVENTS_H
#define SHAPE_EVENTS_H

#include <ktrail/writer.h>

#include "shape/shape.h"

/* The system of unknown events: the text of a trace does not name one */
#define SHAPE_SYSTEM "imported"

struct shape_event {
	uint16_t id;
	char *system, *name;		/* owned */
	struct shape shape;
	struct shape_event *next;	/* the same event with another shape, for texts that do not
					 * match this one; the last one is a text alone */
	uint64_t nr;			/* records */
};

/* A zeroed one is empty. */
struct shape_events {
	struct shape_event **at;	/* by id - SHAPE_FIRST_ID */
	size_t nr, cap;
	struct keymap by_name;		/* of a hash of system and name: index */
};

#define SHAPE_FIRST_ID 1000
#define SHAPE_EVENTS	8192		/* at most */

void shape_events_fini(struct shape_events *e);

/* The event of that name; NULL: not created yet. @system NULL: SHAPE_SYSTEM */
struct shape_event *shape_events_find(struct shape_events *e, const char *system,
					const char *name);
/* Create it with this template, and an optional second one. NULL: no memory, or too many */
struct shape_event *shape_events_add(struct shape_events *e, const char *system,
				       const char *name, const char *text, const char *other);
/* The same, as one more shape of @of, its first shape. @of NULL: a new event */
struct shape_event *shape_events_add_shape(struct shape_events *e, struct shape_event *of,
					     const char *system, const char *name,
					     const char *text);
/* Find it, or create it with its known shapes; NULL: no memory, or unknown */
struct shape_event *shape_events_known(struct shape_events *e, const char *system,
					 const char *name);
/* Find it, or create it with the fields of this text. NULL: no memory, or too many */
struct shape_event *shape_events_guess(struct shape_events *e, const char *name,
					 const char *text, size_t len);
/*
 * That name in SHAPE_SYSTEM with one text field, which is printed as it is. NULL: no memory, or
 * too many
 */
struct shape_event *shape_event_text(struct shape_events *e, struct shape_event *of);

/* All formats, as meta data of @w */
int shape_events_write(struct shape_events *e, struct kt_writer *w, struct kt_err *err);

#endif
