/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_text.c - records as lines: what depends on their order, on the kernel and on the reader */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/text.h>

#include "base/out.h"
#include "kt_dat.h"
#include "kt_test.h"

#define U64(name, at) "\tfield:unsigned long " name ";\toffset:" at ";\tsize:8;\tsigned:0;\n"
#define INT(name, at) "\tfield:int " name ";\toffset:" at ";\tsize:4;\tsigned:1;\n"
#define COMM(name, at) "\tfield:char " name "[16];\toffset:" at ";\tsize:16;\tsigned:0;\n"

enum { ENTRY = 11, EXIT = 10, RETADDR = 12, TICK = 100, SWITCH = 101, NAME = 102, TOLD = 103 };

static const char *const formats[][2] = {
	{ "ftrace", "name: funcgraph_entry\nID: 11\n" KT_COMMON U64("func", "8") INT("depth", "16")
	  "\nprint fmt: \"--> %ps (%d)\", (void *)REC->func, REC->depth\n" },
	{ "ftrace", "name: funcgraph_exit\nID: 10\n" KT_COMMON U64("func", "8") INT("depth", "16")
	  INT("overrun", "20") U64("calltime", "24") U64("rettime", "32") U64("retval", "40")
	  "\nprint fmt: \"<-- %ps (%d)\", (void *)REC->func, REC->depth\n" },
	{ "ftrace", "name: fgraph_retaddr_entry\nID: 12\n" KT_COMMON U64("func", "8")
	  INT("depth", "16") U64("retaddr", "24")
	  "\nprint fmt: \"--> %ps (%d)\", (void *)REC->func, REC->depth\n" },
	{ "test", "name: tick\nID: 100\n" KT_COMMON INT("n", "8") "\nprint fmt: \"n=%d\", REC->n\n" },
	{ "sched", "name: sched_switch\nID: 101\n" KT_COMMON COMM("prev_comm", "8")
	  INT("prev_pid", "24") COMM("next_comm", "28") INT("next_pid", "44")
	  "\nprint fmt: \"%d ==> %d\", REC->prev_pid, REC->next_pid\n" },
	{ "test", "name: name\nID: 102\n" KT_COMMON COMM("text", "8")
	  "\nprint fmt: \"text=%s\", REC->text\n" },
	{ "test", "name: told\nID: 103\n" KT_COMMON
	  "\tfield:const char * told;\toffset:8;\tsize:8;\tsigned:0;\n"
	  "\nprint fmt: \"%s\", REC->told\n" },
};

/* Three functions, one task, and its CPU */
static void begin_cpu(struct kt_dat *d)
{
	kt_dat_meta(d, KT_META_KALLSYMS, "0000000000001000 T outer\n0000000000002000 T inner\n"
					 "0000000000003000 T end\n");
	kt_dat_meta(d, KT_META_CMDLINES, "7 saved\n");
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
}

static struct kt_dat *dat(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ 0 });
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		kt_dat_event(d, formats[i][0], formats[i][1]);
	begin_cpu(d);
	return d;
}

static void entry(struct kt_dat *d, uint64_t func, int depth, uint64_t ts)
{
	kt_dat_begin(d, ENTRY, 7);
	kt_dat_int(d, 8, func);
	kt_dat_int(d, 4, depth);
	kt_dat_end(d, ts);
}

static void leave(struct kt_dat *d, uint64_t func, int depth, uint64_t ns, uint64_t value,
		  uint64_t ts)
{
	kt_dat_begin(d, EXIT, 7);
	kt_dat_int(d, 8, func);
	kt_dat_int(d, 4, depth);
	kt_dat_int(d, 4, 0);
	kt_dat_int(d, 8, 1000);
	kt_dat_int(d, 8, 1000 + ns);
	kt_dat_int(d, 8, value);
	kt_dat_end(d, ts);
}

static void tick(struct kt_dat *d, int pid, int n, uint64_t ts)
{
	kt_dat_begin(d, TICK, pid);
	kt_dat_int(d, 4, n);
	kt_dat_end(d, ts);
}

static int collect(void *data, const char *text, size_t len)
{
	str_addn(data, text, len);
	return 0;
}

