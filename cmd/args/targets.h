/* SPDX-License-Identifier: GPL-2.0-or-later */
/* targets.h - which buffers a command applies to: -B NAME, -a, -t, as in trace-cmd */
#ifndef TARGETS_H
#define TARGETS_H

#include <stdbool.h>

#include <ktrail/tracefs.h>

#include "cmd/cmd.h"

/*
 * The default is the top-level buffer. -B names instances; -a selects all instances, and the
 * top-level buffer only with -t. A command has struct targets as the first member of its
 * arguments, and TARGETS_OPTS in its table.
 */
struct targets {
	struct kt_names names;		/* of -B */
	bool all, top;
	bool dry_run;			/* print the writes of @fn instead of doing them */
	bool all_means_top;		/* set by the command: -a includes the top-level buffer */
};

int targets_add(void *args, const char *value, struct kt_err *err);

#define TARGETS_OPTS \
	OPT_CALL('B', "instance", targets_add, "name", \
		 "this instance; may be given several times"), \
	OPT_BOOL('a', "all", struct targets, all, "all instances"), \
	OPT_BOOL('t', "top", struct targets, top, "the top-level buffer as well")
#define TARGETS_DRY_RUN \
	OPT_BOOL(0, "dry-run", struct targets, dry_run, "print the writes to tracefs instead")

/*
 * Call @fn for each buffer: the top-level buffer first, then in the given order. Stops at the first
 * failure; its message then names the instance.
 */
int targets_for_each(const struct targets *t,
		     int (*fn)(struct kt_instance *inst, void *data, struct kt_err *err),
		     void *data, struct kt_err *err);
void targets_fini(void *args);

#endif
