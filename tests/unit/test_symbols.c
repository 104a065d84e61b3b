/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_symbols.c - names of addresses from kallsyms */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/event.h>

#include "base/str.h"
#include "kt_test.h"
#include "symbols/symbols.h"

static struct kt_symbols *symbols(const char *kallsyms)
{
	struct kt_err err = { 0 };
	struct kt_symbols *syms = kt_symbols_create(NULL, &err);

	CHECK_NO_ERR(&err);
	assert_int_equal(kt_symbols_add_text(syms, kallsyms, strlen(kallsyms), &err), 0);
	return syms;
}

static const char *name_at(struct kt_symbols *syms, uint64_t addr)
{
	struct kt_symbol sym;

	return kt_symbols_find(syms, addr, &sym) ? sym.name : "none";
}

TEST(an_address_is_in_the_symbol_before_it)
{
	struct kt_symbols *syms = symbols("ffffffff81000000 T _text\n"
	"ffffffff81001000 t vfs_read\n");
	struct kt_symbol sym;

	assert_string_equal(name_at(syms, 0xffffffff81000000), "_text");
	assert_string_equal(name_at(syms, 0xffffffff81000fff), "_text");
	assert_int_equal(kt_symbols_find(syms, 0xffffffff81001000, &sym), 1);
	assert_string_equal(sym.name, "vfs_read");
	assert_string_equal(sym.module, "");
	assert_true(sym.addr == 0xffffffff81001000);
	kt_symbols_destroy(syms);
}

TEST(symbols_load_in_the_background)
{
	struct kt_symbols *syms = symbols("ffffffff81000000 T _text\nffffffff81001000 t vfs_read\n");
	struct kt_err err = { 0 };
	const char *name;

	assert_int_equal(kt_symbols_start(syms, &err), 0);
	name = name_at(syms, 0xffffffff81001000);
	assert_true(strcmp(name, "none") == 0 || strcmp(name, "vfs_read") == 0);
	while (!kt_symbols_wait(syms, 1))
		;
	assert_string_equal(name_at(syms, 0xffffffff81001000), "vfs_read");
	assert_int_equal(kt_symbols_start(syms, &err), 0);
	kt_symbols_destroy(syms);
	/* The caller need not wait for the symbols. */
	syms = symbols("ffffffff81000000 T _text\n");
	assert_int_equal(kt_symbols_start(syms, &err), 0);
	kt_symbols_destroy(syms);
	/* Without kt_symbols_start(), kt_symbols_wait() loads them. */
	syms = symbols("ffffffff81000000 T _text\n");
	assert_true(kt_symbols_wait(syms, 0));
	assert_string_equal(name_at(syms, 0xffffffff81000000), "_text");
	kt_symbols_destroy(syms);
}

TEST(there_is_no_symbol_before_the_first_and_after_the_last)
{
	struct kt_symbols *syms = symbols("ffffffff81000000 T _text\nffffffff81001000 t last\n");

	assert_string_equal(name_at(syms, 0), "none");
	assert_string_equal(name_at(syms, 0xffffffff80ffffff), "none");
	assert_string_equal(name_at(syms, 0xffffffff81001001), "none");
	assert_string_equal(name_at(syms, UINT64_MAX), "none");
	kt_symbols_destroy(syms);
}

TEST(after_several_symbols_at_one_address_the_first_is_named)
{
	struct kt_symbols *syms = symbols("1000 T first\n1000 T second\n1000 t third\n2000 T next\n");

	assert_string_equal(name_at(syms, 0x1001), "first");
	assert_string_equal(name_at(syms, 0x1fff), "first");
	assert_int_equal(kt_symbols_nr(syms), 4);
	kt_symbols_destroy(syms);
}

TEST(for_the_kernel_the_first_of_several_is_the_name_at_their_address_as_well)
{
	struct kt_symbols *syms = symbols("ffffffff81000000 T _text\nffffffff81001000 T memset\n"
					  "ffffffff81001000 T __memset\n"
					"ffffffff81001000 T pi_memset\n"
					  "ffffffff81002000 T end\n");

	syms->kernel = true;
	assert_string_equal(name_at(syms, 0xffffffff81001000), "memset");
	assert_string_equal(name_at(syms, 0xffffffff81001001), "memset");
	assert_string_equal(name_at(syms, 0xffffffff81000000), "_text");
	assert_string_equal(name_at(syms, 0xffffffff81002000), "end");
	kt_symbols_destroy(syms);
}

TEST(modules_come_out_of_order_and_are_named)
{
	struct kt_symbols *syms = symbols("3000 t late\t[mod_b]\n1000 T early\n2000 t mid\t[mod_a]\n");
	struct kt_symbol sym;
	size_t i;
	uint64_t before = 0;

	assert_int_equal(kt_symbols_find(syms, 0x2010, &sym), 1);
	assert_string_equal(sym.module, "mod_a");
	for (i = 0; kt_symbols_at(syms, i, &sym); i++) {
		assert_true(sym.addr >= before);
		before = sym.addr;
	}
	assert_int_equal(i, 3);
	kt_symbols_destroy(syms);
}

