/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_modules.c - addresses of code without a symbol: the module that contains them, or none */
#include <errno.h>
#include <string.h>

#include <ktrail/event.h>

#include "base/str.h"
#include "kt_test.h"
#include "symbols/symbols.h"

static const char kallsyms[] =
	"ffffffff81000000 T vfs_read\n"
	"ffffffffc0001000 t one_start\t[one]\n"
	"ffffffffc0001800 t one_last\t[one]\n"
	"ffffffffc0009000 t bpf_prog_1\t[bpf]\n"
	"ffffffffc0009100 t bpf_prog_2\t[bpf]\n"
	"ffffffffd0000000 T behind_all\n";

/* "two" has no symbols */
static const char proc_modules[] =
	"two 8192 0 - Live 0xffffffffc0005000\n"
	"one 4096 1 two, Live 0xffffffffc0001000 (OE)\n"
	"hidden 4096 0 - Live 0x0000000000000000\n"
	"broken 4096\n"
	"wrong x 0 - Live 0xffffffffc0003000\n"
	"huge 18446744073709551615 0 - Live 0xffffffffc0003000\n";

static struct kt_symbols *start(const char *modules)
{
	struct kt_err err = { 0 };
	struct kt_symbols *syms = kt_symbols_create(NULL, &err);

	CHECK_NO_ERR(&err);
	kt_symbols_add_text(syms, kallsyms, strlen(kallsyms), &err);
	kt_symbols_add_modules(syms, modules, strlen(modules), &err);
	CHECK_NO_ERR(&err);
	return syms;
}

static const char *nameless(struct kt_symbols *syms, uint64_t addr, bool alone)
{
	static char text[64];
	struct str s = STR_INIT;

	text[0] = '\0';
	if (symbols_put_nameless(syms, addr, alone, &s))
		strcpy(text, s.buf);
	str_fini(&s);
	return text;
}

TEST(an_address_is_in_the_module_that_begins_before_it_and_ends_after_it)
{
	struct kt_symbols *syms = start(proc_modules);
	struct module mod;

	assert_int_equal(symbols_module(syms, 0xffffffffc0001000, &mod), 1);
	assert_string_equal(mod.name, "one");
	assert_true(mod.addr == 0xffffffffc0001000 && mod.size == 4096);
	assert_int_equal(symbols_module(syms, 0xffffffffc0001fff, &mod), 1);
	assert_int_equal(symbols_module(syms, 0xffffffffc0002000, &mod), 0);
	assert_int_equal(symbols_module(syms, 0xffffffffc0000fff, &mod), 0);
	assert_int_equal(symbols_module(syms, 0xffffffffc0006fff, &mod), 1);
	assert_string_equal(mod.name, "two");
	assert_int_equal(symbols_module(syms, 0, &mod), 0);
	assert_int_equal(symbols_module(syms, UINT64_MAX, &mod), 0);
	kt_symbols_destroy(syms);
}

TEST(lines_that_say_no_place_are_left_out)
{
	struct kt_symbols *syms = start(proc_modules);
	struct module mod;

	assert_int_equal(symbols_module(syms, 0xffffffffc0003000, &mod), 0);
	assert_int_equal(symbols_module(syms, 0x10, &mod), 0);
	assert_int_equal(syms->modules_loaded.nr, 2);
	kt_symbols_destroy(syms);
}

TEST(code_of_a_module_without_symbols_is_named_by_the_module)
{
	struct kt_symbols *syms = start(proc_modules);

	assert_string_equal(nameless(syms, 0xffffffffc0005010, true), "[two+0x10]");
	assert_string_equal(nameless(syms, 0xffffffffc0005010, false), "[two+0x10]");
	kt_symbols_destroy(syms);
}

TEST(code_after_the_end_of_a_module_is_of_an_unloaded_one)
{
	struct kt_symbols *syms = start(proc_modules);

	assert_string_equal(nameless(syms, 0xffffffffc0003456, true), "0xffffffffc0003456 [unloaded]");
	assert_string_equal(nameless(syms, 0xffffffffc0003456, false), "[unloaded]");
	kt_symbols_destroy(syms);
}

TEST(what_has_a_symbol_keeps_it)
{
	struct kt_symbols *syms = start(proc_modules);
	struct kt_symbol sym;
	struct module mod;

	assert_string_equal(nameless(syms, 0xffffffff81000010, true), "");
	assert_string_equal(nameless(syms, 0xffffffffc0001850, true), "");
	assert_string_equal(nameless(syms, 0xffffffffc0009050, true), "");
	assert_int_equal(symbols_place(syms, 0xffffffffc0009050, &sym, &mod), SYMBOL_FOUND);
	assert_string_equal(sym.name, "bpf_prog_1");
	assert_int_equal(symbols_place(syms, 0x1000, &sym, &mod), SYMBOL_UNKNOWN);
	kt_symbols_destroy(syms);
}

TEST(without_modules_or_as_libtraceevent_the_symbol_before_is_named)
{
	struct kt_symbols *syms = start("");

	assert_string_equal(nameless(syms, 0xffffffffc0003456, true), "");
	kt_symbols_destroy(syms);
	syms = start(proc_modules);
	syms->exact = true;
	assert_string_equal(nameless(syms, 0xffffffffc0003456, true), "");
	kt_symbols_destroy(syms);
}

TEST(modules_cannot_be_added_after_the_first_look)
{
	struct kt_symbols *syms = start("");
	struct kt_err err = { 0 };

	kt_symbols_prepare(syms);
	assert_int_equal(kt_symbols_add_modules(syms, "x", 1, &err), -EBUSY);
	kt_symbols_destroy(syms);
}

int main(void)
{
	return RUN(unit(an_address_is_in_the_module_that_begins_before_it_and_ends_after_it),
		   unit(lines_that_say_no_place_are_left_out),
		   unit(code_of_a_module_without_symbols_is_named_by_the_module),
		   unit(code_after_the_end_of_a_module_is_of_an_unloaded_one),
		   unit(what_has_a_symbol_keeps_it),
		   unit(without_modules_or_as_libtraceevent_the_symbol_before_is_named),
		   unit(modules_cannot_be_added_after_the_first_look));
}
