/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* filter.h - choose records by what they say */
#ifndef KTRAIL_FILTER_H
#define KTRAIL_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include <ktrail/err.h>
#include <ktrail/out.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kt_filter;

/**
 * kt_filter_create - a filter that lets everything pass, until something is added
 * @t: borrowed; all its files must have been added before kt_filter_add
 *
 * New (kt_filter_destroy). Each expression is compiled for an event of a file
 * when the first such record is met.
 */
struct kt_filter *kt_filter_create(struct kt_trace *t);
void kt_filter_destroy(struct kt_filter *f);

/**
 * kt_filter_add - add one expression: "events : expr", "events", or a plain "expr"
 * @text:    copied; Documentation/filter.md has the language
 * @exclude: what matches is dropped (report -v) instead of kept
 * @file:    only for records of that file, -1 for all
 *
 * A record passes if some keeping expression matches (or there is none for its
 * file) and no excluding one does. A plain expression is about every event. Returns 0 or
 *   -EINVAL  not of the language, or about an event or field that is nowhere in
 *            the trace: with an excerpt and a caret under the place
 *   -ENOMEM
 */
int kt_filter_add(struct kt_filter *f, const char *text, bool exclude, int file,
		  struct kt_err *err);

/**
 * kt_filter_doubt - what was added, but is probably a mistake
 *
 * A line for each comparison with a function that no symbol of the trace is the
 * name of: it never matches. Borrowed until the filter goes; NULL after the last.
 */
const char *kt_filter_doubt(const struct kt_filter *f, size_t i);

/* Was nothing added? Then every record passes. */
bool kt_filter_is_empty(const struct kt_filter *f);

/* Does it pass? Looks at the bytes of the record only.
 * Thread-safe once nothing is added any more. */
bool kt_filter_match(struct kt_filter *f, const struct kt_record *rec);

#define KT_FILTER_TYPES_WORDS (65536 / 64)

/**
 * kt_filter_types - which events can pass at all, as kt_stream_want_types() takes it
 * @bits: bit (id % 64) of word (id / 64) is set when a record of event id may
 *        pass; where it is clear, kt_filter_match() is false for sure
 *
 * Costs a search through the texts of the formats; none is parsed. Stack traces
 * (ftrace/kernel_stack and user_stack) are set too: they share the fate of the
 * event before them, which a stream that skips records does not show.
 */
void kt_filter_types(struct kt_filter *f, size_t file, uint64_t bits[KT_FILTER_TYPES_WORDS]);

/**
 * kt_filter_pids - which tasks' events can pass, as kt_stream_want_pids() takes it
 * @types: events that pass only with a common_pid in @pids; no stack traces
 * @pids:  by the low 16 bits; what it holds may pass, or not
 *
 * As cheap as the above. Returns false when the filter says nothing of tasks.
 */
bool kt_filter_pids(struct kt_filter *f, size_t file, uint64_t types[KT_FILTER_TYPES_WORDS],
		    uint64_t pids[KT_FILTER_TYPES_WORDS]);

/* What the filter means for one event; new (free), NULL if no expression chooses that event. */
char *kt_filter_describe(struct kt_filter *f, size_t file, const struct kt_event *ev);

/* All of it the way report -T prints it: a line for each choice of events,
 * last one first, and event. */
void kt_filter_print(struct kt_filter *f, struct kt_out *out);

/* What may come next in a filter that is being typed */
struct kt_filter_next {
	bool   events;			/* the name of an event or a system … */
	size_t events_at;		/* … whose first letters begin there, in bytes */
	bool   fields;			/* the name of a field */
	bool   compares, joins;		/* "==" and its like; "&&" or "||" */
	bool   values;			/* what a field is compared with … */
	size_t field_at, field_len;	/* … and where its name is */
	size_t at;			/* where the first letters of these begin */
	size_t chosen_len;		/* so many bytes choose events; 0: it is about all */
};

/* Of "events: expr", as kt_filter_add() takes it; of an expression alone */
void kt_filter_next(const char *text, struct kt_filter_next *next);
void kt_filter_next_in_expr(const char *text, struct kt_filter_next *next);
/* Is it one of those that @len bytes of @events name? "sched_switch,irq/softirq_raise,timer" */
bool kt_filter_names_event(const char *events, size_t len, const char *system, const char *name);

#ifdef __cplusplus
}
#endif
#endif
