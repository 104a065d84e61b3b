/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_json_lines.c - a record as JSON: its text agrees with its fields, byte by byte */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/text.h>

#include "base/comm16.h"
#include "base/str.h"
#include "kt_dat.h"
#include "kt_test.h"

#define COMMON \
	"format:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define U32(name, at) "\tfield:unsigned int " name ";\toffset:" at ";\tsize:4;\tsigned:0;\n"

enum { ALL = 100, WORDS = 101, MANY = 102, SWITCH = 103, WIDE = 104, HALVES = 105, SIZES = 106,
       LATE = 107, QUOTED = 108, QUOTES = 109 };

static const char all[] = "name: all\nID: 100\n" COMMON
	"\tfield:void * ptr;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:int num;\toffset:16;\tsize:4;\tsigned:1;\n" U32("nr", "20")
	"\tfield:char comm[16];\toffset:24;\tsize:16;\tsigned:0;\n"
	"\nprint fmt: \"%p %lx %08lx %016lx|%d %u %5d %x|%u %d|%s|%u\\n\", REC->ptr, "
	"(unsigned long)REC->ptr, (unsigned long)REC->ptr, (unsigned long)REC->ptr, REC->num, REC->num, "
	"REC->num, REC->num, REC->nr, REC->nr, REC->comm, REC->nr + 1\n";

static const char words[] = "name: words\nID: 101\n" COMMON U32("vec", "8") U32("bad", "12")
	"\nprint fmt: \"%s %s\", __print_symbolic(REC->vec, { 0, \"HI\" }, { 1, \"TIMER\" }, "
	"{ 2, \"NET\" }), __print_symbolic(REC->bad, { 0, \"a\\\"b\" }, { 7, \"seven\" })\n";

static const char sched_switch[] = "name: sched_switch\nID: 103\n" COMMON
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	U32("prev_pid", "24") U32("prev_prio", "28")
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
	U32("next_pid", "56") U32("next_prio", "60") "\nprint fmt: \"\"\n";

static const char wide[] = "name: wide\nID: 104\n" COMMON U32("nr", "8")
	"\nprint fmt: \"%4000u%4000u|%u\", REC->nr, REC->nr, REC->nr\n";

/* One field is the second half of the other: both end at the same place. */
static const char halves[] = "name: halves\nID: 105\n" COMMON
	"\tfield:unsigned long whole;\toffset:8;\tsize:8;\tsigned:0;\n" U32("half", "12")
	"\nprint fmt: \"%u %lu %08x\", REC->half, REC->whole, REC->half\n";

static const char sizes[] = "name: sizes\nID: 106\n" COMMON
	"\tfield:unsigned long u8;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:long s8;\toffset:16;\tsize:8;\tsigned:1;\n" U32("u4", "24")
	"\tfield:int s4;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned short u2;\toffset:32;\tsize:2;\tsigned:0;\n"
	"\tfield:short s2;\toffset:34;\tsize:2;\tsigned:1;\n"
	"\nprint fmt: \"%lu %ld %u %d %03d %s %s\", REC->u8, REC->s8, REC->u4, REC->s4, REC->s4, "
	"__print_symbolic(REC->u2, { 0, \"none\" }, { 1, \"one\" }), "
	"__print_symbolic(REC->u2, { 0, \"a word that has more bytes than others\" }, { 1, \"\" })\n";

/* The text to escape follows one that makes the buffer grow. */
static const char late[] = "name: late\nID: 107\n" COMMON U32("nr", "8")
	"\nprint fmt: \"%5u %s\", REC->nr, __print_symbolic(REC->nr, { 1, \"\\\"\" }, { 7, \"seven\" })\n";

/* A text that no field shows as one, and quotes of the format itself */
static const char quoted[] = "name: quoted\nID: 108\n" COMMON
	"\tfield:unsigned int raw[4];\toffset:8;\tsize:16;\tsigned:0;\n" U32("nr", "24")
	"\nprint fmt: \"%s %u\", REC->raw, REC->nr\n";
static const char quotes[] = "name: quotes\nID: 109\n" COMMON U32("nr", "8")
	"\nprint fmt: \"\\\"%u\\\"\\n\", REC->nr\n";

/* Forty fields; borrowed */
static const char *many(void)
{
	static char text[4096];
	size_t len = snprintf(text, sizeof(text), "%s", "name: many\nID: 102\n" COMMON);
	int i;

	for (i = 0; i < 40; i++)
		len += snprintf(text + len, sizeof(text) - len,
				"\tfield:unsigned int f%d;\toffset:%d;\tsize:4;\tsigned:0;\n", i, 8 + 4 * i);
	snprintf(text + len, sizeof(text) - len, "\nprint fmt: \"%%u %%u\", REC->f0, REC->f39\n");
	return text;
}

