/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_trigger.c - filters and triggers of events on a fake tree */
#include <ktrail/settings.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/tracefs.h>

#include "kt_test.h"

static const char format[] =
	"name: %s\nID: 1\nformat:\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n";

static struct kt_instance *open_fake(void)
{
	struct kt_err err = { 0 };
	struct kt_instance *inst;

	kt_tracefs_set_dir(kt_fake_tracefs());
	kt_fake_set("available_events", "sched:sched_switch\nsched:sched_stat\nirq:irq_entry\n");
	kt_fake_set("README", "	   trigger: traceon, traceoff\n	    enable_event:<system>:<event>\n"
		    "	    stacktrace\n	    snapshot\n	    hist (see below)\n");
	kt_fake_set("events/sched/sched_switch/format", format);
	kt_fake_set("events/sched/sched_switch/filter", "prev_pid > 3\n");
	kt_fake_set("events/sched/sched_switch/trigger", "stacktrace:count=5 if prev_pid > 3\n"
		    "traceoff:unlimited\n"
		    "hist:keys=prev_pid.log2:vals=hitcount:sort=prev_pid.log2:size=2048 if prev_pid > 3 [active]\n");
	kt_fake_set("events/sched/sched_stat/format", "name: s\nID: 2\nformat:\n"
		    "\tfield:int delay;\toffset:8;\tsize:4;\tsigned:1;\n");
	kt_fake_set("events/sched/sched_stat/filter", "none\n");
	kt_fake_set("events/sched/sched_stat/trigger", "# Available triggers:\n# traceon\n");
	kt_fake_set("events/irq/irq_entry/format", "name: i\nID: 3\nformat:\n"
		    "\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n");
	inst = kt_instance_open(NULL, 0, &err);
	CHECK_NO_ERR(&err);
	return inst;
}

TEST(filters_and_triggers_are_listed_without_comments)
{
	struct kt_instance *inst = open_fake();
	struct kt_event_notes notes = { 0 };
	struct kt_err err = { 0 };

	assert_int_equal(kt_filters_read(inst, NULL, &notes, &err), 0);
	assert_int_equal(notes.nr, 1);
	assert_string_equal(notes.at[0].event, "sched:sched_switch");
	assert_string_equal(notes.at[0].text, "prev_pid > 3");
	kt_event_notes_fini(&notes);
	assert_int_equal(kt_triggers_read(inst, "sched", &notes, &err), 0);
	assert_int_equal(notes.nr, 3);
	kt_event_notes_fini(&notes);
	assert_int_equal(kt_triggers_read(inst, "nothing_at_all", &notes, &err), -ENOENT);
	kt_instance_close(inst, NULL);
}

TEST(a_filter_goes_to_those_events_that_have_the_field)
{
	struct kt_instance *inst = open_fake();
	struct kt_instance *dry = kt_open_dry();
	struct kt_err err = { 0 };

	assert_int_equal(kt_filter_set(dry, "sched", "delay > 5", &err), 1);
	assert_int_equal(kt_filter_set(dry, "sched", "dellay > 5", &err), -EINVAL);
	/* suggest a similar field of either event, in whichever order they come */
	assert_non_null(strstr(err.msg, "sched_stat: no field 'dellay', did you mean 'delay'?"));
	kt_err_clear(&err);
	assert_int_equal(kt_filter_set(dry, "sched", "prev_pod > 5", &err), -EINVAL);
	assert_non_null(strstr(err.msg, "sched_switch: no field 'prev_pod', did you mean 'prev_pid'?"));
	kt_err_clear(&err);
	/* the error in the text for all of them */
	assert_int_equal(kt_filter_set(dry, "sched", "delay > 5 &&", &err), -EINVAL);
	assert_null(strstr(err.msg, "no field"));
	kt_err_clear(&err);
	assert_int_equal(kt_filter_set(dry, "all", NULL, &err), 1);
	assert_int_equal(kt_instance_commit(dry, &err), 0);
	assert_string_equal(kt_fake_get("events/sched/sched_stat/filter"), "delay > 5");
	assert_string_equal(kt_fake_get("events/sched/sched_switch/filter"), "0");
	kt_instance_close(dry, NULL);
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get("events/sched/sched_switch/filter"), "prev_pid > 3");
}

