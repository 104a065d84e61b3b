/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* match.c - match begins with ends, and collect the events in between */
#include "span/match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/keymap.h"
#include "format/events.h"
#include "span/roles.h"
#include "trace/frames.h"

#define CAN_RUN_MASK 0xff	/* of prev_state: without these bits, the task can run */
#define DEAD_MASK    0x30	/* of prev_state: EXIT_DEAD or EXIT_ZOMBIE */

/* A span that has begun; reused for the next one with the same key after it has ended */
struct open {
	struct kt_span span;
	uint32_t pair;
	bool     begun;
	bool     fresh;			/* this key has not occurred in this window */
	bool     ran;			/* a wait: its task has been on a CPU since it began */
	bool     switched;		/* its CPU has switched to another task since then */
	uint64_t *frames;		/* owned; room for FRAMES_MAX once needed */
};

/* State of a CPU of a buffer */
struct place {
	uint64_t lost_ts;		/* time of the last loss of events, 0: none */
	uint64_t buffer_lost_ts;	/* the same on any CPU; at the buffer's first CPU */
	const struct kt_source *src;
	uint32_t last;			/* the span that its last record began, or KEYMAP_NONE */
	int last_pid;			/* the next stack belongs to @last if it is of this task */
	bool     has_switched;		/* a switch was recorded in this window */
	uint64_t task;			/* pid that has the CPU */
	uint64_t left;			/* pid that the last switch took from it */
};

struct kt_spans {
	struct kt_analysis analysis;
	struct kt_trace *trace;
	struct match_opts opts;
	struct pairs pairs;
	const struct pair *wait;	/* the one with PAIR_LEAVES; NULL: no place has switched */
	struct roles roles;
	struct open *opens;
	size_t nr_opens;
	struct keymap open_of;		/* by the hash of the complete key */
	struct place *places;		/* one per source */
	size_t nr_places;
	uint64_t first_ts, last_ts;	/* of the window */
	bool seen;			/* this window has a record */
};

/* The current record, decoded as far as needed */
struct now {
	struct kt_spans *s;
	const struct kt_event *ev;
	const struct kt_record *rec;
	struct place *place;
	int pid;
};

static uint64_t key_of(const struct now *n, const struct pair *p, const uint64_t key[PAIR_KEYS])
{
	uint64_t who = 0, buffer, hash;

	if (p->flags & PAIR_TASK)
		who = (uint32_t)n->pid;
	/* CPUs and idle tasks have their own keys. */
	if (p->flags & PAIR_CPU || (who == 0 && key[0] == 0 && p->from.key[0]))
		who = (uint64_t)(n->place->src->cpu + 1) << 32;
	buffer = (uint64_t)n->place->src->first << 16;
	hash = keymap_mix(buffer | p->family, key[0]);
	return keymap_scramble(keymap_scramble(hash + key[1]) + who);
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
	bool is_new;

	return keymap_element(&s->open_of, key, (void **)&s->opens, &s->nr_opens,
			      sizeof(*s->opens), &is_new);
}

/* Were events lost that may include its end? */
static bool is_cut(const struct kt_spans *s, const struct open *o)
{
	const struct place *p = &s->places[o->span.begin.source];
	uint64_t lost = s->pairs.at[o->pair].flags & PAIR_CPU ?
			p->lost_ts : s->places[p->src->first].buffer_lost_ts;

	return lost > o->span.begin.ts;
}

/* @end: where it ended; NULL: it did not end in this window */
static int give(struct kt_spans *s, struct open *o, const struct kt_span_end *end,
		struct kt_err *err)
{
	o->begun = false;
	if (!end && o->ran && !is_cut(s, o))
		return 0;
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

static struct open *open_of(struct kt_spans *s, uint64_t key)
{
	uint32_t i = keymap_get(&s->open_of, key);

	return i == KEYMAP_NONE || !s->opens[i].begun ? NULL : &s->opens[i];
}

/* The span has ended, although the record of its end is missing. */
static int give_missed(struct kt_spans *s, struct open *o, struct kt_err *err)
{
	if (!o)
		return 0;
	o->span.flags |= KT_SPAN_CUT;
	return give(s, o, NULL, err);
}

/*
 * A task with an open wait leaves its CPU. If the switch to it was not recorded, the length of the
 * wait is unknown. Otherwise it was woken while it ran, which is not a wait. But a task that goes
 * to sleep may have been woken just now.
 */
static int leave(const struct now *n, const struct use *use, const uint64_t key[PAIR_KEYS],
		 struct kt_err *err)
{
	struct open *o = open_of(n->s, key_of(n, &n->s->pairs.at[use->pair], key));
	uint64_t state;

