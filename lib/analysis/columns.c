/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* columns.c - sum up the columns of plugins over a trace */
#include <ktrail/analysis.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/array.h"
#include "base/clamp.h"
#include "trace/pretty.h"
#include "plug/plug.h"

/*
 * Percentiles of any number of values in little memory: buckets with a width of 1/32 of
 * a power of two. Negative values have buckets of their own, allocated only when needed.
 */
#define SUB_BITS   5
#define NR_BUCKETS ((64 - SUB_BITS + 1) << SUB_BITS)
#define NR_TYPES   65536

struct row {
	struct kt_column_row pub;
	int64_t   sum;			/* without the part in @beyond */
	double    beyond;		/* the part of the sum that overflowed */
	uint64_t *buckets, *negative;
};

/* The rows of one event in one file */
struct event_rows {
	uint32_t row[16];		/* of its first columns; no plugin has more */
	size_t   nr;
};

struct kt_columns {
	struct kt_analysis analysis;
	struct kt_trace *trace;
	struct pretty *pretty;
	struct event_rows **events;	/* by file and id; NULL: no columns */
	struct row *rows;
	size_t nr_rows;
	struct row **sorted;		/* set at the end of a pass */
	size_t nr_sorted;
};

static size_t bucket_of(uint64_t magnitude)
{
	int shift;

	if (magnitude < 1 << SUB_BITS)
		return magnitude;
	shift = 63 - SUB_BITS - __builtin_clzll(magnitude);
	return ((size_t)(shift + 1) << SUB_BITS) + (magnitude >> shift) - (1 << SUB_BITS);
}

/* The least value of a bucket: exact for powers of two and values near them */
static uint64_t value_of(size_t bucket)
{
	int shift = (int)(bucket >> SUB_BITS) - 1;

	if (shift <= 0)
		return bucket;
	return (uint64_t)((bucket & ((1 << SUB_BITS) - 1)) | 1 << SUB_BITS) << shift;
}

static int count(struct row *row, int64_t value)
{
	struct kt_column_row *p = &row->pub;
	uint64_t **buckets = value < 0 ? &row->negative : &row->buckets;
	int64_t sum;

	if (!*buckets) {
		*buckets = calloc(NR_BUCKETS, sizeof(**buckets));
		if (!*buckets)
			return -ENOMEM;
	}
	(*buckets)[bucket_of(value < 0 ? -(uint64_t)value : (uint64_t)value)]++;
	if (!p->count || value < p->min)
		p->min = value;
	if (!p->count || value > p->max)
		p->max = value;
	p->count++;
	if (__builtin_add_overflow(row->sum, value, &sum)) {
		row->beyond += (double)row->sum;
		sum = value;
	}
	row->sum = sum;
	return 0;
}

static int64_t within(const struct row *row, int64_t value)
{
	return clamp(value, row->pub.min, row->pub.max);
}

/* The value below which @percent of all values lie */
static int64_t percentile(const struct row *row, unsigned int percent)
{
	uint64_t left = (row->pub.count * percent + 99) / 100;
	size_t i;

	for (i = NR_BUCKETS; row->negative && i-- > 0;) {
		if (row->negative[i] >= left)
			return within(row, (int64_t)-value_of(i));	/* may be INT64_MIN */
		left -= row->negative[i];
	}
	for (i = 0; row->buckets && i < NR_BUCKETS; i++) {
		if (row->buckets[i] >= left)
			return within(row, (int64_t)value_of(i));
		left -= row->buckets[i];
	}
	return row->pub.max;
}

/* Kinds that the host converts into another one */
static enum kt_column_kind kind_of(const struct kt_column *col)
{
	switch (col->kind) {
	case KT_COLUMN_TIME_US:
		return KT_COLUMN_TIME_NS;
	case KT_COLUMN_SECTORS:
		return KT_COLUMN_BYTES;
	default:
		return col->kind;
	}
}

/* Files with the same event share its rows. Returns the index, or -ENOMEM. */
static ssize_t find_row(struct kt_columns *c, const struct kt_event *ev, const char *plugin,
			const struct kt_column *col)
{
	struct kt_column_row *p;
	struct row *r;
	size_t i;

	for (i = 0; i < c->nr_rows; i++) {
		p = &c->rows[i].pub;
		if (!strcmp(p->system, ev->system) && !strcmp(p->event, ev->name) &&
		    p->column == col->name)
			return i;
	}
	r = array_add(c->rows, c->nr_rows);
	if (!r)
		return -ENOMEM;
	*r = (struct row){ .pub = {
		.system = ev->system, .event = ev->name, .plugin = plugin, .column = col->name,
		.summary = col->summary ? col->summary : "", .kind = kind_of(col),
	} };
	return i;
}

