/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_events.c - formats found and parsed, typed values, hostile texts, formatters */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ktrail/event.h>

#include "event/syscall_names.h"
#include "kt_reading.h"
#include "kt_test.h"
#include "symbols/symbols.h"

#define FIELD(decl, offset, size, sign) \
	"\tfield:" decl ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #sign ";\n"
#define FORMAT(name, id, fields, print) \
	"name: " name "\nID: " #id "\n" KT_COMMON fields "\nprint fmt: " print "\n"

static const char typed[] = FORMAT("typed", 700,
	FIELD("int a", 8, 4, 1) FIELD("unsigned long b", 16, 8, 0) FIELD("char comm[8]", 24, 8, 0)
	FIELD("__data_loc char[] s", 32, 4, 1) FIELD("__rel_loc u16[] r", 36, 4, 0)
	FIELD("u32 fixed[3]", 40, 12, 0), "\"a=%d s=%s\", REC->a, __get_str(s)");

struct rig {
	struct kt_event_source sources[4];
	size_t nr;
	struct kt_symbols *syms;
	struct kt_events *evs;
	struct kt_out *out;
};

static const struct kt_event_source *source_at(void *data, size_t i)
{
	return &((struct rig *)data)->sources[i];
}

static void open_rig(struct rig *r, const char *kallsyms)
{
	const struct kt_events_origin origin = {
		.long_size = 8, .nr = r->nr, .at = source_at, .data = r,
	};
	struct kt_err err = { 0 };

	r->syms = kt_symbols_create(NULL, &err);
	kt_symbols_add_text(r->syms, kallsyms, strlen(kallsyms), &err);
	r->evs = kt_events_create_from(&origin, r->syms, &err);
	r->out = kt_out_create();
	CHECK_NO_ERR(&err);
}

static void add(struct rig *r, const char *system, const char *format)
{
	r->sources[r->nr++] = (struct kt_event_source){ system, { format, strlen(format) } };
}

static void start_with(struct rig *r, const char *system, const char *format, const char *kallsyms)
{
	*r = (struct rig){ 0 };
	add(r, system, format);
	open_rig(r, kallsyms);
}

static void start(struct rig *r, const char *system, const char *format)
{
	start_with(r, system, format, "ffffffff81000000 T _text\nffffffff81001000 T vfs_read\n"
				      "ffffffff81002000 T end\n");
}

static void stop(struct rig *r)
{
	kt_events_destroy(r->evs);
	kt_symbols_destroy(r->syms);
	kt_out_destroy(r->out);
}

static const char *text(struct rig *r, const void *data, size_t size)
{
	struct kt_record rec = { .data = data, .size = size };
	const struct kt_event *ev = kt_events_at(r->evs, 0);

	assert_non_null(ev);
	kt_out_reset(r->out);
	kt_event_text(r->evs, ev, &rec, r->out);
	return kt_out_data(r->out);
}

struct typed_record {
	uint16_t type;
	uint8_t  flags, preempt;
	int32_t  pid, a, pad;
	uint64_t b;
	char     comm[8];
	uint32_t s, r, fixed[3], pad2;
	char     dynamic[16];
} __attribute__((packed));

static const struct typed_record record = {
	.type = 700, .flags = 0x11, .preempt = 3, .pid = -7, .a = -5, .b = 1ULL << 63,
	.comm = "bash", .s = 56 | 6 << 16, .r = (64 - 40) | 4 << 16, .fixed = { 1, 2, 0xffffffff },
	.dynamic = "hello\0\0\0\1\0\xff\xff",
};
static const struct kt_record whole = { .data = (const void *)&record, .size = sizeof(record) };

