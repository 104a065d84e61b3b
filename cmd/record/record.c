/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record.c - `ktrail record`: trace into a file */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/writer.h>

#include "base/escape.h"
#include "base/str.h"
#include "base/units.h"
#include "cmd/args/output.h"
#include "cmd/args/rules.h"
#include "cmd/style.h"
#include "record.h"
#include "view.h"

#define PID_FILE "/var/run/trace-cmd-record.pid"

static const struct cmd_opt opts[] = {
	SETUP_OPTS()
	SETUP_SESSION()
	SETUP_FLAG_('K', "no-reset", setup.keep_before, "do not clear the former settings", RARE),
	OPT_STR ('o', "output", struct record_args, output, "file",
		 "write here instead of trace.dat; - is stdout"),
	OPT_TIME(0, "duration", struct record_args, duration_ns, "time",
		 "stop after this time: 10s, 500ms"),
	OPT_SIZE(0, "max-file-size", struct record_args, max_file_size, "size",
		 "stop when the file has this size: 2G", RARE),
	OPT_U64 ('m', NULL, struct record_args, max_kb, "kb", "keep only the last KiB of each CPU",
		 RARE),
	OPT_STR (0, "compression", struct record_args, compression, "method",
		 "any, none, zlib, zstd, optionally a level: zstd:9", RARE),
	OPT_INT (0, "file-version", struct record_args, file_version, "n",
		 "6 or 7 (default)", RARE),
	OPT_STR (0, "kallsyms", struct record_args, kallsyms, "which",
		"store these symbols: used, all or none", RARE),
	OPT_BOOL(0, "hide-threads", struct record_args, hide_threads,
		 "omit the events of the recorder's own threads", RARE),
	OPT_BOOL('V', "view", struct record_args, view,
		"open the recording in the viewer at the end", RARE),
	OPT_BOOL(0, "daemonize", struct record_args, daemonize, "continue in the background", RARE),
	SETUP_PROFILE
	SETUP_DRY_RUN
	OPT_BOOL('G', "global-irqs", struct record_args, s.profile.global_irqs, NULL),
	OPT_BOOL(0, "by-comm", struct record_args, s.profile.by_comm, NULL),
	OPT_STR (0, "temp", struct record_args, temp, "dir", NULL),
	OPT_END
};

static int parse_rec_opts(const struct record_args *a, struct kt_rec_opts *o, struct kt_err *err)
{
	static const char *const which[] = { "used", "all", "none" };
	size_t i;

	*o = (struct kt_rec_opts){
		.version = a->file_version, .compression = a->compression,
		.all_formats = a->s.all_formats, .busy = a->s.poll, .no_splice = a->s.nosplice,
		.rt_priority = setup_rt_priority(&a->s), .max_kb_per_cpu = a->max_kb,
		.max_bytes = a->max_file_size, .keep_old = !cmd_style->replaces,
		.wake_for_all = a->s.sleep_us == 0,
		.interval_us = a->s.sleep_us == UINT64_MAX ? 0 : a->s.sleep_us,
	};
	if (kt_writer_check(a->file_version, a->compression, err) < 0)
		return CMD_MISUSE;
	for (i = 0; i < 3 && a->kallsyms; i++) {
		o->kallsyms = (enum kt_rec_kallsyms)i;
		if (strcmp(a->kallsyms, which[i]) == 0)
			return 0;
	}
	return a->kallsyms ? cmd_misuse(err, "--kallsyms %s: use used, all or none", a->kallsyms)
			   : 0;
}

struct status {
	struct kt_rec *rec;
	const char *output;
	uint64_t told;			/* lost events that were reported */
};

/* A line on the terminal that is updated each second */
static int show_status(void *data, uint64_t since_ns, struct kt_err *err)
{
	const struct status *status = data;
	struct kt_rec_stats s;
	char raw[32], file[32];

	if (kt_rec_stats(status->rec, &s, err) < 0)
		return err->code;
	fprintf(stderr,
		"\r%s: %" PRIu64 " s, %s recorded, %s on disk, %" PRIu64 " events lost\033[K",
		status->output, since_ns / 1000000000, units_format_size(s.raw_bytes, raw),
		units_format_size(s.file_bytes, file), s.lost + s.dropped);
	fflush(stderr);
	return 0;
}

/*
 * The command uses the terminal: print a line when events are lost, and when their number has
 * doubled
 */
