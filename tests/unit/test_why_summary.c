/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_why_summary.c - the reasons in one line; long intervals, and requests of devices */
#include <stdlib.h>
#include <string.h>

#include "kt_scene.h"
#include "kt_test.h"

static void check_summary(const struct scene *s, const struct kt_why_opts *o, const char *wanted)
{
	char *got = scene_summary(s, o);

	assert_string_equal(got, wanted);
	free(got);
}

static const struct kt_why_opts of_app = { .pid = APP, .from = 1000 * US, .until = 11000 * US };

TEST(a_wait_is_summed_up_by_the_users_of_the_cpu)
{
	struct scene s = { .nr = 0 };

	run_next(&s, 0, 100 * US, APP, SLEEPS, HOG);
	wake(&s, 0, 1000 * US, HOG, APP, 0);
	run_next(&s, 0, 5000 * US, HOG, RUNS, OTHER);
	put(&s, 0, 6000 * US, IRQ_ENTRY, OTHER, 24, 0, 0);
	put(&s, 0, 7500 * US, IRQ_EXIT, OTHER, 24, 1, 0);
	run_next(&s, 0, 8000 * US, OTHER, RUNS, HOG);
	run_next(&s, 0, 10900 * US, HOG, RUNS, APP);
	run_next(&s, 0, 11000 * US, APP, SLEEPS, HOG);
	check_summary(&s, &of_app, "<...>:42 waited 9.9 ms for CPU 0: 6.9 ms <...>:50, "
		      "1.5 ms <...>:60, 1.5 ms interrupt 24");
}

TEST(a_sleep_is_summed_up_by_its_wakers)
{
	struct scene s = { .nr = 0 };

	run_next(&s, 0, 100 * US, HOG, RUNS, APP);
	put(&s, 0, 1000 * US, LOCK_BEGIN, APP, 0x10, 0x20, 0);
	run_next(&s, 0, 1100 * US, APP, DISK, HOG);
	run_next(&s, 1, 1000 * US, 0, RUNS, OTHER);
	run_next(&s, 1, 1500 * US, OTHER, SLEEPS, 0);
	wake(&s, 2, 4000 * US, THIRD, OTHER, 1);
	run_next(&s, 1, 7000 * US, 0, RUNS, OTHER);
	wake(&s, 1, 8000 * US, OTHER, APP, 0);
	run_next(&s, 0, 8100 * US, HOG, RUNS, APP);
	put(&s, 0, 8110 * US, LOCK_END, APP, 0x10, 0, 0);
	run_next(&s, 0, 11000 * US, APP, SLEEPS, HOG);
	check_summary(&s, &of_app, "<...>:42 slept 6.9 ms: mutex 0x10, woken by <...>:60, which "
		      "waited 3.0 ms for CPU 1: 3.0 ms idle; ran 3.0 ms");
}

TEST(many_short_sleeps_have_no_reason_in_common)
{
	struct scene s = { .nr = 0 };
	uint64_t at;

	run_next(&s, 0, 100 * US, HOG, RUNS, APP);
	for (at = 1000 * US; at < 11000 * US; at += 1000 * US) {
		run_next(&s, 0, at, APP, SLEEPS, HOG);
		wake(&s, 0, at + 800 * US, HOG, APP, 0);
		run_next(&s, 0, at + 800 * US, HOG, RUNS, APP);
	}
	run_next(&s, 0, 11000 * US, APP, SLEEPS, HOG);
	check_summary(&s, &of_app, "<...>:42 slept 8.0 ms, 10 times; ran 2.0 ms");
}

TEST(a_cpu_is_summed_up_by_its_activity)
{
	struct scene s = { .nr = 0 };

	run_next(&s, 0, 100 * US, APP, SLEEPS, HOG);
	run_next(&s, 0, 8000 * US, HOG, RUNS, 0);
	run_next(&s, 0, 12000 * US, 0, RUNS, HOG);
	check_summary(&s, &(struct kt_why_opts){ .by_cpu = true, .from = 1000 * US,
						 .until = 11000 * US },
		      "CPU 0: 7.0 ms <...>:50, 3.0 ms idle");
}

TEST(before_it_exists_a_task_waits_for_its_parent)
{
	struct scene s = { .nr = 0 };

	run_next(&s, 1, 500 * US, 0, RUNS, OTHER);
	run_next(&s, 0, 500 * US, APP, SLEEPS, HOG);
	put(&s, 1, 6000 * US, WAKEUP_NEW, OTHER, APP, 120, 0);
	run_next(&s, 0, 7000 * US, HOG, RUNS, APP);
	run_next(&s, 0, 11000 * US, APP, SLEEPS, HOG);
	run_next(&s, 1, 11000 * US, OTHER, SLEEPS, 0);
	s.at[1].values[0] = THIRD;	/* APP has no earlier switch */
	s.at[1].pid = THIRD;
	scene_check(&s, 1000 * US, 11000 * US,
		    "0 absent 5000000 did not exist yet, was created by <...>:60, until 0.006000\n"
		    "1 ran 5000000 ran on CPU 1\n"
		    "0 waited 1000000 woken, waited for CPU 0, until 0.007000\n"
		    "1 holder 1000000 <...>:50 ran there\n"
		    "0 ran 4000000 ran on CPU 0, until 0.011000\n");
	check_summary(&s, &of_app, "<...>:42 began after 5.0 ms, created by <...>:60, which ran "
		      "5.0 ms; ran 4.0 ms; waited 1.0 ms for CPU 0: 1.0 ms <...>:50");
}

