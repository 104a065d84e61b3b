/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_synth.c - synthetic events and queries on a fake tree */
#include <ktrail/probe.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/tracefs.h>

#include "kt_test.h"

static struct kt_instance *open_fake(void)
{
	struct kt_err err = { 0 };
	struct kt_instance *inst;

	kt_tracefs_set_dir(kt_fake_tracefs());
	kt_fake_set("synthetic_events", "wakeup_lat\tu64 lat; pid_t pid\nother\tint x\n");
	kt_fake_set("dynamic_events", "");
	kt_fake_set("available_events", "sched:sched_switch\nsched:sched_waking\n");
	kt_fake_set("events/header_page", "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		    "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		    "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		    "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n");
	kt_fake_set("events/sched/sched_switch/format", "name: sched_switch\nID: 1\nformat:\n"
		    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		    "\tfield:pid_t prev_pid;\toffset:8;\tsize:4;\tsigned:1;\n"
		    "\tfield:pid_t next_pid;\toffset:12;\tsize:4;\tsigned:1;\n\n"
		    "print fmt: \"%d\", REC->prev_pid\n");
	kt_fake_set("events/sched/sched_waking/enable", "0\n");
	kt_fake_set("events/sched/sched_waking/format", "name: sched_waking\nID: 2\nformat:\n"
		    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		    "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n\n"
		    "print fmt: \"%d\", REC->pid\n");
	inst = kt_instance_open(NULL, 0, &err);
	CHECK_NO_ERR(&err);
	return inst;
}

TEST(synthetic_events_are_listed)
{
	struct kt_instance *inst = open_fake();
	struct kt_synths synths = { 0 };
	struct kt_err err = { 0 };

	assert_int_equal(kt_synths_read(inst, &synths, &err), 0);
	assert_int_equal(synths.nr, 2);
	assert_string_equal(synths.at[0].name, "wakeup_lat");
	assert_string_equal(synths.at[0].fields, "u64 lat; pid_t pid");
	kt_synths_fini(&synths);
	kt_instance_close(inst, NULL);
}

TEST(both_spellings_define_the_same)
{
	struct kt_instance *inst = open_fake();
	struct kt_instance *dry = kt_open_dry();
	struct kt_err err = { 0 };
	const char *text;

	assert_int_equal(kt_synth_add(dry, "a lat:u64 comm:char[16]", &err), 0);
	assert_int_equal(kt_synth_add(dry, "b u64 lat; char comm[16]", &err), 0);
	CHECK_NO_ERR(&err);
	text = kt_instance_notes(dry);
	assert_non_null(strstr(text, "echo 's:a u64 lat; char comm[16]' >> "));
	assert_non_null(strstr(text, "echo 's:b u64 lat; char comm[16]' >> "));
	kt_instance_close(dry, NULL);
	kt_instance_close(inst, NULL);
}

TEST(each_mistake_in_a_definition_is_explained)
{
	static const struct { const char *text, *says; int code; } bad[] = {
		{ "wakeup_lat u64 x", "there is a synthetic event 'wakeup_lat' already", -EEXIST },
		{ "1a u64 x", "a name is expected here", -EINVAL },
		{ "a-b u64 x", "a name is expected here", -EINVAL },
		{ "a", "a field is expected here", -EINVAL },
		{ "a x", "TYPE FIELD is expected here", -EINVAL },
		{ "a x:", "a type is expected here", -EINVAL },
		{ "a x:u64 y", "FIELD:TYPE is expected here", -EINVAL },
		{ "a u64 x; y", "TYPE FIELD is expected here", -EINVAL },
	};
	struct kt_instance *inst = open_fake();
	struct kt_instance *dry = kt_open_dry();
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct kt_err err = { 0 };
		int ret = kt_synth_add(dry, bad[i].text, &err);

		if (ret != bad[i].code || !strstr(err.msg, bad[i].says))
			fail_msg("'%s' is %d, says: %s", bad[i].text, ret, err.msg);
	}
	kt_instance_close(dry, NULL);
	kt_instance_close(inst, NULL);
}

TEST(a_kernel_without_synthetic_events_says_so)
{
	struct kt_err err = { 0 };
	struct kt_instance *inst;
	struct kt_synths synths = { 0 };

	kt_tracefs_set_dir(kt_fake_tracefs());
	inst = kt_instance_open(NULL, 0, &err);
	assert_int_equal(kt_synths_read(inst, &synths, &err), -ENOTSUP);
	assert_non_null(strstr(err.msg, "CONFIG_SYNTH_EVENTS"));
	kt_instance_close(inst, NULL);
}

