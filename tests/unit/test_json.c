/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_json.c - lib/base/json.c */
#include "base/json.h"

#include <string.h>

#include "kt_test.h"

TEST(members_are_separated_and_indented)
{
	struct json j = JSON_INIT;

	json_open(&j, NULL, '{');
	json_int(&j, "a", -1);
	json_open(&j, "list", '[');
	json_open(&j, NULL, '{');
	json_bool(&j, "x", true);
	json_str(&j, "y", NULL);
	json_close(&j, '}');
	json_close(&j, ']');
	json_close(&j, '}');
	assert_string_equal(j.text.buf, "{\n  \"a\": -1,\n  \"list\": [\n    {\"x\": true, \"y\": null}\n"
					"  ]\n}\n");
	str_fini(&j.text);
}

TEST(empty_lists_stay_on_one_line)
{
	struct json j = JSON_INIT;

	json_open(&j, NULL, '[');
	json_close(&j, ']');
	assert_string_equal(j.text.buf, "[]\n");
	str_fini(&j.text);
}

/* Texts are scanned in blocks: test every length, and every byte at every offset */
TEST(what_needs_an_escape_is_found_wherever_it_stands)
{
	char text[70];
	size_t len, at;
	int byte;

	for (len = 0; len <= sizeof(text); len++) {
		memset(text, 'a', sizeof(text));
		assert_int_equal(json_ordinary(text, len), len);
		for (at = 0; at < len; at++) {
			for (byte = 0; byte < 256; byte++) {
				bool plain = byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';

				text[at] = byte;
				assert_int_equal(json_ordinary(text, len), plain ? len : at);
			}
			text[at] = 'a';
		}
	}
}

TEST(bytes_of_a_stranger_become_valid_json)
{
	struct json j = JSON_INIT;

	json_strn(&j, NULL, "\"\\\n\x1b\xff\xc3\xa9\xc3", 8);
	assert_string_equal(j.text.buf, "\"\\\"\\\\\\n\\u001b\\ufffd\xc3\xa9\\ufffd\"");
	str_fini(&j.text);
}

TEST(invalid_numbers_become_null)
{
	struct json j = JSON_INIT;

	json_real(&j, NULL, 0.0 / 0.0);
	json_real(&j, NULL, 2.5);
	json_uint(&j, NULL, UINT64_MAX);
	assert_string_equal(j.text.buf, "null, 2.5, 18446744073709551615");
	str_fini(&j.text);
}

int main(void)
{
	return RUN(unit(members_are_separated_and_indented), unit(empty_lists_stay_on_one_line),
		   unit(what_needs_an_escape_is_found_wherever_it_stands),
		   unit(bytes_of_a_stranger_become_valid_json),
		   unit(invalid_numbers_become_null));
}
