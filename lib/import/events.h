/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* events.h - the events of the output, created when the input first names them; their formats */
#ifndef IMPORT_EVENTS_H
#define IMPORT_EVENTS_H

#include <ktrail/writer.h>

#include "import/shape.h"

/* The system of unknown events: the text of a trace does not name one */
#define IMPORT_SYSTEM "imported"

struct import_event {
	uint16_t id;
	char *system, *name;		/* owned */
	struct shape shape;
	struct import_event *next;	/* the same event with another shape, for texts that this
					 * one does not match; the last one is a text alone */
	uint64_t nr;			/* records */
};

/* A zeroed one is empty. */
struct import_events {
	struct import_event **at;	/* by id - IMPORT_FIRST_ID */
	size_t nr, cap;
	struct keymap by_name;		/* of a hash of system and name: index */
};

#define IMPORT_FIRST_ID 1000
#define IMPORT_EVENTS	8192		/* at most */

void import_events_fini(struct import_events *e);

/* The event of that name; NULL: not made yet. @system NULL: IMPORT_SYSTEM */
struct import_event *import_events_find(struct import_events *e, const char *system,
					const char *name);
/* Create it with this template, and an optional second one. NULL: no memory, or too many */
struct import_event *import_events_add(struct import_events *e, const char *system,
				       const char *name, const char *text, const char *other);
/* The same, as one more shape of @of, the first shape; NULL: as the first one */
struct import_event *import_events_add_shape(struct import_events *e, struct import_event *of,
					     const char *system, const char *name,
					     const char *text);
/* Find it, or create it with its known shapes; NULL: no memory, or unknown */
struct import_event *import_events_known(struct import_events *e, const char *system,
					 const char *name);
/* Find it, or create it with the fields of this text. NULL: no memory, or too many */
struct import_event *import_events_guess(struct import_events *e, const char *name,
					 const char *text, size_t len);
/*
 * That name in IMPORT_SYSTEM with one text field, which is printed as it is. NULL: no memory, or
 * too many
 */
struct import_event *import_event_text(struct import_events *e, struct import_event *of);

/* All formats, as meta data of @w */
int import_events_write(struct import_events *e, struct kt_writer *w, struct kt_err *err);

#endif
