/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_boot.c - sessions as bootconfig and as kernel command line */
#include <ktrail/session.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/tracefs.h>

#include "kt_test.h"

static void session(struct kt_setup *setup)
{
	struct kt_setup_buffer *top;

	assert_int_equal(kt_setup_init(setup), 0);
	top = kt_setup_buffer(setup, "");
	kt_setup_set(top, "current_tracer", "function");
	kt_setup_set(top, "trace_clock", "mono");
	kt_setup_set(top, "buffer_size_kb", "4096");
	kt_setup_add(top, "options", "nostacktrace");
	kt_setup_add_event(top, "sched:sched_switch", false);
	kt_setup_add_event(top, "irq", false);
	kt_setup_add_function(top, KT_FUNCTIONS_FILTER, "vfs_*", NULL);
	kt_setup_add_event(kt_setup_buffer(setup, "mine"), "all", false);
}

TEST(a_session_becomes_a_bootconfig)
{
	struct kt_setup setup;
	struct kt_err err = { 0 };
	char *text;

	session(&setup);
	kt_setup_add_event(setup.buffers[0], "sched:sched_waking", false);
	kt_setup_add_filter(setup.buffers[0], "pid > 3 && comm == \"a\"");
	kt_setup_add_trigger(setup.buffers[0], "traceoff:1");
	text = kt_boot_config(&setup, &err);
	CHECK_NO_ERR(&err);
	assert_string_equal(text,
		"ftrace.tracer = function\n"
		"ftrace.trace_clock = mono\n"
		"ftrace.buffer_size = 4096KB\n"
		"ftrace.ftrace.filters = vfs_*\n"
		"ftrace.options = nostacktrace\n"
		"ftrace.events = sched:sched_switch, irq, sched:sched_waking\n"
		"ftrace.event.sched.sched_waking.actions += \"traceoff:1\"\n"
		"ftrace.event.sched.sched_waking.filter = 'pid > 3 && comm == \"a\"'\n"
		"ftrace.instance.mine.events = *:*\n");
	free(text);
	kt_setup_fini(&setup);
}

TEST(a_session_becomes_a_command_line)
{
	struct kt_setup setup;
	struct kt_err err = { 0 };
	char *text;

	session(&setup);
	text = kt_boot_cmdline(&setup, &err);
	CHECK_NO_ERR(&err);
	assert_string_equal(text, "ftrace=function trace_clock=mono trace_buf_size=4096K "
		"ftrace_filter=vfs_* trace_options=nostacktrace "
		"trace_event=sched:sched_switch,irq trace_instance=mine,*:*\n");
	free(text);
	kt_setup_fini(&setup);
}

TEST(what_a_command_line_cannot_say_is_refused)
{
	struct kt_setup setup;
	struct kt_err err = { 0 };

	session(&setup);
	kt_setup_add_filter(setup.buffers[0], "x == 1");
	assert_null(kt_boot_cmdline(&setup, &err));
	assert_int_equal(err.code, -ENOTSUP);
	assert_non_null(strstr(err.msg, "cannot filter 'irq'"));
	kt_err_clear(&err);
	assert_null(kt_boot_config(&setup, &err));
	assert_int_equal(err.code, -EINVAL);		/* irq is not a single event */
	kt_setup_fini(&setup);

	kt_err_clear(&err);
	session(&setup);
	kt_setup_set(setup.buffers[1], "trace_clock", "mono");
	assert_null(kt_boot_cmdline(&setup, &err));
	assert_non_null(strstr(err.msg, "only the events of an instance ('mine')"));
	kt_setup_fini(&setup);

	kt_err_clear(&err);
	session(&setup);
	kt_setup_set(setup.buffers[0], "tracing_cpumask", "3");
	assert_null(kt_boot_cmdline(&setup, &err));
	kt_setup_fini(&setup);

	kt_err_clear(&err);
	session(&setup);
	kt_setup_add_trigger(setup.buffers[0], "traceoff:1");
	assert_null(kt_boot_cmdline(&setup, &err));
	assert_int_equal(err.code, -ENOTSUP);
	assert_non_null(strstr(err.msg, "also in the instance 'mine'"));
	kt_setup_fini(&setup);
}

