/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.c - `ktrail clock`: what the time stamps of a buffer count */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>

#include "base/json.h"
#include "columns.h"
#include "noun.h"

static const struct cmd_opt opts[] = { NOUN_OPTS, OPT_END };

static const char *help_of(const char *name)
{
	const char *help = kt_clock_help(name);

	return help ? help : "a clock that is newer than this program";
}

static void print_json(const struct kt_names *names, const char *current)
{
	struct json j = JSON_INIT;
	size_t i;

	json_open(&j, NULL, '[');
	for (i = 0; i < names->nr; i++) {
		json_open(&j, NULL, '{');
		json_str(&j, "name", names->names[i]);
		json_bool(&j, "current", strcmp(names->names[i], current) == 0);
		json_str(&j, "help", help_of(names->names[i]));
		json_close(&j, '}');
	}
	json_close(&j, ']');
	fputs(j.text.buf, stdout);
	str_fini(&j.text);
}

static int list(void *args, int argc, char **argv, struct kt_err *err)
{
	struct noun *n = args;
	struct columns c = { .head = " |CLOCK|COUNTS" };
	struct kt_names names = { 0 };
	char *current;
	size_t i;
	int ret;

	ret = noun_check_words(argc, argv, 0, "", err);
	if (ret < 0)
		return ret;
	current = kt_instance_clock(n->inst, err);
	ret = current ? kt_instance_clocks(n->inst, &names, err) : err->code;
	if (ret == 0 && n->json) {
		print_json(&names, current);
	} else if (ret == 0) {
		for (i = 0; i < names.nr; i++) {
			columns_add(&c, strcmp(names.names[i], current) == 0 ? "*" : "");
			columns_add(&c, names.names[i]);
			columns_add(&c, help_of(names.names[i]));
		}
		ret = columns_print(&c, NULL);
	}
	free(current);
	kt_names_fini(&names);
	return ret;
}

static int set(void *args, int argc, char **argv, struct kt_err *err)
{
	struct noun *n = args;
	int ret = noun_check_words(argc, argv, 1, "the clock's name", err);

	return ret < 0 ? ret : kt_instance_set_clock(n->inst, argv[0], err);
}

static const struct verb verbs[] = {
	{ "list", "show", list }, { "set", NULL, set }, { 0 },
};

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	return noun_run(args, verbs, argc, argv, err);
}

const struct cmd cmd_clock = {
	.name      = "clock",
	.summary   = "explain the clocks, choose that of the time stamps",
	.usage     = "[-B <name>] [--json] [--dry-run] [list | set <clock>]",
	.examples  = "  ktrail clock             which clocks there are, and what for\n"
		     "  ktrail clock set mono    empties the buffer: times would not fit\n",
	.opts      = opts,
	.args_size = sizeof(struct noun),
	.options_anywhere = true,
	.run       = run,
};