TEST(events_are_found_by_id_and_by_name)
{
	struct rig r;

	start(&r, "test", typed);
	assert_int_equal(kt_events_nr(r.evs), 1);
	assert_non_null(kt_events_by_id(r.evs, 700));
	assert_ptr_equal(kt_events_by_name(r.evs, NULL, "typed"), kt_events_by_id(r.evs, 700));
	assert_ptr_equal(kt_events_by_name(r.evs, "test", "typed"), kt_events_at(r.evs, 0));
	assert_null(kt_events_by_name(r.evs, "other", "typed"));
	assert_null(kt_events_by_name(r.evs, NULL, "type"));
	assert_null(kt_events_by_id(r.evs, 701));
	assert_null(kt_events_by_id(r.evs, 70000));
	stop(&r);
}

TEST(numbers_have_their_size_and_sign)
{
	const struct kt_event *ev;
	struct rig r;
	uint64_t u;
	int64_t i;

	start(&r, "test", typed);
	ev = kt_events_by_id(r.evs, 700);
	assert_int_equal(kt_field_i64(ev, kt_event_field(ev, "a"), &whole, &i), 0);
	assert_int_equal(i, -5);
	assert_int_equal(kt_field_u64(ev, kt_event_field(ev, "a"), &whole, &u), 0);
	assert_true(u == 0xfffffffb);
	assert_int_equal(kt_field_u64(ev, kt_event_field(ev, "b"), &whole, &u), 0);
	assert_true(u == 1ULL << 63);
	assert_int_equal(kt_field_u64(ev, kt_event_field(ev, "comm"), &whole, &u), -EINVAL);
	assert_int_equal(kt_field_u64(ev, kt_event_field(ev, "s"), &whole, &u), -EINVAL);
	assert_null(kt_event_field(ev, "nosuch"));
	stop(&r);
}

TEST(texts_and_arrays_come_out_of_the_record)
{
	const struct kt_event *ev;
	struct kt_blob bytes;
	struct rig r;
	uint64_t u;

	start(&r, "test", typed);
	ev = kt_events_by_id(r.evs, 700);
	assert_int_equal(kt_field_bytes(ev, kt_event_field(ev, "comm"), &whole, &bytes), 0);
	assert_int_equal(bytes.size, 4);
	assert_memory_equal(bytes.data, "bash", 4);
	assert_int_equal(kt_field_bytes(ev, kt_event_field(ev, "s"), &whole, &bytes), 0);
	assert_int_equal(bytes.size, 5);
	assert_memory_equal(bytes.data, "hello", 5);
	assert_int_equal(kt_field_elem(ev, kt_event_field(ev, "fixed"), &whole, 2, &u), 0);
	assert_true(u == 0xffffffff);
	assert_int_equal(kt_field_elem(ev, kt_event_field(ev, "fixed"), &whole, 3, &u), -ERANGE);
	assert_int_equal(kt_field_elem(ev, kt_event_field(ev, "r"), &whole, 1, &u), 0);
	assert_int_equal(u, 0xffff);
	assert_int_equal(kt_field_elem(ev, kt_event_field(ev, "r"), &whole, 2, &u), -ERANGE);
	stop(&r);
}

TEST(a_record_that_is_too_short_has_no_data)
{
	const struct kt_event *ev;
	struct typed_record wild = record;
	struct kt_record rec = { .data = (void *)&wild };
	struct kt_blob bytes;
	struct rig r;
	uint64_t u;

	start(&r, "test", typed);
	ev = kt_events_by_id(r.evs, 700);
	for (rec.size = 0; rec.size < 12; rec.size++)
		assert_int_equal(kt_field_u64(ev, kt_event_field(ev, "a"), &rec, &u), -ENODATA);
	rec.size = sizeof(wild);
	wild.s = 56 | 17 << 16;
	assert_int_equal(kt_field_bytes(ev, kt_event_field(ev, "s"), &rec, &bytes), -ENODATA);
	wild.s = 0xffff;
	assert_int_equal(kt_field_bytes(ev, kt_event_field(ev, "s"), &rec, &bytes), -ENODATA);
	wild.r = 0xffffffff;
	assert_int_equal(kt_field_elem(ev, kt_event_field(ev, "r"), &rec, 0, &u), -ENODATA);
	assert_string_equal(text(&r, &wild, sizeof(wild)), "a=-5 s=");
	assert_memory_equal(text(&r, &wild, 12), "a=-5 s=", 7);
	assert_string_equal(text(&r, &wild, 0), "a=0 s=");
	stop(&r);
}

