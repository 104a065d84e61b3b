/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_grow.c - reading a file that is still being recorded */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/reader.h>
#include <ktrail/trace.h>

#include "kt_parts.h"
#include "kt_reading.h"
#include "kt_test.h"

/* The number of steps of @r to the end, or the beginning; times of each CPU are 10 apart */
static unsigned int step_all(struct kt_reader *r,
			     int (*step)(struct kt_reader *, struct kt_record *, struct kt_err *))
{
	bool forward = step == kt_reader_next;
	struct kt_record rec;
	unsigned int nr = 0;
	uint64_t last = forward ? 0 : UINT64_MAX;

	for (; step(r, &rec, NULL) == 1; nr++) {
		assert_int_equal(rec.type, 7);
		assert_true(forward ? rec.ts >= last : rec.ts <= last);
		last = rec.ts;
	}
	return nr;
}

static bool stop_each_other(void *unused)
{
	static unsigned int nr;

	(void)unused;
	return nr++ % 2;
}

static bool stop_at_once(void *unused)
{
	(void)unused;
	return true;
}

/* The index counts the records that a reader skips, and finds the last of them. */
static void check_index(struct kt_index *ix, struct kt_reader *r, unsigned int nr)
{
	uint64_t known, row;
	int ret = 1;

	while (ret > 0)
		ret = kt_index_extend(ix, stop_each_other, NULL, NULL);
	assert_int_equal(ret, 0);
	assert_int_equal(kt_index_nr(ix, KT_ALL_SOURCES, &known, NULL), 0);
	assert_int_equal(known, nr);
	for (row = 0; row < nr; row += 97) {
		struct kt_record rec;
		uint64_t again;

		assert_int_equal(kt_reader_seek_row(r, row, NULL), 0);
		assert_int_equal(kt_reader_next(r, &rec, NULL), 1);
		assert_int_equal(kt_index_row_of(ix, KT_ALL_SOURCES, &rec, &again, NULL), 0);
		assert_int_equal(again, row);
	}
}

static struct kt_trace *open_trace(const char *path)
{
	struct kt_trace *t = kt_trace_create();
	struct kt_err err = { 0 };

	kt_trace_add(t, path, NULL, &err);
	CHECK_NO_ERR(&err);
	return t;
}

TEST(readers_go_on_when_parts_grow)
{
	static const char *const methods[] = { "none", "zstd" };
	unsigned int some, more;
	int i;

	for (i = 0; i < 2; i++) {
		struct part_head heads[2] = { kt_part_head(0, "", i), kt_part_head(1, "", i) };
		struct kt_reader *r, *back;
		struct kt_trace *t;

		kt_parts_remove();
		kt_part_write_pages(0, &heads[0], 0, 1, 0);
		kt_part_write_pages(1, &heads[1], 1, 2, 500);	/* its end is not written yet */
		t = open_trace(kt_parts_head_file(methods[i]));
		r = kt_reader_create(t, NULL, NULL);
		back = kt_reader_create(t, NULL, NULL);
		some = step_all(r, kt_reader_next);
		assert_true(some > 0 && some < 2 * KT_PARTS_RECORDS);
		assert_int_equal(kt_trace_refresh(t, NULL), 0);
		assert_int_equal(step_all(r, kt_reader_next), 0);

		kt_part_write_pages(1, &heads[1], 1, 2, 0);
		assert_int_equal(kt_trace_refresh(t, NULL), 0);
		more = step_all(r, kt_reader_next);
		assert_true(more > 0);
		kt_part_write(0, &heads[0], 0, 0);
		kt_part_write(1, &heads[1], 1, 0);
		assert_int_equal(kt_trace_refresh(t, NULL), 0);
		/* Late records of CPU 0 have earlier times. */
		assert_true(step_all(r, kt_reader_next) > 0);
		assert_int_equal(step_all(r, kt_reader_prev), 2 * KT_PARTS_RECORDS);
		assert_int_equal(step_all(back, kt_reader_next), 2 * KT_PARTS_RECORDS);
		kt_reader_destroy(r);
		kt_reader_destroy(back);
		kt_trace_destroy(t);
	}
}

