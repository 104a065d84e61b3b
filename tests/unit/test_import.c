/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_import.c - templates parse the texts that they print, and records are in order of time */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "import/page.h"
#include "shape/shape.h"
#include "import/wire.h"
#include "kt_test.h"

static struct shape shape_with(const char *template, const char *other)
{
	struct shape s = { .literals = STR_INIT };

	assert_int_equal(shape_add(&s, template), 0);
	if (other)
		assert_int_equal(shape_add(&s, other), 0);
	return s;
}

static bool matches(const struct shape *s, const char *text, struct shape_values *v)
{
	struct addresses symbols = { .names = STR_INIT };
	bool match = shape_match(s, text, strlen(text), &symbols, v);

	addresses_fini(&symbols);
	return match;
}

/* A number is refused if the print format would print it in another way. */
static void only_what_it_prints(void **state)
{
	struct shape s = shape_with("n={n:int} u={u:uint} x={x:hex}", NULL);
	static const char *const others[] = {
		"n=01 u=1 x=1", "n=+1 u=1 x=1", "n=-0 u=1 x=1", "n=1 u=-1 x=1", "n=1 u=1 x=01",
		"n=1 u=1 x=F", "n=1 u=1 x=1 ", " n=1 u=1 x=1", "n=2147483648 u=1 x=1",
		"n=1 u=4294967296 x=1", "n=1 u=1 x=11112222333344445", "n=1 u=1 x=", "",
	};
	struct shape_values v;
	size_t i;

	(void)state;
	assert_true(matches(&s, "n=-2147483648 u=4294967295 x=ffff000011112222", &v));
	assert_int_equal((int64_t)v.number[0], INT32_MIN);
	assert_int_equal(v.number[1], UINT32_MAX);
	assert_int_equal(v.number[2], 0xffff000011112222);
	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_false(matches(&s, others[i], &v));
	shape_fini(&s);
}

static void a_name_may_contain_the_text_that_follows_it(void **state)
{
	struct shape s = shape_with("comm={comm:comm} pid={pid:int}", "{comm}:{pid}");
	struct shape_values v;

	(void)state;
	assert_true(matches(&s, "comm=a pid=1 pid=22", &v));
	assert_int_equal(v.text[0].size, strlen("a pid=1"));
	assert_int_equal(v.number[1], 22);
	assert_true(matches(&s, "k:1:0:9", &v));
	assert_int_equal(v.text[0].size, strlen("k:1:0"));
	assert_false(matches(&s, "comm=longer than a name is pid=1", &v));
	shape_fini(&s);
}

static void a_guess_matches_its_text(void **state)
{
	static const char *const texts[] = {
		"a=-5 b=0x1f c=word (d)", "a=1,b=2 c= d", "x=007 y=0x0f z=9999999999999999999",
		"[k=v] common_pid=3 1=2 ==", "a=1 a=2",
	};
	struct shape_values v;
	struct shape s;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		s = (struct shape){ .literals = STR_INIT };
		assert_int_equal(shape_guess(&s, texts[i], strlen(texts[i])), 0);
		assert_true(matches(&s, texts[i], &v));
		shape_fini(&s);
	}
	/* The second of two fields with one name is a literal */
	s = (struct shape){ .literals = STR_INIT };
	assert_int_equal(shape_guess(&s, "a=1 a=2", 7), 0);
	assert_true(matches(&s, "a=5 a=2", &v));
	assert_int_equal(v.number[0], 5);
	assert_false(matches(&s, "a=1 a=3", &v));
	shape_fini(&s);
	s = (struct shape){ .literals = STR_INIT };
	assert_int_equal(shape_guess(&s, "100% a=1", 8), -ENOENT);
	shape_fini(&s);
}

static void a_page_reads_as_written(void **state)
{
	struct page *p = calloc(1, sizeof(*p));
	uint8_t rec[300] = { 7 };
	struct page_reader r;
	uint64_t ts = 5, written = 0, n = 0;

	(void)state;
	assert_non_null(p);
	p->lost = 12;
	while (page_add(p, ts + written * 50000000, rec, 4 + written % 2 * 250))
		written++;
	page_finish(p);
	page_read(&r, p->data);
	for (; page_next(&r); n++) {
		assert_int_equal(r.ts, ts + n * 50000000);
		assert_int_equal(r.size, n % 2 ? 256 : 4);
		assert_int_equal(r.lost, n ? 0 : 12);
		assert_int_equal(r.rec[0], 7);
	}
	assert_true(n > 10);
	assert_int_equal(n, written);
	free(p);
}

static void a_damaged_message_ends(void **state)
{
	static const char *const bad[] = {
		"\x08", "\x08\x80\x80", "\x0a\x05zz", "\x0d\x01\x02", "\x0b",
		"\x0a\xff\xff\xff\x7f",
		"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
	};
	struct wire w;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		w = wire_of(bad[i], strlen(bad[i]));
		assert_false(wire_next(&w));
		assert_true(w.failed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_it_prints),
		cmocka_unit_test(a_name_may_contain_the_text_that_follows_it),
		cmocka_unit_test(a_guess_matches_its_text),
		cmocka_unit_test(a_page_reads_as_written),
		cmocka_unit_test(a_damaged_message_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
