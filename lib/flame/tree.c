/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tree.c - merge paths of calls into one tree, in bounded memory */
#include "flame/flame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define BUCKETS (1u << 16)

/* ---- names ---- */

uint32_t flame_name(struct flame_tree *t, enum kt_flame_type type, const char *text, bool copy)
{
	uint64_t key = keymap_mix(type, keymap_text(text));
	uint32_t i = keymap_get(&t->name_of, key);
	const char *kept;

	if (i != KEYMAP_NONE)
		return i;
	if (t->nr_names >= FLAME_NAMES_MAX || !array_reserve(t->names, t->nr_names)) {
		t->full = true;
		return 0;		/* the name of the root, which no other frame has */
	}
	kept = copy ? strdup(text) : text;
	if (!kept || keymap_put(&t->name_of, key, t->nr_names) < 0) {
		t->failed = true;
		free(copy ? (char *)kept : NULL);
		return 0;
	}
	t->names[t->nr_names] = (struct flame_name){ kept, (uint8_t)type, copy };
	return t->nr_names++;
}

/* ---- nodes ---- */

static uint32_t *bucket_of(struct flame_tree *t, uint32_t parent, uint32_t name)
{
	return &t->buckets[keymap_mix(parent, name) & (t->nr_buckets - 1)];
}

static uint32_t new_node(struct flame_tree *t)
{
	uint32_t i = t->free;

	if (i != FLAME_NONE) {
		t->free = t->nodes[i].next;
	} else {
		if (t->nr >= FLAME_NODES_MAX) {
			t->full = true;
			return FLAME_NONE;
		}
		if (!array_fit(t->nodes, t->nr, t->room)) {
			t->failed = true;
			return FLAME_NONE;
		}
		i = t->nr++;
	}
	t->nodes[i] = (struct flame_node){ .parent = FLAME_NONE, .first = FLAME_NONE,
					   .next = FLAME_NONE, .is_used = 1 };
	return i;
}

static void free_node(struct flame_tree *t, uint32_t i)
{
	t->nodes[i] = (struct flame_node){ .parent = FLAME_NONE, .first = FLAME_NONE,
					   .next = t->free };
	t->free = i;
}

static uint32_t find_child(struct flame_tree *t, uint32_t parent, uint32_t name)
{
	uint32_t i = *bucket_of(t, parent, name);

	while (i != FLAME_NONE && (t->nodes[i].parent != parent || t->nodes[i].name != name))
		i = t->nodes[i].chained;
	return i;
}

static void link_child(struct flame_tree *t, uint32_t i, uint32_t parent, uint32_t name)
{
	uint32_t *bucket = bucket_of(t, parent, name);
	struct flame_node *n = &t->nodes[i];

	n->parent = parent;
	n->name = name;
	n->next = t->nodes[parent].first;
	n->chained = *bucket;
	n->below_parent = 1;
	*bucket = i;
	t->nodes[parent].first = i;
}

/* Removes it from its bucket; the caller handles the list of siblings. */
static void unlink_child(struct flame_tree *t, uint32_t i)
{
	uint32_t *at = bucket_of(t, t->nodes[i].parent, t->nodes[i].name);

	while (*at != i)
		at = &t->nodes[*at].chained;
	*at = t->nodes[i].chained;
	t->nodes[i].below_parent = 0;
}

uint32_t flame_child(struct flame_tree *t, uint32_t parent, uint32_t name)
{
	uint32_t i = find_child(t, parent, name);

	if (i != FLAME_NONE)
		return i;
	i = new_node(t);
	if (i == FLAME_NONE)
		return parent;
	link_child(t, i, parent, name);
	return i;
}

uint32_t flame_loose(struct flame_tree *t)
{
	return new_node(t);
}

void flame_dissolve(struct flame_tree *t, uint32_t loose, uint32_t parent)
{
	uint32_t i, next;

	for (i = t->nodes[loose].first; i != FLAME_NONE; i = next) {
		next = t->nodes[i].next;
		unlink_child(t, i);
		flame_place(t, i, parent, t->nodes[i].name);
	}
	free_node(t, loose);
}

/* The depth of the recursion is bounded by STACK_MAX in lib/span/calls.c. */
void flame_place(struct flame_tree *t, uint32_t loose, uint32_t parent, uint32_t name)
{
	uint32_t there = find_child(t, parent, name);

	if (there == FLAME_NONE) {
		link_child(t, loose, parent, name);
		return;
	}
	t->nodes[there].own_time += t->nodes[loose].own_time;
	t->nodes[there].count += t->nodes[loose].count;
	flame_dissolve(t, loose, there);
}