TEST(a_part_without_data_is_a_source_without_records)
{
	static const char *const methods[] = { "none", "zstd" };
	int i;

	for (i = 0; i < 2; i++) {
		struct part_head heads[2] = { kt_part_head(0, "", i), kt_part_head(1, "", i) };
		struct kt_index *ix;
		struct kt_reader *r;
		struct kt_trace *t;

		kt_parts_remove();
		kt_part_write_pages(0, &heads[0], 0, 0, 0);
		kt_part_write_pages(1, &heads[1], 1, 0, 0);
		t = open_trace(kt_parts_head_file(methods[i]));
		assert_int_equal(kt_stream_nr_sources(kt_trace_stream(t)), 2);
		assert_int_equal(kt_file_nr_damages(kt_trace_file(t, 0)), 1);
		ix = kt_index_create(t, &(struct kt_index_opts){ .cache = "" }, NULL);
		assert_int_equal(kt_index_start(ix, NULL), 0);
		assert_int_equal(kt_index_wait(ix, NULL), 0);
		r = kt_reader_create(t, ix, NULL);
		assert_int_equal(step_all(r, kt_reader_next), 0);
		assert_int_equal(step_all(r, kt_reader_prev), 0);
		kt_part_write(1, &heads[1], 1, 0);
		assert_int_equal(kt_trace_refresh(t, NULL), 0);
		assert_int_equal(step_all(r, kt_reader_next), KT_PARTS_RECORDS);
		check_index(ix, r, KT_PARTS_RECORDS);
		assert_int_equal(kt_file_nr_damages(kt_trace_file(t, 0)), 1);
		kt_reader_destroy(r);
		kt_index_destroy(ix);
		kt_trace_destroy(t);
	}
}

/* Move the data of part @nr to the file that long parts share, at offset @to. */
static void share_part(unsigned int nr, struct part_head head, uint64_t to)
{
	char *shared, *bytes;
	size_t size;

	bytes = kt_slurp(kt_part_path(nr), &size);
	shared = calloc(1, to + size);
	memcpy(shared + to, bytes + PART_DATA, size - PART_DATA);
	kt_spill(kt_tmp("unfinished.dat.parts"), shared, to + size - PART_DATA);
	head.shared = to;
	memset(bytes, 0, PART_DATA);
	memcpy(bytes, &head, sizeof(head));
	kt_spill(kt_part_path(nr), bytes, PART_DATA);
	free(shared);
	free(bytes);
}

TEST(an_index_is_extended_when_parts_grow)
{
	static const char *const methods[] = { "none", "zstd" };
	size_t pages;
	int i;

	for (i = 0; i < 2; i++) {
		struct part_head heads[2] = { kt_part_head(0, "", i), kt_part_head(1, "", i) };
		struct kt_index *ix;
		struct kt_reader *r, *rows;
		struct kt_trace *t;

		kt_parts_remove();
		kt_part_write_pages(0, &heads[0], 0, 1, 0);
		kt_part_write_pages(1, &heads[1], 1, 2, 500);
		t = open_trace(kt_parts_head_file(methods[i]));
		ix = kt_index_create(t, &(struct kt_index_opts){ .cache = "" }, NULL);
		r = kt_reader_create(t, NULL, NULL);
		rows = kt_reader_create(t, ix, NULL);
		assert_int_equal(kt_index_start(ix, NULL), 0);
		assert_int_equal(kt_index_wait(ix, NULL), 0);
		check_index(ix, rows, step_all(r, kt_reader_next));
		for (pages = 2; pages < 4; pages++) {
			kt_part_write_pages(0, &heads[0], 0, pages - 1, 0);
			kt_part_write_pages(1, &heads[1], 1, pages, 100);
			kt_index_stop(ix);
			assert_int_equal(kt_trace_refresh(t, NULL), 0);
			/* Nothing is counted before it grows again. */
			assert_int_equal(kt_index_extend(ix, stop_at_once, NULL, NULL), 1);
			kt_part_write_pages(1, &heads[1], 1, pages, 50);
			assert_int_equal(kt_trace_refresh(t, NULL), 0);
			kt_reader_seek(r, 0, NULL);
			check_index(ix, rows, step_all(r, kt_reader_next));
		}
		kt_part_write(0, &heads[0], 0, 0);
		kt_part_write(1, &heads[1], 1, 0);
		assert_int_equal(kt_trace_refresh(t, NULL), 0);
		check_index(ix, rows, 2 * KT_PARTS_RECORDS);
		kt_reader_destroy(r);
		kt_reader_destroy(rows);
		kt_index_destroy(ix);
		kt_trace_destroy(t);
	}
}

