/* SPDX-License-Identifier: GPL-2.0-or-later */
/* style.h - what depends on the name that the program was started under */
#ifndef STYLE_H
#define STYLE_H

#include "cmd.h"

/*
 * Scripts that start the program as `trace-cmd` depend on its output, its arguments and its exit
 * status. style_choose() looks at the name once; the commands test one of these members.
 */
struct style {
	const char *program;	/* the first word of messages */

	/* output */
	bool advises;		/* prints hints, notes and warnings in addition to its output */
	bool pages;		/* uses a pager for long output */
	bool old_layout;	/* prints lists and tables in the layout of trace-cmd */
	bool old_reports;	/* prints trace-cmd's messages when a file or tracer is ready */

	/* arguments */
	bool old_words;		/* words and options have the meaning that they have in trace-cmd */
	bool any_options;	/* every combination of options is accepted */
	bool all_means_top;	/* -a includes the top-level buffer */
	bool default_instance;	/* KTRAIL_INSTANCE may name the instance */

	/* effects */
	bool replaces;		/* replaces an existing output file */
	bool spares_missing;	/* deletes an instance only if it exists; a missing one is not an
				 * error */
	bool drops_status;	/* ignores the exit status of the traced command */
	int  damage_status;	/* exit status for a file with damage */

	/* Each returns the exit status. */
	int (*help)(const struct cmd *cmd);
	int (*no_command)(int argc, char **argv);	/* called when the words do not begin
							 * with a command */
	/*
	 * @ret: of the command; @misread: the options could not be parsed; @bad: the option whose
	 * value is wrong, or NULL
	 */
	int (*error)(const struct cmd *cmd, int ret, bool misread, const struct cmd_opt *bad,
		     const struct kt_err *err);
};

/* The style of ktrail, until style_choose() is called */
extern const struct style *cmd_style;

/* @argv0: the argv[0] of main(), or NULL */
void style_choose(const char *argv0);

/* Is @name a command of trace-cmd that ktrail does not have? Then this reports it. */
bool style_tell_missing(const char *name);

#endif
