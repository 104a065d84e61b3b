/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.c - `ktrail snapshot`: keep a copy of a buffer while tracing continues */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/tracefs.h>

#include "base/json.h"
#include "cmd/args/rules.h"
#include "cmd/cmd.h"
#include "cmd/print/json_print.h"
#include "cmd/print/safe.h"

struct args {
	bool take, reset, free, json, dry_run;
	const char *instance, *cpu;
};

static const struct cmd_opt opts[] = {
	OPT_BOOL('s', "take", struct args, take, "take a snapshot; the first allocates its memory"),
	OPT_BOOL('r', "reset", struct args, reset, "empty the snapshot"),
	OPT_BOOL('f', "free", struct args, free, "free the snapshot's memory"),
	OPT_STR('B', "instance", struct args, instance, "name", "apply to this instance"),
	OPT_STR('c', "cpu", struct args, cpu, "cpu", "only this CPU"),
	OPT_BOOL(0, "dry-run", struct args, dry_run, "print the writes to tracefs instead"),
	OPT_BOOL(0, "json", struct args, json,
		"print JSON: whether it is allocated, and its lines"),
	OPT_END
};

/* If the snapshot has no records, the text of the file shows whether memory is allocated. */
static int print_json(const struct args *a, const char *text)
{
	struct json j = JSON_INIT;
	size_t len;

	json_open(&j, NULL, '{');
	json_str(&j, "instance", a->instance ? a->instance : "");
	json_bool(&j, "allocated", !strstr(text, "# * Snapshot is freed *"));
	json_open(&j, "trace", '[');
	for (; *text; text += len, text += *text == '\n') {
		len = strcspn(text, "\n");
		if (len && *text != '#')
			json_strn(&j, NULL, text, len);
	}
	json_close(&j, ']');
	json_close(&j, '}');
	return json_print(&j);
}

static int print(const struct args *a, const struct kt_instance *inst, const char *file,
		 struct kt_err *err)
{
	char *text = kt_instance_read(inst, file, err);
	int ret;

	if (!text)
		return err->code;
	ret = a->json ? print_json(a, text) : safe_puts(text, safe_for_person());
	free(text);
	return ret;
}

/* Facts: Linux, Documentation/trace/ftrace.rst, Snapshot. 0 frees, 1 takes, 2 empties. */
static int act(const struct args *a, struct kt_instance *inst, const char *file,
	       struct kt_err *err)
{
	int ret = 0;

	if (!kt_instance_has(inst, "snapshot"))
		return kt_err_set(err, -ENOENT, "this kernel has no snapshots "
				  "(CONFIG_TRACER_SNAPSHOT)");
	if (!a->take && !a->reset && !a->free)
		return print(a, inst, file, err);
	if (a->take)
		ret = kt_instance_poke(inst, file, "1", err);
	if (ret == -EINVAL && a->cpu)
		kt_err_wrap(err, ret,
			    "a snapshot of one CPU needs CONFIG_TRACER_SNAPSHOT_PER_CPU_SWAP");
	if (ret == 0 && a->reset)
		ret = kt_instance_poke(inst, file, "2", err);
	if (ret == 0 && a->free)
		ret = kt_instance_poke(inst, "snapshot", "0", err);
	return ret;
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	const struct args *a = args;
	struct kt_instance *inst;
	char file[64] = "snapshot";
	int ret;

	if (argc)
		return cmd_misuse(err, "unexpected argument '%s'", argv[0]);
	if (a->cpu && (!*a->cpu || a->cpu[strspn(a->cpu, "0123456789")]))
		return cmd_misuse(err, "'%s' is not a CPU number", a->cpu);
	if (a->cpu)
		snprintf(file, sizeof(file), "per_cpu/cpu%.10s/snapshot", a->cpu);
	inst = kt_instance_open(a->instance, a->dry_run ? KT_INSTANCE_DRY : 0, err);
	if (!inst)
		return err->code;
	ret = act(a, inst, file, err);
	if (ret == 0 && a->dry_run)
		fputs(kt_instance_notes(inst), stdout);
	kt_instance_close(inst, err);
	return ret;
}

static const struct cmd_rule rules[] = {
	{ .options = "take free", .alone = true, .always = true },
	{ .options = "json", .without = "take reset free" },
	RULE_END
};

const struct cmd cmd_snapshot = {
	.name      = "snapshot",
	.summary   = "keep a copy of a buffer while tracing continues",
	.examples  = "  ktrail snapshot -s       take one\n"
		     "  ktrail snapshot          print it\n"
		     "  ktrail snapshot -f      free its memory\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.paged     = true,
	.options_anywhere = true,
	.run       = run,
};
