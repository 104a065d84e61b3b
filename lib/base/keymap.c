/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* keymap.c - a hash table from numbers to numbers, with open addressing */
#include "base/array.h"
#include "base/keymap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void keymap_fini(struct keymap *m)
{
	free(m->slots);
	*m = (struct keymap){ 0 };
}

static int make_room(struct keymap *m)
{
	struct keymap bigger = { .nr = m->nr, .nr_slots = m->nr_slots ? m->nr_slots * 2 : 64 };
	size_t i;

	if ((m->nr + 1) * 4 <= m->nr_slots * 3)
		return 0;
	bigger.slots = calloc(bigger.nr_slots, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -ENOMEM;
	for (i = 0; i < m->nr_slots; i++)
		if (m->slots[i].taken)
			*keymap_slot(&bigger, m->slots[i].key) = m->slots[i];
	free(m->slots);
	*m = bigger;
	return 0;
}

int keymap_put(struct keymap *m, uint64_t key, uint32_t value)
{
	struct keymap_slot *slot;

	if (make_room(m) < 0)
		return -ENOMEM;
	slot = keymap_slot(m, key);
	m->nr += !slot->taken;
	*slot = (struct keymap_slot){ .key = key, .value = value, .taken = 1 };
	return 0;
}

uint64_t keymap_text(const char *text)
{
	uint64_t key = 0;

	while (*text)
		key = keymap_scramble(key + (unsigned char)*text++);
	return key;
}

uint32_t keymap_number(struct keymap *m, const void *thing)
{
	uint32_t nr = keymap_get(m, (uintptr_t)thing);

	if (nr != KEYMAP_NONE)
		return nr;
	nr = m->nr;
	return keymap_put(m, (uintptr_t)thing, nr) < 0 ? KEYMAP_NONE : nr;
}

void *keymap_add(struct keymap *m, uint64_t key, void **at, size_t *nr, size_t size)
{
	char *grown = array_room(*at, *nr, size);

	if (!grown)
		return NULL;
	*at = grown;
	if (keymap_put(m, key, (uint32_t)*nr) < 0)
		return NULL;
	return memset(grown + (*nr)++ * size, 0, size);
}