static int show_lost(void *data, uint64_t since_ns, struct kt_err *err)
{
	struct status *status = data;
	struct kt_rec_stats s;

	if (kt_rec_stats(status->rec, &s, err) < 0)
		return err->code;
	if (s.lost + s.dropped < 2 * status->told + 1)
		return 0;
	status->told = s.lost + s.dropped;
	fprintf(stderr,
		"%s: %" PRIu64 " events lost so far, %" PRIu64 " s; a larger buffer (-b) helps\n",
		status->output, status->told, since_ns / 1000000000);
	return 0;
}

static int add_options(struct record_args *a, struct kt_rec *rec, const struct str *maps,
		       struct kt_err *err)
{
	const struct setup_args *s = &a->s;
	int ret;

	ret = s->date ? record_add_date(rec, record_first_instance(&a->s.setup), err) : 0;
	if (ret < 0)
		return ret;
	ret = s->ts_offset ? record_add_offset(rec, s->ts_offset, err) : 0;
	if (ret < 0)
		return ret;
	ret = s->tsc2nsec ? record_add_tsc2nsec(rec, err) : 0;
	if (ret < 0)
		return ret;
	ret = profile_add_options(&s->profile, rec, err);
	return ret < 0 ? ret : record_add_maps(rec, maps, err);
}

static void read_maps(const struct record_args *a, const struct child *c, struct str *maps)
{
	const char *pids = a->s.setup.pids;
	char *end;
	long pid;

	if (!a->s.proc_map)
		return;
	if (c->pid > 0)
		record_read_maps(maps, c->pid);
	for (; pids && *pids; pids = end + strspn(end, ", ")) {
		pid = strtol(pids, &end, 10);
		if (end == pids)
			break;
		if (pid != c->pid)
			record_read_maps(maps, (pid_t)pid);
	}
}

/* Tracing is set up and the readers are waiting: start it, until something ends it */
static int trace(struct record_args *a, struct recording *r, struct kt_err *err)
{
	struct record_wait *w = &r->wait;
	struct status status = { .rec = w->rec, .output = a->shown };
	bool on_tty = !a->s.quiet && isatty(STDERR_FILENO), alone = r->child.pid < 0;
	struct str maps = STR_INIT;
	int ret, end;

	w->output = a->output;
	w->duration_ns = a->duration_ns;
	if (on_tty)
		w->tick = alone ? show_status : show_lost;
	w->tick_data = &status;
	w->tick_ns = 1000000000;
	ret = recording_go(r, err);
	if (ret == 0 && a->daemonize)
		ret = daemon_ready(&a->daemon, err);
	if (ret < 0)
		return ret;
	if (r->child.pid < 0 && !a->s.quiet && !a->duration_ns && !w->pids && !a->daemonize) {
		printf("Hit Ctrl^C to stop recording\n");
		fflush(stdout);
	}
	read_maps(a, &r->child, &maps);
	end = record_wait(w, err);
	if (on_tty && alone)
		fprintf(stderr, "\r\033[K");
	ret = kt_setup_stop(&a->s.setup, end < 0 ? NULL : err);
	if (kt_rec_stop(w->rec, ret < 0 || end < 0 ? NULL : err) < 0 && ret == 0)
		ret = err->code;
	if (add_options(a, w->rec, &maps, ret < 0 || end < 0 ? NULL : err) < 0 && ret == 0)
		ret = err->code;
	str_fini(&maps);
	return end < 0 ? end : ret;
}

/* A session may limit processes too; this is not checked. */
static bool is_whole_machine(const struct setup_args *s)
{
	return !s->only_command && !s->setup.pids && !s->session;
}

/* @ret: the result of the recording. The data stored before a failure is always kept. */
static int finish(struct record_args *a, struct kt_rec *rec, uint64_t ran_ns, int ret,
		  struct kt_err *err)
{
	struct kt_err first = *err, later = { 0 };
	int done = kt_rec_finish(rec, &later);

	if (done == 0)
		record_tell_end(rec, &(struct record_told){
			.output = a->pipe.dir ? "stdout" : a->output,
			.quiet = a->s.quiet, .ns = ran_ns,
			.whole = is_whole_machine(&a->s), .last_only = a->max_kb,
			.no_next = a->view || a->pipe.dir,
		});
	if (ret >= 0 && done >= 0)
		return 0;
	if (ret >= 0)
		first = later;
	kt_err_clear(err);
	if (done == 0)
		return kt_err_set(err, ret, "%s; the events until then are in %s",
				first.msg, a->output);
	return kt_err_set(err, first.code,
			  "%s; `%s report %s` reads it up to there, `%s restore %s` makes it a "
			  "complete file", first.msg,
					cmd_program, a->output, cmd_program, a->output);
}

