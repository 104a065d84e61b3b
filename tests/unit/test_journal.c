/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_journal.c - the journal of a killed process restores settings */
#include <ktrail/tracefs.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>


#include "undo/journal.h"
#include "undo/undo.h"
#include "kt_test.h"

static void fake(const char *journals)
{
	kt_tracefs_set_dir(kt_fake_tracefs());
	setenv("KTRAIL_JOURNAL_DIR", kt_tmp(journals), 1);
}

/* A process that changes settings and is killed before it can restore them */
static pid_t victim(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		struct kt_instance *inst = kt_instance_open("killed", KT_INSTANCE_CREATE, NULL);
		struct kt_instance *top = kt_instance_open(NULL, 0, NULL);

		kt_instance_write(top, "tracing_on", "0", NULL);
		kt_instance_write(top, "set_event_pid", "1\n2", NULL);
		kt_instance_write(top, "set_event_pid", inst ? "3" : "4", NULL);
		raise(SIGKILL);
	}
	waitpid(pid, NULL, 0);
	return pid;
}

static struct kt_journals pending(int want)
{
	struct kt_journals js = { 0 };
	struct kt_err err = { 0 };

	assert_int_equal(kt_journal_pending(&js, &err), want);
	CHECK_NO_ERR(&err);
	return js;
}

TEST(what_a_killed_process_changed_comes_back)
{
	struct kt_err err = { 0 };
	struct kt_journals js;
	struct stat st;
	pid_t pid;
	size_t i;

	fake("j1");
	kt_fake_set("set_event_pid", "9\n");
	pid = victim();
	assert_string_equal(kt_fake_get("tracing_on"), "0");
	js = pending(2);
	for (i = 0; i < js.nr; i++) {
		assert_int_equal(js.journals[i].pid, pid);
		assert_true(kt_journal_restore(&js.journals[i], &err) > 0);
		CHECK_NO_ERR(&err);
	}
	kt_journals_fini(&js);
	assert_string_equal(kt_fake_get("tracing_on"), "1");
	assert_string_equal(kt_fake_get("set_event_pid"), "9");
	assert_int_equal(stat(kt_tmp("tracefs0/instances/killed"), &st), -1);
	js = pending(0);
	kt_journals_fini(&js);
}

/* The kernel switches the clock when a table that looks at the time is set. */
TEST(a_clock_comes_back_after_the_triggers_that_change_it)
{
	struct ctl_undo undo = { 0 };
	struct kt_err err = { 0 };
	char path[512];

	fake("clock");
	kt_fake_set("trace_clock", "local [mono]");
	kt_fake_set("events/sched/sched_switch/trigger", "hist:keys=pid:ts0=common_timestamp.usecs:clock=global [active]\n");
	snprintf(path, sizeof(path), "%s/events/sched/sched_switch/trigger", kt_tracefs_dir(NULL));
	assert_int_equal(ctl_undo_remember(&undo, path, &err), 0);
	CHECK_NO_ERR(&err);
	assert_int_equal(undo.nr, 2);
	assert_non_null(strstr(undo.steps[0].path, "/trace_clock"));
	assert_string_equal(undo.steps[1].path, path);
	kt_fake_set("trace_clock", "local [global]");
	assert_int_equal(ctl_undo_run(&undo, &err), 0);
	assert_string_equal(kt_fake_get("trace_clock"), "mono");
}

TEST(a_living_process_is_left_alone)
{
	struct kt_instance *inst;
	struct kt_journals js;

	fake("j2");
	inst = kt_instance_open(NULL, 0, NULL);
	kt_instance_write(inst, "tracing_on", "0", NULL);
	js = pending(0);
	kt_journals_fini(&js);
	kt_instance_close(inst, NULL);
}

TEST(a_discarded_journal_changes_nothing)
{
	struct kt_journals js;

	fake("j3");
	victim();
	js = pending(2);
	assert_int_equal(kt_journal_discard(&js.journals[0], NULL), 0);
	assert_int_equal(kt_journal_discard(&js.journals[1], NULL), 0);
	kt_journals_fini(&js);
	assert_string_equal(kt_fake_get("tracing_on"), "0");
	js = pending(0);
	kt_journals_fini(&js);
}

TEST(a_folder_that_others_may_write_is_not_trusted)
{
	struct kt_journals js;

	fake("j4");
	victim();
	chmod(kt_tmp("j4"), 0777);
	js = pending(0);
	kt_journals_fini(&js);
	chmod(kt_tmp("j4"), 0700);
	js = pending(2);
	kt_journals_fini(&js);
}

TEST(a_link_in_place_of_the_folder_is_not_followed)
{
	struct kt_instance *inst;
	struct stat st;

	fake("j5link");
	mkdir(kt_tmp("elsewhere"), 0700);
	assert_int_equal(symlink(kt_tmp("elsewhere"), kt_tmp("j5link")), 0);
	inst = kt_instance_open(NULL, 0, NULL);
	/* There is no journal, but the change is made and restored. */
	assert_int_equal(kt_instance_write(inst, "tracing_on", "0", NULL), 0);
	assert_int_equal(kt_instance_close(inst, NULL), 0);
	assert_string_equal(kt_fake_get("tracing_on"), "1");
	assert_int_equal(stat(kt_tmp("elsewhere/1.journal"), &st), -1);
}

