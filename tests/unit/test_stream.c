/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_stream.c - records of every kind of file are read completely, in order, with their times */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ktrail/stream.h>

#include "base/bytes.h"
#include "kt_dat.h"
#include "kt_reading.h"
#include "kt_test.h"

/* Records of all sizes, with small and huge steps in time */

#define NR 3000

static size_t size_of(unsigned int i)
{
	return 8 + i * 7 % 300;
}

static uint64_t step_of(unsigned int i)
{
	return i % 97 == 0 ? 1ull << 40 : i % 31 == 0 ? 1ull << 28 : i % 5 ? 1000 + i : 0;
}

static void fill_cpu(struct kt_dat *d, int cpu)
{
	uint64_t ts = 1000000 + cpu;
	unsigned int i, j;

	kt_dat_cpu(d, cpu);
	for (i = 0; i < NR; i++) {
		ts += step_of(i);
		kt_dat_begin(d, 100 + i % 3, i);
		for (j = 8; j < size_of(i); j++)
			kt_dat_int(d, 1, i + j);
		kt_dat_end(d, ts);
	}
}

/* All records of one source are as fill_cpu() made them. */
struct tally {
	unsigned int nr;
	uint64_t ts;
};

static void check_record(struct tally *t, const struct kt_record *rec, int cpu, bool swap)
{
	unsigned int i = t->nr++;
	size_t size = size_of(i), j;

	if (!i)
		t->ts = 1000000 + cpu;
	t->ts += step_of(i);
	assert_int_equal(rec->ts, t->ts);
	assert_int_equal(rec->type, 100 + i % 3);
	assert_int_equal(rec->lost, 0);
	/* Up to 28 words the kernel stores whole words, beyond that the exact size. */
	assert_int_equal(rec->size, size <= 112 ? (size + 3) / 4 * 4 : size);
	assert_int_equal(load_u32(rec->data + 4, swap), i);
	for (j = 8; j < size && rec->data[j] == (uint8_t)(i + j); j++)
		;
	assert_int_equal(j, size);
}

static void check_all(const struct kt_dat_opts *o)
{
	struct kt_dat *d = kt_dat_create(o);
	struct kt_batch *b = kt_batch_create(100);
	struct tally tally[4] = { { 0 } };
	uint64_t last = 0;
	struct kt_reading r;
	int n, i;

	kt_dat_buffer(d, "", "local", 0);
	fill_cpu(d, 0);
	fill_cpu(d, 3);
	kt_dat_buffer(d, "other", "local", o->version == 6 ? 0 : 8192);
	fill_cpu(d, 1);
	r = kt_reading_of(d, NULL);
	assert_int_equal(kt_stream_nr_sources(r.stream), 3);

	while ((n = kt_stream_read(r.stream, b, NULL)) > 0) {
		const struct kt_record *rec = kt_batch_records(b);

		for (i = 0; i < n; i++) {
			int cpu = kt_stream_source(r.stream, rec[i].source)->cpu;

			assert_true(rec[i].ts >= last);
			last = rec[i].ts;
			check_record(&tally[cpu], &rec[i], cpu, o->big_endian != KT_HOST_BIG);
		}
	}
	assert_int_equal(n, 0);
	assert_int_equal(tally[0].nr + tally[1].nr + tally[3].nr, 3 * NR);
	kt_batch_destroy(b);
	kt_reading_close(&r);
}

TEST(every_shape_of_file_gives_the_same_records)
{
	static const char *const methods[] = { "none", "zstd", "zlib" };
	static const uint32_t page_sizes[] = { 1024, 4096, 65536 };
	struct kt_dat_opts o = { 0 };
	size_t method, page;

	for (o.version = 6; o.version <= 7; o.version++)
		for (o.long_size = 4; o.long_size <= 8; o.long_size += 4)
			for (method = 0; method < (o.version == 6 ? 1 : 3); method++)
				for (page = 0; page < 3; page++) {
					o.compression = methods[method];
					o.page_size = page_sizes[page];
					o.chunk_pages = 1 + page;
					o.big_endian = false;
					check_all(&o);
					o.big_endian = true;
					check_all(&o);
				}
}