static int record(struct record_args *a, struct recording *r, const struct kt_rec_opts *o,
		  struct kt_err *err)
{
	int ret = a->s.tsc2nsec ? record_add_tsc2nsec(NULL, err) : 0;

	if (ret == 0)
		ret = recording_begin(r, a->output, o, a->hide_threads, err);
	if (ret < 0)
		return ret;
	if (!a->s.quiet)
		record_tell_kept(r->wait.rec);
	ret = trace(a, r, err);
	ret = finish(a, r->wait.rec, r->wait.ran_ns, ret, err);
	kt_rec_destroy(r->wait.rec);
	return ret;
}

static int record_with(struct record_args *a, const struct kt_rec_opts *o, int argc, char **argv,
		       struct kt_err *err)
{
	struct recording r;
	int ret = recording_open(&r, &a->s, argc, argv, err);

	if (ret == 0)
		ret = record(a, &r, o, err);
	return recording_close(&r, ret, err);
}

static int check_pipe(struct record_args *a, struct kt_err *err)
{
	if (strcmp(a->output, "-") != 0)
		return 0;
	snprintf(a->shown, sizeof(a->shown), "stdout");
	if (a->view || a->daemonize)
		return cmd_misuse(err, "-o - excludes --view and --daemonize");
	return output_pipe_check(err);
}

/* All that can be refused before anything runs or changes */
static int check(struct record_args *a, struct kt_rec_opts *o, int argc, struct kt_err *err)
{
	int ret = a->view ? view_check(err) : 0;

	if (ret < 0)
		return ret;
	ret = check_pipe(a, err);
	if (ret < 0)
		return ret;
	ret = profile_add_events(&a->s, err);
	if (ret < 0)
		return ret;
	ret = setup_finish(&a->s, true, argc, err);
	return ret < 0 ? ret : parse_rec_opts(a, o, err);
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct record_args *a = args;
	struct kt_rec_opts o;
	int ret, status;

	kt_escape(a->shown, sizeof(a->shown), a->output, strlen(a->output));
	if (a->temp && !a->s.quiet && cmd_style->advises)
		fprintf(stderr,
			"%s record: --temp has no effect: all files are next to the output\n",
			cmd_program);
	if (a->view && cmd_style->old_words)	/* trace-cmd's -V is for guests */
		return kt_err_set(err, -ENOTSUP, "-V: recording by vsock is not supported");
	ret = check(a, &o, argc, err);
	if (ret < 0)
		return ret;
	if (a->s.setup.dry)
		return recording_show(&a->s, err);
	ret = a->daemonize ? daemon_fork(&a->daemon, PID_FILE, &status, err) : 0;
	if (ret)
		return ret < 0 ? ret : status;
	ret = output_pipe_begin(&a->pipe, &a->output, err);
	if (ret == 0)
		ret = record_with(a, &o, argc, argv, err);
	ret = output_pipe_end(&a->pipe, ret, err);
	if (ret < 0 || !a->view)
		return ret;
	status = view_open(a->output, err);
	return status < 0 ? status : ret;	/* otherwise the status of the command */
}

static int init(void *args)
{
	struct record_args *a = args;

	a->output = "trace.dat";
	a->daemon = (struct daemon)DAEMON_INIT;
	return setup_init(args);
}

static void fini(void *args)
{
	struct record_args *a = args;

	daemon_fini(&a->daemon);
	setup_fini(args);
}

static const struct cmd_rule rules[] = {
	SETUP_RULES
	SETUP_PROFILE_RULES
	{ .options = "view", .without = "daemonize dry-run" },
	{ .options = "G by-comm",
	  .never = "only changes how a profile is printed: use it with `report --profile`" },
	RULE_END
};

const struct cmd cmd_record = {
	.name = "record",
	.summary = "trace into a file",
	.words = "[<command> [<arg>…]]",
	.examples =
		"  ktrail record -e sched -e irq sleep 1         all CPUs, while the command runs\n"
		    "  ktrail record -F -e syscalls ls               only what ls does\n"
		    "  ktrail record -B auto -e block --duration 9s  in a buffer of its own\n"
		    "  ktrail record -p function_graph -g vfs_read -o graph.dat\n",
	.opts = opts,
	.rules = rules,
	.args_size = sizeof(struct record_args),
	.init = init,
	.run = run,
	.fini = fini,
};
