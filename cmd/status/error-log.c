/* SPDX-License-Identifier: GPL-2.0-or-later */
/* error-log.c - `ktrail error-log`: show why the kernel refused values, and clear the log */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/tracefs.h>

#include "base/json.h"
#include "base/str.h"
#include "cmd/args/noun.h"
#include "cmd/cmd.h"
#include "cmd/print/json_print.h"

static const struct cmd_opt opts[] = { NOUN_OPTS, OPT_END };

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

static int check(const struct noun *n, int argc, char **argv, struct kt_err *err)
{
	if (argc)
		return cmd_misuse(err, "unexpected argument '%s'", argv[0]);
	if (!kt_instance_has(n->inst, "error_log"))
		return kt_err_set(err, -ENOTSUP,
				  "this kernel has no error_log (Linux 5.2 and later)");
	return 0;
}

static int show(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct noun *n = args;
	int ret = check(n, argc, argv, err);
	char *text;

	if (ret < 0)
		return ret;
	text = kt_instance_read(n->inst, "error_log", err);
	if (!text)
		return err->code;
	if (n->json)
		ret = print_json(text, err);
	else
		print_text(text);
	free(text);
	return ret;
}

static int clear(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct noun *n = args;
	int ret = check(n, argc, argv, err);

	return ret < 0 ? ret : kt_instance_poke(n->inst, "error_log", "", err);
}

static const struct verb verbs[] = {
	{ "show", "list", "", "show each error with its reason and place", show },
	{ "clear", "remove", "", "empty the log", clear },
	{ 0 },
};

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	return noun_run(args, verbs, argc, argv, err);
}

const struct cmd cmd_error_log = {
	.name      = "error-log",
	.summary   = "show why the kernel refused filters, triggers and probes",
	.verbs     = verbs,
	.examples  = "  ktrail error-log\n  ktrail error-log clear\n",
	.opts      = opts,
	.rules     = verb_rules,
	.args_size = sizeof(struct noun),
	.options_anywhere = true,
	.run       = run,
};
