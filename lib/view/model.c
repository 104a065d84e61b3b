/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* model.c - a trace with the state that several screens share */
#include <ktrail/model.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/moment.h"
#include "view/model_priv.h"
#include "view/search.h"

#define FIRST_RECORDS 20000
#define SPAN_STEPS 64		/* sources, or dozens of chunks, examined at a time */
#define IN_INTERRUPT 0x58		/* common_flags: hard, soft and non-maskable interrupts */

/* ---- opening ---- */

static int add_files(struct kt_model *m, const char *const paths[], size_t nr,
		     const struct kt_model_opts *o, struct kt_err *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < nr && ret == 0; i++) {
		const struct kt_stream_opts s = {
			.ts_offset = o->ts_offsets ? o->ts_offsets[i] : 0, .forget_lost = true,
		};

		m->offsets[i] = s.ts_offset;
		ret = kt_trace_add(m->trace, paths[i], &s, err);
		if (ret == 0)
			kt_symbols_start(kt_trace_symbols(m->trace, i), NULL);
	}
	return ret;
}

static int start(struct kt_model *m, const struct kt_model_opts *o, struct kt_err *err)
{
	struct kt_text_opts text = { .threads = 1 };

	if (o->index)
		m->index_opts = *o->index;
	if (m->index_opts.cache)
		m->index_opts.cache = strdup(m->index_opts.cache);
	m->plugins = o->plugins;
	m->plain = kt_text_create(m->trace, NULL, &text, err);
	text.plugins = o->plugins;
	if (m->plain && o->plugins)
		m->pretty = kt_text_create(m->trace, NULL, &text, err);
	if (!m->plain || (o->plugins && !m->pretty))
		return -ENOMEM;
	m->index = kt_index_create(m->trace, o->index, err);
	return m->index ? kt_index_start(m->index, err) : -ENOMEM;
}

struct kt_model *kt_model_open(const char *const paths[], size_t nr,
			       const struct kt_model_opts *opts, struct kt_err *err)
{
	static const struct kt_model_opts none = { 0 };
	struct kt_model *m = calloc(1, sizeof(*m));
	int ret = m ? 0 : kt_err_no_memory(err);

	if (m) {
		m->trace = kt_trace_create();
		m->offsets = calloc(nr + 1, sizeof(*m->offsets));
		m->of_file = calloc(nr + 1, sizeof(*m->of_file));
		ret = m->trace && m->offsets && m->of_file ?
		      add_files(m, paths, nr, opts ? opts : &none, err) : kt_err_no_memory(err);
	}
	if (ret == 0)
		ret = start(m, opts ? opts : &none, err);
	if (ret == 0) {
		m->span = (struct kt_window){ UINT64_MAX, 0 };
		model_find_new_span(m);
		return m;
	}
	kt_model_close(m);
	return NULL;
}

static void free_filter(struct filter *f)
{
	kt_filter_destroy(f->filter);
	free(f->text);
}

void kt_model_close(struct kt_model *m)
{
	size_t i;

	if (!m)
		return;
	model_end_search(m);		/* its threads use the filters */
	for (i = 0; i < m->nr_filters; i++)
		free_filter(&m->filters[i]);
	for (i = 0; i < m->nr_marks; i++)
		free(m->marks[i].note);
	free(m->marks);
	free(m->filters);
	kt_index_destroy(m->index);
	kt_text_destroy(m->plain);
	kt_text_destroy(m->pretty);
	kt_trace_destroy(m->trace);
	free((char *)m->index_opts.cache);
	free(m->offsets);
	free(m->of_file);
	free(m->left_out.pids);
	free(m);
}

struct kt_trace *kt_model_trace(struct kt_model *m)
{
	return m->trace;
}

struct kt_index *kt_model_index(struct kt_model *m)
{
	return m->index;
}

struct kt_plugins *kt_model_plugins(struct kt_model *m)
{
	return m->plugins;
}

struct kt_text *kt_model_text(struct kt_model *m, bool pretty)
{
	return pretty && m->pretty ? m->pretty : m->plain;
}

