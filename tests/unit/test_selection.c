/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_selection.c - events as the user names them, enabled, filtered and cleared */
#include <ktrail/settings.h>

#include <errno.h>
#include <string.h>

#include <ktrail/tracefs.h>

#include "kt_test.h"
#include "target/target.h"

static struct kt_instance *open_top(void)
{
	kt_tracefs_set_dir(kt_fake_tracefs());
	kt_fake_set("available_events", "sched:sched_switch\nsched:sched_wakeup\n"
		    "irq:irq_handler_entry\nsignal:signal_generate\nblock:irq\n");
	return kt_instance_open(NULL, 0, NULL);
}

static void check_found(const char *text, const char *want)
{
	struct kt_instance *inst = open_top();
	struct kt_names dirs = { 0 };
	struct kt_err err = { 0 };
	char got[512] = "";
	size_t i;

	kt_selection_find(inst, text, &dirs, &err);
	for (i = 0; i < dirs.nr; i++) {
		strcat(got, i ? " " : "");
		strcat(got, dirs.names[i] + (dirs.names[i][6] ? 7 : 0));
	}
	assert_string_equal(got, want);
	kt_names_fini(&dirs);
	kt_instance_close(inst, NULL);
}

TEST(a_list_is_all_of_its_names)
{
	check_found("irq:irq_handler_entry,signal_generate", "irq/irq_handler_entry signal/signal_generate");
	check_found("sched,signal", "sched signal");
	check_found("sched:sched_switch,sched", "sched");
	check_found("sched,sched_switch", "sched");
	check_found("sched_switch,sched_switch", "sched/sched_switch");
	check_found("signal,all", "events");
	check_found("sched,nosuch", "sched");
	check_found("sched,", "sched");
}

TEST(a_system_and_its_event_are_found)
{
	check_found("sched:sched_switch", "sched/sched_switch");
	check_found("sched/sched_switch", "sched/sched_switch");
}

TEST(one_word_is_a_system_or_an_event_or_both)
{
	check_found("sched", "sched");
	check_found("sched_wakeup", "sched/sched_wakeup");
	check_found("irq", "irq block/irq");
}

TEST(globs_match_both_parts)
{
	check_found("sched:*switch", "sched/sched_switch");
	check_found("*:*entry", "irq/irq_handler_entry");
	check_found("sched:*", "sched");
	check_found("s*", "sched signal");
	check_found(":sched_switch", "sched/sched_switch");
}

TEST(all_is_everything)
{
	check_found("all", "events");
}

static void check_refused(const char *text, int code, const char *hint)
{
	struct kt_instance *inst = open_top();
	struct kt_names dirs = { 0 };
	struct kt_err err = { 0 };

	assert_int_equal(kt_selection_find(inst, text, &dirs, &err), code);
	assert_int_equal(err.code, code);
	if (hint)
		assert_non_null(strstr(err.msg, hint));
	kt_names_fini(&dirs);
	kt_instance_close(inst, NULL);
}

TEST(a_typo_brings_the_nearest_name)
{
	check_refused("shed", -ENOENT, "'sched'?");
	check_refused("sched_swtich", -ENOENT, "'sched_switch'?");
	check_refused("sched:sched_wakup", -ENOENT, "'sched:sched_wakeup'?");
	check_refused("zzzzzzzzzzzzz", -ENOENT, "no event 'zzzzzzzzzzzzz'");
}

TEST(an_empty_or_endless_name_is_refused)
{
	char text[400];

	check_refused("", -EINVAL, NULL);
	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	check_refused(text, -EINVAL, NULL);
	text[200] = ':';
	check_refused(text, -EINVAL, NULL);
}

TEST(groups_can_be_spelled_out)
{
	struct kt_instance *inst = open_top();
	struct kt_names dirs = { 0 };

	assert_int_equal(kt_selection_find_each(inst, "sched", &dirs, NULL), 2);
	assert_string_equal(dirs.names[1], "events/sched/sched_wakeup");
	kt_names_fini(&dirs);
	assert_int_equal(kt_selection_find_each(inst, "all", &dirs, NULL), 5);
	kt_names_fini(&dirs);
	kt_instance_close(inst, NULL);
}

