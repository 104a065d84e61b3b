/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_calls.c - calls of functions as lines: folded, named, with their arguments */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/text.h>

#include "kt_lines.h"
#include "kt_test.h"

#define U64(name, at) "\tfield:unsigned long " name ";\toffset:" at ";\tsize:8;\tsigned:0;\n"

static const struct kt_text_opts plain = { .threads = 1 };

TEST(a_call_followed_by_its_exit_is_one_line)
{
	struct kt_dat *d = kt_lines_dat();

	kt_lines_entry(d, 0x1000, 0, 1000);
	kt_lines_entry(d, 0x2000, 1, 2000);
	kt_lines_leave(d, 0x2000, 1, 12345, 0, 3000);
	kt_lines_leave(d, 0x1000, 0, 1500, (uint64_t)-22, 4000);
	kt_lines_check(d, &plain, NULL,
		KT_LINE "    0.000001: funcgraph_entry:                   |  outer() {\n"
		KT_LINE "    0.000002: funcgraph_entry:      + 12.345 us  |    inner(); (ret=0x0)\n"
		KT_LINE "    0.000004: funcgraph_exit:         1.500 us   |  } (ret=-22)\n");
}

TEST(calls_into_modules_without_symbols_name_the_module)
{
	struct kt_dat *d = kt_lines_dat();

	kt_dat_meta(d, KT_META_MODULES, "mod 256 0 - Live 0x2400\n");
	kt_lines_entry(d, 0x2410, 0, 1000);
	kt_lines_entry(d, 0x2000, 1, 2000);
	kt_lines_check(d, &plain, NULL,
		KT_LINE "    0.000001: funcgraph_entry:                   |  [mod+0x10]() {\n"
		KT_LINE "    0.000002: funcgraph_entry:                   |    inner() {\n");
}

/* In that boot the kernel was 0x100000 higher, and the module elsewhere; the other buffer is of
 * this boot. */
TEST(a_buffer_of_an_earlier_boot_is_shown_with_the_addresses_of_that_boot)
{
	static const char info[] = "kept:101000\t[kernel]\n209000\tmod\n20a000\tgone\n";
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ 0 });

	kt_lines_events(d);
	kt_dat_meta(d, KT_META_KALLSYMS,
		    "0000000000001000 T _text\n0000000000002000 T inner\n0000000000003000 T end\n"
		    "0000000000009040 T mod_init\t[mod]\n0000000000009080 T mod_exit\t[mod]\n");
	kt_dat_meta(d, KT_META_MODULES, "mod 256 0 - Live 0x9000\n");
	kt_dat_meta(d, KT_META_CMDLINES, "7 saved\n");
	kt_dat_meta(d, KT_META_PRINTK, "0x2800 : \"hello\"\n");
	kt_dat_option(d, KT_OPTION_LAST_BOOT_INFO, info, sizeof(info));
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	kt_lines_entry(d, 0x2000, 0, 1000);
	kt_lines_entry(d, 0x102000, 0, 2000);
	kt_dat_buffer(d, "kept", "local", 4096);
	kt_dat_cpu(d, 0);
	kt_lines_entry(d, 0x102000, 0, 3000);
	kt_lines_entry(d, 0x2000, 0, 4000);
	kt_lines_entry(d, 0x209050, 0, 5000);
	kt_lines_entry(d, 0x209010, 0, 6000);
	kt_lines_entry(d, 0x209150, 0, 7000);
	kt_lines_entry(d, 0x20a050, 0, 8000);
	kt_dat_begin(d, TOLD, 7);
	kt_dat_int(d, 8, 0x102800);
	kt_dat_end(d, 9000);
	kt_lines_check(d, &plain, NULL,
		"      " KT_LINE "    0.000001: funcgraph_entry:                   |  inner() {\n"
		"      " KT_LINE "    0.000002: funcgraph_entry:                   |  102000() {\n"
		"kept: " KT_LINE "    0.000003: funcgraph_entry:                   |  inner() {\n"
		"kept: " KT_LINE "    0.000004: funcgraph_entry:                   |  2000() {\n"
		"kept: " KT_LINE "    0.000005: funcgraph_entry:                   |  mod_init() {\n"
		"kept: " KT_LINE "    0.000006: funcgraph_entry:                   |  [mod+0x10]() {\n"
		"kept: " KT_LINE "    0.000007: funcgraph_entry:                   |  209150() {\n"
		"kept: " KT_LINE "    0.000008: funcgraph_entry:                   |  20a050() {\n"
		"kept: " KT_LINE "    0.000009: told:                 hello\n");
}

