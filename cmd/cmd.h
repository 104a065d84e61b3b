/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd.h - what a subcommand is, and the table of all of them */
#ifndef CMD_H
#define CMD_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <ktrail/err.h>

#include "opts.h"

/* A run() returns an exit status (0 and up), or a negative errno with @err set: status 1 */
#define CMD_MISUSE INT_MIN	/* … or this, with @err set: status 2 and a hint at -h */

struct cmd_rule;			/* rules.h */

/* `ktrail probe list`, `ktrail probe add` …: a table ends with { 0 } */
struct verb {
	const char *name;
	const char *alias;		/* NULL: none */
	const char *args;		/* as in usage: "<events> [<trigger>]"; "": none */
	const char *help;
	int (*run)(void *args, int argc, char **argv, struct kt_err *err);	/* as cmd.run */
};

struct cmd {
	const char *name;
	const char *summary;		/* a few words, for the list of commands */
	const char *usage;		/* what follows the name; before the verbs, if there are */
	const struct verb *verbs;	/* optional; without a word, the first one */
	const char *examples;		/* optional: lines for -h, each a command and its purpose */
	const char *rare;		/* optional: names of options that -h does not explain */
	const struct cmd_opt *opts;	/* ends with OPT_END; NULL: no options */
	const struct cmd_rule *rules;	/* optional: options that mean nothing beside others */
	size_t args_size;		/* zeroed bytes that @opts fills */
	bool   options_anywhere;	/* also after the first word that is not an option */
	bool   hidden;			/* not in the list of commands */
	bool   paged;			/* may print much, asks nothing: through a pager on a tty */
	int  (*init)(void *args);	/* optional: defaults other than zero */
	/* NULL: the verb that the first word names */
	int  (*run)(void *args, int argc, char **argv, struct kt_err *err);
	void (*fini)(void *args);	/* optional: frees what the options allocated */
};

/* Ends with NULL */
extern const struct cmd *const cmd_table[];

/* Name the user called us by: "ktrail", or "trace-cmd" as a drop-in */
extern const char *cmd_program;

const struct cmd *cmd_find(const char *name);
/* `ktrail CMD -h`, one screen, or @all of it, `ktrail help CMD`; on stdout */
void cmd_print_help(const struct cmd *cmd, bool all);
/* What follows `ktrail CMD`, with the verbs; new (free), NULL: no memory */
char *cmd_usage(const struct cmd *cmd);
/* All commands in groups, or those that most people need */
void cmd_print_list(FILE *to, bool all);
bool cmd_option_is_rare(const struct cmd *cmd, const struct cmd_opt *o);

/* Report misuse: returns CMD_MISUSE. */
int cmd_misuse(struct kt_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
