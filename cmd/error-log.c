/* SPDX-License-Identifier: GPL-2.0-or-later */
/* error-log.c - `ktrail error-log`: why the kernel refused values, and forgetting it */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/instance.h>

#include "base/json.h"
#include "base/str.h"
#include "cmd.h"
#include "json_print.h"
#include "verb.h"

struct args {
	const char *instance;
	bool dry_run, json;
};

static const struct cmd_opt opts[] = {
	OPT_STR('B', "instance", struct args, instance, "name", "of this instance"),
	OPT_BOOL(0, "dry-run", struct args, dry_run, "print the writes to tracefs, do nothing"),
	OPT_BOOL(0, "json", struct args, json, "show: as JSON"),
	OPT_END
};

static struct kt_instance *open_log(const struct args *a, struct kt_err *err)
{
	struct kt_instance *inst = kt_instance_open(a->instance, KT_INSTANCE_DRY, err);

	if (inst && !kt_instance_has(inst, "error_log")) {
		kt_err_set(err, -ENOTSUP, "this kernel has no error_log (Linux 5.2 and later)");
		kt_instance_close(inst, NULL);
		return NULL;
	}
	return inst;
}

static int print_json(const char *text, struct kt_err *err)
{
	struct kt_errors errors = { 0 };
	struct json j = JSON_INIT;
	size_t i;
	int ret = kt_errors_parse(text, &errors, err);

	json_open(&j, NULL, '[');
	for (i = 0; i < errors.nr; i++) {
		const struct kt_error *e = &errors.at[i];

		json_open(&j, NULL, '{');
		json_uint(&j, "time_us", (uint64_t)(e->seconds * 1e6 + 0.5));
		json_str(&j, "where", e->where);
		json_str(&j, "error", e->message);
		json_str(&j, "command", e->command);
		json_uint(&j, "place", e->place);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	if (ret == 0)
		ret = json_print(&j);
	str_fini(&j.text);
	kt_errors_fini(&errors);
	return ret;
}

static void print_text(const char *text)
{
	struct str s = STR_INIT;

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		str_add_escaped(&s, text, strcspn(text, "\n"));
		str_addc(&s, '\n');
	}
	fputs(s.len ? s.buf : "no errors\n", stdout);
	str_fini(&s);
}

static int show(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_instance *inst;
	char *text;
	int ret = 0;

	if (argc)
		return cmd_misuse(err, "unexpected argument '%s'", argv[0]);
	inst = open_log(a, err);
	text = inst ? kt_instance_read(inst, "error_log", err) : NULL;
	if (!text)
		ret = err->code;
	else if (a->json)
		ret = print_json(text, err);
	else
		print_text(text);
	kt_instance_close(inst, NULL);
	free(text);
	return ret;
}

static int clear(void *data, int argc, char **argv, struct kt_err *err)
{
	const struct args *args = data;
	struct kt_instance *inst;
	int ret;

	if (argc)
		return cmd_misuse(err, "unexpected argument '%s'", argv[0]);
	inst = open_log(args, err);
	if (!inst)
		return err->code;
	ret = kt_instance_poke(inst, "error_log", "", err);
	if (ret == 0)
		ret = verb_finish(inst, args->dry_run, err);
	kt_instance_close(inst, NULL);
	return ret;
}

static const struct verb verbs[] = {
	{ "show", "list", "", "each refusal with its reason and place", show },
	{ "clear", "remove", "", "empty the log", clear },
	{ 0 },
};

const struct cmd cmd_error_log = {
	.name      = "error-log",
	.summary   = "show why the kernel refused filters, triggers and probes",
	.usage     = "[-B <name>] [--json] [--dry-run]",
	.verbs     = verbs,
	.examples  = "  ktrail error-log\n  ktrail error-log clear\n",
	.opts      = opts,
	.rules     = verb_rules,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
};
