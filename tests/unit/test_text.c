/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_text.c - records as lines: names, times, texts and JSON, for any content of the trace */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/text.h>

#include "base/out.h"
#include "kt_lines.h"
#include "kt_reading.h"
#include "kt_test.h"
#include "text/text.h"

static const struct kt_text_opts plain = { .threads = 1 };

TEST(a_task_that_was_not_saved_is_named_by_the_trace)
{
	static const char prev[16] = "first", next[16] = "second";
	struct kt_dat *d = kt_lines_dat();

	kt_lines_tick(d, 9, 1, 1000);
	kt_lines_tick(d, 10, 2, 1000);
	kt_dat_begin(d, SWITCH, 0);
	kt_dat_bytes(d, prev, 16);
	kt_dat_int(d, 4, 7);
	kt_dat_bytes(d, next, 16);
	kt_dat_int(d, 4, 9);
	kt_dat_end(d, 2000);
	kt_lines_tick(d, 7, 3, 3000);
	kt_lines_check(d, &plain, "tick",
		"          second-9     [000] .....     0.000001: tick:                 n=1\n"
		"           <...>-10    [000] .....     0.000001: tick:                 n=2\n"
		KT_LINE "    0.000003: tick:                 n=3\n");
}

TEST(time_is_rounded_half_up)
{
	struct kt_dat *d = kt_lines_dat();

	kt_lines_tick(d, 7, 1, 1999999499);
	kt_lines_tick(d, 7, 2, 1999999500);
	kt_lines_check(d, &plain, NULL,
		KT_LINE "    1.999999: tick:                 n=1\n"
		KT_LINE "    2.000000: tick:                 n=2\n");
}

TEST(the_first_and_the_last_times_there_are_have_their_seconds)
{
	struct kt_dat *d = kt_lines_dat();

	kt_lines_tick(d, 7, 1, 0);
	kt_dat_new_page(d, UINT64_MAX - 900000000);
	kt_lines_tick(d, 7, 2, UINT64_MAX - 900000000);
	kt_lines_check(d, &plain, NULL,
		KT_LINE "    0.000000: tick:                 n=1\n"
		KT_LINE "18446744072.809552: tick:                 n=2\n");
	d = kt_lines_dat();
	kt_dat_new_page(d, UINT64_MAX);
	kt_lines_tick(d, 7, 3, UINT64_MAX);
	kt_lines_check(d, &plain, NULL,
		KT_LINE "18446744073.709551: tick:                 n=3\n");
}

TEST(an_unknown_event_says_so)
{
	struct kt_text_opts old = { .threads = 1, .layout = KT_LAYOUT_3_1 };
	struct kt_dat *d = kt_lines_dat();

	kt_dat_begin(d, 999, 7);
	kt_dat_end(d, 1000);
	kt_lines_check(d, &plain, NULL, KT_LINE "    0.000001: [UNKNOWN EVENT]:      "
		"type 999, 8 bytes\n");
	d = kt_lines_dat();
	kt_dat_begin(d, 999, 7);
	kt_dat_end(d, 1000);
	kt_lines_check(d, &old, NULL, "[UNKNOWN EVENT][UNKNOWN EVENT] (NULL):               [UNKNOWN EVENT]\n");
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
		d = kt_lines_dat();
		kt_dat_begin(d, NAME, 7);
		kt_dat_bytes(d, text, 16);
		kt_dat_end(d, 1);
		got = kt_lines_report(d, opts[i], NULL);
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
	struct kt_dat *d = kt_lines_dat();

	kt_dat_begin(d, NAME, 7);
	kt_dat_bytes(d, text, 16);
	kt_dat_end(d, 1);
	kt_lines_leave(d, 0x2000, 0, 5, UINT64_MAX, 2);
	kt_lines_check(d, &opts, NULL,
		"{\"ts\":1,\"cpu\":0,\"pid\":7,\"comm\":\"saved\",\"flags\":\".....\",\"system\":\"test\","
		"\"event\":\"name\",\"fields\":{\"text\":\"a\\\"\\\\\\n\\u001b\\ufffd\xc3\xa4\"},"
		"\"info\":\"text=a\\\"\\\\\\n\\u001b\\ufffd\xc3\xa4\"}\n"
		"{\"ts\":2,\"cpu\":0,\"pid\":7,\"comm\":\"saved\",\"flags\":\".....\",\"system\":\"ftrace\","
		"\"event\":\"funcgraph_exit\",\"fields\":{\"func\":8192,\"depth\":0,\"overrun\":0,"
		"\"calltime\":1000,\"rettime\":1005,\"retval\":18446744073709551615},"
		"\"info\":\"  0.005 us   |  } (ret=-1)\"}\n");
}

TEST(no_line_is_indented_for_a_name_that_no_kernel_allows)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ 0 });
	char name[1001], want[2000];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	kt_lines_events(d);
	kt_dat_meta(d, KT_META_CMDLINES, "7 saved\n");
	kt_dat_buffer(d, name, "local", 4096);
	kt_dat_cpu(d, 0);
	kt_lines_entry(d, 0x2000, 0, 1000);
	kt_dat_buffer(d, "short", "local", 4096);
	kt_dat_cpu(d, 0);
	kt_lines_entry(d, 0x2000, 0, 2000);
	snprintf(want, sizeof(want), "%s: " KT_LINE "    0.000001: funcgraph_entry:                   |  2000() {\n"
		 "%255s: " KT_LINE "    0.000002: funcgraph_entry:                   |  2000() {\n",
		 name, "short");
	kt_lines_check(d, &plain, NULL, want);
}