/* … of @d, which it destroys; new (free). @narrow: what the filter drops is not even read */
static char *report_of(struct kt_dat *d, const struct kt_text_opts *opts, const char *filter,
		       bool narrow)
{
	const struct kt_stream_opts forget = { .forget_lost = true };
	struct kt_trace *t = kt_trace_create();
	struct kt_err err = { 0 };
	struct str s = STR_INIT;
	struct kt_filter *f = NULL;
	struct kt_text *x;

	kt_trace_add(t, kt_dat_write(d, "text.dat"), narrow ? &forget : NULL, &err);
	CHECK_NO_ERR(&err);
	kt_dat_destroy(d);
	if (filter) {
		f = kt_filter_create(t);
		kt_filter_add(f, filter, false, -1, &err);
		CHECK_NO_ERR(&err);
	}
	x = kt_text_create(t, f, opts, &err);
	CHECK_NO_ERR(&err);
	if (narrow)
		assert_int_equal(kt_text_narrow(x, &err), 0);
	assert_int_equal(kt_text_run(x, UINT64_MAX, collect, &s, &err), 0);
	kt_text_destroy(x);
	kt_filter_destroy(f);
	kt_trace_destroy(t);
	return str_take(&s);
}

static char *report(struct kt_dat *d, const struct kt_text_opts *opts, const char *filter)
{
	return report_of(d, opts, filter, false);
}

static void check(struct kt_dat *d, const struct kt_text_opts *opts, const char *filter,
		  const char *want)
{
	char *got = report(d, opts, filter);

	assert_string_equal(got, want);
	free(got);
}

#define LINE "           saved-7     [000] ..... "

static const struct kt_text_opts plain = { .threads = 1 };

TEST(a_call_followed_by_its_exit_is_one_line)
{
	struct kt_dat *d = dat();

	entry(d, 0x1000, 0, 1000);
	entry(d, 0x2000, 1, 2000);
	leave(d, 0x2000, 1, 12345, 0, 3000);
	leave(d, 0x1000, 0, 1500, (uint64_t)-22, 4000);
	check(d, &plain, NULL,
	      LINE "    0.000001: funcgraph_entry:                   |  outer() {\n"
	      LINE "    0.000002: funcgraph_entry:      + 12.345 us  |    inner(); (ret=0x0)\n"
	      LINE "    0.000004: funcgraph_exit:         1.500 us   |  } (ret=-22)\n");
}

TEST(calls_into_modules_without_symbols_name_the_module)
{
	struct kt_dat *d = dat();

	kt_dat_meta(d, KT_META_MODULES, "mod 256 0 - Live 0x2400\n");
	entry(d, 0x2410, 0, 1000);
	entry(d, 0x2000, 1, 2000);
	check(d, &plain, NULL,
	      LINE "    0.000001: funcgraph_entry:                   |  [mod+0x10]() {\n"
	      LINE "    0.000002: funcgraph_entry:                   |    inner() {\n");
}