static struct kt_dat *dat_with_args(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ 0 });

	kt_dat_event(d, "ftrace", "name: funcgraph_entry\nID: 11\n" KT_COMMON U64("func", "8")
		     U64("depth", "16") "\tfield:unsigned long args[];\toffset:24;\tsize:0;\tsigned:0;\n"
		     "\nprint fmt: \"--> %ps\", (void *)REC->func\n");
	kt_lines_begin_cpu(d);
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

/* A type has its place in the strings, its kind in the bits from 24,
 * and its size or what it is of. */
TEST(arguments_of_a_call_are_named_by_the_types_in_the_file)
{
	static const uint32_t types[] = {
		0, 1 << 24, 4, 0x01000020,		/* 1: a signed integer */
		0, 2 << 24, 1,				/* 2: a pointer to it */
		0, 13 << 24 | 2, 0, 1, 2, 6, 1,		/* 3: (file, fd) */
		9, 12 << 24, 3,				/* 4: outer */
	};
	static const char strings[] = "\0file\0fd\0outer";
	const uint32_t head[] =
		{ 0x0001eb9f, 24, 0, sizeof(types), sizeof(types), sizeof(strings) };
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
	kt_lines_check(d, &plain, NULL,
		KT_LINE "    0.000001: funcgraph_entry:                   |  outer(file=0xffff888000000000, fd=-1) {\n"
		KT_LINE "    0.000002: funcgraph_entry:                   |  inner(0xffff888000000000, 0xffffffff, 0x3) {\n"
		KT_LINE "    0.000003: funcgraph_entry:                   |  outer() {\n");
	d = dat_with_args();
	kt_dat_btf(d, btf, sizeof(btf) - 1);
	call(d, 0x1000, 1000);
	kt_lines_check(d, &plain, NULL,
		KT_LINE "    0.000001: funcgraph_entry:                   |  outer(0xffff888000000000, 0xffffffff, 0x3) {\n");
	d = dat_with_args();
	call(d, 0x1000, 1000);
	kt_lines_check(d, &old, NULL,
		"           saved-7     [000]     0.000001: funcgraph_entry:                   |  outer() {\n");
}

#define FUNCTION(more) "name: function\nID: 1\n" KT_COMMON U64("ip", "8") U64("parent_ip", "16") more \
	"\nprint fmt: \" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip\n"

/* As trace-cmd 3.1.6 prints it */
TEST(a_function_without_a_name_takes_no_place_among_the_callers)
{
	static const uint64_t calls[][2] = {
		{ 0x2000, 0x1004 }, { 0x9000, 0x1004 }, { 0x1000, 0x2004 }, { 0x9000, 0x9004 },
		{ 0x2000, 0x1004 },
	};
	struct kt_dat *d = kt_lines_dat();
	size_t i;

	kt_dat_event(d, "ftrace", FUNCTION(""));
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		kt_dat_begin(d, 1, 7);
		kt_dat_int(d, 8, calls[i][0]);
		kt_dat_int(d, 8, calls[i][1]);
		kt_dat_end(d, 1000 + 1000 * i);
	}
	kt_lines_check(d, &plain, NULL,
		KT_LINE "    0.000001: function:             inner\n"
		KT_LINE "    0.000002: function:             0x9000\n"
		KT_LINE "    0.000003: function:                outer\n"
		KT_LINE "    0.000004: function:             0x9000\n"
		KT_LINE "    0.000005: function:             inner\n");
}