TEST(removal_is_by_pattern)
{
	struct kt_instance *inst = open_fake();
	struct kt_instance *dry = kt_open_dry();
	struct kt_err err = { 0 };
	const char *text;

	assert_int_equal(kt_synth_remove(dry, "wake*", &err), 1);
	assert_int_equal(kt_synth_remove(dry, "x*", &err), 0);
	text = kt_instance_notes(dry);
	assert_non_null(strstr(text, "echo -:synthetic/wakeup_lat >> "));
	kt_instance_close(dry, NULL);
	kt_instance_close(inst, NULL);
}

/* libtracefs writes commands for the tracefs of /proc/mounts, even if it was given another one. */
static bool tracefs_is_mounted(void)
{
	char line[4096];
	bool found = false;
	FILE *mounts = fopen("/proc/mounts", "re");

	while (mounts && !found && fgets(line, sizeof(line), mounts))
		found = strstr(line, " tracefs ");
	if (mounts)
		fclose(mounts);
	return found;
}

TEST(a_query_becomes_triggers)
{
	struct kt_sql sql = { .name = "lat", .query =
		"SELECT start.pid, (end.TIMESTAMP_USECS - start.TIMESTAMP_USECS) AS delta "
		"FROM sched_waking AS start JOIN sched_switch AS end ON start.pid = end.next_pid" };
	struct kt_instance *inst;
	struct kt_instance *dry;
	struct kt_err err = { 0 };
	const char *text;

	if (!tracefs_is_mounted())
		skip();
	inst = open_fake();
	dry = kt_open_dry();
	kt_sql_define(dry, &sql, &err);
	CHECK_NO_ERR(&err);
	assert_int_equal(kt_nr_lines(kt_instance_notes(dry)), 3);
	text = kt_instance_notes(dry);
	assert_non_null(strstr(text, "s:lat "));
	assert_non_null(strstr(text, "onmatch(sched.sched_waking)"));
	assert_non_null(strstr(text, "/events/sched/sched_switch/trigger\n"));
	kt_instance_close(dry, NULL);

	dry = kt_open_dry();
	sql.query = "SELECT prev_pid FROM sched_switch WHERE prev_pid > 3";
	kt_sql_define(dry, &sql, &err);
	CHECK_NO_ERR(&err);
	text = kt_instance_notes(dry);
	assert_non_null(strstr(text, "echo 'hist:keys=prev_pid if prev_pid > 3' >> "));
	kt_instance_close(dry, NULL);
	kt_instance_close(inst, NULL);
}

TEST(each_mistake_in_a_query_is_explained)
{
	static const struct { const char *query, *says; } bad[] = {
		{ "", "no event: SELECT" },
		{ "SELEC prev_pid FROM sched_switch", "SELECT is expected here" },
		{ "SELECT prev_pid", "no event: SELECT" },
		{ "SELECT prev_pod FROM sched_switch", "did you mean 'prev_pid'?" },
		{ "SELECT qqqqqqqqq FROM sched_switch", "no field 'qqqqqqqqq' in sched_switch" },
		{ "SELECT pid FROM sched_wakin", "did you mean 'sched_waking'?" },
		{ "SELECT FROM sched_switch", "query: " },
		{ "SELECT prev_pid FROM sched_switch WHERE prev_pid > 1 AND prev_pid < 9", "joined by &&" },
		{ "SELECT prev_pid FROM sched_switch JOIN sched_waking JOIN sched_switch", "two that are joined" },
	};
	struct kt_instance *inst = open_fake();
	struct kt_instance *dry = kt_open_dry();
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct kt_sql sql = { .name = "x", .query = bad[i].query };
		struct kt_err err = { 0 };

		assert_true(kt_sql_define(dry, &sql, &err) < 0);
		if (!strstr(err.msg, bad[i].says))
			fail_msg("'%s' says: %s", bad[i].query, err.msg);
	}
	kt_instance_close(dry, NULL);
	kt_instance_close(inst, NULL);
}

TEST(the_trigger_that_uses_it_is_named_when_the_kernel_keeps_it)
{
	struct kt_instance *inst = open_fake();
	struct kt_err err = { 0 };

	kt_fake_set("events/sched/sched_waking/trigger",
		    "hist:keys=pid:onmatch(sched.sched_switch).wakeup_lat(pid):size=2048 [active]\n");
	kt_err_set(&err, -EBUSY, "cannot write");
	kt_synth_explain(inst, "wakeup*", &err);
	assert_string_equal(err.msg, "'wakeup_lat' is used by a trigger of sched:sched_waking: "
			    "cannot write");
	kt_instance_close(inst, NULL);
}

int main(void)
{
	return RUN(unit(synthetic_events_are_listed), unit(both_spellings_define_the_same),
		   unit(each_mistake_in_a_definition_is_explained),
		   unit(a_kernel_without_synthetic_events_says_so), unit(removal_is_by_pattern),
		   unit(a_query_becomes_triggers), unit(each_mistake_in_a_query_is_explained),
		   unit(the_trigger_that_uses_it_is_named_when_the_kernel_keeps_it));
}
