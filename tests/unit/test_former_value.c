/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_former_value.c - the write that makes a file read as before */
#include "undo/undo.h"

#include <stdlib.h>

#include "kt_test.h"

static void check(const char *path, const char *now, const char *want)
{
	char *text = ctl_former_text(path, now);

	if (want)
		assert_string_equal(text, want);
	else
		assert_null(text);
	free(text);
}

TEST(a_plain_value_is_written_as_it_reads)
{
	check("/t/tracing_on", "1", "1");
	check("/t/current_tracer", "function_graph", "function_graph");
	check("/t/options/sym-addr", "0", "0");
}

TEST(of_a_choice_the_word_in_brackets)
{
	check("/t/trace_clock", "local global [mono] tai", "mono");
	check("/t/trace_clock", "local", "local");
}

TEST(of_a_buffer_the_size_it_will_grow_to)
{
	check("/t/buffer_size_kb", "1408", "1408");
	check("/t/buffer_size_kb", "7 (expanded: 1408)", "1408");
	check("/t/instances/x/per_cpu/cpu3/buffer_size_kb", "16", "16");
	check("/t/buffer_size_kb", "X", NULL);
}

TEST(of_an_event_whether_it_is_on)
{
	check("/t/events/sched/sched_switch/enable", "0*", "0");
	check("/t/events/sched/sched_switch/enable", "1*", "1");
	check("/t/events/sched/enable", "X", NULL);
	check("/t/events/enable", "0", "0");
}

TEST(of_a_filter_zero_for_none)
{
	check("/t/events/sched/sched_switch/filter", "none", "0");
	check("/t/events/sched/sched_switch/filter", "prev_pid == 1", "prev_pid == 1");
	check("/t/events/sched/sched_switch/filter", "prev_pix == 1\n^\nparse_error: Field not found", "0");
	check("/t/events/sched/filter", "### global filter ###\n# …", NULL);
}

TEST(of_a_list_the_words_without_comments)
{
	check("/t/set_event_pid", "1\n2", "1\n2\n");
	check("/t/set_ftrace_pid", "no pid", "");
	check("/t/set_ftrace_filter", "n\nno\nno_op", "n\nno\nno_op\n");
	check("/t/set_ftrace_filter", "#### all functions enabled ####", "");
	check("/t/set_ftrace_filter", "vfs_read\next4_map_blocks [ext4]\nschedule:traceoff:unlimited\n"
	      "kfree:stacktrace:count=3", "vfs_read\next4_map_blocks\nschedule:traceoff\n"
	      "kfree:stacktrace:3\n");
}

TEST(of_triggers_the_commands)
{
	check("/t/events/sched/sched_switch/trigger", "# Available triggers:\n# traceon", "");
	check("/t/events/sched/sched_switch/trigger",
	      "traceoff:unlimited\nstacktrace:count=5 if prev_pid==1\nhist:keys=pid [active]",
	      "stacktrace:5 if prev_pid==1\ntraceoff\nhist:keys=pid\n");
}

TEST(a_table_by_cpu_has_two_names)
{
	char *alias = ctl_hist_alias("!hist:keys=common_cpu,pid:vals=hitcount:sort=common_cpu if common_cpu > 1");

	assert_string_equal(alias, "!hist:keys=cpu,pid:vals=hitcount:sort=cpu if common_cpu > 1");
	free(alias);
	assert_null(ctl_hist_alias("!hist:keys=pid:vals=hitcount if common_cpu > 1"));
	assert_null(ctl_hist_alias("hist:keys=common_cpu"));
	assert_null(ctl_hist_alias("!stacktrace if common_cpu > 1"));
}

TEST(of_triggers_the_newest_comes_last_but_tables_stay_in_order)
{
	check("/t/events/sched/sched_switch/trigger",
	      "snapshot:count=1\nhist:keys=a:size=2048 [active]\nhist:keys=b if c > 1 [active]\n"
	      "traceon:unlimited",
	      "traceon\nsnapshot:1\nhist:keys=a:size=2048\nhist:keys=b if c > 1\n");
}

TEST(a_paused_table_comes_back_paused)
{
	check("/t/events/sched/sched_switch/trigger",
	      "hist:keys=a:size=2048 [paused]\nhist:keys=b if c > 1 [paused]",
	      "hist:keys=a:size=2048:pause\nhist:keys=b:pause if c > 1\n");
}

/* As Linux 6.12 prints them: it accepts less after sort= and before keys= */
TEST(a_table_is_spelt_as_the_kernel_takes_it)
{
	check("/t/events/sched/sched_switch/trigger",
	      "hist:keys=comm,lat.log2:vals=hitcount:sort=lat.log2:size=2048 [active]\n"
	      "hist:foo:keys=a.buckets=10:vals=hitcount,b:sort=a.buckets=10.descending,b,hitcount.descending:size=2048 if a > 1 [active]\n"
	      "hist:bar:keys=pid.execname:sort=pid.execname if comm ~ \"x:sort=y.z\" [paused]\n"
	      "hist:keys=a:lat=common_timestamp.usecs-$ts0:sort=hitcount:size=2048:clock=global:onmatch(s.e).x($lat) [active]",
	      "hist:keys=comm,lat.log2:vals=hitcount:sort=lat:size=2048\n"
	      "hist:name=foo:keys=a.buckets=10:vals=hitcount,b:sort=a.descending,b,hitcount.descending:size=2048 if a > 1\n"
	      "hist:name=bar:keys=pid.execname:sort=pid:pause if comm ~ \"x:sort=y.z\"\n"
	      "hist:keys=a:lat=common_timestamp.usecs-$ts0:sort=hitcount:size=2048:clock=global:onmatch(s.e).x($lat)\n");
}

TEST(of_hwlat_the_mode_in_brackets)
{
	check("/t/hwlat_detector/mode", "none [round-robin] per-cpu", "round-robin");
}

TEST(data_is_no_setting)
{
	check("/t/trace", "", NULL);
	check("/t/snapshot", "", NULL);
	check("/t/trace_marker", "", NULL);
	check("/t/dynamic_events", "p:x", NULL);
}

int main(void)
{
	return RUN(unit(a_plain_value_is_written_as_it_reads),
		   unit(of_a_choice_the_word_in_brackets),
		   unit(of_a_buffer_the_size_it_will_grow_to),
		   unit(of_an_event_whether_it_is_on), unit(of_a_filter_zero_for_none),
		   unit(of_a_list_the_words_without_comments), unit(of_triggers_the_commands),
		   unit(a_table_by_cpu_has_two_names),
		   unit(of_triggers_the_newest_comes_last_but_tables_stay_in_order),
		   unit(a_paused_table_comes_back_paused),
		   unit(a_table_is_spelt_as_the_kernel_takes_it),
		   unit(of_hwlat_the_mode_in_brackets),
		   unit(data_is_no_setting));
}
