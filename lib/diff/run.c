/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* run.c - one recording in one pass: latencies, calls and other events into blocks of time */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"
#include "format/events.h"
#include "latency/latency.h"
#include "span/calls.h"

enum { USE_LATENCIES, USE_CALLS, NR_USES };

/* The records of a file that the parts need; bits by event id */
struct diff_uses {
	uint64_t of[NR_USES][KT_ANALYSIS_WORDS];
};

/* ---- progress ---- */

static unsigned int block_of(const struct diff_run *run)
{
	return (unsigned int)(run->progress / run->size);
}

static void fold(struct diff_run *run)
{
	size_t i;

	for (i = 0; i < run->d->nr; i++)
		diff_entry_fold(run->d->entries[i], run);
	for (i = 0; i < DIFF_FINE; i++)
		run->lossy[i] = i < DIFF_FINE / 2 && (run->lossy[2 * i] || run->lossy[2 * i + 1]);
	run->size *= 2;
}

int diff_run_take(struct diff_run *run, uint32_t entry, bool timed, uint64_t ns)
{
	if (block_of(run) == DIFF_FINE)
		fold(run);
	if (diff_entry_add(run->d->entries[entry], run, block_of(run), timed, ns) < 0)
		return -ENOMEM;
	run->progress++;
	return 0;
}

/* ---- time ---- */

/* From the first to the last record; false: there is none */
static bool find_span(struct kt_trace *t, struct kt_window *span)
{
	struct kt_stream *s = kt_trace_stream(t);
	struct kt_record first, last;
	size_t i;

	*span = (struct kt_window){ UINT64_MAX, 0 };
	for (i = 0; i < kt_stream_nr_sources(s); i++) {
		if (kt_stream_first(s, i, &first, NULL) <= 0 ||
		    kt_stream_last(s, i, &last, NULL) <= 0)
			continue;
		span->from = first.ts < span->from ? first.ts : span->from;
		span->until = last.ts > span->until ? last.ts : span->until;
	}
	return span->from <= span->until;
}

static int place_windows(struct diff_run *run, struct kt_err *err)
{
	struct kt_window span, *w;
	size_t i;

	if (!find_span(run->in.trace, &span))
		return kt_err_set(err, -ENODATA, "the recording is empty");
	run->windows = calloc(run->in.nr_windows + 1, sizeof(*run->windows));
	if (!run->windows)
		return kt_err_no_memory(err);
	for (i = 0; i < run->in.nr_windows; i++) {
		w = &run->windows[run->nr_windows];
		*w = run->in.windows[i];
		w->from = w->from < span.from ? span.from : w->from;
		w->until = w->until > span.until ? span.until : w->until;
		run->nr_windows += w->from < w->until;
	}
	if (!run->in.nr_windows)
		run->windows[run->nr_windows++] = span;
	for (i = 0; i < run->nr_windows; i++)
		run->pub.ns += run->windows[i].until - run->windows[i].from;
	return 0;
}

/* ---- measurements ---- */

bool diff_run_wants(const struct diff_run *run, size_t file, int pid)
{
	const struct kt_diff_input *in = &run->in;

	return (!in->counts || !run->rec || in->counts(in->data, run->rec)) &&
	       (!in->chosen || in->chosen(in->data, file, pid));
}

/* The entry of a key of this trace; DIFF_NONE without @failed: the table is full */
static uint32_t entry_of(struct diff_run *run, uint64_t key, unsigned int kind, const char *name)
{
	uint32_t entry = keymap_get(&run->entry_of, key);
	char canonical[256];
	bool full;

	if (entry != KEYMAP_NONE)
		return entry;
	diff_canonical(kind, name, canonical, sizeof(canonical));
	entry = diff_entry(run->d, kind, canonical, &full);
	run->pub.full |= full;
	if ((entry == DIFF_NONE && !full) ||
	    (entry != DIFF_NONE && keymap_put(&run->entry_of, key, entry) < 0))
		run->failed = true;
	return entry;
}

static bool is_new(void *data, uint64_t key)
{
	const struct diff_run *run = data;

	return keymap_get(&run->entry_of, key) == KEYMAP_NONE;
}

static int take(void *data, const struct taken *x, bool cut, const char *name)
{
	struct diff_run *run = data;
	char task[64];
	uint32_t entry;

	if (cut) {
		run->pub.cut++;
		return 0;
	}
	/* An event with the name of the task may come later. */
	if (strcmp(kt_latency_kind_noun(x->kind), "task") == 0 && is_new(run, x->key)) {
		kt_trace_comm(run->in.trace, x->one.file, x->one.pid);
		latency_format_task(run->in.trace, x->one.file, x->one.pid, task, sizeof(task));
		name = task;
	}
	if (x->kind == KT_LATENCY_PAIR && run->d->opts.pair)
		name = run->d->opts.pair;
	entry = entry_of(run, x->key, x->kind, name);
	return entry == DIFF_NONE ? (run->failed ? -ENOMEM : 0) :
	       diff_run_take(run, entry, true, x->one.until - x->one.from);
}

