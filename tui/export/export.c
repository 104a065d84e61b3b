/* SPDX-License-Identifier: GPL-2.0-or-later */
/* export.c - export the screen or the selection as text: clipboard, files, commands */
#include "export.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ktrail/views.h>

#include "base/moment.h"
#include "tui/app/app.h"

#define COPY_MOST (1 << 20)		/* bytes: terminals accept no more for the clipboard */
#define AHEAD	  (1 << 18)		/* bytes to buffer for a command that reads slowly */

struct export_job {
	struct kt_reader *reader;	/* NULL: the text is complete */
	struct kt_text *text, *json;	/* @json is owned */
	struct kt_flame *flame;		/* folded stacks; NULL: lines */
	struct kt_out *out;
	struct export_range range;
	struct str pending;		/* formatted, but not written yet */
	uint64_t nr;			/* events so far */
	bool complete;
	char *name;			/* of a file; NULL: the clipboard, or a command */
	int fd;
	struct export_child *child;
};

/* ---- the range ---- */

static bool comes_before(const struct kt_spot *a, const struct kt_spot *b)
{
	if (a->ts != b->ts)
		return a->ts < b->ts;
	return a->source != b->source ? a->source < b->source : a->pos < b->pos;
}

static struct export_range in_order(struct kt_spot a, struct kt_spot b, const char *what)
{
	if (comes_before(&b, &a))
		return (struct export_range){ b, a, what };
	return (struct export_range){ a, b, what };
}

static struct export_range chosen_range(const struct app *app)
{
	const struct view *v = app_view(app);
	struct kt_window w = app->span;
	struct kt_mark a, b;

	if (app->selecting)
		return in_order(app->selected_from, kt_model_cursor(app->model), "the selection");
	if (kt_model_find_mark(app->model, "A", &a) && kt_model_find_mark(app->model, "B", &b))
		return in_order(a.spot, b.spot, "what is between A and B");
	if (v->ops->window)
		v->ops->window(v, &w);
	return (struct export_range){
		{ .ts = w.from }, { .ts = w.until, .pos = UINT64_MAX, .source = UINT32_MAX },
		"what the screen shows",
	};
}

bool export_has(const struct app *app, const struct kt_spot *spot)
{
	struct export_range r;

	if (!app->selecting)
		return false;
	r = chosen_range(app);
	return !comes_before(spot, &r.first) && !comes_before(&r.last, spot);
}

int export_select(struct view *v, const char *arg, struct kt_err *err)
{
	struct app *app = v->app;

	(void)arg, (void)err;
	app->selecting = !app->selecting;
	app->selected_from = kt_model_cursor(app->model);
	if (app->selecting)
		app_say(app, "selecting from here: y copies, :write and :pipe take it, V ends it");
	return 0;
}

/* ---- the text ---- */

static void free_job(struct export_job *j)
{
	if (!j)
		return;
	kt_reader_destroy(j->reader);
	kt_text_destroy(j->json);
	kt_flame_destroy(j->flame);
	kt_out_destroy(j->out);
	export_kill(j->child);
	if (j->fd >= 0)
		close(j->fd);
	str_fini(&j->pending);
	free(j->name);
	free(j);
}

static int begin_reading(struct app *app, struct export_job *j, bool json, struct kt_err *err)
{
	const struct kt_text_opts opts = { .json = true, .threads = 1 };

	if (json)
		j->json = kt_text_create(kt_model_trace(app->model), NULL, &opts, err);
	j->text = json ? j->json : kt_model_text(app->model, false);
	j->out = kt_out_create();
	j->reader = kt_model_reader(app->model, err);
	if (!j->text || !j->out || !j->reader)
		return -ENOMEM;
	return kt_reader_go(j->reader, &j->range.first, err);
}

static int begin_folding(struct app *app, struct export_job *j, struct kt_err *err)
{
	struct kt_window w = { j->range.first.ts, j->range.last.ts };

	j->out = kt_out_create();
	j->flame = kt_flame_create(app->model, err);
	return !j->flame || !j->out ? -ENOMEM :
		kt_flame_set(j->flame, kt_flame_guess(app->model), &w, err);
}

/* A new job; NULL with @err: another one is running */
static struct export_job *begin(struct app *app, bool json, bool folded, struct kt_err *err)
{
	struct export_job *j = app->job ? NULL : calloc(1, sizeof(*j));
	int ret;

