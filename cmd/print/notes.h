/* SPDX-License-Identifier: GPL-2.0-or-later */
/* notes.h - filters and triggers of events, printed */
#ifndef NOTES_H
#define NOTES_H

#include <stdbool.h>

#include <ktrail/settings.h>

#include "cmd/cmd.h"

/* The options of both commands; NOTES_OPTS in their tables */
struct notes_args {
	const char *instance;
	bool dry_run, json;
};

#define NOTES_OPTS \
	OPT_STR('B', "instance", struct notes_args, instance, "name", "apply to this instance"), \
	OPT_BOOL('n', "dry-run", struct notes_args, dry_run, \
		 "print the writes to tracefs instead"), \
	OPT_BOOL(0, "json", struct notes_args, json, "list: print JSON")

/* As kt_filters_read and kt_triggers_read: those of events that match a pattern, NULL: all */
typedef int notes_reader(const struct kt_instance *inst, const char *events,
			 struct kt_event_notes *out, struct kt_err *err);
/* The verb list of both commands; argv: a pattern, or nothing. */
int notes_list(const struct notes_args *a, notes_reader *read, const char *what, int argc,
	       char **argv, struct kt_err *err);

#endif
