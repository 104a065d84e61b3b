/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_shared_settings.c - two processes change the same settings:
 * the last one restores the values from before the first one */
#include <ktrail/tracefs.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>


#include "kt_test.h"

/* A process that has made its changes, and waits until it may end */
struct session {
	pid_t pid;
	int end, done;		/* pipes */
};

typedef void (*change_fn)(struct kt_instance *inst);

static void fake(const char *journals)
{
	kt_tracefs_set_dir(kt_fake_tracefs());
	setenv("KTRAIL_JOURNAL_DIR", kt_tmp(journals), 1);
}

static struct session begin(const char *name, unsigned int flags, change_fn change)
{
	int end[2], done[2];
	struct session s;
	char c = 'x';

	assert_int_equal(pipe(end), 0);
	assert_int_equal(pipe(done), 0);
	s.pid = fork();
	if (s.pid == 0) {
		struct kt_instance *inst = kt_instance_open(name, flags, NULL);

		close(end[1]);
		if (!inst)
			_exit(1);
		change(inst);
		if (write(done[1], &c, 1) != 1 || read(end[0], &c, 1) != 1)
			_exit(1);
		_exit(kt_instance_close(inst, NULL) < 0);
	}
	close(end[0]);
	close(done[1]);
	s.end = end[1];
	s.done = done[0];
	assert_int_equal(read(s.done, &c, 1), 1);
	return s;
}

static void wait_for(struct session *s, int want)
{
	int status;

	assert_int_equal(waitpid(s->pid, &status, 0), s->pid);
	assert_int_equal(status, want);
	close(s->end);
	close(s->done);
}

static void end(struct session *s)
{
	assert_int_equal(write(s->end, "x", 1), 1);
	wait_for(s, 0);
}

static int restore_all(int want)
{
	struct kt_journals js = { 0 };
	int ret = 0;
	size_t i;

	assert_int_equal(kt_journal_pending(&js, NULL), want);
	for (i = js.nr; i-- > 0; )
		ret = kt_journal_restore(&js.journals[i], NULL);
	kt_journals_fini(&js);
	return ret;
}

static void set_25(struct kt_instance *inst)
{
	kt_instance_write(inst, "buffer_percent", "25", NULL);
	kt_instance_write(inst, "set_event_pid", "1\n2", NULL);
	kt_instance_write(inst, "trace_clock", "mono", NULL);
}

static void set_10(struct kt_instance *inst)
{
	kt_instance_write(inst, "buffer_percent", "10", NULL);
	kt_instance_write(inst, "set_event_pid", "3", NULL);
	kt_instance_write(inst, "trace_clock", "boot", NULL);
}

static void check(const char *percent, const char *pids, const char *clock)
{
	assert_string_equal(kt_fake_get("buffer_percent"), percent);
	assert_string_equal(kt_fake_get("set_event_pid"), pids);
	assert_string_equal(kt_fake_get("trace_clock"), clock);
}

static void begin_both(const char *journals, struct session *a, struct session *b)
{
	fake(journals);
	kt_fake_set("set_event_pid", "9\n");
	*a = begin(NULL, 0, set_25);
	*b = begin(NULL, 0, set_10);
	check("10", "3", "boot");
}

TEST(the_first_ends_first)
{
	struct session a, b;

	begin_both("o1", &a, &b);
	end(&a);
	check("10", "3", "boot");
	end(&b);
	check("50", "9", "local");
	assert_int_equal(restore_all(0), 0);
}

TEST(the_second_ends_first_and_leaves_what_the_first_had_set)
{
	struct session a, b;

	begin_both("o2", &a, &b);
	end(&b);
	check("25", "1\n2", "mono");
	end(&a);
	check("50", "9", "local");
}

TEST(of_three_the_last_puts_back)
{
	struct session a, b, c;

	begin_both("o3", &a, &b);
	c = begin(NULL, 0, set_25);
	end(&b);
	check("25", "1\n2", "mono");
	end(&a);
	check("25", "1\n2", "mono");
	end(&c);
	check("50", "9", "local");
}

TEST(the_first_is_killed)
{
	struct session a, b;

	begin_both("o4", &a, &b);
	kill(a.pid, SIGKILL);
	wait_for(&a, SIGKILL);
	assert_true(restore_all(1) > 0);
	check("10", "3", "boot");
	end(&b);
	check("50", "9", "local");
	assert_int_equal(restore_all(0), 0);
}

