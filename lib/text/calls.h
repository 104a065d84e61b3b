/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* calls.h - estimate the call depth of traced functions */
#ifndef TEXT_CALLS_H
#define TEXT_CALLS_H

#include "text/text.h"

struct calls;

struct calls *calls_create(const struct kt_text *x);	/* new (calls_destroy), NULL: no memory */
void calls_destroy(struct calls *c);

/* Caller and function, by hashes of their names; 0: no name */
struct call {
	uint64_t caller, func;
};

/* Find the names of each record with MARK_CALL, also in @marks. For any thread, with its @names */
void calls_names(const struct calls *c, struct names *names, const struct kt_record *recs,
		 struct mark *marks, size_t nr, struct call *calls);
/* Note the estimated depths in @marks. Called in the order of the records */
void calls_order(struct calls *c, const struct kt_record *recs, struct mark *marks, size_t nr,
		 const struct call *calls);

#endif
