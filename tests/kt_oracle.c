/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kt_oracle.c - the records of a trace in the order of the stream, to compare readers with */
#include "kt_oracle.h"

#include <stdlib.h>

#include "kt_test.h"

static const struct kt_index_opts no_cache = { .cache = "", .threads = 2 };

struct kt_trace *oracle_trace(const char *path)
{
	struct kt_stream_opts opts = { .forget_lost = true };
	struct kt_trace *t = kt_trace_create();
	struct kt_err err = { 0 };

	kt_trace_add(t, path, &opts, &err);
	CHECK_NO_ERR(&err);
	return t;
}

struct oracle oracle_take(struct kt_trace *t)
{
	struct oracle o = { .trace = t };
	struct kt_record rec;

	while (kt_stream_next(kt_trace_stream(o.trace), &rec, NULL) > 0) {
		if (!(o.nr & (o.nr - 1)))
			o.recs = realloc(o.recs, (o.nr ? 2 * o.nr : 1) * sizeof(rec));
		o.recs[o.nr++] = rec;
	}
	o.index = kt_index_create(o.trace, &no_cache, NULL);
	assert_non_null(o.index);
	return o;
}

struct oracle oracle_open(const char *path)
{
	return oracle_take(oracle_trace(path));
}

struct oracle oracle_of(struct kt_dat *d)
{
	struct oracle o = oracle_open(kt_dat_write(d, "oracle.dat"));

	kt_dat_destroy(d);
	return o;
}

void oracle_close(struct oracle *o)
{
	kt_index_destroy(o->index);
	kt_trace_destroy(o->trace);
	free(o->recs);
}

void oracle_get_ready(struct oracle *o)
{
	struct kt_index_progress p;

	assert_int_equal(kt_index_start(o->index, NULL), 0);
	assert_int_equal(kt_index_wait(o->index, NULL), 0);
	kt_index_progress(o->index, &p);
	assert_true(p.ready);
	assert_int_equal(p.nr_records, o->nr);
	assert_int_equal(p.done, p.total);
}

void oracle_check(const struct oracle *o, size_t i, const struct kt_record *rec)
{
	const struct kt_record *want = &o->recs[i];

	if (rec->source != want->source || rec->pos != want->pos)
		print_message("record %zu of %zu: source %u at %lu, not %u at %lu\n", i, o->nr,
			      rec->source, (long)rec->pos, want->source, (long)want->pos);
	assert_int_equal(rec->source, want->source);
	assert_int_equal(rec->pos, want->pos);
	assert_int_equal(rec->ts, want->ts);
	assert_int_equal(rec->size, want->size);
	assert_int_equal(rec->type, want->type);
	assert_int_equal(rec->lost, want->lost);
}

void oracle_walk(const struct oracle *o, struct kt_reader *r, size_t i, size_t nr)
{
	struct kt_record rec;
	size_t k;

	for (k = i; k < o->nr && k < i + nr; k++) {
		assert_int_equal(kt_reader_next(r, &rec, NULL), 1);
		oracle_check(o, k, &rec);
	}
	if (k == o->nr)
		assert_int_equal(kt_reader_next(r, &rec, NULL), 0);
	while (k > i) {
		assert_int_equal(kt_reader_prev(r, &rec, NULL), 1);
		oracle_check(o, --k, &rec);
	}
	for (; k && k + nr > i; ) {
		assert_int_equal(kt_reader_prev(r, &rec, NULL), 1);
		oracle_check(o, --k, &rec);
	}
	if (!k)
		assert_int_equal(kt_reader_prev(r, &rec, NULL), 0);
}
