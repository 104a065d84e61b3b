/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* comm16.h - the sixteen bytes of a task name, examined all at once */
#ifndef BASE_COMM16_H
#define BASE_COMM16_H

#ifdef __x86_64__
#include <emmintrin.h>
#endif

#include "base/bytes.h"
#include "base/put.h"

#define COMM_SIZE 16
#define COMM_ONES 0x0101010101010101u

/* 0 if all bytes are between ' ' and '~' and, with @json, not '"' or '\\' */
static inline uint64_t comm16_special(uint64_t word, bool json)
{
	uint64_t quote = word ^ COMM_ONES * '"', backslash = word ^ COMM_ONES * '\\';
	uint64_t special = word | (word + COMM_ONES) | ((word - COMM_ONES * ' ') & ~word);

	if (json)
		special |= ((quote - COMM_ONES) & ~quote) | ((backslash - COMM_ONES) & ~backslash);
	return special & COMM_ONES << 7;
}

/* comm16_len() on two words; little endian only, since it depends on the order of their bytes */
static inline int comm16_len_by_words(const uint8_t *p, bool json)
{
	uint64_t word[2], blanks = COMM_ONES * ' ', used;
	unsigned int first, second;

	memcpy(word, p, sizeof(word));
	first = put_zero_at(word[0]);
	second = first < 8 ? 0 : put_zero_at(word[1]);
	used = first < 8 ? (1ull << 8 * first) - 1 : ~0ull;
	word[0] = (word[0] & used) | (blanks & ~used);
	used = second < 8 ? (1ull << 8 * second) - 1 : ~0ull;
	word[1] = (word[1] & used) | (blanks & ~used);
	return comm16_special(word[0], json) | comm16_special(word[1], json) ?
	       -1 : (int)(first + second);
}

/* The length of the name. To write the name, copy all sixteen bytes. */
static inline unsigned int comm16_any_len(const uint8_t *p)
{
#ifdef __x86_64__
	__m128i b = _mm_loadu_si128((const __m128i *)p);
	int zeros = _mm_movemask_epi8(_mm_cmpeq_epi8(b, _mm_setzero_si128()));

	return __builtin_ctz(zeros | 1 << COMM_SIZE);
#else
	return strnlen((const char *)p, COMM_SIZE);
#endif
}

/* The same, or -1 if a byte is not between ' ' and '~' or, with @json, must be escaped */
static inline int comm16_len(const uint8_t *p, bool json)
{
#ifdef __x86_64__
	__m128i b = _mm_loadu_si128((const __m128i *)p), special;
	unsigned int zeros = _mm_movemask_epi8(_mm_cmpeq_epi8(b, _mm_setzero_si128()));
	unsigned int len = __builtin_ctz(zeros | 1 << COMM_SIZE);

	/* As signed numbers, bytes above '~' other than DEL are negative. */
	special = _mm_or_si128(_mm_cmplt_epi8(b, _mm_set1_epi8(' ')),
			       _mm_cmpeq_epi8(b, _mm_set1_epi8(0x7f)));
	if (json)
		special = _mm_or_si128(special,
				       _mm_or_si128(_mm_cmpeq_epi8(b, _mm_set1_epi8('"')),
						    _mm_cmpeq_epi8(b, _mm_set1_epi8('\\'))));
	return _mm_movemask_epi8(special) & ((1u << len) - 1) ? -1 : (int)len;
#else
	return comm16_len_by_words(p, json);
#endif
}

#endif
