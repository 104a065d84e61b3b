/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* table.c - the rows of latencies of a trace, as an analysis of a pass */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clamp.h"
#include "base/str.h"
#include "format/events.h"
#include "latency/latency.h"
#include "latency/subject.h"
#include "span/calls.h"

#define ROWS_MAX  2048		/* of a kind */
#define NAMED_MAX 65536		/* keys whose names are matched only once */

/* ---- rows ---- */

static void free_row(struct row *r)
{
	free(r->name);
	free(r->errnos);
	dist_fini(&r->dist);
	free(r->longest.at);
}

static struct row *add_row(struct kt_latency_table *t, enum kt_latency_kind kind, uint64_t key,
			   const char *name)
{
	struct row *r;

	if (!array_fit(t->rows, t->nr, t->room))
		return NULL;
	r = &t->rows[t->nr];
	*r = (struct row){ .key = key, .pub.kind = kind, .name = strdup(name) };
	if (r->name && keymap_put(&t->row_of, key, (uint32_t)t->nr) == 0) {
		t->nr++;
		t->nr_of[kind]++;
		return r;
	}
	free_row(r);
	return NULL;
}

bool latency_is_new(const struct kt_latency_table *t, const struct taken *x)
{
	if (t->opts.nr_subjects && keymap_get(&t->named, x->key) == KEYMAP_NONE)
		return true;
	if (t->tap.take)
		return t->tap.is_new(t->tap.data, x->key);
	return !t->opts.each && !t->opts.together && keymap_get(&t->row_of, x->key) == KEYMAP_NONE;
}

/* ---- subjects ---- */

/* The bits of the subjects of this kind that match @name, and of all subjects of this kind */
static uint32_t find_named(const struct kt_latency_table *t, const struct taken *x,
			   const char *name)
{
	uint32_t bits = 0, bit = 1;
	bool any = false;
	size_t i;

	for (i = 0; i < t->opts.nr_subjects; i++, bit <<= 1) {
		if (kt_latency_subject_kind(t->opts.subjects[i]) != x->kind)
			continue;
		any = true;
		if (subject_has_name(t->opts.subjects[i], name))
			bits |= bit;
	}
	return any ? bits : bit - 1;
}

/* Does it belong to a subject, or does no subject have its kind? 1, 0 or -ENOMEM */
static int is_wanted(struct kt_latency_table *t, const struct taken *x, const char *name)
{
	uint32_t bits = keymap_get(&t->named, x->key);
	size_t i;

	if (bits == KEYMAP_NONE) {
		bits = find_named(t, x, name);
		if (t->named.nr < NAMED_MAX && keymap_put(&t->named, x->key, bits) < 0)
			return -ENOMEM;
	}
	for (i = 0; i < t->opts.nr_subjects; i++)
		if (bits >> i & 1 &&
		    (kt_latency_subject_kind(t->opts.subjects[i]) != x->kind ||
		     subject_has(t->opts.subjects[i], t->trace, &x->one)))
			return 1;
	return 0;
}

/* ---- a latency that ended ---- */

static int add_error(struct row *r, int64_t result)
{
	if (result >= 0 || result <= -KT_LATENCY_ERRNOS)
		return 0;
	if (!r->errnos)
		r->errnos = calloc(KT_LATENCY_ERRNOS, sizeof(*r->errnos));
	if (!r->errnos)
		return -ENOMEM;
	r->errnos[-result]++;
	r->pub.nr_errors++;
	return 0;
}

/* A latency may end outside of the window of the map. */
static unsigned int column_of(const struct kt_window *map, uint64_t ts)
{
	double share;

	if (ts <= map->from)
		return 0;
	share = (double)(ts - map->from) / ((double)(map->until - map->from) + 1);
	return share < 1 ? (unsigned int)(share * KT_LATENCY_COLUMNS) : KT_LATENCY_COLUMNS - 1;
}

static int add_to_row(struct kt_latency_table *t, struct row *r, const struct taken *x)
{
	unsigned int column = t->opts.map ? column_of(&t->map, x->one.until) : DIST_NO_MAP;
	uint64_t ns = x->one.until - x->one.from;

	r->longest.max = t->opts.map ? KT_LATENCY_LONGEST : 0;
	if (dist_add(&r->dist, ns, column) < 0 || longest_add(&r->longest, &x->one) < 0)
		return -ENOMEM;
	if (!r->pub.count || ns < r->pub.min)
		r->pub.min = ns;
	if (!r->pub.count || ns > r->pub.max) {
		r->pub.max = ns;
		r->pub.worst = x->one;
	}
	r->pub.count++;
	r->pub.sum += ns;
	return x->kind == KT_LATENCY_SYSCALL ? add_error(r, x->one.result) : 0;
}

