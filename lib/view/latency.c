/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* latency.c - how long things took, read from a trace in slices of work */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/calls.h>
#include <ktrail/span.h>

#include "base/keymap.h"
#include "base/moment.h"
#include "base/str.h"
#include "view/latency.h"
#include "view/model_priv.h"

#define ROWS_MAX 2048

static const struct {
	const char *title;
	enum kt_span_kind span;		/* KT_SPAN_KINDS: none */
} kinds[KT_LATENCY_KINDS] = {
	[KT_LATENCY_WAKEUP]    = { "wakeup → run, per task", KT_SPAN_WAIT },
	[KT_LATENCY_PREEMPTED] = { "preempted, per task", KT_SPAN_PREEMPTED },
	[KT_LATENCY_BLOCKED]   = { "blocked → woken, per task", KT_SPAN_BLOCKED },
	[KT_LATENCY_IRQ]       = { "interrupt handlers", KT_SPAN_IRQ },
	[KT_LATENCY_SOFTIRQ]   = { "soft interrupts", KT_SPAN_SOFTIRQ },
	[KT_LATENCY_SYSCALL]   = { "system calls", KT_SPAN_SYSCALL },
	[KT_LATENCY_BLOCK_IO]  = { "block I/O, per device", KT_SPAN_BLOCK_IO },
	[KT_LATENCY_TRACER]    = { "latency tracers, per CPU", KT_SPAN_KINDS },
	[KT_LATENCY_CALL]      = { "functions", KT_SPAN_KINDS },
	[KT_LATENCY_PAIR]      = { "a pair of events", KT_SPAN_PAIR },
};

const char *kt_latency_kind_title(enum kt_latency_kind kind)
{
	return kinds[kind].title;
}

/* ---- rows ---- */

static void free_rows(struct kt_latencies *l)
{
	size_t i;

	for (i = 0; i < l->nr; i++) {
		free(l->rows[i].name);
		free(l->rows[i].map);
		free(l->rows[i].buckets);
	}
	free(l->rows);
	l->rows = NULL;
	l->nr = l->room = 0;
	keymap_fini(&l->row_of);
}

static struct latency_row *add_row(struct kt_latencies *l, uint64_t key, const char *name)
{
	struct latency_row *r, *grown;

	if (l->nr == l->room) {
		grown = reallocarray(l->rows, l->room ? 2 * l->room : 16, sizeof(*grown));
		if (!grown)
			return NULL;
		l->rows = grown;
		l->room = l->room ? 2 * l->room : 16;
	}
	r = &l->rows[l->nr];
	*r = (struct latency_row){ .key = key, .name = strdup(name) };
	r->map = calloc((size_t)KT_LATENCY_COLUMNS * KT_LATENCY_LEVELS, sizeof(*r->map));
	r->buckets = calloc(LATENCY_BUCKETS, sizeof(*r->buckets));
	if (r->name && r->map && r->buckets && keymap_put(&l->row_of, key, (uint32_t)l->nr) == 0) {
		l->nr++;
		return r;
	}
	free(r->name);
	free(r->map);
	free(r->buckets);
	return NULL;
}

/* One that ended: @cut: its begin or end is not certain */
int latency_take(struct kt_latencies *l, uint64_t key, const char *name,
		 const struct kt_latency *one, bool cut)
{
	uint64_t all = l->window.until - l->window.from + 1;
	unsigned int column = 0;
	struct latency_row *r;
	uint32_t i;

	if (!l->shown)
		return 0;
	i = keymap_get(&l->row_of, key);
	if (i == KEYMAP_NONE && l->nr >= ROWS_MAX - 1) {
		key = UINT64_MAX;
		name = "(others)";
		i = keymap_get(&l->row_of, key);
	}
	if (l->listing)
		return !cut && key == l->list_key && one->until >= one->from &&
		       kt_latency_level(one->until - one->from) == l->list_level ?
		       latency_list_add(&l->list, one) : 0;
	r = i != KEYMAP_NONE ? &l->rows[i] : add_row(l, key, name);
	if (!r)
		return -ENOMEM;
	if (cut || one->until < one->from) {
		r->pub.cut++;
		return 0;
	}
	if (one->until > l->window.from)
		column = (unsigned int)((double)(one->until - l->window.from) / (double)all *
					KT_LATENCY_COLUMNS);
	latency_add(r, one, column < KT_LATENCY_COLUMNS ? column : KT_LATENCY_COLUMNS - 1);
	return 0;
}

