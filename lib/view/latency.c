/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* latency.c - one kind of latency of a model's trace, read in slices of work */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/views.h>

#include "base/moment.h"
#include "latency/latency.h"
#include "view/model_priv.h"

struct kt_latencies {
	struct kt_model *model;
	struct kt_reader *reader;
	struct kt_latency_table *table;	/* what was measured */
	struct kt_latency_table *again;	/* … and is measured again for the list; or NULL */
	enum kt_latency_kind kind;
	char *pair;			/* of KT_LATENCY_PAIR, owned */
	struct kt_window window;
	struct longest list;
	uint64_t list_key;
	unsigned int list_level;
	bool done, partial;
	struct kt_spot at;
	uint64_t reached;
};

/* ---- setting ---- */

static bool is_graph(const struct kt_event *ev)
{
	return strcmp(ev->system, "ftrace") == 0 && strncmp(ev->name, "funcgraph_", 10) == 0;
}

enum kt_latency_kind kt_latency_guess(struct kt_model *m)
{
	unsigned int kind = KT_LATENCY_WAKEUP;

	if (model_begins_with(m, latency_is_sample))
		return KT_LATENCY_TRACER;
	if (model_begins_with(m, is_graph))
		return KT_LATENCY_CALL;
	while (kind < KT_LATENCY_TRACER && !kt_latency_kind_is_recorded(kt_model_trace(m), kind))
		kind++;
	return kind < KT_LATENCY_TRACER ? kind : KT_LATENCY_WAKEUP;
}

/* "EVENT EVENT [FIELD[=FIELD]]", cut in place */
static int parse_pair(char *words, const char *text, struct kt_latency_step steps[2],
		      struct kt_err *err)
{
	char *save = NULL, *key, *equals;

	steps[0].event = strtok_r(words, " ", &save);
	steps[1].event = strtok_r(NULL, " ", &save);
	key = strtok_r(NULL, " ", &save);
	if (!steps[0].event || !steps[1].event || strtok_r(NULL, " ", &save))
		return kt_err_set(err, -EINVAL, "'%s' is not a pair: EVENT EVENT [FIELD[=FIELD]]",
				  text);
	equals = key ? strchr(key, '=') : NULL;
	if (equals)
		*equals = 0;
	steps[0].key = key;
	steps[1].key = equals ? equals + 1 : key;
	return 0;
}

static bool counts(void *data, const struct kt_record *rec)
{
	return model_shows(((struct kt_latencies *)data)->model, rec);
}

static int list_one(void *data, uint64_t key, const struct kt_latency *one)
{
	struct kt_latencies *l = data;

	return key == l->list_key && kt_latency_level(one->until - one->from) == l->list_level ?
	       longest_add(&l->list, one) : 0;
}

/* New: what had begun is forgotten. NULL with @err set. */
static struct kt_latency_table *new_table(struct kt_latencies *l, enum kt_latency_kind kind,
					  const char *pair, bool for_list, struct kt_err *err)
{
	const char *text = pair ? pair : "";
	char *words = strdup(text);
	struct kt_latency_step steps[2] = { 0 };
	const struct kt_latency_opts o = {
		.kinds = 1u << kind, .steps = steps, .nr_steps = 2, .map = &l->window,
		.counts = kt_model_chooses(l->model) ? counts : NULL,
		.each = for_list ? list_one : NULL, .data = l,
	};
	struct kt_latency_table *t = NULL;

	if (!words)
		kt_err_set(err, -ENOMEM, "out of memory");
	else if (kind != KT_LATENCY_PAIR || parse_pair(words, text, steps, err) == 0)
		t = kt_latency_table_create(kt_model_trace(l->model), &o, err);
	free(words);
	return t;
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

static void end_listing(struct kt_latencies *l)
{
	kt_latency_table_destroy(l->again);
	l->again = NULL;
	l->list.nr = 0;
}

int kt_latencies_set(struct kt_latencies *l, enum kt_latency_kind kind, const char *pair,
		     const struct kt_window *w, struct kt_err *err)
{
	struct kt_window was = l->window;
	struct kt_err why = { 0 };
	char *copy = pair ? strdup(pair) : NULL;
	struct kt_latency_table *t;

	l->window = *w;
	t = new_table(l, kind, pair, false, &why);
	if (!t) {
		l->window = was;
		free(copy);
		return kt_err_set(err, why.code, "%s", why.msg);
	}
	end_listing(l);
	kt_latency_table_destroy(l->table);
	free(l->pair);
	l->table = t;
	l->pair = copy;
	l->kind = kind;
	return rewind_to_begin(l, err);
}

int kt_latencies_list(struct kt_latencies *l, size_t i, unsigned int level, struct kt_err *err)
{
	struct kt_err why = { 0 };
	struct kt_latency_table *t;

	if (i >= kt_latencies_nr(l))
		return kt_err_set(err, -ENOENT, "there is no such row");
	t = new_table(l, l->kind, l->pair, true, &why);
	if (!t)
		return kt_err_set(err, why.code, "%s", why.msg);
	end_listing(l);
	l->again = t;
	l->list_key = kt_latency_table_key(l->table, i);
	l->list_level = level;
	return rewind_to_begin(l, err);
}

/* ---- reading ---- */

static struct kt_analysis *analysis_of(const struct kt_latencies *l)
{
	return kt_latency_table_analysis(l->again ? l->again : l->table);
}

static void finish(struct kt_latencies *l, bool partial)
{
	l->partial |= partial;
	l->done = true;
	analysis_of(l)->finish(analysis_of(l), NULL);
	longest_sort(&l->list);
}

/* One record: false when there are no more, or with @failed when memory is short */
static bool step(struct kt_latencies *l, struct kt_analysis *a, bool *failed)
{
	struct kt_trace *t = kt_model_trace(l->model);
	const struct kt_event *ev;
	struct kt_record rec;
	int ret = kt_reader_next(l->reader, &rec, NULL);

	if (ret <= 0 || rec.ts > l->window.until) {
		*failed = ret < 0;
		return false;
	}
	if (rec.lost)
		a->lost(a, &rec);
	l->reached = rec.ts;
	ev = kt_trace_event(t, &rec);
	*failed = ev && a->record(a, ev, &rec, NULL) < 0;
	return !*failed;
}

bool kt_latencies_work(struct kt_latencies *l, unsigned int budget_ms)
{
	uint64_t until = moment_ms() + budget_ms;
	bool failed = false;
	unsigned int i;

	if (l->done)
		return false;
	if (kt_reader_go(l->reader, &l->at, NULL) < 0) {
		finish(l, true);
		return false;
	}
	do {
		for (i = 0; i < 256; i++)
			if (!step(l, analysis_of(l), &failed)) {
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
	return l->table ? kt_latency_table_nr(l->table) : 0;
}

bool kt_latencies_row(const struct kt_latencies *l, size_t i, struct kt_latency_row *row)
{
	return l->table && kt_latency_table_row(l->table, i, row);
}

size_t kt_latencies_nr_listed(const struct kt_latencies *l)
{
	return l->done && l->again ? l->list.nr : 0;
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
	l->list.max = KT_LATENCY_LIST_MAX;
	l->reader = kt_reader_create(kt_model_trace(m), kt_model_index(m), err);
	if (l->reader)
		return l;
	free(l);
	return NULL;
}

void kt_latencies_destroy(struct kt_latencies *l)
{
	if (!l)
		return;
	end_listing(l);
	kt_latency_table_destroy(l->table);
	kt_reader_destroy(l->reader);
	free(l->list.at);
	free(l->pair);
	free(l);
}
