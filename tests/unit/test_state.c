/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_state.c - the configuration as text, read from and applied to a fake tree */
#include <ktrail/session.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/tracefs.h>

#include "kt_test.h"
#include "session/state.h"
#include "undo/undo.h"

static struct kt_state *parse(const char *text)
{
	struct kt_err err = { 0 };
	struct kt_state *want = kt_state_parse(text, &err);

	CHECK_NO_ERR(&err);
	return want;
}

static void check_text(const struct kt_state *want, const char *expected)
{
	char *text = kt_state_text(want);

	assert_string_equal(text, expected);
	free(text);
}

static void fake(void)
{
	kt_tracefs_set_dir(kt_fake_tracefs());
	kt_fake_set("available_events", "sched:sched_switch\n");
	kt_fake_set("dynamic_events", "p:kprobes/a vfs_read\n");
	kt_fake_set("saved_cmdlines_size", "128\n");
	kt_fake_set("trace_options", "nosym-offset\nnostacktrace\nrecord-cmd\n");
	kt_fake_set("events/sched/enable", "X\n");
	kt_fake_set("events/sched/sched_switch/enable", "1*\n");
	kt_fake_set("events/sched/sched_switch/filter", "prev_pid > 3\n");
	kt_fake_set("events/sched/sched_switch/trigger", "stacktrace:unlimited\ntraceoff:count=2\n");
	kt_fake_set("set_event_pid", "1\n2\n");
}

TEST(a_text_reads_back_as_it_was_written)
{
	static const char text[] = "[machine]\nprobe = p:kprobes/a vfs_read a=%di\n\n"
				   "[instance x y]\noptions =\nfilter = a:b c == \"=#\"\n";
	struct kt_state *want = parse(text);

	check_text(want, text);
	kt_state_destroy(want);
	want = parse("# comment\n\n  [buffer] \n tracing_on=1 \r\n");
	check_text(want, "[buffer]\ntracing_on = 1\n");
	kt_state_destroy(want);
}

TEST(each_mistake_in_a_text_names_its_line)
{
	static const struct { const char *text, *says; } bad[] = {
		{ "\ntracing_on = 1\n", "line 2: a section is expected first" },
		{ "[buffer]\nbla\n", "line 2: 'KEY = VALUE' is expected" },
		{ "[buffer\n", "line 1: ']' is missing" },
		{ "[bufer]\n", "line 1: no section '[bufer]'" },
		{ "[instance ]\n", "no section" },
		{ "[buffer]\n[buffer]\n", "line 2: [buffer] comes twice" },
		{ "[buffer]\n../../etc/passwd = 1\n", "is not a setting" },
		{ "[buffer]\n/etc/passwd = 1\n", "is not a setting" },
		{ "[buffer]\n = 1\n", "is not a setting" },
		{ "[buffer]\nevent = sched:../../etc/x\n", "line 2: 'sched:../../etc/x' is not the name of an event" },
		{ "[buffer]\ntrigger = sched:../x traceoff\n", "is not the name of an event" },
		{ "[machine]\nrv = ../x\n", "is not the name of a monitor" },
	};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct kt_err err = { 0 };

		assert_null(kt_state_parse(bad[i].text, &err));
		assert_int_equal(err.code, -EINVAL);
		if (!strstr(err.msg, bad[i].says))
			fail_msg("'%s' says: %s", bad[i].text, err.msg);
	}
}

/* A session reads settings with the code that restores them, so both must agree on the lists. */
TEST(lists_are_lists_for_restoring_too)
{
	const struct state_row *const tables[] = { state_buffer_rows, state_machine_rows };
	const struct state_row *row;
	char path[100], *text;
	size_t i;

	for (i = 0; i < 2; i++)
		for (row = tables[i]; row->key; row++) {
			if (row->form == STATE_OWN)
				continue;
			snprintf(path, sizeof(path), "/t/%s", row->key);
			text = ctl_former_text(path, "a\n#b\nc");
			assert_non_null(text);
			if ((strcmp(text, "a\nc\n") == 0) != (row->form == STATE_LIST))
				fail_msg("%s is read as '%s'", row->key, text);
			free(text);
		}
}

TEST(a_buffer_is_read_as_it_would_be_written)
{
	struct kt_err err = { 0 };
	struct kt_state *want;
	char *text;

	fake();
	want = kt_state_read("", &err);
	CHECK_NO_ERR(&err);
	text = kt_state_text(want);
	assert_non_null(strstr(text, "\ntrace_clock = local\n"));
	assert_non_null(strstr(text, "\nset_event_pid = 1\nset_event_pid = 2\n"));
	assert_non_null(strstr(text, "\nevent = sched:sched_switch\n"
			       "filter = sched:sched_switch prev_pid > 3\n"
			       "trigger = sched:sched_switch traceoff:2\n"
			       "trigger = sched:sched_switch stacktrace\n"));
	free(text);
	kt_state_destroy(want);
	assert_null(kt_state_read("nobody", &err));
	assert_int_equal(err.code, -ENOENT);
}