TEST(flags_are_the_letters_of_the_kernel_or_those_that_trace_cmd_knows)
{
	static const struct { uint32_t flags; const char *kernel, *peer; } t[] = {
		{ 0x00, ".....", "....." }, { 0x01, "d....", "d...." },
		{ 0x80, "b....", "....." }, { 0x81, "D....", "d...." },
		{ 0x02, ".l...", ".L..." }, { 0x04, ".n...", ".N..." },
		{ 0x20, ".p...", "....." }, { 0x24, ".N...", ".N..." },
		{ 0x06, ".b...", ".N..." }, { 0x22, ".L...", ".L..." },
		{ 0x26, ".B...", ".N..." }, { 0x08, "..h..", "..h.." },
		{ 0x10, "..s..", "..s.." }, { 0x18, "..H..", "..H.." },
		{ 0x40, "..z..", "....." }, { 0x48, "..Z..", "..h.." },
		{ 0x50, "..z..", "..s.." }, { 0x58, "..Z..", "..H.." },
		{ 0x3201, "d..23", "d..23" },
	};
	char got[FLAG_LETTERS + 3] = "";
	size_t i;

	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		text_put_flags(got, t[i].flags, KT_LAYOUT_KERNEL);
		assert_string_equal(got, t[i].kernel);
		text_put_flags(got, t[i].flags, KT_LAYOUT_CURRENT);
		assert_string_equal(got, t[i].peer);
	}
	/* Up to 3.2 it took the bit of "lazily" for "not provided by the architecture". */
	text_put_flags(got, 0x02, KT_LAYOUT_3_1);
	assert_string_equal(got, "X....");
	/* Seven characters with the patches for PREEMPT_RT */
	memset(got, 0, sizeof(got));
	assert_ptr_equal(text_put_rt_flags(got, 0x0d | 0x03 << 8, 0), got + 7);
	assert_string_equal(got, "dn.h3..");
	text_put_rt_flags(got, 0x02 | 0x21 << 8, 4);
	assert_string_equal(got, "..L.142");
}

TEST(a_terminal_gets_nothing_that_it_could_obey)
{
	static const char text[16] = "\x1b[2J\nx";
	struct kt_text_opts opts = { .threads = 1, .escape = true };
	struct kt_dat *d = kt_lines_dat();

	kt_dat_begin(d, NAME, 7);
	kt_dat_bytes(d, text, 16);
	kt_dat_end(d, 1000);
	kt_lines_check(d, &opts, NULL, KT_LINE "    0.000001: name:                 text=\\x1b[2J\\x0ax\n");
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

/* A format that shows a set of 80000 bits 200 times, and a record with every second of them */
static struct kt_dat *endless(struct str *format)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });
	uint8_t bits[10000];
	int i;

	str_add(format, "name: mask\nID: 100\n" KT_COMMON
		"\tfield:__data_loc unsigned long[] m;\toffset:8;\tsize:4;\tsigned:0;\n\nprint fmt: \"");
	for (i = 0; i < 200; i++)
		str_add(format, "%s");
	str_add(format, "\"");
	for (i = 0; i < 200; i++)
		str_add(format, ", __get_cpumask(m)");
	str_add(format, "\n");
	memset(bits, 0xaa, sizeof(bits));
	kt_dat_event(d, "test", format->buf);
	kt_dat_buffer(d, "", "local", 16384);
	kt_dat_cpu(d, 0);
	kt_dat_begin(d, 100, 1);
	kt_dat_int(d, 4, sizeof(bits) << 16 | 12);
	kt_dat_bytes(d, bits, sizeof(bits));
	kt_dat_end(d, 1);
	return d;
}

TEST(a_record_does_not_become_text_without_end)
{
	struct str format = STR_INIT;
	struct kt_trace *t = kt_dat_trace(endless(&format));
	struct kt_events *evs = kt_trace_events(t, 0);
	struct kt_out *out = kt_out_create();
	struct kt_record rec;

	assert_int_equal(kt_stream_next(kt_trace_stream(t), &rec, NULL), 1);
	kt_event_text(evs, kt_events_by_id(evs, 100), &rec, out);
	assert_in_range(kt_out_len(out), 1 << 20, 2 << 20);
	kt_out_destroy(out);
	kt_trace_destroy(t);
	str_fini(&format);
}

int main(void)
{
	return RUN(unit(a_task_that_was_not_saved_is_named_by_the_trace),
		   unit(time_is_rounded_half_up),
		   unit(the_first_and_the_last_times_there_are_have_their_seconds),
		   unit(an_unknown_event_says_so),
		   unit(names_of_tasks_are_shown_as_they_are_only_if_they_can_be),
		   unit(json_is_exact_and_well_formed_whatever_the_trace_says),
		   unit(no_line_is_indented_for_a_name_that_no_kernel_allows),
		   unit(flags_are_the_letters_of_the_kernel_or_those_that_trace_cmd_knows),
		   unit(a_terminal_gets_nothing_that_it_could_obey),
		   unit(the_sink_can_end_a_run_with_any_number_of_threads),
		   unit(a_record_does_not_become_text_without_end));
}
