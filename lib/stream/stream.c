/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* stream.c - the records of all CPUs, buffers and files in order of time */
#include "stream/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "file/note.h"
#include "stream/batch.h"
#include "stream/cursor.h"
#include "stream/merge.h"
#include "stream/timefix.h"

#define NEXT_RECORDS 256	/* records that kt_stream_next() reads at a time */
#define CHUNKS_LIMIT (20u << 20)	/* bytes of chunks that all cursors together hold */
#define CHUNK_LIMIT  (4u << 20)		/* the same for one cursor, with its prefetched chunks */
/* the same for one chunk: several batches may each pin a chunk of every cursor */
#define PIECE_LIMIT  (1u << 20)
#define HELD_ALL   (8u << 20)	/* bytes of chunks that only batches still need */
#define HELD_LIMIT (4u << 20)	/* the same for each batch */

struct stream_file {
	struct kt_file *file;
	struct kt_stream_opts opts;
	struct cursor_layout layout;
	struct timefix fix;		/* of its sources, except for a guest's samples */
	const struct kt_option *shift;	/* a guest's samples; NULL: not a guest's file */
	bool plain_numbers;		/* times are raw: their unit is unknown */
};

struct source {
	struct kt_source pub;
	struct stream_file *in;
	struct timefix fix;
	bool muted, in_ns;
	uint64_t size;			/* stored bytes */
	struct cursor probe;		/* for kt_stream_first() and _last(); pins their record */
	bool probing;
	bool first_is_pending;		/* kt_stream_first() was stopped; @probe can continue */
	uint64_t nr_chunks;		/* chunks that kt_stream_last() has found so far */
};

struct kt_stream {
	struct stream_file **files;
	size_t nr_files;
	struct source **sources;
	size_t nr_sources;

	/* Set by the first read */
	bool ready;
	uint64_t from;			/* time of the last seek */
	struct read_place *places;	/* of the last resume, one per source; NULL: a seek */
	struct cursor *cursors;		/* one per source that is not muted */
	size_t nr_cursors;
	struct merge merge;
	struct readahead *readahead;		/* NULL: no prefetch */
	uint64_t serial;		/* of the batch being filled */
	size_t held_limit;		/* bytes: HELD_LIMIT, or less if there are many batches */
	struct kt_batch *own;		/* of kt_stream_next() */
	size_t own_at;
	unsigned int generation;	/* number of calls of stream_take_growth() */
	bool (*stop)(void *data);	/* of kt_stream_first() and _last(), or NULL */
	void *stop_data;
};

struct kt_stream *kt_stream_create(void)
{
	struct kt_stream *s = calloc(1, sizeof(*s));

	if (s)
		s->held_limit = HELD_LIMIT;
	return s;
}

static void free_cursors(struct kt_stream *s)
{
	size_t i;

	for (i = 0; i < s->nr_cursors; i++)
		cursor_fini(&s->cursors[i]);
	free(s->cursors);
	s->cursors = NULL;
	s->nr_cursors = 0;
	merge_fini(&s->merge);
}

void kt_stream_destroy(struct kt_stream *s)
{
	size_t i;

	if (!s)
		return;
	readahead_destroy(s->readahead);
	free_cursors(s);
	kt_batch_destroy(s->own);
	for (i = 0; i < s->nr_sources; i++) {
		if (s->sources[i]->probing)
			cursor_fini(&s->sources[i]->probe);
		timefix_fini(&s->sources[i]->fix);
		free(s->sources[i]);
	}
	for (i = 0; i < s->nr_files; i++) {
		free(s->files[i]->layout.wanted);
		free(s->files[i]->layout.of_pids);
		free(s->files[i]->layout.pids);
		free((char *)s->files[i]->opts.only_buffer);
		free(s->files[i]);
	}
	free(s->sources);
	free(s->files);
	free(s->places);
	free(s);
}

