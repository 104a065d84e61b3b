/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_profile.c - where tasks spent their time */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <cmocka.h>

#include <ktrail/analysis.h>

#include "base/str.h"
#include "kt_reading.h"

enum { STACK = 4, GRAPH_EXIT = 10, SWITCH = 20, WAKEUP, RAISE, ENTRY, EXIT, SYS_ENTER, SYS_EXIT,
       PING };

static struct kt_dat *begin_file(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });

	kt_dat_meta(d, KT_META_KALLSYMS, "0000000000001000 T open_it\n0000000000002000 T read_it\n"
					 "0000000000003000 T syscall\n0000000000004000 T _end\n");
	kt_dat_meta(d, KT_META_CMDLINES, "7 cat\n8 cat\n");
	kt_dat_numbers(d, "ftrace", "kernel_stack", 4, "size caller[8]");
	kt_dat_numbers(d, "ftrace", "funcgraph_exit", 10, "func calltime rettime");
	kt_dat_numbers(d, "sched", "sched_switch", 20, "prev_pid prev_state next_pid");
	kt_dat_numbers(d, "sched", "sched_wakeup", 21, "pid");
	kt_dat_numbers(d, "irq", "softirq_raise", 22, "vec");
	kt_dat_numbers(d, "irq", "softirq_entry", 23, "vec");
	kt_dat_numbers(d, "irq", "softirq_exit", 24, "vec");
	kt_dat_numbers(d, "syscalls", "sys_enter_read", 25, "__syscall_nr");
	kt_dat_numbers(d, "syscalls", "sys_exit_read", 26, "__syscall_nr");
	kt_dat_numbers(d, "test", "ping", 27, "id");
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	return d;
}

static void put(struct kt_dat *d, uint64_t ts, int id, int pid, uint64_t value)
{
	kt_dat_begin(d, id, pid);
	kt_dat_int(d, 8, value);
	kt_dat_end(d, ts);
}

static void put3(struct kt_dat *d, uint64_t ts, int id, int pid, uint64_t a, uint64_t b, uint64_t c)
{
	kt_dat_begin(d, id, pid);
	kt_dat_int(d, 8, a);
	kt_dat_int(d, 8, b);
	kt_dat_int(d, 8, c);
	kt_dat_end(d, ts);
}

static struct kt_profile *try(struct kt_dat *d, struct kt_trace **t, struct kt_profile_opts o,
			      struct kt_err *err)
{
	*t = kt_dat_trace(d);
	return kt_profile_create(*t, &o, err);
}

static struct kt_profile *profile(struct kt_dat *d, struct kt_trace **t, struct kt_profile_opts o)
{
	struct kt_err err = { 0 };
	struct kt_profile *p = try(d, t, o, &err);

	assert_non_null(p);
	kt_pass(*t, kt_profile_analysis(p), NULL);
	return p;
}

static void done(struct kt_profile *p, struct kt_trace *t)
{
	kt_profile_destroy(p);
	kt_trace_destroy(t);
}

static const struct kt_profile_row *check(const struct kt_profile *p, size_t task, size_t i,
					  const char *event, const char *value, uint64_t count,
					  uint64_t total)
{
	const struct kt_profile_row *r = kt_profile_row(p, task, i);

	assert_non_null(r);
	assert_string_equal(r->event, event);
	assert_string_equal(r->value, value);
	assert_int_equal(r->time.count, count);
	assert_int_equal(r->time.total, total);
	return r;
}

static size_t nr_tasks(const struct kt_profile *p)
{
	size_t nr = 0;

	while (kt_profile_task(p, nr))
		nr++;
	return nr;
}

