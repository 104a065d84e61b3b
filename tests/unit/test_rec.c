/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_rec.c - the report of a recording about itself */
#include <stdlib.h>

#include "kt_test.h"
#include "rec/rec_priv.h"

#define CPUS 500

TEST(all_threads_of_many_cpus_are_reported)
{
	struct kt_rec rec = { .nr_workers = CPUS, .collecting = true, .collector_tid = 7 };
	size_t i, nr;
	int *tids;

	rec.workers = calloc(CPUS, sizeof(*rec.workers));
	for (i = 0; i < CPUS; i++) {
		rec.workers[i].running = i != 3;
		rec.workers[i].has_backup = i >= 250;
		rec.workers[i].tid = rec.workers[i].packer_tid = rec.workers[i].backup_tid =
			100 + (int)i;
	}
	nr = kt_rec_threads(&rec, NULL, 0);
	assert_int_equal(nr, 2 * (CPUS - 1) + 250 + 1);
	tids = calloc(nr, sizeof(*tids));
	assert_int_equal(kt_rec_threads(&rec, tids, nr), nr);
	for (i = 0; i < nr; i++)
		assert_true(tids[i] >= 7 && tids[i] != 103);
	assert_int_equal(tids[nr - 1], 7);
	tids[2] = -1;
	assert_int_equal(kt_rec_threads(&rec, tids, 2), nr);
	assert_int_equal(tids[2], -1);
	free(tids);
	free(rec.workers);
}

int main(void)
{
	return RUN(unit(all_threads_of_many_cpus_are_reported));
}