static bool is_clock_in_ns(const char *clock)
{
	static const char *const in_ns[] = { "local", "global", "uptime", "perf", "tai",
					     "tsc2nsec" };
	size_t i;

	if (!*clock)		/* missing, as in files older than that option: assume local */
		return true;
	for (i = 0; i < sizeof(in_ns) / sizeof(*in_ns); i++)
		if (strcmp(clock, in_ns[i]) == 0)
			return true;
	return strncmp(clock, "mono", 4) == 0;
}

static struct stream_file *add_file(struct kt_stream *s, struct kt_file *file,
				    const struct kt_stream_opts *opts)
{
	const struct kt_file_info *info = kt_file_info(file);
	struct stream_file *sf = NULL;

	if (array_reserve(s->files, s->nr_files))
		sf = calloc(1, sizeof(*sf));
	if (sf && opts)
		sf->opts = *opts;
	if (sf && sf->opts.only_buffer)
		sf->opts.only_buffer = strdup(sf->opts.only_buffer);
	if (!sf || (opts && opts->only_buffer && !sf->opts.only_buffer)) {
		free(sf);
		return NULL;
	}
	sf->file = file;
	sf->layout = (struct cursor_layout){
		.file = file,
		.swap = info->big_endian != KT_HOST_BIG,
		.commit_offset = info->commit_offset,
		.commit_size = info->commit_size,
		.data_offset = info->data_offset,
		.forget_lost = sf->opts.forget_lost,
	};
	timefix_init(&sf->fix, file, &sf->opts);
	if (!sf->opts.raw_ts)
		sf->shift = kt_file_find_option(file, KT_OPTION_TIME_SHIFT);
	/* Without this option, trace-cmd assumes nanoseconds, raw or not. */
	sf->plain_numbers = sf->opts.raw_ts && kt_file_find_option(file, KT_OPTION_TRACECLOCK);
	s->files[s->nr_files++] = sf;
	return sf;
}

static int add_source(struct kt_stream *s, struct stream_file *sf, size_t buffer, size_t cpu_index,
		      struct kt_err *err)
{
	const struct kt_buffer *b = kt_file_buffer(sf->file, buffer);
	const size_t at = s->nr_sources;
	struct source *src = array_reserve(s->sources, at) ? calloc(1, sizeof(*src)) : NULL;

	if (!src)
		return kt_err_no_memory(err);
	src->in = sf;
	src->pub = (struct kt_source){ .file = sf->file, .file_index = s->nr_files - 1,
				       .buffer = buffer, .cpu_index = cpu_index,
				       .cpu = b->cpus[cpu_index].cpu, .first = at - cpu_index };
	src->size = b->cpus[cpu_index].size;
	s->sources[s->nr_sources++] = src;
	src->in_ns = is_clock_in_ns(b->clock) && !sf->plain_numbers;
	src->fix = sf->fix;
	if (src->fix.mult || src->fix.factor)
		src->in_ns = true;
	if (sf->shift && timefix_add_shift(&src->fix, sf->file, sf->shift, src->pub.cpu) < 0)
		return kt_err_no_memory(err);
	return 0;
}

int kt_stream_add(struct kt_stream *s, struct kt_file *file, const struct kt_stream_opts *opts,
		  struct kt_err *err)
{
	const struct kt_buffer *b;
	struct stream_file *sf;
	size_t i, cpu;
	int ret;

	if (kt_file_info(file)->old_events)
		return kt_err_set(err, -ENOTSUP, "%s: recorded before Linux 2.6.31, which stored "
				  "events in a different format", kt_file_info(file)->path);
	sf = add_file(s, file, opts);
	if (!sf)
		return kt_err_no_memory(err);
	for (i = 0; (b = kt_file_buffer(file, i)); i++) {
		if (b->is_text || (opts && opts->only_buffer && strcmp(opts->only_buffer, b->name)))
			continue;
		for (cpu = 0; cpu < b->nr_cpus; cpu++) {
			ret = add_source(s, sf, i, cpu, err);
			if (ret < 0)
				return ret;
		}
	}
	return 0;
}

size_t kt_stream_nr_sources(const struct kt_stream *s)
{
	return s->nr_sources;
}

const struct kt_source *kt_stream_source(const struct kt_stream *s, size_t i)
{
	return i < s->nr_sources ? &s->sources[i]->pub : NULL;
}

