/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* target.h - what the files that switch events and functions on share */
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include <stdbool.h>

#include <ktrail/instance.h>

/* enable.c: is no event of "" (all) or of this system on, nor does one have a trigger? */
bool ctl_is_all_off(const struct kt_instance *inst, const char *system);

/* enable.c: what enable_event and disable_event switch stays so when the command is taken back:
 * have the event come back after it. Call it before the command is set; others are passed over. */
int ctl_remember_switched(struct kt_instance *inst, const char *command, struct kt_err *err);

/* @dir: one of kt_selection_find(). What was enabled in it is remembered one by one. */
int instance_enable_dir(struct kt_instance *inst, const char *dir, bool on,
			struct kt_err *err);
/* @dir: one of kt_selection_find() */
int instance_filter_dir(struct kt_instance *inst, const char *dir, const char *filter,
			struct kt_err *err);

#endif