TEST(common_fields_are_where_the_formats_say)
{
	struct rig r;

	start(&r, "test", typed);
	assert_int_equal(kt_record_pid(r.evs, &whole), -7);
	assert_int_equal(kt_record_flags(r.evs, &whole), 0x11);
	stop(&r);
}

TEST(formats_that_no_kernel_writes_are_refused)
{
	static const char *const bad[] = {
		"", "name: x\n", "ID: 5\n", "name: x\nID: 70000\nformat:\n\nprint fmt: \"\"\n",
		"name: x\nprint fmt: \"\"\nID: 5\nformat:\n" FIELD("int a[][4]", 8, 4, 1),
		FORMAT("x", 5, FIELD("int a", 65536, 4, 1), "\"\""),
		FORMAT("x", 5, FIELD("int a", 4294967295, 4, 1), "\"\""),
		FORMAT("x", 5, FIELD("int a", 8, 99999999999, 1), "\"\""),
		FORMAT("x", 5, FIELD("int a", -8, 4, 1), "\"\""),
		FORMAT("x", 5, FIELD("int", 8, 4, 1) FIELD("a[", 8, 4, 1), "\"\""),
		FORMAT("x", 5, FIELD("int a[3][4]", 8, 4, 1), "\"\""),
		FORMAT("x", 5, "\tfield:int a;\n", "\"\""),
		FORMAT("x", 5, "something else\n", "\"\""),
		"name: x\nID: 5\n" KT_COMMON,
	};
	struct rig r;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		start(&r, "test", bad[i]);
		if (kt_events_at(r.evs, 0))
			fail_msg("format %zu was taken: %s", i, bad[i]);
		stop(&r);
	}
}

TEST(an_invalid_print_format_leaves_the_fields)
{
	static const char *const bad[] = {
		FORMAT("x", 5, FIELD("int a", 8, 4, 1), "\"%d\", REC->nosuch"),
		FORMAT("x", 5, FIELD("int a", 8, 4, 1), "\"%d\", unknown_function(REC->a"),
		FORMAT("x", 5, FIELD("int a", 8, 4, 1), "\"%d\", (REC->a"),
		FORMAT("x", 5, FIELD("int a", 8, 4, 1), "\"%d\", REC->a)"),
		FORMAT("x", 5, FIELD("int a", 8, 4, 1), "\"%d"),
		FORMAT("x", 5, FIELD("int a", 8, 4, 1), "REC->a"),
		FORMAT("x", 5, FIELD("int a", 8, 4, 1), "\"%d %d\", REC->a"),
		FORMAT("x", 5, FIELD("int a", 8, 4, 1), "\"%d\", sizeof(struct x)"),
		FORMAT("x", 5, FIELD("int a", 8, 4, 1), "\"%9999999999d\", REC->a"),
	};
	static const int32_t data[] = { 5, 0, -3 };
	struct rig r;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		start(&r, "test", bad[i]);
		assert_string_equal(text(&r, data, sizeof(data)), "[FAILED TO PARSE] a=-3");
		assert_false(kt_event_is_compiled(kt_events_at(r.evs, 0)));
		assert_string_not_equal(kt_event_why_not(kt_events_at(r.evs, 0)), "");
		stop(&r);
	}
}

/* 20,000 parentheses would overflow the stack of libtraceevent's parser. */
TEST(nesting_that_would_overflow_the_stack_is_refused)
{
	static const int32_t data[] = { 5, 0, 1 };
	static const char tail[] = "REC->a\n";
	const char *head = FORMAT("x", 5, FIELD("int a", 8, 4, 1), "\"%d\", ");
	char *deep = calloc(1, 60000);
	struct rig r;

	strcpy(deep, head);
	deep[strlen(deep) - 1] = '\0';
	memset(deep + strlen(deep), '(', 20000);
	strcat(deep, tail);
	start(&r, "test", deep);
	assert_string_equal(text(&r, data, sizeof(data)), "[FAILED TO PARSE] a=1");
	stop(&r);
	free(deep);
}