struct kt_text *model_new_text(struct kt_model *m, bool pretty, struct kt_err *err)
{
	const struct kt_text_opts text = { .threads = 1, .plugins = pretty ? m->plugins : NULL };

	return kt_text_create(m->trace, NULL, &text, err);
}

/* ---- the first and the last record ---- */

bool kt_model_knows_span(const struct kt_model *m)
{
	return m->nr_found == kt_stream_nr_sources(kt_trace_stream(m->trace));
}

static void reach(struct kt_window *w, uint64_t ts)
{
	w->from = ts < w->from ? ts : w->from;
	w->until = ts > w->until ? ts : w->until;
}

/* Finds the first and last record, until @stop is true. True: they are known. */
static bool find_span(struct kt_model *m, bool (*stop)(void *data), void *data)
{
	struct kt_stream *s = kt_trace_stream(m->trace);
	struct kt_window *of_file;
	struct kt_record rec;
	int ret = 0;

	kt_stream_set_stop(s, stop, data);
	for (; !kt_model_knows_span(m) && !stop(data); m->nr_found++) {
		of_file = &m->of_file[kt_stream_source(s, m->nr_found)->file_index];
		ret = kt_stream_first(s, m->nr_found, &rec, NULL);
		if (ret > 0)
			reach(of_file, rec.ts);
		if (ret != -EINTR)
			ret = kt_stream_last(s, m->nr_found, &rec, NULL);
		if (ret == -EINTR)
			break;
		if (ret > 0)
			reach(of_file, rec.ts);
		m->found.from = of_file->from < m->found.from ? of_file->from : m->found.from;
		m->found.until = of_file->until > m->found.until ? of_file->until : m->found.until;
	}
	kt_stream_set_stop(s, NULL, NULL);
	if (kt_model_knows_span(m))
		m->span = m->found;
	return kt_model_knows_span(m);
}

/* Not by time: the first screen must not depend on the load of the machine. */
static bool is_enough(void *data)
{
	unsigned int *left = data;

	return !*left || !--*left;
}

void model_find_new_span(struct kt_model *m)
{
	unsigned int left = SPAN_STEPS;
	size_t i;

	m->found = (struct kt_window){ UINT64_MAX, 0 };
	for (i = 0; i < kt_trace_nr_files(m->trace); i++)
		m->of_file[i] = m->found;
	m->nr_found = 0;
	find_span(m, is_enough, &left);
}

int kt_model_span(struct kt_model *m, struct kt_window *span)
{
	*span = m->span.from <= m->span.until ? m->span : m->found;
	return span->from <= span->until;
}

bool model_begins_with(struct kt_model *m, bool (*is)(const struct kt_event *ev))
{
	struct kt_reader *r = kt_reader_create(m->trace, m->index, NULL);
	const struct kt_event *ev;
	struct kt_record rec;
	bool found = false;
	int left = FIRST_RECORDS;

	while (r && !found && left-- > 0 && kt_reader_next(r, &rec, NULL) > 0) {
		ev = kt_trace_event(m->trace, &rec);
		found = ev && is(ev);
	}
	kt_reader_destroy(r);
	return found;
}

/* ---- background work ---- */

bool kt_model_knows_symbols(struct kt_model *m, unsigned int most_ms)
{
	while (m->symbols < kt_trace_nr_files(m->trace)) {
		if (!kt_symbols_wait(kt_trace_symbols(m->trace, m->symbols), most_ms))
			return false;
		m->symbols++;
		m->generation++;	/* the screen shows addresses */
	}
	return true;
}

static bool is_late(void *until)
{
	return moment_ms() > *(uint64_t *)until;
}

bool kt_model_work(struct kt_model *m, unsigned int budget_ms)
{
	uint64_t until = moment_ms() + budget_ms;

	model_extend_index(m, budget_ms);
	if (!kt_model_knows_span(m))
		find_span(m, is_late, &until);
	while (m->learning < kt_trace_nr_files(m->trace) && moment_ms() < until)
		if (kt_trace_learn_comms(m->trace, m->learning) <= 0)
			m->learning++;
	return m->extending || !kt_model_knows_span(m) || m->learning < kt_trace_nr_files(m->trace);
}

