/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* target.h - shared by the files that switch events and functions on */
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include <stdbool.h>

#include <ktrail/tracefs.h>

/* enable.c: is every event of the system ("": of all) disabled and without a trigger? */
bool ctl_is_all_off(const struct kt_instance *inst, const char *system);

/* enable.c: remember the event that a command enable_event or disable_event changes, since it stays
 * changed after the command is removed. Call this before the command is set; it ignores other
 * commands. */
int ctl_remember_switched(struct kt_instance *inst, const char *command, struct kt_err *err);

/* @dir: from kt_selection_find(). Each enabled event in it is remembered. */
int instance_enable_dir(struct kt_instance *inst, const char *dir, bool on,
			struct kt_err *err);
/* @dir: from kt_selection_find() */
int instance_filter_dir(struct kt_instance *inst, const char *dir, const char *filter,
			struct kt_err *err);

/* trigger.c: remove the trigger that @file lists as @text */
int ctl_trigger_remove(struct kt_instance *inst, const char *file, const char *text,
		       struct kt_err *err);

#endif
