/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.c - `ktrail clock`: the clock of a buffer's time stamps */
#include <ktrail/settings.h>

#include "cmd/args/choice.h"

static const struct cmd_opt opts[] = { NOUN_OPTS, OPT_END };

static const struct choice clocks = {
	.head = " |CLOCK|COUNTS", .unknown = "a clock that is newer than this program",
	.current = kt_instance_clock, .all = kt_instance_clocks, .help = kt_clock_help,
};

static int list(void *args, int argc, char **argv, struct kt_err *err)
{
	return choice_list(&clocks, args, argc, argv, err);
}

static int set(void *args, int argc, char **argv, struct kt_err *err)
{
	struct noun *n = args;
	int ret = noun_check_words(argc, argv, 1, "the clock's name", err);

	return ret < 0 ? ret : kt_instance_set_clock(n->inst, argv[0], err);
}

static const struct verb verbs[] = {
	{ "list", "show", "", "show the clocks and when to use each", list },
	{ "set", NULL, "<clock>", "use this clock; empties the buffer", set },
	{ 0 },
};

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	return noun_run(args, verbs, argc, argv, err);
}

const struct cmd cmd_clock = {
	.name      = "clock",
	.summary   = "explain the clocks, choose the one for time stamps",
	.verbs     = verbs,
	.examples  = "  ktrail clock            the clocks and when to use them\n"
		     "  ktrail clock set mono   empties the buffer\n",
	.opts      = opts,
	.rules     = verb_rules,
	.args_size = sizeof(struct noun),
	.options_anywhere = true,
	.run       = run,
};
