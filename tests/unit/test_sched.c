/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sched.c - tasks, waits and run queues, in traces whose answers are known */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ktrail/analysis.h>

#include "base/str.h"
#include "kt_reading.h"
#include "kt_test.h"

enum { SWITCH = 20, WAKEUP, WAKING, MIGRATE };
enum { RUNS = 0, SLEEPS = 1, BLOCKED = 2, A = 42, B = 50, C = 60 };

static struct kt_dat *begin_file(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });

	kt_dat_numbers(d, "sched", "sched_switch", 20, "prev_pid prev_state next_pid next_prio");
	kt_dat_numbers(d, "sched", "sched_wakeup", 21, "pid prio target_cpu");
	kt_dat_numbers(d, "sched", "sched_waking", 22, "pid prio target_cpu");
	kt_dat_numbers(d, "sched", "sched_migrate_task", 23, "pid orig_cpu dest_cpu");
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	return d;
}

static void run_next(struct kt_dat *d, uint64_t ts, int prev, int state, int next)
{
	kt_dat_put(d, ts, SWITCH, prev, (uint64_t)prev, (uint64_t)state, (uint64_t)next);
}

/* @by wakes @pid, for the queue of CPU @cpu. */
static void wake(struct kt_dat *d, uint64_t ts, int id, int by, int pid, int cpu)
{
	kt_dat_put(d, ts, id, by, (uint64_t)pid, 120, (uint64_t)cpu);
}

struct suite {
	struct kt_trace *trace;
	struct kt_sched *sched;
};

static struct suite run_suite(struct kt_dat *d, const struct kt_sched_opts *o,
			      const struct kt_pass_opts *pass)
{
	struct suite s = { .trace = kt_dat_trace(d) };
	struct kt_err err = { 0 };

	s.sched = kt_sched_create(s.trace, o, &err);
	CHECK_NO_ERR(&err);
	kt_pass(s.trace, kt_sched_analysis(s.sched), pass);
	return s;
}

static void end_suite(struct suite *s)
{
	kt_sched_destroy(s->sched);
	kt_trace_destroy(s->trace);
}

static struct kt_sched_task task_of(const struct suite *s, int pid)
{
	struct kt_sched_task t;
	size_t i;

	for (i = 0; kt_sched_task(s->sched, i, &t); i++)
		if (t.pid == pid)
			return t;
	fail_msg("no task %d", pid);
	return t;
}

static struct kt_sched_cpu cpu_of(const struct suite *s, size_t i)
{
	struct kt_sched_cpu c;

	assert_true(kt_sched_cpu(s->sched, i, &c));
	return c;
}

TEST(a_task_runs_sleeps_and_waits)
{
	struct kt_dat *d = begin_file();
	struct kt_sched_task t;
	struct suite s;

	run_next(d, 1000, 0, RUNS, A);			/* first seen: no delay */
	run_next(d, 3000, A, SLEEPS, 0);		/* ran 2000 */
	wake(d, 7000, WAKING, 0, A, 0);			/* slept 4000 */
	wake(d, 7100, WAKEUP, 0, A, 0);
	run_next(d, 7500, 0, RUNS, A);			/* waited 500: from the first of both */
	run_next(d, 11500, A, RUNS, B);			/* ran 4000, preempted */
	run_next(d, 12000, B, BLOCKED, A);		/* waited 500 */
	run_next(d, 18000, A, BLOCKED, 0);		/* ran 6000 */
	wake(d, 18700, WAKING, 0, A, 0);		/* blocked 700 */
	run_next(d, 20700, 0, RUNS, A);			/* waited 2000; its end is not there */
	s = run_suite(d, &(struct kt_sched_opts){ 0 }, NULL);
	t = task_of(&s, A);
	assert_int_equal(t.nr_switches, 4);
	assert_int_equal(t.nr_runs, 3);
	assert_int_equal(t.run_ns, 12000);
	assert_int_equal(t.run_min, 2000);
	assert_int_equal(t.run_max, 6000);
	/* Standard deviation 2000, of the average of three 1155, which is 28.9 % of 4000 */
	assert_true(t.run_error > 0.2886 && t.run_error < 0.2888);
	assert_int_equal(t.nr_delays, 3);
	assert_int_equal(t.delay_ns, 3000);
	assert_int_equal(t.delay_max, 2000);
	assert_int_equal(t.delay_from, 18700);
	assert_int_equal(t.delay_until, 20700);
	assert_int_equal(t.delay_p99, 2000);
	assert_int_equal(t.preempted_ns, 500);
	assert_int_equal(t.sleep_ns, 4000);
	assert_int_equal(t.blocked_ns, 700);
	assert_int_equal(t.nr_moves, 0);
	assert_int_equal(t.lost, 0);
	assert_int_equal(t.ends, 1);
	assert_int_equal(cpu_of(&s, 0).busy_ns, 12500);
	assert_int_equal(cpu_of(&s, 0).idle_ns, 4500 + 2700);
	assert_int_equal(kt_sched_ns(s.sched), 19700);
	end_suite(&s);
}