int latency_take(struct kt_latency_table *t, const struct taken *x, const char *name)
{
	bool cut = x->cut || x->one.until < x->one.from;
	uint64_t key = x->key;
	struct row *r;
	uint32_t i;
	int ret;

	if (t->rec && t->opts.counts && !t->opts.counts(t->opts.data, t->rec))
		return 0;
	if (t->opts.chosen && !t->opts.chosen(t->opts.data, x->one.file, x->one.pid))
		return 0;
	ret = t->opts.nr_subjects ? is_wanted(t, x, name) : 1;
	if (ret <= 0)
		return ret;
	t->nr_torn += x->torn;
	if (t->tap.take)
		return t->tap.take(t->tap.data, x, cut, name);
	if (t->opts.together) {
		key = x->kind;
		name = kt_latency_kind_name(x->kind);
	}
	i = keymap_get(&t->row_of, key);
	if (i == KEYMAP_NONE && t->nr_of[x->kind] >= ROWS_MAX - 1) {
		key = UINT64_MAX - x->kind;
		name = "(others)";
		i = keymap_get(&t->row_of, key);
	}
	if (t->opts.each)
		return cut ? 0 : t->opts.each(t->opts.data, x->kind, key, &x->one);
	r = i != KEYMAP_NONE ? &t->rows[i] : add_row(t, x->kind, key, name);
	if (!r)
		return -ENOMEM;
	if (cut) {
		r->pub.cut++;
		return 0;
	}
	ret = add_to_row(t, r, x);
	return ret == 0 ? longest_add(&t->worst[x->kind], &x->one) : ret;
}

/* ---- the analysis ---- */

static bool is_used(const uint64_t bits[KT_ANALYSIS_WORDS], uint16_t type)
{
	return bits[type / 64] >> type % 64 & 1;
}

static int record(struct kt_analysis *a, const struct kt_event *ev, const struct kt_record *rec,
		  struct kt_err *err)
{
	struct kt_latency_table *t = (struct kt_latency_table *)a;
	const struct uses *u =
		&t->uses[kt_stream_source(kt_trace_stream(t->trace), rec->source)->file_index];
	size_t i;
	int ret = 0;

	t->rec = rec;
	if (is_used(u->own, rec->type)) {
		handlers_note(&t->handlers, ev, rec);
		if (t->opts.kinds & 1u << KT_LATENCY_TRACER && latency_is_sample(ev) &&
		    latency_take_sample(t, ev, rec) < 0)
			ret = kt_err_no_memory(err);
	}
	for (i = 0; i < NR_PARTS && ret == 0; i++)
		if (t->parts[i] && is_used(u->parts[i], rec->type))
			ret = t->parts[i]->record(t->parts[i], ev, rec, err);
	t->rec = NULL;
	return ret;
}

static void lost(struct kt_analysis *a, const struct kt_record *rec)
{
	struct kt_latency_table *t = (struct kt_latency_table *)a;
	size_t i;

	for (i = 0; i < NR_PARTS; i++)
		if (t->parts[i])
			t->parts[i]->lost(t->parts[i], rec);
}

static void gap(struct kt_analysis *a)
{
	struct kt_latency_table *t = (struct kt_latency_table *)a;
	size_t i;

	for (i = 0; i < NR_PARTS; i++)
		if (t->parts[i])
			t->parts[i]->gap(t->parts[i]);
}

/* Task names may have been learned since the rows were made. */
static void name_tasks_again(struct kt_latency_table *t)
{
	char name[64], *copy;
	size_t i;

	for (i = 0; i < t->nr; i++) {
		struct row *r = &t->rows[i];

		if (strcmp(kt_latency_kind_noun(r->pub.kind), "task") != 0 || !r->pub.count ||
		    t->opts.together || r->key == UINT64_MAX - r->pub.kind)
			continue;
		latency_format_task(t->trace, r->pub.worst.file, r->pub.worst.pid, name,
				    sizeof(name));
		copy = strcmp(name, r->name) != 0 ? strdup(name) : NULL;
		if (!copy)
			continue;
		free(r->name);
		r->name = copy;
	}
}

static int finish(struct kt_analysis *a, struct kt_err *err)
{
	struct kt_latency_table *t = (struct kt_latency_table *)a;
	unsigned int kind;
	size_t i;
	int ret = 0;

	for (i = 0; i < NR_PARTS && ret == 0; i++)
		if (t->parts[i])
			ret = t->parts[i]->finish(t->parts[i], err);
	for (kind = 0; kind < KT_LATENCY_KINDS; kind++)
		longest_sort(&t->worst[kind]);
	for (i = 0; i < t->nr; i++)
		longest_sort(&t->rows[i].longest);
	name_tasks_again(t);
	return ret;
}

