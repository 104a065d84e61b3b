/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_base.c - errors, strings, numbers, escaping, CPU masks, units */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <ktrail/base.h>

#include "base/array.h"
#include "base/cpumask.h"
#include "base/escape.h"
#include "base/num.h"
#include "base/put.h"
#include "base/str.h"
#include "base/suggest.h"
#include "base/units.h"
#include "base/wide.h"

static void the_first_failure_wins(void **state)
{
	struct kt_err err = { 0 };

	(void)state;
	assert_int_equal(kt_err_set(&err, -ENOENT, "no file '%s'", "a"), -ENOENT);
	assert_int_equal(kt_err_set(&err, -EINVAL, "later"), -EINVAL);
	assert_int_equal(err.code, -ENOENT);
	assert_string_equal(err.msg, "no file 'a'");
	kt_err_clear(&err);
	assert_int_equal(err.code, 0);
	assert_string_equal(err.msg, "");
	assert_int_equal(kt_err_set(NULL, -EIO, "nobody listens"), -EIO);
}

static void a_wrap_puts_its_words_in_front(void **state)
{
	struct kt_err err = { 0 };

	(void)state;
	kt_err_wrap(&err, -ENOENT, "cannot open '%s'", "x");
	assert_string_equal(err.msg, "cannot open 'x': No such file or directory");
	kt_err_wrap(&err, -EINVAL, "outer");
	assert_int_equal(err.code, -ENOENT);
	assert_string_equal(err.msg, "outer: cannot open 'x': No such file or directory");
}

static void further_errors_are_appended(void **state)
{
	struct kt_err err = { 0 };
	char much[sizeof(err.msg)];

	(void)state;
	assert_int_equal(kt_err_add(&err, -EIO, "cannot write '%s'", "x"), -EIO);
	assert_string_equal(err.msg, "cannot write 'x'");
	assert_int_equal(kt_err_add(&err, -EBUSY, "nor put\n'%s' back", "y"), -EIO);
	assert_int_equal(err.code, -EIO);
	assert_string_equal(err.msg, "cannot write 'x'; nor put\\x0a'y' back");
	memset(much, 'm', sizeof(much));
	kt_err_add(&err, -EBUSY, "%.*s", (int)sizeof(much), much);
	assert_int_equal(strlen(err.msg), sizeof(err.msg) - 1);
	assert_int_equal(kt_err_add(&err, -EBUSY, "no room"), -EIO);
	assert_int_equal(kt_err_add(NULL, -EBUSY, "nobody listens"), -EBUSY);
}

static void a_message_never_carries_an_escape_sequence(void **state)
{
	struct kt_err err = { 0 };

	(void)state;
	kt_err_set(&err, -EINVAL, "event '%s'", "\033[2Jx\n");
	assert_string_equal(err.msg, "event '\\x1b[2Jx\\x0a'");
}

static void escaping_keeps_text_and_shows_the_rest_as_hex(void **state)
{
	static const struct { const char *in, *out; } cases[] = {
		{ "plain\ttab", "plain\ttab" },
		{ "\xc3\xa4", "\xc3\xa4" },		/* UTF-8 */
		{ "\xc3(", "\\xc3(" },			/* cut sequence */
		{ "\xc0\x80", "\\xc0\\x80" },		/* overlong NUL */
		{ "\xc2\x9b" "31m", "\\xc2\\x9b31m" },	/* C1 control sequence introducer */
		{ "\xe2\x80\xae", "\\xe2\\x80\\xae" },	/* right-to-left override */
		{ "\x7f\a", "\\x7f\\x07" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },	/* surrogate */
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
	};
	char buf[64];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t need = kt_escape(buf, sizeof(buf), cases[i].in, strlen(cases[i].in));

		assert_string_equal(buf, cases[i].out);
		assert_int_equal(need, strlen(cases[i].out));
		assert_int_equal(kt_is_plain(cases[i].in, strlen(cases[i].in)),
				 strcmp(cases[i].in, cases[i].out) == 0);
	}
}

