/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* spec.c - parse a conversion between the % and its letter */
#include "format/spec.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/clamp.h"

static bool parse_int(const char **p, int16_t *value)
{
	int v = 0;

	for (; isdigit((unsigned char)**p); (*p)++) {
		v = v * 10 + (**p - '0');
		if (v > MAX_WIDTH)
			return false;
	}
	*value = v;
	return true;
}

static const char *parse_flags(const char *p, struct spec *spec)
{
	for (;; p++) {
		switch (*p) {
		case '-':
			spec->left = true;
			break;
		case '0':
			spec->zero = true;
			break;
		case '#':
			spec->alt = true;
			break;
		case '+':
			spec->plus = '+';
			break;
		case ' ':
			spec->plus = spec->plus ? spec->plus : ' ';
			break;
		default:
			return p;
		}
	}
}

static const char *parse_length(const char *p, struct spec *spec)
{
	switch (*p) {
	case 'L':
		spec->length = 2;
		return p + 1;
	case 'z':
	case 'Z':
	case 't':
		spec->length = 1;
		return p + 1;
	case 'h':
		for (; *p == 'h' && spec->length > -2; p++)
			spec->length--;
		return p;
	}
	for (; *p == 'l' && spec->length < 2; p++)
		spec->length++;
	return p;
}

bool spec_parse(const char **at, struct spec *spec, bool *star)
{
	const char *p = parse_flags(*at, spec);

	*star = false;
	if (*p == '*') {
		*star = true;
		p++;
	} else if (isdigit((unsigned char)*p) && !parse_int(&p, &spec->width)) {
		return false;
	}
	if (*p == '.') {
		p++;
		spec->precision = 0;
		if (*p == '*') {
			if (*star)
				return false;
			*star = spec->star_is_precision = true;
			p++;
		} else if (!parse_int(&p, &spec->precision)) {
			return false;
		}
	}
	*at = parse_length(p, spec);
	return true;
}

void spec_set_star(struct spec *spec, int32_t value)
{
	value = clamp(value, -MAX_WIDTH, MAX_WIDTH);
	if (spec->star_is_precision) {
		spec->precision = value < 0 ? -1 : value;
		return;
	}
	spec->left |= value < 0;
	spec->width = abs(value);
}
