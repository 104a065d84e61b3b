/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* names.h - names of functions and lines of stacks, remembered for one thread */
#ifndef SYMBOLS_NAMES_H
#define SYMBOLS_NAMES_H

#include <ktrail/event.h>
#include <ktrail/symbols.h>

#include <stdbool.h>

#define NAMES_BITS 13
#define NAMES_MAX  (1 << NAMES_BITS)

/* What an address is called. @len 0: it has no name */
struct name {
	uint64_t    addr;
	const struct kt_symbols *syms;	/* of which file; NULL: the slot is unused */
	const char *text;	/* borrowed from the symbols */
	uint64_t    id;		/* hash of the text; 0: no name */
	uint32_t    len;
};

#define FRAMES_BITS  12
#define FRAMES_KNOWN (1 << FRAMES_BITS)
#define FRAME_USUAL  64		/* bytes of a line that are copied in any case */

/* "=> vfs_read (ffffffff81001004)\n" */
struct frame {
	uint64_t addr;
	const struct kt_symbols *syms;	/* of which file; NULL: the slot is unused */
	uint32_t len;
	char     text[108];
};

struct frames {
	struct frame slots[FRAMES_KNOWN];
};

/* Zero it. */
struct names {
	struct name   slots[NAMES_MAX];
	struct frames frames;
};

/* names.c: look it up and remember it */
const struct name *names_fill(struct name *slot, struct kt_symbols *syms, uint64_t addr);

/* Valid until the next call; the text for longer. */
static inline const struct name *names_find(struct names *n, struct kt_symbols *syms,
					    uint64_t addr)
{
	struct name *slot = &n->slots[(addr * 0x9e3779b97f4a7c15) >> (64 - NAMES_BITS)];

	return slot->addr == addr && slot->syms == syms ? slot : names_fill(slot, syms, addr);
}

#endif