static void a_short_buffer_cuts_between_escapes(void **state)
{
	char buf[7];

	(void)state;
	assert_int_equal(kt_escape(buf, sizeof(buf), "ab\x01" "cd", 5), 8);
	assert_string_equal(buf, "ab\\x01");
	assert_int_equal(kt_escape(buf, 5, "ab\x01" "cd", 5), 8);
	assert_string_equal(buf, "ab");
	assert_int_equal(kt_escape(NULL, 0, "\x01", 1), 4);
}

static void a_string_grows_and_can_be_taken(void **state)
{
	struct str s = STR_INIT;
	char *text;
	int i;

	(void)state;
	for (i = 0; i < 1000; i++)
		str_addf(&s, "%d,", i % 10);
	assert_int_equal(s.len, 2000);
	str_reset(&s);
	str_add(&s, "name");
	str_addc(&s, '=');
	str_addn(&s, "valuexx", 5);
	str_add_escaped(&s, "\033", 1);
	text = str_take(&s);
	assert_string_equal(text, "name=value\\x1b");
	free(text);
	assert_int_equal(s.len, 0);
	str_fini(&s);
}

static void asking_for_too_much_fails_and_stays_failed(void **state)
{
	struct str s = STR_INIT;

	(void)state;
	str_add(&s, "a");
	assert_null(str_room(&s, SIZE_MAX));
	assert_true(s.failed);
	str_add(&s, "b");
	assert_int_equal(s.len, 1);
	assert_null(str_take(&s));
}

static void a_failure_has_its_kind_until_it_is_cleared(void **state)
{
	struct kt_err err = { 0 };

	(void)state;
	assert_int_equal(kt_err_set_kind(&err, KT_ERR_KERNEL, -EINVAL, "no"), -EINVAL);
	kt_err_set_kind(&err, KT_ERR_NO_TRACER, -ENOENT, "later");
	kt_err_wrap(&err, -EINVAL, "in front");
	kt_err_add(&err, -EIO, "besides");
	assert_int_equal(err.kind, KT_ERR_KERNEL);
	assert_string_equal(err.msg, "in front: no; besides");
	kt_err_clear(&err);
	assert_int_equal(err.kind, KT_ERR_OTHER);
	kt_err_set(&err, -EINVAL, "plain");
	assert_int_equal(err.kind, KT_ERR_OTHER);
	assert_int_equal(kt_err_set_kind(NULL, KT_ERR_KERNEL, -EINVAL, "nobody asks"), -EINVAL);
}

static void the_nearest_word_is_found_for_a_typo(void **state)
{
	static const char *const words[] = { "function", "function_graph", "nop", "blk", NULL };

	(void)state;
	assert_string_equal(str_nearest("functoin", words), "function");
	assert_string_equal(str_nearest("function_grpah", words), "function_graph");
	assert_null(str_nearest("top", (const char *[]){ "stop", "show", NULL }));
	assert_null(str_nearest("-v", (const char *[]){ "rv", NULL }));
	assert_null(str_nearest("trim", (const char *[]){ "tracer", "clear", NULL }));
	assert_string_equal(str_nearest("sho", (const char *[]){ "stop", "show", NULL }), "show");
	assert_null(str_nearest("wakeup", words));
}

static void a_wrong_name_is_answered_with_a_near_one_or_all(void **state)
{
	static const char *const words[] = { "nop", "printk", "panic", NULL }, *const none[] = { NULL };
	static const char *const many[] = { "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9",
					    "b1", "b2", "b3", "b4", NULL };
	char buf[SUGGEST_SIZE];

	(void)state;
	assert_string_equal(suggest("prinkt", words, buf), ", did you mean 'printk'?");
	assert_string_equal(suggest("wwnr", words, buf), ", only: nop printk panic");
	assert_string_equal(suggest("wwnr", none, buf), ", there are none");
	assert_string_equal(suggest("wwnr", NULL, buf), ", there are none");
	assert_string_equal(suggest("wwnr", many, buf), ", only: a1 a2 a3 a4 a5 a6 a7 a8 a9 b1 b2 b3 …");
	assert_string_equal(suggest_one("prinkt", words, buf), ", did you mean 'printk'?");
	assert_string_equal(suggest_one("wwnr", words, buf), "");
}

