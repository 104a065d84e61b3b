/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* reader.c - random access to the records of a trace: the lanes of all sources, merged both ways */
#include "trace/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stream/merge.h"
#include "trace/index.h"
#include "trace/lane.h"

#define HOLD_LIMIT (16u << 20)	/* bytes of chunks that all lanes together keep */
#define WORDS(nr)  (((nr) + 63) / 64)

enum direction { BACKWARD = -1, NOWHERE, FORWARD };

struct kt_reader {
	struct kt_trace *trace;
	struct kt_index *index;		/* or NULL */
	struct lane_choice *choices;	/* one per file */
	size_t nr_files;
	struct lane_shared shared;
	struct lane *lanes;		/* one per source */
	size_t nr;
	uint64_t *uses;			/* bitmap of the sources in use */
	size_t *used;			/* their numbers, ascending */
	size_t nr_used;
	struct merge merge;		/* of the lanes in use; reversed when going backward */
	struct kt_spot spot;		/* the gap */
	bool astray;			/* the lanes are not at @spot yet */
	enum direction direction;	/* of @merge; NOWHERE: @merge is not valid */
	bool passed;			/* the winner's record was returned: skip it first */
	bool chooses;			/* some records are excluded */
	uint64_t row;			/* after the passed records, if the index is ready */
	unsigned int generation;	/* of the stream when the lanes were placed */
	const unsigned int *now;	/* the current generation */
};

static int no_memory(struct kt_err *err, int ret)
{
	if (ret == -ENOMEM)
		kt_err_no_memory(err);
	return ret;
}

static bool uses_source(const struct kt_reader *r, size_t source)
{
	return r->uses[source / 64] >> source % 64 & 1;
}

static void list_used(struct kt_reader *r)
{
	size_t i;

	r->nr_used = 0;
	for (i = 0; i < r->nr; i++)
		if (uses_source(r, i))
			r->used[r->nr_used++] = i;
	r->merge.nr = r->nr_used;
	r->astray = true;
}

static void init_choices(struct kt_reader *r, const struct kt_stream *s)
{
	struct cursor c;
	size_t i;

	for (i = 0; i < r->nr; i++) {
		struct lane_choice *choice = &r->choices[kt_stream_source(s, i)->file_index];

		stream_init_cursor(s, i, &c);
		choice->plain = cursor_choose_all(c.layout);
		choice->wanted = choice->plain;
		lane_init(&r->lanes[i], s, i, choice, &r->shared);
		if (!kt_stream_is_muted(s, i))
			r->uses[i / 64] |= 1ull << i % 64;
	}
}

struct kt_reader *kt_reader_create(struct kt_trace *t, struct kt_index *ix, struct kt_err *err)
{
	const struct kt_stream *s = kt_trace_stream(t);
	struct kt_reader *r = calloc(1, sizeof(*r));

	if (!r)
		goto fail;
	r->trace = t;
	r->index = ix;
	r->nr_files = kt_trace_nr_files(t);
	r->nr = kt_stream_nr_sources(s);
	r->choices = calloc(r->nr_files + 1, sizeof(*r->choices));
	r->lanes = calloc(r->nr + 1, sizeof(*r->lanes));
	r->uses = calloc(WORDS(r->nr) + 1, sizeof(*r->uses));
	r->used = calloc(r->nr + 1, sizeof(*r->used));
	if (!r->choices || !r->lanes || !r->uses || !r->used || merge_init(&r->merge, r->nr) < 0)
		goto fail;
	r->shared.hold_limit = HOLD_LIMIT / (r->nr + 1);
	init_choices(r, s);
	list_used(r);
	r->now = stream_generation(s);
	r->generation = *r->now;
	return r;
fail:
	kt_reader_destroy(r);
	no_memory(err, -ENOMEM);
	return NULL;
}

void kt_reader_destroy(struct kt_reader *r)
{
	size_t i;

	if (!r)
		return;
	for (i = 0; r->lanes && i < r->nr; i++)
		lane_fini(&r->lanes[i]);
	for (i = 0; r->choices && i < r->nr_files; i++) {
		free(r->choices[i].wanted.wanted);
		free(r->choices[i].wanted.of_pids);
		free(r->choices[i].wanted.pids);
	}
	merge_fini(&r->merge);
	free(r->choices);
	free(r->lanes);
	free(r->uses);
	free(r->used);
	free(r);
}

/* ---- positions ---- */

/* If the trace has grown since, the memory of the lanes is gone. */
static void check_growth(struct kt_reader *r)
{
	size_t i;

	if (*r->now == r->generation)
		return;
	for (i = 0; i < r->nr; i++)
		lane_forget(&r->lanes[i]);
	r->generation = *r->now;
	r->direction = NOWHERE;
	r->astray = true;
}

/* In the order (time, source, pos), records of higher sources come later. */
static int place_lane(struct kt_reader *r, size_t source, const struct kt_spot *spot)
{
	struct lane *l = &r->lanes[source];
	bool later = source < spot->source && spot->ts != UINT64_MAX;

	check_growth(r);
	l->marks = index_marks(r->index, source);
	if (source == spot->source && spot->pos)
		return lane_seek_pos(l, spot->pos);
	return lane_seek(l, spot->ts + later);
}