/* ---- selected records ---- */

size_t kt_model_nr_filters(const struct kt_model *m)
{
	return m->nr_filters;
}

struct kt_model_filter kt_model_filter(const struct kt_model *m, size_t i)
{
	const struct filter *f = &m->filters[i];

	return (struct kt_model_filter){ .text = f->text, .exclude = f->exclude, .on = f->on };
}

int kt_model_add_filter(struct kt_model *m, const char *text, bool exclude, struct kt_err *err)
{
	struct filter f = { .exclude = exclude, .on = true };
	int ret;

	model_end_search(m);
	if (!array_reserve(m->filters, m->nr_filters))
		return kt_err_no_memory(err);
	f.text = strdup(text);
	f.filter = kt_filter_create(m->trace);
	ret = f.text && f.filter ? kt_filter_add(f.filter, text, exclude, -1, err)
				 : kt_err_no_memory(err);
	if (ret < 0) {
		free_filter(&f);
		return ret;
	}
	m->filters[m->nr_filters++] = f;
	m->generation++;
	return 0;
}

void kt_model_switch_filter(struct kt_model *m, size_t i, bool on)
{
	if (i >= m->nr_filters || m->filters[i].on == on)
		return;
	model_end_search(m);
	m->filters[i].on = on;
	m->generation++;
}

void kt_model_remove_filter(struct kt_model *m, size_t i)
{
	if (i >= m->nr_filters)
		return;
	model_end_search(m);
	free_filter(&m->filters[i]);
	memmove(&m->filters[i], &m->filters[i + 1], (--m->nr_filters - i) * sizeof(*m->filters));
	m->generation++;
}

bool kt_model_is_filtered(const struct kt_model *m)
{
	size_t i;

	for (i = 0; i < m->nr_filters; i++)
		if (m->filters[i].on)
			return true;
	return false;
}

unsigned int kt_model_generation(const struct kt_model *m)
{
	return m->generation;
}

static int compare_pids(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return x < y ? -1 : x > y;
}

int kt_model_leave_out(struct kt_model *m, const int *pids, size_t nr)
{
	struct left_out *l = &m->left_out;
	int *copy = calloc(nr + 1, sizeof(*copy));

	if (!copy)
		return -ENOMEM;
	if (nr)
		memcpy(copy, pids, nr * sizeof(*copy));
	qsort(copy, nr, sizeof(*copy), compare_pids);
	model_end_search(m);
	/* New processes have no records yet, so the shown records do not change. */
	m->generation += !nr != !l->nr;
	free(l->pids);
	*l = (struct left_out){ .pids = copy, .nr = nr };
	l->change = kt_events_by_name(kt_trace_events(m->trace, 0), "sched", "sched_switch");
	l->next_pid = l->change ? kt_event_field(l->change, "next_pid") : NULL;
	return 0;
}

static bool is_of_them(const struct left_out *l, int pid)
{
	return bsearch(&pid, l->pids, l->nr, sizeof(*l->pids), compare_pids);
}

/* A switch to another task belongs to that task, and an interrupt belongs to neither. */
static bool leaves_out(const struct kt_model *m, const struct kt_record *rec)
{
	const struct left_out *l = &m->left_out;
	const struct kt_source *src = kt_stream_source(kt_trace_stream(m->trace), rec->source);
	const struct kt_events *events = kt_trace_events(m->trace, src->file_index);
	int64_t next;

	if (!is_of_them(l, kt_record_pid(events, rec)) ||
	    kt_record_flags(events, rec) & IN_INTERRUPT)
		return false;
	if (!l->next_pid || rec->type != l->change->id ||
	    kt_field_i64(l->change, l->next_pid, rec, &next) < 0)
		return true;
	return !next || is_of_them(l, (int)next);
}

bool kt_model_chooses(const struct kt_model *m)
{
	return m->left_out.nr || kt_model_is_filtered(m);
}

bool model_shows(struct kt_model *m, const struct kt_record *rec)
{
	size_t i;

	for (i = 0; i < m->nr_filters; i++)
		if (m->filters[i].on && !kt_filter_match(m->filters[i].filter, rec))
			return false;
	return !m->left_out.nr || !leaves_out(m, rec);
}

