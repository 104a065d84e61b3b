/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_instance.c - a handle remembers what it changes, and restores it */
#include <ktrail/tracefs.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ktrail/settings.h>

#include "tracefs/tracefs.h"
#include "kt_test.h"
#include "setting/setting.h"

static const char *fake(void)
{
	const char *dir = kt_fake_tracefs();

	assert_int_equal(kt_tracefs_set_dir(dir), 0);
	setenv("KTRAIL_JOURNAL_DIR", kt_tmp("journals"), 1);
	return dir;
}

static struct kt_instance *open_top(void)
{
	struct kt_err err = { 0 };
	struct kt_instance *inst;

	fake();
	inst = kt_instance_open(NULL, 0, &err);
	CHECK_NO_ERR(&err);
	assert_non_null(inst);
	return inst;
}

static int nr_journals(void)
{
	DIR *dir = opendir(kt_tmp("journals"));
	int nr = 0;

	while (dir && readdir(dir))
		nr++;
	if (dir)
		closedir(dir);
	return nr ? nr - 2 : 0;
}

static int held;
static bool wanted;

static void hold(bool on)
{
	held += on ? 1 : -1;
}

static bool is_wanted(void)
{
	return wanted;
}

TEST(an_interrupt_refuses_the_next_write_but_not_the_way_back)
{
	static const struct kt_interrupt calls = { .hold = hold, .is_wanted = is_wanted };
	struct kt_instance *inst = open_top();
	struct kt_err err = { 0 };

	kt_interrupt_set(&calls);
	assert_int_equal(kt_instance_write(inst, "tracing_on", "0", &err), 0);
	assert_int_equal(held, 1);
	wanted = true;
	assert_int_equal(kt_instance_write(inst, "set_event_pid", "17", &err), -EINTR);
	assert_string_equal(err.msg, "interrupted");
	assert_string_equal(kt_fake_get("set_event_pid"), "");
	kt_err_clear(&err);
	assert_int_equal(kt_instance_close(inst, &err), 0);
	CHECK_NO_ERR(&err);
	assert_string_equal(kt_fake_get("tracing_on"), "1");
	assert_int_equal(held, 0);
	kt_interrupt_set(NULL);
}

TEST(closing_restores_written_settings)
{
	struct kt_instance *inst = open_top();

	assert_int_equal(kt_instance_write(inst, "tracing_on", "0", NULL), 0);
	assert_int_equal(kt_instance_write(inst, "tracing_on", "5", NULL), 0);
	assert_int_equal(kt_instance_append(inst, "set_event_pid", "17", NULL), 0);
	assert_string_equal(kt_fake_get("tracing_on"), "5");
	assert_string_equal(kt_fake_get("set_event_pid"), "17");
	assert_int_equal(nr_journals(), 1);
	assert_int_equal(kt_instance_close(inst, NULL), 0);
	assert_string_equal(kt_fake_get("tracing_on"), "1");
	assert_string_equal(kt_fake_get("set_event_pid"), "");
	assert_int_equal(nr_journals(), 0);
}

/* The last line of this process's journal */
static void last_step(char *line, size_t size)
{
	char name[64];
	FILE *f;

	snprintf(name, sizeof(name), "journals/%d.journal", (int)getpid());
	f = fopen(kt_tmp(name), "r");
	assert_non_null(f);
	while (fgets(line, size, f))
		;
	fclose(f);
	line[strcspn(line, "\n")] = '\0';
}

TEST(a_tracer_goes_off_before_what_was_set_before_it)
{
	struct kt_instance *inst = open_top();
	char line[512], want[512];

	kt_fake_set("set_ftrace_filter", "");
	assert_int_equal(kt_instance_write(inst, "current_tracer", "nop", NULL), 0);
	assert_int_equal(kt_instance_append(inst, "set_ftrace_filter", "schedule", NULL), 0);
	assert_int_equal(kt_instance_write(inst, "current_tracer", "function", NULL), 0);
	last_step(line, sizeof(line));
	snprintf(want, sizeof(want), "via %s/current_tracer nop", kt_tracefs_dir(NULL));
	assert_string_equal(line, want);
	/* Other settings have one entry, however often they change. */
	assert_int_equal(kt_instance_write(inst, "tracing_on", "0", NULL), 0);
	last_step(want, sizeof(want));
	assert_int_equal(kt_instance_append(inst, "set_ftrace_filter", "schedule_timeout", NULL), 0);
	last_step(line, sizeof(line));
	assert_string_equal(line, want);
	assert_int_equal(kt_instance_close(inst, NULL), 0);
	assert_string_equal(kt_fake_get("current_tracer"), "nop");
	assert_string_equal(kt_fake_get("set_ftrace_filter"), "");
}

