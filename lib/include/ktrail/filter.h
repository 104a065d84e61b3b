/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* filter.h - select records by their content */
#ifndef KTRAIL_FILTER_H
#define KTRAIL_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/base.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kt_filter;

/**
 * kt_filter_create - create a filter that accepts everything until an expression is added
 * @t: borrowed; all its files must have been added before kt_filter_add()
 *
 * New (kt_filter_destroy). Each expression is compiled for an event of a file
 * at its first record.
 */
struct kt_filter *kt_filter_create(struct kt_trace *t);
void kt_filter_destroy(struct kt_filter *f);

/**
 * kt_filter_add - add one expression: "events : expr", "events", or a plain "expr"
 * @text:    copied; Documentation/filter.md describes the language
 * @exclude: drop matching records (report -v) instead of keeping them
 * @file:    only for records of that file, -1 for all
 *
 * A record passes if a keeping expression matches (or its file has none)
 * and no excluding one does. A plain expression applies to every event. Returns 0 or
 *   -EINVAL  a syntax error, or an event or field that the trace does not
 *            have: with an excerpt and a caret under the place
 *   -ENOMEM
 */
int kt_filter_add(struct kt_filter *f, const char *text, bool exclude, int file,
		  struct kt_err *err);

/**
 * kt_filter_doubt - probable mistakes in the added expressions
 *
 * A line for each comparison with a function name that matches no symbol of the trace:
 * it is never true. Borrowed until the filter is destroyed; NULL after the last.
 */
const char *kt_filter_doubt(const struct kt_filter *f, size_t i);

/* Is the filter empty? Then every record passes. */
bool kt_filter_is_empty(const struct kt_filter *f);

/* Does it pass? Reads only the bytes of the record. Thread-safe after the last kt_filter_add(). */
bool kt_filter_match(struct kt_filter *f, const struct kt_record *rec);

#define KT_FILTER_TYPES_WORDS (65536 / 64)

/**
 * kt_filter_types - which events can pass at all, for kt_stream_want_types()
 * @bits: bit (id % 64) of word (id / 64) is set if a record of event id may
 *        pass; if it is clear, kt_filter_match() is always false
 *
 * Searches the texts of the formats and parses none. Stack traces
 * (ftrace/kernel_stack and user_stack) are set too: they pass together with the
 * event before them, which a stream that skips records does not show.
 */
void kt_filter_types(struct kt_filter *f, size_t file, uint64_t bits[KT_FILTER_TYPES_WORDS]);

/**
 * kt_filter_pids - which tasks can have events that pass, for kt_stream_want_pids()
 * @types: events that pass only with a common_pid in @pids; no stack traces
 * @pids:  the low 16 bits of pids; not every event of these tasks passes
 *
 * As cheap as kt_filter_types(). Returns false if the filter does not depend on tasks.
 */
bool kt_filter_pids(struct kt_filter *f, size_t file, uint64_t types[KT_FILTER_TYPES_WORDS],
		    uint64_t pids[KT_FILTER_TYPES_WORDS]);

/* Print the whole filter like report -T: one line for each event; the choices of events are in
 * reverse order. */
void kt_filter_print(struct kt_filter *f, struct kt_out *out);

/* The possible continuations of a filter that is being typed */
struct kt_filter_next {
	bool   events;			/* the name of an event or a system */
	size_t events_at;		/* where the typed part of it begins, in bytes */
	bool   fields;			/* the name of a field */
	bool   compares, joins;		/* "==" and other comparisons; "&&" or "||" */
	bool   values;			/* a value to compare with a field */
	size_t field_at, field_len;	/* the name of that field */
	size_t at;			/* where the typed part of these begins */
	size_t chosen_len;		/* length of the part that selects events; 0: all */
};

/* For "events: expr", as in kt_filter_add(); for an expression alone */
void kt_filter_next(const char *text, struct kt_filter_next *next);
void kt_filter_next_in_expr(const char *text, struct kt_filter_next *next);
/* Do the first @len bytes of @events, "sched_switch,irq/softirq_raise,timer", name this event? */
bool kt_filter_names_event(const char *events, size_t len, const char *system, const char *name);

#ifdef __cplusplus
}
#endif
#endif
