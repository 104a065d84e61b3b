/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dropin.h - started as `trace-cmd`: usage, messages and exit codes as scripts know them */
#ifndef DROPIN_H
#define DROPIN_H

#include <ktrail/session.h>

#include "cmd/cmd.h"

/* The version of trace-cmd whose options and files are supported: scripts compare it. */
#define DROPIN_VERSION "3.4"

#define DROPIN_MISUSE 255	/* exit status of misuse, of help, and without a command */

/* Print the list of commands; returns the exit status. */
int dropin_no_command(int argc, char **argv);
/* Print the help of one command; returns the exit status. */
int dropin_help(const struct cmd *cmd);
/* Print trace-cmd's message for a tracer that was set by -p */
void dropin_tell_tracers(const struct kt_setup *setup);
/* … and for a finished recording: the place and size of each CPU's data */
void dropin_tell_file(const char *path);
/*
 * Is it acceptable that the instance @name, which is to be deleted, does not exist? Clears @err
 * then.
 */
bool dropin_spares(const char *name, struct kt_err *err);
/*
 * As die() of trace-cmd; returns the exit status. Prints the usage only with @misread, if the
 * options could not be parsed; errors in their meaning, such as the value of @bad, come without
 * usage.
 */
int dropin_error(const struct cmd *cmd, int ret, bool misread, const struct cmd_opt *bad,
		 const struct kt_err *err);

#endif
