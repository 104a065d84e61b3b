/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* lines.c - formats whose lines the text layer writes: NDJSON, and the kernel's trace file */
#include <errno.h>

#include "export/export.h"
#include "export/output.h"

struct lines {
	struct export *x;
	struct kt_err *err;
	bool canceled;
};

static int take_lines(void *data, const char *text, size_t len)
{
	struct lines *l = data;

	if (l->canceled)
		return kt_err_set(l->err, -ECANCELED, "interrupted");
	l->x->done.bytes += len;
	return output_write(l->x->out, text, len, l->err);
}

static void tell_progress(void *data, uint64_t done, uint64_t total)
{
	struct lines *l = data;
	const struct kt_pass_opts *pass = &l->x->opts->pass;

	if (pass->progress && !pass->progress(pass->data, done, total))
		l->canceled = true;
}

static int run_windows(struct lines *l, struct kt_text *text)
{
	const struct kt_pass_opts *pass = &l->x->opts->pass;
	size_t i;
	int ret = 0;

	if (!pass->nr_windows)
		return kt_text_run(text, UINT64_MAX, take_lines, l, l->err);
	for (i = 0; i < pass->nr_windows && ret == 0; i++) {
		ret = kt_stream_seek(kt_trace_stream(l->x->trace), pass->windows[i].from, l->err);
		if (ret == 0)
			ret = kt_text_run(text, pass->windows[i].until, take_lines, l, l->err);
	}
	return ret;
}

static int run_lines(struct export *x, struct kt_text_opts opts, struct kt_err *err)
{
	struct lines l = { .x = x, .err = err };
	struct kt_text *text;
	int ret;

	opts.drop_flags = x->opts->pass.drop_flags;
	opts.threads = x->opts->pass.threads;
	opts.escape = x->opts->escape;
	opts.limit = x->opts->pass.limit;
	opts.wall = x->opts->wall;
	opts.progress = tell_progress;
	opts.progress_data = &l;
	text = kt_text_create(x->trace, x->opts->pass.filter, &opts, err);
	ret = text ? kt_text_narrow(text, err) : kt_err_code(err, -ENOMEM);
	if (ret == 0)
		ret = run_windows(&l, text);
	kt_text_destroy(text);
	return ret;
}

static int run_ndjson(struct export *x, struct kt_err *err)
{
	return run_lines(x, (struct kt_text_opts){ .json = true }, err);
}

static int run_trace_text(struct export *x, struct kt_err *err)
{
	return run_lines(x, (struct kt_text_opts){ .layout = KT_LAYOUT_KERNEL }, err);
}

const struct export_format export_ndjson = {
	.is = { "ndjson", "one JSON object for each record: jq, DuckDB, Pandas", ".ndjson",
		KT_EXPORT_PACKED | KT_EXPORT_WALL },
	.run = run_ndjson,
};

const struct export_format export_trace_text = {
	.is = { "trace-text", "the text of the kernel's own trace file: scripts, Trace Compass",
		".txt", KT_EXPORT_PACKED | KT_EXPORT_WALL | KT_EXPORT_KERNEL },
	.run = run_trace_text,
};
