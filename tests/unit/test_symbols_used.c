/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_symbols_used.c - the kernel symbols whose addresses are in recorded data */
#include <stdint.h>
#include <string.h>

#include "kernel/kernel.h"
#include "kt_test.h"

/* The addresses of this machine's kernel code */
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

/* The symbols that are kept if the data has @address at offset @at */
static void used(struct str *out, uint64_t address, size_t at)
{
	struct used_symbols *s = used_symbols_create();
	uint8_t data[4096] __attribute__((aligned(64))) = { 0 };

	if (!s)
		skip();
	memcpy(data + at, &address, sizeof(address));
	used_symbols_see(s, data, sizeof(data));
	assert_int_equal(used_symbols_index(s, kallsyms, sizeof(kallsyms) - 1), 0);
	str_reset(out);
	assert_int_equal(used_symbols_put(s, out), 0);
	used_symbols_destroy(s);
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
	struct used_symbols *s = used_symbols_create();
	struct str out = STR_INIT;
	size_t i;

	if (!s)
		skip();
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		used(&out, numbers[i], 256);
		assert_string_equal(out.buf, "");
	}
	assert_false(used_symbols_any(s));
	used_symbols_destroy(s);
	str_fini(&out);
}

#ifdef __x86_64__
/* Is a list of symbols read for @address if @head shows the start of the kernel? */
static bool wanted(const char *head, uint64_t address)
{
	struct used_symbols *s = used_symbols_create();
	uint64_t data[32] = { [8] = address };
	bool any;

	assert_non_null(s);
	assert_int_equal(used_symbols_expect(s, head, strlen(head)), strchr(head, 'f') != NULL);
	used_symbols_see(s, data, sizeof(data));
	any = used_symbols_any(s);
	used_symbols_destroy(s);
	return any;
}

TEST(the_list_is_read_for_what_may_be_code)
{
	static const char moved[] = "0000000000000000 A per_cpu\nffffffff9a200000 T _text\n";
	static const char fixed[] = "ffffffff81000000 T _text\nffffffff81000100 T first\n";
	static const char hidden[] = "0000000000000000 T _text\n";

	assert_true(wanted(moved, 0xffffffff9a200000));
	assert_true(wanted(moved, 0xffffffff9ec01234));
	assert_true(wanted(moved, 0xffffffffc0201000));		/* a module, a trampoline */
	assert_false(wanted(moved, 0xffffffff9a1ffff0));
	assert_false(wanted(moved, 0xffffffffa3000000));
	assert_false(wanted(moved, 0xfffffffffb5ccd64));	/* a number below 0 */
	assert_true(wanted(fixed, 0xffffffff81000234));
	assert_true(wanted(fixed, 0xffffffffa0001000));		/* where modules are if it
								 * never moves */
	assert_true(wanted(fixed, 0xffffffffc0001000));
	assert_false(wanted(fixed, 0xffffffffb0001000));
	assert_true(wanted(hidden, 0xfffffffffb5ccd64));	/* possible */
}

TEST(what_was_far_from_code_is_kept_when_the_list_is_read_for_something_else)
{
	static const char far[] = "ffffffff81000000 T _text\nffffffffe0000000 t far\n";
	const uint64_t data[32] = { [8] = 0xffffffffe0000008, [16] = 0xffffffff81000008 };
	struct used_symbols *s = used_symbols_create();
	struct str out = STR_INIT;

	assert_true(used_symbols_expect(s, far, sizeof(far) - 1));
	used_symbols_see(s, data, sizeof(data) / 2);
	assert_false(used_symbols_any(s));
	used_symbols_see(s, data, sizeof(data));
	assert_true(used_symbols_any(s));
	assert_int_equal(used_symbols_index(s, far, sizeof(far) - 1), 0);
	assert_int_equal(used_symbols_put(s, &out), 0);
	assert_string_equal(out.buf, far);
	used_symbols_destroy(s);
	str_fini(&out);
}
#else
TEST(the_list_is_read_for_what_may_be_code) { (void)state; skip(); }
TEST(what_was_far_from_code_is_kept_when_the_list_is_read_for_something_else) { (void)state; skip();
										}
#endif

int main(void)
{
	return RUN(unit(the_symbol_around_an_address_is_kept_and_the_one_that_ends_it),
		   unit(all_names_of_an_address_are_kept_in_their_order),
		   unit(an_address_is_found_wherever_a_field_can_be),
		   unit(modules_are_found_though_the_list_is_not_sorted),
		   unit(numbers_that_are_no_addresses_keep_nothing),
		   unit(the_list_is_read_for_what_may_be_code),
		   unit(what_was_far_from_code_is_kept_when_the_list_is_read_for_something_else));
}
