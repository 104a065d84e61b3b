/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* event.h - decode the bytes of a record: events, fields, typed values, text */
#ifndef KTRAIL_EVENT_H
#define KTRAIL_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/base.h>
#include <ktrail/file.h>
#include <ktrail/stream.h>
#include <ktrail/symbols.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kt_events;		/* the event formats of one file */

enum kt_field_flag {
	KT_FIELD_SIGNED   = 1 << 0,
	KT_FIELD_ARRAY    = 1 << 1,	/* fixed array in the record */
	KT_FIELD_DYNAMIC  = 1 << 2,	/* __data_loc: u32 of offset | length << 16 */
	KT_FIELD_RELATIVE = 1 << 3,	/* __rel_loc: the offset counts from the end of the field */
	KT_FIELD_STRING   = 1 << 4,	/* text, NUL-terminated unless truncated */
	KT_FIELD_POINTER  = 1 << 5,	/* an address of the recording kernel */
	KT_FIELD_LONG     = 1 << 6,	/* declared as long: as wide as the kernel's long */
};

struct kt_field {
	const char *name;		/* all strings: borrowed until the events are destroyed */
	const char *type;		/* as the kernel declares it, e.g. "unsigned int" */
	uint32_t    offset;		/* in the record, bytes */
	uint32_t    size;		/* in the record, bytes; for a fixed array, the whole */
	uint32_t    elem_size;		/* of one array element; == size for a single value */
	uint32_t    nr_elems;		/* of a fixed array; 0 if dynamic, or not an array. For an
					 * array of strings of a probe: each string has a
					 * __data_loc of 4 bytes */
	uint32_t    flags;		/* enum kt_field_flag */
};

struct kt_event {
	uint16_t    id;
	const char *system, *name;
	const char *print_fmt;		/* the text after "print fmt: " */
	size_t      nr_common, nr_fields;
	const struct kt_field *common;	/* common_type, common_flags … */
	const struct kt_field *fields;	/* the event's own, in order of the format file */
	const struct kt_events *events;	/* back-pointer */
	struct kt_program *program;	/* private: the compiled print format, NULL until needed */
};

/**
 * kt_events_create - the event formats of a file; none is parsed yet
 *
 * @symbols: borrowed; used to print addresses, may be NULL
 * Returns new (kt_events_destroy). Reading threads may share it: formats are
 * parsed with a lock held when an id is first needed; later look-ups take no lock.
 */
struct kt_events *kt_events_create(struct kt_file *file, struct kt_symbols *symbols,
				   struct kt_err *err);
void kt_events_destroy(struct kt_events *evs);
/* NULL for events that do not belong to a file. */
struct kt_file *kt_events_file(const struct kt_events *evs);

/* Formats from a source other than a file, e.g. those of the running kernel */
struct kt_events_origin {
	bool   big_endian;		/* of the records */
	int    long_size;		/* of the kernel: 4 or 8 */
	size_t nr;			/* number of formats */
	/* The @i-th: borrowed, valid as long as the events. */
	const struct kt_event_source *(*at)(void *data, size_t i);
	void  *data;			/* passed to @at */
};

struct kt_events *kt_events_create_from(const struct kt_events_origin *origin,
					struct kt_symbols *symbols, struct kt_err *err);

struct kt_events_opts {
	bool no_plugins;		/* only print formats, neither plugins nor formatters */
	bool local_plugins;		/* only the user's own plugins, not the system's */
	bool exact;			/* reproduce failures of libtraceevent 1.7.1: %c, sizeof */
	bool kernel;			/* print %p like the kernel's trace file */
	bool nanoseconds, raw_times;	/* format of times in a text, as in the time column */
	const char *const *options;	/* of plugins, "name" or "plugin:name=value"; ends with
					 * NULL */
};

/**
 * kt_events_set_opts - choose what kt_event_text() uses besides the print formats
 * @opts: copied
 *
 * Plugins of libtraceevent are searched in the system's folder, TRACEEVENT_PLUGIN_DIR and
 * ~/.local/lib/traceevent/plugins. Files and folders that users other than root and the
 * caller can write to are ignored; so is the home folder under sudo.
 * -EBUSY: an event was already used.
 */
int kt_events_set_opts(struct kt_events *evs, const struct kt_events_opts *opts,
		       struct kt_err *err);

/* A plugin of libtraceevent that was found; strings are borrowed */
struct kt_events_plugin {
	const char *path;
	bool loaded;
	const char *reason;		/* why it was not loaded; "" if it was */
	bool own;			/* of the user or TRACEEVENT_PLUGIN_DIR: has priority over
					 * our formatters */
	bool replaced;			/* not loaded: our formatters print the same */
};