TEST(a_task_that_is_woken_while_running_does_not_wait)
{
	struct kt_dat *d = begin_file();
	struct kt_sched_task t;
	struct suite s;

	run_next(d, 1000, 0, RUNS, A);
	wake(d, 2000, WAKING, A, A, 0);			/* it had not yet slept */
	run_next(d, 9000, A, RUNS, B);
	run_next(d, 9500, B, SLEEPS, A);		/* preempted 500, did not wait 7500 */
	wake(d, 9900, WAKING, A, A, 0);			/* by another CPU, just before … */
	run_next(d, 10000, A, SLEEPS, 0);		/* … it is off this one */
	run_next(d, 10300, 0, RUNS, A);			/* waited 300 */
	run_next(d, 10400, A, SLEEPS, 0);
	s = run_suite(d, &(struct kt_sched_opts){ 0 }, NULL);
	t = task_of(&s, A);
	assert_int_equal(t.nr_delays, 2);
	assert_int_equal(t.delay_ns, 800);
	assert_int_equal(t.delay_max, 500);
	end_suite(&s);
}

TEST(percentiles_are_those_of_all_delays)
{
	struct kt_dat *d = begin_file();
	struct kt_sched_task t;
	uint64_t ts = 1000000, i;
	struct suite s;

	run_next(d, ts, A, SLEEPS, 0);
	for (i = 1; i <= 200; i++) {			/* 200 of the times from 1 to 210 us */
		ts += 1000000;
		wake(d, ts, WAKING, 0, A, 0);
		run_next(d, ts + i * 37 % 211 * 1000, 0, RUNS, A);
		run_next(d, ts + 300000, A, SLEEPS, 0);
	}
	s = run_suite(d, &(struct kt_sched_opts){ 0 }, NULL);
	t = task_of(&s, A);
	assert_int_equal(t.nr_delays, 200);
	assert_true(t.delay_p99 >= 204000 && t.delay_p99 <= 210000);
	end_suite(&s);
}

TEST(what_a_loss_cuts_does_not_count)
{
	struct kt_dat *d = begin_file();
	struct kt_sched_task t;
	struct suite s;

	run_next(d, 1000, 0, RUNS, A);
	run_next(d, 2000, A, SLEEPS, 0);		/* ran 1000 */
	wake(d, 3000, WAKING, 0, A, 0);
	kt_dat_lost(d, 5);
	kt_dat_new_page(d, 50000);
	run_next(d, 50000, A, SLEEPS, B);		/* when it came is lost */
	wake(d, 51000, WAKING, B, A, 0);
	run_next(d, 51200, B, SLEEPS, A);		/* waited 200 */
	run_next(d, 52200, A, SLEEPS, 0);		/* ran 1000 */
	s = run_suite(d, &(struct kt_sched_opts){ .queues = true }, NULL);
	t = task_of(&s, A);
	assert_int_equal(t.nr_runs, 2);
	assert_int_equal(t.run_ns, 2000);
	assert_int_equal(t.nr_delays, 1);
	assert_int_equal(t.delay_ns, 200);
	assert_int_equal(t.lost, 1);
	assert_int_equal(t.ends, 0);
	/* The queue is unknown from the wakeup until the next switch. */
	assert_int_equal(cpu_of(&s, 0).unknown_ns, 47000);
	assert_int_equal(cpu_of(&s, 0).known_ns, 2000 + 2200);
	end_suite(&s);
}

