/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_bundle.c - what the thread that takes the data compresses itself, on its way into the file */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ktrail/file.h>

#include "base/bytes.h"
#include "kt_test.h"
#include "rec/rec_priv.h"

#define PAGE	4096
#define PAGES	8		/* of a block */
#define NR_CPUS 2
#define FIRST_CPU 1000		/* which no test runs on: there it would be in the way */

struct set {
	struct kt_rec rec;
	struct rec_buffer buffer;
	struct reader readers[NR_CPUS];
	struct reader *served[NR_CPUS];
	struct worker workers[NR_CPUS];
	uint64_t nr_pages[NR_CPUS];
	unsigned int nr_bundled, nr_passed_on;
};

static void begin_worker(struct set *s, int cpu, const char *compression)
{
	struct worker *w = &s->workers[cpu];
	struct kt_err err = { 0 };

	s->readers[cpu] = (struct reader){ .rec = &s->rec, .buffer = &s->buffer,
					   .cpu = FIRST_CPU + cpu, .room = PAGES * PAGE, .part.fd = -1 };
	s->served[cpu] = &s->readers[cpu];
	*w = (struct worker){ .rec = &s->rec, .readers = &s->served[cpu], .nr_readers = 1 };
	queue_init(&w->queue);
	queue_limit(&w->queue, PAGES * PAGE, 16 * PAGES * PAGE, 8);
	rec_press_open(&w->press, compression, PAGES * PAGE, &err);
	rec_press_open(&w->packer_press, compression, PAGES * PAGE, &err);
	CHECK_NO_ERR(&err);
	pthread_create(&w->packer, NULL, rec_pack, w);
	while (!atomic_load(&w->packer_tid))
		sched_yield();
}

static void begin(struct set *s, const char *compression)
{
	struct kt_writer_opts o = { .version = 7, .compression = compression };
	struct kt_err err = { 0 };
	int i;

	*s = (struct set){ .rec = { .shared.fd = -1, .alarm_fd = -1, .trace_id = 4712 } };
	s->rec.path = strdup(kt_tmp("bundle.dat"));
	part_unlink_all(s->rec.path);
	kt_writer_opts_host(&o, PAGE);
	s->rec.writer = kt_writer_create(s->rec.path, &o, &err);
	CHECK_NO_ERR(&err);
	kt_writer_option(s->rec.writer, KT_OPTION_TRACEID, &s->rec.trace_id, 8, &err);
	kt_writer_flush(s->rec.writer, &err);
	CHECK_NO_ERR(&err);
	pthread_mutex_init(&s->rec.shared.lock, NULL);
	pthread_mutex_init(&s->rec.lock, NULL);
	atomic_store(&s->rec.shared.end, PART_DATA);
	s->buffer = (struct rec_buffer){ .name = "", .clock = "local", .page_size = PAGE,
					 .readers = s->readers, .nr_readers = NR_CPUS };
	s->rec.buffers = &s->buffer;
	s->rec.nr_buffers = 1;
	for (i = 0; i < NR_CPUS; i++)
		begin_worker(s, i, compression);
	s->rec.skip_magic = compress_skip_magic(s->workers[0].press.compress);
	s->rec.ends_itself = compress_ends_itself(s->workers[0].press.compress);
	srandom(2);
}

/* Every sub-buffer says its number and its CPU; @mask: how much of the rest is noise */
static void add_block(struct set *s, int cpu, uint32_t mask)
{
	struct worker *w = &s->workers[cpu];
	struct reader *r = &s->readers[cpu];
	struct block *b = queue_get(&w->queue);
	size_t i;

	assert_non_null(b);
	b->reader = r;
	b->len = PAGES * PAGE;
	for (i = 0; i < b->len; i += 4)
		store_u32(b->data + i, (uint32_t)random() & mask, false);
	for (i = 0; i < b->len; i += PAGE) {
		store_u64(b->data + i, ++s->nr_pages[cpu], false);
		store_u64(b->data + i + 8, (uint64_t)cpu + 1, false);
	}
	if (rec_bundle_add(w, r, b)) {
		s->nr_bundled++;
		queue_give_back(&w->queue, b);
		return;
	}
	s->nr_passed_on++;
	rec_bundle_send(w, r);
	rec_worker_put(w, b);
}