static void sleep_and_wait_for_the_cpu_are_distinguished(void **state)
{
	struct kt_dat *d = begin_file();
	const struct kt_profile_row *r;
	struct kt_profile *p;
	struct kt_trace *t;

	(void)state;
	put3(d, 100, SWITCH, 7, 7, 1, 0);		/* sleeps */
	put3(d, 101, STACK, 7, 3, 0x1010, 0x3010);
	put(d, 150, WAKEUP, 0, 7);			/* … for 50 */
	put3(d, 160, SWITCH, 0, 0, 0, 7);		/* waited 10; idle ran for 60 */
	put3(d, 200, SWITCH, 7, 7, 1, 0);
	put3(d, 201, STACK, 7, 3, 0x2010, 0x3010);
	put(d, 230, WAKEUP, 0, 7);			/* 30 */
	put3(d, 231, SWITCH, 0, 0, 0, 7);		/* 1 */
	put3(d, 240, SWITCH, 7, 7, 0x100, 8);		/* preempted, and never back */
	p = profile(d, &t, (struct kt_profile_opts){ 0 });

	assert_int_equal(nr_tasks(p), 2);
	assert_string_equal(kt_profile_task(p, 0)->comm, "swapper/0");
	assert_string_equal(kt_profile_task(p, 1)->comm, "cat");
	assert_int_equal(kt_profile_task(p, 1)->nr_rows, 2);
	check(p, 0, 0, "sched_switch", "R", 1, 40);
	r = check(p, 1, 0, "sched_switch", "S", 2, 80);
	assert_true(r->is_timed);
	assert_int_equal(r->time.max, 50);
	assert_int_equal(r->time.max_ts, 150);
	assert_int_equal(r->time.min, 30);
	assert_int_equal(r->time.min_ts, 230);
	assert_string_equal(r->stacks->function, "open_it");
	assert_int_equal(r->stacks->time.total, 50);
	assert_string_equal(r->stacks->callers->function, "syscall");
	assert_string_equal(r->stacks->next->function, "read_it");
	assert_int_equal(r->stacks->next->time.total, 30);
	check(p, 1, 1, "sched_wakeup", "7", 2, 11);
	assert_null(kt_profile_row(p, 1, 2));
	assert_null(kt_profile_task(p, 2));
	done(p, t);
}

static struct kt_dat *interrupts(void)
{
	struct kt_dat *d = begin_file();

	put(d, 10, RAISE, 7, 1);
	put(d, 15, ENTRY, 7, 1);
	put(d, 17, RAISE, 8, 9);
	put(d, 18, EXIT, 8, 1);
	put(d, 20, EXIT, 8, 5);		/* began before the trace */
	return d;
}

static void interrupts_belong_to_a_task_or_to_a_cpu(void **state)
{
	struct kt_profile *p;
	struct kt_trace *t;

	(void)state;
	p = profile(interrupts(), &t, (struct kt_profile_opts){ 0 });
	assert_int_equal(nr_tasks(p), 1);
	check(p, 0, 0, "softirq_raise", "TIMER", 1, 5);
	check(p, 0, 1, "softirq_entry", "TIMER", 1, 3);
	done(p, t);

	p = profile(interrupts(), &t, (struct kt_profile_opts){ .global_irqs = true });
	assert_int_equal(nr_tasks(p), 1);
	assert_null(kt_profile_task(p, 0)->comm);
	assert_int_equal(kt_profile_task(p, 0)->cpu, 0);
	check(p, 0, 1, "softirq_entry", "TIMER", 1, 3);
	done(p, t);
}

static struct kt_dat *calls(void)
{
	struct kt_dat *d = begin_file();

	put(d, 1, SYS_ENTER, 7, 0);
	put(d, 2, SYS_ENTER, 8, 0);
	put(d, 5, SYS_EXIT, 7, 0);
	put(d, 9, SYS_EXIT, 8, 0);
	put3(d, 10, GRAPH_EXIT, 7, 0x1000, 1000, 1600);
	put3(d, 11, GRAPH_EXIT, 7, 0x1000, 3000, 2000);		/* clock went back */
	put(d, 12, PING, 7, 0xab);
	put3(d, 13, STACK, 7, 3, 0x1010, 0x3010);
	put(d, 14, PING, 7, 0xab);
	return d;
}

static void calls_are_paired_by_task_and_other_events_counted(void **state)
{
	struct kt_profile *p;
	struct kt_trace *t;

	(void)state;
	p = profile(calls(), &t, (struct kt_profile_opts){ 0 });
	assert_int_equal(nr_tasks(p), 2);
	assert_true(check(p, 0, 0, "open_it", "", 2, 600)->is_function);
	check(p, 0, 1, "sys_enter_read", "", 1, 4);
	assert_false(check(p, 0, 2, "ping", "0xab", 2, 0)->is_timed);
	assert_int_equal(kt_profile_row(p, 0, 2)->stacks->time.count, 1);
	check(p, 1, 0, "sys_enter_read", "", 1, 7);
	done(p, t);

	p = profile(calls(), &t, (struct kt_profile_opts){ .by_comm = true });
	assert_int_equal(nr_tasks(p), 1);
	assert_int_equal(kt_profile_task(p, 0)->pid, -1);
	check(p, 0, 1, "sys_enter_read", "", 2, 11);
	done(p, t);
}