/* Reading each option once for each CPU took 4 s of CPU time instead of 10 ms. */
TEST(very_many_options_are_looked_at_once)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7, .page_size = 64 });
	struct kt_reading r;
	clock_t begin;
	int i;

	for (i = 0; i < 1000000; i++)
		kt_dat_option(d, KT_OPTION_HOOK, "", 0);
	kt_dat_option(d, KT_OPTION_OFFSET, "5", 1);
	kt_dat_buffer(d, "", "local", 0);
	for (i = 0; i < 500; i++) {
		kt_dat_cpu(d, i);
		kt_dat_add(d, 1, 1000 + i);
	}
	r = kt_reading_of(d, NULL);
	begin = clock();
	kt_stream_destroy(r.stream);
	r.stream = kt_stream_create();
	assert_int_equal(kt_stream_add(r.stream, r.file, NULL, NULL), 0);
	assert_true(clock() - begin < CLOCKS_PER_SEC);
	for (i = 0; i < 500; i++)
		kt_reading_expect(&r, 1005 + i, 1, i);
	kt_reading_end(&r);
	kt_reading_close(&r);
}

TEST(the_encoding_of_old_kernels_is_refused)
{
	struct kt_dat_opts o = { .version = 6, .long_size = 8, .old_events = true };
	struct kt_dat *d = kt_dat_create(&o);
	struct kt_stream *s = kt_stream_create();
	struct kt_err err = { 0 };
	struct kt_file *f;

	kt_dat_buffer(d, "", "", 0);
	kt_dat_cpu(d, 0);
	kt_dat_add(d, 7, 1000);
	f = kt_file_open(kt_dat_write(d, "old.dat"), &err);
	CHECK_NO_ERR(&err);
	assert_int_equal(kt_stream_add(s, f, NULL, &err), -ENOTSUP);
	assert_non_null(strstr(err.msg, "before Linux 2.6.31"));
	kt_stream_destroy(s);
	kt_file_close(f);
	kt_dat_destroy(d);
}

TEST(sizes_of_writers_before_3_2_do_no_harm)
{
	check_all(&(struct kt_dat_opts){ .version = 7, .compression = "zstd", .chunk_pages = 3,
					 .short_sizes = true });
}

TEST(equal_times_come_in_order_of_file_buffer_and_cpu)
{
	struct kt_dat *d = kt_dat_small();
	struct kt_reading r;

	kt_dat_add(d, 1, 10);
	kt_dat_add(d, 2, 20);
	kt_dat_cpu(d, 1);
	kt_dat_add(d, 3, 10);
	kt_dat_add(d, 4, 20);
	kt_dat_buffer(d, "inst", "local", 0);
	kt_dat_cpu(d, 0);
	kt_dat_add(d, 5, 10);
	r = kt_reading_of(d, NULL);
	kt_reading_expect(&r, 10, 1, 0);
	kt_reading_expect(&r, 10, 3, 1);
	kt_reading_expect(&r, 10, 5, 0);
	kt_reading_expect(&r, 20, 2, 0);
	kt_reading_expect(&r, 20, 4, 1);
	kt_reading_end(&r);
	kt_reading_end(&r);
	kt_reading_close(&r);
}

TEST(discarded_events_count_for_the_time_only)
{
	struct kt_dat *d = kt_dat_small();
	struct kt_reading r;

	kt_dat_add(d, 1, 10);
	kt_dat_discarded(d, 500, 3);
	kt_dat_add(d, 2, 600);
	r = kt_reading_of(d, NULL);
	kt_reading_expect(&r, 10, 1, 0);
	kt_reading_expect(&r, 600, 2, 0);
	kt_reading_end(&r);
	kt_reading_close(&r);
}

TEST(absolute_stamps_are_completed_with_the_bits_they_lack)
{
	struct kt_dat *d = kt_dat_small();
	uint64_t big = (3ull << 59) + 1000;
	struct kt_reading r;

	kt_dat_add(d, 1, big);
	kt_dat_stamp(d, big + 5000000000ull);
	kt_dat_add(d, 2, big + 5000000007ull);
	kt_dat_stamp(d, (4ull << 59) + 1);	/* its low bits wrap */
	kt_dat_add(d, 3, (4ull << 59) + 2);
	r = kt_reading_of(d, NULL);
	kt_reading_expect(&r, big, 1, 0);
	kt_reading_expect(&r, big + 5000000007ull, 2, 0);
	kt_reading_expect(&r, (4ull << 59) + 2, 3, 0);
	kt_reading_end(&r);
	kt_reading_close(&r);
}

static void expect_lost(struct kt_reading *r, uint32_t lost)
{
	struct kt_record rec;

	assert_int_equal(kt_stream_next(r->stream, &rec, NULL), 1);
	assert_int_equal(rec.lost, lost);
}

