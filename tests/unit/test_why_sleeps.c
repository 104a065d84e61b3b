/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_why_sleeps.c - the purpose and the end of sleeps: locks, requests, timers, chains */
#include <stdlib.h>
#include <string.h>

#include "kt_scene.h"
#include "kt_test.h"

/* ---- locks ---- */

/* The owner of a mutex sleeps for 4 ms while the task waits for it. */
static void wait_for_mutex(struct scene *s)
{
	run_next(s, 0, 100 * US, HOG, RUNS, APP);
	run_next(s, 1, 100 * US, 0, RUNS, OTHER);
	run_next(s, 1, 500 * US, OTHER, SLEEPS, 0);
	put(s, 0, 1000 * US, LOCK_BEGIN, APP, 0xffff880012345678, 0x21, 0);
	put(s, 0, 1100 * US, LOCK_BEGIN, APP, 0xffff880012345678, 0x20, 0);
	run_next(s, 0, 1200 * US, APP, DISK, HOG);
	wake(s, 2, 5000 * US, 0, OTHER, 1);
	run_next(s, 1, 5300 * US, 0, RUNS, OTHER);
	wake(s, 1, 6000 * US, OTHER, APP, 0);
	run_next(s, 0, 6100 * US, HOG, RUNS, APP);
	put(s, 0, 6110 * US, LOCK_END, APP, 0xffff880012345678, 0, 0);
	run_next(s, 0, 7000 * US, APP, SLEEPS, HOG);
	run_next(s, 1, 7000 * US, OTHER, SLEEPS, 0);
}

TEST(a_mutex_names_the_task_that_released_it_and_what_kept_that)
{
	struct scene s = { .nr = 0 };

	wait_for_mutex(&s);
	scene_check(&s, 900 * US, 7000 * US,
	      "0 ran 300000 ran on CPU 0, until 0.001200\n"
	      "1 spun 200000 <...>:42 spun for mutex 0xffff880012345678\n"
	      "0 blocked 4800000 blocked, uninterruptible, until 0.006000\n"
	      "1 lock 0 slept for mutex 0xffff880012345678, 5.1 ms until it had it\n"
	      "1 waker 0 woken by <...>:60 on CPU 1 at 0.006000, which released it\n"
	      "2 hop 0 itself woken at 0.005000; it waited 300 us for CPUs, ran 700 us\n"
	      "2 blocked 3800000 blocked, interruptible\n"
	      "3 waker 0 woken by <idle>:0 on CPU 2 at 0.005000\n"
	      "2 waited 300000 woken, waited for CPU 1\n"
	      "3 idle 300000 CPU 1 was between an idle state and a task\n"
	      "2 ran 700000 ran on CPU 1\n"
	      "0 waited 100000 woken, waited for CPU 0, until 0.006100\n"
	      "1 holder 100000 <...>:50 ran there\n"
	      "0 ran 900000 ran on CPU 0, until 0.007000\n"
	      "missing -T\n");
}

TEST(a_spinlock_has_its_part_of_the_time_on_a_cpu)
{
	struct scene s = { .nr = 0 };

	run_next(&s, 0, 100 * US, HOG, RUNS, APP);
	put(&s, 0, 1000 * US, LOCK_BEGIN, APP, 0xffff880000000010, 0x01, 0);
	put(&s, 0, 1100 * US, IRQ_ENTRY, APP, 7, 0, 0);
	put(&s, 0, 1150 * US, IRQ_EXIT, APP, 7, 1, 0);
	put(&s, 0, 1400 * US, LOCK_END, APP, 0xffff880000000010, 0, 0);
	run_next(&s, 0, 2000 * US, APP, SLEEPS, HOG);
	scene_check(&s, 900 * US, 2000 * US,
	      "0 ran 1100000 ran on CPU 0, until 0.002000\n"
	      "1 spun 350000 <...>:42 spun for spinlock 0xffff880000000010\n"
	      "1 irq 50000 interrupt 7\n");
}

TEST(a_task_that_spins_where_another_waits_is_said_to_spin)
{
	struct scene s = { .nr = 0 };

	run_next(&s, 0, 100 * US, APP, SLEEPS, HOG);
	wake(&s, 0, 1000 * US, HOG, APP, 0);
	put(&s, 0, 1500 * US, LOCK_BEGIN, HOG, 0xffff880000000010, 0x01, 0);
	put(&s, 0, 2500 * US, LOCK_END, HOG, 0xffff880000000010, 0, 0);
	run_next(&s, 0, 3000 * US, HOG, RUNS, APP);
	run_next(&s, 0, 3500 * US, APP, SLEEPS, HOG);
	scene_check(&s, 1000 * US, 3500 * US,
	      "0 waited 2000000 woken, waited for CPU 0, until 0.003000\n"
	      "1 holder 1000000 <...>:50 ran there\n"
	      "1 spun 1000000 <...>:50 spun for spinlock 0xffff880000000010\n"
	      "0 ran 500000 ran on CPU 0, until 0.003500\n");
}

