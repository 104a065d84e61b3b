/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.h - files that are written: a trace that is there already stays, unless it is to go */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>

#include "cmd.h"

#define OUTPUT_FORCE(type, member) \
	OPT_BOOL('f', "force", type, member, "replace a file that is there already")

/**
 * output_check - may a trace be written to @path?
 * @force: -f was given
 *
 * A file with something in it is asked for on a terminal, else refused. As a drop-in
 * everything goes, as with trace-cmd. 0, -EEXIST, or CMD_MISUSE for "-".
 */
int output_check(const char *path, bool force, struct kt_err *err);

/* The same for a text, which replaces other files as a shell does, but not a trace: 0 or -EEXIST */
int output_check_text(const char *path, struct kt_err *err);

/* The part that every output has: no trace goes to stdout. 0 or CMD_MISUSE */
int output_check_name(const char *path, struct kt_err *err);

#endif