int flame_tree_init(struct flame_tree *t)
{
	*t = (struct flame_tree){ .free = FLAME_NONE, .nr_buckets = BUCKETS };
	t->buckets = malloc(BUCKETS * sizeof(*t->buckets));
	if (!t->buckets)
		return -ENOMEM;
	memset(t->buckets, 0xff, BUCKETS * sizeof(*t->buckets));
	flame_name(t, KT_FLAME_ALL, "all", false);
	return t->nr_names == 1 && new_node(t) == 0 ? 0 : -ENOMEM;
}

void flame_tree_fini(struct flame_tree *t)
{
	uint32_t i;

	for (i = 0; i < t->nr_names; i++)
		if (t->names[i].owned)
			free((char *)t->names[i].text);
	free(t->names);
	free(t->nodes);
	free(t->buckets);
	keymap_fini(&t->name_of);
	*t = (struct flame_tree){ .free = FLAME_NONE };
}

/* ---- sums and order ---- */

static void sum_up(struct flame_tree *t, uint32_t root)
{
	uint32_t i = root, child;

	/* Down to the first leaf, then each node after all nodes below it */
	for (;;) {
		while (t->nodes[i].first != FLAME_NONE)
			i = t->nodes[i].first;
		for (;;) {
			struct flame_node *n = &t->nodes[i];

			n->all_time = (int64_t)n->own_time > 0 ? n->own_time : 0;
			n->all_count = n->count;
			for (child = n->first; child != FLAME_NONE; child = t->nodes[child].next) {
				n->all_time += t->nodes[child].all_time;
				n->all_count += t->nodes[child].all_count;
			}
			if (i == root)
				return;
			if (n->next != FLAME_NONE)
				break;
			i = n->parent;
		}
		i = t->nodes[i].next;
	}
}

static bool is_idle(const struct flame_tree *t, uint32_t i)
{
	const struct flame_name *name = &t->names[t->nodes[i].name];

	return name->type == KT_FLAME_TASK && strcmp(name->text, "<idle>") == 0;
}

static bool is_before(const struct flame_tree *t, uint32_t a, uint32_t b, bool by_count)
{
	const struct flame_node *x = &t->nodes[a], *y = &t->nodes[b];
	uint64_t wx = by_count ? x->all_count : x->all_time;
	uint64_t wy = by_count ? y->all_count : y->all_time;

	if (is_idle(t, a) || is_idle(t, b))
		return !is_idle(t, a);
	return wx != wy ? wx > wy : strcmp(t->names[x->name].text, t->names[y->name].text) <= 0;
}

static uint32_t merge(struct flame_tree *t, uint32_t a, uint32_t b, bool by_count)
{
	uint32_t first = FLAME_NONE, *at = &first, *from;

	while (a != FLAME_NONE && b != FLAME_NONE) {
		from = is_before(t, a, b, by_count) ? &a : &b;
		*at = *from;
		at = &t->nodes[*from].next;
		*from = *at;
	}
	*at = a != FLAME_NONE ? a : b;
	return first;
}

/* Sorts a list of siblings: runs of 1, 2, 4 … in @runs wait for another run of their length */
static uint32_t sort_list(struct flame_tree *t, uint32_t i, bool by_count)
{
	uint32_t runs[32], next;
	size_t k, nr = 0;

	for (; i != FLAME_NONE; i = next) {
		next = t->nodes[i].next;
		t->nodes[i].next = FLAME_NONE;
		for (k = 0; k < nr && runs[k] != FLAME_NONE; k++) {
			i = merge(t, runs[k], i, by_count);
			runs[k] = FLAME_NONE;
		}
		runs[k] = i;
		nr = k == nr ? nr + 1 : nr;
	}
	for (k = 0, i = FLAME_NONE; k < nr; k++)
		i = merge(t, runs[k], i, by_count);
	return i;
}

void flame_tree_order(struct flame_tree *t, bool by_count)
{
	uint32_t i;

	sum_up(t, 0);
	for (i = 0; i < t->nr; i++)
		if (t->nodes[i].is_used && t->nodes[i].first != FLAME_NONE)
			t->nodes[i].first = sort_list(t, t->nodes[i].first, by_count);
}
