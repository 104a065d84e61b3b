/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stream.c - `ktrail stream`: print events as they happen */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/rec.h>
#include <ktrail/text.h>
#include <ktrail/trace.h>

#include "base/str.h"
#include "cmd/args/rules.h"
#include "stream.h"

/*
 * An unfinished recording can be read like any file. So this records into a temporary file and
 * repeatedly prints its latest window; the printed part is freed.
 */
static const struct cmd_opt opts[] = {
	SETUP_OPTS()
	SETUP_SESSION()
	SETUP_PROFILE
	SETUP_DRY_RUN
	SETUP_FLAG_('K', "no-reset", setup.keep_before, "do not clear the former settings", RARE),
	OPT_TIME(0, "duration", struct stream_args, duration_ns, "time",
		 "stop after this time: 10s, 500ms"),
	OPT_BOOL('t', "nanoseconds", struct stream_args, nanoseconds, "print times in nanoseconds"),
	OPT_BOOL(0, "json", struct stream_args, json,
		"print one object per event, as report --json"),
	OPT_END
};

static int put(void *data, const char *text, size_t len)
{
	struct stream_args *a = data;

	if (fwrite(text, 1, len, stdout) == len)
		return 0;
	a->closed = true;
	return -EPIPE;
}

/* The recording in its current state; its stream is positioned where the last window ended. */
static int refresh(struct stream_args *a, struct kt_err *err)
{
	int ret;

	if (a->trace) {
		ret = kt_trace_refresh(a->trace, err);
		return ret > 0 ? kt_trace_reopen(a->trace, err) : ret;
	}
	a->trace = kt_trace_create();
	if (!a->trace)
		return kt_err_no_memory(err);
	return kt_trace_add(a->trace, a->path, NULL, err);
}

/* Print the events since the last time up to @until */
static int print_window(struct stream_args *a, uint64_t until, struct kt_err *err)
{
	struct kt_text_opts o = {
		.json = a->json, .nanoseconds = a->nanoseconds, .escape = isatty(STDOUT_FILENO),
	};
	struct kt_text *x = NULL;
	int ret = refresh(a, err);

	if (ret == 0) {
		x = kt_text_create(a->trace, NULL, &o, err);
		ret = x ? kt_text_run(x, until, put, a, err) : -ENOMEM;
	}
	if (ret == 0)
		ret = kt_trace_note_read(a->trace, until, err);
	kt_text_destroy(x);
	if (fflush(stdout) != 0)
		a->closed = true;
	return ret < 0 && a->closed ? 0 : ret;
}

/* After a sync, the file has all events that are older than now, of every CPU */
static int tick(void *data, uint64_t since_ns, struct kt_err *err)
{
	struct stream_args *a = data;
	int64_t now = kt_instance_now(record_first_instance(&a->s.setup));
	int ret = kt_rec_sync(a->rec, err);

	(void)since_ns;
	if (ret < 0 || now < 0)
		return ret;
	ret = print_window(a, (uint64_t)now, err);
	return a->closed ? -EPIPE : ret;
}

static int trace(struct stream_args *a, struct recording *r, struct kt_err *err)
{
	uint64_t sleep_us = a->s.sleep_us == UINT64_MAX ? 500000 : a->s.sleep_us;
	int ret, end;

	r->wait.duration_ns = a->duration_ns;
	r->wait.tick = a->done ? NULL : tick;
	r->wait.tick_data = a;
	r->wait.tick_ns = (sleep_us < 10000 ? 10000 : sleep_us) * 1000;
	ret = recording_go(r, err);
	if (ret < 0)
		return ret;
	end = record_wait(&r->wait, err);
	ret = kt_setup_stop(&a->s.setup, end < 0 ? NULL : err);
	if (a->closed) {
		kt_err_clear(err);
		return 0;
	}
	if (end < 0 || ret < 0)
		return end < 0 ? end : ret;
	ret = kt_rec_stop(a->rec, err);
	if (ret < 0)
		return ret;
	return a->done ? a->done(a, a->path, err) : print_window(a, UINT64_MAX, err);
}

static void say_lost(const struct stream_args *a)
{
	struct kt_rec_stats s;

	if (kt_rec_stats(a->rec, &s, NULL) == 0 && s.lost + s.dropped)
		fprintf(stderr, "%llu events lost\n", (unsigned long long)(s.lost + s.dropped));
}

static int make_dir(struct stream_args *a, struct kt_err *err)
{
	a->dir = kt_temp_open("/tmp", "ktrail-stream", err);
	if (!a->dir)
		return err->code;
	snprintf(a->path, sizeof(a->path), "%s/trace.dat", kt_temp_path(a->dir));
	return 0;
}

static int stream(struct stream_args *a, struct recording *r, struct kt_err *err)
{
	struct kt_rec_opts o = {
		.compression = "none", .kallsyms = KT_REC_KALLSYMS_ALL, .follow = true,
		.all_formats = a->s.all_formats, .no_splice = a->s.nosplice, .busy = a->s.poll,
		.rt_priority = setup_rt_priority(&a->s),
	};
	int ret = make_dir(a, err);

	if (ret < 0)
		return ret;
	ret = recording_begin(r, a->path, &o, true, err);
	if (ret < 0)
		return ret;
	a->rec = r->wait.rec;
	ret = trace(a, r, err);
	if (ret == 0)
		say_lost(a);
	return ret;
}

int stream_run(struct stream_args *a, int argc, char **argv, struct kt_err *err)
{
	struct recording r;
	int ret = setup_finish(&a->s, true, argc, err);

	if (ret == 0 && a->s.setup.dry)
		return recording_show(&a->s, err);
	if (ret < 0)
		return ret;
	a->s.own_stdout = a->json;
	ret = recording_open(&r, &a->s, argc, argv, err);
	if (ret == 0)
		ret = stream(a, &r, err);
	kt_rec_discard(a->rec);
	kt_trace_destroy(a->trace);
	kt_temp_close(a->dir);
	return recording_close(&r, ret, err);
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	int ret = profile_add_events(args, err);

	return ret < 0 ? ret : stream_run(args, argc, argv, err);
}

static const struct cmd_rule rules[] = {
	SETUP_NO_FILE_RULE(SETUP_FILE_WORDS_)
	SETUP_RULES
	SETUP_PROFILE_RULES
	RULE_END
};

const struct cmd cmd_stream = {
	.name      = "stream",
	.summary   = "print events as they happen",
	.words     = "[<command> [<arg>…]]",
	.examples  = "  ktrail stream -B auto -e sched:sched_process_exec\n"
		     "  ktrail stream -F -e syscalls --json ls\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct stream_args),
	.init      = setup_init,
	.run       = run,
	.fini      = setup_fini,
};