static int count_event(struct diff_run *run, const struct kt_event *ev,
		       const struct kt_record *rec, size_t file)
{
	uint64_t key = keymap_mix(DIFF_EVENT, (uint64_t)file << 16 | rec->type);
	uint32_t entry = keymap_get(&run->entry_of, key);
	char name[256];

	if (!diff_run_wants(run, file, kt_record_pid(ev->events, rec)))
		return 0;
	if (entry == KEYMAP_NONE) {
		snprintf(name, sizeof(name), "%s:%s", ev->system, ev->name);
		entry = entry_of(run, key, DIFF_EVENT, name);
	}
	return entry == DIFF_NONE ? (run->failed ? -ENOMEM : 0) :
	       diff_run_take(run, entry, false, 0);
}

/* ---- the analysis ---- */

static bool is_used(const uint64_t bits[KT_ANALYSIS_WORDS], uint16_t type)
{
	return bits[type / 64] >> type % 64 & 1;
}

static struct kt_analysis *part_of(const struct diff_run *run, int use)
{
	if (use == USE_LATENCIES)
		return run->latencies ? kt_latency_table_analysis(run->latencies) : NULL;
	return run->calls ? kt_calls_analysis(run->calls) : NULL;
}

static int record(struct kt_analysis *a, const struct kt_event *ev, const struct kt_record *rec,
		  struct kt_err *err)
{
	struct diff_run *run = (struct diff_run *)a;
	size_t file = kt_trace_source(run->in.trace, rec)->file_index;
	const struct diff_uses *u = &run->uses[file];
	bool used = false;
	int use, ret = 0;

	run->rec = rec;
	for (use = 0; use < NR_USES && ret == 0; use++)
		if (is_used(u->of[use], rec->type)) {
			used = true;
			ret = part_of(run, use)->record(part_of(run, use), ev, rec, err);
		}
	if (ret == 0 && !used && !run->d->opts.kinds && count_event(run, ev, rec, file) < 0)
		ret = kt_err_no_memory(err);
	run->rec = NULL;
	return ret;
}

static void lost(struct kt_analysis *a, const struct kt_record *rec)
{
	struct diff_run *run = (struct diff_run *)a;
	int use;

	run->pub.nr_lost += rec->lost == KT_LOST_UNKNOWN ? 1 : rec->lost;
	if (block_of(run) == DIFF_FINE)
		fold(run);
	run->lossy[block_of(run)] = true;
	for (use = 0; use < NR_USES; use++)
		if (part_of(run, use))
			part_of(run, use)->lost(part_of(run, use), rec);
}

static void gap(struct kt_analysis *a)
{
	struct diff_run *run = (struct diff_run *)a;
	int use;

	for (use = 0; use < NR_USES; use++)
		if (part_of(run, use))
			part_of(run, use)->gap(part_of(run, use));
}

/* They need the trace. */
static void free_parts(struct diff_run *run)
{
	kt_latency_table_destroy(run->latencies);
	kt_calls_destroy(run->calls);
	free(run->uses);
	run->latencies = NULL;
	run->calls = NULL;
	run->uses = NULL;
}

static int finish(struct kt_analysis *a, struct kt_err *err)
{
	struct diff_run *run = (struct diff_run *)a;
	unsigned int lossy = 0, blocks = block_of(run), i;
	int use, ret = 0;

	for (use = 0; use < NR_USES && ret == 0; use++)
		if (part_of(run, use))
			ret = part_of(run, use)->finish(part_of(run, use), err);
	for (i = 0; i < DIFF_FINE; i++)
		lossy += run->lossy[i];
	run->pub.lossy_percent = lossy > blocks ? 100 : 100 * lossy / (blocks + 1);
	free_parts(run);
	return ret;
}

static void types(struct kt_analysis *a, size_t file, uint64_t bits[KT_ANALYSIS_WORDS])
{
	const struct diff_run *run = (const struct diff_run *)a;
	int use, i;

	for (i = 0; i < KT_ANALYSIS_WORDS; i++)
		for (use = 0; use < NR_USES; use++)
			bits[i] |= run->d->opts.kinds ? run->uses[file].of[use][i] : UINT64_MAX;
}

/* ---- creation and destruction ---- */

static const struct kt_calls_opts of_calls;

/* The formats that it has */
static int find_events(struct diff_run *run)
{
	size_t file, i;
	char name[256];

	for (file = 0; file < kt_trace_nr_files(run->in.trace); file++) {
		const struct kt_events *evs = kt_trace_events(run->in.trace, file);

		for (i = 0; i < evs->nr_slots; i++) {
			size_t len = (size_t)snprintf(name, sizeof(name), "%s:",
						      evs->slots[i].source.system);

			if (len < sizeof(name) &&
			    event_slot_name(&evs->slots[i], name + len, sizeof(name) - len) &&
			    keymap_put(&run->has_event, diff_hash(name), 1) < 0)
				return -ENOMEM;
		}
	}
	return 0;
}

