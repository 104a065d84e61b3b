/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* match.c - beginnings and ends brought together, with what happened in between */
#include "span/match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/keymap.h"
#include "format/events.h"
#include "span/roles.h"
#include "trace/frames.h"

#define CAN_RUN_MASK 0xff	/* of prev_state: no bit says that the task waits for something */

/* A span that has begun; kept for the next one of the same key when it has ended */
struct open {
	struct kt_span span;
	uint32_t pair;
	bool     begun;
	bool     fresh;			/* nothing of this key was seen in this window */
	uint64_t *frames;		/* owned; room for FRAMES_MAX once there were some */
};

/* What is known of a CPU of a buffer */
struct place {
	uint64_t id;			/* of the buffer, among all files */
	uint64_t lost_ts;		/* events were lost until then, 0: none */
	size_t   buffer;		/* index into kt_spans.buffer_lost */
	const struct kt_source *src;
};

struct kt_spans {
	struct kt_analysis analysis;
	struct kt_trace *trace;
	struct match_opts opts;
	struct pairs pairs;
	struct roles roles;
	struct open *opens;
	size_t nr_opens;
	struct keymap open_of;		/* by the hash of all that makes a key */
	struct keymap last_of;		/* by task: the open that a stack belongs to */
	struct place *places;		/* one for each source */
	uint64_t *buffer_lost;		/* as place.lost_ts, on any CPU */
	size_t nr_places;
	uint64_t first_ts, last_ts;	/* of the window */
	bool seen;			/* a record, in this window */
};

/* A record, taken apart as far as all its uses need it */
struct now {
	struct kt_spans *s;
	const struct kt_event *ev;
	const struct kt_record *rec;
	struct place *place;
	int pid;
};

static uint64_t key_of(const struct now *n, const struct pair *p, const uint64_t key[PAIR_KEYS])
{
	uint64_t who = 0;

	if (p->flags & PAIR_TASK)
		who = (uint32_t)n->pid;
	/* CPUs and idle tasks have numbers of their own. */
	if (p->flags & PAIR_CPU || (who == 0 && key[0] == 0 && p->from.key[0]))
		who = (uint64_t)(n->place->src->cpu + 1) << 32;
	return keymap_mix(keymap_mix(keymap_mix(n->place->id << 16 | p->family, key[0]), key[1]),
			  who);
}

static uint64_t task_key(const struct now *n)
{
	uint32_t who = n->pid ? (uint32_t)n->pid : UINT32_MAX - (uint32_t)n->place->src->cpu;

	return n->place->id << 32 | who;
}

static struct kt_span_end end_of(const struct now *n)
{
	return (struct kt_span_end){
		.event = n->ev, .ts = n->rec->ts, .pos = n->rec->pos, .source = n->rec->source,
		.cpu = n->place->src->cpu, .pid = n->pid,
		.flags = kt_record_flags(n->ev->events, n->rec),
	};
}

static struct open *open_at(struct kt_spans *s, uint64_t key)
{
	uint32_t i = keymap_get(&s->open_of, key);
	struct open *grown;

	if (i != KEYMAP_NONE)
		return &s->opens[i];
	if (!(s->nr_opens & (s->nr_opens - 1))) {
		grown = reallocarray(s->opens, s->nr_opens ? s->nr_opens * 2 : 1, sizeof(*grown));
		if (!grown)
			return NULL;
		s->opens = grown;
	}
	if (keymap_put(&s->open_of, key, (uint32_t)s->nr_opens) < 0)
		return NULL;
	s->opens[s->nr_opens] = (struct open){ 0 };
	return &s->opens[s->nr_opens++];
}

/* Was something lost that could have been an end of it? */
static bool is_cut(const struct kt_spans *s, const struct open *o)
{
	const struct place *p = &s->places[o->span.begin.source];
	uint64_t lost = s->pairs.at[o->pair].flags & PAIR_CPU ? p->lost_ts
							      : s->buffer_lost[p->buffer];

	return lost > o->span.begin.ts;
}

