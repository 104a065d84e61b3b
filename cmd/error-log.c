/* SPDX-License-Identifier: GPL-2.0-or-later */
/* error-log.c - `ktrail error-log`: why the kernel refused values, and forgetting it */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/instance.h>

#include "base/str.h"
#include "cmd.h"
#include "verb.h"

struct args {
	const char *instance;
	bool dry_run;
};

static const struct cmd_opt opts[] = {
	OPT_STR('B', "instance", struct args, instance, "name", "of this instance"),
	OPT_BOOL(0, "dry-run", struct args, dry_run, "print the writes to tracefs, do nothing"),
	OPT_END
};

static struct kt_instance *open_log(const struct args *a, struct kt_err *err)
{
	struct kt_instance *inst = kt_instance_open(a->instance, 0, err);

	if (inst && !kt_instance_has(inst, "error_log")) {
		kt_err_set(err, -ENOTSUP, "this kernel has no error_log (Linux 5.2 and later)");
		kt_instance_close(inst, NULL);
		return NULL;
	}
	return inst;
}

static int show(void *args, int argc, char **argv, struct kt_err *err)
{
	struct kt_instance *inst;
	struct str s = STR_INIT;
	char *text, *p;

	if (argc)
		return cmd_misuse(err, "no argument is expected, but '%s' was given", argv[0]);
	inst = open_log(args, err);
	text = inst ? kt_instance_read(inst, "error_log", err) : NULL;
	for (p = text; p && *p; p += strcspn(p, "\n"), p += *p == '\n') {
		str_add_escaped(&s, p, strcspn(p, "\n"));
		str_addc(&s, '\n');
	}
	if (text)
		fputs(s.len ? s.buf : "no errors\n", stdout);
	str_fini(&s);
	kt_instance_close(inst, NULL);
	free(text);
	return text ? 0 : err->code;
}

static int clear(void *data, int argc, char **argv, struct kt_err *err)
{
	const struct args *args = data;
	struct kt_plan *plan = NULL;
	struct kt_instance *inst;
	int ret;

	if (argc)
		return cmd_misuse(err, "no argument is expected, but '%s' was given", argv[0]);
	inst = open_log(args, err);
	if (!inst)
		return err->code;
	if (!args->dry_run) {
		ret = kt_instance_poke(inst, "error_log", "", err);
	} else {
		plan = kt_plan_create(inst);
		ret = plan ? kt_plan_write(plan, "error_log", "") : -ENOMEM;
		if (ret == 0)
			ret = verb_finish(inst, plan, true, err);
		kt_plan_destroy(plan);
	}
	kt_instance_close(inst, NULL);
	return ret;
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	static const struct verb verbs[] = {
		{ "show", "list", show }, { "clear", "remove", clear }, { 0 }
	};

	return verb_run(verbs, args, argc, argv, err);
}

const struct cmd cmd_error_log = {
	.name      = "error-log",
	.summary   = "show why the kernel refused filters, triggers and probes",
	.usage     = "[-B <name>] [show | [--dry-run] clear]",
	.examples  = "  ktrail error-log\n  ktrail error-log clear\n",
	.opts      = opts,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
	.run       = run,
};
