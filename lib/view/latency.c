/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* latency.c - measure one kind of latency of a model's trace, in slices of work */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <ktrail/views.h>

#include "latency/latency.h"
#include "view/model_priv.h"
#include "view/slices.h"

struct kt_latencies {
	struct kt_model *model;
	struct slices slices;
	struct kt_latency_table *table;	/* the results */
	struct kt_latency_table *again;	/* a second measurement, for the list; or NULL */
	enum kt_latency_kind kind;	/* KT_LATENCY_KINDS: all are counted */
	uint64_t counts[KT_LATENCY_KINDS];
	char *pair;			/* of KT_LATENCY_PAIR, owned */
	struct kt_window window;
	struct longest list;
	uint64_t list_key;
	unsigned int list_level;
};

/* ---- settings ---- */

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

/* "EVENT EVENT [FIELD[=FIELD]]", split in place */
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

static int count_one(void *data, enum kt_latency_kind kind, uint64_t key,
		     const struct kt_latency *one)
{
	(void)key, (void)one;
	((struct kt_latencies *)data)->counts[kind]++;
	return 0;
}

static int list_one(void *data, enum kt_latency_kind kind, uint64_t key,
		    const struct kt_latency *one)
{
	struct kt_latencies *l = data;

	(void)kind;
	return key == l->list_key && kt_latency_level(one->until - one->from) == l->list_level ?
	       longest_add(&l->list, one) : 0;
}

/* A new table; open spans are dropped. NULL with @err set. */
static struct kt_latency_table *new_table(struct kt_latencies *l, enum kt_latency_kind kind,
					  const char *pair, bool for_list, struct kt_err *err)
{
	const char *text = pair ? pair : "";
	char *words = strdup(text);
	struct kt_latency_step steps[2] = { 0 };
	const struct kt_latency_opts o = {
		.kinds = kind == KT_LATENCY_KINDS ? (1u << KT_LATENCY_PAIR) - 1 : 1u << kind,
		.steps = steps, .nr_steps = 2, .map = &l->window,
		.counts = kt_model_chooses(l->model) ? counts : NULL,
		.each = kind == KT_LATENCY_KINDS ? count_one : for_list ? list_one : NULL,
		.data = l,
	};
	struct kt_latency_table *t = NULL;

	if (!words)
		kt_err_no_memory(err);
	else if (kind != KT_LATENCY_PAIR || parse_pair(words, text, steps, err) == 0)
		t = kt_latency_table_create(kt_model_trace(l->model), &o, err);
	free(words);
	return t;
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
	memset(l->counts, 0, sizeof(l->counts));
	return slices_begin(&l->slices, &l->window, err);
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
	return slices_begin(&l->slices, &l->window, err);
}

/* ---- reading ---- */

static struct kt_analysis *analysis_of(const struct kt_latencies *l)
{
	return kt_latency_table_analysis(l->again ? l->again : l->table);
}

bool kt_latencies_work(struct kt_latencies *l, unsigned int budget_ms)
{
	if (l->slices.done)
		return false;
	if (slices_work(&l->slices, analysis_of(l), budget_ms))
		return true;
	longest_sort(&l->list);
	return false;
}

bool kt_latencies_stop(struct kt_latencies *l)
{
	bool stopped = slices_stop(&l->slices, analysis_of(l));

	if (stopped)
		longest_sort(&l->list);
	return stopped;
}

double kt_latencies_done(const struct kt_latencies *l)
{
	return slices_done(&l->slices);
}

bool kt_latencies_is_partial(const struct kt_latencies *l)
{
	return l->slices.partial;
}

/* ---- results ---- */

uint64_t kt_latencies_count(const struct kt_latencies *l, enum kt_latency_kind kind)
{
	return kind < KT_LATENCY_KINDS ? l->counts[kind] : 0;
}

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
	return l->slices.done && l->again ? l->list.nr : 0;
}

const struct kt_latency *kt_latencies_listed(const struct kt_latencies *l, size_t i)
{
	return i < kt_latencies_nr_listed(l) ? &l->list.at[i] : NULL;
}

struct kt_latencies *kt_latencies_create(struct kt_model *m, struct kt_err *err)
{
	struct kt_latencies *l = calloc(1, sizeof(*l));

	if (!l) {
		kt_err_no_memory(err);
		return NULL;
	}
	l->model = m;
	l->list.max = KT_LATENCY_LIST_MAX;
	if (slices_init(&l->slices, m, err) == 0)
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
	slices_fini(&l->slices);
	free(l->list.at);
	free(l->pair);
	free(l);
}
