/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reader_lost.c - losses before records that are filtered out */
#include <ktrail/reader.h>

#include <errno.h>

#include "kt_oracle.h"
#include "kt_test.h"

static struct kt_dat *begin_dat(const char *method)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .page_size = 1024,
								.compression = method,
								.chunk_pages = 2 });

	kt_dat_buffer(d, "", "local", 0);
	return d;
}

/* The stream's rule: losses are reported with the next wanted record of the source. */
TEST(lost_events_are_reported_with_any_choice_of_events)
{
	uint64_t types[65536 / 64] = { 1 << 2 };
	static const char *const methods[] = { "none", "zstd" };
	struct kt_record rec, want;
	unsigned int nr, sum = 0;
	struct kt_dat *d;
	struct kt_reader *r;
	struct kt_trace *t;
	size_t m;
	int cpu, i;

	for (m = 0; m < 2; m++) {
		sum = 0;
		d = begin_dat(methods[m]);
		for (cpu = 0; cpu < 2; cpu++) {
			kt_dat_cpu(d, cpu);
			for (i = 1; i < 5000; i++) {
				if (i % 301 == 0)
					kt_dat_lost(d, 3);
				kt_dat_begin(d, i % 97 == 0 ? 2 : 1, 1);
				kt_dat_end(d, (uint64_t)(i * 100 + cpu));
			}
		}
		t = kt_trace_create();
		assert_int_equal(kt_trace_add(t, kt_dat_write(d, "lost.dat"), NULL, NULL), 0);
		kt_dat_destroy(d);
		r = kt_reader_create(t, NULL, NULL);
		assert_int_equal(kt_reader_want_types(r, 0, types), 0);
		assert_int_equal(kt_stream_want_types(kt_trace_stream(t), 0, types), 0);
		for (nr = 0; kt_stream_next(kt_trace_stream(t), &want, NULL) > 0; nr++) {
			assert_int_equal(kt_reader_next(r, &rec, NULL), 1);
			assert_int_equal(rec.ts, want.ts);
			assert_int_equal(rec.lost, want.lost);
			sum += rec.lost;
		}
		assert_int_equal(nr, 2 * 51);
		assert_true(sum > 80);
		kt_reader_destroy(r);
		kt_trace_destroy(t);
	}
}

/* ---- all ways to reach a record ---- */

struct way {
	bool types, match, index;
};

static bool is_third(void *data, const struct kt_record *rec)
{
	(void)data;
	return rec->pos / 4 % 3 == 0;
}

/* Two CPUs; losses before full, sparse and empty sub-buffers, and times that go back */
static struct kt_dat *lossy_dat(const char *method, bool goes_back)
{
	struct kt_dat *d = begin_dat(method);
	uint64_t ts;
	int cpu, i;

	for (cpu = 0; cpu < 2; cpu++) {
		kt_dat_cpu(d, cpu);
		for (i = 1; i < 6000; i++) {
			ts = (uint64_t)(i * 100 + cpu);
			if (i % 301 == 0 || i % 307 == 0)
				kt_dat_lost(d, i % 602 ? 3 : -1);
			if (i % 903 == 0) {
				kt_dat_new_page(d, ts);
				kt_dat_lost(d, 7);
			}
			if (goes_back && i % 500 == 0)
				kt_dat_new_page(d, ts -= 40000);
			kt_dat_begin(d, i % 397 == 0 ? 2 : 1, 1);
			kt_dat_end(d, ts);
		}
	}
	return d;
}