static void finish_threads(struct set *s)
{
	struct worker *w;

	for (w = s->workers; w < s->workers + NR_CPUS; w++) {
		rec_bundle_send(w, w->readers[0]);
		queue_done(&w->queue);
		pthread_join(w->packer, NULL);
		queue_fini(&w->queue);
		rec_press_close(&w->press);
		rec_press_close(&w->packer_press);
	}
	assert_int_equal(s->rec.err.code, 0);
}

/* All sub-buffers in order, and between them only empty ones that lead to an extent */
static void check(const struct set *s)
{
	struct kt_err err = { 0 };
	struct kt_file *f = kt_file_open(s->rec.path, &err);
	struct kt_chunk c;
	uint64_t nr, page;
	size_t k, cpu, i;

	CHECK_NO_ERR(&err);
	for (k = 0; k < kt_file_buffer(f, 0)->nr_cpus; k++) {
		cpu = (size_t)kt_file_buffer(f, 0)->cpus[k].cpu - FIRST_CPU;
		page = 0;
		for (nr = 0; kt_file_chunk_get(f, 0, k, nr, &c, &err) > 0; nr++) {
			for (i = 0; i < c.size; i += PAGE) {
				const char *p = (const char *)c.data + i;

				if (load_u64(p + 8, false) == 0) {
					assert_int_equal(load_u64(p, false), page);
					continue;
				}
				assert_int_equal(load_u64(p, false), ++page);
				assert_int_equal(load_u64(p + 8, false), cpu + 1);
			}
			kt_chunk_put(&c);
		}
		CHECK_NO_ERR(&err);
		assert_int_equal(page, s->nr_pages[cpu]);
	}
	kt_file_close(f);
}

static void end(struct set *s)
{
	int i;

	for (i = 0; i < NR_CPUS; i++)
		rec_part_close(&s->readers[i].part);
	kt_writer_close(s->rec.writer);
	if (s->rec.shared.fd >= 0)
		close(s->rec.shared.fd);
	part_unlink_all(s->rec.path);
	free(s->rec.path);
}

static void record(const char *compression)
{
	struct set s;
	int i;

	begin(&s, compression);
	for (i = 0; i < 900; i++) {
		s.workers[0].pass_on = i % 7 ? 0 : 1;
		s.workers[1].pass_on = 0;
		add_block(&s, 0, 0x0f0f0f0f);
		if (i % 3 == 0)
			add_block(&s, 1, i % 2 ? 0xff : 0x3f3f3f3f);
	}
	finish_threads(&s);
	assert_true(s.nr_bundled > 800 && s.nr_passed_on > 100);
	assert_true(s.readers[0].part.shared && s.readers[1].part.shared);
	assert_true(s.rec.shared.end > 4 * PART_EXTENT);
	check(&s);
	end(&s);
}

TEST(chunks_of_both_threads_are_in_order_in_the_file)
{
	record("zstd");
	record("zlib");
}

TEST(what_does_not_shrink_is_passed_on_for_a_while)
{
	unsigned int i;
	struct set s;

	begin(&s, "zstd");
	for (i = 0; i < 10; i++)
		add_block(&s, 0, UINT32_MAX);
	assert_int_equal(s.nr_passed_on, 10);
	assert_true(s.workers[0].pass_on > 0);
	finish_threads(&s);
	check(&s);
	end(&s);
}

TEST(a_bundle_waits_for_more_but_not_for_long)
{
	struct set s;

	begin(&s, "zstd");
	add_block(&s, 0, 0x1);
	assert_int_equal(s.nr_bundled, 1);
	assert_non_null(s.readers[0].bundle);
	s.readers[0].bundle_ns -= 1000000000;
	rec_bundle_send_old(&s.workers[0], &s.readers[0]);
	assert_null(s.readers[0].bundle);
	finish_threads(&s);
	check(&s);
	end(&s);
}

int main(void)
{
	return RUN(unit(chunks_of_both_threads_are_in_order_in_the_file),
		   unit(what_does_not_shrink_is_passed_on_for_a_while),
		   unit(a_bundle_waits_for_more_but_not_for_long));
}