	n->place->left = key[0];
	if (!o || kt_field_u64(n->ev, use->value, n->rec, &state) < 0)
		return 0;
	if (n->place->has_switched && n->place->task != key[0])
		return give_missed(n->s, o, err);
	o->ran = true;
	return !(state & CAN_RUN_MASK) || state & DEAD_MASK ? give(n->s, o, NULL, err) : 0;
}

/*
 * An event of a task that its CPU has neither switched to nor just left: the switch to it was not
 * recorded. Some kernels report only some of the switches out of an interrupt.
 */
static int note_task(const struct now *n, struct kt_err *err)
{
	const uint64_t key[PAIR_KEYS] = { (uint32_t)n->pid };
	struct place *p = n->place;

	if (!p->has_switched || n->pid <= 0 || p->task == key[0] || p->left == key[0])
		return 0;
	p->task = key[0];
	return give_missed(n->s, open_of(n->s, key_of(n, n->s->wait, key)), err);
}

static int begin(const struct now *n, const struct use *use, const uint64_t key[PAIR_KEYS],
		 struct kt_err *err)
{
	struct kt_spans *s = n->s;
	const struct pair *p = &s->pairs.at[use->pair];
	uint64_t value = key[0];
	bool of_switch = p->flags & (PAIR_CAN_RUN | PAIR_CANNOT);
	uint64_t hash = key_of(n, p, key);
	struct open *o;
	int ret = 0;

	if (use->value)
		kt_field_u64(n->ev, use->value, n->rec, &value);
	/* The leaving task must have been on the CPU: spans begun at the last switch have ended. */
	if (of_switch)
		ret = give_missed(s, open_of(s, hash), err);
	if (ret < 0 || (of_switch && !(value & CAN_RUN_MASK) != !!(p->flags & PAIR_CAN_RUN)))
		return ret;
	o = open_at(s, hash);
	if (!o)
		return kt_err_no_memory(err);
	/* Its end was lost; a begin recorded twice restarts it. */
	if (o->begun && is_cut(s, o))
		ret = give(s, o, NULL, err);
	o->begun = true;
	o->fresh = o->ran = o->switched = false;
	o->pair = use->pair;
	o->span = (struct kt_span){
		.kind = p->kind, .pair = p->index, .begin = end_of(n), .value = value,
		.file = n->place->src->file_index, .pid = owner_of(n, use),
		.key = { key[0], key[1] },
	};
	if (!(p->flags & PAIR_NO_STACK)) {
		n->place->last = (uint32_t)(o - s->opens);
		n->place->last_pid = n->pid;
	}
	return ret == 0 && s->opts.began ? s->opts.began(s->opts.data, &o->span, err) : ret;
}

/* The first event with this key is an end: the span began before the window. */
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
	struct open *o = i == KEYMAP_NONE ? NULL : &s->opens[i];
	struct kt_span_end at;

	if (p->flags & PAIR_LEAVES) {
		n->place->has_switched = true;
		n->place->task = key[0];
	}
	if (!o || !o->begun) {
		if (!(p->flags & PAIR_UNBEGUN) || (o && !o->fresh))
			return 0;
		o = open_at(s, hash);
		if (!o)
			return kt_err_no_memory(err);
		o->fresh = false;
		return give_unbegun(n, use, key, err);
	}
	if (p->flags & PAIR_FORGETS) {
		o->begun = false;
		return 0;
	}
	if (p->flags & PAIR_SWITCHES) {
		o->switched = true;
		return 0;
	}
	/* A different task began: the switch to this one was lost, or is not recorded. */
	if (o->span.pid != n->pid && (p->kind == KT_SPAN_RUN ||
				      (p->kind == KT_SPAN_PREEMPT_OFF && !o->switched)))
		o->span.flags |= KT_SPAN_CUT;
	if (use->value)
		kt_field_u64(n->ev, use->value, n->rec, &o->span.result);
	at = end_of(n);
	return give(s, o, &at, err);
}

/* A single record, with the duration of the span that ends at it */
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

#define SYSCALLS_MAX 1024

