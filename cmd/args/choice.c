/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choice.c - the verb list of settings with one of several values: tracer, clock */
#include "choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cmd/print/columns.h"
#include "cmd/print/json_print.h"

const char *choice_help(const struct choice *c, const char *name)
{
	const char *help = c->help(name);

	return help ? help : c->unknown;
}

static int print_json(const struct choice *c, const struct kt_names *names, const char *current)
{
	struct json j = JSON_INIT;
	size_t i;

	json_open(&j, NULL, '[');
	for (i = 0; i < names->nr; i++) {
		json_open(&j, NULL, '{');
		json_str(&j, "name", names->names[i]);
		json_bool(&j, "current", strcmp(names->names[i], current) == 0);
		json_str(&j, "help", choice_help(c, names->names[i]));
		json_close(&j, '}');
	}
	json_close(&j, ']');
	return json_print(&j);
}

static int print_columns(const struct choice *c, const struct kt_names *names, const char *current)
{
	struct columns table = { .head = c->head };
	size_t i;

	for (i = 0; i < names->nr; i++) {
		columns_add(&table, strcmp(names->names[i], current) == 0 ? "*" : "");
		columns_add(&table, names->names[i]);
		columns_add(&table, choice_help(c, names->names[i]));
	}
	return columns_print(&table, NULL);
}

int choice_list(const struct choice *c, const struct noun *n, int argc, char **argv,
		struct kt_err *err)
{
	int ret = noun_check_words(argc, argv, 0, "", err);
	struct kt_names names = { 0 };
	char *current;

	if (ret < 0)
		return ret;
	current = c->current(n->inst, err);
	ret = current ? c->all(n->inst, &names, err) : err->code;
	if (ret == 0)
		ret = (n->json ? print_json : print_columns)(c, &names, current);
	free(current);
	kt_names_fini(&names);
	return ret;
}
