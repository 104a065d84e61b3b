/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_test.c - fixtures of the unit tests */
#include "kt_test.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ktrail/tracefs.h>

/* Four paths at a time, as printf arguments need them. */
static char *next_path(void)
{
	static char paths[4][PATH_MAX];
	static unsigned int nr;

	return paths[nr++ % 4];
}

const char *kt_data(const char *name)
{
	char *path = next_path();

	snprintf(path, PATH_MAX, "tests/data/%s", name);
	return path;
}

const char *kt_tmp(const char *name)
{
	static char own[] = "/tmp/ktrail-test.XXXXXX";
	static bool made;	/* @own does not show it: the name may end with an X */
	const char *dir = getenv("KT_TMP");
	char *path = next_path();

	if (!dir) {
		if (!made && !mkdtemp(own))
			fail_msg("no temporary directory: %s", strerror(errno));
		made = true;
		dir = own;
	}
	snprintf(path, PATH_MAX, "%s/%s", dir, name);
	return path;
}

void kt_built_plugins(void)
{
	char *build = realpath(getenv("B") ? getenv("B") : "build", NULL);
	char dir[PATH_MAX];

	assert_non_null(build);
	snprintf(dir, sizeof(dir), "%s/plugins", build);
	free(build);
	setenv("KTRAIL_PLUGIN_DIR", dir, 1);
	setenv("HOME", "/nonexistent", 1);
}

char *kt_slurp(const char *path, size_t *size)
{
	FILE *f = fopen(path, "r");
	size_t len = 0, got;
	char *text = NULL;

	if (!f)
		fail_msg("%s: %s", path, strerror(errno));
	do {
		text = realloc(text, len + 65536 + 1);
		assert_non_null(text);
		got = fread(text + len, 1, 65536, f);
		len += got;
	} while (got);
	fclose(f);
	text[len] = '\0';
	if (size)
		*size = len;
	return text;
}

static void make_parents(const char *path)
{
	char dir[PATH_MAX];
	char *p;

	snprintf(dir, sizeof(dir), "%s", path);
	for (p = strchr(dir + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		if (mkdir(dir, 0755) < 0 && errno != EEXIST)
			fail_msg("%s: %s", dir, strerror(errno));
		*p = '/';
	}
}

void kt_spill(const char *path, const void *bytes, size_t size)
{
	FILE *f;

	if (size == (size_t)-1)
		size = strlen(bytes);
	make_parents(path);
	f = fopen(path, "w");
	if (!f || fwrite(bytes, 1, size, f) != size || fclose(f))
		fail_msg("%s: %s", path, strerror(errno));
}

static char fake_dir[PATH_MAX];

static void fake_path(char *path, const char *file)
{
	if ((size_t)snprintf(path, PATH_MAX, "%s/%s", fake_dir, file) >= PATH_MAX)
		fail_msg("path of '%s' is too long", file);
}

void kt_fake_set(const char *file, const char *text)
{
	char path[PATH_MAX];

	fake_path(path, file);
	kt_spill(path, text, strlen(text));
}

const char *kt_fake_get(const char *file)
{
	char path[PATH_MAX], *text = next_path(), *all;
	size_t len;

	fake_path(path, file);
	all = kt_slurp(path, &len);
	if (len && all[len - 1] == '\n')
		all[len - 1] = '\0';
	snprintf(text, PATH_MAX, "%s", all);
	free(all);
	return text;
}

const char *kt_fake_tracefs(void)
{
	static const char *const files[][2] = {
		{ "available_tracers", "function_graph function nop\n" },
		{ "current_tracer", "nop\n" },
		{ "tracing_on", "1\n" },
		{ "trace", "" },
		{ "trace_clock", "[local] global counter uptime perf mono mono_raw boot tai x86-tsc\n" },
		{ "buffer_size_kb", "1408\n" },
		{ "buffer_total_size_kb", "2816\n" },
		{ "buffer_subbuf_size_kb", "4\n" },
		{ "buffer_percent", "50\n" },
		{ "tracing_cpumask", "3\n" },
		{ "per_cpu/cpu0/buffer_size_kb", "1408\n" },
		{ "per_cpu/cpu0/stats", "entries: 3\noverrun: 0\ncommit overrun: 0\nbytes: 96\n" },
		{ "per_cpu/cpu0/trace", "" },
		{ "per_cpu/cpu1/buffer_size_kb", "1408\n" },
		{ "per_cpu/cpu1/stats", "entries: 4\noverrun: 1\ncommit overrun: 0\nbytes: 128\n" },
		{ "per_cpu/cpu1/trace", "" },
		{ "instances/.empty", "" },
		{ "available_events", "sched:sched_switch\nsched:sched_wakeup\nirq:irq_handler_entry\n" },
		{ "trace_options", "nostacktrace\nnosym-offset\nrecord-cmd\n" },
		{ "set_event", "" },
		{ "set_event_pid", "" },
		{ "set_event_notrace_pid", "" },
		{ "set_ftrace_filter", "#### all functions enabled ####\n" },
		{ "set_ftrace_notrace", "#### no functions disabled ####\n" },
		{ "set_ftrace_pid", "no pid\n" },
		{ "set_ftrace_notrace_pid", "no pid\n" },
		{ "available_filter_functions", "vfs_read\nvfs_write\nschedule\next4_map_blocks [ext4]\n" },
		{ "options/sym-offset", "0\n" },
		{ "options/stacktrace", "0\n" },
		{ "options/record-cmd", "1\n" },
		{ "events/enable", "0\n" },
		{ "events/sched/enable", "0\n" },
		{ "events/sched/filter", "none\n" },
		{ "events/sched/sched_switch/enable", "0\n" },
		{ "events/sched/sched_switch/filter", "none\n" },
		{ "events/sched/sched_switch/trigger", "# Available triggers:\n# traceon traceoff\n" },
		{ "events/sched/sched_switch/id", "314\n" },
		{ "events/sched/sched_wakeup/enable", "0\n" },
		{ "events/sched/sched_wakeup/filter", "none\n" },
		{ "events/sched/sched_wakeup/trigger", "# Available triggers:\n# traceon traceoff\n" },
		{ "events/sched/sched_wakeup/id", "315\n" },
		{ "events/irq/enable", "0\n" },
		{ "events/irq/filter", "none\n" },
		{ "events/irq/irq_handler_entry/enable", "0\n" },
		{ "events/irq/irq_handler_entry/filter", "none\n" },
		{ "events/irq/irq_handler_entry/trigger", "# Available triggers:\n# traceon traceoff\n" },
		{ "events/irq/irq_handler_entry/id", "20\n" },
		{ "error_log", "" },
	};
	static unsigned int nr;
	char name[32], sysctl[4096 + 8];
	size_t i;

	snprintf(name, sizeof(name), "tracefs%u", nr++);
	snprintf(fake_dir, sizeof(fake_dir), "%s", kt_tmp(name));
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		kt_fake_set(files[i][0], files[i][1]);
	snprintf(sysctl, sizeof(sysctl), "%s/sysctl", fake_dir);
	setenv("KTRAIL_SYSCTL", sysctl, 1);
	return fake_dir;
}

struct kt_instance *kt_open_dry(void)
{
	struct kt_instance *dry = kt_instance_open(NULL, KT_INSTANCE_DRY, NULL);

	assert_non_null(dry);
	return dry;
}

size_t kt_nr_lines(const char *text)
{
	size_t nr = 0;

	for (; (text = strchr(text, '\n')); text++)
		nr++;
	return nr;
}
