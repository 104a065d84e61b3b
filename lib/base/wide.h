/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* wide.h - products of 128 bits, also on machines without such registers */
#ifndef BASE_WIDE_H
#define BASE_WIDE_H

#include <stdint.h>

struct wide {
	uint64_t high, low;
};

/* From four products of 32-bit halves, as in long multiplication */
static inline struct wide wide_mul_by_halves(uint64_t a, uint64_t b)
{
	uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
	uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)middle;

	return (struct wide){ a1 * b1 + (middle >> 32) + (other >> 32),
			      other << 32 | (uint32_t)low };
}

static inline struct wide wide_mul(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	unsigned __int128 product = (unsigned __int128)a * b;

	return (struct wide){ product >> 64, product };
#else
	return wide_mul_by_halves(a, b);
#endif
}

/* The lowest 64 bits of @w >> @shift; any @shift. */
static inline uint64_t wide_shift(struct wide w, unsigned int shift)
{
	if (shift >= 128)
		return 0;
	if (shift >= 64)
		return w.high >> (shift - 64);
	return shift ? w.high << (64 - shift) | w.low >> shift : w.low;
}

/* The lowest 64 bits of @w / @by, which is not 0; bit by bit. */
static inline uint64_t wide_div(struct wide w, uint64_t by)
{
	uint64_t rest = w.high % by, quotient = 0;
	int bit;

	for (bit = 63; bit >= 0; bit--) {
		uint64_t carry = rest >> 63;

		rest = rest << 1 | (w.low >> bit & 1);
		if (carry || rest >= by) {
			rest -= by;
			quotient |= 1ull << bit;
		}
	}
	return quotient;
}

#endif
