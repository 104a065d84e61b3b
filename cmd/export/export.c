/* SPDX-License-Identifier: GPL-2.0-or-later */
/* export.c - `ktrail export`: a recording in the formats of other programs */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ktrail/export.h>

#include "base/str.h"
#include "base/units.h"
#include "cmd/args/choose.h"
#include "cmd/args/input.h"
#include "cmd/args/output.h"
#include "cmd/args/rules.h"
#include "cmd/cmd.h"
#include "cmd/print/columns.h"
#include "cmd/print/progress.h"

struct args {
	struct choose choose;		/* first: CHOOSE_OPTS */
	const char *input, *to, *output, *fields;
	bool force;
	struct kt_export_opts opts;
	struct kt_names columns;
};

static const struct cmd_opt opts[] = {
	OPT_STR ('i', "input", struct args, input, "file", "read this file instead of trace.dat"),
	OPT_STR (0, "to", struct args, to, "format", "`--to help` lists the formats"),
	OPT_STR ('o', "output", struct args, output, "file",
		 "write to this file; .gz and .zst compress"),
	OUTPUT_FORCE(struct args, force),
	OPT_STR (0, "fields", struct args, fields, "list",
		 "csv: these columns: time,comm,event,next_pid"),
	OPT_U64 (0, "limit", struct args, opts.pass.limit, "n", "stop after this many events",
		 RARE),
	OPT_BOOL(0, "wall", struct args, opts.wall,
		 "csv, ndjson, trace-text: local date and time of day", RARE),
	CHOOSE_OPTS
	OPT_END
};

/* ---- the format and its file ---- */

static int list_formats(struct kt_err *err)
{
	struct columns c = { .head = "FORMAT|FILE|WHAT IT IS, AND WHAT READS IT" };
	const struct kt_export_format *f;
	size_t i;

	for (i = 0; (f = kt_export_format(i)); i++) {
		columns_add(&c, f->name);
		columns_add(&c, f->flags & KT_EXPORT_FOLDER ? "a folder" : f->ending);
		columns_add(&c, f->summary);
	}
	return columns_print(&c, NULL) < 0 ? kt_err_no_memory(err) : 0;
}

static int no_format(const char *name, struct kt_err *err)
{
	const struct kt_export_format *f;
	struct str s = STR_INIT;
	size_t i;

	for (i = 0; (f = kt_export_format(i)); i++)
		str_addf(&s, "%s%s", i ? " " : "", f->name);
	cmd_misuse(err, *name ? "no format '%s', only: %s" : "--to%s names the format: %s", name,
		   s.buf);
	str_fini(&s);
	return CMD_MISUSE;
}

/* The compression that the ending of a name asks for; removes it from @len */
static enum kt_export_packing packing_of(const char *name, size_t *len)
{
	if (str_ends(name, ".gz")) {
		*len -= 3;
		return KT_EXPORT_GZIP;
	}
	if (str_ends(name, ".zst")) {
		*len -= 4;
		return KT_EXPORT_ZSTD;
	}
	return KT_EXPORT_PLAIN;
}

static const struct kt_export_format *format_of(const char *name, size_t len)
{
	const struct kt_export_format *f;
	size_t i, end;

	for (i = 0; (f = kt_export_format(i)); i++) {
		end = strlen(f->ending);
		if (end && end < len && memcmp(name + len - end, f->ending, end) == 0)
			return f;
	}
	return NULL;
}

static int choose_format(struct args *a, struct kt_err *err)
{
	size_t len = a->output ? strlen(a->output) : 0;

	if (a->output)
		a->opts.packing = packing_of(a->output, &len);
	if (a->to)
		a->opts.format = kt_export_find(a->to);
	else if (a->output)
		a->opts.format = format_of(a->output, len);
	if (!a->opts.format)
		return no_format(a->to ? a->to : "", err);
	if (!a->output && a->opts.format->flags & KT_EXPORT_PATH)
		return cmd_misuse(err, "%s needs a name: -o FILE", a->opts.format->name);
	if (!a->output && a->opts.format->flags & KT_EXPORT_BINARY && isatty(STDOUT_FILENO))
		return cmd_misuse(err, "%s is not for a terminal: use -o FILE or a pipe",
				  a->opts.format->name);
	return 0;
}

