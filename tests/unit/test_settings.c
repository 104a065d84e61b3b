/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_settings.c - tracer, clock, options, sizes, functions: set, refused, restored */
#include <ktrail/settings.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/tracefs.h>

#include "kt_test.h"

static struct kt_instance *open_top(void)
{
	kt_tracefs_set_dir(kt_fake_tracefs());
	return kt_instance_open(NULL, 0, NULL);
}

TEST(tracing_is_on_or_off)
{
	struct kt_instance *inst = open_top();
	struct kt_err err = { 0 };

	assert_int_equal(kt_instance_is_tracing(inst, NULL), 1);
	kt_fake_set("tracing_on", "0\n");
	assert_int_equal(kt_instance_is_tracing(inst, NULL), 0);
	kt_fake_set("tracing_on", "?\n");
	assert_true(kt_instance_is_tracing(inst, &err) < 0);
	assert_non_null(strstr(err.msg, "tracing_on"));
	kt_instance_close(inst, NULL);
}

TEST(a_tracer_is_set_and_put_back)
{
	struct kt_instance *inst = open_top();
	char *name;

	assert_int_equal(kt_instance_set_tracer(inst, "function_graph", NULL), 0);
	name = kt_instance_tracer(inst, NULL);
	assert_string_equal(name, "function_graph");
	free(name);
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get("current_tracer"), "nop");
}

TEST(an_unknown_tracer_brings_the_nearest_or_all)
{
	struct kt_instance *inst = open_top();
	struct kt_err near = { 0 }, far = { 0 };

	assert_int_equal(kt_instance_set_tracer(inst, "functoin", &near), -EINVAL);
	assert_non_null(strstr(near.msg, "'function'?"));
	assert_int_equal(kt_instance_set_tracer(inst, "zzzzzzzzzzzz", &far), -EINVAL);
	assert_non_null(strstr(far.msg, "function_graph function nop"));
	kt_instance_close(inst, NULL);
}

TEST(a_tracer_that_only_the_top_buffer_has_is_reported)
{
	struct kt_instance *top = open_top(), *inst;
	struct kt_err err = { 0 }, none = { 0 };

	kt_fake_set("instances/one/available_tracers", "function nop\n");
	kt_fake_set("instances/one/current_tracer", "nop\n");
	inst = kt_instance_open("one", 0, NULL);
	assert_int_equal(kt_instance_set_tracer(inst, "function_graph", &err), -EINVAL);
	assert_string_equal(err.msg, "tracer 'function_graph' works in the top-level buffer only");
	assert_int_equal(kt_instance_set_tracer(inst, "zzzzzzzzzzzz", &none), -EINVAL);
	assert_non_null(strstr(none.msg, "only: function nop"));
	kt_instance_close(inst, NULL);
	kt_instance_close(top, NULL);
}

TEST(a_clock_is_set_and_put_back)
{
	struct kt_instance *inst = open_top();
	struct kt_err err = { 0 };
	char *name = kt_instance_clock(inst, NULL);

	assert_string_equal(name, "local");
	free(name);
	assert_int_equal(kt_instance_set_clock(inst, "momo", &err), -EINVAL);
	assert_non_null(strstr(err.msg, "'mono'?"));
	/* the same clock is not written: that would empty the buffer */
	assert_int_equal(kt_instance_set_clock(inst, "local", NULL), 0);
	assert_true(*kt_fake_get("trace_clock") == '[');
	assert_int_equal(kt_instance_set_clock(inst, "mono", NULL), 0);
	assert_string_equal(kt_fake_get("trace_clock"), "mono");
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get("trace_clock"), "local");
}

TEST(clocks_are_explained)
{
	assert_non_null(strstr(kt_clock_help("boot"), "suspend"));
	assert_null(kt_clock_help("sundial"));
}

TEST(an_option_and_its_no_form_are_understood)
{
	struct kt_instance *inst = open_top();
	struct kt_err err = { 0 };

	assert_int_equal(kt_instance_is_option(inst, "record-cmd", NULL), 1);
	assert_int_equal(kt_instance_set_option(inst, "norecord-cmd", true, NULL), 0);
	assert_string_equal(kt_fake_get("options/record-cmd"), "0");
	assert_int_equal(kt_instance_set_option(inst, "stacktrace", true, NULL), 0);
	assert_string_equal(kt_fake_get("options/stacktrace"), "1");
	assert_int_equal(kt_instance_set_option(inst, "stacktrac", true, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "'stacktrace'?"));
	assert_int_equal(kt_instance_set_option(inst, "../tracing_on", true, NULL), -EINVAL);
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get("options/record-cmd"), "1");
	assert_string_equal(kt_fake_get("options/stacktrace"), "0");
}

