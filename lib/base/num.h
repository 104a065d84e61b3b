/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* num.h - numbers as text, without printf: what every line of a report is made of */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include <stdint.h>
#include <string.h>

#include "base/bytes.h"

/*
 * Room for one number of 64 bits in any base used here. Numbers without a given
 * length are written in words of eight digits: that many bytes must be there
 * even if the number turns out short. What stands behind it is undefined.
 */
#define NUM_MAX 24

#define NUM_ZEROS 0x3030303030303030	/* "00000000" */

extern const char num_pairs[201];	/* "00" "01" … "99" */
extern const char num_hex_pairs[513];	/* "00" … "ff" */
extern const uint64_t num_powers[21];	/* 0, 10, 100 … 10^19, none */

/* Digits that @v has in base 10: from its bits, corrected where a power of 10 lies between. */
static inline unsigned int num_dec_len(uint64_t v)
{
	unsigned int guess = (64 - __builtin_clzll(v | 1)) * 1233 >> 12;

	return guess + (v >= num_powers[guess]);
}

/* Each writes at @p and returns the place behind; no NUL. */

/* Exactly @len digits, the lowest ones of @v, with leading zeros. */
static inline char *num_put_digits(char *p, uint64_t v, unsigned int len)
{
	char *q = p + len;

	while (q - p >= 2) {
		q -= 2;
		memcpy(q, num_pairs + v % 100 * 2, 2);
		v /= 100;
	}
	if (q > p)
		*--q = '0' + v % 10;
	return p + len;
}

/* The eight digits of @v < 10^8 as numbers from 0 to 9, the first one in the lowest byte */
static inline uint64_t num_eight(uint32_t v)
{
	uint64_t pairs, x = v / 10000 | (uint64_t)(v % 10000) << 32;

	/* One multiplication divides all parts: by 100, then by 10. */
	pairs = (x * 10486 >> 20) & 0x0000007f0000007f;
	x = pairs | (x - pairs * 100) << 16;
	pairs = (x * 103 >> 10) & 0x000f000f000f000f;
	return pairs | (x - pairs * 10) << 8;
}

/* The same as text */
static inline uint64_t num_digits(uint32_t v)
{
	return num_eight(v) | NUM_ZEROS;
}

static inline char *num_put_word(char *p, uint64_t word)
{
	word = KT_HOST_BIG ? __builtin_bswap64(word) : word;
	memcpy(p, &word, sizeof(word));
	return p + sizeof(word);
}

/* Without leading zeros: they are shifted out, which no branch has to foresee. */
static inline char *num_put_below_1e8(char *p, uint32_t v)
{
	uint64_t word = num_eight(v);
	unsigned int zeros = __builtin_ctzll(word | 1ull << 56) / 8;

	num_put_word(p, (word | NUM_ZEROS) >> 8 * zeros);
	return p + 8 - zeros;
}

static inline char *num_put_eight(char *p, uint32_t v)
{
	return num_put_word(p, num_digits(v));
}

/* The six digits of @v < 10^6 */
static inline char *num_put_six(char *p, uint32_t v)
{
	uint32_t high = v / 10000, low = v % 10000, middle = low / 100;

	memcpy(p, num_pairs + high * 2, 2);
	memcpy(p + 2, num_pairs + middle * 2, 2);
	memcpy(p + 4, num_pairs + (low - middle * 100) * 2, 2);
	return p + 6;
}

static inline char *num_put_u64(char *p, uint64_t v)
{
	const uint32_t unit = 100000000;

	if (v < 10) {
		*p = '0' + v;
		return p + 1;
	}
	if (v < unit)
		return num_put_below_1e8(p, v);
	if (v < (uint64_t)unit * unit) {
		p = num_put_below_1e8(p, v / unit);
	} else {
		p = num_put_below_1e8(p, v / ((uint64_t)unit * unit));
		p = num_put_eight(p, v / unit % unit);
	}
	return num_put_eight(p, v % unit);
}

static inline char *num_put_i64(char *p, int64_t v)
{
	if (v >= 0)
		return num_put_u64(p, v);
	*p++ = '-';
	return num_put_u64(p, -(uint64_t)v);
}

static inline unsigned int num_hex_len(uint64_t v)
{
	return v ? (67 - __builtin_clzll(v)) / 4 : 1;
}

/* Exactly @len hexadecimal digits, the lowest ones of @v. */
static inline char *num_put_hex_digits(char *p, uint64_t v, unsigned int len)
{
	char *q = p + len;

	while (q - p >= 2) {
		q -= 2;
		memcpy(q, num_hex_pairs + (v & 0xff) * 2, 2);
		v >>= 8;
	}
	if (q > p)
		*--q = num_hex_pairs[(v & 0xf) * 2 + 1];
	return p + len;
}

/* The eight hexadecimal digits of @v, first one in the lowest byte */
static inline uint64_t num_hex_eight(uint32_t v)
{
	uint64_t x = __builtin_bswap32(v), letters;

	x = (x | x << 16) & 0x0000ffff0000ffff;
	x = (x | x << 8) & 0x00ff00ff00ff00ff;
	x = (x >> 4 | x << 8) & 0x0f0f0f0f0f0f0f0f;
	letters = (x + 0x0606060606060606) >> 4 & 0x0101010101010101;
	return x + NUM_ZEROS + letters * ('a' - '0' - 10);
}

/* As num_put_hex_digits with @len from 1 to 16, but as words: NUM_MAX bytes must be there. */
static inline char *num_put_hex_words(char *p, uint64_t v, unsigned int len)
{
	v <<= 64 - 4 * len;
	num_put_word(p, num_hex_eight(v >> 32));
	if (len > 8)
		num_put_word(p + 8, num_hex_eight(v));
	return p + len;
}

static inline char *num_put_hex(char *p, uint64_t v)
{
	return num_put_hex_words(p, v, num_hex_len(v));
}

#endif
