/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_symbols_used.c - which kernel symbols recorded data speaks of */
#include <stdint.h>
#include <string.h>

#include "kt_test.h"
#include "rec/rec_priv.h"

/* Where this machine's kernel code lies */
#ifdef __aarch64__
#define HIGH	   "ffff8000"
#define ADDR(low) (0xffff8000ull << 32 | (low))
#else
#define HIGH	   "ffffffff"
#define ADDR(low) (0xffffffffull << 32 | (low))
#endif

static const char kallsyms[] =
	"0000000000000000 A fixed_percpu_data\n"
	HIGH "81000000 T _text\n"
	HIGH "81000100 T first\n"
	HIGH "81000100 T first_alias\n"
	HIGH "81000200 t second\n"
	HIGH "81000300 t third\n"
	HIGH "81000400 t fourth\n"
	HIGH "c0000010 t in_module\t[mod]\n"
	HIGH "c0000000 t module_start\t[mod]\n";

/* What is kept when the data holds @address at an offset of @at bytes */
static void used(struct str *out, uint64_t address, size_t at)
{
	struct symbols *s = rec_symbols_create();
	uint8_t data[4096] __attribute__((aligned(64))) = { 0 };

	if (!s)
		skip();
	memcpy(data + at, &address, sizeof(address));
	rec_symbols_see(s, data, sizeof(data));
	assert_int_equal(rec_symbols_index(s, kallsyms, sizeof(kallsyms) - 1), 0);
	str_reset(out);
	assert_int_equal(rec_symbols_used(s, out), 0);
	rec_symbols_destroy(s);
}

TEST(the_symbol_around_an_address_is_kept_and_the_one_that_ends_it)
{
	struct str out = STR_INIT;

	used(&out, ADDR(0x81000234), 64);
	assert_string_equal(out.buf, HIGH "81000200 t second\n" HIGH "81000300 t third\n");
	used(&out, ADDR(0x81000200), 4);
	assert_non_null(strstr(out.buf, "second"));
	str_fini(&out);
}

TEST(all_names_of_an_address_are_kept_in_their_order)
{
	struct str out = STR_INIT;

	used(&out, ADDR(0x81000108), 128);
	assert_string_equal(out.buf, HIGH "81000100 T first\n" HIGH "81000100 T first_alias\n"
				     HIGH "81000200 t second\n");
	str_fini(&out);
}

TEST(an_address_is_found_wherever_a_field_can_be)
{
	struct str out = STR_INIT;
	size_t at;

	for (at = 0; at + 8 <= 4096; at += 4) {
		used(&out, ADDR(0x81000301), at);
		assert_non_null(strstr(out.buf, "third"));
	}
	str_fini(&out);
}

TEST(modules_are_found_though_the_list_is_not_sorted)
{
	struct str out = STR_INIT;

	used(&out, ADDR(0xc0000004), 40);
	assert_string_equal(out.buf, HIGH "c0000010 t in_module\t[mod]\n"
				     HIGH "c0000000 t module_start\t[mod]\n");
	str_fini(&out);
}

TEST(numbers_that_are_no_addresses_keep_nothing)
{
	static const uint64_t numbers[] = { 0, 1, 0xffffffffffffffff, 0xffffffffffffff9c,
					    0xffff088012345678, 0x00007f0012345678,
					    0xffffffff00000010 };
	struct symbols *s = rec_symbols_create();
	struct str out = STR_INIT;
	size_t i;

	if (!s)
		skip();
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		used(&out, numbers[i], 256);
		assert_string_equal(out.buf, "");
	}
	assert_false(rec_symbols_any(s));
	rec_symbols_destroy(s);
	str_fini(&out);
}

int main(void)
{
	return RUN(unit(the_symbol_around_an_address_is_kept_and_the_one_that_ends_it),
		   unit(all_names_of_an_address_are_kept_in_their_order),
		   unit(an_address_is_found_wherever_a_field_can_be),
		   unit(modules_are_found_though_the_list_is_not_sorted),
		   unit(numbers_that_are_no_addresses_keep_nothing));
}
