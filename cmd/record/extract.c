/* SPDX-License-Identifier: GPL-2.0-or-later */
/* extract.c - `ktrail extract`: write the content of the kernel's buffers to a file */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/settings.h>

#include "base/str.h"
#include "cmd/args/dropin.h"
#include "cmd/args/level.h"
#include "cmd/args/output.h"
#include "cmd/args/rules.h"
#include "cmd/args/targets.h"
#include "cmd/style.h"
#include "extract.h"
#include "record.h"

struct args {
	struct targets targets;		/* first: TARGETS_OPTS */
	const char *compression, *tracer;
	int  file_version;
	bool keep;
	bool ignored;			/* an option without effect, since the buffer is already
					 * full */
	const char *ignored_word;
	struct kt_names options;
	struct kt_names names;		/* of the buffers, once they are known */
	struct extract x;
};

static int add_option(void *args, const char *value, struct kt_err *err)
{
	struct args *a = args;

	return kt_names_add(&a->options, value) < 0 ? kt_err_no_memory(err) : 0;
}

/* trace-cmd accepts these from record's parser; they have no effect there either. */
#define LATE_FLAG(c)	OPT_BOOL(c, NULL, struct args, ignored, NULL)
#define LATE_WORD(c, a)	OPT_STR(c, NULL, struct args, ignored_word, a, NULL)

static const struct cmd_opt opts[] = {
	OPT_STR ('o', "output", struct args, x.output, "file",
		 "write here instead of trace.dat; - is stdout"),
	TARGETS_OPTS,
	TARGETS_DRY_RUN,
	OPT_BOOL('s', "snapshot", struct args, x.snapshot,
		 "read the snapshot, not the live buffer"),
	OPT_CALL('O', "option", add_option, "opt", "set a trace option first; noOPT clears it"),
	OPT_BOOL(0, "date", struct args, x.date, "store the wall-clock time in the file"),
	OPT_STR (0, "compression", struct args, compression, "method", "as for ktrail record"),
	OPT_INT (0, "file-version", struct args, file_version, "n", "6 or 7 (default)"),
	OPT_BOOL('k', "keep", struct args, keep, "leave tracing off"),
	OPT_BOOL('q', "quiet", struct args, x.quiet, "do not print status lines"),
	OPT_STR ('p', NULL, struct args, tracer, "tracer", NULL),
	LATE_FLAG('F'), LATE_FLAG('c'), LATE_FLAG('i'), LATE_FLAG('T'),
	LATE_WORD('f', "filter"), LATE_WORD('r', "prio"), LATE_WORD('g', "func"),
	LATE_WORD('l', "func"), LATE_WORD('n', "func"), LATE_WORD('P', "pid"),
	LATE_WORD('b', "kb"),
	OPT_LEVEL_IGNORED,
	OPT_END
};

static int note_name(struct kt_instance *inst, void *data, struct kt_err *err)
{
	struct args *a = data;

	return kt_names_add(&a->names, kt_instance_name(inst)) < 0 ? kt_err_no_memory(err) : 0;
}

/* Reading a buffer that is being written to would not end: tracing is off while reading */
static int quieten(struct kt_instance *inst, void *data, struct kt_err *err)
{
	const struct args *a = data;
	int ret = 0;
	size_t i;

	if (a->x.snapshot && !kt_instance_has(inst, "snapshot"))
		return kt_err_set(err, -ENOENT,
				  "this kernel has no snapshots (CONFIG_TRACER_SNAPSHOT)");
	if (!a->x.snapshot)
		ret = kt_instance_set_tracing(inst, false, err);
	for (i = 0; ret >= 0 && i < a->options.nr; i++)
		ret = kt_instance_set_option(inst, a->options.names[i], true, err);
	return ret < 0 ? ret : 0;
}

static int open_instance(struct args *a, const char *name, struct kt_err *err)
{
	struct kt_instance *inst = kt_instance_open(name, 0, err);
	int ret;

	if (!inst)
		return err->code;
	ret = extract_add(&a->x, inst, err);
	return ret < 0 ? ret : quieten(inst, a, err);
}

static int open_instances(struct args *a, struct kt_err *err)
{
	size_t i;
	int ret = targets_for_each(&a->targets, note_name, a, err);

	if (ret == 0 && !a->names.nr)
		ret = kt_err_set(err, -ENOENT,
				"there are no instances; -t extracts the top-level buffer");
	if (ret < 0)
		return ret;
	a->x.insts = calloc(a->names.nr + 1, sizeof(*a->x.insts));
	if (!a->x.insts)
		return kt_err_no_memory(err);
	for (i = 0; ret == 0 && i < a->names.nr; i++)
		ret = open_instance(a, a->names.names[i], err);
	return ret;
}

/* A drop-in keeps the old file for a moment only, and does not replace another FILE.old for it. */
static bool may_keep_old(const struct args *a)
{
	struct str kept = STR_INIT;
	bool may;

	str_addf(&kept, "%s.old", a->x.output);
	may = !cmd_style->replaces || access(kept.buf, F_OK) < 0;
	str_fini(&kept);
	return may;
}

/* Settings are restored, or stay with -k. Returns @ret, or the error of restoring. */
static int close_instances(struct args *a, int ret, struct kt_err *err)
{
	int one;

	while (a->x.nr > 0) {
		if (a->keep)
			kt_instance_keep(a->x.insts[a->x.nr - 1]);
		one = kt_instance_close(a->x.insts[--a->x.nr], err);
		ret = ret < 0 ? ret : one;
	}
	return ret;
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct args *a = args;
	struct kt_rec_opts o = {
		.version = a->file_version, .compression = a->compression, .all_formats = true,
		.at_rest = true, .keep_old = may_keep_old(a),
	};
	struct output_pipe pipe = OUTPUT_PIPE_INIT;
	int ret, fd;

	if (argc)
		return cmd_misuse(err, "unexpected argument '%s'", argv[0]);
	a->targets.all_means_top = cmd_style->all_means_top;
	if (a->targets.dry_run)
		return targets_for_each(&a->targets, quieten, a, err);
	/* This takes a moment; an interrupt in between would leave tracing off */
	fd = record_catch_signals(err);
	if (fd < 0)
		return fd;
	close(fd);
	ret = output_pipe_begin(&pipe, &a->x.output, err);
	a->x.piped = pipe.dir;
	if (ret == 0)
		ret = open_instances(a, err);
	if (ret == 0)
		ret = extract_run(&a->x, &o, err);
	return output_pipe_end(&pipe, close_instances(a, ret, err), err);
}

static int init(void *args)
{
	struct args *a = args;

	a->x.output = "trace.dat";
	return 0;
}

static void fini(void *args)
{
	struct args *a = args;

	free(a->x.insts);
	extract_fini(&a->x);
	kt_names_fini(&a->names);
	kt_names_fini(&a->options);
	targets_fini(args);
}

static const struct cmd_rule rules[] = {
	{ .options = "F c i T f r g l n P b",
	  .never = "comes too late for a buffer that is full already" },
	RULE_END
};

const struct cmd cmd_extract = {
	.name      = "extract",
	.summary   = "write the kernel's buffers to a file",
	.examples  = "  ktrail extract                   after ktrail start … and ktrail stop\n"
		     "  ktrail extract -B disk -o disk.dat\n"
		     "  ktrail extract -s                the snapshot\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
	.init      = init,
	.run       = run,
	.fini      = fini,
};
