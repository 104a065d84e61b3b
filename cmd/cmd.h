/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd.h - what a subcommand is, and the table of all of them */
#ifndef CMD_H
#define CMD_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <ktrail/base.h>

#include "cmd/args/opts.h"

/* run() returns an exit status (0 or more), or a negative errno with @err set: status 1 */
#define CMD_MISUSE INT_MIN	/* … or this, with @err set: status 2 and the usage */

struct cmd_rule;			/* rules.h */

/* `ktrail probe list`, `ktrail probe add` …: a table ends with { 0 } */
struct verb {
	const char *name;
	const char *alias;		/* NULL: none */
	const char *args;		/* as in @words: "<events> [<trigger>]"; "": none */
	const char *help;
	int (*run)(void *args, int argc, char **argv, struct kt_err *err);	/* as cmd.run */
};

struct cmd {
	const char *name;		/* a word, or two: "capture crash" */
	const char *summary;		/* a few words, for the list of commands */
	const char *words;		/* optional: what follows the options: "[<file>…]" */
	const struct verb *verbs;	/* optional; without a word, the first one */
	const char *examples;		/* optional: lines for -h, each a command and its purpose */
	const struct cmd_opt *opts;	/* ends with OPT_END; NULL: no options */
	const struct cmd_rule *rules;	/* optional: options that have no effect together with
					 * others */
	size_t args_size;		/* zeroed bytes that @opts fills */
	int    failed, misused;		/* exit statuses instead of 1 and 2; 0: these */
	bool   options_anywhere;	/* also after the first word that is not an option */
	bool   hidden;			/* not in the list of commands */
	bool   paged;			/* may print much and asks no questions: uses a pager on
					 * a tty */
	/*
	 * Optional: the words to parse in place of those that were given, in one block (free).
	 * NULL: those that were given; with @err set: misuse
	 */
	char **(*expand)(int *argc, char **argv, struct kt_err *err);
	int  (*init)(void *args);	/* optional: defaults other than zero */
	/* NULL: run the verb that the first word names */
	int  (*run)(void *args, int argc, char **argv, struct kt_err *err);
	void (*fini)(void *args);	/* optional: frees what the options allocated */
};

/* Ends with NULL */
extern const struct cmd *const cmd_table[];

/* The name under which the user called the program: "ktrail", or "trace-cmd" as a drop-in */
extern const char *cmd_program;

const struct cmd *cmd_find(const char *name);
/* The command that begins @argv, of one word or two; @used: how many. NULL: none */
const struct cmd *cmd_find_words(int argc, char **argv, int *used);
/* Print `ktrail CMD -h`, one screen, or with @all `ktrail help CMD`, on stdout */
void cmd_print_help(const struct cmd *cmd, bool all);
/* The usage after `ktrail CMD`: options, words, verbs; new (free), NULL: no memory */
char *cmd_usage(const struct cmd *cmd);
/* Print all commands in groups, or only the most common ones */
void cmd_print_list(FILE *to, bool all);

/* Report misuse: returns CMD_MISUSE. */
int cmd_misuse(struct kt_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/*
 * The value of --sort: its index in @names, which end with NULL. CMD_MISUSE: it is none of them,
 * and the message lists them.
 */
int cmd_sort(const char *sort, const char *const *names, struct kt_err *err);

#endif
