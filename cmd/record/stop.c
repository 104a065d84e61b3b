/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stop.c - `ktrail stop`, `ktrail restart`: turn writing to the buffers off and on */
#include <ktrail/settings.h>

#include "cmd/args/targets.h"
#include "cmd/style.h"

static const struct cmd_opt opts[] = { TARGETS_OPTS, TARGETS_DRY_RUN, OPT_END };

static int set_tracing(struct kt_instance *inst, void *data, struct kt_err *err)
{
	const bool *on = data;
	int ret = kt_instance_set_tracing(inst, *on, err);

	if (ret == 0)
		kt_instance_keep(inst);
	return ret;
}

static int stop_or_restart(void *args, bool on, int argc, char **argv, struct kt_err *err)
{
	struct targets *t = args;

	if (argc)
		return cmd_misuse(err,
				  "unexpected argument '%s'; use -B to name an instance", argv[0]);
	t->all_means_top = cmd_style->all_means_top;
	return targets_for_each(t, set_tracing, &on, err);
}

static int run_stop(void *args, int argc, char **argv, struct kt_err *err)
{
	return stop_or_restart(args, false, argc, argv, err);
}

static int run_restart(void *args, int argc, char **argv, struct kt_err *err)
{
	return stop_or_restart(args, true, argc, argv, err);
}

const struct cmd cmd_stop = {
	.name      = "stop",
	.summary   = "stop writing to the kernel's buffers",
	.examples  = "  ktrail stop             the top-level buffer; its events stay\n"
		     "  ktrail stop -B disk      an instance\n",
	.opts      = opts,
	.args_size = sizeof(struct targets),
	.options_anywhere = true,
	.run       = run_stop,
	.fini      = targets_fini,
};

const struct cmd cmd_restart = {
	.name      = "restart",
	.summary   = "continue to write to the kernel's buffers",
	.examples  = "  ktrail restart          continue the top-level buffer\n"
		     "  ktrail restart -a -t    all buffers\n",
	.opts      = opts,
	.args_size = sizeof(struct targets),
	.options_anywhere = true,
	.run       = run_restart,
	.fini      = targets_fini,
};
