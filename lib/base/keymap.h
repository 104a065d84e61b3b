/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* keymap.h - a hash table from numbers to numbers */
#ifndef BASE_KEYMAP_H
#define BASE_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A zeroed one is empty; end with keymap_fini(). */
struct keymap {
	struct keymap_slot { uint64_t key; uint32_t value; uint32_t taken; } *slots;
	size_t nr, nr_slots;		/* a power of two; at most three quarters are in use */
};

#define KEYMAP_NONE UINT32_MAX

void keymap_fini(struct keymap *m);

/* The slot that @key has, or would have. Inline, like keymap_get(): each record needs several */
static inline struct keymap_slot *keymap_slot(const struct keymap *m, uint64_t key)
{
	uint64_t hash = key * 0x9e3779b97f4a7c15ull;
	size_t i = (hash ^ hash >> 32) & (m->nr_slots - 1);

	while (m->slots[i].taken && m->slots[i].key != key)
		i = (i + 1) & (m->nr_slots - 1);
	return &m->slots[i];
}

/* The value of @key, or KEYMAP_NONE */
static inline uint32_t keymap_get(const struct keymap *m, uint64_t key)
{
	const struct keymap_slot *slot;

	if (!m->nr)
		return KEYMAP_NONE;
	slot = keymap_slot(m, key);
	return slot->taken ? slot->value : KEYMAP_NONE;
}

/* Replaces the value of @key. 0 or -ENOMEM */
int keymap_put(struct keymap *m, uint64_t key, uint32_t value);

static inline uint64_t keymap_scramble(uint64_t a)
{
	a = (a ^ a >> 33) * 0xff51afd7ed558ccdull;
	a = (a ^ a >> 33) * 0xc4ceb9fe1a85ec53ull;
	return a ^ a >> 33;
}

/*
 * One key from two numbers; with 2^32 keys, two are likely to collide. For more numbers,
 * keymap_scramble(key + number) adds one each.
 */
static inline uint64_t keymap_mix(uint64_t a, uint64_t b)
{
	return keymap_scramble(keymap_scramble(a) + b);
}

uint64_t keymap_text(const char *text);	/* a key from a text */

/* Small consecutive numbers for up to 2^32 pointers; @m counts them. KEYMAP_NONE: no memory */
uint32_t keymap_number(struct keymap *m, const void *thing);

/* Adds the element of an array that belongs to a new key; NULL: no memory */
void *keymap_add(struct keymap *m, uint64_t key, void **at, size_t *nr, size_t size);

/*
 * The element of an array that belongs to a key; a new one is zeroed. The array @at of *@nr
 * elements of @size bytes grows as needed, so other elements may move. NULL: no memory
 */
static inline void *keymap_element(struct keymap *m, uint64_t key, void **at, size_t *nr,
				   size_t size, bool *is_new)
{
	uint32_t i = keymap_get(m, key);

	*is_new = i == KEYMAP_NONE;
	return *is_new ? keymap_add(m, key, at, nr, size) : (char *)*at + i * size;
}

#endif
