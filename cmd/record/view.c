/* SPDX-License-Identifier: GPL-2.0-or-later */
/* view.c - `ktrail view`: look at a trace on a terminal */
#include "view.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <ktrail/capture.h>
#include <ktrail/event.h>
#include <ktrail/model.h>

#include "base/array.h"
#include "base/home.h"
#include "base/str.h"
#include "base/units.h"
#include "cmd/args/rules.h"
#include "cmd/print/safe.h"
#include "cmd/style.h"
#include "tui/tui.h"
#include "record.h"

struct view_args {
	struct tui_opts tui;
	const char **inputs;
	int64_t *offsets;		/* of each input */
	size_t nr_inputs;
	int64_t default_offset;		/* given before any input */
	const char *print, *size;
	bool color, live;
	const char *instance;
	uint64_t memory;
	bool no_plugins;
};

static int take_input(void *args, const char *value, struct kt_err *err)
{
	struct view_args *a = args;

	if (!array_reserve(a->inputs, a->nr_inputs) || !array_reserve(a->offsets, a->nr_inputs))
		return kt_err_no_memory(err);
	a->offsets[a->nr_inputs] = a->default_offset;
	a->inputs[a->nr_inputs++] = value;
	return 0;
}

static int take_ts_offset(void *args, const char *value, struct kt_err *err)
{
	struct view_args *a = args;

	return units_parse_i64(value, a->nr_inputs ? &a->offsets[a->nr_inputs - 1]
						   : &a->default_offset, err) < 0 ? CMD_MISUSE : 0;
}

static int take_memory(void *args, const char *value, struct kt_err *err)
{
	struct view_args *a = args;
	int ret = units_parse_size(value, 1 << 20, &a->memory, err);

	return ret == 0 && a->memory < 1 << 20 ?
	       cmd_misuse(err, "--memory %s: at least 1M is needed", value) : ret;
}

static const struct cmd_opt opts[] = {
	OPT_CALL('i', "input", take_input, "file",
		 "open this file; repeatable; default trace.dat"),
	OPT_CALL(0, "ts-offset", take_ts_offset, "offset",
		 "add nanoseconds to the times of the last -i", RARE),
	OPT_BOOL(0, "live", struct view_args, live, "show what the kernel traces now"),
	OPT_STR('B', "instance", struct view_args, instance, "name",
		"with --live: show this instance"),
	OPT_CALL(0, "memory", take_memory, "size",
		"with --live: memory for the trace, default 256M"),
	OPT_STR(0, "view", struct view_args, tui.view, "name", "start with this view", RARE),
	OPT_STR(0, "keys", struct view_args, tui.keys, "keys",
		"press these keys first: '/irq<Enter>'", RARE),
	OPT_STR(0, "print", struct view_args, print, "view",
		"print the screen of this view as text"),
	OPT_STR(0, "size", struct view_args, size, "CxR",
		"with --print: columns and rows, default 80x24", RARE),
	OPT_BOOL(0, "color", struct view_args, color, "with --print: in colour", RARE),
	OPT_BOOL(0, "no-color", struct view_args, tui.no_color,
		 "do not use colours, as with NO_COLOR", RARE),
	OPT_STR(0, "background", struct view_args, tui.background, "dark|light",
		"colours for this background; default: COLORFGBG", RARE),
	OPT_BOOL(0, "no-mouse", struct view_args, tui.no_mouse, "do not use the mouse", RARE),
	OPT_STR(0, "session", struct view_args, tui.session, "file",
		"keep marks, filters and the cursor in this file", RARE),
	OPT_BOOL(0, "no-session", struct view_args, tui.no_session,
		 "do not use or write such a file", RARE),
	OPT_BOOL('N', "no-plugins", struct view_args, no_plugins,
		 "do not use plugins: print the kernel's texts", RARE),
	OPT_BOOL(0, "ascii", struct view_args, tui.ascii, "use only ASCII characters", RARE),
	OPT_END
};

static int parse_size(const char *text, int *cols, int *rows, struct kt_err *err)
{
	char rest;

	*cols = 80;
	*rows = 24;
	if (text && (sscanf(text, "%dx%d%c", cols, rows, &rest) != 2 || *cols < 1 || *rows < 1 ||
		     *cols > 1000 || *rows > 1000))
		return cmd_misuse(err, "'%s' is not a size: COLUMNSxROWS, as 100x30", text);
	return 0;
}

