/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* event.h - decode the bytes of a record: events, fields, text, symbols; load plugins */
#ifndef KTRAIL_EVENT_H
#define KTRAIL_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/base.h>
#include <ktrail/file.h>
#include <ktrail/plugin.h>
#include <ktrail/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ==== symbols for addresses of the recording kernel ==== */

struct kt_symbols;

#define KT_SYMBOL_MAX 1023		/* longest name, beyond the kernel's limit; longer ones, in
					 * forged files, are ignored */

struct kt_symbol {
	uint64_t    addr;	/* of its first byte */
	const char *name;	/* borrowed until the symbols are destroyed; NUL-terminated */
	const char *module;	/* "" for the kernel itself */
};

/**
 * kt_symbols_create - the symbols of a file, or an empty set
 * @file: borrowed; NULL: only symbols of kt_symbols_add_text()
 *
 * kallsyms and printk_formats are parsed at the first look-up. Thread-safe,
 * look-ups take no lock. New (kt_symbols_destroy).
 */
struct kt_symbols *kt_symbols_create(struct kt_file *file, struct kt_err *err);
void kt_symbols_destroy(struct kt_symbols *syms);

/* Parse now, e.g. in a separate thread while the first records are read. */
void kt_symbols_prepare(struct kt_symbols *syms);

/**
 * kt_symbols_start - parse in the background, for callers that must not wait
 *
 * From now on a look-up never blocks: until parsing ends, addresses have no names. Call it before
 * other threads look anything up. kt_symbols_destroy() waits for the thread, for about 10 ms at
 * most. 0, or -EAGAIN: no thread could be started, so the first look-up parses.
 */
int kt_symbols_start(struct kt_symbols *syms, struct kt_err *err);
/* Wait at most @most_ms for the end of parsing. Returns whether it has ended. Parses now if
 * kt_symbols_start() was not called. */
bool kt_symbols_wait(struct kt_symbols *syms, unsigned int most_ms);

/*
 * Add symbols in kallsyms form ("ffffffff81000000 T _text [module]" on each line).
 * Copied. Only before the first look-up: -EBUSY.
 */
int kt_symbols_add_text(struct kt_symbols *syms, const char *text, size_t size,
			struct kt_err *err);

/* Use these modules, in the form of /proc/modules, instead of those of the file. Also only before
 * the first look-up. */
int kt_symbols_add_modules(struct kt_symbols *syms, const char *text, size_t size,
			   struct kt_err *err);

/**
 * kt_symbols_find - the symbol that contains @addr
 *
 * Returns 1 and the symbol, or 0. Of several at one address: the first in
 * the order of kallsyms. The last symbol of the kernel ends at its own address.
 */
int kt_symbols_find(struct kt_symbols *syms, uint64_t addr, struct kt_symbol *sym);
/* In order of address. */
size_t kt_symbols_nr(struct kt_symbols *syms);
int kt_symbols_at(struct kt_symbols *syms, size_t i, struct kt_symbol *sym);
/* Strings of printk_formats ("0xaddr : \"text\""): NULL if none at @addr. */
const char *kt_symbols_printk(struct kt_symbols *syms, uint64_t addr);

/* ==== type information of the running kernel (BTF) ==== */

struct kt_btf;

/**
 * kt_btf_open - read the types of the kernel
 * @path: NULL for /sys/kernel/btf/vmlinux
 *
 * Returns new (kt_btf_close), or NULL: -ENOENT (CONFIG_DEBUG_INFO_BTF), -EINVAL
 * for a damaged or foreign file. Source: Linux, Documentation/bpf/btf.rst.
 */
struct kt_btf *kt_btf_open(const char *path, struct kt_err *err);
void kt_btf_close(struct kt_btf *btf);

/* "long vfs_read(struct file *file, char *buf, …)": new (free); NULL: no such function */
char *kt_btf_prototype(const struct kt_btf *btf, const char *function);

struct kt_plugins;

/*
 * Plugins are searched in this order; of two with the same name, the first is used:
 *   KT_PLUGIN_EXPLICIT   a path given by the user
 *   KT_PLUGIN_ENV        the folder $KTRAIL_PLUGIN_DIR
 *   KT_PLUGIN_USER       ~/.local/lib/ktrail/plugins; never for root through sudo
 *   KT_PLUGIN_INSTALLED  the folder of the installation; not if $KTRAIL_PLUGIN_DIR is set
 *   KT_PLUGIN_BUILD      instead of that, the folder "plugins" next to a program "ktrail", if
 *                        it exists, as in the build tree
 *
 * A file, the target of its links, and the folder it is in, must belong to root or to
 * the user and must not be writable by others, or the file is refused; the same applies to parent
 * folders, except sticky ones like /tmp. A program with rights that its caller lacks (setuid,
 * file capabilities) ignores the environment and files of the caller.
 */
enum kt_plugin_origin {
	KT_PLUGIN_EXPLICIT, KT_PLUGIN_ENV, KT_PLUGIN_USER, KT_PLUGIN_INSTALLED,
	KT_PLUGIN_BUILD,
};

struct kt_plugins_opts {
	bool none;			/* -N: only explicit paths */
	bool local;			/* not those of the installation */
	const char *const *paths;	/* --plugin PATH: explicit files;
					 * ends with NULL, may be NULL */
	const char *const *only;	/* --plugin NAME: only these and explicit ones; likewise */
	const char *const *without;	/* --no-plugin NAME; likewise */
	const char *const *options;	/* -O "plugin:option=value", "option"; likewise */
	const char *const *others;	/* the caller's options, for "did you mean …"; likewise */
};

/**
 * kt_plugins_open - find, check and load plugins
 * @opts: borrowed for the call; NULL means all
 *
 * A plugin that is refused or cannot be loaded is not a failure: kt_plugins_at() has
 * the reason. New (kt_plugins_close), or NULL with
 *   -ENOENT   an explicit path, a name or an option does not exist
 *   -EACCES   an explicit path is refused
 *   -EINVAL   an explicit path is not a plugin of this ABI
 *   -ENOMEM
 * Threads and traces may share it.
 */
struct kt_plugins *kt_plugins_open(const struct kt_plugins_opts *opts, struct kt_err *err);
void kt_plugins_close(struct kt_plugins *p);

struct kt_plugin_info {
	const char *name;		/* name of the file if it could not be loaded */
	const char *path;
	const char *summary;		/* "" if it could not be loaded */
	enum kt_plugin_origin origin;
	bool        used;
	const char *reason;		/* why it is used, or why not */
	const struct kt_plugin *plugin;	/* options, columns, events; NULL if not loaded */
};

/* In order of priority; unused ones last. */
size_t kt_plugins_nr(const struct kt_plugins *p);
void kt_plugins_at(const struct kt_plugins *p, size_t i, struct kt_plugin_info *info);

/* Current value of an option; NULL if there is no such option. */
const char *kt_plugins_option(const struct kt_plugins *p, size_t i, const char *name);

/* Errors while formatting, one line for each plugin; 0, 1, 2 … until NULL. Borrowed. */
const char *kt_plugins_complaint(struct kt_plugins *p, size_t i);

const char *kt_plugin_origin_name(enum kt_plugin_origin origin);

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
	uint32_t    size;		/* in the record, bytes; of a fixed array, all of it */
	uint32_t    elem_size;		/* of one array element; == size for a single value */
	uint32_t    nr_elems;		/* of a fixed array; 0 if dynamic, or not an array. In a
					 * probe's array of strings, each string has a __data_loc
					 * of 4 bytes */
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
	/* The @i-th format: borrowed, valid as long as the events. */
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