TEST(good_triggers_pass)
{
	static const char *const good[] = {
		"traceoff", "stacktrace:5", "traceon if prev_pid > 3", "snapshot:1 if prev_comm == \"a\"",
		"enable_event:irq:irq_entry", "enable_event:irq:irq_entry:4 if prev_pid == 1",
		"hist:keys=prev_pid", "hist:keys=common_pid.execname,prev_comm:vals=hitcount:sort=hitcount.descending:size=256",
		"hist:keys=common_pid.log2:ts0=common_timestamp.usecs if prev_pid > 3",
		"hist:keys=prev_pid:lat=common_timestamp.usecs-$ts0:onmatch(irq.irq_entry).trace(s,$lat)",
		"hist:keys=prev_pid:onmax($lat).save(prev_comm):onchange($x).snapshot()",
		"hist:keys=prev_pid.buckets=10:pause", "hist:name=foo:keys=prev_pid", "hist:key=stacktrace",
		"hist:keys=prev_pid.sym-offset:clock=mono", "hist:keys=prev_pid:a=prev_pid,b=common_pid+1",
	};
	struct kt_instance *inst = open_fake();
	struct kt_instance *dry = kt_open_dry();
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		struct kt_err err = { 0 };

		kt_trigger_add(dry, "sched_switch", good[i], &err);
		CHECK_NO_ERR(&err);
	}
	assert_int_equal(kt_nr_lines(kt_instance_notes(dry)), sizeof(good) / sizeof(*good));
	kt_instance_close(dry, NULL);
	kt_instance_close(inst, NULL);
}

/* The kernel leaves on what its command has enabled, even after the trigger is removed. */
TEST(what_a_trigger_switches_is_put_back)
{
	static const char *const file = "events/irq/irq_entry/enable";
	struct kt_instance *inst = open_fake();

	kt_fake_set(file, "0\n");
	assert_int_equal(kt_trigger_add(inst, "sched_switch", "enable_event:irq:irq_entry:1 "
					"if prev_pid == 7", NULL), 1);
	kt_fake_set(file, "1*\n");
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get(file), "0");
}

TEST(each_mistake_in_a_trigger_is_explained)
{
	static const struct { const char *trigger, *says; int code; } bad[] = {
		{ "trace_off", "did you mean 'traceoff'?", -EINVAL },
		{ "qqqqqqqqqqq", "no command 'qqqqqqqqqqq'", -EINVAL },
		{ "stacktrace:x", "a count is expected here", -EINVAL },
		{ "stacktrace:5x", "this is not part of a number", -EINVAL },
		{ "stacktrace=5", "no command", -EINVAL },
		{ "traceon if prev_pod > 3", "no field 'prev_pod', did you mean 'prev_pid'?", -EINVAL },
		{ "enable_event", "':SYSTEM:EVENT' is expected", -EINVAL },
		{ "enable_event:irq:irq_entri", "did you mean 'irq:irq_entry'", -ENOENT },
		{ "enable_event:sched:*", "one event is expected", -EINVAL },
		{ "disable_hist:irq:irq_entry", "no trigger 'disable_hist' (CONFIG_HIST_TRIGGERS=y)", -ENOTSUP },
		{ "hist", "needs keys=", -EINVAL },
		{ "hist:keys=", "the name of a field is expected", -EINVAL },
		{ "hist:keys=prev_pod", "did you mean 'prev_pid'?", -EINVAL },
		{ "hist:keys=prev_pid.logg2", "did you mean '.log2'?", -EINVAL },
		{ "hist:keys=prev_pid.qqqqqqqq", "no modifier '.qqqqqqqq': .hex", -EINVAL },
		{ "hist:keys=prev_pid.execname", ".execname works for common_pid only", -EINVAL },
		{ "hist:keys=prev_pid:size=5", "a number from 128 to 131072", -EINVAL },
		{ "hist:keys=prev_pid:bla", "'bla' is not part of a hist trigger", -EINVAL },
		{ "hist:keys=prev_pid:a=prev_pod", "no field 'prev_pod'", -EINVAL },
		{ "hist:keys=prev_pid:onmatch", "in parentheses is expected", -EINVAL },
		{ "hist:keys=prev_pid:onmatch(irq.x", "never closed", -EINVAL },
		{ "hist:keys=prev_pid:onmatch(irq).trace(x)", "SYSTEM.EVENT is expected", -EINVAL },
		{ "hist:keys=prev_pid:onmax(x).snapshot()", "a $variable is expected", -EINVAL },
		{ "hist:keys=prev_pid:onmax($x)", "an action is expected", -EINVAL },
		{ "hist:keys=prev_pid:onmax($x).save", "parentheses are expected", -EINVAL },
		{ "hist:keys=prev_pid,prev_comm,common_pid,prev_pid", "more than 3 keys", -EINVAL },
		{ "hist:keys=prev_pid:name=", "a name is expected", -EINVAL },
	};
	struct kt_instance *inst = open_fake();
	struct kt_instance *dry = kt_open_dry();
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct kt_err err = { 0 };
		int ret = kt_trigger_add(dry, "sched_switch", bad[i].trigger, &err);

		if (ret != bad[i].code || !strstr(err.msg, bad[i].says))
			fail_msg("'%s' is %d, says: %s", bad[i].trigger, ret, err.msg);
	}
	kt_instance_close(dry, NULL);
	kt_instance_close(inst, NULL);
}

