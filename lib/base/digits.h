/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* digits.h - numbers as text, without printf: it costs more than the rest of a line */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <stdint.h>
#include <string.h>

#define DIGITS_MAX 20		/* of a u64 */

static inline int digits_count(uint64_t v)
{
	int nr = 1;

	for (; v >= 10000; v /= 10000)
		nr += 4;
	return nr + (v >= 10) + (v >= 100) + (v >= 1000);
}

/* Exactly @nr digits, with leading zeros; the higher ones are dropped. Returns the end. */
static inline char *digits_fixed(char *p, uint64_t v, int nr)
{
	int i;

	for (i = nr - 1; i >= 0; i--, v /= 10)
		p[i] = '0' + v % 10;
	return p + nr;
}

static inline char *digits_u64(char *p, uint64_t v)
{
	return digits_fixed(p, v, digits_count(v));
}

static inline char *digits_i64(char *p, int64_t v)
{
	if (v < 0)
		*p++ = '-';
	return digits_u64(p, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

/* Right-aligned in at least @width columns, as %*llu */
static inline char *digits_right(char *p, uint64_t v, int width)
{
	int nr = digits_count(v);

	for (; width > nr; width--)
		*p++ = ' ';
	return digits_fixed(p, v, nr);
}

/* Lower case, no prefix, as %llx */
static inline char *digits_hex(char *p, uint64_t v)
{
	int shift = v ? (63 - __builtin_clzll(v)) & ~3 : 0;

	for (; shift >= 0; shift -= 4)
		*p++ = "0123456789abcdef"[(v >> shift) & 15];
	return p;
}

static inline char *digits_text(char *p, const void *text, size_t len)
{
	memcpy(p, text, len);
	return p + len;
}

#endif
