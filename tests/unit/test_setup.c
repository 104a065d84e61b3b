/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_setup.c - sessions: applied in order, rolled back, restored */
#include <ktrail/session.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/settings.h>
#include <ktrail/tracefs.h>

#include "kt_test.h"
#include "probe/dynamic.h"

static struct kt_setup *fake(struct kt_setup *s)
{
	kt_tracefs_set_dir(kt_fake_tracefs());
	assert_int_equal(kt_setup_init(s), 0);
	return s;
}

static int run(struct kt_setup *s, struct kt_err *err)
{
	int ret = kt_setup_open(s, err);

	if (ret == 0)
		ret = kt_setup_apply(s, err);
	return ret == 0 ? kt_setup_start(s, err) : ret;
}

/* Like the kernel's flags of a tracer: one word, shown by a file in each buffer */
static void share_option(const char *instance, const char *name)
{
	char from[512], to[512];

	kt_fake_set(name, "0\n");
	snprintf(from, sizeof(from), "%s/%s", kt_tracefs_dir(NULL), name);
	snprintf(to, sizeof(to), "%s/instances/%s/%s", kt_tracefs_dir(NULL), instance, name);
	assert_int_equal(symlink(from, to), 0);
}

TEST(an_option_of_a_tracer_is_restored_in_all_buffers_and_reported)
{
	static const char name[] = "options/func_stack_trace";
	struct kt_setup s;
	struct kt_err err = { 0 };
	struct kt_setup_buffer *one;
	char gone[512];

	fake(&s);
	kt_fake_set("instances/one/current_tracer", "nop\n");
	kt_fake_set("instances/one/trace", "");
	kt_fake_set("instances/one/tracing_on", "1\n");
	kt_fake_set("instances/one/options/stacktrace", "0\n");
	share_option("one", name);
	one = kt_setup_buffer(&s, "one");
	one->used = true;
	s.keep_before = true;
	kt_setup_add(one, "options", "stacktrace");
	kt_setup_add(one, "options", "func_stack_trace");
	assert_int_equal(run(&s, &err), 0);
	CHECK_NO_ERR(&err);
	assert_string_equal(kt_fake_get(name), "1");
	assert_int_equal(s.session_notes.nr, 1);
	assert_non_null(strstr(s.session_notes.names[0], "func_stack_trace belongs to its tracer"));
	/* In an instance that is deleted, nothing is restored. */
	snprintf(gone, sizeof(gone), "%s/instances/one/%s", kt_tracefs_dir(NULL), name);
	assert_int_equal(remove(gone), 0);
	assert_int_equal(kt_setup_close(&s, &err), 0);
	assert_string_equal(kt_fake_get(name), "0");
	assert_string_equal(kt_fake_get("instances/one/options/stacktrace"), "0");
	kt_setup_fini(&s);
}

TEST(a_session_is_applied_and_put_back)
{
	struct kt_setup s;
	struct kt_setup_buffer *top = fake(&s)->buffers[0];
	struct kt_err err = { 0 };

	kt_fake_set("tracing_on", "0\n");
	kt_setup_add_event(top, "sched:sched_switch", false);
	kt_setup_add_filter(top, "prev_pid == 1");
	kt_setup_add_filter(top, "next_pid == 2");
	kt_setup_add_event(top, "irq", false);
	kt_setup_add(top, "options", "stacktrace");
	kt_setup_set(top, "current_tracer", "function");
	kt_setup_set(top, "buffer_size_kb", "64");
	kt_setup_add_pids(&s.pids, "3,4");
	assert_int_equal(run(&s, &err), 0);
	CHECK_NO_ERR(&err);
	assert_string_equal(kt_fake_get("tracing_on"), "1");
	assert_string_equal(kt_fake_get("events/sched/sched_switch/filter"),
			    "(prev_pid == 1)&&(next_pid == 2)");
	assert_string_equal(kt_fake_get("events/irq/enable"), "1");
	assert_string_equal(kt_fake_get("current_tracer"), "function");
	assert_string_equal(kt_fake_get("buffer_size_kb"), "64");
	assert_string_equal(kt_fake_get("set_event_pid"), "3 4");
	assert_string_equal(kt_fake_get("options/stacktrace"), "1");
	assert_int_equal(kt_setup_close(&s, &err), 0);
	assert_string_equal(kt_fake_get("tracing_on"), "0");
	assert_string_equal(kt_fake_get("events/sched/sched_switch/filter"), "0");
	assert_string_equal(kt_fake_get("events/irq/enable"), "0");
	assert_string_equal(kt_fake_get("current_tracer"), "nop");
	assert_string_equal(kt_fake_get("buffer_size_kb"), "1408");
	assert_string_equal(kt_fake_get("set_event_pid"), "");
	kt_setup_fini(&s);
}