static void types(struct kt_analysis *a, size_t file, uint64_t bits[KT_ANALYSIS_WORDS])
{
	const struct uses *u = &((struct kt_latency_table *)a)->uses[file];
	size_t i;

	for (i = 0; i < KT_ANALYSIS_WORDS; i++)
		bits[i] |= u->parts[PART_SPANS][i] | u->parts[PART_CALLS][i] | u->own[i];
}

/* ---- the records of each file that are needed ---- */

static void find_own(const struct kt_latency_table *t, size_t file,
		     uint64_t bits[KT_ANALYSIS_WORDS])
{
	const struct kt_events *evs = kt_trace_events(t->trace, file);
	bool irqs = t->opts.kinds & 1u << KT_LATENCY_IRQ;
	size_t i;

	for (i = 0; i < evs->nr_slots; i++) {
		const struct event_slot *slot = &evs->slots[i];
		char name[64];

		if (!event_slot_name(slot, name, sizeof(name)))
			continue;
		if ((irqs && strcmp(name, "irq_handler_entry") == 0) ||
		    (t->opts.kinds & 1u << KT_LATENCY_TRACER &&
		     latency_is_sample_name(slot->source.system, name)))
			bits[slot->id / 64] |= 1ull << slot->id % 64;
	}
}

static int find_uses(struct kt_latency_table *t)
{
	size_t nr = kt_trace_nr_files(t->trace), file;

	t->uses = calloc(nr + 1, sizeof(*t->uses));
	if (!t->uses)
		return -ENOMEM;
	for (file = 0; file < nr; file++) {
		struct uses *u = &t->uses[file];

		if (t->spans)
			t->parts[PART_SPANS]->types(t->parts[PART_SPANS], file,
						    u->parts[PART_SPANS]);
		if (t->calls)
			call_roles_types(calls_opts(t->calls), t->trace, file,
					 u->parts[PART_CALLS]);
		find_own(t, file, u->own);
	}
	return 0;
}

/* ---- creation and destruction ---- */

static int make_spans(struct kt_latency_table *t, struct kt_err *err)
{
	struct kt_spans_opts o = { .sink = latency_take_span, .data = t };
	struct kt_pair pairs[KT_LATENCY_STEPS] = { 0 };
	unsigned int kind;
	size_t i;

	for (kind = 0; kind < KT_LATENCY_KINDS; kind++) {
		enum kt_span_kind span = latency_span_of(kind);

		if (!(t->opts.kinds & 1u << kind) || span == KT_SPAN_KINDS)
			continue;
		t->kinds_of[span] |= 1u << kind;
		o.kinds |= kind == KT_LATENCY_PAIR ? 0 : 1u << span;
	}
	if (t->opts.kinds & 1u << KT_LATENCY_PAIR) {
		o.pairs = pairs;
		o.nr_pairs = t->opts.nr_steps - 1;
		/* Not a kind in itself, but no bit at all would mean all kinds */
		o.kinds |= 1u << KT_SPAN_PAIR;
	}
	for (i = 0; i < o.nr_pairs; i++)
		pairs[i] = (struct kt_pair){
			.from = t->steps[i].event, .from_key = t->steps[i].key,
			.from_only = t->steps[i].only, .to = t->steps[i + 1].event,
			.to_key = t->steps[i + 1].key, .to_only = t->steps[i + 1].only,
		};
	if (!o.kinds)
		return 0;
	t->spans = kt_spans_create(t->trace, &o, err);
	if (!t->spans)
		return -1;
	t->parts[PART_SPANS] = kt_spans_analysis(t->spans);
	return 0;
}

static int make_calls(struct kt_latency_table *t, struct kt_err *err)
{
	const struct kt_calls_opts o = {
		.no_interrupts = true, .no_switches = true, .no_syscalls = true,
		.sink = latency_take_call, .data = t,
	};

	if (!(t->opts.kinds & (1u << KT_LATENCY_CALL | 1u << KT_LATENCY_FAULT)))
		return 0;
	t->calls = kt_calls_create(t->trace, &o, err);
	if (!t->calls)
		return -1;
	t->parts[PART_CALLS] = kt_calls_analysis(t->calls);
	return 0;
}

static int copy_steps(struct kt_latency_table *t, const struct kt_latency_opts *o,
		      struct kt_err *err)
{
	struct str name = STR_INIT;
	size_t i;

