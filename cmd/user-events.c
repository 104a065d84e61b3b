/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user-events.c - `ktrail user-events`: events that programs register, and who listens to them */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/instance.h>

#include "base/json.h"
#include "base/str.h"
#include "cmd.h"
#include "columns.h"
#include "verb.h"

struct args {
	bool json;
};

static const struct cmd_opt opts[] = {
	OPT_BOOL(0, "json", struct args, json, "as JSON, for programs"),
	OPT_END
};

/* A line "[ID:]NAME[ # Used by ftrace perf]": facts of Linux, Documentation/trace/user_events.rst */
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
	size_t i;

	json_open(j, NULL, '{');
	json_str(j, "name", e->name);
	json_open(j, "used_by", '[');
	kt_names_add_words(&users, e->users, " ");
	for (i = 0; i < users.nr; i++)
		json_str(j, NULL, users.names[i]);
	kt_names_fini(&users);
	json_close(j, ']');
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
		fputs(j.text.buf, stdout);
	str_fini(&j.text);
	return as_json ? 0 : columns_print(&c, "no program has registered an event");
}

static int list(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_instance *inst;
	char *text = NULL;
	int ret;

	if (argc)
		return cmd_misuse(err, "'%s' is one word too many", argv[0]);
	inst = kt_instance_open(NULL, 0, err);
	if (!inst)
		return err->code;
	if (!kt_instance_has(inst, "user_events_status")) {
		ret = kt_err_set(err, -ENOTSUP, "this kernel has no events of programs (Linux 6.4 "
				 "and later, CONFIG_USER_EVENTS=y)");
	} else {
		text = kt_instance_read(inst, "user_events_status", err);
		ret = text ? print(text, a->json) : err->code;
	}
	free(text);
	kt_instance_close(inst, NULL);
	return ret;
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	static const struct verb verbs[] = { { "list", "show", list }, { 0 } };

	return verb_run(verbs, args, argc, argv, err);
}

const struct cmd cmd_user_events = {
	.name      = "user-events",
	.summary   = "list the events that programs have registered, and who listens",
	.usage     = "[--json] [list]",
	.examples  = "  ktrail user-events\n"
		     "  ktrail record -e user_events:my_event sleep 1\n",
	.opts      = opts,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
	.run       = run,
};
