/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_busy.c - the processes that an error names if a file of the kernel is in use */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ktrail/tracefs.h>

#include "tracefs/tracefs.h"
#include "kt_test.h"

/* Another process that keeps these two open until the descriptor is closed */
static pid_t start_reader(const char *first, const char *second, int *until)
{
	int go[2], ready[2];
	pid_t pid;
	char c;

	assert_int_equal(pipe(go) | pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		close(go[1]);
		prctl(PR_SET_NAME, "a reader");
		if (open(first, O_RDONLY) < 0 || open(second, O_RDONLY) < 0)
			_exit(1);
		close(ready[1]);
		_exit(read(go[0], &c, 1) != 0);
	}
	close(go[0]);
	close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 0);
	close(ready[0]);
	*until = go[1];
	return pid;
}

static void check(const char *file, const char *value, const char *want)
{
	char path[512], buf[512];

	snprintf(path, sizeof(path), "%s/%s", kt_tracefs_dir(NULL), file);
	assert_string_equal(ctl_busy_hint(path, value, buf, sizeof(buf)), want);
}

TEST(a_reader_of_the_trace_of_the_same_buffer_is_named)
{
	char top[256], first[512], second[512], want[128];
	int until, status;
	pid_t pid;

	snprintf(top, sizeof(top), "%s", kt_fake_tracefs());
	kt_tracefs_set_dir(top);
	kt_fake_set("trace_pipe", "");
	kt_fake_set("instances/one/trace", "");
	snprintf(first, sizeof(first), "%s/trace_pipe", top);
	snprintf(second, sizeof(second), "%s/instances/one/trace", top);
	pid = start_reader(first, second, &until);
	snprintf(want, sizeof(want), "it is in use by %d a reader, which reads trace_pipe", (int)pid);
	check("current_tracer", NULL, want);
	check("per_cpu/cpu0/buffer_size_kb", NULL, want);
	check("dynamic_events", NULL, "it is in use");
	snprintf(want, sizeof(want), "it is in use by %d a reader, which reads trace", (int)pid);
	check("instances/one/buffer_size_kb", NULL, want);
	check("instances/other/buffer_size_kb", NULL, "it is in use");
	close(until);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	check("current_tracer", NULL, "it is in use");
}

TEST(the_owner_of_the_snapshot_is_named)
{
	static const char mine[] = "hist:keys=pid:p=prio:onmax($p).snapshot()";

	kt_tracefs_set_dir(kt_fake_tracefs());
	kt_fake_set("instances/one/current_tracer", "wakeup_rt");
	kt_fake_set("instances/one/snapshot", "");
	kt_fake_set("events/sched/sched_switch/trigger", mine);
	check("instances/one/snapshot", "1", "the snapshot holds the maximum of the tracer 'wakeup_rt'");
	check("instances/one/events/sched/sched_switch/trigger", mine,
	      "the snapshot holds the maximum of the tracer 'wakeup_rt'");
	check("snapshot", "1", "the snapshot belongs to a trigger of sched:sched_switch");
	check("current_tracer", "wakeup", "the snapshot belongs to a trigger of sched:sched_switch");
	check("events/sched/sched_waking/trigger", "!hist:keys=pid", "it is in use");
}

TEST(the_buffer_with_a_conflicting_tracer_is_named)
{
	kt_tracefs_set_dir(kt_fake_tracefs());
	kt_fake_set("instances/one/current_tracer", "timerlat");
	kt_fake_set("instances/two/current_tracer", "function");
	check("current_tracer", "osnoise", "the instance 'one' has the tracer 'timerlat', which excludes it");
	check("current_tracer", "timerlat", "it is in use");
	check("current_tracer", "hwlat", "it is in use");
	kt_fake_set("current_tracer", "hwlat");
	check("instances/two/current_tracer", "hwlat", "the top-level buffer has the tracer 'hwlat', which excludes it");
	check("current_tracer", "hwlat", "it is in use");
}

int main(void)
{
	return RUN(unit(a_reader_of_the_trace_of_the_same_buffer_is_named),
		   unit(the_owner_of_the_snapshot_is_named),
		   unit(the_buffer_with_a_conflicting_tracer_is_named));
}