TEST(a_refusal_half_way_is_rolled_back)
{
	struct kt_setup s;
	struct kt_setup_buffer *top = fake(&s)->buffers[0];
	struct kt_err err = { 0 };

	kt_setup_add_event(top, "sched", false);
	kt_setup_add_event(top, "nothing_like_it", false);
	assert_int_equal(run(&s, &err), -ENOENT);
	kt_setup_close(&s, NULL);
	assert_string_equal(kt_fake_get("events/sched/enable"), "0");
	assert_string_equal(kt_fake_get("tracing_on"), "1");
	kt_setup_fini(&s);
}

TEST(an_option_that_is_missing_is_missed_before_the_tracer_starts)
{
	struct kt_setup s;
	struct kt_setup_buffer *top = fake(&s)->buffers[0];
	struct kt_err err = { 0 };

	top->used = true;
	kt_setup_set(top, "current_tracer", "function");
	assert_int_equal(kt_setup_add(top, "options", "funcgraph-nosuch"), 0);
	assert_int_equal(run(&s, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "no option 'funcgraph-nosuch'"));
	assert_string_equal(kt_fake_get("current_tracer"), "nop");
	kt_setup_close(&s, NULL);
	kt_setup_fini(&s);
}

TEST(missing_events_can_be_passed_over)
{
	struct kt_setup s;
	struct kt_setup_buffer *top = fake(&s)->buffers[0];

	kt_setup_add_event(top, "nothing_like_it", false);
	kt_setup_add_event(top, "sched", false);
	s.ignore_missing = true;
	assert_int_equal(run(&s, NULL), 0);
	assert_int_equal(s.nr_missing, 1);
	assert_string_equal(kt_fake_get("events/sched/enable"), "1");
	kt_setup_fini(&s);
}

TEST(function_lists_are_touched_only_for_functions)
{
	struct kt_setup s;
	struct kt_setup_buffer *top = fake(&s)->buffers[0];

	kt_fake_set("set_ftrace_filter", "vfs_read\n");
	kt_setup_add_event(top, "sched", false);
	assert_int_equal(run(&s, NULL), 0);
	assert_string_equal(kt_fake_get("set_ftrace_filter"), "vfs_read");
	kt_setup_close(&s, NULL);
	kt_setup_set(top, "current_tracer", "function");
	kt_setup_add_function(top, KT_FUNCTIONS_FILTER, "schedule", NULL);
	assert_int_equal(run(&s, NULL), 0);
	assert_string_equal(kt_fake_get("set_ftrace_filter"), "schedule");
	kt_setup_fini(&s);
	assert_string_equal(kt_fake_get("set_ftrace_filter"), "vfs_read");
}

TEST(stacks_of_all_functions_are_refused)
{
	struct kt_setup s;
	struct kt_setup_buffer *top = fake(&s)->buffers[0];
	struct kt_err err = { 0 };

	kt_setup_set(top, "current_tracer", "function");
	top->used = top->func_stack = true;
	assert_int_equal(run(&s, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "-l"));
	kt_setup_fini(&s);
}

TEST(an_error_names_the_instance)
{
	struct kt_setup s;
	struct kt_err err = { 0 };
	struct kt_setup_buffer *buf = kt_setup_buffer(fake(&s), "disk");

	kt_fake_set("instances/disk/tracing_on", "1\n");
	kt_fake_set("instances/disk/trace", "");
	kt_fake_set("instances/disk/current_tracer", "nop\n");
	kt_fake_set("instances/disk/events/enable", "0\n");
	kt_setup_add_event(buf, "nothing_like_it", false);
	assert_int_equal(run(&s, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "instance 'disk'"));
	kt_setup_fini(&s);
}

TEST(before_an_event_there_is_nothing_to_filter)
{
	struct kt_setup s;

	fake(&s);
	assert_int_equal(kt_setup_add_filter(s.buffers[0], "x"), -EINVAL);
	assert_int_equal(kt_setup_add_trigger(s.buffers[0], "x"), -EINVAL);
	assert_false(kt_setup_traces(&s));
	kt_setup_add_event(s.buffers[0], "sched", false);
	assert_true(kt_setup_traces(&s));
	kt_setup_fini(&s);
}

