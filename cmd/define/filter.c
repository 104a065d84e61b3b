/* SPDX-License-Identifier: GPL-2.0-or-later */
/* filter.c - `ktrail filter`: show, set and remove the filters of events */
#include <errno.h>
#include <stdio.h>

#include <ktrail/settings.h>

#include "cmd/args/verb.h"
#include "cmd/cmd.h"
#include "cmd/print/notes.h"

static const struct cmd_opt opts[] = { NOTES_OPTS, OPT_END };

static int list(void *args, int argc, char **argv, struct kt_err *err)
{
	return notes_list(args, kt_filters_read, "filter", argc, argv, err);
}

static int change(const struct notes_args *a, const char *events, const char *filter,
		  struct kt_err *err)
{
	struct kt_instance *inst = kt_instance_open(a->instance, KT_INSTANCE_DRY, err);
	int nr = inst ? kt_filter_set(inst, events, filter, err) : err->code;
	int ret = nr < 0 ? nr : verb_finish(inst, a->dry_run, err);

	if (ret == 0 && !a->dry_run && (nr != 1 || !filter))
		printf("%d event%s\n", nr, nr == 1 ? "" : "s");
	kt_instance_close(inst, err);
	return ret;
}

static int set(void *args, int argc, char **argv, struct kt_err *err)
{
	if (argc != 2)
		return cmd_misuse(err,
				  "an event and a filter in quotation marks are expected, e.g. "
				  "sched_switch 'prev_prio < 100'");
	return change(args, argv[0], argv[1], err);
}

static int del(void *args, int argc, char **argv, struct kt_err *err)
{
	if (argc != 1)
		return cmd_misuse(err, "no events given; use 'all' for all of them");
	return change(args, argv[0], NULL, err);
}

static const struct verb verbs[] = {
	{ "list", "show", "[<events>]", "show the filters", list },
	{ "set", "add", "<events> <filter>", "record only matching events", set },
	{ "remove", "del", "<events>", "record all of these events", del },
	{ 0 },
};

const struct cmd cmd_filter = {
	.name      = "filter",
	.summary   = "record only the events whose fields match",
	.verbs     = verbs,
	.examples  =
	"  ktrail filter set sched_switch 'prev_prio < 100 && next_comm ~ \"kworker*\"'\n"
	"  ktrail filter set -B mine 'irq:*' 'irq != 0'   events that have the field\n"
	"  ktrail filter list\n"
	"  ktrail filter remove all\n",
	.opts      = opts,
	.rules     = verb_rules,
	.args_size = sizeof(struct notes_args),
	.options_anywhere = true,
};
