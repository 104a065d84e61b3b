/* SPDX-License-Identifier: GPL-2.0-or-later */
/* default_instance.h - the instance that a shell has chosen: `ktrail instance use` */
#ifndef DEFAULT_INSTANCE_H
#define DEFAULT_INSTANCE_H

#include "cmd.h"

/* The environment variable; the drop-in knows it as little as its model does */
#define DEFAULT_INSTANCE "KTRAIL_INSTANCE"

/* Its value, or NULL when it is not set or empty; borrowed */
const char *default_instance(void);

/*
 * The words of @cmd as if they began with -B INSTANCE, with @argc counted up;
 * new (free), or NULL: none is chosen, the command has no -B, or the words
 * themselves say which buffers are meant.
 */
char **default_instance_words(const struct cmd *cmd, int *argc, char **argv);

#endif
