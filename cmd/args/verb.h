/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verb.h - commands with verbs: `ktrail probe list`, `ktrail probe add` … */
#ifndef VERB_H
#define VERB_H

#include <stdbool.h>

#include <ktrail/tracefs.h>

#include "rules.h"

/* --json applies to lists: for commands without other rules, and as part of others */
extern const struct cmd_rule verb_rules[];
#define VERB_RULE_JSON { .options = "json", .with = "@list @show @" },

/*
 * Run the verb that argv[0] names, with the words after it; without a word, the first of @verbs,
 * which ends with { 0 }. The first verb lists and may print much: it uses a pager on a terminal.
 */
int verb_run(const struct verb *verbs, void *args, int argc, char **argv, struct kt_err *err);

/* The words joined by spaces; new (free), NULL: no memory */
char *verb_join(int argc, char **argv);

/*
 * The writes recorded by the dry handle @inst: --dry-run prints them as shell commands; otherwise
 * the writes were done and stay.
 */
int verb_finish(struct kt_instance *inst, bool dry_run, struct kt_err *err);

/*
 * Ask on a tty before something is deleted. 1: continue, 0: no; misuse if there is no tty and not
 * @yes.
 */
int verb_confirm(bool yes, const char *question, struct kt_err *err);

#endif
