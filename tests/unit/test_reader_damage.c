/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reader_damage.c - rows of records around damaged chunks */
#include <stdlib.h>
#include <string.h>

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
 * Chunks that become fewer bytes than a sub-buffer has: what follows them begins another
 * sub-buffer, so that each record has a place of its own.
 */
TEST(records_behind_a_chunk_that_is_cut_short_are_found)
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

int main(void)
{
	return RUN(unit(records_behind_a_chunk_that_is_cut_short_are_found));
}
