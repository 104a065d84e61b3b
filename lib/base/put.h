/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* put.h - append short pieces of text, inline: the inner loop of every report */
#ifndef BASE_PUT_H
#define BASE_PUT_H

#include <string.h>

#include "base/num.h"
#include "base/str.h"

/*
 *	char *to = put_room(s, most);
 *
 *	if (!to)
 *		return;
 *	to = put_lit(to, "pid=");
 *	to = num_put_u64(to, pid);
 *	put_done(s, to);
 *
 * One check of the room, then plain stores. The text is not NUL-terminated here: the
 * function that hands the string out terminates it, as kt_event_text() does.
 */

#define PUT_SLACK 16			/* bytes after @most that may be overwritten */

static inline char *put_room(struct str *s, size_t most)
{
	if (__builtin_expect(s->cap - s->len > most + PUT_SLACK, 1))
		return s->buf + s->len;
	return str_room(s, most + PUT_SLACK);
}

static inline void put_done(struct str *s, const char *to)
{
	s->len = to - s->buf;
}

/* The compiler turns a string constant into plain stores. */
#define put_lit(to, lit) ((char *)memcpy(to, lit, sizeof(lit) - 1) + sizeof(lit) - 1)

/* Copies in blocks: up to 16 bytes after @from are read, up to PUT_SLACK after @to written. */
static inline char *put_padded(char *to, const char *from, size_t len)
{
	size_t i;

	memcpy(to, from, 16);
	if (__builtin_expect(len > 16, 0)) {
		memcpy(to + 16, from + 16, 16);
		for (i = 32; i < len; i += 16)
			memcpy(to + i, from + i, 16);
	}
	return to + len;
}

/* @nr blanks in blocks, as above */
static inline char *put_blanks(char *to, size_t nr)
{
	size_t i;

	memset(to, ' ', 16);
	for (i = 16; __builtin_expect(i < nr, 0); i += 16)
		memset(to + i, ' ', 16);
	return to + nr;
}

static inline char *put_bytes(char *to, const void *from, size_t len)
{
	memcpy(to, from, len);
	return to + len;
}

/* Bytes of @word before the first zero byte in memory, 8 if it has no zero byte */
static inline unsigned int put_zero_at(uint64_t word)
{
	const uint64_t ones = 0x0101010101010101;
	uint64_t zero = (word - ones) & ~word & ones << 7;	/* exact up to the first */

	return zero ? __builtin_ctzll(zero) / 8 : 8;
}

/* At most @size bytes, up to the first zero byte; @to has room for all. A comm is 16 bytes long. */
static inline char *put_text(char *to, const void *from, size_t size)
{
	uint64_t word[2];
	unsigned int len;

	if (size != sizeof(word) || KT_HOST_BIG)
		return put_bytes(to, from, strnlen((const char *)from, size));
	memcpy(word, from, sizeof(word));
	memcpy(to, word, sizeof(word));
	len = put_zero_at(word[0]);
	return to + (len < 8 ? len : 8 + put_zero_at(word[1]));
}

#endif
