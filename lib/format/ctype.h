/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ctype.h - the types of a print format, as the recording kernel's C has them */
#ifndef FORMAT_CTYPE_H
#define FORMAT_CTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctype {
	uint8_t size;			/* bytes; 0: not known */
	bool    is_signed, is_bool;
};

/* Of "unsigned long", "const u8", "enum x" …: no pointer. False: a name that it does not know. */
bool ctype_find(const char *name, size_t len, int long_size, struct ctype *to);
/* What sizeof says, of pointers too; 0: not known */
int ctype_size(const char *name, size_t len, int long_size);

/* C's usual arithmetic conversions: what both become, no less than an int */
struct ctype ctype_common(struct ctype a, struct ctype b);
static inline struct ctype ctype_promoted(struct ctype t)
{
	return t.size < 4 ? (struct ctype){ .size = 4, .is_signed = true } :
	       (struct ctype){ .size = t.size, .is_signed = t.is_signed };
}

#endif