/* The kernel was 0x100000 higher then, the module elsewhere; the other buffer is of today. */
TEST(a_buffer_of_an_earlier_boot_is_told_with_the_addresses_of_that_boot)
{
	static const char info[] = "kept:101000\t[kernel]\n209000\tmod\n20a000\tgone\n";
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ 0 });
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		kt_dat_event(d, formats[i][0], formats[i][1]);
	kt_dat_meta(d, KT_META_KALLSYMS,
		    "0000000000001000 T _text\n0000000000002000 T inner\n0000000000003000 T end\n"
		    "0000000000009040 T mod_init\t[mod]\n0000000000009080 T mod_exit\t[mod]\n");
	kt_dat_meta(d, KT_META_MODULES, "mod 256 0 - Live 0x9000\n");
	kt_dat_meta(d, KT_META_CMDLINES, "7 saved\n");
	kt_dat_meta(d, KT_META_PRINTK, "0x2800 : \"hello\"\n");
	kt_dat_option(d, KT_OPTION_LAST_BOOT_INFO, info, sizeof(info));
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	entry(d, 0x2000, 0, 1000);
	entry(d, 0x102000, 0, 2000);
	kt_dat_buffer(d, "kept", "local", 4096);
	kt_dat_cpu(d, 0);
	entry(d, 0x102000, 0, 3000);
	entry(d, 0x2000, 0, 4000);
	entry(d, 0x209050, 0, 5000);
	entry(d, 0x209010, 0, 6000);
	entry(d, 0x209150, 0, 7000);
	entry(d, 0x20a050, 0, 8000);
	kt_dat_begin(d, TOLD, 7);
	kt_dat_int(d, 8, 0x102800);
	kt_dat_end(d, 9000);
	check(d, &plain, NULL,
	      "      " LINE "    0.000001: funcgraph_entry:                   |  inner() {\n"
	      "      " LINE "    0.000002: funcgraph_entry:                   |  102000() {\n"
	      "kept: " LINE "    0.000003: funcgraph_entry:                   |  inner() {\n"
	      "kept: " LINE "    0.000004: funcgraph_entry:                   |  2000() {\n"
	      "kept: " LINE "    0.000005: funcgraph_entry:                   |  mod_init() {\n"
	      "kept: " LINE "    0.000006: funcgraph_entry:                   |  [mod+0x10]() {\n"
	      "kept: " LINE "    0.000007: funcgraph_entry:                   |  209150() {\n"
	      "kept: " LINE "    0.000008: funcgraph_entry:                   |  20a050() {\n"
	      "kept: " LINE "    0.000009: told:                 hello\n");
}

static struct kt_dat *dat_with_args(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ 0 });

	kt_dat_event(d, "ftrace", "name: funcgraph_entry\nID: 11\n" KT_COMMON U64("func", "8")
		     U64("depth", "16") "\tfield:unsigned long args[];\toffset:24;\tsize:0;\tsigned:0;\n"
		     "\nprint fmt: \"--> %ps\", (void *)REC->func\n");
	begin_cpu(d);
	return d;
}

static void call(struct kt_dat *d, uint64_t func, uint64_t ts)
{
	kt_dat_begin(d, ENTRY, 7);
	kt_dat_int(d, 8, func);
	kt_dat_int(d, 8, 0);
	kt_dat_int(d, 8, 0xffff888000000000);
	kt_dat_int(d, 8, 0xffffffff);
	kt_dat_int(d, 8, 3);
	kt_dat_end(d, ts);
}

/* A type has its place in the strings, its kind in the bits from 24, and its size or what it is of. */
TEST(arguments_of_a_call_are_named_by_the_types_in_the_file)
{
	static const uint32_t types[] = {
		0, 1 << 24, 4, 0x01000020,		/* 1: a signed integer */
		0, 2 << 24, 1,				/* 2: a pointer to it */
		0, 13 << 24 | 2, 0, 1, 2, 6, 1,		/* 3: (file, fd) */
		9, 12 << 24, 3,				/* 4: outer */
	};
	static const char strings[] = "\0file\0fd\0outer";
	const uint32_t head[] = { 0x0001eb9f, 24, 0, sizeof(types), sizeof(types), sizeof(strings) };
	char btf[sizeof(head) + sizeof(types) + sizeof(strings)];
	struct kt_text_opts old = { .threads = 1, .layout = KT_LAYOUT_3_1 };
	struct kt_dat *d = dat_with_args();

	memcpy(btf, head, sizeof(head));
	memcpy(btf + sizeof(head), types, sizeof(types));
	memcpy(btf + sizeof(head) + sizeof(types), strings, sizeof(strings));
	kt_dat_btf(d, btf, sizeof(btf));
	call(d, 0x1000, 1000);
	call(d, 0x2000, 2000);
	kt_dat_begin(d, ENTRY, 7);		/* as the kernel writes it without its option */
	kt_dat_int(d, 8, 0x1000);
	kt_dat_int(d, 8, 0);
	kt_dat_end(d, 3000);
	check(d, &plain, NULL,
	      LINE "    0.000001: funcgraph_entry:                   |  outer(file=0xffff888000000000, fd=-1) {\n"
	      LINE "    0.000002: funcgraph_entry:                   |  inner(0xffff888000000000, 0xffffffff, 0x3) {\n"
	      LINE "    0.000003: funcgraph_entry:                   |  outer() {\n");
	d = dat_with_args();
	kt_dat_btf(d, btf, sizeof(btf) - 1);
	call(d, 0x1000, 1000);
	check(d, &plain, NULL,
	      LINE "    0.000001: funcgraph_entry:                   |  outer(0xffff888000000000, 0xffffffff, 0x3) {\n");
	d = dat_with_args();
	call(d, 0x1000, 1000);
	check(d, &old, NULL,
	      "           saved-7     [000]     0.000001: funcgraph_entry:                   |  outer() {\n");
}

