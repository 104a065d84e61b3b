/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_why_causes.c - reasons of waits for a CPU: idle states, moves, other tasks */
#include <stdlib.h>
#include <string.h>

#include "kt_scene.h"
#include "kt_test.h"

/* ---- idle states ---- */

static void sleep_beside_idle_cpu(struct scene *s)
{
	run_next(s, 1, 100 * US, HOG, RUNS, APP);
	run_next(s, 1, 200 * US, APP, SLEEPS, 0);
	put(s, 1, 210 * US, IDLE, 0, 3, 1, 0);
	wake(s, 0, 1000 * US, OTHER, APP, 1);
	put(s, 1, 1085 * US, IDLE, 0, NOT_IDLE, 1, 0);
	run_next(s, 1, 1100 * US, 0, RUNS, APP);
	run_next(s, 1, 1200 * US, APP, SLEEPS, 0);
}

TEST(the_idle_state_that_a_cpu_had_to_leave_is_reported)
{
	struct scene s = { .nr = 0 };

	sleep_beside_idle_cpu(&s);
	scene_check(&s, 1000 * US, 1200 * US,
	      "0 waited 100000 woken, waited for CPU 1, until 0.001100\n"
	      "1 idle 85000 CPU 1 was idle (state 3), left it after 85.0 us\n"
	      "1 idle 15000 CPU 1 was between an idle state and a task\n"
	      "0 ran 100000 ran on CPU 1, until 0.001200\n");
}

TEST(without_cpu_idle_it_says_less_and_what_to_record)
{
	struct scene s = { .without = WITHOUT(IDLE) };

	sleep_beside_idle_cpu(&s);
	scene_check(&s, 1000 * US, 1200 * US,
	      "0 waited 100000 woken, waited for CPU 1, until 0.001100\n"
	      "1 idle 100000 CPU 1 was idle, or on its way out of it\n"
	      "0 ran 100000 ran on CPU 1, until 0.001200\n"
	      "missing -e power:cpu_idle\n");
}

TEST(an_interrupt_in_an_idle_state_has_its_own_time)
{
	struct scene s = { .nr = 0 };

	run_next(&s, 1, 100 * US, APP, SLEEPS, 0);
	put(&s, 1, 110 * US, IDLE, 0, 1, 1, 0);
	put(&s, 1, 500 * US, IRQ_ENTRY, 0, 9, 0, 0);
	put(&s, 1, 510 * US, WAKING, 0, APP, 120, 1)->flags = HARDIRQ;
	put(&s, 1, 530 * US, IRQ_EXIT, 0, 9, 1, 0);
	put(&s, 1, 540 * US, IDLE, 0, NOT_IDLE, 1, 0);
	run_next(&s, 1, 550 * US, 0, RUNS, APP);
	run_next(&s, 1, 600 * US, APP, SLEEPS, 0);
	scene_check(&s, 510 * US, 600 * US,
	      "0 waited 40000 woken, waited for CPU 1, until 0.000550\n"
	      "1 irq 20000 interrupt 9\n"
	      "1 idle 10000 CPU 1 was idle (state 1), left it after 30.0 us\n"
	      "1 idle 10000 CPU 1 was between an idle state and a task\n"
	      "0 ran 50000 ran on CPU 1, until 0.000600\n");
}

/* ---- moves ---- */

/* It waits 3 ms on CPU 0, where another task runs, then 1 ms on CPU 2. */
static void wait_on_two_cpus(struct scene *s)
{
	run_next(s, 0, 100 * US, APP, SLEEPS, HOG);
	run_next(s, 2, 100 * US, THIRD, RUNS, OTHER);
	wake(s, 0, 1000 * US, HOG, APP, 0);
	put(s, 2, 4000 * US, MOVE, OTHER, APP, 0, 2);
	run_next(s, 2, 5000 * US, OTHER, SLEEPS, APP);
	run_next(s, 2, 6000 * US, APP, SLEEPS, OTHER);
	run_next(s, 0, 7000 * US, HOG, SLEEPS, 0);
}

TEST(the_time_before_a_move_belongs_to_the_cpu_before)
{
	struct scene s = { .nr = 0 };

	wait_on_two_cpus(&s);
	scene_check(&s, 1000 * US, 6000 * US,
	      "0 waited 3000000 woken, waited for CPU 0, until 0.004000\n"
	      "1 holder 3000000 <...>:50 ran there\n"
	      "0 waited 1000000 moved from CPU 0 to CPU 2, waited there, until 0.005000\n"
	      "1 holder 1000000 <...>:60 ran there\n"
	      "0 ran 1000000 ran on CPU 2, until 0.006000\n");
}

