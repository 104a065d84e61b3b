/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_last_boot.c - addresses of an earlier boot by the symbols of this one */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/event.h>

#include "kt_test.h"
#include "symbols/symbols.h"

static const char kallsyms[] =
	"ffffffff81000000 T _stext\n"
	"ffffffff81000000 T _text\n"
	"ffffffff81001000 T vfs_read\n"
	"ffffffff82000000 T last_one\n"
	"ffffffffc0001000 t one_start\t[one]\n"
	"ffffffffc0001800 t one_last\t[one]\n"
	"ffffffffc0009000 t two_start\t[two]\n"
	"ffffffffd0000000 T behind_all\t[x]\n";

static const char modules[] =
	"two 8192 0 - Live 0xffffffffc0009000\n"
	"one 4096 1 two, Live 0xffffffffc0001000 (OE)\n"
	"on 4096 1 two, Live 0xffffffffc0005000 (OE)\n";

static struct kt_symbols *now, *then;

static void start(const char *info)
{
	struct kt_err err = { 0 };

	now = kt_symbols_create(NULL, &err);
	CHECK_NO_ERR(&err);
	kt_symbols_add_text(now, kallsyms, strlen(kallsyms), &err);
	kt_symbols_add_modules(now, modules, strlen(modules), &err);
	then = symbols_last_boot(now, info, strlen(info), &err);
	CHECK_NO_ERR(&err);
}

static void stop(void)
{
	kt_symbols_destroy(then);
	kt_symbols_destroy(now);
}

/* "name+0x4" for an address of the earlier boot, or "-" */
static const char *name(uint64_t addr)
{
	static char text[128];
	struct kt_symbol sym;

	if (!kt_symbols_find(then, addr, &sym))
		return "-";
	snprintf(text, sizeof(text), "%s+0x%llx", sym.name, (unsigned long long)(addr - sym.addr));
	return text;
}

TEST(the_kernel_is_where_it_was)
{
	start("ffffffffa1000000\t[kernel]\n");
	assert_string_equal(name(0xffffffffa1001004), "vfs_read+0x4");
	assert_string_equal(name(0xffffffffa2000000), "last_one+0x0");
	assert_string_equal(name(0xffffffffa0ffffff), "-");
	assert_string_equal(name(0xffffffffa2000001), "-");
	assert_string_equal(name(0xffffffff81001004), "-");
	assert_string_equal(name(0), "-");
	assert_string_equal(name(UINT64_MAX), "-");
	stop();
}

TEST(modules_are_where_they_were_and_end_where_the_next_begins)
{
	start("ffffffffa1000000\t[kernel]\n"
	      "ffffffffc0100000\ttwo\nffffffffc0100900\tone\nffffffffc0101000\tgone\n");
	assert_string_equal(name(0xffffffffc0100010), "two_start+0x10");
	assert_string_equal(name(0xffffffffc01008ff), "two_start+0x8ff");
	assert_string_equal(name(0xffffffffc0100900), "one_start+0x0");
	assert_string_equal(name(0xffffffffc0101010), "-");
	assert_string_equal(name(0xffffffffc0001000), "-");
	stop();
}

TEST(older_kernels_printed_a_difference)
{
	start("text delta:\t-4194304\ndata delta:\t-4194304\n");
	assert_string_equal(name(0xffffffff81401004), "vfs_read+0x4");
	assert_string_equal(name(0xffffffff81001004), "-");
	stop();
	start("text delta:\t4194304\ndata delta:\t4194304\n");
	assert_string_equal(name(0xffffffff80c01004), "vfs_read+0x4");
	stop();
}

TEST(an_invalid_place_gives_no_names)
{
	static const char *const infos[] = {
		"39000000\t[kernel]\n", "[kernel]\n", "ffffffffa1000000\n", "ffffffffa1000000[kernel]\n",
		"fffffffffffffffff\t[kernel]\n", "text delta:\n", "text delta:\t99999999999999999999\n",
		"ffffffffffffff00\t[kernel]\nfffffffffffffff0\tone\n", "\n\n\t\t\n", "xyz",
	};
	size_t i;

	for (i = 0; i < sizeof(infos) / sizeof(infos[0]); i++) {
		start(infos[i]);
		assert_string_equal(name(0xffffffffa1001004), "-");
		assert_string_equal(name(0xffffffff81001004), "-");
		assert_string_equal(name(0x39001004), "-");
		assert_string_equal(name(UINT64_MAX), "-");
		stop();
	}
}

TEST(parts_that_overlap_end_at_the_next)
{
	start("ffffffffa1000000\t[kernel]\nffffffffa1000800\tone\nffffffffa1000800\ttwo\n");
	assert_string_equal(name(0xffffffffa1000400), "_stext+0x400");
	assert_string_not_equal(name(0xffffffffa1000801), "_stext+0x801");
	stop();
}

TEST(as_libtraceevent_nothing_is_moved)
{
	start("ffffffffa1000000\t[kernel]\n");
	now->exact = true;
	assert_string_equal(name(0xffffffff81001004), "vfs_read+0x4");
	stop();
}

TEST(today_and_nothing_are_no_other_boot)
{
	assert_false(last_boot_is_another("# Current\n", 10));
	assert_false(last_boot_is_another("", 0));
	assert_false(last_boot_is_another("\n", 1));
	assert_true(last_boot_is_another("ffffffffa1000000\t[kernel]\n", 26));
	assert_false(last_boot_is_another("text delta:\t0\ndata delta:\t0\n", 28));
	assert_true(last_boot_is_another("text delta:\t01\n", 15));
	assert_true(last_boot_is_another("text delta:\t-4096\ndata delta:\t0\n", 32));
}

int main(void)
{
	return RUN(unit(the_kernel_is_where_it_was),
		   unit(modules_are_where_they_were_and_end_where_the_next_begins),
		   unit(older_kernels_printed_a_difference), unit(an_invalid_place_gives_no_names),
		   unit(parts_that_overlap_end_at_the_next),
		   unit(as_libtraceevent_nothing_is_moved),
		   unit(today_and_nothing_are_no_other_boot));
}
