/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_list.c - `ktrail help`: the commands in groups, those that most people need first */
#include <stdio.h>

#include "cmd.h"

#define GROUP_COMMANDS 10

struct group {
	const char *title;
	const char *names[GROUP_COMMANDS];	/* that `ktrail help` lists */
	const char *more[GROUP_COMMANDS];	/* only `ktrail help -a` does */
};

static const struct group groups[] = {
	{ "start here",
	  { "record", "report", "view", "latency", "why", "profile", "doctor" },
	  { NULL } },
	{ "live",
	  { "start", "stop", "show", "stream", "snapshot" },
	  { "restart", "clear", "marker", "stack", "rv", "error-log" } },
	{ "define",
	  { "probe", "synth", "filter", "trigger", "hist" },
	  { "sqlhist", "user-events" } },
	{ "files",
	  { "extract", "dump", "convert", "split", "restore" },
	  { "mem", "options", "check-events" } },
	{ "settings",
	  { "list", "set", "functions", "stat", "reset" },
	  { "tracer", "clock", "cpumask", "buffer", "instance", "state", "boot",
	    "dump-on-oops", "restore-settings" } },
};

static void print_names(FILE *to, const char *const *names)
{
	size_t i;

	for (i = 0; i < GROUP_COMMANDS && names[i]; i++)
		fprintf(to, "  %-18s%s\n", names[i], cmd_find(names[i])->summary);
}

void cmd_print_list(FILE *to, bool all)
{
	const struct group *g;

	fprintf(to, "usage: %s <command> [<options>]\n", cmd_program);
	for (g = groups; g < groups + sizeof(groups) / sizeof(*groups); g++) {
		fprintf(to, "\n%s\n", g->title);
		print_names(to, g->names);
		if (all)
			print_names(to, g->more);
	}
	if (!all)
		fprintf(to, "\n`%s help -a` lists all commands.\n", cmd_program);
	fprintf(to, "%s`%s help <command>` or `%s <command> -h` explains one.\n",
		all ? "\n" : "", cmd_program, cmd_program);
}
