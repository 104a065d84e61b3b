/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* plugin.h - all that a formatter plugin sees of ktrail */
#ifndef KTRAIL_PLUGIN_H
#define KTRAIL_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A plugin is a shared object with one symbol, made by KT_PLUGIN(). It says how
 * events read in words: by phrases, which are data, by a function, or by both.
 * It links with nothing of ktrail; Documentation/plugins.md is the tutorial.
 *
 * New members go to the end of the structs; @size tells whether they are there.
 */
#define KT_PLUGIN_ABI 1			/* raised when a member changes meaning */

struct kt_record;			/* the event at hand; only for the calls below */
struct kt_out;				/* text under construction; likewise */

/* ---- phrases: texts with fields in them ---- */

/* A name for a value; a list of them ends with a NULL name */
struct kt_name {
	uint64_t    value;
	const char *name;
	uint64_t    mask;	/* flags: which bits say it; 0 means those of @value */
};

enum kt_table_kind {
	KT_TABLE_ENUM,		/* the value is one of them; else it is shown in decimal */
	KT_TABLE_FLAGS,		/* its bits are some of them: "A|B|0x80" */
	KT_TABLE_ENUM_HEX,	/* as ENUM, else in hex */
	/* Each character of a text is one of them: "RS" as "read sync"; @mask 1: only the first. */
	KT_TABLE_LETTERS,
};

/* A conversion of the plugin's own, used as "{field|name}" */
struct kt_table {
	const char           *name;
	enum kt_table_kind    kind;
	const struct kt_name *names;
};

/**
 * struct kt_phrase - how an event reads
 * @event: "system/event" or "system/prefix*suffix"
 * @text:  characters as they are, and
 *           {field}            the value as fits its type
 *           {field|as}         through a conversion, see below
 *           {field-other}      how much one is more than the other, signed; with |as, too
 *           {field:4-7}        those bits of it (the second at least 1); with |as, too
 *           {?field …}         what follows only if the field is not zero nor empty
 *           {!field …}         … only if it is
 *           {?field=2 …}       … only if it has that value; {!field=2 …}: another one
 *           {*}                all fields that the phrase does not name elsewhere and
 *                              that are not zero nor empty: " (node=1 order=2)"
 *           {* a b}            the same without these
 *           {{ and }}          braces
 *
 * Of several phrases for one event the first counts whose fields all exist and are
 * of a type that the conversion is for: so one plugin serves the formats of many
 * kernels. With {*} at its end a phrase loses nothing, whatever a kernel adds.
 *
 * Conversions: dec hex char text; bool; time (ns) time_us time_ms; seconds (a point
 * in time, ns); hz khz; bytes sectors pages; symbol (function+offset) address; errno
 * (of results: -ENOENT) error (of those: ENOENT); comm (of a pid: name:pid); dev (major:minor); mac
 * ipv4 ipv6 sockaddr (of bytes); hexdump; signal; kernel (the names that the event's own print
 * format has for this field); and the plugin's tables.
 */
struct kt_phrase {
	const char *event;
	const char *text;
};

/* ---- columns: values that views can show, sort and add up ---- */

/* What the number is, and in which unit it is handed on: of one event or of many added up. */
enum kt_column_kind {
	KT_COLUMN_NUMBER,	/* a count, a result, …: signed */
	KT_COLUMN_TIME_NS,	/* a span; signed: what comes too early is less than zero */
	KT_COLUMN_BYTES,	/* a size */
	KT_COLUMN_ADDRESS,	/* worth showing, but not adding up */
	KT_COLUMN_TIME_US,	/* the record has microseconds: the host makes it TIME_NS */
	KT_COLUMN_SECTORS,	/* the record has 512 bytes each: the host makes it BYTES */
};

struct kt_column {
	const char         *name;	/* a word, e.g. "latency" */
	const char         *event;	/* "system/event" or "system/prefix*suffix" */
	enum kt_column_kind kind;
	/* "field", "field-other" or "field:4-7" as in phrases; NULL: ask kt_plugin.column */
	const char         *field;
	const char         *summary;	/* what it means, in a few words */
};

/* ---- options: "-O plugin:option=value" ---- */

struct kt_plugin_option {
	const char *name;
	const char *value;		/* the default; "0" and "1" for switches */
	const char *summary;
};

/* ---- what the host offers ---- */

