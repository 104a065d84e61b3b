/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_btf.c - prototypes from a kernel's types; damaged types are refused */
#include <ktrail/event.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/btf.h"
#include "base/bytes.h"
#include "kernel/kernel.h"
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
	const uint32_t head[] =
		{ 0x0001eb9f, 24, 0, sizeof(types), sizeof(types), sizeof(strings) };

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

static void swap(char *p, size_t size)
{
	for (; size; p += 4, size -= 4)
		store_u32(p, load_u32(p, true), false);
}

TEST(types_of_the_other_byte_order_are_read)
{
	struct kt_err err = { 0 };
	char buf[1024], *text;
	size_t len = build(buf);
	struct kt_btf *btf;

	swap(buf + 4, 20 + sizeof(types));
	memcpy(buf, "\xeb\x9f", 2);
	btf = open_with(buf, len, &err);
	CHECK_NO_ERR(&err);
	text = kt_btf_prototype(btf, "f");
	assert_string_equal(text, "int f(const char *const s, void (*g)(void), unsigned long a[4], ...)");
	free(text);
	kt_btf_close(btf);
	swap(buf + 12, 4);			/* the length of the types */
	assert_null(open_with(buf, len, &err));
}

TEST(enumerators_of_formats_become_numbers)
{
	static const uint32_t enums[] = {
		1, KIND(6, 3), 4, 3, 5, 9, 0xffffffff, 16, 8,	/* A_B = 5, NEG_1 = -1, TWO_X = 8 */
		0, KIND(6, 1), 4, 16, 9,		/* enum { TWO_X = 9 }, elsewhere */
		0, KIND(19, 1), 8, 22, 0, 1,		/* enum { W_64 = 1 << 32 } */
		0, KIND(6, 1), 4, 27, 0x80,
	};
	static const char names[] = "\0e\0A_B\0\0\0NEG_1\0\0TWO_X\0W_64\0C_D";
	const uint32_t head[] = { 0x0001eb9f, 24, 0, sizeof(enums), sizeof(enums), sizeof(names) };
	struct enums e = { .path = kt_tmp("btf") };
	struct str out = STR_INIT;
	char buf[512];

	memcpy(buf, head, sizeof(head));
	memcpy(buf + sizeof(head), enums, sizeof(enums));
	memcpy(buf + sizeof(head) + sizeof(enums), names, sizeof(names));
	kt_spill(e.path, buf, sizeof(head) + sizeof(enums) + sizeof(names));
	enums_to_numbers(&e, "a/b/format",
				 "name: A_B\n\n"
				"print fmt: \"A_B \"%s\" A_B\", __print_flags(REC->A_B, "
				 "\"A_B|\", { A_B, \"A_B\" }, { (1 << NEG_1), \"x\" }, {W_64,\"A_B\"}, "
				 "{ TWO_X, \"t\" }, { A_BC, A_B() }, { C_D | xC_D, REC->e.C_D })\n", &out);
	enums_fini(&e);
	assert_string_equal(out.buf, "name: A_B\n\nprint fmt: \"A_B \"%s\" A_B\", __print_flags(REC->A_B, "
			    "\"A_B|\", { 5, \"A_B\" }, { (1 << -1), \"x\" }, {4294967296,\"A_B\"}, "
			    "{ TWO_X, \"t\" }, { A_BC, A_B() }, { 128 | xC_D, REC->e.C_D })\n");
	str_fini(&out);
}

static void spill_types(const char *path, const uint32_t *enums, size_t size, const char *names,
			size_t names_size)
{
	const uint32_t head[] = { 0x0001eb9f, 24, 0, size, size, names_size };
	struct str s = STR_INIT;

	str_addn(&s, (const char *)head, sizeof(head));
	str_addn(&s, (const char *)enums, size);
	str_addn(&s, names, names_size);
	kt_spill(path, s.buf, s.len);
	str_fini(&s);
}