TEST(arguments_of_a_traced_function_stand_behind_its_name)
{
	static const char function[] = "name: function\nID: 1\n" KT_COMMON U64("ip", "8")
		U64("parent_ip", "16") "\tfield:unsigned long args[];\toffset:24;\tsize:0;\tsigned:0;\n"
		"\nprint fmt: \" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip\n";
	struct kt_text_opts old = { .threads = 1, .layout = KT_LAYOUT_3_1 };
	int round, i;

	for (round = 0; round < 2; round++) {
		struct kt_dat *d = dat_with_args();

		kt_dat_event(d, "ftrace", function);
		for (i = 0; i < 2; i++) {
			kt_dat_begin(d, 1, 7);
			kt_dat_int(d, 8, 0x1000);
			kt_dat_int(d, 8, 0x2004);
			if (!i)
				kt_dat_int(d, 8, 0xabc);
			kt_dat_end(d, 1000 + 1000 * i);
		}
		check(d, round ? &old : &plain, NULL, round ?
		      "           saved-7     [000]     0.000001: function:             outer\n"
		      "           saved-7     [000]     0.000002: function:             outer\n" :
		      LINE "    0.000001: function:             outer(0xabc)\n"
		      LINE "    0.000002: function:             outer\n");
	}
}

TEST(a_pointer_to_a_text_of_the_kernel_shows_that)
{
	struct kt_dat *d = dat();

	kt_dat_meta(d, KT_META_PRINTK, "0x5000 : \"hello\"\n");
	kt_dat_begin(d, TOLD, 7);
	kt_dat_int(d, 8, 0x5000);
	kt_dat_end(d, 1000);
	check(d, &plain, NULL, LINE "    0.000001: told:                 hello\n");
}

TEST(an_exit_of_another_function_is_not_folded)
{
	struct kt_dat *d = dat();

	entry(d, 0x1000, 0, 1000);
	leave(d, 0x2000, 1, 1, 4096, 3000);
	check(d, &plain, NULL,
	      LINE "    0.000001: funcgraph_entry:                   |  outer() {\n"
	      LINE "    0.000003: funcgraph_exit:         0.001 us   |    } (ret=0x1000)\n");
}

TEST(an_exit_behind_lost_events_is_not_folded)
{
	struct kt_dat *d = dat();

	entry(d, 0x1000, 0, 1000);
	kt_dat_lost(d, 5);
	kt_dat_new_page(d, 2000);
	leave(d, 0x1000, 0, 1, 0, 3000);
	check(d, &plain, NULL,
	      LINE "    0.000001: funcgraph_entry:                   |  outer() {\n"
	      "CPU:0 [5 EVENTS DROPPED]\n"
	      LINE "    0.000003: funcgraph_exit:         0.001 us   |  } (ret=0x0)\n");
}

/* Wherever records are handed from one thread to another */
TEST(a_call_and_its_exit_are_one_line_whoever_writes_it)
{
	struct kt_text_opts opts = plain;
	struct kt_dat *d;
	const char *line;
	int calls, i;
	char *got;

	for (opts.threads = 1; opts.threads <= 3; opts.threads++) {
		d = dat();
		tick(d, 7, 0, 500);
		for (i = 0; i < 10000; i++) {
			entry(d, 0x2000, 0, 1000 + 2 * i);
			leave(d, 0x2000, 0, 1, 0, 1001 + 2 * i);
		}
		got = report(d, &opts, NULL);
		for (calls = 0, line = got; (line = strstr(line, "inner();")); line++)
			calls++;
		assert_int_equal(calls, 10000);
		assert_null(strstr(got, "funcgraph_exit"));
		free(got);
	}
}