void kt_stream_mute(struct kt_stream *s, size_t source)
{
	if (source < s->nr_sources)
		s->sources[source]->muted = true;
}

bool kt_stream_is_muted(const struct kt_stream *s, size_t source)
{
	return source < s->nr_sources && s->sources[source]->muted;
}

/* The layout whose selection will change: stopped searches start again. NULL: no such file */
static struct cursor_layout *layout_to_change(struct kt_stream *s, size_t file_index)
{
	size_t i;

	for (i = 0; i < s->nr_sources; i++)
		s->sources[i]->first_is_pending = false;
	return file_index < s->nr_files ? &s->files[file_index]->layout : NULL;
}

int kt_stream_want_types(struct kt_stream *s, size_t file_index, const uint64_t *wanted)
{
	struct cursor_layout *l = layout_to_change(s, file_index);

	return l ? cursor_want_types(l, wanted) : -ENOENT;
}

int kt_stream_want_pids(struct kt_stream *s, size_t file_index, const uint64_t *types,
			const uint64_t *pids)
{
	struct cursor_layout *l = layout_to_change(s, file_index);

	return l ? cursor_want_pids(l, types, pids) : -ENOENT;
}

int stream_read_ahead(struct kt_stream *s)
{
	if (!s->readahead)
		s->readahead = readahead_create(s->nr_sources);
	return s->readahead ? 0 : -ENOMEM;
}

bool stream_help(struct kt_stream *s)
{
	return s->readahead && readahead_help(s->readahead);
}

bool kt_stream_source_in_ns(const struct kt_stream *s, size_t i)
{
	return i < s->nr_sources && s->sources[i]->in_ns;
}

bool kt_stream_source_wall(const struct kt_stream *s, size_t i, uint64_t *add)
{
	const struct timefix *fix = i < s->nr_sources ? &s->sources[i]->fix : NULL;

	*add = fix && fix->has_wall ? fix->wall : 0;
	return fix && fix->has_wall;
}

int kt_stream_check_wall(const struct kt_stream *s, struct kt_err *err)
{
	size_t i;

	for (i = 0; i < s->nr_sources; i++)
		if (s->sources[i]->in_ns && !s->sources[i]->fix.has_wall)
			return kt_err_set(err, -ENODATA, "%s does not store the time of day of its "
					  "recording, as `ktrail record` does",
					  kt_file_info(s->sources[i]->pub.file)->path);
	return 0;
}

static void init_cursor(struct cursor *c, const struct source *src, uint32_t i)
{
	cursor_init(c, &src->in->layout, &src->fix, src->pub.buffer, src->pub.cpu_index, i);
}

