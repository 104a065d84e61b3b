/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_exec.c - rare constructs of print formats; with "exact", the results of libtraceevent */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/event.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "base/str.h"
#include "kt_test.h"
#include "printer/program.h"

static const char head[] =
	"name: x\nID: 5\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:int n;\toffset:12;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned long big;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:char comm[8];\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:u8 six[6];\toffset:32;\tsize:6;\tsigned:0;\n"
	"\tfield:u8 four[4];\toffset:40;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 sixteen[16];\toffset:44;\tsize:16;\tsigned:0;\n"
	"\tfield:u8 sa[28];\toffset:60;\tsize:28;\tsigned:0;\n"
	"\tfield:__data_loc u16[] d;\toffset:88;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc char[] s;\toffset:92;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc char[] rs;\toffset:96;\tsize:4;\tsigned:0;\n"
	"\tfield:u16 shorts[3];\toffset:100;\tsize:6;\tsigned:0;\n"
	"\tfield:char rest[];\toffset:108;\tsize:0;\tsigned:0;\n"
	"\nprint fmt: ";

struct record {
	uint16_t type;
	uint8_t  flags, preempt;
	int32_t  pid, a, n;
	uint64_t big;
	char     comm[8];
	uint8_t  six[6], pad[2], four[4], sixteen[16], sa[28];
	uint32_t d, s, rs;
	uint16_t shorts[3], pad2;
	char     rest[20];
} __attribute__((packed));

static const struct record record = {
	.type = 5, .pid = 1, .a = 12, .n = -300, .big = 0x8123456789abcdef, .comm = "command",
	.six = { 0x0a, 0xb1, 2, 3, 4, 5 }, .four = { 192, 168, 0, 1 },
	.sixteen = { 0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0xab },
	.sa = { 2, 0, 0x1f, 0x90, 10, 0, 200, 3 },
	.d = 120 | 6 << 16, .s = 108 | 2 << 16, .rs = (112 - 100) | 4 << 16,
	.shorts = { 0x1234, 0xabcd, 7 }, .rest = "hello world\0\1\2\3\4\5\6",
};

static const struct kt_event_source *source_at(void *data, size_t i)
{
	return (struct kt_event_source *)data + i;
}

static const char *text_of(const char *print, const struct record *data, size_t size, bool exact)
{
	static char text[512];
	char format[4096];
	struct kt_event_source source = { "test", { format, 0 } };
	const struct kt_events_origin origin =
		{ .long_size = 8, .nr = 1, .at = source_at, .data = &source };
	const struct kt_events_opts opts = { .exact = exact };
	struct kt_err err = { 0 };
	struct kt_symbols *syms = kt_symbols_create(NULL, &err);
	struct kt_record rec = { .data = (const void *)data, .size = size };
	struct kt_out *out = kt_out_create();
	struct kt_events *evs;
	static const char kallsyms[] = "8123456789abcd00 T func\n9123456789abcd00 T end\n";

	source.format.size = snprintf(format, sizeof(format), "%s%s\n", head, print);
	kt_symbols_add_text(syms, kallsyms, strlen(kallsyms), &err);
	evs = kt_events_create_from(&origin, syms, &err);
	CHECK_NO_ERR(&err);
	kt_events_set_opts(evs, &opts, &err);
	kt_event_text(evs, kt_events_at(evs, 0), &rec, out);
	if (!kt_event_is_compiled(kt_events_at(evs, 0)))
		printf("# not compiled: %s: %s\n", print, kt_event_why_not(kt_events_at(evs, 0)));
	snprintf(text, sizeof(text), "%s", kt_out_data(out));
	kt_out_destroy(out);
	kt_events_destroy(evs);
	kt_symbols_destroy(syms);
	return text;
}

static const char *ours(const char *print, const struct record *data, size_t size)
{
	return text_of(print, data, size, false);
}

