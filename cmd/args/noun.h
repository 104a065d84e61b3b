/* SPDX-License-Identifier: GPL-2.0-or-later */
/* noun.h - commands that show or change one setting of a buffer: -B, --dry-run, --json */
#ifndef NOUN_H
#define NOUN_H

#include <stdbool.h>

#include <ktrail/tracefs.h>

#include "cmd/cmd.h"
#include "verb.h"

struct noun {			/* the first member of a command's arguments */
	const char *instance;
	bool dry_run, json;
	struct kt_instance *inst;	/* open while a verb runs */
};

#define NOUN_OPTS \
	OPT_STR('B', "instance", struct noun, instance, "name", "apply to this instance"), \
	OPT_BOOL(0, "dry-run", struct noun, dry_run, "print the writes to tracefs instead"), \
	OPT_BOOL(0, "json", struct noun, json, "print JSON")

/*
 * Open the buffer and run the verb that argv[0] names. Then keep its settings; restore them if it
 * failed; print them in a dry run.
 */
int noun_run(struct noun *n, const struct verb *verbs, int argc, char **argv, struct kt_err *err);

/* The verb takes at most @nr words: more are misuse */
int noun_check_words(int argc, char **argv, int nr, const char *what, struct kt_err *err);

#endif