/* ---- setting ---- */

static bool has_event(struct kt_model *m, const char *system, const char *name)
{
	struct kt_trace *t = kt_model_trace(m);
	size_t file;

	for (file = 0; file < kt_trace_nr_files(t); file++)
		if (kt_events_by_name(kt_trace_events(t, file), system, name))
			return true;
	return false;
}

static bool has_system(struct kt_model *m, const char *system)
{
	struct kt_trace *t = kt_model_trace(m);
	const struct kt_event *ev;
	size_t file, i;

	for (file = 0; file < kt_trace_nr_files(t); file++)
		for (i = 0; i < kt_events_nr(kt_trace_events(t, file)); i++) {
			ev = kt_events_at(kt_trace_events(t, file), i);
			if (ev && strcmp(ev->system, system) == 0)
				return true;
		}
	return false;
}

bool kt_latency_kind_is_recorded(struct kt_model *m, enum kt_latency_kind kind)
{
	const char *const *events;
	char system[64];

	if (kind == KT_LATENCY_CALL)
		return has_event(m, "ftrace", "funcgraph_exit");
	if (kind == KT_LATENCY_TRACER)
		return model_begins_with(m, latency_is_tracer);
	if (kind == KT_LATENCY_PAIR)
		return false;
	if (kind == KT_LATENCY_SYSCALL && has_system(m, "syscalls"))
		return true;
	for (events = kt_span_kind_events(kinds[kind].span); *events; events++) {
		const char *colon = strchr(*events, ':');

		if (!colon || colon - *events >= (long)sizeof(system))
			continue;
		memcpy(system, *events, (size_t)(colon - *events));
		system[colon - *events] = 0;
		if (has_event(m, system, colon + 1))
			return true;
	}
	return false;
}

static bool is_graph(const struct kt_event *ev)
{
	return strcmp(ev->system, "ftrace") == 0 && strncmp(ev->name, "funcgraph_", 10) == 0;
}

enum kt_latency_kind kt_latency_guess(struct kt_model *m)
{
	unsigned int kind = KT_LATENCY_WAKEUP;

	if (model_begins_with(m, latency_is_tracer))
		return KT_LATENCY_TRACER;
	if (model_begins_with(m, is_graph))
		return KT_LATENCY_CALL;
	while (kind < KT_LATENCY_PAIR && !kt_latency_kind_is_recorded(m, kind))
		kind++;
	return kind < KT_LATENCY_PAIR ? kind : KT_LATENCY_WAKEUP;
}

/* "EVENT EVENT [FIELD[=FIELD]]"; its parts stay in @l->words */
static int parse_pair(char *words, const char *text, struct kt_pair *pair, struct kt_err *err)
{
	char *save = NULL, *equals;

	pair->from = strtok_r(words, " ", &save);
	pair->to = strtok_r(NULL, " ", &save);
	pair->from_key = strtok_r(NULL, " ", &save);
	if (!pair->from || !pair->to || strtok_r(NULL, " ", &save))
		return kt_err_set(err, -EINVAL, "'%s' is not a pair: EVENT EVENT [FIELD[=FIELD]]",
				  text);
	pair->to_key = pair->from_key;
	equals = pair->from_key ? strchr(pair->from_key, '=') : NULL;
	if (equals) {
		*equals = 0;
		pair->to_key = equals + 1;
	}
	return 0;
}

static struct kt_analysis *analysis_of(const struct kt_latencies *l)
{
	return l->calls ? kt_calls_analysis(l->calls) :
	       l->spans ? kt_spans_analysis(l->spans) : NULL;
}

