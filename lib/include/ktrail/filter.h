/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* filter.h - choose records by what they say */
#ifndef KTRAIL_FILTER_H
#define KTRAIL_FILTER_H

#include <stdbool.h>

#include <ktrail/err.h>
#include <ktrail/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kt_filter;

/* New (kt_filter_destroy). Compiled lazily per event of each file of @t (borrowed). */
struct kt_filter *kt_filter_create(struct kt_trace *t);
void kt_filter_destroy(struct kt_filter *f);

/**
 * kt_filter_add - add one expression "events : expr", or a plain "expr" for all events
 * @text:    Documentation/filter.md has the language
 * @exclude: what matches is dropped (report -v) instead of kept
 * @file:    only for records of that file, -1 for all
 *
 * A record passes if some keeping filter matches (or there is none) and no
 * excluding one does. -EINVAL: @err quotes the text with a caret under the
 * place (a message may then hold one newline and the caret line).
 */
int kt_filter_add(struct kt_filter *f, const char *text, bool exclude, int file,
		  struct kt_err *err);

/* Thread-safe once nothing is added any more; stateless per record. */
bool kt_filter_match(struct kt_filter *f, const struct kt_record *rec);

/* What the filter means for one event, as report -T prints it; new (free), NULL if unfiltered. */
char *kt_filter_describe(struct kt_filter *f, size_t file, const struct kt_event *ev);

#ifdef __cplusplus
}
#endif
#endif
