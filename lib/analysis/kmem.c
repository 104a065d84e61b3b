/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kmem.c - who allocated kernel memory in a trace, and the amount of padding */
#include <ktrail/analysis.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/keymap.h"

/* The meaning of an event */
struct kind {
	const struct kt_event *event;
	const struct kt_field *ptr, *site, *req, *alloc;	/* @req NULL: it frees */
};

struct object {
	uint64_t ptr;		/* 0: the slot is free */
	uint32_t caller;
	bool     held;
	uint64_t alloc, req;
};

struct kt_kmem {
	struct kt_analysis analysis;
	struct kt_trace *trace;
	struct kt_kmem_row *callers;
	size_t nr_callers;
	struct keymap caller_of;	/* by the address of the function: its number */
	struct object *objects;		/* open addressing, a power of two of slots */
	size_t nr_objects, nr_slots;
	struct kind *kinds;
	size_t nr_kinds;
};

static const struct { const char *name; bool frees; } names[] = {
	{ "kmalloc", false }, { "kmalloc_node", false }, { "kmem_cache_alloc", false },
	{ "kmem_cache_alloc_node", false }, { "kfree", true }, { "kmem_cache_free", true },
};

static int add_kind(struct kt_kmem *k, const struct kt_event *ev, bool frees)
{
	struct kind kind = { .event = ev, .ptr = kt_event_field(ev, "ptr") };
	struct kind *added;

	if (!frees) {
		kind.site = kt_event_field(ev, "call_site");
		kind.req = kt_event_field(ev, "bytes_req");
		kind.alloc = kt_event_field(ev, "bytes_alloc");
	}
	if (!kind.ptr || (!frees && !(kind.site && kind.req && kind.alloc)))
		return 0;
	added = array_add(k->kinds, k->nr_kinds);
	if (!added)
		return -ENOMEM;
	*added = kind;
	return 0;
}

static int find_kinds(struct kt_kmem *k, struct kt_trace *t, struct kt_err *err)
{
	const struct kt_event *ev;
	size_t f, i;

	for (f = 0; f < kt_trace_nr_files(t); f++)
		for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
			ev = kt_events_by_name(kt_trace_events(t, f), "kmem", names[i].name);
			if (ev && add_kind(k, ev, names[i].frees) < 0)
				return kt_err_no_memory(err);
		}
	if (!k->nr_kinds)
		return kt_err_set(err, -ENOENT,
				  "the trace has no kmem events: record with -e kmem");
	return 0;
}

static const struct kind *kind_of(const struct kt_kmem *k, const struct kt_event *ev)
{
	size_t i;

	for (i = 0; i < k->nr_kinds; i++)
		if (k->kinds[i].event == ev)
			return &k->kinds[i];
	return NULL;
}

static size_t slot_of(const struct kt_kmem *k, uint64_t ptr)
{
	size_t i = (ptr * 0x9e3779b97f4a7c15ull) >> 20 & (k->nr_slots - 1);

	while (k->objects[i].ptr && k->objects[i].ptr != ptr)
		i = (i + 1) & (k->nr_slots - 1);
	return i;
}

/* Freed objects stay in their slots, so a rehash drops them first. */
static int make_room(struct kt_kmem *k)
{
	struct kt_kmem bigger = { 0 };
	size_t i, held = 0;

	if ((k->nr_objects + 1) * 4 < k->nr_slots * 3)
		return 0;
	for (i = 0; i < k->nr_slots; i++)
		held += k->objects[i].held;
	bigger.nr_slots = k->nr_slots ? k->nr_slots : 1024;
	if (held * 2 >= bigger.nr_slots)
		bigger.nr_slots *= 2;
	bigger.objects = calloc(bigger.nr_slots, sizeof(*bigger.objects));
	if (!bigger.objects)
		return -ENOMEM;
	for (i = 0; i < k->nr_slots; i++)
		if (k->objects[i].held)
			bigger.objects[slot_of(&bigger, k->objects[i].ptr)] = k->objects[i];
	free(k->objects);
	k->objects = bigger.objects;
	k->nr_slots = bigger.nr_slots;
	k->nr_objects = held;
	return 0;
}

/* Index of the function that holds @site, KEYMAP_NONE: no memory */
static uint32_t caller_of(struct kt_kmem *k, struct kt_symbols *syms, uint64_t site)
{
	struct kt_symbol sym = { .addr = site };
	bool known = kt_symbols_find(syms, site, &sym) > 0;
	uint32_t i = keymap_get(&k->caller_of, sym.addr);
	char *name = NULL;

	if (i != KEYMAP_NONE)
		return i;
	if (!array_reserve(k->callers, k->nr_callers))
		return KEYMAP_NONE;
	if (known ? !(name = strdup(sym.name)) : asprintf(&name, "0x%" PRIx64, site) < 0)
		return KEYMAP_NONE;
	i = (uint32_t)k->nr_callers++;
	k->callers[i] = (struct kt_kmem_row){ .function = name };
	return keymap_put(&k->caller_of, sym.addr, i) < 0 ? KEYMAP_NONE : i;
}

