/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* job_machine.c - what exists once: probes, and monitors of runtime verification,
 * "rv = MONITOR REACTOR" for each that is on */
#include "session/job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "probe/dynamic.h"
#include "probe/probe.h"

/* Does the event of this probe have another probe in @s? */
static bool has_other(const struct kt_state_section *s, const char *line)
{
	const char *probe;
	size_t i = 0;

	while ((probe = kt_state_next(s, "probe", &i)))
		if (ctl_dynamic_share(probe, line))
			return true;
	return false;
}

static int change_probe(struct job *j, const char *line, bool add)
{
	char *removal =
		ctl_dynamic_removal(line, has_other(j->now, line) || has_other(j->want, line));
	int ret = -ENOMEM;

	j->writes += removal != NULL;
	if (removal)
		ret = kt_instance_define(j->inst, "dynamic_events", add ? line : removal,
					 add ? removal : line, j->err);
	free(removal);
	return ret < 0 ? kt_err_set(j->err, ret, "out of memory, or no probe: '%s'", line) : 0;
}

static int add_probe(struct job *j, const char *line)
{
	return change_probe(j, line, true);
}

/* A probe that is still in use is left in place, with a note. */
static int drop_probe(struct job *j, const char *line)
{
	struct kt_probes *probe = probes_parse(line);
	struct kt_names users = { 0 };
	int ret = 0;

	/* With another probe the event continues to exist, so its users do not matter. */
	if (probe && probe->nr && !has_other(j->want, line))
		ret = probe_users(&probe->at[0], &users, j->err);
	if (ret == 0 && users.nr)
		job_note(j, "[machine] not removed, " BUFFER_FMT " uses it: %s",
			 BUFFER_ARGS(users.names[0]), line);
	else if (ret == 0)
		ret = change_probe(j, line, false);
	/* For a synthetic event the kernel reports only that it is in use. */
	if (ret == -EBUSY) {
		job_note(j, "[machine] not removed, it is in use: %s", line);
		kt_err_clear(j->err);
		ret = 0;
	}
	kt_names_fini(&users);
	kt_probes_destroy(probe);
	return ret;
}

int job_add_probes(struct job *j)
{
	return job_each_missing(j, "probe", j->want, j->now, add_probe);
}

int job_drop_probes(struct job *j)
{
	return job_each_missing(j, "probe", j->now, j->want, drop_probe);
}

/* A nested monitor is listed as "PARENT:NAME"; its folder is in that of its parent. */
static void monitor_path(char path[512], const char *monitor, size_t len, const char *file)
{
	char *colon;

	snprintf(path, 512, "rv/monitors/%.*s/%s", (int)len, monitor, file);
	colon = strchr(path, ':');
	if (colon)
		*colon = '/';
}

/* "MONITOR REACTOR": the reactor first, since the monitor may react as soon as it is on */
static int add_monitor(struct job *j, const char *line)
{
	size_t len = strcspn(line, " ");
	char file[512];
	int ret = 0;

	monitor_path(file, line, len, "reactors");
	if (line[len])
		ret = job_write(j, file, line + len + 1);
	monitor_path(file, line, len, "enable");
	return ret < 0 ? ret : job_write(j, file, "1");
}

static int drop_monitor(struct job *j, const char *line)
{
	size_t len = strcspn(line, " ");
	char file[512];
	int ret;

	monitor_path(file, line, len, "enable");
	ret = job_write(j, file, "0");
	monitor_path(file, line, len, "reactors");
	return ret < 0 || !line[len] ? ret : job_write(j, file, "nop");
}

static int read_monitor(const struct kt_instance *top, struct kt_state_section *s,
			const char *monitor)
{
	char file[512], *on, *reactor;
	int ret = 0;

	monitor_path(file, monitor, strlen(monitor), "enable");
	on = job_value(top, file);
	monitor_path(file, monitor, strlen(monitor), "reactors");
	reactor = job_value(top, file);
	if (on && *on == '1')
		ret = state_addf(s, "rv", "%s%s%s", monitor, reactor && *reactor ? " " : "",
				 reactor ? reactor : "");
	free(on);
	free(reactor);
	return ret;
}

int job_read_monitors(const struct kt_instance *top, struct kt_state_section *s)
{
	struct kt_names monitors = { 0 };
	size_t i;
	int ret = kt_instance_read_words(top, "rv/available_monitors", " \n", &monitors, NULL);

	ret = ret == -ENOMEM ? ret : 0;
	for (i = 0; ret == 0 && i < monitors.nr; i++)
		ret = read_monitor(top, s, monitors.names[i]);
	kt_names_fini(&monitors);
	return ret;
}

int job_apply_machine(struct job *j)
{
	int ret = job_apply_rows(j, state_machine_rows);

	if (ret == 0)
		ret = job_each_missing(j, "rv", j->now, j->want, drop_monitor);
	return ret == 0 ? job_each_missing(j, "rv", j->want, j->now, add_monitor) : ret;
}
