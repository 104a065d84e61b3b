/* SPDX-License-Identifier: GPL-2.0-or-later */
/* files.c - the files of a trace: shift them in time, and detect changes */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/moment.h"
#include "base/units.h"
#include "app.h"

#define US 1000
#define MS 1000000

static int move_to(struct app *app, size_t file, int64_t offset, struct kt_err *err)
{
	struct kt_err why = { 0 };
	int ret;

	if (app->live)
		return kt_err_set(err, -ENOTSUP, "this is for files, not for --live");
	export_fini(app);
	marks_fini(&app->between);
	app_close_views(app);
	ret = kt_model_set_offset(app->model, file, offset, err);
	if (app_open_views(app, &why) < 0 && ret == 0)
		ret = kt_err_set(err, why.code, "%s", why.msg);
	return ret;
}

/* ---- files that other programs change ---- */

#define LOOK_MS 1000

/* Adds the state of a file to a hash. False: the file does not exist. */
static bool add_state(const char *path, uint64_t *state)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return false;
	*state = (*state ^ st.st_ino) * 0x100000001b3;
	*state = (*state ^ (uint64_t)st.st_size) * 0x100000001b3;
	*state = (*state ^ (uint64_t)st.st_mtim.tv_sec) * 0x100000001b3;
	*state = (*state ^ (uint64_t)st.st_mtim.tv_nsec) * 0x100000001b3;
	return true;
}

/* The hash of all files; a running recording also has parts. */
static uint64_t state_of_files(const struct app *app)
{
	struct kt_trace *t = kt_model_trace(app->model);
	struct str part = STR_INIT;
	uint64_t state = 1;
	size_t i, nr;

	for (i = 0; i < kt_trace_nr_files(t); i++) {
		const char *path = kt_file_info(kt_trace_file(t, i))->path;

		add_state(path, &state);
		nr = 0;
		do {
			str_reset(&part);
			str_addf(&part, "%s.part%zu", path, nr++);
		} while (add_state(part.buf, &state));
	}
	str_fini(&part);
	return state;
}

void files_look(struct app *app)
{
	uint64_t now = moment_ms();

	if (app->live || now - app->files_ms < LOOK_MS)
		return;
	app->files_ms = now;
	if (!app->files_state)
		app->files_state = state_of_files(app);
	else
		app->files_changed = state_of_files(app) != app->files_state;
}

/* The positions of cursor and marks in the file may have changed: keep their times. */
static void keep_times(struct kt_model *m)
{
	struct kt_mark mark;
	size_t i;

	kt_model_set_cursor(m, &(struct kt_spot){ .ts = kt_model_cursor(m).ts });
	for (i = 0; kt_model_mark(m, i, &mark); i++)
		kt_model_set_mark(m, mark.name, &(struct kt_spot){ .ts = mark.spot.ts }, mark.note);
}

int files_reload(struct view *v, const char *arg, struct kt_err *err)
{
	struct app *app = v->app;
	uint64_t state = app->live ? 0 : state_of_files(app);
	int ret;

	(void)arg;
	if (!app->live)
		keep_times(app->model);
	ret = move_to(app, 0, kt_model_offset(app->model, 0), err);
	if (ret < 0)
		return ret;
	app->files_state = state;
	app->files_changed = app->file_was_cut = false;
	app_say(app, "read again");
	return 0;
}

/* ---- moving them ---- */

/* "2 +1.5ms" shifts later, "2 -300us" earlier, "2 =1ms" to this offset */
static int offset(struct app *app, const char *text, struct kt_err *err)
{
	size_t nr = kt_trace_nr_files(kt_model_trace(app->model)), file;
	uint64_t ns;
	int64_t by;
	char *end;
	int ret;

	if (!*text)
		return 0;
	file = strtoul(text, &end, 10) - 1;
	if (end == text || file >= nr)
		return kt_err_set(err, -EINVAL, "which file, 1 to %zu? As: 2 +1.5ms, or 2 =0", nr);
	end += strspn(end, " ");
	if (!*end || !strchr("+-=", *end))
		return kt_err_set(err, -EINVAL, "'%s': by how much? +1.5ms, -300us, or =0", end);
	ret = units_parse_time(end + 1, 1, &ns, err);
	if (ret < 0)
		return -EINVAL;
	if (ns > INT64_MAX / 4)
		return kt_err_set(err, -EINVAL, "that is too far");
	by = *end == '-' ? -(int64_t)ns : (int64_t)ns;
	return move_to(app, file, *end == '=' ? by : kt_model_offset(app->model, file) + by, err);
}

int files_offset(struct view *v, const char *arg, struct kt_err *err)
{
	if (arg)
		return offset(v->app, arg, err);
	app_ask(v->app, "file and offset (2 +1.5ms): ", "", offset);
	return 0;
}

/* ---- the list ---- */

static size_t count(const struct app *app)
{
	return kt_trace_nr_files(kt_model_trace(app->model));
}

static void line(const struct app *app, size_t i, struct str *out)
{
	const struct kt_file_info *info =
		kt_file_info(kt_trace_file(kt_model_trace(app->model), i));
	int64_t by = kt_model_offset(app->model, i);
	uint64_t ns = by < 0 ? 0 - (uint64_t)by : (uint64_t)by;

	str_addf(out, "%2zu  %c%" PRIu64 ".%06" PRIu64 " ms  %s", i + 1, by < 0 ? '-' : '+',
		 ns / MS, ns % MS, info->path);
}

static bool key(struct app *app, size_t i, int key)
{
	static const struct {
		int key;
		int64_t by;
	} steps[] = { { '+', US }, { '-', -US }, { '>', MS }, { '<', -MS } };
	struct kt_err err = { 0 };
	size_t k;
	int ret = 0;

	for (k = 0; k < sizeof(steps) / sizeof(steps[0]); k++)
		if (steps[k].key == key)
			ret = move_to(app, i, kt_model_offset(app->model, i) + steps[k].by, &err);
	if (key == '0')
		ret = move_to(app, i, 0, &err);
	if (ret < 0) {
		app->message = err;
		app->message.code = ret;
	}
	return true;
}

static const struct list_ops files = {
	.title = "FILE    MOVED BY",
	.keys  = "+ - by 1 us  > < by 1 ms  0 as recorded  Esc close",
	.empty = "there is no file",
	.count = count, .line = line, .key = key,
};

int files_list(struct view *v, const char *arg, struct kt_err *err)
{
	(void)arg, (void)err;
	list_open(v->app, &files, 0);
	return 0;
}
