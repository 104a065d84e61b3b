/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_kernel_format.c - with opts.kernel an event has the text of the kernel's trace file */
#include <stdio.h>
#include <string.h>

#include <ktrail/event.h>

#include "base/str.h"
#include "kt_test.h"

#define COMMON \
	"format:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define NUMBER "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
#define ARGUMENT(type, name, at) \
	"\tfield:" type " " name ";\toffset:" #at ";\tsize:8;\tsigned:0;\n"
#define COPY(name, at) \
	"\tfield:__data_loc char[] " name ";\toffset:" #at ";\tsize:4;\tsigned:0;\n"

struct record {
	uint16_t common_type;
	uint8_t  common_flags, common_preempt_count;
	int32_t  common_pid, nr, pad;
	uint64_t args[4];
	uint32_t copy;
	char     data[44];
};
#define DATA(len) (offsetof(struct record, data) | (uint32_t)(len) << 16)

static const struct kt_event_source *source_at(void *data, size_t i)
{
	return (struct kt_event_source *)data + i;
}

/* The text of a record, *@len bytes: a zero byte does not end it */
static const char *text_of(const char *system, const char *format, const void *data, size_t size,
			   size_t *len)
{
	static char text[1024];
	struct kt_event_source source = { .system = system, .format = { format, strlen(format) } };
	const struct kt_events_origin origin =
		{ .long_size = 8, .nr = 1, .at = source_at, .data = &source };
	const struct kt_events_opts opts = { .kernel = true };
	struct kt_record rec = { .data = data, .size = size };
	struct kt_out *out = kt_out_create();
	static const char kallsyms[] = "ffffffff81000000 T _text\nffffffff81001000 T f\n"
		"ffffffffc0000000 t ftrace_trampoline\t[__builtin__ftrace]\n"
		"ffffffffc0001000 t g\t[m]\n"
		"ffffffffc0002000 t end\n";
	struct kt_symbols *syms = kt_symbols_create(NULL, NULL);
	struct kt_events *evs = kt_events_create_from(&origin, syms, NULL);

	kt_symbols_add_text(syms, kallsyms, strlen(kallsyms), NULL);
	assert_non_null(evs);
	assert_int_equal(kt_events_set_opts(evs, &opts, NULL), 0);
	kt_event_text(evs, kt_events_at(evs, 0), &rec, out);
	*len = kt_out_len(out);
	assert_true(*len < sizeof(text));
	memcpy(text, kt_out_data(out), *len + 1);
	kt_out_destroy(out);
	kt_events_destroy(evs);
	kt_symbols_destroy(syms);
	return text;
}

static const char *syscall_text(const char *format, const struct record *rec)
{
	size_t len;

	return text_of("syscalls", format, rec, sizeof(*rec), &len);
}

static const char openat_format[] =
	"name: sys_enter_openat\nID: 760\n" COMMON NUMBER
	ARGUMENT("int", "dfd", 16) ARGUMENT("const char *", "filename", 24)
	ARGUMENT("int", "flags", 32) ARGUMENT("umode_t", "mode", 40) COPY("__filename_val", 48)
	"\nprint fmt: \"dfd: 0x%08lx, filename: 0x%08lx \\\"%s\\\", flags: %s%s, mode: 0%03o\", "
	"((unsigned long)(REC->dfd)), ((unsigned long)(REC->filename)), __get_str(__filename_val), "
	"(REC->flags & ~3) && !(REC->flags & 3) ? \"O_RDONLY|\" : \"\",  REC->flags ? "
	"__print_flags(REC->flags, \"|\", { 0x1, \"O_WRONLY\" }, { 0x2, \"O_RDWR\" }, "
	"{ 0x40, \"O_CREAT\" }, { 0x200, \"O_TRUNC\" }, { 0x10000, \"O_DIRECTORY\" }, "
	"{ 0x80000, \"O_CLOEXEC\" }) : \"O_RDONLY\",  ((unsigned long)(REC->mode))\n";

