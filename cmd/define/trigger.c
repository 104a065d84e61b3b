/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trigger.c - `ktrail trigger`: show, add and remove the triggers of events */
#include <errno.h>
#include <stdio.h>

#include <ktrail/settings.h>

#include "cmd/args/verb.h"
#include "cmd/cmd.h"
#include "cmd/print/notes.h"

static const struct cmd_opt opts[] = { NOTES_OPTS, OPT_END };

static int list(void *args, int argc, char **argv, struct kt_err *err)
{
	return notes_list(args, kt_triggers_read, "trigger", argc, argv, err);
}

static int change(const struct notes_args *a, bool remove, const char *events, const char *trigger,
		  struct kt_err *err)
{
	struct kt_instance *inst = kt_instance_open(a->instance, KT_INSTANCE_DRY, err);
	int nr, ret;

	if (!inst)
		return err->code;
	nr = (remove ? kt_trigger_remove : kt_trigger_add)(inst, events, trigger, err);
	if (nr == 0)
		nr = trigger ? kt_err_set(err, -ENOENT, "no trigger '%s' there: `%s trigger list` "
					  "shows them", trigger, cmd_program) : 0;
	ret = nr < 0 ? nr : verb_finish(inst, a->dry_run, err);
	if (ret == -EBUSY && remove)
		kt_trigger_explain(inst, events, trigger, err);
	if (ret == 0 && !a->dry_run && nr != 1)
		printf("%d trigger%s\n", nr, nr == 1 ? "" : "s");
	kt_instance_close(inst, err);
	return ret;
}

static int add(void *args, int argc, char **argv, struct kt_err *err)
{
	if (argc != 2)
		return cmd_misuse(err,
				  "an event and a trigger in quotation marks are expected, e.g. "
				  "sched_switch 'stacktrace:5 if prev_prio < 100'");
	return change(args, false, argv[0], argv[1], err);
}

static int del(void *args, int argc, char **argv, struct kt_err *err)
{
	if (argc < 1 || argc > 2)
		return cmd_misuse(err, "events are expected, and optionally one of their triggers");
	return change(args, true, argv[0], argc == 2 ? argv[1] : NULL, err);
}

static const struct verb verbs[] = {
	{ "list", "show", "[<events>]", "show the triggers", list },
	{ "add", "set", "<events> <trigger>", "add a trigger to these events", add },
	{ "remove", "del", "<events> [<trigger>]",
			"remove it, or all triggers of these events", del },
	{ 0 },
};

const struct cmd cmd_trigger = {
	.name      = "trigger",
	.summary   = "make the kernel act when an event occurs",
	.verbs     = verbs,
	.examples  =
	"  ktrail trigger add sched_switch 'stacktrace:5 if prev_prio < 100'\n"
	"  ktrail trigger add kmem:kmalloc 'hist:keys=call_site.sym:vals=bytes_req'\n"
	"  ktrail trigger add irq_handler_entry 'enable_event:sched:sched_switch:1'\n"
	"  ktrail trigger list\n"
	"  ktrail trigger remove sched_switch stacktrace\n",
	.opts      = opts,
	.rules     = verb_rules,
	.args_size = sizeof(struct notes_args),
	.options_anywhere = true,
};
