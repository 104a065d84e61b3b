/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* names.h - a cache of function names and stack lines for one thread */
#ifndef SYMBOLS_NAMES_H
#define SYMBOLS_NAMES_H

#include <ktrail/event.h>

#include <stdbool.h>

#define NAMES_BITS 13
#define NAMES_MAX  (1 << NAMES_BITS)

/* The name of an address. @len 0: it has no name */
struct name {
	uint64_t    addr;
	const struct kt_symbols *syms;	/* of the file; NULL: the slot is unused */
	const char *text;	/* borrowed from the symbols */
	uint64_t    id;		/* hash of the text; 0: no name */
	uint32_t    len;
};

#define FRAMES_BITS  12
#define FRAMES_KNOWN (1 << FRAMES_BITS)
#define FRAME_USUAL  64		/* bytes of a line that are always copied */

/* "=> vfs_read (ffffffff81001004)\n" */
struct frame {
	uint64_t addr;
	const struct kt_symbols *syms;	/* of the file; NULL: the slot is unused */
	uint32_t len;
	char     text[108];
};

struct frames {
	struct frame slots[FRAMES_KNOWN];
};

/* Starts zeroed. */
struct names {
	struct name   slots[NAMES_MAX];
	struct frames frames;
};

/* names.c: look up the name and store it in the slot */
const struct name *names_fill(struct name *slot, struct kt_symbols *syms, uint64_t addr);

/* Valid until the next call; its text remains valid longer. */
static inline const struct name *names_find(struct names *n, struct kt_symbols *syms,
					    uint64_t addr)
{
	struct name *slot = &n->slots[(addr * 0x9e3779b97f4a7c15) >> (64 - NAMES_BITS)];

	return slot->addr == addr && slot->syms == syms ? slot : names_fill(slot, syms, addr);
}

#endif
