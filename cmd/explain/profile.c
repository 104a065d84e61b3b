/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile.c - `ktrail profile`: where tasks spend their time while a command runs */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/analysis.h>

#include "cmd/args/choose.h"
#include "cmd/args/input.h"
#include "cmd/args/output.h"
#include "cmd/args/rules.h"
#include "cmd/print/pager.h"
#include "cmd/print/safe.h"
#include "cmd/record/setup_profile.h"
#include "cmd/record/stream.h"
#include "cmd/style.h"
#include "profile_functions.h"
#include "profile_print.h"

struct args {
	struct stream_args stream;	/* first: SETUP_OPTS */
	struct function_profile_args functions;
	struct profile_order order;	/* also used for functions */
	struct choose choose;		/* records to count: --time */
	const char *output;
	bool to_stderr;
};

static int take_window(void *args, const char *value, struct kt_err *err)
{
	return choose_take_window(&((struct args *)args)->choose, value, err);
}

static const struct cmd_opt opts[] = {
	SETUP_OPTS(RARE)
	SETUP_SESSION(RARE)
	SETUP_FLAG_('K', "no-reset", setup.keep_before, "do not clear the former settings", RARE),
	SETUP_HOOK_(),
	SETUP_DRY_RUN
	OPT_BOOL('G', "global-irqs", struct args, stream.s.profile.global_irqs,
		 "show interrupts by CPU, not by task"),
	OPT_BOOL(0, "by-comm", struct args, stream.s.profile.by_comm,
		"add tasks of one name together"),
	OPT_STR('o', "output", struct args, output, "file", "write the profile to this file"),
	OPT_BOOL(0, "stderr", struct args, to_stderr, "write the profile to stderr"),
	OPT_TIME(0, "duration", struct args, stream.duration_ns, "time",
		"stop after this time: 10s, 500ms"),
	OPT_CALL(0, "time", take_window, "from,until",
		 "only this window: +1s,+20ms; -10ms, to the end"),
	OPT_BOOL(0, "json", struct args, stream.json, "print JSON, as report --profile --json"),
	OPT_BOOL(0, "functions", struct args, functions.enabled,
		 "count function calls in the kernel instead"),
	OPT_STR(0, "sort", struct args, order.sort, "by",
		"total (default), count or hits, avg, max, name"),
	OPT_U64(0, "top", struct args, order.top, "n", "print only the first n rows"),
	OPT_END
};

static int put(const struct args *a, const struct str *s, struct kt_err *err)
{
	FILE *to = a->to_stderr ? stderr : stdout;
	bool ok;
	int code;

	if (a->output)
		to = fopen(a->output, "we");
	ok = to && fwrite(s->buf, 1, s->len, to) == s->len && fflush(to) == 0;
	code = errno;
	if (to && a->output)
		ok &= fclose(to) == 0;
	if (ok || (!a->output && code == EPIPE))
		return 0;
	return kt_err_set(err, -code, "cannot write %s: %s", a->output ? a->output : "the profile",
			  strerror(code));
}

static int profile(struct args *a, struct kt_trace *t, struct str *s, struct kt_err *err)
{
	const struct setup_args *setup = &a->stream.s;
	const struct kt_profile_opts o = {
		.global_irqs = setup->profile.global_irqs, .by_comm = setup->profile.by_comm,
		.hooks = setup->profile.hooks,
	};
	bool escape = !a->output && isatty(a->to_stderr ? STDERR_FILENO : STDOUT_FILENO);
	struct kt_profile *p = kt_profile_create(t, &o, err);
	int ret;

	if (!p)
		return err->code;
	ret = choose_run(t, &a->choose, 0, (struct kt_analysis *[]){ kt_profile_analysis(p) }, 1,
			 err);
	if (ret == 0 && !cmd_style->old_layout)
		ret = profile_sort(p, &a->order, err);
	if (ret < 0)
		goto out;
	if (a->stream.json)
		profile_json(p, s);
	else if (cmd_style->old_layout)
		profile_text(p, s, escape);
	else
		profile_table(p, s, escape, a->output || a->to_stderr ? 0 : pager_width());
	ret = s->failed ? -ENOMEM : 0;
out:
	kt_profile_destroy(p);
	return ret;
}

static int print(struct stream_args *stream, const char *path, struct kt_err *err)
{
	struct args *a = (struct args *)stream;
	struct kt_trace *t = input_open(path, err);
	struct str s = STR_INIT;
	int ret;

	if (!t)
		return kt_err_code(err, -ENOMEM);
	ret = choose_prepare(t, &a->choose, err);
	if (ret < 0)
		goto out;
	ret = profile(a, t, &s, err);
	if (ret == 0)
		ret = put(a, &s, err);
out:
	str_fini(&s);
	kt_trace_destroy(t);
	return ret;
}

static int run_functions(struct args *a, int argc, char **argv, struct kt_err *err)
{
	struct str s = STR_INIT;
	int status = profile_functions(&a->functions, &a->stream.s, a->stream.duration_ns,
				       a->stream.json, argc, argv, &s, err), ret = 0;

	if (status >= 0)
		ret = s.failed ? -ENOMEM : put(a, &s, err);
	str_fini(&s);
	return ret < 0 ? ret : status;
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	enum kt_profile_order by;
	struct args *a = args;
	int ret = a->output ? output_check_text(a->output, err) : 0;

	if (ret < 0)
		return ret;
	a->choose.command = "profile";
	a->functions.order = &a->order;
	if (!a->functions.enabled)
		ret = profile_check_order(&a->order, &by, err);
	if (ret < 0)
		return ret;
	if (a->functions.enabled)
		return run_functions(a, argc, argv, err);
	a->stream.s.profile.enabled = true;
	a->stream.done = print;
	ret = profile_add_events(&a->stream.s, err);
	return ret < 0 ? ret : stream_run(&a->stream, argc, argv, err);
}

static void fini(void *args)
{
	choose_fini(&((struct args *)args)->choose);
	setup_fini(args);
}

static const struct cmd_rule rules[] = {
	SETUP_NO_FILE_RULE(SETUP_FILE_WORDS_)
	SETUP_RULES
	{ .options = "output stderr", .alone = true },
	{ .options = "hook only-given global-irqs by-comm time R f T func-stack max-graph-depth v "
		     "O C b subbuf-size cpumask cmdlines-size c i k no-reset " SETUP_READER_WORDS_,
	  .without = "functions" },
	RULE_END
};

const struct cmd cmd_profile = {
	.name      = "profile",
	.summary   = "show where tasks spend their time while a command runs",
	.words     = "[<command> [<arg>…]]",
	.examples  = "  ktrail profile -F make                          what its tasks wait for\n"
		     "  ktrail profile -B auto --duration 5s --by-comm  the whole machine, by "
		     "name\n"
		     "  ktrail profile --functions -l 'vfs_*' make      how often, and how long\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct args),
	.init      = setup_init,
	.run       = run,
	.fini      = fini,
};