TEST(what_was_refused_is_not_taken_back)
{
	struct kt_instance *inst = open_top();

	kt_fake_set("dynamic_events", "");
	assert_int_equal(kt_instance_define(inst, "dynamic_events", "p:one vfs_read",
					    "-:kprobes/one", NULL), 0);
	assert_true(kt_instance_define(inst, "no/such/file", "p:two vfs_read", "-:kprobes/two",
				       NULL) < 0);
	assert_int_equal(kt_instance_close(inst, NULL), 0);
	assert_string_equal(kt_fake_get("dynamic_events"), "p:one vfs_read\n-:kprobes/one");
}

TEST(what_a_dry_handle_notes_is_done_when_it_is_committed)
{
	struct kt_instance *dry;

	kt_tracefs_set_dir(kt_fake_tracefs());
	kt_fake_set("instances/old/tracing_on", "1");
	kt_fake_set("dynamic_events", "");
	kt_fake_set("saved_cmdlines_size", "128");
	dry = kt_instance_open("new", KT_INSTANCE_DRY | KT_INSTANCE_CREATE, NULL);
	assert_int_equal(kt_instance_define(dry, "dynamic_events", "p:one vfs_read",
					    "-:kprobes/one", NULL), 0);
	assert_int_equal(kt_instance_write(dry, "saved_cmdlines_size", "7", NULL), 0);
	assert_int_equal(kt_instance_poke(dry, "sysctl/no_such_file", "8", NULL), 0);
	assert_int_equal(kt_nr_lines(kt_instance_notes(dry)), 4);
	assert_string_equal(kt_fake_get("dynamic_events"), "");
	assert_true(kt_instance_commit(dry, NULL) < 0);		/* the last write fails */
	assert_false(instance_is_dry(dry));
	assert_string_equal(kt_fake_get("dynamic_events"), "p:one vfs_read");
	assert_string_equal(kt_fake_get("saved_cmdlines_size"), "7");
	assert_true(instance_is_new(dry));
	assert_int_equal(kt_instance_close(dry, NULL), 0);
	assert_string_equal(kt_fake_get("dynamic_events"), "p:one vfs_read\n-:kprobes/one");
	assert_string_equal(kt_fake_get("saved_cmdlines_size"), "128");
}

TEST(what_is_kept_stays)
{
	struct kt_instance *inst = open_top();

	kt_instance_write(inst, "tracing_on", "0", NULL);
	kt_instance_keep(inst);
	assert_int_equal(nr_journals(), 0);
	kt_instance_write(inst, "buffer_percent", "7", NULL);
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get("tracing_on"), "0");
	assert_string_equal(kt_fake_get("buffer_percent"), "50");
}

TEST(restoring_leaves_the_handle_open)
{
	struct kt_instance *inst = open_top();

	kt_instance_write(inst, "tracing_on", "0", NULL);
	assert_int_equal(kt_instance_restore(inst, NULL), 0);
	assert_string_equal(kt_fake_get("tracing_on"), "1");
	kt_instance_write(inst, "tracing_on", "0", NULL);
	kt_instance_close(inst, NULL);
	assert_string_equal(kt_fake_get("tracing_on"), "1");
}

TEST(a_new_instance_goes_when_it_closes)
{
	const char *dir = fake();
	struct kt_err err = { 0 };
	struct kt_instance *inst = kt_instance_open("mine", KT_INSTANCE_CREATE, &err);
	struct stat st;
	char path[4096];

	CHECK_NO_ERR(&err);
	snprintf(path, sizeof(path), "%s/instances/mine", dir);
	assert_true(instance_is_new(inst));
	assert_string_equal(kt_instance_dir(inst), path);
	assert_string_equal(kt_instance_name(inst), "mine");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(kt_instance_close(inst, NULL), 0);
	assert_int_equal(stat(path, &st), -1);
}

