/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* scan_text.h - numbers at the start of a text that may lack its NUL */
#ifndef SHAPE_SCAN_TEXT_H
#define SHAPE_SCAN_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Decimal digits; returns how many, 0 if there are none or the value exceeds 64 bits */
static inline size_t scan_decimal(const char *s, size_t len, uint64_t *v)
{
	size_t n;

	*v = 0;
	for (n = 0; n < len && s[n] >= '0' && s[n] <= '9'; n++)
		if (__builtin_mul_overflow(*v, 10, v) ||
		    __builtin_add_overflow(*v, (uint64_t)(s[n] - '0'), v))
			return 0;
	return n;
}

/* Hexadecimal digits in lower case, up to 16 */
static inline size_t scan_hex(const char *s, size_t len, uint64_t *v)
{
	size_t n;

	*v = 0;
	for (n = 0; n < len; n++) {
		if (s[n] >= '0' && s[n] <= '9')
			*v = *v << 4 | (uint64_t)(s[n] - '0');
		else if (s[n] >= 'a' && s[n] <= 'f')
			*v = *v << 4 | (uint64_t)(s[n] - 'a' + 10);
		else
			break;
	}
	return n <= 16 ? n : 0;
}

#endif