static const char write_format[] =
	"name: sys_enter_write\nID: 740\n" COMMON NUMBER
	ARGUMENT("unsigned int", "fd", 16) ARGUMENT("const char *", "buf", 24)
	ARGUMENT("size_t", "count", 32) ARGUMENT("long", "more", 40) COPY("__buf_val", 48)
	"\nprint fmt: \"fd: 0x%08lx, buf: 0x%08lx (%s), count: 0x%08lx, more: 0x%08lx\", "
	"((unsigned long)(REC->fd)), ((unsigned long)(REC->buf)), __print_dynamic_array(__buf_val, 1), "
	"((unsigned long)(REC->count)), ((unsigned long)(REC->more))\n";

static const char old_format[] =
	"name: sys_enter_read\nID: 741\n" COMMON NUMBER
	ARGUMENT("unsigned int", "fd", 16) ARGUMENT("char *", "buf", 24)
	ARGUMENT("size_t", "count", 32)
	"\nprint fmt: \"fd: 0x%08lx, buf: 0x%08lx, count: 0x%08lx\", ((unsigned long)(REC->fd)), "
	"((unsigned long)(REC->buf)), ((unsigned long)(REC->count))\n";

static const struct {
	const char *format;
	struct record rec;
	const char *want;
} calls[] = {
	{ old_format, { .args = { 12, 0x7ffe7f1159b8, 832 } },
	  "sys_read(fd: c, buf: 7ffe7f1159b8, count: 340)" },
	{ openat_format, { .args = { 0xffffff9c, 0x1000, 0, 0666 }, .copy = DATA(4),
	  .data = "a/b" },
	  "sys_openat(dfd: 4294967196, filename: 4096 \"a/b\", flags: O_RDONLY)" },
	{ openat_format, { .args = { 3, 1, 0x241, 0640 }, .copy = DATA(4), .data = "a/b" },
	  "sys_openat(dfd: 3, filename: 1 \"a/b\", flags: O_WRONLY|O_CREAT|O_TRUNC, mode: 0640)" },
	{ openat_format, { .args = { 3, 1, 0x90000, 0 }, .copy = DATA(0), .data = "a/b" },
	  "sys_openat(dfd: 3, filename: 1 \"\", flags: O_RDONLY|O_DIRECTORY|O_CLOEXEC, mode: 0000)" },
	{ openat_format, { .args = { 3, 1, 0x410002, 07 }, .copy = DATA(1), .data = "" },
	  "sys_openat(dfd: 3, filename: 1 \"\", flags: O_TMPFILE|O_RDWR, mode: 0007)" },
	{ write_format, { .args = { 9, 0xb0, 3, 10 }, .copy = DATA(3), .data = "hi\nrest" },
	  "sys_write(fd: 9, buf: 0xb0 (68:69:0a) \"hi.\", count: 3, more: 0xa)" },
	{ write_format, { .args = { 1, 2, 4 }, .copy = DATA(3), .data = "hi\n" },
	  "sys_write(fd: 1, buf: 2 (68:69:0a, ...) \"hi.\"..., count: 4, more: 0)" },
	{ write_format, { .args = { 1, 2, 2 }, .copy = DATA(2), .data = "\1\377" },
	  "sys_write(fd: 1, buf: 2 (01:ff), count: 2, more: 0)" },
	{ write_format, { .args = { 1, 2, 9 }, .copy = DATA(0), .data = "" },
	  "sys_write(fd: 1, buf: 2 (, ...), count: 9, more: 0)" },
};

TEST(system_calls_are_those_of_their_kernel)
{
	size_t i, bad = 0;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		const char *have = syscall_text(calls[i].format, &calls[i].rec);

		if (strcmp(have, calls[i].want) && ++bad)
			printf("# have '%s'\n# want '%s'\n", have, calls[i].want);
	}
	assert_int_equal(bad, 0);
}

/* A copy that claims to be longer than its record */
TEST(copies_end_with_the_record)
{
	struct record rec = { .args = { 1, 2, 3 }, .copy = DATA(0xffff) };

	memset(rec.data, 'x', sizeof(rec.data));
	assert_non_null(strstr(syscall_text(write_format, &rec), "xxx\", count: 3"));
	assert_non_null(strstr(syscall_text(openat_format, &rec),
		"xxx\", flags: O_WRONLY|O_RDWR)"));
	rec.copy = 0xfff0 | 8 << 16;
	assert_string_equal(syscall_text(write_format, &rec),
			    "sys_write(fd: 1, buf: 2 (, ...), count: 3, more: 0)");
}

