/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_expr.c - expressions of print formats have the values that C gives them */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/event.h>

#include "base/str.h"
#include "kt_test.h"

/* The tests need code that compilers warn about. */
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wformat"

/* As C code, and as text for a program that the test compiles */
#define C_AND_TEXT(name, ...) static const char name[] = #__VA_ARGS__; __VA_ARGS__

C_AND_TEXT(types_text,
typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef short s16;
typedef unsigned int u32;
typedef int s32;
typedef unsigned long u64;
typedef long s64;
)

C_AND_TEXT(record_text,
struct record {
	u16 common_type;
	u8  common_flags, common_preempt_count;
	s32 common_pid;
	int a, b;
	u32 u;
	u16 h;
	s16 sh;
	u64 t;
	s64 st;
	u8  c;
	s8  sc;
	u8  pad[6];
	s16 list[4];
	u32 d, empty, str;
	char data[24];
} __attribute__((packed));
)

#define FIELD(type, name, size, sign) \
	{ type " " #name, offsetof(struct record, name), size, sign }
static const struct {
	const char *decl;
	size_t offset;
	int size, sign;
} fields[] = {
	FIELD("unsigned short", common_type, 2, 0), FIELD("unsigned char", common_flags, 1, 0),
	FIELD("unsigned char", common_preempt_count, 1, 0), FIELD("int", common_pid, 4, 1),
	FIELD("int", a, 4, 1), FIELD("int", b, 4, 1), FIELD("u32", u, 4, 0), FIELD("u16", h, 2, 0),
	FIELD("s16", sh, 2, 1), FIELD("u64", t, 8, 0), FIELD("s64", st, 8, 1), FIELD("u8", c, 1, 0),
	FIELD("s8", sc, 1, 1), { "s16 list[]", offsetof(struct record, list), 8, 1 },
	FIELD("__data_loc u16[]", d, 4, 0), FIELD("__data_loc char[]", empty, 4, 0),
	FIELD("__data_loc char[]", str, 4, 0),
};

#define AT(member, len) ((u32)(offsetof(struct record, data) + (member)) | (u32)(len) << 16)
static const struct record records[] = {
	{ .a = 12, .b = -5, .u = 0x80000001, .h = 65535, .sh = -2, .t = 1234567890123456789,
	  .st = -7000000000, .c = 200, .sc = -100, .list = { 1, -1, 32767, -32768 },
	  .d = AT(0, 8), .empty = AT(8, 0), .str = AT(8, 6), .data = "\1\2\3\4\5\6\7\10hello" },
	{ .a = -2147483647 - 1, .b = 2147483647, .u = 0xffffffff, .h = 1, .sh = 32767, .t = ~0ull,
	  .st = 1, .c = 0, .sc = 127, .d = AT(0, 8), .empty = AT(8, 0), .str = AT(8, 6),
	  .data = "\377\377\376\377\0\0\1\0bye" },
	{ .a = 0, .b = 1, .st = -1, .sc = -1, .sh = -1, .h = 7,
	  .d = AT(0, 8), .empty = AT(8, 0), .str = AT(8, 1), },
};

static void add_format(struct str *s, const char *print)
{
	size_t i;

	str_add(s, "name: x\nID: 5\nformat:\n");
	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		str_addf(s, "\tfield:%s;\toffset:%zu;\tsize:%d;\tsigned:%d;\n%s", fields[i].decl,
			 fields[i].offset, fields[i].size, fields[i].sign, i == 3 ? "\n" : "");
	str_addf(s, "\nprint fmt: %s\n", print);
}

static const struct kt_event_source *source_at(void *data, size_t i)
{
	return (struct kt_event_source *)data + i;
}

static const char *text_of(const char *print, const struct record *data)
{
	static char text[1024];
	struct str format = STR_INIT;
	struct kt_event_source source = { .system = "test" };
	const struct kt_events_origin origin =
		{ .long_size = 8, .nr = 1, .at = source_at, .data = &source };
	struct kt_record rec = { .data = (const void *)data, .size = sizeof(*data) };
	struct kt_out *out = kt_out_create();
	struct kt_events *evs;

	add_format(&format, print);
	source.format = (struct kt_blob){ format.buf, format.len };
	evs = kt_events_create_from(&origin, NULL, NULL);
	assert_non_null(evs);
	kt_event_text(evs, kt_events_at(evs, 0), &rec, out);
	snprintf(text, sizeof(text), "%s", kt_out_data(out));
	kt_out_destroy(out);
	kt_events_destroy(evs);
	str_fini(&format);
	return text;
}

static size_t bad;

static void check(const char *print, const struct record *data, const char *want)
{
	const char *have = text_of(print, data);

	if (strcmp(have, want) && ++bad)
		printf("# %s\n#   have '%s'\n#   want '%s'\n", print, have, want);
}

/* The compiler computes the value of the text that is also the print format. */
#define SAME(conversion, expr) do {						\
	char want[1024];							\
	size_t i;								\
	for (i = 0; i < sizeof(records) / sizeof(records[0]); i++) {		\
		const struct record *REC = &records[i];				\
		snprintf(want, sizeof(want), conversion, expr);			\
		check("\"" conversion "\", " #expr, REC, want);			\
	}									\
} while (0)

TEST(operators_bind_as_in_c)
{
	bad = 0;
	SAME("%d", 1 + REC->h * 2 - 3);
	SAME("%d", (1 + REC->h) * (2 - 3));
	SAME("%d", REC->b / (REC->h | 1));
	SAME("%d", REC->h / 3 % 4 * 5);
	SAME("%d", REC->h % 7 / 2);
	SAME("%llu", (unsigned long long)(REC->t % 1000000000 / 1000));
	SAME("%d", REC->a & 0xf0 | 0x0f ^ REC->h);
	SAME("%d", (REC->c & 1) == 0 && REC->h > 3 || REC->sc < 0);
	SAME("%d", REC->c & 1 == 0);
	SAME("%d", REC->h << 2 + 1 >> 1);
	SAME("%d", REC->h - 3 - 2 - 1);
	SAME("%d", 1 ? REC->h ? 2 : 3 : 4);
	SAME("%d", !REC->a == REC->b > 0);
	SAME("%d", -REC->h - -3);
	SAME("%d", ~REC->sh & 0xff);
	SAME("%d", REC->a == 0 ? 1 : REC->a < 0 ? 2 : 3);
	SAME("%d", (REC->a != 0) + (REC->b != 0) * 2 << 3);
	assert_int_equal(bad, 0);
}

TEST(numbers_have_the_width_and_sign_of_their_types)
{
	bad = 0;
	SAME("%d", REC->sh >> 1);
	SAME("%d", REC->b >> 1);
	SAME("%u", REC->u >> 1);
	SAME("%lld", (long long)(REC->st >> 3));
	SAME("%lld", (long long)(REC->st / 7));
	SAME("%lld", (long long)(REC->st % 7));
	SAME("%d", REC->sh / 3);
	SAME("%d", REC->sh % 4);
	SAME("%d", REC->b < 3);
	SAME("%d", REC->b < 3u);
	SAME("%d", REC->u < REC->b);
	SAME("%d", REC->sh < REC->h);
	SAME("%d", REC->st < REC->u);
	SAME("%d", REC->st < (s64)REC->t);
	SAME("%d", REC->st > REC->t);
	SAME("%d", REC->sc == 0xff);
	SAME("%d", (u8)REC->sc == 0xff);
	SAME("%llx", (unsigned long long)(REC->u + 1));
	SAME("%llx", (unsigned long long)(REC->u + 1ULL));
	SAME("%llx", (unsigned long long)(REC->c << 16));
	SAME("%llx", (unsigned long long)~REC->u);
	SAME("%llx", (unsigned long long)~REC->c);
	SAME("%llx", (unsigned long long)-REC->u);
	SAME("%llx", (unsigned long long)REC->sh);
	SAME("%llx", (unsigned long long)(u16)REC->sh);
	SAME("%llx", (unsigned long long)(u32)REC->st);
	SAME("%llx", (unsigned long long)(s32)REC->st);
	SAME("%llu", (unsigned long long)(REC->u * 3));
	SAME("%llu", (unsigned long long)(REC->t >> 32));
	SAME("%lld", (long long)(0 ? REC->u : -1));
	SAME("%lld", (long long)(1 ? REC->sh : 1u));
	SAME("%d", (char)REC->c);
	SAME("%d", (unsigned char)REC->sc + 1);
	SAME("%lld", (long long)(REC->a * 2LL));
	SAME("%hhd", REC->c);
	SAME("%x", REC->sh);
	SAME("%u", REC->sc);
	SAME("%d", REC->h);
	SAME("%hd", REC->sh);
	SAME("%5d|", REC->sc);
	SAME("%+d", REC->sh);
	SAME("% d", REC->h);
	SAME("%03d", REC->sc);
	assert_int_equal(bad, 0);
}

TEST(constants_have_the_first_type_that_holds_them)
{
	bad = 0;
	SAME("%llx", (unsigned long long)((1 << 3) | (1U << 31)));
	SAME("%llx", (unsigned long long)(1ULL << 40));
	SAME("%llx", (unsigned long long)((((1UL)) << (35))));
	SAME("%llx", (unsigned long long)(0xffffffff + 1));
	SAME("%llx", (unsigned long long)(4294967295 + 1));
	SAME("%llx", (unsigned long long)(2147483647 + 1u));
	SAME("%d", -1 < 0xffffffff);
	SAME("%d", -1 < 4294967295);
	SAME("%d", 'a' + 017 + 0x1F);
	SAME("%d", (int)sizeof(u32) + (int)sizeof(unsigned long) + (int)sizeof(void *));
	SAME("%d", (int)(sizeof(u16) - 3 > 0));
	assert_int_equal(bad, 0);
}

TEST(elements_have_their_size_and_sign)
{
	bad = 0;
	SAME("%d", REC->list[1]);
	SAME("%d", REC->list[REC->h & 3] * 2);
	SAME("%d", ((u8 *)REC->list)[1]);
	check("\"%x %x\", ((u16 *)__get_dynamic_array(d))[1], ((u8 *)__get_dynamic_array(d))[2]",
	      &records[0], "403 3");
	check("\"%d\", ((s16 *)__get_dynamic_array(d))[1]", &records[1], "-2");
	check("\"%d\", *(s16 *)__get_dynamic_array(d)", &records[1], "-1");
	check("\"%d\", __get_dynamic_array_len(d) / 2 - 5", &records[0], "-1");
	check("\"%d\", (int)(__get_dynamic_array_len(d) / sizeof(u16))", &records[0], "4");
	assert_int_equal(bad, 0);
}

TEST(arrays_are_written_as_in_the_kernel)
{
	bad = 0;
	check("\"%s\", __print_array(REC->list, 4, 2)", &records[0], "{0x1,0xffff,0x7fff,0x8000}");
	check("\"%s\", __print_array(REC->list, 0, 2)", &records[0], "{}");
	check("\"%s\", __print_array(REC->list, 1, 3)", &records[0], "{BAD SIZE:3 0x1,0x0,0xff}");
	check("\"%s\", __print_dynamic_array(d, 1)", &records[0], "{0x1,0x2,0x3,0x4,0x5,0x6,0x7,0x8}");
	check("\"%s\", __print_hex(&REC->list[1], 4)", &records[0], "ff ff ff 7f");
	check("\"%6phC\", &REC->list[1]", &records[0], "ff:ff:ff:7f:00:80");
	check("\"%64phC\", &REC->list[1]", &records[0], "ff:ff:ff:7f:00:80");
	assert_int_equal(bad, 0);
}

TEST(a_function_of_the_module_is_unknown_and_the_rest_is_read)
{
	bad = 0;
	check("\"%u<%s> %d\", kt_help(REC->a, (1 + 2)), kt_name(REC->a), REC->a", &records[0],
	      "?<?> 12");
	check("\"%pI4 %5d|\", kt_help(), 1 + kt_help()", &records[0], "? ?|");
	assert_int_equal(bad, 0);
}

TEST(statements_of_min_and_max)
{
	static const char min[] =
		"\"%d/%d\", ({ int __x = (REC->a); int __y = (8); ((__x) < (__y) ? (__x) : (__y)); }), "
		"({ const u16 x = REC->b; ({ u8 y = x; y; }) + x; })";

	bad = 0;
	check(min, &records[0], "8/65782");
	check(min, &records[2], "0/2");
	check("\"%d\", ({ int x = 1; int x = 2; })", &records[0],
	      "[FAILED TO PARSE] a=12 b=-5 u=2147483649 h=65535 sh=-2 t=1234567890123456789 "
	      "st=-7000000000 c=200 sc=-100 list=ARRAY[01, 00, ff, ff, ff, 7f, 00, 80] "
	      "d=ARRAY[01, 02, 03, 04, 05, 06, 07, 08] empty= str=hello");
	assert_int_equal(bad, 0);
}

TEST(the_header_of_a_record_and_tables_without_entries)
{
	const struct record data = { .common_pid = 77, .a = 12 };

	bad = 0;
	check("\"%d %x\", REC->ent.pid, REC->ent.flags", &data, "77 0");
	check("\"%s\", REC->a ? __print_symbolic(REC->a) : \"\"", &data, "0xc");
	assert_int_equal(bad, 0);
}

TEST(strings_are_chosen_and_padded_as_a_whole)
{
	bad = 0;
	SAME("%s", REC->a > 5 ? "big" : "small");
	SAME("%6s|", REC->a == 0 ? "zero" : REC->a < 0 ? "neg" : "pos");
	SAME("%s", (REC->c & 1) ? (REC->c & 2 ? "both" : "one") : "none");
	SAME("%-6.2s|", "abc" "def");
	check("\"[%s] [%s]\", __get_str(str), __get_str(empty)", &records[0], "[hello] []");
	check("\"%s\", REC->a ? __get_str(str) : \"none\"", &records[0], "hello");
	check("\"%6s|%-6s|\", __print_flags(REC->h & 3, \"+\", { 1, \"a\" }, { 2, \"b\" }), "
	      "__print_symbolic(REC->a, { 12, \"x\" })", &records[0], "   a+b|x     |");
	check("\"%s\", REC->h ? __print_flags(REC->h & 3, \"\", { 1, \"a\" }, { 2, \"b\" }) : \"-\"",
	      &records[0], "ab");
	assert_int_equal(bad, 0);
}

TEST(names_of_numbers_are_found_as_the_kernel_finds_them)
{
	bad = 0;
	check("\"%s\", __print_symbolic(REC->b, { -5, \"minus\" }, { 0, \"zero\" })", &records[0], "minus");
	check("\"%s\", __print_symbolic(REC->a, { 0, \"zero\" }, { 1, \"one\" })", &records[1],
	      "0xffffffff80000000");
	check("\"%s\", __print_symbolic(REC->u, { -1, \"all\" }, { 1, \"one\" })", &records[1], "0xffffffff");
	check("\"%s\", __print_flags(REC->c, \"|\", { (1 << 3), \"X\" }, { ((((1UL))) << (6)), \"Y\" }, "
	      "{ (u8)~0x7f, \"Z\" })", &records[0], "X|Y|Z");
	check("\"%s\", __print_flags(REC->a, \"|\", { 0, \"none\" }, { 1, \"o\" })", &records[2], "");
	check("\"%s\", __print_flags(REC->t & 3ULL << 40, \"|\", { 1ULL << 40, \"hi\" })", &records[1],
	      "hi|0x20000000000");
	check("\"%s\", __print_symbolic(REC->a, { HRTIMER_MODE_ABS, \"ABS\" })", &records[2], "ABS");
	assert_int_equal(bad, 0);
}

/* An unknown enumerator: not 0, and the rest of the text is right. */
TEST(an_unknown_enumerator_is_a_question_mark)
{
	bad = 0;
	check("\"%s a=%d\", REC->a == SOME_ENUM ? \"yes\" : \"no\", REC->a", &records[0], "? a=12");
	check("\"%s\", __print_symbolic(REC->a, { SOME_ENUM, \"x\" }, { 12, \"y\" })", &records[0], "y");
	assert_int_equal(bad, 0);
}

TEST(quotes_of_a_format_may_be_bare)
{
	bad = 0;
	check("\"name=\"%s\" a=%d \\\"%s\\\" \\ \", __get_str(str), REC->a, \"q\\\"r\"", &records[0],
	      "name=\"hello\" a=12 \"q\"r\" \\ ");
	assert_int_equal(bad, 0);
}

TEST(numbers_with_a_prefix_are_the_kernels)
{
	bad = 0;
	check("\"%#x %#06x %#lx %#o\", REC->a, REC->a, REC->t, REC->a", &records[2], "0x0 0x0000 0x0 0");
	check("\"%px|%6phC\", REC->t, REC->list", &records[1], "ffffffffffffffff|00:00:00:00:00:00");
	assert_int_equal(bad, 0);
}

/* ---- random expressions, compared with a compiler ---- */

#define NR_RANDOM 400

static uint32_t random_below(uint32_t end)
{
	static uint32_t state = 20261122;

	state = state * 1664525 + 1013904223;
	return (state >> 8) % end;
}

static void add_random(struct str *s, int depth);

static void add_operand(struct str *s)
{
	static const char *const all[] = {
		"REC->a", "REC->b", "REC->u", "REC->h", "REC->sh", "REC->t", "REC->st", "REC->c",
		"REC->sc", "REC->list[1]", "REC->list[3]", "1", "7", "0x80", "255u", "2147483647",
		"4294967295", "0xffffffff", "1ul", "0x7fffffffffffffff", "sizeof(int)",
	};

	str_add(s, all[random_below(sizeof(all) / sizeof(all[0]))]);
}

static void add_unary(struct str *s, int depth)
{
	static const char *const all[] = {
		"- ", "~", "!", "+ ", "(u8)", "(s8)", "(s16)", "(unsigned int)", "(int)", "(u64)", "(s64)",
	};

	str_add(s, all[random_below(sizeof(all) / sizeof(all[0]))]);
	str_addc(s, '(');
	add_random(s, depth - 1);
	str_addc(s, ')');
}

/* Divide only by numbers above 0: neither by 0 nor the smallest number by -1 */
static void add_division(struct str *s, int depth)
{
	struct str divisor = STR_INIT;

	add_random(&divisor, depth - 1);
	str_addf(s, "((%s) > 0 ? (", divisor.buf);
	add_random(s, depth - 1);
	str_addf(s, ") %c (%s) : ", "/%"[random_below(2)], divisor.buf);
	add_operand(s);
	str_addc(s, ')');
	str_fini(&divisor);
}

static void add_binary(struct str *s, int depth)
{
	static const char *const all[] = {
		"<<", ">>", "/", "%", "+", "-", "*", "&", "|", "^", "==", "!=", "<", ">", "<=",
		">=",
		"&&", "||",
	};
	size_t i = random_below(sizeof(all) / sizeof(all[0]));

	add_random(s, depth - 1);
	if (i < 4) {			/* avoid undefined shifts and divisions */
		str_addf(s, " %s (1 + (7 & ", all[i]);
		add_operand(s);
		str_add(s, "))");
	} else {
		str_addf(s, " %s ", all[i]);
		add_random(s, depth - 1);
	}
}

static void add_random(struct str *s, int depth)
{
	switch (depth ? random_below(9) : 0) {
	case 0:
		add_operand(s);
		break;
	case 4:
		add_division(s, depth);
		break;
	case 1:
		add_unary(s, depth);
		break;
	case 2:
		str_addc(s, '(');
		add_random(s, depth - 1);
		str_add(s, " ? ");
		add_random(s, depth - 1);
		str_add(s, " : ");
		add_random(s, depth - 1);
		str_addc(s, ')');
		break;
	case 3:
		str_addc(s, '(');
		add_binary(s, depth);
		str_addc(s, ')');
		break;
	default:
		add_binary(s, depth);
	}
}

/* A program that prints the values of @exprs for each record that it is given */
static void add_program(struct str *s, struct str *exprs)
{
	size_t i;

	str_addf(s, "#include <stdio.h>\n%s\n%s\nint main(int n, char **v)\n{\n"
		    "struct record r, *REC = &r; FILE *f = fopen(v[1], \"r\");\n"
		    "while (fread(&r, sizeof(r), 1, f)) {\n", types_text, record_text);
	for (i = 0; i < NR_RANDOM; i++)
		str_addf(s, "printf(\"%%llx\\n\", (unsigned long long)(%s));\n", exprs[i].buf);
	str_add(s, "}\nreturn 0;\n}\n");
}

static FILE *answers_of_compiler(struct str *exprs)
{
	struct str program = STR_INIT, command = STR_INIT;
	FILE *f = NULL;

	add_program(&program, exprs);
	kt_spill(kt_tmp("random.c"), program.buf, program.len);
	kt_spill(kt_tmp("records"), records, sizeof(records));
	str_addf(&command, "${CC:-cc} -w -fwrapv -o %s", kt_tmp("random"));
	str_addf(&command, " %s 2>/dev/null", kt_tmp("random.c"));
	if (system(command.buf) == 0) {
		str_reset(&command);
		str_addf(&command, "%s", kt_tmp("random"));
		str_addf(&command, " %s", kt_tmp("records"));
		f = popen(command.buf, "r");
	}
	str_fini(&program);
	str_fini(&command);
	return f;
}

TEST(random_expressions_have_the_values_of_a_compiler)
{
	struct str exprs[NR_RANDOM], print = STR_INIT;
	char want[64];
	size_t i, j;
	FILE *f;

	for (i = 0; i < NR_RANDOM; i++) {
		exprs[i] = (struct str)STR_INIT;
		add_random(&exprs[i], 4);
	}
	f = answers_of_compiler(exprs);
	bad = 0;
	for (j = 0; f && j < sizeof(records) / sizeof(records[0]); j++)
		for (i = 0; i < NR_RANDOM; i++) {
			str_reset(&print);
			str_addf(&print, "\"%%llx\", (unsigned long long)(%s)", exprs[i].buf);
			assert_non_null(fgets(want, sizeof(want), f));
			want[strcspn(want, "\n")] = '\0';
			check(print.buf, &records[j], want);
		}
	for (i = 0; i < NR_RANDOM; i++)
		str_fini(&exprs[i]);
	str_fini(&print);
	if (!f)
		skip();
	pclose(f);
	assert_int_equal(bad, 0);
}

int main(void)
{
	return RUN(unit(operators_bind_as_in_c),
		   unit(numbers_have_the_width_and_sign_of_their_types),
		   unit(constants_have_the_first_type_that_holds_them),
		   unit(elements_have_their_size_and_sign),
		   unit(arrays_are_written_as_in_the_kernel),
		   unit(a_function_of_the_module_is_unknown_and_the_rest_is_read),
		   unit(statements_of_min_and_max),
		   unit(the_header_of_a_record_and_tables_without_entries),
		   unit(strings_are_chosen_and_padded_as_a_whole),
		   unit(names_of_numbers_are_found_as_the_kernel_finds_them),
		   unit(an_unknown_enumerator_is_a_question_mark),
		   unit(quotes_of_a_format_may_be_bare),
		   unit(numbers_with_a_prefix_are_the_kernels),
		   unit(random_expressions_have_the_values_of_a_compiler));
}