static struct kt_dat *empty_dat(bool big_endian)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .big_endian = big_endian });

	kt_dat_event(d, "test", all);
	kt_dat_event(d, "test", words);
	kt_dat_event(d, "test", wide);
	kt_dat_event(d, "test", halves);
	kt_dat_event(d, "test", sizes);
	kt_dat_event(d, "test", late);
	kt_dat_event(d, "test", quoted);
	kt_dat_event(d, "test", quotes);
	kt_dat_event(d, "test", many());
	kt_dat_event(d, "sched", sched_switch);
	kt_dat_meta(d, KT_META_CMDLINES, "7 saved\n");
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	return d;
}

/* Lines with the seconds and flags of the line before are built by other code than the first. */
#define START 5000000000

static struct kt_dat *dat(bool big_endian)
{
	struct kt_dat *d = empty_dat(big_endian);

	kt_dat_begin(d, HALVES, 7);
	kt_dat_int(d, 8, 0);
	kt_dat_end(d, START);
	return d;
}

static int collect(void *data, const char *text, size_t len)
{
	str_addn(data, text, len);
	return 0;
}

/* The lines of @d, which it destroys; new (free) */
static char *report(struct kt_dat *d)
{
	const struct kt_text_opts opts = { .threads = 1, .json = true };
	struct kt_trace *t = kt_trace_create();
	struct kt_err err = { 0 };
	struct str s = STR_INIT;
	struct kt_text *x;

	kt_trace_add(t, kt_dat_write(d, "json.dat"), NULL, &err);
	CHECK_NO_ERR(&err);
	kt_dat_destroy(d);
	x = kt_text_create(t, NULL, &opts, &err);
	CHECK_NO_ERR(&err);
	assert_int_equal(kt_text_run(x, UINT64_MAX, collect, &s, &err), 0);
	kt_text_destroy(x);
	kt_trace_destroy(t);
	return str_take(&s);
}

/* The last line of @d ends with @want, and its end. */
static void check_end(struct kt_dat *d, const char *want)
{
	char *got = report(d), *end = strchr(got, '\n');

	assert_non_null(end);
	end = strstr(end, "\"fields\":");
	assert_non_null(end);
	assert_string_equal(end, want);
	free(got);
}

static void all_of(struct kt_dat *d, uint64_t ptr, int num, uint32_t nr, const char *comm)
{
	char bytes[16] = { 0 };

	memcpy(bytes, comm, strnlen(comm, sizeof(bytes)));
	kt_dat_begin(d, ALL, 7);
	kt_dat_int(d, 8, ptr);
	kt_dat_int(d, 4, num);
	kt_dat_int(d, 4, nr);
	kt_dat_bytes(d, bytes, sizeof(bytes));
	kt_dat_end(d, START + 1);
}

static void check_all(uint64_t ptr, int num, uint32_t nr, const char *comm, const char *want)
{
	int big;

	for (big = 0; big < 2; big++) {
		struct kt_dat *d = dat(big);

		all_of(d, ptr, num, nr, comm);
		check_end(d, want);
	}
}

TEST(what_a_field_shows_its_text_shows_again)
{
	check_all(0xffffffff81000000, -2, 3000000000u, "bash",
		  "\"fields\":{\"ptr\":\"0xffffffff81000000\",\"num\":-2,\"nr\":3000000000,\"comm\":\"bash\"},"
		  "\"info\":\"0xffffffff81000000 ffffffff81000000 ffffffff81000000 ffffffff81000000"
		  "|-2 4294967294    -2 fffffffe|3000000000 -1294967296|bash|3000000001\"}\n");
	check_all(0xabcdef12, 999999, 1000000, "sixteen is a lot",
		  "\"fields\":{\"ptr\":\"0xabcdef12\",\"num\":999999,\"nr\":1000000,\"comm\":\"sixteen is a lot\"},"
		  "\"info\":\"0xabcdef12 abcdef12 abcdef12 00000000abcdef12"
		  "|999999 999999 999999 f423f|1000000 1000000|sixteen is a lot|1000001\"}\n");
}