/* The results of libtraceevent 1.7.1 for each of these, and the results by C */
TEST(operators_mean_what_they_mean_in_c_or_to_libtraceevent)
{
	static const int32_t data[] = { 5, 0, 12, -5 };
	static const char format[] =
		FORMAT("x", 5, FIELD("int a", 8, 4, 1) FIELD("int b", 12, 4, 1),
		       "\"%d %d %d %d %d %d %d %d %d %d %d %ld\", REC->a ^ 10, REC->a | 3, "
		       "REC->a & 8, REC->a << 2, REC->a >> 2, REC->a % 5, REC->a / 5, "
		       "REC->b < 0, REC->b > 3, ~REC->a, !REC->a, (short)REC->b");
	static const struct kt_events_opts exact = { .exact = true };
	struct rig r;

	start(&r, "test", format);
	assert_string_equal(text(&r, data, sizeof(data)), "6 15 8 48 3 2 2 1 0 -13 0 -5");
	stop(&r);
	start(&r, "test", format);
	assert_int_equal(kt_events_set_opts(r.evs, &exact, NULL), 0);
	assert_string_equal(text(&r, data, sizeof(data)), "6 15 8 48 3 2 2 0 1 -13 0 65531");
	stop(&r);
}

TEST(division_by_zero_says_zero)
{
	static const int32_t data[] = { 5, 0, 0 };
	struct rig r;

	start(&r, "test", FORMAT("x", 5, FIELD("int a", 8, 4, 1),
				 "\"%d %d\", 7 / REC->a, 7 % REC->a"));
	assert_string_equal(text(&r, data, sizeof(data)), "0 0");
	stop(&r);
}

TEST(lengths_in_a_record_reach_no_further_than_it)
{
	static const int32_t data[] = { 5, 0, -1, 0x01020304 };
	struct rig r;

	start(&r, "test", FORMAT("x", 5, FIELD("unsigned int len", 8, 4, 0) FIELD("u8 b[4]", 12, 4, 0),
				 "\"%s|%s|%*d|%.*s\", __print_hex(REC->b, REC->len), "
				 "__print_array(REC->b, REC->len, 2), REC->len, 7, REC->len, \"x\""));
	assert_string_equal(text(&r, data, sizeof(data)), "04 03 02 01|{0x304,0x102}|7|x");
	stop(&r);
}

TEST(characters_and_sizes_are_printed_unless_told_to_be_exact)
{
	static const int32_t data[] = { 5, 0, 'x' };
	const struct kt_events_opts exact = { .exact = true };
	const char *format = FORMAT("x", 5, FIELD("int a", 8, 4, 1),
				    "\"%c%c %d\", REC->a, REC->a ? 'F' : ' ', (int)sizeof(u16)");
	struct rig r;

	start(&r, "test", format);
	assert_string_equal(text(&r, data, sizeof(data)), "xF 2");
	stop(&r);
	start(&r, "test", format);
	assert_int_equal(kt_events_set_opts(r.evs, &exact, NULL), 0);
	assert_string_equal(text(&r, data, sizeof(data)), "[FAILED TO PARSE] a=120");
	assert_int_equal(kt_events_set_opts(r.evs, &exact, NULL), -EBUSY);
	stop(&r);
}

/* The following tests use trace_printk data as the kernel's vbin_printf stores it. */
static const char bprint[] = FORMAT("bprint", 6, FIELD("unsigned long ip", 8, 8, 0)
	FIELD("const char * fmt", 16, 8, 0) FIELD("u32 buf[]", 24, 0, 0), "\"%ps: %s\", (void *)REC->ip, REC->fmt");

