/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* put.h - short pieces of text behind each other, inline: the inner loop of every report */
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
 * One check of the room, then plain stores. The zero byte behind the text is
 * not kept up: who hands the string out sets it (kt_event_text does).
 */

#define PUT_SLACK 16			/* bytes behind @most that may be written to and left */

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

/* A string constant: the compiler makes stores of it. */
#define put_lit(to, lit) ((char *)memcpy(to, lit, sizeof(lit) - 1) + sizeof(lit) - 1)

/* @len bytes in blocks: up to 15 bytes behind @from are read, and PUT_SLACK behind @to written. */
static inline char *put_padded(char *to, const char *from, size_t len)
{
	size_t i;

	for (i = 0; i < len; i += 16)
		memcpy(to + i, from + i, 16);
	return to + len;
}

static inline char *put_bytes(char *to, const void *from, size_t len)
{
	memcpy(to, from, len);
	return to + len;
}

#endif
