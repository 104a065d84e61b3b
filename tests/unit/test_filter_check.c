/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_filter_check.c - lib/target/format.c and lib/target/filter_check.c */
#include "target/filter_check.h"

#include <errno.h>
#include <string.h>

#include "kt_test.h"

static const char text[] =
	"name: sample\n"
	"ID: 372\n"
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:__data_loc char[] file;\toffset:32;\tsize:4;\tsigned:0;\n"
	"\tfield:const char * str;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\tfield:u8 flags;\toffset:48;\tsize:1;\tsigned:0;\n"
	"\tfield:__data_loc cpumask_t *[] mask;\toffset:52;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 addr[4];\toffset:56;\tsize:4;\tsigned:0;\n"
	"\tfield:void * ip;\toffset:64;\tsize:8;\tsigned:0;\n"
	"\n"
	"print fmt: \"field:%d\", REC->x\n";

static struct ctl_format *sample(void)
{
	struct kt_err err = { 0 };
	struct ctl_format *f = ctl_format_parse(text, &err);

	CHECK_NO_ERR(&err);
	return f;
}

TEST(a_format_has_its_fields_with_kind_and_place)
{
	struct ctl_format *f = sample();
	const struct ctl_field *field;

	assert_string_equal(f->name, "sample");
	assert_int_equal(f->id, 372);
	assert_int_equal(f->nr_fields, 10);
	field = ctl_format_field(f, "prev_comm", 9);
	assert_string_equal(field->type, "char[16]");
	assert_int_equal(field->kind, CTL_STRING);
	assert_int_equal(field->offset, 8);
	assert_false(field->is_common);
	assert_true(ctl_format_field(f, "common_pid", 10)->is_common);
	assert_true(ctl_format_field(f, "common_pid", 10)->is_signed);
	assert_int_equal(ctl_format_field(f, "file", 4)->kind, CTL_STRING);
	assert_int_equal(ctl_format_field(f, "str", 3)->kind, CTL_STRING);
	assert_int_equal(ctl_format_field(f, "mask", 4)->kind, CTL_CPUMASK);
	assert_int_equal(ctl_format_field(f, "addr", 4)->kind, CTL_BYTES);
	assert_int_equal(ctl_format_field(f, "ip", 2)->kind, CTL_NUMBER);
	assert_null(ctl_format_field(f, "prev_comm", 4));
	ctl_format_destroy(f);
}

TEST(a_broken_format_is_named)
{
	static const char *const broken[] = {
		"\tfield:int;\toffset:1;\tsize:4;\n", "\tfield:int x\n", "\tfield:;\toffset:1;\tsize:4;\n",
		"\tfield:int x;\toffset:y;\n", "\tfield:[4];\toffset:0;\tsize:1;\n", "name: a\nname: b\n",
	};
	size_t i;

	for (i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		struct kt_err err = { 0 };

		assert_null(ctl_format_parse(broken[i], &err));
		assert_int_equal(err.code, -EBADMSG);
	}
}

TEST(good_filters_pass)
{
	static const char *const good[] = {
		"prev_prio < 100", "prev_prio==-1&&prev_comm~\"kw*\"", "!(flags & 0x80) || CPU == 1",
		"file != 'a b'", "str == \"x\"", "comm == \"bash\"", "common_pid > 0 && (flags == 1)",
		"ip.function == vfs_read", "mask & CPUS{0-3,8}", "((prev_prio >= 1))", "! flags == 3",
		"prev_prio <= 0x7fffffff", "ip == 0xffffffffffffffff", "cpu & CPUS{1}",
		"ip.ustring ~ \"/etc*\"",
	};
	struct ctl_format *f = sample();
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		struct kt_err err = { 0 };

		ctl_filter_check(f, "a:b", good[i], &err);
		CHECK_NO_ERR(&err);
	}
	ctl_format_destroy(f);
}

TEST(each_mistake_is_explained_and_pointed_at)
{
	static const struct { const char *filter, *says; int column; } bad[] = {
		{ "pprev_prio < 3", "no field 'pprev_prio', did you mean 'prev_prio'?", 0 },
		{ "qqqqqqq < 3", "no field 'qqqqqqq'", 0 },
		{ "prev_prio = 3", "write '=='", 10 },
		{ "prev_prio ~ 3", "'prev_prio' is a number, which takes only", 10 },
		{ "prev_comm < 3", "'prev_comm' is text, which takes only == != ~", 10 },
		{ "prev_comm == bash", "put the value in quotation marks", 13 },
		{ "prev_comm == \"bash", "never closed", 13 },
		{ "prev_prio == \"3\"", "is a number, not text", 13 },
		{ "prev_prio == x", "a number is expected here", 13 },
		{ "prev_prio == 3x", "'x' does not belong to a number", 14 },
		{ "flags == 256", "does not fit into 'flags' (1 bytes)", 9 },
		{ "prev_prio == 99999999999999999999", "does not fit", 13 },
		{ "addr == 3", "array but not a string", 0 },
		{ "(prev_prio == 3", "this parenthesis is never closed", 0 },
		{ "prev_prio == 3)", "this parenthesis was never opened", 14 },
		{ "prev_prio == 3 flags", "'&&' or '||' is expected here", 15 },
		{ "prev_prio == 3 &&", "ends where a field name is expected", 17 },
		{ "prev_prio", "an operator is expected here", 9 },
		{ "prev_prio ==", "ends where a value for 'prev_prio'", 12 },
		{ "prev_comm !~ \"x\"", "no '!~'", 10 },
		{ "mask & CPUS{x}", "list of CPUs", 12 },
		{ "prev_comm == CPUS{1}", "not a set of CPUs", 13 },
		{ "ip.bla == 3", "'.bla' is not a modifier", 3 },
		{ "ip.function < 3", "'ip' is a function", 12 },
		{ "", "ends where a field name", 0 },
	};
	struct ctl_format *f = sample();
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct kt_err err = { 0 };

		assert_int_equal(ctl_filter_check(f, "a:b", bad[i].filter, &err), -EINVAL);
		if (!strstr(err.msg, bad[i].says))
			fail_msg("'%s' says: %s", bad[i].filter, err.msg);
		/* two lines of two spaces each: the caret is the last byte */
		assert_int_equal(strlen(err.excerpt),
				 2 + strlen(bad[i].filter) + 1 + 2 + bad[i].column + 1);
	}
	ctl_format_destroy(f);
}

TEST(nesting_is_bounded)
{
	char deep[5001];
	struct ctl_format *f = sample();
	struct kt_err err = { 0 };

	memset(deep, '(', sizeof(deep));
	deep[sizeof(deep) - 1] = '\0';
	assert_int_equal(ctl_filter_check(f, "a:b", deep, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "more than 64 parentheses"));
	ctl_format_destroy(f);
}

int main(void)
{
	return RUN(unit(a_format_has_its_fields_with_kind_and_place),
		   unit(a_broken_format_is_named),
		   unit(good_filters_pass), unit(each_mistake_is_explained_and_pointed_at),
		   unit(nesting_is_bounded));
}
