/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rules.h - options that have no effect together with other options */
#ifndef RULES_H
#define RULES_H

#include "cmd/cmd.h"

/*
 * Words name options by their long or one-letter name; "@verb" is the verb of a command with
 * verbs; "@" means that no verb is given. Each rule has one of the last four members; a table
 * ends with RULE_END.
 */
struct cmd_rule {
	const char *options;	/* the options to which the rule applies */
	const char *with;	/* they require one of these */
	const char *without;	/* they exclude these */
	const char *never;	/* they are never valid here: the reason */
	bool alone;		/* only one of @options is valid; options joined by '|' count as
				 * one */
	bool always;		/* checked also where the style accepts any combination */
};

#define RULE_END { .options = NULL }

/**
 * rules_check - does each of the given options mean something?
 * @verb: the first word after the options; NULL: none
 * @lenient: only the rules that are checked always
 * Returns 0 or CMD_MISUSE. A word that is not an option of @cmd is a bug, and asserted.
 */
int rules_check(const struct cmd *cmd, const struct opts_given *given, const char *verb,
		bool lenient, struct kt_err *err);

#endif
