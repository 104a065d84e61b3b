/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* events.h - internals of struct kt_events, shared by the code that decodes and prints */
#ifndef FORMAT_EVENTS_H
#define FORMAT_EVENTS_H

#include <ktrail/event.h>

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include <traceevent/event-parse.h>

#include "base/bytes.h"
#include "base/out.h"
#include "format/format.h"
#include "format/tep_safe.h"

struct event;
struct line;

/* Appends the text of one record. Reads only members of the event that parsing has set. */
typedef void (*event_text_fn)(struct kt_events *evs, const struct event *ev,
			      const struct kt_record *rec, struct kt_out *out);

enum printer_kind {
	PRINTER_PROGRAM,		/* the print format, compiled */
	PRINTER_TEP,			/* libtraceevent: a plugin, or a format not compiled */
	PRINTER_BUILTIN,		/* a formatter in C */
	PRINTER_STACK,			/* builtin_stack(), which can cache the lines of frames */
	PRINTER_RAW,			/* " name=value …" */
	PRINTER_FAILED,			/* "[FAILED TO PARSE] name=value …" */
};

/* A way to print an event; printer_put() calls it with each record */
struct printer {
	enum printer_kind  kind;
	event_text_fn      put;		/* prints a record of at least @min_size bytes */
	event_text_fn      put_short;	/* prints a shorter one; NULL if @min_size is 0 */
	uint32_t           min_size;
	const struct line *line;	/* the pieces that @put prints; NULL: not known. Borrowed */
};

/* A parsed format. Immutable once other threads can see it. */
struct event {
	struct kt_event   pub;		/* first: a pointer to either is cast to the other type */
	struct tep_event *tep;
	struct printer    text;		/* a formatter or plugin, else the same as @plain */
	struct printer    plain;	/* the print format */
	const void       *priv;		/* of a formatter in C: the places of its fields; owned */
	struct line      *line;		/* for builtin_line_text(); owned */
	uint32_t          min_size;	/* size of a record with all fixed fields */
	struct tep_lengths lengths;	/* for tep_plain */
	const char       *wrong;	/* why the print format could not be parsed, or NULL */
	struct raw_field *raw;		/* printer/raw.c: one per field of its own */
	const char       *why_not;	/* why the print format is not compiled; NULL if it is */
};

/* A format of the file, parsed or not */
struct event_slot {
	struct kt_event_source source;	/* borrowed */
	const char *name;		/* borrowed from the text */
	size_t      name_len;
	size_t      end_of_id;		/* end of name and id in the text */
	uint16_t    id;
	_Atomic(struct event *) event;	/* NULL: not parsed yet; &evs->broken: unparseable */
};

/* Copies the name to @buf as a string; false if @buf is too small */
static inline bool event_slot_name(const struct event_slot *slot, char *buf, size_t size)
{
	if (slot->name_len >= size)
		return false;
	memcpy(buf, slot->name, slot->name_len);
	buf[slot->name_len] = 0;
	return true;
}

#define LINUX(major, minor) ((uint32_t)(major) << 16 | (minor))

struct kt_events {
	struct kt_file    *file;	/* borrowed, may be NULL */
	struct kt_symbols *symbols;	/* borrowed, may be NULL */
	struct kt_symbols **other;	/* by source of a record, instead of @symbols; or NULL */
	size_t nr_other;
	struct kt_symbols *printing;	/* the symbols for libtraceevent's current call */
	bool big_endian, swap;
	int  long_size;			/* of the recording kernel */
	const struct syscall_table *syscalls;	/* of the recording machine; NULL: not known */
	uint32_t version;		/* of the recording kernel: LINUX(6, 19); 0: not known */

	size_t nr_slots;
	struct event_slot *slots;	/* if @blk_text, there is one more, for the blk tracer */
	char *blk_text;			/* its format; owned */
	uint32_t *slot_of;		/* by id: index into @slots + 1, 0 if there is none */
	_Atomic(struct event *) *by_id;	/* the slot's event, for a faster lookup */

	struct format_place type, flags, preempt, pid;	/* of the common fields */

	/* libtraceevent is not thread-safe: use its handle only with this lock held */
	pthread_mutex_t lock;
	struct tep_handle *tep;		/* made when first needed */
	uint32_t nr_parsed;		/* formats that @tep has parsed */
	struct trace_seq  *seq;
	uint8_t *scratch;		/* a record, padded against reads past its end */
	struct tep_plugins *plugins;

	/* Name of the task with that pid; NULL if not known. @comm itself may be NULL */
	const char *(*comm)(void *data, int pid);
	void *comm_data;

	struct kt_events_opts opts;	/* @opts.options is not used */
	char  **options;
	size_t  nr_options;
	struct event broken;		/* used for formats that cannot be parsed */
};

/* The formats of the file, and that of the blk tracer */
static inline size_t events_nr_formats(const struct kt_events *evs)
{
	return evs->nr_slots + (evs->blk_text != NULL);
}

static inline const struct event *to_event(const struct kt_event *ev)
{
	return (const struct event *)ev;
}

static inline void printer_put(const struct printer *p, struct kt_events *evs,
			       const struct event *ev, const struct kt_record *rec,
			       struct kt_out *out)
{
	(rec->size >= p->min_size ? p->put : p->put_short)(evs, ev, rec, out);
}

/* Prints with the print format only */
static inline void plain_text(struct kt_events *evs, const struct event *ev,
			      const struct kt_record *rec, struct kt_out *out)
{
	printer_put(&ev->plain, evs, ev, rec, out);
}

/* The symbols for the addresses in a record, or NULL */
static inline struct kt_symbols *events_symbols(const struct kt_events *evs,
						const struct kt_record *rec)
{
	return rec->source < evs->nr_other && evs->other[rec->source] ? evs->other[rec->source] :
	       evs->symbols;
}

/* fields.c - build the fields from the library's lists */
int  fields_build(struct event *ev, struct kt_blob format);
void fields_free(struct event *ev);
/* Where the bytes of a field are; text includes all bytes after its NUL. Like kt_field_bytes(). */
int  field_locate(const struct kt_event *ev, const struct kt_field *f,
		  const struct kt_record *rec, struct kt_blob *value);

#endif
