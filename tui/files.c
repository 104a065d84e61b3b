/* SPDX-License-Identifier: GPL-2.0-or-later */
/* files.c - the files of a trace, and how far each is moved in time */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "base/units.h"

#define US 1000
#define MS 1000000

static int move_to(struct app *app, size_t file, int64_t offset, struct kt_err *err)
{
	struct kt_err why = { 0 };
	int ret;

	if (app->live)
		return kt_err_set(err, -ENOTSUP, "what is being traced now is not moved in time");
	export_fini(app);
	marks_fini(&app->between);
	app_close_views(app);
	ret = kt_model_set_offset(app->model, file, offset, err);
	if (app_open_views(app, &why) < 0 && ret == 0)
		ret = kt_err_set(err, why.code, "%s", why.msg);
	return ret;
}

/* "2 +1.5ms" moves on by that, "2 -300us" back, "2 =1ms" to there */
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
	list_open(v->app, &files);
	return 0;
}
