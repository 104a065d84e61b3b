/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_timefix.c - shown times: dates, offsets, counters and guests */
#include <string.h>

#include "kt_dat.h"
#include "kt_reading.h"
#include "kt_test.h"

static void expect_time(struct kt_dat *d, const struct kt_stream_opts *opts, uint64_t raw,
			uint64_t ts, bool in_ns)
{
	struct kt_reading r;

	kt_dat_add(d, 1, raw);
	r = kt_reading_of(d, opts);
	assert_int_equal(kt_stream_source_in_ns(r.stream, 0), in_ns);
	kt_reading_expect(&r, ts, 1, 0);
	kt_reading_close(&r);
}

TEST(date_and_offset_are_added)
{
	struct kt_dat *d = kt_dat_small();

	kt_dat_option(d, KT_OPTION_DATE, "0x10", 5);		/* microseconds */
	kt_dat_option(d, KT_OPTION_OFFSET, "-7", 2);
	expect_time(d, NULL, 1000, 1000 + 16000 - 7, true);

	d = kt_dat_small();
	kt_dat_option(d, KT_OPTION_DATE, "20", 3);
	expect_time(d, &(struct kt_stream_opts){ .no_date = true, .ts_offset = -5 }, 1000, 995,
		    true);
}

/* kt_stream_source_wall() tells what to add for the time of day, whatever the options add. */
TEST(the_time_of_day_is_what_the_file_stores)
{
	struct kt_dat *d = kt_dat_small();
	struct kt_reading r;
	uint64_t add = 1;

	kt_dat_option(d, KT_OPTION_DATE, "0x10", 5);
	kt_dat_add(d, 1, 1000);
	r = kt_reading_of(d, &(struct kt_stream_opts){ .no_date = true, .ts_offset = 5 });
	assert_true(kt_stream_source_wall(r.stream, 0, &add));
	kt_reading_expect(&r, 1005, 1, 0);
	assert_int_equal(1005 + add, 1000 + 16000);
	assert_false(kt_stream_source_wall(r.stream, 1, &add));
	assert_int_equal(add, 0);
	kt_reading_close(&r);

	r = kt_reading_of(kt_dat_small(), NULL);
	assert_false(kt_stream_source_wall(r.stream, 0, &add));
	kt_reading_close(&r);
}

TEST(a_tsc_becomes_nanoseconds_without_overflow)
{
	static const uint64_t numbers[] = { 0x80000000, 31, 99, 0 };
	struct kt_dat *d = kt_dat_small();

	/* mult, shift, offset (which readers leave alone) */
	kt_dat_option_ints(d, KT_OPTION_TSC2NSEC, 4, numbers, 4);
	expect_time(d, NULL, 1ull << 50, 1ull << 50, true);

	d = kt_dat_small();
	kt_dat_option_ints(d, KT_OPTION_TSC2NSEC, 4, numbers, 4);
	kt_dat_option(d, KT_OPTION_TRACECLOCK, "[local]", 8);
	expect_time(d, &(struct kt_stream_opts){ .raw_ts = true, .ts_offset = 3 }, 77, 77, false);
}

TEST(raw_times_are_nanoseconds_in_a_file_without_option_traceclock)
{
	struct kt_stream_opts raw = { .raw_ts = true };
	struct kt_dat *d = kt_dat_small();

	kt_dat_option(d, KT_OPTION_OFFSET, "-7", 2);
	expect_time(d, &raw, 1000, 1000, true);
	d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });
	kt_dat_buffer(d, "", "counter", 0);
	kt_dat_cpu(d, 0);
	expect_time(d, &raw, 1000, 1000, false);
}

TEST(ts2secs_takes_the_place_of_the_conversion)
{
	static const uint64_t numbers[] = { 3, 0, 0, 0 };
	struct kt_dat *d = kt_dat_small();

	kt_dat_option_ints(d, KT_OPTION_TSC2NSEC, 4, numbers, 4);
	expect_time(d, &(struct kt_stream_opts){ .ts2secs_hz = 1e6 }, 5000, 5000000, true);
}

