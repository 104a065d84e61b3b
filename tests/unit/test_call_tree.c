/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_call_tree.c - calls as a tree: nesting, times, missing parts at both ends and in gaps */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <ktrail/span.h>

#include "base/str.h"
#include "kt_calls.h"
#include "kt_reading.h"

enum { FUNCTION = 1, EXIT = 10, ENTRY, SWITCH = 20, IRQ_ENTRY, IRQ_EXIT, SYS_ENTER, SYS_EXIT,
       KPROBE, KRETPROBE, JOB_ENTRY, JOB_EXIT, TIMER_ENTRY, TIMER_EXIT };

static struct kt_dat *begin_file(void)
{
	struct kt_dat *d = kt_dat_create(&(struct kt_dat_opts){ .version = 7 });

	kt_dat_meta(d, KT_META_KALLSYMS, "0000000000001000 T a\n0000000000002000 T b\n"
					 "0000000000003000 T c\n0000000000004000 T d\n"
					 "0000000000005000 T _end\n");
	kt_dat_numbers(d, "ftrace", "function", 1, "ip parent_ip");
	kt_dat_numbers(d, "ftrace", "funcgraph_exit", 10, "func depth calltime rettime retval");
	kt_dat_numbers(d, "ftrace", "funcgraph_entry", 11, "func depth");
	kt_dat_numbers(d, "sched", "sched_switch", 20, "prev_pid next_pid");
	kt_dat_numbers(d, "irq", "irq_handler_entry", 21, "irq");
	kt_dat_numbers(d, "irq", "irq_handler_exit", 22, "irq");
	kt_dat_numbers(d, "syscalls", "sys_enter_read", 23, "__syscall_nr");
	kt_dat_numbers(d, "syscalls", "sys_exit_read", 24, "__syscall_nr ret");
	kt_dat_numbers(d, "kprobes", "in", 25, "__probe_ip");
	kt_dat_numbers(d, "kprobes", "out", 26, "__probe_func __probe_ret_ip");
	kt_dat_numbers(d, "synthetic", "job_entry", 27, "n");
	kt_dat_numbers(d, "synthetic", "job_exit", 28, "ret");
	kt_dat_numbers(d, "irq_vectors", "local_timer_entry", 29, "vector");
	kt_dat_numbers(d, "irq_vectors", "local_timer_exit", 30, "vector");
	kt_dat_buffer(d, "", "local", 4096);
	kt_dat_cpu(d, 0);
	return d;
}

static void put(struct kt_dat *d, uint64_t ts, int id, int pid, uint64_t a, uint64_t b)
{
	kt_dat_begin(d, id, pid);
	kt_dat_int(d, 8, a);
	kt_dat_int(d, 8, b);
	kt_dat_end(d, ts);
}

/* function_graph by task 7 */
static void enter(struct kt_dat *d, uint64_t ts, uint64_t func, int depth)
{
	put(d, ts, ENTRY, 7, func, depth);
}

static void leave(struct kt_dat *d, uint64_t ts, uint64_t func, int depth, uint64_t duration)
{
	kt_dat_begin(d, EXIT, 7);
	kt_dat_int(d, 8, func);
	kt_dat_int(d, 8, depth);
	kt_dat_int(d, 8, ts - duration);
	kt_dat_int(d, 8, ts);
	kt_dat_int(d, 8, 42);
	kt_dat_end(d, ts);
}

static void add_call(struct str *s, struct kt_trace *t, const struct kt_call *c)
{
	static const char *const flags[] = { "unbegun", "unfinished", "gap", "untimed",
					     NULL, "moved", "after-gap" };
	size_t i;

	str_addf(s, "%*s%s %d", (int)c->depth * 2, "", kt_call_name(t, c), (int)c->duration);
	if (c->self != c->duration)
		str_addf(s, " self %d", (int)c->self);
	if (c->irq)
		str_addf(s, " irq %d", (int)c->irq);
	if (c->off)
		str_addf(s, " off %d", (int)c->off);
	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (flags[i] && c->flags & 1u << i)
			str_addf(s, " %s", flags[i]);
	str_addc(s, '\n');
}

static struct kt_call_tree *tree_of(struct kt_trace *t, struct kt_call_tree_opts opts)
{
	struct kt_call_tree *tree = kt_call_tree_create(t, &opts, NULL);
	struct kt_err err = { 0 };

	assert_non_null(tree);
	assert_int_equal(kt_pass_run(t, (struct kt_analysis *[]){ kt_call_tree_analysis(tree) }, 1,
				     NULL, &err), 0);
	return tree;
}

