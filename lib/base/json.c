/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* json.c - write JSON that programs parse and people can still read */
#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/escape.h"

#define LINE_DEPTH 2		/* levels whose members get a line of their own */

static void quote(struct str *s, const char *text, size_t len)
{
	size_t i, run;

	str_addc(s, '"');
	for (i = 0; i < len; i += run) {
		unsigned char c = text[i];

		run = 1;
		if (c == '"' || c == '\\')
			str_addf(s, "\\%c", c);
		else if (c == '\n')
			str_add(s, "\\n");
		else if (c == '\t')
			str_add(s, "\\t");
		else if (c < 0x20 || c == 0x7f)
			str_addf(s, "\\u%04x", c);
		else if (c < 0x80)
			str_addc(s, c);
		else {
			for (run = 2; run <= 4 && i + run <= len && !kt_is_plain(text + i, run); run++)
				;
			if (run <= 4 && i + run <= len) {
				str_addn(s, text + i, run);
			} else {
				str_add(s, "\\ufffd");
				run = 1;
			}
		}
	}
	str_addc(s, '"');
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
		quote(&j->text, key, strlen(key));
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
	quote(&j->text, value, len);
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