TEST(a_filter_on_exits_finds_them_all)
{
	struct kt_dat *d = dat();

	entry(d, 0x2000, 0, 1000);
	leave(d, 0x2000, 0, 1, 0, 3000);
	check(d, &plain, "funcgraph_exit",
	      LINE "    0.000003: funcgraph_exit:         0.001 us   |  } (ret=0x0)\n");
}

/* Two tasks, and after @before events of theirs a call of each with the other's event inside */
static struct kt_dat *calls_between(int before)
{
	struct kt_dat *d = dat();
	uint64_t ts = 1000;
	int i;

	for (i = 0; i < before; i++, ts += 1000)
		tick(d, 7 + i % 2, i, ts);
	entry(d, 0x1000, 0, ts);
	tick(d, 8, i, ts + 1000);
	leave(d, 0x1000, 0, 1500, 0, ts + 2000);
	entry(d, 0x2000, 0, ts + 3000);
	leave(d, 0x2000, 0, 1500, 0, ts + 4000);
	tick(d, 7, i, ts + 5000);
	return d;
}

TEST(a_call_with_another_task_inside_is_none_that_a_filter_may_fold)
{
	static const int before[] = { 0, 70, 3000, 9000 };
	struct kt_text_opts opts = plain;
	char *narrow, *wide;
	size_t i;

	for (i = 0; i < sizeof(before) / sizeof(before[0]) * 2; i++) {
		opts.threads = 1 + i % 2;
		wide = report_of(calls_between(before[i / 2]), &opts, "common_pid == 7", false);
		narrow = report_of(calls_between(before[i / 2]), &opts, "common_pid == 7", true);
		assert_string_equal(narrow, wide);
		assert_non_null(strstr(wide, "|  outer() {\n"));
		assert_non_null(strstr(wide, "|  inner();"));
		free(narrow);
		free(wide);
	}
}

TEST(options_of_the_graph_change_its_text)
{
	struct kt_text_opts opts = { .threads = 1, .graph_tail = true, .graph_depth = true,
				     .graph_retval = KT_RETVAL_DEC };
	struct kt_dat *d = dat();

	entry(d, 0x1000, 0, 1000);
	tick(d, 7, 1, 1500);
	leave(d, 0x1000, 0, 2000000000, 4096, 3000);
	check(d, &opts, NULL,
	      LINE "    0.000001: funcgraph_entry:                   |  outer() { (0)\n"
	      LINE "    0.000002: tick:                 n=1\n"
	      LINE "    0.000003: funcgraph_exit:       $ 2000000 us |  } /* outer */ (ret=4096) (0)\n");
}

TEST(an_entry_may_know_who_called)
{
	struct kt_dat *d = dat();

	kt_dat_begin(d, RETADDR, 7);
	kt_dat_int(d, 8, 0x2000);
	kt_dat_int(d, 4, 0);
	kt_dat_int(d, 4, 0);
	kt_dat_int(d, 8, 0x1004);
	kt_dat_end(d, 1000);
	check(d, &plain, NULL,
	      LINE "    0.000001: fgraph_retaddr_entry:              |  inner() { /* <-outer */\n");
}

TEST(an_absurd_depth_costs_no_memory)
{
	struct kt_dat *d = dat();
	char *got;

	entry(d, 0x1000, 0x7fffffff, 1000);
	entry(d, 0x1000, -5, 2000);
	got = report(d, &plain, NULL);
	assert_in_range(strlen(got), 200, 2000);
	free(got);
}

TEST(a_task_that_was_not_saved_is_named_by_the_trace)
{
	static const char prev[16] = "first", next[16] = "second";
	struct kt_dat *d = dat();

	tick(d, 9, 1, 1000);
	tick(d, 10, 2, 1000);
	kt_dat_begin(d, SWITCH, 0);
	kt_dat_bytes(d, prev, 16);
	kt_dat_int(d, 4, 7);
	kt_dat_bytes(d, next, 16);
	kt_dat_int(d, 4, 9);
	kt_dat_end(d, 2000);
	tick(d, 7, 3, 3000);
	check(d, &plain, "tick",
	      "          second-9     [000] .....     0.000001: tick:                 n=1\n"
	      "           <...>-10    [000] .....     0.000001: tick:                 n=2\n"
	      LINE "    0.000003: tick:                 n=3\n");
}