TEST(enabled_events_are_off_again_after_close)
{
	struct kt_instance *inst = open_top();

	assert_int_equal(kt_instance_enable_events(inst, "sched:sched_switch", true, NULL), 0);
	assert_int_equal(kt_instance_enable_events(inst, "irq:*", true, NULL), 0);
	assert_string_equal(kt_fake_get("events/sched/sched_switch/enable"), "1");
	assert_string_equal(kt_fake_get("events/irq/enable"), "1");
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get("events/sched/sched_switch/enable"), "0");
	assert_string_equal(kt_fake_get("events/irq/enable"), "0");
}

TEST(of_a_mixed_group_each_event_comes_back)
{
	struct kt_instance *inst = open_top();

	kt_fake_set("events/sched/enable", "X\n");
	kt_fake_set("events/sched/sched_wakeup/enable", "1\n");
	kt_fake_set("events/sched/sched_switch/enable", "0*\n");
	kt_fake_set("set_event", "sched:sched_wakeup\nsched:sched_switch\n");
	assert_int_equal(kt_instance_enable_events(inst, "sched", false, NULL), 0);
	assert_string_equal(kt_fake_get("events/sched/sched_switch/enable"), "0*");
	/* the kernel does the same with the events of the system */
	kt_fake_set("events/sched/sched_wakeup/enable", "0\n");
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get("events/sched/sched_wakeup/enable"), "1");
	assert_string_equal(kt_fake_get("events/sched/enable"), "0");
}

TEST(a_filter_of_a_system_is_remembered_event_by_event)
{
	struct kt_instance *inst = open_top();

	kt_fake_set("available_events", "sched:sched_switch\nsched:sched_wakeup\n");
	kt_fake_set("events/sched/sched_wakeup/filter", "pid == 7\n");
	assert_int_equal(instance_filter_dir(inst, "events/sched", "common_pid == 1", NULL), 0);
	assert_string_equal(kt_fake_get("events/sched/filter"), "common_pid == 1");
	kt_fake_set("events/sched/sched_wakeup/filter", "common_pid == 1\n");
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get("events/sched/sched_wakeup/filter"), "pid == 7");
}

TEST(a_filter_on_everything_is_refused)
{
	struct kt_instance *inst = open_top();
	struct kt_err err = { 0 };

	assert_int_equal(instance_filter_dir(inst, "events", "common_pid == 1", &err), -EINVAL);
	kt_instance_close(inst, NULL);
}

TEST(clearing_touches_only_what_is_set)
{
	struct kt_instance *inst = open_top();

	kt_fake_set("available_events", "sched:sched_switch\nsched:sched_wakeup\n");
	kt_fake_set("events/sched/sched_wakeup/filter", "pid == 7\n");
	assert_int_equal(kt_filter_set(inst, "all", NULL, NULL), 1);
	assert_string_equal(kt_fake_get("events/sched/sched_wakeup/filter"), "0");
	assert_string_equal(kt_fake_get("events/sched/sched_switch/filter"), "none");
	kt_fake_set("events/sched/sched_switch/filter", "nonempty == 1\n");
	assert_int_equal(kt_filter_set(inst, "sched_switch", NULL, NULL), 1);
	assert_string_equal(kt_fake_get("events/sched/sched_switch/filter"), "0");
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get("events/sched/sched_wakeup/filter"), "pid == 7");
}

TEST(all_events_of_an_instance_are_off_until_it_closes)
{
	struct kt_instance *inst = open_top();

	kt_fake_set("events/sched/sched_switch/enable", "1\n");
	kt_fake_set("events/enable", "X\n");
	assert_int_equal(kt_instance_clear_events(inst, NULL), 0);
	assert_string_equal(kt_fake_get("events/enable"), "0");
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get("events/sched/sched_switch/enable"), "1");
}

