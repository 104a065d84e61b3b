/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* value.c - the values of fields, as all formats write them */
#include "export/value.h"

#include <string.h>

#include "base/escape.h"
#include "base/json.h"
#include "base/put.h"

#define MAX_ELEMS 65536			/* of an array: the size of the largest record in bytes */

enum value_type value_type_of(const struct kt_field *f)
{
	if (f->flags & (KT_FIELD_STRING | KT_FIELD_ARRAY | KT_FIELD_DYNAMIC | KT_FIELD_RELATIVE))
		return VALUE_TEXT;
	return f->flags & KT_FIELD_SIGNED ? VALUE_SIGNED : VALUE_UNSIGNED;
}

static uint64_t extend(const struct kt_field *f, uint64_t value, uint32_t size)
{
	if (!(f->flags & KT_FIELD_SIGNED) || !size || size >= 8)
		return value;
	return (uint64_t)((int64_t)(value << (64 - 8 * size)) >> (64 - 8 * size));
}

int value_number(const struct kt_event *ev, const struct kt_field *f, const struct kt_record *rec,
		 uint64_t *value)
{
	int ret = kt_field_u64(ev, f, rec, value);

	if (ret == 0)
		*value = extend(f, *value, f->size);
	return ret;
}

static void add_number(struct str *s, const struct kt_field *f, uint64_t value)
{
	char *p = put_room(s, NUM_MAX + 2);

	if (!p)
		return;
	if (f->flags & KT_FIELD_POINTER)
		p = num_put_hex(put_lit(p, "0x"), value);
	else if (f->flags & KT_FIELD_SIGNED)
		p = num_put_i64(p, (int64_t)value);
	else
		p = num_put_u64(p, value);
	put_done(s, p);
}

static void add_bytes(struct str *s, const struct kt_event *ev, const struct kt_field *f,
		      const struct kt_record *rec)
{
	struct kt_blob text;

	if (kt_field_bytes(ev, f, rec, &text) == 0)
		str_addn(s, text.data, text.size);
}

/* Each string has its own __data_loc. */
static void add_strings(struct str *s, const struct kt_event *ev, const struct kt_field *f,
			const struct kt_record *rec)
{
	struct kt_field one = *f;
	size_t i;

	one.size = 4;
	for (i = 0; i < f->nr_elems; i++) {
		one.offset = f->offset + 4 * i;
		if (i)
			str_addc(s, ',');
		add_bytes(s, ev, &one, rec);
	}
}

static void add_elems(struct str *s, const struct kt_event *ev, const struct kt_field *f,
		      const struct kt_record *rec)
{
	uint64_t value;
	size_t i;

	for (i = 0; i < MAX_ELEMS && kt_field_elem(ev, f, rec, i, &value) == 0; i++) {
		if (i)
			str_addc(s, ',');
		add_number(s, f, extend(f, value, f->elem_size));
	}
}

void value_put(struct str *s, const struct kt_event *ev, const struct kt_field *f,
	       const struct kt_record *rec)
{
	uint64_t value;

	if (f->flags & KT_FIELD_STRING && f->flags & KT_FIELD_DYNAMIC && f->nr_elems)
		add_strings(s, ev, f, rec);
	else if (f->flags & KT_FIELD_STRING)
		add_bytes(s, ev, f, rec);
	else if (value_type_of(f) == VALUE_TEXT)
		add_elems(s, ev, f, rec);
	else if (value_number(ev, f, rec, &value) == 0)
		add_number(s, f, value);
}

static void add_special(struct str *s, unsigned char c, bool escape)
{
	if (c >= 0x80)
		str_addn(s, "\xef\xbf\xbd", 3);		/* U+FFFD */
	else if (escape && (c < ' ' || c == 0x7f))
		str_addf(s, "\\x%02x", c);
	else
		str_addc(s, c);
}

void value_put_utf8(struct str *s, const char *text, size_t len, bool escape)
{
	size_t run;

	while (len) {
		run = json_ordinary(text, len);
		if (!run)
			run = escape_char_len(text, len);
		if (run) {
			str_addn(s, text, run);
		} else {
			add_special(s, *text, escape);
			run = 1;
		}
		text += run;
		len -= run;
	}
}