TEST(a_queue_is_as_long_as_tasks_can_run)
{
	const struct kt_window map = { 0, 60000 - 1 };
	struct kt_dat *d = begin_file();
	struct kt_sched_waiter w;
	struct kt_sched_cpu c;
	struct suite s;

	run_next(d, 10000, A, SLEEPS, 0);		/* 0 */
	wake(d, 20000, WAKING, 0, A, 0);		/* 1 */
	wake(d, 30000, WAKEUP, 0, B, 0);		/* 2 */
	run_next(d, 40000, 0, RUNS, A);			/* 2 */
	wake(d, 42000, WAKING, A, C, 1);		/* of another CPU, but … */
	kt_dat_put(d, 43000, MIGRATE, A, C, 1, 0);		/* 3 */
	run_next(d, 45000, A, RUNS, B);			/* 3 */
	run_next(d, 50000, B, SLEEPS, C);		/* 2 */
	run_next(d, 55000, C, SLEEPS, A);		/* 1 */
	run_next(d, 60000, A, SLEEPS, 0);
	kt_dat_cpu(d, 1);
	run_next(d, 11000, A, SLEEPS, 0);
	s = run_suite(d, &(struct kt_sched_opts){ .queues = true, .map = &map }, NULL);
	c = cpu_of(&s, 0);
	assert_int_equal(c.length_max, 3);
	assert_int_equal(c.max_at, 43000);
	assert_int_equal(c.length_ns[0], 10000);
	assert_int_equal(c.length_ns[1], 10000 + 5000);
	assert_int_equal(c.length_ns[2], 13000 + 5000);
	assert_int_equal(c.length_ns[3], 7000);
	assert_true(c.length_avg > 1.43 && c.length_avg < 1.45);	/* 72000 / 50000 */
	assert_true(c.map[5] < 0 && c.map[15] < 0.01 && c.map[25] > 0.99 && c.map[25] < 1.01);
	assert_true(c.map[42] > 1.99 && c.map[44] > 2.99);
	c = cpu_of(&s, 1);
	assert_int_equal(c.length_max, 1);
	assert_int_equal(c.length_ns[1], 1000);
	assert_int_equal(task_of(&s, C).nr_migrations, 1);
	assert_true(kt_sched_waiter(s.sched, 0, &w));
	assert_int_equal(w.pid, A);
	assert_int_equal(w.count, 2);
	assert_int_equal(w.ns, 20000 + 10000);
	assert_int_equal(w.max_until, 40000);
	end_suite(&s);
}

static int note(void *data, const struct kt_sched_event *ev, struct kt_err *err)
{
	static const char *const names[] = { "left", "arrived", "woken", "migrated" };

	(void)err;
	str_addf(data, "%d %s %d %d\n", (int)ev->ts, names[ev->kind], ev->pid, ev->other);
	if (ev->run)
		str_addf(data, "  %d %d %d\n", (int)ev->run->off, (int)ev->run->ready,
			 (int)ev->run->from);
	return 0;
}

static double seconds_of(struct kt_trace *t, bool queues, struct kt_sched_cpu *last)
{
	struct kt_sched *sched = kt_sched_create(t, &(struct kt_sched_opts){ .queues = queues },
						 NULL);
	struct timespec from, until;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	kt_pass(t, kt_sched_analysis(sched), NULL);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &until);
	*last = cpu_of(&(struct suite){ t, sched }, kt_stream_nr_sources(kt_trace_stream(t)) - 1);
	kt_sched_destroy(sched);
	return until.tv_sec - from.tv_sec + (until.tv_nsec - from.tv_nsec) / 1e9;
}