	if (!j) {
		kt_err_set(err, -EBUSY,
			   app->job ? "still at the last one: Esc stops it" : "out of memory");
		return NULL;
	}
	*j = (struct export_job){ .fd = -1, .pending = STR_INIT, .range = chosen_range(app) };
	ret = folded ? begin_folding(app, j, err) : begin_reading(app, j, json, err);
	if (ret == 0)
		return j;
	free_job(j);
	kt_err_result(err, ret);
	return NULL;
}

static void fold(struct export_job *j, unsigned int budget_ms)
{
	struct kt_flame_frame frame;
	uint32_t i;

	if (kt_flame_work(j->flame, budget_ms))
		return;
	j->complete = true;
	kt_flame_order(j->flame, false);
	for (i = 1; kt_flame_frame(j->flame, i, &frame); i++) {
		uint64_t own = kt_flame_is_timed(j->flame) ? frame.own_time : frame.own_count;

		if (!own)
			continue;
		kt_out_reset(j->out);
		kt_flame_path(j->flame, i, j->out);
		str_addn(&j->pending, kt_out_data(j->out), kt_out_len(j->out));
		str_addf(&j->pending, " %" PRIu64 "\n", own);
		j->nr++;
	}
}

static void read_some(struct export_job *j, unsigned int budget_ms)
{
	uint64_t until = moment_ms() + budget_ms;
	size_t most = j->child ? AHEAD : COPY_MOST + 1;	/* the clipboard is filled by one write */
	struct kt_record rec;

	while (!j->complete && j->pending.len < most && moment_ms() < until) {
		if (kt_reader_next(j->reader, &rec, NULL) <= 0 ||
		    comes_before(&j->range.last,
				 &(struct kt_spot){ rec.ts, rec.pos, rec.source })) {
			j->complete = true;
			return;
		}
		kt_out_reset(j->out);
		kt_text_line(j->text, &rec, j->out);
		str_addn(&j->pending, kt_out_data(j->out), kt_out_len(j->out));
		j->nr++;
	}
}

/* ---- the destination ---- */

static void end(struct app *app, struct kt_err *err)
{
	struct export_job *j = app->job;

	app->job = NULL;
	app->selecting = false;
	if (err && err->code) {
		app->message = *err;
	} else if (j->name) {
		app_say(app, "%s: %" PRIu64 " line%s of %s", j->name, j->nr, j->nr == 1 ? "" : "s",
			j->range.what);
	} else if (!j->child) {
		app_say(app, "copied %" PRIu64 " line%s of %s", j->nr, j->nr == 1 ? "" : "s",
			j->range.what);
	}
	free_job(j);
}

static bool copy_some(struct app *app)
{
	struct export_job *j = app->job;
	struct kt_err err = { 0 };

	if (j->pending.len > COPY_MOST)
		kt_err_set(&err, -EFBIG, "more than a clipboard takes: :write it to a file");
	else if (!j->complete)
		return true;
	else
		str_addn(&app->copied, j->pending.buf, j->pending.len);
	end(app, &err);
	return false;
}

static bool write_some(struct app *app)
{
	struct export_job *j = app->job;
	struct kt_err err = { 0 };

	if (write(j->fd, j->pending.buf, j->pending.len) != (ssize_t)j->pending.len)
		kt_err_set(&err, -EIO, "cannot write %s: %s", j->name,
			   strerror(errno ? errno : ENOSPC));
	str_reset(&j->pending);
	if (!j->complete && !err.code)
		return true;
	end(app, &err);
	return false;
}

static bool feed_some(struct app *app, unsigned int budget_ms)
{
	struct export_job *j = app->job;
	struct kt_err err = { 0 };

	if (export_feed(j->child, &j->pending, j->complete, budget_ms))
		return true;
	if (export_said(j->child)->len)
		app_page(app, export_said(j->child)->buf);
	if (export_status(j->child, &err) == 0)
		app_say(app, "%" PRIu64 " lines of %s were read; exit status 0", j->nr,
			j->range.what);
	end(app, &err);
	return false;
}

