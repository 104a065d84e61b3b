/* SPDX-License-Identifier: GPL-2.0-or-later */
/* noun.h - commands that look at one buffer and set one thing of it: -B, --dry-run, --json */
#ifndef NOUN_H
#define NOUN_H

#include <stdbool.h>

#include <ktrail/instance.h>

#include "cmd.h"
#include "verb.h"

struct noun {			/* the first member of a command's arguments */
	const char *instance;
	bool dry_run, json;
	struct kt_instance *inst;	/* open while a verb runs */
};

#define NOUN_OPTS \
	OPT_STR('B', "instance", struct noun, instance, "name", "of this instance"), \
	OPT_BOOL(0, "dry-run", struct noun, dry_run, "print the writes to tracefs, do nothing"), \
	OPT_BOOL(0, "json", struct noun, json, "as JSON, for programs")

/* Open the buffer, run the verb that argv[0] names; then what it set stays, or, when it failed, is
 * put back, or, in a dry run, is printed. */
int noun_run(struct noun *n, const struct verb *verbs, int argc, char **argv, struct kt_err *err);

/* The verb takes @nr words, or fewer: misuse that says so */
int noun_check_words(int argc, char **argv, int nr, const char *what, struct kt_err *err);

#endif
