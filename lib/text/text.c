/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* text.c - the text layer: shared by its front and its writers */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/btf.h"
#include "base/str.h"
#include "stream/stream.h"
#include "text/text.h"

#define LONGEST_NAME 255	/* lines are indented for names up to this length: the kernel has
				 * none longer */

/* ---- prefixes: the file or buffer of a line ---- */

/*
 * A prefix names the file if there are several, or the buffer within one file; lines of the
 * top-level buffer get blanks. If there are several files, the first entry is that of the file.
 */
static const char *name_of(const struct kt_text *x, size_t file, const char *buffer)
{
	if (*buffer)
		return buffer;
	return x->nr_files > 1 ?
	       str_base_name(kt_file_info(kt_trace_file(x->trace, file))->path) : "";
}

static size_t longest_name(const struct kt_text *x)
{
	const struct kt_buffer *b;
	size_t i, k, len, longest = 0;

	for (i = 0; i < x->nr_files; i++) {
		len = strlen(name_of(x, i, ""));
		longest = len > longest ? len : longest;
		/* Buffers without data count as well, as in trace-cmd. */
		for (k = 0; (b = kt_file_buffer(kt_trace_file(x->trace, i), k)); k++) {
			len = strlen(b->name);
			longest = len > longest ? len : longest;
		}
	}
	return longest < LONGEST_NAME ? longest : LONGEST_NAME;
}

static const char *add_prefix(struct kt_text *x, size_t file, const char *buffer)
{
	const char *name = name_of(x, file, buffer);
	struct str s = STR_INIT;

	if (x->prefix_width) {
		if (strlen(name) < x->prefix_width)
			str_addf(&s, "%*s", (int)(x->prefix_width - strlen(name)), "");
		if (x->opts.escape)
			str_add_escaped(&s, name, strlen(name));
		else
			str_add(&s, name);
		str_add(&s, *name ? ": " : "  ");
	}
	if (s.failed || !array_reserve(x->prefixes, x->nr_prefixes)) {
		str_fini(&s);
		return NULL;
	}
	return x->prefixes[x->nr_prefixes++] = str_take(&s);
}

/* Sources are ordered by buffer: only the previous one can have the same prefix. */
static const char *prefix_of(struct kt_text *x, size_t i)
{
	const struct text_source *src = &x->sources[i], *before = i ? src - 1 : src;

	if (!*src->buffer)
		return x->prefixes[src->file];
	if (i && before->file == src->file && strcmp(before->buffer, src->buffer) == 0)
		return before->prefix;
	return add_prefix(x, src->file, src->buffer);
}

static int set_prefixes(struct kt_text *x)
{
	size_t i;

	x->prefix_width = longest_name(x);
	for (i = 0; i < x->nr_files; i++)
		if (!add_prefix(x, i, ""))
			return -ENOMEM;
	for (i = 0; i < x->nr_sources; i++) {
		x->sources[i].prefix = prefix_of(x, i);
		if (!x->sources[i].prefix)
			return -ENOMEM;
		x->sources[i].prefix_len = strlen(x->sources[i].prefix);
	}
	return 0;
}

/* ---- sources ---- */

static int set_events(struct kt_text *x)
{
	size_t i;

	x->nr_files = kt_trace_nr_files(x->trace);
	x->events = calloc(x->nr_files ? x->nr_files : 1, sizeof(*x->events));
	x->btf = calloc(x->nr_files ? x->nr_files : 1, sizeof(*x->btf));
	x->unknown = calloc(x->nr_files ? x->nr_files : 1, sizeof(*x->unknown));
	if (!x->events || !x->btf || !x->unknown)
		return -ENOMEM;
	for (i = 0; i < x->nr_files; i++) {
		x->unknown[i] = text_event_unknown(x, kt_trace_events(x->trace, i));
		if (!x->unknown[i])
			return -ENOMEM;
		/* Most of it is never touched, and thus takes no memory */
		x->events[i] = calloc(EVENT_TYPES, sizeof(**x->events));
		if (!x->events[i])
			return -ENOMEM;
	}
	return 0;
}