/* ---- further back ---- */

#define LATE 5000000ull		/* us: long after the events before */

static void sleep_long(struct scene *s)
{
	run_next(s, 0, 1000 * US, APP, SLEEPS, HOG);
	wake(s, 0, (LATE + 4000) * US, HOG, APP, 0);
	run_next(s, 0, (LATE + 5000) * US, HOG, RUNS, APP);
	run_next(s, 0, (LATE + 9000) * US, APP, SLEEPS, HOG);
}

static const struct kt_why_opts late = { .pid = APP, .from = LATE * US,
					 .until = (LATE + 5000) * US };

TEST(a_sleep_that_began_long_before_is_found)
{
	struct scene s = { .nr = 0 };

	sleep_long(&s);
	scene_check(&s, late.from, late.until,
		    "0 blocked 4000000 blocked, interruptible, until 5.004000\n"
		    "1 waker 0 woken by <...>:50 on CPU 0 at 5.004000\n"
		    "2 ran 4000000 ran on CPU 0\n"
		    "0 waited 1000000 woken, waited for CPU 0, until 5.005000\n"
		    "1 holder 1000000 <...>:50 ran there\n"
		    "missing -T\n");
}

TEST(it_is_said_how_far_back_was_read)
{
	struct scene s = { .nr = 0 };

	run_next(&s, 1, 900 * US, 0, RUNS, OTHER);
	sleep_long(&s);
	s.at[1].values[0] = THIRD;	/* APP has no event before */
	s.at[1].pid = THIRD;
	scene_check(&s, late.from, late.until,
		    "0 unexplained 4000000 unexplained, no event of it since the trace began, until 5.004000\n"
		    "0 waited 1000000 woken, waited for CPU 0, until 5.005000\n"
		    "1 holder 1000000 <...>:50 ran there\n");
}

/* ---- requests ---- */

static void request(struct scene *s, uint64_t issued, uint64_t complete, uint64_t sector)
{
	if (issued)
		put(s, 0, issued * US, ISSUE, APP, 8ull << 20, sector, 8);
	memcpy(&put(s, 1, complete * US, COMPLETE, HOG, 8ull << 20, sector, 8)->values[4], "R", 2);
}

static const struct kt_why_opts of_request = { .pid = APP, .from = 1000 * US, .until = 9000 * US,
					       .of_request = true };

TEST(a_request_names_its_device_and_the_activity_of_its_task)
{
	struct scene s = { .nr = 0 };
	char *got;

	run_next(&s, 0, 100 * US, HOG, RUNS, APP);
	request(&s, 500, 2500, 100);
	put(&s, 0, 800 * US, INSERT, APP, 8ull << 20, 200, 8);
	put(&s, 0, 1000 * US, ISSUE, APP, 8ull << 20, 200, 8);
	put(&s, 0, 1200 * US, ISSUE, APP, 8ull << 20, 300, 8);		/* not completed */
	run_next(&s, 0, 1500 * US, APP, DISK, HOG);
	put(&s, 1, 8900 * US, IRQ_ENTRY, HOG, 24, 0, 0);
	request(&s, 0, 9000, 200);
	wake(&s, 1, 9000 * US, HOG, APP, 0);
	put(&s, 1, 9100 * US, IRQ_EXIT, HOG, 24, 1, 0);
	run_next(&s, 0, 9200 * US, HOG, RUNS, APP);
	got = scene_explain(&s, &of_request);
	assert_string_equal(got,
		"0 io 8000000 read of 4.0 KiB, device 8,0, sector 200, until 0.009000\n"
		"1 io-before 0 before, it was in the queue for 200 us\n"
		"1 io-others 0 of other requests, the device had 1 and got 1, completed 1\n"
		"1 io-pause 0 the device completed nothing for 6.5 ms, until 0.009000\n"
		"1 waker-irq 0 completed by interrupt 24 on CPU 1 at 0.009000\n"
		"0 issuer 0 <...>:42, which issued it, meanwhile:\n"
		"1 ran 500000 ran on CPU 0\n"
		"1 blocked 7500000 blocked, uninterruptible\n"
		"2 io 7500000 read of 4.0 KiB, device 8,0, sector 200, 8.0 ms in all\n"
		"2 waker-irq 0 woken by interrupt 24 on CPU 1 at 0.009000\n");
	free(got);
	check_summary(&s, &of_request, "read of 4.0 KiB, device 8,0, sector 200, took 8.0 ms: the "
		      "device completed nothing for 6.5 ms; <...>:42 slept 7.5 ms: read of 4.0 KiB, "
		      "device 8,0, sector 200, woken by interrupt 24");
}

int main(void)
{
	return RUN(unit(a_wait_is_summed_up_by_the_users_of_the_cpu),
		   unit(a_sleep_is_summed_up_by_its_wakers),
		   unit(many_short_sleeps_have_no_reason_in_common),
		   unit(a_cpu_is_summed_up_by_its_activity),
		   unit(before_it_exists_a_task_waits_for_its_parent),
		   unit(a_sleep_that_began_long_before_is_found),
		   unit(it_is_said_how_far_back_was_read),
		   unit(a_request_names_its_device_and_the_activity_of_its_task));
}
