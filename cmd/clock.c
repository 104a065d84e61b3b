/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.c - `ktrail clock`: what the time stamps of a buffer count */
#include <ktrail/settings.h>

#include "choice.h"

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
	{ "list", "show", "", "the clocks, and what each is good for", list },
	{ "set", NULL, "<clock>", "use this one; empties the buffer", set },
	{ 0 },
};

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	return noun_run(args, verbs, argc, argv, err);
}

const struct cmd cmd_clock = {
	.name      = "clock",
	.summary   = "explain the clocks, choose the one for time stamps",
	.usage     = "[-B <name>] [--json] [--dry-run]",
	.verbs     = verbs,
	.examples  = "  ktrail clock             which clocks there are, and what for\n"
		     "  ktrail clock set mono    empties the buffer: times would not fit\n",
	.opts      = opts,
	.rules     = verb_rules,
	.args_size = sizeof(struct noun),
	.options_anywhere = true,
	.run       = run,
};
