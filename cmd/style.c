/* SPDX-License-Identifier: GPL-2.0-or-later */
/* style.c - `ktrail`: help, errors and words that are not commands; the choice of the style */
#include "style.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/ktrail.h>

#include "base/str.h"
#include "cmd/args/dropin.h"
#include "cmd/print/safe.h"

bool style_tell_missing(const char *name)
{
	static const char *const missing[] = { "agent", "attach", "listen" };
	size_t i;

	for (i = 0; i < sizeof(missing) / sizeof(*missing); i++)
		if (strcmp(missing[i], name) == 0) {
			fprintf(stderr, "%s: there is no `%s` yet: guests and other machines "
				"cannot be recorded from here\n", cmd_program, name);
			return true;
		}
	return false;
}

static int unknown_command(const char *name)
{
	const char *names[128], *near;
	size_t i, nr = 0;

	if (style_tell_missing(name))
		return 2;
	for (i = 0; cmd_table[i] && nr < 126; i++)
		if (!cmd_table[i]->hidden)
			names[nr++] = cmd_table[i]->name;
	names[nr++] = "help";
	names[nr] = NULL;
	near = str_nearest(name, names);
	fprintf(stderr, "%s: no command '", cmd_program);
	safe_put_to(stderr, name);
	if (near)
		fprintf(stderr, "', did you mean '%s'?\n", near);
	else
		fprintf(stderr, "', `%s help` lists them\n", cmd_program);
	return 2;
}

static int print_error(const struct cmd *cmd, int ret, bool misread, const struct cmd_opt *bad,
		       const struct kt_err *err)
{
	char *usage;

	(void)misread;
	(void)bad;
	fflush(stdout);
	if (err->code)
		fprintf(stderr, "%s %s: %s\n", cmd_program, cmd->name, err->msg);
	else
		fprintf(stderr, "%s %s: %s%s\n", cmd_program, cmd->name,
			ferror(stdout) ? "cannot write: " : "", strerror(-ret));
	if (err->excerpt[0])
		fprintf(stderr, "%s\n", err->excerpt);
	if (ret == CMD_MISUSE) {
		usage = cmd_usage(cmd);
		fprintf(stderr, "usage: %s %s %s\n", cmd_program, cmd->name, usage ? usage : "");
		free(usage);
	}
	if (ret == CMD_MISUSE)
		return cmd->misused ? cmd->misused : 2;
	return cmd->failed ? cmd->failed : 1;
}

static int print_help(const struct cmd *cmd)
{
	cmd_print_help(cmd, false);
	return 0;
}

/* One line for each option, for tests and for the page that compares ktrail with trace-cmd. */
static void print_tables(void)
{
	const struct cmd_opt *o;
	size_t i;

	for (i = 0; cmd_table[i]; i++) {
		printf("%s\t\t\t\t%s\n", cmd_table[i]->name, cmd_table[i]->summary);
		for (o = cmd_table[i]->opts; o && !opt_is_end(o); o++)
			printf("%s\t%s%c\t%s%s\t%s\t%s\n", cmd_table[i]->name, o->ch ? "-" : "",
			       o->ch ? o->ch : ' ', o->name ? "--" : "", o->name ? o->name : "",
			       o->arg ? o->arg : "", o->help ? o->help : "");
	}
}

static int help_words(int argc, char **argv)
{
	const struct cmd *cmd;
	bool all;
	int used;

	if (argc == 1 && strcmp(argv[0], "--tables") == 0) {
		print_tables();
		return 0;
	}
	all = argc == 1 && (strcmp(argv[0], "-a") == 0 || strcmp(argv[0], "--all") == 0);
	if (!argc || all) {
		cmd_print_list(stdout, all);
		return 0;
	}
	cmd = cmd_find_words(argc, argv, &used);
	if (!cmd)
		return unknown_command(argv[0]);
	cmd_print_help(cmd, true);
	return 0;
}

static int no_command(int argc, char **argv)
{
	if (!argc) {
		cmd_print_list(stderr, false);
		return 2;
	}
	if (strcmp(argv[0], "--version") == 0) {
		printf("%s %s\n", cmd_program, KTRAIL_VERSION);
		return 0;
	}
	if (strcmp(argv[0], "help") == 0 || strcmp(argv[0], "-h") == 0 ||
	    strcmp(argv[0], "--help") == 0)
		return help_words(argc - 1, argv + 1);
	return unknown_command(argv[0]);
}

static const struct style ktrail_style = {
	.program          = "ktrail",
	.advises          = true,
	.pages            = true,
	.default_instance = true,
	.damage_status    = 1,
	.help             = print_help,
	.no_command       = no_command,
	.error            = print_error,
};

static const struct style dropin_style = {
	.program          = "trace-cmd",
	.old_layout       = true,
	.old_reports      = true,
	.old_words        = true,
	.any_options      = true,
	.all_means_top    = true,
	.replaces         = true,
	.spares_missing   = true,
	.drops_status     = true,
	.damage_status    = DROPIN_MISUSE,
	.help             = dropin_help,
	.no_command       = dropin_no_command,
	.error            = dropin_error,
};

const struct style *cmd_style = &ktrail_style;
const char *cmd_program = "ktrail";

void style_choose(const char *argv0)
{
	if (argv0 && strcmp(str_base_name(argv0), dropin_style.program) == 0)
		cmd_style = &dropin_style;
	cmd_program = cmd_style->program;
}
