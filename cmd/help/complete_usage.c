/* SPDX-License-Identifier: GPL-2.0-or-later */
/* complete_usage.c - which words a command line may have, according to the usage of the command */
#include "complete_usage.h"

#include <string.h>

#include "base/str.h"

/* After the bracket that closes the one at @p */
static const char *after(const char *p)
{
	int depth = 0;

	for (; *p; p++) {
		depth += *p == '[';
		depth -= *p == ']';
		if (!depth)
			return p + 1;
	}
	return p;
}

/* "[all|cpu]" is one of two words; "<name>…" is several names; "<param>=<value>" a parameter */
static void add_item(struct usage_alternative *a, const char *text, size_t len)
{
	size_t i, nr = 0;
	char *item;

	if (a->nr == USAGE_ITEMS || !len || len >= sizeof(a->items[0]))
		return;
	item = a->items[a->nr];
	for (i = 0; i < len; i++)
		if (text[i] != '[' && text[i] != ']')
			item[nr++] = text[i];
	item[nr] = '\0';
	a->nr += nr && *item != '-';
}

static void parse_alternative(const char *text, size_t len, struct usage_alternative *a)
{
	const char *end = text + len;
	size_t word;

	memset(a, 0, sizeof(*a));
	for (; text < end; text += word) {
		text += strspn(text, " ");
		word = strcspn(text, " ");
		if (text + word > end)
			word = text < end ? (size_t)(end - text) : 0;
		if (!word)
			break;
		add_item(a, text, word);
	}
}

/* The next " | " outside brackets, or the end */
static size_t to_bar(const char *p)
{
	const char *start = p;

	while (*p && !str_starts(p, " | "))
		p = *p == '[' ? after(p) : p + 1;
	return p - start;
}

size_t usage_parse(const char *usage, struct usage_alternative out[USAGE_ALTERNATIVES])
{
	const char *end = usage + strlen(usage), *p = usage;
	size_t nr = 0, len;

	/* All in one bracket: optional, which does not matter if a person is typing it */
	if (*p == '[' && !*after(p)) {
		p++;
		end--;
	}
	for (; p < end && nr < USAGE_ALTERNATIVES; p += len, p += str_starts(p, " | ") ? 3 : 0) {
		len = to_bar(p);
		if (len > (size_t)(end - p))
			len = (size_t)(end - p);
		parse_alternative(p, len, &out[nr++]);
	}
	return nr;
}
