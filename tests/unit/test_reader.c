/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reader.c - records at random and their rows, held against the stream that reads forward */
#include <ktrail/index.h>
#include <ktrail/reader.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kt_dat.h"
#include "kt_reading.h"
#include "kt_test.h"

static const struct kt_index_opts no_cache = { .cache = "", .threads = 2 };

/* All records of a trace in the order of the stream: what everything is held against */
struct oracle {
	struct kt_trace *trace;
	struct kt_index *index;
	struct kt_record *recs;
	size_t nr;
};

static struct kt_trace *open_trace(const char *path)
{
	struct kt_stream_opts opts = { .forget_lost = true };
	struct kt_trace *t = kt_trace_create();
	struct kt_err err = { 0 };

	kt_trace_add(t, path, &opts, &err);
	CHECK_NO_ERR(&err);
	return t;
}

static struct oracle oracle_open(const char *path)
{
	struct oracle o = { .trace = open_trace(path) };
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

static void oracle_close(struct oracle *o)
{
	kt_index_destroy(o->index);
	kt_trace_destroy(o->trace);
	free(o->recs);
}

static void get_ready(struct oracle *o)
{
	struct kt_index_progress p;

	assert_int_equal(kt_index_start(o->index, NULL), 0);
	assert_int_equal(kt_index_wait(o->index, NULL), 0);
	kt_index_progress(o->index, &p);
	assert_true(p.ready);
	assert_int_equal(p.nr_records, o->nr);
	assert_int_equal(p.done, p.total);
}

static void is_record(const struct oracle *o, size_t i, const struct kt_record *rec)
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

/* From the reader's place, before row @i: so many records on, and back again */
static void walk(const struct oracle *o, struct kt_reader *r, size_t i, size_t nr)
{
	struct kt_record rec;
	size_t k;

	for (k = i; k < o->nr && k < i + nr; k++) {
		assert_int_equal(kt_reader_next(r, &rec, NULL), 1);
		is_record(o, k, &rec);
	}
	if (k == o->nr)
		assert_int_equal(kt_reader_next(r, &rec, NULL), 0);
	while (k > i) {
		assert_int_equal(kt_reader_prev(r, &rec, NULL), 1);
		is_record(o, --k, &rec);
	}
	for (; k && k + nr > i; ) {
		assert_int_equal(kt_reader_prev(r, &rec, NULL), 1);
		is_record(o, --k, &rec);
	}
	if (!k)
		assert_int_equal(kt_reader_prev(r, &rec, NULL), 0);
}

static size_t pick(const struct oracle *o)
{
	static uint32_t seed = 12345;

	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % o->nr;
}

/* The first row with the time of row @i, or a later one */
static size_t first_of_time(const struct oracle *o, size_t i)
{
	while (i && o->recs[i - 1].ts >= o->recs[i].ts)
		i--;
	return i;
}

static void jump(const struct oracle *o, struct kt_reader *r, size_t i)
{
	struct kt_spot spot, other;
	struct kt_record rec;

	assert_int_equal(kt_reader_find(r, o->recs[i].source, o->recs[i].pos, NULL), 1);
	kt_reader_tell(r, &spot);
	walk(o, r, i, 3);
	assert_int_equal(kt_reader_seek(r, o->recs[i].ts, NULL), 0);
	walk(o, r, first_of_time(o, i), 3);
	assert_int_equal(kt_reader_go(r, &spot, NULL), 0);
	assert_int_equal(kt_reader_next(r, &rec, NULL), 1);
	is_record(o, i, &rec);
	kt_reader_tell(r, &other);
	assert_int_equal(kt_reader_seek(r, UINT64_MAX, NULL), 0);
	walk(o, r, o->nr, 2);
	assert_int_equal(kt_reader_go(r, &other, NULL), 0);
	walk(o, r, i + 1, 2);
}

static void move_everywhere(const struct oracle *o, struct kt_index *ix)
{
	struct kt_reader *r = kt_reader_create(o->trace, ix, NULL);
	int k;

	walk(o, r, 0, o->nr);
	for (k = 0; k < 200 && o->nr; k++)
		jump(o, r, pick(o));
	kt_reader_destroy(r);
}

static void check_rows(const struct oracle *o)
{
	struct kt_reader *r = kt_reader_create(o->trace, o->index, NULL);
	struct kt_record rec;
	struct kt_spot spot;
	uint64_t row;
	size_t i;
	int k;

	assert_int_equal(kt_index_nr(o->index, KT_ALL_SOURCES, &row, NULL), 0);
	assert_int_equal(row, o->nr);
	for (k = 0; k < 300 && o->nr; k++) {
		i = pick(o);
		assert_int_equal(kt_index_row_of(o->index, KT_ALL_SOURCES, &o->recs[i], &row, NULL), 0);
		assert_int_equal(row, i);
		assert_int_equal(kt_index_row_of_time(o->index, KT_ALL_SOURCES, o->recs[i].ts, &row,
						      NULL), 0);
		assert_int_equal(row, first_of_time(o, i));
		assert_int_equal(kt_index_spot(o->index, KT_ALL_SOURCES, i, &spot, NULL), 0);
		assert_int_equal(kt_reader_go(r, &spot, NULL), 0);
		assert_int_equal(kt_reader_next(r, &rec, NULL), 1);
		is_record(o, i, &rec);
		assert_int_equal(kt_reader_row(r, &row, NULL), 0);
		assert_int_equal(row, i + 1);
	}
	assert_int_equal(kt_reader_seek_row(r, o->nr, NULL), 0);
	assert_int_equal(kt_reader_next(r, &rec, NULL), 0);
	kt_reader_destroy(r);
}

/* The rows of one source, by themselves */
static void check_source(const struct oracle *o, size_t source)
{
	struct kt_reader *r = kt_reader_create(o->trace, o->index, NULL);
	uint64_t nr = 0, row, total;
	struct kt_record rec;
	struct kt_spot spot;
	size_t i;

	for (i = 0; i < kt_stream_nr_sources(kt_trace_stream(o->trace)); i++)
		kt_reader_use_source(r, i, i == source);
	for (i = 0; i < o->nr; i++) {
		if (o->recs[i].source != source)
			continue;
		if (nr++ % 97)
			continue;
		assert_int_equal(kt_index_row_of(o->index, source, &o->recs[i], &row, NULL), 0);
		assert_int_equal(row, nr - 1);
		assert_int_equal(kt_index_spot(o->index, source, nr - 1, &spot, NULL), 0);
		assert_int_equal(kt_reader_go(r, &spot, NULL), 0);
		assert_int_equal(kt_reader_next(r, &rec, NULL), 1);
		is_record(o, i, &rec);
		assert_int_equal(kt_reader_seek_row(r, nr - 1, NULL), 0);
		assert_int_equal(kt_reader_next(r, &rec, NULL), 1);
		is_record(o, i, &rec);
	}
	assert_int_equal(kt_index_nr(o->index, source, &total, NULL), 0);
	assert_int_equal(total, nr);
	kt_reader_destroy(r);
}

/* The spans of a density have all records between them */
static void check_density(const struct oracle *o)
{
	uint64_t counts[100], sum = 0;
	bool lost[100];
	size_t i;

	assert_int_equal(kt_index_density(o->index, KT_ALL_SOURCES, 0, UINT64_MAX, 1, counts, lost,
					  NULL), 0);
	assert_int_equal(counts[0], o->nr);
	if (!o->nr)
		return;
	assert_int_equal(kt_index_density(o->index, KT_ALL_SOURCES, o->recs[0].ts,
					  o->recs[o->nr - 1].ts, 100, counts, lost, NULL), 0);
	for (i = 0; i < 100; i++)
		sum += counts[i];
	assert_int_equal(sum, o->nr);
}

static void check_all(struct oracle *o)
{
	size_t i;

	move_everywhere(o, NULL);
	move_everywhere(o, o->index);
	get_ready(o);
	move_everywhere(o, o->index);
	check_rows(o);
	for (i = 0; i < kt_stream_nr_sources(kt_trace_stream(o->trace)); i++)
		check_source(o, i);
	check_density(o);
}

TEST(every_sample_reads_alike_forward_backward_and_at_random)
{
	struct dirent *e;
	struct oracle o;
	char path[512];
	int nr = 0;
	DIR *dir = opendir("tests/data");

	assert_non_null(dir);
	while ((e = readdir(dir))) {
		size_t len = strlen(e->d_name);

		if (len < 4 || strcmp(e->d_name + len - 4, ".dat") != 0)
			continue;
		snprintf(path, sizeof(path), "tests/data/%s", e->d_name);
		print_message("%s\n", path);
		o = oracle_open(path);
		check_all(&o);
		oracle_close(&o);
		nr++;
	}
	closedir(dir);
	assert_true(nr > 20);
}

int main(void)
{
	return RUN(unit(every_sample_reads_alike_forward_backward_and_at_random));
}
