/* SPDX-License-Identifier: GPL-2.0-or-later */
/* style.h - what depends on the name that the program was started under */
#ifndef STYLE_H
#define STYLE_H

#include "cmd.h"

/*
 * Scripts start the program as `trace-cmd` and depend on what that prints, takes and returns.
 * The name is looked at once; the commands ask for one of these members.
 */
struct style {
	const char *program;	/* what messages begin with */

	/* output */
	bool advises;		/* hints, notes and warnings besides what was asked for */
	bool pages;		/* long output goes through a pager */
	bool old_layout;	/* lists and tables as trace-cmd lays them out */
	bool old_reports;	/* what trace-cmd says when a file or tracer is ready */

	/* arguments */
	bool old_words;		/* words and options mean what they mean to trace-cmd */
	bool any_options;	/* no option excludes or needs another one */
	bool all_means_top;	/* -a means the top buffer, too */
	bool default_instance;	/* the environment may name the instance */

	/* effects */
	bool replaces;		/* an output file that exists is replaced */
	bool spares_missing;	/* an instance to delete may be missing */
	bool drops_status;	/* the exit status of the traced command is dropped */
	int  damage_status;	/* exit status for a file with damage */

	/* Each returns the exit status. */
	int (*help)(const struct cmd *cmd);
	int (*no_command)(int argc, char **argv);	/* the words do not begin with a command */
	/*
	 * @ret: of the command; @misread: the options could not be told apart; @bad: the option
	 * whose value is wrong, or NULL
	 */
	int (*error)(const struct cmd *cmd, int ret, bool misread, const struct cmd_opt *bad,
		     const struct kt_err *err);
};

/* That of ktrail, until style_choose() */
extern const struct style *cmd_style;

/* @argv0: as main() got it, or NULL */
void style_choose(const char *argv0);

/* Is @name a command of trace-cmd that there is not yet? Then this says so. */
bool style_tell_missing(const char *name);

#endif
