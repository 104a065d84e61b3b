/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* calls.h - how deep a traced function seems to be called */
#ifndef MODEL_CALLS_H
#define MODEL_CALLS_H

#include "model/text.h"

struct calls;

struct calls *calls_create(const struct kt_text *x);	/* new (calls_destroy), NULL: no memory */
void calls_destroy(struct calls *c);

/* Note in @m how deep this record of a function event seems to be, and its name. In order. */
void calls_note(struct calls *c, const struct kt_record *rec, struct mark *m);

#endif
