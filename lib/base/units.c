/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* units.c - sizes and times as people write them */
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct unit {
	const char *name;
	uint64_t    factor;
};

static const struct unit sizes[] = {
	{ "b", 1 }, { "k", 1 << 10 }, { "kb", 1 << 10 }, { "kib", 1 << 10 },
	{ "m", 1 << 20 }, { "mb", 1 << 20 }, { "mib", 1 << 20 },
	{ "g", 1 << 30 }, { "gb", 1 << 30 }, { "gib", 1 << 30 },
	{ "t", 1ULL << 40 }, { "tb", 1ULL << 40 }, { "tib", 1ULL << 40 }, { NULL, 0 }
};

static const struct unit times[] = {
	{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
	{ "sec", 1000000000 }, { "m", 60000000000 }, { "min", 60000000000 },
	{ "h", 3600000000000 }, { "d", 86400000000000 }, { NULL, 0 }
};

static const struct unit *find_unit(const struct unit *units, const char *name, size_t len)
{
	for (; units->name; units++)
		if (strlen(units->name) == len && strncasecmp(units->name, name, len) == 0)
			return units;
	return NULL;
}

/* One "number[unit]" at *@p, decimals allowed; false if it is invalid or overflows */
static bool parse_part(const char **p, const struct unit *units, uint64_t bare, uint64_t *sum)
{
	uint64_t whole = 0, part = 0, scale = 1, factor = bare, value;
	const char *s = *p, *name;

	if (!isdigit((unsigned char)*s))
		return false;
	for (; isdigit((unsigned char)*s); s++)
		if (__builtin_mul_overflow(whole, 10, &whole) ||
		    __builtin_add_overflow(whole, *s - '0', &whole))
			return false;
	if (*s == '.')
		for (s++; isdigit((unsigned char)*s); s++)
			if (scale < 1000000000) {
				part = part * 10 + (*s - '0');
				scale *= 10;
			}
	for (name = s; isalpha((unsigned char)*s); s++)
		;
	if (s > name) {
		const struct unit *u = find_unit(units, name, s - name);

		if (!u)
			return false;
		factor = u->factor;
	}
	if (__builtin_mul_overflow(whole, factor, &value))
		return false;
	value += (uint64_t)((double)part / scale * factor);
	*p = s;
	return !__builtin_add_overflow(*sum, value, sum);
}

static int parse(const char *text, const struct unit *units, uint64_t bare, uint64_t *value,
		 const char *example, struct kt_err *err)
{
	const char *p = text;
	uint64_t sum = 0;

	do {
		if (!parse_part(&p, units, bare, &sum))
			return kt_err_set_kind(err, *text == '-' ? KT_ERR_NEGATIVE : KT_ERR_OTHER,
					       -EINVAL, "'%s' is not a %s", text, example);
	} while (*p);
	*value = sum;
	return 0;
}

int units_parse_size(const char *text, uint64_t unit, uint64_t *bytes, struct kt_err *err)
{
	return parse(text, sizes, unit, bytes, "size, such as 64k, 16M or 2G", err);
}

int units_parse_time(const char *text, uint64_t unit_ns, uint64_t *ns, struct kt_err *err)
{
	return parse(text, times, unit_ns, ns, "time, such as 250ms, 10s or 1m30s", err);
}

int units_parse_u64(const char *text, uint64_t *value, struct kt_err *err)
{
	char *end;

	errno = 0;
	if (!isdigit((unsigned char)*text))
		return kt_err_set(err, -EINVAL, "'%s' is not a number", text);
	*value = strtoull(text, &end, 0);
	if (*end)
		return kt_err_set(err, -EINVAL, "'%s' is not a number", text);
	if (errno)
		return kt_err_set(err, -ERANGE, "number '%s' is too large", text);
	return 0;
}

int units_parse_i64(const char *text, int64_t *value, struct kt_err *err)
{
	char *end;

	errno = 0;
	*value = strtoll(text, &end, 0);
	if (*end || end == text)
		return kt_err_set(err, -EINVAL, "'%s' is not a number", text);
	if (errno)
		return kt_err_set(err, -ERANGE, "number '%s' is too large", text);
	return 0;
}

/* @names: from the smallest unit, each @step of the one before; ends with NULL */
static char *format(double value, double step, const char *const names[], char *buf)
{
	size_t i;

	for (i = 0; value >= step && names[i + 1]; i++)
		value /= step;
	snprintf(buf, 32, i && value < 100 ? "%.1f %s" : "%.0f %s", value, names[i]);
	return buf;
}

char *units_format_size(uint64_t bytes, char *buf)
{
	static const char *const names[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", NULL };

	return format(bytes, 1024, names, buf);
}

char *units_format_time(uint64_t ns, char *buf)
{
	static const char *const names[] = { "ns", "us", "ms", "s", NULL };

	return format(ns, 1000, names, buf);
}

char *units_format_moment(uint64_t ns, char *buf)
{
	uint64_t us = ns / 1000 + (ns % 1000 >= 500);

	snprintf(buf, 32, "%" PRIu64 ".%06" PRIu64, us / 1000000, us % 1000000);
	return buf;
}
