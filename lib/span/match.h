/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* match.h - match begins with ends */
#ifndef SPAN_MATCH_H
#define SPAN_MATCH_H

#include "span/pairs.h"

/* In the spans that the sinks get, kt_span.pair is pair.index: 0 for the known pairs. */
struct match_opts {
	int (*sink)(void *data, const struct kt_span *span, struct kt_err *err);
	int (*began)(void *data, const struct kt_span *span, struct kt_err *err); /* or NULL */
	void *data;
};

/* @pairs: taken, even on failure. New (kt_spans_destroy), NULL: no memory */
struct kt_spans *match_create(struct kt_trace *t, struct pairs *pairs,
			      const struct match_opts *opts, struct kt_err *err);
/* Is the event an end of a pair? The caller may count other events. */
bool match_uses(struct kt_spans *s, const struct kt_event *ev);

#endif