TEST(time_is_rounded_half_up)
{
	struct kt_dat *d = dat();

	tick(d, 7, 1, 1999999499);
	tick(d, 7, 2, 1999999500);
	check(d, &plain, NULL,
	      LINE "    1.999999: tick:                 n=1\n"
	      LINE "    2.000000: tick:                 n=2\n");
}

TEST(an_unknown_event_says_so)
{
	struct kt_text_opts old = { .threads = 1, .layout = KT_LAYOUT_3_1 };
	struct kt_dat *d = dat();

	kt_dat_begin(d, 999, 7);
	kt_dat_end(d, 1000);
	check(d, &plain, NULL, "[UNKNOWN EVENT][UNKNOWN EVENT][UNKNOWN EVENT] (NULL):               "
	      "[UNKNOWN EVENT]\n");
	d = dat();
	kt_dat_begin(d, 999, 7);
	kt_dat_end(d, 1000);
	check(d, &old, NULL, "[UNKNOWN EVENT][UNKNOWN EVENT] (NULL):               [UNKNOWN EVENT]\n");
}

/* A text of 16 bytes in a record, as -R and JSON show it */
static void check_text(const char *text, const char *raw, const char *json)
{
	const struct kt_text_opts raw_opts = { .threads = 1, .raw = true };
	const struct kt_text_opts json_opts = { .threads = 1, .json = true };
	const struct kt_text_opts *const opts[] = { &raw_opts, &json_opts };
	const char *const want[] = { raw, json };
	struct kt_dat *d;
	char *got;
	size_t i;

	for (i = 0; i < 2; i++) {
		d = dat();
		kt_dat_begin(d, NAME, 7);
		kt_dat_bytes(d, text, 16);
		kt_dat_end(d, 1);
		got = report(d, opts[i], NULL);
		assert_non_null(strstr(got, want[i]));
		free(got);
	}
}

TEST(names_of_tasks_are_shown_as_they_are_only_if_they_can_be)
{
	check_text("a name\0\xff\x01.......", " text=a name\n", "{\"text\":\"a name\"}");
	check_text("ends~with 8\0\xff\xff\xff", " text=ends~with 8\n", "{\"text\":\"ends~with 8\"}");
	check_text("all are sixteen!", " text=all are sixteen!\n", "{\"text\":\"all are sixteen!\"}");
	check_text("\0..............", " text=\n", "{\"text\":\"\"}");
	check_text("with \"quo\0.....", " text=with \"quo\n", "{\"text\":\"with \\\"quo\"}");
	check_text("and a \\ behind\0", " text=and a \\ behind\n",
		   "{\"text\":\"and a \\\\ behind\"}");
	check_text("tabs\tare text\0\0", " text=tabs\tare text\n", "{\"text\":\"tabs\\tare text\"}");
	check_text("\x1f..............",
		   " text=ARRAY[1f, 2e, 2e, 2e, 2e, 2e, 2e, 2e, 2e, 2e, 2e, 2e, 2e, 2e, 2e, 00]\n",
		   "{\"text\":\"\\u001f..............\"}");
	check_text("..............\x7f",
		   " text=ARRAY[2e, 2e, 2e, 2e, 2e, 2e, 2e, 2e, 2e, 2e, 2e, 2e, 2e, 2e, 7f, 00]\n",
		   "..............\\u007f\"}");
	check_text(".........\xc3\xa4....",
		   " text=ARRAY[2e, 2e, 2e, 2e, 2e, 2e, 2e, 2e, 2e, c3, a4, 2e, 2e, 2e, 2e, 00]\n",
		   "{\"text\":\".........\xc3\xa4....\"}");
}

