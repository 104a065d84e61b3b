/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* addresses.h - addresses for functions, of which a text has only the names */
#ifndef SHAPE_ADDRESSES_H
#define SHAPE_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/keymap.h"
#include "base/str.h"

/*
 * Each name gets an address of its own, and the output a kallsyms with all of them. A zeroed set is
 * empty.
 */
struct addresses {
	struct str names;		/* each with its NUL */
	struct address { uint64_t address; uint32_t name; } *at;	/* offset in @names */
	size_t nr, cap;
	struct keymap by_name;		/* of a hash */
	struct keymap by_address;	/* the addresses that the input has */
};

void addresses_fini(struct addresses *a);
/* The address for a function name, "vfs_read" or "ext4_read [ext4]"; 0: no memory */
uint64_t addresses_of(struct addresses *a, const char *name, size_t len);
/* Record that the input places this address in that function. 0 or -ENOMEM */
int addresses_told(struct addresses *a, uint64_t address, const char *name, size_t len);
/* As /proc/kallsyms, in order of addresses */
void addresses_put(struct addresses *a, struct str *to);

/* "vfs_read" or "0xffff…" at the start of @text: its length, 0 if there is none */
size_t addresses_parse(struct addresses *a, const char *text, size_t len, uint64_t *address);

#endif
