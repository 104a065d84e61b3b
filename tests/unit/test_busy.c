/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_busy.c - who is named when the kernel says that something is in use */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ktrail/tracefs.h>

#include "ctl/ctl.h"
#include "kt_test.h"

/* Another process, which has these two open until the descriptor is closed */
static pid_t start_reader(const char *first, const char *second, int *until)
{
	int go[2], ready[2];
	pid_t pid;
	char c;

	assert_int_equal(pipe(go) | pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		close(go[1]);
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

static void check(const char *file, const char *want)
{
	char path[512], buf[512];

	snprintf(path, sizeof(path), "%s/%s", kt_tracefs_dir(NULL), file);
	assert_string_equal(ctl_busy_hint(path, buf, sizeof(buf)), want);
}

TEST(who_reads_the_trace_of_the_same_buffer_is_named)
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
	snprintf(want, sizeof(want), "it is in use by %d test_busy, which reads trace_pipe", (int)pid);
	check("current_tracer", want);
	check("per_cpu/cpu0/buffer_size_kb", want);
	check("dynamic_events", "it is in use");
	snprintf(want, sizeof(want), "it is in use by %d test_busy, which reads trace", (int)pid);
	check("instances/one/buffer_size_kb", want);
	check("instances/other/buffer_size_kb", "it is in use");
	close(until);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	check("current_tracer", "it is in use");
}

int main(void)
{
	return RUN(unit(who_reads_the_trace_of_the_same_buffer_is_named));
}
