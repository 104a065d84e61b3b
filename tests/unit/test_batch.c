/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_batch.c - chunks in memory: held by batches, decompressed ahead, of many CPUs at once */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include <ktrail/stream.h>

#include "base/bytes.h"
#include "kt_dat.h"
#include "kt_reading.h"
#include "kt_test.h"
#include "stream/stream.h"

TEST(a_batch_stays_readable_while_the_next_one_is_filled)
{
	struct kt_reading r = kt_reading_long("zstd");
	struct kt_batch *a = kt_batch_create(2000), *b = kt_batch_create(2000);
	const struct kt_record *rec;
	int nr = kt_stream_read(r.stream, a, NULL), i;

	assert_int_equal(nr, 2000);
	while (kt_stream_read(r.stream, b, NULL) > 0)
		;
	rec = kt_batch_records(a);
	for (i = 0; i < nr; i++)
		assert_int_equal(load_u16(rec[i].data, false), 1);
	kt_batch_destroy(a);
	kt_batch_destroy(b);
	kt_reading_close(&r);
}

struct helper {
	struct kt_stream *stream;
	atomic_bool stop;
	size_t nr;		/* chunks that it has decompressed */
};

static void *keep_helping(void *arg)
{
	struct helper *h = arg;

	while (!atomic_load(&h->stop)) {
		if (stream_help(h->stream))
			h->nr++;
		else
			sched_yield();
	}
	return NULL;
}

TEST(reading_ahead_changes_nothing)
{
	struct kt_reading plain = kt_reading_long("zstd"), ahead = kt_reading_long("zstd");
	struct helper helpers[2] = { { .stream = ahead.stream }, { .stream = ahead.stream } };
	struct kt_record a, b;
	pthread_t threads[2];
	int i, round;

	assert_false(stream_help(ahead.stream));
	assert_int_equal(stream_read_ahead(ahead.stream), 0);
	for (i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, keep_helping, &helpers[i]), 0);
	for (round = 0; round < 20; round++) {
		assert_int_equal(kt_stream_seek(plain.stream, round * 17000, NULL), 0);
		assert_int_equal(kt_stream_seek(ahead.stream, round * 17000, NULL), 0);
		while (kt_stream_next(plain.stream, &a, NULL) > 0) {
			assert_int_equal(kt_stream_next(ahead.stream, &b, NULL), 1);
			assert_int_equal(a.ts, b.ts);
			assert_int_equal(a.pos, b.pos);
			assert_int_equal(a.source, b.source);
			assert_memory_equal(a.data, b.data, a.size);
		}
		kt_reading_end(&ahead);
	}
	for (i = 0; i < 2; i++) {
		atomic_store(&helpers[i].stop, true);
		pthread_join(threads[i], NULL);
	}
	assert_true(helpers[0].nr + helpers[1].nr > 0);
	kt_reading_close(&plain);
	kt_reading_close(&ahead);
}

TEST(two_chunks_of_each_cpu_are_got_ahead)
{
	struct kt_reading r = kt_reading_long("zstd");
	struct kt_record rec;
	size_t nr = 0;

	assert_int_equal(stream_read_ahead(r.stream), 0);
	assert_int_equal(kt_stream_next(r.stream, &rec, NULL), 1);
	while (stream_help(r.stream))
		nr++;
	assert_int_equal(nr, 2 * kt_stream_nr_sources(r.stream));
	kt_reading_close(&r);
}

TEST(many_cpus_merge_in_order)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7, .page_size = 256 });
	struct kt_reading r;
	int cpu, i;

	kt_dat_buffer(d, "", "local", 0);
	for (cpu = 0; cpu < 513; cpu++) {
		kt_dat_cpu(d, cpu);
		for (i = 0; i < 4; i++)
			kt_dat_add(d, i, i * 1000 + (cpu * 7) % 513);
	}
	r = kt_reading_of(d, NULL);
	for (i = 0; i < 4; i++)
		for (cpu = 0; cpu < 513; cpu++) {
			struct kt_record rec;

			assert_int_equal(kt_stream_next(r.stream, &rec, NULL), 1);
			assert_int_equal(rec.ts, i * 1000 + cpu);
		}
	kt_reading_end(&r);
	kt_reading_close(&r);
}

/* So many CPUs that only pieces of their chunks are held */
TEST(big_chunks_of_many_cpus_are_read_piece_by_piece)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7, .compression = "zstd",
								.chunk_pages = 16 });
	uint64_t last = 0, sums[400] = { 0 };
	unsigned int nr = 0, cpu, i;
	struct kt_record rec;
	struct kt_reading r;
	char bytes[1500];

	kt_dat_buffer(d, "", "local", 0);
	for (cpu = 0; cpu < 400; cpu++) {
		kt_dat_cpu(d, cpu);
		for (i = 0; i < 32; i++) {
			memset(bytes, i + cpu, sizeof(bytes));
			kt_dat_begin(d, 1, 1);
			kt_dat_bytes(d, bytes, sizeof(bytes));
			kt_dat_end(d, i * 1000 + cpu % 7);
		}
	}
	r = kt_reading_of(d, NULL);
	assert_int_equal(stream_read_ahead(r.stream), 0);
	for (; kt_stream_next(r.stream, &rec, NULL) > 0; nr++) {
		/* without room for whole ones */
		assert_false(stream_help(r.stream));
		cpu = kt_stream_source(r.stream, rec.source)->cpu;
		assert_true(rec.ts >= last);
		last = rec.ts;
		assert_int_equal(rec.size, 1508);
		assert_int_equal(rec.data[8], (uint8_t)(rec.ts / 1000 + cpu));
		assert_int_equal(rec.data[1507], rec.data[8]);
		assert_true(rec.pos >= sums[cpu]);
		sums[cpu] = rec.pos;
	}
	assert_int_equal(nr, 400 * 32);
	assert_int_equal(kt_stream_seek(r.stream, 30000, NULL), 0);
	kt_reading_expect(&r, 30000, 1, 0);
	kt_reading_close(&r);
}

int main(void)
{
	return RUN(unit(a_batch_stays_readable_while_the_next_one_is_filled),
		   unit(reading_ahead_changes_nothing),
		   unit(two_chunks_of_each_cpu_are_got_ahead),
		   unit(many_cpus_merge_in_order),
		   unit(big_chunks_of_many_cpus_are_read_piece_by_piece));
}
