/* SPDX-License-Identifier: GPL-2.0-or-later */
/* error-log.c - `ktrail error-log`: why the kernel refused filters, triggers and probes */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/json.h"
#include "noun.h"
#include "safe.h"

static const struct cmd_opt opts[] = { NOUN_OPTS, OPT_END };

static int show(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct noun *n = args;
	struct json j = JSON_INIT;
	char *text;
	int ret;

	ret = noun_check_words(argc, argv, 0, "", err);
	if (ret < 0)
		return ret;
	text = kt_instance_read(n->inst, "error_log", err);
	if (!text)
		return err->code;
	if (n->json) {
		json_open(&j, NULL, '{');
		json_str(&j, "error_log", text);
		json_close(&j, '}');
		puts(j.text.buf);
		str_fini(&j.text);
	} else if (*text) {
		safe_puts(text, isatty(STDOUT_FILENO));
	}
	free(text);
	return 0;
}

static int clear(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct noun *n = args;
	int ret = noun_check_words(argc, argv, 0, "", err);

	return ret < 0 ? ret : kt_instance_poke(n->inst, "error_log", "", err);
}

static const struct verb verbs[] = { { "show", "list", show }, { "clear", NULL, clear }, { 0 } };

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	return noun_run(args, verbs, argc, argv, err);
}

const struct cmd cmd_error_log = {
	.name      = "error-log",
	.summary   = "show why the kernel refused filters, triggers and probes",
	.usage     = "[-B <name>] [--json] [--dry-run] [show | clear]",
	.examples  = "  ktrail error-log\n"
		     "  ktrail error-log clear\n",
	.opts      = opts,
	.args_size = sizeof(struct noun),
	.options_anywhere = true,
	.run       = run,
};