static bool shows(void *data, const struct kt_record *rec)
{
	return model_shows(data, rec);
}

/* Events that no filter accepts are not even decoded, and one filter may rule out tasks. */
static int choose_types(struct kt_model *m, struct kt_reader *r, size_t file)
{
	uint64_t all[KT_FILTER_TYPES_WORDS], bits[KT_FILTER_TYPES_WORDS];
	uint64_t pids[KT_FILTER_TYPES_WORDS];
	bool of_pids = false;
	size_t i, k;
	int ret;

	memset(all, 0xff, sizeof(all));
	for (i = 0; i < m->nr_filters; i++) {
		if (!m->filters[i].on)
			continue;
		kt_filter_types(m->filters[i].filter, file, bits);
		for (k = 0; k < KT_FILTER_TYPES_WORDS; k++)
			all[k] &= bits[k];
	}
	ret = kt_reader_want_types(r, file, all);
	for (i = 0; i < m->nr_filters && !of_pids; i++)
		of_pids = m->filters[i].on &&
			  kt_filter_pids(m->filters[i].filter, file, bits, pids);
	return ret < 0 ? ret : kt_reader_want_pids(r, file, of_pids ? bits : NULL,
						   of_pids ? pids : NULL);
}

static int choose_all(struct kt_reader *r, size_t file)
{
	kt_reader_want_pids(r, file, NULL, NULL);
	return kt_reader_want_types(r, file, NULL);
}

int kt_model_choose(struct kt_model *m, struct kt_reader *r, struct kt_err *err)
{
	bool filtered = kt_model_is_filtered(m);
	size_t file;
	int ret = 0;

	kt_reader_set_match(r, kt_model_chooses(m) ? shows : NULL, m);
	for (file = 0; file < kt_trace_nr_files(m->trace) && ret == 0; file++)
		ret = filtered ? choose_types(m, r, file) : choose_all(r, file);
	return kt_err_result(err, ret);
}

struct kt_reader *kt_model_reader(struct kt_model *m, struct kt_err *err)
{
	struct kt_reader *r = kt_reader_create(m->trace, m->index, err);

	if (r && kt_model_choose(m, r, err) < 0) {
		kt_reader_destroy(r);
		return NULL;
	}
	return r;
}

/* ---- the search: with the records selected at its start ---- */

struct kt_search *kt_model_search(struct kt_model *m, const char *regex, bool pretty,
				  const struct kt_spot *from, int direction, unsigned int threads,
				  struct kt_err *err)
{
	model_end_search(m);
	m->search = search_create(m, regex, pretty, from, direction, threads, err);
	return m->search;
}

struct kt_search *kt_model_searching(const struct kt_model *m)
{
	return m->search;
}

void model_end_search(struct kt_model *m)
{
	search_destroy(m->search);
	m->search = NULL;
}

/* ---- the current moment ---- */

void kt_model_set_cursor(struct kt_model *m, const struct kt_spot *spot)
{
	m->cursor = *spot;
}

struct kt_spot kt_model_cursor(const struct kt_model *m)
{
	return m->cursor;
}

void kt_model_note_jump(struct kt_model *m)
{
	if (m->at_jump == JUMPS)
		memmove(m->jumps, m->jumps + 1, --m->at_jump * sizeof(m->jumps[0]));
	m->jumps[m->at_jump++] = m->cursor;
	m->nr_jumps = m->at_jump;
}

bool kt_model_go_back(struct kt_model *m)
{
	struct kt_spot here = m->cursor;

	if (!m->at_jump)
		return false;
	m->cursor = m->jumps[--m->at_jump];
	m->jumps[m->at_jump] = here;	/* so that going forward returns here */
	return true;
}

bool kt_model_go_forward(struct kt_model *m)
{
	struct kt_spot here = m->cursor;

	if (m->at_jump == m->nr_jumps)
		return false;
	m->cursor = m->jumps[m->at_jump];
	m->jumps[m->at_jump++] = here;
	return true;
}