/* More CPUs than this machine has */
#define MANY ",ffffffff,ffffffff,ffffffff,ffffffff,ffffffff,ffffffff,ffffffff,ffffffff"

TEST(defaults_can_be_hidden)
{
	struct kt_state *want = parse("[buffer]\ntracing_on = 1\ncurrent_tracer = function\n"
				       "tracing_cpumask = 3f,ffffffff" MANY MANY "\nbuffer_size_kb = 1408\n"
				       "options = nosym-offset record-cmd stacktrace nooverwrite\n");

	kt_state_hide_defaults(want);
	check_text(want, "[buffer]\ncurrent_tracer = function\noptions = stacktrace nooverwrite\n");
	kt_state_destroy(want);
	want = parse("[buffer]\ntracing_cpumask = 5\noptions = record-cmd\n");
	kt_state_hide_defaults(want);
	check_text(want, "[buffer]\ntracing_cpumask = 5\n");
	kt_state_destroy(want);
	want = parse("[machine]\nosnoise/cpus = 0-4095\n"
		     "osnoise/options = DEFAULTS OSNOISE_WORKLOAD NO_PANIC_ON_STOP\n");
	kt_state_hide_defaults(want);
	check_text(want, "[machine]\n");
	kt_state_destroy(want);
	want = parse("[machine]\nosnoise/cpus = 1\nosnoise/options = DEFAULTS OSNOISE_WORKLOAD PANIC_ON_STOP\n");
	kt_state_hide_defaults(want);
	check_text(want, "[machine]\nosnoise/cpus = 1\n"
		   "osnoise/options = DEFAULTS OSNOISE_WORKLOAD PANIC_ON_STOP\n");
	kt_state_destroy(want);
	/* CPU 0: all CPUs of a machine with one CPU, not all of a machine with several */
	want = parse("[buffer]\ntracing_cpumask = 1\n");
	kt_state_hide_defaults(want);
	check_text(want, sysconf(_SC_NPROCESSORS_CONF) > 1 ? "[buffer]\ntracing_cpumask = 1\n" : "[buffer]\n");
	kt_state_destroy(want);
}

TEST(a_difference_names_section_and_lines)
{
	struct kt_state *a = parse("[buffer]\na = 1\nevent = x:y\n[instance gone]\nb = 2\n");
	struct kt_state *b = parse("[buffer]\na = 2\nevent = x:y\n[instance new]\nc = 3\n");
	char *text = kt_state_diff(a, b);

	assert_string_equal(text, "[buffer]\n-a = 1\n+a = 2\n[instance gone]\n-b = 2\n"
				  "[instance new]\n+c = 3\n");
	free(text);
	text = kt_state_diff(a, a);
	assert_string_equal(text, "");
	free(text);
	kt_state_keep_sections(a, b);
	check_text(a, "[buffer]\na = 1\nevent = x:y\n");
	kt_state_destroy(a);
	kt_state_destroy(b);
}

TEST(applying_a_state_writes_only_the_differences)
{
	struct kt_state *want;
	struct kt_err err = { 0 };

	fake();
	want = kt_state_read("", &err);
	assert_int_equal(kt_state_apply(want, NULL, NULL, &err), 0);
	CHECK_NO_ERR(&err);
	kt_state_destroy(want);

	/* Lists that are not named become empty, values that are not named stay. */
	want = parse("[buffer]\ntrace_clock = mono\n");
	assert_int_equal(kt_state_apply(want, NULL, NULL, &err), 6);
	CHECK_NO_ERR(&err);
	assert_string_equal(kt_fake_get("trace_clock"), "mono");
	assert_string_equal(kt_fake_get("events/sched/sched_switch/enable"), "0");
	assert_string_equal(kt_fake_get("events/sched/sched_switch/filter"), "0");
	assert_string_equal(kt_fake_get("set_event_pid"), "");
	assert_string_equal(kt_fake_get("buffer_size_kb"), "1408");
	kt_state_destroy(want);
}

TEST(what_has_been_read_is_not_read_again)
{
	struct kt_state *want, *now;
	struct kt_err err = { 0 };

	fake();
	now = kt_state_read("", &err);
	kt_fake_set("buffer_size_kb", "99\n");
	want = parse("[buffer]\nbuffer_size_kb = 1408\n");
	/* By the values read before, the size is already right, the lists are not */
	assert_int_equal(kt_state_apply(want, now, NULL, &err), 5);
	CHECK_NO_ERR(&err);
	assert_string_equal(kt_fake_get("buffer_size_kb"), "99");
	assert_string_equal(kt_fake_get("events/sched/sched_switch/enable"), "0");
	kt_state_destroy(want);
	kt_state_destroy(now);
}

