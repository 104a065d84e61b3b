/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* shared_settings.h - settings that several processes of ours have changed at once */
#ifndef UNDO_SHARED_SETTINGS_H
#define UNDO_SHARED_SETTINGS_H

#include <stdbool.h>

#include <ktrail/tracefs.h>

#include "undo/undo.h"

/* The journals of the other processes that run; none of us journals or puts back meanwhile. */
struct ctl_shared {
	int lock_fd;			/* the journals' folder, locked; -1: there is none */
	struct kt_journals live;
};

/* Who else has changed what a step is about */
enum ctl_holder {
	CTL_HELD_BY_NONE,
	CTL_HELD_BY_EARLIER,		/* only by processes that were there before us */
	CTL_HELD_BY_LATER,
};

/* @create: make the folder of journals when it is missing. Not twice at a time in one thread. */
void ctl_shared_begin(struct ctl_shared *o, bool create);
void ctl_shared_end(struct ctl_shared *o);

/* Before @path is noted in @undo: note what others have noted of it. 0 or -ENOMEM. */
int ctl_shared_take(const struct ctl_shared *o, struct ctl_undo *undo, const char *path,
		    struct kt_err *err);

enum ctl_holder ctl_shared_holder(const struct ctl_shared *o, const struct ctl_undo_step *step);

/* For a step of a process that was killed: the process that has it changed now, or NULL.
 * @same: and will put back the same value, or remove the same instance */
const struct kt_journal *ctl_shared_heir(const struct ctl_shared *o, const char *line, bool *same);

#endif