TEST(arguments_of_a_traced_function_follow_its_name)
{
	static const char function[] =
		FUNCTION("\tfield:unsigned long args[];\toffset:24;\tsize:0;\tsigned:0;\n");
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
		kt_lines_check(d, round ? &old : &plain, NULL, round ?
		      "           saved-7     [000]     0.000001: function:             outer\n"
		      "           saved-7     [000]     0.000002: function:             outer\n" :
		      KT_LINE "    0.000001: function:             outer(0xabc)\n"
		      KT_LINE "    0.000002: function:             outer\n");
	}
}

TEST(a_pointer_to_a_text_of_the_kernel_shows_that)
{
	struct kt_dat *d = kt_lines_dat();

	kt_dat_meta(d, KT_META_PRINTK, "0x5000 : \"hello\"\n");
	kt_dat_begin(d, TOLD, 7);
	kt_dat_int(d, 8, 0x5000);
	kt_dat_end(d, 1000);
	kt_lines_check(d, &plain, NULL, KT_LINE "    0.000001: told:                 hello\n");
}

/* As in the kernel's trace file, regardless of the records of other CPUs in between */
TEST(with_the_kernels_layout_a_call_is_folded_over_records_of_other_cpus)
{
	const struct kt_text_opts opts = { .layout = KT_LAYOUT_KERNEL };
	struct kt_dat *d = kt_lines_dat();
	char *text;
	int i;

	kt_lines_entry(d, 0x1000, 0, 1000);
	kt_lines_leave(d, 0x1000, 0, 900000, 0, 901000);
	kt_dat_cpu(d, 1);
	for (i = 0; i < 3000; i++)
		kt_lines_tick(d, 7, i, 2000 + i);
	text = kt_lines_report(d, &opts, NULL);
	assert_non_null(strstr(text, "outer();"));
	assert_null(strstr(text, "outer() {"));
	free(text);
}

TEST(an_exit_of_another_function_is_not_folded)
{
	struct kt_dat *d = kt_lines_dat();

	kt_lines_entry(d, 0x1000, 0, 1000);
	kt_lines_leave(d, 0x2000, 1, 1, 4096, 3000);
	kt_lines_check(d, &plain, NULL,
		KT_LINE "    0.000001: funcgraph_entry:                   |  outer() {\n"
		KT_LINE "    0.000003: funcgraph_exit:         0.001 us   |    } (ret=0x1000)\n");
}

TEST(an_exit_after_lost_events_is_not_folded)
{
	struct kt_dat *d = kt_lines_dat();

	kt_lines_entry(d, 0x1000, 0, 1000);
	kt_dat_lost(d, 5);
	kt_dat_new_page(d, 2000);
	kt_lines_leave(d, 0x1000, 0, 1, 0, 3000);
	kt_lines_check(d, &plain, NULL,
		KT_LINE "    0.000001: funcgraph_entry:                   |  outer() {\n"
		"CPU:0 [5 EVENTS DROPPED]\n"
		KT_LINE "    0.000003: funcgraph_exit:         0.001 us   |  } (ret=0x0)\n");
}

/* Regardless of where records pass from one thread to another */
TEST(a_call_and_its_exit_are_one_line_in_any_thread)
{
	struct kt_text_opts opts = plain;
	struct kt_dat *d;
	const char *line;
	int calls, i;
	char *got;

	for (opts.threads = 1; opts.threads <= 3; opts.threads++) {
		d = kt_lines_dat();
		kt_lines_tick(d, 7, 0, 500);
		for (i = 0; i < 10000; i++) {
			kt_lines_entry(d, 0x2000, 0, 1000 + 2 * i);
			kt_lines_leave(d, 0x2000, 0, 1, 0, 1001 + 2 * i);
		}
		got = kt_lines_report(d, &opts, NULL);
		for (calls = 0, line = got; (line = strstr(line, "inner();")); line++)
			calls++;
		assert_int_equal(calls, 10000);
		assert_null(strstr(got, "funcgraph_exit"));
		free(got);
	}
}

