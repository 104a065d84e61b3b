/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.h - what the files of `ktrail report` share */
#ifndef REPORT_H
#define REPORT_H

#include <regex.h>

#include <ktrail/text.h>
#include <ktrail/trace.h>

#include "cmd/args/choose.h"
#include "cmd/cmd.h"
#include "cmd/explain/profile_print.h"
#include "cmd/print/pager.h"

struct report_input {
	const char *path;
	int64_t     ts_offset;
	double      hz;			/* 0: none */
};

/* An -r or -n: events whose name or system matches */
struct report_match {
	regex_t        re;
	const char    *text;
	enum kt_render render;
};

/* The plugins to use and not to use; each list ends with NULL */
struct report_plugins {
	const char **paths, **names, **without, **options;
	size_t nr_paths, nr_names, nr_without, nr_options;
};

struct report_args {
	struct choose choose;		/* first: CHOOSE_OPTS */
	struct report_input  *inputs;
	struct report_match  *matches;
	size_t nr_matches;
	double default_hz;		/* --ts2secs before any -i */
	int64_t default_offset;

	struct kt_text_opts text;
	struct kt_stream_opts stream;
	struct pager_opts pager;
	const char *layout, *event, *kallsyms;
	struct report_plugins plugins;
	const char *fields;
	bool pretty, no_pretty, columns, csv;
	bool no_plugins, local_plugins, no_irqs, no_softirqs;

	/* print this instead of records */
	bool show_endian, show_page_size, show_symbols, show_printk, show_events, show_formats;
	bool show_cpus, show_first, show_last, show_stat, show_uname, show_version;
	bool check_events, test_filters, verbose;

	bool profile, global_irqs, by_comm;
	struct profile_order profile_order;
	const char **hooks;		/* ends with NULL; NULL: none */
	size_t nr_hooks;
};

/* args.c */
extern const struct cmd_opt report_opts[];
int  report_init(void *args);
void report_fini(void *args);
int  report_add_hook(struct report_args *a, const char *hook, struct kt_err *err);
int  report_add_input(struct report_args *a, const char *path, struct kt_err *err);

/* The @i-th -O option of the built-in formatters, with its default; false after the last */
bool report_builtin_option(size_t i, const char **plugin, const char **name, const char **value,
			   const char **summary);

/* plugins.c: --pretty and the choice of plugins; @value: borrowed, a name or a path */
int  report_plugins_add(struct report_plugins *p, const char *value, struct kt_err *err);
int  report_plugins_leave_out(struct report_plugins *p, const char *name, struct kt_err *err);
void report_plugins_fini(struct report_plugins *p);
int  report_take_plugin(void *args, const char *value, struct kt_err *err);
int  report_take_no_plugin(void *args, const char *value, struct kt_err *err);
int  report_add_plugin_option(struct report_args *a, const char *option, struct kt_err *err);
/* Load plugins into a->text.plugins, if they are wanted; the caller closes it. */
int  report_open_plugins(struct kt_trace *t, struct report_args *a, struct kt_err *err);
/* Report the plugins that failed, and close. */
void report_close_plugins(struct report_args *a);

/* columns.c: --columns, with a->text.plugins */
int  report_columns(struct kt_trace *t, const struct report_args *a, struct kt_err *err);

/* fields.c: --fields, --csv */
int report_fields(struct kt_trace *t, const struct report_args *a, struct kt_err *err);

/* log.c: -V, before everything else; to stdout, flushed */
void report_log_begin(struct kt_trace *t, const struct report_args *a);

/* info.c: a line on stderr for each -r and -n that matches no event */
void report_check_matches(struct kt_trace *t, const struct report_args *a);

/*
 * info.c: print the information asked for instead of records; report_info returns whether there
 * was any
 */
bool report_wants_info(const struct report_args *a);
int  report_info(struct kt_trace *t, const struct report_args *a, struct kt_err *err);

/* The same as one JSON document, Documentation/json.md */
int  report_info_json(struct kt_trace *t, const struct report_args *a, struct kt_err *err);

/* Used by both. The events of a file in the order of their names: new (free), NULL: no memory */
const struct kt_event **report_events(struct kt_trace *t, size_t file, size_t *nr,
				      struct kt_err *err);
/* The name of the event in a format's text, new (free); "" if it has none */
char *report_format_name(const struct kt_event_source *source);
/* Call @fn for each format that --events and --event select; an error if there is none */
typedef void (*report_format_fn)(void *data, const struct kt_event_source *source);
int report_formats(struct kt_trace *t, size_t file, const struct report_args *a,
		   report_format_fn fn, void *data, struct kt_err *err);

struct report_printk {
	uint64_t    addr;
	const char *text;		/* borrowed from the file */
	size_t      len;
};
/* By address; @all: new (free) */
int report_printks(struct kt_trace *t, size_t file, struct report_printk **all, size_t *nr,
		   struct kt_err *err);

#endif