/* A file may claim thousands of CPUs, and losses on each: a loss must not visit all the others. */
TEST(losses_on_many_cpus_cost_no_more_than_their_records)
{
	enum { NR_CPUS = 4000, NR_LOSSES = 5 };
	struct kt_dat *d = begin_file();
	struct kt_sched_cpu last;
	struct kt_trace *t;
	double without;
	int cpu, i;

	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		if (cpu)
			kt_dat_cpu(d, cpu);
		for (i = 1; i <= 1 + NR_LOSSES; i++) {
			kt_dat_new_page(d, i * 100000 + (uint64_t)cpu);
			run_next(d, i * 100000 + (uint64_t)cpu, 0, RUNS, A);
			kt_dat_lost(d, 1);
		}
	}
	t = kt_dat_trace(d);
	without = seconds_of(t, false, &last);
	assert_true(seconds_of(t, true, &last) < 2 * without);
	assert_int_equal(last.unknown_ns, NR_LOSSES * 100000 + NR_CPUS - 1);
	assert_int_equal(last.known_ns, 0);
	kt_trace_destroy(t);
}

TEST(events_come_in_order)
{
	struct str text = STR_INIT;
	struct kt_dat *d = begin_file();
	struct suite s;

	run_next(d, 1000, A, SLEEPS, B);
	wake(d, 2000, WAKING, B, A, 0);
	wake(d, 2100, WAKEUP, B, A, 0);
	kt_dat_put(d, 2200, MIGRATE, B, A, 0, 1);
	run_next(d, 3000, B, RUNS, A);
	run_next(d, 4000, A, SLEEPS, B);
	s = run_suite(d, &(struct kt_sched_opts){ .each = note, .data = &text }, NULL);
	assert_string_equal(text.buf,
			    "1000 left 42 42\n  0 0 1000\n"
			    "1000 arrived 50 42\n"
			    "2000 woken 42 50\n"
			    "2200 migrated 42 50\n"
			    "3000 left 50 50\n  0 0 1000\n"
			    "3000 arrived 42 50\n"
			    "4000 left 42 42\n  1000 2000 3000\n"
			    "4000 arrived 50 42\n");
	str_fini(&text);
	end_suite(&s);
}

static bool is_c(void *data, size_t file, int pid)
{
	(void)data;
	(void)file;
	return pid == C;
}

TEST(tasks_and_moves_are_chosen_and_counted)
{
	const struct kt_window windows[] = { { 0, 4500 }, { 8000, 99000 } };
	struct kt_dat *d = begin_file();
	struct suite s;

	run_next(d, 1000, 0, RUNS, C);
	run_next(d, 2000, C, RUNS, B);
	run_next(d, 3000, B, RUNS, C);			/* waited 1000 */
	run_next(d, 4000, C, RUNS, B);
	run_next(d, 5000, B, RUNS, C);			/* between the windows */
	run_next(d, 9000, C, RUNS, 0);
	kt_dat_cpu(d, 1);
	run_next(d, 9500, 0, RUNS, C);			/* waited 500, on the other CPU */
	run_next(d, 9900, C, SLEEPS, 0);
	s = run_suite(d, &(struct kt_sched_opts){ .chosen = is_c },
		      &(struct kt_pass_opts){ .windows = windows, .nr_windows = 2 });
	assert_int_equal(task_of(&s, B).nr_switches, 0);
	assert_int_equal(task_of(&s, C).nr_delays, 2);
	assert_int_equal(task_of(&s, C).delay_ns, 1500);
	assert_int_equal(task_of(&s, C).nr_moves, 1);
	assert_int_equal(task_of(&s, C).nr_runs, 3);
	assert_int_equal(task_of(&s, C).lost, 0);
	end_suite(&s);
}

int main(void)
{
	return RUN(unit(a_task_runs_sleeps_and_waits),
		   unit(a_task_that_is_woken_while_running_does_not_wait),
		   unit(percentiles_are_those_of_all_delays),
		   unit(what_a_loss_cuts_does_not_count),
		   unit(a_queue_is_as_long_as_tasks_can_run),
		   unit(losses_on_many_cpus_cost_no_more_than_their_records),
		   unit(events_come_in_order),
		   unit(tasks_and_moves_are_chosen_and_counted));
}
