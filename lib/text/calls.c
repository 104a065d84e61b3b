/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* calls.c - indent traced functions below their callers, as far as the trace shows them */
#include "text/calls.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 256		/* deeper indentation is useless */

/*
 * Names identify functions, since a caller's address lies inside the caller and several functions
 * may share a name; hashes represent names. 0 means no name, and the 0 at the end of each stack
 * stays.
 */
struct stack {
	uint64_t ids[MAX_DEPTH + 1];
};

struct calls {
	const struct kt_text *x;
	bool named;		/* the text of a function is only its name */
	bool flat;		/* no function is indented */
	struct stack *stacks;	/* one per source */
};

struct calls *calls_create(const struct kt_text *x)
{
	struct calls *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->x = x;
	c->named = !x->opts.function_offset && !x->opts.function_parent &&
		   x->opts.layout != KT_LAYOUT_KERNEL;
	c->flat = x->opts.function_flat || x->opts.layout == KT_LAYOUT_KERNEL;
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
 * Entries deeper than the new call stay in place: a later function may still
 * name one of them as its caller. An entry also stays when a call without a name would
 * replace it. trace-cmd's plugin, whose output this matches, does the same.
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
	if (func)
		s->ids[i + 1] = func;
	s->ids[MAX_DEPTH] = 0;
	return i;
}

/* Notes the name and returns its identity */
static inline uint64_t note_name(const struct calls *c, const struct name *name,
				 const struct kt_record *rec, struct mark *m)
{
	if (name->len && c->named && !function_has_args(c->x, rec, m->ev)) {
		m->name = name->text;
		m->name_len = name->len;
		m->flags |= MARK_NAME;
	}
	return name->id;
}

static inline void find_names(const struct calls *c, struct names *names,
			      const struct kt_record *rec, struct mark *m, struct call *call)
{
	struct kt_symbols *syms = c->x->sources[rec->source].symbols;
	const struct name *caller;
	uint64_t ip, parent;

	*call = (struct call){ 0 };
	if (!slot_get_usual(m->ev, SLOT_FUNCTION_IP, rec, &ip))
		return;
	call->func = note_name(c, names_find(names, syms, ip), rec, m);
	if (c->flat || !slot_get_usual(m->ev, SLOT_FUNCTION_PARENT, rec, &parent))
		return;
	caller = names_find(names, syms, parent);
	call->caller = caller->len ? caller->id : 0;
}

void calls_names(const struct calls *c, struct names *names, const struct kt_record *recs,
		 struct mark *marks, size_t nr, struct call *calls)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (marks[i].flags & MARK_CALL)
			find_names(c, names, &recs[i], &marks[i], &calls[i]);
}

void calls_order(struct calls *c, const struct kt_record *recs, struct mark *marks, size_t nr,
		 const struct call *calls)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if ((marks[i].flags & MARK_CALL) && calls[i].caller)
			marks[i].indent =
				call(&c->stacks[recs[i].source], calls[i].caller, calls[i].func);
}
