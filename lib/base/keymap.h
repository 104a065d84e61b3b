/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* keymap.h - numbers found by a number */
#ifndef BASE_KEYMAP_H
#define BASE_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed it is empty; end with keymap_fini. */
struct keymap {
	struct keymap_slot { uint64_t key; uint32_t value; uint32_t taken; } *slots;
	size_t nr, nr_slots;		/* a power of two, at most three quarters taken */
};

#define KEYMAP_NONE UINT32_MAX

void keymap_fini(struct keymap *m);
/* The value of @key, or KEYMAP_NONE */
uint32_t keymap_get(const struct keymap *m, uint64_t key);
/* @value instead of what @key had. 0 or -ENOMEM */
int keymap_put(struct keymap *m, uint64_t key, uint32_t value);

/* What identifies a thing as one key; that two are equal by chance needs 2^32 things. */
uint64_t keymap_mix(uint64_t a, uint64_t b);

/* Pointers of up to 2^32 things as small numbers: @m counts them. KEYMAP_NONE: no memory */
uint32_t keymap_number(struct keymap *m, const void *thing);

/*
 * The element of an array that belongs to a key. A new one is zero; the array @at, of *@nr elements
 * of @size bytes, grows for it, so others may move. NULL: no memory
 */
void *keymap_element(struct keymap *m, uint64_t key, void **at, size_t *nr, size_t size,
		     bool *is_new);

#endif
