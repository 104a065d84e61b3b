/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_threads.c - results arrive in order, each once, from whichever thread */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "kt_test.h"
#include "base/threads.h"

#define NR        5000
#define EACH      3
#define MAX_NR    9
#define NEVER     (NR + 1)

struct plan {
	unsigned int next, drained;
	unsigned int fill_fails, drain_fails;	/* number of the call that fails; or NEVER */
	unsigned int here[MAX_NR];		/* the present work of each worker */
	unsigned int results[MAX_NR * EACH];
	unsigned int prepared[MAX_NR], in_order;	/* every third one is ordered */
	atomic_uint filling, draining, ordering, helped;
	atomic_bool broken;
};

static int fill(void *data, size_t worker)
{
	struct plan *p = data;

	if (atomic_fetch_add(&p->filling, 1))
		atomic_store(&p->broken, true);		/* two calls at once */
	if (p->next == p->fill_fails)
		return -EIO;
	if (p->next == NR)
		return 0;
	p->here[worker] = p->next++;
	atomic_fetch_sub(&p->filling, 1);
	return p->here[worker] % 3 ? PIPELINE_WORK : PIPELINE_ORDERED;
}

static void prepare(void *data, size_t worker)
{
	struct plan *p = data;

	p->prepared[worker] = p->here[worker] + 1;
}

static void order(void *data, size_t worker)
{
	struct plan *p = data;

	if (atomic_fetch_add(&p->ordering, 1) || p->prepared[worker] != p->here[worker] + 1 ||
	    p->here[worker] != 3 * p->in_order++)
		atomic_store(&p->broken, true);
	atomic_fetch_sub(&p->ordering, 1);
}

static void work(void *data, size_t worker, size_t job)
{
	struct plan *p = data;
	volatile unsigned int i;

	for (i = 0; i < p->here[worker] * 7919 % 300; i++)
		;
	if (job / EACH != worker && worker)
		atomic_store(&p->broken, true);
	p->results[job] = p->here[worker] * 2;
}

static int drain(void *data, size_t job)
{
	struct plan *p = data;

	if (atomic_fetch_add(&p->draining, 1))
		atomic_store(&p->broken, true);
	if (p->drained == p->drain_fails)
		return -EPIPE;
	if (p->results[job] != p->drained++ * 2)
		atomic_store(&p->broken, true);
	atomic_fetch_sub(&p->draining, 1);
	return 0;
}

static bool help(void *data, size_t worker)
{
	struct plan *p = data;

	(void)worker;
	return atomic_fetch_add(&p->helped, 1) % 3 == 0;
}

static int run(struct plan *p, size_t nr_threads)
{
	const struct pipeline pipeline = { fill, work, drain, help, p, EACH, prepare, order };
	int ret = pipeline_run(&pipeline, nr_threads);

	assert_false(atomic_load(&p->broken));
	return ret;
}

TEST(results_come_in_order_with_any_number_of_threads)
{
	size_t nr;

	for (nr = 1; nr <= MAX_NR; nr++) {
		struct plan p = { .fill_fails = NEVER, .drain_fails = NEVER };

		assert_int_equal(run(&p, nr), 0);
		assert_int_equal(p.drained, NR);
		assert_int_equal(p.in_order, (NR + 2) / 3);
	}
}

TEST(a_failure_ends_it_and_is_reported)
{
	unsigned int at;
	size_t nr;

	for (nr = 1; nr <= MAX_NR; nr += 2)
		for (at = 0; at < 40; at += 13) {
			struct plan p = { .fill_fails = at, .drain_fails = NEVER };
			struct plan q = { .fill_fails = NEVER, .drain_fails = at };

			assert_int_equal(run(&p, nr), -EIO);
			assert_true(p.drained <= at);
			assert_int_equal(run(&q, nr), -EPIPE);
			assert_int_equal(q.drained, at);
		}
}

TEST(nothing_to_do_is_no_error)
{
	struct plan p = { .next = NR, .fill_fails = NEVER, .drain_fails = NEVER };

	assert_int_equal(run(&p, 4), 0);
	assert_int_equal(p.drained, 0);
}

int main(void)
{
	return RUN(unit(results_come_in_order_with_any_number_of_threads),
		   unit(a_failure_ends_it_and_is_reported),
		   unit(nothing_to_do_is_no_error));
}
