/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pretty.c - whole reports with plugins: texts about several records, or from the host */
#include <stdlib.h>
#include <string.h>

#include <ktrail/text.h>

#include "base/str.h"
#include "kt_dat.h"
#include "kt_formats.h"
#include "kt_test.h"

enum { BPRINT = 6, EXIT = 10, ENTRY = 11, BPUTS = 14, RETADDR = 16 };

#define WITH_IP KT_COMMON "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"

static struct kt_formats formats;	/* borrowed by what dat() makes */

static int start(void **state)
{
	(void)state;
	kt_built_plugins();
	formats = kt_formats_of_file("tests/data/formats-newer.zst");
	return 0;
}

static int stop(void **state)
{
	(void)state;
	kt_formats_free(&formats);
	return 0;
}

static struct kt_dat *dat(const char *machine)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ 0 });
	size_t i;

	for (i = 0; i < formats.nr; i++)
		kt_dat_event(d, formats.sources[i].system, formats.sources[i].format.data);
	kt_dat_event(d, "ftrace", "name: bprint\nID: 6\n" WITH_IP
		     "\tfield:const char * fmt;\toffset:16;\tsize:8;\tsigned:0;\n"
		     "\tfield:u32 buf[];\toffset:24;\tsize:0;\tsigned:0;\n"
		     "\nprint fmt: \"%ps: %s\", (void *)REC->ip, REC->fmt\n");
	kt_dat_event(d, "ftrace", "name: bputs\nID: 14\n" WITH_IP
		     "\tfield:const char * str;\toffset:16;\tsize:8;\tsigned:0;\n"
		     "\nprint fmt: \"%ps: %s\", (void *)REC->ip, REC->str\n");
	kt_dat_meta(d, KT_META_KALLSYMS, "0000000000001000 T outer\n0000000000002000 T inner\n"
					 "0000000000003000 T end\n");
	kt_dat_meta(d, KT_META_PRINTK, "0x8000 : \"x is %d of %s\\n\"\n0x9000 : \"was here\\n\"\n");
	kt_dat_meta(d, KT_META_CMDLINES, "7 sh\n");
	if (machine)
		kt_dat_option(d, KT_OPTION_UNAME, machine, strlen(machine) + 1);
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	return d;
}

static void entry(struct kt_dat *d, uint64_t func, int depth, uint64_t ts)
{
	kt_dat_begin(d, ENTRY, 7);
	kt_dat_int(d, 8, func);
	kt_dat_int(d, 4, depth);
	kt_dat_int(d, 4, 0);
	kt_dat_int(d, 8, 0x18);
	kt_dat_int(d, 8, 0xffff888000001000);
	kt_dat_end(d, ts);
}

static void leave(struct kt_dat *d, uint64_t func, int depth, uint64_t ns, uint64_t value,
		  uint64_t ts)
{
	kt_dat_begin(d, EXIT, 7);
	kt_dat_int(d, 8, func);
	kt_dat_int(d, 8, value);
	kt_dat_int(d, 4, depth);
	kt_dat_int(d, 4, 0);
	kt_dat_int(d, 8, ts - ns);
	kt_dat_int(d, 8, ts);
	kt_dat_end(d, ts);
}

static int collect(void *data, const char *text, size_t len)
{
	str_addn(data, text, len);
	return 0;
}

/* The text in "… 1.000000: funcgraph_entry:   text"; in JSON, everything from "info" on */
static const char *info_of(const char *line, bool json)
{
	const char *p = strstr(line, json ? "\"info\"" : ": ");

	if (p && !json) {
		p = strstr(p + 2, ": ");
		p = p ? p + 2 : NULL;
	}
	return p ? p : line;
}

