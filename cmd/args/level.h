/* SPDX-License-Identifier: GPL-2.0-or-later */
/* level.h - --verbose[=LEVEL] as trace-cmd has it */
#ifndef LEVEL_H
#define LEVEL_H

#include <stdbool.h>

#include "opts.h"

/*
 * *@info: does @value (NULL: no value) include the level "info"? CMD_MISUSE if it is not a level.
 */
int level_parse(const char *value, bool *info, struct kt_err *err);

/* For commands without such messages: the level is only checked. */
int level_ignore(void *args, const char *value, struct kt_err *err);
#define OPT_LEVEL_IGNORED OPT_CALL_OPTIONAL(0, "verbose", level_ignore, "level", NULL)

#endif