static int print(struct kt_model *m, struct view_args *a, struct kt_err *err)
{
	struct str out = STR_INIT;
	int rows, cols, ret = parse_size(a->size, &cols, &rows, err);

	if (ret < 0)
		return ret;
	a->tui.ascii |= strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	a->tui.view = a->print;
	ret = tui_print(m, &a->tui, rows, cols, a->color, &out, err);
	if (ret == 0 && (fwrite(out.buf, 1, out.len, stdout) != out.len || fflush(stdout) != 0))
		ret = -errno;
	str_fini(&out);
	return ret == -EPIPE ? 0 : ret;
}

static void warn(const char *what)
{
	fprintf(stderr, "%s view: warning: %s\n", cmd_program, what);
}

static int show(struct kt_model *m, struct view_args *a, struct kt_err *err)
{
	return a->print ? print(m, a, err) : tui_run(m, &a->tui, err);
}

/* Use the texts of plugins, if there are any. */
static struct kt_plugins *open_plugins(const struct view_args *a)
{
	struct kt_err ignored = { 0 };

	return a->no_plugins ? NULL : kt_plugins_open(NULL, &ignored);
}

/* ---- --live ---- */

struct live_view {
	struct kt_instance *inst;
	struct kt_live *rec;
	struct kt_control *control;
	int signal_fd;
};

static void pause_recording(void *data, bool on)
{
	kt_live_pause(data, on);
}