/* New spans or calls for the kind: what had begun is forgotten. */
static int start(struct kt_latencies *l, enum kt_latency_kind kind, const char *pair_text,
		 struct kt_err *err)
{
	struct kt_trace *t = kt_model_trace(l->model);
	struct kt_calls_opts co = { .no_interrupts = true, .no_switches = true,
				    .sink = latency_take_call, .data = l };
	struct kt_spans_opts so = { .sink = latency_take_span, .data = l };
	char *words = strdup(pair_text ? pair_text : "");
	struct kt_calls *calls = NULL;
	struct kt_spans *spans = NULL;
	struct kt_pair pair = { 0 };
	int ret = words ? 0 : kt_err_set(err, -ENOMEM, "out of memory");

	if (kinds[kind].span < KT_SPAN_KINDS)
		so.kinds = 1u << kinds[kind].span;
	if (ret == 0 && kind == KT_LATENCY_PAIR) {
		ret = parse_pair(words, pair_text ? pair_text : "", &pair, err);
		so.pairs = &pair;
		so.nr_pairs = 1;
	}
	if (ret == 0 && kind == KT_LATENCY_CALL)
		calls = kt_calls_create(t, &co, err);
	else if (ret == 0 && kind != KT_LATENCY_TRACER)
		spans = kt_spans_create(t, &so, err);
	if (!calls && !spans && kind != KT_LATENCY_TRACER) {
		free(words);
		return ret < 0 ? ret : err->code ? err->code : -ENOENT;
	}
	kt_calls_destroy(l->calls);
	kt_spans_destroy(l->spans);
	free(l->words);
	l->calls = calls;
	l->spans = spans;
	l->words = words;
	l->kind = kind;
	return 0;
}

static int rewind_to_begin(struct kt_latencies *l, struct kt_err *err)
{
	int ret = kt_reader_seek(l->reader, l->window.from, err);

	kt_reader_tell(l->reader, &l->at);
	l->reached = l->window.from;
	l->partial = false;
	l->done = ret < 0;
	return ret;
}

int kt_latencies_set(struct kt_latencies *l, enum kt_latency_kind kind, const char *pair,
		     const struct kt_window *w, struct kt_err *err)
{
	char *copy = pair ? strdup(pair) : NULL;
	int ret = start(l, kind, pair, err);

	if (ret < 0) {
		free(copy);
		return ret;
	}
	free(l->pair);
	l->pair = copy;
	free_rows(l);
	l->listing = false;
	l->list.nr = 0;
	l->window = *w;
	return rewind_to_begin(l, err);
}

int kt_latencies_list(struct kt_latencies *l, size_t i, unsigned int level, struct kt_err *err)
{
	int ret;

	if (i >= l->nr)
		return kt_err_set(err, -ENOENT, "there is no such row");
	ret = start(l, l->kind, l->pair, err);
	if (ret < 0)
		return ret;
	l->listing = true;
	l->list.nr = 0;
	l->list_key = l->rows[i].key;
	l->list_level = level;
	return rewind_to_begin(l, err);
}

/* ---- reading ---- */

static void name_rows_again(struct kt_latencies *l)
{
	char name[64];
	size_t i;

	if (l->kind > KT_LATENCY_BLOCKED)
		return;
	for (i = 0; i < l->nr; i++) {
		struct latency_row *r = &l->rows[i];

		if (r->key == UINT64_MAX || !r->pub.count)
			continue;
		latency_format_task(l, r->pub.worst.file, r->pub.worst.pid, name, sizeof(name));
		if (strcmp(name, r->name) != 0) {
			char *copy = strdup(name);

			free(copy ? r->name : NULL);
			r->name = copy ? copy : r->name;
		}
	}
}

static void finish(struct kt_latencies *l, bool partial)
{
	struct kt_analysis *a = analysis_of(l);

	l->partial |= partial;
	l->done = true;
	l->shown = true;
	if (a && a->finish)
		a->finish(a, NULL);
	if (l->listing)
		latency_list_sort(&l->list);
	else
		name_rows_again(l);
}