/* @end: where it ended, or else NULL: it did not in this window */
static int give(struct kt_spans *s, struct open *o, const struct kt_span_end *end,
		struct kt_err *err)
{
	o->begun = false;
	o->span.frames = o->span.nr_frames ? o->frames : NULL;
	if (is_cut(s, o))
		o->span.flags |= KT_SPAN_CUT;
	if (end) {
		o->span.end = *end;
	} else {
		o->span.flags |= KT_SPAN_UNFINISHED;
		o->span.end = (struct kt_span_end){
			.ts = s->last_ts, .source = o->span.begin.source,
			.cpu = o->span.begin.cpu, .pid = o->span.begin.pid,
		};
	}
	return s->opts.sink(s->opts.data, &o->span, err);
}

static int owner_of(const struct now *n, const struct use *use)
{
	uint64_t pid;

	return use->owner && kt_field_u64(n->ev, use->owner, n->rec, &pid) == 0 ? (int)pid : n->pid;
}

static int begin(const struct now *n, const struct use *use, const uint64_t key[PAIR_KEYS],
		 struct kt_err *err)
{
	struct kt_spans *s = n->s;
	const struct pair *p = &s->pairs.at[use->pair];
	uint64_t value = key[0];
	struct open *o;
	int ret = 0;

	if (use->value)
		kt_field_u64(n->ev, use->value, n->rec, &value);
	if (p->flags & (PAIR_CAN_RUN | PAIR_CANNOT) &&
	    !(value & CAN_RUN_MASK) != !!(p->flags & PAIR_CAN_RUN))
		return 0;
	o = open_at(s, key_of(n, p, key));
	if (!o)
		return kt_err_set(err, -ENOMEM, "out of memory");
	/* Its end was lost; what is merely told twice begins again. */
	if (o->begun && is_cut(s, o))
		ret = give(s, o, NULL, err);
	o->begun = true;
	o->fresh = false;
	o->pair = use->pair;
	o->span = (struct kt_span){
		.kind = p->kind, .pair = p->index, .begin = end_of(n), .value = value,
		.file = n->place->src->file_index, .pid = owner_of(n, use),
		.key = { key[0], key[1] },
	};
	if (ret == 0 && !(p->flags & PAIR_NO_STACK) &&
	    keymap_put(&s->last_of, task_key(n), (uint32_t)(o - s->opens)) < 0)
		ret = kt_err_set(err, -ENOMEM, "out of memory");
	return ret;
}

/* The first sight of this key is its end: it has lasted since before the window. */
static int give_unbegun(const struct now *n, const struct use *use,
			const uint64_t key[PAIR_KEYS], struct kt_err *err)
{
	struct kt_spans *s = n->s;
	const struct pair *p = &s->pairs.at[use->pair];
	struct kt_span span = {
		.kind = p->kind, .pair = p->index, .flags = KT_SPAN_UNBEGUN, .end = end_of(n),
		.file = n->place->src->file_index, .pid = n->pid, .key = { key[0], key[1] },
		.value = key[0],
	};

	span.begin = span.end;
	span.begin.event = NULL;
	span.begin.ts = s->first_ts;
	if (n->place->lost_ts > s->first_ts)
		span.flags |= KT_SPAN_CUT;
	if (use->value)
		kt_field_u64(n->ev, use->value, n->rec, &span.result);
	return s->opts.sink(s->opts.data, &span, err);
}

static int end(const struct now *n, const struct use *use, const uint64_t key[PAIR_KEYS],
	       struct kt_err *err)
{
	struct kt_spans *s = n->s;
	const struct pair *p = &s->pairs.at[use->pair];
	uint64_t hash = key_of(n, p, key);
	uint32_t i = keymap_get(&s->open_of, hash);
	struct kt_span_end at = end_of(n);
	struct open *o = i == KEYMAP_NONE ? NULL : &s->opens[i];

	if (!o || !o->begun) {
		if (!(p->flags & PAIR_UNBEGUN) || (o && !o->fresh))
			return 0;
		o = open_at(s, hash);
		if (!o)
			return kt_err_set(err, -ENOMEM, "out of memory");
		o->fresh = false;
		return give_unbegun(n, use, key, err);
	}
	/* Another task than the one that was seen to begin: the switch to it was lost. */
	if (p->kind == KT_SPAN_RUN && o->span.pid != n->pid)
		o->span.flags |= KT_SPAN_CUT;
	if (use->value)
		kt_field_u64(n->ev, use->value, n->rec, &o->span.result);
	return give(s, o, &at, err);
}