static void check(struct kt_dat *d, struct kt_call_tree_opts opts, const char *expected)
{
	struct kt_trace *t = kt_dat_trace(d);
	struct kt_call_tree *tree = tree_of(t, opts);
	struct str s = STR_INIT;
	size_t i;

	for (i = 0; i < kt_call_tree_nr(tree); i++)
		add_call(&s, t, kt_call_tree_at(tree, i));
	assert_string_equal(s.buf, expected);
	str_fini(&s);
	kt_call_tree_destroy(tree);
	kt_trace_destroy(t);
}

static const struct kt_call_tree_opts all = { 0 };

static void calls_nest_and_their_own_time_is_separate(void **state)
{
	struct kt_dat *d = begin_file();

	(void)state;
	enter(d, 100, A, 0);
	enter(d, 110, B, 1);
	leave(d, 130, B, 1, 20);
	enter(d, 140, B, 1);
	enter(d, 142, C, 2);
	leave(d, 145, C, 2, 3);
	leave(d, 150, B, 1, 10);
	leave(d, 200, A, 0, 100);
	check(d, all, "a 100 self 70\n  b 20\n  b 10 self 7\n    c 3\n");
}

struct sunk {
	struct kt_trace *trace;
	struct str text;
};

static int sink(void *data, const struct kt_call *call, struct kt_err *err)
{
	struct sunk *s = data;

	(void)err;
	add_call(&s->text, s->trace, call);
	return 0;
}

static void one_by_one_calls_come_at_their_ends(void **state)
{
	struct kt_dat *d = begin_file();
	struct sunk s = { .text = STR_INIT };
	struct kt_calls *calls;

	(void)state;
	enter(d, 100, A, 0);
	enter(d, 110, B, 1);
	leave(d, 130, B, 1, 20);
	enter(d, 140, C, 1);
	leave(d, 200, A, 0, 100);
	s.trace = kt_dat_trace(d);
	calls = kt_calls_create(s.trace, &(struct kt_calls_opts){ .sink = sink, .data = &s }, NULL);
	kt_pass(s.trace, kt_calls_analysis(calls), NULL);
	assert_string_equal(s.text.buf, "  b 20\n  c 60 unfinished\na 100 self 20 gap\n");
	kt_calls_destroy(calls);
	kt_trace_destroy(s.trace);
	str_fini(&s.text);
}

static void calls_that_began_before_the_trace_or_end_after_it_are_said(void **state)
{
	struct kt_dat *d = begin_file();

	(void)state;
	enter(d, 100, C, 2);		/* in b, in a */
	leave(d, 105, C, 2, 5);
	leave(d, 110, B, 1, 60);
	enter(d, 120, D, 1);		/* a is never seen to return, nor known */
	enter(d, 130, C, 2);
	check(d, all, "b 60 self 55 unbegun\n  c 5\nd 10 unfinished gap\n  c 0 unfinished\n");
}

static void a_lost_exit_does_not_swallow_the_calls_after_it(void **state)
{
	struct kt_dat *d = begin_file();

	(void)state;
	enter(d, 100, A, 0);
	enter(d, 110, B, 1);
	kt_dat_lost(d, 5);
	kt_dat_new_page(d, 200);
	enter(d, 200, C, 1);		/* b has returned, we do not know when */
	leave(d, 210, C, 1, 10);
	leave(d, 220, A, 0, 120);
	enter(d, 230, B, 0);
	leave(d, 240, B, 0, 10);
	check(d, all, "a 120 self 20 gap\n  b 90 unfinished gap\n"
		      "  c 10 after-gap\nb 10\n");
}

static void an_exit_after_a_gap_is_not_that_of_the_call_before_it(void **state)
{
	struct kt_dat *d = begin_file();

	(void)state;
	enter(d, 100, A, 0);
	kt_dat_lost(d, 5);
	kt_dat_new_page(d, 200);
	leave(d, 210, B, 0, 50);
	check(d, all, "a 110 unfinished gap\nb 50 unbegun\n");
}

static void with_a_threshold_exits_alone_make_the_tree(void **state)
{
	struct kt_dat *d = begin_file();

	(void)state;
	enter(d, 10, D, 0);		/* makes the depth known */
	leave(d, 20, D, 0, 10);
	leave(d, 150, C, 2, 10);
	leave(d, 160, B, 1, 40);
	leave(d, 190, B, 1, 15);
	leave(d, 200, A, 0, 100);
	check(d, all, "d 10\na 100 self 45 unbegun\n  b 40 self 30 unbegun\n    c 10 unbegun\n"
		      "  b 15 unbegun\n");
}

