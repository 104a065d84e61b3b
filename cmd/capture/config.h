/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config.h - options of a command from a file, before those of the command line */
#ifndef CAPTURE_CONFIG_H
#define CAPTURE_CONFIG_H

#include "cmd/cmd.h"

/*
 *	# a comment
 *	event = sched
 *	when = wakeup prio<100 > 500us
 *	dedupe
 *
 * A line is a long option, or a short one that has no long name. Errors name the file and the line.
 */

/*
 * The words of `--config FILE`, if @argv has it, and then @argv: a block (free), @argc gets their
 * number. NULL: there is none, or @err is set.
 * @rest: gets the lines whose options are not among the first @nr_own of the table (free); may be
 *	NULL
 */
char **config_expand(const struct cmd *cmd, int *argc, char **argv, size_t nr_own, char **rest,
		     struct kt_err *err);

#endif
