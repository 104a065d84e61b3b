/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* escape.c - make untrusted bytes safe for a terminal */
#include "base/escape.h"

#include <stdint.h>
#include <string.h>

/* Length of the well-formed UTF-8 sequence at @s, 0 if there is none; its code point in @cp. */
static size_t utf8_len(const unsigned char *s, size_t len, uint32_t *cp)
{
	static const uint32_t lowest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n, i;

	if (s[0] < 0x80) {
		*cp = s[0];
		return 1;
	}
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	n = 2 + (s[0] >= 0xe0) + (s[0] >= 0xf0);
	if (n > len)
		return 0;
	*cp = s[0] & (0x7f >> n);
	for (i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*cp = *cp << 6 | (s[i] & 0x3f);
	}
	if (*cp < lowest[n] || *cp > 0x10ffff || (*cp >= 0xd800 && *cp <= 0xdfff))
		return 0;
	return n;
}

static bool is_harmless(uint32_t cp)
{
	if (cp == '\t')
		return true;
	if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0))
		return false;
	/* Bidirectional marks, overrides and isolates can make a line read as a different one. */
	if ((cp >= 0x200e && cp <= 0x200f) || (cp >= 0x2028 && cp <= 0x202e) ||
	    (cp >= 0x2066 && cp <= 0x2069) || cp == 0x061c)
		return false;
	return true;
}

/* Bytes at @s that may be copied as one unit, 0 if the first byte must be escaped. */
static size_t plain_unit(const char *s, size_t len)
{
	uint32_t cp;
	size_t n = utf8_len((const unsigned char *)s, len, &cp);

	return n && is_harmless(cp) ? n : 0;
}

bool kt_is_plain(const char *s, size_t len)
{
	size_t i, n;

	for (i = 0; i < len; i += n) {
		n = plain_unit(s + i, len - i);
		if (!n)
			return false;
	}
	return true;
}

size_t kt_escape(char *dst, size_t size, const char *src, size_t len)
{
	static const char hex[] = "0123456789abcdef";
	size_t need = 0, end = 0, i, n;

	for (i = 0; i < len; i += n) {
		char esc[4] = { '\\', 'x', hex[(unsigned char)src[i] >> 4], hex[src[i] & 0xf] };
		size_t unit = plain_unit(src + i, len - i);
		const char *from = unit ? src + i : esc;
		size_t put = unit ? unit : sizeof(esc);

		n = unit ? unit : 1;
		if (end == need && need + put < size) {
			memcpy(dst + need, from, put);
			end = need + put;
		}
		need += put;
	}
	if (size)
		dst[end] = '\0';
	return need;
}

size_t escape_char_len(const char *s, size_t len)
{
	size_t nr;

	for (nr = 2; nr <= 4 && nr <= len; nr++)
		if (kt_is_plain(s, nr))
			return nr;
	return 0;
}