static void set_source(struct kt_text *x, size_t i)
{
	const struct kt_stream *stream = kt_trace_stream(x->trace);
	const struct kt_source *src = kt_stream_source(stream, i);
	const struct kt_buffer *buf = kt_file_buffer(src->file, src->buffer);
	struct text_source *to = &x->sources[i];

	to->file = src->file_index;
	to->events = kt_trace_events(x->trace, src->file_index);
	to->symbols = kt_trace_record_symbols(x->trace, &(struct kt_record){ .source = i });
	to->by_type = x->events[src->file_index];
	to->buffer = buf->name;
	to->page_size = buf->page_size ? buf->page_size : 4096;
	to->cpu = src->cpu;
	to->in_ns = kt_stream_source_in_ns(stream, i);
	to->handle = src->first;
}

static int set_wall(struct kt_text *x, struct kt_err *err)
{
	size_t i;

	for (i = 0; i < x->nr_sources; i++)
		kt_stream_source_wall(kt_trace_stream(x->trace), i, &x->sources[i].wall);
	return kt_stream_check_wall(kt_trace_stream(x->trace), err);
}

static int set_sources(struct kt_text *x)
{
	size_t i;

	x->nr_sources = kt_stream_nr_sources(kt_trace_stream(x->trace));
	x->sources = calloc(x->nr_sources ? x->nr_sources : 1, sizeof(*x->sources));
	if (!x->sources)
		return -ENOMEM;
	for (i = 0; i < x->nr_sources; i++)
		set_source(x, i);
	return 0;
}

/* --align-ts: the first time of the whole trace, regardless of what is printed */
static int find_base(struct kt_text *x, struct kt_err *err)
{
	struct kt_record rec;
	size_t i;
	int ret;

	x->base_ts = UINT64_MAX;
	for (i = 0; i < x->nr_sources; i++) {
		ret = kt_stream_first(kt_trace_stream(x->trace), i, &rec, err);
		if (ret < 0)
			return ret;
		if (ret && rec.ts < x->base_ts)
			x->base_ts = rec.ts;
	}
	return 0;
}

static int set_up(struct kt_text *x, struct kt_err *err)
{
	int ret;

	if (set_events(x) < 0 || set_sources(x) < 0 || set_prefixes(x) < 0)
		return -ENOMEM;
	ret = x->opts.align_ts ? find_base(x, err) : 0;
	if (ret < 0)
		return ret;
	ret = x->opts.wall ? set_wall(x, err) : 0;
	if (ret < 0)
		return ret;
	ret = text_threads(x) > 1 ? stream_read_ahead(kt_trace_stream(x->trace)) : 0;
	if (ret < 0)
		return ret;
	if (x->opts.plugins) {
		x->pretty = pretty_create(x->trace, x->opts.plugins);
		if (!x->pretty)
			return -ENOMEM;
		graph_prepare(x);
	}
	x->front = front_create(x);
	x->writer = writer_create(x);
	return x->front && x->writer ? 0 : -ENOMEM;
}

struct kt_text *kt_text_create(struct kt_trace *t, struct kt_filter *filter,
			       const struct kt_text_opts *opts, struct kt_err *err)
{
	struct kt_text *x = calloc(1, sizeof(*x));
	int ret = -ENOMEM;

	if (x) {
		x->trace = t;
		x->filter = filter;
		x->opts = *opts;
		ret = set_up(x, err);
	}
	if (ret < 0) {
		kt_err_result(err, ret);
		kt_text_destroy(x);
		return NULL;
	}
	return x;
}

/* An entry is folded with the record after it, of any event. */
static bool has_graph_entries(const struct kt_text *x, size_t file, const uint64_t *bits)
{
	static const char *const names[] = { "funcgraph_entry", "fgraph_retaddr_entry" };
	const struct kt_event *ev;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		ev = kt_events_by_name(kt_trace_events(x->trace, file), "ftrace", names[i]);
		if (ev && bits[ev->id / 64] >> ev->id % 64 & 1)
			return true;
	}
	return false;
}