TEST(readers_go_on_when_a_part_moves)
{
	struct part_head head = kt_part_head(0, "", true);
	struct kt_reader *r;
	struct kt_trace *t;
	unsigned int some;

	kt_parts_remove();
	kt_part_write_pages(0, &head, 0, 2, 0);
	t = open_trace(kt_parts_head_file("zstd"));
	r = kt_reader_create(t, NULL, NULL);
	some = step_all(r, kt_reader_next);
	assert_true(some > 0 && some < KT_PARTS_RECORDS);
	kt_part_write(0, &head, 0, 0);
	share_part(0, head, 2 * PART_DATA);
	assert_int_equal(kt_trace_refresh(t, NULL), 0);
	assert_int_equal(step_all(r, kt_reader_next), KT_PARTS_RECORDS - some);
	assert_int_equal(step_all(r, kt_reader_prev), KT_PARTS_RECORDS);
	kt_reader_destroy(r);
	kt_trace_destroy(t);
	unlink(kt_tmp("unfinished.dat.parts"));
}

TEST(data_that_are_given_back_are_no_damage)
{
	struct part_head head = kt_part_head(0, "", true);
	struct kt_reader *r;
	struct kt_trace *t;
	size_t damages, size;
	uint32_t first;
	char *bytes;

	kt_parts_remove();
	kt_part_write_pages(0, &head, 0, 2, 0);
	t = open_trace(kt_parts_head_file("zstd"));
	r = kt_reader_create(t, NULL, NULL);
	step_all(r, kt_reader_next);
	damages = kt_file_nr_damages(kt_trace_file(t, 0));
	bytes = kt_slurp(kt_part_path(0), &size);
	memcpy(&first, bytes + head.start, sizeof(first));
	memset(bytes + head.start, 0, first + 8);
	head.start += first + 8;
	memcpy(bytes, &head, sizeof(head));
	kt_spill(kt_part_path(0), bytes, size);
	free(bytes);
	kt_file_set_cache(kt_trace_file(t, 0), 0);
	assert_int_equal(kt_trace_refresh(t, NULL), 0);
	assert_true(step_all(r, kt_reader_prev) > 0);
	assert_true(step_all(r, kt_reader_next) < KT_PARTS_RECORDS);
	assert_int_equal(kt_file_nr_damages(kt_trace_file(t, 0)), damages);
	kt_reader_destroy(r);
	kt_trace_destroy(t);
}

#define WINDOW (256u << 10)	/* a chunk of a part that is not compressed */
#define FREED  40		/* windows */

/* The part's first sub-buffer, then zeros up to the given window, then the others */
static void spread_part(void)
{
	size_t size, at = PART_DATA + FREED * WINDOW;
	char *bytes = kt_slurp(kt_part_path(0), &size);
	char *out = calloc(1, at + size);

	memcpy(out, bytes, PART_DATA + 4096);
	memcpy(out + at, bytes + PART_DATA + 4096, size - PART_DATA - 4096);
	kt_spill(kt_part_path(0), out, at + size - PART_DATA - 4096);
	free(out);
	free(bytes);
}

static bool count_looks(void *nr)
{
	++*(unsigned int *)nr;
	return false;
}