TEST(keep_before_leaves_the_settings)
{
	struct kt_setup s;

	fake(&s);
	kt_fake_set("events/irq/irq_handler_entry/filter", "irq == 1\n");
	kt_fake_set("tracing_on", "0\n");
	s.keep_before = true;
	kt_setup_add_event(s.buffers[0], "sched", false);
	assert_int_equal(kt_setup_open(&s, NULL), 0);
	assert_int_equal(kt_setup_apply(&s, NULL), 0);
	kt_setup_keep(&s);
	kt_setup_fini(&s);
	assert_string_equal(kt_fake_get("events/irq/irq_handler_entry/filter"), "irq == 1");
	assert_string_equal(kt_fake_get("events/sched/enable"), "1");
	assert_string_equal(kt_fake_get("tracing_on"), "0");
}

TEST(with_keep_before_a_trace_of_its_own_waits_for_the_start)
{
	struct kt_setup s;

	fake(&s);
	kt_fake_set("events/irq/irq_handler_entry/filter", "irq == 1\n");
	kt_fake_set("tracing_on", "1\n");
	s.keep_before = s.own_trace = true;
	kt_setup_add_event(s.buffers[0], "sched", false);
	assert_int_equal(kt_setup_open(&s, NULL), 0);
	assert_int_equal(kt_setup_apply(&s, NULL), 0);
	assert_string_equal(kt_fake_get("events/sched/enable"), "1");
	assert_string_equal(kt_fake_get("tracing_on"), "0");
	assert_int_equal(kt_setup_start(&s, NULL), 0);
	assert_string_equal(kt_fake_get("tracing_on"), "1");
	kt_setup_keep(&s);
	kt_setup_fini(&s);
	assert_string_equal(kt_fake_get("events/irq/irq_handler_entry/filter"), "irq == 1");
}

TEST(a_reset_brings_back_the_defaults)
{
	struct kt_instance *inst;
	struct kt_err err = { 0 };

	kt_tracefs_set_dir(kt_fake_tracefs());
	kt_fake_set("tracing_on", "0\n");
	kt_fake_set("current_tracer", "function\n");
	kt_fake_set("events/enable", "1\n");
	kt_fake_set("events/sched/sched_switch/filter", "prev_pid == 1\n");
	kt_fake_set("set_ftrace_filter", "vfs_read\n");
	kt_fake_set("set_event_pid", "7\n");
	kt_fake_set("tracing_cpumask", "1\n");
	kt_fake_set("trace", "old\n");
	inst = kt_instance_open(NULL, 0, NULL);
	assert_int_equal(kt_instance_reset(inst, &err), 0);
	CHECK_NO_ERR(&err);
	kt_instance_keep(inst);
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get("tracing_on"), "1");
	assert_string_equal(kt_fake_get("current_tracer"), "nop");
	assert_string_equal(kt_fake_get("events/enable"), "0");
	assert_string_equal(kt_fake_get("events/sched/sched_switch/filter"), "0");
	assert_string_equal(kt_fake_get("set_ftrace_filter"), "");
	assert_string_equal(kt_fake_get("set_event_pid"), "");
	assert_string_equal(kt_fake_get("tracing_cpumask"), "3");
	assert_string_equal(kt_fake_get("trace"), "");
}

TEST(a_reset_walks_the_settings_those_of_all_buffers_only_from_the_top_one)
{
	static const struct { const char *file, *now, *top, *instance; } files[] = {
		{ "trace_clock", "local global [mono]\n", "local", NULL },
		{ "set_event_notrace_pid", "7\n", "", NULL },
		{ "set_ftrace_notrace", "vfs_read\n", "", NULL },
		{ "options/stacktrace", "1\n", "0", NULL },
		{ "buffer_percent", "7\n", "7", NULL },
		{ "max_graph_depth", "3\n", "0", "3" },
		{ "tracing_thresh", "9\n", "0", "9" },
		{ "set_graph_function", "vfs_read\n", "", "vfs_read" },
	};
	static const char *const of_one[] = {
		"instances/one/tracing_on", "instances/one/trace", "instances/one/current_tracer",
		"instances/one/events/enable", "instances/one/trace_clock",
		"instances/one/tracing_cpumask", "instances/one/per_cpu/cpu0/stats",
	};
	struct kt_instance *inst;
	struct kt_err err = { 0 };
	size_t i, pass;

	kt_tracefs_set_dir(kt_fake_tracefs());
	for (i = 0; i < sizeof(of_one) / sizeof(*of_one); i++)
		kt_fake_set(of_one[i], "0\n");
	for (pass = 0; pass < 2; pass++) {
		inst = kt_instance_open(pass ? NULL : "one", KT_INSTANCE_CREATE, NULL);
		for (i = 0; i < sizeof(files) / sizeof(*files); i++)
			kt_fake_set(files[i].file, files[i].now);
		assert_int_equal(kt_instance_reset(inst, &err), 0);
		CHECK_NO_ERR(&err);
		kt_instance_keep(inst);
		kt_instance_close(inst, NULL);
		for (i = 0; i < sizeof(files) / sizeof(*files); i++)
			if (pass || files[i].instance)
				assert_string_equal(kt_fake_get(files[i].file), pass ?
						    files[i].top : files[i].instance);
	}
}