void stream_init_cursor(const struct kt_stream *s, size_t source, struct cursor *c)
{
	init_cursor(c, s->sources[source], (uint32_t)source);
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t share(size_t nr_cursors)
{
	return nr_cursors ? least(CHUNKS_LIMIT / nr_cursors, CHUNK_LIMIT) : CHUNK_LIMIT;
}

static size_t piece_size(size_t nr_cursors)
{
	return least(share(nr_cursors), PIECE_LIMIT);
}

static void share_memory(struct kt_stream *s)
{
	size_t i;

	for (i = 0; i < s->nr_cursors; i++) {
		s->cursors[i].share = share(s->nr_cursors);
		s->cursors[i].piece_size = piece_size(s->nr_cursors);
	}
	for (i = 0; i < s->nr_files; i++)
		file_limit_readers(s->files[i]->file, s->nr_files);
}

void stream_expect_batches(struct kt_stream *s, size_t nr)
{
	s->held_limit = least(HELD_ALL / nr, HELD_LIMIT);
	share_memory(s);
}

/* Makes a cursor, before its first record, for each source that will be read */
static int make_cursors(struct kt_stream *s)
{
	size_t i;

	s->cursors = calloc(s->nr_sources + 1, sizeof(*s->cursors));
	if (!s->cursors)
		return -ENOMEM;
	for (i = 0; i < s->nr_sources; i++)
		if (!s->sources[i]->muted)
			init_cursor(&s->cursors[s->nr_cursors++], s->sources[i], i);
	for (i = 0; i < s->nr_cursors; i++) {
		s->cursors[i].readahead = s->readahead;
		s->cursors[i].slot = i;
	}
	share_memory(s);
	return merge_init(&s->merge, s->nr_cursors);
}

/* Moves all cursors to s->places, or to s->from */
static int go(struct kt_stream *s, struct kt_err *err)
{
	struct cursor *c;
	size_t i;
	int ret;

	if (s->own)
		batch_reset(s->own);
	s->own_at = 0;
	if (!s->cursors && make_cursors(s) < 0)
		return kt_err_no_memory(err);
	for (i = 0; i < s->nr_cursors; i++) {
		c = &s->cursors[i];
		ret = s->places ? cursor_resume(c, &s->places[c->source], err)
				: cursor_seek(c, s->from, err);
		if (ret < 0)
			return ret;
		s->merge.keys[i] = s->cursors[i].key;
	}
	if (merge_build(&s->merge) < 0)
		return kt_err_no_memory(err);
	s->ready = true;
	return 0;
}

int kt_stream_seek(struct kt_stream *s, uint64_t ts, struct kt_err *err)
{
	free(s->places);
	s->places = NULL;
	s->from = ts;
	return go(s, err);
}

int stream_resume(struct kt_stream *s, const struct read_place *places, size_t nr,
		  struct kt_err *err)
{
	struct read_place *copy = calloc(s->nr_sources + 1, sizeof(*copy));

	if (!copy)
		return kt_err_no_memory(err);
	if (nr)
		memcpy(copy, places, (nr < s->nr_sources ? nr : s->nr_sources) * sizeof(*copy));
	free(s->places);
	s->places = copy;
	return go(s, err);
}

void stream_take_growth(struct kt_stream *s)
{
	struct source *src;
	size_t i;

	if (s->own)
		batch_reset(s->own);
	s->own_at = 0;
	free_cursors(s);
	s->ready = false;
	for (i = 0; i < s->nr_sources; i++) {
		src = s->sources[i];
		if (src->probing)
			cursor_fini(&src->probe);
		src->probing = src->first_is_pending = false;
		src->nr_chunks = 0;
		src->size = kt_file_buffer(src->pub.file, src->pub.buffer)
				    ->cpus[src->pub.cpu_index].size;
	}
	s->generation++;
}

const unsigned int *stream_generation(const struct kt_stream *s)
{
	return &s->generation;
}

int kt_stream_rewind(struct kt_stream *s, struct kt_err *err)
{
	return go(s, err);
}

/* A cursor before the first record of @source; NULL: no such source */
static struct cursor *probe(struct kt_stream *s, size_t source)
{
	struct source *src = source < s->nr_sources ? s->sources[source] : NULL;

	if (!src)
		return NULL;
	if (src->probing)
		cursor_fini(&src->probe);
	src->probing = true;
	src->first_is_pending = false;
	init_cursor(&src->probe, src, source);
	src->probe.piece_size = piece_size(s->nr_sources);	/* every source may hold one */
	return &src->probe;
}

int kt_stream_first(struct kt_stream *s, size_t source, struct kt_record *rec, struct kt_err *err)
{
	bool pending = source < s->nr_sources && s->sources[source]->first_is_pending;
	struct cursor *c = pending ? &s->sources[source]->probe : probe(s, source);
	int ret;

	if (!c)
		return 0;
	c->stop = s->stop;
	c->stop_data = s->stop_data;
	ret = pending ? cursor_turn(c, err) : cursor_start(c, 0, err);
	s->sources[source]->first_is_pending = ret == -EINTR;
	if (ret < 0 || c->key == CURSOR_DONE)
		return ret;
	return cursor_walk(c, UINT64_MAX, rec, 1);
}

int kt_stream_last(struct kt_stream *s, size_t source, struct kt_record *rec, struct kt_err *err)
{
	struct cursor *c = probe(s, source);
	uint64_t *nr = c ? &s->sources[source]->nr_chunks : NULL;
	int ret = c ? cursor_nr_chunks(c, s->stop, s->stop_data, nr) : 0;

	return ret > 0 ? cursor_last(c, *nr, rec, err) : ret;
}

void kt_stream_set_stop(struct kt_stream *s, bool (*stop)(void *data), void *data)
{
	s->stop = stop;
	s->stop_data = data;
}

int stream_place(struct kt_stream *s, size_t source, uint64_t until, struct read_place *place,
		 struct kt_err *err)
{
	struct cursor *c = probe(s, source);

	*place = (struct read_place){ 0 };
	return c ? cursor_place(c, until, place, err) : 0;
}

/* Lets the batch pin the chunk of @c */
static int pin(struct kt_stream *s, struct kt_batch *b, struct cursor *c)
{
	if (c->pinned_by == s->serial)
		return 0;
	c->pinned_by = s->serial;
	return batch_pin(b, &c->chunk);
}

/* @held counts the bytes of chunks that only the batch still needs */
static int turn(struct kt_stream *s, struct cursor *c, size_t *held, struct kt_err *err)
{
	size_t size = c->pinned_by == s->serial && c->chunk.owner ? c->chunk.size : 0;
	const uint8_t *chunk = c->chunk.data;
	int ret = cursor_turn(c, err);

	if (c->chunk.data != chunk)
		*held += size;
	return ret;
}

/* Records of the winner, until another run comes next or the batch is full */
static int run(struct kt_stream *s, struct kt_batch *b, size_t *held, struct kt_err *err)
{
	struct cursor *c = &s->cursors[merge_winner(&s->merge)];
	uint64_t limit = merge_limit(&s->merge);
	size_t got;
	int ret = 0;

	do {
		got = cursor_walk(c, limit, b->records + b->nr, b->max - b->nr);
		b->nr += got;
		/* With many CPUs, the next record would not be in the cache when it is needed. */
		__builtin_prefetch(c->at + 64);
		if (got && pin(s, b, c) < 0)
			ret = kt_err_no_memory(err);
		if (!ret && c->key == CURSOR_PAGE_END)
			ret = turn(s, c, held, err);
	} while (!ret && c->key <= limit && c->key != CURSOR_DONE && b->nr < b->max &&
		 *held < s->held_limit);
	merge_replay(&s->merge, c->key);
	return ret;
}

int stream_read_more(struct kt_stream *s, struct kt_batch *b, struct kt_err *err)
{
	size_t held = 0, before = b->nr;
	int ret = 0;

	if (!s->ready)
		ret = kt_stream_seek(s, 0, err);
	s->serial++;
	while (!ret && s->nr_cursors && b->nr < b->max && held < s->held_limit &&
	       s->merge.keys[merge_winner(&s->merge)] != CURSOR_DONE)
		ret = run(s, b, &held, err);
	return ret < 0 ? ret : (int)(b->nr - before);
}

int kt_stream_read(struct kt_stream *s, struct kt_batch *b, struct kt_err *err)
{
	batch_reset(b);
	return stream_read_more(s, b, err);
}

int kt_stream_next(struct kt_stream *s, struct kt_record *rec, struct kt_err *err)
{
	int ret;

	if (!s->own)
		s->own = kt_batch_create(NEXT_RECORDS);
	if (!s->own)
		return kt_err_no_memory(err);
	if (s->own_at == s->own->nr) {
		s->own_at = 0;
		ret = kt_stream_read(s, s->own, err);
		if (ret <= 0)
			return ret;
	}
	*rec = s->own->records[s->own_at++];
	return 1;
}

void kt_stream_progress(const struct kt_stream *s, uint64_t *done, uint64_t *total)
{
	size_t i;

	*done = *total = 0;
	for (i = 0; i < s->nr_sources; i++)
		if (!s->sources[i]->muted)
			*total += s->sources[i]->size;
	for (i = 0; i < s->nr_cursors; i++)
		*done += s->cursors[i].key == CURSOR_DONE
			? s->sources[s->cursors[i].source]->size : s->cursors[i].chunk.stored;
	if (*done > *total)
		*done = *total;
}
