/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* model_again.c - a model whose files are shifted in time, have grown, or are reopened */
#include "view/model_priv.h"

#include <errno.h>
#include <stdlib.h>

#include "base/moment.h"

#define EXTEND_MS 20			/* for the index, which continues later */

/* ---- offsets of files ---- */

int64_t kt_model_offset(const struct kt_model *m, size_t file)
{
	return file < kt_trace_nr_files(m->trace) ? m->offsets[file] : 0;
}

/* A moment at an event of the file moves with it. */
static struct kt_spot shifted(const struct kt_model *m, struct kt_spot spot, size_t file,
			      int64_t by)
{
	const struct kt_stream *s = kt_trace_stream(m->trace);

	if (spot.source < kt_stream_nr_sources(s) &&
	    kt_stream_source(s, spot.source)->file_index == file)
		spot.ts += (uint64_t)by;
	return spot;
}

static int take_choice(struct kt_model *to, const struct kt_model *m, size_t file, int64_t by,
		       struct kt_err *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < m->nr_filters && ret == 0; i++) {
		ret = kt_model_add_filter(to, m->filters[i].text, m->filters[i].exclude, err);
		if (ret == 0)
			kt_model_switch_filter(to, i, m->filters[i].on);
	}
	for (i = 0; i < m->nr_marks && ret == 0; i++) {
		struct kt_spot spot = shifted(m, m->marks[i].spot, file, by);

		ret = kt_model_set_mark(to, m->marks[i].name, &spot, m->marks[i].note);
	}
	if (ret == 0 && m->left_out.nr)
		ret = kt_model_leave_out(to, m->left_out.pids, m->left_out.nr);
	to->cursor = shifted(m, m->cursor, file, by);
	to->generation = m->generation + 1;
	return ret;
}

/* Replaces @m by a model of these files with the same filters and marks */
static int replace(struct kt_model *m, const char *const paths[], size_t nr,
		   const int64_t *offsets, size_t moved, struct kt_err *err)
{
	const struct kt_model_opts o = {
		.ts_offsets = offsets, .index = &m->index_opts, .plugins = m->plugins,
	};
	struct kt_model *fresh = kt_model_open(paths, nr, &o, err), old;
	uint64_t by = (uint64_t)offsets[moved] - (uint64_t)m->offsets[moved];
	int ret = fresh ? take_choice(fresh, m, moved, (int64_t)by, err) : -ENOMEM;

	if (ret == 0) {
		model_end_search(m);
		old = *m;
		*m = *fresh;
		*fresh = old;
	}
	kt_model_close(fresh);
	return kt_err_result(err, ret);
}

int kt_model_set_offset(struct kt_model *m, size_t file, int64_t offset, struct kt_err *err)
{
	size_t i, nr = kt_trace_nr_files(m->trace);
	const char **paths = calloc(nr + 1, sizeof(*paths));
	int64_t *offsets = calloc(nr + 1, sizeof(*offsets));
	int ret = -ENOMEM;

	for (i = 0; paths && offsets && i < nr; i++) {
		paths[i] = kt_file_info(kt_trace_file(m->trace, i))->path;
		offsets[i] = i == file ? offset : m->offsets[i];
	}
	if (paths && offsets)
		ret = replace(m, paths, nr, offsets, file, err);
	free(paths);
	free(offsets);
	return kt_err_result(err, ret);
}

/* ---- running recordings ---- */

static bool is_late(void *until)
{
	return moment_ms() > *(uint64_t *)until;
}

bool model_extend_index(struct kt_model *m, unsigned int budget_ms)
{
	uint64_t until = moment_ms() + budget_ms;

	m->extending = m->extending && kt_index_extend(m->index, is_late, &until, NULL) > 0;
	return m->extending;
}

/* Do other threads read the trace: an unfinished search, symbols being parsed? */
static bool is_read(struct kt_model *m)
{
	struct kt_search_progress p = { .done = true };

	if (m->search)
		kt_search_progress(m->search, &p);
	return !p.done || !kt_model_knows_symbols(m, 0);
}

int kt_model_refresh(struct kt_model *m, struct kt_err *err)
{
	int ret;

	if (is_read(m))
		return -EAGAIN;
	model_end_search(m);
	kt_index_stop(m->index);
	ret = kt_trace_refresh(m->trace, err);
	m->learning = 0;
	model_find_new_span(m);
	m->extending = true;
	model_extend_index(m, EXTEND_MS);
	if (ret < 0)
		return ret;
	return kt_index_start(m->index, err) < 0 ? -ENOMEM : ret;
}

int kt_model_reopen(struct kt_model *m, const char *path, struct kt_err *err)
{
	const char *same = kt_file_info(kt_trace_file(m->trace, 0))->path;
	const int64_t none = 0;
	int ret;

	while (path && m->nr_marks)
		kt_model_remove_mark(m, m->marks[m->nr_marks - 1].name);
	ret = replace(m, path ? &path : &same, 1, &none, 0, err);
	if (ret == 0 && path)
		m->cursor = (struct kt_spot){ 0 };
	return ret;
}