int reader_rank(struct kt_reader *r, size_t source, const struct kt_spot *spot, uint64_t *rank)
{
	int ret;

	r->astray = true;
	ret = place_lane(r, source, spot);
	*rank = r->lanes[source].passed;
	return ret;
}

/* Moves all lanes to the spot */
static int place_lanes(struct kt_reader *r)
{
	size_t i;
	int ret = 0;

	r->direction = NOWHERE;
	r->row = 0;
	for (i = 0; i < r->nr_used && ret == 0; i++) {
		ret = place_lane(r, r->used[i], &r->spot);
		r->row += r->lanes[r->used[i]].passed;
	}
	r->astray = ret < 0;
	return ret;
}

int kt_reader_go(struct kt_reader *r, const struct kt_spot *spot, struct kt_err *err)
{
	r->spot = *spot;
	return no_memory(err, place_lanes(r));
}

uint64_t reader_row(const struct kt_reader *r)
{
	return r->row;
}

int kt_reader_seek(struct kt_reader *r, uint64_t ts, struct kt_err *err)
{
	return kt_reader_go(r, &(struct kt_spot){ .ts = ts }, err);
}

void kt_reader_tell(const struct kt_reader *r, struct kt_spot *spot)
{
	*spot = r->spot;
}

uint64_t kt_reader_reached(const struct kt_reader *r)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < r->nr_used; i++) {
		const struct lane *l = &r->lanes[r->used[i]];

		sum += (l->nr ? l->times[l->at < l->nr ? l->at : l->nr - 1] : r->spot.ts) /
		       r->nr_used;
	}
	return sum;
}

int kt_reader_find(struct kt_reader *r, size_t source, uint64_t pos, struct kt_err *err)
{
	struct kt_spot old = r->spot;
	struct lane *l = &r->lanes[source];
	int ret;

	if (source >= r->nr)
		return 0;
	check_growth(r);
	r->astray = true;
	l->marks = index_marks(r->index, source);
	ret = lane_seek_pos(l, pos);
	if (ret == 0 && l->at < l->nr && l->recs[l->at].pos == pos) {
		r->spot = (struct kt_spot){ l->times[l->at], pos, (uint32_t)source };
		ret = place_lanes(r);
		return ret < 0 ? no_memory(err, ret) : 1;
	}
	r->spot = old;
	return no_memory(err, ret);
}

/* The source with the most data among those in use */
static size_t biggest(const struct kt_reader *r, uint64_t *size)
{
	const struct kt_stream *s = kt_trace_stream(r->trace);
	size_t i, best = r->used[0];

	*size = 0;
	for (i = 0; i < r->nr_used; i++) {
		const struct kt_source *src = kt_stream_source(s, r->used[i]);
		uint64_t have = kt_file_buffer(src->file, src->buffer)->cpus[src->cpu_index].size;

		if (have <= *size)
			continue;
		*size = have;
		best = r->used[i];
	}
	return best;
}

int kt_reader_seek_percent(struct kt_reader *r, double percent, struct kt_err *err)
{
	double part = percent > 0 ? percent / 100 : 0;
	uint64_t nr, size, ts;
	size_t source;

	if (part >= 1 || !r->nr_used)
		return kt_reader_seek(r, part >= 1 ? UINT64_MAX : 0, err);
	if (kt_reader_nr_rows(r, &nr, NULL) == 0)
		return kt_reader_seek_row(r, (uint64_t)(part * (double)nr), err);
	source = biggest(r, &size);
	ts = part > 0 ? lane_time_at(&r->lanes[source], (uint64_t)(part * (double)size)) : 0;
	return kt_reader_seek(r, ts, err);
}

static int not_ready(struct kt_err *err)
{
	return kt_err_set(err, -EAGAIN, "the index is not ready yet");
}

int kt_reader_row(struct kt_reader *r, uint64_t *row, struct kt_err *err)
{
	if (!index_marks(r->index, 0))
		return not_ready(err);
	return no_memory(err, index_rank(r->index, r->uses, &r->spot, row));
}

int kt_reader_nr_rows(struct kt_reader *r, uint64_t *nr, struct kt_err *err)
{
	if (!index_marks(r->index, 0))
		return not_ready(err);
	*nr = index_total(r->index, r->uses);
	return 0;
}

int kt_reader_seek_row(struct kt_reader *r, uint64_t row, struct kt_err *err)
{
	struct kt_spot spot;
	int ret;

	if (!index_marks(r->index, 0))
		return not_ready(err);
	ret = index_select(r->index, r->uses, row, &spot, err);
	return ret < 0 ? ret : kt_reader_go(r, &spot, err);
}

/* ---- moving ---- */

/*
 * The run of the @i-th lane in use. Going backward, the latest record comes first, so the
 * keys and the order of the lanes are reversed.
 */
