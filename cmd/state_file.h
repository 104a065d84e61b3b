/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state_file.h - a tracing configuration in a file: `ktrail state`, `ktrail start --session` */
#ifndef STATE_FILE_H
#define STATE_FILE_H

#include <ktrail/session.h>

/* To @path, "-" for stdout, whole or not at all, with a line that says where it is from */
int state_file_save(const struct kt_state *state, const char *path, struct kt_err *err);
/* From @path, "-" for stdin. New (kt_state_destroy), or NULL with the place of the mistake */
struct kt_state *state_file_load(const char *path, struct kt_err *err);

#endif
