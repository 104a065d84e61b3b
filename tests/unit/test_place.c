/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_place.c - who is in the way of what is traced */
#include <sched.h>
#include <unistd.h>

#include "kt_test.h"
#include "rec/place.h"

TEST(who_is_elsewhere_is_not_in_the_way)
{
	struct place p = { .looked_ms = 1, .idle = true };

	assert_false(place_in_the_way(&p, 100000));
	assert_int_equal(p.looked_ms, 1);
}

/* Whether others are idle depends on what else runs; it is looked at once in a while */
TEST(the_machine_is_looked_at_now_and_then)
{
	struct place p = { 0 };
	uint64_t looked;
	bool in_the_way;
	cpu_set_t before, one;
	int cpu = sched_getcpu();

	sched_getaffinity(0, sizeof(before), &before);
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	in_the_way = place_in_the_way(&p, cpu);
	looked = p.looked_ms;
	assert_true(looked > 0);
	assert_int_equal(in_the_way, p.idle);
	assert_false(in_the_way && sysconf(_SC_NPROCESSORS_ONLN) == 1);
	p.idle = !p.idle;
	in_the_way = place_in_the_way(&p, cpu);
	if (p.looked_ms == looked)
		assert_int_equal(in_the_way, p.idle);
	p.looked_ms -= 100000;
	place_in_the_way(&p, cpu);
	assert_true(p.looked_ms >= looked);
	sched_setaffinity(0, sizeof(before), &before);
}

int main(void)
{
	return RUN(unit(who_is_elsewhere_is_not_in_the_way),
		   unit(the_machine_is_looked_at_now_and_then));
}
