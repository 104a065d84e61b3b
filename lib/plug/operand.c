/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* operand.c - "field", "field-other", "field:4-7": the operands of phrases and columns */
#include "plug/plug.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

size_t plug_name_length(const char *p)
{
	return strspn(p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

int plug_operand_parse(const struct kt_event *ev, const char *text, struct plug_operand *o)
{
	size_t len = plug_name_length(text), other;
	int used = 0;

	*o = (struct plug_operand){ .field = plug_field(ev, text, len) };
	if (text[len] == '-') {
		other = plug_name_length(text + len + 1);
		o->minus = plug_field(ev, text + len + 1, other);
		if (!o->minus)
			o->field = NULL;
		return (int)(len + 1 + other);
	}
	if (text[len] != ':')
		return (int)len;
	if (sscanf(text + len, ":%2hhu-%2hhu%n", &o->low, &o->high, &used) < 2 || !used ||
	    o->low > o->high || !o->high || o->high > 63)
		return -EINVAL;
	return (int)len + used;
}

static int64_t extend(const struct kt_field *f, uint64_t value)
{
	unsigned int shift = f->size && f->size < 8 ? 64 - 8 * f->size : 0;

	if (!(f->flags & KT_FIELD_SIGNED))
		return (int64_t)value;
	return (int64_t)(value << shift) >> shift;
}

static int get_value(const struct plug_call *c, const struct kt_field *f, uint64_t *value)
{
	int ret = c->view->model->field_u64(c->ev, f, &c->rec, value);

	if (ret == 0)
		*value = (uint64_t)extend(f, *value);
	return ret;
}

int plug_operand_get(const struct plug_call *c, const struct plug_operand *o, uint64_t *value)
{
	int ret = get_value(c, o->field, value);
	uint64_t other = 0;

	if (ret < 0)
		return ret;
	if (o->minus)
		ret = get_value(c, o->minus, &other);
	else if (o->high)
		*value = *value >> o->low & (~0ULL >> (63 - (o->high - o->low)));
	*value -= other;
	return ret;
}