TEST(a_kept_instance_stays)
{
	struct kt_instance *inst;

	fake();
	inst = kt_instance_open("mine", KT_INSTANCE_CREATE, NULL);
	kt_instance_keep(inst);
	kt_instance_close(inst, NULL);
	inst = kt_instance_open("mine", 0, NULL);
	assert_non_null(inst);
	assert_false(instance_is_new(inst));
	assert_int_equal(kt_instance_delete(inst, NULL), 0);
	kt_instance_close(inst, NULL);
	assert_null(kt_instance_open("mine", 0, NULL));
}

TEST(an_unknown_instance_is_refused_and_the_others_are_named)
{
	struct kt_err err = { 0 };

	fake();
	kt_fake_set("instances/disk/tracing_on", "1\n");
	assert_null(kt_instance_open("dsik", 0, &err));
	assert_int_equal(err.code, -ENOENT);
	assert_non_null(strstr(err.msg, "disk"));
}

TEST(names_that_leave_the_folder_are_refused)
{
	static const char *const names[] = { "a/b", ".", "..", "../x" };
	size_t i;

	fake();
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct kt_err err = { 0 };

		assert_null(kt_instance_open(names[i], KT_INSTANCE_CREATE, &err));
		assert_int_equal(err.code, -EINVAL);
	}
}

TEST(an_exclusive_open_refuses_what_exists)
{
	struct kt_err err = { 0 };

	fake();
	kt_fake_set("instances/disk/tracing_on", "1\n");
	assert_null(kt_instance_open("disk", KT_INSTANCE_CREATE | KT_INSTANCE_EXCLUSIVE, &err));
	assert_int_equal(err.code, -EEXIST);
}

TEST(the_top_buffer_cannot_be_deleted)
{
	struct kt_instance *inst = open_top();
	struct kt_err err = { 0 };

	assert_int_equal(kt_instance_delete(inst, &err), -EINVAL);
	kt_instance_close(inst, NULL);
}

TEST(a_missing_file_is_named)
{
	struct kt_instance *inst = open_top();
	struct kt_err err = { 0 }, again = { 0 };

	assert_int_equal(kt_instance_write(inst, "no_such_file", "1", &err), -ENOENT);
	assert_non_null(strstr(err.msg, "no_such_file"));
	assert_null(kt_instance_read(inst, "no_such_file", &again));
	assert_int_equal(again.code, -ENOENT);
	assert_int_equal(instance_try_write(inst, "no_such_file", "1", NULL), 0);
	assert_int_equal(instance_try_write(inst, "tracing_on", "0", NULL), 1);
	kt_instance_close(inst, NULL);
}

TEST(an_instance_finds_files_that_exist_once)
{
	struct kt_instance *inst;
	char *text;

	fake();
	kt_fake_set("instances/disk/tracing_on", "1\n");
	kt_fake_set("saved_cmdlines_size", "128\n");
	inst = kt_instance_open("disk", 0, NULL);
	text = kt_instance_read(inst, "saved_cmdlines_size", NULL);
	assert_string_equal(text, "128");
	free(text);
	/* But an instance never takes the events of the top-level buffer for its own. */
	assert_false(kt_instance_has(inst, "events/sched/enable"));
	kt_instance_close(inst, NULL);
}

TEST(numbers_are_read_and_checked)
{
	struct kt_instance *inst = open_top();
	struct kt_err err = { 0 };
	long long value;

	kt_fake_set("odd", "many\n");
	assert_int_equal(kt_instance_read_number(inst, "buffer_percent", &value, NULL), 0);
	assert_int_equal(value, 50);
	assert_int_equal(kt_instance_read_number(inst, "odd", &value, &err), -EINVAL);
	assert_int_equal(instance_write_number(inst, "buffer_percent", 3, NULL), 0);
	assert_string_equal(kt_fake_get("buffer_percent"), "3");
	kt_instance_close(inst, NULL);
}

static void quote(const char *value, struct kt_err *err)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/instances/disk/events/x/y/trigger", kt_tracefs_dir(NULL));
	kt_err_set(err, -EINVAL, "refused");
	ctl_quote_error_log(path, value, err);
}