TEST(only_the_sections_of_another_state_are_read)
{
	static const struct { const char *like; size_t nr; const char *first; } reads[] = {
		{ "[buffer]\ntrace_clock = mono\n", 1, "buffer" },
		{ "[instance mine]\ntracing_on = 1\n[machine]\ntracing_thresh = 0\n", 2,
		  "instance mine" },
		{ "[instance gone]\ntracing_on = 1\n", 0, NULL },
	};
	struct kt_state *like, *now;
	struct kt_err err = { 0 };
	size_t i;

	fake();
	kt_fake_set("instances/mine/tracing_on", "1\n");
	kt_fake_set("instances/other/tracing_on", "1\n");
	for (i = 0; i < sizeof(reads) / sizeof(*reads); i++) {
		like = parse(reads[i].like);
		now = kt_state_read_like(like, &err);
		CHECK_NO_ERR(&err);
		assert_int_equal(now->nr, reads[i].nr);
		if (now->nr)
			assert_string_equal(now->sections[0].name, reads[i].first);
		kt_state_destroy(like);
		kt_state_destroy(now);
	}
}

TEST(of_a_system_that_is_off_only_filters_are_read)
{
	struct kt_state *now;
	char *text;

	fake();
	kt_fake_set("events/sched/enable", "0\n");
	now = kt_state_read("", NULL);
	text = kt_state_text(now);
	assert_non_null(strstr(text, "filter = sched:sched_switch prev_pid > 3\n"));
	assert_null(strstr(text, "trigger ="));
	assert_null(strstr(text, "event ="));
	free(text);
	kt_state_destroy(now);
}

TEST(a_refusal_half_way_restores_everything)
{
	struct kt_state *want;
	struct kt_err err = { 0 };

	fake();
	/* an event that does not exist: the filter's file is missing */
	want = parse("[buffer]\ntrace_clock = mono\nset_event_pid = 1\nset_event_pid = 2\n"
		      "filter = sched:nothing x == 1\n");
	assert_true(kt_state_apply(want, NULL, NULL, &err) < 0);
	assert_non_null(strstr(err.msg, "events/sched/nothing/filter"));
	assert_string_equal(kt_fake_get("trace_clock"), "local");
	assert_string_equal(kt_fake_get("events/sched/sched_switch/enable"), "1");
	assert_string_equal(kt_fake_get("events/sched/sched_switch/filter"), "prev_pid > 3");
	kt_state_destroy(want);

	kt_err_clear(&err);
	want = parse("[buffer]\nevent = no-event\n");
	assert_int_equal(kt_state_apply(want, NULL, NULL, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "is not the name of an event"));
	kt_state_destroy(want);
}

TEST(probes_come_and_go_but_not_those_in_use)
{
	struct kt_state *want;
	struct kt_names notes = { 0 };
	struct kt_err err = { 0 };
	const char *list;

	fake();
	kt_fake_set("dynamic_events", "p:kprobes/a vfs_read\np:kprobes/b vfs_write\n");
	kt_fake_set("events/kprobes/a/enable", "1\n");
	kt_fake_set("events/kprobes/b/enable", "0\n");
	want = parse("[machine]\nprobe = p:kprobes/c vfs_open\nno_such_file = 1\n");
	assert_int_equal(kt_state_apply(want, NULL, &notes, &err), 2);
	CHECK_NO_ERR(&err);
	list = kt_fake_get("dynamic_events");
	assert_non_null(strstr(list, "p:kprobes/c vfs_open\n-:kprobes/b"));
	assert_null(strstr(list, "-:kprobes/a"));
	assert_int_equal(notes.nr, 1);
	assert_non_null(strstr(notes.names[0], "not removed, the top-level buffer uses it: p:kprobes/a"));
	kt_names_fini(&notes);
	kt_state_destroy(want);
}

int main(void)
{
	return RUN(unit(a_text_reads_back_as_it_was_written),
		   unit(each_mistake_in_a_text_names_its_line),
		   unit(lists_are_lists_for_restoring_too),
		   unit(a_buffer_is_read_as_it_would_be_written), unit(defaults_can_be_hidden),
		   unit(a_difference_names_section_and_lines),
		   unit(applying_a_state_writes_only_the_differences),
		   unit(what_has_been_read_is_not_read_again),
		   unit(only_the_sections_of_another_state_are_read),
		   unit(of_a_system_that_is_off_only_filters_are_read),
		   unit(a_refusal_half_way_restores_everything),
		   unit(probes_come_and_go_but_not_those_in_use));
}
