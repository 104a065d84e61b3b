/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_filter.c - the records that filters keep, their meaning, and their error messages */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/filter.h>

#include "kt_reading.h"
#include "kt_test.h"

static const char odd_format[] =
	"name: odd\nID: 100\n" KT_COMMON
	"\tfield:int ret;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned short port;\toffset:12;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char tiny;\toffset:14;\tsize:1;\tsigned:0;\n"
	"\tfield:char comm[8];\toffset:15;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long ip;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:s64 big;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:__data_loc char[] path;\toffset:40;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc char[] rel;\toffset:44;\tsize:4;\tsigned:0;\n"
	"\nprint fmt: \"%d\", REC->ret\n";

static const char graph_format[] =
	"name: funcgraph_exit\nID: 101\n" KT_COMMON
	"\tfield:unsigned long long calltime;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long long rettime;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\nprint fmt: \"%d\", REC->calltime\n";

static const char kallsyms[] =
	"ffffffff81000000 T vfs_read\n"
	"ffffffff81001000 T vfs_write\n"
	"ffffffff81002000 T the_end\n";

static struct kt_dat *begin_file(bool big_endian, const char *cmdlines)
{
	struct kt_dat *d =
		kt_dat_create(&(struct kt_dat_opts){ .version = 6, .big_endian = big_endian });

	kt_dat_meta(d, KT_META_KALLSYMS, kallsyms);
	kt_dat_meta(d, KT_META_CMDLINES, cmdlines);
	return d;
}

/* One record of each kind, and one that is cut off after its first field. */
static struct kt_dat *make(bool big_endian)
{
	struct kt_dat *d = begin_file(big_endian, "7 worker/0:1\n8 sh\n");

	kt_dat_event(d, "test", odd_format);
	kt_dat_event(d, "ftrace2", graph_format);
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);

	kt_dat_begin(d, 100, 7);
	kt_dat_int(d, 4, (uint32_t)-2);
	kt_dat_int(d, 2, 0xfffe);
	kt_dat_int(d, 1, 200);
	kt_dat_bytes(d, "kworker\0", 9);
	kt_dat_int(d, 8, 0xffffffff81000010);
	kt_dat_int(d, 8, (uint64_t)-5000000000);
	kt_dat_int(d, 4, 48 | 5 << 16);
	kt_dat_int(d, 4, 5 | 3 << 16);		/* counts from offset 48 */
	kt_dat_bytes(d, "/tmp\0up\0", 8);
	kt_dat_end(d, 1000000010);

	kt_dat_begin(d, 101, 8);
	kt_dat_int(d, 8, 1000);
	kt_dat_int(d, 8, 151000);
	kt_dat_end(d, 1000000020);

	kt_dat_begin(d, 100, 9);
	kt_dat_int(d, 4, 3);
	kt_dat_end(d, 1000000030);
	return d;
}

struct rig {
	struct kt_trace *t;
	struct kt_filter *f;
};

static struct rig start_with(struct kt_dat *d)
{
	struct rig r;

	r.t = kt_dat_trace(d);
	r.f = kt_filter_create(r.t);
	return r;
}

static struct rig start(bool big_endian)
{
	return start_with(make(big_endian));
}

static void stop(struct rig *r)
{
	kt_filter_destroy(r->f);
	kt_trace_destroy(r->t);
}

static bool has(const uint64_t *bits, uint16_t i)
{
	return bits[i / 64] >> i % 64 & 1;
}

/* The three records that pass, as "100" or "011"; also checks the predictions. */
static const char *passing(struct rig *r)
{
	static char yes[8];
	uint64_t bits[KT_FILTER_TYPES_WORDS], of_pids[KT_FILTER_TYPES_WORDS],
		pids[KT_FILTER_TYPES_WORDS];
	struct kt_err err = { 0 };
	struct kt_record rec;
	size_t i = 0;

	kt_filter_types(r->f, 0, bits);
	kt_filter_pids(r->f, 0, of_pids, pids);
	kt_stream_seek(kt_trace_stream(r->t), 0, &err);
	while (i < sizeof(yes) - 1 && kt_stream_next(kt_trace_stream(r->t), &rec, &err) > 0) {
		yes[i] = kt_filter_match(r->f, &rec) ? '1' : '0';
		if (yes[i] == '1') {
			assert_true(has(bits, rec.type));
			assert_true(!has(of_pids, rec.type) ||
				    has(pids, kt_record_pid(kt_trace_events(r->t, 0), &rec)));
		}
		i++;
	}
	yes[i] = '\0';
	CHECK_NO_ERR(&err);
	return yes;
}

