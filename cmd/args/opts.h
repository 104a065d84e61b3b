/* SPDX-License-Identifier: GPL-2.0-or-later */
/* opts.h - options of a subcommand as a table, and their parser */
#ifndef OPTS_H
#define OPTS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ktrail/base.h>

enum opt_kind {
	OPT_KIND_BOOL,		/* bool: set to true */
	OPT_KIND_STR,		/* const char *: borrowed from argv; the last one wins */
	OPT_KIND_INT,		/* int */
	OPT_KIND_U64,		/* uint64_t */
	OPT_KIND_SIZE,		/* uint64_t bytes; "64k", "2G" */
	OPT_KIND_TIME,		/* uint64_t ns; a bare number is seconds */
	OPT_KIND_CALL,		/* call(args, value): for lists and for options
				 * whose order matters */
};

struct cmd_opt {
	int           ch;	/* short option, 0: none */
	const char   *name;	/* long option without "--", NULL: none */
	enum opt_kind kind;
	size_t        offset;	/* of the member in the args struct */
	const char   *arg;	/* name of its argument for the help; NULL: it takes none */
	bool          arg_optional;	/* only as --name=arg or -xarg */
	const char   *help;	/* NULL: accepted, but not shown */
	bool          rare;	/* -h only names it */
	int         (*call)(void *args, const char *value, struct kt_err *err);
};

/* The help may be followed by RARE. */
#define RARE .rare = true
#define OPT_BOOL(c, n, type, member, ...) \
	{ .ch = c, .name = n, .kind = OPT_KIND_BOOL, .offset = offsetof(type, member), \
	  .help = __VA_ARGS__ }
#define OPT_ARG_(c, n, k, type, member, a, ...) \
	{ .ch = c, .name = n, .kind = k, .offset = offsetof(type, member), .arg = a, \
	  .help = __VA_ARGS__ }
#define OPT_STR(c, n, type, ...)  OPT_ARG_(c, n, OPT_KIND_STR, type, __VA_ARGS__)
#define OPT_INT(c, n, type, ...)  OPT_ARG_(c, n, OPT_KIND_INT, type, __VA_ARGS__)
#define OPT_U64(c, n, type, ...)  OPT_ARG_(c, n, OPT_KIND_U64, type, __VA_ARGS__)
#define OPT_SIZE(c, n, type, ...) OPT_ARG_(c, n, OPT_KIND_SIZE, type, __VA_ARGS__)
#define OPT_TIME(c, n, type, ...) OPT_ARG_(c, n, OPT_KIND_TIME, type, __VA_ARGS__)
/* @a NULL: the option takes no argument and @fn gets NULL */
#define OPT_CALL(c, n, fn, a, ...) \
	{ .ch = c, .name = n, .kind = OPT_KIND_CALL, .arg = a, .call = fn, .help = __VA_ARGS__ }
#define OPT_CALL_OPTIONAL(c, n, fn, a, ...) \
	{ .ch = c, .name = n, .kind = OPT_KIND_CALL, .arg = a, .arg_optional = true, .call = fn, \
	  .help = __VA_ARGS__ }
#define OPT_END { .help = NULL }

static inline bool opt_is_end(const struct cmd_opt *o)
{
	return !o->ch && !o->name;
}

#define OPTS_MAX 128	/* options of one table */

/* Which entries of a table were on the command line */
struct opts_given {
	bool at[OPTS_MAX];
	const struct cmd_opt *bad;	/* the option with an invalid value; NULL: all are valid */
};

#define OPTS_HELP (INT_MIN + 1)	/* opts_parse: the user asked for -h or --help */

/**
 * opts_parse - fill @args from the command line
 * @opts: NULL means none; a -h or --help that the table does not name is OPTS_HELP
 * @argc, @argv: without the command's name; reordered when @anywhere, so that
 *        the options come first
 * @given: zeroed, gets the entries that were given; NULL: not needed
 * Returns the number of words used up, CMD_MISUSE, OPTS_HELP, or the negative
 * errno of a call. "--" ends the options.
 */
int opts_parse(const struct cmd_opt *opts, void *args, int argc, char **argv, bool anywhere,
	       struct opts_given *given, struct kt_err *err);

/*
 * New copy of a table (free). Its options accept the same values, but have no effect until the
 * caller sets a call for one. NULL: no memory
 */
struct cmd_opt *opts_without_effect(const struct cmd_opt *opts);

#endif
