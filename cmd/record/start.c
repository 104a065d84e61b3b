/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start.c - `ktrail start`, `ktrail set`: make settings that stay */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/args/rules.h"
#include "cmd/process/child.h"
#include "cmd/style.h"
#include "setup.h"
#include "setup_profile.h"

struct args {
	struct setup_args s;		/* first: SETUP_OPTS */
	bool fork;
};

static const struct cmd_opt start_opts[] = {
	SETUP_OPTS()
	SETUP_SESSION()
	SETUP_PROFILE
	SETUP_FLAG_('K', "no-reset", setup.keep_before, "do not clear the former settings", RARE),
	OPT_BOOL(0, "fork", struct args, fork, "do not wait for the command to end"),
	SETUP_DRY_RUN
	OPT_END
};

static const struct cmd_opt set_opts[] = {
	SETUP_OPTS()
	SETUP_SESSION()
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

static int apply(struct args *a, bool start, struct child *c, struct kt_err *err)
{
	struct kt_setup *setup = &a->s.setup;
	int ret;

	ret = setup_child(&a->s, c->pid, err);
	if (ret < 0)
		return ret;
	ret = setup_apply(&a->s, err);
	if (ret < 0)
		return ret;
	ret = start ? kt_setup_start(setup, err) : 0;
	if (ret < 0)
		return ret;
	ret = c->pid > 0 ? child_go(c, err) : 0;
	if (ret < 0)
		return ret;
	kt_setup_keep(setup);
	report_missing(&a->s);
	return 0;
}

/* Returns the status of the command, if there is one and it is waited for. */
static int run_with(struct args *a, bool start, struct child *c, char **argv, struct kt_err *err)
{
	int ret = *argv ? child_spawn(c, argv, a->s.user, err) : 0;

	if (ret == 0)
		ret = apply(a, start, c, err);
	if (ret < 0) {
		kt_setup_close(&a->s.setup, err);
		return ret;
	}
	return c->pid > 0 && !a->fork ? child_wait(c) : 0;
}

static int start_or_set(struct args *a, bool start, int argc, char **argv, struct kt_err *err)
{
	struct child c = CHILD_INIT;
	int ret;

	if (a->fork && !argc && !cmd_style->any_options)
		return cmd_misuse(err, "--fork needs a command to run");
	ret = profile_add_events(&a->s, err);
	if (ret == 0)
		ret = setup_finish(&a->s, start, argc, err);
	if (ret < 0) {
		kt_setup_close(&a->s.setup, err);
		return ret;
	}
	if (a->s.setup.dry) {
		ret = setup_show(&a->s, start, false, err);
		if (ret == 0)
			report_missing(&a->s);
		return ret;
	}
	ret = run_with(a, start, &c, argv, err);
	child_fini(&c);
	/* trace-cmd ignores the status of the command, and scripts with `set -e` rely on this. */
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
	SETUP_NO_FILE_RULE(SETUP_FILE_WORDS_ " " SETUP_READER_WORDS_)
	SETUP_RULES
	SETUP_PROFILE_RULES
	RULE_END
};

const struct cmd cmd_start = {
	.name      = "start",
	.summary   = "trace into the kernel's buffers, without a file",
	.words     = "[<command> [<arg>…]]",
	.examples  = "  ktrail start -e sched -e irq         then: ktrail show, ktrail stop\n"
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
	.words     = "[<command> [<arg>…]]",
	.examples  =
		"  ktrail set -e timer            add an event; tracing stays on or off\n"
		     "  ktrail set -v -e timer         remove it again\n"
		     "  ktrail set -B disk -b 32M -C mono\n"
		     "  ktrail set -v -B disk           delete the instance\n",
	.opts      = set_opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.init      = setup_init,
	.run       = run_set,
	.fini      = setup_fini,
};