/**
 * struct kt_host - the calls of a plugin back into ktrail
 *
 * Fields are named as in the format file. The field_ calls return 0, or
 *   -ENOENT   this event has no such field
 *   -EINVAL   it is of another type
 *   -ENODATA  the record is too short for it
 *   -ERANGE   field_elem: beyond the end of the array
 * Borrowed strings and bytes are valid until format() returns.
 */
struct kt_host {
	uint32_t abi, size;
	int (*field_u64)(const struct kt_record *rec, const char *name, uint64_t *value);
	int (*field_i64)(const struct kt_record *rec, const char *name, int64_t *value);
	/* Text up to its NUL, not NUL-terminated; or the bytes of any field. */
	int (*field_text)(const struct kt_record *rec, const char *name, const char **text,
			  size_t *len);
	int (*field_bytes)(const struct kt_record *rec, const char *name, const void **bytes,
			   size_t *len);
	int (*field_elem)(const struct kt_record *rec, const char *name, size_t i, uint64_t *value);

	/* Name of the @i-th field and its type; without the common ones; NULL after the last. */
	const char *(*field_name)(const struct kt_record *rec, size_t i, const char **type);
	const char *(*system)(const struct kt_record *rec);
	const char *(*event)(const struct kt_record *rec);
	uint64_t    (*time_ns)(const struct kt_record *rec);
	int         (*cpu)(const struct kt_record *rec);
	int         (*pid)(const struct kt_record *rec);
	const char *(*comm)(const struct kt_record *rec, int pid);	/* "<...>" if unknown */
	const char *(*machine)(const struct kt_record *rec);	/* as uname -m, "" if unknown */
	/* Function that @addr lies in. -ENOENT. */
	int (*symbol)(const struct kt_record *rec, uint64_t addr, const char **name,
		      uint64_t *offset);

	/* Value of one of the plugin's options; NULL if it has none of that name. */
	const char *(*option)(const struct kt_host *host, const char *name);

	/* Append to the text. More than 4 KiB for one event is an overrun. */
	void (*print)(struct kt_out *out, const char *fmt, ...)
		__attribute__((format(printf, 2, 3)));
	void (*text)(struct kt_out *out, const char *text, size_t len);
	/* A value through a conversion. -ENOENT: no conversion of that name. */
	int (*value)(const struct kt_record *rec, struct kt_out *out, const char *as,
		     uint64_t value);
	/*
	 * A phrase. Each is compiled once and kept, so let there be few of them.
	 * -ENOENT: the event lacks one of its fields. -EINVAL: it is broken.
	 */
	int (*phrase)(const struct kt_record *rec, struct kt_out *out, const char *text);
	/* The text without plugins, for one that has only something to add to it. */
	void (*plain)(const struct kt_record *rec, struct kt_out *out);
};

/* ---- the plugin ---- */

#define KT_PLUGIN_PASS 1	/* format(): not for me, use the phrases or the plain text */

struct kt_plugin {
	uint32_t abi, size;			/* set by KT_PLUGIN(); checked before any call */
	const char *name, *summary;
	const char *const *events;		/* "system/event", "system/prefix*suffix";
						 * ends with NULL */
	/* Optional: what it returns is @self of the others; NULL is not a failure. */
	void *(*open)(const struct kt_host *host);
	/*
	 * Optional. Returns 0, KT_PLUGIN_PASS, or a negative errno: then the plain
	 * text is shown. Several threads may call it at a time: @self is read only.
	 */
	int   (*format)(void *self, const struct kt_host *host, const struct kt_record *rec,
			struct kt_out *out);
	void  (*close)(void *self);		/* optional */
	const struct kt_phrase *phrases;	/* optional; ends with a NULL event */
	const struct kt_table  *tables;		/* optional; ends with a NULL name */
	const struct kt_plugin_option *options;	/* optional; ends with a NULL name */
	const struct kt_column *columns;	/* optional; ends with a NULL name */
	/*
	 * Optional: value of a column that is not a field, in the unit of its kind; int64_t
	 * in the bits of @value where that is signed. Returns 0, or a negative errno: this
	 * record has none. Threads as for format().
	 */
	int   (*column)(void *self, const struct kt_host *host, const struct kt_record *rec,
			const char *name, uint64_t *value);
};

#define KT_PLUGIN(...) \
	extern const struct kt_plugin kt_plugin __attribute__((visibility("default"))); \
	const struct kt_plugin kt_plugin = { \
		.abi = KT_PLUGIN_ABI, .size = sizeof(struct kt_plugin), __VA_ARGS__ \
	}

#ifdef __cplusplus
}
#endif
#endif