static const char *theirs(const char *print, const struct record *data, size_t size)
{
	static char text[512];
	char format[4096], kallsyms[] = "8123456789abcd00 T func\n9123456789abcd00 T end\n";
	struct tep_record rec = { .data = (void *)data, .size = size };
	struct tep_handle *tep = tep_alloc();
	struct trace_seq seq;

	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, 8);
	tep_parse_kallsyms(tep, kallsyms);
	tep_parse_event(tep, format, snprintf(format, sizeof(format), "%s%s\n", head, print), "test");
	trace_seq_init(&seq);
	tep_print_event(tep, &seq, &rec, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&seq);
	snprintf(text, sizeof(text), "%s", seq.buffer);
	trace_seq_destroy(&seq);
	tep_free(tep);
	return text;
}

static void check_all(const char *const *prints, size_t nr, const struct record *data)
{
	size_t i, bad = 0;

	NEEDS_TEP_1_7();
	for (i = 0; i < nr; i++) {
		const char *have = text_of(prints[i], data, sizeof(*data), true);
		const char *want = theirs(prints[i], data, sizeof(*data));

		if (strcmp(have, want) && ++bad)
			printf("# %s\n#   have '%s'\n#   want '%s'\n", prints[i], have, want);
	}
	assert_int_equal(bad, 0);
}
#define CHECK_ALL(prints, data) check_all(prints, sizeof(prints) / sizeof((prints)[0]), data)

TEST(operators_see_all_bits)
{
	static const char *const prints[] = {
		"\"%d %d\", REC->a | 4, REC->a & 4",
		"\"%lx %lx\", REC->big >> 4, REC->big << 40",
		"\"%d %d %d %d\", REC->big > 3, REC->big < 3, REC->big >= 3, REC->big <= 3",
		"\"%d %d %d %d\", REC->a > 12, REC->a < 12, REC->a >= 12, REC->a <= 12",
		"\"%d %d\", REC->a && 0, REC->a || 0", "\"%d %d\", REC->a == 12, REC->a != 12",
		"\"%d %d %d\", REC->a + 30, REC->a - 30, REC->a * 30",
		"\"%ld %ld\", REC->big / 3, REC->big % 7", "\"%d\", REC->a ? 3 : 4",
		"\"%lx %lx\", (unsigned int)REC->big, (unsigned char)REC->big",
		"\"%d %d %d\", !REC->a, ~REC->a, REC->shorts[1]",
		"\"%d %d\", __get_dynamic_array(s) ? 1 : 0, __get_dynamic_array_len(s)",
	};

	CHECK_ALL(prints, &record);
}

TEST(conversions_have_widths_precisions_and_lengths)
{
	static const char *const prints[] = {
		"\"%5d|%-5d|%05d|%.4d|%8.4d|%-8.4d|\", REC->a, REC->a, REC->a, REC->a, REC->a, REC->a",
		"\"%#x|%#X|%#o|%X|%o|%x\", REC->big, REC->big, REC->a, REC->big, REC->a, REC->a",
		"\"%hhd|%hd|%hhu|%hu|%d|%u\", REC->n, REC->n, REC->n, REC->n, REC->n, REC->n",
		"\"%ld|%lu|%lx|%llX|%lo\", REC->n, REC->n, REC->big, REC->big, REC->big",
		"\"%08.3d|\", REC->a", "\"%-08d|\", REC->a",
		"\"%.0d|%.0d|%#.0o|%#.4o|%#o\", REC->a, REC->a - 12, REC->a - 12, REC->a, REC->a - 12",
		"\"%*d|%-*d|%.*d\", 6, REC->a, 6, REC->a, 4, REC->a",
		"\"%10s|%-10s|%.3s|%*s\", REC->comm, REC->comm, REC->comm, 9, REC->comm",
		"\"%10s|%-10s|%.3s|%s\", __get_str(s), __get_str(s), __get_str(s), \"const\"",
		"\"%s\", REC->rest", "\"%20s\", REC->rest", "\"%s|%s\", REC->a ? \"y\" : \"n\", REC->a > 12 ? \"y\" : \"n\"",
		"\"%p %p\", REC->big, REC->a - 12", "\"%ps %pS %ps\", REC->big, REC->big, REC->a",
		"\"%s\", REC->big",
		"\"%5s|%-6s|\", __print_symbolic(REC->a, { 12, \"ab\" }), __print_symbolic(REC->a, { 12, \"ab\" })",
		"\"%s|%s\", __print_symbolic(REC->a, { 1, \"x\" }), __print_symbolic(REC->big, { 0x89abcdef, \"x\" })",
		("\"%s|%s|%s\", __print_flags(REC->a, \"|\", { 4, \"f\" }, { 8, \"e\" }), "
		 "__print_flags(REC->a, \"|\", { 4, \"f\" }), __print_flags(REC->a - 12, \"|\", { 0, \"none\" }, { 1, \"o\" })"),
		"\"%s\", __print_flags(REC->a, \"|\", { 24, \"x\" }, { 12, \"y\" }, { 4, \"z\" })",
	};

	CHECK_ALL(prints, &record);
}