/* One record that says how long something took until it */
static int whole(const struct now *n, const struct use *use, struct kt_err *err)
{
	const struct pair *p = &n->s->pairs.at[use->pair];
	struct kt_span span = {
		.kind = p->kind, .pair = p->index, .begin = end_of(n), .end = end_of(n),
		.file = n->place->src->file_index, .pid = n->pid,
	};

	if (!use->value || kt_field_u64(n->ev, use->value, n->rec, &span.value) < 0)
		return 0;
	span.begin.ts -= span.value < span.end.ts ? span.value : span.end.ts;
	return n->s->opts.sink(n->s->opts.data, &span, err);
}

static bool passes(const struct now *n, const struct pair *p, const struct use *use)
{
	const struct pair_filters *filters = n->s->pairs.filters;
	struct kt_filter *only = NULL;

	if (filters)
		only = use->is_begin ? filters[p->index].from : filters[p->index].to;
	return !only || kt_filter_match(only, n->rec);
}

static int apply(const struct now *n, const struct use *use, struct kt_err *err)
{
	const struct pair *p = &n->s->pairs.at[use->pair];
	uint64_t key[PAIR_KEYS] = { 0 };
	size_t i;

	if (p->kind == KT_SPAN_PAIR && !passes(n, p, use))
		return 0;
	for (i = 0; i < PAIR_KEYS; i++)
		if (use->key[i] && kt_field_u64(n->ev, use->key[i], n->rec, &key[i]) < 0)
			return 0;
	if (p->flags & PAIR_WHOLE)
		return whole(n, use, err);
	return use->is_begin ? begin(n, use, key, err) : end(n, use, key, err);
}

/* The stack of the event before it, which began something */
static int note_stack(const struct now *n, struct kt_err *err)
{
	uint32_t i = keymap_get(&n->s->last_of, task_key(n));
	struct open *o = i == KEYMAP_NONE ? NULL : &n->s->opens[i];

	if (!o || !o->begun || o->span.nr_frames)
		return 0;
	if (!o->frames)
		o->frames = calloc(FRAMES_MAX, sizeof(*o->frames));
	if (!o->frames)
		return kt_err_set(err, -ENOMEM, "out of memory");
	o->span.nr_frames = frames_read(n->ev, n->rec, o->frames);
	return 0;
}

static void lost(struct kt_analysis *a, const struct kt_record *rec)
{
	struct kt_spans *s = (struct kt_spans *)a;
	struct place *p = &s->places[rec->source];

	p->lost_ts = rec->ts;
	s->buffer_lost[p->buffer] = rec->ts;
}

static int record(struct kt_analysis *a, const struct kt_event *ev, const struct kt_record *rec,
		  struct kt_err *err)
{
	struct kt_spans *s = (struct kt_spans *)a;
	const struct role *role = roles_get(&s->roles, &s->pairs, ev);
	struct now n = { .s = s, .ev = ev, .rec = rec, .place = &s->places[rec->source] };
	size_t i;
	int ret = 0;

	if (!role)
		return kt_err_set(err, -ENOMEM, "out of memory");
	if (!s->seen)
		s->first_ts = rec->ts;
	s->seen = true;
	s->last_ts = rec->ts;
	n.pid = kt_record_pid(ev->events, rec);
	if (role->is_stack)
		return note_stack(&n, err);
	if (keymap_get(&s->last_of, task_key(&n)) != KEYMAP_NONE)
		keymap_put(&s->last_of, task_key(&n), KEYMAP_NONE);
	for (i = 0; i < role->nr_uses && ret == 0; i++)
		ret = apply(&n, &role->uses[i], err);
	return ret;
}

/* What has begun before a gap may have ended in it, and begun again. */
static int give_open(struct kt_spans *s, struct kt_err *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < s->nr_opens && ret == 0; i++)
		if (s->opens[i].begun)
			ret = give(s, &s->opens[i], NULL, err);
	return ret;
}

static void gap(struct kt_analysis *a)
{
	struct kt_spans *s = (struct kt_spans *)a;
	size_t i;

	give_open(s, NULL);
	for (i = 0; i < s->nr_opens; i++)
		s->opens[i].fresh = true;
	for (i = 0; i < s->nr_places; i++)
		s->places[i].lost_ts = s->buffer_lost[i] = 0;
	s->seen = false;
}