static void forget(struct kt_kmem *k, struct object *o)
{
	struct kt_kmem_row *row = &k->callers[o->caller];

	if (!o->held)
		return;
	row->alloc -= o->alloc;
	row->req -= o->req;
	o->held = false;
}

static void account(struct kt_kmem_row *row, uint64_t alloc, uint64_t req)
{
	row->alloc += alloc;
	row->req += req;
	row->total_alloc += alloc;
	row->total_req += req;
	if (row->alloc > row->max_alloc)
		row->max_alloc = row->alloc;
	if (row->req > row->max_req)
		row->max_req = row->req;
	if (row->alloc > row->req && row->alloc - row->req > row->max_waste)
		row->max_waste = row->alloc - row->req;
}

static int add_alloc(struct kt_kmem *k, struct kt_symbols *syms, const struct kind *kind,
		     const struct kt_record *rec, uint64_t ptr)
{
	uint64_t site, alloc, req;
	struct object *o;
	uint32_t caller;

	if (kt_field_u64(kind->event, kind->site, rec, &site) < 0 ||
	    kt_field_u64(kind->event, kind->req, rec, &req) < 0 ||
	    kt_field_u64(kind->event, kind->alloc, rec, &alloc) < 0)
		return 0;
	caller = caller_of(k, syms, site);
	if (caller == KEYMAP_NONE || make_room(k) < 0)
		return -ENOMEM;
	o = &k->objects[slot_of(k, ptr)];
	if (!o->ptr)
		k->nr_objects++;
	forget(k, o);		/* its kfree was lost */
	*o = (struct object){ .ptr = ptr, .caller = caller, .held = true, .alloc = alloc,
			      .req = req };
	account(&k->callers[caller], alloc, req);
	return 0;
}

static int record(struct kt_analysis *a, const struct kt_event *ev, const struct kt_record *rec,
		  struct kt_err *err)
{
	struct kt_kmem *k = (struct kt_kmem *)a;
	const struct kind *kind = kind_of(k, ev);
	uint64_t ptr;

	if (!kind || kt_field_u64(kind->event, kind->ptr, rec, &ptr) < 0 || !ptr)
		return 0;
	if (!kind->req) {
		if (k->nr_slots)
			forget(k, &k->objects[slot_of(k, ptr)]);
		return 0;
	}
	return add_alloc(k, kt_trace_record_symbols(k->trace, rec), kind, rec, ptr) < 0 ?
	       kt_err_no_memory(err) : 0;
}

static int by_waste(const void *a, const void *b)
{
	const struct kt_kmem_row *x = a, *y = b;
	int64_t wx = (int64_t)(x->alloc - x->req), wy = (int64_t)(y->alloc - y->req);

	if (wx != wy)
		return wx < wy ? 1 : -1;
	if (x->alloc != y->alloc)
		return x->alloc < y->alloc ? 1 : -1;
	return strcmp(x->function, y->function);
}

static int finish(struct kt_analysis *a, struct kt_err *err)
{
	struct kt_kmem *k = (struct kt_kmem *)a;

	(void)err;
	if (k->nr_callers)
		qsort(k->callers, k->nr_callers, sizeof(*k->callers), by_waste);
	return 0;
}

static void types(struct kt_analysis *a, size_t file, uint64_t bits[KT_ANALYSIS_WORDS])
{
	struct kt_kmem *k = (struct kt_kmem *)a;
	size_t i;

	for (i = 0; i < k->nr_kinds; i++)
		if (k->kinds[i].event->events == kt_trace_events(k->trace, file))
			bits[k->kinds[i].event->id / 64] |= 1ull << k->kinds[i].event->id % 64;
}

struct kt_kmem *kt_kmem_create(struct kt_trace *t, struct kt_err *err)
{
	struct kt_kmem *k = calloc(1, sizeof(*k));

	if (!k) {
		kt_err_no_memory(err);
		return NULL;
	}
	k->analysis = (struct kt_analysis){ .record = record, .finish = finish, .types = types };
	k->trace = t;
	if (find_kinds(k, t, err) < 0) {
		kt_kmem_destroy(k);
		return NULL;
	}
	return k;
}

struct kt_analysis *kt_kmem_analysis(struct kt_kmem *k)
{
	return &k->analysis;
}

void kt_kmem_destroy(struct kt_kmem *k)
{
	size_t i;

	if (!k)
		return;
	for (i = 0; i < k->nr_callers; i++)
		free((char *)k->callers[i].function);
	keymap_fini(&k->caller_of);
	free(k->callers);
	free(k->objects);
	free(k->kinds);
	free(k);
}

size_t kt_kmem_nr(const struct kt_kmem *k)
{
	return k->nr_callers;
}

const struct kt_kmem_row *kt_kmem_row(const struct kt_kmem *k, size_t i)
{
	return i < k->nr_callers ? &k->callers[i] : NULL;
}
