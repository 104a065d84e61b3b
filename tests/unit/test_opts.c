/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_opts.c - the parser of option tables */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
#include <cmocka.h>

#include "cmd/cmd.h"
#include "cmd/args/opts.h"

struct args {
	bool flag, other;
	const char *name;
	int number;
	uint64_t size, time;
	char calls[64];
};

static int note(void *data, const char *value, struct kt_err *err)
{
	struct args *args = data;

	if (value && strcmp(value, "bad") == 0)
		return cmd_misuse(err, "that is bad");
	strcat(args->calls, value ? value : "-");
	strcat(args->calls, ";");
	return 0;
}

static const struct cmd_opt opts[] = {
	OPT_BOOL('f', "flag", struct args, flag, "a flag"),
	OPT_BOOL(0, "other", struct args, other, "another"),
	OPT_STR('n', "name", struct args, name, "name", "a name"),
	OPT_INT('N', "number", struct args, number, "n", "a number"),
	OPT_SIZE('s', "size", struct args, size, "size", "a size"),
	OPT_TIME('t', "time", struct args, time, "time", "a time"),
	OPT_CALL('e', "event", note, "event", "an event"),
	OPT_CALL_OPTIONAL('V', "verbose", note, "level", "talk"),
	OPT_END
};

#define PARSE(anywhere, ...)								\
	char *argv[] = { __VA_ARGS__, NULL };						\
	struct args args = { 0 };							\
	struct kt_err err = { 0 };							\
	struct opts_given given = { 0 };						\
	int used = opts_parse(opts, &args, sizeof(argv) / sizeof(argv[0]) - 1, argv,	\
			      anywhere, &given, &err)

static void short_options_may_be_joined_and_glued_to_their_value(void **state)
{
	PARSE(false, "-fn", "me", "-N-3", "-e", "a", "-eb", "word", "-f");

	(void)state;
	assert_int_equal(used, 6);
	assert_true(args.flag);
	assert_string_equal(args.name, "me");
	assert_int_equal(args.number, -3);
	assert_string_equal(args.calls, "a;b;");
	assert_string_equal(argv[used], "word");
}

static void long_options_take_both_spellings_and_unique_prefixes(void **state)
{
	PARSE(false, "--name=x", "--size", "4k", "--time=2ms", "--fla");

	(void)state;
	assert_int_equal(used, 5);
	assert_string_equal(args.name, "x");
	assert_int_equal(args.size, 4096);
	assert_int_equal(args.time, 2000000);
	assert_true(args.flag);
}

static void an_optional_value_must_be_glued(void **state)
{
	PARSE(false, "-V", "-V3", "--verbose", "--verbose=all", "x");

	(void)state;
	assert_int_equal(used, 4);
	assert_string_equal(args.calls, "-;3;-;all;");
}

static void parsing_stops_at_the_first_word_unless_anywhere(void **state)
{
	PARSE(true, "a", "-f", "b", "--name", "n", "--", "-x");

	(void)state;
	assert_int_equal(used, 4);
	assert_true(args.flag);
	assert_string_equal(argv[4], "a");
	assert_string_equal(argv[5], "b");
	assert_string_equal(argv[6], "-x");
}

static void a_typo_names_its_neighbour(void **state)
{
	PARSE(false, "--nmae=x");

	(void)state;
	assert_int_equal(used, CMD_MISUSE);
	assert_string_equal(err.msg, "unknown option '--nmae', did you mean '--name'?");
}

static void misuse_says_which_option(void **state)
{
	static const struct { char *word; const char *msg; } cases[] = {
		{ "-N", "option '-N' needs a value: <n>" },
		{ "--number", "option '--number' needs a value: <n>" },
		{ "--number=x", "--number: 'x' is not a number" },
		{ "--flag=1", "option '--flag' takes no value" },
		{ "-q", "unknown option '-q', -h lists them" },
		{ "--qqqqq", "unknown option '--qqqqq', -h lists them" },
		{ "-ebad", "--event: that is bad" },
		{ "--n", "option '--n' is ambiguous: --name, --number" },
		{ "--n=x", "option '--n' is ambiguous: --name, --number" },
		{ "-N99999999999", "--number: number '99999999999' is too large" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		PARSE(false, cases[i].word);

		assert_int_equal(used, CMD_MISUSE);
		assert_string_equal(err.msg, cases[i].msg);
	}
}

static void help_is_asked_for_by_h_and_help(void **state)
{
	(void)state;
	{
		PARSE(false, "-h");
		assert_int_equal(used, OPTS_HELP);
	}
	{
		PARSE(false, "-f", "--help");
		assert_int_equal(used, OPTS_HELP);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(short_options_may_be_joined_and_glued_to_their_value),
		cmocka_unit_test(long_options_take_both_spellings_and_unique_prefixes),
		cmocka_unit_test(an_optional_value_must_be_glued),
		cmocka_unit_test(parsing_stops_at_the_first_word_unless_anywhere),
		cmocka_unit_test(a_typo_names_its_neighbour),
		cmocka_unit_test(misuse_says_which_option),
		cmocka_unit_test(help_is_asked_for_by_h_and_help),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
