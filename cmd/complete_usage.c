/* SPDX-License-Identifier: GPL-2.0-or-later */
/* complete_usage.c - what may stand where on a command line, as the usage of the command says */
#include "complete_usage.h"

#include <string.h>

#include "base/str.h"

/* Behind the bracket that closes the one at @p */
static const char *behind(const char *p)
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

/* Without "[-B <name>]…" and "[<options>]" */
static void drop_options(const char *usage, struct str *out)
{
	while (*usage) {
		if (str_starts(usage, "[-") || str_starts(usage, "[<options>")) {
			usage = behind(usage);
			usage += str_starts(usage, "…") ? strlen("…") : 0;
			usage += strspn(usage, " ");
		} else {
			str_addc(out, *usage++);
		}
	}
	while (out->len && out->buf[out->len - 1] == ' ')
		out->buf[--out->len] = '\0';
}

/* "[all|cpu]" is one of two words; "<name>…" more than one name; "<param>=<value>" a param */
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

/* The next " | " that stands in no bracket, or the end */
static size_t to_bar(const char *p)
{
	const char *start = p;

	while (*p && !str_starts(p, " | "))
		p = *p == '[' ? behind(p) : p + 1;
	return p - start;
}

size_t usage_parse(const char *usage, struct usage_alternative out[USAGE_ALTERNATIVES])
{
	struct str plain = STR_INIT;
	size_t nr = 0, len;
	const char *p;

	drop_options(usage, &plain);
	p = plain.buf;
	/* All of it in one bracket: it may be left out, as a person typing on knows */
	if (*p == '[' && !*behind(p)) {
		plain.buf[plain.len - 1] = '\0';
		p++;
	}
	for (; *p && nr < USAGE_ALTERNATIVES; p += len, p += str_starts(p, " | ") ? 3 : 0) {
		len = to_bar(p);
		parse_alternative(p, len, &out[nr++]);
	}
	str_fini(&plain);
	return nr;
}
