/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* printk.c - the strings that trace_printk and tracepoint_string record by address */
#include "symbols/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * A line is `0xffffffff82521880 : "text\n"`. Escapes in the text are kept, as
 * libtraceevent does; the quotes and one final \n are dropped.
 */
static bool parse_line(const char *line, size_t len, uint64_t *addr, const char **text,
		       size_t *size)
{
	const char *end = line + len, *colon, *p;
	char digits[24];
	size_t n;

	colon = memchr(line, ':', len);
	if (!colon)
		return false;
	n = colon - line;
	if (n >= sizeof(digits))
		return false;
	memcpy(digits, line, n);
	digits[n] = '\0';
	*addr = strtoull(digits, NULL, 16);
	for (p = colon + 1; p < end && *p == ' '; p++)
		;
	if (p < end && *p == '"')
		p++;
	if (end > p && end[-1] == '"')
		end--;
	if (end - p >= 2 && end[-2] == '\\' && end[-1] == 'n')
		end -= 2;
	*text = p;
	*size = end - p;
	return true;
}

static int by_addr(const void *va, const void *vb)
{
	const struct printk_entry *a = va, *b = vb;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

static size_t count_lines(const char *text, size_t size)
{
	const char *p = text, *end = text + size;
	size_t nr = 1;

	while ((p = memchr(p, '\n', end - p))) {
		nr++;
		p++;
	}
	return nr;
}

int printk_parse(struct printk_table *t, const char *text, size_t size)
{
	const char *p = text, *end = text + size, *eol, *str;
	size_t max = count_lines(text, size), used = 0, len;

	if (size >= UINT32_MAX)
		return -EFBIG;
	t->entries = calloc(max, sizeof(*t->entries));
	t->pool = malloc(size + max + 1);
	if (!t->entries || !t->pool) {
		printk_fini(t);
		return -ENOMEM;
	}
	for (; p < end; p = eol + 1) {
		struct printk_entry *e = &t->entries[t->nr];

		eol = memchr(p, '\n', end - p);
		if (!eol)
			eol = end;
		if (!parse_line(p, eol - p, &e->addr, &str, &len))
			continue;
		e->order = t->nr;
		e->text = used;
		memcpy(t->pool + used, str, len);
		t->pool[used + len] = '\0';
		used += len + 1;
		t->nr++;
	}
	qsort(t->entries, t->nr, sizeof(*t->entries), by_addr);
	return 0;
}

void printk_fini(struct printk_table *t)
{
	free(t->entries);
	free(t->pool);
	memset(t, 0, sizeof(*t));
}

const char *printk_find(const struct printk_table *t, uint64_t addr)
{
	size_t lo = 0, hi = t->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (t->entries[mid].addr < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == t->nr || t->entries[lo].addr != addr)
		return NULL;
	return t->pool + t->entries[lo].text;
}
