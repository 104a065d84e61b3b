/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* plugin.h - the whole interface between a formatter plugin and ktrail */
#ifndef KTRAIL_PLUGIN_H
#define KTRAIL_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A plugin is a shared object with one symbol, made by KT_PLUGIN(). It defines the text of
 * events by phrases, which are data, by a function, or by both.
 * It does not link with ktrail; Documentation/plugins.md is the tutorial.
 *
 * New members are added at the end of the structs; @size tells whether they exist.
 */
#define KT_PLUGIN_ABI 1			/* incremented when the meaning of a member changes */

struct kt_record;			/* the current event; only for the calls below */
struct kt_out;				/* text under construction; likewise */

/* ---- phrases: texts with fields in them ---- */

/* A name for a value; a list of them ends with a NULL name */
struct kt_name {
	uint64_t    value;
	const char *name;
	uint64_t    mask;	/* flags: the bits that it covers; 0: those of @value */
};

enum kt_table_kind {
	KT_TABLE_ENUM,		/* the value is one of them; others are shown in decimal */
	KT_TABLE_FLAGS,		/* a set of bits: "A|B|0x80" */
	KT_TABLE_ENUM_HEX,	/* like ENUM, but others are shown in hex */
	/* Each character of a text has a name: "RS" as "read sync"; @mask 1: only the first one. */
	KT_TABLE_LETTERS,
};

/* A conversion of the plugin's own, used as "{field|name}" */
struct kt_table {
	const char           *name;
	enum kt_table_kind    kind;
	const struct kt_name *names;
};

/**
 * struct kt_phrase - the text of an event
 * @event: "system/event" or "system/prefix*suffix"
 * @text:  characters, which are copied, and
 *           {field}            the value in the format of its type
 *           {field|as}         the value through a conversion, see below
 *           {field-other}      the difference of two fields, signed; also with |as
 *           {field:4-7}        these bits (the second at least 1); also with |as
 *           {?field …}         the text … only if the field is neither zero nor empty
 *           {!field …}         the text … only if it is
 *           {?field=2 …}       … only if it has that value; {!field=2 …}: another value
 *           {*}                all fields that the phrase does not use elsewhere and
 *                              that are neither zero nor empty: " (node=1 order=2)"
 *           {* a b}            the same without these
 *           {{ and }}          braces
 *
 * Of several phrases for one event, the first one whose fields all exist with a type
 * that fits the conversion is used: so one plugin serves the formats of many
 * kernels. A phrase with {*} at its end shows all fields, including those of future kernels.
 *
 * Conversions: dec hex char text; bool; time (ns) time_us time_ms; seconds (a point
 * in time, ns); hz khz; bytes sectors pages; symbol (function+offset) address; errno
 * (of results: -ENOENT) error (positive: ENOENT); comm (of a pid: name:pid); dev (major:minor); mac
 * ipv4 ipv6 sockaddr (of bytes); hexdump; signal; kernel (the names in the event's own print
 * format for this field); and the plugin's tables.
 */
struct kt_phrase {
	const char *event;
	const char *text;
};

/* ---- columns: values that views can show, sort and sum up ---- */

/* The meaning and the unit of the number, for one event or the sum of many. */
enum kt_column_kind {
	KT_COLUMN_NUMBER,	/* a count, a result, …: signed */
	KT_COLUMN_TIME_NS,	/* a duration; signed: negative means too early */
	KT_COLUMN_BYTES,	/* a size */
	KT_COLUMN_ADDRESS,	/* shown, but not summed up */
	KT_COLUMN_TIME_US,	/* the record has microseconds: the host converts it to TIME_NS */
	KT_COLUMN_SECTORS,	/* the record has units of 512 bytes: the host makes it BYTES */
};

struct kt_column {
	const char         *name;	/* a word, e.g. "latency" */
	const char         *event;	/* "system/event" or "system/prefix*suffix" */
	enum kt_column_kind kind;
	/* "field", "field-other" or "field:4-7" as in phrases; NULL: ask kt_plugin.column */
	const char         *field;
	const char         *summary;	/* its meaning in a few words */
};

/* ---- options: "-O plugin:option=value" ---- */

struct kt_plugin_option {
	const char *name;
	const char *value;		/* the default; "0" and "1" for switches */
	const char *summary;
};

/* ---- functions of the host ---- */

/**
 * struct kt_host - the functions of ktrail that a plugin may call
 *
 * Fields are named as in the format file. The field_ calls return 0, or
 *   -ENOENT   this event has no such field
 *   -EINVAL   it has a different type
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

	/* Name and type of the @i-th field, without the common ones; NULL after the last. */
	const char *(*field_name)(const struct kt_record *rec, size_t i, const char **type);
	const char *(*system)(const struct kt_record *rec);
	const char *(*event)(const struct kt_record *rec);
	uint64_t    (*time_ns)(const struct kt_record *rec);
	int         (*cpu)(const struct kt_record *rec);
	int         (*pid)(const struct kt_record *rec);
	const char *(*comm)(const struct kt_record *rec, int pid);	/* "<...>" if unknown */
	const char *(*machine)(const struct kt_record *rec);	/* like uname -m, "" if unknown */
	/* The function that contains @addr. -ENOENT. */
	int (*symbol)(const struct kt_record *rec, uint64_t addr, const char **name,
		      uint64_t *offset);

	/* Value of one of the plugin's options; NULL if there is no such option. */
	const char *(*option)(const struct kt_host *host, const char *name);

	/* Append to the text. More than 4 KiB for one event is an error. */
	void (*print)(struct kt_out *out, const char *fmt, ...)
		__attribute__((format(printf, 2, 3)));
	void (*text)(struct kt_out *out, const char *text, size_t len);
	/* Append a value through a conversion. -ENOENT: no such conversion. */
	int (*value)(const struct kt_record *rec, struct kt_out *out, const char *as,
		     uint64_t value);
	/*
	 * Append a phrase. Each different one is compiled once and kept, so use only a few.
	 * -ENOENT: the event lacks one of its fields. -EINVAL: a syntax error.
	 */
	int (*phrase)(const struct kt_record *rec, struct kt_out *out, const char *text);
	/* Append the text without plugins, for plugins that only add to it. */
	void (*plain)(const struct kt_record *rec, struct kt_out *out);
};

/* ---- the plugin ---- */

#define KT_PLUGIN_PASS 1	/* format(): not handled, use the phrases or the plain text */

struct kt_plugin {
	uint32_t abi, size;			/* set by KT_PLUGIN(); checked before any call */
	const char *name, *summary;
	const char *const *events;		/* "system/event", "system/prefix*suffix";
						 * ends with NULL */
	/* Optional: the result is @self of the other functions; NULL is not a failure. */
	void *(*open)(const struct kt_host *host);
	/*
	 * Optional. Returns 0, KT_PLUGIN_PASS, or a negative errno: then the plain
	 * text is shown. Several threads may call it at the same time: @self is read-only.
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
	 * stored in @value if it is signed. Returns 0, or a negative errno: this
	 * record has no value. Threads as for format().
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
