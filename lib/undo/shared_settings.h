/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* shared_settings.h - settings that several of our processes have changed at the same time */
#ifndef UNDO_SHARED_SETTINGS_H
#define UNDO_SHARED_SETTINGS_H

#include <stdbool.h>

#include <ktrail/tracefs.h>

#include "undo/undo.h"

/* The journals of other running processes, locked: no process writes a journal or restores. */
struct ctl_shared {
	int lock_fd;			/* the journals' folder, locked; -1: there is none */
	struct kt_journals live;
};

/* Which other processes have changed the setting of a step */
enum ctl_holder {
	CTL_HELD_BY_NONE,
	CTL_HELD_BY_EARLIER,		/* only processes that started before us */
	CTL_HELD_BY_LATER,
};

/* @create: create the folder of journals if it is missing. Do not nest within a thread. */
void ctl_shared_begin(struct ctl_shared *o, bool create);
void ctl_shared_end(struct ctl_shared *o);

/* Call before @path is noted in @undo: copies what others have noted for it. 0 or -ENOMEM. */
int ctl_shared_take(const struct ctl_shared *o, struct ctl_undo *undo, const char *path,
		    struct kt_err *err);

enum ctl_holder ctl_shared_holder(const struct ctl_shared *o, const struct ctl_undo_step *step);

/*
 * For a step of a killed process: the running process that has changed the same setting, or NULL.
 * @same: it will restore the same value, or remove the same instance
 */
const struct kt_journal *ctl_shared_heir(const struct ctl_shared *o, const char *line, bool *same);

#endif