/* The kernel switches the clock when a hist trigger with times is set: seen on 6.12. */
TEST(the_clock_comes_back_after_triggers)
{
	struct kt_instance *inst = open_top();

	kt_fake_set("available_events", "sched:sched_switch\nsched:sched_wakeup\n");
	kt_fake_set("events/enable", "X\n");
	kt_fake_set("events/sched/enable", "X\n");
	kt_fake_set("trace_clock", "local [mono] global\n");
	kt_fake_set("events/sched/sched_switch/trigger", "hist:keys=pid:ts0=common_timestamp.usecs [active]\n");
	assert_int_equal(kt_instance_clear_triggers(inst, NULL), 0);
	kt_fake_set("trace_clock", "local mono [global]\n");
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get("trace_clock"), "mono");
}

TEST(triggers_are_looked_for_where_something_is_on)
{
	struct kt_instance *inst = open_top();

	kt_fake_set("available_events", "sched:sched_switch\nsched:sched_wakeup\n");
	kt_fake_set("events/enable", "X\n");
	kt_fake_set("events/sched/enable", "X\n");
	kt_fake_set("events/sched/sched_wakeup/enable", "0*\n");
	kt_fake_set("events/sched/sched_wakeup/trigger", "traceoff:count=3\n");
	assert_int_equal(kt_instance_clear_triggers(inst, NULL), 0);
	assert_non_null(strstr(kt_fake_get("events/sched/sched_wakeup/trigger"), "!traceoff"));
	kt_instance_keep(inst);
	kt_instance_close(inst, NULL);

	/* No event is enabled, so there can be no trigger */
	inst = open_top();
	kt_fake_set("events/enable", "0\n");
	kt_fake_set("events/sched/sched_wakeup/trigger", "traceoff:count=3\n");
	assert_int_equal(kt_instance_clear_triggers(inst, NULL), 0);
	assert_null(strstr(kt_fake_get("events/sched/sched_wakeup/trigger"), "!"));
	kt_instance_close(inst, NULL);
}

TEST(the_trigger_of_an_event_named_as_a_system_is_removed_once)
{
	struct kt_instance *inst = open_top();
	const char *text;

	kt_fake_set("available_events", "sched:sched_switch\nother:sched\n");
	kt_fake_set("events/enable", "X\n");
	kt_fake_set("events/sched/enable", "X\n");
	kt_fake_set("events/other/enable", "X\n");
	kt_fake_set("events/other/sched/trigger", "traceoff:unlimited\n");
	assert_int_equal(kt_instance_clear_triggers(inst, NULL), 0);
	text = strstr(kt_fake_get("events/other/sched/trigger"), "!traceoff");
	assert_non_null(text);
	assert_null(strstr(text + 1, "!traceoff"));
	kt_instance_keep(inst);
	kt_instance_close(inst, NULL);
}

TEST(systems_are_listed_once)
{
	struct kt_instance *inst = open_top();
	struct kt_names names = { 0 };

	assert_int_equal(kt_system_names(&names, NULL), 0);
	assert_int_equal(names.nr, 4);
	kt_names_fini(&names);
	kt_instance_close(inst, NULL);
}

int main(void)
{
	return RUN(unit(a_list_is_all_of_its_names), unit(a_system_and_its_event_are_found),
		   unit(one_word_is_a_system_or_an_event_or_both), unit(globs_match_both_parts),
		   unit(all_is_everything), unit(a_typo_brings_the_nearest_name),
		   unit(an_empty_or_endless_name_is_refused), unit(groups_can_be_spelled_out),
		   unit(enabled_events_are_off_again_after_close),
		   unit(of_a_mixed_group_each_event_comes_back),
		   unit(a_filter_of_a_system_is_remembered_event_by_event),
		   unit(a_filter_on_everything_is_refused),
		   unit(clearing_touches_only_what_is_set),
		   unit(all_events_of_an_instance_are_off_until_it_closes),
		   unit(the_clock_comes_back_after_triggers),
		   unit(triggers_are_looked_for_where_something_is_on),
		   unit(the_trigger_of_an_event_named_as_a_system_is_removed_once),
		   unit(systems_are_listed_once));
}
