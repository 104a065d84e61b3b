/* SPDX-License-Identifier: GPL-2.0-or-later */
/* capture.c - `ktrail capture`: trace into memory, and save the time around a rare event */
#include "capture.h"

#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "cmd/args/rules.h"
#include "cmd/cmd.h"
#include "config.h"

extern const struct cmd cmd_capture;

/* Options of the command line alone, and with those of --config */
static struct words given, all;

static int take_when(void *args, const char *value, struct kt_err *err)
{
	struct capture_args *a = args;
	int ret = 0;

	if (a->when)
		ret = kt_when_add(a->when, value, err);
	else
		a->when = kt_when_parse(value, err);
	if (a->when && ret == 0)
		return 0;
	return kt_err_code(err, -ENOMEM) == -EINVAL ? CMD_MISUSE : err->code;
}

/* "3/hour", "10/5min" */
static int take_at_most(void *args, const char *value, struct kt_err *err)
{
	static const struct { const char *name, *time; } words[] = {
		{ "second", "1s" }, { "minute", "1m" }, { "hour", "1h" }, { "day", "1d" },
	};
	struct capture_args *a = args;
	const char *time;
	char *end, one[16];
	unsigned long nr = strtoul(value, &end, 10);
	size_t i;

	time = *end == '/' ? end + 1 : "";
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(words[i].name, time) == 0)
			time = words[i].time;
	if (strlen(time) < 4 && strspn(time, "0123456789") == 0) {
		snprintf(one, sizeof(one), "1%s", time);
		time = one;
	}
	if (*value == '-' || !nr || nr > 100000 || strcmp(time, "1") == 0 ||
	    units_parse_time(time, 0, &a->o.at_most_ns, NULL) < 0 || !a->o.at_most_ns)
		return cmd_misuse(err, "--at-most '%s': a number and a time are expected, as in "
				  "3/hour or 10/5min", value);
	a->o.at_most = (unsigned int)nr;
	return 0;
}

static int take_group(void *args, const char *value, struct kt_err *err)
{
	struct capture_args *a = args;
	const struct group *g = getgrnam(value);

	if (!g)
		return cmd_misuse(err, "no group '%s'", value);
	a->o.group = g->gr_gid;
	return 0;
}

static int take_status(void *args, const char *value, struct kt_err *err)
{
	struct capture_args *a = args;

	(void)err;
	a->status = true;
	a->status_of = value;
	return 0;
}

static const struct cmd_opt opts[] = {
	OPT_CALL(0, "when", take_when, "condition", "save a window when this holds; repeatable"),
	OPT_TIME(0, "before", struct capture_args, o.before_ns, "time",
		 "save this much before it, default 50ms"),
	OPT_TIME(0, "after", struct capture_args, o.after_ns, "time",
		 "save this much after it, default 10ms"),
	OPT_STR ('o', "output", struct capture_args, o.prefix, "name",
		 "files are NAME-0001.dat …, default capture"),
	OPT_U64 (0, "keep", struct capture_args, o.keep, "n", "keep only the last n files"),
	OPT_SIZE(0, "max-disk", struct capture_args, o.max_disk, "size",
		 "keep only files of this size together"),
	OPT_SIZE(0, "min-free", struct capture_args, o.min_free, "size",
		 "save nothing on a disk with less free", RARE),
	OPT_BOOL(0, "dedupe", struct capture_args, o.dedupe,
		 "count captures that are alike, keep the first"),
	OPT_U64 (0, "count", struct capture_args, o.count, "n", "end after n captures"),
	OPT_CALL(0, "at-most", take_at_most, "n/time", "save no more: 3/hour"),
	OPT_TIME(0, "duration", struct capture_args, duration_ns, "time", "end after this time",
		 RARE),
	OPT_STR (0, "metrics", struct capture_args, metrics, "file",
		 "write its status for Prometheus into this file", RARE),
	OPT_CALL(0, "group", take_group, "group", "its members may use --now and --status",
		 RARE),
	OPT_BOOL(0, "explain", struct capture_args, explain,
		 "print where each condition is evaluated, and why"),
	OPT_STR (0, "config", struct capture_args, config, "file",
		 "take options from this file, too"),
	OPT_STR (0, "now", struct capture_args, now, "name",
		 "make 'now NAME' of a running capture true"),
	OPT_CALL_OPTIONAL(0, "status", take_status, "name", "what do running captures do?"),
	OPT_BOOL(0, "json", struct capture_args, json, "with --status: as JSON", RARE),
	OPT_BOOL(0, "prometheus", struct capture_args, prometheus, "with --status: for Prometheus",
		 RARE),
	SETUP_FLAG_('q', "quiet", quiet, "do not print status lines", RARE),
#define NR_OWN 20			/* these can change while the ring goes on; others cannot */
	OPT_SIZE(0, "memory", struct capture_args, o.memory, "size",
		 "largest size of the ring, default 64M", RARE),
	SETUP_TRACE_OPTS(RARE)
	SETUP_SESSION(RARE)
	OPT_END
};