TEST(a_number_that_is_short_is_filled_up_in_the_text_only)
{
	check_all(0, 0, 0, "",
		  "\"fields\":{\"ptr\":\"0x0\",\"num\":0,\"nr\":0,\"comm\":\"\"},"
		  "\"info\":\"(nil) 0 00000000 0000000000000000|0 0     0 0|0 0||1\"}\n");
	check_all(0x5, 12345, 99999999, "a",
		  "\"fields\":{\"ptr\":\"0x5\",\"num\":12345,\"nr\":99999999,\"comm\":\"a\"},"
		  "\"info\":\"0x5 5 00000005 0000000000000005|12345 12345 12345 3039|99999999 99999999|a|100000000\"}\n");
}

TEST(what_is_escaped_in_a_field_is_escaped_in_the_text)
{
	check_all(0x1234567890abcdef, 1, 1, "a\"b\\c\n\x1b",
		  "\"fields\":{\"ptr\":\"0x1234567890abcdef\",\"num\":1,\"nr\":1,\"comm\":\"a\\\"b\\\\c\\n\\u001b\"},"
		  "\"info\":\"0x1234567890abcdef 1234567890abcdef 1234567890abcdef 1234567890abcdef"
		  "|1 1     1 1|1 1|a\\\"b\\\\c\\n\\u001b|2\"}\n");
}

TEST(words_of_a_table_are_escaped_where_they_have_to_be)
{
	struct kt_dat *d = dat(false);
	char *got;

	kt_dat_begin(d, WORDS, 7);
	kt_dat_int(d, 4, 1);
	kt_dat_int(d, 4, 7);
	kt_dat_end(d, START + 1);
	kt_dat_begin(d, WORDS, 7);
	kt_dat_int(d, 4, 3);
	kt_dat_int(d, 4, 0);
	kt_dat_end(d, START + 2);
	got = report(d);
	assert_non_null(strstr(got, "\"fields\":{\"vec\":1,\"bad\":7},\"info\":\"TIMER seven\"}\n"));
	assert_non_null(strstr(got, "\"fields\":{\"vec\":3,\"bad\":0},\"info\":\"0x3 a\\\"b\"}\n"));
	free(got);
}

TEST(fields_after_the_end_of_the_record_are_null)
{
	struct kt_dat *d = dat(false);
	char *got;

	kt_dat_begin(d, ALL, 7);
	kt_dat_int(d, 8, 0x10);
	kt_dat_int(d, 4, 5);
	kt_dat_end(d, START + 1);
	check_end(d, "\"fields\":{\"ptr\":\"0x10\",\"num\":5,\"nr\":null,\"comm\":null},"
		  "\"info\":\"0x10 10 00000010 0000000000000010|5 5     5 5|0 0||1\"}\n");
	/* An event whose text is not built from the same pieces as its fields */
	d = dat(false);
	kt_dat_begin(d, QUOTES, 7);
	kt_dat_end(d, START + 1);
	kt_dat_begin(d, QUOTES, 7);
	kt_dat_int(d, 4, 1);
	kt_dat_end(d, START + 2);
	got = report(d);
	assert_non_null(strstr(got, "\"fields\":{\"nr\":null},\"info\":\"\\\"0\\\"\"}\n"));
	assert_non_null(strstr(got, "\"fields\":{\"nr\":1},\"info\":\"\\\"1\\\"\"}\n"));
	free(got);
}

TEST(an_event_may_have_any_number_of_fields)
{
	struct kt_dat *d = dat(false);
	char *got;
	int i;

	kt_dat_begin(d, MANY, 7);
	for (i = 0; i < 40; i++)
		kt_dat_int(d, 4, 1000 * i);
	kt_dat_end(d, START + 1);
	got = report(d);
	assert_non_null(strstr(got, "\"f31\":31000,\"f32\":32000,"));
	assert_non_null(strstr(got, "\"f39\":39000},\"info\":\"0 39000\"}\n"));
	free(got);
}

TEST(a_field_is_known_by_where_it_begins_and_ends)
{
	struct kt_dat *d = dat(false);

	kt_dat_begin(d, HALVES, 7);
	kt_dat_int(d, 8, 0x1234500000001);
	kt_dat_end(d, START + 1);
	check_end(d, "\"fields\":{\"whole\":320254236426241,\"half\":74565},"
		  "\"info\":\"74565 320254236426241 00012345\"}\n");
}

/* So much text that the buffer of the fields is moved meanwhile */
TEST(a_text_may_be_long)
{
	struct kt_dat *d = dat(false);
	char *got;

	kt_dat_begin(d, WIDE, 7);
	kt_dat_int(d, 4, 123456);
	kt_dat_end(d, START + 1);
	got = report(d);
	assert_in_range(strlen(got), 8100, 8400);
	assert_non_null(strstr(got, "   123456   "));
	assert_non_null(strstr(got, "   123456|123456\"}\n"));
	free(got);
}