TEST(names_that_this_kernel_lacks_are_said)
{
	struct kt_setup setup;
	struct kt_names notes = { 0 };

	kt_tracefs_set_dir(kt_fake_tracefs());
	kt_fake_set("available_events", "sched:sched_switch\n");
	kt_fake_set("trace_options", "nostacktrace\n");
	kt_setup_init(&setup);
	kt_setup_set(setup.buffers[0], "current_tracer", "functoin");
	kt_setup_set(setup.buffers[0], "trace_clock", "monno");
	kt_setup_add(setup.buffers[0], "options", "stacktrac");
	kt_setup_add(setup.buffers[0], "options", "nostacktrace");
	kt_setup_add_event(setup.buffers[0], "sched:sched_swich", false);
	assert_int_equal(kt_boot_check(&setup, &notes), 0);
	assert_int_equal(notes.nr, 4);
	assert_string_equal(notes.names[0], "this kernel has no tracer 'functoin', did you mean 'function'?");
	assert_non_null(strstr(notes.names[1], "clock 'monno'"));
	assert_non_null(strstr(notes.names[2], "option 'stacktrac'"));
	assert_non_null(strstr(notes.names[3], "sched_swich"));
	kt_names_fini(&notes);
	kt_setup_fini(&setup);
}

/* Both forms go to the kernel's command line, so the names are those of parameters. */
TEST(what_exists_once_is_a_parameter_of_the_kernel)
{
	struct kt_setup setup;
	struct kt_err err = { 0 };
	char *text;

	assert_int_equal(kt_setup_init(&setup), 0);
	kt_setup_set(setup.buffers[0], "current_tracer", "function_graph");
	kt_setup_add_function(setup.buffers[0], KT_FUNCTIONS_GRAPH, "vfs_read", NULL);
	kt_setup_add_function(setup.buffers[0], KT_FUNCTIONS_GRAPH, "vfs_write", NULL);
	kt_setup_add_function(setup.buffers[0], KT_FUNCTIONS_GRAPH_NOTRACE, "*lock*", NULL);
	kt_state_set(&setup.machine, "max_graph_depth", "3");
	kt_state_set(&setup.machine, "sysctl/ftrace_dump_on_oops", "orig_cpu");
	text = kt_boot_config(&setup, &err);
	CHECK_NO_ERR(&err);
	assert_string_equal(text, "ftrace.tracer = function_graph\n"
			    "kernel.ftrace_graph_max_depth = 3\n"
			    "kernel.ftrace_graph_filter = \"vfs_read,vfs_write\"\n"
			    "kernel.ftrace_graph_notrace = *lock*\n"
			    "kernel.ftrace_dump_on_oops = orig_cpu\n");
	free(text);
	kt_state_set(&setup.machine, "sysctl/ftrace_dump_on_oops", "1");
	text = kt_boot_cmdline(&setup, &err);
	CHECK_NO_ERR(&err);
	assert_string_equal(text, "ftrace=function_graph ftrace_graph_max_depth=3 "
			    "ftrace_graph_filter=vfs_read,vfs_write ftrace_graph_notrace=*lock* "
			    "ftrace_dump_on_oops\n");
	free(text);
	kt_setup_fini(&setup);
}

static void saved(struct kt_setup *setup, const char *text, struct kt_names *notes)
{
	struct kt_err err = { 0 };
	struct kt_state *state = kt_state_parse(text, &err);

	CHECK_NO_ERR(&err);
	kt_state_hide_defaults(state);
	assert_int_equal(kt_setup_init(setup), 0);
	assert_int_equal(kt_boot_add_state(setup, state, notes), 0);
	kt_state_destroy(state);
}

