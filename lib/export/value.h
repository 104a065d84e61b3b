/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* value.h - the values of fields, as all formats write them */
#ifndef EXPORT_VALUE_H
#define EXPORT_VALUE_H

#include <ktrail/event.h>

#include "base/str.h"

/* How a format stores a field */
enum value_type { VALUE_UNSIGNED, VALUE_SIGNED, VALUE_TEXT };

/* Texts, and arrays as texts "1,2,3"; numbers as they are */
enum value_type value_type_of(const struct kt_field *f);
/* A number: 0 or -ENODATA; sign-extended if the field is signed */
int value_number(const struct kt_event *ev, const struct kt_field *f, const struct kt_record *rec,
		 uint64_t *value);
/* The value as text, addresses in hex; nothing if the record lacks it */
void value_put(struct str *s, const struct kt_event *ev, const struct kt_field *f,
	       const struct kt_record *rec);
/*
 * A text as UTF-8, with U+FFFD for each byte that is not.
 * @escape: for a terminal
 */
void value_put_utf8(struct str *s, const char *text, size_t len, bool escape);

#endif