static bool was_ended(void *data)
{
	struct live_view *l = data;
	struct signalfd_siginfo info;

	while (l->signal_fd >= 0 && read(l->signal_fd, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo != SIGCHLD)
			return true;
	return false;
}

static void keep(void *data)
{
	kt_instance_keep(((struct live_view *)data)->inst);
}

/* Tracing is off: the first step is to start it */
static bool is_idle(struct kt_control *c)
{
	struct kt_control_row row;
	bool events = false, tracer = false;
	size_t i;

	for (i = 0; kt_control_row(c, i, &row); i++) {
		events |= row.kind == KT_CONTROL_EVENTS && row.state != KT_CONTROL_OFF;
		tracer |= row.kind == KT_CONTROL_TRACER && *row.value &&
			  strcmp(row.value, "nop") != 0;
	}
	return !events && !tracer;
}

static int open_live(struct live_view *l, const struct view_args *a, struct kt_err *err)
{
	const struct kt_live_opts o = { .memory = a->memory };

	/* Settings are restored even if a signal ends the program. */
	l->signal_fd = record_catch_signals(err);
	if (l->signal_fd < 0)
		return l->signal_fd;
	l->inst = kt_instance_open(a->instance, 0, err);
	l->rec = l->inst ? kt_live_open(l->inst, &o, err) : NULL;
	l->control = l->rec ? kt_control_open(l->inst, err) : NULL;
	if (!l->control)
		return kt_err_code(err, -ENOMEM);
	kt_control_set_pause(l->control, pause_recording, l->rec);
	return 0;
}

static int show_live(struct live_view *l, struct view_args *a, struct kt_err *err)
{
	const struct kt_index_opts index = { .cache = "" };
	const struct kt_model_opts o = { .index = &index, .plugins = open_plugins(a) };
	const struct tui_live live = {
		.rec = l->rec, .control = l->control, .data = l, .ended = was_ended, .keep = keep,
	};
	const char *path = kt_live_path(l->rec);
	struct str title = STR_INIT;
	struct kt_model *m = kt_model_open(&path, 1, &o, err);
	int ret;

	if (!m) {
		kt_plugins_close(o.plugins);
		return kt_err_code(err, -ENOMEM);
	}
	str_add(&title, a->instance ? a->instance : "top-level buffer");
	a->tui.title = title.buf;
	a->tui.live = &live;
	a->tui.no_session = true;
	if (!a->tui.view && (kt_live_why(l->rec) || is_idle(l->control)))
		a->tui.view = "control";
	ret = show(m, a, err);
	kt_model_close(m);
	kt_plugins_close(o.plugins);
	str_fini(&title);
	return ret;
}

static int run_live(struct view_args *a, struct kt_err *err)
{
	struct live_view l = { .signal_fd = -1 };
	int ret = open_live(&l, a, err), end;

	if (ret == 0)
		ret = show_live(&l, a, err);
	/* The buffer is closed before its settings are restored: a tracer in use could not be. */
	kt_control_close(l.control);
	kt_live_close(l.rec);
	end = kt_instance_close(l.inst, err);
	if (l.signal_fd >= 0)
		close(l.signal_fd);
	return ret < 0 ? ret : end;
}

/* ---- for users that do not know it yet ---- */

/*
 * This file exists after the viewer was used or suggested. New (free), or NULL if the user does
 * not have a home folder.
 */
static char *known_path(void)
{
	char *folder = home_folder("XDG_STATE_HOME", ".local/state");
	struct str path = STR_INIT;

	if (!folder)
		return NULL;
	home_make_folder(folder);
	str_addf(&path, "%s/view-known", folder);
	free(folder);
	return str_take(&path);
}

/* False: it was suggested before, or this cannot be stored */
static bool note_known(void)
{
	char *path = known_path();
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;

	if (fd >= 0)
		close(fd);
	free(path);
	return fd >= 0;
}

void view_hint(const char *path)
{
	if (!cmd_style->advises || !isatty(STDOUT_FILENO) || !isatty(STDERR_FILENO) ||
	    !note_known())
		return;
	fprintf(stderr, "%s view ", cmd_program);
	safe_put_to(stderr, path);
	fprintf(stderr, " searches, folds and zooms this trace (shown once)\n");
}

/* ---- the viewer ---- */

/*
 * Of a capture: A and B are the begin and the end of what took too long, and the cursor is at the
 * end. A session that was saved has priority.
 */
static void begin_at_cause(struct kt_model *m)
{
	struct kt_capture_note note;
	struct kt_spot from = { 0 }, at = { 0 };
	const struct kt_cause *c = note.causes;

	if (kt_capture_read_note(kt_trace_file(kt_model_trace(m), 0), &note) < 0)
		return;
	from.ts = c->from;
	at.ts = c->at;
	if (c->from < c->at) {
		kt_model_set_mark(m, "A", &from, NULL);
		kt_model_set_mark(m, "B", &at, NULL);
	}
	kt_model_set_mark(m, "cause", &at, c->text);
	kt_model_set_cursor(m, &at);
}

static int look_at(struct view_args *a, struct kt_err *err)
{
	const struct kt_model_opts o = { .ts_offsets = a->offsets, .plugins = open_plugins(a) };
	struct str title = STR_INIT;
	struct kt_model *m = kt_model_open(a->inputs, a->nr_inputs, &o, err);
	int ret;

	if (!m) {
		kt_plugins_close(o.plugins);
		return kt_err_code(err, -ENOMEM);
	}
	begin_at_cause(m);
	str_add(&title, str_base_name(a->inputs[0]));
	if (a->nr_inputs > 1)
		str_addf(&title, " and %zu more", a->nr_inputs - 1);
	a->tui.title = title.buf;
	a->tui.warn = warn;
	ret = show(m, a, err);
	if (ret == 0 && !a->print)
		note_known();
	kt_model_close(m);
	kt_plugins_close(o.plugins);
	str_fini(&title);
	return ret;
}

int view_check(struct kt_err *err)
{
	return tui_check(err);
}

int view_open(const char *path, struct kt_err *err)
{
	struct view_args a = { .inputs = &path, .nr_inputs = 1 };

	return look_at(&a, err);
}

static int run(void *args, int argc, char **argv, struct kt_err *err)
{
	struct view_args *a = args;
	int i, ret = 0;

	if (a->live)
		return argc ? cmd_misuse(err, "--live takes no file") : run_live(a, err);
	for (i = 0; i < argc && ret == 0; i++)
		ret = take_input(a, argv[i], err);
	if (ret == 0 && a->tui.background && strcmp(a->tui.background, "dark") != 0 &&
	    strcmp(a->tui.background, "light") != 0)
		return cmd_misuse(err, "--background: dark or light, not '%s'", a->tui.background);
	if (ret == 0 && !a->nr_inputs)
		ret = take_input(a, "trace.dat", err);
	return ret < 0 ? ret : look_at(a, err);
}

static void fini(void *args)
{
	struct view_args *a = args;

	free(a->inputs);
	free(a->offsets);
}

static const struct cmd_rule rules[] = {
	{ .options = "size color", .with = "print" },
	{ .options = "instance memory", .with = "live" },
	{ .options = "live", .without = "input ts-offset session" },
	{ .options = "view no-color no-mouse", .without = "print" },
	{ .options = "session", .without = "no-session" },
	RULE_END
};

const struct cmd cmd_view = {
	.name      = "view",
	.summary   = "browse a trace in the terminal",
	.words     = "[<file>…] | --live",
	.examples  = "  ktrail view                             trace.dat\n"
		     "  ktrail view --live                      the running trace, and settings\n"
		     "  ktrail view --print events --size 100x30    the screen as text, for a "
		     "mail\n",
	.opts      = opts,
	.rules     = rules,
	.args_size = sizeof(struct view_args),
	.options_anywhere = true,
	.run       = run,
	.fini      = fini,
};