TEST(markers_and_absolute_symbols_are_no_places)
{
	struct kt_symbols *syms = symbols("0 A fixed\n1000 a abs\n1000 T real\n1004 t $x\n2000 T end\n");

	assert_int_equal(kt_symbols_nr(syms), 2);
	assert_string_equal(name_at(syms, 0x1005), "real");
	kt_symbols_destroy(syms);
}

TEST(damaged_lines_are_left_out)
{
	struct kt_symbols *syms = symbols("\n\nxyz\n1000\n1000 T\n1000 T \nT f\n 2000 T g\n"
					  "3000 T good [unclosed\n4000 T end");

	assert_string_equal(name_at(syms, 0x3000), "good");
	assert_int_equal(kt_symbols_nr(syms), 2);
	kt_symbols_destroy(syms);
}

TEST(a_name_longer_than_any_kernel_has_is_left_out)
{
	char text[3000];
	struct kt_symbols *syms;

	memset(text, 'x', sizeof(text));
	memcpy(text, "1000 T ", 7);
	strcpy(text + 2000, "\n2000 T ok\n");
	syms = symbols(text);
	assert_int_equal(kt_symbols_nr(syms), 1);
	kt_symbols_destroy(syms);
}

TEST(without_kallsyms_nothing_is_found)
{
	struct kt_symbols *syms = symbols("");

	assert_string_equal(name_at(syms, 0x1000), "none");
	assert_int_equal(kt_symbols_nr(syms), 0);
	assert_null(kt_symbols_printk(syms, 0x1000));
	kt_symbols_destroy(syms);
}

TEST(what_is_added_after_the_first_look_is_refused)
{
	struct kt_symbols *syms = symbols("1000 T one\n");
	struct kt_err err = { 0 };

	kt_symbols_prepare(syms);
	assert_int_equal(kt_symbols_add_text(syms, "2000 T two\n", 11, &err), -EBUSY);
	kt_symbols_destroy(syms);
}

/* 20,000 symbols in the worst order, each found at its first, a middle and its last byte. */
TEST(every_symbol_of_a_large_shuffled_table_is_found)
{
	struct str text = STR_INIT;
	struct kt_symbols *syms;
	char name[32];
	unsigned int i, n;

	for (i = 0; i < 20000; i++) {
		n = i * 7919 % 20000;
		str_addf(&text, "%x T f%u\n", 0x100000 + n * 0x40, n);
	}
	syms = symbols(text.buf);
	for (i = 0; i < 19999; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		assert_string_equal(name_at(syms, 0x100000 + i * 0x40), name);
		assert_string_equal(name_at(syms, 0x100000 + i * 0x40 + 0x20), name);
		assert_string_equal(name_at(syms, 0x100000 + i * 0x40 + 0x3f), name);
	}
	kt_symbols_destroy(syms);
	str_fini(&text);
}

static void *look_all_up(void *data)
{
	struct kt_symbol sym;
	uintptr_t wrong = 0;
	unsigned int i;

	for (i = 0; i < 200000; i++) {
		unsigned int n = i * 31 % 999;

		wrong += !kt_symbols_find(data, 0x1000 + n * 0x10 + i % 16, &sym) ||
			 sym.addr != 0x1000 + n * 0x10;
	}
	return (void *)wrong;
}

TEST(threads_look_up_together_without_a_lock)
{
	struct str text = STR_INIT;
	struct kt_symbols *syms;
	pthread_t threads[4];
	void *wrong;
	unsigned int i;

	for (i = 0; i < 1000; i++)
		str_addf(&text, "%x T f%u\n", 0x1000 + i * 0x10, i);
	syms = symbols(text.buf);
	for (i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, look_all_up, syms);
	for (i = 0; i < 4; i++) {
		pthread_join(threads[i], &wrong);
		assert_null(wrong);
	}
	kt_symbols_destroy(syms);
	str_fini(&text);
}

int main(void)
{
	return RUN(unit(an_address_is_in_the_symbol_before_it),
		   unit(symbols_load_in_the_background),
		   unit(there_is_no_symbol_before_the_first_and_after_the_last),
		   unit(after_several_symbols_at_one_address_the_first_is_named),
		   unit(for_the_kernel_the_first_of_several_is_the_name_at_their_address_as_well),
		   unit(modules_come_out_of_order_and_are_named),
		   unit(markers_and_absolute_symbols_are_no_places),
		   unit(damaged_lines_are_left_out),
		   unit(a_name_longer_than_any_kernel_has_is_left_out),
		   unit(without_kallsyms_nothing_is_found),
		   unit(what_is_added_after_the_first_look_is_refused),
		   unit(every_symbol_of_a_large_shuffled_table_is_found),
		   unit(threads_look_up_together_without_a_lock));
}
