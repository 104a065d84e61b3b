/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user-events.c - `ktrail user-events`: events that programs write, and who has enabled them */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/tracefs.h>

#include "base/str.h"
#include "cmd/args/verb.h"
#include "cmd/cmd.h"
#include "cmd/print/columns.h"
#include "cmd/print/json_print.h"

struct args {
	bool dry_run, json;
};

static const struct cmd_opt opts[] = {
	OPT_BOOL('n', "dry-run", struct args, dry_run, "print the writes to tracefs instead"),
	OPT_BOOL(0, "json", struct args, json, "list: print JSON"),
	OPT_END
};

/* A line "[ID:]NAME[ # Used by ftrace perf]": facts of Linux,
 * Documentation/trace/user_events.rst */
struct event {
	char *name, *users;		/* in the line */
};

static bool parse_line(char *line, struct event *e)
{
	char *used = strstr(line, " # Used by");
	size_t id = strspn(line, "0123456789");

	e->users = used ? used + strlen(" # Used by") : line + strlen(line);
	e->users += strspn(e->users, " ");
	if (used)
		*used = '\0';
	e->name = line + (id && line[id] == ':' ? id + 1 : 0);
	str_trim(e->name);
	return *e->name && strncmp(line, "Active: ", 8) != 0 && strncmp(line, "Busy: ", 6) != 0 &&
	       strncmp(line, "Max: ", 5) != 0;
}

static void add_json(struct json *j, const struct event *e)
{
	struct kt_names users = { 0 };

	kt_names_add_words(&users, e->users, " ");
	json_open(j, NULL, '{');
	json_str(j, "name", e->name);
	json_names(j, "used_by", &users);
	kt_names_fini(&users);
	json_close(j, '}');
}

static int print(char *text, bool as_json)
{
	struct columns c = { .head = "EVENT|USED BY" };
	struct json j = JSON_INIT;
	struct event e;
	char *line;

	json_open(&j, NULL, '[');
	while ((line = strsep(&text, "\n"))) {
		if (!parse_line(line, &e))
			continue;
		if (as_json) {
			add_json(&j, &e);
			continue;
		}
		columns_addf(&c, "user_events:%s", e.name);
		columns_add(&c, *e.users ? e.users : "-");
	}
	json_close(&j, ']');
	if (as_json)
		return json_print(&j);
	str_fini(&j.text);
	return columns_print(&c, "no program has registered an event");
}

static struct kt_instance *open_top(struct kt_err *err)
{
	struct kt_instance *inst = kt_instance_open(NULL, KT_INSTANCE_DRY, err);

	if (inst && !kt_instance_has(inst, "user_events_status")) {
		kt_err_set(err, -ENOTSUP, "this kernel has no user events (Linux 6.4 "
			   "and later, CONFIG_USER_EVENTS=y)");
		kt_instance_close(inst, NULL);
		return NULL;
	}
	return inst;
}

static int list(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_instance *inst;
	char *text;
	int ret;

	if (argc)
		return cmd_misuse(err, "unexpected argument '%s'", argv[0]);
	inst = open_top(err);
	if (!inst)
		return err->code;
	text = kt_instance_read(inst, "user_events_status", err);
	ret = text ? print(text, a->json) : err->code;
	free(text);
	kt_instance_close(inst, NULL);
	return ret;
}

/* "user_events:NAME", as list prints it, means NAME. */
static const char *plain_name(const char *word)
{
	return str_starts(word, "user_events:") || str_starts(word, "user_events/") ?
	       word + strlen("user_events:") : word;
}

/* "NAME FIELDS" of the event, new (free); NULL: there is none, or it cannot be read */
static char *definition(const struct kt_instance *inst, const char *name, struct kt_err *err)
{
	char *text = kt_instance_read(inst, "dynamic_events", err), *line, *save = NULL,
		*found = NULL;
	size_t len = strlen(name);

	if (!text)
		return NULL;
	for (line = strtok_r(text, "\n", &save); line && !found; line = strtok_r(NULL, "\n", &save))
		if (strncmp(line, "u:", 2) == 0 && strncmp(line + 2, name, len) == 0 &&
		    (line[2 + len] == ' ' || !line[2 + len]))
			found = strdup(line + 2);
	if (!found)
		kt_err_set(err, -ENOENT, "no user event '%s'", name);
	free(text);
	return found;
}

/*
 * Define or remove an event by a line in dynamic_events; the kernel needs the fields in both
 * cases.
 */
static int change(const struct args *a, struct kt_instance *inst, const char *text, bool define,
		  struct kt_err *err)
{
	struct str line = STR_INIT, back = STR_INIT;
	int ret;

	str_addf(&line, "u:%s", text);
	str_addf(&back, "-:user_events/%s", text);
	ret = line.failed || back.failed ? -ENOMEM : 0;
	if (ret == 0)
		ret = kt_instance_define(inst, "dynamic_events", define ? line.buf : back.buf,
					 define ? back.buf : NULL, err);
	if (ret == 0)
		ret = verb_finish(inst, a->dry_run, err);
	str_fini(&line);
	str_fini(&back);
	return ret;
}

/* The event stays without a program, so it can be enabled and filtered before a program starts. */
static int add(void *args, int argc, char **argv, struct kt_err *err)
{
	struct kt_instance *inst;
	char *text;
	int ret;

	if (!argc)
		return cmd_misuse(err,
				  "a name is expected, and fields: 'my_event u32 count; u64 size'");
	inst = open_top(err);
	if (!inst)
		return err->code;
	text = verb_join(argc, argv);
	ret = text ? change(args, inst, plain_name(text), true, err) : -ENOMEM;
	free(text);
	kt_instance_close(inst, err);
	return ret;
}

static int del(void *args, int argc, char **argv, struct kt_err *err)
{
	struct kt_instance *inst;
	char *text;
	int ret;

	if (argc != 1)
		return cmd_misuse(err, "an event is expected; `%s user-events` lists them",
				cmd_program);
	inst = open_top(err);
	if (!inst)
		return err->code;
	text = definition(inst, plain_name(argv[0]), err);
	ret = text ? change(args, inst, text, false, err) : err->code;
	if (ret == -EBUSY)
		kt_err_wrap(err, ret, "a program or a trace still uses it");
	free(text);
	kt_instance_close(inst, err);
	return ret;
}

static const struct verb verbs[] = {
	{ "list", "show", "", "show the user events", list },
	{ "add", "set", "<event> [<field>[; <field>]…]", "define one", add },
	{ "del", "remove", "<event>", "remove one", del },
	{ 0 },
};

const struct cmd cmd_user_events = {
	.name      = "user-events",
	.summary   = "define events that programs write",
	.verbs     = verbs,
	.examples  =
	"  ktrail user-events list\n"
	"  ktrail user-events add 'my_event u32 count; u64 size'   before a program does\n"
	"  ktrail record -e user_events:my_event sleep 1\n",
	.opts      = opts,
	.rules     = verb_rules,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
};