bool export_work(struct app *app, unsigned int budget_ms)
{
	struct export_job *j = app->job;

	if (!j)
		return false;
	if (j->flame && !j->complete)
		fold(j, budget_ms);
	else if (!j->complete)
		read_some(j, budget_ms);
	if (j->child)
		return feed_some(app, budget_ms);
	return j->fd >= 0 ? write_some(app) : copy_some(app);
}

bool export_stop(struct app *app)
{
	struct export_job *j = app->job;

	if (!j)
		return false;
	app_say(app, j->name ? "stopped: %s is not complete" : "stopped", j->name);
	app->job = NULL;
	free_job(j);
	return true;
}

void export_fini(struct app *app)
{
	free_job(app->job);
	app->job = NULL;
}

void export_tell(const struct app *app, char *text, size_t size)
{
	const struct export_job *j = app->job;
	const char *what;

	if (!j)
		return;
	what = j->child ? "piping" : "copying";
	snprintf(text, size, "%s %" PRIu64 " \xe2\x80\xa6 Esc stops",
		 j->name ? "writing" : what, j->nr);
}

/* ---- commands ---- */

int export_yank(struct view *v, const char *arg, struct kt_err *err)
{
	struct app *app = v->app;

	(void)arg;
	str_reset(&app->copied);
	if (app->selecting) {
		app->job = begin(app, false, false, err);
		return app->job ? 0 : err->code;
	}
	if (!v->ops->yank)
		return kt_err_set(err, -ENOTSUP,
				  "this view has nothing to copy: Y copies the screen");
	v->ops->yank(v, &app->copied);
	app_say(app, "copied %zu bytes", app->copied.len);
	return 0;
}

/* As on the screen, without the frame */
int export_screen(struct view *v, const char *arg, struct kt_err *err)
{
	struct surface s = { 0 };

	(void)arg;
	if (surface_init(&s, v->rows, v->cols, false) < 0)
		return kt_err_no_memory(err);
	v->ops->draw(v, surface_all(&s));
	str_reset(&v->app->copied);
	surface_text(&s, &v->app->copied);
	surface_fini(&s);
	app_say(v->app, "copied the screen, %d lines", v->rows);
	return 0;
}

static bool is_shown(const struct app *app, const char *path)
{
	struct kt_trace *t = kt_model_trace(app->model);
	struct stat wanted, shown;
	size_t i;

	for (i = 0; stat(path, &wanted) == 0 && i < kt_trace_nr_files(t); i++)
		if (stat(kt_file_info(kt_trace_file(t, i))->path, &shown) == 0 &&
		    wanted.st_dev == shown.st_dev && wanted.st_ino == shown.st_ino)
			return true;
	return false;
}

int export_write(struct view *v, const char *arg, struct kt_err *err)
{
	struct app *app = v->app;
	bool replace = app->forced;
	struct export_range range = chosen_range(app);
	struct export_job *j;

	if (!arg)
		return kt_err_set(err, -EINVAL,
				  "write which file? x.txt, x.json, x.folded or x.dat");
	if (is_shown(app, arg))
		return kt_err_set(err, -EINVAL,
				  "%s is the file that is shown here: choose another one", arg);
	if (str_ends(arg, ".dat"))
		return export_dat(app, &range, arg, replace, err);
	j = begin(app, str_ends(arg, ".json"), str_ends(arg, ".folded"), err);
	if (!j)
		return err->code;
	/* A FIFO without a reader is an error; do not wait for one. */
	j->fd = open(arg, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK |
			  (replace ? O_TRUNC : O_EXCL), 0666);
	j->name = strdup(arg);
	if (j->fd < 0 || !j->name) {
		if (errno == EEXIST)
			kt_err_set(err, -EEXIST, "%s exists: write! replaces it", arg);
		else
			kt_err_set(err, -errno, "cannot write %s: %s", arg, strerror(errno));
		free_job(j);
		return err->code;
	}
	app->job = j;
	return 0;
}

int export_pipe(struct view *v, const char *arg, struct kt_err *err)
{
	struct app *app = v->app;
	struct export_job *j;

	if (!arg)
		return kt_err_set(err, -EINVAL, "pipe to which command? As: pipe grep nanosleep");
	j = begin(app, false, false, err);
	if (!j)
		return err->code;
	j->child = export_spawn(arg, err);
	if (!j->child) {
		free_job(j);
		return kt_err_code(err, -ENOMEM);
	}
	app->job = j;
	return 0;
}
