/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* addresses.c - addresses for functions, of which a text has only the names */
#include "shape/addresses.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "shape/scan_text.h"

/* Outside the kernel's range, and so far apart that an offset stays within its function */
#define FIRST	0xffff900000000000
#define DISTANCE 0x10000
#define MOST	(1u << 22)		/* names */

void addresses_fini(struct addresses *a)
{
	str_fini(&a->names);
	free(a->at);
	keymap_fini(&a->by_name);
	keymap_fini(&a->by_address);
}

static uint64_t hash(const char *name, size_t len)
{
	uint64_t h = 0xcbf29ce484222325;
	size_t i;

	for (i = 0; i < len; i++)
		h = (h ^ (uint8_t)name[i]) * 0x100000001b3;
	return keymap_scramble(h);
}

static int add(struct addresses *a, uint64_t address, const char *name, size_t len)
{
	if (a->nr == MOST || !array_fit(a->at, a->nr, a->cap))
		return -ENOMEM;
	if (!a->names.buf)
		a->names = (struct str)STR_INIT;
	a->at[a->nr++] = (struct address){ address, (uint32_t)a->names.len };
	str_addn(&a->names, name, len);
	str_addc(&a->names, '\0');
	return a->names.failed ? -ENOMEM : 0;
}

static bool is_name(const struct addresses *a, uint32_t i, const char *name, size_t len)
{
	const char *have = a->names.buf + a->at[i].name;

	return strncmp(have, name, len) == 0 && !have[len];
}

uint64_t addresses_of(struct addresses *a, const char *name, size_t len)
{
	uint64_t key = hash(name, len);
	uint32_t i;

	/* If two names have the same hash, the second one is stored under the next key */
	while ((i = keymap_get(&a->by_name, key)) != KEYMAP_NONE) {
		if (is_name(a, i, name, len))
			return a->at[i].address;
		key++;
	}
	if (add(a, FIRST + (uint64_t)a->nr * DISTANCE, name, len) < 0 ||
	    keymap_put(&a->by_name, key, (uint32_t)a->nr - 1) < 0)
		return 0;
	return a->at[a->nr - 1].address;
}

int addresses_told(struct addresses *a, uint64_t address, const char *name, size_t len)
{
	if (keymap_get(&a->by_address, address) != KEYMAP_NONE)
		return 0;
	if (keymap_put(&a->by_address, address, 0) < 0)
		return -ENOMEM;
	return add(a, address, name, len);
}

static int by_address(const void *a, const void *b)
{
	const struct address *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

void addresses_put(struct addresses *a, struct str *to)
{
	const char *name, *module;
	size_t i;

	/* From here on the indexes in by_name are invalid */
	if (a->nr)
		qsort(a->at, a->nr, sizeof(*a->at), by_address);
	keymap_fini(&a->by_name);
	for (i = 0; i < a->nr; i++) {
		name = a->names.buf + a->at[i].name;
		module = strchr(name, ' ');
		str_addf(to, "%016llx T %.*s%s%s\n", (unsigned long long)a->at[i].address,
			 module ? (int)(module - name) : (int)strlen(name), name,
			 module ? "\t" : "", module ? module + 1 : "");
	}
}

static size_t name_len(const char *text, size_t len)
{
	size_t n = 0;

	if (len && (isalpha((unsigned char)*text) || *text == '_' || *text == '.'))
		while (n < len && (isalnum((unsigned char)text[n]) || strchr("_.$", text[n])) &&
		       text[n])
			n++;
	return n;
}

size_t addresses_parse(struct addresses *a, const char *text, size_t len, uint64_t *address)
{
	size_t n = name_len(text, len), module;

	*address = 0;
	if (!n) {
		if (len > 2 && text[0] == '0' && text[1] == 'x')
			n = scan_hex(text + 2, len - 2, address);
		return n ? n + 2 : len && *text == '0';
	}
	if (n + 2 < len && text[n] == ' ' && text[n + 1] == '[') {
		module = name_len(text + n + 2, len - n - 2);
		if (module && n + 2 + module < len && text[n + 2 + module] == ']')
			n += module + 3;
	}
	*address = addresses_of(a, text, n);
	return n;
}
