/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* calls.c - indent traced functions below their callers, as far as the trace shows these */
#include "model/calls.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 256		/* a deeper indentation shows nothing more */

/*
 * Names stand for functions, since a caller's address lies inside of it and
 * several functions may share a name; hashes stand for names. 0 is none.
 */
struct stack {
	uint64_t *ids;
	size_t    cap;
};

struct calls {
	const struct kt_text *x;
	struct stack *stacks;	/* one for each source */
	struct names  names;
};

struct calls *calls_create(const struct kt_text *x)
{
	struct calls *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->x = x;
	c->stacks = calloc(x->nr_sources ? x->nr_sources : 1, sizeof(*c->stacks));
	if (!c->stacks) {
		free(c);
		return NULL;
	}
	return c;
}

void calls_destroy(struct calls *c)
{
	size_t i;

	if (!c)
		return;
	for (i = 0; i < c->x->nr_sources; i++)
		free(c->stacks[i].ids);
	free(c->stacks);
	free(c);
}

static bool grow(struct stack *s, size_t at)
{
	size_t cap = at + 16;
	uint64_t *more = realloc(s->ids, cap * sizeof(*more));

	if (!more)
		return false;
	memset(more + s->cap, 0, (cap - s->cap) * sizeof(*more));
	s->ids = more;
	s->cap = cap;
	return true;
}

static void set(struct stack *s, size_t at, uint64_t id)
{
	if (at < MAX_DEPTH && (at < s->cap || grow(s, at)))
		s->ids[at] = id;
}

/*
 * What is deeper than the new call stays in place: a later function may still
 * name it as its caller. trace-cmd's plugin, whose picture this is, does so.
 */
static uint16_t call(struct stack *s, uint64_t parent, uint64_t func)
{
	size_t i;

	for (i = 0; i < s->cap && s->ids[i]; i++) {
		if (s->ids[i] == parent) {
			set(s, i + 1, func);
			return i;
		}
	}
	set(s, 0, parent);
	set(s, 1, func);
	return 0;
}

void calls_note(struct calls *c, const struct kt_record *rec, struct mark *m)
{
	const struct text_source *src = &c->x->sources[rec->source];
	const struct text_slot *slot = m->ev->slot;
	const struct name *name;
	uint64_t ip, parent_ip, id;

	if (!slot_get(&slot[SLOT_FUNCTION_IP], rec, &ip))
		return;
	name = names_find(&c->names, src->symbols, ip);
	if (name->len) {
		m->name = name->text;
		m->name_len = name->len;
		m->flags |= MARK_NAME;
	}
	id = name->id;
	if (c->x->opts.function_flat || !slot_get(&slot[SLOT_FUNCTION_PARENT], rec, &parent_ip))
		return;
	name = names_find(&c->names, src->symbols, parent_ip);
	if (name->len)
		m->indent = call(&c->stacks[rec->source], name->id, id);
}
