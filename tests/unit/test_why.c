/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_why.c - the chain of reasons, in traces whose answers are known */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
#include <cmocka.h>

#include <ktrail/why.h>

#include "base/str.h"
#include "kt_calls.h"
#include "kt_reading.h"
#include "kt_test.h"

enum { SWITCH = 20, WAKING = 22, IRQ_ENTRY, IRQ_EXIT };
enum { RUNS = 0, SLEEPS = 1, RT_APP = 42, HOG = 50, OTHER = 60 };

static struct kt_dat *begin_file(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });

	kt_dat_numbers(d, "sched", "sched_switch", 20, "prev_pid prev_state next_pid next_prio");
	kt_dat_numbers(d, "sched", "sched_waking", 22, "pid prio");
	kt_dat_numbers(d, "irq", "irq_handler_entry", 23, "irq");
	kt_dat_numbers(d, "irq", "irq_handler_exit", 24, "irq ret");
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	return d;
}

static void run_next(struct kt_dat *d, uint64_t ts, int prev, int state, int next)
{
	kt_dat_put(d, ts, SWITCH, prev, (uint64_t)prev, (uint64_t)state, (uint64_t)next);
}

/* Lines as "depth kind ns pid" */
static char *explain_all(struct kt_dat *d, int pid, uint64_t from, uint64_t until, char **summary)
{
	const struct kt_why_opts o = { .pid = pid, .from = from, .until = until };
	struct kt_trace *t = kt_dat_trace(d);
	struct kt_err err = { 0 };
	struct kt_why *w = kt_why_create(t, &o, &err);
	const struct kt_why_line *l;
	struct str s = STR_INIT;
	size_t i;

	CHECK_NO_ERR(&err);
	kt_pass_run(t, (struct kt_analysis *[]){ kt_why_analysis(w) }, 1, NULL, &err);
	CHECK_NO_ERR(&err);
	if (summary)
		*summary = strdup(kt_why_summary(w));
	for (i = 0; (l = kt_why_line(w, i)); i++)
		str_addf(&s, "%u %s %d %d\n", l->depth, kt_why_kind_name(l->kind), (int)l->ns, l->pid);
	kt_why_destroy(w);
	kt_trace_destroy(t);
	return str_take(&s);
}

static char *explain(struct kt_dat *d, int pid, uint64_t from, uint64_t until)
{
	return explain_all(d, pid, from, until, NULL);
}

static void check(char *got, const char *wanted)
{
	assert_string_equal(got, wanted);
	free(got);
}

TEST(a_wait_names_the_task_that_had_the_cpu)
{
	struct kt_dat *d = begin_file();

	run_next(d, 100, RT_APP, SLEEPS, HOG);
	kt_dat_put(d, 1000, WAKING, HOG, RT_APP, 120, 0);
	kt_dat_put(d, 3000, IRQ_ENTRY, HOG, 7, 0, 0);
	kt_dat_put(d, 3500, IRQ_EXIT, HOG, 7, 1, 0);
	run_next(d, 6000, HOG, RUNS, RT_APP);
	run_next(d, 9000, RT_APP, SLEEPS, HOG);
	check(explain(d, RT_APP, 1000, 9000),
	      "0 waited 5000 42\n"
	      "1 holder 4500 50\n"
	      "1 irq 500 -1\n"
	      "0 ran 3000 42\n");
}

TEST(a_sleep_names_its_waker_and_what_delayed_the_waker)
{
	struct kt_dat *d = begin_file();

	run_next(d, 100, 1, RUNS, RT_APP);
	run_next(d, 1000, RT_APP, SLEEPS, OTHER);
	run_next(d, 2000, OTHER, RUNS, HOG);		/* preempted for 6000 */
	run_next(d, 8000, HOG, RUNS, OTHER);
	kt_dat_put(d, 9000, WAKING, OTHER, RT_APP, 120, 0);
	run_next(d, 9500, OTHER, SLEEPS, RT_APP);
	run_next(d, 10000, RT_APP, SLEEPS, HOG);
	check(explain(d, RT_APP, 500, 10000),
	      "0 ran 500 42\n"
	      "0 blocked 8000 42\n"
	      "1 waker 0 60\n"
	      "2 ran 1000 60\n"
	      "2 preempted 6000 60\n"
	      "3 holder 6000 50\n"
	      "2 ran 1000 60\n"
	      "0 waited 500 42\n"
	      "1 holder 500 60\n"
	      "0 ran 500 42\n");
}

TEST(a_waker_in_an_interrupt_is_the_interrupt)
{
	struct kt_dat *d = begin_file();

	run_next(d, 1000, RT_APP, SLEEPS, HOG);
	kt_dat_put(d, 3000, IRQ_ENTRY, HOG, 9, 0, 0);
	kt_dat_put(d, 3100, WAKING, HOG, RT_APP, 120, 0);
	kt_dat_put(d, 3200, IRQ_EXIT, HOG, 9, 1, 0);
	run_next(d, 3300, HOG, RUNS, RT_APP);
	run_next(d, 4000, RT_APP, SLEEPS, HOG);
	check(explain(d, RT_APP, 1000, 4000),
	      "0 blocked 2100 42\n"
	      "1 waker-irq 0 50\n"
	      "0 waited 200 42\n"
	      "1 holder 100 50\n"
	      "1 irq 100 -1\n"
	      "0 ran 700 42\n");
}

TEST(facts_missing_in_the_trace_are_reported)
{
	struct kt_dat *d = begin_file();

	kt_dat_put(d, 5000, WAKING, HOG, RT_APP, 120, 0);
	run_next(d, 6000, HOG, RUNS, RT_APP);
	run_next(d, 7000, RT_APP, SLEEPS, HOG);
	check(explain(d, RT_APP, 1000, 7000),
	      "0 unexplained 4000 42\n"
	      "0 waited 1000 42\n"
	      "1 holder 1000 50\n"
	      "0 ran 1000 42\n");
}

TEST(the_functions_of_a_call_are_listed_by_their_own_time)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });
	char *summary = NULL;

	kt_calls_describe(d);
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	kt_calls_sample(d);
	check(explain_all(d, 7, 100, 200, &summary),
	      "0 unexplained 100 7\n"
	      "0 calls 0 7\n"
	      "1 callee 35 7\n"		/* b, twice */
	      "2 chain 0 7\n"
	      "1 callee 31 7\n"		/* c, three times */
	      "1 callee 29 7\n"		/* a */
	      "1 callee 5 7\n");
	check(summary, "<...>:7 spent 35 ns in a → b");
}

TEST(an_interval_without_length_is_refused)
{
	const struct kt_why_opts o = { .pid = 1, .from = 5, .until = 5 };
	struct kt_trace *t = kt_dat_trace(begin_file());
	struct kt_err err = { 0 };

	assert_null(kt_why_create(t, &o, &err));
	assert_int_equal(err.code, -EINVAL);
	kt_trace_destroy(t);
}

int main(void)
{
	return RUN(unit(a_wait_names_the_task_that_had_the_cpu),
		   unit(a_sleep_names_its_waker_and_what_delayed_the_waker),
		   unit(a_waker_in_an_interrupt_is_the_interrupt),
		   unit(facts_missing_in_the_trace_are_reported),
		   unit(the_functions_of_a_call_are_listed_by_their_own_time),
		   unit(an_interval_without_length_is_refused));
}
