/* SPDX-License-Identifier: GPL-2.0-or-later */
/* default_instance.h - the instance that a shell has chosen: `ktrail instance use` */
#ifndef DEFAULT_INSTANCE_H
#define DEFAULT_INSTANCE_H

#include "cmd/cmd.h"

/* The environment variable; it is ignored as a drop-in, since trace-cmd does not know it */
#define DEFAULT_INSTANCE "KTRAIL_INSTANCE"

/* Its value, or NULL when it is not set or empty; borrowed */
const char *default_instance(void);

/*
 * The words of @cmd with -B INSTANCE inserted at the beginning, and @argc incremented; new
 * (free). NULL: no instance is set, the command has no -B, or the words already select the
 * buffers.
 */
char **default_instance_words(const struct cmd *cmd, int *argc, char **argv);

#endif
