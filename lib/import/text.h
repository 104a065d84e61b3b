/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* text.h - the import of a text: its lines, and the records made of them */
#ifndef IMPORT_TEXT_H
#define IMPORT_TEXT_H

#include "import/columns.h"
#include "import/graph.h"
#include "import/import.h"

struct text {
	struct import *im;
	uint64_t line;			/* of the input, from 1 */
	/* The pending event: lines of a stack, or of a text with line breaks, may still follow */
	bool pending;
	struct import_record rec;
	struct str event;		/* its text, name included */
	uint64_t last_shown;		/* time of the last line, and the time it was given */
	uint64_t last_given;

	struct graph graph;
	bool no_flags, is_count, is_latency;
	uint64_t step;			/* the finest resolution seen */
	uint64_t written, kept;		/* from the head of a trace, 0: unknown */
	uint64_t nr_as_text;		/* known events with unexpected texts */
	uint64_t nr_unknown;		/* lines that belong to no event */
	uint64_t first_unknown;
};

/* text_event.c: the pending event becomes a record */
int text_put_event(struct text *t, struct kt_err *err);

#endif
