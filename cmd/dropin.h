/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dropin.h - started as `trace-cmd`: usage, messages and exit codes as scripts know them */
#ifndef DROPIN_H
#define DROPIN_H

#include <ktrail/session.h>

#include "cmd.h"

/* A version of trace-cmd whose options and files we have: scripts compare it. */
#define DROPIN_VERSION "3.4"

#define DROPIN_MISUSE 255	/* exit status of every misuse, of help and of no command */

/* The list of commands; returns the exit status. */
int dropin_no_command(int argc, char **argv);
/* Help of one command; returns the exit status. */
int dropin_help(const struct cmd *cmd);
/* What trace-cmd says of -p when it has set it */
void dropin_tell_tracers(const struct kt_setup *setup);
/* … and of a recording that is finished: where the data of each CPU is, and how much */
void dropin_tell_file(const char *path);
/* May the instance @name that is to be deleted be missing already? Clears @err then. */
bool dropin_spares(const char *name, struct kt_err *err);
/* As die() of trace-cmd has it; returns the exit status. Usage only if @misread, the options could
 * not be told apart: what is said about their meaning, as of the value of @bad, is said without. */
int dropin_error(const struct cmd *cmd, int ret, bool misread, const struct cmd_opt *bad,
		 const struct kt_err *err);

#endif