TEST(trace_printk_without_its_format_says_so)
{
	uint64_t data[3] = { 6, 0xffffffff81001004, 0x1234 };
	struct rig r;

	start(&r, "ftrace", bprint);
	assert_string_equal(text(&r, data, sizeof(data)),
			    "vfs_read: (NO FORMAT FOUND at 1234)\n");
	assert_string_equal(text(&r, data, 16), "[FAILED TO PARSE] ip=0xffffffff81001004 fmt=0x0 buf=");
	assert_true(kt_event_is_compiled(kt_events_at(r.evs, 0)));
	stop(&r);
}

/* Letters after %p that the kernel skips; those it formats itself, such as %pB, are text. */
TEST(trace_printk_of_addresses_passes_over_all_letters)
{
	static const char formats[] = "0x1234 : \"%pB|%pSR %d|%pSb!%c|%psx %+d %pI4h,%px\\n\"\n";
	struct __attribute__((packed, aligned(8))) {
		uint64_t head, ip, fmt;
		char back[20];			/* of %pB, padded to 4 */
		uint64_t addr;
		int32_t number;
		uint64_t addr2;
		char c, pad[3];
		uint64_t addr3;
		int32_t number2;
		char ip4[12];
		uint64_t value;
	} data = { 6, 0xffffffff81001004, 0x1234, "vfs_read+0x4/0x10", 0xffffffff81001008, -7,
		   0xffffffff81001001, 'Z', "", 0xffffffff81000000, 5, "10.0.0.127", 255 };
	struct kt_symbol sym;
	struct rig r;

	start(&r, "ftrace", bprint);
	kt_symbols_find(r.syms, data.ip, &sym);		/* loads the symbols: there are none */
	printk_fini(&r.syms->printk);
	assert_int_equal(printk_parse(&r.syms->printk, formats, strlen(formats)), 0);
	assert_string_equal(text(&r, &data, sizeof(data)),
			    "vfs_read: vfs_read+0x4/0x10|vfs_read+0x8 -7|vfs_read+0x1!Z|_text +5 "
			    "10.0.0.127,0xff");
	stop(&r);
}

static const char sched_switch[] = FORMAT("sched_switch", 300,
	FIELD("char prev_comm[16]", 8, 16, 0) FIELD("pid_t prev_pid", 24, 4, 1)
	FIELD("int prev_prio", 28, 4, 1) FIELD("long prev_state", 32, 8, 1)
	FIELD("char next_comm[16]", 40, 16, 0) FIELD("pid_t next_pid", 56, 4, 1)
	FIELD("int next_prio", 60, 4, 1), "\"prev=%s next=%s\", REC->prev_comm, REC->next_comm");

TEST(a_formatter_is_used_unless_plugins_are_off)
{
	const struct kt_events_opts none = { .no_plugins = true };
	struct kt_events_plugin plugin;
	struct __attribute__((packed)) {
		uint32_t type, pid;
		char prev_comm[16];
		int32_t prev_pid, prev_prio;
		int64_t prev_state;
		char next_comm[16];
		int32_t next_pid, next_prio;
	} data = { 300, 1, "bash", 12, 120, 1, "", 7, -1 };
	struct rig r;

	/* A name that fills its field has no NUL. */
	memcpy(data.next_comm, "ABCDEFGHIJKLMNOP", sizeof(data.next_comm));
	start(&r, "sched", sched_switch);
	assert_string_equal(text(&r, &data, sizeof(data)),
			    "bash:12 [120] S ==> ABCDEFGHIJKLMNOP:7 [-1]");
	assert_string_equal(text(&r, &data, 40), "prev=bash next=");
	stop(&r);
	start(&r, "sched", sched_switch);
	assert_int_equal(kt_events_set_opts(r.evs, &none, NULL), 0);
	assert_string_equal(text(&r, &data, sizeof(data)), "prev=bash next=ABCDEFGHIJKLMNOP");
	assert_false(kt_events_plugin(r.evs, 0, &plugin));
	stop(&r);
}