TEST(triggers_go_one_by_one_those_that_use_others_first)
{
	struct kt_instance *inst;
	struct kt_err err = { 0 };

	kt_tracefs_set_dir(kt_fake_tracefs());
	kt_fake_set("available_events", "sched:sched_switch\n");
	kt_fake_set("events/enable", "X\n");
	kt_fake_set("events/sched/enable", "X\n");
	kt_fake_set("events/sched/sched_switch/trigger",
		    "traceoff:count=2\nhist:keys=a:b=$c [active]");
	inst = kt_instance_open(NULL, 0, NULL);
	assert_int_equal(kt_instance_clear_triggers(inst, &err), 0);
	CHECK_NO_ERR(&err);
	kt_instance_keep(inst);
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get("events/sched/sched_switch/trigger"),
			    "traceoff:count=2\nhist:keys=a:b=$c [active]!hist:keys=a:b=$c\n"
			    "!traceoff:0");
}

TEST(kinds_of_dynamic_events_are_distinguished)
{
	static const struct { const char *line, *name; enum kt_dynamic_kind kind; } lines[] = {
		{ "p:kprobes/a vfs_read", "kprobes/a", KT_DYNAMIC_KPROBE },
		{ "r8:kprobes/b vfs_read", "kprobes/b", KT_DYNAMIC_KRETPROBE },
		{ "p:uprobes/c /bin/sh:0x10", "uprobes/c", KT_DYNAMIC_UPROBE },
		{ "r:uprobes/d /bin/sh:0x10", "uprobes/d", KT_DYNAMIC_URETPROBE },
		{ "e:eprobes/e sched/sched_switch", "eprobes/e", KT_DYNAMIC_EPROBE },
		{ "s:synthetic/f u64 x;", "synthetic/f", KT_DYNAMIC_SYNTH },
		{ "f:fprobes/g vfs_read", "fprobes/g", KT_DYNAMIC_OTHER },
		{ "u:h u32 count", "user_events/h", KT_DYNAMIC_OTHER },
		{ "", "", KT_DYNAMIC_OTHER },
	};
	char name[64];
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		assert_int_equal(dynamic_event_kind(lines[i].line, name, sizeof(name)),
				 lines[i].kind);
		assert_string_equal(name, lines[i].name);
	}
}

TEST(dynamic_events_of_a_kind_are_removed)
{
	kt_tracefs_set_dir(kt_fake_tracefs());
	assert_int_equal(kt_dynamic_events_remove(NULL, KT_DYNAMIC_ALL, NULL, NULL), -ENOENT);
	kt_fake_set("dynamic_events", "p:kprobes/a vfs_read\ns:synthetic/f u64 x;\n");
	assert_int_equal(kt_dynamic_events_remove(NULL, KT_DYNAMIC_ALL & ~KT_DYNAMIC_SYNTH, NULL,
						  NULL), 1);
	assert_non_null(strstr(kt_fake_get("dynamic_events"), "\n-:kprobes/a"));
	assert_null(strstr(kt_fake_get("dynamic_events"), "-:synthetic"));
}

int main(void)
{
	return RUN(unit(an_option_of_a_tracer_is_restored_in_all_buffers_and_reported),
		   unit(a_session_is_applied_and_put_back), unit(a_refusal_half_way_is_rolled_back),
		   unit(an_option_that_is_missing_is_missed_before_the_tracer_starts),
		   unit(missing_events_can_be_passed_over),
		   unit(function_lists_are_touched_only_for_functions),
		   unit(stacks_of_all_functions_are_refused), unit(an_error_names_the_instance),
		   unit(before_an_event_there_is_nothing_to_filter),
		   unit(keep_before_leaves_the_settings),
		   unit(with_keep_before_a_trace_of_its_own_waits_for_the_start),
		   unit(a_reset_brings_back_the_defaults),
		   unit(a_reset_walks_the_settings_those_of_all_buffers_only_from_the_top_one),
		   unit(triggers_go_one_by_one_those_that_use_others_first),
		   unit(kinds_of_dynamic_events_are_distinguished),
		   unit(dynamic_events_of_a_kind_are_removed));
}