struct sample {
	const char *filter;
	const char *passing;
};

static void check_all(const struct sample *s, size_t nr)
{
	struct kt_err err;
	struct rig r;
	size_t i, n = nr;
	int big;

	for (big = 0; big < 2; big++)
		for (i = 0; i < n; i++) {
			r = start(big);
			err.code = 0;
			kt_filter_add(r.f, s[i].filter, false, -1, &err);
			CHECK_NO_ERR(&err);
			if (strcmp(passing(&r), s[i].passing))
				fail_msg("%s: have %s, want %s", s[i].filter, passing(&r),
					 s[i].passing);
			stop(&r);
		}
}

#define CHECK_ALL(samples) check_all(samples, sizeof(samples) / sizeof((samples)[0]))

TEST(numbers_compare_with_their_size_sign_and_byte_order)
{
	static const struct sample s[] = {
		{ "odd: ret == -2", "100" },         { "odd: ret < 0", "100" },
		{ "odd: ret > 0", "001" },           { "odd: ret >= 3", "001" },
		{ "odd: ret <= -2", "100" },         { "odd: ret != 3", "100" },
		{ "odd: ret == 0xfffffffe", "100" }, { "odd: ret == 0x1fffffffe", "000" },
		{ "odd: ret > 0x80000000", "100" },  { "odd: -2 == ret", "100" },
		{ "odd: 0 > ret", "100" },           { "odd: port == 65534", "100" },
		{ "odd: port == -2", "100" },        { "odd: port > 1k", "100" },
		{ "odd: tiny == 0xc8", "100" },      { "odd: tiny == 0310", "100" },
		{ "odd: big == -5000000000", "100" }, { "odd: big < -4s", "100" },
		{ "odd: big >= 0x8000000000000000", "100" },
		{ "common_pid == 8", "010" },        { "PID > 7", "011" },
		{ "CPU == 0", "111" },               { "cpu != 0", "000" },
	};

	CHECK_ALL(s);
}

TEST(values_are_calculated)
{
	static const struct sample s[] = {
		{ "odd: ret + 5 == 3", "100" },      { "odd: ret * ret == 4", "100" },
		{ "odd: ret & 1", "001" },           { "odd: (ret | 1) == 3", "001" },
		{ "odd: ret ^ 3", "100" },           { "odd: ret << 62", "101" },
		{ "odd: ret << 64", "000" },         { "odd: ret >> 1 == 1", "001" },
		{ "odd: ret / 0", "000" },           { "odd: !(ret % 0)", "101" },
		{ "odd: -4 / ret == 2", "100" },     { "odd: ret - 4 < 0", "101" },
		{ "odd: ret % 2 == 1", "001" },      { "odd: big / (0 - 1) > 1s", "100" },
		{ "odd: 6 - 2 - 1 == ret", "001" },  { "odd: 1 + 2 * 1 == ret", "001" },
		{ "odd: ret == common_pid - 6", "001" },
		{ "odd: ret >> 64 == 0", "101" },    { "odd: ip / 2 == 0x7fffffffc0800008", "100" },
		{ "odd: port / 2 == 32767", "100" }, { "odd: port % 1000 == 534", "100" },
		{ "odd: (0x8000000000000000 + big - big) / (0 - 1) == 0x8000000000000000", "100" },
		{ "odd: (0x8000000000000000 + big - big) % (0 - 1) == 0", "100" },
		{ "odd: port == 1 || -ret == 0 - 3", "001" },
		{ "funcgraph_exit: rettime - calltime == 150us", "010" },
		{ "duration > 0.1ms", "010" },       { "duration >= 150001ns", "000" },
	};

	CHECK_ALL(s);
}

