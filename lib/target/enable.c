/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* enable.c - switch events on and off, filter them */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>

#include "target/target.h"
#include "setting/setting.h"
#include "tracefs/tracefs.h"
#include "undo/undo.h"

/*
 * A group reads "X" if only some of its events are enabled. Then each of these is remembered by
 * itself and restored after the group is switched off at close. set_event also lists events that
 * are enabled only for a trigger ("0*"): they are remembered too, but not written to.
 */
static int remember_group(struct kt_instance *inst, const char *dir, struct kt_err *err)
{
	const char *system = strchr(dir, '/');
	char *on = kt_instance_read(inst, "set_event", err), *line, *next, *colon;
	char file[600];
	int ret = 0;

	if (!on)
		return kt_err_code(err, -EIO);
	for (line = on; ret == 0 && line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		colon = strchr(line, ':');
		if (!colon)
			continue;
		*colon = '\0';
		if (system && strcmp(system + 1, line) != 0)
			continue;
		snprintf(file, sizeof(file), "events/%s/%.300s/enable", line, colon + 1);
		/* A probe from the kernel's command line can be enabled before it has a folder. */
		if (kt_instance_has(inst, file))
			ret = instance_remember(inst, file, err);
	}
	free(on);
	return ret;
}

int instance_enable_dir(struct kt_instance *inst, const char *dir, bool on, struct kt_err *err)
{
	const char *wish = on ? "1" : "0";
	char file[600], *now;
	int ret = 0;
	bool same;

	snprintf(file, sizeof(file), "%.500s/enable", dir);
	now = kt_instance_read(inst, file, err);
	if (!now)
		return kt_err_code(err, -EIO);
	/*
	 * A dry run reads the files of the top-level buffer for an instance that it would create,
	 * in which no event would be enabled.
	 */
	same = instance_is_dry(inst) && instance_is_new(inst) ? !on : strcmp(now, wish) == 0;
	/* An earlier write of the dry run may have changed it. */
	if (instance_is_dry(inst) && strstr(kt_instance_notes(inst), "/enable"))
		same = false;
	if (*now == 'X' && !instance_is_dry(inst)) {
		ret = remember_group(inst, dir, err);
		if (ret == 0)
			ret = instance_remember_as(inst, file, "0", err);
	}
	free(now);
	if (ret < 0 || same)
		return ret;
	return kt_instance_write(inst, file, wish, err);
}

int kt_instance_enable_events(struct kt_instance *inst, const char *text, bool on,
			      struct kt_err *err)
{
	struct kt_names dirs = { 0 };
	int ret;
	size_t i;

	ret = kt_selection_find(inst, text, &dirs, err);
	for (i = 0; ret >= 0 && i < dirs.nr; i++)
		ret = instance_enable_dir(inst, dirs.names[i], on, err);
	kt_names_fini(&dirs);
	return ret < 0 ? ret : 0;
}

typedef int (*file_fn)(struct kt_instance *inst, const char *file, void *data, struct kt_err *err);

/* Call @fn for the filter of each event of the system @dir until it returns something other than
 * 0. */
static int for_each_filter(struct kt_instance *inst, const char *dir, file_fn fn, void *data,
			   struct kt_err *err)
{
	const char *system = strchr(dir, '/') + 1;
	struct kt_names dirs = { 0 };
	int nr = kt_selection_find_each(inst, system, &dirs, err), ret = nr < 0 ? nr : 0;
	char file[600];
	size_t i;

	for (i = 0; ret == 0 && i < dirs.nr; i++) {
		snprintf(file, sizeof(file), "%.500s/filter", dirs.names[i]);
		if (kt_instance_has(inst, file))
			ret = fn(inst, file, data, err);
	}
	kt_names_fini(&dirs);
	return ret;
}

/* The filter file of a system only sets the filters of its events: remember those. */
static int remember_filter(struct kt_instance *inst, const char *file, void *data,
			   struct kt_err *err)
{
	(void)data;
	return instance_remember(inst, file, err);
}

static int look_if_taken(struct kt_instance *inst, const char *file, void *refused,
			 struct kt_err *err)
{
	char *now = kt_instance_read(inst, file, NULL);
	bool is_refused = now && strstr(now, "\nparse_error: ");

	(void)err;
	free(now);
	*(bool *)refused = is_refused;
	return !is_refused;
}

/* The kernel accepts any filter for a system. The files of the events show whether one of them
 * accepted it. */
static int check_taken(struct kt_instance *inst, const char *dir, const char *filter,
		       struct kt_err *err)
{
	bool refused = false;
	int ret = for_each_filter(inst, dir, look_if_taken, &refused, err);

	if (ret == 0 && refused)
		return kt_err_set(err, -EINVAL,
				  "no event of system '%s' takes the filter '%.200s'",
				  strchr(dir, '/') + 1, filter);
	return ret < 0 ? ret : 0;
}

int instance_filter_dir(struct kt_instance *inst, const char *dir, const char *filter,
			struct kt_err *err)
{
	const char *system = strchr(dir, '/');
	char file[600], *path;
	bool many;
	int ret;

	if (!system)
		return kt_err_set(err, -EINVAL, "a filter needs events with the same fields: "
				  "name a system or an event, not 'all'");
	many = !strchr(system + 1, '/');
	ret = many ? for_each_filter(inst, dir, remember_filter, NULL, err) : 0;
	if (ret < 0)
		return ret;
	snprintf(file, sizeof(file), "%.500s/filter", dir);
	ret = kt_instance_write(inst, file, *filter ? filter : "0", err);
	if (ret < 0 || !many)
		return ret;
	/* The kernel has logged an error for each event that lacks a field of the filter. */
	path = instance_is_dry(inst) ? NULL : kt_instance_path(inst, file);
	if (path)
		ctl_forget_errors(path, filter);
	free(path);
	return check_taken(inst, dir, filter, err);
}

int ctl_remember_switched(struct kt_instance *inst, const char *command, struct kt_err *err)
{
	const char *event = strstr(command, "able_event:"), *colon;
	char file[600];

	event = event ? event + strlen("able_event:") : "";
	colon = strchr(event, ':');
	if (!colon)
		return 0;
	snprintf(file, sizeof(file), "events/%.*s/%.*s/enable", (int)(colon - event), event,
		 (int)strcspn(colon + 1, ": \n"), colon + 1);
	return kt_instance_has(inst, file) ? instance_remember(inst, file, err) : 0;
}

int kt_instance_clear_events(struct kt_instance *inst, struct kt_err *err)
{
	return instance_enable_dir(inst, "events", false, err);
}

/*
 * A trigger also shows in the enable files: "0*" in that of its event, "X" or "1" in that of the
 * system. So a few files tell that no event of a system is enabled or has a trigger.
 */
bool ctl_is_all_off(const struct kt_instance *inst, const char *system)
{
	char file[600], *now;
	bool off;

	snprintf(file, sizeof(file), "events/%s%senable", system, *system ? "/" : "");
	now = kt_instance_read(inst, file, NULL);
	off = now && strcmp(now, "0") == 0;
	free(now);
	return off;
}