/* The texts after the names of events, a line each; destroys @d. New. */
static char *report(struct kt_dat *d, const struct kt_plugins_opts *which, bool json)
{
	struct kt_err err = { 0 };
	struct kt_plugins *plugins = kt_plugins_open(which, &err);
	struct kt_text_opts opts = { .plugins = plugins, .json = json };
	struct kt_trace *t = kt_trace_create();
	struct str s = STR_INIT, out = STR_INIT;
	struct kt_text *x;
	char *line, *save = NULL;

	CHECK_NO_ERR(&err);
	kt_trace_add(t, kt_dat_write(d, "pretty.dat"), NULL, &err);
	CHECK_NO_ERR(&err);
	kt_dat_destroy(d);
	x = kt_text_create(t, NULL, &opts, &err);
	CHECK_NO_ERR(&err);
	assert_int_equal(kt_text_run(x, UINT64_MAX, collect, &s, &err), 0);
	for (line = strtok_r(s.buf, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		str_addf(&out, "%s\n", info_of(line, json));
	kt_text_destroy(x);
	kt_trace_destroy(t);
	kt_plugins_close(plugins);
	str_fini(&s);
	return str_take(&out);
}

static struct kt_dat *calls(const char *machine)
{
	struct kt_dat *d = dat(machine);

	entry(d, 0x1004, 0, 1000000);
	entry(d, 0x2004, 1, 1001000);
	leave(d, 0x2004, 1, 12000, (uint64_t)-2, 2000000);
	kt_dat_begin(d, RETADDR, 7);
	kt_dat_int(d, 8, 0x2004);
	kt_dat_int(d, 4, 1);
	kt_dat_int(d, 4, 0);
	kt_dat_int(d, 8, 0x1010);
	kt_dat_end(d, 3000000);
	leave(d, 0x2004, 1, 20000000, 0x340, 23000000);
	leave(d, 0x1004, 0, 300000000, (uint64_t)-110, 400000000);
	return d;
}

TEST(the_graph_has_arguments_results_and_marks)
{
	char *text = report(calls("Linux host 6.18 x86_64"), NULL, false);

	assert_string_equal(text,
		"                  |  outer(0x18, 0xffff888000001000) {\n"
		"     + 12.000 us  |    inner(0x18, 0xffff888000001000) = -ENOENT;\n"
		"* 20000.000 us |    inner() = 0x340; /* <-outer */\n"
		"      @ 300000.000 us |  } /* outer */ = -ETIMEDOUT\n");
	free(text);
}

/* The kernel's own text of these is -2, 0xffff0000 and 0x7fffffff. */
static struct kt_dat *ints(void)
{
	struct kt_dat *d = dat("Linux host 6.12 x86_64");

	entry(d, 0x1004, 0, 1000000);
	entry(d, 0x2004, 1, 1001000);
	leave(d, 0x2004, 1, 1000, 0xfffffffe, 2000000);
	entry(d, 0x2004, 1, 2001000);
	leave(d, 0x2004, 1, 1000, 0xffff0000, 3000000);
	leave(d, 0x1004, 0, 3000, 0x7fffffff, 4000000);
	return d;
}

TEST(errors_are_those_of_ints_as_well)
{
	const char *const args[] = { "function_graph:args=0", NULL };
	struct kt_plugins_opts opts = { .options = args };
	char *text = report(ints(), &opts, false);

	assert_string_equal(text,
		"                  |  outer() {\n"
		"       1.000 us   |    inner() = -ENOENT;\n"
		"       1.000 us   |    inner() = 0xffff0000;\n"
		"        3.000 us   |  } /* outer */ = 0x7fffffff\n");
	free(text);
	text = report(ints(), &opts, true);
	assert_non_null(strstr(text, "/* inner */ = -ENOENT"));
	assert_non_null(strstr(text, "/* inner */ = 0xffff0000"));
	free(text);
}

TEST(errors_of_machines_that_count_otherwise_stay_numbers)
{
	char *text = report(calls("Linux host 6.18 mips64"), NULL, false);

	assert_non_null(strstr(text, " = -ENOENT;\n"));
	assert_non_null(strstr(text, "} /* outer */ = 0xffffffffffffff92\n"));
	free(text);
}

TEST(options_of_the_plugin_change_the_graph)
{
	const char *const off[] = {
		"function_graph:args=0", "function_graph:retval=0", "function_graph:retaddr=0",
		"function_graph:tailprint=0", NULL
	};
	char *text = report(calls(NULL), &(struct kt_plugins_opts){ .options = off }, false);

	assert_string_equal(text,
		"                  |  outer() {\n"
		"     + 12.000 us  |    inner();\n"
		"* 20000.000 us |    inner();\n"
		"      @ 300000.000 us |  }\n");
	free(text);
}

TEST(without_the_plugin_the_graph_is_as_ever)
{
	const char *const without[] = { "function_graph", NULL };
	char *text = report(calls(NULL), &(struct kt_plugins_opts){ .without = without }, false);

	assert_string_equal(text,
		"                  |  outer(0x18, 0xffff888000001000) {\n"
		"     + 12.000 us  |    inner(0x18, 0xffff888000001000); (ret=-2)\n"
		"# 20000.000 us |    inner(); (ret=0x340) /* <-outer */\n"
		"      # 300000.000 us |  } (ret=-110)\n");
	free(text);
}

TEST(objects_of_json_stand_for_themselves)
{
	char *text = report(calls(NULL), NULL, true);

	assert_string_equal(text,
		"\"info\":\"outer(0x18, 0xffff888000001000) {\"}\n"
		"\"info\":\"  inner(0x18, 0xffff888000001000) {\"}\n"
		"\"info\":\"  } + 12 us /* inner */ = -ENOENT\",\"columns\":{\"duration\":12000}}\n"
		"\"info\":\"  inner() { /* <-outer+0x10 */\"}\n"
		"\"info\":\"  } * 20 ms /* inner */ = 0x340\",\"columns\":{\"duration\":20000000}}\n"
		"\"info\":\"} @ 300 ms /* outer */ = -ETIMEDOUT\",\"columns\":{\"duration\":300000000}}\n");
	free(text);
}

TEST(texts_that_lie_in_the_kernel_are_found)
{
	struct kt_dat *d = dat(NULL);
	char *text;

	kt_dat_begin(d, BPRINT, 7);
	kt_dat_int(d, 8, 0x1010);
	kt_dat_int(d, 8, 0x8000);
	kt_dat_int(d, 4, 3);
	kt_dat_bytes(d, "seven\0\0\0", 8);
	kt_dat_end(d, 1000000);
	kt_dat_begin(d, BPUTS, 7);
	kt_dat_int(d, 8, 0x2000);
	kt_dat_int(d, 8, 0x9000);
	kt_dat_end(d, 2000000);
	text = report(d, NULL, false);
	assert_string_equal(text, "              outer: x is 3 of seven\n               inner: was here\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		unit(the_graph_has_arguments_results_and_marks),
		unit(errors_are_those_of_ints_as_well),
		   unit(errors_of_machines_that_count_otherwise_stay_numbers),
		unit(options_of_the_plugin_change_the_graph),
		unit(without_the_plugin_the_graph_is_as_ever),
		unit(objects_of_json_stand_for_themselves),
		unit(texts_that_lie_in_the_kernel_are_found),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