TEST(a_futex_is_named_with_the_system_call)
{
	struct scene s = { .nr = 0 };

	run_next(&s, 0, 100 * US, HOG, RUNS, APP);
	put(&s, 0, 200 * US, FUTEX, APP, 202, 0x7f0012345678, 0x80);
	run_next(&s, 0, 1000 * US, APP, SLEEPS, HOG);
	wake(&s, 0, 3000 * US, HOG, APP, 0);
	run_next(&s, 0, 3100 * US, HOG, RUNS, APP);
	put(&s, 0, 3200 * US, FUTEX_EXIT, APP, 202, 0, 0);
	run_next(&s, 0, 4000 * US, APP, SLEEPS, HOG);
	scene_check(&s, 1000 * US, 3100 * US,
	      "0 blocked 2000000 blocked, interruptible, system call futex, until 0.003000\n"
	      "1 futex 0 slept on futex 0x7f0012345678, wait\n"
	      "1 waker 0 woken by <...>:50 on CPU 0 at 0.003000\n"
	      "2 ran 2000000 ran on CPU 0\n"
	      "0 waited 100000 woken, waited for CPU 0, until 0.003100\n"
	      "1 holder 100000 <...>:50 ran there\n");
}

/* ---- block I/O ---- */

#define DISK_DEV (8ull << 20 | 16)

static void complete(struct scene *s, int cpu, uint64_t ts, uint64_t sector)
{
	struct happening *h = put(s, cpu, ts, COMPLETE, 0, DISK_DEV, sector, 16);

	h->flags = SOFTIRQ;
	memcpy(&h->values[4], "RA\0\0\0\0\0", 8);
}

/* 1 ms in the queue, 3 ms in the device; the softirq wakes the task 20 us later */
static void wait_for_disk(struct scene *s)
{
	run_next(s, 0, 100 * US, HOG, RUNS, APP);
	run_next(s, 1, 100 * US, HOG, RUNS, 0);
	put(s, 0, 900 * US, INSERT, APP, DISK_DEV, 4096, 16);
	run_next(s, 0, 1000 * US, APP, DISK, HOG);
	put(s, 0, 1900 * US, ISSUE, HOG, DISK_DEV, 4096, 16);
	put(s, 1, 4890 * US, SOFT_ENTRY, 0, 4, 0, 0);
	complete(s, 1, 4900 * US, 4096);
	put(s, 1, 4920 * US, WAKING, 0, APP, 120, 0)->flags = SOFTIRQ;
	put(s, 1, 4950 * US, SOFT_EXIT, 0, 4, 0, 0);
	run_next(s, 0, 5000 * US, HOG, RUNS, APP);
	run_next(s, 0, 6000 * US, APP, SLEEPS, HOG);
	run_next(s, 1, 6000 * US, 0, RUNS, HOG);
}

TEST(a_request_has_its_time_in_the_queue_and_in_the_device)
{
	struct scene s = { .nr = 0 };

	wait_for_disk(&s);
	scene_check(&s, 1000 * US, 5000 * US,
	      "0 blocked 3920000 blocked, uninterruptible, until 0.004920\n"
	      "1 io-queued 900000 in the queue of device 8,16, 1.0 ms in all\n"
	      "1 io 3000000 read of 8.0 KiB, device 8,16, sector 4096\n"
	      "1 waker-softirq 0 woken by softirq BLOCK on CPU 1 at 0.004920\n"
	      "0 waited 80000 woken, waited for CPU 0, until 0.005000\n"
	      "1 holder 80000 <...>:50 ran there\n");
}