static void spill_journal(const char *dir, const char *steps)
{
	char text[1024], boot[64], path[256];

	ctl_boot_id(boot);
	snprintf(text, sizeof(text), "pid 4194000 start 1 boot %s\ncommand test\n%s", boot, steps);
	snprintf(path, sizeof(path), "%s/4194000.journal", dir);
	kt_spill(kt_tmp(path), text, strlen(text));
	chmod(kt_tmp(path), 0600);
	chmod(kt_tmp(dir), 0700);
}

TEST(a_journal_that_names_other_files_is_refused)
{
	struct kt_err err = { 0 };
	struct kt_journals js;

	fake("j6");
	kt_spill(kt_tmp("victim"), "precious", 8);
	spill_journal("j6", "put /etc/hostname.ktrail evil\n");
	js = pending(1);
	assert_int_equal(kt_journal_restore(&js.journals[0], &err), -EPERM);
	assert_non_null(strstr(err.msg, "not for a tracing setting"));
	kt_journals_fini(&js);
}

TEST(a_path_with_dots_is_refused)
{
	struct kt_err err = { 0 };
	struct kt_journals js;
	char line[4200];

	fake("j7");
	snprintf(line, sizeof(line), "put %s/../victim evil\n", kt_tracefs_dir(NULL));
	spill_journal("j7", line);
	js = pending(1);
	assert_int_equal(kt_journal_restore(&js.journals[0], &err), -EPERM);
	kt_journals_fini(&js);
}

TEST(nonsense_is_named_and_the_rest_is_restored)
{
	struct kt_err err = { 0 };
	struct kt_journals js;
	char text[8400];

	fake("j8");
	kt_fake_set("tracing_on", "0\n");
	snprintf(text, sizeof(text), "put %s/tracing_on 1\nfrobnicate x\nput %s/buffer_percent 1",
		 kt_tracefs_dir(NULL), kt_tracefs_dir(NULL));
	spill_journal("j8", text);
	js = pending(1);
	assert_int_equal(kt_journal_restore(&js.journals[0], &err), -EINVAL);
	assert_non_null(strstr(err.msg, "frobnicate"));
	kt_journals_fini(&js);
	assert_string_equal(kt_fake_get("tracing_on"), "1");
	/* the last line was cut: its change was never made */
	assert_string_equal(kt_fake_get("buffer_percent"), "50");
}

TEST(values_survive_a_line_of_the_journal)
{
	static const char *const values[] = {
		"", "plain", "two words", "a\nb\n", "back\\slash", "\\x41", "\t\x01\x7f", " lead",
	};
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(*values); i++) {
		struct ctl_undo_step step = {
			.kind = CTL_UNDO_PUT, .path = (char *)"/a b\\c", .value = (char *)values[i],
		};
		struct ctl_undo_step back;
		struct str line = STR_INIT;

		ctl_step_format(&line, &step);
		assert_int_equal(line.buf[line.len - 1], '\n');
		assert_null(memchr(line.buf, '\n', line.len - 1));
		assert_int_equal(ctl_step_parse(line.buf, line.len - 1, &back), 0);
		assert_string_equal(back.path, step.path);
		assert_string_equal(back.value, step.value);
		free(back.path);
		free(back.value);
		str_fini(&line);
	}
}

TEST(what_is_being_restored_or_is_gone_is_refused)
{
	struct kt_err err = { 0 };
	struct kt_journals js;
	int fd;

	fake("j9");
	victim();
	js = pending(2);
	fd = open(js.journals[0].path, O_RDONLY | O_CLOEXEC);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(kt_journal_restore(&js.journals[0], &err), -EBUSY);
	assert_non_null(strstr(err.msg, "another process is restoring it"));
	close(fd);

	kt_err_clear(&err);
	assert_int_equal(unlink(js.journals[1].path), 0);
	assert_int_equal(kt_journal_restore(&js.journals[1], &err), -ENOENT);
	assert_non_null(strstr(err.msg, js.journals[1].path));
	assert_int_equal(kt_journal_discard(&js.journals[1], NULL), 0);
	assert_int_equal(kt_journal_discard(&js.journals[0], NULL), 0);
	kt_journals_fini(&js);
}

TEST(a_folder_of_journals_that_is_not_there_or_not_ones_own_is_named)
{
	struct kt_err err = { 0 };

	fake("j10");
	assert_null(kt_journal_dir(false, &err));
	assert_int_equal(err.code, -ENOENT);
	assert_non_null(strstr(err.msg, kt_tmp("j10")));

	kt_err_clear(&err);
	mkdir(kt_tmp("j10"), 0700);
	chmod(kt_tmp("j10"), 0777);
	assert_null(kt_journal_dir(false, &err));
	assert_int_equal(err.code, -EPERM);
	assert_non_null(strstr(err.msg, "another user owns it or may write to it"));
}

int main(void)
{
	return RUN(unit(what_a_killed_process_changed_comes_back),
		   unit(a_clock_comes_back_after_the_triggers_that_change_it),
		   unit(a_living_process_is_left_alone),
		   unit(a_discarded_journal_changes_nothing),
		   unit(a_folder_that_others_may_write_is_not_trusted),
		   unit(a_link_in_place_of_the_folder_is_not_followed),
		   unit(a_journal_that_names_other_files_is_refused),
		   unit(a_path_with_dots_is_refused),
		   unit(nonsense_is_named_and_the_rest_is_restored),
		   unit(values_survive_a_line_of_the_journal),
		   unit(what_is_being_restored_or_is_gone_is_refused),
		   unit(a_folder_of_journals_that_is_not_there_or_not_ones_own_is_named));
}
