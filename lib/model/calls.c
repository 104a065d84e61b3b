/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* calls.c - indent traced functions below their callers, as far as the trace shows these */
#include "model/calls.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 256		/* a deeper indentation shows nothing more */
#define CACHE     4096		/* a power of two */

/*
 * Names stand for functions, since a caller's address lies inside of it and
 * several functions may share a name; 64 bits of hash stand for names.
 */
typedef uint64_t name_id;	/* 0: no name */

struct stack {
	name_id *names;
	size_t   cap;
};

struct cached {
	uint64_t addr;
	size_t   file;
	name_id  id;
};

struct calls {
	const struct kt_text *x;
	struct stack *stacks;	/* one for each source */
	struct cached cache[CACHE];
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
		free(c->stacks[i].names);
	free(c->stacks);
	free(c);
}

static name_id hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325;	/* FNV-1a */

	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * 0x100000001b3;
	return h ? h : 1;
}

static name_id id_of(struct calls *c, const struct text_source *src, uint64_t addr)
{
	struct cached *slot = &c->cache[(addr * 0x9e3779b97f4a7c15) >> 52];
	struct kt_symbol sym;

	if (slot->addr == addr && slot->file == src->file && slot->id)
		return slot->id;
	if (!kt_symbols_find(src->symbols, addr, &sym))
		return 0;
	*slot = (struct cached){ addr, src->file, hash(sym.name) };
	return slot->id;
}

static void set(struct stack *s, size_t at, name_id id)
{
	name_id *more;
	size_t cap = at + 16;

	if (at >= MAX_DEPTH)
		return;
	if (at >= s->cap) {
		more = realloc(s->names, cap * sizeof(*more));
		if (!more)
			return;
		memset(more + s->cap, 0, (cap - s->cap) * sizeof(*more));
		s->names = more;
		s->cap = cap;
	}
	s->names[at] = id;
}

/*
 * What is deeper than the new call stays in place: a later function may still
 * name it as its caller. trace-cmd's plugin, whose picture this is, does so.
 */
static uint16_t call(struct stack *s, name_id parent, name_id func)
{
	size_t i;

	for (i = 0; i < s->cap && s->names[i]; i++) {
		if (s->names[i] == parent) {
			set(s, i + 1, func);
			return i;
		}
	}
	set(s, 0, parent);
	set(s, 1, func);
	return 0;
}

uint16_t calls_indent(struct calls *c, const struct kt_record *rec, const struct text_event *te)
{
	const struct text_source *src = &c->x->sources[rec->source];
	uint64_t ip, parent_ip;
	name_id parent;

	if (!slot_get(&te->slot[SLOT_FUNCTION_IP], rec, &ip) ||
	    !slot_get(&te->slot[SLOT_FUNCTION_PARENT], rec, &parent_ip))
		return 0;
	parent = id_of(c, src, parent_ip);
	return parent ? call(&c->stacks[rec->source], parent, id_of(c, src, ip)) : 0;
}