static void check_sizes(uint64_t v, bool big)
{
	static const char *const words[] = { "none", "one" };
	static const char *const longer[] = { "a word that has more bytes than others", "" };
	struct kt_dat *d = dat(big);
	char want[512], word[128];
	uint16_t u2 = v;

	kt_dat_begin(d, SIZES, 7);
	kt_dat_int(d, 8, v);
	kt_dat_int(d, 8, v);
	kt_dat_int(d, 4, v);
	kt_dat_int(d, 4, v);
	kt_dat_int(d, 2, v);
	kt_dat_int(d, 2, v);
	kt_dat_end(d, START + 1);
	if (u2 < 2)
		snprintf(word, sizeof(word), "%s %s", words[u2], longer[u2]);
	else
		snprintf(word, sizeof(word), "0x%x 0x%x", u2, u2);
	snprintf(want, sizeof(want),
		 "\"fields\":{\"u8\":%llu,\"s8\":%lld,\"u4\":%u,\"s4\":%d,\"u2\":%u,\"s2\":%d},"
		 "\"info\":\"%llu %lld %u %d %03d %s\"}\n", (unsigned long long)v, (long long)v,
		 (uint32_t)v, (int32_t)v, u2, (int16_t)v, (unsigned long long)v, (long long)v,
		 (uint32_t)v, (int32_t)v, (int32_t)v, word);
	check_end(d, want);
}

TEST(numbers_have_any_size_length_and_sign)
{
	uint64_t v;
	int big;

	for (big = 0; big < 2; big++) {
		for (v = 1; v < UINT64_MAX / 10; v *= 10) {
			check_sizes(v, big);
			check_sizes(v - 1, big);
			check_sizes(-v, big);
		}
		check_sizes(v, big);
		check_sizes(UINT64_MAX, big);
		check_sizes(12345678901234567890u, big);
		check_sizes(987654321098, big);
	}
}

/* Lines share common parts: the upper digits of the time, the flags */
TEST(each_line_has_its_own_time_and_flags)
{
	static const uint64_t times[] = {
		5, 999999999, 1000000000, 1000000001, 1999999999, 2000000000, 2999999999,
			3000000000,
		4000000000, 123456789012345678, 123456789999999999, 123456790000000000,
		123456790000000001,
	};
	struct kt_dat *d = empty_dat(false);
	char want[64], *got, *at;
	size_t i;

	for (i = 0; i < 2 * sizeof(times) / sizeof(times[0]); i++) {
		kt_dat_begin(d, HALVES, 7);
		kt_dat_flags(d, i % 2 ? 0x01 : 0x09, i / 5);
		kt_dat_int(d, 8, i);
		kt_dat_end(d, times[i / 2]);
	}
	got = at = report(d);
	for (i = 0; i < 2 * sizeof(times) / sizeof(times[0]); i++) {
		snprintf(want, sizeof(want), "{\"ts\":%llu,\"cpu\":0,", (unsigned long long)times[i / 2]);
		assert_memory_equal(at, want, strlen(want));
		at = strstr(at, "\"flags\":");
		snprintf(want, sizeof(want), "\"flags\":\"d.%c%c.\",", i % 2 ? '.' : 'h', ".12345"[i / 5]);
		assert_memory_equal(at, want, strlen(want));
		at = strchr(at, '\n') + 1;
	}
	free(got);
}

TEST(a_late_escape_rebuilds_the_line)
{
	struct kt_dat *d = dat(false);

	kt_dat_begin(d, LATE, 7);
	kt_dat_int(d, 4, 1);
	kt_dat_end(d, START + 1);
	check_end(d, "\"fields\":{\"nr\":1},\"info\":\"    1 \\\"\"}\n");
	d = dat(false);
	kt_dat_begin(d, LATE, 7);
	kt_dat_int(d, 4, 7);
	kt_dat_end(d, START + 1);
	check_end(d, "\"fields\":{\"nr\":7},\"info\":\"    7 seven\"}\n");
}