static void the_nearest_of_very_many_is_found_too(void **state)
{
	struct kt_names many = { 0 };
	char name[40];
	int i;

	(void)state;
	for (i = 0; i < 6000; i++) {
		snprintf(name, sizeof(name), "function_of_no_interest_%d", i);
		kt_names_add(&many, name);
	}
	kt_names_addn(&many, "vfs_readv", strlen("vfs_read"));
	assert_int_equal(kt_names_addf(&many, "%s_%d", "vfs", 7), 0);
	assert_true(kt_names_has(&many, "vfs_7"));
	assert_string_equal(kt_names_nearest(&many, "vfs_raed"), "vfs_read");
	assert_string_equal(kt_names_nearest(&many, "fvs_read"), "vfs_read");
	assert_null(kt_names_nearest(&many, "x"));
	assert_null(kt_names_nearest(&many, ""));
	kt_names_fini(&many);
}

static void words_are_matched_whole(void **state)
{
	(void)state;
	assert_true(str_has_word("blk function nop\n", "nop"));
	assert_false(str_has_word("blk function_graph nop\n", "function"));
	assert_false(str_has_word("", "nop"));
	assert_false(str_has_word("blk", ""));
}

static void cpu_lists_are_parsed_and_bad_ones_explained(void **state)
{
	struct kt_err err = { 0 };
	struct cpumask m;

	(void)state;
	assert_int_equal(cpumask_parse_list(&m, "0,2-4:7", &err), 0);
	assert_true(cpumask_test(&m, 0) && !cpumask_test(&m, 1) && cpumask_test(&m, 3));
	assert_true(cpumask_test(&m, 7));
	assert_int_equal(cpumask_next(&m, 4), 7);
	assert_int_equal(cpumask_next(&m, 7), -1);
	assert_int_equal(cpumask_parse_list(&m, "4-2", &err), -EINVAL);
	assert_int_equal(cpumask_parse_list(&m, "0,", NULL), -EINVAL);
	assert_int_equal(cpumask_parse_list(&m, "x", NULL), -EINVAL);
	assert_int_equal(cpumask_parse_list(&m, "8192", NULL), -ERANGE);
}

static void cpu_masks_are_read_and_written_as_the_kernel_does(void **state)
{
	struct cpumask m;
	char buf[64];

	(void)state;
	assert_int_equal(cpumask_parse_hex(&m, "3,00000001", 2, NULL), 0);
	assert_true(cpumask_test(&m, 0) && cpumask_test(&m, 32) && cpumask_test(&m, 33));
	cpumask_format_hex(&m, buf, sizeof(buf));
	assert_string_equal(buf, "3,00000001");
	assert_int_equal(cpumask_parse_hex(&m, "-1", 3, NULL), 0);
	cpumask_format_hex(&m, buf, sizeof(buf));
	assert_string_equal(buf, "7");
	assert_int_equal(cpumask_parse_hex(&m, "0x", 2, NULL), -EINVAL);
	assert_int_equal(cpumask_parse_hex(&m, "fg", 2, NULL), -EINVAL);
}

static void sizes_and_times_take_their_units(void **state)
{
	struct kt_err err = { 0 };
	uint64_t v;

	(void)state;
	assert_int_equal(units_parse_size("64k", 1, &v, &err), 0);
	assert_int_equal(v, 65536);
	assert_int_equal(units_parse_size("1.5G", 1, &v, &err), 0);
	assert_int_equal(v, 3ULL << 29);
	assert_int_equal(units_parse_size("7", 1024, &v, &err), 0);
	assert_int_equal(v, 7168);
	assert_int_equal(units_parse_time("1m30s", 1, &v, &err), 0);
	assert_int_equal(v, 90000000000);
	assert_int_equal(units_parse_time("250ms", 1, &v, &err), 0);
	assert_int_equal(v, 250000000);
	assert_int_equal(units_parse_time("99999999999999999999", 1, &v, NULL), -EINVAL);
	assert_int_equal(units_parse_size("10q", 1, &v, &err), -EINVAL);
	assert_string_equal(err.msg, "'10q' is not a size, such as 64k, 16M or 2G");
}

