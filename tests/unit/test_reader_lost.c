/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reader_lost.c - what was lost before records that are not chosen */
#include <ktrail/reader.h>

#include "kt_dat.h"
#include "kt_test.h"

static struct kt_dat *begin_dat(const char *method)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .page_size = 1024,
								.compression = method,
								.chunk_pages = 2 });

	kt_dat_buffer(d, "", "local", 0);
	return d;
}

/* The stream's rule: they count for the next one of the source that is wanted. */
TEST(events_that_were_lost_are_told_whatever_is_chosen)
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
		/* Back and forth over one of them */
		for (; nr && kt_reader_prev(r, &want, NULL) == 1; nr--) {
			assert_int_equal(kt_reader_next(r, &rec, NULL), 1);
			assert_true(rec.lost == want.lost);
			assert_int_equal(kt_reader_prev(r, &rec, NULL), 1);
		}
		kt_reader_destroy(r);
		kt_trace_destroy(t);
	}
}

int main(void)
{
	return RUN(unit(events_that_were_lost_are_told_whatever_is_chosen));
}