static int take_fields(struct args *a, struct kt_err *err)
{
	if (!a->fields)
		return 0;
	if (!(a->opts.format->flags & KT_EXPORT_FIELDS))
		return cmd_misuse(err, "--fields: %s has no columns to choose",
				  a->opts.format->name);
	if (kt_names_add_words(&a->columns, a->fields, ", ") < 0)
		return kt_err_no_memory(err);
	a->opts.fields = (const char *const *)a->columns.names;
	a->opts.nr_fields = a->columns.nr;
	return 0;
}

static int check_wall(const struct args *a, struct kt_trace *t, struct kt_err *err)
{
	if (!a->opts.wall)
		return 0;
	if (!(a->opts.format->flags & KT_EXPORT_WALL))
		return cmd_misuse(err, "--wall: %s has the times of the trace",
				  a->opts.format->name);
	return kt_stream_check_wall(kt_trace_stream(t), err);
}

/* ---- the output ---- */

/*
 * A file appears under its name once it is complete; until then, and if that fails, it has the
 * name @part. Devices and pipes are written directly.
 */
struct target {
	const char *path;
	char *part;			/* NULL: direct */
	int fd;
};

static bool is_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 || S_ISREG(st.st_mode);
}

static int cannot_write(const char *path, struct kt_err *err)
{
	int code = -errno;

	return kt_err_set(err, code, "cannot write %s: %s", path, strerror(-code));
}

static int open_target(struct args *a, struct target *to, struct kt_err *err)
{
	bool by_path = a->opts.format->flags & KT_EXPORT_PATH;
	int ret;

	if (!a->output)
		return 0;
	ret = output_check(a->output, a->force, err);
	if (ret == 0)
		ret = output_check_text(a->output, err);
	if (ret < 0)
		return ret;
	if (a->opts.format->flags & KT_EXPORT_FOLDER && access(a->output, F_OK) == 0 &&
	    rmdir(a->output) < 0)
		return kt_err_set(err, -EEXIST, "%s exists already, and is not an empty folder",
				  a->output);
	if (by_path && !(a->opts.format->flags & KT_EXPORT_FOLDER) && !is_regular(a->output))
		return kt_err_set(err, -EINVAL, "%s is not a regular file", a->output);
	to->path = a->output;
	if ((by_path || is_regular(a->output)) &&
	    asprintf(&to->part, "%s.%d.part", a->output, (int)getpid()) < 0)
		return kt_err_no_memory(err);
	a->opts.path = to->part;
	if (by_path)
		return 0;
	to->fd = open(to->part ? to->part : to->path, O_WRONLY | O_CLOEXEC |
		      (to->part ? O_CREAT | O_EXCL : 0), 0666);
	a->opts.fd = to->fd;
	return to->fd < 0 ? cannot_write(a->output, err) : 0;
}

/* After an error, keep the output if it is a valid file. */
static int close_target(struct target *to, bool keep, int ret, struct kt_err *err)
{
	if (to->fd >= 0 && close(to->fd) < 0 && ret == 0) {
		ret = cannot_write(to->path, err);
		keep = false;
	}
	if (to->part && keep && rename(to->part, to->path) < 0 && ret == 0)
		ret = cannot_write(to->path, err);
	if (to->part && !keep)
		unlink(to->part);
	free(to->part);
	return ret;
}

/* ---- the export ---- */

/* Damage does not stop an export; one line reports it, as `report` does. */
static int tell_damage(struct kt_trace *t)
{
	struct kt_file *f = kt_trace_file(t, 0);
	const char *line = kt_file_damage(f, 0);

	if (line)
		fprintf(stderr, "%s export: %s: %s\n", cmd_program, kt_file_info(f)->path, line);
	return line ? 1 : 0;
}

static void tell(const struct args *a, const struct kt_export_result *done)
{
	char size[32];

	if (!a->output || !isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "%s: ", a->output);
	if (done->events)
		fprintf(stderr, "%" PRIu64 " events", done->events);
	if (done->spans)
		fprintf(stderr, ", %" PRIu64 " slices", done->spans);
	if (done->bytes)
		fprintf(stderr, "%s%s%s", done->events ? ", " : "",
			units_format_size(done->bytes, size),
			a->opts.packing ? " before compression" : "");
	fputc('\n', stderr);
}

