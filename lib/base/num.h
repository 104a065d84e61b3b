/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* num.h - numbers as text, without printf: what every line of a report is made of */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include <stdint.h>
#include <string.h>

#define NUM_MAX 24	/* room that one number of 64 bits needs at most, in any base used here */

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

static inline char *num_put_u64(char *p, uint64_t v)
{
	if (v < 10) {
		*p = '0' + v;
		return p + 1;
	}
	if (v < 100) {
		memcpy(p, num_pairs + v * 2, 2);
		return p + 2;
	}
	return num_put_digits(p, v, num_dec_len(v));
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

static inline char *num_put_hex(char *p, uint64_t v)
{
	return num_put_hex_digits(p, v, num_hex_len(v));
}

#endif
