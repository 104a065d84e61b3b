/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start.c - `ktrail start`, `ktrail set`: make settings and leave them */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "rules.h"
#include "setup.h"
#include "setup_profile.h"
#include "style.h"

struct args {
	struct setup_args s;		/* first: SETUP_OPTS */
	bool fork;
};

static const struct cmd_opt start_opts[] = {
	SETUP_OPTS
	SETUP_SESSION
	SETUP_PROFILE
	SETUP_FLAG_('K', "no-reset", setup.keep_before, "do not clear what was set before"),
	OPT_BOOL(0, "fork", struct args, fork, "do not wait for the command's end"),
	SETUP_DRY_RUN
	OPT_END
};

static const struct cmd_opt set_opts[] = {
	SETUP_OPTS
	SETUP_SESSION
	SETUP_PROFILE
	SETUP_DRY_RUN
	OPT_END
};

static void report_missing(const struct setup_args *s)
{
	if (s->setup.nr_missing && !s->quiet)
		fprintf(stderr, "%s: %zu of the events are not in this kernel\n", cmd_program,
			s->setup.nr_missing);
}

/* Only the command's own process: known before it runs, so nothing of it is missed. */
static int trace_child(struct setup_args *s, const struct child *c, struct kt_err *err)
{
	char pid[16];

	if (!s->only_command)
		return 0;
	snprintf(pid, sizeof(pid), "%d", (int)c->pid);
	return kt_setup_add_pids(&s->setup.pids, pid) < 0 ?
		kt_err_set(err, -ENOMEM, "out of memory") : 0;
}

static int apply(struct args *a, bool start, struct child *c, struct kt_err *err)
{
	struct kt_setup *setup = &a->s.setup;
	int ret;

	ret = c->pid > 0 ? trace_child(&a->s, c, err) : 0;
	if (ret == 0)
		ret = setup_apply(&a->s, err);
	if (ret == 0 && start)
		ret = kt_setup_start(setup, err);
	if (ret == 0 && c->pid > 0)
		ret = child_go(c, err);
	if (ret == 0) {
		kt_setup_keep(setup);
		report_missing(&a->s);
	}
	return ret;
}

static int start_or_set(struct args *a, bool start, int argc, char **argv, struct kt_err *err)
{
	struct child c = CHILD_INIT;
	int ret;

	if (a->fork && !argc && !cmd_style->any_options)
		return cmd_misuse(err, "--fork is about the command to run, and there is none");
	ret = profile_add_events(&a->s, err);
	if (ret == 0)
		ret = setup_finish(&a->s, start, argc, err);
	if (ret == 0 && a->s.setup.dry) {
		ret = setup_show(&a->s, start, false, err);
		if (ret == 0)
			report_missing(&a->s);
		return ret;
	}
	if (ret == 0 && argc)
		ret = child_spawn(&c, argv, a->s.user, err);
	if (ret == 0)
		ret = apply(a, start, &c, err);
	if (ret < 0)
		kt_setup_close(&a->s.setup, err);
	if (ret == 0 && c.pid > 0 && !a->fork)
		ret = child_wait(&c);
	child_fini(&c);
	/* trace-cmd drops the status of the command, and scripts with `set -e` rely on it. */
	return ret > 0 && cmd_style->drops_status ? 0 : ret;
}

static int run_start(void *args, int argc, char **argv, struct kt_err *err)
{
	return start_or_set(args, true, argc, argv, err);
}

static int run_set(void *args, int argc, char **argv, struct kt_err *err)
{
	struct args *a = args;

	a->s.setup.keep_before = true;
	return start_or_set(a, false, argc, argv, err);
}

static const struct cmd_rule rules[] = {
	SETUP_RULES
	SETUP_PROFILE_RULES
	SETUP_NO_FILE_RULE(SETUP_FILE_WORDS_ " " SETUP_READER_WORDS_)
	RULE_END
};

const struct cmd cmd_start = {
	.name      = "start",
	.summary   = "trace into the kernel's buffers, without a file",
	.usage     = "[-p <tracer>] [-e <event> [-f <expr>] [-R <trigger>]]… [-B <instance> …] "
		     "[<options>] [<command> [<arg>…]]",
	.rare      = SETUP_RARE "profile hook only-given",
	.examples  = "  ktrail start -e sched -e irq          … then: ktrail show, ktrail stop\n"
		     "  ktrail start -B disk -e block -b 8M   in a buffer of its own\n"
		     "  ktrail start -p function_graph -g vfs_read\n",
	.opts      = start_opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.init      = setup_init,
	.run       = run_start,
	.fini      = setup_fini,
};

const struct cmd cmd_set = {
	.name      = "set",
	.summary   = "change settings and keep the others",
	.usage     = "[<options of start>] [<command> [<arg>…]]",
	.rare      = SETUP_RARE "profile hook only-given",
	.examples  =
		"  ktrail set -e timer             one more event, tracing on or off as it was\n"
		     "  ktrail set -v -e timer          keep it out again\n"
		     "  ktrail set -B disk -b 32M -C mono\n"
		     "  ktrail set -v -B disk           delete the instance\n",
	.opts      = set_opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.init      = setup_init,
	.run       = run_set,
	.fini      = setup_fini,
};