TEST(only_clocks_in_nanoseconds_are_shown_as_seconds)
{
	static const struct { const char *name; bool in_ns; } clocks[] = {
		{ "local", true }, { "global", true }, { "uptime", true }, { "perf", true },
		{ "mono", true }, { "mono_raw", true }, { "tai", true }, { "tsc2nsec", true },
		{ "boot", false }, { "counter", false }, { "x86-tsc", false },
		{ "", true },		/* a file without a clock counts as local */
	};
	size_t i;

	for (i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
		struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });

		kt_dat_buffer(d, "", clocks[i].name, 0);
		kt_dat_cpu(d, 0);
		expect_time(d, NULL, 5, 5, clocks[i].in_ns);
	}
}

/* A guest's file: its times 100 and 200 are 1000 and 3000 ahead, with a scale of 2 / 2^1. */
static struct kt_dat *guest(unsigned int nr_samples, uint32_t flags)
{
	static const uint64_t lists[] = { 100, 200, 1000, 3000, 2, 2, 1, 1 };
	struct kt_dat *d = kt_dat_small();
	unsigned int i, list;
	uint8_t shift[128];
	size_t n = 20;

	memset(shift, 0, sizeof(shift));
	shift[0] = 0x77;			/* trace id of the host */
	shift[8] = flags;
	shift[12] = 1;				/* CPU */
	shift[16] = nr_samples;
	for (list = 0; list < 4; list++)
		for (i = 0; i < nr_samples; i++, n += 8) {
			shift[n] = lists[2 * list + i];
			shift[n + 1] = lists[2 * list + i] >> 8;
		}
	kt_dat_option(d, KT_OPTION_TIME_SHIFT, shift, n);
	return d;
}

static void expect_guest_time(struct kt_dat *d, uint64_t raw, uint64_t ts)
{
	static const uint64_t id = 0x77;
	struct kt_dat *host = kt_dat_small();
	struct kt_file *other;
	struct kt_record rec;
	struct kt_reading r;

	kt_dat_add(d, 1, raw);
	kt_dat_add(host, 2, 5);
	kt_dat_option_ints(host, KT_OPTION_TRACEID, 8, &id, 1);
	other = kt_file_open(kt_dat_write(host, "host.dat"), NULL);
	kt_dat_destroy(host);
	r = kt_reading_of(d, NULL);
	assert_int_equal(kt_stream_add(r.stream, other, NULL, NULL), 0);
	kt_reading_expect(&r, 5, 2, 0);
	assert_int_equal(kt_stream_next(r.stream, &rec, NULL), 1);
	assert_int_equal(rec.ts, ts);
	kt_reading_close(&r);
	kt_file_close(other);
}

TEST(times_of_a_guest_move_to_those_of_its_host)
{
	struct kt_reading r;
	struct kt_dat *d;

	expect_guest_time(guest(1, 0), 150, 1150);
	expect_guest_time(guest(2, 0), 150, 1150);
	expect_guest_time(guest(2, 1), 150, 2150);	/* interpolated */
	expect_guest_time(guest(2, 1), 250, 4250);	/* and beyond the samples */

	/* Without the file of its host as well */
	d = guest(2, 1);
	kt_dat_add(d, 1, 150);
	r = kt_reading_of(d, NULL);
	kt_reading_expect(&r, 2150, 1, 0);
	kt_reading_close(&r);
}

int main(void)
{
	return RUN(unit(date_and_offset_are_added),
		   unit(the_time_of_day_is_what_the_file_stores),
		   unit(a_tsc_becomes_nanoseconds_without_overflow),
		   unit(raw_times_are_nanoseconds_in_a_file_without_option_traceclock),
		   unit(ts2secs_takes_the_place_of_the_conversion),
		   unit(only_clocks_in_nanoseconds_are_shown_as_seconds),
		   unit(times_of_a_guest_move_to_those_of_its_host));
}
