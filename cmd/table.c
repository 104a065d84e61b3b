/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.c - all subcommands, in the order that help lists them */
#include "cmd.h"

/* extern const struct cmd cmd_record; … one line for each file of this folder */
extern const struct cmd cmd_probe;
extern const struct cmd cmd_report;
extern const struct cmd cmd_restore_settings;
extern const struct cmd cmd_set;
extern const struct cmd cmd_start;

const struct cmd *const cmd_table[] = {
	&cmd_report,
	&cmd_start,
	&cmd_set,
	&cmd_probe,
	&cmd_restore_settings,
	NULL
};
