/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reasons.c - find the interval around a moment, and explain it in slices of work */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include <ktrail/views.h>

#include "kt_reading.h"
#include "kt_test.h"

#define MS 1000000ull

enum { SWITCH = 20, WAKEUP, WAKING, ENTER, EXIT };
enum { RUNS = 0, SLEEPS = 1, APP = 42, HOG = 50 };

static void run_next(struct kt_dat *d, uint64_t ts, int prev, int state, int next)
{
	kt_dat_put(d, ts, SWITCH, prev, (uint64_t)prev, (uint64_t)state, (uint64_t)next);
}

/*
 * The task runs up to 10 ms, with a system call from 5 to 7, sleeps up to 20, waits up to 25,
 * runs up to 30, and sleeps up to 5 s.
 */
static struct kt_model *model(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });

	kt_dat_numbers(d, "sched", "sched_switch", 20, "prev_pid prev_state next_pid next_prio");
	kt_dat_numbers(d, "sched", "sched_wakeup", 21, "pid prio");
	kt_dat_numbers(d, "sched", "sched_waking", 22, "pid prio");
	kt_dat_numbers(d, "raw_syscalls", "sys_enter", 23, "id");
	kt_dat_numbers(d, "raw_syscalls", "sys_exit", 24, "id ret");
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	run_next(d, 1 * MS, HOG, RUNS, APP);
	kt_dat_put(d, 5 * MS, ENTER, APP, 0, 0, 0);
	kt_dat_put(d, 7 * MS, EXIT, APP, 0, 0, 0);
	run_next(d, 10 * MS, APP, SLEEPS, HOG);
	kt_dat_put(d, 20 * MS, WAKING, HOG, APP, 120, 0);
	kt_dat_put(d, 21 * MS, WAKEUP, HOG, APP, 120, 0);
	run_next(d, 25 * MS, HOG, RUNS, APP);
	run_next(d, 30 * MS, APP, SLEEPS, HOG);
	kt_dat_put(d, 5000 * MS, WAKING, HOG, APP, 120, 0);
	run_next(d, 5001 * MS, HOG, RUNS, APP);
	run_next(d, 5002 * MS, APP, SLEEPS, HOG);
	return kt_dat_model(d);
}

/* A small budget, so that each call does a slice */
static void read_all(struct kt_reasons *r)
{
	while (kt_reasons_work(r, 0))
		;
	assert_true(kt_reasons_done(r) >= 1);
	assert_false(kt_reasons_is_partial(r));
}

static void check(const struct kt_why_moment *moment, enum kt_span_kind kind, uint64_t from_ms,
		  uint64_t until_ms, const char *first_line)
{
	struct kt_model *m = model();
	struct kt_reasons *r = kt_reasons_create(m, NULL);
	enum kt_span_kind found;
	struct kt_err err = { 0 };
	struct kt_why_opts o;

	kt_reasons_set_moment(r, moment, &err);
	CHECK_NO_ERR(&err);
	read_all(r);
	err = kt_reasons_error(r);
	CHECK_NO_ERR(&err);
	assert_true(kt_reasons_interval(r, &o, &found));
	assert_int_equal(found, kind);
	assert_int_equal(o.from, from_ms * MS);
	assert_int_equal(o.until, until_ms * MS);
	assert_string_equal(kt_why_text(kt_reasons_why(r), 0), first_line);
	kt_reasons_destroy(r);
	kt_model_close(m);
}

static struct kt_why_moment at(uint64_t ms)
{
	return (struct kt_why_moment){ .pid = APP, .ts = ms * MS };
}

TEST(a_moment_is_in_a_state_of_its_task)
{
	struct kt_why_moment runs = at(26), sleeps = at(15), waits = at(22);

	check(&runs, KT_SPAN_RUN, 25, 30, "ran on CPU 0, until 0.030000");
	check(&sleeps, KT_SPAN_BLOCKED, 10, 20, "blocked, interruptible, until 0.020000");
	check(&waits, KT_SPAN_WAIT, 20, 25, "woken, waited for CPU 0, until 0.025000");
}

