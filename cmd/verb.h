/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verb.h - commands about a noun: `ktrail probe list`, `ktrail probe add` … */
#ifndef VERB_H
#define VERB_H

#include <stdbool.h>

#include <ktrail/instance.h>

#include "rules.h"

/* --json is about what is listed: of commands without other rules, and for those with some */
extern const struct cmd_rule verb_rules[];
#define VERB_RULE_JSON { .options = "json", .with = "@list @show @" },

/* Run the verb that argv[0] names, with the words after it; without a word, the first of
 * @verbs, which ends with { 0 }. The first one lists, maybe much: a person gets it paged. */
int verb_run(const struct verb *verbs, void *args, int argc, char **argv, struct kt_err *err);

/* The words with a blank between them; new (free), NULL: no memory */
char *verb_join(int argc, char **argv);

/* What the dry handle @inst has noted: --dry-run prints it as lines of shell, otherwise it is done
 * and stays. */
int verb_finish(struct kt_instance *inst, bool dry_run, struct kt_err *err);

/* Ask on a tty before something is destroyed. 1: go on, 0: no; misuse without tty and @yes. */
int verb_confirm(bool yes, const char *question, struct kt_err *err);

#endif
