/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* json.c - write JSON that programs parse and people can still read */
#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/escape.h"
#include "base/put.h"

#define LINE_DEPTH 2		/* levels whose members are each on a line of their own */

static size_t quote_special(struct str *s, const char *p, size_t len)
{
	unsigned char c = *p;
	size_t nr;

	if (c >= 0x80) {
		nr = escape_char_len(p, len);
		str_addn(s, nr ? p : "\\ufffd", nr ? nr : 6);
		return nr ? nr : 1;
	}
	if (c == '"' || c == '\\')
		str_addf(s, "\\%c", c);
	else if (c == '\n')
		str_addn(s, "\\n", 2);
	else if (c == '\t')
		str_addn(s, "\\t", 2);
	else
		str_addf(s, "\\u%04x", c);
	return 1;
}

static bool is_ordinary(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

#define ONES 0x0101010101010101u

/* The lowest bit set is the top bit of the first byte of @word that must be escaped; 0: none */
static uint64_t special_bytes(uint64_t word)
{
	uint64_t control = word - ONES * 0x20, del = word ^ ONES * 0x7f;
	uint64_t quote = word ^ ONES * '"', backslash = word ^ ONES * '\\';

	return (((control | (quote - ONES) | (backslash - ONES) | (del - ONES)) & ~word) | word) &
	       ONES << 7;
}

typedef signed char block __attribute__((vector_size(16)));

/* All ones for each byte that must be escaped; bytes above ASCII are negative */
static inline block special_in(const char *text)
{
	block b;

	memcpy(&b, text, sizeof(b));
	return (b < 0x20) | (b == 0x7f) | (b == '"') | (b == '\\');
}

/* Can all bytes stay as they are? Mostly so: special ones are located later. @len: >= a block */
static inline bool all_ordinary(const char *text, size_t len)
{
	block special = special_in(text + len - sizeof(block));
	uint64_t halves[2];
	size_t at;

	for (at = 0; at + sizeof(block) < len; at += sizeof(block))
		special |= special_in(text + at);
	memcpy(halves, &special, sizeof(halves));
	return !(halves[0] | halves[1]);
}

size_t json_ordinary(const char *text, size_t len)
{
	size_t at;

	if (len >= sizeof(block) && all_ordinary(text, len))
		return len;
	for (at = 0; len - at >= 8; at += 8) {
		uint64_t special = special_bytes(load_u64(text + at, KT_HOST_BIG));

		if (special)
			return at + __builtin_ctzll(special) / 8;
	}
	while (at < len && is_ordinary(text[at]))
		at++;
	return at;
}

static void quote_rest(struct str *s, const char *text, size_t len)
{
	size_t run;

	while (len) {
		run = json_ordinary(text, len);
		if (run)
			str_addn(s, text, run);
		else
			run = quote_special(s, text, len);
		text += run;
		len -= run;
	}
	str_addc(s, '"');
}

void json_quote(struct str *s, const char *text, size_t len)
{
	size_t run = json_ordinary(text, len);
	char *to = put_room(s, run + 2);

	if (!to)
		return;
	*to++ = '"';
	to = put_bytes(to, text, run);
	*to = '"';
	to[1] = '\0';
	put_done(s, run == len ? to + 1 : to);
	if (run < len)
		quote_rest(s, text + run, len - run);
}

static void place(struct json *j, const char *key)
{
	if (j->more)
		str_addc(&j->text, ',');
	if (j->depth && j->depth <= LINE_DEPTH)
		str_addf(&j->text, "\n%*s", 2 * j->depth, "");
	else if (j->more)
		str_addc(&j->text, ' ');
	j->more = true;
	if (key) {
		json_quote(&j->text, key, strlen(key));
		str_add(&j->text, ": ");
	}
}

void json_open(struct json *j, const char *key, char bracket)
{
	place(j, key);
	str_addc(&j->text, bracket);
	j->depth++;
	j->more = false;
}

void json_close(struct json *j, char bracket)
{
	j->depth--;
	if (j->more && j->depth < LINE_DEPTH)
		str_addf(&j->text, "\n%*s", 2 * j->depth, "");
	str_addc(&j->text, bracket);
	j->more = true;
	if (!j->depth)
		str_addc(&j->text, '\n');
}

void json_strn(struct json *j, const char *key, const char *value, size_t len)
{
	place(j, key);
	json_quote(&j->text, value, len);
}

void json_str(struct json *j, const char *key, const char *value)
{
	if (value) {
		json_strn(j, key, value, strlen(value));
		return;
	}
	place(j, key);
	str_add(&j->text, "null");
}

void json_int(struct json *j, const char *key, int64_t value)
{
	place(j, key);
	str_addf(&j->text, "%" PRId64, value);
}

void json_uint(struct json *j, const char *key, uint64_t value)
{
	place(j, key);
	str_addf(&j->text, "%" PRIu64, value);
}

void json_real(struct json *j, const char *key, double value)
{
	place(j, key);
	if (isfinite(value))
		str_addf(&j->text, "%.6g", value);
	else
		str_add(&j->text, "null");
}

void json_bool(struct json *j, const char *key, bool value)
{
	place(j, key);
	str_add(&j->text, value ? "true" : "false");
}