static int add_event(struct kt_columns *c, size_t file, const struct kt_event *ev)
{
	struct plug_view *view = pretty_view(c->pretty, file);
	struct event_rows *er = NULL;
	const struct kt_column *col;
	ssize_t row;
	size_t i;

	for (i = 0; (col = plug_column(view, ev, i)) && i < 16; i++) {
		if (!er)
			er = calloc(1, sizeof(*er));
		row = er ? find_row(c, ev, plug_column_plugin(view, ev), col) : -ENOMEM;
		if (row < 0) {
			free(er);
			return -ENOMEM;
		}
		er->row[er->nr++] = row;
	}
	c->events[file * NR_TYPES + ev->id] = er;
	return 0;
}

static int find_events(struct kt_columns *c, size_t file)
{
	struct kt_events *evs = kt_trace_events(c->trace, file);
	const struct kt_event *ev;
	size_t i;

	for (i = 0; i < kt_events_nr(evs); i++) {
		ev = kt_events_at(evs, i);
		if (!ev || c->events[file * NR_TYPES + ev->id])
			continue;
		if (add_event(c, file, ev) < 0)
			return -ENOMEM;
	}
	return 0;
}

static void types(struct kt_analysis *a, size_t file, uint64_t bits[KT_ANALYSIS_WORDS])
{
	struct kt_columns *c = (struct kt_columns *)a;
	size_t id;

	for (id = 0; id < NR_TYPES; id++)
		if (c->events[file * NR_TYPES + id])
			bits[id / 64] |= 1ULL << id % 64;
}

static int record(struct kt_analysis *a, const struct kt_event *ev, const struct kt_record *rec,
		  struct kt_err *err)
{
	struct kt_columns *c = (struct kt_columns *)a;
	size_t file = kt_trace_source(c->trace, rec)->file_index, i;
	const struct event_rows *er = c->events[file * NR_TYPES + ev->id];
	uint64_t value;

	for (i = 0; er && i < er->nr; i++)
		if (plug_column_value(pretty_view(c->pretty, file), ev, rec, i, &value) == 0 &&
		    count(&c->rows[er->row[i]], (int64_t)value) < 0)
			return kt_err_no_memory(err);
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const struct kt_column_row *x = &(*(struct row *const *)a)->pub;
	const struct kt_column_row *y = &(*(struct row *const *)b)->pub;
	int ret = strcmp(x->system, y->system);

	if (!ret)
		ret = strcmp(x->event, y->event);
	return ret ? ret : strcmp(x->column, y->column);
}

static void sum_up(struct row *row)
{
	row->pub.total = row->beyond + (double)row->sum;
	row->pub.average = row->pub.total / (double)row->pub.count;
	row->pub.p50 = percentile(row, 50);
	row->pub.p90 = percentile(row, 90);
	row->pub.p99 = percentile(row, 99);
}

/* Omits rows without records, and rows whose sum has no meaning. */
static int finish(struct kt_analysis *a, struct kt_err *err)
{
	struct kt_columns *c = (struct kt_columns *)a;
	size_t i;

	free(c->sorted);
	c->nr_sorted = 0;
	c->sorted = calloc(c->nr_rows + 1, sizeof(struct row *));
	if (!c->sorted)
		return kt_err_no_memory(err);
	for (i = 0; i < c->nr_rows; i++) {
		struct row *row = &c->rows[i];

		if (!row->pub.count || row->pub.kind == KT_COLUMN_ADDRESS)
			continue;
		sum_up(row);
		c->sorted[c->nr_sorted++] = row;
	}
	if (c->nr_sorted)
		qsort(c->sorted, c->nr_sorted, sizeof(struct row *), by_name);
	return 0;
}

struct kt_columns *kt_columns_create(struct kt_trace *t, struct kt_plugins *plugins,
				     struct kt_err *err)
{
	struct kt_columns *c = calloc(1, sizeof(*c));
	size_t nr = kt_trace_nr_files(t), i;
	int ret = c ? 0 : -ENOMEM;

	if (c) {
		c->analysis = (struct kt_analysis){
			.record = record, .finish = finish, .types = types,
		};
		c->trace = t;
		c->pretty = pretty_create(t, plugins);
		c->events = calloc(nr * NR_TYPES, sizeof(*c->events));
		if (!c->pretty || !c->events)
			ret = -ENOMEM;
	}
	for (i = 0; ret == 0 && i < nr; i++)
		ret = find_events(c, i);
	if (ret == 0)
		return c;
	kt_err_result(err, ret);
	kt_columns_destroy(c);
	return NULL;
}

void kt_columns_destroy(struct kt_columns *c)
{
	size_t i, nr;

	if (!c)
		return;
	nr = c->events ? kt_trace_nr_files(c->trace) * NR_TYPES : 0;
	for (i = 0; i < nr; i++)
		free(c->events[i]);
	for (i = 0; i < c->nr_rows; i++) {
		free(c->rows[i].buckets);
		free(c->rows[i].negative);
	}
	free(c->events);
	free(c->rows);
	free(c->sorted);
	pretty_destroy(c->pretty);
	free(c);
}

struct kt_analysis *kt_columns_analysis(struct kt_columns *c)
{
	return &c->analysis;
}

const struct kt_column_row *kt_columns_row(struct kt_columns *c, size_t i)
{
	return c->sorted && i < c->nr_sorted ? &c->sorted[i]->pub : NULL;
}
