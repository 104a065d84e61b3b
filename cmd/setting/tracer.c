/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tracer.c - `ktrail tracer`: show or choose the tracer of a buffer and its parameters */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/settings.h>

#include "base/json.h"
#include "base/suggest.h"
#include "cmd/args/choice.h"
#include "cmd/print/columns.h"
#include "cmd/print/json_print.h"

static const struct cmd_opt opts[] = { NOUN_OPTS, OPT_END };

static const struct choice tracers = {
	.head = " |TRACER|SHOWS", .unknown = "a tracer that is newer than this program",
	.current = kt_instance_tracer, .all = kt_instance_tracers, .help = kt_tracer_help,
};

static int list(void *args, int argc, char **argv, struct kt_err *err)
{
	return choice_list(&tracers, args, argc, argv, err);
}

/* ---- show ---- */

/* The value of a parameter of @tracer, new; NULL: none. A result is that of the running tracer. */
static char *value_of(const struct noun *n, const char *tracer, const struct kt_tracer_param *p)
{
	char *now = p->read_only ? kt_instance_tracer(n->inst, NULL) : NULL;
	bool is_its = kt_tracer_has_param(tracer, p) &&
		      (!p->read_only || (now && strcmp(now, tracer) == 0));

	free(now);
	return is_its ? kt_instance_read(n->inst, p->file, NULL) : NULL;
}

static int show_json(const struct noun *n, const char *tracer)
{
	const struct kt_tracer_param *p;
	struct json j = JSON_INIT;

	json_open(&j, NULL, '{');
	json_str(&j, "tracer", tracer);
	json_open(&j, "parameters", '{');
	for (p = kt_tracer_params; p->name; p++) {
		char *value = value_of(n, tracer, p);

		if (value)
			json_str(&j, p->name, value);
		free(value);
	}
	json_close(&j, '}');
	json_close(&j, '}');
	return json_print(&j);
}

static int show_text(const struct noun *n, const char *tracer)
{
	struct columns c = { .head = "PARAMETER|VALUE|MEANING" };
	const struct kt_tracer_param *p;

	printf("%s: %s\n", tracer, choice_help(&tracers, tracer));
	for (p = kt_tracer_params; p->name; p++) {
		char *value = value_of(n, tracer, p);

		if (value) {
			columns_add(&c, p->name);
			columns_add(&c, value);
			columns_add(&c, p->help);
		}
		free(value);
	}
	return columns_print(&c, NULL);
}

/* A tracer that this kernel does not have cannot be shown. */
static int check(const struct noun *n, const char *tracer, struct kt_err *err)
{
	struct kt_names have = { 0 };
	char hint[SUGGEST_SIZE];
	int ret = kt_instance_tracers(n->inst, &have, err);

	if (ret == 0 && !kt_names_has(&have, tracer))
		ret = kt_err_set(err, -ENOENT, "no tracer '%s' in this kernel%s", tracer,
				 suggest(tracer, suggest_from(&have), hint));
	kt_names_fini(&have);
	return ret < 0 ? ret : 0;
}

static int show(void *args, int argc, char **argv, struct kt_err *err)
{
	struct noun *n = args;
	char *tracer;
	int ret;

	if (argc > 1)
		return cmd_misuse(err, "unexpected argument '%s'", argv[1]);
	tracer = argc ? strdup(argv[0]) : kt_instance_tracer(n->inst, err);
	if (!tracer)
		return kt_err_code(err, -ENOMEM);
	ret = argc ? check(n, tracer, err) : 0;
	if (ret == 0)
		ret = n->json ? show_json(n, tracer) : show_text(n, tracer);
	free(tracer);
	return ret;
}

/* ---- set ---- */

/* Set those that are left ("name\0value"): only those that widen a limit, or all */
static int set_some(struct noun *n, const char *tracer, char **params, int nr, bool all,
		    struct kt_err *err)
{
	int i, ret = 0;

	for (i = 0; ret == 0 && i < nr; i++) {
		char *value = params[i] ? params[i] + strlen(params[i]) + 1 : NULL;

		if (!value || !(all || kt_param_widens(n->inst, tracer, params[i], value)))
			continue;
		ret = kt_instance_set_param(n->inst, tracer, params[i], value, err);
		params[i] = NULL;
	}
	return ret;
}

/*
 * The kernel refuses a value that contradicts another parameter, such as a period shorter than
 * the current run time. So values that widen a limit are set first.
 */
static int set_params(struct noun *n, const char *tracer, char **params, int nr, struct kt_err *err)
{
	int ret = set_some(n, tracer, params, nr, false, err);

	return ret < 0 ? ret : set_some(n, tracer, params, nr, true, err);
}

/* Parameters first: most of them take effect when the tracer starts. */
static int set(void *args, int argc, char **argv, struct kt_err *err)
{
	struct kt_err missing = { 0 };
	struct noun *n = args;
	int i, ret;

	if (!argc)
		return cmd_misuse(err, "the tracer's name is missing");
	for (i = 1; i < argc; i++) {
		char *value = strchr(argv[i], '=');

		if (!value)
			return cmd_misuse(err, "'%s' is not NAME=VALUE", argv[i]);
		*value = '\0';
	}
	ret = set_params(n, argv[0], argv + 1, argc - 1, err);
	if (ret == 0)
		return kt_instance_set_tracer(n->inst, argv[0], err);
	/*
	 * If the kernel does not have the tracer, its files are missing, which is a less clear
	 * error.
	 */
	if (ret == -ENOENT && check(n, argv[0], &missing) == -ENOENT) {
		kt_err_clear(err);
		kt_err_set(err, ret, "%s", missing.msg);
	}
	return ret;
}

static const struct verb verbs[] = {
	{ "show", NULL, "[<tracer>]", "show the current tracer, or a tracer's parameters", show },
	{ "list", NULL, "", "list the tracers of this kernel", list },
	{ "set", NULL, "<tracer> [<param>=<value>]…",
			"choose a tracer and set its parameters", set },
	{ 0 },
};

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	return noun_run(args, verbs, argc, argv, err);
}

const struct cmd cmd_tracer = {
	.name      = "tracer",
	.summary   = "show or choose the tracer of a buffer and its parameters",
	.verbs     = verbs,
	.examples  =
		"  ktrail tracer                  the current tracer and its parameters\n"
		     "  ktrail tracer list             the tracers of this kernel\n"
		     "  ktrail tracer set timerlat cpus=0-3 stop=100\n"
		     "  ktrail tracer set nop\n",
	.opts      = opts,
	.rules     = verb_rules,
	.args_size = sizeof(struct noun),
	.options_anywhere = true,
	.run       = run,
};
