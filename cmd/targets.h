/* SPDX-License-Identifier: GPL-2.0-or-later */
/* targets.h - which buffers a command is about: -B NAME, -a, -t, as trace-cmd has them */
#ifndef TARGETS_H
#define TARGETS_H

#include <stdbool.h>

#include <ktrail/instance.h>

#include "cmd.h"

/*
 * Without any of them it is the top buffer; -B names instances, -a takes all of
 * them, and then the top buffer only with -t. A command has it as the first
 * member of its arguments and TARGETS_OPTS in its table.
 */
struct targets {
	struct kt_names names;		/* of -B */
	bool all, top;
	bool dry_run;			/* print what @fn would write, do nothing */
	bool all_means_top;		/* set by the command: -a is for the top buffer, too */
};

int targets_add(void *args, const char *value, struct kt_err *err);

#define TARGETS_OPTS \
	OPT_CALL('B', "instance", targets_add, "name", \
		 "this instance; may be given several times"), \
	OPT_BOOL('a', "all", struct targets, all, "all instances"), \
	OPT_BOOL('t', "top", struct targets, top, "the top buffer as well")
#define TARGETS_DRY_RUN \
	OPT_BOOL(0, "dry-run", struct targets, dry_run, "print the writes to tracefs, do nothing")

/* Call @fn for each buffer: the top one first, then in the order given. Stops at the first
 * failure, whose message then names the instance. */
int targets_for_each(const struct targets *t,
		     int (*fn)(struct kt_instance *inst, void *data, struct kt_err *err),
		     void *data, struct kt_err *err);
void targets_fini(void *args);

#endif