TEST(a_wait_begins_with_the_first_of_its_wakeups)
{
	struct kt_why_moment moment = { .pid = APP, .ts = 20 * MS + MS / 2 };

	check(&moment, KT_SPAN_WAIT, 20, 25, "woken, waited for CPU 0, until 0.025000");
}

TEST(where_states_meet_it_is_the_second)
{
	struct kt_why_moment moment = at(25);

	check(&moment, KT_SPAN_RUN, 25, 30, "ran on CPU 0, until 0.030000");
}

TEST(a_state_may_be_longer_than_the_first_read)
{
	struct kt_why_moment moment = at(2000);

	check(&moment, KT_SPAN_BLOCKED, 30, 5000, "blocked, interruptible, until 5.000000");
}

TEST(a_system_call_is_found_from_its_begin_to_its_end)
{
	struct kt_why_moment moment = at(7);

	moment.is_syscall = true;
	check(&moment, KT_SPAN_SYSCALL, 5, 7, "ran on CPU 0, until 0.007000");
	moment.ts = 5 * MS;
	check(&moment, KT_SPAN_SYSCALL, 5, 7, "ran on CPU 0, until 0.007000");
}

TEST(facts_missing_in_the_trace_are_an_error)
{
	struct kt_why_moment moment = { .pid = 7, .ts = 20 * MS };
	struct kt_model *m = model();
	struct kt_reasons *r = kt_reasons_create(m, NULL);
	enum kt_span_kind kind;
	struct kt_err err = { 0 };
	struct kt_why_opts o;

	assert_int_equal(kt_reasons_set_moment(r, &moment, &err), 0);
	while (kt_reasons_work(r, 0))
		;
	err = kt_reasons_error(r);
	assert_int_equal(err.code, -ENOENT);
	assert_non_null(strstr(err.msg, "task 7"));
	assert_false(kt_reasons_interval(r, &o, &kind));
	assert_null(kt_reasons_why(r));
	kt_err_clear(&err);
	moment.ts = 6000 * MS;
	assert_int_equal(kt_reasons_set_moment(r, &moment, &err), -EINVAL);
	assert_false(kt_reasons_work(r, 0));
	kt_reasons_destroy(r);
	kt_model_close(m);
}

TEST(another_interval_starts_from_the_beginning_also_after_a_stop)
{
	const struct kt_why_opts wait = { .pid = APP, .from = 20 * MS, .until = 25 * MS };
	const struct kt_why_opts empty = { .pid = APP, .from = 20 * MS, .until = 20 * MS };
	struct kt_why_moment moment = at(15);
	struct kt_model *m = model();
	struct kt_reasons *r = kt_reasons_create(m, NULL);
	struct kt_err err = { 0 };

	kt_reasons_set_moment(r, &moment, NULL);
	assert_true(kt_reasons_stop(r));
	assert_true(kt_reasons_is_partial(r));
	assert_false(kt_reasons_stop(r));
	assert_int_equal(kt_reasons_set(r, &empty, &err), -EINVAL);
	assert_int_equal(kt_reasons_set(r, &wait, NULL), 0);
	read_all(r);
	assert_string_equal(kt_why_text(kt_reasons_why(r), 0),
			    "woken, waited for CPU 0, until 0.025000");
	kt_reasons_destroy(r);
	kt_model_close(m);
}

int main(void)
{
	return RUN(unit(a_moment_is_in_a_state_of_its_task),
		   unit(a_wait_begins_with_the_first_of_its_wakeups),
		   unit(where_states_meet_it_is_the_second),
		   unit(a_state_may_be_longer_than_the_first_read),
		   unit(a_system_call_is_found_from_its_begin_to_its_end),
		   unit(facts_missing_in_the_trace_are_an_error),
		   unit(another_interval_starts_from_the_beginning_also_after_a_stop));
}
