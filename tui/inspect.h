/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inspect.h - one event in full: each field, its stack, its texts, its bytes */
#ifndef TUI_INSPECT_H
#define TUI_INSPECT_H

#include <ktrail/model.h>

#include "base/str.h"
#include "surface.h"

struct inspector {
	bool open;
	struct str lines;		/* what it shows */
	int top;			/* lines that are above its first row */
	struct kt_record shown;		/* of which record */
	struct kt_out *out;
	unsigned int generation;	/* of the model, when the lines were made */
};

int  inspect_init(struct inspector *in);
void inspect_fini(struct inspector *in);
/* How many rows it takes of a view of so many */
int  inspect_rows(int rows);
/* Show this record, which is read again with @reader */
void inspect_record(struct inspector *in, struct kt_model *m, struct kt_reader *reader,
		    const struct kt_record *rec);
/* The value of a field, as short as it can be told; not escaped */
void inspect_value(struct str *s, struct kt_trace *t, const struct kt_event *ev,
		   const struct kt_field *f, const struct kt_record *rec);
/* On by so many lines, or back */
void inspect_scroll(struct inspector *in, int by, int rows);
void inspect_draw(const struct inspector *in, struct area a);

#endif