TEST(removal_spells_counts_states_and_filters_as_the_kernel_wants)
{
	struct kt_instance *inst = open_fake();
	struct kt_instance *dry = kt_open_dry();
	struct kt_err err = { 0 };
	const char *text;

	assert_int_equal(kt_trigger_remove(dry, "all", NULL, &err), 3);
	text = kt_instance_notes(dry);
	assert_non_null(strstr(text, "echo '!stacktrace:0' >> "));
	assert_non_null(strstr(text, "echo '!traceoff' >> "));
	assert_non_null(strstr(text, ":sort=prev_pid:size=2048 if prev_pid > 3' >> "));
	kt_instance_close(dry, NULL);

	dry = kt_open_dry();
	assert_int_equal(kt_trigger_remove(dry, "all", "stacktrace", &err), 1);
	assert_int_equal(kt_trigger_remove(dry, "all", "hist:*", &err), 1);
	assert_int_equal(kt_trigger_remove(dry, "all", "trace", &err), 0);
	kt_instance_close(dry, NULL);
	kt_instance_close(inst, NULL);
}

TEST(what_would_crash_the_kernel_is_refused)
{
	static const char conditional[] = "hist:keys=prev_pid:p=prev_pid:onmax($p).snapshot()";
	static const char trigger[] = "events/sched/sched_switch/trigger";
	struct kt_instance *inst = open_fake();
	struct kt_err err = { 0 };

	kt_fake_set("set_ftrace_filter", "#### all functions enabled ####\n");
	kt_fake_set("events/irq/irq_entry/trigger", "snapshot:unlimited if irq > 3\n");
	assert_int_equal(kt_instance_append(inst, trigger, conditional, &err), -EBUSY);
	assert_non_null(strstr(err.msg, "irq:irq_entry has the trigger 'snapshot:unlimited"));
	assert_non_null(strstr(err.msg, "would crash"));
	kt_fake_set("events/irq/irq_entry/trigger", "");
	kt_fake_set("set_ftrace_filter", "vfs_read\nvfs_fsync:snapshot:count=1\n");
	kt_err_clear(&err);
	assert_int_equal(kt_instance_append(inst, trigger, conditional, &err), -EBUSY);
	assert_non_null(strstr(err.msg, "set_ftrace_filter"));
	kt_fake_set("set_ftrace_filter", "");
	assert_int_equal(kt_instance_append(inst, trigger, conditional, NULL), 0);

	kt_fake_set("events/irq/irq_entry/trigger", conditional);
	assert_int_equal(kt_instance_append(inst, trigger, "snapshot:1", NULL), -EBUSY);
	assert_int_equal(kt_instance_append(inst, trigger, "!snapshot:0", NULL), 0);
	assert_int_equal(kt_instance_append(inst, "set_ftrace_filter", "vfs_read:snapshot", NULL), -EBUSY);
	assert_int_equal(kt_instance_append(inst, "set_ftrace_filter", "take_snapshot", NULL), 0);
	kt_instance_close(inst, NULL);
}

int main(void)
{
	return RUN(unit(filters_and_triggers_are_listed_without_comments),
		   unit(a_filter_goes_to_those_events_that_have_the_field),
		   unit(good_triggers_pass),
		   unit(what_a_trigger_switches_is_put_back),
		   unit(each_mistake_in_a_trigger_is_explained),
		   unit(removal_spells_counts_states_and_filters_as_the_kernel_wants),
		   unit(what_would_crash_the_kernel_is_refused));
}