TEST(lost_events_belong_to_the_first_record_of_their_page)
{
	struct kt_dat_opts o = { .version = 7 };
	int round;

	for (round = 0; round < 4; round++) {
		struct kt_dat *d;
		struct kt_reading r;

		o.long_size = round & 1 ? 4 : 8;
		o.big_endian = round & 2;
		d = kt_dat_create(&o);
		kt_dat_buffer(d, "", "local", 0);
		kt_dat_cpu(d, 0);
		if (round == 0)
			kt_dat_sign_extend(d);
		kt_dat_add(d, 1, 10);
		kt_dat_lost(d, 42);
		kt_dat_add(d, 2, 20);
		kt_dat_add(d, 3, 30);
		kt_dat_lost(d, -1);
		kt_dat_add(d, 4, 40);
		r = kt_reading_of(d, NULL);
		expect_lost(&r, 0);
		expect_lost(&r, 42);
		expect_lost(&r, 0);
		expect_lost(&r, KT_LOST_UNKNOWN);
		kt_reading_end(&r);
		kt_reading_close(&r);
	}
}

TEST(losses_before_unwanted_records_reach_the_next_wanted_one)
{
	uint64_t wanted[65536 / 64] = { 0 };
	struct kt_dat *d = kt_dat_small();
	struct kt_reading r;

	kt_dat_add(d, 1, 10);
	kt_dat_lost(d, 5);
	kt_dat_add(d, 2, 20);
	kt_dat_lost(d, 6);
	kt_dat_discarded(d, 21, 2);
	kt_dat_lost(d, 7);
	kt_dat_add(d, 2, 30);
	kt_dat_add(d, 1, 40);
	kt_dat_add(d, 1, 50);
	r = kt_reading_of(d, NULL);
	wanted[0] = 1 << 1;
	assert_int_equal(kt_stream_want_types(r.stream, 0, wanted), 0);
	assert_int_equal(kt_stream_want_types(r.stream, 1, wanted), -ENOENT);
	expect_lost(&r, 0);
	expect_lost(&r, 18);
	kt_reading_expect(&r, 50, 1, 0);
	kt_reading_end(&r);
	kt_reading_close(&r);
}

TEST(what_is_left_out_takes_its_losses_along_if_asked)
{
	const struct kt_stream_opts opts = { .forget_lost = true };
	uint64_t wanted[65536 / 64] = { 0 };
	struct kt_dat *d = kt_dat_small();
	struct kt_record rec;
	struct kt_reading r;

	kt_dat_add(d, 1, 10);
	kt_dat_lost(d, 5);
	kt_dat_add(d, 2, 20);
	kt_dat_lost(d, 7);
	kt_dat_add(d, 1, 30);
	kt_dat_lost(d, 9);
	kt_dat_add(d, 2, 40);
	kt_dat_add(d, 1, 50);
	r = kt_reading_of(d, &opts);
	wanted[0] = 1 << 1;
	assert_int_equal(kt_stream_want_types(r.stream, 0, wanted), 0);
	assert_int_equal(kt_stream_next(r.stream, &rec, NULL), 1);
	assert_false(rec.skipped);
	assert_int_equal(kt_stream_next(r.stream, &rec, NULL), 1);
	assert_int_equal(rec.lost, 7);
	assert_true(rec.skipped);
	assert_int_equal(kt_stream_next(r.stream, &rec, NULL), 1);
	assert_int_equal(rec.lost, 0);
	assert_true(rec.skipped);
	kt_reading_end(&r);
	kt_reading_close(&r);
}

TEST(of_some_events_only_some_tasks_are_wanted)
{
	uint64_t types[65536 / 64] = { 0 }, pids[65536 / 64] = { 0 };
	struct kt_dat *d = kt_dat_small();
	struct kt_record rec;
	struct kt_reading r;
	int i;

	for (i = 0; i < 6; i++) {
		kt_dat_begin(d, 1 + i % 2, i / 2 + 65536);
		kt_dat_end(d, 10 + i);
	}
	r = kt_reading_of(d, NULL);
	types[0] = 1 << 2;
	pids[0] = 1 << 1;
	assert_int_equal(kt_stream_want_pids(r.stream, 1, types, pids), -ENOENT);
	assert_int_equal(kt_stream_want_pids(r.stream, 0, types, pids), 0);
	kt_reading_expect(&r, 10, 1, 0);
	kt_reading_expect(&r, 12, 1, 0);
	kt_reading_expect(&r, 13, 2, 0);
	assert_int_equal(kt_stream_next(r.stream, &rec, NULL), 1);
	assert_int_equal(rec.ts, 14);
	assert_false(rec.skipped);
	kt_reading_end(&r);

	assert_int_equal(kt_stream_want_pids(r.stream, 0, NULL, NULL), 0);
	assert_int_equal(kt_stream_seek(r.stream, 12, NULL), 0);
	kt_reading_expect(&r, 12, 1, 0);
	assert_int_equal(kt_stream_want_pids(r.stream, 0, types, pids), 0);
	assert_int_equal(kt_stream_rewind(r.stream, NULL), 0);
	kt_reading_expect(&r, 12, 1, 0);
	kt_reading_expect(&r, 13, 2, 0);
	kt_reading_expect(&r, 14, 1, 0);
	kt_reading_end(&r);
	kt_reading_close(&r);
}