TEST(a_request_that_was_completed_in_another_interrupt_is_not_the_reason)
{
	struct scene s = { .nr = 0 };

	run_next(&s, 0, 100 * US, HOG, RUNS, APP);
	run_next(&s, 1, 100 * US, HOG, RUNS, 0);
	put(&s, 0, 900 * US, ISSUE, APP, DISK_DEV, 4096, 16);
	run_next(&s, 0, 1000 * US, APP, DISK, HOG);
	put(&s, 1, 2000 * US, SOFT_ENTRY, 0, 4, 0, 0);
	complete(&s, 1, 2010 * US, 4096);
	put(&s, 1, 2020 * US, SOFT_EXIT, 0, 4, 0, 0);
	put(&s, 1, 2030 * US, SOFT_ENTRY, 0, 1, 0, 0);
	put(&s, 1, 2040 * US, WAKING, 0, APP, 120, 0)->flags = SOFTIRQ;
	put(&s, 1, 2050 * US, SOFT_EXIT, 0, 1, 0, 0);
	run_next(&s, 0, 3000 * US, HOG, RUNS, APP);
	run_next(&s, 1, 3000 * US, 0, RUNS, HOG);
	scene_check(&s, 1000 * US, 3000 * US,
	      "0 blocked 1040000 blocked, uninterruptible, until 0.002040\n"
	      "1 waker-softirq 0 woken by softirq TIMER on CPU 1 at 0.002040\n"
	      "0 waited 960000 woken, waited for CPU 0, until 0.003000\n"
	      "1 holder 960000 <...>:50 ran there\n"
	      "missing -T\n");
}

TEST(without_events_of_block_devices_they_are_named)
{
	struct scene s = { .without = WITHOUT(INSERT) | WITHOUT(ISSUE) | WITHOUT(COMPLETE) };

	wait_for_disk(&s);
	scene_check(&s, 1000 * US, 5000 * US,
	      "0 blocked 3920000 blocked, uninterruptible, until 0.004920\n"
	      "1 waker-softirq 0 woken by softirq BLOCK on CPU 1 at 0.004920\n"
	      "0 waited 80000 woken, waited for CPU 0, until 0.005000\n"
	      "1 holder 80000 <...>:50 ran there\n"
	      "missing -e block\n"
	      "missing -T\n");
}

/* ---- timers ---- */

/* A sleep of 5 ms, by the timer's clock, which is 1 s ahead; it expires 60 us late. */
static void sleep_for_5_ms(struct scene *s)
{
	run_next(s, 0, 100 * US, HOG, RUNS, APP);
	put(s, 0, 1000 * US, TIMER_START, APP, 0xffff1000, 0xffffffff81001000,
	    1006000 * US);
	run_next(s, 0, 1010 * US, APP, SLEEPS, 0);
	put(s, 0, 6055 * US, VECTOR, 0, 236, 0, 0)->flags = HARDIRQ;
	put(s, 0, 6060 * US, EXPIRE, 0, 0xffff1000, 1006060 * US, 0xffffffff81001000)->flags =
		HARDIRQ;
	put(s, 0, 6065 * US, WAKING, 0, APP, 120, 0)->flags = HARDIRQ;
	put(s, 0, 6070 * US, EXPIRE_EXIT, 0, 0xffff1000, 0, 0)->flags = HARDIRQ;
	put(s, 0, 6075 * US, VECTOR_EXIT, 0, 236, 0, 0)->flags = HARDIRQ;
	run_next(s, 0, 6080 * US, 0, RUNS, APP);
	run_next(s, 0, 7000 * US, APP, SLEEPS, 0);
}

TEST(a_timer_has_its_duration_and_its_lateness)
{
	struct scene s = { .nr = 0 };

	sleep_for_5_ms(&s);
	scene_check(&s, 1010 * US, 6065 * US,
	      "0 blocked 5055000 blocked, interruptible, until 0.006065\n"
	      "1 timer 0 a timer expired: 0xffffffff81001000, set for 5.0 ms, 60.0 us late\n"
	      "1 waker-irq 0 woken by interrupt local_timer on CPU 0 at 0.006065\n");
}

TEST(a_timer_whose_start_was_not_recorded_has_no_lateness)
{
	struct scene s = { .without = WITHOUT(TIMER_START) | WITHOUT(VECTOR) |
				      WITHOUT(VECTOR_EXIT) };

	sleep_for_5_ms(&s);
	scene_check(&s, 1010 * US, 6065 * US,
	      "0 blocked 5055000 blocked, interruptible, until 0.006065\n"
	      "1 timer 0 a timer expired: 0xffffffff81001000\n"
	      "1 waker-irq 0 woken by an interrupt on CPU 0 at 0.006065\n");
}

TEST(a_timer_whose_end_is_not_recorded_explains_nothing)
{
	struct scene s = { .without = WITHOUT(EXPIRE_EXIT) };

	sleep_for_5_ms(&s);
	scene_check(&s, 1010 * US, 6065 * US,
	      "0 blocked 5055000 blocked, interruptible, until 0.006065\n"
	      "1 waker-irq 0 woken by interrupt local_timer on CPU 0 at 0.006065\n"
	      "missing -T\n");
}