TEST(texts_compare_whole_by_glob_and_by_expression)
{
	static const struct sample s[] = {
		{ "odd: comm == \"kworker\"", "100" },  { "odd: comm == 'kwork'", "000" },
		{ "odd: comm == kworker", "100" },      { "odd: comm != kwork", "100" },
		{ "odd: comm ~ \"kw*\"", "100" },       { "odd: comm ~ \"*r\"", "100" },
		{ "odd: comm ~ \"k?o[a-r]ker\"", "100" }, { "odd: comm ~ \"[!k]*\"", "000" },
		{ "odd: comm ~ \"work\"", "000" },      { "odd: comm =~ \"WORK\"", "100" },
		{ "odd: comm =~ \"^work\"", "000" },    { "odd: comm =~ \"ker$\"", "100" },
		{ "odd: comm =~ \"^kworker$\"", "100" }, { "odd: comm =~ \"k.*r\"", "100" },
		{ "odd: comm =~ \"sh\\|wo\"", "100" },  { "odd: comm !~ \"x\"", "100" },
		{ "odd: comm =~ \".*ork.*\"", "100" },  { "\"kworker\" == comm", "100" },
		{ "odd: path == \"/tmp\"", "100" },     { "odd: path ~ \"/*\"", "100" },
		{ "odd: rel == \"up\"", "100" },        { "odd: !(rel == \"up\")", "001" },
		{ "COMM == \"sh\"", "010" },            { "comm == \"sh\"", "010" },
		{ "COMM ~ \"worker*\"", "100" },        { "odd: comm == COMM", "000" },
		{ ".*: comm == \"sh\"", "000" },        { "COMM =~ \"[w]o\"", "100" },
	};

	CHECK_ALL(s);
}

TEST(addresses_answer_to_the_names_of_functions)
{
	static const struct sample s[] = {
		{ "odd: ip == \"vfs_read\"", "100" }, { "odd: ip == vfs_read", "100" },
		{ "odd: ip =~ \"^VFS\"", "100" },     { "odd: ip ~ \"vfs_w*\"", "000" },
		{ "odd: ip != \"vfs_write\"", "100" }, { "odd: ip == 0xffffffff81000010", "100" },
	};

	CHECK_ALL(s);
}

static const char tasks_format[] =
	"name: tasks\nID: 102\n" KT_COMMON
	"\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:const char * told;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:char comm[8];\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:char rest[];\toffset:32;\tsize:0;\tsigned:0;\n"
	"\nprint fmt: \"%s\", REC->comm\n";

static void add_task(struct kt_dat *d, int pid, uint64_t ip, const char comm[8], const char *rest)
{
	static uint64_t ts = 1000;

	kt_dat_begin(d, 102, pid);
	kt_dat_int(d, 8, ip);
	kt_dat_int(d, 8, 0xffffffff81005000);
	kt_dat_bytes(d, comm, 8);
	kt_dat_bytes(d, rest, strlen(rest) + 1);
	kt_dat_end(d, ts++);
}

/* Tasks 7 and 617 share a slot of the cache. */
static struct rig start_tasks(void)
{
	struct kt_dat *d = begin_file(false, "7 alpha\n617 alphabet\n");

	kt_dat_meta(d, KT_META_PRINTK, "0xffffffff81005000 : \"told\"\n");
	kt_dat_event(d, "test", tasks_format);
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	add_task(d, 7, 0x1000, "alpha\0\0", "first");
	add_task(d, 617, 0xffffffff81000010, "alpha\0\0", "second");
	add_task(d, 7, 0x1000, "beta\0\0\0", "third");
	return start_with(d);
}

TEST(what_is_remembered_of_tasks_and_addresses_is_theirs)
{
	static const struct sample s[] = {
		{ "COMM == alpha", "101" },          { "COMM == alphabet", "010" },
		{ "COMM != alpha", "010" },          { "tasks: comm == COMM", "100" },
		{ "tasks: comm != COMM", "011" },    { "tasks: ip == vfs_read", "010" },
		{ "tasks: ip != vfs_read", "101" },  { "tasks: told == \"told\"", "111" },
		{ "tasks: rest == \"second\"", "010" },
	};
	struct kt_err err = { 0 };
	struct rig r;
	size_t i;

	for (i = 0; i < sizeof(s) / sizeof(s[0]); i++) {
		r = start_tasks();
		kt_filter_add(r.f, s[i].filter, false, -1, &err);
		CHECK_NO_ERR(&err);
		assert_string_equal(passing(&r), s[i].passing);
		assert_string_equal(passing(&r), s[i].passing);
		stop(&r);
	}
}