/* A live viewer holds the end of hours. The cost of a key must not grow with the freed part. */
TEST(freed_data_are_not_walked_through)
{
	struct part_head head = kt_part_head(0, "", false);
	unsigned int all, left, looks = 0;
	char *bytes;
	size_t size;
	struct kt_index *ix;
	struct kt_reader *r;
	struct kt_trace *t;

	kt_parts_remove();
	kt_part_write(0, &head, 0, 0);
	spread_part();
	t = open_trace(kt_parts_head_file("none"));
	ix = kt_index_create(t, &(struct kt_index_opts){ .cache = "" }, NULL);
	assert_int_equal(kt_index_start(ix, NULL), 0);
	assert_int_equal(kt_index_wait(ix, NULL), 0);
	r = kt_reader_create(t, ix, NULL);
	kt_reader_set_stop(r, count_looks, &looks);
	all = step_all(r, kt_reader_next);
	assert_true(all == KT_PARTS_RECORDS && looks > FREED * WINDOW / 4096);

	bytes = kt_slurp(kt_part_path(0), &size);
	head.start += FREED * WINDOW;
	memcpy(bytes, &head, sizeof(head));
	kt_spill(kt_part_path(0), bytes, size);
	free(bytes);
	kt_index_stop(ix);
	assert_int_equal(kt_trace_refresh(t, NULL), 0);
	while (kt_index_extend(ix, NULL, NULL, NULL) > 0)
		;
	looks = 0;
	assert_int_equal(kt_reader_seek(r, 0, NULL), 0);
	left = step_all(r, kt_reader_next);
	assert_true(left > 0 && left < all);
	assert_int_equal(step_all(r, kt_reader_prev), left);
	/* Also from a place in the freed part */
	assert_int_equal(kt_reader_go(r, &(struct kt_spot){ 10, 4096, 0 }, NULL), 0);
	assert_int_equal(step_all(r, kt_reader_next), left);
	assert_true(looks < 100);
	kt_reader_destroy(r);
	kt_index_destroy(ix);
	kt_trace_destroy(t);
}

TEST(another_part_or_a_finished_file_is_opened_again)
{
	struct part_head heads[2] = { kt_part_head(0, "", true), kt_part_head(1, "", true) };
	struct kt_trace *t;
	struct kt_dat *d;

	kt_parts_remove();
	kt_part_write(0, &heads[0], 0, 0);
	t = open_trace(kt_parts_head_file("zstd"));
	kt_part_write(1, &heads[1], 1, 0);
	assert_int_equal(kt_trace_refresh(t, NULL), 1);
	assert_int_equal(kt_stream_nr_sources(kt_trace_stream(t)), 1);
	assert_int_equal(kt_trace_reopen(t, NULL), 0);
	assert_int_equal(kt_stream_nr_sources(kt_trace_stream(t)), 2);
	assert_int_equal(kt_trace_refresh(t, NULL), 0);
	/* Formats were added to the file. */
	d = kt_dat_create(&(struct kt_dat_opts){ .compression = "zstd" });
	kt_dat_option_ints(d, KT_OPTION_TRACEID, 8, (const uint64_t[]){ KT_PARTS_TRACE_ID }, 1);
	kt_dat_event(d, "a", "name: x\nID: 7\n" KT_COMMON "\nprint fmt: \"\"\n");
	kt_dat_write(d, "unfinished.dat");
	kt_dat_destroy(d);
	assert_int_equal(kt_trace_refresh(t, NULL), 1);
	kt_trace_destroy(t);
}
int main(void)
{
	return RUN(unit(readers_go_on_when_parts_grow),
		   unit(a_part_without_data_is_a_source_without_records),
		   unit(an_index_is_extended_when_parts_grow),
		   unit(readers_go_on_when_a_part_moves),
		   unit(data_that_are_given_back_are_no_damage),
		   unit(freed_data_are_not_walked_through),
		   unit(another_part_or_a_finished_file_is_opened_again));
}
