/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rv.c - `ktrail rv`: the kernel's runtime verification monitors, and their reactors */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/tracefs.h>

#include "base/json.h"
#include "base/suggest.h"
#include "cmd/args/verb.h"
#include "cmd/cmd.h"
#include "cmd/print/columns.h"
#include "cmd/print/json_print.h"

struct args {
	bool dry_run, json;
	const char *reactor;
};

static const struct cmd_opt opts[] = {
	OPT_STR('r', "reactor", struct args, reactor, "reactor",
		"set: the reaction to a violation"),
	OPT_BOOL('n', "dry-run", struct args, dry_run, "print the writes to tracefs instead"),
	OPT_BOOL(0, "json", struct args, json, "list: print JSON"),
	OPT_END
};

static struct kt_instance *open_rv(struct kt_names *monitors, struct kt_err *err)
{
	struct kt_instance *inst = kt_instance_open(NULL, KT_INSTANCE_DRY, err);
	char *text;

	if (!inst)
		return NULL;
	if (!kt_instance_has(inst, "rv/available_monitors")) {
		kt_err_set(err, -ENOTSUP, "this kernel has no runtime verification (Linux 6.0 and "
			   "later, CONFIG_RV=y)");
		goto fail;
	}
	text = kt_instance_read(inst, "rv/available_monitors", err);
	if (!text)
		goto fail;
	kt_names_add_words(monitors, text, " \n");
	free(text);
	return inst;
fail:
	kt_instance_close(inst, NULL);
	return NULL;
}

/* A nested monitor is listed as "PARENT:NAME"; its folder is in the folder of its parent. */
static void monitor_path(char path[512], const char *monitor, const char *file)
{
	char *colon;

	snprintf(path, 512, "rv/monitors/%s/%s", monitor, file);
	colon = strchr(path, ':');
	if (colon)
		*colon = '/';
}

/* A file of a monitor, new (free): "" if it does not exist */
static char *monitor_file(const struct kt_instance *inst, const char *monitor, const char *file)
{
	char path[512], *text;
	size_t len;

	monitor_path(path, monitor, file);
	text = kt_instance_read(inst, path, NULL);
	/* Some descriptions end with a newline. */
	for (len = text ? strlen(text) : 0; len && text[len - 1] == '\n'; len--)
		text[len - 1] = '\0';
	return text ? text : strdup("");
}

/* "[nop] printk panic": the word in brackets is the current reactor */
static void chosen(char *text)
{
	char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;

	if (close) {
		*close = '\0';
		memmove(text, open + 1, strlen(open + 1) + 1);
	}
}

static void add_monitor(struct columns *c, struct json *j, const struct kt_instance *inst,
			const char *monitor)
{
	char *on = monitor_file(inst, monitor, "enable"),
		*what = monitor_file(inst, monitor, "desc");
	char *reactor = monitor_file(inst, monitor, "reactors");

	if (on && what && reactor) {
		chosen(reactor);
		columns_add(c, monitor);
		columns_add(c, *on == '1' ? "yes" : "no");
		columns_add(c, *reactor ? reactor : "-");
		columns_add(c, what);
		json_open(j, NULL, '{');
		json_str(j, "monitor", monitor);
		json_bool(j, "enabled", *on == '1');
		json_str(j, "reactor", *reactor ? reactor : NULL);
		json_str(j, "what", what);
		json_close(j, '}');
	}
	free(on);
	free(what);
	free(reactor);
}

static int list(void *args, int argc, char **argv, struct kt_err *err)
{
	struct columns c = { .head = "MONITOR|ON|REACTOR|WHAT" };
	const struct args *a = args;
	struct kt_names monitors = { 0 };
	struct json j = JSON_INIT;
	struct kt_instance *inst;
	size_t i;
	int ret;

	if (argc)
		return cmd_misuse(err, "unexpected argument '%s'", argv[0]);
	inst = open_rv(&monitors, err);
	if (!inst)
		return err->code;
	json_open(&j, NULL, '[');
	for (i = 0; i < monitors.nr; i++)
		add_monitor(&c, &j, inst, monitors.names[i]);
	json_close(&j, ']');
	ret = a->json ? (columns_fini(&c), json_print(&j)) : columns_print(&c, "no monitors");
	str_fini(&j.text);
	kt_names_fini(&monitors);
	kt_instance_close(inst, NULL);
	return ret;
}

/*
 * The reactor first: the kernel calls it as soon as the monitor is on. A monitor that is off gets
 * the kernel's default again, since a state has the reactors of those that are on.
 */
static int switch_one(struct kt_instance *inst, const char *reactor, const char *monitor, bool on,
		      struct kt_err *err)
{
	char enable[512], reactors[512];
	int ret = 0;

	monitor_path(enable, monitor, "enable");
	monitor_path(reactors, monitor, "reactors");
	if (!on) {
		ret = kt_instance_write(inst, enable, "0", err);
		reactor = kt_instance_has(inst, reactors) ? "nop" : NULL;
	}
	if (ret == 0 && reactor)
		ret = kt_instance_write(inst, reactors, reactor, err);
	return ret < 0 || !on ? ret : kt_instance_write(inst, enable, "1", err);
}

static int no_monitor(const char *name, const struct kt_names *have, struct kt_err *err)
{
	char hint[SUGGEST_SIZE];

	return kt_err_set(err, -ENOENT, "no monitor '%s'%s", name,
			  suggest(name, suggest_from(have), hint));
}

static int switch_monitors(const struct args *a, int argc, char **argv, bool on, struct kt_err *err)
{
	struct kt_names monitors = { 0 };
	struct kt_instance *inst;
	int ret = 0, i;

	if (!argc)
		return cmd_misuse(err, "a monitor is expected; `%s rv list` shows them",
				cmd_program);
	inst = open_rv(&monitors, err);
	if (!inst)
		return err->code;
	for (i = 0; ret == 0 && i < argc; i++)
		ret = kt_names_has(&monitors, argv[i]) ?
		      switch_one(inst, a->reactor, argv[i], on, err) :
		      no_monitor(argv[i], &monitors, err);
	if (ret == 0)
		ret = verb_finish(inst, a->dry_run, err);
	kt_names_fini(&monitors);
	kt_instance_close(inst, err);
	return ret;
}

static int set(void *args, int argc, char **argv, struct kt_err *err)
{
	return switch_monitors(args, argc, argv, true, err);
}

static int del(void *args, int argc, char **argv, struct kt_err *err)
{
	return switch_monitors(args, argc, argv, false, err);
}

static const struct verb verbs[] = {
	{ "list", "show", "", "show the monitors and their reactors", list },
	{ "set", "add", "<monitor>…", "switch monitors on", set },
	{ "remove", "del", "<monitor>…", "switch them off, and their reactors back to nop", del },
	{ 0 },
};

static const struct cmd_rule rules[] = {
	VERB_RULE_JSON
	{ .options = "reactor", .with = "@set @add" },
	RULE_END
};

const struct cmd cmd_rv = {
	.name      = "rv",
	.summary   = "switch the kernel's runtime verification monitors",
	.verbs     = verbs,
	.examples  =
	"  ktrail rv list\n"
	"  ktrail rv set -r printk wwnr\n"
	"  ktrail rv remove wwnr\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
};