TEST(json_is_exact_and_well_formed_whatever_the_trace_says)
{
	static const char text[16] = "a\"\\\n\x1b\xff\xc3\xa4";
	struct kt_text_opts opts = { .threads = 1, .json = true };
	struct kt_dat *d = dat();

	kt_dat_begin(d, NAME, 7);
	kt_dat_bytes(d, text, 16);
	kt_dat_end(d, 1);
	leave(d, 0x2000, 0, 5, UINT64_MAX, 2);
	check(d, &opts, NULL,
	      "{\"ts\":1,\"cpu\":0,\"pid\":7,\"comm\":\"saved\",\"flags\":\".....\",\"system\":\"test\","
	      "\"event\":\"name\",\"fields\":{\"text\":\"a\\\"\\\\\\n\\u001b\\ufffd\xc3\xa4\"},"
	      "\"info\":\"text=a\\\"\\\\\\n\\u001b\\ufffd\xc3\xa4\"}\n"
	      "{\"ts\":2,\"cpu\":0,\"pid\":7,\"comm\":\"saved\",\"flags\":\".....\",\"system\":\"ftrace\","
	      "\"event\":\"funcgraph_exit\",\"fields\":{\"func\":8192,\"depth\":0,\"overrun\":0,"
	      "\"calltime\":1000,\"rettime\":1005,\"retval\":18446744073709551615},"
	      "\"info\":\"  0.005 us   |  } (ret=-1)\"}\n");
}

TEST(a_terminal_gets_nothing_that_it_could_obey)
{
	static const char text[16] = "\x1b[2J\nx";
	struct kt_text_opts opts = { .threads = 1, .escape = true };
	struct kt_dat *d = dat();

	kt_dat_begin(d, NAME, 7);
	kt_dat_bytes(d, text, 16);
	kt_dat_end(d, 1000);
	check(d, &opts, NULL, LINE "    0.000001: name:                 text=\\x1b[2J\\x0ax\n");
}

static int refuse(void *data, const char *text, size_t len)
{
	(void)data;
	(void)text;
	(void)len;
	return -EPIPE;
}

TEST(the_sink_can_end_a_run_with_any_number_of_threads)
{
	struct kt_text_opts opts = { .threads = 3 };
	struct kt_trace *t = kt_trace_create();
	struct kt_err err = { 0 };
	struct kt_text *x;
	int i;

	kt_trace_add(t, kt_data("peer/events-irqs.dat"), NULL, &err);
	CHECK_NO_ERR(&err);
	for (i = 0; i < 20; i++) {
		assert_int_equal(kt_stream_seek(kt_trace_stream(t), 0, &err), 0);
		x = kt_text_create(t, NULL, &opts, &err);
		assert_int_equal(kt_text_run(x, UINT64_MAX, refuse, NULL, &err), -EPIPE);
		kt_text_destroy(x);
	}
	kt_trace_destroy(t);
}

int main(void)
{
	return RUN(unit(a_call_followed_by_its_exit_is_one_line),
		   unit(calls_into_modules_without_symbols_name_the_module),
		   unit(arguments_of_a_call_are_named_by_the_types_in_the_file),
		   unit(arguments_of_a_traced_function_stand_behind_its_name),
		   unit(a_buffer_of_an_earlier_boot_is_told_with_the_addresses_of_that_boot),
		   unit(a_pointer_to_a_text_of_the_kernel_shows_that),
		   unit(an_exit_of_another_function_is_not_folded),
		   unit(an_exit_behind_lost_events_is_not_folded),
		   unit(a_call_and_its_exit_are_one_line_whoever_writes_it),
		   unit(a_filter_on_exits_finds_them_all),
		   unit(a_call_with_another_task_inside_is_none_that_a_filter_may_fold),
		   unit(options_of_the_graph_change_its_text),
		   unit(an_entry_may_know_who_called),
		   unit(an_absurd_depth_costs_no_memory),
		   unit(a_task_that_was_not_saved_is_named_by_the_trace),
		   unit(time_is_rounded_half_up),
		   unit(an_unknown_event_says_so),
		   unit(names_of_tasks_are_shown_as_they_are_only_if_they_can_be),
		   unit(json_is_exact_and_well_formed_whatever_the_trace_says),
		   unit(a_terminal_gets_nothing_that_it_could_obey),
		   unit(the_sink_can_end_a_run_with_any_number_of_threads));
}