TEST(conditions_group_from_the_left_as_in_trace_cmd)
{
	static const struct sample s[] = {
		{ "PID == 7 || PID == 8 && CPU == 1", "000" },
		{ "PID == 7 || (PID == 8 && CPU == 1)", "100" },
		{ "PID == 7 && CPU == 0 || PID == 9", "101" },
		{ "!PID == 7", "011" }, { "!(PID == 7) && PID < 9", "010" },
		{ "!!(PID == 7)", "100" },
	};

	CHECK_ALL(s);
}

TEST(events_are_chosen_by_name_system_expression_and_glob)
{
	static const struct sample s[] = {
		{ "odd", "101" },       { "ODD", "101" },        { "test", "101" },
		{ "test/odd", "101" },  { "test:odd", "101" },   { "test/", "101" },
		{ "/odd", "101" },      { "o.*", "101" },        { "odd,funcgraph_exit", "111" },
		{ "func*", "010" },     { "*exit", "010" },      { ".*/.*_exit", "010" },
		{ "TEST : odd", "101" }, { "t*t:odd", "101" },   { "odd: tiny", "100" },
		{ "test:odd: ret == 3", "001" }, { "odd , ftrace2 : CPU == 0", "111" },
		{ "t*/odd", "101" },    { ".*: ret == 3", "001" }, { ".*: nope == 3", "000" },
		{ ".*: !(nope == 3)", "111" }, { ".*: calltime != 0 || ret == 3", "011" },
	};

	CHECK_ALL(s);
}

TEST(filters_add_up_and_excluding_ones_have_the_last_word)
{
	struct kt_err err = { 0 };
	struct rig r = start(false);

	assert_true(kt_filter_is_empty(r.f));
	assert_string_equal(passing(&r), "111");
	kt_filter_add(r.f, "odd: ret == 3", true, -1, &err);
	assert_string_equal(passing(&r), "110");
	kt_filter_add(r.f, "funcgraph_exit", false, -1, &err);
	assert_string_equal(passing(&r), "010");
	kt_filter_add(r.f, "odd", false, -1, &err);
	assert_string_equal(passing(&r), "110");
	kt_filter_add(r.f, "funcgraph_exit", true, 0, &err);
	assert_string_equal(passing(&r), "100");
	assert_false(kt_filter_is_empty(r.f));
	CHECK_NO_ERR(&err);
	stop(&r);
}

TEST(types_exclude_events_that_cannot_pass)
{
	uint64_t bits[KT_FILTER_TYPES_WORDS];
	struct kt_err err = { 0 };
	struct rig r = start(false);

	kt_filter_types(r.f, 0, bits);
	assert_int_equal(bits[100 / 64] >> 100 % 64 & 1, 1);
	kt_filter_add(r.f, "calltime > 0 && CPU == 0", false, -1, &err);
	kt_filter_types(r.f, 0, bits);
	assert_int_equal(bits[100 / 64] >> 100 % 64 & 1, 0);
	assert_int_equal(bits[101 / 64] >> 101 % 64 & 1, 1);
	kt_filter_add(r.f, "funcgraph_exit", true, -1, &err);
	kt_filter_types(r.f, 0, bits);
	assert_int_equal(bits[101 / 64] >> 101 % 64 & 1, 0);
	CHECK_NO_ERR(&err);
	stop(&r);
}

/* Which of the events 100 and 101 need a pid, and whether pids 7 and 8 are wanted */
static const char *pids_of(const char *filter, bool exclude)
{
	static char text[8];
	uint64_t types[KT_FILTER_TYPES_WORDS], pids[KT_FILTER_TYPES_WORDS];
	struct kt_err err = { 0 };
	struct rig r = start(false);
	bool any;

	kt_filter_add(r.f, filter, exclude, -1, &err);
	CHECK_NO_ERR(&err);
	any = kt_filter_pids(r.f, 0, types, pids);
	assert_int_equal(any, has(types, 100) || has(types, 101));
	snprintf(text, sizeof(text), "%d%d %d%d", has(types, 100), has(types, 101), has(pids, 7),
		 has(pids, 8));
	stop(&r);
	return text;
}

