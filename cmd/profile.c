/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile.c - `ktrail profile`: where tasks spend their time, while a command runs */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/profile.h>

#include "choose.h"
#include "output.h"
#include "pager.h"
#include "profile_functions.h"
#include "profile_print.h"
#include "rules.h"
#include "safe.h"
#include "setup_profile.h"
#include "stream.h"
#include "style.h"

struct args {
	struct stream_args stream;	/* first: SETUP_OPTS */
	struct function_profile_args functions;
	struct profile_order order;	/* functions use it, too */
	struct choose choose;		/* of what was recorded: --time */
	const char *output;
	bool to_stderr;
};

static int take_window(void *args, const char *value, struct kt_err *err)
{
	return choose_take_window(&((struct args *)args)->choose, value, err);
}

static const struct cmd_opt opts[] = {
	SETUP_OPTS
	SETUP_SESSION
	SETUP_FLAG_('K', "no-reset", setup.keep_before, "do not clear what was set before"),
	SETUP_HOOK_,
	SETUP_DRY_RUN
	OPT_BOOL('G', "global-irqs", struct args, stream.s.profile.global_irqs,
		 "interrupts by CPU, not by task"),
	OPT_BOOL(0, "by-comm", struct args, stream.s.profile.by_comm, "tasks of one name together"),
	OPT_STR('o', "output", struct args, output, "file", "write the profile here"),
	OPT_BOOL(0, "stderr", struct args, to_stderr, "write it to stderr"),
	OPT_TIME(0, "duration", struct args, stream.duration_ns, "time", "stop after so long: 10s"),
	OPT_CALL(0, "time", take_window, "from,until",
		 "only this window: +1s,+20ms, -10ms, (from the end)"),
	OPT_BOOL(0, "json", struct args, stream.json, "as report --profile --json"),
	OPT_BOOL(0, "functions", struct args, functions.enabled,
		 "count calls of functions instead, in the kernel"),
	OPT_STR(0, "sort", struct args, order.sort, "by",
		"total (default), count or hits, avg, max, name"),
	OPT_U64(0, "top", struct args, order.top, "n", "only the first n rows of all tasks"),
	OPT_END
};

static int put(const struct args *a, const struct str *s, struct kt_err *err)
{
	FILE *to = a->output ? fopen(a->output, "we") : a->to_stderr ? stderr : stdout;
	bool ok = to && fwrite(s->buf, 1, s->len, to) == s->len && fflush(to) == 0;
	int code = errno;

	if (to && a->output)
		ok &= fclose(to) == 0;
	return ok || (!a->output && code == EPIPE) ? 0 :
	       kt_err_set(err, -code, "cannot write %s: %s", a->output ? a->output : "the profile",
			  strerror(code));
}

static int print(struct stream_args *stream, const char *path, struct kt_err *err)
{
	struct args *a = (struct args *)stream;
	const struct kt_profile_opts o = {
		.global_irqs = a->stream.s.profile.global_irqs,
			.by_comm = a->stream.s.profile.by_comm,
		.hooks = a->stream.s.profile.hooks,
	};
	bool escape = !a->output && isatty(a->to_stderr ? STDERR_FILENO : STDOUT_FILENO);
	struct kt_trace *t = kt_trace_create();
	struct kt_profile *p = NULL;
	struct str s = STR_INIT;
	int ret = t ? kt_trace_add(t, path, NULL, err) : -ENOMEM;

	if (ret == 0)
		ret = choose_prepare(t, &a->choose, err);
	if (ret == 0) {
		p = kt_profile_create(t, &o, err);
		ret = p ? choose_run(t, &a->choose, 0,
				     (struct kt_analysis *[]){ kt_profile_analysis(p) }, 1, err)
			: err->code;
	}
	if (ret == 0 && !cmd_style->old_layout)
		ret = profile_sort(p, &a->order, err);
	if (ret == 0 && stream->json)
		profile_json(p, &s);
	else if (ret == 0 && cmd_style->old_layout)
		profile_text(p, &s, escape);
	else if (ret == 0)
		profile_table(p, &s, escape, a->output || a->to_stderr ? 0 : pager_width());
	if (ret == 0)
		ret = s.failed ? -ENOMEM : put(a, &s, err);
	str_fini(&s);
	kt_profile_destroy(p);
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
	SETUP_RULES
	SETUP_NO_FILE_RULE(SETUP_FILE_WORDS_)
	{ .options = "output stderr", .alone = true },
	{ .options = "hook only-given global-irqs by-comm time R f T func-stack max-graph-depth v "
		     "O C b subbuf-size cpumask cmdlines-size c i k no-reset " SETUP_READER_WORDS_,
	  .without = "functions" },
	RULE_END
};

const struct cmd cmd_profile = {
	.name      = "profile",
	.summary   = "show where tasks spend their time while a command runs",
	.usage     = "[-S] [-G] [-H <hook>]… [-p <tracer>] [-e <event>]… [-B <instance>] "
		     "[-o <file>] [--functions] [<options>] [<command> [<arg>…]]",
	.rare      = SETUP_RARE "filter trigger notrace graph T option clock buffer-size keep "
				"quiet session",
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