TEST(the_second_is_killed)
{
	struct session a, b;

	begin_both("o5", &a, &b);
	kill(b.pid, SIGKILL);
	wait_for(&b, SIGKILL);
	assert_true(restore_all(1) > 0);
	check("10", "3", "boot");
	end(&a);
	check("50", "9", "local");
}

TEST(a_zombie_holds_nothing)
{
	struct session a, b;
	siginfo_t info;

	begin_both("o6", &a, &b);
	kill(b.pid, SIGKILL);
	assert_int_equal(waitid(P_PID, b.pid, &info, WEXITED | WNOWAIT), 0);
	end(&a);
	check("50", "9", "local");
	wait_for(&b, SIGKILL);
	assert_true(restore_all(1) > 0);
	check("50", "9", "local");
}

TEST(a_process_that_came_after_the_kill_is_waited_for)
{
	struct session a, b;

	fake("o7");
	a = begin(NULL, 0, set_25);
	kill(a.pid, SIGKILL);
	wait_for(&a, SIGKILL);
	b = begin(NULL, 0, set_10);
	assert_int_equal(restore_all(1), -EBUSY);
	assert_string_equal(kt_fake_get("buffer_percent"), "10");
	end(&b);
	assert_string_equal(kt_fake_get("buffer_percent"), "25");
	assert_true(restore_all(1) > 0);
	assert_string_equal(kt_fake_get("buffer_percent"), "50");
}

static void enable_system(struct kt_instance *inst)
{
	kt_instance_write(inst, "events/sched/enable", "1", NULL);
	/* as the kernel would */
	kt_fake_set("events/sched/sched_switch/enable", "1\n");
}

static void disable_event(struct kt_instance *inst)
{
	kt_instance_write(inst, "events/sched/sched_switch/enable", "0", NULL);
}

/* The fake does not pass a write for a system on to its events: the order of writes matters. */
TEST(a_group_that_another_has_enabled_comes_back_last)
{
	struct kt_journals js = { 0 };
	struct session a, b;
	size_t n;

	fake("o8");
	kt_fake_set("events/sched/enable", "0\n");
	kt_fake_set("events/sched/sched_switch/enable", "0\n");
	a = begin(NULL, 0, enable_system);
	b = begin(NULL, 0, disable_event);
	assert_int_equal(kt_journal_live(&js), 2);
	n = js.journals[0].pid == b.pid ? 0 : 1;
	assert_int_equal(js.journals[n].nr_steps, 2);
	assert_non_null(strstr(js.journals[n].steps[0], "/events/sched/enable 0"));
	assert_non_null(strstr(js.journals[n].steps[1], "/sched_switch/enable 1"));
	kt_journals_fini(&js);
	end(&a);
	assert_string_equal(kt_fake_get("events/sched/enable"), "1");
	end(&b);
	assert_string_equal(kt_fake_get("events/sched/enable"), "0");
}

static void set_on(struct kt_instance *inst)
{
	kt_instance_write(inst, "tracing_on", "0", NULL);
}

TEST(other_buffers_are_not_mixed_up)
{
	struct kt_journals js = { 0 };
	struct session a, b;

	fake("o9");
	kt_fake_set("instances/one/tracing_on", "1\n");
	a = begin(NULL, 0, set_on);
	b = begin("one", 0, set_on);
	assert_int_equal(kt_journal_live(&js), 2);
	assert_int_equal(js.journals[0].nr_steps, 1);
	assert_int_equal(js.journals[1].nr_steps, 1);
	kt_journals_fini(&js);
	end(&a);
	assert_string_equal(kt_fake_get("tracing_on"), "1");
	assert_string_equal(kt_fake_get("instances/one/tracing_on"), "0");
	end(&b);
	assert_string_equal(kt_fake_get("instances/one/tracing_on"), "1");
}

int main(void)
{
	return RUN(unit(the_first_ends_first),
		   unit(the_second_ends_first_and_leaves_what_the_first_had_set),
		   unit(of_three_the_last_puts_back),
		   unit(the_first_is_killed),
		   unit(the_second_is_killed),
		   unit(a_zombie_holds_nothing),
		   unit(a_process_that_came_after_the_kill_is_waited_for),
		   unit(a_group_that_another_has_enabled_comes_back_last),
		   unit(other_buffers_are_not_mixed_up));
}