TEST(pids_are_told_where_nothing_else_can_pass)
{
	assert_string_equal(pids_of("common_pid == 7", false), "11 10");
	assert_string_equal(pids_of("8 == common_pid && CPU == 0", false), "11 01");
	assert_string_equal(pids_of("common_pid == 7 || common_pid == 8", false), "11 11");
	assert_string_equal(pids_of("common_pid == 7 || ret == 8", false), "01 10");
	assert_string_equal(pids_of("common_pid == 7 || CPU == 0", false), "00 10");
	assert_string_equal(pids_of("common_pid != 7", false), "00 00");
	assert_string_equal(pids_of("!(common_pid == 7)", false), "00 00");
	assert_string_equal(pids_of("common_pid > 7", false), "00 00");
	assert_string_equal(pids_of("odd: common_pid == 65543", false), "11 10");
	assert_string_equal(pids_of("common_pid == 7", true), "00 00");
}

static const char *printed(const char *filter)
{
	static char text[1024];
	struct kt_err err = { 0 };
	struct rig r = start(false);
	struct kt_out *out = kt_out_create();

	kt_filter_add(r.f, filter, false, -1, &err);
	CHECK_NO_ERR(&err);
	kt_filter_print(r.f, out);
	snprintf(text, sizeof(text), "%s", kt_out_data(out));
	kt_out_destroy(out);
	stop(&r);
	return text;
}

TEST(the_meaning_is_printed_in_the_words_of_trace_cmd)
{
	assert_string_equal(printed("odd: ret==1 && port==2 || tiny==0x3"),
			    " 'odd: ((ret == 1) && (port == 2)) || (tiny == 3)'\n");
	assert_string_equal(printed("odd: !ret==1 && comm =~ \"x\\|y\""),
			    " 'odd: (!(ret == 1)) && (comm =~ \"x\\|y\")'\n");
	assert_string_equal(printed(".*: ret == 1 || common_pid == 2"),
			    " 'funcgraph_exit: common_pid == 2'\n"
			    " 'odd: (ret == 1) || (common_pid == 2)'\n");
	assert_string_equal(printed(".*: ret == 1 && common_pid == 2"),
			    " 'funcgraph_exit: FALSE'\n 'odd: (ret == 1) && (common_pid == 2)'\n");
	assert_string_equal(printed("odd,funcgraph_exit: !(ret == 1)"),
			    " 'funcgraph_exit: TRUE'\n 'odd: !(ret == 1)'\n");
	assert_string_equal(printed("odd"), " 'odd: TRUE'\n");
	assert_string_equal(printed("odd: ret & 3"), " 'odd: ret & 3'\n");
	assert_string_equal(printed("odd: (ret + 1) * 2 == -1"), " 'odd: ((ret + 1) * 2) == -1'\n");
}

