/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_seek.c - reading a recording that grows, window by window: each record once */
#include <ktrail/stream.h>
#include <ktrail/trace.h>

#include <errno.h>
#include <stdio.h>

#include "kt_dat.h"
#include "kt_reading.h"
#include "kt_test.h"
#include "stream/stream.h"

/* @each[cpu] records: the first half of @all at different times,
 * the others at the same time */
static struct kt_reading grown(const unsigned int each[2], unsigned int all,
			       const char *compression)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7, .page_size = 1024,
								.compression = compression,
								.chunk_pages = 2 });
	unsigned int i;
	int cpu;

	kt_dat_buffer(d, "", "local", 0);
	for (cpu = 0; cpu < 2; cpu++) {
		kt_dat_cpu(d, cpu);
		for (i = 1; i <= each[cpu]; i++)
			kt_dat_add(d, 1, 100 * (i < all / 2 ? i : all / 2) + cpu);
	}
	return kt_reading_of(d, NULL);
}

/* Continue from @places up to @until, and update @places.
 * @got: the number of records of each CPU */
static void window(struct kt_reading *r, struct read_place places[2], uint64_t until,
		   unsigned int got[2])
{
	struct kt_record rec;
	size_t i;

	assert_int_equal(stream_resume(r->stream, places, 2, NULL), 0);
	while (kt_stream_next(r->stream, &rec, NULL) == 1 && rec.ts <= until)
		got[rec.source]++;
	for (i = 0; i < 2; i++)
		assert_int_equal(stream_place(r->stream, i, until, &places[i], NULL), 0);
}

TEST(a_recording_that_grows_is_read_window_by_window)
{
	static const char *const methods[] = { "none", "zstd" };
	/* Records in the file, the end of the window, records read; CPU 1 is late each time */
	static const struct {
		unsigned int each[2];
		uint64_t until;
		unsigned int want[2];
	} steps[] = {
		{ { 900, 700 }, 80050, { 800, 700 } },
		{ { 1000, 850 }, 90000, { 900, 850 } },
		{ { 1400, 1300 }, 99950, { 999, 999 } },
		{ { 1400, 1300 }, 100000, { 1400, 999 } },
		{ { 1700, 1800 }, 100000, { 1700, 999 } },
		{ { 2000, 2000 }, UINT64_MAX, { 2000, 2000 } },
	};
	struct kt_reading r;
	size_t method, i;

	for (method = 0; method < 2; method++) {
		struct read_place places[2] = { { 0 } };
		unsigned int got[2] = { 0 };

		for (i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
			r = grown(steps[i].each, 2000, methods[method]);
			window(&r, places, steps[i].until, got);
			assert_int_equal(got[0], steps[i].want[0]);
			assert_int_equal(got[1], steps[i].want[1]);
			kt_reading_close(&r);
		}
	}
}

TEST(rewinding_leads_to_where_reading_went_on)
{
	static const unsigned int each[2] = { 900, 900 };
	struct kt_reading r = grown(each, 2000, "zstd");
	const struct read_place places[1] = { { 5000, 1 } };
	int i;

	assert_int_equal(stream_resume(r.stream, places, 1, NULL), 0);
	for (i = 0; i < 2; i++) {
		kt_reading_expect(&r, 101, 1, 1);	/* it has no place */
		assert_int_equal(kt_stream_rewind(r.stream, NULL), 0);
	}
	assert_int_equal(kt_stream_seek(r.stream, 5000, NULL), 0);
	kt_reading_expect(&r, 5000, 1, 0);
	kt_reading_close(&r);
}

TEST(nothing_before_a_time_is_no_place)
{
	static const unsigned int each[2] = { 900, 0 };
	struct kt_reading r = grown(each, 2000, "none");
	struct read_place place = { 1, 1 };

	assert_int_equal(stream_place(r.stream, 0, 99, &place, NULL), 0);
	assert_int_equal(place.nr, 0);
	assert_int_equal(stream_place(r.stream, 0, 100, &place, NULL), 0);
	assert_int_equal(place.nr, 1);
	assert_int_equal(place.ts, 100);
	kt_reading_close(&r);
}

/* @each: records of each CPU; a CPU without any is not in the file. Always the same path */
static void write_grown(const unsigned int each[2])
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .page_size = 1024 });
	unsigned int i;
	int cpu;

	kt_dat_buffer(d, "", "local", 0);
	for (cpu = 1; cpu >= 0; cpu--) {
		if (each[cpu])
			kt_dat_cpu(d, cpu);
		for (i = 1; i <= each[cpu]; i++)
			kt_dat_add(d, 1, 100 * i + (unsigned int)cpu);
	}
	kt_dat_write(d, "grows.dat");
	kt_dat_destroy(d);
}

static unsigned int read_on(struct kt_trace *t, uint64_t until)
{
	struct kt_record rec;
	unsigned int nr = 0;

	while (kt_stream_next(kt_trace_stream(t), &rec, NULL) == 1 && rec.ts <= until)
		nr++;
	assert_int_equal(kt_trace_note_read(t, until, NULL), 0);
	return nr;
}

TEST(a_trace_is_refreshed_where_it_was_read_up_to)
{
	struct kt_trace *t = kt_trace_create();
	struct kt_err err = { 0 };

	write_grown((const unsigned int[]){ 500, 0 });
	assert_int_equal(kt_trace_add(t, kt_tmp("grows.dat"), NULL, NULL), 0);
	assert_int_equal(read_on(t, 30000), 300);
	assert_int_equal(kt_trace_refresh(t, NULL), 0);
	assert_int_equal(read_on(t, 40000), 100);
	assert_int_equal(kt_trace_reopen(t, NULL), 0);
	assert_int_equal(read_on(t, 41000), 10);
	/* Another CPU was added before the first one */
	write_grown((const unsigned int[]){ 900, 700 });
	assert_int_equal(kt_trace_refresh(t, NULL), 1);
	assert_int_equal(kt_trace_reopen(t, NULL), 0);
	assert_int_equal(read_on(t, UINT64_MAX), 490 + 700);
	assert_int_equal(kt_trace_refresh(t, NULL), 0);
	assert_int_equal(read_on(t, UINT64_MAX), 0);
	/* If it cannot be opened any more, the trace stays as it was. */
	assert_int_equal(rename(kt_tmp("grows.dat"), kt_tmp("gone.dat")), 0);
	assert_int_equal(kt_trace_refresh(t, NULL), 1);
	assert_int_equal(kt_trace_reopen(t, &err), -ENOENT);
	assert_int_equal(kt_stream_seek(kt_trace_stream(t), 0, NULL), 0);
	assert_int_equal(read_on(t, UINT64_MAX), 1600);
	kt_trace_destroy(t);
}

int main(void)
{
	return RUN(unit(a_recording_that_grows_is_read_window_by_window),
		   unit(rewinding_leads_to_where_reading_went_on),
		   unit(nothing_before_a_time_is_no_place),
		   unit(a_trace_is_refreshed_where_it_was_read_up_to));
}
