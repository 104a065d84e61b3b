/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clear.c - `ktrail clear`: empty the kernel's buffers and keep all settings */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <ktrail/status.h>

#include "base/str.h"
#include "base/units.h"
#include "cmd/args/targets.h"
#include "cmd/args/verb.h"

struct args {
	struct targets t;		/* first: targets_add */
	bool yes;
};

static const struct cmd_opt opts[] = {
	OPT_CALL('B', "instance", targets_add, "name", "this instance; may be given several times"),
	OPT_BOOL('a', "all", struct targets, all, "all buffers, the top-level one too"),
	OPT_BOOL('y', "yes", struct args, yes, "do not ask"),
	TARGETS_DRY_RUN,
	OPT_END
};

static int describe(struct kt_instance *inst, void *data, struct kt_err *err)
{
	const char *name = kt_instance_name(inst);
	struct kt_buffer_stats stats;
	struct str *text = data;
	char size[32];
	int ret;

	ret = kt_buffer_stats_read(inst, &stats, err);
	if (ret < 0 || !stats.entries)
		return ret;
	str_addf(text, "%s%" PRIu64 " events (%s) of ", text->len ? ", " : "", stats.entries,
		 units_format_size(stats.bytes, size));
	str_addf(text, *name ? "instance '%s'" : "the top-level buffer", name);
	return 0;
}

/* 1: continue. Scripts are not asked, as in trace-cmd. */
static int ask(const struct args *a, struct kt_err *err)
{
	struct str what = STR_INIT, question = STR_INIT;
	int ret;

	if (a->yes || a->t.dry_run || !isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return 1;
	ret = targets_for_each(&a->t, describe, &what, err);
	if (ret == 0 && what.len) {
		str_addf(&question, "This loses %s. Continue?", what.buf);
		ret = verb_confirm(false, question.buf, err);
	} else if (ret == 0) {
		ret = 1;
	}
	str_fini(&what);
	str_fini(&question);
	return ret;
}

static int clear(struct kt_instance *inst, void *data, struct kt_err *err)
{
	(void)data;
	return kt_instance_poke(inst, "trace", "", err);
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct args *a = args;
	int ret;

	if (argc)
		return cmd_misuse(err,
				  "unexpected argument '%s'; use -B to name an instance", argv[0]);
	a->t.all_means_top = true;
	ret = ask(a, err);
	if (ret <= 0)
		return ret < 0 ? ret : 1;
	return targets_for_each(&a->t, clear, NULL, err);
}

const struct cmd cmd_clear = {
	.name      = "clear",
	.summary   = "empty the kernel's buffers and keep all settings",
	.examples  = "  ktrail clear             the top-level buffer\n"
		     "  ktrail clear -a          all buffers\n",
	.opts      = opts,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
	.run       = run,
	.fini      = targets_fini,
};
