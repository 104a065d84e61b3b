/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state_file.h - a tracing configuration in a file: `ktrail state`, `ktrail start --session` */
#ifndef STATE_FILE_H
#define STATE_FILE_H

#include <ktrail/session.h>

/*
 * Write to @path, "-" for stdout, completely or not at all, with a first line that names its
 * origin
 */
int state_file_save(const struct kt_state *state, const char *path, struct kt_err *err);
/* Read @path, "-" for stdin. New (kt_state_destroy), or NULL with the place of the error */
struct kt_state *state_file_load(const char *path, struct kt_err *err);

#endif
