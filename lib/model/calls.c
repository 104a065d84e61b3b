/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* calls.c - indent traced functions below their callers, as far as the trace shows these */
#include "model/calls.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 256		/* a deeper indentation shows nothing more */

/*
 * Names stand for functions, since a caller's address lies inside of it and
 * several functions may share a name; hashes stand for names. 0 is none, and
 * the one that ends each stack stays.
 */
struct stack {
	uint64_t ids[MAX_DEPTH + 1];
};

struct calls {
	const struct kt_text *x;
	bool named;		/* a name is all of a function's text */
	bool flat;		/* none is indented */
	struct stack *stacks;	/* one for each source */
	struct names  names;
};

struct calls *calls_create(const struct kt_text *x)
{
	struct calls *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->x = x;
	c->named = !x->opts.function_offset && !x->opts.function_parent;
	c->flat = x->opts.function_flat;
	c->stacks = calloc(x->nr_sources ? x->nr_sources : 1, sizeof(*c->stacks));
	if (!c->stacks) {
		free(c);
		return NULL;
	}
	return c;
}

void calls_destroy(struct calls *c)
{
	if (!c)
		return;
	free(c->stacks);
	free(c);
}

/*
 * What is deeper than the new call stays in place: a later function may still
 * name it as its caller. trace-cmd's plugin, whose picture this is, does so.
 */
static uint16_t call(struct stack *s, uint64_t parent, uint64_t func)
{
	size_t i;

	for (i = 0; s->ids[i] != parent; i++) {
		if (!s->ids[i]) {
			s->ids[0] = parent;
			i = 0;
			break;
		}
	}
	if (i + 1 < MAX_DEPTH)
		s->ids[i + 1] = func;
	return i;
}

/* Its name, of which the identity is returned */
static uint64_t note_name(struct calls *c, const struct kt_record *rec, struct mark *m, uint64_t ip)
{
	const struct name *name = names_find(&c->names, c->x->sources[rec->source].symbols, ip);

	if (name->len && c->named && !function_has_args(c->x, rec, m->ev)) {
		m->name = name->text;
		m->name_len = name->len;
		m->flags |= MARK_NAME;
	}
	return name->id;
}

void calls_note(struct calls *c, const struct kt_record *rec, struct mark *m)
{
	const struct name *caller;
	uint64_t ip, parent, id;

	if (!slot_get_usual(m->ev, SLOT_FUNCTION_IP, rec, &ip))
		return;
	id = note_name(c, rec, m, ip);
	if (c->flat || !slot_get_usual(m->ev, SLOT_FUNCTION_PARENT, rec, &parent))
		return;
	caller = names_find(&c->names, c->x->sources[rec->source].symbols, parent);
	if (caller->len)
		m->indent = call(&c->stacks[rec->source], caller->id, id);
}