static bool is_loaded(const char *path)
{
	struct rig r;
	struct kt_events_plugin p;
	bool loaded = false;
	size_t i;

	start(&r, "test", typed);
	for (i = 0; kt_events_plugin(r.evs, i, &p); i++)
		loaded |= p.loaded && strcmp(p.path, path) == 0;
	stop(&r);
	return loaded;
}

/* Any shared object with a loader will do: the distribution's own, copied, if it is there. */
TEST(plugins_that_others_may_write_to_are_not_loaded)
{
	char command[600], path[300];
	FILE *p = popen("find /usr/lib*/ -name plugin_jbd2.so 2>/dev/null | head -1", "r");

	if (!p || !fgets(path, sizeof(path), p)) {
		if (p)
			pclose(p);
		skip();
	}
	pclose(p);
	path[strcspn(path, "\n")] = '\0';
	mkdir(kt_tmp("plugins"), 0755);
	snprintf(command, sizeof(command), "cp '%s' '%s'", path, kt_tmp("plugins/plugin_jbd2.so"));
	assert_int_equal(system(command), 0);
	setenv("TRACEEVENT_PLUGIN_DIR", kt_tmp("plugins"), 1);
	assert_true(is_loaded(kt_tmp("plugins/plugin_jbd2.so")));
	chmod(kt_tmp("plugins/plugin_jbd2.so"), 0666);
	assert_false(is_loaded(kt_tmp("plugins/plugin_jbd2.so")));
	chmod(kt_tmp("plugins/plugin_jbd2.so"), 0644);
	chmod(kt_tmp("plugins"), 0777);
	assert_false(is_loaded(kt_tmp("plugins/plugin_jbd2.so")));
	chmod(kt_tmp("plugins"), 0755);
	assert_int_equal(chdir(kt_tmp(".")), 0);
	setenv("TRACEEVENT_PLUGIN_DIR", "plugins", 1);
	assert_false(is_loaded("plugins/plugin_jbd2.so"));
	unsetenv("TRACEEVENT_PLUGIN_DIR");
}

/*
 * One format is left to libtraceevent because it calls a function of a plugin; the other must
 * not be, because it would divide by zero. Does a record of the first lead it to the second?
 */
#define CALLS(name, id) FORMAT(name, id, FIELD("int a", 8, 4, 1) FIELD("int b", 12, 4, 1), \
			       "\"x=%u\", jiffies_to_msecs(REC->a)")
#define DIVIDES "\"%d\", REC->a / REC->b"

static void check_calls(const char *one, const char *other, const char *expected)
{
	static const int32_t data[] = { 5, 0, 4, 0 };
	struct rig r = { 0 };

	add(&r, "test", one);
	add(&r, "test", other);
	open_rig(&r, "");
	assert_non_null(kt_events_at(r.evs, 0));
	assert_non_null(kt_events_at(r.evs, 1));
	if (!kt_event_is_compiled(kt_events_at(r.evs, 0)) &&
	    strcmp(kt_event_why_not(kt_events_at(r.evs, 0)), "a function of a plugin") == 0)
		assert_string_equal(text(&r, data, sizeof(data)), expected);
	stop(&r);
}

TEST(libtraceevent_prints_a_record_by_the_format_that_was_looked_at)
{
	static const char elsewhere[] = "name: y\nID: 4\nformat:\n"
		FIELD("unsigned short common_type", 8, 2, 0) FIELD("int common_pid", 4, 4, 1) "\n"
		FIELD("int a", 8, 4, 1) FIELD("int b", 12, 4, 1) "\nprint fmt: " DIVIDES "\n";

	check_calls(CALLS("x", 5), FORMAT("y", 5, FIELD("int a", 8, 4, 1) FIELD("int b", 12, 4, 1),
					  DIVIDES), "x=4");
	check_calls(CALLS("x", 5), elsewhere, "[FAILED TO PARSE] a=4 b=0");
}

