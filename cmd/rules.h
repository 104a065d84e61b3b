/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rules.h - options that would be without effect, in the company they were given */
#ifndef RULES_H
#define RULES_H

#include "cmd.h"

/*
 * Words name options by their long or one-letter name, and "@verb" the verb of
 * a command that has verbs; "@" alone is the lack of one. One of the last three
 * says what is wrong; a table of rules ends with RULE_END.
 */
struct cmd_rule {
	const char *options;	/* each of these … */
	const char *with;	/* … goes only with one of these, */
	const char *without;	/* … or goes with none of these, */
	const char *never;	/* … or never here: the reason */
	bool alone;		/* at most one of @options; those joined by '|' count as one */
};

#define RULE_END { .options = NULL }

/**
 * rules_check - does each of the given options mean something?
 * @verb: the first word behind the options, NULL: there is none
 * Returns 0 or CMD_MISUSE. A word that is not an option of @cmd is a bug, and asserted.
 */
int rules_check(const struct cmd *cmd, const struct opts_given *given, const char *verb,
		struct kt_err *err);

#endif