static void numbers_must_be_the_whole_text(void **state)
{
	uint64_t u;
	int64_t i;

	(void)state;
	assert_int_equal(units_parse_u64("0x10", &u, NULL), 0);
	assert_int_equal(u, 16);
	assert_int_equal(units_parse_u64("-1", &u, NULL), -EINVAL);
	assert_int_equal(units_parse_u64("12a", &u, NULL), -EINVAL);
	assert_int_equal(units_parse_u64("99999999999999999999", &u, NULL), -ERANGE);
	assert_int_equal(units_parse_i64("-12", &i, NULL), 0);
	assert_int_equal(i, -12);
	assert_int_equal(units_parse_i64("", &i, NULL), -EINVAL);
}

static void amounts_read_well(void **state)
{
	char buf[32];

	(void)state;
	assert_string_equal(units_format_size(512, buf), "512 B");
	assert_string_equal(units_format_size(1258291, buf), "1.2 MiB");
	assert_string_equal(units_format_time(12500000, buf), "12.5 ms");
	assert_string_equal(units_format_time(999, buf), "999 ns");
}

static void check_number(uint64_t v)
{
	char ours[NUM_MAX + 1], theirs[32];

	*num_put_u64(ours, v) = '\0';
	snprintf(theirs, sizeof(theirs), "%" PRIu64, v);
	assert_string_equal(ours, theirs);
	*num_put_i64(ours, (int64_t)v) = '\0';
	snprintf(theirs, sizeof(theirs), "%" PRId64, (int64_t)v);
	assert_string_equal(ours, theirs);
	*num_put_hex(ours, v) = '\0';
	snprintf(theirs, sizeof(theirs), "%" PRIx64, v);
	assert_string_equal(ours, theirs);
	*num_put_hex_words(ours, v, 16) = '\0';
	snprintf(theirs, sizeof(theirs), "%016" PRIx64, v);
	assert_string_equal(ours, theirs);
	num_put_hex_halves(ours, v);	/* used on machines without SSE2 */
	assert_string_equal(ours, theirs);
}

static void numbers_read_as_printf_has_them(void **state)
{
	uint64_t v = 1, power;
	int i;

	(void)state;
	for (v = 0; v < 70000; v++)
		check_number(v);
	for (power = 1, i = 0; i < 20; i++, power *= 10) {
		check_number(power - 1);
		check_number(power);
		check_number(-power);
	}
	for (i = 0; i < 64; i++) {
		check_number(1ull << i);
		check_number((1ull << i) - 1);
	}
	for (v = 1, i = 0; i < 100000; i++, v = v * 6364136223846793005 + 1442695040888963407)
		check_number(v >> i % 64);
	check_number(UINT64_MAX);
}

static void a_short_text_ends_at_its_zero_byte(void **state)
{
	char from[17], to[16 + PUT_SLACK];
	size_t size, len;

	(void)state;
	for (size = 1; size <= 16; size++)
		for (len = 0; len <= size; len++) {
			memset(from, 0x80 + len, sizeof(from));
			memset(from + len, len % 2 ? 1 : 0x80, sizeof(from) - len);
			from[len] = '\0';
			assert_int_equal(put_text(to, from, size) - to, len);
			assert_memory_equal(to, from, len);
		}
}

#ifdef __SIZEOF_INT128__
static void check_wide(uint64_t a, uint64_t b, uint64_t by)
{
	unsigned __int128 want = (unsigned __int128)a * b;
	struct wide w = wide_mul(a, b), halves = wide_mul_by_halves(a, b);
	unsigned int shift;

	assert_true(w.high == (uint64_t)(want >> 64) && w.low == (uint64_t)want);
	assert_true(halves.high == w.high && halves.low == w.low);
	for (shift = 0; shift < 128; shift++)
		assert_true(wide_shift(w, shift) == (uint64_t)(want >> shift));
	assert_true(wide_shift(w, 128) == 0);
	assert_true(wide_div(w, by) == (uint64_t)(want / by));
}
#endif

