/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_model.c - facts that a model has immediately, and those it finds in slices of work */
#include <ktrail/model.h>

#include "kt_reading.h"
#include "kt_test.h"

#define CPUS 150

TEST(the_span_of_many_cpus_is_found_bit_by_bit)
{
	struct kt_dat *d = kt_dat_small();
	struct kt_window early, span;
	struct kt_model *m;
	int cpu;

	kt_dat_add(d, 1, 5000);
	for (cpu = 1; cpu < CPUS; cpu++) {
		kt_dat_cpu(d, cpu);
		kt_dat_add(d, 1, (uint64_t)(5000 - cpu));
		kt_dat_add(d, 1, (uint64_t)(5000 + cpu));
	}
	m = kt_dat_model(d);
	assert_false(kt_model_knows_span(m));
	assert_int_equal(kt_model_span(m, &early), 1);
	assert_in_range(early.from, 5000 - CPUS + 10, 4990);
	while (kt_model_work(m, 1))
		;
	assert_true(kt_model_knows_span(m));
	assert_int_equal(kt_model_span(m, &span), 1);
	assert_int_equal(span.from, 5000 - CPUS + 1);
	assert_int_equal(span.until, 5000 + CPUS - 1);
	kt_model_close(m);
}

TEST(the_span_of_few_cpus_is_known_at_once)
{
	struct kt_dat *d = kt_dat_small();
	struct kt_window span;
	struct kt_model *m;

	m = kt_dat_model(d);
	assert_true(kt_model_knows_span(m));
	assert_int_equal(kt_model_span(m, &span), 0);
	kt_model_close(m);

	d = kt_dat_small();
	kt_dat_add(d, 1, 70);
	kt_dat_add(d, 1, 90);
	m = kt_dat_model(d);
	assert_true(kt_model_knows_span(m));
	assert_int_equal(kt_model_span(m, &span), 1);
	assert_int_equal(span.from, 70);
	assert_int_equal(span.until, 90);
	kt_model_close(m);
}

TEST(a_hidden_task_is_a_choice)
{
	struct kt_model *m = kt_dat_model(kt_dat_small());
	int pid = 7;

	assert_false(kt_model_chooses(m));
	assert_int_equal(kt_model_leave_out(m, &pid, 1), 0);
	assert_true(kt_model_chooses(m));
	assert_int_equal(kt_model_leave_out(m, NULL, 0), 0);
	assert_false(kt_model_chooses(m));
	kt_model_close(m);
}

int main(void)
{
	return RUN(unit(the_span_of_many_cpus_is_found_bit_by_bit),
		   unit(the_span_of_few_cpus_is_known_at_once),
		   unit(a_hidden_task_is_a_choice));
}
