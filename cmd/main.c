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

#include "cmd.h"
#include "default_instance.h"
#include "interrupt.h"
#include "pager.h"
#include "rules.h"
#include "sigbus.h"
#include "style.h"
#include "verb.h"

const struct cmd *cmd_find(const char *name)
{
	size_t i;

	for (i = 0; cmd_table[i]; i++)
		if (strcmp(cmd_table[i]->name, name) == 0)
			return cmd_table[i];
	return NULL;
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

/* Which buffer it was is told to a person, and with every error. */
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
	if (used >= 0 && !cmd_style->any_options &&
	    rules_check(cmd, &given, used < argc ? argv[used] : NULL, &err) < 0)
		used = CMD_MISUSE;
	if (used == OPTS_HELP) {
		ret = cmd_style->help(cmd);
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
	return ret < 0 ? cmd_style->error(cmd, ret, used < 0 && !given.bad, given.bad, &err) : ret;
}

static int run_any(int argc, char **argv)
{
	const struct cmd *cmd = argc > 1 ? cmd_find(argv[1]) : NULL;

	style_choose(argc ? argv[0] : NULL);
	return cmd ? run_command(cmd, argc - 2, argv + 2)
		   : cmd_style->no_command(argc > 1 ? argc - 1 : 0, argv + 1);
}

/* A list on a full disk is not a list; a reader that closed its pipe has read enough. */
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
