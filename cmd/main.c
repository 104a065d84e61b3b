/* SPDX-License-Identifier: GPL-2.0-or-later */
/* main.c - `ktrail`: find the subcommand and run it */
#include <errno.h>
#include <locale.h>
#include <malloc.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/args/default_instance.h"
#include "cmd/args/rules.h"
#include "cmd/args/verb.h"
#include "cmd/print/pager.h"
#include "cmd/process/interrupt.h"
#include "cmd/process/sigbus.h"
#include "cmd.h"
#include "style.h"

const struct cmd *cmd_find(const char *name)
{
	size_t i;

	for (i = 0; cmd_table[i]; i++)
		if (strcmp(cmd_table[i]->name, name) == 0)
			return cmd_table[i];
	return NULL;
}

const struct cmd *cmd_find_words(int argc, char **argv, int *used)
{
	const struct cmd *cmd = NULL;
	char two[64];

	*used = 2;
	if (argc > 1 && (size_t)snprintf(two, sizeof(two), "%s %s", argv[0], argv[1]) < sizeof(two))
		cmd = cmd_find(two);
	if (!cmd) {
		*used = 1;
		cmd = argc > 0 ? cmd_find(argv[0]) : NULL;
	}
	return cmd;
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

/* Report to a person, and with every error, which buffer was used. */
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
	struct opts_given given = { 0 };
	struct kt_err err = { 0 };
	char **expanded = cmd->expand ? cmd->expand(&argc, argv, &err) : NULL;
	char **words = default_instance_words(cmd, &argc, expanded ? expanded : argv);
	int used = 0, ret = -ENOMEM;

	argv = expanded ? expanded : argv;
	if (words) {
		argv = words;
		tell_instance();
	}

	sigbus_explain(cmd->name);
	if (!args || (cmd->init && cmd->init(args) < 0))
		goto out;
	used = err.code ? CMD_MISUSE : opts_parse(cmd->opts, args, argc, argv,
						  cmd->options_anywhere, &given, &err);
	if (used == OPTS_HELP)
		ret = cmd_style->help(cmd);
	else if (used < 0)
		ret = used;
	else if (rules_check(cmd, &given, used < argc ? argv[used] : NULL, cmd_style->any_options,
			     &err) < 0)
		ret = CMD_MISUSE;
	else
		ret = run_paged(cmd, args, argc - used, argv + used, &err);
	if (cmd->fini)
		cmd->fini(args);
	if (ret < 0 && ret != CMD_MISUSE && words && err.code)
		kt_err_wrap(&err, err.code, DEFAULT_INSTANCE "=%s", default_instance());
out:
	free(words);
	free(expanded);
	free(args);
	return ret < 0 ? cmd_style->error(cmd, ret, used < 0 && !given.bad, given.bad, &err) : ret;
}

static int run_any(int argc, char **argv)
{
	int used;
	const struct cmd *cmd = cmd_find_words(argc - 1, argv + 1, &used);

	style_choose(argc ? argv[0] : NULL);
	return cmd ? run_command(cmd, argc - 1 - used, argv + 1 + used)
		   : cmd_style->no_command(argc > 1 ? argc - 1 : 0, argv + 1);
}

/* A write error on stdout is a failure. A closed pipe is not: its reader has read enough. */
static int finish_output(int status)
{
	bool failed = ferror(stdout);
	struct pollfd out = { .fd = STDOUT_FILENO };

	errno = 0;
	failed |= fflush(stdout) != 0;
	if (!failed || errno == EPIPE || (poll(&out, 1, 0) > 0 && out.revents & POLLERR))
		return status;
	/* If no reason is set, the command has already printed it. */
	if (errno || !status)
		fprintf(stderr, "%s: cannot write: %s\n", cmd_program,
			errno ? strerror(errno) : "some output is lost");
	return status ? status : 1;
}

int main(int argc, char **argv)
{
#ifdef M_ARENA_MAX
	/* Threads free chunks that other threads allocated: one heap per thread wastes a third */
	mallopt(M_ARENA_MAX, 1);
#endif
	setlocale(LC_CTYPE, "");
	interrupt_init();
	return finish_output(run_any(argc, argv));
}
