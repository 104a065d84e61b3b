/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* plug.h - internals of plugins, and the interface that the caller provides to them */
#ifndef PLUG_PLUG_H
#define PLUG_PLUG_H

#include <pthread.h>
#include <stdatomic.h>

#include <ktrail/event.h>

#include "base/str.h"

/* Access of plugins to a trace, implemented by the caller: this folder does not know the trace. */
struct plug_model {
	int (*field_u64)(const struct kt_event *ev, const struct kt_field *f,
			 const struct kt_record *rec, uint64_t *value);
	int (*field_bytes)(const struct kt_event *ev, const struct kt_field *f,
			   const struct kt_record *rec, struct kt_blob *value);
	int (*field_elem)(const struct kt_event *ev, const struct kt_field *f,
			  const struct kt_record *rec, size_t i, uint64_t *value);
	int (*symbol)(void *ctx, const struct kt_record *rec, uint64_t addr, struct kt_symbol *sym);
	int (*pid)(void *ctx, const struct kt_record *rec);
	int (*cpu)(void *ctx, const struct kt_record *rec);
	const char *(*comm)(void *ctx, int pid);
	const char *(*machine)(void *ctx);
	/* Appends the text of the event's print format */
	void (*plain)(void *ctx, const struct kt_event *ev, const struct kt_record *rec,
		      struct kt_out *out);
};

/* The plugins' view of one file: which plugin handles which event */
struct plug_view;

/* @p, @model, @ctx: borrowed. New (plug_view_destroy), NULL: no memory. */
struct plug_view *plug_view_create(struct kt_plugins *p, const struct plug_model *model, void *ctx);
void plug_view_destroy(struct plug_view *v);

/**
 * plug_format - append a plugin's text for the record
 *
 * Returns false and leaves @out unchanged if no plugin has a text: the caller then
 * prints the plain text. Thread-safe.
 */
bool plug_format(struct plug_view *v, const struct kt_event *ev, const struct kt_record *rec,
		 struct kt_out *out);

/* The @i-th column of the event, NULL after the last. Borrowed. Thread-safe. */
const struct kt_column *plug_column(struct plug_view *v, const struct kt_event *ev, size_t i);
/* The plugin that provides the columns; only for an event with columns. Borrowed. */
const char *plug_column_plugin(struct plug_view *v, const struct kt_event *ev);
/*
 * The value of the column in a record: ns for both kinds of time, bytes for both kinds of size.
 * 0, or a negative errno: the record has no value. Thread-safe.
 */
int plug_column_value(struct plug_view *v, const struct kt_event *ev, const struct kt_record *rec,
		      size_t i, uint64_t *value);

/* ---- private to lib/plug ---- */

#define PLUG_MAX_TEXT 4096		/* bytes that a plugin may print for one event */

struct plug_option {
	const char *name;		/* borrowed from the plugin */
	char *value;
};

/* kt_host comes first: the pointer that a plugin passes back is cast to this struct */
struct plugin {
	struct kt_host host;
	struct kt_plugin api;		/* a copy: members that an older plugin lacks are zero */
	struct kt_plugins *all;
	char *path;
	enum kt_plugin_origin origin;
	char *name;
	char *reason;
	bool used;
	void *handle;			/* of dlopen */
	void *self;
	struct plug_option *options;
	size_t nr_options;
	atomic_bool complained;
};

struct kt_plugins {
	struct plugin **list;		/* used ones in the order of priority, then the others */
	size_t nr;
	pthread_mutex_t lock;		/* protects @complaints */
	char **complaints;
	size_t nr_complaints;
};

/* One call of a plugin. @rec comes first: the plugin passes a pointer to it back. */
struct plug_call {
	struct kt_record rec;
	struct plug_view *view;
	const struct kt_event *ev;
	const struct plugin *plugin;
	struct plug_binding *binding;
};

struct plug_view {
	struct kt_plugins *plugins;
	const struct plug_model *model;
	void *ctx;
	_Atomic(struct plug_binding *) *bindings;	/* by event id; NULL: no record of it yet */
	pthread_mutex_t lock;			/* held while a binding is made */
};

struct plug_phrase;

/* A field, some of its bits, or its difference to another field */
struct plug_operand {
	const struct kt_field *field, *minus;
	uint8_t low, high;		/* bits; high 0: all of them */
};

struct plug_column {
	const struct kt_column *column;
	struct plug_operand what;	/* without a field: the plugin computes the value */
};

/* A phrase that a function of the plugin has used: compiled at the first use */
struct plug_cached {
	char *text;
	struct plug_phrase *phrase;	/* NULL: does not fit this event, see @error */
	int error;
	struct plug_cached *next;
};