TEST(the_reason_of_the_kernel_is_quoted_with_its_caret)
{
	struct kt_err err = { 0 };

	fake();
	kt_fake_set("error_log", "[ 0.5] other: error: Old\n  Command: keys=nonsense\n        ^\n"
		    "[ 1.5] hist:sched:sched_switch: error: Couldn't find field\n"
		    "  Command: hist:keys=nonsense\n                     ^\n");
	quote("hist:keys=nonsense\n", &err);
	assert_non_null(strstr(err.msg, "Couldn't find field"));
	assert_string_equal(err.excerpt, "  hist:keys=nonsense\n            ^");
}

TEST(the_log_of_an_instance_comes_first)
{
	struct kt_err err = { 0 };

	fake();
	kt_fake_set("error_log", "[ 1.5] a: error: Of the top\n  Command: keys=x\n           ^\n");
	kt_fake_set("instances/disk/error_log",
		    "[ 1.5] a: error: Of the disk\n  Command: keys=x\n           ^\n");
	quote("keys=x", &err);
	assert_non_null(strstr(err.msg, "Of the disk"));
	/* A reported error is cleared; others stay in the log */
	assert_string_equal(kt_fake_get("instances/disk/error_log"), "");
	assert_non_null(strstr(kt_fake_get("error_log"), "Of the top"));
}

TEST(errors_of_others_stay_in_the_log)
{
	static const char log[] = "[ 0.5] other: error: Mine\n  Command: p:a\n           ^\n"
				  "[ 1.5] a: error: Of ktrail\n  Command: keys=x\n           ^\n";
	struct kt_err err = { 0 };

	fake();
	kt_fake_set("error_log", log);
	quote("keys=x", &err);
	assert_non_null(strstr(err.msg, "Of ktrail"));
	assert_non_null(strstr(kt_fake_get("error_log"), "Mine"));
}

TEST(an_entry_about_something_else_is_not_quoted)
{
	static const char *const logs[] = {
		"", "[ 1.5] a: error: Bad\n", "[ 1.5] a: error: Bad\n  Command: p:other place\n  ^\n",
		"\n  Command: ", "  Command: \n   ^",
	};
	size_t i;

	for (i = 0; i < sizeof(logs) / sizeof(*logs); i++) {
		struct kt_err err = { 0 };

		fake();
		kt_fake_set("error_log", logs[i]);
		quote("keys=nonsense", &err);
		assert_string_equal(err.msg, "refused");
	}
}

TEST(closing_nothing_is_fine)
{
	assert_int_equal(kt_instance_close(NULL, NULL), 0);
}

TEST(instances_are_listed_by_name)
{
	struct kt_names names = { 0 };

	fake();
	kt_fake_set("instances/b/x", "");
	kt_fake_set("instances/a/x", "");
	assert_int_equal(kt_instance_list(&names, NULL), 0);
	assert_true(kt_names_has(&names, "a") && kt_names_has(&names, "b"));
	kt_names_fini(&names);
}

int main(void)
{
	return RUN(unit(an_interrupt_refuses_the_next_write_but_not_the_way_back),
		unit(closing_restores_written_settings),
		   unit(a_tracer_goes_off_before_what_was_set_before_it),
		unit(what_was_refused_is_not_taken_back),
		   unit(what_a_dry_handle_notes_is_done_when_it_is_committed),
		   unit(what_is_kept_stays),
		   unit(restoring_leaves_the_handle_open),
		   unit(a_new_instance_goes_when_it_closes), unit(a_kept_instance_stays),
		   unit(an_unknown_instance_is_refused_and_the_others_are_named),
		   unit(names_that_leave_the_folder_are_refused),
		   unit(an_exclusive_open_refuses_what_exists),
		   unit(the_top_buffer_cannot_be_deleted), unit(a_missing_file_is_named),
		   unit(an_instance_finds_files_that_exist_once),
		   unit(numbers_are_read_and_checked),
		   unit(the_reason_of_the_kernel_is_quoted_with_its_caret),
		   unit(the_log_of_an_instance_comes_first), unit(errors_of_others_stay_in_the_log),
		   unit(an_entry_about_something_else_is_not_quoted),
		   unit(closing_nothing_is_fine), unit(instances_are_listed_by_name));
}