TEST(quotes_of_the_format_and_of_other_texts_are_escaped)
{
	static const char raw[16] = "a\"";
	struct kt_dat *d = dat(false);

	kt_dat_begin(d, QUOTED, 7);
	kt_dat_bytes(d, raw, sizeof(raw));
	kt_dat_int(d, 4, 1);
	kt_dat_end(d, START + 1);
	check_end(d, "\"fields\":{\"raw\":[8801,0,0,0],\"nr\":1},"
		  "\"info\":\"a\\\" 1\"}\n");
	d = dat(false);
	kt_dat_begin(d, QUOTES, 7);
	kt_dat_int(d, 4, 1);
	kt_dat_end(d, START + 1);
	check_end(d, "\"fields\":{\"nr\":1},\"info\":\"\\\"1\\\"\"}\n");
}

/* The record after a loss reuses nothing of the line before */
TEST(losses_are_reported_in_their_line)
{
	struct kt_dat *d = dat(false);
	char *got;

	kt_dat_lost(d, 3);
	kt_dat_new_page(d, START + 1);
	kt_dat_begin(d, HALVES, 7);
	kt_dat_int(d, 8, 1);
	kt_dat_end(d, START + 2);
	got = report(d);
	assert_non_null(strstr(got, "{\"ts\":5000000002,\"cpu\":0,\"lost\":3,\"pid\":7,"));
	free(got);
}

static void switch_of(struct kt_dat *d, const char prev[16], const char next[16])
{
	kt_dat_begin(d, SWITCH, 7);
	kt_dat_bytes(d, prev, 16);
	kt_dat_int(d, 4, 7);
	kt_dat_int(d, 4, 120);
	kt_dat_int(d, 8, 1);
	kt_dat_bytes(d, next, 16);
	kt_dat_int(d, 4, 8);
	kt_dat_int(d, 4, 100);
	kt_dat_end(d, START + 1);
}

TEST(tasks_of_a_switch_may_be_called_anything)
{
	static const char plain[16] = "saved", odd[16] = "a\"b";
	struct kt_dat *d;
	int big;

	for (big = 0; big < 2; big++) {
		d = dat(big);
		switch_of(d, plain, odd);
		check_end(d, "\"fields\":{\"prev_comm\":\"saved\",\"prev_pid\":7,\"prev_prio\":120,"
			  "\"prev_state\":1,\"next_comm\":\"a\\\"b\",\"next_pid\":8,\"next_prio\":100},"
			  "\"info\":\"saved:7 [120] S ==> a\\\"b:8 [100]\"}\n");
		d = dat(big);
		switch_of(d, odd, plain);
		check_end(d, "\"fields\":{\"prev_comm\":\"a\\\"b\",\"prev_pid\":7,\"prev_prio\":120,"
			  "\"prev_state\":1,\"next_comm\":\"saved\",\"next_pid\":8,\"next_prio\":100},"
			  "\"info\":\"a\\\"b:7 [120] S ==> saved:8 [100]\"}\n");
	}
}

/* Every byte at every place, before the end and after it */
TEST(names_of_tasks_are_looked_at_alike_on_all_machines)
{
	uint8_t name[COMM_SIZE];
	int len, at, byte, want, json;

	for (len = 0; len <= COMM_SIZE; len++)
		for (at = 0; at < COMM_SIZE; at++)
			for (byte = 0; byte < 256; byte++)
				for (json = 0; json < 2; json++) {
					bool odd = byte < ' ' || byte > '~' || (json && strchr("\"\\", byte));

					memset(name, 'n', sizeof(name));
					if (len < COMM_SIZE)
						name[len] = '\0';
					name[at] = byte;
					want = strnlen((const char *)name, sizeof(name));
					if (at < want && odd)
						want = -1;
					assert_int_equal(comm16_len(name, json), want);
					if (!KT_HOST_BIG)
						assert_int_equal(comm16_len_by_words(name, json),
								 want);
				}
}

int main(void)
{
	return RUN(unit(what_a_field_shows_its_text_shows_again),
		   unit(a_number_that_is_short_is_filled_up_in_the_text_only),
		   unit(what_is_escaped_in_a_field_is_escaped_in_the_text),
		   unit(words_of_a_table_are_escaped_where_they_have_to_be),
		   unit(fields_after_the_end_of_the_record_are_null),
		   unit(an_event_may_have_any_number_of_fields),
		   unit(a_field_is_known_by_where_it_begins_and_ends),
		   unit(a_text_may_be_long),
		   unit(numbers_have_any_size_length_and_sign),
		   unit(each_line_has_its_own_time_and_flags),
		   unit(a_late_escape_rebuilds_the_line),
		   unit(quotes_of_the_format_and_of_other_texts_are_escaped),
		   unit(losses_are_reported_in_their_line),
		   unit(tasks_of_a_switch_may_be_called_anything),
		   unit(names_of_tasks_are_looked_at_alike_on_all_machines));
}