/* How the records of one event are handled */
struct plug_binding {
	struct plugin *plugin;		/* NULL: no plugin handles them */
	struct plug_phrase *phrase;	/* may be NULL */
	struct plug_column *columns;	/* the plugin's columns for the event */
	size_t nr_columns;
	_Atomic(struct plug_cached *) cache;
};

/* find.c: the candidates, in order of priority */
int plug_find(struct kt_plugins *p, const struct kt_plugins_opts *opts, struct kt_err *err);
/*
 * The real path of the code at @path if it is safe to run: new. NULL: @why gives the reason.
 * Open only the returned path, as links on the original path could be changed.
 */
char *plug_safe_path(const char *path, char *why, size_t size);
/* Stores the reason why the plugin is used (0) or not (-EINVAL), also when memory runs out. */
int  plug_set_reason(struct plugin *pl, bool used, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* load.c: sets used, reason, and the rest. */
int  plug_load(struct plugin *pl, struct kt_err *err);
void plug_unload(struct plugin *pl);
/* options.c */
int plug_set_options(struct kt_plugins *p, const struct kt_plugins_opts *opts, struct kt_err *err);

/* host.c: the functions that plugins may call */
extern const struct kt_host plug_host;
/* Store an error of a plugin: only the first of each plugin. */
void plug_complain(struct plugin *pl, const struct kt_event *ev, const char *why);

/* field.c: NULL if the event has no field of this name */
const struct kt_field *plug_field(const struct kt_event *ev, const char *name, size_t len);
/* The bytes of a field; the caller cuts text at its NUL. 0 or -ENODATA. */
int plug_bytes(const struct plug_call *c, const struct kt_field *f, struct kt_blob *b);
/* "system/event", "system/prefix*suffix" */
bool plug_event_matches(const char *pattern, const struct kt_event *ev);

/* value.c: conversions. NULL: no such name. */
struct plug_conversion;
typedef void (*plug_print_fn)(const struct plug_call *c, const struct kt_field *f, uint64_t value,
			      struct str *s);
plug_print_fn plug_conversion(const char *name, size_t len);
/* Does it print the bytes of the field instead of its value? */
bool plug_converts_bytes(plug_print_fn fn);
/* Does the field have the size that the conversion needs? */
bool plug_conversion_fits(plug_print_fn fn, const struct kt_field *f);
void plug_print_field(const struct plug_call *c, const struct kt_field *f, struct str *s);
/* @f: NULL if the value is computed from the field. */
void plug_print_name(const struct kt_table *t, const struct kt_field *f, uint64_t value,
		     struct str *s);
const struct kt_table *plug_table(const struct plugin *pl, const char *name, size_t len);

/* value.c: "ENOENT" for 2 on the recording machine; NULL: not known. */
const char *plug_error(const struct plug_view *v, int error);

/* numbers.c: "ENOENT" for 2, "KILL" for 9; NULL: no name. */
const char *plug_errno_name(int err);
const char *plug_signal_name(int sig);

/* value_bytes.c: conversions of bytes; they ignore the value */
void plug_print_text(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		     struct str *s);
void plug_print_mac(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		    struct str *s);
void plug_print_ipv4(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		     struct str *s);
void plug_print_ipv6(const struct plug_call *c, const struct kt_field *f, uint64_t value,
		     struct str *s);
void plug_print_sockaddr(const struct plug_call *c, const struct kt_field *f, uint64_t value,
			 struct str *s);
void plug_print_hexdump(const struct plug_call *c, const struct kt_field *f, uint64_t value,
			struct str *s);
void plug_print_letters(const struct plug_call *c, const struct kt_field *f,
			const struct kt_table *t, struct str *s);

/* kernel.c: the names of a field's values in a print format; NULL: none. New (plug_names_free). */
struct kt_table *plug_kernel_names(const struct kt_event *ev, const char *field, size_t len);
void plug_names_free(struct kt_table *t);
/* Does the print format show the field in hex: "name=0x%lx", "name: %#x"? */
bool plug_kernel_hex(const struct kt_event *ev, const char *field, size_t len);

/* operand.c */
size_t plug_name_length(const char *p);
/* Returns the number of characters read, or -EINVAL; @o->field is NULL if a field is missing. */
int plug_operand_parse(const struct kt_event *ev, const char *text, struct plug_operand *o);
/* Returns 0, or as kt_field_u64(); signed fields are extended to 64 bits. */
int plug_operand_get(const struct plug_call *c, const struct plug_operand *o, uint64_t *value);

/* phrase.c: @text for the fields of @ev. New; NULL with -ENOENT (a field is missing), -EINVAL. */
struct plug_phrase *plug_phrase_compile(const struct plugin *pl, const struct kt_event *ev,
					const char *text, int *error);
void plug_phrase_free(struct plug_phrase *p);
/* Returns 0, or -ENODATA if the record is too short for one of its fields. */
int plug_phrase_print(const struct plug_phrase *p, const struct plug_call *c, struct str *s);

#endif