static size_t run_of(const struct kt_reader *r, size_t i)
{
	return r->direction == FORWARD ? i : r->nr_used - 1 - i;
}

/* Goes to the next record of a lane in the current direction and sets the key of its run. */
static int aim(struct kt_reader *r, struct lane *l, uint64_t *key)
{
	int ret = r->direction == FORWARD ? lane_forward(l) : lane_backward(l);

	*key = UINT64_MAX;
	if (ret > 0)
		*key = r->direction == FORWARD ? l->times[l->at]
					       : UINT64_MAX - 1 - l->times[l->at - 1];
	return ret < 0 ? ret : 0;
}

static int aim_all(struct kt_reader *r, enum direction direction)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < r->nr_used && r->direction != NOWHERE; i++)
		lane_turn(&r->lanes[r->used[i]]);
	r->direction = direction;
	r->passed = false;
	for (i = 0; i < r->nr_used && ret == 0; i++)
		ret = aim(r, &r->lanes[r->used[i]], &r->merge.keys[run_of(r, i)]);
	if (ret == 0)
		ret = merge_build(&r->merge);
	if (ret < 0)
		r->direction = NOWHERE;
	return ret;
}

/* Moves the lane of the last returned record past it. */
static int go_on(struct kt_reader *r)
{
	struct lane *l = &r->lanes[r->used[run_of(r, merge_winner(&r->merge))]];
	uint64_t key;
	int ret = aim(r, l, &key);

	if (ret < 0)
		return ret;
	merge_replay(&r->merge, key);
	r->passed = false;
	return 0;
}

static int move(struct kt_reader *r, enum direction direction, struct kt_record *rec)
{
	struct lane *l;
	uint32_t run, lost;
	size_t at;
	int ret = 0;

	check_growth(r);
	if (r->astray)
		ret = place_lanes(r);
	if (ret < 0)
		return ret;
	if (r->direction != direction)
		ret = aim_all(r, direction);
	else if (r->passed)
		ret = go_on(r);
	if (ret < 0 || !r->nr_used)
		return ret;
	run = merge_winner(&r->merge);
	if (r->merge.keys[run] == UINT64_MAX)
		return 0;
	l = &r->lanes[r->used[run_of(r, run)]];
	at = l->at - (direction == BACKWARD);
	ret = lane_lost(l, at, &lost);
	if (ret < 0)
		return ret;
	*rec = l->recs[at];
	rec->skipped = r->chooses;
	rec->lost = lost;
	r->spot = (struct kt_spot){ l->times[at], rec->pos + (direction == FORWARD), rec->source };
	l->at = at + (direction == FORWARD);
	if (direction == FORWARD) {
		r->row -= l->passed;
		lane_passed(l);
		r->row += l->passed;
	}
	r->passed = true;
	return 1;
}

int kt_reader_next(struct kt_reader *r, struct kt_record *rec, struct kt_err *err)
{
	return no_memory(err, move(r, FORWARD, rec));
}

int kt_reader_prev(struct kt_reader *r, struct kt_record *rec, struct kt_err *err)
{
	return no_memory(err, move(r, BACKWARD, rec));
}

/* ---- selection ---- */

void kt_reader_use_source(struct kt_reader *r, size_t source, bool use)
{
	if (source >= r->nr || use == uses_source(r, source))
		return;
	r->uses[source / 64] ^= 1ull << source % 64;
	list_used(r);
}

void reader_use_only(struct kt_reader *r, const uint64_t *only)
{
	size_t i;

	for (i = 0; i < r->nr; i++)
		kt_reader_use_source(r, i, !only || (only[i / 64] >> i % 64 & 1));
}

static void note_choice(struct kt_reader *r)
{
	size_t i;

	r->chooses = r->shared.match;
	for (i = 0; i < r->nr_files; i++) {
		struct lane_choice *c = &r->choices[i];

		c->is_some = c->wanted.wanted || c->wanted.of_pids;
		r->chooses |= c->is_some;
	}
	r->astray = true;
}

int kt_reader_want_types(struct kt_reader *r, size_t file_index, const uint64_t *wanted)
{
	int ret = file_index < r->nr_files ?
		  cursor_want_types(&r->choices[file_index].wanted, wanted) : -ENOENT;

	note_choice(r);
	return ret;
}

int kt_reader_want_pids(struct kt_reader *r, size_t file_index, const uint64_t *types,
			const uint64_t *pids)
{
	int ret = file_index < r->nr_files ?
		  cursor_want_pids(&r->choices[file_index].wanted, types, pids) : -ENOENT;

	note_choice(r);
	return ret;
}

void kt_reader_set_match(struct kt_reader *r,
			 bool (*match)(void *data, const struct kt_record *rec), void *data)
{
	r->shared.match = match;
	r->shared.match_data = data;
	note_choice(r);
}

void kt_reader_set_stop(struct kt_reader *r, bool (*stop)(void *data), void *data)
{
	r->shared.stop = stop;
	r->shared.stop_data = data;
}