TEST(muted_sources_and_other_buffers_stay_out)
{
	struct kt_dat *d = kt_dat_small();
	struct kt_reading r;

	kt_dat_add(d, 1, 10);
	kt_dat_cpu(d, 1);
	kt_dat_add(d, 2, 20);
	kt_dat_buffer(d, "inst", "local", 0);
	kt_dat_cpu(d, 0);
	kt_dat_add(d, 3, 30);
	r = kt_reading_of(d, NULL);
	kt_stream_mute(r.stream, 0);
	kt_reading_expect(&r, 20, 2, 1);
	kt_reading_expect(&r, 30, 3, 0);
	kt_reading_end(&r);
	kt_reading_close(&r);

	r = kt_reading_open(kt_tmp("stream.dat"), &(struct kt_stream_opts){ .only_buffer = "inst" });
	assert_int_equal(kt_stream_nr_sources(r.stream), 1);
	kt_reading_expect(&r, 30, 3, 0);
	kt_reading_end(&r);
	kt_reading_close(&r);
}

/* Going to a time */

TEST(seeking_finds_the_first_record_not_before_a_time)
{
	static const uint64_t times[] = { 300000, 1, 0, 499902, 250001, 250002, 250003, 77777 };
	static const char *const methods[] = { "none", "zstd" };
	struct kt_record rec;
	size_t method, i;

	for (method = 0; method < 2; method++) {
		struct kt_reading r = kt_reading_long(methods[method]);

		for (i = 0; i < sizeof(times) / sizeof(*times); i++) {
			uint64_t want = times[i] < 100 ? 100 : times[i];

			while (want % 100 > 2)
				want++;
			assert_int_equal(kt_stream_seek(r.stream, times[i], NULL), 0);
			kt_reading_expect(&r, want, 1, want % 100);
			if (want < 499902)
				kt_reading_expect(&r, want % 100 == 2 ? want + 98 : want + 1, 1,
				       want % 100 == 2 ? 0 : want % 100 + 1);
		}
		assert_int_equal(kt_stream_seek(r.stream, 500000, NULL), 0);
		kt_reading_end(&r);
		assert_int_equal(kt_stream_first(r.stream, 2, &rec, NULL), 1);
		assert_int_equal(rec.ts, 102);
		assert_int_equal(kt_stream_last(r.stream, 1, &rec, NULL), 1);
		assert_int_equal(rec.ts, 499901);
		assert_int_equal(rec.size, 8);
		assert_int_equal(kt_stream_last(r.stream, 3, &rec, NULL), 0);
		kt_reading_close(&r);
	}
}

TEST(the_last_wanted_record_may_be_in_the_first_of_many_chunks)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7, .page_size = 1024,
								.compression = "zstd",
								.chunk_pages = 1 });
	uint64_t wanted[65536 / 64] = { 1 << 2 };
	struct kt_reading r;
	struct kt_record rec;
	int i;

	kt_dat_buffer(d, "", "local", 0);
	kt_dat_cpu(d, 0);
	kt_dat_add(d, 2, 10);
	for (i = 1; i < 5000; i++)
		kt_dat_add(d, 1, (uint64_t)i * 100);
	r = kt_reading_of(d, NULL);
	assert_int_equal(kt_stream_want_types(r.stream, 0, wanted), 0);
	assert_int_equal(kt_stream_last(r.stream, 0, &rec, NULL), 1);
	assert_int_equal(rec.ts, 10);
	wanted[0] = 1 << 3;
	assert_int_equal(kt_stream_want_types(r.stream, 0, wanted), 0);
	assert_int_equal(kt_stream_last(r.stream, 0, &rec, NULL), 0);
	kt_reading_close(&r);
}

static bool at_once(void *data)
{
	++*(unsigned int *)data;
	return true;
}