/* @bits: room for the two bitmaps of a file */
static int narrow(struct kt_text *x, size_t file, uint64_t *bits)
{
	struct kt_stream *stream = kt_trace_stream(x->trace);
	uint64_t *pids = bits + KT_FILTER_TYPES_WORDS;
	int ret;

	kt_filter_types(x->filter, file, bits);
	x->until_graph |= has_graph_entries(x, file, bits);
	ret = kt_stream_want_types(stream, file, bits);
	if (ret == 0 && kt_filter_pids(x->filter, file, bits, pids))
		ret = kt_stream_want_pids(stream, file, bits, pids);
	return ret;
}

int kt_text_narrow(struct kt_text *x, struct kt_err *err)
{
	uint64_t *bits;
	size_t file;
	int ret = 0;

	if (!x->filter || kt_filter_is_empty(x->filter) || x->opts.check_ts)
		return 0;
	bits = malloc(2 * KT_FILTER_TYPES_WORDS * sizeof(*bits));
	if (!bits)
		return kt_err_no_memory(err);
	for (file = 0; file < x->nr_files && ret == 0; file++)
		ret = narrow(x, file, bits);
	free(bits);
	return kt_err_result(err, ret);
}

int text_widen(struct kt_text *x, struct kt_err *err)
{
	struct kt_stream *stream = kt_trace_stream(x->trace);
	size_t file;

	x->until_graph = false;
	for (file = 0; file < x->nr_files; file++) {
		kt_stream_want_types(stream, file, NULL);
		kt_stream_want_pids(stream, file, NULL, NULL);
	}
	return kt_stream_rewind(stream, err);
}

void kt_text_destroy(struct kt_text *x)
{
	struct text_event *te;
	size_t i;

	if (!x)
		return;
	while ((te = x->made)) {
		x->made = te->next;
		text_event_destroy(te);
	}
	for (i = 0; x->events && i < x->nr_files; i++)
		free(x->events[i]);
	for (i = 0; i < x->nr_prefixes; i++)
		free(x->prefixes[i]);
	front_destroy(x->front);
	writer_destroy(x->writer);
	pretty_destroy(x->pretty);
	free(x->prefixes);
	for (i = 0; x->btf && i < x->nr_files; i++)
		kt_btf_close(x->btf[i]);
	free(x->btf);
	free(x->unknown);
	free(x->events);
	free(x->sources);
	free(x);
}

/* Adds a newline even if the text ends with one, like trace-cmd. */
static void add_buffer_text(const struct kt_text *x, struct kt_file *f, size_t buffer,
			    struct str *s)
{
	const char *p, *end, *eol;
	struct kt_blob text;

	if (kt_file_buffer_text(f, buffer, &text, NULL) < 0)
		return;		/* kt_file_damage() reports it */
	for (p = text.data, end = p + text.size; p <= end; p = eol + 1) {
		eol = p < end ? memchr(p, '\n', end - p) : NULL;
		if (!eol)
			eol = end;
		if (x->opts.escape)
			str_add_escaped(s, p, eol - p);
		else
			str_addn(s, p, eol - p);
		str_addc(s, '\n');
	}
}

void kt_text_head(struct kt_text *x, size_t file, struct kt_out *out)
{
	struct kt_file *f = kt_trace_file(x->trace, file);
	size_t i;

	if (x->nr_files > 1)
		str_add(&out->text, x->prefixes[file]);
	str_addf(&out->text, "cpus=%d\n", kt_file_info(f)->nr_cpus);
	for (i = 0; i < kt_file_nr_buffers(f); i++)
		if (kt_file_buffer(f, i)->is_text)
			add_buffer_text(x, f, i, &out->text);
}

size_t kt_text_nr_unknown(const struct kt_text *x)
{
	return x->nr_unknown;
}

void kt_text_wakeups(const struct kt_text *x, struct kt_out *out)
{
	front_wakeups(x->front, out);
}

void kt_text_line(struct kt_text *x, const struct kt_record *rec, struct kt_out *out)
{
	const struct mark m = { .ev = text_event(x, rec) };

	writer_lines(x->writer, rec, &m, 1, out);
	str_addn(&out->text, "", 0);	/* writers do not NUL-terminate */
}