TEST(a_filter_on_exits_finds_them_all)
{
	struct kt_dat *d = kt_lines_dat();

	kt_lines_entry(d, 0x2000, 0, 1000);
	kt_lines_leave(d, 0x2000, 0, 1, 0, 3000);
	kt_lines_check(d, &plain, "funcgraph_exit",
		KT_LINE "    0.000003: funcgraph_exit:         0.001 us   |  } (ret=0x0)\n");
}

/* @before events of two tasks, then a call of each with an event of the other task inside */
static struct kt_dat *calls_between(int before)
{
	struct kt_dat *d = kt_lines_dat();
	uint64_t ts = 1000;
	int i;

	for (i = 0; i < before; i++, ts += 1000)
		kt_lines_tick(d, 7 + i % 2, i, ts);
	kt_lines_entry(d, 0x1000, 0, ts);
	kt_lines_tick(d, 8, i, ts + 1000);
	kt_lines_leave(d, 0x1000, 0, 1500, 0, ts + 2000);
	kt_lines_entry(d, 0x2000, 0, ts + 3000);
	kt_lines_leave(d, 0x2000, 0, 1500, 0, ts + 4000);
	kt_lines_tick(d, 7, i, ts + 5000);
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
		wide = kt_lines_report_of(calls_between(before[i / 2]), &opts, "common_pid == 7", false);
		narrow = kt_lines_report_of(calls_between(before[i / 2]), &opts, "common_pid == 7", true);
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
	struct kt_dat *d = kt_lines_dat();

	kt_lines_entry(d, 0x1000, 0, 1000);
	kt_lines_tick(d, 7, 1, 1500);
	kt_lines_leave(d, 0x1000, 0, 2000000000, 4096, 3000);
	kt_lines_check(d, &opts, NULL,
		KT_LINE "    0.000001: funcgraph_entry:                   |  outer() { (0)\n"
		KT_LINE "    0.000002: tick:                 n=1\n"
		KT_LINE "    0.000003: funcgraph_exit:       $ 2000000 us |  } /* outer */ (ret=4096) (0)\n");
}

TEST(an_entry_may_know_who_called)
{
	struct kt_dat *d = kt_lines_dat();

	kt_dat_begin(d, RETADDR, 7);
	kt_dat_int(d, 8, 0x2000);
	kt_dat_int(d, 4, 0);
	kt_dat_int(d, 4, 0);
	kt_dat_int(d, 8, 0x1004);
	kt_dat_end(d, 1000);
	kt_lines_check(d, &plain, NULL,
		KT_LINE "    0.000001: fgraph_retaddr_entry:              |  inner() { /* <-outer */\n");
}

TEST(an_absurd_depth_costs_no_memory)
{
	struct kt_dat *d = kt_lines_dat();
	char *got;

	kt_lines_entry(d, 0x1000, 0x7fffffff, 1000);
	kt_lines_entry(d, 0x1000, -5, 2000);
	got = kt_lines_report(d, &plain, NULL);
	assert_in_range(strlen(got), 200, 2000);
	free(got);
}

int main(void)
{
	return RUN(unit(a_call_followed_by_its_exit_is_one_line),
		   unit(calls_into_modules_without_symbols_name_the_module),
		   unit(a_buffer_of_an_earlier_boot_is_shown_with_the_addresses_of_that_boot),
		   unit(arguments_of_a_call_are_named_by_the_types_in_the_file),
		   unit(a_function_without_a_name_takes_no_place_among_the_callers),
		   unit(arguments_of_a_traced_function_follow_its_name),
		   unit(a_pointer_to_a_text_of_the_kernel_shows_that),
		   unit(with_the_kernels_layout_a_call_is_folded_over_records_of_other_cpus),
		   unit(an_exit_of_another_function_is_not_folded),
		   unit(an_exit_after_lost_events_is_not_folded),
		   unit(a_call_and_its_exit_are_one_line_in_any_thread),
		   unit(a_filter_on_exits_finds_them_all),
		   unit(a_call_with_another_task_inside_is_none_that_a_filter_may_fold),
		   unit(options_of_the_graph_change_its_text),
		   unit(an_entry_may_know_who_called),
		   unit(an_absurd_depth_costs_no_memory));
}
