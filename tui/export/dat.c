/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dat.c - write a part of the trace as a new recording: all its events, without filters */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/writer.h>

#include "tui/app/app.h"

#define MOST (UINT64_C(256) << 20)	/* bytes, uncompressed: more would delay keys */

struct part {
	uint64_t from, to;		/* positions in the data of a source */
};

/* The position of the first record of a source at or after a time */
static int find_position(struct app *app, size_t source, uint64_t ts, uint64_t *pos,
			 struct kt_err *err)
{
	struct kt_trace *t = kt_model_trace(app->model);
	struct kt_reader *r = kt_reader_create(t, kt_model_index(app->model), err);
	struct kt_record rec = { 0 };
	size_t i;
	int ret = r ? 0 : -ENOMEM;

	for (i = 0; r && i < kt_stream_nr_sources(kt_trace_stream(t)); i++)
		kt_reader_use_source(r, i, i == source);
	if (ret == 0)
		ret = kt_reader_seek(r, ts, err);
	if (ret == 0)
		ret = kt_reader_next(r, &rec, err);
	*pos = ret > 0 ? rec.pos : UINT64_MAX;
	kt_reader_destroy(r);
	return ret < 0 ? ret : 0;
}

/* New (free) */
static struct part *find_parts(struct app *app, const struct export_range *r, uint64_t *bytes,
			       struct kt_err *err)
{
	struct kt_stream *s = kt_trace_stream(kt_model_trace(app->model));
	size_t i, nr = kt_stream_nr_sources(s);
	struct part *parts = calloc(nr + 1, sizeof(*parts));
	struct kt_record last;
	int ret = parts ? 0 : kt_err_no_memory(err);

	*bytes = 0;
	for (i = 0; i < nr && ret == 0; i++) {
		uint64_t end;

		ret = find_position(app, i, r->first.ts, &parts[i].from, err);
		if (ret == 0)
			ret = find_position(app, i, r->last.ts + 1, &parts[i].to, err);
		end = parts[i].to;
		if (end == UINT64_MAX && parts[i].from != UINT64_MAX &&
		    kt_stream_last(s, i, &last, NULL) > 0)
			end = last.pos;
		*bytes += end > parts[i].from ? end - parts[i].from : 0;
	}
	if (ret == 0)
		return parts;
	free(parts);
	return NULL;
}

static int copy_data(struct app *app, struct kt_writer *w, struct kt_file *in,
		     const struct part *parts, struct kt_err *err)
{
	struct kt_stream *s = kt_trace_stream(kt_model_trace(app->model));
	struct kt_copy copy = { 0 };
	const struct kt_buffer *b;
	size_t i, buffer;
	int ret = 0, index = 0;

	for (buffer = 0; ret >= 0 && (b = kt_file_buffer(in, buffer)); buffer++) {
		if (b->is_text)
			continue;
		for (i = 0; ret >= 0 && i < kt_stream_nr_sources(s); i++) {
			const struct kt_source *src = kt_stream_source(s, i);

			if (src->buffer != buffer || parts[i].from >= parts[i].to)
				continue;
			ret = kt_writer_begin_cpu(w, index, src->cpu, err);
			if (ret >= 0)
				ret = kt_copy_range(w, in, buffer, src->cpu_index, parts[i].from,
						    parts[i].to, &copy, err);
		}
		index++;
	}
	return ret;
}

static int write_file(struct app *app, const char *path, const struct part *parts,
		      struct kt_err *err)
{
	struct kt_file *in = kt_trace_file(kt_model_trace(app->model), 0);
	struct kt_writer_opts o = { 0 };
	const struct kt_buffer *b;
	struct kt_writer *w;
	size_t i;
	int ret;

	kt_copy_opts(in, &o);
	w = kt_writer_create(path, &o, err);
	if (!w)
		return err->code;
	ret = kt_copy_meta(w, in, err);
	for (i = 0; ret >= 0 && (b = kt_file_buffer(in, i)); i++)
		ret = kt_copy_add_buffer(w, in, i, err);
	if (ret >= 0)
		ret = copy_data(app, w, in, parts, err);
	if (ret >= 0)
		ret = kt_writer_finish(w, err);
	kt_writer_close(w);
	return ret < 0 ? ret : 0;
}

int export_dat(struct app *app, const struct export_range *r, const char *path, bool replace,
	       struct kt_err *err)
{
	struct part *parts;
	uint64_t bytes;
	int ret;

	if (kt_trace_nr_files(kt_model_trace(app->model)) != 1)
		return kt_err_set(err, -ENOTSUP, "a recording can be made of one file only");
	if (!replace && access(path, F_OK) == 0)
		return kt_err_set(err, -EEXIST, "%s exists: write! replaces it", path);
	parts = find_parts(app, r, &bytes, err);
	if (!parts)
		return -ENOMEM;
	if (bytes > MOST)
		ret = kt_err_set(err, -EFBIG, "that is %" PRIu64 " MiB: ktrail split -o %s %" PRIu64
				 ".%09" PRIu64 " %" PRIu64 ".%09" PRIu64, bytes >> 20, path,
				 r->first.ts / 1000000000, r->first.ts % 1000000000,
				 (r->last.ts + 1) / 1000000000, (r->last.ts + 1) % 1000000000);
	else
		ret = write_file(app, path, parts, err);
	free(parts);
	if (ret == 0)
		app_say(app, "%s: all events of %s", path, r->what);
	return ret;
}
