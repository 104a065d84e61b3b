/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sizeof.c - numbers for the sizeof in a print format */
#include "format/grammar.h"

#include <string.h>

static int type_size(const char *type, size_t len, int long_size)
{
	static const struct {
		const char *name;
		int size;		/* 0: a long */
	} types[] = {
		{ "u8", 1 }, { "s8", 1 }, { "__u8", 1 }, { "char", 1 }, { "unsigned char", 1 },
		{ "u16", 2 }, { "s16", 2 }, { "__u16", 2 }, { "short", 2 }, { "unsigned short", 2 },
		{ "u32", 4 }, { "s32", 4 }, { "__u32", 4 }, { "int", 4 }, { "unsigned int", 4 },
		{ "u64", 8 }, { "s64", 8 }, { "__u64", 8 }, { "long long", 8 },
		{ "unsigned long long", 8 }, { "long", 0 }, { "unsigned long", 0 }, { "size_t", 0 },
	};
	size_t i;

	if (len && type[len - 1] == '*')
		return long_size;
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strlen(types[i].name) == len && memcmp(types[i].name, type, len) == 0)
			return types[i].size ? types[i].size : long_size;
	return 0;
}

/* Length of the string constant at @p, which ends: the grammar was checked. */
static size_t string_len(const char *p, const char *end)
{
	const char *q;

	for (q = p + 1; q < end && *q != '"'; q++)
		q += *q == '\\';
	return q < end ? q + 1 - p : end - p;
}

bool sizeof_replace(struct str *to, const char *text, size_t size, int long_size)
{
	static const char word[] = "sizeof(";
	const size_t word_len = sizeof(word) - 1;
	const char *p = text, *end = text + size, *close;
	size_t len;
	int value;

	while (p < end) {
		if (*p == '"') {
			len = string_len(p, end);
		} else if ((size_t)(end - p) > word_len && memcmp(p, word, word_len) == 0) {
			close = memchr(p, ')', end - p);
			value = close ? type_size(p + word_len, close - p - word_len, long_size) : 0;
			if (!value)
				return false;
			str_addf(to, "%d", value);
			p = close + 1;
			continue;
		} else {
			len = 1;
		}
		str_addn(to, p, len);
		p += len;
	}
	return !to->failed;
}
