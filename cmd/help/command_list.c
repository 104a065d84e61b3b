/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command_list.c - `ktrail help`: the commands in five groups */
#include <stdio.h>

#include "cmd/cmd.h"

#define GROUP_COMMANDS 12

struct group {
	const char *title;
	const char *names[GROUP_COMMANDS];	/* listed by `ktrail help` */
	const char *more[GROUP_COMMANDS];	/* listed only by `ktrail help -a` */
};

static const struct group groups[] = {
	{ "start here",
	  { "record", "report", "view", "latency", "why", "flame", "profile", "doctor" },
	  { "sched", "irq", "lock", "syscalls" } },
	{ "live",
	  { "start", "stop", "show", "stream", "capture" },
	  { "snapshot", "restart", "clear", "marker", "stack", "rv", "error-log" } },
	{ "define",
	  { "probe", "filter", "trigger", "hist" },
	  { "synth", "sqlhist", "user-events" } },
	{ "files",
	  { "diff", "bisect", "export", "extract" },
	  { "import", "check", "convert", "split", "dump", "restore", "mem", "options",
	    "check-events" } },
	{ "settings",
	  { "list", "functions", "stat", "reset" },
	  { "set", "tracer", "clock", "cpumask", "buffer", "instance", "state", "boot",
	    "capture crash", "dump-on-oops", "restore-settings" } },
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
