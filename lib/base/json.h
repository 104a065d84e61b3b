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
 * Start with `struct json j = JSON_INIT;`, end with str_fini(&j.text). Commas,
 * quotes and line breaks come by themselves: outer levels get a line for each
 * member, inner ones stay on one. @key: NULL inside an array. Bytes that are
 * not UTF-8 become U+FFFD, so that every parser takes the result.
 */
struct json {
	struct str text;
	int  depth;
	bool more;		/* something stands before in this level */
};
#define JSON_INIT { .text = STR_INIT }

void json_open(struct json *j, const char *key, char bracket);	/* '{' or '[' */
void json_close(struct json *j, char bracket);			/* '}' or ']' */
void json_str(struct json *j, const char *key, const char *value);	/* NULL: null */
void json_strn(struct json *j, const char *key, const char *value, size_t len);
void json_int(struct json *j, const char *key, int64_t value);
void json_uint(struct json *j, const char *key, uint64_t value);
void json_real(struct json *j, const char *key, double value);	/* not finite: null */
void json_bool(struct json *j, const char *key, bool value);

/* One string with its quotes, for writers of whole lines */
void json_quote(struct str *s, const char *text, size_t len);
/* How many bytes stand for themselves inside of quotes, from the start of @text on */
size_t json_ordinary(const char *text, size_t len);

#endif