static void calls_between_sched_switch_and_the_switch_are_not_off_the_cpu(void **state)
{
	struct kt_dat *d = begin_file();

	(void)state;
	enter(d, 100, A, 0);
	enter(d, 110, B, 1);
	put(d, 112, SWITCH, 7, 7, 8);	/* recorded inside of b */
	leave(d, 115, B, 1, 5);
	enter(d, 116, C, 1);
	leave(d, 118, C, 1, 2);
	put(d, 160, SWITCH, 8, 8, 7);
	enter(d, 165, D, 1);
	leave(d, 170, D, 1, 5);
	leave(d, 200, A, 0, 100);
	check(d, all, "a 100 self 46 off 42\n  b 5\n  c 2\n  off CPU 42\n  d 5\n");
}

static void a_return_to_the_cpu_that_was_not_recorded_is_said(void **state)
{
	struct kt_dat *d = begin_file();

	(void)state;
	enter(d, 100, A, 0);
	put(d, 110, SWITCH, 7, 7, 8);
	put(d, 120, ENTRY, 8, C, 0);
	enter(d, 150, B, 1);
	leave(d, 160, B, 1, 10);
	leave(d, 200, A, 0, 100);
	check(d, all, "a 100 self 50 off 40 gap\n  off CPU 40 unfinished\n  b 10\n"
		      "c 80 unfinished\n");
}

static void a_task_that_does_not_come_back_is_off_the_cpu_to_the_end(void **state)
{
	struct kt_dat *d = begin_file();

	(void)state;
	enter(d, 100, A, 0);
	put(d, 110, SWITCH, 7, 7, 8);
	put(d, 120, ENTRY, 8, C, 0);
	put(d, 130, EXIT, 8, C, 0);
	check(d, all, "a 30 self 10 off 20 unfinished gap\n  off CPU 20 unfinished\nc 10\n");
}

static void interrupts_and_time_off_the_cpu_are_inside_the_call(void **state)
{
	struct kt_dat *d = begin_file();

	(void)state;
	enter(d, 100, A, 0);
	put(d, 110, IRQ_ENTRY, 7, 25, 0);
	enter(d, 111, C, 1);
	leave(d, 114, C, 1, 3);
	put(d, 115, IRQ_EXIT, 7, 25, 0);
	enter(d, 120, B, 1);
	put(d, 130, SWITCH, 7, 7, 8);
	kt_dat_cpu(d, 1);
	put(d, 170, SWITCH, 9, 9, 7);
	leave(d, 180, B, 1, 60);
	leave(d, 200, A, 0, 100);
	check(d, all, "a 100 self 35 irq 5 off 40 moved\n  interrupt 5 self 2\n    c 3\n"
		      "  b 60 self 20 off 40 moved\n    off CPU 40 moved\n");
}

static void one_task_or_one_cpus_idle_task_can_be_chosen(void **state)
{
	struct kt_dat *d = begin_file();

	(void)state;
	put(d, 100, ENTRY, 0, A, 0);
	put(d, 110, ENTRY, 8, B, 0);
	enter(d, 120, C, 0);
	put(d, 125, SWITCH, 7, 7, 8);
	put(d, 130, SWITCH, 8, 8, 7);
	leave(d, 150, C, 0, 30);
	kt_dat_cpu(d, 1);
	put(d, 105, ENTRY, 0, D, 0);
	check(d, (struct kt_call_tree_opts){ .by_task = true, .pid = 7, .cpu = -1 },
	      "c 30 self 25 off 5\n  off CPU 5\n");
}

static void the_function_tracers_callers_make_a_tree_without_times(void **state)
{
	struct kt_dat *d = begin_file();

	(void)state;
	put(d, 100, FUNCTION, 7, B, A + 0x10);
	put(d, 110, FUNCTION, 7, C, B + 0x20);
	put(d, 120, FUNCTION, 7, D, B + 0x30);
	put(d, 130, FUNCTION, 7, C, A + 0x40);
	check(d, all, "a 30 self 0 unbegun untimed\n  b 30 self 10 untimed\n    c 10 untimed\n"
		      "    d 10 untimed\n  c 0 untimed\n");
}

static void probes_on_entry_and_return_and_system_calls_are_calls(void **state)
{
	struct kt_dat *d = begin_file();

	(void)state;
	put(d, 100, SYS_ENTER, 7, 0, 0);
	put(d, 110, KPROBE, 7, A + 4, 0);
	put(d, 112, KPROBE, 7, B + 0x40, 0);	/* in the middle of it: not an entry */
	put(d, 120, KRETPROBE, 7, A, D);
	put(d, 130, SYS_EXIT, 7, 0, 3);
	check(d, all, "read 30 self 20\n  a 10\n");
}

