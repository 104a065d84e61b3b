/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view.h - what other commands know of the viewer */
#ifndef VIEW_H
#define VIEW_H

#include <ktrail/err.h>

/* Can this terminal show it? 0, or -ENOTTY and why not */
int view_check(struct kt_err *err);
/* The viewer on one file, until the person leaves */
int view_open(const char *path, struct kt_err *err);
/* One line on a terminal that says that there is a viewer, to a user that has not used it yet */
void view_hint(const char *path);

#endif