static const char kernel_stack[] =
	"name: kernel_stack\nID: 4\n" COMMON
	"\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n"
	"\nprint fmt: \"\\t=> %ps\\n\", (void *)REC->caller[0]\n";
static const char user_stack[] =
	"name: user_stack\nID: 13\n" COMMON
	"\tfield:unsigned int tgid;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n"
	"\nprint fmt: \"\\t=> %ps\\n\", (void *)REC->caller[0]\n";

TEST(stacks_have_a_line_for_each_frame)
{
	struct { uint64_t head[2], caller[8]; } rec = { { 0 }, { 0xffffffff81000000, 0x7fffffff } };
	size_t len;

	rec.caller[3] = UINT64_MAX;
	assert_string_equal(text_of("ftrace", kernel_stack, &rec, sizeof(rec), &len),
			    "<stack trace>\n => _text\n => [FTRACE TRAMPOLINE]\n => 0\n");
	assert_string_equal(text_of("ftrace", kernel_stack, &rec, 20, &len), "<stack trace>\n");
	rec.caller[0] = 0x7f0012345678;
	assert_string_equal(text_of("ftrace", user_stack, &rec, sizeof(rec), &len),
			    "<user stack trace>\n =>  <00007f0012345678>\n"
			" =>  <000000007fffffff>\n");
}

TEST(a_character_may_be_a_zero_byte)
{
	static const char format[] =
		"name: chars\nID: 5\n" COMMON "\tfield:char c[2];\toffset:8;\tsize:2;\tsigned:1;\n"
		"\nprint fmt: \"{'%c','%c'}\", REC->c[0], REC->c[1]\n";
	const struct record rec = { .nr = 'a' };
	size_t len;
	const char *text = text_of("test", format, &rec, sizeof(rec), &len);

	assert_int_equal(len, 9);
	assert_memory_equal(text, "{'a','\0'}", 9);
}

/* The kernel could not read the string of a probe; any other kind of event has "". */
TEST(a_string_that_could_not_be_read_is_a_fault)
{
#define NAME "name: x\nID: 5\n" COMMON \
	"\tfield:__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: "
#define ARG "name=\\\"%s\\\"\", __get_str(name)\n"
	const struct record rec = { .nr = 12 };
	size_t len;

	assert_string_equal(text_of("kt", NAME "\" " ARG, &rec, 16, &len), " name=(fault)");
	assert_string_equal(text_of("kt", NAME "\"(a.b) " ARG, &rec, 16, &len),
		"(a.b) name=(fault)");
	assert_string_equal(text_of("kt", NAME "\"" ARG, &rec, 16, &len), "name=\"\"");
	assert_string_equal(text_of("kt", NAME "\"(a.b" ARG, &rec, 16, &len), "(a.bname=\"\"");
}

/* A page of ftrace is in kallsyms, but %pS does not find it. */
TEST(addresses_have_the_size_of_their_function_and_its_module)
{
	static const char format[] =
		"name: x\nID: 5\n" COMMON "\tfield:void * ip;\toffset:16;\tsize:8;\tsigned:0;\n"
		"\nprint fmt: \"%pS %ps\", REC->ip, REC->ip\n";
	struct record rec = { .args = { 0xffffffffc0001010 } };
	size_t len;

	assert_string_equal(text_of("test", format, &rec, sizeof(rec), &len),
			    "g+0x10/0x1000 [m] g [m]");
	rec.args[0] = 0xffffffff81000000;
	assert_string_equal(text_of("test", format, &rec, sizeof(rec), &len),
		"_text+0x0/0x1000 _text");
	rec.args[0] = 0xffffffffc00000da;
	assert_string_equal(text_of("test", format, &rec, sizeof(rec), &len),
			    "0xffffffffc00000da 0xffffffffc00000da");
}

int main(void)
{
	return RUN(unit(system_calls_are_those_of_their_kernel), unit(copies_end_with_the_record),
		   unit(stacks_have_a_line_for_each_frame), unit(a_character_may_be_a_zero_byte),
		   unit(addresses_have_the_size_of_their_function_and_its_module),
		   unit(a_string_that_could_not_be_read_is_a_fault));
}
