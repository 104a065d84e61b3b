/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* match.h - beginnings and ends brought together: the only place that does */
#ifndef SPAN_MATCH_H
#define SPAN_MATCH_H

#include "span/pairs.h"

/* A pair in a sink's span: kt_span.pair is pair.index. With the known pairs that is 0. */
struct match_opts {
	int (*sink)(void *data, const struct kt_span *span, struct kt_err *err);
	void *data;
};

/* @pairs: taken, also when it fails. New (kt_spans_destroy), NULL: no memory */
struct kt_spans *match_create(struct kt_trace *t, struct pairs *pairs,
			      const struct match_opts *opts, struct kt_err *err);
/* Is the event an end of some pair? What is not may be counted by the caller. */
bool match_uses(struct kt_spans *s, const struct kt_event *ev);

#endif