TEST(mistakes_are_reported_with_their_place)
{
	static const struct {
		const char *filter, *message;
	} s[] = {
		{ "odd: rte == 1", "odd has no field 'rte', did you mean 'ret'?\n  odd: rte == 1\n       ^" },
		{ "rte == 1", "none of these events has a field 'rte', did you mean 'ret'?\n  rte == 1\n  ^" },
		{ "oda: ret == 1", "the trace has no event 'oda', did you mean 'odd'?\n  oda: ret == 1\n  ^" },
		{ "odd: rte", "odd has no field 'rte', did you mean 'ret'?\n  odd: rte\n       ^" },
		{ "tset:odd", "the trace has no event 'tset', did you mean 'test'?\n  tset:odd\n  ^" },
		{ "test:odt", "the trace has no event 'test/odt', did you mean 'odd'?\n  test:odt\n  ^" },
		{ "odd,", "expected an event here\n  odd,\n      ^" },
		{ "odd: ret == \"x\"", "this is a number, not text\n  odd: ret == \"x\"\n       ^" },
		{ "odd: comm == 3", "this is text: compare it with a string in quotes\n  odd: comm == 3\n       ^" },
		{ "odd: comm + 1", "this is text, not a number\n  odd: comm + 1\n       ^" },
		{ "odd: comm < \"x\"", "text has no order: use == != =~ !~ or ~\n  odd: comm < \"x\"\n            ^" },
		{ "odd: comm =~ \"[\"", "not a regular expression: " },
		{ "odd: ret =~ 3", "'=~' needs a pattern in quotes on its right\n  odd: ret =~ 3\n              ^" },
		{ "odd: ret = 3", "use '==' to compare, not '='\n  odd: ret = 3\n           ^" },
		{ "odd: ret == 3x",
		  "'x' is not a unit, only: ns us ms s k M G\n  odd: ret == 3x\n               ^" },
		{ "odd: ret == 1.5", "a fraction needs a unit: ns, us, ms, s, k, M or G\n  odd: ret == 1.5\n              ^" },
		{ "odd: ret == 99999999999999999999", "this number does not fit in 64 bits\n" },
		{ "odd: ret == 99999999999s", "this number does not fit in 64 bits\n" },
		{ "odd: (ret == 1", "this parenthesis is not closed\n  odd: (ret == 1\n       ^" },
		{ "odd: ret == 1)", "this parenthesis was never opened\n  odd: ret == 1)\n               ^" },
		{ "odd: ret 1", "an operator is missing here\n  odd: ret 1\n           ^" },
		{ "odd: ret ==", "a field, number or string is missing here\n  odd: ret ==\n             ^" },
		{ "odd: ", "a field, number or string is missing here\n  odd: \n       ^" },
		{ "odd: 3 && ret == 1", "a value alone is not a condition: compare it with a field\n  odd: 3 && ret == 1\n       ^" },
		{ "odd: (ret == 1) + 2 == 3", "a condition has no value to calculate or compare with\n" },
		{ "odd: \"a\" == \"b\"", "two strings, but no field\n  odd: \"a\" == \"b\"\n           ^" },
		{ "odd: comm == \"x", "this quote is not closed\n  odd: comm == \"x\n               ^" },
		{ "odd: ret == @", "unexpected character\n  odd: ret == @\n              ^" },
		{ "odd: ret == calltime", "this is a number, not text\n" },
		{ "odd,funcgraph_exit: ret + calltime == 1", "no event has all of these fields\n" },
	};
	size_t i;

	for (i = 0; i < sizeof(s) / sizeof(s[0]); i++) {
		char text[sizeof(struct kt_err)];
		struct kt_err err = { 0 };
		struct rig r = start(false);

		assert_int_equal(kt_filter_add(r.f, s[i].filter, false, -1, &err), -EINVAL);
		assert_int_equal(err.code, -EINVAL);
		snprintf(text, sizeof(text), "%s\n%s", err.msg, err.excerpt);
		if (strncmp(text, s[i].message, strlen(s[i].message)))
			fail_msg("%s:\nhave %s\nwant %s", s[i].filter, text, s[i].message);
		assert_null(strchr(err.msg, '\n'));
		assert_true(kt_filter_is_empty(r.f));
		stop(&r);
	}
}

TEST(long_and_deep_filters_end_in_an_error_not_in_a_crash)
{
	struct kt_err err = { 0 };
	struct rig r = start(false);
	char *text = malloc(1 << 20);

	memset(text, '(', 100000);
	strcpy(text + 100000, "ret == 1");
	assert_int_equal(kt_filter_add(r.f, text, false, -1, &err), -EINVAL);
	assert_memory_equal(err.msg, "the filter is nested too deeply", 31);

	strcpy(text, "odd: ret == 1");
	while (strlen(text) < 100000)
		strcat(text, " || ret == 1 || ret == 1 || ret == 1 || ret == 1 || ret == 1 || ret == 1");
	kt_err_clear(&err);
	assert_int_equal(kt_filter_add(r.f, text, false, -1, &err), -EINVAL);
	assert_memory_equal(err.msg, "the filter is too long", 22);

	text[8 * 1000 + 13] = '\0';
	*strrchr(text, '|') = '\0';
	*strrchr(text, '|') = '\0';
	kt_err_clear(&err);
	kt_filter_add(r.f, text, false, -1, &err);
	CHECK_NO_ERR(&err);
	assert_string_equal(passing(&r), "000");
	free(text);
	stop(&r);
}

int main(void)
{
	return RUN(unit(numbers_compare_with_their_size_sign_and_byte_order),
		   unit(values_are_calculated),
		   unit(texts_compare_whole_by_glob_and_by_expression),
		   unit(addresses_answer_to_the_names_of_functions),
		   unit(what_is_remembered_of_tasks_and_addresses_is_theirs),
		   unit(conditions_group_from_the_left_as_in_trace_cmd),
		   unit(events_are_chosen_by_name_system_expression_and_glob),
		   unit(filters_add_up_and_excluding_ones_have_the_last_word),
		   unit(types_exclude_events_that_cannot_pass),
		   unit(pids_are_told_where_nothing_else_can_pass),
		   unit(the_meaning_is_printed_in_the_words_of_trace_cmd),
		   unit(mistakes_are_reported_with_their_place),
		   unit(long_and_deep_filters_end_in_an_error_not_in_a_crash));
}
