/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* wakeup.h - measure how long tasks wait between wakeup and running */
#ifndef TEXT_WAKEUP_H
#define TEXT_WAKEUP_H

#include "text/text.h"

struct wakeups;

struct wakeups *wakeups_create(struct kt_trace *t);	/* new (wakeups_destroy), NULL: no memory */
void wakeups_destroy(struct wakeups *w);

/* True: with this record a woken task runs, after @latency_ns. Call it in order of time. */
bool wakeups_note(struct wakeups *w, const struct kt_record *rec, const struct text_event *te,
		  uint64_t *latency_ns);

/* Average, maximum and minimum, of all and of real-time tasks, as text like trace-cmd's or JSON */
void wakeups_summary(const struct wakeups *w, bool json, struct kt_out *out);

#endif