/* All conditions use one clock, so it is chosen here. */
/* Options before a -B belong to another buffer. */
static bool has_one_buffer(const struct kt_setup *s)
{
	size_t i, nr = 0;

	for (i = 0; i < s->nr_buffers; i++)
		nr += s->buffers[i]->used;
	return nr <= 1;
}

static int check(struct capture_args *a, int argc, struct kt_err *err)
{
	const char *clock = kt_state_value(&a->s.cur->wish, "trace_clock");

	if (!a->when)
		return cmd_misuse(err, "--when is missing: the condition that saves a window");
	if (clock && strcmp(clock, "mono") != 0)
		return cmd_misuse(err, "-C %s: captures use the clock mono", clock);
	if (!has_one_buffer(&a->s.setup))
		return cmd_misuse(err, "-B: a capture has one buffer, so its name comes first");
	if (kt_state_value(&a->s.cur->wish, "buffer_size_kb"))
		return cmd_misuse(err, "-b: the size of the ring follows the rate of events; "
				  "--memory is its bound");
	return kt_setup_set(a->s.cur, "trace_clock", "mono") < 0 ?
	       kt_err_no_memory(err) : setup_finish(&a->s, true, argc, err);
}

/* The ring is an instance of its own, unless -B names one. */
static int init(void *args)
{
	struct capture_args *a = args;
	int ret = setup_init(args);

	a->o.prefix = "capture";
	a->o.before_ns = 50000000;
	a->o.after_ns = 10000000;
	if (ret < 0)
		return ret;
	a->s.cur = kt_setup_buffer(&a->s.setup, "auto");
	return a->s.cur ? 0 : -ENOMEM;
}

void capture_free_words(struct words *w)
{
	free(w->argv);
	free(w->trace);
	*w = (struct words){ 0 };
}

static void fini(void *args)
{
	struct capture_args *a = args;

	kt_when_destroy(a->when);
	setup_fini(args);
	capture_free_words(&a->words);
	capture_free_words(&a->later);
}

/* ---- options read again at SIGHUP ---- */

void capture_free_args(struct capture_args *a)
{
	if (a)
		fini(a);
	free(a);
}

/* @words: taken, even on failure */
static struct capture_args *parse(struct words words, struct kt_err *err)
{
	struct capture_args *a = calloc(1, sizeof(*a));
	struct opts_given seen = { 0 };

	if (!a || init(a) < 0) {
		capture_free_words(&words);
		capture_free_args(a);
		kt_err_no_memory(err);
		return NULL;
	}
	a->words = words;
	if (opts_parse(opts, a, words.argc, words.argv, false, &seen, err) >= 0 &&
	    rules_check(&cmd_capture, &seen, NULL, false, err) == 0 && check(a, 0, err) == 0)
		return a;
	capture_free_args(a);
	return NULL;
}

static char **expand(int *argc, char **argv, struct kt_err *err)
{
	given = (struct words){ .argc = *argc, .argv = argv };
	all.argv = config_expand(&cmd_capture, argc, argv, NR_OWN, &all.trace, err);
	all.argc = *argc;
	return all.argv;
}

/* The caller of expand() owns its words. */
static int keep_words(struct capture_args *a, struct kt_err *err)
{
	size_t size = ((size_t)all.argc + 1) * sizeof(*all.argv);

	a->words = all;
	a->words.argv = malloc(size);
	if (!a->words.argv)
		return kt_err_no_memory(err);
	memcpy(a->words.argv, all.argv, size);
	return 0;
}

