/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* comm16.h - the name of a task, sixteen bytes of a record, looked at in two words */
#ifndef BASE_COMM16_H
#define BASE_COMM16_H

#include "base/bytes.h"
#include "base/put.h"

#define COMM_SIZE 16
#define COMM_ONES 0x0101010101010101u

struct comm16 {
	uint64_t word[2];		/* with blanks from the first zero byte on */
	unsigned int len;
};

/* Little endian only, as the order of bytes in a word counts */
static inline struct comm16 comm16_load(const uint8_t *p)
{
	struct comm16 c;
	unsigned int first, second;
	uint64_t used;

	memcpy(c.word, p, sizeof(c.word));
	first = put_zero_at(c.word[0]);
	second = first < 8 ? 0 : put_zero_at(c.word[1]);
	c.len = first + second;
	used = first < 8 ? (1ull << 8 * first) - 1 : ~0ull;
	c.word[0] = (c.word[0] & used) | (COMM_ONES * ' ' & ~used);
	used = second < 8 ? (1ull << 8 * second) - 1 : ~0ull;
	c.word[1] = (c.word[1] & used) | (COMM_ONES * ' ' & ~used);
	return c;
}

/* Is it all from ' ' to '~'? */
static inline bool comm16_is_plain(const struct comm16 *c)
{
	uint64_t a = c->word[0], b = c->word[1];
	uint64_t high = a | b | (a + COMM_ONES) | (b + COMM_ONES);
	uint64_t low = ((a - COMM_ONES * ' ') & ~a) | ((b - COMM_ONES * ' ') & ~b);

	return !((high | low) & COMM_ONES << 7);
}

static inline bool comm16_has(const struct comm16 *c, char wanted)
{
	uint64_t a = c->word[0] ^ COMM_ONES * wanted, b = c->word[1] ^ COMM_ONES * wanted;

	return (((a - COMM_ONES) & ~a) | ((b - COMM_ONES) & ~b)) & COMM_ONES << 7;
}

/* @to: room for all sixteen */
static inline char *comm16_put(char *to, const struct comm16 *c)
{
	memcpy(to, c->word, sizeof(c->word));
	return to + c->len;
}

#endif
