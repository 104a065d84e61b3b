/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kernel_crashes.c - settings that the kernel accepts but does not survive */
#include "setting/setting.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracefs/tracefs.h"

/* "hist:keys=pid:p=prio:onmax($p).snapshot()" takes a snapshot if its condition holds */
static bool is_conditional(const char *trigger)
{
	return str_starts(trigger, "hist:") && strstr(trigger, ".snapshot(");
}

/* "snapshot:1 if prev_prio < 0" takes one unconditionally */
static bool is_plain(const char *trigger)
{
	return str_starts(trigger, "snapshot");
}

static int check_triggers(const struct kt_instance *inst, bool (*crashes)(const char *trigger),
			  struct kt_err *err)
{
	char event[256], *trigger =
		ctl_find_trigger(kt_instance_dir(inst), crashes, event, sizeof(event));
	int ret = 0;

	if (trigger)
		ret = kt_err_set(err, -EBUSY,
				 "%s has the trigger '%.200s': together with this one, each taking "
				 "snapshots, the kernel would crash", event, trigger);
	free(trigger);
	return ret;
}

static int check_functions(const struct kt_instance *inst, struct kt_err *err)
{
	char *text = kt_instance_read(inst, "set_ftrace_filter", NULL);
	bool crashes = text && strstr(text, ":snapshot:");

	free(text);
	return crashes ? kt_err_set(err, -EBUSY, "a function takes snapshots (set_ftrace_filter): "
				    "together with this the kernel would crash") : 0;
}

/*
 * Seen with 6.12: if a table takes snapshots on a condition, and another trigger or function
 * takes a plain snapshot, the kernel evaluates the condition without its data
 * (trace_events_hist.c, cond_snapshot_update): a null pointer.
 */
int ctl_check_crash(const struct kt_instance *inst, const char *file, const char *value,
		    struct kt_err *err)
{
	bool trigger = str_starts(file, "events/") && strcmp(str_base_name(file), "trigger") == 0;
	bool function = strcmp(file, "set_ftrace_filter") == 0;
	int ret;

	if (*value == '!' || !strstr(value, "snapshot"))
		return 0;
	if ((trigger && is_plain(value)) || (function && strstr(value, ":snapshot")))
		return check_triggers(inst, is_conditional, err);
	if (!trigger || !is_conditional(value))
		return 0;
	ret = check_triggers(inst, is_plain, err);
	return ret < 0 ? ret : check_functions(inst, err);
}