struct capture_args *capture_reread(struct kt_err *err)
{
	struct words w = { .argc = given.argc };

	w.argv = config_expand(&cmd_capture, &w.argc, given.argv, NR_OWN, &w.trace, err);
	return w.argv ? parse(w, err) : NULL;
}

/* ---- */

static int set_up_and_watch(struct watching *w, struct kt_err *err)
{
	struct setup_args *s = &w->args->s;
	int ret = setup_child(s, w->recording->child.pid, err);

	if (ret < 0)
		return ret;
	ret = setup_apply(s, err);
	return ret < 0 ? ret : capture_watch(w, err);
}

static int record(struct capture_args *a, int argc, char **argv, struct watching *w,
		  struct kt_err *err)
{
	struct recording r;
	int ret = recording_open(&r, &a->s, argc, argv, err);

	*w = (struct watching){ .args = a, .recording = &r };
	if (ret == 0)
		ret = set_up_and_watch(w, err);
	return recording_close(&r, ret, err);
}

/* Move the content of @n to @a and free @n; returns the words of @a. */
static struct words replace(struct capture_args *a, struct capture_args *n)
{
	struct words *of = a->later.argv ? &a->later : &a->words, words = *of;
	struct capture_args old;

	*of = (struct words){ 0 };
	old = *a;
	*a = *n;
	*n = old;
	capture_free_args(n);
	return words;
}

/*
 * Runs until it ends. If the file of --config changes the events, the ring is set up again; if
 * that fails, with its former events.
 */
static int record_on(struct capture_args *a, int argc, char **argv, struct kt_err *err)
{
	struct words former = { 0 };
	struct capture_args *n;
	struct watching w;
	int ret;

	for (;;) {
		ret = record(a, argc, argv, &w, err);
		n = w.next;
		if (n) {
			capture_tell(a, "%s: the traced events have changed; the ring starts empty",
				     a->config);
			capture_free_words(&former);
			former = replace(a, n);
			continue;
		}
		if (w.armed || !former.argv)
			break;
		capture_tell(a, "%s; the former events are traced again", err->msg);
		kt_err_clear(err);
		n = parse(former, err);
		former = (struct words){ 0 };
		if (!n)
			return kt_err_code(err, -EINVAL);
		former = replace(a, n);
		capture_free_words(&former);
	}
	capture_free_words(&former);
	return ret;
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct capture_args *a = args;
	int ret;

	if (a->now)
		return kt_capture_now(a->now, argc ? argv[0] : NULL, err);
	if (a->status)
		return argc ? cmd_misuse(err, "for one capture: --status=%s", argv[0])
			    : capture_status(a, err);
	if (a->explain && a->when)
		return capture_explain(a->when);
	if (a->when)
		capture_recover(a);
	ret = check(a, argc, err);
	if (ret == 0 && a->config)
		ret = keep_words(a, err);
	return ret < 0 ? ret : record_on(a, argc, argv, err);
}

static const struct cmd_rule rules[] = {
	{ .options = "module", .with = "l n g" },
	{ .options = "now", .without = "when explain status" },
	{ .options = "status", .without = "when explain" },
	{ .options = "json prometheus", .with = "status" },
	{ .options = "json prometheus", .alone = true },
	{ .options = "explain", .with = "when" },
	RULE_END
};

const struct cmd cmd_capture = {
	.name = "capture",
	.summary = "trace into memory, and save the events around a rare event",
	.words = "[<command> [<arg>…]]",
	.examples =
		"  ktrail capture -e sched -e irq --when 'wakeup comm==rt-app > 500us'\n"
		"  ktrail capture -e sched --when 'line app.log ~ missed' --at-most 3/hour\n"
		"  ktrail capture -e syscalls --when 'exit != 0 or death' ./app\n"
		"  ktrail capture --when 'psi io full > 20%' --explain\n"
		"  ktrail capture --status\n",
	.opts = opts,
	.rules = rules,
	.args_size = sizeof(struct capture_args),
	.expand = expand,
	.init = init,
	.run = run,
	.fini = fini,
};
