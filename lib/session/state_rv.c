/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* state_rv.c - monitors of runtime verification in a state:
 * "rv = MONITOR REACTOR" for each that is on */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "tracefs/tracefs.h"
#include "session/state.h"
#include "undo/undo.h"

/* A nested monitor is listed as "PARENT:NAME", and stands in the folder of its parent. */
void state_rv_path(char path[512], const char *monitor, size_t len, const char *file)
{
	char *colon;

	snprintf(path, 512, "rv/monitors/%.*s/%s", (int)len, monitor, file);
	colon = strchr(path, ':');
	if (colon)
		*colon = '/';
}

/* What to write to the monitor's file so that it reads as now, new (free); "" if it has none */
static char *value_of(const struct kt_instance *top, const char *monitor, const char *file)
{
	char name[512], *path, *now, *value = NULL;

	state_rv_path(name, monitor, strlen(monitor), file);
	path = kt_instance_path(top, name);
	now = path && ctl_exists(path) ? ctl_read_text(path, NULL) : NULL;
	if (now)
		value = ctl_former_text(path, now);
	free(now);
	free(path);
	return value ? value : strdup("");
}

static int read_monitor(const struct kt_instance *top, struct kt_state_section *s,
			const char *monitor)
{
	char *on = value_of(top, monitor, "enable"), *reactor = value_of(top, monitor, "reactors");
	struct str line = STR_INIT;
	int ret = on && reactor ? 0 : -ENOMEM;

	if (ret == 0 && *on == '1') {
		str_addf(&line, "%s%s%s", monitor, *reactor ? " " : "", reactor);
		ret = line.failed ? -ENOMEM : state_add_line(s, "rv", line.buf, line.len);
	}
	str_fini(&line);
	free(on);
	free(reactor);
	return ret;
}

int state_read_rv(const struct kt_instance *top, struct kt_state_section *s)
{
	char *text = kt_instance_has(top, "rv/available_monitors") ?
		kt_instance_read(top, "rv/available_monitors", NULL) : NULL;
	struct kt_names monitors = { 0 };
	size_t i;
	int ret = text ? kt_names_add_words(&monitors, text, " \n") : 0;

	for (i = 0; ret == 0 && i < monitors.nr; i++)
		ret = read_monitor(top, s, monitors.names[i]);
	kt_names_fini(&monitors);
	free(text);
	return ret;
}