/* An interrupt ends the output where it is; it is then as valid as that of a whole trace. */
static volatile sig_atomic_t interrupted;

static void note_interrupt(int sig)
{
	interrupted = sig;
}

static bool go_on(void *progress, uint64_t done, uint64_t total)
{
	return progress_of_pass(progress, done, total) && !interrupted;
}

/* Call it before the choice of records uses the events */
static int set_texts(const struct args *a, struct kt_trace *t, struct kt_err *err)
{
	const struct kt_events_opts o = { .kernel = a->opts.format->flags & KT_EXPORT_KERNEL };

	return kt_events_set_opts(kt_trace_events(t, 0), &o, err);
}

static int export_trace(struct args *a, struct kt_trace *t, struct kt_err *err)
{
	struct target to = { .fd = -1 };
	struct kt_export_result done = { 0 };
	struct progress progress;
	int ret = check_wall(a, t, err);

	if (ret == 0)
		ret = set_texts(a, t, err);
	if (ret == 0)
		ret = choose_prepare(t, &a->choose, err);
	if (ret < 0)
		return ret;
	ret = open_target(a, &to, err);
	if (ret < 0) {
		free(to.part);
		return ret;
	}
	a->opts.pass.filter = a->choose.filter;
	a->opts.pass.windows = a->choose.windows;
	a->opts.pass.nr_windows = a->choose.nr_windows;
	a->opts.pass.progress = go_on;
	a->opts.pass.data = &progress;
	a->opts.escape = !a->output && isatty(STDOUT_FILENO);
	if (to.path)
		sigaction(SIGINT, &(struct sigaction){ .sa_handler = note_interrupt,
						       .sa_flags = SA_RESETHAND }, NULL);
	progress_begin(&progress, "export");
	ret = kt_export(t, &a->opts, &done, err);
	progress_end(&progress);
	ret = close_target(&to, done.is_valid, ret, err);
	if (ret == 0)
		tell(a, &done);
	return ret;
}

static struct kt_trace *open_input(const struct args *a, struct kt_err *err)
{
	/* Like `report`: a loss before a filtered-out record is not shown */
	static const struct kt_stream_opts stream = { .forget_lost = true };
	struct kt_trace *t = kt_trace_create();

	if (!t)
		kt_err_no_memory(err);
	else if (kt_trace_add(t, a->input, &stream, err) == 0)
		return t;
	kt_trace_destroy(t);
	return NULL;
}

static int run(void *data, int argc, char **argv, struct kt_err *err)
{
	struct args *a = data;
	struct kt_trace *t;
	int ret;

	if (a->to && strcmp(a->to, "help") == 0)
		return list_formats(err);
	if (a->output && strcmp(a->output, "-") == 0)
		a->output = NULL;
	ret = input_choose(&a->input, argc, argv, err);
	if (ret < 0)
		return ret;
	ret = choose_format(a, err);
	if (ret < 0)
		return ret;
	ret = take_fields(a, err);
	if (ret < 0)
		return ret;
	t = open_input(a, err);
	ret = t ? export_trace(a, t, err) : kt_err_code(err, -ENOMEM);
	if (ret == -EPIPE) {		/* the reader has closed the pipe */
		kt_err_clear(err);
		ret = 0;
	}
	if (ret == 0)
		ret = tell_damage(t);
	kt_trace_destroy(t);
	return ret;
}

static int init(void *data)
{
	struct args *a = data;

	a->choose.command = "export";
	a->opts.fd = STDOUT_FILENO;
	return 0;
}

static void fini(void *data)
{
	struct args *a = data;

	kt_names_fini(&a->columns);
	choose_fini(&a->choose);
}

const struct cmd cmd_export = {
	.name      = "export",
	.summary   = "write a recording in the formats of other programs",
	.words     = "[<file>]",
	.examples  = "  ktrail export --to help                       all formats\n"
		     "  ktrail export --to csv -o trace.csv.gz        compressed by its name\n"
		     "  ktrail export --to csv --fields time,next_comm,next_pid -F sched_switch\n",
	.opts      = opts,
	.args_size = sizeof(struct args),
	.options_anywhere = true,
	.init      = init,
	.run       = run,
	.fini      = fini,
};