bool diff_run_has(const struct diff_run *run, const struct diff_entry *e)
{
	if (e->kind == DIFF_EVENT)
		return keymap_get(&run->has_event, diff_hash(e->name)) != KEYMAP_NONE;
	return run->kinds & 1u << e->kind;
}

static int find_uses(struct diff_run *run)
{
	size_t nr = kt_trace_nr_files(run->in.trace), file;
	struct kt_analysis *latencies = part_of(run, USE_LATENCIES);

	run->uses = calloc(nr + 1, sizeof(*run->uses));
	if (!run->uses)
		return -ENOMEM;
	for (file = 0; file < nr; file++) {
		if (latencies)
			latencies->types(latencies, file, run->uses[file].of[USE_LATENCIES]);
		if (run->calls)
			call_roles_types(&of_calls, run->in.trace, file,
					 run->uses[file].of[USE_CALLS]);
	}
	return 0;
}

/* Page faults are among the calls; reasons of sleep are more specific than sleeps of tasks. */
static unsigned int kinds_of(struct kt_trace *t, unsigned int wanted)
{
	unsigned int kinds = 0, kind;

	for (kind = 0; kind < KT_LATENCY_PAIR; kind++)
		if (kt_latency_kind_is_recorded(t, kind) && kind != KT_LATENCY_FAULT)
			kinds |= 1u << kind;
	return wanted ? wanted : kinds;
}

static bool counts(void *data, const struct kt_record *rec)
{
	const struct diff_run *run = data;

	return run->in.counts(run->in.data, rec);
}

static bool chosen(void *data, size_t file, int pid)
{
	const struct diff_run *run = data;

	return run->in.chosen(run->in.data, file, pid);
}

static int make_latencies(struct diff_run *run, unsigned int kinds, struct kt_err *err)
{
	const struct kt_diff_opts *opts = &run->d->opts;
	struct kt_latency_opts o = {
		.kinds = kinds, .subjects = opts->subjects, .nr_subjects = opts->nr_subjects,
		.counts = run->in.counts ? counts : NULL,
		.chosen = run->in.chosen ? chosen : NULL, .data = run,
	};
	size_t i;
	int ret;

	for (i = 0; i < opts->nr_subjects; i++) {
		if (kt_latency_subject_kind(opts->subjects[i]) != KT_LATENCY_PAIR)
			continue;
		ret = kt_latency_subject_steps(opts->subjects[i], run->in.trace, &o.steps,
					       &o.nr_steps, err);
		if (ret < 0)
			return ret;
	}
	run->latencies = kt_latency_table_create(run->in.trace, &o, err);
	if (!run->latencies)
		return kt_err_code(err, -ENOMEM);
	run->latencies->tap = (struct latency_tap){ is_new, take, run };
	return 0;
}

static int prepare(struct diff_run *run, struct kt_err *err)
{
	unsigned int kinds = kinds_of(run->in.trace, run->d->opts.kinds);
	int ret = place_windows(run, err);

	run->kinds = kinds;
	if (ret < 0)
		return ret;
	/* Without functions, the kinds of latencies cover all calls. */
	if (run->d->opts.frames || kinds & 1u << KT_LATENCY_CALL) {
		run->calls = diff_paths_follow(run, err);
		if (!run->calls)
			return -ENOMEM;
	}
	kinds &= ~(1u << KT_LATENCY_CALL);
	if (kinds)
		ret = make_latencies(run, kinds, err);
	if (ret < 0)
		return ret;
	if (find_uses(run) < 0 || (!run->d->opts.kinds && find_events(run) < 0))
		return kt_err_no_memory(err);
	return 0;
}

struct kt_analysis *kt_diff_add(struct kt_diff *d, enum kt_diff_side side,
				const struct kt_diff_input *in, struct kt_err *err)
{
	struct diff_run *run;

	if (d->nr_runs[side] == KT_DIFF_RUNS) {
		kt_err_set(err, -E2BIG, "at most %d recordings a side", KT_DIFF_RUNS);
		return NULL;
	}
	run = calloc(1, sizeof(*run));
	if (!run) {
		kt_err_no_memory(err);
		return NULL;
	}
	run->analysis = (struct kt_analysis){
		.record = record, .lost = lost, .gap = gap, .finish = finish, .types = types,
	};
	run->d = d;
	run->side = side;
	run->index = d->nr_runs[side];
	run->size = 1;
	run->in = *in;
	if (prepare(run, err) < 0) {
		diff_run_destroy(run);
		return NULL;
	}
	d->runs[side][d->nr_runs[side]++] = run;
	return &run->analysis;
}

void diff_run_destroy(struct diff_run *run)
{
	if (!run)
		return;
	free_parts(run);
	keymap_fini(&run->entry_of);
	keymap_fini(&run->node_of);
	keymap_fini(&run->has_event);
	free(run->windows);
	free(run);
}

size_t kt_diff_nr_runs(const struct kt_diff *d, enum kt_diff_side side)
{
	return d->nr_runs[side];
}

void kt_diff_run(const struct kt_diff *d, enum kt_diff_side side, size_t i,
		 struct kt_diff_run *run)
{
	*run = d->runs[side][i]->pub;
}