TEST(options_of_other_tracers_are_listed_too)
{
	struct kt_instance *inst = open_top();
	struct kt_names names = { 0 };

	kt_fake_set("options/blk_classic", "0\n");
	assert_int_equal(kt_instance_options(inst, &names, NULL), 0);
	assert_int_equal(names.nr, 4);
	assert_string_equal(names.names[3], "noblk_classic");
	kt_names_fini(&names);
	kt_instance_close(inst, NULL);
}

TEST(a_buffer_size_is_set_and_put_back)
{
	struct kt_instance *inst = open_top();

	assert_int_equal(kt_instance_buffer_size(inst, -1, NULL), 1408);
	assert_int_equal(kt_instance_set_buffer_size(inst, -1, 64, NULL), 0);
	assert_int_equal(kt_instance_set_buffer_size(inst, 1, 32, NULL), 0);
	assert_int_equal(kt_instance_buffer_size(inst, 1, NULL), 32);
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get("buffer_size_kb"), "1408");
	assert_string_equal(kt_fake_get("per_cpu/cpu1/buffer_size_kb"), "1408");
}

TEST(sizes_that_differ_come_back_one_by_one)
{
	struct kt_instance *inst = open_top();
	struct kt_err err = { 0 };

	kt_fake_set("buffer_size_kb", "X\n");
	kt_fake_set("per_cpu/cpu1/buffer_size_kb", "16\n");
	assert_int_equal(kt_instance_buffer_size(inst, -1, &err), -EXDEV);
	assert_int_equal(kt_instance_set_buffer_size(inst, -1, 64, NULL), 0);
	assert_string_equal(kt_fake_get("per_cpu/cpu0/buffer_size_kb"), "64");
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get("per_cpu/cpu0/buffer_size_kb"), "1408");
	assert_string_equal(kt_fake_get("per_cpu/cpu1/buffer_size_kb"), "16");
}

TEST(a_cpu_that_is_not_there_is_named)
{
	struct kt_instance *inst = open_top();
	struct kt_err err = { 0 }, again = { 0 };

	assert_int_equal(kt_instance_set_buffer_size(inst, 7, 64, &err), -ENODEV);
	assert_non_null(strstr(err.msg, "CPU 7"));
	assert_int_equal(kt_instance_buffer_size(inst, 7, &again), -ENODEV);
	kt_instance_close(inst, NULL);
}

TEST(a_buffer_that_has_not_grown_shows_its_future_size)
{
	struct kt_instance *inst = open_top();

	kt_fake_set("buffer_size_kb", "7 (expanded: 1408)\n");
	assert_int_equal(kt_instance_buffer_size(inst, -1, NULL), 1408);
	kt_instance_close(inst, NULL);
}

TEST(percent_and_mask_are_checked)
{
	struct kt_instance *inst = open_top();

	assert_int_equal(kt_instance_set_buffer_percent(inst, 101, NULL), -EINVAL);
	assert_int_equal(kt_instance_set_buffer_percent(inst, 0, NULL), 0);
	assert_int_equal(kt_instance_set_cpumask(inst, "xyz", NULL), -EINVAL);
	assert_int_equal(kt_instance_set_cpumask(inst, "1", NULL), 0);
	assert_string_equal(kt_fake_get("tracing_cpumask"), "1");
	assert_int_equal(kt_instance_set_cpumask(inst, "-1", NULL), 0);
	assert_string_equal(kt_fake_get("tracing_cpumask"), "3");
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get("buffer_percent"), "50");
}

TEST(functions_are_found_by_expression_and_module)
{
	struct kt_instance *inst = open_top();
	struct kt_err err = { 0 }, bad = { 0 };

	assert_int_equal(kt_instance_clear_functions(inst, KT_FUNCTIONS_FILTER, NULL), 0);
	assert_int_equal(kt_instance_add_functions(inst, KT_FUNCTIONS_NOTRACE, "^vfs_", NULL, NULL),
			 0);
	assert_non_null(strstr(kt_fake_get("set_ftrace_notrace"), "vfs_read\nvfs_write"));
	assert_int_equal(kt_instance_add_functions(inst, KT_FUNCTIONS_FILTER, "blocks$", "ext4",
						   NULL), 0);
	assert_non_null(strstr(kt_fake_get("set_ftrace_filter"), "ext4_map_blocks"));
	assert_int_equal(kt_instance_add_functions(inst, KT_FUNCTIONS_FILTER, "^vfs_raed$", NULL,
						   &err), -ENOENT);
	assert_int_equal(kt_instance_add_functions(inst, KT_FUNCTIONS_FILTER, "^(", NULL, &bad),
			 -EINVAL);
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get("set_ftrace_filter"), "");
}

