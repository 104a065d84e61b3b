/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ctype.h - the C types of a print format, as on the recording machine */
#ifndef FORMAT_CTYPE_H
#define FORMAT_CTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctype {
	uint8_t size;			/* bytes; 0: not known */
	bool    is_signed, is_bool;
};

/* For "unsigned long", "const u8", "enum x" …, but not for pointers. False: unknown name */
bool ctype_find(const char *name, size_t len, int long_size, struct ctype *to);
/* The value of sizeof, also for pointers; 0: not known */
int ctype_size(const char *name, size_t len, int long_size);

/* C's usual arithmetic conversions: the common type of both, at least an int */
struct ctype ctype_common(struct ctype a, struct ctype b);
static inline struct ctype ctype_promoted(struct ctype t)
{
	return t.size < 4 ? (struct ctype){ .size = 4, .is_signed = true } :
	       (struct ctype){ .size = t.size, .is_signed = t.is_signed };
}

#endif