TEST(a_task_may_be_moved_twice_and_back)
{
	struct scene s = { .nr = 0 };

	run_next(&s, 0, 100 * US, APP, SLEEPS, HOG);
	run_next(&s, 2, 100 * US, THIRD, RUNS, OTHER);
	wake(&s, 0, 1000 * US, HOG, APP, 0);
	put(&s, 2, 2000 * US, MOVE, OTHER, APP, 0, 2);
	put(&s, 0, 4000 * US, MOVE, HOG, APP, 2, 0);
	run_next(&s, 0, 5000 * US, HOG, SLEEPS, APP);
	run_next(&s, 2, 6000 * US, OTHER, SLEEPS, 0);
	scene_check(&s, 1000 * US, 5000 * US,
	      "0 waited 1000000 woken, waited for CPU 0, until 0.002000\n"
	      "1 holder 1000000 <...>:50 ran there\n"
	      "0 waited 2000000 moved from CPU 0 to CPU 2, waited there, until 0.004000\n"
	      "1 holder 2000000 <...>:60 ran there\n"
	      "0 waited 1000000 moved from CPU 2 to CPU 0, waited there, until 0.005000\n"
	      "1 holder 1000000 <...>:50 ran there\n");
}

TEST(a_move_that_was_not_recorded_is_not_guessed)
{
	struct scene s = { .without = WITHOUT(MOVE) };

	wait_on_two_cpus(&s);
	scene_check(&s, 1000 * US, 6000 * US,
	      "0 waited 4000000 woken, waited for a CPU, until 0.005000\n"
	      "1 moved 0 queued on CPU 0, ran on CPU 2: when it was moved is not recorded\n"
	      "0 ran 1000000 ran on CPU 2, until 0.006000\n"
	      "missing -e sched:sched_migrate_task\n");
}

TEST(a_waker_may_place_the_task_on_another_cpu)
{
	struct scene s = { .nr = 0 };

	run_next(&s, 0, 100 * US, APP, SLEEPS, HOG);
	run_next(&s, 2, 100 * US, THIRD, RUNS, OTHER);
	put(&s, 0, 1000 * US, WAKING, HOG, APP, 120, 0);
	put(&s, 0, 1002 * US, MOVE, HOG, APP, 0, 2);
	put(&s, 2, 1005 * US, WAKEUP, OTHER, APP, 120, 2);
	run_next(&s, 2, 2000 * US, OTHER, RUNS, APP);
	run_next(&s, 2, 3000 * US, APP, SLEEPS, OTHER);
	scene_check(&s, 500 * US, 3000 * US,
	      "0 blocked 500000 blocked, interruptible, until 0.001000\n"
	      "1 waker 0 woken by <...>:50 on CPU 0 at 0.001000\n"
	      "2 ran 500000 ran on CPU 0\n"
	      "0 waited 1000000 woken, moved from CPU 0 to CPU 2, waited there, until 0.002000\n"
	      "1 holder 1000000 <...>:60 ran there\n"
	      "0 ran 1000000 ran on CPU 2, until 0.003000\n"
	      "missing -T\n");
}

/* ---- ends that are not recorded ---- */

TEST(a_state_that_lasts_beyond_the_interval_reaches_its_end)
{
	struct scene s = { .nr = 0 };

	run_next(&s, 0, 100 * US, APP, SLEEPS, HOG);
	wake(&s, 0, 1000 * US, HOG, APP, 0);
	run_next(&s, 0, 9000 * US, HOG, SLEEPS, APP);
	scene_check(&s, 1000 * US, 5000 * US,
	      "0 waited 4000000 woken, waited for CPU 0, until 0.005000\n"
	      "1 holder 4000000 <...>:50 ran there\n");
}

/* Its sleep began before the part that was read: only the wakeup is known. */
TEST(a_wait_is_one_from_waking_to_running)
{
	struct scene s = { .nr = 0 };

	run_next(&s, 1, 100 * US, OTHER, SLEEPS, HOG);
	put(&s, 0, 1000 * US, WAKING, 0, APP, 120, 0);
	put(&s, 1, 1200 * US, WAKEUP, HOG, APP, 120, 1);
	run_next(&s, 1, 2000 * US, HOG, RUNS, APP);
	run_next(&s, 1, 3000 * US, APP, SLEEPS, HOG);
	scene_check(&s, 1000 * US, 3000 * US,
	      "0 waited 1000000 woken, waited for CPU 1, until 0.002000\n"
	      "1 holder 1000000 <...>:50 ran there\n"
	      "0 ran 1000000 ran on CPU 1, until 0.003000\n");
}

/* On a real-time kernel OTHER executes a softirq, is preempted in it, and HOG wakes the task. */
TEST(a_softirq_that_was_preempted_has_neither_the_time_nor_the_wakeup_of_others)
{
	struct scene s = { .nr = 0 };

	run_next(&s, 0, 100 * US, HOG, RUNS, APP);
	run_next(&s, 1, 100 * US, HOG, RUNS, OTHER);
	run_next(&s, 0, 1000 * US, APP, SLEEPS, 0);
	put(&s, 1, 1500 * US, SOFT_ENTRY, OTHER, 3, 0, 0);
	run_next(&s, 1, 2000 * US, OTHER, RUNS, HOG);
	wake(&s, 1, 3000 * US, HOG, APP, 1);
	run_next(&s, 1, 5000 * US, HOG, SLEEPS, OTHER);
	put(&s, 1, 5500 * US, SOFT_EXIT, OTHER, 3, 0, 0);
	run_next(&s, 1, 6000 * US, OTHER, SLEEPS, APP);
	run_next(&s, 1, 7000 * US, APP, SLEEPS, HOG);
	scene_check(&s, 1000 * US, 7000 * US,
	      "0 blocked 2000000 blocked, interruptible, until 0.003000\n"
	      "1 waker 0 woken by <...>:50 on CPU 1 at 0.003000\n"
	      "2 preempted 1000000 preempted, waited for CPU 1\n"
	      "3 holder 500000 <...>:60 ran there\n"
	      "3 softirq 500000 softirq NET_RX\n"
	      "2 ran 1000000 ran on CPU 1\n"
	      "0 waited 3000000 woken, waited for CPU 1, until 0.006000\n"
	      "1 holder 2000000 <...>:50 ran there\n"
	      "1 holder 1000000 <...>:60 ran there\n"
	      "0 ran 1000000 ran on CPU 1, until 0.007000\n"
	      "missing -T\n");
}