static void a_probe_on_an_entry_alone_does_not_begin_a_call(void **state)
{
	struct kt_dat *d = begin_file();

	(void)state;
	put(d, 100, SYS_ENTER, 7, 0, 0);
	put(d, 110, KPROBE, 7, A, 0);		/* never seen to return */
	put(d, 120, KPROBE, 7, B, 0);
	put(d, 130, KRETPROBE, 7, B, D);
	put(d, 135, KPROBE, 7, A, 0);
	put(d, 140, SYS_EXIT, 7, 0, 3);
	put(d, 150, KPROBE, 7, A, 0);
	put(d, 160, KPROBE, 7, B, 0);		/* the trace ends inside */
	put(d, 170, KPROBE, 7, A, 0);
	check(d, all, "read 40 self 30\n  b 10\nb 10 unfinished\n");
}

static void pairs_of_synthetic_events_are_calls_and_vectors_are_interrupts(void **state)
{
	struct kt_dat *d = begin_file();

	(void)state;
	put(d, 100, JOB_ENTRY, 7, 5, 0);
	put(d, 110, TIMER_ENTRY, 7, 236, 0);
	put(d, 115, TIMER_EXIT, 7, 236, 0);
	put(d, 120, KPROBE, 7, A, 0);
	put(d, 130, KRETPROBE, 7, A, D);
	put(d, 150, JOB_EXIT, 7, 3, 0);
	put(d, 160, JOB_EXIT, 7, 4, 0);		/* its begin was not recorded */
	check(d, all, "job_entry 50 self 35 irq 5\n  local_timer_entry 5\n  a 10\n");
}

static void a_full_tree_says_so_and_a_moment_leads_to_its_call(void **state)
{
	struct kt_dat *d = begin_file();
	struct kt_call_tree *tree;
	struct kt_trace *t;

	(void)state;
	enter(d, 100, A, 0);
	enter(d, 110, B, 1);
	leave(d, 130, B, 1, 20);
	enter(d, 140, C, 1);
	leave(d, 150, C, 1, 10);
	leave(d, 200, A, 0, 100);
	t = kt_dat_trace(d);
	tree = tree_of(t, all);
	assert_false(kt_call_tree_is_full(tree));
	assert_int_equal(kt_call_tree_find(tree, 120), 1);
	assert_int_equal(kt_call_tree_find(tree, 135), 0);
	assert_int_equal(kt_call_tree_find(tree, 145), 2);
	assert_int_equal(kt_call_tree_find(tree, 300), KT_CALL_NONE);
	assert_int_equal(kt_call_tree_at(tree, 0)->nr_inside, 2);
	assert_int_equal(kt_call_tree_at(tree, 0)->nr_children, 2);
	assert_int_equal(kt_call_tree_at(tree, 2)->parent, 0);
	assert_int_equal(kt_call_tree_at(tree, 2)->retval, 42);
	assert_null(kt_call_tree_at(tree, 3));
	kt_call_tree_destroy(tree);
	tree = tree_of(t, (struct kt_call_tree_opts){ .max_calls = 2 });
	assert_true(kt_call_tree_is_full(tree));
	assert_int_equal(kt_call_tree_nr(tree), 2);
	kt_call_tree_destroy(tree);
	kt_trace_destroy(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_nest_and_their_own_time_is_separate),
		cmocka_unit_test(one_by_one_calls_come_at_their_ends),
		cmocka_unit_test(calls_that_began_before_the_trace_or_end_after_it_are_said),
		cmocka_unit_test(a_lost_exit_does_not_swallow_the_calls_after_it),
		cmocka_unit_test(an_exit_after_a_gap_is_not_that_of_the_call_before_it),
		cmocka_unit_test(with_a_threshold_exits_alone_make_the_tree),
		cmocka_unit_test(interrupts_and_time_off_the_cpu_are_inside_the_call),
		cmocka_unit_test(calls_between_sched_switch_and_the_switch_are_not_off_the_cpu),
		cmocka_unit_test(a_return_to_the_cpu_that_was_not_recorded_is_said),
		cmocka_unit_test(a_task_that_does_not_come_back_is_off_the_cpu_to_the_end),
		cmocka_unit_test(one_task_or_one_cpus_idle_task_can_be_chosen),
		cmocka_unit_test(the_function_tracers_callers_make_a_tree_without_times),
		cmocka_unit_test(probes_on_entry_and_return_and_system_calls_are_calls),
		cmocka_unit_test(a_probe_on_an_entry_alone_does_not_begin_a_call),
		cmocka_unit_test(pairs_of_synthetic_events_are_calls_and_vectors_are_interrupts),
		cmocka_unit_test(a_full_tree_says_so_and_a_moment_leads_to_its_call),
	};

	return cmocka_run_group_tests_name("call_tree", tests, NULL, NULL);
}
