/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sizeof.c - replace each sizeof in a print format by a number */
#include "format/grammar.h"

#include <string.h>

#include "format/ctype.h"

/* Length of the string constant at @p; the grammar check ensures that it ends. */
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
			value = close ?
				ctype_size(p + word_len, close - p - word_len, long_size) : 0;
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