static void a_hook_pairs_any_two_events(void **state)
{
	const char *const hooks[] = { "test:ping,id/syscalls:sys_enter_read,__syscall_nr", NULL };
	struct kt_dat *d = begin_file();
	struct kt_profile *p;
	struct kt_trace *t;

	(void)state;
	put(d, 10, PING, 7, 3);
	put(d, 25, SYS_ENTER, 8, 3);
	p = profile(d, &t, (struct kt_profile_opts){ .hooks = hooks });
	check(p, 0, 0, "ping", "0x3", 1, 15);
	done(p, t);
}

static void refuses(const char *hook, int code, const char *says)
{
	const char *const hooks[] = { hook, NULL };
	struct kt_err err = { 0 };
	struct kt_trace *t;

	assert_null(try(begin_file(), &t, (struct kt_profile_opts){ .hooks = hooks }, &err));
	assert_int_equal(err.code, code);
	assert_non_null(strstr(err.msg, hook));
	assert_non_null(strstr(err.msg, says));
	kt_trace_destroy(t);
}

static void a_hook_that_cannot_work_is_refused(void **state)
{
	(void)state;
	refuses("", -EINVAL, "not a hook");
	refuses("ping", -EINVAL, "not a hook");
	refuses("ping,id", -EINVAL, "START,FIELD");
	refuses("ping,id/ping", -EINVAL, "not a hook");
	refuses("ping,/ping,id", -EINVAL, "not a hook");
	refuses("ping,id/ping,id,x", -EINVAL, "flags p, s and g");
	refuses("pong,id/ping,id", -ENOENT, "no event 'pong', did you mean 'ping'?");
	refuses("ping,id/ping,size", -ENOENT, "ping has no field 'size'");
	refuses("ping,ib/ping,id", -ENOENT, "ping has no field 'ib', did you mean 'id'?");
	refuses("ping,id,pid/ping,id", -ENOENT, "ping has no field 'pid'");
	refuses("sched:ping,id/ping,id,PS", -ENOENT, "no event 'sched:ping'");
}

static void filtered_rows_leave_no_stacks(void **state)
{
	struct kt_dat *d = begin_file();
	struct kt_profile *p;
	struct kt_trace *t;
	size_t before = 0;
	int i;

	(void)state;
	put(d, 1, GRAPH_EXIT, 7, 0x1000);	/* cut after the address of the function */
	put3(d, 2, STACK, 7, 3, 0x1010, 0x3010);
	put(d, 3, PING, 7, 0xab);
	t = kt_dat_trace(d);
	for (i = 0; i < 600; i++) {
		if (i == 100)		/* formats are read, and malloc has what it keeps */
			before = mallinfo2().uordblks;
		p = kt_profile_create(t, NULL, NULL);
		kt_pass(t, kt_profile_analysis(p), NULL);
		assert_int_equal(nr_tasks(p), 1);
		check(p, 0, 0, "ping", "0xab", 1, 0);
		assert_null(kt_profile_row(p, 0, 1));
		kt_profile_destroy(p);
	}
	assert_true(mallinfo2().uordblks < before + 500 * 32);
	kt_trace_destroy(t);
}

static void tasks_of_many_names_are_distinguished(void **state)
{
	struct kt_dat *d = begin_file();
	struct str names = STR_INIT;
	struct kt_profile *p;
	struct kt_trace *t;
	int pid;

	(void)state;
	for (pid = 1; pid <= 2000; pid++) {
		str_addf(&names, "%d task%d\n", pid, pid % 1000);
		put(d, (uint64_t)pid, PING, pid, 1);
	}
	kt_dat_meta(d, KT_META_CMDLINES, names.buf);
	p = profile(d, &t, (struct kt_profile_opts){ .by_comm = true });
	assert_int_equal(nr_tasks(p), 1000);
	for (pid = 0; pid < 1000; pid++)
		check(p, (size_t)pid, 0, "ping", "0x1", 2, 0);
	done(p, t);
	str_fini(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sleep_and_wait_for_the_cpu_are_distinguished),
		cmocka_unit_test(interrupts_belong_to_a_task_or_to_a_cpu),
		cmocka_unit_test(calls_are_paired_by_task_and_other_events_counted),
		cmocka_unit_test(a_hook_pairs_any_two_events),
		cmocka_unit_test(a_hook_that_cannot_work_is_refused),
		cmocka_unit_test(filtered_rows_leave_no_stacks),
		cmocka_unit_test(tasks_of_many_names_are_distinguished),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
