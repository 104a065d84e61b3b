/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* raw.c - a record as " name=value …", as report -R shows it */
#include "model/events.h"

#include <string.h>

#include "base/num.h"

static bool is_printable(const uint8_t *p, size_t size)
{
	size_t i;

	for (i = 0; i < size && p[i]; i++)
		if ((p[i] < 0x20 || p[i] > 0x7e) && !(p[i] >= '\t' && p[i] <= '\r'))
			return false;
	return true;
}

static void put_array(struct kt_out *out, const uint8_t *p, size_t size)
{
	char *start = str_room(&out->text, size * 4 + 16), *to = start;
	size_t i;

	if (!start)
		return;
	memcpy(to, "ARRAY[", 6);
	to += 6;
	for (i = 0; i < size; i++) {
		if (i) {
			*to++ = ',';
			*to++ = ' ';
		}
		to = num_put_hex_digits(to, p[i], 2);
	}
	*to++ = ']';
	out->text.len += to - start;
}

/* Signed numbers are padded by their size, as libtraceevent does: "%2d" for 16 bits. */
static char *put_signed(char *to, uint64_t v, uint32_t size, bool is_long)
{
	char *start = to;

	switch (size) {
	case 4:
		if (is_long) {
			*to++ = '0';
			*to++ = 'x';
			return num_put_hex(to, (uint32_t)v);
		}
		return num_put_i64(to, (int32_t)v);
	case 2:
		to = num_put_i64(to, (int16_t)v);
		if (to - start == 1) {
			start[1] = start[0];
			start[0] = ' ';
			to++;
		}
		return to;
	case 1:
		return num_put_i64(to, (int8_t)v);
	}
	return num_put_i64(to, v);
}

static void put_number(struct kt_out *out, const struct kt_field *f, uint64_t v)
{
	char *start = str_room(&out->text, NUM_MAX + 2), *to = start;

	if (!start)
		return;
	if (f->flags & KT_FIELD_POINTER) {
		*to++ = '0';
		*to++ = 'x';
		to = num_put_hex(to, v);
	} else if (f->flags & KT_FIELD_SIGNED) {
		to = put_signed(to, v, f->size, f->flags & KT_FIELD_LONG);
	} else if (f->flags & KT_FIELD_LONG) {
		*to++ = '0';
		*to++ = 'x';
		to = num_put_hex(to, v);
	} else {
		to = num_put_u64(to, v);
	}
	out->text.len += to - start;
}

static void put_field(const struct event *ev, const struct kt_field *f,
		      const struct kt_record *rec, struct kt_out *out)
{
	struct kt_blob bytes;
	uint64_t v = 0;

	str_addc(&out->text, ' ');
	str_add(&out->text, f->name);
	str_addc(&out->text, '=');
	if (!(f->flags & KT_FIELD_ARRAY)) {
		if (f->offset + f->size <= rec->size)
			v = load_uint(rec->data + f->offset, f->size, ev->pub.events->swap);
		put_number(out, f, v);
		return;
	}
	if (kt_field_bytes(&ev->pub, f, rec, &bytes) < 0)
		return;
	if ((f->flags & KT_FIELD_STRING) && is_printable((const uint8_t *)bytes.data, bytes.size))
		str_addn(&out->text, bytes.data, bytes.size);
	else
		put_array(out, (const uint8_t *)bytes.data, bytes.size);
}

void raw_text(struct kt_events *evs, const struct event *ev, const struct kt_record *rec,
	      uint32_t prepared, struct kt_out *out)
{
	size_t i;

	(void)evs;
	(void)prepared;
	for (i = 0; i < ev->pub.nr_fields; i++)
		put_field(ev, &ev->pub.fields[i], rec, out);
}