/* ---- any order of events ---- */

static uint64_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return *state >> 33;
}

/* Random events on three CPUs: small numbers, so that some match, and others match nothing */
static void put_anything(struct scene *s, uint64_t *seed, size_t nr)
{
	static const uint64_t odd[] = { 0, 3, UINT64_MAX, 0xffffffff, 65536, 1ull << 62 };
	static const int pids[] = { 0, APP, HOG, OTHER, THIRD };
	uint64_t ts = 1000, v[5];
	size_t i, k;
	int id;

	for (i = 0; i < nr; i++) {
		ts += next_random(seed) % 50;
		for (k = 0; k < 5; k++) {
			v[k] = (uint64_t)pids[next_random(seed) % 5];
			if (next_random(seed) % 3 == 0)
				v[k] = next_random(seed) % 4;
			if (next_random(seed) % 20 == 0)
				v[k] = odd[next_random(seed) % 6];
		}
		id = SWITCH + (int)(next_random(seed) % (SCENE_IDS - SWITCH));
		put(s, (int)(next_random(seed) % 3), ts, id, pids[next_random(seed) % 5],
		    v[0], v[1], v[2])->flags = (uint8_t)(next_random(seed) % 4 << 3);
		s->at[s->nr - 1].values[3] = v[3];
		s->at[s->nr - 1].values[4] = v[4];
	}
}

TEST(parts_never_exceed_what_they_are_parts_of)
{
	struct kt_why_opts o = { .pid = APP };
	uint64_t seed = 15;
	size_t i;

	for (i = 0; i < 1000; i++) {
		struct scene s = { .nr = 0 };

		put_anything(&s, &seed, 20 + next_random(&seed) % 200);
		o.by_cpu = i % 4 == 3;
		o.cpu = (int)(i % 3);
		o.from = 500 + next_random(&seed) % 2000;
		o.until = o.from + 1 + next_random(&seed) % 4000;
		free(scene_explain(&s, &o));
	}
}

TEST(what_a_cpu_did_adds_up_to_the_interval)
{
	struct scene s = { .nr = 0 };
	char *got;

	run_next(&s, 1, 100 * US, HOG, RUNS, APP);
	put(&s, 1, 1000 * US, IRQ_ENTRY, APP, 7, 0, 0);
	put(&s, 1, 1400 * US, IRQ_EXIT, APP, 7, 1, 0);
	put(&s, 1, 1400 * US, SOFT_ENTRY, APP, 3, 0, 0);
	put(&s, 1, 1500 * US, IRQ_ENTRY, APP, 7, 0, 0);
	put(&s, 1, 1600 * US, IRQ_EXIT, APP, 7, 1, 0);
	put(&s, 1, 2000 * US, SOFT_EXIT, APP, 3, 0, 0);
	run_next(&s, 1, 3000 * US, APP, SLEEPS, HOG);
	got = scene_explain(&s, &(struct kt_why_opts){ .by_cpu = true, .cpu = 1,
								  .from = 1000 * US,
								  .until = 2500 * US });
	assert_string_equal(got, "0 holder 500000 <...>:42 ran there\n"
				 "0 irq 500000 interrupt 7 (2 times)\n"
				 "0 softirq 500000 softirq NET_RX\n");
	free(got);
}

int main(void)
{
	return RUN(unit(the_idle_state_that_a_cpu_had_to_leave_is_reported),
		   unit(without_cpu_idle_it_says_less_and_what_to_record),
		   unit(an_interrupt_in_an_idle_state_has_its_own_time),
		   unit(the_time_before_a_move_belongs_to_the_cpu_before),
		   unit(a_task_may_be_moved_twice_and_back),
		   unit(a_move_that_was_not_recorded_is_not_guessed),
		   unit(a_waker_may_place_the_task_on_another_cpu),
		   unit(a_state_that_lasts_beyond_the_interval_reaches_its_end),
		   unit(a_wait_is_one_from_waking_to_running),
		   unit(a_softirq_that_was_preempted_has_neither_the_time_nor_the_wakeup_of_others),
		   unit(parts_never_exceed_what_they_are_parts_of),
		   unit(what_a_cpu_did_adds_up_to_the_interval));
}
