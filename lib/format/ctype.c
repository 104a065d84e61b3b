/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ctype.c - the C types of a print format, as on the recording machine */
#include "format/ctype.h"

#include <ctype.h>
#include <string.h>

#define LONG	0			/* has the size of a long */
#define NR_BOOL	2

static const struct {
	const char *name;
	uint8_t size;
	bool is_signed;
} names[] = {
	{ "bool", 1, false }, { "_Bool", 1, false },	/* NR_BOOL: first */
	{ "u8", 1, false }, { "s8", 1, true }, { "u16", 2, false }, { "s16", 2, true },
	{ "u32", 4, false }, { "s32", 4, true }, { "u64", 8, false }, { "s64", 8, true },
	{ "le16", 2, false }, { "le32", 4, false }, { "le64", 8, false },
	{ "be16", 2, false }, { "be32", 4, false }, { "be64", 8, false },
	{ "uint8_t", 1, false }, { "uint16_t", 2, false }, { "uint32_t", 4, false },
	{ "uint64_t", 8, false }, { "int8_t", 1, true }, { "int16_t", 2, true },
	{ "int32_t", 4, true }, { "int64_t", 8, true },
	{ "size_t", LONG, false }, { "ssize_t", LONG, true }, { "uintptr_t", LONG, false },
	{ "ptrdiff_t", LONG, true }, { "ino_t", LONG, false }, { "pid_t", 4, true },
	{ "uid_t", 4, false }, { "gid_t", 4, false }, { "dev_t", 4, false },
	{ "umode_t", 2, false }, { "mode_t", 2, false }, { "gfp_t", 4, false },
	{ "loff_t", 8, true }, { "sector_t", 8, false }, { "blkcnt_t", 8, false },
	{ "clockid_t", 4, true }, { "time64_t", 8, true }, { "ktime_t", 8, true },
	{ "dma_addr_t", 8, false }, { "phys_addr_t", 8, false }, { "resource_size_t", 8, false },
	{ "pgoff_t", LONG, false }, { "uint", 4, false }, { "ulong", LONG, false },
	{ "ushort", 2, false }, { "uchar", 1, false },
};

static bool is_word(const char *p, size_t len, const char *word)
{
	return strlen(word) == len && memcmp(p, word, len) == 0;
}

static bool find_name(const char *p, size_t len, int long_size, struct ctype *to)
{
	size_t i;

	if (len > 2 && p[0] == '_' && p[1] == '_') {	/* __u8, __le32, … */
		p += 2;
		len -= 2;
	}
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is_word(p, len, names[i].name)) {
			to->size = names[i].size ? names[i].size : long_size;
			to->is_signed = names[i].is_signed;
			to->is_bool = i < NR_BOOL;
			return true;
		}
	return false;
}

/* "char", "short", "int", "long", "signed", "unsigned", in any order and number */
struct words {
	int nr_long;
	bool is_char, is_short, is_int, is_signed, is_unsigned;
};

static bool add_word(struct words *w, const char *p, size_t len)
{
	if (is_word(p, len, "long"))
		w->nr_long++;
	else if (is_word(p, len, "char"))
		w->is_char = true;
	else if (is_word(p, len, "short"))
		w->is_short = true;
	else if (is_word(p, len, "int"))
		w->is_int = true;
	else if (is_word(p, len, "signed"))
		w->is_signed = true;
	else if (is_word(p, len, "unsigned"))
		w->is_unsigned = true;
	else
		return false;
	return true;
}

static struct ctype type_of(const struct words *w, int long_size)
{
	int size = 4;

	if (w->is_char)
		size = 1;
	else if (w->is_short)
		size = 2;
	else if (w->nr_long)
		size = w->nr_long > 1 ? 8 : long_size;
	return (struct ctype){ .size = size, .is_signed = !w->is_unsigned };
}

bool ctype_find(const char *name, size_t len, int long_size, struct ctype *to)
{
	const char *p = name, *end = name + len, *word;
	struct words words = { 0 };
	bool any = false;

	*to = (struct ctype){ 0 };
	for (; p < end; p += p < end) {
		word = p;
		while (p < end && !isspace((unsigned char)*p))
			p++;
		if (p == word || is_word(word, p - word, "const") ||
		    is_word(word, p - word, "volatile"))
			continue;
		if (is_word(word, p - word, "enum")) {
			*to = (struct ctype){ .size = 4 };
			return true;
		}
		if (add_word(&words, word, p - word))
			any = true;
		else
			return !any && find_name(word, p - word, long_size, to);
	}
	if (any)
		*to = type_of(&words, long_size);
	return any;
}

int ctype_size(const char *name, size_t len, int long_size)
{
	struct ctype type;

	if (len && name[len - 1] == '*')
		return long_size;
	return ctype_find(name, len, long_size, &type) ? type.size : 0;
}

struct ctype ctype_common(struct ctype a, struct ctype b)
{
	a = ctype_promoted(a);
	b = ctype_promoted(b);
	if (a.size == b.size)
		a.is_signed &= b.is_signed;
	return a.size >= b.size ? a : b;
}