struct kt_events_option {
	const char *plugin, *name, *value, *summary;
};

/* The @i-th plugin found, false after the last. */
bool kt_events_plugin(struct kt_events *evs, size_t i, struct kt_events_plugin *info);
/* Its @nr-th option, false after the last. */
bool kt_events_plugin_option(struct kt_events *evs, size_t i, size_t nr,
			     struct kt_events_option *o);
/* Does a plugin have this option, "name" or "plugin:name=value"? */
bool kt_events_has_option(struct kt_events *evs, const char *option);

/**
 * kt_events_replaced - list the events that are not printed by their print format
 *
 * A plugin of libtraceevent prints them, or a formatter that replaces it.
 * In the order of the file; parses all formats.
 */
void kt_events_replaced(struct kt_events *evs, void (*tell)(const struct kt_event *ev));

/* NULL if unknown or its format cannot be parsed. Borrowed. */
const struct kt_event *kt_events_by_id(struct kt_events *evs, unsigned int id);
/* @system may be NULL: first match in file order. */
const struct kt_event *kt_events_by_name(struct kt_events *evs, const char *system,
					 const char *name);
/* In the order of the file; parses each. Skip NULL (formats that cannot be parsed). */
size_t kt_events_nr(struct kt_events *evs);
const struct kt_event *kt_events_at(struct kt_events *evs, size_t i);

/* Own fields first, then common ones; NULL if there is no such field. Not for hot paths. */
const struct kt_field *kt_event_field(const struct kt_event *ev, const char *name);

/*
 * Typed values. @ev and @f belong together; the record is bounds-checked.
 *   0         and the value
 *   -EINVAL   the field is not a number
 *   -ENODATA  the record is too short for it
 */
int kt_field_u64(const struct kt_event *ev, const struct kt_field *f,
		 const struct kt_record *rec, uint64_t *value);
int kt_field_i64(const struct kt_event *ev, const struct kt_field *f,
		 const struct kt_record *rec, int64_t *value);
/* Bytes of the field, dynamic or not; text is cut at its NUL. Borrowed from the record. */
int kt_field_bytes(const struct kt_event *ev, const struct kt_field *f,
		   const struct kt_record *rec, struct kt_blob *value);
/* Element @i of an array, as a number. -ERANGE beyond its end. */
int kt_field_elem(const struct kt_event *ev, const struct kt_field *f,
		  const struct kt_record *rec, size_t i, uint64_t *value);

/* Common fields of every record, at their places in the formats of the file. */
int32_t kt_record_pid(const struct kt_events *evs, const struct kt_record *rec);
uint8_t kt_record_flags(const struct kt_events *evs, const struct kt_record *rec);

/*
 * The name of a system call by its number on the recording machine (x86_64, arm64,
 * riscv64, loongarch64; calls of 32-bit programs have other numbers). NULL: not known
 */
const char *kt_syscall_name(const struct kt_events *evs, uint64_t nr);
uint8_t kt_record_preempt(const struct kt_events *evs, const struct kt_record *rec);

/**
 * kt_event_text - append the event's text
 *
 * Uses a formatter or plugin if the event has one, otherwise the
 * kernel's print format. Bytes from the trace are not escaped: the text
 * layer escapes them if its output is for a terminal. A newline at the end of the
 * print format is kept. Never fails: data that cannot be decoded is shown as
 * "[FAILED TO PARSE] field=value …". Thread-safe. ftrace's function and
 * function_graph events depend on the records around them: see ktrail/text.h.
 */
void kt_event_text(struct kt_events *evs, const struct kt_event *ev,
		   const struct kt_record *rec, struct kt_out *out);
/* The same with the print format only, without formatters and plugins (report -N). */
void kt_event_plain(struct kt_events *evs, const struct kt_event *ev,
		    const struct kt_record *rec, struct kt_out *out);
/*
 * Is the print format compiled? Otherwise the slower libtraceevent prints the event.
 * The reason in a few words; "" if it is compiled.
 */
bool kt_event_is_compiled(const struct kt_event *ev);
const char *kt_event_why_not(const struct kt_event *ev);

/* The fields as " name=value …", like report -R. */
void kt_event_raw(struct kt_events *evs, const struct kt_event *ev,
		  const struct kt_record *rec, struct kt_out *out);

#ifdef __cplusplus
}
#endif
#endif