TEST(a_glob_and_its_module_are_left_to_the_kernel)
{
	struct kt_instance *inst = open_top();

	assert_int_equal(kt_instance_add_functions(inst, KT_FUNCTIONS_FILTER, "*map*", "ext4", NULL),
			 0);
	assert_non_null(strstr(kt_fake_get("set_ftrace_filter"), "*map*:mod:ext4"));
	kt_instance_close(inst, NULL);
}

TEST(commands_of_functions_are_checked)
{
	static const struct { const char *text; int code; const char *says; } cases[] = {
		{ "vfs_read:traceoff:3", 0, "" },
		{ "vfs_read:enable_event:sched:sched_switch:2", 0, "" },
		{ "vfs_read:stacktrac", -EINVAL, "did you mean 'stacktrace'?" },
		{ "vfs_read:frobnicate", -EINVAL, "no command 'frobnicate', only: traceon" },
		{ "vfs_read:enable_event", -EINVAL, "needs an event" },
		{ "vfs_read:enable_event:sched:sched_swich", -ENOENT, "'sched:sched_switch'" },
	};
	struct kt_instance *inst = open_top();
	size_t i;

	kt_fake_set("available_events", "sched:sched_switch\n");
	kt_fake_set("events/sched/sched_switch/enable", "0\n");
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct kt_err err = { 0 };

		assert_int_equal(kt_instance_add_functions(inst, KT_FUNCTIONS_FILTER, cases[i].text,
							   NULL, &err), cases[i].code);
		if (!strstr(err.msg, cases[i].says))
			fail_msg("%s: %s", cases[i].text, err.msg);
	}
	kt_instance_close(inst, NULL);
}

TEST(a_command_is_removed_whatever_its_count)
{
	static const char all[] = "vfs_read\nvfs_read:traceoff:count=2\nvfs_write:traceoff:unlimited\n"
				  "vfs_read:enable_event:sched:sched_switch:count=1\n";
	static const struct { const char *wish, *written; } cases[] = {
		{ "vfs_read:traceoff", "!vfs_read:traceoff:0" },
		{ "vfs_write:traceoff:7", "!vfs_write:traceoff" },
		{ "vfs_*:enable_event:sched:sched_switch", "!vfs_read:enable_event:sched:sched_switch:0" },
	};
	struct kt_err err = { 0 };
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct kt_instance *inst = open_top();
		const char *now;

		kt_fake_set("set_ftrace_filter", all);
		assert_int_equal(kt_instance_remove_functions(inst, KT_FUNCTIONS_FILTER,
							      cases[i].wish, NULL, NULL), 0);
		now = kt_fake_get("set_ftrace_filter");
		assert_non_null(strchr(now, '!'));
		assert_string_equal(strchr(now, '!'), cases[i].written);
		kt_instance_keep(inst);
		kt_instance_close(inst, NULL);
	}
	kt_fake_set("set_ftrace_filter", all);
	{
		struct kt_instance *inst = open_top();

		assert_int_equal(kt_instance_remove_functions(inst, KT_FUNCTIONS_FILTER,
							      "vfs_read:traceon", NULL, &err), -ENOENT);
		assert_non_null(strstr(err.msg, "set_ftrace_filter has no 'vfs_read:traceon'"));
		kt_instance_close(inst, NULL);
	}
}

TEST(pids_are_set_and_put_back)
{
	struct kt_instance *inst = open_top();

	assert_int_equal(kt_instance_set_event_pids(inst, "1 2", NULL), 0);
	assert_int_equal(kt_instance_set_function_pids(inst, "1 2", NULL), 0);
	assert_string_equal(kt_fake_get("set_ftrace_pid"), "1 2");
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get("set_event_pid"), "");
	assert_string_equal(kt_fake_get("set_ftrace_pid"), "");
}

int main(void)
{
	return RUN(unit(tracing_is_on_or_off),
		   unit(a_tracer_is_set_and_put_back),
		   unit(an_unknown_tracer_brings_the_nearest_or_all),
		   unit(a_tracer_that_only_the_top_buffer_has_is_reported),
		   unit(a_clock_is_set_and_put_back), unit(clocks_are_explained),
		   unit(an_option_and_its_no_form_are_understood),
		   unit(options_of_other_tracers_are_listed_too),
		   unit(a_buffer_size_is_set_and_put_back),
		   unit(sizes_that_differ_come_back_one_by_one),
		   unit(a_cpu_that_is_not_there_is_named),
		   unit(a_buffer_that_has_not_grown_shows_its_future_size),
		   unit(percent_and_mask_are_checked),
		   unit(functions_are_found_by_expression_and_module),
		   unit(a_glob_and_its_module_are_left_to_the_kernel),
		   unit(commands_of_functions_are_checked),
		   unit(a_command_is_removed_whatever_its_count),
		   unit(pids_are_set_and_put_back));
}
