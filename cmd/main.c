/* SPDX-License-Identifier: GPL-2.0-or-later */
/* main.c - `ktrail`: find the subcommand, run it, say what went wrong */
#include <errno.h>
#include <locale.h>
#include <malloc.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/ktrail.h>

#include "base/str.h"
#include "cmd.h"
#include "sigbus.h"
#include "default_instance.h"
#include "dropin.h"
#include "interrupt.h"
#include "pager.h"
#include "rules.h"
#include "safe.h"
#include "verb.h"

const char *cmd_program = "ktrail";
bool cmd_is_dropin;

const struct cmd *cmd_find(const char *name)
{
	size_t i;

	for (i = 0; cmd_table[i]; i++)
		if (strcmp(cmd_table[i]->name, name) == 0)
			return cmd_table[i];
	return NULL;
}

/* Commands of trace-cmd that somebody may expect. Returns whether @name is one, and says so. */
static bool tell_missing(const char *name)
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

	if (tell_missing(name))
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

/* @used: what opts_parse returned, @bad: the option whose value it did not take */
static int print_error(const struct cmd *cmd, int ret, int used, const struct cmd_opt *bad,
		       const struct kt_err *err)
{
	char *usage;

	if (cmd_is_dropin)
		return dropin_error(cmd, ret, used < 0 && !bad, bad, err);
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
	return ret == CMD_MISUSE ? 2 : 1;
}

static int run_paged(const struct cmd *cmd, void *args, int argc, char **argv, struct kt_err *err)
{
	struct pager p = { 0 };
	int ret = cmd->paged ? pager_start_usual(&p, err) : 0;

	if (ret == 0)
		ret = cmd->run ? cmd->run(args, argc, argv, err)
			       : verb_run(cmd->verbs, args, argc, argv, err);
	ret = pager_wait(&p, ret, err);
	return ret;
}

/* Nobody shall wonder which buffer it was: a person is told, and so is who reads an error. */
static void tell_instance(void)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "%s: instance '%s', which " DEFAULT_INSTANCE " names\n",
			cmd_program,
			default_instance());
}

static int run_command(const struct cmd *cmd, int argc, char **argv)
{
	void *args = calloc(1, cmd->args_size ? cmd->args_size : 1);
	char **words = default_instance_words(cmd, &argc, argv);
	struct opts_given given = { 0 };
	struct kt_err err = { 0 };
	int used = 0, ret = -ENOMEM;

	if (words) {
		argv = words;
		tell_instance();
	}

	sigbus_explain(cmd->name);
	if (!args || (cmd->init && cmd->init(args) < 0))
		goto out;
	used = opts_parse(cmd->opts, args, argc, argv, cmd->options_anywhere, &given, &err);
	/* trace-cmd takes every option with any other, and scripts rely on it. */
	if (used >= 0 && !cmd_is_dropin &&
	    rules_check(cmd, &given, used < argc ? argv[used] : NULL, &err) < 0)
		used = CMD_MISUSE;
	if (used == OPTS_HELP && cmd_is_dropin) {
		ret = dropin_help(cmd);
	} else if (used == OPTS_HELP) {
		cmd_print_help(cmd, false);
		ret = 0;
	} else if (used < 0) {
		ret = used;
	} else {
		ret = run_paged(cmd, args, argc - used, argv + used, &err);
	}
	if (cmd->fini)
		cmd->fini(args);
	if (ret < 0 && ret != CMD_MISUSE && words && err.code)
		kt_err_wrap(&err, err.code, DEFAULT_INSTANCE "=%s", default_instance());
out:
	free(words);
	free(args);
	return ret < 0 ? print_error(cmd, ret, used, given.bad, &err) : ret;
}

/* One line an option, for tests and for the page that compares us with trace-cmd. */
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

static int help(int argc, char **argv)
{
	const struct cmd *cmd;
	bool all;

	if (argc == 1 && strcmp(argv[0], "--tables") == 0) {
		print_tables();
		return 0;
	}
	all = argc == 1 && (strcmp(argv[0], "-a") == 0 || strcmp(argv[0], "--all") == 0);
	if (!argc || all) {
		cmd_print_list(stdout, all);
		return 0;
	}
	cmd = cmd_find(argv[0]);
	if (!cmd)
		return unknown_command(argv[0]);
	cmd_print_help(cmd, true);
	return 0;
}

static int run_any(int argc, char **argv)
{
	const struct cmd *cmd;

	cmd_is_dropin = argc && dropin_check(argv[0]);
	if (cmd_is_dropin) {
		cmd = argc > 1 ? cmd_find(argv[1]) : NULL;
		if (argc > 1 && !cmd)
			tell_missing(argv[1]);
		return cmd ? run_command(cmd, argc - 2, argv + 2) : dropin_usage();
	}
	if (argc < 2) {
		cmd_print_list(stderr, false);
		return 2;
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("%s %s\n", cmd_program, KTRAIL_VERSION);
		return 0;
	}
	if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "--help") == 0)
		return help(argc - 2, argv + 2);
	cmd = cmd_find(argv[1]);
	if (!cmd)
		return unknown_command(argv[1]);
	return run_command(cmd, argc - 2, argv + 2);
}

/* A list on a full disk is no list; who closed a pipe has read enough. */
static int finish_output(int status)
{
	bool failed = ferror(stdout);
	struct pollfd out = { .fd = STDOUT_FILENO };

	errno = 0;
	failed |= fflush(stdout) != 0;
	if (!failed || errno == EPIPE || (poll(&out, 1, 0) > 0 && out.revents & POLLERR))
		return status;
	/* Without a reason of its own it is an earlier failure, which the command has told. */
	if (errno || !status)
		fprintf(stderr, "%s: cannot write: %s\n", cmd_program,
			errno ? strerror(errno) : "some output is lost");
	return status ? status : 1;
}

int main(int argc, char **argv)
{
#ifdef M_ARENA_MAX
	/* Chunks are freed by other threads than take them: a heap for each wastes a third */
	mallopt(M_ARENA_MAX, 1);
#endif
	setlocale(LC_CTYPE, "");
	interrupt_init();
	return finish_output(run_any(argc, argv));
}