/* As oracle_walk(): forward from each record, back again, and by jumps */
static void check_all_ways(struct oracle *o, const struct way *way)
{
	struct kt_reader *r = kt_reader_create(o->trace, way->index ? o->index : NULL, NULL);
	struct kt_record rec;
	size_t i, nr = 0, lost = 0;
	uint64_t types[65536 / 64] = { 1 << 2 };

	if (way->types)
		assert_int_equal(kt_reader_want_types(r, 0, types), 0);
	if (way->match)
		kt_reader_set_match(r, is_third, NULL);
	while (kt_reader_next(r, &rec, NULL) > 0)
		o->recs[nr++] = rec;
	for (o->nr = nr, i = 0; i < nr; i++)
		lost += o->recs[i].lost != 0;
	assert_true(nr > 5 && lost > 2);
	while (nr) {
		assert_int_equal(kt_reader_prev(r, &rec, NULL), 1);
		oracle_check(o, --nr, &rec);
	}
	oracle_walk(o, r, 0, o->nr);
	for (i = 0; i < o->nr; i += 1 + i % 3) {
		assert_int_equal(kt_reader_find(r, o->recs[i].source, o->recs[i].pos, NULL), 1);
		oracle_walk(o, r, i, 1 + i % 3 * 50);
		assert_int_equal(kt_reader_find(r, o->recs[i].source, o->recs[i].pos, NULL), 1);
		if (i) {
			assert_int_equal(kt_reader_prev(r, &rec, NULL), 1);
			oracle_check(o, i - 1, &rec);
			oracle_walk(o, r, i - 1, 2);
		}
	}
	kt_reader_destroy(r);
}

TEST(lost_events_are_the_same_whichever_way_a_record_is_reached)
{
	static const char *const methods[] = { "none", "zstd" };
	struct oracle o;
	struct way w;
	int m;

	for (m = 0; m < 32; m++) {
		w = (struct way){ m & 1, m & 2, m & 4 };
		/* Readers without an index do not know where time goes back. */
		o = oracle_of(lossy_dat(methods[m >> 4 & 1], m & 8 && w.index));
		oracle_get_ready(&o);
		check_all_ways(&o, &w);
		oracle_close(&o);
	}
}

struct asked {
	unsigned int nr;
	bool stops;		/* stop every third time */
};

static bool count_pages(void *data)
{
	struct asked *a = data;

	return ++a->nr % 3 == 0 && a->stops;
}

/* Reading backward costs as much as forward, and can be stopped and continued, too. */
TEST(sub_buffers_are_read_once_in_each_direction)
{
	uint64_t types[65536 / 64] = { 1 << 2 };
	struct oracle o = oracle_of(lossy_dat("zstd", false));
	struct kt_reader *r = kt_reader_create(o.trace, NULL, NULL);
	struct asked forward = { 0 }, backward = { 0 }, sliced = { .stops = true };
	unsigned int stopped = 0;
	struct kt_record rec;
	size_t nr = 0;
	int ret;

	assert_int_equal(kt_reader_want_types(r, 0, types), 0);
	kt_reader_set_stop(r, count_pages, &forward);
	while (kt_reader_next(r, &rec, NULL) > 0)
		o.recs[nr++] = rec;
	o.nr = nr;
	kt_reader_set_stop(r, count_pages, &backward);
	while (kt_reader_prev(r, &rec, NULL) > 0)
		oracle_check(&o, --nr, &rec);
	assert_int_equal(nr, 0);
	assert_in_range(backward.nr, forward.nr - 4, forward.nr + 4);
	kt_reader_seek(r, UINT64_MAX, NULL);
	kt_reader_set_stop(r, count_pages, &sliced);
	for (nr = o.nr; nr;) {
		ret = kt_reader_prev(r, &rec, NULL);
		if (ret != -EINTR) {
			assert_int_equal(ret, 1);
			oracle_check(&o, --nr, &rec);
		}
		stopped += ret == -EINTR;
	}
	assert_int_equal(stopped, sliced.nr / 3);
	kt_reader_destroy(r);
	oracle_close(&o);
}

int main(void)
{
	return RUN(unit(lost_events_are_reported_with_any_choice_of_events),
		   unit(lost_events_are_the_same_whichever_way_a_record_is_reached),
		   unit(sub_buffers_are_read_once_in_each_direction));
}
