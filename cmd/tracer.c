/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracer.c - `ktrail tracer`: show or choose the tracer of a buffer, and what it is told */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/latency.h>
#include <ktrail/settings.h>

#include "base/json.h"
#include "columns.h"
#include "noun.h"

static const struct cmd_opt opts[] = { NOUN_OPTS, OPT_END };

static const char *help_of(const char *name)
{
	const char *help = kt_tracer_help(name);

	return help ? help : "a tracer that is newer than this program";
}

/* ---- list ---- */

static int list_json(const struct kt_names *names, const char *current)
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
	return 0;
}

static int list(void *args, int argc, char **argv, struct kt_err *err)
{
	struct noun *n = args;
	struct columns c = { .head = " |TRACER|SHOWS" };
	struct kt_names names = { 0 };
	char *current;
	size_t i;
	int ret;

	ret = noun_check_words(argc, argv, 0, "", err);
	if (ret < 0)
		return ret;
	current = kt_instance_tracer(n->inst, err);
	ret = current ? kt_instance_tracers(n->inst, &names, err) : err->code;
	for (i = 0; ret == 0 && !n->json && i < names.nr; i++) {
		columns_add(&c, strcmp(names.names[i], current) == 0 ? "*" : "");
		columns_add(&c, names.names[i]);
		columns_add(&c, help_of(names.names[i]));
	}
	if (ret == 0)
		ret = n->json ? list_json(&names, current) : columns_print(&c, NULL);
	free(current);
	kt_names_fini(&names);
	return ret;
}

/* ---- show ---- */

static int show_json(const struct noun *n, const char *tracer)
{
	const struct kt_tracer_param *p;
	struct json j = JSON_INIT;

	json_open(&j, NULL, '{');
	json_str(&j, "tracer", tracer);
	json_open(&j, "parameters", '{');
	for (p = kt_tracer_params; p->name; p++) {
		char *value = kt_tracer_has_param(tracer, p) ?
			kt_instance_read(n->inst, p->file, NULL) : NULL;

		if (value)
			json_str(&j, p->name, value);
		free(value);
	}
	json_close(&j, '}');
	json_close(&j, '}');
	fputs(j.text.buf, stdout);
	str_fini(&j.text);
	return 0;
}

static int show_text(const struct noun *n, const char *tracer)
{
	struct columns c = { .head = "PARAMETER|VALUE|MEANING" };
	const struct kt_tracer_param *p;

	printf("%s: %s\n", tracer, help_of(tracer));
	for (p = kt_tracer_params; p->name; p++) {
		char *value = kt_tracer_has_param(tracer, p) ?
			kt_instance_read(n->inst, p->file, NULL) : NULL;

		if (value) {
			columns_add(&c, p->name);
			columns_add(&c, value);
			columns_add(&c, p->help);
		}
		free(value);
	}
	return columns_print(&c, NULL);
}

static int show(void *args, int argc, char **argv, struct kt_err *err)
{
	struct noun *n = args;
	char *tracer;
	int ret;

	if (argc > 1)
		return cmd_misuse(err, "'%s' is one word too many", argv[1]);
	tracer = argc ? strdup(argv[0]) : kt_instance_tracer(n->inst, err);
	if (!tracer)
		return err->code ? err->code : -ENOMEM;
	ret = n->json ? show_json(n, tracer) : show_text(n, tracer);
	free(tracer);
	return ret;
}

/* ---- set ---- */

/* Parameters first: most of them count from the moment the tracer starts. */
static int set(void *args, int argc, char **argv, struct kt_err *err)
{
	struct noun *n = args;
	int i, ret = 0;

	if (!argc)
		return cmd_misuse(err, "the tracer's name is missing");
	for (i = 1; ret == 0 && i < argc; i++) {
		char *value = strchr(argv[i], '=');

		if (!value)
			return cmd_misuse(err, "'%s' is no NAME=VALUE", argv[i]);
		*value++ = '\0';
		ret = kt_instance_set_param(n->inst, argv[0], argv[i], value, err);
	}
	return ret == 0 ? kt_instance_set_tracer(n->inst, argv[0], err) : ret;
}

static const struct verb verbs[] = {
	{ "show", NULL, show }, { "list", NULL, list }, { "set", NULL, set }, { 0 },
};

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	return noun_run(args, verbs, argc, argv, err);
}

const struct cmd cmd_tracer = {
	.name      = "tracer",
	.summary   = "show or choose the tracer of a buffer, and what it is told",
	.usage     = "[-B <name>] [--json] [--dry-run] "
		     "[show [<tracer>] | list | set <tracer> [<param>=<value>]…]",
	.examples  = "  ktrail tracer                   the present one; what it found and is told\n"
		     "  ktrail tracer list              all of this kernel, explained\n"
		     "  ktrail tracer set timerlat cpus=0-3 stop=100\n"
		     "  ktrail tracer set nop\n",
	.opts      = opts,
	.args_size = sizeof(struct noun),
	.options_anywhere = true,
	.run       = run,
};