/*
 * The return from a signal handler restores the registers of the task, including the number of
 * the system call: its exit event has the number -1. False: not known
 */
static bool name_sigreturn(const struct now *n, uint64_t *nr)
{
	const char *name;

	for (*nr = 0; *nr < SYSCALLS_MAX; ++*nr) {
		name = kt_syscall_name(n->ev->events, *nr);
		if (name && strcmp(name, "rt_sigreturn") == 0)
			return true;
	}
	return false;
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
	if (use->leaves)
		return leave(n, use, key, err);
	if (p->kind == KT_SPAN_SYSCALL && !use->is_begin && (int32_t)key[0] == -1 &&
	    !name_sigreturn(n, &key[0]))
		return 0;
	return use->is_begin ? begin(n, use, key, err) : end(n, use, key, err);
}

/* The stack of the previous event, which began a span */
static int note_stack(const struct now *n, struct kt_err *err)
{
	const struct place *p = n->place;
	struct open *o;

	if (p->last == KEYMAP_NONE || p->last_pid != n->pid)
		return 0;
	o = &n->s->opens[p->last];
	if (!o->begun || o->span.nr_frames)
		return 0;
	if (!o->frames)
		o->frames = calloc(FRAMES_MAX, sizeof(*o->frames));
	if (!o->frames)
		return kt_err_no_memory(err);
	o->span.nr_frames = frames_read(n->ev, n->rec, o->frames);
	return 0;
}

static void lost(struct kt_analysis *a, const struct kt_record *rec)
{
	struct kt_spans *s = (struct kt_spans *)a;
	struct place *p = &s->places[rec->source];

	p->lost_ts = rec->ts;
	s->places[p->src->first].buffer_lost_ts = rec->ts;
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
		return kt_err_no_memory(err);
	if (!s->seen)
		s->first_ts = rec->ts;
	s->seen = true;
	s->last_ts = rec->ts;
	n.pid = kt_record_pid(ev->events, rec);
	if (role->is_stack)
		return note_stack(&n, err);
	n.place->last = KEYMAP_NONE;
	ret = note_task(&n, err);
	for (i = 0; i < role->nr_uses && ret == 0; i++)
		ret = apply(&n, &role->uses[i], err);
	return ret;
}

/* A span that began before a gap may have ended in it, and begun again. */
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
	for (i = 0; i < s->nr_places; i++) {
		s->places[i].lost_ts = s->places[i].buffer_lost_ts = 0;
		s->places[i].has_switched = false;
	}
	s->seen = false;
}

static int finish(struct kt_analysis *a, struct kt_err *err)
{
	return give_open((struct kt_spans *)a, err);
}

/* Compares names as the file stores them, so no format is parsed. */
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
	size_t i;

	s->nr_places = kt_stream_nr_sources(stream);
	s->places = calloc(s->nr_places + 1, sizeof(*s->places));
	if (!s->places)
		return -ENOMEM;
	for (i = 0; i < s->nr_places; i++)
		s->places[i] = (struct place){
			.src = kt_stream_source(stream, i), .last = KEYMAP_NONE };
	return 0;
}

struct kt_spans *match_create(struct kt_trace *t, struct pairs *pairs,
			      const struct match_opts *opts, struct kt_err *err)
{
	struct kt_spans *s = calloc(1, sizeof(*s));
	size_t i;

	if (!s) {
		pairs_fini(pairs);
		kt_err_no_memory(err);
		return NULL;
	}
	s->analysis = (struct kt_analysis){
		.record = record, .lost = lost, .gap = gap, .finish = finish, .types = types,
	};
	s->trace = t;
	s->opts = *opts;
	s->pairs = *pairs;
	*pairs = (struct pairs){ 0 };
	for (i = 0; i < s->pairs.nr; i++)
		if (s->pairs.at[i].flags & PAIR_LEAVES)
			s->wait = &s->pairs.at[i];
	if (find_places(s) < 0) {
		kt_spans_destroy(s);
		kt_err_no_memory(err);
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
		return kt_err_result(err, ret);
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
	const struct match_opts match = {
		.sink = opts->sink, .began = opts->began, .data = opts->data,
	};
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
	keymap_fini(&s->open_of);
	roles_fini(&s->roles);
	pairs_fini(&s->pairs);
	free(s);
}

struct kt_analysis *kt_spans_analysis(struct kt_spans *s)
{
	return &s->analysis;
}
