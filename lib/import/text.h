/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* text.h - the import of a text: what reads its lines, and what makes records of them */
#ifndef IMPORT_TEXT_H
#define IMPORT_TEXT_H

#include "import/columns.h"
#include "import/graph.h"
#include "import/import.h"

struct text {
	struct import *im;
	uint64_t line;			/* of the input, from 1 */
	/* The event that lines may still belong to: those of a stack, or of a text with breaks */
	bool pending;
	struct import_record rec;
	struct str event;		/* its text, name included */
	uint64_t last_shown;		/* time of the line before, and the time it was given */
	uint64_t last_given;

	struct graph graph;
	bool no_flags, is_count, is_latency;
	uint64_t step;			/* the best that times have */
	uint64_t written, kept;		/* as the head of a trace tells, 0: not */
	uint64_t nr_as_text;		/* of known events: other words than expected */
	uint64_t nr_unknown;		/* lines that are not of an event */
	uint64_t first_unknown;
};

/* text_event.c: the pending event becomes a record */
int text_put_event(struct text *t, struct kt_err *err);

#endif
