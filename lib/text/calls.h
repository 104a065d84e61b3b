/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* calls.h - how deep a traced function seems to be called */
#ifndef TEXT_CALLS_H
#define TEXT_CALLS_H

#include "text/text.h"

struct calls;

struct calls *calls_create(const struct kt_text *x);	/* new (calls_destroy), NULL: no memory */
void calls_destroy(struct calls *c);

/* Who called whom, by hashes of their names; 0: it has none */
struct call {
	uint64_t caller, func;
};

/* Of each record that has MARK_CALL: the names, in @marks too. By any thread, with its @names */
void calls_names(const struct calls *c, struct names *names, const struct kt_record *recs,
		 struct mark *marks, size_t nr, struct call *calls);
/* Note in @marks how deep they seem to be. In the order of the records */
void calls_order(struct calls *c, const struct kt_record *recs, struct mark *marks, size_t nr,
		 const struct call *calls);

#endif
