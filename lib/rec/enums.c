/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* enums.c - enumerators in print formats become numbers, as TRACE_DEFINE_ENUM() makes them */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/btf.h"
#include "rec/rec_priv.h"

static bool find(struct enums *e, const char *name, int64_t *value)
{
	if (!e->tried)
		e->btf = kt_btf_open(e->path, NULL);
	e->tried = true;
	return e->btf && btf_enumerator(e->btf, name, value);
}

/* In capitals with a "_", neither a member nor a call: the names of fields and types are not. */
static bool is_candidate(const char *p, size_t len, char before)
{
	size_t i;
	bool underscore = false;

	for (i = 0; i < len; i++) {
		if (!isupper((unsigned char)p[i]) && !isdigit((unsigned char)p[i]) && p[i] != '_')
			return false;
		underscore |= p[i] == '_';
	}
	return underscore && isupper((unsigned char)*p) && before != '>' && before != '.' &&
	       p[len + strspn(p + len, " ")] != '(';
}

static const char *skip_string(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return p + (*p == '"');
}

/* The string of the format itself may hold bare quotes: arguments follow the one before a comma. */
static const char *skip_format(const char *p)
{
	for (p += *p == '"'; *p; p++)
		if (*p == '"' && p[-1] != '\\' && (p[1] == ',' || !p[1] || p[1] == '\n'))
			return p + 1;
	return p;
}

void rec_enums_to_numbers(struct enums *e, const char *format, struct str *out)
{
	const char *p = strstr(format, "\nprint fmt: "), *word;
	char name[64], before = ' ';
	int64_t value;
	size_t len;

	if (p)
		p = skip_format(p + strlen("\nprint fmt: "));
	else
		p = format + strlen(format);
	str_addn(out, format, p - format);
	while (*p) {
		word = p;
		if (*p == '"') {
			p = skip_string(p);
		} else if (isalnum((unsigned char)*p) || *p == '_') {
			while (isalnum((unsigned char)*p) || *p == '_')
				p++;
		} else {
			p++;
		}
		len = p - word;
		if (len < sizeof(name) && is_candidate(word, len, before)) {
			memcpy(name, word, len);
			name[len] = '\0';
			if (find(e, name, &value)) {
				str_addf(out, "%" PRId64, value);
				before = '0';
				continue;
			}
		}
		str_addn(out, word, len);
		if (!isspace((unsigned char)*word))
			before = *word;
	}
}
