/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* journal.h - the folder of journals, and the format of their lines */
#ifndef UNDO_JOURNAL_H
#define UNDO_JOURNAL_H

#include <sys/types.h>

#include "base/str.h"
#include "undo/undo.h"

/*
 * The folder of journals, opened and checked: owned by us, not a link, not writable by others.
 * @create: create it if it is missing. Returns a descriptor or a negative errno.
 */
int ctl_journal_dir(bool create, struct str *path);

/* Start time of @pid in clock ticks since boot; 0: there is no such process, or it has ended */
unsigned long long ctl_start_time(pid_t pid);
void ctl_boot_id(char buf[64]);

void ctl_step_format(struct str *line, const struct ctl_undo_step *step);
/* Returns 0 and a step to free, or -EINVAL. */
int  ctl_step_parse(const char *line, size_t len, struct ctl_undo_step *step);

#endif
