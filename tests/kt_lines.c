/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_lines.c - made-up records of a few events, and the lines that a report makes of them */
#include "kt_lines.h"

#include <stdlib.h>

#include <ktrail/trace.h>

#include "base/str.h"
#include "kt_test.h"

#define U64(name, at) "\tfield:unsigned long " name ";\toffset:" at ";\tsize:8;\tsigned:0;\n"
#define INT(name, at) "\tfield:int " name ";\toffset:" at ";\tsize:4;\tsigned:1;\n"
#define COMM(name, at) "\tfield:char " name "[16];\toffset:" at ";\tsize:16;\tsigned:0;\n"

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

void kt_lines_events(struct kt_dat *d)
{
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		kt_dat_event(d, formats[i][0], formats[i][1]);
}

void kt_lines_begin_cpu(struct kt_dat *d)
{
	kt_dat_meta(d, KT_META_KALLSYMS, "0000000000001000 T outer\n0000000000002000 T inner\n"
					 "0000000000003000 T end\n");
	kt_dat_meta(d, KT_META_CMDLINES, "7 saved\n");
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
}

struct kt_dat *kt_lines_dat(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ 0 });

	kt_lines_events(d);
	kt_lines_begin_cpu(d);
	return d;
}

void kt_lines_entry(struct kt_dat *d, uint64_t func, int depth, uint64_t ts)
{
	kt_dat_begin(d, ENTRY, 7);
	kt_dat_int(d, 8, func);
	kt_dat_int(d, 4, depth);
	kt_dat_end(d, ts);
}

void kt_lines_leave(struct kt_dat *d, uint64_t func, int depth, uint64_t ns, uint64_t value,
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

void kt_lines_tick(struct kt_dat *d, int pid, int n, uint64_t ts)
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

/* The lines of @d; destroys @d; new (free). @narrow: do not even read records that the filter
 * drops */
char *kt_lines_report_of(struct kt_dat *d, const struct kt_text_opts *opts, const char *filter,
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

char *kt_lines_report(struct kt_dat *d, const struct kt_text_opts *opts, const char *filter)
{
	return kt_lines_report_of(d, opts, filter, false);
}

void kt_lines_check(struct kt_dat *d, const struct kt_text_opts *opts, const char *filter,
		  const char *want)
{
	char *got = kt_lines_report(d, opts, filter);

	assert_string_equal(got, want);
	free(got);
}