static void products_of_128_bits_need_no_wide_registers(void **state)
{
#ifdef __SIZEOF_INT128__
	static const uint64_t values[] = {
		0, 1, 3, 10, UINT32_MAX, 1ull << 32, (1ull << 32) + 1, 1ull << 63, UINT64_MAX - 1,
			UINT64_MAX,
		0x0123456789abcdef, 0xfedcba9876543210,
	};
	size_t i, j, k, nr = sizeof(values) / sizeof(values[0]);

	(void)state;
	for (i = 0; i < nr; i++)
		for (j = 0; j < nr; j++)
			for (k = 1; k < nr; k++)
				check_wide(values[i], values[j], values[k]);
#else
	(void)state;
	skip();
#endif
}

static void an_array_keeps_its_elements_as_it_grows_and_shrinks(void **state)
{
	uint32_t *array = NULL, *added, i;
	size_t nr = 0;

	(void)state;
	for (i = 0; i < 1000; i++) {
		added = array_add(array, nr);
		assert_non_null(added);
		*added = i;
		assert_int_equal(nr, i + 1);
	}
	/* Dropped elements may be added again, beyond a power of two */
	for (nr = 125; nr < 300; ) {
		added = array_add(array, nr);
		assert_non_null(added);
		*added = (uint32_t)nr - 1;
	}
	for (i = 0; i < nr; i++)
		assert_int_equal(array[i], i);
	free(array);
}

static void a_result_without_a_message_gets_one(void **state)
{
	struct kt_err err = { 0 };

	(void)state;
	assert_int_equal(kt_err_result(&err, 3), 0);
	assert_int_equal(err.code, 0);
	assert_int_equal(kt_err_result(&err, -ENOMEM), -ENOMEM);
	assert_string_equal(err.msg, "out of memory");
	kt_err_clear(&err);
	kt_err_set(&err, -EBUSY, "in use");
	assert_int_equal(kt_err_result(&err, -EBUSY), -EBUSY);
	assert_int_equal(kt_err_no_memory(&err), -ENOMEM);
	assert_string_equal(err.msg, "in use");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_failure_wins),
		cmocka_unit_test(a_wrap_puts_its_words_in_front),
		cmocka_unit_test(further_errors_are_appended),
		cmocka_unit_test(a_message_never_carries_an_escape_sequence),
		cmocka_unit_test(escaping_keeps_text_and_shows_the_rest_as_hex),
		cmocka_unit_test(a_short_buffer_cuts_between_escapes),
		cmocka_unit_test(a_string_grows_and_can_be_taken),
		cmocka_unit_test(asking_for_too_much_fails_and_stays_failed),
		cmocka_unit_test(a_failure_has_its_kind_until_it_is_cleared),
		cmocka_unit_test(the_nearest_word_is_found_for_a_typo),
		cmocka_unit_test(the_nearest_of_very_many_is_found_too),
		cmocka_unit_test(a_wrong_name_is_answered_with_a_near_one_or_all),
		cmocka_unit_test(words_are_matched_whole),
		cmocka_unit_test(cpu_lists_are_parsed_and_bad_ones_explained),
		cmocka_unit_test(cpu_masks_are_read_and_written_as_the_kernel_does),
		cmocka_unit_test(sizes_and_times_take_their_units),
		cmocka_unit_test(numbers_must_be_the_whole_text),
		cmocka_unit_test(amounts_read_well),
		cmocka_unit_test(numbers_read_as_printf_has_them),
		cmocka_unit_test(a_short_text_ends_at_its_zero_byte),
		cmocka_unit_test(an_array_keeps_its_elements_as_it_grows_and_shrinks),
		cmocka_unit_test(a_result_without_a_message_gets_one),
		cmocka_unit_test(products_of_128_bits_need_no_wide_registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
