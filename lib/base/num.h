/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* num.h - numbers as text without printf, for the lines of a report */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include <stdint.h>
#include <string.h>
#ifdef __x86_64__
#include <emmintrin.h>
#endif

#include "base/bytes.h"

/*
 * Room for one number of 64 bits in any base used here. Numbers without a given
 * length are written several digits at a time: all NUM_MAX bytes must be writable
 * even if the number is short. The bytes after the number are undefined.
 */
#define NUM_MAX 24

#define NUM_ZEROS 0x3030303030303030	/* "00000000" */

#pragma GCC visibility push(hidden)	/* saves a load at each use */
extern const char num_pairs[201];	/* "00" "01" … "99" */
extern const char num_hex_pairs[513];	/* "00" … "ff" */
extern const char num_small[1000][4];	/* "0" … "999", each with its length in the last byte */
extern const char num_threes[1000][4];	/* "000" … "999"; the last byte is padding */
extern const uint64_t num_powers[21];	/* 0, 10, 100 … 10^19, none */
#pragma GCC visibility pop

/* Decimal digits of @v: estimated from its bits, corrected at powers of 10 */
static inline unsigned int num_dec_len(uint64_t v)
{
	unsigned int guess = (64 - __builtin_clzll(v | 1)) * 1233 >> 12;

	return guess + (v >= num_powers[guess]);
}

/* Each writes at @p and returns the position after the number; no NUL. */

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

/* @v < 1000; one byte more than its digits may be written */
static inline char *num_put_small(char *p, uint32_t v)
{
	memcpy(p, num_small[v], 4);
	return p + num_small[v][3];
}

/* The three digits of @v < 1000, and a byte that is undefined */
static inline char *num_put_three(char *p, uint32_t v)
{
	memcpy(p, num_threes[v], 4);
	return p + 3;
}

/* The six digits of @v < 10^6, and a byte that is undefined */
static inline char *num_put_six(char *p, uint32_t v)
{
	uint32_t high = v / 1000;

	p = num_put_three(p, high);
	return num_put_three(p, v - high * 1000);
}

/* The nine digits of @v < 10^9, and a byte that is undefined */
static inline char *num_put_nine(char *p, uint32_t v)
{
	uint32_t high = v / 1000000;

	p = num_put_three(p, high);
	return num_put_six(p, v - high * 1000000);
}

char *num_put_large(char *p, uint64_t v);	/* 1000 and more */

static inline char *num_put_u64(char *p, uint64_t v)
{
	return v < 1000 ? num_put_small(p, v) : num_put_large(p, v);
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
	return (67 - __builtin_clzll(v | 1)) / 4;
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

/* Each byte of @x is below 16. Adding 6 carries into the upper half exactly for the letters. */
static inline uint64_t num_hex_letters(uint64_t x)
{
	uint64_t letters = (x + 0x0606060606060606) >> 4 & 0x0101010101010101;

	return x + NUM_ZEROS + letters * ('a' - '0' - 10);
}

/* The eight hexadecimal digits of @v, the first one in the lowest byte */
static inline uint64_t num_hex_eight(uint32_t v)
{
	uint64_t x = __builtin_bswap32(v);

	x = (x | x << 16) & 0x0000ffff0000ffff;
	x = (x | x << 8) & 0x00ff00ff00ff00ff;
	return num_hex_letters((x >> 4 | x << 8) & 0x0f0f0f0f0f0f0f0f);
}

static inline void num_put_hex_halves(char *p, uint64_t v)
{
	uint64_t half[2] = { num_hex_eight(v >> 32), num_hex_eight(v) };

	half[0] = KT_HOST_BIG ? __builtin_bswap64(half[0]) : half[0];
	half[1] = KT_HOST_BIG ? __builtin_bswap64(half[1]) : half[1];
	memcpy(p, half, sizeof(half));
}

/* The sixteen hexadecimal digits of @v */
static inline void num_put_hex_sixteen(char *p, uint64_t v)
{
#ifdef __x86_64__
	const __m128i low = _mm_set1_epi8(0x0f);
	__m128i x = _mm_cvtsi64_si128(__builtin_bswap64(v)), letters;

	x = _mm_unpacklo_epi8(_mm_and_si128(_mm_srli_epi16(x, 4), low), _mm_and_si128(x, low));
	letters = _mm_and_si128(_mm_cmpgt_epi8(x, _mm_set1_epi8(9)), _mm_set1_epi8('a' - '0' - 10));
	x = _mm_add_epi8(_mm_add_epi8(x, letters), _mm_set1_epi8('0'));
	_mm_storeu_si128((__m128i *)p, x);
#else
	num_put_hex_halves(p, v);
#endif
}

/* num_put_hex_digits() for @len from 1 to 16 at once: NUM_MAX bytes must be writable. */
static inline char *num_put_hex_words(char *p, uint64_t v, unsigned int len)
{
	num_put_hex_sixteen(p, v << (64 - 4 * len));
	return p + len;
}

static inline char *num_put_hex(char *p, uint64_t v)
{
	return num_put_hex_words(p, v, num_hex_len(v));
}

#endif