TEST(a_saved_state_becomes_a_bootconfig)
{
	struct kt_names notes = { 0 };
	struct kt_setup setup;
	struct kt_err err = { 0 };
	char *text;

	saved(&setup, "[machine]\n"
	      "probe = p:kprobes/reads vfs_read count=%dx:u64\n"
	      "probe = s:synthetic/lat u64 d; pid_t pid\n"
	      "probe = f:fprobes/x vfs_read\n"
	      "max_graph_depth = 3\ntracing_thresh = 0\nset_graph_function = vfs_read\n"
	      "osnoise/cpus = 1\nsysctl/ftrace_dump_on_oops = 2\nsysctl/stack_tracer_enabled = 1\n"
	      "sysctl/traceoff_on_warning = 1\n"
	      "[buffer]\ntracing_on = 0\ncurrent_tracer = function\ntrace_clock = local\n"
	      "set_ftrace_filter = vfs_open\nset_ftrace_filter = vfs_read:traceoff:count=3\n"
	      "[instance mine]\ntracing_cpumask = 2,00000000\nbuffer_size_kb = 64\n"
	      "event = sched:sched_switch\n"
	      "trigger = sched:sched_switch hist:keys=next_pid:d=$ts0:onmatch(sched.sched_waking).lat($d)\n"
	      "trigger = sched:sched_waking hist:keys=pid:ts0=common_timestamp.usecs\n"
	      "filter = sched:sched_switch prev_comm ~ \"a*\"\n", &notes);
	text = kt_boot_config(&setup, &err);
	CHECK_NO_ERR(&err);
	assert_string_equal(text,
		"ftrace.event.kprobes.reads.probes = \"vfs_read count=%dx:u64\"\n"
		"ftrace.event.synthetic.lat.fields = \"u64 d\", \"pid_t pid\"\n"
		"ftrace.tracer = function\n"
		"ftrace.ftrace.filters = vfs_open\n"
		"ftrace.instance.mine.buffer_size = 64KB\n"
		"ftrace.instance.mine.cpumask = \"2,00000000\"\n"
		"ftrace.instance.mine.events = sched:sched_switch\n"
		"ftrace.instance.mine.event.sched.sched_waking.actions += "
			"\"hist:keys=pid:ts0=common_timestamp.usecs\"\n"
		"ftrace.instance.mine.event.sched.sched_switch.actions += "
			"\"hist:keys=next_pid:d=$ts0:onmatch(sched.sched_waking).lat($d)\"\n"
		"ftrace.instance.mine.event.sched.sched_switch.filter = 'prev_comm ~ \"a*\"'\n"
		"kernel.ftrace_graph_max_depth = 3\n"
		"kernel.ftrace_graph_filter = vfs_read\n"
		"kernel.ftrace_dump_on_oops = 2\n"
		"kernel.stacktrace\n"
		"kernel.traceoff_on_warning\n");
	free(text);
	assert_int_equal(notes.nr, 3);
	assert_string_equal(notes.names[0], "[machine] probe = f:fprobes/x vfs_read: cannot be set at boot");
	assert_string_equal(notes.names[1], "[machine] osnoise/cpus = 1: cannot be set at boot");
	assert_non_null(strstr(notes.names[2], "vfs_read:traceoff:count=3"));
	kt_names_fini(&notes);
	kt_setup_fini(&setup);
}

TEST(an_instance_does_not_inherit_options)
{
	struct kt_names notes = { 0 };
	struct kt_setup setup;
	struct kt_err err = { 0 };
	char *text;

	saved(&setup, "[buffer]\noptions = record-tgid nooverwrite stacktrace\n"
	      "[instance mine]\noptions = stacktrace\nevent = irq:irq_handler_entry\n", &notes);
	text = kt_boot_config(&setup, &err);
	CHECK_NO_ERR(&err);
	assert_string_equal(text, "ftrace.options = record-tgid, nooverwrite, stacktrace\n"
			    "ftrace.instance.mine.options = stacktrace, norecord-tgid, overwrite\n"
			    "ftrace.instance.mine.events = irq:irq_handler_entry\n");
	free(text);
	kt_setup_fini(&setup);
}

static void rename_event(struct kt_setup *setup, size_t nr, const char *name)
{
	struct kt_state_line *line = setup->buffers[0]->wish.lines;

	for (; nr || strcmp(line->key, "event") != 0; line++)
		nr -= strcmp(line->key, "event") == 0;
	free(line->value);
	line->value = strdup(name);
}

TEST(a_saved_state_becomes_a_command_line)
{
	struct kt_names notes = { 0 };
	struct kt_setup setup;
	struct kt_err err = { 0 };
	char *text;

	saved(&setup, "[machine]\nprobe = p:kprobes/reads vfs_read count=%dx:u64\n"
	      "probe = r:mine/ret vfs_read\ntracing_thresh = 50\n"
	      "[buffer]\nevent = kprobes:reads\nevent = mine:ret\nevent = irq:irq_handler_entry\n"
	      "trigger = sched:sched_waking traceoff if prio < 0\n", &notes);
	assert_int_equal(notes.nr, 1);
	kt_names_fini(&notes);
	rename_event(&setup, 1, "!mine:ret");
	text = kt_boot_cmdline(&setup, &err);
	CHECK_NO_ERR(&err);
	assert_string_equal(text, "tracing_thresh=50 "
			    "kprobe_event=p:kprobes/reads,vfs_read,count=%dx:u64 "
			    "trace_event=irq:irq_handler_entry "
			    "trace_trigger=\"sched_waking.traceoff if prio < 0\"\n");
	free(text);
	rename_event(&setup, 0, "!kprobes:reads");
	assert_null(kt_boot_cmdline(&setup, &err));
	assert_non_null(strstr(err.msg, "'kprobes:reads' is disabled"));
	kt_setup_fini(&setup);
}