static const struct kt_event_source *same_source(void *data, size_t i)
{
	(void)i;
	return data;
}

TEST(the_machine_says_which_numbers_system_calls_have)
{
	static const char x86[] = "Linux host 6.12.117+deb12-amd64 x86_64";
	static const char arm[] = "Linux host 6.12.117+deb12-arm64 aarch64\n";
	const struct syscall_table *t = syscall_table_of(x86, sizeof(x86));

	assert_string_equal(t->names[0], "read");
	assert_string_equal(t->names[257], "openat");
	assert_string_equal(t->names[t->nr - 1], "file_setattr");
	assert_null(t->names[400]);
	t = syscall_table_of(arm, strlen(arm));
	assert_string_equal(t->names[63], "read");
	assert_string_equal(t->names[56], "openat");
	assert_null(syscall_table_of("Linux host 6.1 s390x", 20));
	assert_null(syscall_table_of("x86_64", 6));
	assert_null(syscall_table_of("", 0));
}

TEST(a_system_call_has_the_name_of_the_recording_machine)
{
	static const char arm[] = "Linux host 6.12.117 aarch64";
	struct kt_dat *d = kt_dat_small();
	struct kt_events *evs;
	struct kt_file *f;

	kt_dat_option(d, KT_OPTION_UNAME, arm, sizeof(arm));
	f = kt_dat_open(d);
	evs = kt_events_create(f, NULL, NULL);
	assert_ptr_equal(kt_events_file(evs), f);
	assert_string_equal(kt_syscall_name(evs, 56), "openat");
	assert_null(kt_syscall_name(evs, 100000));
	kt_events_destroy(evs);
	kt_close_intact(f);
}

TEST(no_more_formats_are_parsed_than_there_are_ids)
{
	static const char format[] = FORMAT("x", 5, "", "\"x\"");
	struct kt_event_source source = { "test", { format, sizeof(format) - 1 } };
	const struct kt_events_origin origin = {
		.long_size = 8, .nr = 65536 + 2, .at = same_source, .data = &source,
	};
	struct kt_events *evs = kt_events_create_from(&origin, NULL, NULL);
	size_t i;

	assert_non_null(evs);
	for (i = 0; i < 65536; i++)
		assert_non_null(kt_events_at(evs, i));
	assert_null(kt_events_at(evs, i));
	assert_null(kt_events_at(evs, i + 1));
	assert_ptr_equal(kt_events_by_id(evs, 5), kt_events_at(evs, 0));
	kt_events_destroy(evs);
}

int main(void)
{
	return RUN(unit(events_are_found_by_id_and_by_name),
		   unit(numbers_have_their_size_and_sign),
		   unit(texts_and_arrays_come_out_of_the_record),
		   unit(a_record_that_is_too_short_has_no_data),
		   unit(common_fields_are_where_the_formats_say),
		   unit(formats_that_no_kernel_writes_are_refused),
		   unit(an_invalid_print_format_leaves_the_fields),
		   unit(nesting_that_would_overflow_the_stack_is_refused),
		   unit(operators_mean_what_they_mean_in_c_or_to_libtraceevent),
		   unit(division_by_zero_says_zero),
		   unit(libtraceevent_prints_a_record_by_the_format_that_was_looked_at),
		   unit(the_machine_says_which_numbers_system_calls_have),
		   unit(a_system_call_has_the_name_of_the_recording_machine),
		   unit(no_more_formats_are_parsed_than_there_are_ids),
		   unit(lengths_in_a_record_reach_no_further_than_it),
		   unit(characters_and_sizes_are_printed_unless_told_to_be_exact),
		   unit(trace_printk_without_its_format_says_so),
		   unit(trace_printk_of_addresses_passes_over_all_letters),
		   unit(a_formatter_is_used_unless_plugins_are_off),
		   unit(plugins_that_others_may_write_to_are_not_loaded));
}
