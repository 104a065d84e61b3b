/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* word.h - load a number of a record as the last of eight bytes */
#ifndef BASE_WORD_H
#define BASE_WORD_H

#include "base/bytes.h"

/*
 * One load and one shift for every size: a switch on the size is a jump that no
 * processor predicts. It fails only for numbers that end in the first seven bytes
 * of a record: they are common fields.
 */
struct word {
	uint32_t offset;	/* of the eight bytes */
	uint8_t  shift;		/* 64 minus the bits of the number */
};

/* False if it is not a number, or too close to the start of the record */
static inline bool word_place(struct word *w, uint64_t offset, uint32_t size)
{
	if ((size != 1 && size != 2 && size != 4 && size != 8) || offset + size < 8 ||
	    offset > UINT32_MAX / 2)
		return false;
	*w = (struct word){ offset + size - 8, 64 - 8 * size };
	return true;
}

/* The number, in the upper bits. @data holds all eight bytes. */
static inline uint64_t word_load(struct word w, const uint8_t *data, bool swap)
{
	uint64_t v = load_u64(data + w.offset, swap);

	return swap == KT_HOST_BIG ? v : v << w.shift;
}

static inline uint64_t word_u64(struct word w, const uint8_t *data, bool swap)
{
	return word_load(w, data, swap) >> w.shift;
}

static inline int64_t word_i64(struct word w, const uint8_t *data, bool swap)
{
	return (int64_t)word_load(w, data, swap) >> w.shift;
}

#endif
