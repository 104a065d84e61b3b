/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_btf.c - prototypes out of a kernel's types; damaged ones are refused */
#include <ktrail/btf.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kt_test.h"

#define KIND(k, nr) ((uint32_t)(k) << 24 | (nr))

/* int f(const char *const s, void (*g)(void), unsigned long a[4], ...) */
static const uint32_t types[] = {
	1, KIND(1, 0), 4, 0,			/* 1: int */
	5, KIND(1, 0), 1, 0,			/* 2: char */
	0, KIND(10, 0), 2,			/* 3: const char */
	0, KIND(2, 0), 3,			/* 4: const char * */
	0, KIND(10, 0), 4,			/* 5: const char *const */
	0, KIND(13, 0), 0,			/* 6: void (void) */
	0, KIND(2, 0), 6,			/* 7: void (*)(void) */
	10, KIND(1, 0), 8, 0,			/* 8: unsigned long */
	0, KIND(3, 0), 0, 8, 1, 4,		/* 9: unsigned long [4] */
	0, KIND(13, 4), 1, 24, 5, 26, 7, 28, 9, 0, 0,	/* 10: the prototype */
	30, KIND(12, 0), 10,			/* 11: f */
	32, KIND(2, 0), 12,			/* 12: a pointer to itself */
	0, KIND(13, 0), 12,			/* 13: a function that returns it */
	34, KIND(12, 0), 13,			/* 14: ring */
};
static const char strings[] = "\0int\0char\0unsigned long\0s\0g\0a\0f\0x\0ring";

static size_t build(char *buf)
{
	const uint32_t head[] = { 0x0001eb9f, 24, 0, sizeof(types), sizeof(types), sizeof(strings) };

	memcpy(buf, head, sizeof(head));
	memcpy(buf + sizeof(head), types, sizeof(types));
	memcpy(buf + sizeof(head) + sizeof(types), strings, sizeof(strings));
	return sizeof(head) + sizeof(types) + sizeof(strings);
}

static struct kt_btf *open_with(const char *buf, size_t len, struct kt_err *err)
{
	kt_spill(kt_tmp("btf"), buf, len);
	return kt_btf_open(kt_tmp("btf"), err);
}

TEST(a_prototype_is_written_as_in_c)
{
	struct kt_err err = { 0 };
	char buf[1024], *text;
	struct kt_btf *btf = open_with(buf, build(buf), &err);

	CHECK_NO_ERR(&err);
	text = kt_btf_prototype(btf, "f");
	assert_string_equal(text, "int f(const char *const s, void (*g)(void), unsigned long a[4], ...)");
	free(text);
	assert_null(kt_btf_prototype(btf, "nothing"));
	assert_null(kt_btf_prototype(btf, ""));
	kt_btf_close(btf);
}

TEST(a_type_that_holds_itself_comes_to_an_end)
{
	char buf[1024], *text;
	struct kt_btf *btf = open_with(buf, build(buf), NULL);

	text = kt_btf_prototype(btf, "ring");
	assert_non_null(text);
	assert_true(strlen(text) < 200);
	free(text);
	kt_btf_close(btf);
}

TEST(no_cut_and_no_flipped_byte_does_harm)
{
	char good[1024], bad[1024];
	size_t len = build(good), i;

	for (i = 0; i < len; i++) {
		struct kt_btf *btf = open_with(good, i, NULL);

		if (btf)
			free(kt_btf_prototype(btf, "f"));
		kt_btf_close(btf);
		memcpy(bad, good, len);
		bad[i] ^= 0xff;
		btf = open_with(bad, len, NULL);
		if (btf) {
			free(kt_btf_prototype(btf, "f"));
			free(kt_btf_prototype(btf, "ring"));
		}
		kt_btf_close(btf);
	}
}

TEST(what_is_no_btf_is_refused)
{
	struct kt_err err = { 0 }, none = { 0 };

	assert_null(open_with("nonsense", 8, &err));
	assert_int_equal(err.code, -EINVAL);
	assert_null(kt_btf_open(kt_tmp("not there"), &none));
	assert_int_equal(none.code, -ENOENT);
}

int main(void)
{
	return RUN(unit(a_prototype_is_written_as_in_c),
		   unit(a_type_that_holds_itself_comes_to_an_end),
		   unit(no_cut_and_no_flipped_byte_does_harm), unit(what_is_no_btf_is_refused));
}