/* Their ids and strings continue those of the kernel, which has 5 bytes of strings here. */
TEST(modules_have_enumerators_of_their_own)
{
	/* K_A = 1; M_A = 7, M_B = 3, M_C = 4, K_A = 8; M_A = 9, M_B = 3 */
	static const uint32_t kernel[] = { 0, KIND(6, 1), 4, 1, 1 };
	static const uint32_t kvm[] = { 0, KIND(6, 4), 4, 6, 7, 10, 3, 14, 4, 1, 8 };
	static const uint32_t xfs[] = { 0, KIND(6, 2), 4, 6, 9, 10, 3 };
	static const char names[] = "\0M_A\0M_B\0M_C";
	struct enums e = { .path = kt_tmp("types/vmlinux") };
	struct str out = STR_INIT;

	spill_types(e.path, kernel, sizeof(kernel), "\0K_A", 5);
	spill_types(kt_tmp("types/kvm"), kvm, sizeof(kvm), names, sizeof(names));
	spill_types(kt_tmp("types/xfs"), xfs, sizeof(xfs), names, sizeof(names));
	kt_spill(kt_tmp("types/none"), "not types", -1);
	enums_to_numbers(&e, "a/b/format",
			     "\nprint fmt: \"%d\", K_A + M_A + M_B + M_C + M_D\n", &out);
	assert_string_equal(out.buf, "\nprint fmt: \"%d\", 1 + M_A + 3 + 4 + M_D\n");
	enums_fini(&e);
	str_fini(&out);
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

TEST(other_data_are_refused)
{
	struct kt_err err = { 0 }, none = { 0 };

	assert_null(open_with("nonsense", 8, &err));
	assert_int_equal(err.code, -EINVAL);
	assert_null(kt_btf_open(kt_tmp("not there"), &none));
	assert_int_equal(none.code, -ENOENT);
}

/* void g(int n, unsigned long u, int *p, struct of 16 s, enum e, struct of 24 b, itself r, ...) */
static const uint32_t call_types[] = {
	1, KIND(1, 0), 4, 0x01000020,		/* 1: int, signed */
	5, KIND(1, 0), 8, 64,			/* 2: unsigned long */
	0, KIND(2, 0), 1,			/* 3: int * */
	3, KIND(8, 0), 2,			/* 4: a typedef of 2 */
	7, KIND(4, 0), 16,			/* 5: a structure of two registers */
	7, KIND(4, 0), 24,			/* 6: one in memory */
	7, KIND(6, 0), 4,			/* 7: enum */
	3, KIND(8, 0), 8,			/* 8: a typedef of itself */
	0, KIND(13, 8), 0, 9, 1, 11, 4, 13, 3, 15, 5, 17, 7, 19, 6, 21, 8, 0, 0,	/* 9 */
	23, KIND(12, 0), 9,			/* 10: g */
	25, KIND(12, 0), 9000,			/* 11: h, of no type */
};
static const char call_strings[] = "\0int\0u\0e\0n\0u\0p\0s\0e\0b\0r\0g\0h";

static size_t build_call(char *buf)
{
	const uint32_t head[] = { 0x0001eb9f, 24, 0, sizeof(call_types), sizeof(call_types),
				  sizeof(call_strings) };

	memcpy(buf, head, sizeof(head));
	memcpy(buf + sizeof(head), call_types, sizeof(call_types));
	memcpy(buf + sizeof(head) + sizeof(call_types), call_strings, sizeof(call_strings));
	return sizeof(head) + sizeof(call_types) + sizeof(call_strings);
}

TEST(arguments_of_a_call_have_names_and_the_bits_of_their_types)
{
	static const uint64_t values[] = { 0xdead0000ffffffff, 4096, 0xffff888000000000, 1, 2,
					   0x1fffffffe, 7, 8, 9, 10, 11 };
	struct kt_err err = { 0 };
	struct str s = STR_INIT;
	char buf[1024];
	struct kt_btf *btf = btf_parse(buf, build_call(buf), &err);

	CHECK_NO_ERR(&err);
	assert_true(btf_add_args(btf, "g", values, 7, &s));
	assert_string_equal(s.buf, "n=-1, u=0x1000, p=0xffff888000000000, s=0x1:0x2, e=-2, b=..., "
				   "r=0x7, ...");
	str_reset(&s);
	assert_true(btf_add_args(btf, "g", values, 4, &s));
	assert_string_equal(s.buf, "n=-1, u=0x1000, p=0xffff888000000000, ...");
	str_reset(&s);
	assert_true(btf_add_args(btf, "g", values, 0, &s));
	assert_string_equal(s.buf, "...");
	str_reset(&s);
	assert_false(btf_add_args(btf, "h", values, 6, &s));
	assert_false(btf_add_args(btf, "none", values, 6, &s));
	assert_int_equal(s.len, 0);

	/* The kernel takes whole registers, also for the structure of 24 bytes on the stack. */
	assert_true(btf_add_args_of_trace(btf, "g", values, 11, true, &s));
	assert_string_equal(s.buf, "n=-2401263022023639041, u=0x1000, p=0xffff888000000000, "
				   "s=(STRUCT)[0x1:0x2], e=8589934590, b=(STRUCT)[0x7:0x8:0x9], "
				   "r=?0xa, =?0xb");
	str_reset(&s);
	assert_true(btf_add_args_of_trace(btf, "g", values, 8, true, &s));
	assert_string_equal(s.buf + s.len - 23, "b=(STRUCT)[0x7:0x8:...]");
	str_reset(&s);
	assert_true(btf_add_args_of_trace(btf, "g", values, 2, false, &s));
	assert_string_equal(s.buf, "n=-2401263022023639041, u=4096, ...");
	str_reset(&s);
	assert_true(btf_add_args_of_trace(btf, "g", values, 0, true, &s));
	assert_string_equal(s.buf, "...");
	str_reset(&s);
	assert_false(btf_add_args_of_trace(btf, "none", values, 6, true, &s));
	str_fini(&s);
	kt_btf_close(btf);
	assert_null(btf_parse(buf, 10, NULL));
}

int main(void)
{
	return RUN(unit(arguments_of_a_call_have_names_and_the_bits_of_their_types),
		   unit(a_prototype_is_written_as_in_c),
		   unit(types_of_the_other_byte_order_are_read),
		   unit(enumerators_of_formats_become_numbers),
		   unit(modules_have_enumerators_of_their_own),
		   unit(a_type_that_holds_itself_comes_to_an_end),
		   unit(no_cut_and_no_flipped_byte_does_harm), unit(other_data_are_refused));
}