	if (!(o->kinds & 1u << KT_LATENCY_PAIR))
		return 0;
	if (o->nr_steps < 2 || o->nr_steps > KT_LATENCY_STEPS)
		return kt_err_set(err, -EINVAL, "a pair has 2 to %d events", KT_LATENCY_STEPS);
	for (i = 0; i < o->nr_steps; i++) {
		t->steps[i].event = strdup(o->steps[i].event);
		t->steps[i].key = o->steps[i].key ? strdup(o->steps[i].key) : NULL;
		t->steps[i].only = o->steps[i].only;
		if (!t->steps[i].event || (o->steps[i].key && !t->steps[i].key))
			return kt_err_no_memory(err);
		str_addf(&name, "%s%s", i ? " → " : "", o->steps[i].event);
	}
	t->pair_name = str_take(&name);
	return t->pair_name ? 0 : kt_err_no_memory(err);
}

struct kt_latency_table *kt_latency_table_create(struct kt_trace *trace,
						 const struct kt_latency_opts *opts,
						 struct kt_err *err)
{
	struct kt_latency_table *t = calloc(1, sizeof(*t));
	unsigned int kind;

	if (!t) {
		kt_err_no_memory(err);
		return NULL;
	}
	t->analysis = (struct kt_analysis){
		.record = record, .lost = lost, .gap = gap, .finish = finish, .types = types,
	};
	t->trace = trace;
	t->opts = *opts;
	if (opts->map) {
		t->map = *opts->map;
		t->opts.map = &t->map;
	}
	for (kind = 0; kind < KT_LATENCY_KINDS; kind++)
		t->worst[kind].max = opts->worst;
	if (opts->nr_subjects > KT_LATENCY_SUBJECTS) {
		kt_err_set(err, -EINVAL, "at most %d subjects at a time", KT_LATENCY_SUBJECTS);
		goto fail;
	}
	if (copy_steps(t, opts, err) < 0 || make_spans(t, err) < 0 || make_calls(t, err) < 0)
		goto fail;
	if (find_uses(t) == 0)
		return t;
	kt_err_no_memory(err);
fail:
	kt_latency_table_destroy(t);
	return NULL;
}

void kt_latency_table_destroy(struct kt_latency_table *t)
{
	size_t i;

	if (!t)
		return;
	for (i = 0; i < t->nr; i++)
		free_row(&t->rows[i]);
	for (i = 0; i < KT_LATENCY_KINDS; i++)
		free(t->worst[i].at);
	for (i = 0; i < KT_LATENCY_STEPS; i++) {
		free((char *)t->steps[i].event);
		free((char *)t->steps[i].key);
	}
	handlers_fini(&t->handlers);
	free(t->rows);
	free(t->uses);
	free(t->pair_name);
	free(t->chains);
	keymap_fini(&t->row_of);
	keymap_fini(&t->named);
	keymap_fini(&t->chain_of);
	kt_calls_destroy(t->calls);
	kt_spans_destroy(t->spans);
	free(t);
}

struct kt_analysis *kt_latency_table_analysis(struct kt_latency_table *t)
{
	return &t->analysis;
}

/* ---- results ---- */

size_t kt_latency_table_nr(const struct kt_latency_table *t)
{
	return t->nr;
}

uint64_t latency_nr_torn(const struct kt_latency_table *t)
{
	return t->nr_torn;
}

uint64_t kt_latency_table_key(const struct kt_latency_table *t, size_t i)
{
	return t->rows[i].key;
}

static uint64_t quantile(const struct row *r, double share)
{
	return clamp(dist_quantile(&r->dist, r->pub.count, share), r->pub.min, r->pub.max);
}

bool kt_latency_table_row(const struct kt_latency_table *t, size_t i, struct kt_latency_row *out)
{
	const struct row *r = i < t->nr ? &t->rows[i] : NULL;

	if (!r)
		return false;
	*out = r->pub;
	out->name = r->name;
	out->levels = r->dist.levels;
	out->map = t->opts.map ? (const uint32_t *const *)r->dist.map : NULL;
	out->longest = r->longest.at;
	out->nr_longest = r->longest.nr;
	out->errnos = r->errnos;
	out->p50 = quantile(r, 0.5);
	out->p90 = quantile(r, 0.9);
	out->p99 = quantile(r, 0.99);
	out->p999 = quantile(r, 0.999);
	return true;
}

const struct kt_latency *kt_latency_table_worst(const struct kt_latency_table *t,
						enum kt_latency_kind kind, size_t i)
{
	return kind < KT_LATENCY_KINDS && i < t->worst[kind].nr ? &t->worst[kind].at[i] : NULL;
}
