/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reader_damage.c - rows of records around damaged chunks */
#include <stdlib.h>
#include <string.h>

#include <ktrail/writer.h>

#include "kt_oracle.h"
#include "kt_reading.h"
#include "kt_test.h"

static void find_each_row(struct oracle *o)
{
	struct kt_reader *r = kt_reader_create(o->trace, o->index, NULL);
	struct kt_record rec;
	uint64_t row;
	size_t i;

	oracle_get_ready(o);
	oracle_walk(o, r, 0, o->nr);
	for (i = 0; i < o->nr; i++) {
		assert_int_equal(kt_reader_seek_row(r, i, NULL), 0);
		assert_int_equal(kt_reader_next(r, &rec, NULL), 1);
		oracle_check(o, i, &rec);
		assert_int_equal(kt_index_row_of(o->index, KT_ALL_SOURCES, &rec, &row, NULL), 0);
		assert_int_equal(row, i);
		assert_int_equal(kt_reader_find(r, rec.source, rec.pos, NULL), 1);
		oracle_walk(o, r, i, 1);
	}
	kt_reader_destroy(r);
}

/*
 * Chunks that decompress to less than a sub-buffer: the data after them begin another
 * sub-buffer, so that each record has its own place.
 */
TEST(records_after_a_chunk_that_is_cut_short_are_found)
{
	struct kt_dat_opts opts = { .version = 7, .page_size = 1024, .compression = "zstd",
				    .chunk_pages = 3 };
	struct kt_dat *d = kt_dat_create(&opts);
	const char *path;
	struct oracle o;
	size_t size, at;
	char *bytes;
	int i, hits = 0;

	kt_dat_buffer(d, "", "local", 0);
	kt_dat_cpu(d, 0);
	for (i = 0; i < 4000; i++)
		kt_dat_add(d, 1, 1000 + (uint64_t)i * 10);
	path = kt_dat_write(d, "short.dat");
	kt_dat_destroy(d);
	bytes = kt_slurp(path, &size);
	/* Before the magic is the size when decompressed, 3 sub-buffers. */
	for (at = 4; at + 4 < size; at++)
		if (memcmp(bytes + at, "\x28\xb5\x2f\xfd", 4) == 0 && hits++ % 3)
			memcpy(bytes + at - 4, "\x00\x01\x00\x00", 4);
	kt_spill(kt_tmp("short2.dat"), bytes, (long)size);
	free(bytes);
	o = oracle_open(kt_tmp("short2.dat"));
	assert_true(hits > 10 && o.nr > 1000 && o.nr < 2000);
	find_each_row(&o);
	oracle_close(&o);
}

/* An indexed copy of @from in which the @nr-th chunk does not decompress */
static const char *indexed_with_damage(struct kt_file *from, int nr)
{
	struct kt_writer_opts opts = { .compression = "zstd", .index = KT_INDEX_ALL,
				       .replace = true };
	const char *path = kt_tmp("indexed.dat");
	struct kt_copy copy = { 0 };
	struct kt_err err = { 0 };
	size_t size, at;
	char *bytes;

	kt_copy_opts(from, &opts);
	kt_copy_file(from, path, &opts, &copy, &err);
	CHECK_NO_ERR(&err);
	kt_file_close(from);
	bytes = kt_slurp(path, &size);
	/* Before the magic is the size when decompressed, 10 sub-buffers. */
	for (at = 0; at + 40 < size; at++)
		if (memcmp(bytes + at, "\0\xa0\0\0\x28\xb5\x2f\xfd", 8) == 0 && !nr--)
			memset(bytes + at + 4, 0, 40);
	assert_true(nr < 0);
	kt_spill(path, bytes, (long)size);
	free(bytes);
	return path;
}

/*
 * The index in the file counts the records of a chunk that later turns out to be damaged. Its
 * rows have no records; all other records are found at their rows.
 */
TEST(rows_of_a_damaged_chunk_lead_to_the_next_record)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .compression = "zstd" });
	struct kt_index_progress p;
	struct kt_index *ix;
	struct kt_record rec;
	struct kt_reader *r;
	struct oracle o;
	uint64_t row, last = 0, again;
	size_t i, nr_gaps = 0;
	int cpu;

	kt_dat_buffer(d, "", "local", 0);
	for (cpu = 0; cpu < 2; cpu++) {
		kt_dat_cpu(d, cpu);
		for (i = 1; i < 20000; i++)
			kt_dat_add(d, 1, i * 100 + (size_t)cpu);
	}
	o = oracle_open(indexed_with_damage(kt_dat_open(d), 2));
	ix = o.index;
	assert_int_equal(kt_index_start(ix, NULL), 0);
	assert_int_equal(kt_index_wait(ix, NULL), 0);
	kt_index_progress(ix, &p);
	assert_int_equal(p.origin, KT_INDEX_OF_FILE);
	assert_true(o.nr > 1000 && o.nr < p.nr_records);
	r = kt_reader_create(o.trace, ix, NULL);
	for (i = 0; i < o.nr; i += i % 100 ? 3 : 1, last = row) {
		assert_int_equal(kt_index_row_of(ix, KT_ALL_SOURCES, &o.recs[i], &row, NULL), 0);
		assert_true(!i || row > last);
		assert_int_equal(kt_reader_seek_row(r, row, NULL), 0);
		assert_int_equal(kt_reader_next(r, &rec, NULL), 1);
		oracle_check(&o, i, &rec);
		if (i && row > last + 3) {
			nr_gaps++;
			assert_int_equal(kt_reader_seek_row(r, row - 1, NULL), 0);
			assert_int_equal(kt_reader_next(r, &rec, NULL), 1);
			assert_int_equal(kt_index_row_of(ix, KT_ALL_SOURCES, &rec, &again,
							 NULL), 0);
			assert_int_equal(again, row);
		}
	}
	assert_int_equal(nr_gaps, 1);
	kt_reader_destroy(r);
	oracle_close(&o);
}

int main(void)
{
	return RUN(unit(records_after_a_chunk_that_is_cut_short_are_found),
		   unit(rows_of_a_damaged_chunk_lead_to_the_next_record));
}
