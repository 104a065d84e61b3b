/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_comm.c - names of tasks: those saved in the file, and those in events */
#include <malloc.h>
#include <string.h>

#include "kt_reading.h"
#include "kt_test.h"

enum { RENAME = 100, NR_RENAMES = 100000 };

/* A file in which @pid is renamed several times, at last to "even" */
static struct kt_dat *renamed(int pid)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });
	int i;

	kt_dat_meta(d, KT_META_CMDLINES, "7 saved\n");
	kt_dat_event(d, "task", "name: task_rename\nID: 100\n" KT_COMMON
		     "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n"
		     "\tfield:char newcomm[16];\toffset:12;\tsize:16;\tsigned:0;\n"
		     "\nprint fmt: \"x\"\n");
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	for (i = 1; i <= NR_RENAMES; i++) {
		kt_dat_begin(d, RENAME, 1);
		kt_dat_int(d, 4, pid);
		kt_dat_bytes(d, i % 2 ? "odd\0............" : "even\0...........", 16);
		kt_dat_end(d, i);
	}
	return d;
}

TEST(the_last_name_wins_and_the_others_are_forgotten)
{
	struct kt_trace *t = kt_dat_trace(renamed(8));
	size_t before = mallinfo2().uordblks, after;

	assert_string_equal(kt_trace_comm(t, 0, 8), "even");
	after = mallinfo2().uordblks;
	assert_true(after < before + 16 * NR_RENAMES);
	kt_trace_destroy(t);
}

TEST(a_saved_name_stays)
{
	struct kt_trace *t = kt_dat_trace(renamed(7));
	const char *name = kt_trace_comm(t, 0, 7);
	int pid;

	assert_string_equal(name, "saved");
	assert_int_equal(kt_trace_pids(t, 0, "even", &pid, 1), 0);
	assert_string_equal(kt_trace_comm(t, 0, 7), "saved");
	assert_ptr_equal(kt_trace_comm(t, 0, 7), name);
	kt_trace_destroy(t);
}

int main(void)
{
	return RUN(unit(the_last_name_wins_and_the_others_are_forgotten),
		   unit(a_saved_name_stays));
}