TEST(without_events_of_timers_an_interrupt_is_all_that_is_known)
{
	struct scene s = { .without = WITHOUT(EXPIRE) | WITHOUT(EXPIRE_EXIT) |
				      WITHOUT(TIMER_START) | WITHOUT(VECTOR) |
				      WITHOUT(VECTOR_EXIT) };

	sleep_for_5_ms(&s);
	scene_check(&s, 1010 * US, 6065 * US,
	      "0 blocked 5055000 blocked, interruptible, until 0.006065\n"
	      "1 waker-irq 0 woken by an interrupt on CPU 0 at 0.006065\n"
	      "missing -e timer\n"
	      "missing -T\n");
}

/* ---- chains ---- */

/* A timer wakes THIRD, that OTHER through a pipe, that the task; each waits for its CPU. */
TEST(each_hop_of_a_chain_has_its_own_delay)
{
	struct scene s = { .nr = 0 };

	run_next(&s, 0, 100 * US, HOG, RUNS, APP);
	run_next(&s, 1, 100 * US, OTHER, SLEEPS, HOG);
	run_next(&s, 2, 100 * US, THIRD, SLEEPS, 0);
	run_next(&s, 0, 1000 * US, APP, SLEEPS, HOG);
	put(&s, 2, 2000 * US, IRQ_ENTRY, 0, 9, 0, 0);
	put(&s, 2, 2010 * US, WAKING, 0, THIRD, 120, 2)->flags = HARDIRQ;
	put(&s, 2, 2020 * US, IRQ_EXIT, 0, 9, 1, 0);
	run_next(&s, 2, 2110 * US, 0, RUNS, THIRD);
	wake(&s, 2, 3110 * US, THIRD, OTHER, 1);
	run_next(&s, 2, 3200 * US, THIRD, SLEEPS, 0);
	run_next(&s, 1, 5110 * US, HOG, RUNS, OTHER);
	wake(&s, 1, 5510 * US, OTHER, APP, 0);
	run_next(&s, 0, 5600 * US, HOG, RUNS, APP);
	run_next(&s, 1, 6000 * US, OTHER, SLEEPS, HOG);
	run_next(&s, 0, 7000 * US, APP, SLEEPS, HOG);
	scene_check(&s, 1000 * US, 5600 * US,
	      "0 blocked 4510000 blocked, interruptible, until 0.005510\n"
	      "1 waker 0 woken by <...>:60 on CPU 1 at 0.005510\n"
	      "2 hop 0 itself woken at 0.003110; it waited 2.0 ms for CPUs, ran 400 us\n"
	      "2 blocked 2110000 blocked, interruptible\n"
	      "3 waker 0 woken by <...>:70 on CPU 2 at 0.003110\n"
	      "4 hop 0 itself woken at 0.002010; it waited 100 us for CPUs, ran 1.0 ms\n"
	      "4 blocked 1010000 blocked, interruptible\n"
	      "5 waker-irq 0 woken by interrupt 9 on CPU 2 at 0.002010\n"
	      "4 waited 100000 woken, waited for CPU 2\n"
	      "5 idle 90000 CPU 2 was between an idle state and a task\n"
	      "5 irq 10000 interrupt 9\n"
	      "4 ran 1000000 ran on CPU 2\n"
	      "2 waited 2000000 woken, waited for CPU 1\n"
	      "3 holder 2000000 <...>:50 ran there\n"
	      "2 ran 400000 ran on CPU 1\n"
	      "0 waited 90000 woken, waited for CPU 0, until 0.005600\n"
	      "1 holder 90000 <...>:50 ran there\n"
	      "missing -T\n");
}

int main(void)
{
	return RUN(unit(a_mutex_names_the_task_that_released_it_and_what_kept_that),
		   unit(a_spinlock_has_its_part_of_the_time_on_a_cpu),
		   unit(a_task_that_spins_where_another_waits_is_said_to_spin),
		   unit(a_futex_is_named_with_the_system_call),
		   unit(a_request_has_its_time_in_the_queue_and_in_the_device),
		   unit(a_request_that_was_completed_in_another_interrupt_is_not_the_reason),
		   unit(without_events_of_block_devices_they_are_named),
		   unit(a_timer_has_its_duration_and_its_lateness),
		   unit(a_timer_whose_start_was_not_recorded_has_no_lateness),
		   unit(a_timer_whose_end_is_not_recorded_explains_nothing),
		   unit(without_events_of_timers_an_interrupt_is_all_that_is_known),
		   unit(each_hop_of_a_chain_has_its_own_delay));
}