TEST(arrays_of_bytes_and_numbers)
{
	static const char *const prints[] = {
		"\"%s|%s\", __print_hex(REC->six, 6), __print_hex_str(REC->six, 6)",
		"\"%s|%s\", __print_hex(REC->big, 8), __print_hex(REC->six, 2)",
		"\"%s|%s\", __print_array(REC->shorts, 3, 2), __print_array(REC->six, 3, 1)",
		"\"%s|%s\", __print_array(REC->six, 3, 3), __print_array(REC->six, 1, 3)",
		("\"%*ph|%*phC|%*phD|%*phN\", 4, __get_dynamic_array(d), 4, __get_dynamic_array(d), "
		 "4, __get_dynamic_array(d), 4, __get_dynamic_array(d)"),
		"\"%ph\", __get_dynamic_array(d)",
		"\"%x %x\", ((u16 *)__get_dynamic_array(d))[0], ((u16 *)__get_dynamic_array(d))[2]",
	};

	CHECK_ALL(prints, &record);
}

TEST(addresses_of_the_network_and_uuids)
{
	static const char *const prints[] = {
		"\"%pM|%pm|%pMF|%pMR|%pmR|%pmF\", REC->six, REC->six, REC->six, REC->six, REC->six, REC->six",
		"\"%pI4|%pi4|%pI4h|%pI4l|%pI4b|%pI4n\", REC->four, REC->four, REC->four, REC->four, REC->four, REC->four",
		"\"%pI6|%pi6|%pI6c\", REC->sixteen, REC->sixteen, REC->sixteen",
		"\"%pIS|%piS|%pISp|%pISc|%pISpc|%pISh\", REC->sa, REC->sa, REC->sa, REC->sa, REC->sa, REC->sa",
		"\"%pU|%pUb|%pUl|%pUB|%pUL\", REC->sixteen, REC->sixteen, REC->sixteen, REC->sixteen, REC->sixteen",
		"\"%pM|%pI4|%pI6|%pU\", REC->four, REC->six, REC->sa, REC->sa",
	};
	static const uint8_t forms[][16] = {
		{ 0 }, { [15] = 1 }, { [0] = 1 }, { [10] = 0xff, 0xff, 1, 2, 3, 4 },
		{ 0xfe, 0x80, [8] = 0, 0, 0x5e, 0xfe, 1, 2, 3, 4 },
		{ 0xfe, 0x80, [8] = 2, 0, 0x5e, 0xfe, 1, 2, 3, 4 },
		{ 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 4 },
		{ 0, 1, 0, 0, 0, 0, 0, 2, 0, 3, 0, 0, 0, 0, 0, 4 },
		{ 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8 },
	};
	struct record data = record;
	size_t i;

	CHECK_ALL(prints, &data);
	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		memcpy(data.sixteen, forms[i], 16);
		data.sa[0] = 10;
		memcpy(data.sa + 8, forms[i], 16);
		CHECK_ALL(prints, &data);
	}
	data.sa[0] = 77;
	CHECK_ALL(prints, &data);
}

TEST(addresses_of_another_size_are_shown_as_invalid)
{
	static const char *const prints[] = {
		"\"%pM|%pM\", REC->sixteen, REC->comm",
		"\"%pI4|%pI6|%pU\", REC->comm, REC->sa, REC->sa",
		"\"%pIS|%pISpc\", REC->comm, REC->sixteen",
		"\"%pISpc\", __get_dynamic_array(d)",
	};
	struct record data = record;

	memcpy(data.comm, data.sa, sizeof(data.comm));
	memcpy(data.sixteen, data.sa, sizeof(data.sixteen));
	memcpy(data.rest, data.sa, sizeof(data.rest));
	data.d = 108 | 15 << 16;
	CHECK_ALL(prints, &data);
	data.d = 108 | 16 << 16;
	CHECK_ALL(prints, &data);
	data.sixteen[0] = data.rest[0] = 10;
	CHECK_ALL(prints, &data);
	/* The kernel takes as many bytes as it prints. */
	assert_string_equal(ours("\"%pI4|%pM\", REC->six, REC->four", &record, sizeof(record)),
			    "10.177.2.3|INVALIDMAC");
}

