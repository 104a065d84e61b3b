/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inspect.h - one event in full: each field, its stack, its texts, its bytes */
#ifndef TUI_INSPECT_H
#define TUI_INSPECT_H

#include <ktrail/model.h>

#include "base/str.h"
#include "tui/terminal/surface.h"

struct inspector {
	bool open;
	struct str lines;		/* its content */
	struct str beside;		/* stacks and bytes beside the fields, if there is room */
	int head;			/* lines above both */
	int top;			/* lines scrolled off above the first row */
	struct kt_record shown;		/* the record */
	struct kt_out *out;
	unsigned int generation;	/* of the model, when the lines were made */
	bool wide;			/* the lines were made for two columns */
};

int  inspect_init(struct inspector *in);
void inspect_fini(struct inspector *in);
/* The number of rows that it takes from a view */
int  inspect_rows(int rows);
/* Show this record, which is read again with @reader, in @cols columns */
void inspect_record(struct inspector *in, struct kt_model *m, struct kt_reader *reader,
		    const struct kt_record *rec, int cols);
/* The value of a field in its shortest form; not escaped */
void inspect_value(struct str *s, struct kt_trace *t, const struct kt_event *ev,
		   const struct kt_field *f, const struct kt_record *rec);
/* Scroll by this number of lines */
void inspect_scroll(struct inspector *in, int by, int rows);
void inspect_draw(const struct inspector *in, struct area a);

#endif
