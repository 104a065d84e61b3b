/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* scan.h - take integers and strings from the start of untrusted bytes */
#ifndef FILE_SCAN_H
#define FILE_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"

/*
 * If fewer bytes are left than requested, the result is zero or NULL and @failed is set. It
 * stays set: take a whole structure, then test once.
 */
struct scan {
	const uint8_t *at;
	uint64_t left;		/* bytes from @at on */
	bool swap;		/* the file has the other byte order */
	bool failed;
};

static inline struct scan scan_init(const void *data, uint64_t size, bool swap)
{
	return (struct scan){ .at = data, .left = size, .swap = swap };
}

static inline const void *scan_bytes(struct scan *s, uint64_t nr)
{
	const void *at = s->at;

	if (s->failed || nr > s->left) {
		s->failed = true;
		return NULL;
	}
	s->at += nr;
	s->left -= nr;
	return at;
}

static inline uint64_t scan_uint(struct scan *s, unsigned int size)
{
	const void *p = scan_bytes(s, size);

	return p ? load_uint(p, size, s->swap) : 0;
}

static inline uint8_t scan_u8(struct scan *s)
{
	return scan_uint(s, 1);
}

static inline uint16_t scan_u16(struct scan *s)
{
	return scan_uint(s, 2);
}

static inline uint32_t scan_u32(struct scan *s)
{
	return scan_uint(s, 4);
}

static inline uint64_t scan_u64(struct scan *s)
{
	return scan_uint(s, 8);
}

/* A NUL-terminated string; NULL if there is no NUL */
static inline const char *scan_str(struct scan *s)
{
	size_t len = s->failed ? 0 : strnlen((const char *)s->at, s->left);

	return scan_bytes(s, (uint64_t)len + 1);
}

/* Is @text (with its NUL) next? If so, take it. */
static inline bool scan_word(struct scan *s, const char *text)
{
	size_t size = strlen(text) + 1;

	if (s->failed || s->left < size || memcmp(s->at, text, size) != 0)
		return false;
	scan_bytes(s, size);
	return true;
}

#endif