TEST(options_of_a_tracer_come_with_it)
{
	struct kt_setup setup;
	struct kt_err err = { 0 };
	char *text;

	assert_int_equal(kt_setup_init(&setup), 0);
	kt_setup_set(setup.buffers[0], "current_tracer", "function_graph");
	kt_setup_add(setup.buffers[0], "options", "funcgraph-proc");
	kt_setup_add(setup.buffers[0], "options", "nooverwrite");
	kt_setup_add(setup.buffers[0], "options", "nosleep-time");
	kt_setup_add_function(setup.buffers[0], KT_FUNCTIONS_FILTER, "vfs_*", NULL);
	text = kt_boot_config(&setup, &err);
	CHECK_NO_ERR(&err);
	assert_string_equal(text, "kernel.ftrace = function_graph\n"
			    "kernel.ftrace_filter = vfs_*\n"
			    "kernel.trace_options = \"funcgraph-proc,nosleep-time\"\n"
			    "ftrace.options = nooverwrite\n");
	free(text);
	kt_setup_set(kt_setup_buffer(&setup, "mine"), "current_tracer", "function");
	kt_setup_add(setup.buffers[1], "options", "func_stack_trace");
	assert_null(kt_boot_config(&setup, &err));
	assert_int_equal(err.code, -ENOTSUP);
	kt_setup_fini(&setup);
}

TEST(what_a_bootconfig_cannot_hold_is_refused)
{
	struct kt_setup setup;
	struct kt_err err = { 0 };
	char text[300];

	assert_int_equal(kt_setup_init(&setup), 0);
	kt_setup_add_event(setup.buffers[0], "sched:sched_switch", false);
	kt_setup_add_filter(setup.buffers[0], "a == \"'\"");
	assert_null(kt_boot_config(&setup, &err));
	assert_non_null(strstr(err.msg, "both kinds of quotes"));
	kt_err_clear(&err);
	memset(text, 'x', sizeof(text));
	text[256] = '\0';
	kt_setup_fini(&setup);
	assert_int_equal(kt_setup_init(&setup), 0);
	kt_setup_add_event(setup.buffers[0], "sched:sched_switch", false);
	kt_setup_add_filter(setup.buffers[0], text);
	assert_null(kt_boot_config(&setup, &err));
	assert_non_null(strstr(err.msg, "these are 256"));
	kt_setup_fini(&setup);

	kt_err_clear(&err);
	assert_int_equal(kt_setup_init(&setup), 0);
	kt_setup_add_event(kt_setup_buffer(&setup, "a.b"), "irq", false);
	assert_null(kt_boot_config(&setup, &err));
	assert_non_null(strstr(err.msg, "'a.b'"));
	assert_non_null(kt_setup_buffer(&setup, "c"));
	kt_setup_fini(&setup);
}

TEST(probes_that_cannot_be_said_at_boot_are_refused)
{
	struct kt_setup setup;
	struct kt_err err = { 0 };

	assert_int_equal(kt_setup_init(&setup), 0);
	kt_setup_add_event(setup.buffers[0], "sched:sched_switch", false);
	kt_state_add(&setup.machine, "probe", "p:uprobes/x /bin/sh:0x1000");
	assert_null(kt_boot_config(&setup, &err));
	assert_int_equal(err.code, -ENOTSUP);
	assert_non_null(strstr(err.msg, "not 'p:uprobes/x /bin/sh:0x1000'"));
	kt_err_clear(&err);
	assert_null(kt_boot_cmdline(&setup, &err));
	assert_int_equal(err.code, -ENOTSUP);
	assert_non_null(strstr(err.msg, "a command line defines only kprobes"));
	kt_setup_fini(&setup);

	kt_err_clear(&err);
	assert_int_equal(kt_setup_init(&setup), 0);
	kt_setup_add_event(kt_setup_buffer(&setup, "mine"), "kprobes:reads", false);
	assert_null(kt_boot_cmdline(&setup, &err));
	assert_int_equal(err.code, -ENOTSUP);
	assert_non_null(strstr(err.msg, "probes in the top-level buffer only, not in 'mine'"));
	kt_setup_fini(&setup);
}

int main(void)
{
	return RUN(unit(a_session_becomes_a_bootconfig), unit(a_session_becomes_a_command_line),
		   unit(what_a_command_line_cannot_say_is_refused),
		   unit(names_that_this_kernel_lacks_are_said),
		   unit(what_exists_once_is_a_parameter_of_the_kernel),
		   unit(a_saved_state_becomes_a_bootconfig),
		   unit(an_instance_does_not_inherit_options),
		   unit(a_saved_state_becomes_a_command_line),
		   unit(options_of_a_tracer_come_with_it),
		   unit(what_a_bootconfig_cannot_hold_is_refused),
		   unit(probes_that_cannot_be_said_at_boot_are_refused));
}
