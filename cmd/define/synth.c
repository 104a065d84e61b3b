/* SPDX-License-Identifier: GPL-2.0-or-later */
/* synth.c - `ktrail synth`: list, define and remove synthetic events */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/probe.h>

#include "base/json.h"
#include "base/suggest.h"
#include "cmd/args/verb.h"
#include "cmd/cmd.h"
#include "cmd/print/columns.h"
#include "cmd/print/json_print.h"

struct args {
	bool dry_run, json, yes;
};

static const struct cmd_opt opts[] = {
	OPT_BOOL('n', "dry-run", struct args, dry_run, "print the writes to tracefs instead"),
	OPT_BOOL('y', "yes", struct args, yes, "del: do not ask"),
	OPT_BOOL(0, "json", struct args, json, "list: print JSON"),
	OPT_END
};

static int print_json(const struct kt_synths *synths)
{
	struct json j = JSON_INIT;
	size_t i;

	json_open(&j, NULL, '[');
	for (i = 0; i < synths->nr; i++) {
		json_open(&j, NULL, '{');
		json_str(&j, "event", synths->at[i].name);
		json_str(&j, "fields", synths->at[i].fields);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	return json_print(&j);
}

static int no_such(const struct kt_synths *synths, const char *pattern, struct kt_err *err)
{
	struct kt_names names = { 0 };
	char hint[SUGGEST_SIZE];
	size_t i;

	for (i = 0; i < synths->nr; i++)
		kt_names_add(&names, synths->at[i].name);
	kt_err_set(err, -ENOENT, "no synthetic event '%s'%s", pattern,
		   suggest(pattern, suggest_from(&names), hint));
	kt_names_fini(&names);
	return -ENOENT;
}

/* The events of @synths that match; at least one must. */
static int keep(struct kt_synths *synths, const char *pattern, struct kt_err *err)
{
	size_t i, nr = 0;

	for (i = 0; i < synths->nr && !kt_synth_matches(&synths->at[i], pattern); i++)
		;
	if (i == synths->nr)
		return no_such(synths, pattern, err);
	for (i = 0; i < synths->nr; i++) {
		struct kt_synth s = synths->at[i];

		if (!kt_synth_matches(&s, pattern))
			continue;
		synths->at[i] = synths->at[nr];
		synths->at[nr++] = s;
	}
	for (i = nr; i < synths->nr; i++) {
		free(synths->at[i].name);
		free(synths->at[i].fields);
	}
	synths->nr = nr;
	return 0;
}

static int print_list(const struct kt_synths *synths)
{
	struct columns c = { .head = "EVENT|FIELDS" };
	size_t i;

	for (i = 0; i < synths->nr; i++) {
		columns_addf(&c, "synthetic:%s", synths->at[i].name);
		columns_add(&c, synths->at[i].fields);
	}
	return columns_print(&c, "no synthetic events");
}

static int list(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_synths synths = { 0 };
	struct kt_instance *inst;
	int ret;

	if (argc > 1)
		return cmd_misuse(err, "unexpected argument '%s'", argv[1]);
	inst = kt_instance_open(NULL, 0, err);
	ret = inst ? kt_synths_read(inst, &synths, err) : err->code;
	if (ret == 0 && argc)
		ret = keep(&synths, argv[0], err);
	if (ret == 0)
		ret = (a->json ? print_json : print_list)(&synths);
	kt_synths_fini(&synths);
	kt_instance_close(inst, NULL);
	return ret;
}

static int add(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_instance *inst;
	char *text;
	int ret;

	/* One word in quotes uses the kernel's own syntax: 'wakeup_lat u64 lat; pid_t pid' */
	if (!argc || (argc == 1 && !strpbrk(argv[0], " \t")))
		return cmd_misuse(err, "a name and fields are expected, e.g. wakeup_lat lat:u64 "
				       "pid:pid_t");
	text = verb_join(argc, argv);
	inst = text ? kt_instance_open(NULL, KT_INSTANCE_DRY, err) : NULL;
	ret = inst ? kt_synth_add(inst, text, err) : kt_err_code(err, -ENOMEM);
	if (ret == 0)
		ret = verb_finish(inst, a->dry_run, err);
	kt_instance_close(inst, err);
	free(text);
	return ret;
}

static int del(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_instance *inst;
	struct kt_synths have = { 0 };
	char question[64];
	int ret;

	if (argc != 1)
		return cmd_misuse(err, "an event is expected; '*' means all");
	inst = kt_instance_open(NULL, KT_INSTANCE_DRY, err);
	ret = inst ? kt_synth_remove(inst, argv[0], err) : err->code;
	if (ret == 0) {
		kt_synths_read(inst, &have, NULL);
		ret = no_such(&have, argv[0], err);
		kt_synths_fini(&have);
	} else if (ret > 1 && !a->dry_run) {
		snprintf(question, sizeof(question), "Remove %d synthetic events?", ret);
		ret = verb_confirm(a->yes, question, err);
	}
	if (ret > 0) {
		ret = verb_finish(inst, a->dry_run, err);
		if (ret < 0)
			kt_synth_explain(inst, argv[0], err);
	} else if (ret == 0) {
		ret = 1;			/* the answer was no */
	}
	kt_instance_close(inst, err);
	return ret;
}

static const struct verb verbs[] = {
	{ "list", "show", "[<pattern>]", "show the synthetic events", list },
	{ "add", "set", "<name> <field>:<type>…", "define one", add },
	{ "del", "remove", "<synth>", "remove one", del },
	{ 0 },
};

const struct cmd cmd_synth = {
	.name      = "synth",
	.summary   = "define events made from others, such as latencies",
	.verbs     = verbs,
	.examples  =
	"  ktrail synth add wakeup_lat lat:u64 pid:pid_t comm:char[16]\n"
	"  ktrail synth add 'wakeup_lat u64 lat; pid_t pid'    the kernel's syntax\n"
	"  ktrail synth list\n"
	"  ktrail sqlhist -h                                    a query makes the event\n",
	.opts      = opts,
	.rules     = verb_rules,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
};