TEST(a_sign_can_be_asked_for)
{
	struct spec spec = { .conv = 'd', .plus = '+', .width = -1, .precision = -1 };
	struct kt_out *out = kt_out_create();

	program_put_number(out, &spec, 5);
	program_put_number(out, &spec, -5);
	spec.plus = ' ';
	spec.width = 4;
	program_put_number(out, &spec, 5);
	str_addc(&out->text, '|');
	assert_string_equal(kt_out_data(out), "+5-5   5|");
	kt_out_destroy(out);
}

TEST(a_character_of_zero_is_none)
{
	struct record data = record;

	data.a = 0;
	assert_string_equal(ours("\"[%c]\", REC->a", &data, sizeof(data)), "[]");
	assert_string_equal(ours("\"[%c]\", REC->comm[0]", &record, sizeof(record)), "[c]");
}

TEST(a_character_may_be_chosen_of_two)
{
	static const char *const prints[] = {
		"\"%c%c\", REC->a ? '7' : 'x', REC->n > 0 ? 'y' : '8'",
	};

	CHECK_ALL(prints, &record);
	assert_string_equal(ours(prints[0], &record, sizeof(record)), "78");
}

TEST(a_stack_is_a_number_and_that_many_addresses)
{
	struct record data = record;

	/* two numbers of eight bytes: the length, and an address in "func" */
	data.d = 44 | 16 << 16;
	memcpy(data.sixteen, &(uint64_t[]){ 1, 0x8123456789abcd10 }, 16);
	assert_string_equal(ours("\"%s\", __get_stacktrace(d)", &data, sizeof(data)),
			    "STACK:\n=> func+0x10\n");
}

/* The library differs: it reads beyond the record, or does not know the value. */
TEST(data_after_the_record_are_zero)
{
	assert_string_equal(ours("\"%d\", REC->shorts[3]", &record, 107), "0");
	assert_string_equal(ours("\"%d\", REC->shorts[REC->a]", &record, 125), "0");
	assert_string_equal(ours("\"%x\", REC->shorts[2]", &record, sizeof(record)), "7");
}

TEST(exclusive_or_works_though_not_in_the_library)
{
	assert_string_equal(ours("\"%d\", REC->a ^ 6", &record, sizeof(record)), "10");
}

TEST(a_string_goes_on_to_its_zero)
{
	assert_string_equal(ours("\"%s\", __get_str(s)", &record, sizeof(record)), "hello world");
	assert_string_equal(ours("\"%s\", __get_rel_str(rs)", &record, sizeof(record)), "o world");
}

TEST(masks_need_not_be_whole_words)
{
	assert_string_equal(ours("\"%s\", __get_bitmask(d)", &record, sizeof(record)),
			    "00000605,04030201");
	assert_string_equal(ours("\"%s\", __get_cpumask(d)", &record, sizeof(record)),
			    "0,9,16-17,26,32,34,41-42");
}

int main(void)
{
	return RUN(unit(operators_see_all_bits),
		   unit(conversions_have_widths_precisions_and_lengths),
		   unit(arrays_of_bytes_and_numbers),
		   unit(addresses_of_the_network_and_uuids),
		   unit(addresses_of_another_size_are_shown_as_invalid),
		   unit(a_sign_can_be_asked_for),
		   unit(a_character_of_zero_is_none),
		   unit(a_character_may_be_chosen_of_two),
		   unit(a_stack_is_a_number_and_that_many_addresses),
		   unit(data_after_the_record_are_zero),
		   unit(exclusive_or_works_though_not_in_the_library),
		   unit(a_string_goes_on_to_its_zero),
		   unit(masks_need_not_be_whole_words));
}