static int finish(struct kt_analysis *a, struct kt_err *err)
{
	return give_open((struct kt_spans *)a, err);
}

/* Names are compared as the file has them, so that no format is parsed for this. */
static void types(struct kt_analysis *a, size_t file, uint64_t bits[KT_ANALYSIS_WORDS])
{
	struct kt_spans *s = (struct kt_spans *)a;
	const struct kt_events *evs = kt_trace_events(s->trace, file);
	char name[256];
	size_t i, k;

	for (i = 0; i < evs->nr_slots; i++) {
		const struct event_slot *slot = &evs->slots[i];
		bool wanted = false;

		if (!event_slot_name(slot, name, sizeof(name)))
			continue;
		for (k = 0; k < s->pairs.nr && !wanted; k++)
			wanted = role_is_of(&s->pairs.at[k], slot->source.system, name);
		if (wanted || strcmp(name, "kernel_stack") == 0)
			bits[slot->id / 64] |= 1ull << slot->id % 64;
	}
}

static int find_places(struct kt_spans *s)
{
	struct kt_stream *stream = kt_trace_stream(s->trace);
	size_t i, k;

	s->nr_places = kt_stream_nr_sources(stream);
	s->places = calloc(s->nr_places + 1, sizeof(*s->places));
	s->buffer_lost = calloc(s->nr_places + 1, sizeof(*s->buffer_lost));
	if (!s->places || !s->buffer_lost)
		return -ENOMEM;
	for (i = 0; i < s->nr_places; i++) {
		struct place *p = &s->places[i];

		p->src = kt_stream_source(stream, i);
		p->id = (uint64_t)p->src->file_index << 16 | (p->src->buffer & UINT16_MAX);
		for (k = 0; s->places[k].id != p->id; k++)
			;
		p->buffer = k;
	}
	return 0;
}

struct kt_spans *match_create(struct kt_trace *t, struct pairs *pairs,
			      const struct match_opts *opts, struct kt_err *err)
{
	struct kt_spans *s = calloc(1, sizeof(*s));

	if (!s) {
		pairs_fini(pairs);
		kt_err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	s->analysis = (struct kt_analysis){
		.record = record, .lost = lost, .gap = gap, .finish = finish, .types = types,
	};
	s->trace = t;
	s->opts = *opts;
	s->pairs = *pairs;
	*pairs = (struct pairs){ 0 };
	if (find_places(s) < 0) {
		kt_spans_destroy(s);
		kt_err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	return s;
}

bool match_uses(struct kt_spans *s, const struct kt_event *ev)
{
	const struct role *r = roles_get(&s->roles, &s->pairs, ev);

	return r && r->nr_uses;
}

static int make_pairs(struct kt_trace *t, const struct kt_spans_opts *o, struct pairs *pairs,
		      struct kt_err *err)
{
	size_t i;
	int ret = pairs_add_known(pairs, o->kinds);

	if (ret < 0)
		return kt_err_set(err, ret, "out of memory");
	for (i = 0; i < o->nr_pairs && ret == 0; i++) {
		ret = pairs_add_user(pairs, &o->pairs[i], i, err);
		if (ret == 0)
			ret = pairs_check(t, &pairs->at[pairs->nr - 1], "pair of events", err);
	}
	return ret;
}

struct kt_spans *kt_spans_create(struct kt_trace *t, const struct kt_spans_opts *opts,
				 struct kt_err *err)
{
	const struct match_opts match = { .sink = opts->sink, .data = opts->data };
	struct pairs pairs = { 0 };

	if (make_pairs(t, opts, &pairs, err) < 0) {
		pairs_fini(&pairs);
		return NULL;
	}
	return match_create(t, &pairs, &match, err);
}

void kt_spans_destroy(struct kt_spans *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->nr_opens; i++)
		free(s->opens[i].frames);
	free(s->opens);
	free(s->places);
	free(s->buffer_lost);
	keymap_fini(&s->open_of);
	keymap_fini(&s->last_of);
	roles_fini(&s->roles);
	pairs_fini(&s->pairs);
	free(s);
}

struct kt_analysis *kt_spans_analysis(struct kt_spans *s)
{
	return &s->analysis;
}