/* One record: false when there are no more, or with @failed when memory is short */
static bool step(struct kt_latencies *l, struct kt_analysis *a, bool filtered, bool *failed)
{
	struct kt_trace *t = kt_model_trace(l->model);
	const struct kt_event *ev;
	struct kt_record rec;
	int ret = kt_reader_next(l->reader, &rec, NULL);

	if (ret <= 0 || rec.ts > l->window.until) {
		*failed = ret < 0;
		return false;
	}
	if (rec.lost && a && a->lost)
		a->lost(a, &rec);
	l->reached = rec.ts;
	ev = kt_trace_event(t, &rec);
	if (!ev)
		return true;
	l->shown = !filtered || model_shows(l->model, &rec);
	if (l->kind == KT_LATENCY_IRQ)
		latency_note_handler(l, ev, &rec);
	*failed = (a ? a->record(a, ev, &rec, NULL) : latency_take_sample(l, ev, &rec)) < 0;
	return !*failed;
}

bool kt_latencies_work(struct kt_latencies *l, unsigned int budget_ms)
{
	uint64_t until = moment_ms() + budget_ms;
	bool filtered = kt_model_is_filtered(l->model), failed = false;
	struct kt_analysis *a = analysis_of(l);
	unsigned int i;

	if (l->done)
		return false;
	if (kt_reader_go(l->reader, &l->at, NULL) < 0) {
		finish(l, true);
		return false;
	}
	do {
		for (i = 0; i < 256; i++)
			if (!step(l, a, filtered, &failed)) {
				finish(l, failed);
				return false;
			}
	} while (moment_ms() < until);
	kt_reader_tell(l->reader, &l->at);
	return true;
}

bool kt_latencies_stop(struct kt_latencies *l)
{
	if (l->done)
		return false;
	finish(l, true);
	return true;
}

double kt_latencies_done(const struct kt_latencies *l)
{
	return l->done ? 1 : (double)(l->reached - l->window.from) /
			     ((double)(l->window.until - l->window.from) + 1);
}

bool kt_latencies_is_partial(const struct kt_latencies *l)
{
	return l->partial;
}

/* ---- results ---- */

size_t kt_latencies_nr(const struct kt_latencies *l)
{
	return l->nr;
}

bool kt_latencies_row(const struct kt_latencies *l, size_t i, struct kt_latency_row *row)
{
	const struct latency_row *r = i < l->nr ? &l->rows[i] : NULL;

	if (!r)
		return false;
	*row = r->pub;
	row->name = r->name;
	row->levels = r->levels;
	row->map = r->map;
	row->p50 = latency_quantile(r, 0.5);
	row->p90 = latency_quantile(r, 0.9);
	row->p99 = latency_quantile(r, 0.99);
	row->p999 = latency_quantile(r, 0.999);
	return true;
}

size_t kt_latencies_nr_listed(const struct kt_latencies *l)
{
	return l->done && l->listing ? l->list.nr : 0;
}

const struct kt_latency *kt_latencies_listed(const struct kt_latencies *l, size_t i)
{
	return i < kt_latencies_nr_listed(l) ? &l->list.at[i] : NULL;
}

struct kt_latencies *kt_latencies_create(struct kt_model *m, struct kt_err *err)
{
	struct kt_latencies *l = calloc(1, sizeof(*l));

	if (!l) {
		kt_err_set(err, -ENOMEM, "out of memory");
		return NULL;
	}
	l->model = m;
	l->done = true;
	l->reader = kt_reader_create(kt_model_trace(m), kt_model_index(m), err);
	if (!l->reader) {
		free(l);
		return NULL;
	}
	return l;
}

void kt_latencies_destroy(struct kt_latencies *l)
{
	size_t i;

	if (!l)
		return;
	free_rows(l);
	for (i = 0; i < 256; i++)
		free(l->handlers[i]);
	free(l->list.at);
	free(l->pair);
	free(l->words);
	kt_calls_destroy(l->calls);
	kt_spans_destroy(l->spans);
	kt_reader_destroy(l->reader);
	free(l);
}