TEST(the_search_for_the_last_record_is_stopped_and_goes_on)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7, .page_size = 1024,
								.compression = "zstd",
								.chunk_pages = 1 });
	struct kt_reading r;
	struct kt_record rec;
	unsigned int stopped = 0, asked = 0;
	int i, ret;

	kt_dat_buffer(d, "", "local", 0);
	kt_dat_cpu(d, 0);
	for (i = 0; i < 40000; i++)
		kt_dat_add(d, 1, (uint64_t)i * 100);
	r = kt_reading_of(d, NULL);
	kt_stream_set_stop(r.stream, at_once, &asked);
	while ((ret = kt_stream_last(r.stream, 0, &rec, NULL)) == -EINTR)
		stopped++;
	assert_int_equal(ret, 1);
	assert_int_equal(rec.ts, 39999 * 100);
	assert_in_range(stopped, 3, 10);
	assert_int_equal(asked, stopped);
	/* Now the number of chunks is known. */
	assert_int_equal(kt_stream_last(r.stream, 0, &rec, NULL), 1);
	assert_int_equal(asked, stopped);
	kt_reading_close(&r);
}

TEST(the_search_for_the_first_record_is_stopped_and_goes_on)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7, .page_size = 1024,
								.compression = "zstd",
								.chunk_pages = 1 });
	uint64_t wanted[1024] = { 1 << 2 };
	struct kt_reading r;
	struct kt_record rec;
	unsigned int stopped = 0, asked = 0;
	int i, ret;

	kt_dat_buffer(d, "", "local", 0);
	kt_dat_cpu(d, 0);
	for (i = 0; i < 1000; i++)
		kt_dat_add(d, i == 900 ? 2 : 1, (uint64_t)i * 100);
	r = kt_reading_of(d, NULL);
	kt_stream_set_stop(r.stream, at_once, &asked);
	/* Its first chunk has a record: @stop is not called. */
	assert_int_equal(kt_stream_first(r.stream, 0, &rec, NULL), 1);
	assert_int_equal(asked, 0);

	assert_int_equal(kt_stream_want_types(r.stream, 0, wanted), 0);
	while ((ret = kt_stream_first(r.stream, 0, &rec, NULL)) == -EINTR)
		stopped++;
	assert_int_equal(ret, 1);
	assert_int_equal(rec.ts, 900 * 100);
	assert_in_range(stopped, 2, 100);
	assert_int_equal(asked, stopped);

	/* A stopped search is not continued after a change of the wanted events. */
	assert_int_equal(kt_stream_first(r.stream, 0, &rec, NULL), -EINTR);
	assert_int_equal(kt_stream_want_types(r.stream, 0, NULL), 0);
	assert_int_equal(kt_stream_first(r.stream, 0, &rec, NULL), 1);
	assert_int_equal(rec.ts, 0);
	kt_reading_close(&r);
}

TEST(progress_ends_at_the_total)
{
	struct kt_reading r = kt_reading_long("zstd");
	struct kt_batch *b = kt_batch_create(1000);
	uint64_t done, total, before = 0;

	while (kt_stream_read(r.stream, b, NULL) > 0) {
		kt_stream_progress(r.stream, &done, &total);
		assert_true(done >= before && done <= total);
		before = done;
	}
	kt_stream_progress(r.stream, &done, &total);
	assert_int_equal(done, total);
	assert_true(total > 1000);
	kt_batch_destroy(b);
	kt_reading_close(&r);
}

int main(void)
{
	return RUN(unit(every_shape_of_file_gives_the_same_records),
		   unit(very_many_options_are_looked_at_once),
		   unit(the_encoding_of_old_kernels_is_refused),
		   unit(sizes_of_writers_before_3_2_do_no_harm),
		   unit(equal_times_come_in_order_of_file_buffer_and_cpu),
		   unit(discarded_events_count_for_the_time_only),
		   unit(absolute_stamps_are_completed_with_the_bits_they_lack),
		   unit(lost_events_belong_to_the_first_record_of_their_page),
		   unit(losses_before_unwanted_records_reach_the_next_wanted_one),
		   unit(what_is_left_out_takes_its_losses_along_if_asked),
		   unit(of_some_events_only_some_tasks_are_wanted),
		   unit(muted_sources_and_other_buffers_stay_out),
		   unit(seeking_finds_the_first_record_not_before_a_time),
		   unit(the_last_wanted_record_may_be_in_the_first_of_many_chunks),
		   unit(the_search_for_the_last_record_is_stopped_and_goes_on),
		   unit(the_search_for_the_first_record_is_stopped_and_goes_on),
		   unit(progress_ends_at_the_total));
}
