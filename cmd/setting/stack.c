/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stack.c - `ktrail stack`: the deepest kernel stack so far */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/tracefs.h>

#include "base/json.h"
#include "cmd/args/level.h"
#include "cmd/args/rules.h"
#include "cmd/cmd.h"
#include "cmd/print/json_print.h"

#define SWITCH "sysctl/stack_tracer_enabled"

struct args {
	bool start, stop, reset, json, dry_run;
};

static const struct cmd_opt opts[] = {
	OPT_BOOL(0, "start", struct args, start, "check the stack at every function call"),
	OPT_BOOL(0, "stop", struct args, stop, "stop the stack tracer"),
	OPT_BOOL(0, "reset", struct args, reset, "reset the maximum"),
	OPT_BOOL(0, "dry-run", struct args, dry_run, "print the writes to tracefs instead"),
	OPT_BOOL(0, "json", struct args, json, "print JSON"),
	OPT_LEVEL_IGNORED,
	OPT_END
};

static int is_running(const struct kt_instance *inst, struct kt_err *err)
{
	long long on;
	int ret;

	if (!kt_instance_has(inst, SWITCH))
		return kt_err_set(err, -ENOENT, "stack tracer not configured on running kernel "
				  "(CONFIG_STACK_TRACER)");
	ret = kt_instance_read_number(inst, SWITCH, &on, err);
	return ret < 0 ? ret : on != 0;
}

/* "  0)     2928     224   update_sd_lb_stats+0xbc/0x4ac": depth and size in bytes */
static int print_json(const char *text, bool running)
{
	struct json j = JSON_INIT;
	unsigned int depth, size;
	char place[256];

	json_open(&j, NULL, '{');
	json_bool(&j, "running", running);
	json_open(&j, "frames", '[');
	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		if (sscanf(text, " %*u) %u %u %255[^\n]", &depth, &size, place) != 3)
			continue;
		json_open(&j, NULL, '{');
		json_uint(&j, "depth", depth);
		json_uint(&j, "size", size);
		json_str(&j, "place", place);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	return json_print(&j);
}

/* Omit the kernel's advice on how to start the tracer */
static void print_table(const char *text)
{
	size_t len;

	for (; *text; text += len, text += *text == '\n') {
		len = strcspn(text, "\n");
		if (*text != '#')
			printf("%.*s\n", (int)len, text);
	}
}

static int report(const struct args *a, const struct kt_instance *inst, bool running,
		  struct kt_err *err)
{
	char *text = kt_instance_read(inst, "stack_trace", err);
	int ret = 0;

	if (!text)
		return err->code;
	if (a->json) {
		ret = print_json(text, running);
	} else {
		printf("(stack tracer %srunning)\n", running ? "" : "not ");
		print_table(text);
	}
	free(text);
	return ret;
}

static int act(const struct args *a, struct kt_instance *inst, struct kt_err *err)
{
	int running = is_running(inst, err), ret = 0;

	if (running < 0)
		return running;
	if (!a->start && !a->stop && !a->reset)
		return report(a, inst, running, err);
	if (a->start || a->stop)
		ret = kt_instance_write(inst, SWITCH, a->start ? "1" : "0", err);
	if (ret == 0 && a->reset)
		ret = kt_instance_poke(inst, "stack_max_size", "0", err);
	if (ret == 0)
		kt_instance_keep(inst);
	return ret;
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_instance *inst;
	int ret;

	if (argc)
		return cmd_misuse(err, "unexpected argument '%s'", argv[0]);
	inst = kt_instance_open(NULL, a->dry_run ? KT_INSTANCE_DRY : 0, err);
	if (!inst)
		return err->code;
	ret = act(a, inst, err);
	if (ret == 0 && a->dry_run)
		fputs(kt_instance_notes(inst), stdout);
	kt_instance_close(inst, err);
	return ret;
}

static const struct cmd_rule rules[] = {
	{ .options = "start stop", .alone = true, .always = true },
	RULE_END
};

const struct cmd cmd_stack = {
	.name      = "stack",
	.summary   = "show the deepest kernel stack, start and stop the stack tracer",
	.examples  = "  ktrail stack --start    slows down every function call\n"
		     "  ktrail stack             the deepest stack since then\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.paged     = true,
	.run       = run,
};
