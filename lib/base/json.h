/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* json.h - write JSON that programs parse and people can still read */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/**
 * struct json - a document under construction
 *
 * Start with `struct json j = JSON_INIT;`, end with str_fini(&j.text). Commas, quotes and
 * line breaks are added automatically: members of outer levels are each on a line of their own,
 * inner levels stay on one line. @key: NULL inside an array. Bytes that are not UTF-8 become
 * U+FFFD, so that every parser accepts the result.
 */
struct json {
	struct str text;
	int  depth;
	bool more;		/* the current level already has a member */
};
#define JSON_INIT { .text = STR_INIT }
/* All on one line, which the caller ends */
#define JSON_LINE_INIT { .text = STR_INIT, .depth = 3 }

void json_open(struct json *j, const char *key, char bracket);	/* '{' or '[' */
void json_close(struct json *j, char bracket);			/* '}' or ']' */
void json_str(struct json *j, const char *key, const char *value);	/* NULL: null */
void json_strn(struct json *j, const char *key, const char *value, size_t len);
void json_int(struct json *j, const char *key, int64_t value);
void json_uint(struct json *j, const char *key, uint64_t value);
void json_real(struct json *j, const char *key, double value);	/* not finite: null */
void json_bool(struct json *j, const char *key, bool value);

/* One string in quotes, for code that writes whole lines */
void json_quote(struct str *s, const char *text, size_t len);
/* How many bytes at the start of @text need no escape inside quotes */
size_t json_ordinary(const char *text, size_t len);

#endif
