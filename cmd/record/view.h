/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view.h - the viewer, for other commands */
#ifndef VIEW_H
#define VIEW_H

#include <ktrail/base.h>

/* Can this terminal show the viewer? 0, or -ENOTTY with the reason */
int view_check(struct kt_err *err);
/* Run the viewer on one file, until the user quits */
int view_open(const char *path, struct kt_err *err);
/* Suggest the viewer in one line on a terminal, to a user that has not used it yet */
void view_hint(const char *path);

#endif
